//! The terminal interface: screens and dialogs as components, and the app that routes messages to them.
//!
//! Must not do IO or read the clock: `runtime` does, in messages and effects.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a component handles some commands, messages and targets, and ignores all others"
)]

pub mod app;
mod check;
mod component;
pub mod context;
mod dialogs;
pub mod effect;
mod greenhouse;
mod history;
pub mod input;
pub mod message;
mod outbox;
mod plants;
pub(crate) mod render;
mod screen;
pub mod session;
mod shell;
pub mod status;
#[cfg(test)]
mod tests;
mod tour;
mod ui_effect;
pub mod widgets;

pub use app::App;
pub use effect::{Clip, CommandInput, Effect};
pub use message::{Cause, CopyEnd, Msg, UserInput};
