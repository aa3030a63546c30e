//! The events that wake the event loop. Must not know what they do to the app.

use color_eyre::eyre;

use crate::terminal::{Input, Timing};
use crate::tui::Msg;

#[derive(Debug)]
pub enum Event {
    Msg(Msg),
    Input(Input, Timing),
    /// The terminal has another size, or had one in between.
    Resized,
    /// Another process requests a stop, until it sends SIGCONT.
    Suspend,
    /// The program continues after a stop: other programs may have used the terminal.
    Continued,
    /// The thread that reads the keyboard has ended: it failed, or the terminal is gone.
    KeyboardLost,
    /// Another store is ready or was closed, or opening it failed.
    StoreSwitch(eyre::Result<()>),
}
