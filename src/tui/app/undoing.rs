//! What `z` does.

use super::App;
use crate::domain::language::Id;
use crate::domain::sentence;
use crate::tui::input::Command;
use crate::tui::ui_effect::Open;

impl App {
    /// Whether what was accepted last are deletes.
    pub(super) fn undoes_deletes(&self) -> bool {
        let last = &self.cx.session.last_accepted;
        !last.is_empty() && last.iter().all(|operation| operation.kind.plant().is_none())
    }

    /// Opens the re-add list at what this program deleted last, with all of it marked if it was several plants; of adds,
    /// says what undoes them.
    pub(super) fn undo(&mut self) {
        let last = &self.cx.session.last_accepted;
        let key = |command| self.cx.key(command);
        self.cx.out.say_here(
            match last.iter().filter_map(|operation| operation.kind.plant()).collect::<Vec<_>>().as_slice() {
                [] => return self.cx.out.open(Open::ReAdd { undoes: Some(last.clone()) }),
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
            },
        );
        let key = self.cx.key(Command::DeleteById);
        self.cx.out.simply(Id::AddsAreUndone.with("key", key));
    }
}
