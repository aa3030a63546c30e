//! Many plants from a file into a store: judged first, then sent, a batch of the courier's.
//!
//! ```text
//! file ─▶ judge ─▶ spool ─▶ weigh (by the view) ─▶ courier ─▶ counted
//!           └─ faults
//! ```
//!
//! What was judged is what is sent: good rows are set down in a file that has no name, which is as
//! large as they are; nothing here grows with them. The command line and the interface run the same.

mod judge;
mod pace;
mod run;
mod spool;
mod weigh;

pub use judge::{Judged, NotJudged, Source, judge};
pub use run::{CONCURRENCY, Options, Orders, Renew, RowEnd, Told, Tools, run};
pub use weigh::{Stands, standing};
