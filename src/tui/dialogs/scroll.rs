//! The commands that scroll a text in a dialog.

use crate::tui::component::{Action, cannot, does};
use crate::tui::input::Command;
use crate::tui::widgets::viewport::Viewport;

/// A dialog with a text that scrolls.
pub(super) trait Scrolls {
    fn viewport(&self) -> &Viewport;

    fn viewport_mut(&mut self) -> &mut Viewport;
}

/// Returns what the commands that scroll do, or that all lines are on screen.
pub(super) fn action_in_text<D: Scrolls>(dialog: &D, command: Command) -> Action<D> {
    match command {
        Command::Up | Command::Down | Command::PageUp | Command::PageDown | Command::First | Command::Last
            if dialog.viewport().shows_all() =>
        {
            cannot("all of it is on screen")
        }
        Command::Up => does(|dialog: &mut D, _| dialog.viewport_mut().scroll(-1)),
        Command::Down => does(|dialog: &mut D, _| dialog.viewport_mut().scroll(1)),
        Command::PageUp => does(|dialog, _| scroll_page(dialog, -1)),
        Command::PageDown => does(|dialog, _| scroll_page(dialog, 1)),
        Command::First => does(|dialog: &mut D, _| dialog.viewport_mut().to_start()),
        Command::Last => does(|dialog: &mut D, _| dialog.viewport_mut().scroll(isize::MAX)),
        _ => None,
    }
}

fn scroll_page<D: Scrolls>(dialog: &mut D, pages: isize) {
    let page = dialog.viewport().page_step();
    dialog.viewport_mut().scroll(pages * page);
}
