//! What `z` does.

use super::App;
use crate::domain::language::Id;
use crate::domain::{Resolution, sentence};
use crate::tui::input::Command;
use crate::tui::ui_effect::Open;

impl App {
    /// Whether what was done last are deletes.
    pub(super) fn undoes_deletes(&self) -> bool {
        let last = &self.cx.session.last_accepted;
        self.cx.session.last_resolved.is_none()
            && !last.is_empty()
            && last.iter().all(|operation| operation.kind.plant().is_none())
    }

    /// Opens the re-add list at what this program deleted last, with all of it marked if it was several plants; of adds
    /// and of decisions without a request, says what can be done instead.
    pub(super) fn undo(&mut self) {
        let last = &self.cx.session.last_accepted;
        let key = |command| self.cx.key(command);
        if let Some(resolution) = self.cx.session.last_resolved {
            self.cx.out.say_here(match resolution {
                Resolution::MarkStored => format!(
                    "Marking as stored cannot be undone: {} deletes the plant, :resolve PLANT --forget only removes it from the list.",
                    key(Command::Delete)
                ),
                Resolution::Forget => format!(
                    "Forgetting cannot be undone: {} finds the plant, and sends its add again.",
                    key(Command::ReAdd)
                ),
            });
            return self.cx.out.simply(Id::NothingToTakeBack);
        }
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
