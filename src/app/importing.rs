//! An import under way: how far it has come, its stop, its end.
//!
//! Its plants are no flights of the model: there may be a million of them. What the view shows of
//! them is read anew as it goes on.

use std::path::PathBuf;

use super::import::PreviewDialog;
use super::keys::{Action, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};
use super::reader::{Reader, Reading};
use crate::domain::figure::counted;
use crate::domain::import::{Format, Over, Progress, Summary};

/// Why something cannot be done while an import runs.
pub(super) const UNDER_WAY: &str = "an import is under way: wait for its end, or stop it";

/// An import, from its first request on; also after its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The file.
    pub path: PathBuf,
    /// What it was read as.
    pub format: Format,
    /// How many of its rows are bad and are skipped.
    pub skipped: u64,
    /// Whether unknown plants are sent again, too.
    pub resends: bool,
    /// How far it has come.
    pub progress: Progress,
    /// A person ends it.
    pub ending: Option<Ending>,
    /// Why it is over, if it is.
    pub over: Option<Over>,
}

/// How a person ends an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing more goes out; what is out is awaited.
    Stopping,
    /// What is out is cancelled, too.
    Cancelling,
}

impl Import {
    /// What a person wants to be sent, nothing of it sent yet.
    pub(super) fn of(dialog: &PreviewDialog) -> Self {
        let progress = Progress { rows: dialog.standing().rows(), ..Progress::default() };
        Self {
            path: dialog.path.clone(),
            format: dialog.preview.format,
            skipped: dialog.preview.bad,
            resends: dialog.resend_unknown,
            progress,
            ending: None,
            over: None,
        }
    }
}

impl Model {
    /// The import that is under way, if one is.
    pub fn importing(&self) -> Option<&Import> {
        self.import.as_deref().filter(|import| import.over.is_none())
    }

    /// Whether an import is under way.
    pub fn is_importing(&self) -> bool {
        self.importing().is_some()
    }

    pub(super) fn import_begins(&mut self, import: Import) -> Vec<Effect> {
        let effect = Effect::Import { skip_bad: import.skipped > 0, resend_unknown: import.resends };
        self.import = Some(Box::new(import));
        let (more, back) = (self.import_key(), self.keys.shown(Action::Room(InRoom::Back)));
        self.says(&format!("The import has begun. {more} tells more of it, {back} stops it."));
        vec![effect]
    }

    fn import_key(&self) -> String {
        self.keys.shown(Action::Room(InRoom::Import))
    }

    fn running(&mut self) -> Option<&mut Import> {
        self.import.as_deref_mut().filter(|import| import.over.is_none())
    }

    /// It has come so far: the view has changed with it.
    pub(super) fn import_goes_on(&mut self, progress: Progress) -> Vec<Effect> {
        let Some(import) = self.running() else { return Vec::new() };
        import.progress = progress;
        self.refresh_room()
    }

    /// It is over: one sentence tells, and a text where there is more to look at.
    pub(super) fn import_is_over(&mut self, summary: Summary) -> Vec<Effect> {
        let Some(import) = self.running() else { return Vec::new() };
        let (told, needs_a_look) = (summary.told(), summary.needs_a_look());
        import.progress = summary.progress;
        import.over = Some(summary.over);
        self.says(&told);
        let is_open =
            |overlay: &Overlay| matches!(overlay, Overlay::Reader(reader) if reader.reading == Reading::Import);
        if needs_a_look && !self.overlay.iter().chain(&self.later).any(is_open) {
            self.open(Overlay::Reader(Box::new(Reader::of(Reading::Import))));
        }
        self.refresh_room()
    }

    /// Whether a person can end it, or end it faster.
    pub fn import_can_be_stopped(&self) -> bool {
        self.importing().is_some_and(|import| import.ending != Some(Ending::Cancelling))
    }

    /// The first time nothing more goes out and what is out is awaited; the second time that is
    /// cancelled.
    pub(super) fn stop_import(&mut self) -> Vec<Effect> {
        let back = self.keys.shown(Action::Room(InRoom::Back));
        let Some(import) = self.running() else { return Vec::new() };
        let out = import.progress.out as u64;
        match import.ending {
            None => {
                import.ending = Some(Ending::Stopping);
                self.says(&format!(
                    "Nothing more of the file goes out; waiting for {}. {back} again cancels what is out.",
                    counted(out, "answer", "answers")
                ));
                vec![Effect::StopImport]
            }
            Some(Ending::Stopping) => {
                import.ending = Some(Ending::Cancelling);
                let out = counted(out, "request", "requests");
                self.says(&format!("Cancelling {out}: whether the store has those plants is unknown then."));
                vec![Effect::CancelImport]
            }
            Some(Ending::Cancelling) => Vec::new(),
        }
    }

    /// Ends it at once, whatever was said before.
    pub(super) fn cancel_import(&mut self) -> Option<Effect> {
        let import = self.running().filter(|import| import.ending != Some(Ending::Cancelling))?;
        import.ending = Some(Ending::Cancelling);
        Some(Effect::CancelImport)
    }
}
