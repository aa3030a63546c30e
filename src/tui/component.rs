//! What screens and dialogs have in common.
//!
//! A component owns its state, draws itself, and returns for each command either the function that carries the
//! command out or the reason why the command is unavailable. A component must not know other components; changes
//! outside itself are [`UiEffect`](super::ui_effect::UiEffect)s, which the app applies.

#![expect(clippy::unnecessary_wraps, reason = "each function makes one of the possible values of an `Action`")]

use ratatui::layout::Rect;

use super::context::Context;
use super::input::arming::Arming;
use super::input::{Command, Scope};
use super::message::{FrameLayout, Msg, Target};
use super::widgets::canvas::Canvas;
pub(super) use super::widgets::text_input::Typed;
use super::widgets::viewport::Viewport;
use crate::domain::{Exchange, Message, PlantId};

/// Why a command is unavailable, as the end of a sentence.
pub(super) type Reason = &'static str;

/// Why no command acts on a plant that is shown and has left the list. [`Component::explain`] says more.
pub(super) const NOT_LISTED: Reason = "this plant is not in the list";

/// The footer's label of a command; `None` for the label of the key table.
pub(super) type Label = Option<&'static str>;

/// Carries out a command.
type Run<C, X> = Box<dyn FnOnce(&mut C, &mut X)>;

/// A command that is available: the function that carries it out, and its label.
pub(super) struct Offer<C, X> {
    pub run: Run<C, X>,
    pub label: Label,
    /// Whether it cancels or stops what is under way.
    pub cancels: bool,
}

/// What a command does, or why it is unavailable; `None` for a command of another component.
pub(super) type Action<C, X = Context> = Option<Result<Offer<C, X>, Reason>>;

/// The command is available.
pub(super) fn does<C, X>(run: impl FnOnce(&mut C, &mut X) + 'static) -> Action<C, X> {
    Some(Ok(Offer { run: Box::new(run), label: None, cancels: false }))
}

/// The command is available, with its own label in the footer.
pub(super) fn called<C, X>(label: &'static str, run: impl FnOnce(&mut C, &mut X) + 'static) -> Action<C, X> {
    Some(Ok(Offer { run: Box::new(run), label: Some(label), cancels: false }))
}

/// The command is available, and cancels or stops what is under way.
pub(super) fn cancels<C, X>(label: &'static str, run: impl FnOnce(&mut C, &mut X) + 'static) -> Action<C, X> {
    Some(Ok(Offer { run: Box::new(run), label: Some(label), cancels: true }))
}

/// The command is available unless there is a reason against it.
pub(super) fn unless<C, X>(reason: Option<Reason>, run: impl FnOnce(&mut C, &mut X) + 'static) -> Action<C, X> {
    reason.map_or_else(|| does(run), cannot)
}

/// The command is unavailable.
pub(super) fn cannot<C, X>(reason: Reason) -> Action<C, X> {
    Some(Err(reason))
}

/// Why nothing scrolls.
pub(super) const ALL_ON_SCREEN: Reason = "all of it is on screen";

/// Returns what the commands that scroll do, or that all lines are on screen. `viewport_of` returns the same viewport.
pub(super) fn action_in_text<C: 'static>(
    viewport: &Viewport,
    command: Command,
    viewport_of: for<'a> fn(&'a mut C, &'a mut Context) -> &'a mut Viewport,
) -> Action<C> {
    let lines = viewport.lines_of(command)?;
    let shows_all = viewport.shows_all().then_some(ALL_ON_SCREEN);
    unless(shows_all, move |component, cx| viewport_of(component, cx).scroll(lines))
}

/// An exchange with the name of its plant, if one is known.
pub(super) type NamedExchange<'a> = (&'a Exchange, Option<&'a str>);

/// A screen or a dialog.
pub(super) trait Component: 'static {
    /// Returns where the keys of a dialog are looked up; most dialogs are forms.
    fn scope(&self) -> Scope {
        Scope::Form
    }

    /// Returns what a command does. Footer, palette, keys and mouse all use this one function.
    fn action(&self, command: Command, cx: &Context) -> Action<Self>
    where
        Self: Sized;

    /// Puts text into the field that has the cursor.
    fn type_text(&mut self, _typed: Typed<'_>, _cx: &mut Context) {}

    /// Handles a message before the session does.
    fn receive(&mut self, _message: &Msg, _cx: &mut Context) {}

    /// Requests the data that it lacks, and keeps its mark on the same line. Called after every message.
    fn after_message(&mut self, _cx: &mut Context) {}

    /// Whether the next frame decides what keys do, or which lines are shown.
    fn awaits_frame(&self) -> bool {
        false
    }

    /// Returns whether what it asks takes an answer yet; `None` while it asks nothing that changes something. In a form
    /// and a list it holds for the key that sends, elsewhere for everything but "no".
    fn arming(&mut self) -> Option<&mut Arming> {
        None
    }

    /// Is called when another dialog covers it: what it asks has to be seen again.
    fn covered(&mut self) {
        self.arming().into_iter().for_each(Arming::begin_again);
    }

    /// Returns the scroll position of the text in a dialog.
    fn viewport(&mut self) -> Option<&mut Viewport> {
        None
    }

    /// Handles a finished frame in which the component was in front, or, for a screen, behind the dialogs.
    fn drawn(&mut self, layout: &FrameLayout, _cx: &mut Context) {
        let text = self.viewport().into_iter();
        text.for_each(|viewport| viewport.fits(layout.reader_lines, layout.reader_page));
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>);

    fn click(&mut self, _target: Target, _cx: &mut Context) {}

    /// Returns the exchange that the copy commands copy from.
    fn exchange<'a>(&'a self, _cx: &'a Context) -> Option<NamedExchange<'a>> {
        None
    }

    /// Returns the plant whose id is copied.
    fn plant(&self, cx: &Context) -> Option<PlantId> {
        self.exchange(cx).map(|(exchange, _)| exchange.operation.kind.plant_id())
    }

    /// Explains [`NOT_LISTED`], with what to do, as a sentence, and in words for an audience.
    fn explain(&self, _cx: &Context) -> Option<(String, Vec<Message>)> {
        None
    }

    /// Returns the text of its fields, which no message may change.
    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the index of the selected line and the number of lines, if the component has a list.
    #[cfg(test)]
    fn marked_line(&self, _cx: &Context) -> Option<(usize, usize)> {
        None
    }
}

/// A component behind `dyn`: its commands without its type.
pub(super) trait Layer: Component {
    /// Returns the label of a command, or why the command is unavailable; `None` for a command of another component.
    fn label(&self, command: Command, cx: &Context) -> Option<Result<Label, Reason>>;

    /// Whether a command would cancel or stop what is under way.
    fn cancels(&self, command: Command, cx: &Context) -> bool;

    /// Carries out a command, or returns why the command is unavailable; `None` for a command of another component.
    fn perform(&mut self, command: Command, cx: &mut Context) -> Option<Result<(), Reason>>;
}

impl<C: Component> Layer for C {
    fn label(&self, command: Command, cx: &Context) -> Option<Result<Label, Reason>> {
        Some(self.action(command, cx)?.map(|offer| offer.label))
    }

    fn cancels(&self, command: Command, cx: &Context) -> bool {
        self.action(command, cx).is_some_and(|action| action.is_ok_and(|offer| offer.cancels))
    }

    fn perform(&mut self, command: Command, cx: &mut Context) -> Option<Result<(), Reason>> {
        Some(self.action(command, cx)?.map(|offer| (offer.run)(self, cx)))
    }
}
