//! The exit codes of the program.

use std::process::ExitCode;

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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
