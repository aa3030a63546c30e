//! What `z` does.

use super::App;
use crate::domain::{OperationKind, sentence};
use crate::tui::input::Command;
use crate::tui::ui_effect::Open;

impl App {
    /// Opens the re-add list at the newest plant that was deleted; of an add, says what undoes it.
    pub(super) fn undo(&mut self) {
        let Some(OperationKind::Add(plant)) = &self.cx.session.last_accepted else {
            return self.cx.out.open(Open::ReAdd { undoes: true });
        };
        let (key, id, called) = (self.cx.key(Command::DeleteById), plant.id, sentence::plant_called(plant));
        self.cx.out.say_here(format!("An add is undone by a delete: {key}, then {id}, deletes {called}."));
    }
}
