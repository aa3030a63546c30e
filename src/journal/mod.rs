//! The durable local record of every operation and every exchange. Sends nothing.
//!
//! Entries are stored as they happen and folded into the list of plants with
//! [`Fold`](crate::domain::Fold). One thread owns the file; a [`Journal`] is a handle to it. A file
//! on disk and the demo store's journal in memory share the same code.
//!
//! - Lookups that may take long run beside the writer, with a connection of their own, which sees every
//!   earlier commit; in memory the writer runs them. Dropping the future of such a lookup cancels it.
//! - A write that returned `Ok` is on disk. A write that returned `Err` stored nothing; but after
//!   [`JournalError::Closed`], or if the disk failed during the commit, the result is not known. An
//!   operation that is open then becomes unknown at the next start.
//! - Several programs may have one journal open. Each holds an instance lock. The open operations of an
//!   ended program become unknown when the next program opens the journal, or at once if another
//!   program watches for [`Changes`].
//! - Response bodies are stored up to `MAX_STORED_BODY` bytes, durations in whole microseconds.
//! - Operations and outcomes are stored for good, requests and responses until they are trimmed.
//! - The journal never contains the token: requests arrive with a masked `authorization` header.

mod access;
mod backup;
mod checks;
mod codes;
mod database;
mod entries;
mod error;
mod fault;
mod files;
mod handle;
mod heads;
mod history;
mod history_lines;
mod identity;
mod inspect;
mod locks;
mod opening;
mod orphans;
mod own_files;
mod pages;
mod peers;
mod place;
mod plant_list;
mod plants;
mod process_locks;
mod queries;
mod read_only;
mod reader;
mod recent;
mod restore;
mod runs;
mod salvage;
mod schema;
mod search;
mod snapshot;
mod sort_order;
mod sorted_index;
mod sql;
mod stored;
mod suggestions;
mod team;
#[cfg(test)]
mod tests;
mod validity;
mod watch;
mod windows;
mod write_cache;
mod writer;
mod writes;

pub use backup::{Contents, CopyError, StoreContents, back_up, reject_others_beside, verify};
pub use entries::{Entry, Event, MOST_ENTRIES};
pub use error::JournalError;
pub use files::{file_in, is_absent_in, set_aside_in};
pub use handle::{Journal, Opened, Queued};
pub use history::StoredExchange;
pub use history_lines::{HistoryColumn, HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow};
pub use own_files::{is_own, link_target, parent_of};
pub use pages::{Pages, PlantPages};
pub use place::Place;
pub use plant_list::{PlantHistory, Tally};
pub use recent::stores_in;
pub use restore::Restorable;
pub use runs::RunLine;
pub use rusqlite::version as sqlite_version;
pub use salvage::{Saved, SetAside};
pub use snapshot::{SnapshotPart, SnapshotPlant};
pub use sort_order::{SortColumn, UnknownColumn};
pub use sorted_index::{Arrangement, Column};
pub use suggestions::{SuggestedEntry, Suggestions};
pub use team::{LeftOut, MemberEntries, Membership, TeamMessage};
pub use watch::Changes;
pub use windows::{Anchor, Window, WindowRequest};
pub use writes::{Condition, EntryResults};
