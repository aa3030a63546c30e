//! Before an import: which file, what it comes to, and a person's word about it.
//!
//! ```text
//! prompt ──Judge──▶ judged ─▶ preview ──Import──▶ importing.rs
//!    ▲─ broken, in words ─┘      └─ DropImport: nothing is sent
//! ```

use std::path::PathBuf;

use super::checking::UNDER_WAY;
use super::field::Field;
use super::form::{Then, TokenPrompt};
use super::importing::Import;
use super::keys::{InChoice, InPreview, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};
use super::reader::Reading;
use crate::domain::figure::{counted, grouped};
use crate::domain::import::{Preview, Standing};

/// "Import which file?"
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPrompt {
    /// The file's path.
    pub path: Field,
    /// Whether it is still the one that was suggested: typing takes its place.
    pub suggested: bool,
    /// Why the file cannot be imported.
    pub fault: Option<String>,
    /// While it is being judged: how many bytes of it were read.
    pub judging: Option<u64>,
}

/// What a file comes to, and the answers there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewDialog {
    /// The file.
    pub path: PathBuf,
    /// What it comes to.
    pub preview: Preview,
    /// Whether unknown plants are sent again, too.
    pub resend_unknown: bool,
    /// Which answer Enter takes.
    pub marked: PreviewAnswer,
    /// The first line shown of what is told.
    pub top: usize,
}

/// An answer to what a file comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewAnswer {
    /// Nothing is sent.
    Leave,
    /// What can be sent is.
    Send,
    /// Unknown plants are sent again, too; or they are not.
    Resend,
}

impl ImportPrompt {
    pub(super) fn edit(&mut self, typing: bool, change: impl FnOnce(&mut Field) -> bool) {
        if self.judging.is_some() {
            return;
        }
        if std::mem::take(&mut self.suggested) && typing {
            self.path = Field::default();
        }
        if change(&mut self.path) {
            self.fault = None;
        }
    }
}

impl PreviewDialog {
    /// Of a file that was judged, the safe answer marked.
    pub fn of(path: PathBuf, preview: Preview) -> Self {
        Self { path, preview, resend_unknown: false, marked: PreviewAnswer::Leave, top: 0 }
    }

    /// What would become of the good rows.
    pub fn standing(&self) -> Standing {
        self.preview.forecast.standing(self.resend_unknown)
    }

    /// How many requests would go out.
    pub fn to_send(&self) -> u64 {
        self.standing().to_send()
    }

    /// How many plants of the file are unknown, and could be sent again.
    fn could_be_resent(&self) -> u64 {
        self.preview.forecast.resending.resend
    }

    /// An answer in words.
    pub fn label(&self, answer: PreviewAnswer) -> String {
        let plants = counted(self.to_send(), "plant", "plants");
        match (answer, self.preview.bad) {
            (PreviewAnswer::Leave, _) => "Do nothing".to_owned(),
            (PreviewAnswer::Send, 0) => format!("Import {plants}"),
            (PreviewAnswer::Send, bad) => {
                format!("Skip {} and import {plants}", counted(bad, "bad row", "bad rows"))
            }
            (PreviewAnswer::Resend, _) => format!(
                "[{}] Send the {} unknown again, too; the store may then have them twice",
                if self.resend_unknown { 'x' } else { ' ' },
                grouped(self.could_be_resent())
            ),
        }
    }
}

