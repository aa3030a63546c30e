//! How fast rows may go out: so many in a second, and not while the store asks to be left alone.
//!
//! Pure: times are durations since the import began.

use std::time::Duration;

/// Rows are let go for this long at once, so that a rate beyond a thousand a second is kept too.
const STEP: Duration = Duration::from_millis(5);

/// The stretch that a person is told the rate of.
const RECENTLY: Duration = Duration::from_secs(5);

/// When the next rows may go.
#[derive(Debug)]
pub(super) struct Pace {
    /// Rows in a second, at most; `None` is as fast as it goes.
    rate: Option<f64>,
    /// Up to when rows have been let go.
    spent: Duration,
    /// Until when nothing goes.
    pause: Option<Duration>,
}

impl Pace {
    /// With a rate in rows a second, above 0.
    pub(super) fn new(rate: Option<f64>) -> Self {
        Self { rate, spent: Duration::ZERO, pause: None }
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
        let Some(rate) = self.rate else { return (wanted, None) };
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
