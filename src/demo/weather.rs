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
    /// Probability that a request is handled and its connection then closed without a byte of response.
    pub lose_responses: f64,
    /// Probability of a 500. Half of those come after the operation was carried out, half
    /// instead of it, so that a 500 resolves nothing.
    pub fail: f64,
    /// Probability of a 422: the operation is not carried out, and the response says so.
    pub refuse: f64,
    /// Whether every token is refused, the right one too.
    pub reject_token: bool,
    /// Whether responses come in an order of their own: each request waits up to two seconds more,
    /// by chance.
    pub out_of_order: bool,
}

/// The most that a request waits more than others where responses come out of order.
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

/// A preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WeatherPreset {
    /// Every response comes, soon.
    #[default]
    Calm,
    /// Every response comes, after seconds.
    Slow,
    /// Everything is carried out, and no response comes.
    LosingResponses,
    /// Everything is refused.
    Refusing,
    /// Every response comes, and a later one may come first.
    OutOfOrder,
}

impl WeatherPreset {
    pub const ALL: [Self; 5] = [Self::Calm, Self::Slow, Self::LosingResponses, Self::Refusing, Self::OutOfOrder];

    pub fn words(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Slow => "slow",
            Self::LosingResponses => "losing responses",
            Self::Refusing => "refusing",
            Self::OutOfOrder => "out of order",
        }
    }

    /// Says in a sentence what it does to callers.
    pub fn help(self) -> &'static str {
        match self {
            Self::Calm => "Every response comes, and soon.",
            Self::Slow => "Every response comes after three seconds.",
            Self::LosingResponses => "The store does what it is asked, and no response arrives.",
            Self::Refusing => "The store says no to everything, and does nothing.",
            Self::OutOfOrder => "Every response comes, but one that was asked for later may come first.",
        }
    }

    /// Calm weather waits as long as a near store would, so that an add can be seen on its way.
    pub fn weather(self) -> Weather {
        const NEAR: Duration = Duration::from_millis(160);
        const FAR: Duration = Duration::from_secs(3);
        let calm = Weather { latency: NEAR, ..Weather::default() };
        match self {
            Self::Calm => calm,
            Self::Slow => Weather { latency: FAR, ..calm },
            Self::LosingResponses => Weather { lose_responses: 1.0, ..calm },
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
        for (at, preset) in WeatherPreset::ALL.iter().enumerate() {
            for other in &WeatherPreset::ALL[at + 1..] {
                assert!(
                    preset.words() != other.words()
                        && preset.help() != other.help()
                        && preset.weather() != other.weather()
                );
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
