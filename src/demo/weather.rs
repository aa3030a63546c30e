//! The weather: what the demo store is told to do to its callers, and what chance makes of it
//! for one request. Must not know what a request asks for.

use std::time::Duration;

/// What the demo store does to its callers. The default is calm: nothing at all.
///
/// A probability of 0 (or less, or no number) is never, of 1 (or more) always.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weather {
    /// How long each request waits before it is carried out.
    pub latency: Duration,
    /// Probability that a request is handled and its connection then closed without a byte of answer.
    pub lose_replies: f64,
    /// Probability of a 500. Half of those come after the operation was carried out, half
    /// instead of it, so that a 500 settles nothing.
    pub fail: f64,
    /// Whether every token is refused, the right one too.
    pub refuse_token: bool,
}

/// What a request that fails had done to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failing {
    /// Nothing was carried out.
    Before,
    /// The operation was carried out.
    After,
}

/// What the weather has in store for one request: drawn when it arrives, so that a change of
/// weather holds for the requests after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fate {
    pub(super) latency: Duration,
    pub(super) loses_reply: bool,
    pub(super) failing: Option<Failing>,
    pub(super) refuse_token: bool,
}

impl Weather {
    /// Lets chance decide for one request.
    pub(super) fn fate(&self) -> Fate {
        Fate {
            latency: self.latency,
            loses_reply: happens(self.lose_replies),
            failing: happens(self.fail).then(|| if fastrand::bool() { Failing::Before } else { Failing::After }),
            refuse_token: self.refuse_token,
        }
    }
}

/// True with the given probability.
fn happens(probability: f64) -> bool {
    // Drawn from 0 up to but without 1, so both ends are exact.
    fastrand::f64() < probability
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_probability_are_certain() {
        for _ in 0..1_000 {
            assert!(!happens(0.0));
            assert!(!happens(-1.0));
            assert!(!happens(f64::NAN));
            assert!(happens(1.0));
            assert!(happens(2.0));
        }
    }

    #[test]
    fn calm_is_the_default() {
        let fate = Weather::default().fate();
        assert!(fate.latency.is_zero() && !fate.loses_reply && fate.failing.is_none() && !fate.refuse_token);
    }
}
