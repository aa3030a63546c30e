//! How fast rows may go out: so many in a second, and not while the store asks to be left alone.
//!
//! A store that rejects rows for coming too fast (429) and does not say when to come back gets a pause,
//! which doubles until it lets a row through, and then half the speed; the speed comes back with time.
//!
//! Pure: times are durations since the import began.

use std::time::Duration;

/// Rows are let go for this long at once, so that a rate beyond a thousand a second is kept too.
const STEP: Duration = Duration::from_millis(5);

/// The stretch over which the rate is measured.
const RECENTLY: Duration = Duration::from_secs(5);

/// The first pause for a store that asks for fewer requests and does not say for how long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// Pauses in a row after which the store is not waited for any longer: 15 seconds, or a good minute,
/// the window of many a limit, where it has let a row through before.
const PAUSES: u32 = 4;
const PAUSES_AFTER_OTHERS: u32 = 6;

/// Rows a second, below which no store is slowed down to: the pauses do the rest.
const SLOWEST: f64 = 1.0;

/// How long it takes from half the speed back to the speed that was too fast, and from there to
/// twice that, and so on.
const RECOVERY: Duration = Duration::from_secs(10);

/// When the next rows may go.
#[derive(Debug)]
pub(super) struct Pace {
    /// Rows in a second, at most; `None` is as fast as it goes.
    rate: Option<f64>,
    slowed: Option<Slowed>,
    /// Pauses of [`Self::slow_down`] since the store let a row through.
    in_vain: u32,
    /// Whether it ever did.
    has_let_through: bool,
    /// Up to when rows have been let go.
    spent: Duration,
    /// Until when nothing goes.
    pause: Option<Duration>,
}

impl Pace {
    /// With a rate in rows a second, above 0.
    pub(super) fn new(rate: Option<f64>) -> Self {
        Self { rate, slowed: None, in_vain: 0, has_let_through: false, spent: Duration::ZERO, pause: None }
    }

    /// Nothing goes until then; a longer pause stays.
    pub(super) fn pause_until(&mut self, until: Duration) {
        self.pause = self.pause.max(Some(until));
    }

    /// How long nothing goes from now on, if it is a pause.
    pub(super) fn pause(&self, now: Duration) -> Option<Duration> {
        self.pause.and_then(|until| until.checked_sub(now)).filter(|left| !left.is_zero())
    }

    /// How many of so many rows may go now; if not all, when to ask again. What may go is counted
    /// as gone.
    pub(super) fn let_go(&mut self, wanted: usize, now: Duration) -> (usize, Option<Duration>) {
        if let Some(left) = self.pause(now) {
            return (0, Some(now + left));
        }
        let Some(rate) = self.limit(now) else { return (wanted, None) };
        // Time that passed unused is not made up for, but for one step.
        self.spent = self.spent.max(now.saturating_sub(STEP));
        let each = Duration::from_secs_f64(1.0 / rate);
        let mut gone = 0;
        while gone < wanted && self.spent <= now {
            self.spent += each;
            gone += 1;
        }
        (gone, (gone < wanted).then_some(self.spent))
    }
}

impl Pace {
    /// Rows in a second, at most; `None` is as fast as it goes. Where the speed before is reached
    /// again, nothing is left of the slowing down.
    pub(super) fn limit(&mut self, now: Duration) -> Option<f64> {
        let own = self.slowed.as_ref().map(|slowed| slowed.speed(now));
        if let (Some(speed), Some(slowed)) = (own, &self.slowed)
            && speed >= slowed.before
        {
            self.slowed = None;
            return self.rate;
        }
        match (self.rate, own) {
            (Some(rate), Some(own)) => Some(rate.min(own)),
            (rate, own) => rate.or(own),
        }
    }

