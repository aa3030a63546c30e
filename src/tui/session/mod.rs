//! What is known and under way at the store that is open; nothing of how it is drawn.
//!
//! [`Session`] holds it: `check`, `import`, `marks`, `stores`, `batch` and `pending` are its parts, and know nothing
//! of it. `operations`, `checking`, `importing`, `marking` and `leaving` are what it does with them.

mod batch;
mod check;
mod checking;
mod import;
mod importing;
mod leaving;
mod marking;
mod marks;
mod operations;
mod pending;
mod state;
mod stores;

pub use import::{Ending, ImportRun};
pub use pending::PendingOperation;
pub use state::Session;

/// Why nothing else can begin while an import runs.
pub const IMPORT_UNDER_WAY: &str = "an import is under way: wait for its end, or stop it";
/// Why nothing else can begin while a check runs.
pub const CHECK_UNDER_WAY: &str = "a check is under way: wait for its end, or stop it";
/// Why no other store can be opened now.
const IN_FLIGHT: &str = "something is in flight: wait for it, or cancel it";
