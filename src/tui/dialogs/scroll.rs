//! The commands that scroll a text in a dialog.

use crate::tui::component::{Action, does};
use crate::tui::input::Command;
use crate::tui::widgets::viewport::Viewport;

/// A dialog with a text that scrolls.
pub(super) trait Scrolls {
    fn viewport(&mut self) -> &mut Viewport;
}

pub(super) fn action_in_text<D: Scrolls>(command: Command) -> Action<D> {
    match command {
        Command::Up => does(|dialog: &mut D, _| dialog.viewport().scroll(-1)),
        Command::Down => does(|dialog, _| dialog.viewport().scroll(1)),
        Command::PageUp => does(|dialog, _| scroll_page(dialog, -1)),
        Command::PageDown => does(|dialog, _| scroll_page(dialog, 1)),
        Command::First => does(|dialog, _| dialog.viewport().to_start()),
        Command::Last => does(|dialog, _| dialog.viewport().to_end()),
        _ => None,
    }
}

fn scroll_page<D: Scrolls>(dialog: &mut D, pages: isize) {
    let page = dialog.viewport().page();
    dialog.viewport().scroll(pages * page);
}
