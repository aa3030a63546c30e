//! Who decides whether operations of many go on after too many unknown outcomes in a row.

use color_eyre::eyre;
use futures::future::BoxFuture;

use super::prompt;
use crate::import;
use crate::text::number_format::counted;
use crate::worker::Brake;

/// A person who can be asked.
pub(super) trait Ask: Send {
    /// Asks; anything but yes means no.
    fn ask<'a>(&'a mut self, question: &'a str) -> BoxFuture<'a, eyre::Result<bool>>;
}

pub(super) enum WhenUnknown<'a> {
    GoesOn,
    Halts,
    Asks(&'a mut dyn Ask),
}

/// The person at the terminal of a subcommand.
pub(super) struct AtTerminal;

impl Ask for AtTerminal {
    fn ask<'a>(&'a mut self, question: &'a str) -> BoxFuture<'a, eyre::Result<bool>> {
        Box::pin(prompt::yes(question, "Nothing more was sent."))
    }
}

impl<'a> WhenUnknown<'a> {
    /// Asks the person, if there is a terminal and `--keep-going` is not given.
    pub(super) fn of(keep_going: bool, person: &'a mut AtTerminal) -> Self {
        match (keep_going, prompt::is_possible()) {
            (true, _) => Self::GoesOn,
            (false, true) => Self::Asks(person),
            (false, false) => Self::Halts,
        }
    }

    pub(super) fn brake(&self) -> Brake {
        Brake::new(matches!(self, Self::GoesOn))
    }

    pub(super) fn of_import(&self) -> import::WhenUnknown {
        match self {
            Self::GoesOn => import::WhenUnknown::GoesOn,
            Self::Halts => import::WhenUnknown::Halts,
            Self::Asks(_) => import::WhenUnknown::Asks,
        }
    }

    /// Returns whether this many `left` are to be sent, after too many unknown outcomes.
    pub(super) async fn goes_on(&mut self, left: u64) -> eyre::Result<bool> {
        match self {
            Self::GoesOn => Ok(true),
            Self::Halts => Ok(false),
            Self::Asks(person) => {
                let left = counted(left, "more operation", "more operations");
                let question = format!(
                    "Five outcomes in a row are unknown: the store, or the way to it, has a problem. Send {left} all the same?"
                );
                person.ask(&question).await
            }
        }
    }
}
