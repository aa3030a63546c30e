//! What a screen and a dialog have in common: a component owns its state, answers for each command either
//! what doing it means or why it cannot be done now, and draws itself. It never sees its siblings: what
//! concerns others is an [`Outcome`](super::outcome::Outcome) that the app applies.

#![expect(clippy::unnecessary_wraps, reason = "each makes one of the answers that there are")]

use ratatui::layout::Rect;

use super::context::Context;
use super::input::{Command, Scope};
use super::message::{FrameLayout, Msg, Target};
use super::widgets::canvas::Canvas;
pub(super) use super::widgets::text_input::Typed;
use crate::domain::{Exchange, PlantId};

/// Why a command does nothing now, as the end of a sentence.
pub(super) type Reason = &'static str;

/// A command that can be done now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer<F> {
    pub run: F,
    /// Its word in the footer, where that is not the key table's.
    pub word: Word,
}

/// What the footer calls a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    OfTheTable,
    Is(&'static str),
}

/// What a component says about a command; `None` for a command that is not its own.
pub(super) type Action<C> = Option<Result<Offer<fn(&mut C, &mut Context)>, Reason>>;

/// The command can be done.
pub(super) fn does<C>(run: fn(&mut C, &mut Context)) -> Action<C> {
    Some(Ok(Offer { run, word: Word::OfTheTable }))
}

/// The command can be done, and the footer calls it so.
pub(super) fn called<C>(word: &'static str, run: fn(&mut C, &mut Context)) -> Action<C> {
    Some(Ok(Offer { run, word: Word::Is(word) }))
}

/// The command can be done unless there is a reason.
pub(super) fn unless<C>(reason: Option<Reason>, run: fn(&mut C, &mut Context)) -> Action<C> {
    match reason {
        Some(reason) => cannot(reason),
        None => does(run),
    }
}

/// The command cannot be done now.
pub(super) fn cannot<C>(reason: Reason) -> Action<C> {
    Some(Err(reason))
}

/// An exchange and the name of its plant, if one is known.
pub(super) type ExchangeAtHand<'a> = (&'a Exchange, Option<&'a str>);

/// A screen or a dialog.
pub(super) trait Component {
    /// Where its keys are.
    fn scope(&self) -> Scope;

    /// The one place that footer, palette, key and mouse ask.
    fn action(&self, command: Command, cx: &Context) -> Action<Self>
    where
        Self: Sized;

    /// Puts text into the field that has the cursor.
    fn type_text(&mut self, _typed: Typed<'_>, _cx: &mut Context) {}

    /// Takes what it needs from a message; the session takes it afterwards.
    fn receive(&mut self, _message: &Msg, _cx: &mut Context) {}

    /// Asks for what it lacks, after every message.
    fn load_missing(&mut self, _cx: &mut Context) {}

    /// A frame was drawn with it in front, or, of a screen, behind the dialogs.
    fn drawn(&mut self, _layout: &FrameLayout) {}

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>);

    fn click(&mut self, _target: Target, _cx: &mut Context) {}

    /// Turns the wheel by one step over a target.
    fn wheel(&mut self, _over: Target, _down: bool, _cx: &mut Context) {}

    /// The exchange that copying takes.
    fn exchange<'a>(&'a self, _cx: &'a Context) -> Option<ExchangeAtHand<'a>> {
        None
    }

    /// The plant whose id copying takes.
    fn plant(&self, cx: &Context) -> Option<PlantId> {
        self.exchange(cx).map(|(exchange, _)| exchange.operation.kind.plant_id())
    }

    /// What is typed into it and no message may change.
    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        None
    }

    /// Which of its lines is marked, of how many, where it has a list.
    #[cfg(test)]
    fn marked_line(&self, _cx: &Context) -> Option<(usize, usize)> {
        None
    }
}

/// A component whose type the app need not know.
pub(super) trait Layer {
    fn scope(&self) -> Scope;
    /// What the footer calls a command, or why it does nothing now; `None` if it is not the component's own.
    fn word(&self, command: Command, cx: &Context) -> Option<Result<Word, Reason>>;
    /// Does a command, unless there is a reason; `None` if it is not the component's own.
    fn perform(&mut self, command: Command, cx: &mut Context) -> Option<Result<(), Reason>>;
    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context);
    fn receive(&mut self, message: &Msg, cx: &mut Context);
    fn load_missing(&mut self, cx: &mut Context);
    fn drawn(&mut self, layout: &FrameLayout);
    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>);
    fn click(&mut self, target: Target, cx: &mut Context);
    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context);
    fn exchange<'a>(&'a self, cx: &'a Context) -> Option<ExchangeAtHand<'a>>;
    fn plant(&self, cx: &Context) -> Option<PlantId>;
    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>>;
    #[cfg(test)]
    fn marked_line(&self, cx: &Context) -> Option<(usize, usize)>;
}

impl<C: Component> Layer for C {
    fn scope(&self) -> Scope {
        Component::scope(self)
    }

    fn word(&self, command: Command, cx: &Context) -> Option<Result<Word, Reason>> {
        Some(self.action(command, cx)?.map(|offer| offer.word))
    }

    fn perform(&mut self, command: Command, cx: &mut Context) -> Option<Result<(), Reason>> {
        Some(self.action(command, cx)?.map(|offer| (offer.run)(self, cx)))
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        Component::type_text(self, typed, cx);
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        Component::receive(self, message, cx);
    }

    fn load_missing(&mut self, cx: &mut Context) {
        Component::load_missing(self, cx);
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        Component::drawn(self, layout);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        Component::draw(self, cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        Component::click(self, target, cx);
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        Component::wheel(self, over, down, cx);
    }

    fn exchange<'a>(&'a self, cx: &'a Context) -> Option<ExchangeAtHand<'a>> {
        Component::exchange(self, cx)
    }

    fn plant(&self, cx: &Context) -> Option<PlantId> {
        Component::plant(self, cx)
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Component::typed(self)
    }

    #[cfg(test)]
    fn marked_line(&self, cx: &Context) -> Option<(usize, usize)> {
        Component::marked_line(self, cx)
    }
}
