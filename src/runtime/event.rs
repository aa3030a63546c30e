//! The events that wake the event loop. Must not know what they do to the app.

use color_eyre::eyre;
use ratatui::layout::Position;

use crate::tui::Msg;
use crate::tui::message::Target;
use crate::tui::widgets::theme::Palette;

#[derive(Debug)]
pub enum Event {
    Msg(Msg),
    /// Becomes a message for the target at this position of the last frame.
    Mouse(Position, fn(Target) -> Msg),
    /// The terminal has responded that its background needs this palette.
    Background(Palette),
    /// Another process requests a stop, until it sends SIGCONT.
    Suspend,
    /// The program continues after a stop: other programs may have used the terminal.
    Continued,
    /// The task that reads the keyboard has ended: it failed, or the terminal is gone.
    KeyboardLost,
    /// Another store is ready or was closed, or opening it failed.
    StoreSwitch(eyre::Result<()>),
}
