//! The brake of everything that sends many operations: it stops a store that fails from making all of them unknown.
//!
//! Must not know what is sent, or who decides whether it goes on.

use crate::domain::Outcome;

/// The unknown outcomes in a row after which nothing new is sent.
pub const UNKNOWN_IN_A_ROW: u8 = 5;

/// Why a person is asked whether to go on.
pub const BRAKED: &str = "Five outcomes in a row are unknown: the store, or the way to it, has a problem.";

const _: () = assert!(UNKNOWN_IN_A_ROW == 5, "the sentence says so");

/// Counts unknown outcomes. Once on, it stays on until it is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Brake {
    unknown: u8,
    keeps_going: bool,
}

impl Brake {
    /// With `keeps_going`, the brake never goes on.
    pub fn new(keeps_going: bool) -> Self {
        Self { unknown: 0, keeps_going }
    }

    /// Counts an outcome, in the order in which they are known. An operation that never reached the store proves
    /// nothing about it.
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Unknown => self.unknown = self.unknown.saturating_add(1),
            Outcome::Accepted | Outcome::Rejected if !self.is_on() => self.unknown = 0,
            Outcome::Accepted | Outcome::Rejected | Outcome::NotSent => {}
        }
    }

    pub fn is_on(self) -> bool {
        !self.keeps_going && self.unknown >= UNKNOWN_IN_A_ROW
    }

    /// Goes on, and counts from the beginning.
    pub fn release(&mut self) {
        self.unknown = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Accepted, NotSent, Rejected, Unknown};

    fn after(outcomes: &[Outcome]) -> Brake {
        let mut brake = Brake::default();
        for outcome in outcomes {
            brake.count(*outcome);
        }
        brake
    }

    #[test]
    fn five_unknown_outcomes_in_a_row_put_it_on() {
        assert!(!after(&[Unknown; 4]).is_on());
        assert!(after(&[Unknown; 5]).is_on());
        for proof in [Accepted, Rejected] {
            assert!(!after(&[Unknown, Unknown, Unknown, Unknown, proof, Unknown]).is_on());
        }
        assert!(after(&[Unknown, Unknown, NotSent, Unknown, Unknown, NotSent, Unknown]).is_on());
    }

    #[test]
    fn it_stays_on_until_it_is_released() {
        let mut brake = after(&[Unknown, Unknown, Unknown, Unknown, Unknown, Accepted]);
        assert!(brake.is_on());
        brake.release();
        assert!(!brake.is_on());
        for _ in 0..5 {
            brake.count(Unknown);
        }
        assert!(brake.is_on());
    }

    #[test]
    fn one_that_keeps_going_never_goes_on() {
        let mut brake = Brake::new(true);
        for _ in 0..1000 {
            brake.count(Unknown);
        }
        assert!(!brake.is_on());
    }
}
