//! The commands that scroll a text in a dialog.

use crate::tui::component::{Action, unless};
use crate::tui::input::Command;
use crate::tui::widgets::viewport::Viewport;

/// Returns what the commands that scroll do, or that all lines are on screen. `viewport_of` returns the dialog's viewport.
pub(in crate::tui) fn action_in_text<D: 'static>(
    viewport: &Viewport,
    command: Command,
    viewport_of: fn(&mut D) -> &mut Viewport,
) -> Action<D> {
    let lines = viewport.lines_of(command)?;
    let shows_all = viewport.shows_all().then_some("all of it is on screen");
    unless(shows_all, move |dialog, _| viewport_of(dialog).scroll(lines))
}
