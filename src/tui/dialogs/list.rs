//! What the dialogs with a list to choose from have in common.

use crate::tui::component::{Action, Component, does};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::widgets::picker::Picker;

/// A dialog with a list to choose from.
pub(super) trait ListDialog: Component {
    fn picker(&mut self) -> &mut Picker;

    /// How many lines fit what is typed.
    fn count(&self, cx: &Context) -> usize;

    /// Takes the line that is marked, if there is one.
    fn choose(&mut self, cx: &mut Context);
}

pub(super) fn action_in_list<D: ListDialog>(command: Command) -> Action<D> {
    match command {
        Command::Choose => does(D::choose),
        Command::Down => does(|dialog, cx| go(dialog, Command::Down, cx)),
        Command::Up => does(|dialog, cx| go(dialog, Command::Up, cx)),
        Command::PageDown => does(|dialog, cx| go(dialog, Command::PageDown, cx)),
        Command::PageUp => does(|dialog, cx| go(dialog, Command::PageUp, cx)),
        Command::Close => does(|_, cx| cx.out.close()),
        _ => None,
    }
}

fn go<D: ListDialog>(dialog: &mut D, command: Command, cx: &Context) {
    let count = dialog.count(cx);
    dialog.picker().go(command, count);
}

/// Marks the line that was clicked; the second click takes it.
pub(super) fn click_in_list<D: ListDialog>(dialog: &mut D, target: Target, cx: &mut Context) {
    let Target::Line(line) = target else { return };
    let count = dialog.count(cx);
    if dialog.picker().click(line, count) {
        dialog.choose(cx);
    }
}

pub(super) fn wheel_in_list<D: ListDialog>(dialog: &mut D, over: Target, down: bool, cx: &Context) {
    if let Target::Line(_) = over {
        go(dialog, if down { Command::Down } else { Command::Up }, cx);
    }
}
