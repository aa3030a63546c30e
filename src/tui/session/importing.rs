//! Begins and stops an import, and takes its progress.

use super::import::{Ending, ImportRun};
use super::state::Session;
use crate::domain::OutcomeCounts;
use crate::domain::language::Id;
use crate::import::{Order, Progress, Summary};
use crate::text::number_format::counted;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::outbox::Outbox;
use crate::tui::session::question;
use crate::tui::ui_effect::{Open, Reading, UiEffect};
use crate::worker::BrakeCause;

impl Session {
    /// Returns the running import.
    pub fn importing(&self) -> Option<&ImportRun> {
        self.import.as_deref().filter(|import| import.over.is_none())
    }

    pub fn is_importing(&self) -> bool {
        self.importing().is_some()
    }

    fn running_import(&mut self) -> Option<&mut ImportRun> {
        self.import.as_deref_mut().filter(|import| import.over.is_none())
    }

    pub fn begin_import(&mut self, import: ImportRun, out: &mut Outbox) {
        // A person who typed a token wants no other.
        let renews_token = self.stores.typed_token(&self.info.store).is_none();
        out.effect(Effect::Import { renews_token });
        self.together = Some(import.together());
        self.import = Some(Box::new(import));
        out.ui_effect(UiEffect::Together);
        // Not how many are left, which would soon be wrong.
        let back = out.key(Command::Back);
        out.say_in_both(format!("The import has begun. {back} stops it."), vec![Id::ImportBegun.with("key", back)]);
    }

    /// Takes the progress, which comes ten times per second, and loads the lists again once per second.
    pub fn update_import(&mut self, progress: Progress, out: &mut Outbox) {
        let Some(import) = self.running_import() else { return };
        let is_due = import.progress.elapsed.as_secs() != progress.elapsed.as_secs();
        import.progress = progress;
        self.together = Some(import.together());
        if is_due {
            out.ui_effect(UiEffect::Refresh);
        }
    }

    /// Asks whether to go on after the brake.
    pub fn import_braked(&mut self, left: u64, cause: BrakeCause, out: &mut Outbox) {
        let store = self.info.store.clone();
        let Some(import) = self.running_import() else { return };
        import.is_braked = true;
        out.ask(question::go_on_with_import(left, cause, &store));
        out.ui_effect(UiEffect::Refresh);
    }

    /// Takes the answer to that question.
    pub fn order_import(&mut self, order: Order, out: &mut Outbox) {
        if let Some(import) = self.running_import() {
            import.is_braked &= order != Order::GoOn;
            out.effect(Effect::OrderImport(order));
        }
    }

    /// Reports the result of an import; opens the full report if it needs a look.
    pub fn finish_import(&mut self, summary: Summary, out: &mut Outbox) {
        let Some(import) = self.running_import() else { return };
        let (sentence, needs_a_look) = (summary.sentence(), summary.needs_a_look());
        import.progress = summary.progress;
        import.over = Some(summary.over);
        import.notes.extend(summary.notes);
        import.notes.sort_by_key(|note| note.number);
        let together = import.together();
        let (bad, OutcomeCounts { accepted, unknown, .. }) = (import.bad, import.progress.outcomes);
        self.unknown_of_imports += unknown;
        if accepted > 0 {
            self.last_accepted.clear();
            self.last_resolved = None;
        }
        self.say_together(sentence, together, out);
        if bad > 0 {
            let rows = counted(bad, "bad row was", "bad rows were");
            out.say_also(&format!("{rows} left out."));
        }
        if needs_a_look || bad > 0 {
            out.open(Open::Pager(Reading::Import));
        }
        out.ui_effect(UiEffect::Refresh);
    }

    /// Whether a person can stop the import, or cancel its requests in flight.
    pub fn can_stop_import(&self) -> bool {
        self.importing().is_some_and(|import| import.ending != Some(Ending::Cancelling))
    }

    /// The first call stops sending and waits for requests in flight; the second one cancels these.
    pub fn stop_import(&mut self, out: &mut Outbox) {
        let back = out.key(Command::Back);
        let Some(import) = self.running_import() else { return };
        let open = import.progress.out as u64;
        match import.ending {
            None => {
                import.ending = Some(Ending::Stopping);
                let responses = counted(open, "response", "responses");
                out.say(format!(
                    "The import sends nothing more; waiting for {responses}. {back} again cancels the requests in flight."
                ));
                out.effect(Effect::OrderImport(Order::Stop));
            }
            Some(Ending::Stopping) => {
                let requests = counted(open, "request", "requests");
                out.say(format!("Cancelling {requests}: whether the store has those plants is then unknown."));
                self.cancel_import(out);
            }
            Some(Ending::Cancelling) => {}
        }
    }

    /// Cancels the import at once.
    pub fn cancel_import(&mut self, out: &mut Outbox) {
        if let Some(import) = self.running_import().filter(|import| import.ending != Some(Ending::Cancelling)) {
            import.ending = Some(Ending::Cancelling);
            out.effect(Effect::OrderImport(Order::Cancel));
        }
    }
}
