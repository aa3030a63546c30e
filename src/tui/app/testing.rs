//! State of the app that only tests read.

use super::App;
use super::dialog::Dialog;
use crate::domain::PlantId;
use crate::tui::input::{Command, Scope};
use crate::tui::session::draft::Draft;

impl App {
    /// Returns the text of the add form in front.
    pub(in crate::tui) fn draft(&self) -> Option<&Draft> {
        self.add_form().map(|form| &form.draft)
    }

    /// Counts the dialogs behind the one in front.
    pub(in crate::tui) fn behind(&self) -> usize {
        self.dialogs.iter().count().saturating_sub(1)
    }

    pub(in crate::tui) fn is_resolving(&self) -> bool {
        self.resolve_queue.is_some()
    }

    /// Formats the dialog in front with `Debug`, as a panic report does.
    pub(in crate::tui) fn debugged_dialog(&self) -> String {
        format!("{:?}", self.dialogs.front().expect("a dialog is open"))
    }

    /// Returns the text of the dialog in front, which no message may change.
    pub(in crate::tui) fn typed(&self) -> Option<Vec<String>> {
        self.dialogs.front()?.layer().typed()
    }

    /// Returns the index of the selected line and the number of lines of the list in front.
    pub(in crate::tui) fn marked_line(&self) -> Option<(usize, usize)> {
        self.dialogs.front()?.layer().marked_line(&self.cx)
    }

    /// Whether an import preview is open, in front or behind another dialog.
    pub(in crate::tui) fn previews(&self) -> bool {
        self.dialogs.iter().any(|dialog| dialog.layer().scope() == Scope::Preview)
    }

    /// Whether an import prompt is validating a file.
    pub(in crate::tui) fn validates(&self) -> bool {
        let mut prompts = self.dialogs.iter().filter(|dialog| matches!(dialog, Dialog::Import(_)));
        prompts.any(|prompt| prompt.layer().label(Command::Close, &self.cx) == Some(Ok(Some("stop reading"))))
    }

    /// Whether a dialog is open that leads to another store.
    pub(in crate::tui) fn offers_stores(&self) -> bool {
        self.dialogs.iter().any(|dialog| matches!(dialog, Dialog::Stores(_) | Dialog::BaseUrl(_)))
    }

    /// Returns the plant that the tour added.
    pub(in crate::tui) fn plant_of_tour(&self) -> Option<PlantId> {
        self.observed().added
    }
}