impl Model {
    /// Why no file can be imported now.
    pub(super) fn cannot_import(&self) -> Option<&'static str> {
        if self.is_importing() {
            Some(super::importing::UNDER_WAY)
        } else {
            self.check.is_under_way().then_some(UNDER_WAY)
        }
    }

    /// Asks which file; or tells of the import that is under way.
    pub(super) fn open_import(&mut self) -> Vec<Effect> {
        if self.is_importing() {
            return self.read(Reading::Import);
        }
        let last = self.import.as_ref().map(|import| import.path.display().to_string());
        let suggested = last.is_some();
        let path = Field::holding(last.unwrap_or_default());
        self.open(Overlay::Import(ImportPrompt { path, suggested, fault: None, judging: None }));
        Vec::new()
    }

    pub(super) fn submit_import(&mut self, mut prompt: ImportPrompt) -> Vec<Effect> {
        let mut effects = Vec::new();
        prompt.suggested = false;
        if prompt.judging.is_none() {
            prompt.fault = match self.cannot_import() {
                Some(why) => Some(why.to_owned()),
                None if prompt.path.text().is_empty() => Some("name a file".to_owned()),
                None => {
                    prompt.judging = Some(0);
                    effects.push(Effect::Judge(PathBuf::from(prompt.path.text())));
                    None
                }
            };
        }
        self.overlay = Some(Overlay::Import(prompt));
        effects
    }

    /// Gives up waiting for a file to be judged. Whether one was.
    pub(super) fn stop_judging(&mut self) -> bool {
        let Some(Overlay::Import(prompt)) = &mut self.overlay else { return false };
        prompt.judging.take().is_some()
    }

    /// So many bytes of the file were read.
    pub(super) fn judging(&mut self, bytes: u64) {
        if let Some(Overlay::Import(ImportPrompt { judging: Some(read), .. })) = &mut self.overlay {
            *read = bytes;
        }
    }

    /// What the file comes to, or why it cannot be read. Whoever closed the prompt does not want it
    /// any more.
    pub(super) fn judged(&mut self, path: PathBuf, judged: Result<Box<Preview>, String>) -> Vec<Effect> {
        match (&mut self.overlay, judged) {
            (Some(Overlay::Import(prompt)), Err(why)) if prompt.judging.is_some() => {
                (prompt.judging, prompt.fault) = (None, Some(why));
            }
            (Some(Overlay::Import(prompt)), Ok(preview)) if prompt.judging.is_some() => {
                self.overlay = Some(Overlay::Preview(Box::new(PreviewDialog::of(path, *preview))));
            }
            (Some(_) | None, Err(_)) => {}
            (Some(_) | None, Ok(_)) => return vec![Effect::DropImport],
        }
        Vec::new()
    }

    /// The answers that there are, the safe one first.
    pub fn preview_answers(&self, dialog: &PreviewDialog) -> Vec<PreviewAnswer> {
        let can_send = self.cannot_send().is_none();
        let send = (can_send && dialog.to_send() > 0).then_some(PreviewAnswer::Send);
        let resend = (can_send && dialog.could_be_resent() > 0).then_some(PreviewAnswer::Resend);
        [PreviewAnswer::Leave].into_iter().chain(send).chain(resend).collect()
    }

    /// The keys of dialogs, in the preview.
    pub(super) fn act_in_preview_as_in_choice(&mut self, action: InChoice) -> Vec<Effect> {
        let Some(Overlay::Preview(dialog)) = &self.overlay else { return Vec::new() };
        let answers = self.preview_answers(dialog);
        let at = answers.iter().position(|answer| *answer == dialog.marked).unwrap_or(0);
        let chosen = answers.get(at).copied().unwrap_or(PreviewAnswer::Leave);
        let step = match action {
            InChoice::Next => 1,
            InChoice::Previous => answers.len().saturating_sub(1),
            InChoice::Close => return self.leave_overlay(),
            InChoice::Choose => return self.take_answer(chosen),
        };
        if let (Some(Overlay::Preview(dialog)), Some(marked)) =
            (&mut self.overlay, answers.iter().cycle().nth(at + step))
        {
            dialog.marked = *marked;
        }
        Vec::new()
    }

    /// The first click marks an answer, the second takes it.
    pub(super) fn clicked_answer_of_preview(&mut self, place: usize) -> Vec<Effect> {
        let Some(Overlay::Preview(dialog)) = &self.overlay else { return Vec::new() };
        let Some(answer) = self.preview_answers(dialog).get(place).copied() else { return Vec::new() };
        match &mut self.overlay {
            Some(Overlay::Preview(dialog)) if dialog.marked != answer => dialog.marked = answer,
            Some(_) | None => return self.take_answer(answer),
        }
        Vec::new()
    }

    fn take_answer(&mut self, answer: PreviewAnswer) -> Vec<Effect> {
        match answer {
            PreviewAnswer::Leave => self.leave_overlay(),
            PreviewAnswer::Send => self.begin_import(),
            PreviewAnswer::Resend => {
                if let Some(Overlay::Preview(dialog)) = &mut self.overlay {
                    dialog.resend_unknown = !dialog.resend_unknown;
                }
                Vec::new()
            }
        }
    }

    /// Why a key of the preview does nothing now.
    pub(super) fn unavailable_in_preview(&self, action: InPreview) -> Option<&'static str> {
        match action {
            InPreview::Resend => {
                let Some(Overlay::Preview(dialog)) = &self.overlay else { return Some("no file is looked at") };
                let offered = self.preview_answers(dialog).contains(&PreviewAnswer::Resend);
                (!offered).then_some("nothing unknown can be sent again")
            }
            InPreview::Down
            | InPreview::Up
            | InPreview::PageDown
            | InPreview::PageUp
            | InPreview::First
            | InPreview::Last => {
                (self.drawn.reader_lines <= self.drawn.reader_page).then_some("all of it is on screen")
            }
        }
    }

    pub(super) fn act_in_preview(&mut self, action: InPreview) -> Vec<Effect> {
        if self.unavailable_in_preview(action).is_some() {
            return Vec::new();
        }
        let page = self.page_of_reader();
        let furthest = self.drawn.reader_lines.saturating_sub(self.drawn.reader_page);
        let Some(Overlay::Preview(dialog)) = &mut self.overlay else { return Vec::new() };
        dialog.top = match action {
            InPreview::Up => dialog.top.saturating_sub(1),
            InPreview::Down => dialog.top + 1,
            InPreview::PageUp => dialog.top.saturating_sub(page),
            InPreview::PageDown => dialog.top + page,
            InPreview::First => 0,
            InPreview::Last => furthest,
            InPreview::Resend => return self.take_answer(PreviewAnswer::Resend),
        }
        .min(furthest);
        Vec::new()
    }

    /// A person wants what can be sent to go out. Without a token that is asked for first.
    fn begin_import(&mut self) -> Vec<Effect> {
        if let Some(why) = self.cannot_import().or_else(|| self.cannot_send()) {
            self.says(&format!("The import does not begin: {why}."));
            return Vec::new();
        }
        if !self.token_held {
            let why = vec![
                format!("There is no token for {} yet.", self.store_in_words()),
                "The import begins with it.".to_owned(),
            ];
            self.open_over(Overlay::Token(TokenPrompt::before(Then::Import, why)));
            return Vec::new();
        }
        let Some(Overlay::Preview(dialog)) = self.overlay.take() else { return Vec::new() };
        self.close();
        self.import_begins(Import::of(&dialog))
    }

    /// There is a token now: what the import waited for.
    pub(super) fn import_with_token(&mut self) -> Vec<Effect> {
        match &self.overlay {
            Some(Overlay::Preview(dialog)) if dialog.marked == PreviewAnswer::Send => self.begin_import(),
            Some(_) | None => Vec::new(),
        }
    }

    /// Why the key of imports does nothing now.
    pub(super) fn unavailable_import(&self, action: InRoom) -> Option<&'static str> {
        // What is under way can be looked at.
        self.cannot_import().filter(|_| action == InRoom::Import && !self.is_importing())
    }
}
