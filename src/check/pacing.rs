//! Decides how long a run waits before its next request, and when it gives up on a store that asks for too many
//! pauses or does not respond. Must not know what the requests are for.

use std::time::Duration;

use super::diagnosis::TIMEOUTS;
use super::evidence::is_limit_header;
use crate::domain::sentence::failed_because;
use crate::domain::{Exchange, FailureKind, StoreUrl, Timestamp, retry_after};
use crate::text::number_format::about;

/// How often the run repeats one request after 429.
const MAX_REPEATS: u32 = 3;
/// The longest pause that the run accepts.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The pause after 429 without `Retry-After`.
const DEFAULT_PAUSE: Duration = Duration::from_secs(1);
/// The longest sum of all pauses that a store asks for.
const MAX_PAUSED: Duration = Duration::from_secs(300);
/// The pauses before each repetition of a request whose response contradicts an earlier one: a store may take that long
/// until its parts agree.
pub(super) const PATIENCE: [Duration; 4] =
    [Duration::from_millis(200), Duration::from_millis(400), Duration::from_millis(800), Duration::from_millis(1_600)];
/// Requests in a row without a response, after which the run gives up.
const MAX_UNANSWERED: usize = 6;

/// The time between two requests, beside the pauses that the store asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Fixed(Duration),
    /// Begins at [`Pace::FIRST`], shrinks while responses are quick, and grows when the store shows strain.
    Adaptive,
}

impl Pace {
    pub const FIRST: Duration = Duration::from_millis(100);
    const SHORTEST: Duration = Duration::from_millis(10);
    const LONGEST: Duration = Duration::from_secs(2);
    /// The longest time of a quick response.
    const QUICK: Duration = Duration::from_millis(250);

