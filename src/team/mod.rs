//! A journal shared by a team, over a stream of NATS: publishes this journal's entries and reads those of
//! the others.
//!
//! Local first: an entry is on this machine's disk before it is published, and nothing waits for the team. The journal
//! numbers and folds the entries ([`crate::journal::Membership`]); this layer only carries them. Must not know who
//! shows the status.

mod link;
mod publishing;
mod reading;
mod server;
mod snapshot;
mod status;
mod subject;
mod wire;

pub use link::Link;
pub use server::{Joined, NoTeam, join};
pub use snapshot::{Compacted, compact};
pub use status::{Cause, NotInSync, Notices, Status};
pub use subject::stream as stream_name;
pub use wire::{WireFault, read as read_message};
