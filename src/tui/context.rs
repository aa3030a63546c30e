//! What all components share: the session, the outbox, and how things are displayed.

use super::input::Command;
use super::message::FrameLayout;
use super::outbox::Outbox;
use super::outcome::Tab;
use super::session::Session;
use crate::domain::Timestamp;

/// How things are displayed now.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Display {
    /// The tab that is active.
    pub tab: Tab,
    /// Whether no dialog is open.
    pub is_plain: bool,
    /// What the last frame had room for.
    pub layout: FrameLayout,
    /// The step of what turns on screen.
    pub turn: usize,
    /// Whether nothing may move by itself.
    pub still: bool,
    /// Whether an audience looks on.
    pub presenting: bool,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// Whether the tour is on.
    pub on_tour: bool,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            tab: Tab::default(),
            is_plain: true,
            layout: FrameLayout::default(),
            turn: 0,
            still: false,
            presenting: false,
            mouse: true,
            on_tour: false,
        }
    }
}

/// What all components share.
#[derive(Debug)]
pub struct Context {
    pub session: Session,
    pub out: Outbox,
    pub display: Display,
}

impl Context {
    pub fn now(&self) -> Timestamp {
        self.out.now
    }

    /// The key that sentences name for a command.
    pub fn key(&self, command: Command) -> String {
        self.out.keys.shown(command)
    }

    /// `plants-2023-11-14-221320.csv`: the name of a file that says when it was asked for.
    pub fn stamped(&self, name: &str, ending: &str) -> String {
        let now = jiff::Timestamp::from_millisecond(self.now().0);
        let now = now.map(|now| now.to_zoned(self.session.info.zone.clone()));
        let stamp = now.map(|now| now.strftime("-%Y-%m-%d-%H%M%S").to_string()).unwrap_or_default();
        format!("{name}{stamp}.{ending}")
    }
}
