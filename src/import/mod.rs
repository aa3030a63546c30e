//! Imports a file of plants into a store: validates all rows, then sends them as a batch of the worker.
//! Does not know whether the command line or the interface runs it.
//!
//! ```text
//! file ─▶ format ─▶ validate ─▶ spool ─▶ queue (decides by the list) ─▶ run ─▶ worker
//!                      └─ faults             └─ withheld                  └─ summary
//! ```
//!
//! Exactly the validated rows are sent: validation writes them to a temporary database, so that memory
//! does not grow with the import. Dry run, preview and import share one decision about each row,
//! [`Decision::about`]. While a row is bad, nothing is sent, unless the caller skips bad rows.

mod decision;
mod forecast;
mod format;
mod pace;
mod preview;
mod progress;
mod queue;
mod renewal;
mod row;
mod run;
mod spool;
mod summary;
mod validate;

pub use decision::{Decision, Resend, RowCounts};
pub use forecast::{DecideError, forecast, note_of_pages};
pub use format::{Contents, ReadError, Separator, read};
pub use preview::{FAULTS_HELD, Forecast, Preview};
pub use progress::{Progress, accepted_pages};
pub use renewal::{Renew, RenewError};
pub use row::{ImportRow, RowFault, RowNote, RowNumber};
pub use run::{CONCURRENCY, Event, Options, Order, Orders, RowEnd, Tools, run};
pub use summary::{Over, Summary, TOKEN_REJECTED};
pub use validate::{Source, ValidateError, Validated, validate};