    /// Returns the pace towards a store for which none is chosen: a store on loopback needs no time in between.
    pub fn towards(store: &StoreUrl) -> Self {
        if store.is_loopback() { Self::Fixed(Duration::ZERO) } else { Self::Adaptive }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Pacing {
    /// The current time between two requests, and whether it adapts.
    pace: Duration,
    adapts: bool,
    /// The quickest response so far.
    quickest: Option<Duration>,
    /// The pause before the next request.
    pause: Duration,
    /// The sum of the pauses that the store asked for.
    paused: Duration,
    /// How often the next request was rejected with 429.
    repeats: u32,
    /// Requests in a row without a response.
    unanswered: usize,
    /// Timeouts in a row.
    timeouts: usize,
}

impl Pacing {
    pub(super) fn new(pace: Pace) -> Self {
        match pace {
            Pace::Fixed(pace) => Self { pace, ..Self::default() },
            Pace::Adaptive => Self { pace: Pace::FIRST, adapts: true, ..Self::default() },
        }
    }

    /// Returns the time to wait before the next request.
    pub(super) fn before_next(&mut self, is_first: bool) -> Duration {
        let pace = if is_first { Duration::ZERO } else { self.pace };
        std::mem::take(&mut self.pause).max(pace)
    }

    /// Waits at least this long before the next request.
    pub(super) fn wait(&mut self, pause: Duration) {
        self.pause = self.pause.max(pause);
    }

    /// Adapts the pace to a response: a limit, a rejection of the token or a growing latency shows strain.
    fn adapt(&mut self, exchange: &Exchange) {
        let Some(response) = exchange.response().filter(|_| self.adapts) else { return };
        let quickest = self.quickest.unwrap_or(Pace::LONGEST);
        let is_late = exchange.elapsed > 3 * quickest + Pace::FIRST;
        self.quickest = Some(quickest.min(exchange.elapsed));
        if matches!(response.status, 429 | 503) || (response.status == 403 && exchange.has_token()) || is_late {
            self.pace = (2 * self.pace).clamp(Pace::FIRST, Pace::LONGEST);
        } else if exchange.elapsed <= Pace::QUICK
            && !response.headers.iter().any(|header| is_limit_header(&header.name))
        {
            self.pace = (self.pace * 3 / 4).max(Pace::SHORTEST);
        }
    }

    /// Counts requests without a response. Returns why to give up, once there are too many in a row.
    pub(super) fn count_unanswered(&mut self, exchange: &Exchange) -> Option<String> {
        let Some(kind) = exchange.failure() else {
            (self.unanswered, self.timeouts) = (0, 0);
            return None;
        };
        self.unanswered += 1;
        self.timeouts = if kind == FailureKind::TimedOut { self.timeouts + 1 } else { 0 };
        let why = || {
            let why = failed_because(kind, exchange.elapsed);
            format!("no response to {MAX_UNANSWERED} requests in a row, {why}")
        };
        (self.unanswered >= MAX_UNANSWERED).then(why)
    }

    /// Whether the last requests all timed out.
    pub(super) fn hangs(&self) -> bool {
        self.timeouts >= TIMEOUTS
    }

    /// Plans the pause that a response asks for. Returns whether to repeat the request after it.
    ///
    /// # Errors
    ///
    /// The store asks for too many pauses: says why to give up.
    pub(super) fn after_response(&mut self, exchange: &Exchange, now: Timestamp) -> Result<bool, String> {
        self.adapt(exchange);
        let repeats = std::mem::take(&mut self.repeats);
        let Some(response) = exchange.response().filter(|response| matches!(response.status, 429 | 503)) else {
            return Ok(false);
        };
        let requested = retry_after::pause(response, now);
        if let Some(pause) = requested.filter(|pause| *pause > LONGEST_PAUSE) {
            return Err(format!("the store asks for a pause of {}", about(pause)));
        }
        self.pause = requested.or((response.status == 429).then_some(DEFAULT_PAUSE)).unwrap_or_default();
        self.paused += self.pause;
        if repeats >= MAX_REPEATS || self.paused > MAX_PAUSED {
            return Err("the store asks for fewer requests, again and again".to_owned());
        }
        // After 503 the request may have taken effect.
        let is_repeated = response.status == 429;
        self.repeats = if is_repeated { repeats + 1 } else { 0 };
        Ok(is_repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exchange, responded, without_response};
    use super::*;
    use crate::domain::{Ending, Header, OperationKind, PlantId, Probe};

    const PACE_HERE: Duration = Duration::from_millis(5);

    fn delete(ending: Ending) -> Exchange {
        exchange(1, OperationKind::Delete(PlantId(7)), Probe::default(), ending)
    }

    /// A response with this status, which asks for a pause of so many seconds.
    fn asking(status: u16, seconds: Option<u64>) -> Exchange {
        let mut ending = responded(status, "");
        if let Ending::Responded(response) = &mut ending {
            let value = seconds.map(|seconds| Header { name: "retry-after".into(), value: seconds.to_string() });
            response.headers = value.into_iter().collect();
        }
        delete(ending)
    }

    /// How the run goes on after each of the responses in turn, and how long it waits.
    fn waits(responses: &[(u16, Option<u64>)]) -> Vec<(&'static str, Duration)> {
        let mut pacing = Pacing::new(Pace::Fixed(PACE_HERE));
        let wait = |(status, seconds): &(u16, Option<u64>)| {
            let wait = match pacing.after_response(&asking(*status, *seconds), Timestamp(0)) {
                Ok(false) => "go on",
                Ok(true) => "repeat",
                Err(_) => "give up",
            };
            (wait, pacing.before_next(false))
        };
        responses.iter().map(wait).collect()
    }

    #[test]
    fn only_429_is_repeated_and_503_may_ask_for_a_pause() {
        let seconds = Duration::from_secs;
        for (status, after, expected) in [
            (429, None, ("repeat", seconds(1))),
            (429, Some(0), ("repeat", PACE_HERE)),
            (429, Some(60), ("repeat", seconds(60))),
            (429, Some(61), ("give up", PACE_HERE)),
            (503, None, ("go on", PACE_HERE)),
            (503, Some(60), ("go on", seconds(60))),
            (503, Some(61), ("give up", PACE_HERE)),
            (500, Some(61), ("go on", PACE_HERE)),
            (200, Some(61), ("go on", PACE_HERE)),
        ] {
            assert_eq!(waits(&[(status, after)]), [expected], "{status} {after:?}");
        }
    }

    #[test]
    fn a_run_gives_up_after_three_repetitions_or_five_minutes_of_pauses() {
        let how = |responses: &[(u16, Option<u64>)]| waits(responses).last().map(|(wait, _)| *wait);
        let limited = (429, Some(0));
        assert_eq!(how(&[limited; 3]), Some("repeat"));
        assert_eq!(how(&[limited; 4]), Some("give up"));
        assert_eq!(how(&[limited, limited, limited, (200, None), limited]), Some("repeat"));
        let minute = (503, Some(60));
        assert_eq!(how(&[minute, minute, minute, minute, (429, Some(60))]), Some("repeat"));
        assert_eq!(how(&[minute; 5]), Some("go on"));
        assert_eq!(how(&[minute; 6]), Some("give up"));
    }

    #[test]
    fn a_run_gives_up_after_six_requests_in_a_row_without_a_response() {
        let mut pacing = Pacing::new(Pace::Fixed(PACE_HERE));
        let lost = delete(without_response(FailureKind::NoResponse));
        for _ in 0..2 {
            for _ in 1..MAX_UNANSWERED {
                assert_eq!(pacing.count_unanswered(&lost), None);
            }
            assert_eq!(pacing.count_unanswered(&delete(responded(404, ""))), None);
        }
        let given_up = std::iter::repeat_with(|| pacing.count_unanswered(&lost)).take(MAX_UNANSWERED).flatten().count();
        assert_eq!(given_up, 1);
        assert!(!pacing.hangs());
    }
}
