//! Begins, follows and stops an import.

use super::import::{Ending, ImportRun};
use super::state::Session;
use crate::domain::number_format::counted;
use crate::import::{Progress, Summary};
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::outbox::Outbox;
use crate::tui::outcome::{Open, Outcome, Reading};

impl Session {
    /// The import that is under way, if one is.
    pub fn importing(&self) -> Option<&ImportRun> {
        self.import.as_deref().filter(|import| import.is_under_way())
    }

    pub fn is_importing(&self) -> bool {
        self.importing().is_some()
    }

    fn running_import(&mut self) -> Option<&mut ImportRun> {
        self.import.as_deref_mut().filter(|import| import.is_under_way())
    }

    /// Why no file can be imported now.
    pub fn cannot_import(&self) -> Option<&'static str> {
        self.busy()
    }

    pub fn begin_import(&mut self, import: ImportRun, out: &mut Outbox) {
        out.effect(Effect::Import { skip_bad: import.bad > 0, resend_unknown: import.resends });
        self.import = Some(Box::new(import));
        let (more, back) = (out.key(Command::Import), out.key(Command::Back));
        out.say(format!("The import has begun. {more} tells more of it, {back} stops it."));
    }

    pub fn import_goes_on(&mut self, progress: Progress, out: &mut Outbox) {
        let Some(import) = self.running_import() else { return };
        import.progress = progress;
        out.outcome(Outcome::Refresh);
    }

    /// Says in a sentence what an import came to; opens the whole of it where there is more to look at.
    pub fn import_is_over(&mut self, summary: Summary, out: &mut Outbox) {
        let Some(import) = self.running_import() else { return };
        let (sentence, needs_a_look) = (summary.sentence(), summary.needs_a_look());
        import.progress = summary.progress;
        import.over = Some(summary.over);
        out.say(sentence);
        if needs_a_look {
            out.open(Open::Pager(Reading::Import));
        }
        out.outcome(Outcome::Refresh);
    }

    /// Whether a person can end it, or end it faster.
    pub fn import_can_be_stopped(&self) -> bool {
        self.importing().is_some_and(|import| import.ending != Some(Ending::Cancelling))
    }

    /// The first time nothing more goes out and what is out is awaited; the second time that is cancelled.
    pub fn stop_import(&mut self, out: &mut Outbox) {
        let back = out.key(Command::Back);
        let Some(import) = self.running_import() else { return };
        let open = import.progress.out as u64;
        match import.ending {
            None => {
                import.ending = Some(Ending::Stopping);
                let responses = counted(open, "response", "responses");
                out.say(format!(
                    "Nothing more of the file goes out; waiting for {responses}. {back} again cancels what is out."
                ));
                out.effect(Effect::StopImport);
            }
            Some(Ending::Stopping) => {
                import.ending = Some(Ending::Cancelling);
                let requests = counted(open, "request", "requests");
                out.say(format!("Cancelling {requests}: whether the store has those plants is unknown then."));
                out.effect(Effect::CancelImport);
            }
            Some(Ending::Cancelling) => {}
        }
    }

    /// Ends it at once, whatever was said before.
    pub fn cancel_import(&mut self, out: &mut Outbox) {
        if let Some(import) = self.running_import().filter(|import| import.ending != Some(Ending::Cancelling)) {
            import.ending = Some(Ending::Cancelling);
            out.effect(Effect::CancelImport);
        }
    }
}
