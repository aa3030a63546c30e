//! Many plants from a file into a store: validated first, then sent, as a batch of the worker's.
//!
//! ```text
//! file ─▶ format ─▶ validate ─▶ spool ─▶ queue (decided by the list) ─▶ run ─▶ worker
//!                      └─ faults             └─ skipped                  └─ summary
//! ```
//!
//! What was validated is what is sent: good rows are set down in a file that has no name, which is as
//! large as they are; nothing here grows with them. Dry run, preview and import share one decision about
//! each row, [`Decision::about`]. The command line and the interface run the same. Nothing is sent while a
//! row is bad, unless a person says to skip it.

mod decision;
mod event;
mod forecast;
mod format;
mod pace;
mod preview;
mod progress;
mod queue;
mod renewal;
mod repeats;
mod row;
mod run;
mod spool;
mod summary;
mod validate;

pub use decision::{Decision, RowCounts};
pub use event::{Event, RowEnd};
pub use forecast::{DecideError, forecast};
pub use format::{Contents, ReadError, read};
pub use preview::{FAULTS_HELD, Forecast, Preview};
pub use progress::{OutcomeCounts, Progress};
pub use renewal::{Renew, RenewError};
pub use row::{ImportRow, RowFault};
pub use run::{CONCURRENCY, Options, Orders, Tools, run};
pub use summary::{Over, Summary};
pub use validate::{Source, ValidateError, Validated, validate};
