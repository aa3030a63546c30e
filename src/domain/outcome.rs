//! The four outcomes of an exchange: accepted, rejected, unknown, not sent.
//!
//! The interface specifies no success code and no error code (`interface.md` §4, §7), so only the class of
//! a status decides (RFC 9110 §15). Must not know response bodies.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// The store carried out the operation.
    Accepted,
    /// The store did not carry out the operation, and says so.
    Rejected,
    /// The request may have reached the store, and no response proves whether it took effect.
    Unknown,
    /// Nothing reached the store.
    NotSent,
}

impl Outcome {
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Rejected, Self::Unknown, Self::NotSent];

    /// Returns the outcome that a status code proves.
    ///
    /// 408 means that the server stopped waiting (RFC 9110 §15.5.9), 5xx that something failed: neither
    /// proves whether the operation was carried out. 1xx is not a final response, and codes from 600 have
    /// no meaning.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Accepted,
            408 => Self::Unknown,
            300..=499 => Self::Rejected,
            0..=199 | 500..=u16::MAX => Self::Unknown,
        }
    }

    /// Returns the word in sentences.
    pub fn word(self) -> &'static str {
        if self == Self::NotSent { "not sent" } else { self.code() }
    }

    /// Returns the word in JSON and in options; `parse` reads it.
    pub fn code(self) -> &'static str {
        self.into()
    }
}

/// The number of operations of each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct OutcomeCounts {
    pub accepted: u64,
    pub rejected: u64,
    pub unknown: u64,
    pub not_sent: u64,
}

impl OutcomeCounts {
    pub fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Accepted => &mut self.accepted,
            Outcome::Rejected => &mut self.rejected,
            Outcome::Unknown => &mut self.unknown,
            Outcome::NotSent => &mut self.not_sent,
        } += 1;
    }

    /// Returns each count, in the order of [`Outcome::ALL`].
    pub fn each(self) -> [(Outcome, u64); 4] {
        let Self { accepted, rejected, unknown, not_sent } = self;
        [
            (Outcome::Accepted, accepted),
            (Outcome::Rejected, rejected),
            (Outcome::Unknown, unknown),
            (Outcome::NotSent, not_sent),
        ]
    }

    /// Returns the counts that are not 0.
    pub fn there(self) -> impl Iterator<Item = (Outcome, u64)> {
        self.each().into_iter().filter(|(_, count)| *count > 0)
    }

    pub fn total(self) -> u64 {
        self.accepted + self.rejected + self.unknown + self.not_sent
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
            assert_eq!(outcome.code().parse(), Ok(outcome));
        }
    }
}
