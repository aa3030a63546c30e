//! The durable local record of every operation and every exchange.
//!
//! It keeps what happened and folds it into the view with [`Record`](crate::domain::Record); it
//! sends nothing and decides nothing. One thread owns the file; a [`Journal`] is a handle to it.
//! A file on disk and the demo store's journal in memory are the same code.
//!
//! - What can take long is looked up by a second thread with a connection of its own, in what was
//!   committed before it was asked; in memory the writer does it. A newer question of some kinds
//!   supersedes an older one, which is then broken off: see [`JournalError::Superseded`].
//! - A write that returned `Ok` is on disk. One that returned `Err` left nothing behind, except
//!   that after [`JournalError::Died`], or on a disk that fails from the commit on, nobody can tell;
//!   what is open is unknown at the next start.
//! - Several programs may have one journal open. Each holds a lock that says it lives; what a
//!   program that is gone left open is ended as unknown by the next that opens the journal, or at
//!   once by one that watches it for [`Changes`].
//! - Of a response's body the first [`KEPT_BODY`] bytes are kept, of its time whole microseconds.
//! - What was asked and how it ended is kept for good, request and response until they are trimmed.
//! - The token is not in it: requests come with their `authorization` header masked.

mod access;
mod checks;
mod codes;
mod database;
mod error;
mod fault;
mod files;
mod handle;
mod heads;
mod history;
mod identity;
mod inspect;
mod locks;
mod log;
mod objects;
mod opening;
mod orphans;
mod pages;
mod pending;
mod place;
mod plant_list;
mod process_locks;
mod queries;
mod read_only;
mod reader;
mod recent;
mod salvage;
mod schema;
mod search;
mod sorted_index;
mod stored;
#[cfg(test)]
mod tests;
mod unsent;
mod watch;
mod windows;
mod writer;
mod writes;

pub use error::JournalError;
pub use files::{file_in, set_aside_in};
pub use handle::{Journal, Opened};
pub use history::StoredExchange;
pub use locks::BUSY_TIMEOUT;
pub use log::{LogAnchor, LogLine, LogRequest, LogWindow};
pub use pages::Pages;
pub use place::Place;
pub use plant_list::{PlantHistory, Tally};
pub use recent::stores_in;
pub use salvage::{Saved, SetAside};
pub use search::Search;
pub use sorted_index::{Arrangement, Column};
pub use watch::Changes;
pub use windows::{Anchor, Window, WindowRequest};
pub use writes::{Condition, Each, KEPT_BODY};
