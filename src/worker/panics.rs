//! Why a task has died, in words.

use std::any::Any;

use tokio::task::JoinError;

/// Returns why a task panicked or was aborted.
pub fn join_error_text(why: JoinError) -> String {
    why.try_into_panic().map_or_else(|_| "it was aborted".to_owned(), |panic| panic_text(&*panic).to_owned())
}

pub(super) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}
