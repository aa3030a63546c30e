//! Many plants from a file into a store: judged first, then sent, a batch of the courier's.
//!
//! ```text
//! file ─▶ judge ─▶ spool ─▶ decide (by the list) ─▶ courier ─▶ counted
//!           └─ faults
//! ```
//!
//! What was judged is what is sent: good rows are set down in a file that has no name, which is as
//! large as they are; nothing here grows with them. Dry run, preview and import share one decision about
//! each row, [`Decision::about`](crate::domain::import::Decision::about). The command line and the
//! interface run the same.

mod decide;
mod judge;
mod pace;
mod repeats;
mod run;
mod spool;

pub use decide::forecast;
pub use judge::{Judged, NotJudged, Source, judge};
pub use run::{CONCURRENCY, Options, Orders, Renew, RowEnd, Told, Tools, run};
