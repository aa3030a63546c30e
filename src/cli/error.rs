//! Exit codes and errors of the command line: errors that a person can act on, and internal ones.
//!
//! Any error that is no [`Failure`] is internal. Prints nothing; `end.rs` does.

use std::io::ErrorKind;

use color_eyre::eyre::{self, Report};
use thiserror::Error;

use crate::runtime::WriteError;

/// Ends a message about a request that did not begin.
pub(super) const NOTHING_SENT: &str = "Nothing was sent.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Exit {
    Done = 0,
    /// The store rejected an operation, or a rule of the contract check fails.
    Rejected = 1,
    /// Wrong usage, configuration or input file; nothing was sent.
    Usage = 2,
    NotSent = 3,
    /// No proof whether a request took effect.
    Unknown = 4,
    Interrupted = 130,
}

impl Exit {
    /// Returns the graver of two, for a batch of operations.
    pub(super) fn or_graver(self, other: Self) -> Self {
        let order = [Self::Interrupted, Self::Unknown, Self::Rejected, Self::NotSent, Self::Usage];
        order.into_iter().find(|exit| [self, other].contains(exit)).unwrap_or(Self::Done)
    }
}

/// An error that a person can act on: what went wrong and the next step, and the exit code.
#[derive(Debug, Error)]
#[error("{text}")]
pub(super) struct Failure {
    exit: Exit,
    /// Empty if it was printed before.
    text: String,
    source: Option<Report>,
}

impl Failure {
    pub(super) fn new(exit: Exit, text: impl Into<String>) -> Self {
        Self { exit, text: text.into(), source: None }
    }

    /// Wrong usage or input; nothing was sent.
    pub(super) fn usage(text: impl Into<String>) -> Self {
        Self::new(Exit::Usage, text)
    }

    /// Ends the program without another message.
    pub(super) fn printed(exit: Exit) -> Self {
        Self::new(exit, "")
    }
}

/// Turns an error into a [`Failure`].
pub(super) trait OrExit<T> {
    fn or_exit(self, exit: Exit) -> eyre::Result<T>;

    /// Adds `next`, a sentence, to what went wrong.
    fn or_exit_and_say(self, exit: Exit, next: &'static str) -> eyre::Result<T>;
}

impl<T, E: Into<Report>> OrExit<T> for Result<T, E> {
    #[track_caller]
    fn or_exit(self, exit: Exit) -> eyre::Result<T> {
        self.or_exit_and_say(exit, "")
    }

    #[track_caller]
    fn or_exit_and_say(self, exit: Exit, next: &'static str) -> eyre::Result<T> {
        self.map_err(|error| {
            let error = error.into();
            let text = if next.is_empty() { format!("{error:#}") } else { format!("{error:#}. {next}") };
            Failure { exit, text, source: Some(error) }.into()
        })
    }
}

/// The context of an internal error: what the error means for the store.
#[derive(Debug, Clone, Copy, Error)]
pub(super) enum Internal {
    #[error("plants has failed; nothing was sent")]
    NothingSent,
    /// What was sent, or in flight, is unknown in the journal.
    #[error("plants has failed; what was in flight is unknown: decide about it with plants resolve")]
    Unknown,
}

/// Says why the file of this name was not written.
pub(super) fn unwritten(name: &str, error: impl Into<WriteError>, exit: Exit) -> Failure {
    match error.into() {
        WriteError::File(error) if error.kind() == ErrorKind::AlreadyExists => {
            Failure::usage(format!("{name}: this file exists and was not changed; --force replaces it"))
        }
        error @ (WriteError::File(_) | WriteError::Journal(_)) => {
            Failure::new(exit, format!("{name} was not written: {error}"))
        }
    }
}

/// Returns the exit code of an error: of an internal one without context that of an unknown outcome.
pub(super) fn exit_of(error: &Report) -> Exit {
    match (error.downcast_ref::<Failure>(), error.downcast_ref::<Internal>()) {
        (Some(failure), _) => failure.exit,
        (None, Some(Internal::NothingSent)) => Exit::NotSent,
        (None, Some(Internal::Unknown) | None) => Exit::Unknown,
    }
}
