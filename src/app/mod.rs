//! The state of the terminal interface and how messages change it.
//!
//! ```text
//! keys, answers, sizes, time ──Msg──▶ update(&mut Model) ──Effect──▶ runtime carries it out
//!        ▲                                  │                              │
//!        └───────────── Drawn ◀── ui::view(&Model)                         │
//!        └───────────────────────── Report, Window, Story ◀────────────────┘
//! ```
//!
//! Everything here is pure: no IO, no clock, nothing drawn. A message is a fact, an effect an
//! order in plain data, so a test is a script of messages and the exact effects it leads to.

mod act;
mod action;
mod asked;
pub mod batch;
mod bindings;
pub mod check;
mod checking;
pub mod choice;
pub mod connection;
mod copy;
pub mod departed;
mod ended;
pub mod export;
pub mod field;
mod filter;
pub mod form;
mod forms;
pub mod greenhouse;
pub mod import;
pub mod importing;
pub mod inspect;
pub mod key;
pub mod keys;
pub mod log;
pub mod message;
pub mod model;
mod mouse;
pub mod palette;
pub mod present;
pub mod profile;
pub mod reader;
pub mod report;
pub mod room;
pub mod runs;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tour;
mod update;
mod walk;

pub use connection::{Arrival, StorePicker, UrlForm};
pub use message::{Effect, Msg, Target};
pub use model::{Facts, Flight, Happened, Model, Notice, Overlay};
pub use room::Room;
pub use update::update;
