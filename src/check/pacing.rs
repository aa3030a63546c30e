//! How long a run waits before its next request, and when it gives up on a store that asks for too many pauses
//! or does not respond.

use std::time::Duration;

use super::diagnosis::TIMEOUTS;
use crate::domain::sentence::failed_because;
use crate::domain::{Ending, Exchange, FailureKind, Timestamp, retry_after};

/// Between two requests to a store that others use, too, where nobody says otherwise.
pub const PACE: Duration = Duration::from_millis(100);
/// How often a request is sent again that was told to wait.
const PATIENCE: u32 = 3;
/// The longest pause that a store is given, and the one where it does not say how long.
const PAUSE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(1));
/// How long a run waits in all because a store asks for it.
const PAUSES: Duration = Duration::from_secs(300);
/// How long a store is given to have what it accepted, a pause after the other.
const LAGS: [Duration; 3] = [Duration::from_millis(200), Duration::from_millis(800), Duration::from_secs(2)];
/// Requests in a row without a response, after which nothing more is tried.
const SILENCE: usize = 6;

#[derive(Debug, Clone, Default)]
pub(super) struct Pacing {
    pace: Duration,
    /// What the store asks for before the next request, and what it has asked for in all.
    pause: Option<Duration>,
    paused: Duration,
    /// How often what goes out next was told to wait.
    tries: u32,
    /// How often the first delete found nothing, and how long a store takes to have a plant.
    lags: usize,
    lag: Duration,
    /// Requests in a row without a response, and those of them that timed out.
    silence: usize,
    timeouts: usize,
}

/// What a response asks for.
pub(super) enum Wait {
    GoOn,
    /// Its request is to be sent again after a pause.
    SendAgain,
    /// It asks for more than it is given, for this reason.
    GiveUp(String),
}

impl Pacing {
    pub(super) fn new(pace: Duration) -> Self {
        Self { pace, ..Self::default() }
    }

    /// How long to wait before the next request.
    pub(super) fn before_next(&mut self, is_first: bool, is_delete: bool) -> Duration {
        let pace = if is_first { Duration::ZERO } else { self.pace };
        let lag = if is_delete { self.lag } else { Duration::ZERO };
        self.pause.take().unwrap_or_default().max(pace).max(lag)
    }

    /// Counts requests without a response. Returns why to try nothing more, once there are too many in a row.
    pub(super) fn hears(&mut self, exchange: &Exchange) -> Option<String> {
        let Ending::Failed(failure) = &exchange.ending else {
            (self.silence, self.timeouts) = (0, 0);
            return None;
        };
        self.silence += 1;
        self.timeouts = if failure.kind == FailureKind::TimedOut { self.timeouts + 1 } else { 0 };
        let why = || {
            let why = failed_because(failure.kind, exchange.elapsed);
            format!("no response to {SILENCE} requests in a row, {why}")
        };
        (self.silence >= SILENCE).then(why)
    }

    /// Whether the last requests timed out, one after the other.
    pub(super) fn hangs(&self) -> bool {
        self.timeouts >= TIMEOUTS
    }

    /// Notes the pause that a response asks for.
    pub(super) fn wait_asked_for(&mut self, exchange: &Exchange, now: Timestamp) -> Wait {
        let tries = std::mem::take(&mut self.tries);
        let Some(response) = exchange.response().filter(|response| matches!(response.status, 429 | 503)) else {
            return Wait::GoOn;
        };
        let (longest, usual) = PAUSE;
        let asked = retry_after::pause(response, now);
        if let Some(asked) = asked.filter(|asked| *asked > longest) {
            return Wait::GiveUp(format!("the store asks for a pause of {} s", asked.as_secs()));
        }
        self.pause = asked.or((response.status == 429).then_some(usual));
        self.paused += self.pause.unwrap_or_default();
        // A 503 does not say that nothing was done.
        if response.status != 429 {
            return Wait::GoOn;
        }
        if tries >= PATIENCE || self.paused > PAUSES {
            return Wait::GiveUp("the store asks for fewer requests, again and again".to_owned());
        }
        self.tries = tries + 1;
        Wait::SendAgain
    }

    /// Whether the first delete may have come before the store had the plant. Then the store is given time,
    /// and as much before every delete from then on.
    pub(super) fn is_too_early(&mut self, is_absent: bool) -> bool {
        match LAGS.get(self.lags).filter(|_| is_absent) {
            Some(lag) => {
                self.lags += 1;
                self.pause = Some(*lag);
                true
            }
            None => {
                if !is_absent {
                    self.lag = LAGS.iter().take(self.lags).sum();
                }
                false
            }
        }
    }
}
