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
    pub lose_responses: f64,
    /// Probability of a 500. Half of those come after the operation was carried out, half
    /// instead of it, so that a 500 settles nothing.
    pub fail: f64,
    /// Probability of a 422: the operation is not carried out, and the answer says so.
    pub refuse: f64,
    /// Whether every token is refused, the right one too.
    pub reject_token: bool,
    /// Whether answers come in an order of their own: each request waits up to two seconds more,
    /// by chance.
    pub out_of_order: bool,
}

/// The most that a request waits more than others where answers come out of order.
const OUT_OF_ORDER: Duration = Duration::from_secs(2);

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
    pub(super) refuses: bool,
    pub(super) reject_token: bool,
}

/// The weathers that have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sky {
    /// Every answer comes, soon.
    #[default]
    Calm,
    /// Every answer comes, after seconds.
    Slow,
    /// Everything is carried out, and no answer comes.
    LosingAnswers,
    /// Everything is refused.
    Refusing,
    /// Every answer comes, and a later one may come first.
    OutOfOrder,
}

impl Sky {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Calm, Self::Slow, Self::LosingAnswers, Self::Refusing, Self::OutOfOrder];

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Slow => "slow",
            Self::LosingAnswers => "losing answers",
            Self::Refusing => "refusing",
            Self::OutOfOrder => "out of order",
        }
    }

    /// What it does to callers, in a sentence.
    pub fn help(self) -> &'static str {
        match self {
            Self::Calm => "Every answer comes, and soon.",
            Self::Slow => "Every answer comes after three seconds.",
            Self::LosingAnswers => "The store does what it is asked, and no answer arrives.",
            Self::Refusing => "The store says no to everything, and does nothing.",
            Self::OutOfOrder => "Every answer comes, but one that was asked for later may come first.",
        }
    }

    /// What it is made of; calm weather waits as long as a near store would, so that an add can be
    /// seen on its way.
    pub fn weather(self) -> Weather {
        const NEAR: Duration = Duration::from_millis(160);
        const FAR: Duration = Duration::from_secs(3);
        let calm = Weather { latency: NEAR, ..Weather::default() };
        match self {
            Self::Calm => calm,
            Self::Slow => Weather { latency: FAR, ..calm },
            Self::LosingAnswers => Weather { lose_responses: 1.0, ..calm },
            Self::Refusing => Weather { refuse: 1.0, ..calm },
            Self::OutOfOrder => Weather { out_of_order: true, ..calm },
        }
    }
}

impl Weather {
    /// Lets chance decide for one request.
    pub(super) fn fate(&self) -> Fate {
        let more = if self.out_of_order { OUT_OF_ORDER.mul_f64(fastrand::f64()) } else { Duration::ZERO };
        Fate {
            latency: self.latency.saturating_add(more),
            loses_reply: happens(self.lose_responses),
            failing: happens(self.fail).then(|| if fastrand::bool() { Failing::Before } else { Failing::After }),
            refuses: happens(self.refuse),
            reject_token: self.reject_token,
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
    fn out_of_order_a_later_request_may_wait_less() {
        let weather = Weather { latency: Duration::from_secs(1), out_of_order: true, ..Weather::default() };
        let waits: Vec<_> = (0..100).map(|_| weather.fate().latency).collect();
        assert!(waits.iter().all(|wait| (weather.latency..=weather.latency + OUT_OF_ORDER).contains(wait)));
        assert!(!waits.is_sorted());
    }

    #[test]
    fn every_sky_has_its_own_words_and_weather() {
        for (at, sky) in Sky::ALL.iter().enumerate() {
            for other in &Sky::ALL[at + 1..] {
                assert!(sky.words() != other.words() && sky.help() != other.help() && sky.weather() != other.weather());
            }
        }
    }

    #[test]
    fn calm_is_the_default() {
        let fate = Weather::default().fate();
        assert!(
            fate.latency.is_zero()
                && !fate.loses_reply
                && fate.failing.is_none()
                && !fate.refuses
                && !fate.reject_token
        );
    }
}
