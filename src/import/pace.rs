//! Limits how fast rows are sent: by the rate that a person sets, and by the pauses that the store asks for.
//!
//! After a 429 without a time to retry, the import pauses, twice as long each time until the store lets a
//! row through. Then it goes on at half the speed, which recovers with time.
//!
//! Reads no clock: times are durations since the import began.

use std::time::Duration;

/// Rows of this much time are released at once, so that rates above a thousand a second are reached.
const STEP: Duration = Duration::from_millis(5);

/// Period over which the current rate is measured.
const RECENT: Duration = Duration::from_secs(5);

/// First pause after a 429 without a time to retry.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// Consecutive pauses before the import ends: 15 seconds in all, or 63 seconds after a row was let through,
/// because many rate limits use a window of one minute.
const PAUSES: u32 = 4;
const PAUSES_AFTER_SUCCESS: u32 = 6;

/// Lowest speed in rows a second; for a slower store there are pauses.
const SLOWEST: f64 = 1.0;

/// Time in which the reduced speed doubles.
const RECOVERY: Duration = Duration::from_secs(10);

/// Decides when the next rows may be sent.
#[derive(Debug)]
pub(super) struct Pace {
    /// Greatest number of rows a second; `None` means no limit.
    rate: Option<f64>,
    slowed: Option<Slowed>,
    /// Consecutive pauses of [`Self::slow_down`] without a row that the store let through.
    in_vain: u32,
    has_let_through: bool,
    /// Time for which rows have been released.
    spent: Duration,
    /// End of the current pause.
    pause: Option<Duration>,
}

impl Pace {
    /// Takes a rate in rows a second, above 0.
    pub(super) fn new(rate: Option<f64>) -> Self {
        Self { rate, slowed: None, in_vain: 0, has_let_through: false, spent: Duration::ZERO, pause: None }
    }

    /// Releases nothing before `until`, or the end of a longer pause.
    pub(super) fn pause_until(&mut self, until: Duration) {
        self.pause = self.pause.max(Some(until));
    }

    /// Returns the rest of the current pause.
    pub(super) fn pause(&self, now: Duration) -> Option<Duration> {
        self.pause.and_then(|until| until.checked_sub(now)).filter(|left| !left.is_zero())
    }

    /// Releases up to `wanted` rows. Returns how many, and if not all, when to call again.
    pub(super) fn release(&mut self, wanted: usize, now: Duration) -> (usize, Option<Duration>) {
        if let Some(left) = self.pause(now) {
            return (0, Some(now + left));
        }
        let Some(rate) = self.limit(now) else { return (wanted, None) };
        // Unused time allows no burst of more than one step.
        self.spent = self.spent.max(now.saturating_sub(STEP));
        let each = Duration::from_secs_f64(1.0 / rate);
        let mut released = 0;
        while released < wanted && self.spent <= now {
            self.spent += each;
            released += 1;
        }
        (released, (released < wanted).then_some(self.spent))
    }

    /// Returns the greatest number of rows a second, `None` for no limit. Ends the slowing down once the
    /// earlier speed is reached.
    pub(super) fn limit(&mut self, now: Duration) -> Option<f64> {
        self.slowed.take_if(|slowed| slowed.speed(now) >= slowed.before);
        let own = self.slowed.as_ref().map(|slowed| slowed.speed(now));
        self.rate.into_iter().chain(own).reduce(f64::min)
    }

    /// Pauses after a 429 without a time to retry, then goes on at half the speed. `speed` is the current
    /// rate in rows a second. During a pause it changes nothing: such a row was sent before. Returns the
    /// pause, or `None` after too many of them.
    pub(super) fn slow_down(&mut self, speed: f64, now: Duration) -> Option<Duration> {
        if let Some(left) = self.pause(now) {
            return Some(left);
        }
        if self.in_vain >= if self.has_let_through { PAUSES_AFTER_SUCCESS } else { PAUSES } {
            return None;
        }
        let pause = FIRST_PAUSE * 2_u32.saturating_pow(self.in_vain);
        self.in_vain += 1;
        let too_fast = self.limit(now).unwrap_or(speed);
        let before = self.slowed.as_ref().map_or(too_fast, |slowed| slowed.before);
        let half = (too_fast / 2.0).max(SLOWEST);
        let since = now + pause;
        self.slowed = Some(Slowed { half, since, before: before.max(2.0 * half) });
        self.pause_until(since);
        Some(pause)
    }

    /// Notes that the store accepted or rejected a row, and no longer asks for fewer requests.
    pub(super) fn let_through(&mut self) {
        (self.in_vain, self.has_let_through) = (0, true);
    }

    pub(super) fn is_slowed(&self) -> bool {
        self.slowed.is_some()
    }
}

/// The reduced speed after a 429.
#[derive(Debug)]
struct Slowed {
    /// Rows a second at the end of the pause: half the speed that was too fast.
    half: f64,
    /// End of the pause.
    since: Duration,
    /// Speed before the first slowing down.
    before: f64,
}

impl Slowed {
    /// Returns the speed in rows a second.
    fn speed(&self, now: Duration) -> f64 {
        let doublings = now.saturating_sub(self.since).as_secs_f64() / RECOVERY.as_secs_f64();
        // Bounded, because an import may run for days.
        self.half * doublings.min(64.0).exp2()
    }
}

/// Measures how many rows ended recently.
#[derive(Debug, Default)]
pub(super) struct Recently(std::collections::VecDeque<(Duration, u64)>);

