//! The terminal interface: screens and dialogs as components, and the app that knows them all.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a component answers for its own commands, messages and targets; all others are none of its own"
)]

pub mod app;
mod check;
pub mod comparison;
mod component;
pub mod context;
mod copy;
mod dialogs;
mod draft;
pub mod effect;
mod greenhouse;
mod history;
pub mod input;
mod last_exchange;
pub mod message;
mod outbox;
mod outcome;
mod pending_query;
mod plant_commands;
mod plant_list;
mod plants;
mod question;
mod render;
mod resolve_queue;
mod screen;
pub mod session;
mod shell;
pub mod status;
#[cfg(test)]
mod tests;
mod tour;
mod typed_token;
pub mod widgets;

pub use app::App;
pub use effect::Effect;
pub use message::{Cause, Msg};
