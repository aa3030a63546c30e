//! The terminal: its bytes become inputs, its modes are taken and given back, and frames are written to it. The only
//! reader of the terminal.
//!
//! Must not know what an input does, nor what is drawn.

#![expect(clippy::wildcard_enum_match_arm, reason = "a few of many sequences, inputs and keys are special")]

mod decode;
mod framer;
mod guard;
pub mod key;
mod reader;
mod screen;
mod signs;
#[cfg(test)]
mod tests;

pub use decode::{Input, decode};
pub use framer::{Framer, Timing};
pub use guard::{
    Guard, LentTerminal, abandon, copy, drop_typed_ahead, give_back, is_lent, is_taken_by_another_thread, lend, listen,
    query_background, suspend, take, use_mouse,
};
pub use key::{AltKey, Key};
pub use reader::{Reader, elapsed};
pub use screen::{Screen, said_or_assumed};
pub use signs::{Signs, ring, show};
