//! Who decides whether operations of many go on after too many unknown outcomes in a row.

use color_eyre::eyre;

use super::console::Console;
use crate::text::number_format::counted;
use crate::worker::Brake;

pub(super) enum WhenUnknown<'a> {
    GoesOn,
    Halts,
    Asks(&'a mut Console),
}

impl<'a> WhenUnknown<'a> {
    /// Asks, if that is possible and `--keep-going` is not given.
    pub(super) fn of(keep_going: bool, console: &'a mut Console) -> Self {
        match (keep_going, console.can_ask()) {
            (true, _) => Self::GoesOn,
            (false, true) => Self::Asks(console),
            (false, false) => Self::Halts,
        }
    }

    pub(super) fn brake(&self) -> Brake {
        Brake::new(matches!(self, Self::GoesOn))
    }

    /// Returns whether this many `left` are to be sent, after too many unknown outcomes.
    pub(super) async fn goes_on(&mut self, left: u64) -> eyre::Result<bool> {
        match self {
            Self::GoesOn => Ok(true),
            Self::Halts => Ok(false),
            Self::Asks(console) => {
                let left = counted(left, "more operation", "more operations");
                let question = format!(
                    "Five outcomes in a row are unknown: the store, or the way to it, has a problem. Send {left} all the same?"
                );
                match console.confirm(&question, false, "Nothing more was sent.").await {
                    // A question of plain mode that is left, or whose input has ended.
                    Err(_) if console.is_conversation() => Ok(false),
                    answered => answered,
                }
            }
        }
    }
}
