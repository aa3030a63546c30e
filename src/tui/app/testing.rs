//! What tests look at.

use super::App;
use super::dialog::{Dialog, each_dialog};
use crate::domain::PlantId;
use crate::tui::check::CheckScreen;
use crate::tui::component::Word;
use crate::tui::draft::Draft;
use crate::tui::greenhouse::GreenhouseScreen;
use crate::tui::history::HistoryScreen;
use crate::tui::input::{Command, Scope};
use crate::tui::outcome::Tab;
use crate::tui::question::Question;

impl App {
    pub(in crate::tui) fn question(&self) -> Option<&Question> {
        match self.dialogs.front()? {
            Dialog::Confirm(confirm) => Some(&confirm.question),
            _ => None,
        }
    }

    /// What is typed into the add form in front.
    pub(in crate::tui) fn draft(&self) -> Option<&Draft> {
        match self.dialogs.front()? {
            Dialog::Add(form) => Some(form.draft()),
            _ => None,
        }
    }

    /// How many dialogs wait behind the one in front.
    pub(in crate::tui) fn waiting(&self) -> usize {
        self.dialogs.len().saturating_sub(1)
    }

    pub(in crate::tui) fn is_resolving(&self) -> bool {
        self.resolve.is_some()
    }

    pub(in crate::tui) fn greenhouse(&self) -> &GreenhouseScreen {
        &self.screens.greenhouse
    }

    pub(in crate::tui) fn history(&self) -> &HistoryScreen {
        &self.screens.history
    }

    pub(in crate::tui) fn check(&self) -> &CheckScreen {
        &self.screens.check
    }

    /// The dialog in front as a report of an internal error would print it.
    pub(in crate::tui) fn debugged_dialog(&self) -> String {
        let front = self.dialogs.front().expect("a dialog is open");
        each_dialog!(front, dialog => format!("{dialog:?}"))
    }

    /// What is typed into the dialog in front and no message may change.
    pub(in crate::tui) fn typed(&self) -> Option<Vec<String>> {
        self.dialogs.front()?.layer().typed()
    }

    /// Which line is marked of the list in front, of how many.
    pub(in crate::tui) fn marked_line(&self) -> Option<(usize, usize)> {
        self.dialogs.front()?.layer().marked_line(&self.cx)
    }

    /// Whether a preview is open, or comes back.
    pub(in crate::tui) fn previews(&self) -> bool {
        self.dialogs.iter().any(|dialog| dialog.layer().scope() == Scope::Preview)
    }

    /// Whether a file is validated for the prompt in front.
    pub(in crate::tui) fn validates(&self) -> bool {
        let prompt = self.dialogs.front().filter(|dialog| matches!(dialog, Dialog::Import(_)));
        let word = prompt.and_then(|prompt| prompt.layer().word(Command::Close, &self.cx));
        word == Some(Ok(Word::Is("stop reading")))
    }

    /// Whether the dialog in front is one that leads to another store.
    pub(in crate::tui) fn offers_stores(&self) -> bool {
        matches!(self.dialogs.front(), Some(Dialog::Stores(_) | Dialog::BaseUrl(_)))
    }

    /// Whether the filter of a tab is typed that is not the active one.
    pub(in crate::tui) fn types_elsewhere(&self) -> bool {
        Tab::ALL.into_iter().any(|tab| tab != self.cx.display.tab && self.screens.get(tab).is_typing())
    }

    /// The plant that the tour has filled in.
    pub(in crate::tui) fn plant_of_tour(&self) -> Option<PlantId> {
        self.observed().added
    }
}
