//! Makes, finds, closes and withdraws dialogs.

use super::App;
use super::dialog::Dialog;
use crate::domain::{PlantId, Row, sentence};
use crate::journal::PlantHistory;
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::base_url::UrlForm;
use crate::tui::dialogs::confirm::Confirm;
use crate::tui::dialogs::delete_by_id::DeleteById;
use crate::tui::dialogs::export::ExportPrompt;
use crate::tui::dialogs::import::ImportDialog;
use crate::tui::dialogs::palette::Palette;
use crate::tui::dialogs::profile::ProfileForm;
use crate::tui::dialogs::re_add::ReAdd;
use crate::tui::dialogs::reader::Reader;
use crate::tui::dialogs::report::ReportPrompt;
use crate::tui::dialogs::runs::Runs;
use crate::tui::dialogs::stores::StorePicker;
use crate::tui::dialogs::token::TokenPrompt;
use crate::tui::session::draft::Draft;
use crate::tui::session::question::Question;
use crate::tui::ui_effect::{AfterToken, Open, Reading};

impl App {
    /// Makes a dialog; `None` if an open one already serves its purpose.
    pub(super) fn dialog(&mut self, open: Open) -> Option<Dialog> {
        let cx = &mut self.cx;
        Some(match open {
            Open::Add(draft) => Dialog::Add(AddForm::open(*draft, cx)),
            Open::DeleteById(None) => Dialog::DeleteById(DeleteById::default()),
            Open::DeleteById(Some(id)) => Dialog::DeleteById(DeleteById::of(id, cx)),
            Open::DeleteForm(id) => Dialog::DeleteById(DeleteById::holding(id)),
            Open::Token { why, then } => {
                let mut prompts = self.dialogs.iter_mut().filter_map(|dialog| match dialog {
                    Dialog::Token(prompt) => Some(prompt),
                    _ => None,
                });
                if then == AfterToken::Nothing
                    && let Some(prompt) = prompts.next()
                {
                    prompt.why = why;
                    return None;
                }
                Dialog::Token(TokenPrompt::new(why, then))
            }
            Open::Confirm(question) => Dialog::Confirm(Confirm::new(*question)),
            Open::ReAdd => Dialog::ReAdd(ReAdd::open(cx)),
            Open::Runs { runs, compares, except } => Dialog::Runs(Runs::new(runs, compares, except)),
            Open::Palette(text) => Dialog::Palette(Palette::holding(&text)),
            Open::Report(of) => Dialog::Report(ReportPrompt::open(of, cx)),
            Open::Import(None) => Dialog::Import(ImportDialog::open(cx)),
            Open::Import(Some(path)) => Dialog::Import(ImportDialog::of(path, cx)),
            Open::Export(None) => Dialog::Export(ExportPrompt::open(cx)),
            Open::Export(Some(path)) => Dialog::Export(ExportPrompt::of(path, cx)),
            Open::Stores(None) => Dialog::Stores(StorePicker::open(cx)),
            Open::Stores(Some(target)) => Dialog::Stores(StorePicker::leave_for(&target, false, cx)),
            Open::BaseUrl { url, at_token } => Dialog::BaseUrl(UrlForm::open(url, at_token, cx)),
            Open::Profile { is_new } => Dialog::Profile(ProfileForm::open(is_new, cx)),
            Open::Pager(Reading::Import)
                if self
                    .dialogs
                    .iter()
                    .any(|dialog| matches!(dialog, Dialog::Reader(reader) if reader.is_of_import())) =>
            {
                return None;
            }
            Open::Pager(reading) => Dialog::Reader(Reader::open(reading)),
        })
    }

    /// Closes the dialog in front.
    pub(super) fn close(&mut self) {
        self.dialogs.close();
        if let Some(Dialog::Add(form)) = self.dialogs.front_mut() {
            form.comes_to_the_front();
        }
    }

    /// Removes stale questions, also those that wait behind other dialogs. Returns whether there was one.
    pub(super) fn withdraw(&mut self, is_stale: impl Fn(&Confirm) -> bool) -> bool {
        let is_stale = |dialog: &Dialog| matches!(dialog, Dialog::Confirm(confirm) if is_stale(confirm));
        let was_in_front = self.dialogs.front().is_some_and(is_stale);
        if was_in_front {
            self.close();
        }
        let is_any = self.dialogs.iter().any(is_stale);
        self.dialogs.retain(|dialog| !is_stale(dialog));
        was_in_front || is_any
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
            self.cx.out.say(format!("{plant} was resolved or changed elsewhere in the meantime."));
        }
    }

    /// Returns the question in front.
    pub(in crate::tui) fn question(&self) -> Option<&Question> {
        match self.dialogs.front()? {
            Dialog::Confirm(confirm) => Some(&confirm.question),
            _ => None,
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
