//! What the dialogs with a list have in common: a picker, its keys, clicks, and how it is drawn.

use ratatui::layout::Rect;

use crate::tui::component::{Action, Component, Typed, does};
use crate::tui::context::Context;
use crate::tui::input::arming::Arming;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{FrameLayout, Msg, Target};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::theme::Theme;

/// A dialog with a list to choose from, filtered by what is typed. Every one is a [`Component`].
pub(super) trait ListDialog: 'static {
    fn picker(&self) -> &Picker;

    fn picker_mut(&mut self) -> &mut Picker;

    /// The number of lines that match what is typed.
    fn count(&self, cx: &Context) -> usize {
        self.names(cx).len()
    }

    /// What a person knows each line by; nothing while other lines are being read.
    fn names(&self, cx: &Context) -> Vec<String>;

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a>;

    /// Takes the marked line, if there is one.
    fn choose(&mut self, cx: &mut Context);

    /// What a command does here; by default, the moves in the list, Enter and Esc.
    fn action(&self, command: Command, cx: &Context) -> Action<Self>
    where
        Self: Sized,
    {
        unless_empty(self, command, cx).or_else(|| action_in_list(command))
    }

    /// Marks the line that a command goes to.
    fn go(&mut self, command: Command, cx: &mut Context) {
        let count = self.count(cx);
        self.picker_mut().go(command, count);
    }

    /// Is called after text was typed; the first line is marked then.
    fn filter_changed(&mut self, _cx: &mut Context) {}

    fn receive(&mut self, _message: &Msg, _cx: &mut Context) {}

    /// See [`Component::arming`].
    fn arming(&mut self) -> Option<&mut Arming> {
        None
    }

    /// Whether the list takes no input at present.
    fn is_locked(&self, _cx: &Context) -> bool {
        false
    }
}

/// Says of the commands about a line that there is none, or that the marked one is gone.
pub(super) fn unless_empty<D: ListDialog>(dialog: &D, command: Command, cx: &Context) -> Action<D> {
    let is_of_line = command != Command::Close && action_in_list::<D>(command).is_some();
    if is_of_line && dialog.count(cx) == 0 {
        return Some(Err("the list is empty"));
    }
    (command == Command::Choose && dialog.picker().is_unmarked)
        .then_some(Err("the marked line is gone: go to another one"))
}

pub(super) fn action_in_list<D: ListDialog>(command: Command) -> Action<D> {
    match command {
        Command::Choose => does(D::choose),
        Command::Down | Command::Complete => does(|dialog: &mut D, cx| dialog.go(Command::Down, cx)),
        Command::Up | Command::StepBack => does(|dialog: &mut D, cx| dialog.go(Command::Up, cx)),
        Command::PageDown | Command::PageUp => does(move |dialog: &mut D, cx| dialog.go(command, cx)),
        Command::Close => does(|_, cx: &mut Context| cx.out.close()),
        _ => None,
    }
}

impl<D: ListDialog> Component for D {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        ListDialog::action(self, command, cx)
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if !self.is_locked(cx) && self.picker_mut().text.take(typed) {
            self.picker_mut().mark(0);
            self.filter_changed(cx);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        ListDialog::receive(self, message, cx);
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        ListDialog::arming(self)
    }

    fn after_message(&mut self, cx: &mut Context) {
        let names = self.names(cx);
        self.picker_mut().keep_mark(&names);
    }

    fn drawn(&mut self, layout: &FrameLayout, _cx: &mut Context) {
        self.picker_mut().view.page = layout.reader_page;
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        self.picker().draw(&self.shown(cx, canvas.theme), area, canvas);
    }

    /// Marks the clicked line; a second click takes it.
    fn click(&mut self, target: Target, cx: &mut Context) {
        let count = self.count(cx);
        if !self.is_locked(cx)
            && let Target::Line(line) = target
            && self.picker_mut().click(line, count)
        {
            self.choose(cx);
        }
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.picker().text.text().to_owned()])
    }

    #[cfg(test)]
    fn marked_line(&self, cx: &Context) -> Option<(usize, usize)> {
        Some((self.picker().marked, self.count(cx)))
    }
}
