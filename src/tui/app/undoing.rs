//! What `z` does.

use super::App;
use crate::domain::language::Id;
use crate::domain::{Operation, Plant, Resolution};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::session::AboutSeveral;
use crate::tui::session::question::Several;

impl App {
    /// Whether what was done last are deletes.
    pub(super) fn undoes_deletes(&self) -> bool {
        let last = &self.cx.session.last_accepted;
        last.iter().any(|operation| operation.deletes().is_some())
            && last.iter().all(|operation| operation.kind.plant().is_none())
    }

    /// Asks whether to delete what was added last, or to add what this program deleted last. A decision since then, which
    /// sent nothing, stays: says so, and what can be done about it; what was added before it is not deleted for that.
    pub(super) fn undo(&mut self) {
        let Context { session, out, .. } = &mut self.cx;
        if let Some(resolution) = session.last_resolved {
            out.say_here(match resolution {
                Resolution::MarkStored => format!(
                    "Marking as stored cannot be undone: {} deletes the plant, :resolve PLANT --forget only removes it from the list.",
                    out.key(Command::Delete)
                ),
                Resolution::Forget => format!(
                    "Forgetting cannot be undone: {} finds the plant, and sends its add again.",
                    out.key(Command::ReAdd)
                ),
            });
            out.simply(Id::NothingToTakeBack);
        }
        let last = &session.last_accepted;
        let added: Vec<_> = last.iter().filter_map(|operation| operation.kind.plant().cloned()).collect();
        let deleted: Vec<Plant> = last.iter().filter_map(Operation::deletes).collect();
        if !added.is_empty() && session.last_resolved.is_none() {
            let ids = added.iter().map(|plant| plant.id).collect();
            session.ask_about(AboutSeveral::of(Several::Undo(added)), ids, out);
        } else if !deleted.is_empty() {
            let ids = deleted.iter().map(|plant| plant.id).collect();
            session.ask_about(AboutSeveral::of(Several::ReAdd(deleted)), ids, out);
        } else if session.last_resolved.is_none() {
            let re_add = out.key(Command::ReAdd);
            let why = if last.is_empty() {
                "Nothing to undo since this store was opened"
            } else {
                "The name of what was deleted last is not known"
            };
            out.say_here(format!("{why}; {re_add} finds what was deleted before."));
            out.simply(Id::NothingToUndo.with("key", re_add));
        }
    }
}