    /// Pauses for a store that rejected a row for coming too fast and did not say for how long, then
    /// goes on at half the speed; `speed` is how many rows ended in a second of late. What comes
    /// during the pause was on its way before. Returns the pause, `None` where enough were made.
    pub(super) fn slow_down(&mut self, speed: f64, now: Duration) -> Option<Duration> {
        if let Some(left) = self.pause(now) {
            return Some(left);
        }
        if self.in_vain >= if self.has_let_through { PAUSES_AFTER_OTHERS } else { PAUSES } {
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

    /// Notes that the store decided about a row, whatever it said: it does not ask for fewer now.
    pub(super) fn let_through(&mut self) {
        (self.in_vain, self.has_let_through) = (0, true);
    }

    /// Whether the store is being spared: it goes slower than it would.
    pub(super) fn is_slowed(&self) -> bool {
        self.slowed.is_some()
    }
}

/// The speed for a store that asked for fewer requests.
#[derive(Debug)]
struct Slowed {
    /// Rows a second to begin with: half of what was too fast.
    half: f64,
    /// From then on, the end of the pause.
    since: Duration,
    /// The speed before the first slowing down.
    before: f64,
}

impl Slowed {
    /// Rows a second: in even steps to what was too fast, and twice as many after each stretch then.
    fn speed(&self, now: Duration) -> f64 {
        let stretches = now.saturating_sub(self.since).as_secs_f64() / RECOVERY.as_secs_f64();
        if stretches <= 1.0 {
            self.half * (1.0 + stretches)
        } else {
            // Bounded: an import may go on for days.
            2.0 * self.half * (stretches - 1.0).min(64.0).exp2()
        }
    }
}

/// How many rows ended of late.
#[derive(Debug, Default)]
pub(super) struct Recently(std::collections::VecDeque<(Duration, u64)>);

impl Recently {
    /// So many have ended by now. Returns how many of them in the last stretch, and how long that was.
    pub(super) fn ended(&mut self, all: u64, now: Duration) -> (u64, Duration) {
        self.0.push_back((now, all));
        while self.0.get(1).is_some_and(|(at, _)| now.saturating_sub(*at) >= RECENTLY) {
            self.0.pop_front();
        }
        self.0.front().map_or((0, Duration::ZERO), |(at, then)| (all - then, now.saturating_sub(*at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many go in ten seconds, asked for as soon as they may.
    fn in_ten_seconds(rate: f64) -> usize {
        let (mut pace, mut now, mut gone) = (Pace::new(Some(rate)), Duration::ZERO, 0);
        while now < Duration::from_secs(10) {
            let (more, next) = pace.let_go(1000, now);
            gone += more;
            now = next.map_or(now, |next| next.max(now + Duration::from_micros(100)));
        }
        gone
    }

    #[test]
    fn a_rate_is_kept() {
        for (rate, at_least, at_most) in [(0.5, 5, 5), (1.0, 10, 10), (37.0, 369, 371), (20_000.0, 199_900, 200_200)] {
            let gone = in_ten_seconds(rate);
            assert!((at_least..=at_most).contains(&gone), "{rate}: {gone}");
        }
        assert_eq!(Pace::new(None).let_go(7, Duration::ZERO), (7, None));
    }

    #[test]
    fn what_was_not_used_is_not_made_up_for() {
        let mut pace = Pace::new(Some(10.0));
        assert_eq!(pace.let_go(100, Duration::from_secs(60)).0, 1);
    }

    #[test]
    fn a_pause_holds_everything_and_the_longer_one_counts() {
        let mut pace = Pace::new(None);
        pace.pause_until(Duration::from_secs(3));
        pace.pause_until(Duration::from_secs(2));
        assert_eq!(pace.let_go(5, Duration::from_secs(1)), (0, Some(Duration::from_secs(3))));
        assert_eq!(pace.pause(Duration::from_secs(1)), Some(Duration::from_secs(2)));
        assert_eq!(pace.let_go(5, Duration::from_secs(3)), (5, None));
        assert_eq!(pace.pause(Duration::from_secs(3)), None);
    }

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_store_that_asks_for_fewer_gets_a_pause_and_half_the_speed() {
        let mut pace = Pace::new(None);
        assert_eq!(pace.slow_down(40.0, seconds(5.0)), Some(FIRST_PAUSE));
        // What was on its way says the same once more, and it is the same pause.
        assert_eq!(pace.slow_down(40.0, seconds(5.25)), Some(seconds(0.75)));
        assert_eq!(pace.let_go(9, seconds(5.5)), (0, Some(seconds(6.0))));
        assert_eq!(pace.limit(seconds(6.0)), Some(20.0));
        assert_eq!(pace.let_go(9, seconds(6.0)).0, 1);
    }

    #[test]
    fn the_speed_comes_back() {
        let mut pace = Pace::new(None);
        pace.slow_down(40.0, seconds(9.0)).unwrap();
        let limits = [0.0, 5.0, 9.5].map(|later| pace.limit(seconds(10.0 + later)));
        assert_eq!(limits, [Some(20.0), Some(30.0), Some(39.0)]);
        assert!(pace.is_slowed());
        assert_eq!(pace.limit(seconds(20.0)), None);
        assert!(!pace.is_slowed());
        pace.let_through();
        // Slowed down twice it comes back in even steps, and then faster and faster.
        pace.slow_down(80.0, seconds(29.0)).unwrap();
        pace.let_through();
        pace.slow_down(40.0, seconds(30.0)).unwrap();
        let limits = [0.0, 10.0, 15.0].map(|later| pace.limit(seconds(31.0 + later)).map(f64::round));
        assert_eq!(limits, [Some(20.0), Some(40.0), Some(57.0)]);
        assert_eq!(pace.limit(seconds(51.0)), None);
    }

    #[test]
    fn a_rate_that_was_asked_for_is_never_exceeded() {
        let mut pace = Pace::new(Some(10.0));
        pace.slow_down(500.0, seconds(0.0)).unwrap();
        assert_eq!(pace.limit(seconds(1.0)), Some(5.0));
        assert_eq!(pace.limit(seconds(100.0)), Some(10.0));
        let mut slow = Pace::new(Some(0.5));
        slow.slow_down(500.0, seconds(0.0)).unwrap();
        assert_eq!(slow.limit(seconds(1.0)), Some(0.5));
    }

    #[test]
    fn a_store_that_always_asks_for_fewer_is_not_waited_for_without_end() {
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
            // One that is let through shows that waiting helps.
            pace.let_through();
            assert_eq!(pace.slow_down(100.0, now), Some(FIRST_PAUSE));
        }
    }

    #[test]
    fn the_rate_that_is_told_is_that_of_late() {
        let mut recently = Recently::default();
        assert_eq!(recently.ended(0, Duration::ZERO), (0, Duration::ZERO));
        assert_eq!(recently.ended(10, Duration::from_secs(1)), (10, Duration::from_secs(1)));
        for second in 2..=20 {
            let (ended, took) = recently.ended(second * 10, Duration::from_secs(second));
            assert_eq!(
                (ended, took),
                if second < 5 { (second * 10, Duration::from_secs(second)) } else { (50, RECENTLY) }
            );
        }
    }
}
