//! The terminal, the event loop, and carrying out effects.
//!
//! The only part of the interface that does IO. It decides nothing: what happens is made a
//! message, what `update` answers is carried out, and one frame is drawn for all of it.

mod bounded;
mod checks;
mod door;
pub mod export;
mod files;
pub mod input;
pub mod link;
pub mod look;
pub mod new_file;
mod profile;
pub mod report;
mod resolve;
pub mod signals;
pub mod stage;
pub mod terminal;

pub use bounded::Bounded;
pub use link::{Connect, Connected, Link};
pub use stage::{Stage, Tools, Turn};
