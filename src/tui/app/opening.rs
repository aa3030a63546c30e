//! Finds, closes and withdraws dialogs.

use super::App;
use super::dialog::Dialog;
use crate::domain::language::Id;
use crate::domain::{OperationKind, PlantId, Row, sentence};
use crate::journal::PlantHistory;
use crate::tui::context::Subject;
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::confirm::Confirm;
use crate::tui::session::draft::Draft;
use crate::tui::session::question::Question;
use crate::tui::ui_effect::{AfterToken, Open, Reading, Tab};

impl App {
    /// Makes a dialog; `None` if an open one already serves its purpose.
    pub(super) fn dialog(&mut self, mut open: Open) -> Option<Dialog> {
        for dialog in self.dialogs.iter_mut() {
            match (dialog, &mut open) {
                (Dialog::Token(prompt), Open::Token { why, then: AfterToken::Nothing }) => {
                    prompt.why = std::mem::take(why);
                    return None;
                }
                (Dialog::Reader(reader), Open::Pager(Reading::Exchanges(exchanges, 0))) if reader.shown().is_some() => {
                    reader.replace(std::mem::take(exchanges));
                    return None;
                }
                (_, _) => {}
            }
        }
        Some(Dialog::open(open, &mut self.cx))
    }

    /// Removes stale questions, also those that wait behind other dialogs. Returns whether there was one.
    pub(super) fn withdraw(&mut self, is_stale: impl Fn(&Confirm) -> bool) -> bool {
        let is_stale = |dialog: &Dialog| matches!(dialog, Dialog::Confirm(confirm) if is_stale(confirm));
        if self.dialogs.front().is_some_and(is_stale)
            && let Some(queue) = &mut self.resolve_queue
        {
            queue.by_itself = true;
        }
        let is_any = self.dialogs.has(is_stale);
        self.dialogs.retain(|dialog| !is_stale(dialog));
        is_any
    }

    /// Removes the question about a plant if the operation that it would resolve is no longer the plant's unknown one.
    pub(super) fn withdraw_resolved(&mut self, id: PlantId, history: &PlantHistory) {
        let unknown = history.unknown.as_ref().map(|unknown| unknown.operation);
        let is_over = |confirm: &Confirm| {
            let question = &confirm.question;
            question.about == Some(id) && question.unknown.is_some() && question.unknown != unknown
        };
        if self.withdraw(is_over) {
            let plant = sentence::called(id, history.row.as_ref().and_then(Row::name));
            let text = format!("{plant} was resolved or changed elsewhere in the meantime.");
            self.cx.out.say_in_both(text, vec![Id::ChangedMeanwhile.into()]);
        }
    }

    /// Returns the question in front.
    pub(in crate::tui) fn question(&self) -> Option<&Question> {
        match self.dialogs.front()? {
            Dialog::Confirm(confirm) => Some(&confirm.question),
            _ => None,
        }
    }

    /// Returns what the dialog in front is about.
    pub(super) fn subject(&self) -> Subject {
        match self.dialogs.front() {
            Some(Dialog::Add(form)) => {
                let is_old = form.draft.purpose() == Id::FormUnsent;
                let says = if is_old { Id::TypedBefore } else { Id::NewPlant };
                Subject { plant: form.draft.id().ok(), says: Some(says), rows: None }
            }
            // It opens after a rejection, if not before anything is sent.
            Some(Dialog::Token(_)) => {
                let waits = self.cx.session.waiting_for_token.last();
                Subject { plant: waits.map(OperationKind::plant_id), ..Subject::default() }
            }
            Some(Dialog::Confirm(confirm)) => {
                let about = confirm.question.about;
                let says = if about.is_some() { Id::ReallyDelete } else { Id::ReallyDeleteThem };
                let says = confirm.question.only_deletes().then_some(says);
                let rows = (self.cx.display.tab == Tab::Greenhouse).then(|| confirm.rows(&self.cx));
                Subject { plant: about, says, rows }
            }
            _ => Subject::default(),
        }
    }

    /// Returns the add form in front.
    pub(super) fn add_form(&self) -> Option<&AddForm> {
        match self.dialogs.front()? {
            Dialog::Add(form) => Some(form),
            _ => None,
        }
    }

    /// Returns the text of open add forms that is nowhere else.
    pub(super) fn unsaved_forms(&self) -> impl Iterator<Item = Draft> {
        self.dialogs.iter().filter_map(|dialog| match dialog {
            Dialog::Add(form) => form.own_text(),
            _ => None,
        })
    }
}
