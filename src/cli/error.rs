//! Errors of the command line: those that a person can act on, and those of the program itself.
//!
//! Any error that is no [`Failure`] is an internal one. Prints nothing; `end.rs` does.

use std::fmt;

use color_eyre::eyre::{self, Report};

use super::exit::Exit;

/// An error that a person can act on: what went wrong, the next step, the exit code.
#[derive(Debug)]
pub(super) struct Failure {
    exit: Exit,
    /// `None` if the person was told already.
    what: Option<Report>,
    next: &'static str,
}

impl Failure {
    pub(super) fn new(exit: Exit, what: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self { exit, what: Some(Report::msg(what)), next: "" }
    }

    /// Wrong usage or input; nothing was sent.
    pub(super) fn usage(what: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self::new(Exit::Usage, what)
    }

    /// Ends the program without a word more.
    pub(super) fn told(exit: Exit) -> Self {
        Self { exit, what: None, next: "" }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(what) = &self.what {
            write!(f, "{what:#}")?;
        }
        if !self.next.is_empty() {
            write!(f, ". {}", self.next)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.what.as_ref().map(|what| what.as_ref() as &(dyn std::error::Error + 'static))
    }
}

/// Makes an error one that a person can act on.
pub(super) trait OrExit<T> {
    fn or_exit(self, exit: Exit) -> eyre::Result<T>;

    /// Tells `next`, a sentence, after what went wrong.
    fn or_exit_and_say(self, exit: Exit, next: &'static str) -> eyre::Result<T>;
}

impl<T, E: Into<Report>> OrExit<T> for Result<T, E> {
    #[track_caller]
    fn or_exit(self, exit: Exit) -> eyre::Result<T> {
        self.or_exit_and_say(exit, "")
    }

    #[track_caller]
    fn or_exit_and_say(self, exit: Exit, next: &'static str) -> eyre::Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(what) => Err(Failure { exit, what: Some(what.into()), next }.into()),
        }
    }
}

/// The context of an internal error: what it means for the store.
#[derive(Debug, Clone, Copy)]
pub(super) enum Internal {
    NothingSent,
    /// What was sent, or in flight, stands in the journal as unknown.
    Unknown,
}

impl fmt::Display for Internal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NothingSent => "plants has failed; nothing was sent",
            Self::Unknown => "plants has failed; what was in flight is unknown: plants resolve decides about it",
        })
    }
}

/// Returns the exit code of an error. Where an internal one says nothing else, nothing is proven.
pub(super) fn exit_of(error: &Report) -> Exit {
    match (error.downcast_ref::<Failure>(), error.downcast_ref::<Internal>()) {
        (Some(failure), _) => failure.exit,
        (None, Some(Internal::NothingSent)) => Exit::NotSent,
        (None, Some(Internal::Unknown) | None) => Exit::Unknown,
    }
}
