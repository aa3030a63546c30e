//! Ctrl-C and the end of the program: what is cancelled first, and what is asked.

use super::App;
use super::dialog::Dialog;
use crate::domain::OperationKind;
use crate::tui::context::{Context, KeysFor};
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::session::draft::Draft;
use crate::tui::session::question::{self, Act, Question};
use crate::tui::session::unfinished::Unfinished;
use crate::tui::ui_effect::{Open, UiEffect};

impl App {
    /// Returns all operations that were requested and not sent, including those that wait for a token and add forms.
    pub fn not_sent(&self) -> Vec<OperationKind> {
        let session = &self.cx.session;
        let adds = self.unsent_forms().filter_map(|draft| draft.plant()).map(OperationKind::add);
        let waiting = session.waiting_for_token.iter().chain(session.feed.waiting());
        session.unsent.iter().chain(waiting).cloned().chain(adds).collect()
    }

    /// Returns the open add forms with own text, and those that came back unsent and were kept. A person has closed the
    /// others; the re-add list and the journal have the plants that the store rejected.
    fn unsent_forms(&self) -> impl Iterator<Item = Draft> {
        let kept = self.cx.session.drafts.iter().filter(|draft| !draft.is_offered_again()).cloned();
        self.unsaved_forms().chain(kept).filter(|draft| !draft.is_as_rejected())
    }

    /// Ctrl-C: closes the dialog in front; else stops a check or an import; else cancels what is in flight; else quits,
    /// or asks what `q` asks and then quits. Nothing is closed while the terminal is too small to show it.
    pub(super) fn interrupt(&mut self) {
        self.resolve_queue = None;
        let too_small = self.cx.display.layout.too_small;
        let asks_to_quit = self.question().and_then(Question::quits).is_some();
        if asks_to_quit && self.recent.interrupts > 1 {
            return self.confirm_quit();
        }
        match self.dialogs.front_mut().filter(|_| !too_small) {
            // Its own `Close` would only end the search.
            Some(Dialog::Reader(_)) => return self.cx.out.close(),
            Some(dialog) => {
                dialog.layer_mut().perform(Command::Close, &mut self.cx);
                return;
            }
            None => {}
        }
        if self.cx.screen.keys_for != KeysFor::Commands {
            self.cx.screen.keys_for = KeysFor::Commands;
            self.stop_sorting();
            if !too_small {
                return;
            }
        }
        if !self.cancel_what_is_under_way() && !asks_to_quit {
            let again = self.cx.key(Command::Interrupt);
            self.quit(Some(&again));
        }
    }

    /// Stops a check or an import, or cancels everything if that was done before, or what runs in the background. Returns
    /// whether there was something to cancel.
    fn cancel_what_is_under_way(&mut self) -> bool {
        let Context { session, out, .. } = &mut self.cx;
        if session.check.is_sending() {
            self.screens.check.stop(&mut self.cx);
        } else if session.importing().is_some_and(|import| import.ending.is_none()) {
            session.stop_import(out);
        } else if session.can_cancel() {
            self.screens.check.abandon("it was stopped twice", &mut self.cx);
            self.cx.session.cancel_import(&mut self.cx.out);
            self.cx.session.cancel_all(&mut self.cx.out);
        } else {
            return self.cancel_lines();
        }
        true
    }

    /// Takes the choice to quit of the question in front.
    fn confirm_quit(&mut self) {
        if let Some(Dialog::Confirm(confirm)) = self.dialogs.front_mut()
            && confirm.mark(|act| matches!(act, Act::Quit(_)))
        {
            self.perform(Command::Choose);
        }
    }

    /// Counts what quitting now would leave unfinished.
    pub(super) fn unfinished(&self) -> Unfinished {
        let session = &self.cx.session;
        Unfinished {
            in_flight: session.pending.iter().filter(|pending| pending.operation.probe.is_none()).count(),
            unsent: session.unsent.len() + session.feed.waiting().len(),
            forms: self.unsent_forms().count(),
            unresolved: session.became_unknown(),
            checks: usize::from(session.check.is_under_way()),
            imports: usize::from(session.is_importing()),
            lines: self.lines.len(),
            sending_lines: self.lines.iter().filter(|line| line.sends).count(),
            own_plants: session.own_plants(),
        }
    }

    /// Quits, or asks if something is unfinished, and before an audience always; `again` is the key that then quits when
    /// pressed again.
    pub(super) fn quit(&mut self, again: Option<&str>) {
        let left = self.unfinished();
        if left == Unfinished::default() && self.cx.display.audience().is_none() {
            return self.cx.out.effect(Effect::Quit);
        }
        let question = question::quit(left, self.cx.session.info.demo, self.cx.display.audience().is_some(), again);
        self.cx.out.ui_effect(UiEffect::OpenOver(Open::Confirm(Box::new(question))));
    }

    /// Keeps true what the question whether to quit says. What has become more since it was asked is asked about again when
    /// it is answered.
    pub(super) fn renew_quit(&mut self) {
        let Some(asked) = self.question().and_then(Question::quits) else { return };
        let (left, demo, is_watched) =
            (self.unfinished(), self.cx.session.info.demo, self.cx.display.audience().is_some());
        let again = (self.recent.interrupts > 0).then(|| self.cx.key(Command::Interrupt));
        let Some(Dialog::Confirm(confirm)) = self.dialogs.front_mut() else { return };
        let Question { marked, by_itself, .. } = confirm.question;
        confirm.question = Question { marked, by_itself, ..question::quit(left, demo, is_watched, again.as_deref()) };
        for choice in &mut confirm.question.choices {
            if let Act::Quit(counted) = &mut choice.act
                && left.is_more_than(asked)
            {
                *counted = asked;
            }
        }
    }
}
