//! What an exchange proves: accepted, rejected, unknown, not sent.
//!
//! The interface shows no success code and no error (`interface.md` §4, §7), so a status is
//! read by its class (RFC 9110 §15) and by nothing else.

use serde::{Deserialize, Serialize};

/// The four things an exchange can prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The store said yes.
    Accepted,
    /// The store said no.
    Rejected,
    /// The request may have reached the store; nothing that decides it came back.
    Unknown,
    /// Nothing reached the store.
    NotSent,
}

impl Outcome {
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Rejected, Self::Unknown, Self::NotSent];

    /// What a status code proves.
    ///
    /// 408 says that the server gave up waiting (RFC 9110 §15.5.9) and 5xx that it failed
    /// somewhere: neither tells whether the operation was carried out. 1xx is no final response,
    /// and codes from 600 have no meaning at all.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Accepted,
            408 => Self::Unknown,
            300..=499 => Self::Rejected,
            0..=199 | 500..=u16::MAX => Self::Unknown,
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
            Self::NotSent => "not sent",
        }
    }

    /// The word in JSON and in the journal.
    pub fn code(self) -> &'static str {
        if self == Self::NotSent { "not_sent" } else { self.word() }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_one_outcome() {
        for status in 100..=999 {
            let expected = match status {
                200..=299 => Outcome::Accepted,
                408 => Outcome::Unknown,
                300..=499 => Outcome::Rejected,
                _ => Outcome::Unknown,
            };
            assert_eq!(Outcome::of_status(status), expected, "{status}");
        }
    }

    #[test]
    fn codes_round_trip() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_code(outcome.code()), Some(outcome));
        }
    }
}
