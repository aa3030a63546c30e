//! Decides whether a person can have seen a question, or what came in front by itself, before an input is taken for it:
//! what was typed ahead was meant for something else.
//!
//! Reads no clock: inputs carry their time of timing. Must not know what the question is.

use std::time::Duration;

use crate::terminal::Timing;

/// How long the question was on the screen, at least.
const SHOWN: Duration = Duration::from_millis(150);

/// The same of what a person did not ask for, and first has to notice.
const SHOWN_BY_ITSELF: Duration = Duration::from_millis(500);

/// For how long nothing has arrived at some time since then, at least.
const QUIET: Duration = Duration::from_millis(100);

/// The same where a person may be typing on: for a warning in a form, and for what came in front by itself.
const QUIET_WHILE_TYPING: Duration = Duration::from_millis(250);

/// Whether a question, a warning or the like takes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Arming {
    /// What is shown, in a message.
    pub what: &'static str,
    keeps_out: KeepsOut,
    state: State,
}

/// What is meant for something else if it comes too soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum KeepsOut {
    Answers,
    TextToo,
    Everything,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    NotDrawn,
    /// A frame with it was written at this time.
    Drawn(Duration),
    Armed,
}

impl Arming {
    pub(in crate::tui) fn of(what: &'static str) -> Self {
        Self { what, keeps_out: KeepsOut::Answers, state: State::NotDrawn }
    }

    /// Of a warning in a form.
    pub(in crate::tui) fn of_warning() -> Self {
        Self { keeps_out: KeepsOut::TextToo, ..Self::of("warning") }
    }

    /// Of a dialog or a tab that came in front by itself.
    pub(in crate::tui) fn of_unexpected(what: &'static str) -> Self {
        Self { keeps_out: KeepsOut::Everything, ..Self::of(what) }
    }

    /// Whether text goes into no field before it is armed.
    pub(in crate::tui) fn keeps_text_out(self) -> bool {
        self.keeps_out >= KeepsOut::TextToo
    }

    /// Whether no key does anything before it is armed, except those that are safe at any time.
    pub(in crate::tui) fn keeps_all_out(self) -> bool {
        self.keeps_out == KeepsOut::Everything
    }

    pub(in crate::tui) fn is_drawn(self) -> bool {
        self.state != State::NotDrawn
    }

    /// Takes note that the terminal shows it no longer.
    pub(in crate::tui) fn begin_again(&mut self) {
        self.state = State::NotDrawn;
    }

    /// Takes note of a frame that shows it.
    pub(in crate::tui) fn drawn(&mut self, at: Duration) {
        if !self.is_drawn() {
            self.state = State::Drawn(at);
        }
    }

    /// Takes note of an input. Returns whether the input was meant for what is shown; then all later ones are, too.
    pub(in crate::tui) fn meets(&mut self, input: Timing) -> bool {
        let shown = if self.keeps_all_out() { SHOWN_BY_ITSELF } else { SHOWN };
        let quiet = if self.keeps_text_out() { QUIET_WHILE_TYPING } else { QUIET };
        if let State::Drawn(at) = self.state
            && input.at >= at + shown
            && input.quiet >= quiet
        {
            self.state = State::Armed;
        }
        self.state == State::Armed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64, quiet: u64) -> Timing {
        Timing { at: Duration::from_millis(millis), quiet: Duration::from_millis(quiet) }
    }

    fn shown_at(millis: u64) -> Arming {
        let mut arming = Arming::of("question");
        arming.drawn(Duration::from_millis(millis));
        arming
    }

    #[test]
    fn an_answer_comes_after_the_frame_and_after_a_pause() {
        assert!(!Arming::of("question").meets(at(5000, 5000)));
        assert!(!shown_at(1000).meets(at(1149, 1000)), "too soon after the frame");
        assert!(!shown_at(1000).meets(at(1500, 99)), "in the middle of other input");
        assert!(shown_at(1000).meets(at(1150, 100)));
        // A later frame changes nothing.
        let mut arming = shown_at(1000);
        arming.drawn(Duration::from_secs(2));
        assert!(arming.meets(at(1150, 100)));
    }

    #[test]
    fn a_warning_in_a_form_takes_nothing_while_a_person_types_on() {
        let mut warning = Arming::of_warning();
        warning.drawn(Duration::ZERO);
        assert!(!warning.meets(at(200, 200)) && !warning.meets(at(320, 120)));
        assert!(warning.meets(at(600, 250)));
    }

    #[test]
    fn what_came_by_itself_is_first_noticed() {
        let mut dialog = Arming::of_unexpected("dialog");
        dialog.drawn(Duration::ZERO);
        assert!(!dialog.meets(at(499, 499)) && !dialog.meets(at(700, 200)) && dialog.meets(at(950, 250)));
    }

    #[test]
    fn once_there_was_a_pause_everything_is_an_answer() {
        let mut arming = shown_at(0);
        assert!(!arming.meets(at(160, 0)) && !arming.meets(at(220, 60)));
        assert!(arming.meets(at(320, 100)) && arming.meets(at(320, 0)));
    }
}
