//! Why a connection to the team is given up.

use std::time::Duration;

use super::server::NoTeam;
use crate::journal::JournalError;

/// The pause after a failure: doubles from the first to the second.
pub(super) const RETRY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Why the link does not go on with a connection. Another one is tried later: a person may have helped.
pub(super) enum Broken {
    Because(String),
    /// The journal is another member now.
    JoinedAgain,
}

impl From<NoTeam> for Broken {
    fn from(why: NoTeam) -> Self {
        Self::Because(why.to_string())
    }
}

impl From<JournalError> for Broken {
    fn from(why: JournalError) -> Self {
        if why == JournalError::JoinedAgain { Self::JoinedAgain } else { Self::Because(why.to_string()) }
    }
}
