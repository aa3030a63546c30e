//! The terminal interface: screens and dialogs as components, and the app that routes messages to them.
//!
//! Must not do IO or read the clock: `runtime` does, in messages and effects.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a component handles some commands, messages and targets, and ignores all others"
)]

pub mod app;
mod arming;
mod check;
pub mod comparison;
pub mod completion;
mod component;
pub mod context;
mod copy;
mod dialogs;
mod draft;
pub mod effect;
mod greenhouse;
mod hidden;
mod history;
pub mod input;
mod last_exchange;
pub mod message;
mod outbox;
mod path_input;
mod pending_query;
mod plant_commands;
mod plant_list;
mod plants;
mod question;
pub(crate) mod render;
mod resend;
mod resolve_queue;
mod screen;
pub mod session;
mod shell;
mod sorting;
pub mod status;
#[cfg(test)]
mod tests;
mod tour;
mod typed_token;
mod ui_effect;
pub mod widgets;

pub use app::App;
pub use effect::Effect;
pub use message::{Cause, Msg, UserInput};