impl Recently {
    /// Notes that `all` rows have ended by now. Returns how many ended in the last period, and its length.
    pub(super) fn measure(&mut self, all: u64, now: Duration) -> (u64, Duration) {
        self.0.push_back((now, all));
        while self.0.get(1).is_some_and(|(at, _)| now.saturating_sub(*at) >= RECENT) {
            self.0.pop_front();
        }
        self.0.front().map_or((0, Duration::ZERO), |(at, then)| (all - then, now.saturating_sub(*at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the rows that are released in ten seconds.
    fn released_in_ten_seconds(rate: f64) -> usize {
        let (mut pace, mut now, mut released) = (Pace::new(Some(rate)), Duration::ZERO, 0);
        while now < Duration::from_secs(10) {
            let (more, next) = pace.release(1000, now);
            released += more;
            now = next.map_or(now, |next| next.max(now + Duration::from_micros(100)));
        }
        released
    }

    #[test]
    fn rows_are_released_at_the_rate() {
        for (rate, at_least, at_most) in [(0.5, 5, 5), (1.0, 10, 10), (37.0, 369, 371), (20_000.0, 199_900, 200_200)] {
            let released = released_in_ten_seconds(rate);
            assert!((at_least..=at_most).contains(&released), "{rate}: {released}");
        }
        assert_eq!(Pace::new(None).release(7, Duration::ZERO), (7, None));
    }

    #[test]
    fn unused_time_allows_no_burst() {
        let mut pace = Pace::new(Some(10.0));
        assert_eq!(pace.release(100, Duration::from_secs(60)).0, 1);
    }

    #[test]
    fn a_pause_releases_nothing_and_a_shorter_one_does_not_end_it() {
        let mut pace = Pace::new(None);
        pace.pause_until(Duration::from_secs(3));
        pace.pause_until(Duration::from_secs(2));
        assert_eq!(pace.release(5, Duration::from_secs(1)), (0, Some(Duration::from_secs(3))));
        assert_eq!(pace.pause(Duration::from_secs(1)), Some(Duration::from_secs(2)));
        assert_eq!(pace.release(5, Duration::from_secs(3)), (5, None));
        assert_eq!(pace.pause(Duration::from_secs(3)), None);
    }

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_429_causes_a_pause_and_half_the_speed() {
        let mut pace = Pace::new(None);
        assert_eq!(pace.slow_down(40.0, seconds(5.0)), Some(FIRST_PAUSE));
        // Another 429 for a request in flight does not prolong the pause.
        assert_eq!(pace.slow_down(40.0, seconds(5.25)), Some(seconds(0.75)));
        assert_eq!(pace.release(9, seconds(5.5)), (0, Some(seconds(6.0))));
        assert_eq!(pace.limit(seconds(6.0)), Some(20.0));
        assert_eq!(pace.release(9, seconds(6.0)).0, 1);
    }

    #[test]
    fn the_speed_recovers() {
        let mut pace = Pace::new(None);
        pace.slow_down(40.0, seconds(9.0)).unwrap();
        let limits = [0.0, 5.0, 9.5].map(|later| pace.limit(seconds(10.0 + later)).map(f64::round));
        assert_eq!(limits, [Some(20.0), Some(28.0), Some(39.0)]);
        assert!(pace.is_slowed());
        assert_eq!(pace.limit(seconds(20.0)), None);
        assert!(!pace.is_slowed());
        pace.let_through();
        // After two 429 it doubles more than once.
        pace.slow_down(80.0, seconds(29.0)).unwrap();
        pace.let_through();
        pace.slow_down(40.0, seconds(30.0)).unwrap();
        let limits = [0.0, 10.0, 15.0].map(|later| pace.limit(seconds(31.0 + later)).map(f64::round));
        assert_eq!(limits, [Some(20.0), Some(40.0), Some(57.0)]);
        assert_eq!(pace.limit(seconds(51.0)), None);
    }

    #[test]
    fn the_rate_that_a_person_sets_is_never_exceeded() {
        let mut pace = Pace::new(Some(10.0));
        pace.slow_down(500.0, seconds(0.0)).unwrap();
        assert_eq!(pace.limit(seconds(1.0)), Some(5.0));
        assert_eq!(pace.limit(seconds(100.0)), Some(10.0));
        let mut slow = Pace::new(Some(0.5));
        slow.slow_down(500.0, seconds(0.0)).unwrap();
        assert_eq!(slow.limit(seconds(1.0)), Some(0.5));
    }

    #[test]
    fn pauses_end_when_the_store_lets_nothing_through() {
        for (lets_one_through, expected) in [(false, &[1, 2, 4, 8][..]), (true, &[1, 2, 4, 8, 16, 32])] {
            let (mut pace, mut now, mut pauses) = (Pace::new(None), Duration::ZERO, Vec::new());
            if lets_one_through {
                pace.let_through();
            }
            while let Some(pause) = pace.slow_down(100.0, now) {
                pauses.push(pause.as_secs());
                now += pause;
            }
            assert_eq!(pauses, expected);
            // A row that is let through allows pauses again.
            pace.let_through();
            assert_eq!(pace.slow_down(100.0, now), Some(FIRST_PAUSE));
        }
    }

    #[test]
    fn the_rate_is_that_of_the_last_period() {
        let mut recently = Recently::default();
        assert_eq!(recently.measure(0, Duration::ZERO), (0, Duration::ZERO));
        assert_eq!(recently.measure(10, Duration::from_secs(1)), (10, Duration::from_secs(1)));
        for second in 2..=20 {
            let (ended, took) = recently.measure(second * 10, Duration::from_secs(second));
            assert_eq!(
                (ended, took),
                if second < 5 { (second * 10, Duration::from_secs(second)) } else { (50, RECENT) }
            );
        }
    }
}
