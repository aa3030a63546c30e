//! The session: the state of the open store, and the operations on it.
//!
//! [`Session`] owns the store info, the list of plants, operations, the import and the check. `batch`, `check`, `import`,
//! `stores` and `tally` are its parts, and must not know it; `operations`, `together`,
//! `checking`, `importing`, `marking` and `leaving` are its methods. The session must not draw.

mod batch;
mod check;
mod checking;
pub(super) mod draft;
pub(super) mod hidden;
mod import;
mod importing;
mod leaving;
mod marking;
mod operations;
mod plant_list;
pub(super) mod plant_questions;
pub(super) mod question;
pub mod range_marks;
mod state;
mod stores;
pub(super) mod tally;
mod together;
pub(super) mod unfinished;

pub use import::{Ending, ImportRun, more_rows, shown_source};
pub use state::{AboutSeveral, PendingOperation, Session};

pub const IMPORT_UNDER_WAY: &str = "an import is under way; wait for its end, or stop it";
pub const CHECK_UNDER_WAY: &str = "a check is under way; wait for its end, or stop it";
const IN_FLIGHT: &str = "something is in flight; wait for it, or cancel it";
