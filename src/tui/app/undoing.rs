//! What `z` does.

use super::App;
use crate::domain::{OperationKind, sentence};
use crate::tui::input::Command;
use crate::tui::ui_effect::Open;

impl App {
    /// Whether what was accepted last are deletes.
    pub(super) fn undoes_deletes(&self) -> bool {
        let last = &self.cx.session.last_accepted;
        !last.is_empty() && last.iter().all(|kind| kind.plant().is_none())
    }

    /// Opens the re-add list at what was deleted last, with all of it marked if it was several plants; of adds, says what
    /// undoes them.
    pub(super) fn undo(&mut self) {
        let last = &self.cx.session.last_accepted;
        let key = |command| self.cx.key(command);
        self.cx.out.say_here(match last.iter().filter_map(OperationKind::plant).collect::<Vec<_>>().as_slice() {
            [] => {
                let deleted = last.iter().map(OperationKind::plant_id).collect();
                return self.cx.out.open(Open::ReAdd { undoes: Some(deleted) });
            }
            [plant] => {
                let (called, id) = (sentence::plant_called(plant), plant.id);
                format!("An add is undone by a delete: {}, then {id}, deletes {called}.", key(Command::DeleteById))
            }
            plants => format!(
                "{} adds are undone by deletes: mark the plants with {}, then {} deletes them.",
                plants.len(),
                key(Command::Mark),
                key(Command::Delete)
            ),
        });
    }
}
