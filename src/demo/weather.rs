//! The weather: which faults the demo store simulates, and which of them by chance affect one request.
//! Must not know the contents of a request.

use std::time::Duration;

/// The simulated faults; the default has none.
///
/// A probability of 0 or less, or NaN, means never; 1 or more means always.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weather {
    /// The delay of each request before it is carried out.
    pub latency: Duration,
    /// The probability that a request is handled and its connection closed without a response.
    pub lose_responses: f64,
    /// The probability of a 500. Half of these follow the carried-out operation, half replace the operation,
    /// so that a 500 proves nothing.
    pub fail: f64,
    /// The probability of a 422 instead of the operation.
    pub reject: f64,
    /// Whether every token is rejected, even the right one.
    pub reject_token: bool,
    /// Whether each request waits up to two seconds more, by chance, so that responses change their order.
    pub out_of_order: bool,
}

/// The reason in the response to a request that the weather rejects.
pub(super) const REJECTED: &str = "the simulated weather rejects this request; nothing was done";

/// The most extra latency of a request where responses come out of order.
const MAX_EXTRA_LATENCY: Duration = Duration::from_secs(2);

/// A named weather.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WeatherPreset {
    #[default]
    Calm,
    Slow,
    LosingResponses,
    Rejecting,
    OutOfOrder,
}

impl WeatherPreset {
    pub const ALL: [Self; 5] = [Self::Calm, Self::Slow, Self::LosingResponses, Self::Rejecting, Self::OutOfOrder];

    /// Returns the faults. Even calm weather has the latency of a near store, so that an add is visible in flight.
    pub fn weather(self) -> Weather {
        const NEAR: Duration = Duration::from_millis(160);
        const FAR: Duration = Duration::from_secs(3);
        let calm = Weather { latency: NEAR, ..Weather::default() };
        match self {
            Self::Calm => calm,
            Self::Slow => Weather { latency: FAR, ..calm },
            Self::LosingResponses => Weather { lose_responses: 1.0, ..calm },
            Self::Rejecting => Weather { reject: 1.0, ..calm },
            Self::OutOfOrder => Weather { out_of_order: true, ..calm },
        }
    }
}

impl Weather {
    /// Whether a response's body is that of a request that the weather rejected.
    pub fn has_rejected(body: &[u8]) -> bool {
        body.windows(REJECTED.len()).any(|part| part == REJECTED.as_bytes())
    }

    /// Draws the latency of one request.
    pub(super) fn draw_latency(&self) -> Duration {
        let more = if self.out_of_order { MAX_EXTRA_LATENCY.mul_f64(fastrand::f64()) } else { Duration::ZERO };
        self.latency.saturating_add(more)
    }
}

/// Draws whether an event of this probability happens.
pub(super) fn happens(probability: f64) -> bool {
    // The random number is at least 0 and less than 1, so both ends are exact.
    fastrand::f64() < probability
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_0_and_1_are_certain() {
        for _ in 0..1_000 {
            assert!(!happens(0.0));
            assert!(!happens(-1.0));
            assert!(!happens(f64::NAN));
            assert!(happens(1.0));
            assert!(happens(2.0));
        }
    }

    #[test]
    fn out_of_order_a_later_request_may_have_less_latency() {
        let weather = Weather { latency: Duration::from_secs(1), out_of_order: true, ..Weather::default() };
        let waits: Vec<_> = (0..100).map(|_| weather.draw_latency()).collect();
        assert!(waits.iter().all(|wait| (weather.latency..=weather.latency + MAX_EXTRA_LATENCY).contains(wait)));
        assert!(!waits.is_sorted());
    }

    #[test]
    fn every_preset_has_its_own_weather() {
        for (at, preset) in WeatherPreset::ALL.iter().enumerate() {
            for other in &WeatherPreset::ALL[at + 1..] {
                assert_ne!(preset.weather(), other.weather());
            }
        }
    }

    #[test]
    fn the_default_weather_is_calm() {
        let Weather { latency, lose_responses, fail, reject, reject_token, out_of_order } = Weather::default();
        assert!(latency.is_zero() && ![lose_responses, fail, reject].into_iter().any(happens));
        assert!(!reject_token && !out_of_order);
    }
}
