//! The events that wake the event loop. Must not know what they do to the app.

use color_eyre::eyre;
use ratatui::layout::Position;

use crate::tui::Msg;
use crate::tui::message::Target;

#[derive(Debug)]
pub enum Event {
    Msg(Msg),
    Mouse(Mouse),
    /// Another process requests a stop, until it sends SIGCONT.
    Suspend,
    /// The program continues after a stop: other programs may have used the terminal.
    Continued,
    /// The task that reads the keyboard has ended: it failed, or the terminal is gone.
    KeyboardLost,
    /// Another store is ready or was closed, or opening it failed.
    StoreSwitch(eyre::Result<()>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub gesture: Gesture,
    pub position: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    Click,
    /// Towards the user.
    WheelDown,
    WheelUp,
}

impl Mouse {
    /// Returns the message of this gesture over a target.
    pub fn over(self, target: Target) -> Msg {
        match self.gesture {
            Gesture::Click => Msg::Clicked(target),
            Gesture::WheelDown => Msg::Wheeled { over: target, down: true },
            Gesture::WheelUp => Msg::Wheeled { over: target, down: false },
        }
    }
}
