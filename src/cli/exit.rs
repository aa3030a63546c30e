//! How the program ended, as an exit code.

use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Done,
    /// The store said no, or a rule of the contract check fails.
    Rejected,
    /// Wrong usage, configuration or input file; nothing was sent.
    Usage,
    NotSent,
    /// No proof whether a request took effect.
    Unknown,
    Interrupted,
}

impl Exit {
    /// Returns the graver of two, as a batch of operations ends.
    pub(super) fn or_graver(self, other: Self) -> Self {
        let order = [Self::Interrupted, Self::Unknown, Self::Rejected, Self::NotSent, Self::Usage];
        order.into_iter().find(|exit| [self, other].contains(exit)).unwrap_or(Self::Done)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Rejected => 1,
            Exit::Usage => 2,
            Exit::NotSent => 3,
            Exit::Unknown => 4,
            Exit::Interrupted => 130,
        })
    }
}
