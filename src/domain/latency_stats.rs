//! How fast and how a store responds, at a glance: counts, percentiles, and columns for a chart.

use std::time::Duration;

use super::operation::Timestamp;
use super::outcome::Outcome;

/// What the statistics take of one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When sending began.
    pub started: Timestamp,
    /// From there to the end of the response, or to the failure.
    pub elapsed: Duration,
    pub outcome: Outcome,
    /// Whether a status line came: only then is `elapsed` a latency.
    pub responded: bool,
}

/// Latencies that so many per cent of the answered exchanges did not exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percentiles {
    pub p50: Duration,
    pub p95: Duration,
    pub p99: Duration,
}

/// Some exchanges in a row, as one column of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The longest latency; `None` where none was answered.
    pub slowest: Option<Duration>,
    /// The median latency by the nearest rank: the lower of two in the middle.
    pub middle: Option<Duration>,
    /// The gravest outcome: unknown, then rejected, then not sent, then accepted.
    pub worst: Outcome,
    /// How many exchanges it holds, one at least.
    pub count: usize,
}

/// Exchanges in order of time, counted and measured once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LatencyStats {
    samples: Vec<Sample>,
    /// The answered ones by their places in `samples`, fastest first.
    by_latency: Vec<usize>,
    counts: [usize; Outcome::ALL.len()],
    first_and_last: Option<(Timestamp, Timestamp)>,
}

impl LatencyStats {
    /// The pulse of these exchanges, the oldest first. Sorts them once by latency.
    pub fn of(samples: Vec<Sample>) -> Self {
        let counts = Outcome::ALL.map(|outcome| samples.iter().filter(|sample| sample.outcome == outcome).count());
        let times = || samples.iter().map(|sample| sample.started);
        let first_and_last = times().min().zip(times().max());
        let responded = samples.iter().enumerate().filter(|(_, sample)| sample.responded);
        let mut by_latency: Vec<(Duration, usize)> = responded.map(|(at, sample)| (sample.elapsed, at)).collect();
        by_latency.sort_unstable();
        let by_latency = by_latency.into_iter().map(|(_, at)| at).collect();
        Self { samples, by_latency, counts, first_and_last }
    }

    pub fn count(&self) -> usize {
        self.samples.len()
    }

    /// How many of each outcome, in the order of [`Outcome::ALL`].
    pub fn counts(&self) -> [usize; Outcome::ALL.len()] {
        self.counts
    }

    /// Counts the exchanges that brought a status line, whatever it said.
    pub fn responded(&self) -> usize {
        self.by_latency.len()
    }

    /// Percentiles of the latencies by the nearest rank: of `n` latencies in order, the `p`th
    /// percentile is that at place ⌈`p`/100 × `n`⌉, so that it was measured and not computed.
    /// `None` where none was answered.
    pub fn percentiles(&self) -> Option<Percentiles> {
        let at = |percent| self.latency(nearest_rank(percent, self.responded()));
        Some(Percentiles { p50: at(50)?, p95: at(95)?, p99: at(99)? })
    }

    /// The earliest start and the latest: clocks go backwards, so these need not be those of the
    /// first exchange and the last. `None` where there is no exchange.
    pub fn first_and_last(&self) -> Option<(Timestamp, Timestamp)> {
        self.first_and_last
    }

    /// The longest latency; `None` where none was answered.
    pub fn slowest(&self) -> Option<Duration> {
        self.latency(self.responded())
    }

    /// The exchanges in at most `width` columns, the oldest left, each holding as many as the
    /// others or one more. Takes time in proportion to the exchanges, memory to the columns.
    pub fn columns(&self, width: usize) -> Vec<Column> {
        let share = Share::of(self.samples.len(), width);
        let mut columns = vec![Column { slowest: None, middle: None, worst: Outcome::Accepted, count: 0 }; share.parts];
        // Answered exchanges of each column: in all, and met so far.
        let mut responded = vec![(0, 0); share.parts];
        for (at, sample) in self.samples.iter().enumerate() {
            let part = share.part_of(at);
            let (Some(column), Some((all, _))) = (columns.get_mut(part), responded.get_mut(part)) else { continue };
            column.count += 1;
            column.worst = graver(column.worst, sample.outcome);
            *all += usize::from(sample.responded);
        }
        // Met in order of latency: the last one of a column is its slowest.
        for at in &self.by_latency {
            let part = share.part_of(*at);
            let (Some(column), Some((all, met))) = (columns.get_mut(part), responded.get_mut(part)) else { continue };
            *met += 1;
            column.slowest = self.samples.get(*at).map(|sample| sample.elapsed);
            if *met == nearest_rank(50, *all) {
                column.middle = column.slowest;
            }
        }
        columns
    }

    /// The latency at a place counted from 1, fastest first.
    fn latency(&self, rank: usize) -> Option<Duration> {
        let at = self.by_latency.get(rank.checked_sub(1)?)?;
        self.samples.get(*at).map(|sample| sample.elapsed)
    }
}

/// The place of a percentile among `count` in order, counted from 1.
fn nearest_rank(percent: usize, count: usize) -> usize {
    (percent * count).div_ceil(100)
}

fn graver(one: Outcome, other: Outcome) -> Outcome {
    let gravity = |outcome| match outcome {
        Outcome::Accepted => 0,
        Outcome::NotSent => 1,
        Outcome::Rejected => 2,
        Outcome::Unknown => 3,
    };
    if gravity(other) > gravity(one) { other } else { one }
}

/// Things in a row, dealt out to parts in a row; no part is empty.
struct Share {
    parts: usize,
    /// Things in a part; the first `longer` parts have one more.
    each: usize,
    longer: usize,
}

impl Share {
    fn of(things: usize, parts: usize) -> Self {
        let parts = parts.min(things);
        let each = things.checked_div(parts).unwrap_or_default();
        Self { parts, each, longer: things - parts * each }
    }

    /// The part that the thing at this place is in.
    fn part_of(&self, at: usize) -> usize {
        let in_longer = self.longer * (self.each + 1);
        match at.checked_sub(in_longer) {
            None => at / (self.each + 1),
            Some(behind) => self.longer + behind.checked_div(self.each).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample(started: i64, millis: u64, outcome: Outcome, responded: bool) -> Sample {
        Sample { started: Timestamp(started), elapsed: Duration::from_millis(millis), outcome, responded }
    }

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn any_sample() -> impl Strategy<Value = Sample> {
        let outcome = prop::sample::select(&Outcome::ALL[..]);
        // Few latencies, so that some are equal.
        (-5_i64..5, 0_u64..20, outcome, any::<bool>())
            .prop_map(|(started, millis, outcome, responded)| sample(started, millis, outcome, responded))
    }

    fn latencies(samples: &[Sample]) -> Vec<Duration> {
        let mut latencies: Vec<_> = samples.iter().filter(|s| s.responded).map(|s| s.elapsed).collect();
        latencies.sort();
        latencies
    }

    /// The least latency that so many per cent do not exceed, found by trying each.
    fn naive(latencies: &[Duration], percent: usize) -> Option<Duration> {
        let not_above = |bound: Duration| latencies.iter().filter(|latency| **latency <= bound).count();
        latencies.iter().copied().find(|latency| not_above(*latency) * 100 >= percent * latencies.len())
    }

    #[test]
    fn nothing_has_no_latencies() {
        let latencies = LatencyStats::of(vec![]);
        assert_eq!((latencies.count(), latencies.counts(), latencies.responded()), (0, [0; 4], 0));
        assert_eq!((latencies.percentiles(), latencies.first_and_last(), latencies.columns(80)), (None, None, vec![]));
    }

    #[test]
    fn percentiles_are_latencies_that_were_measured() {
        let responded = |count: u64| (1..=count).rev().map(|n| sample(0, n, Outcome::Accepted, true)).collect();
        for (count, p50, p95, p99) in [(1, 1, 1, 1), (2, 1, 2, 2), (3, 2, 3, 3), (100, 50, 95, 99), (101, 51, 96, 100)]
        {
            let expected = Percentiles { p50: millis(p50), p95: millis(p95), p99: millis(p99) };
            assert_eq!(LatencyStats::of(responded(count)).percentiles(), Some(expected), "{count}");
        }
    }

    #[test]
    fn what_was_not_answered_has_no_latency() {
        let failed = vec![sample(9, 30_000, Outcome::Unknown, false), sample(3, 1, Outcome::NotSent, false)];
        let mut samples = failed.clone();
        let latencies = LatencyStats::of(failed);
        assert_eq!((latencies.count(), latencies.counts(), latencies.responded()), (2, [0, 0, 1, 1], 0));
        assert_eq!((latencies.percentiles(), latencies.first_and_last()), (None, Some((Timestamp(3), Timestamp(9)))));
        let column = Column { slowest: None, middle: None, worst: Outcome::Unknown, count: 2 };
        assert_eq!(latencies.columns(1), [column]);
        samples.push(sample(10, 7, Outcome::Rejected, true));
        let middle = Some(millis(7));
        assert_eq!(LatencyStats::of(samples).columns(1), [Column { slowest: middle, middle, count: 3, ..column }]);
    }

    #[test]
    fn columns_are_of_one_size_in_order_of_time() {
        let samples: Vec<_> = (1..=7).map(|n| sample(0, n, Outcome::Accepted, true)).collect();
        let latencies = LatencyStats::of(samples);
        let columns =
            |width| latencies.columns(width).iter().map(|c| (c.count, c.middle, c.slowest)).collect::<Vec<_>>();
        let column = |count, middle, slowest| (count, Some(millis(middle)), Some(millis(slowest)));
        assert_eq!(columns(3), [column(3, 2, 3), column(2, 4, 5), column(2, 6, 7)]);
        assert_eq!(columns(1), [column(7, 4, 7)]);
        assert_eq!(columns(usize::MAX).len(), 7);
        assert_eq!(columns(0), []);
    }

    #[test]
    fn one_outcome_is_graver_than_another() {
        let by_gravity = [Outcome::Accepted, Outcome::NotSent, Outcome::Rejected, Outcome::Unknown];
        for (less, one) in by_gravity.into_iter().enumerate() {
            for other in by_gravity.into_iter().skip(less) {
                assert_eq!((graver(one, other), graver(other, one)), (other, other));
            }
        }
    }

    proptest! {
        #[test]
        fn the_figures_agree_with_counting_and_sorting(samples in prop::collection::vec(any_sample(), 0..300)) {
            let stats = LatencyStats::of(samples.clone());
            let latencies = latencies(&samples);
            prop_assert_eq!((stats.count(), stats.responded()), (samples.len(), latencies.len()));
            prop_assert_eq!(stats.counts().iter().sum::<usize>(), samples.len());
            let shown = stats.percentiles().map(|of| [of.p50, of.p95, of.p99]);
            let expected = (!latencies.is_empty()).then(|| [50, 95, 99].map(|p| naive(&latencies, p).unwrap()));
            prop_assert_eq!(shown, expected);
            let (first, last) = stats.first_and_last().unzip();
            prop_assert!(samples.iter().all(|s| first <= Some(s.started) && Some(s.started) <= last));
            prop_assert!(first.is_none() || samples.iter().any(|s| Some(s.started) == first));
        }

        /// Each sample is in exactly one column, and each column tells of its own samples only.
        #[test]
        fn columns_hold_every_exchange_once(
            samples in prop::collection::vec(any_sample(), 0..300),
            width in 0_usize..400,
        ) {
            let columns = LatencyStats::of(samples.clone()).columns(width);
            prop_assert_eq!(columns.len(), width.min(samples.len()));
            let mut rest = samples.as_slice();
            for column in &columns {
                let (own, after) = rest.split_at_checked(column.count).unwrap();
                rest = after;
                let latencies = latencies(own);
                prop_assert!((samples.len() / columns.len()..=samples.len().div_ceil(columns.len())).contains(&own.len()));
                prop_assert_eq!(column.slowest, latencies.last().copied());
                prop_assert_eq!(column.middle, naive(&latencies, 50));
                let has = |outcome| own.iter().any(|sample| sample.outcome == outcome);
                let by_gravity = [Outcome::Unknown, Outcome::Rejected, Outcome::NotSent, Outcome::Accepted];
                prop_assert_eq!(Some(column.worst), by_gravity.into_iter().find(|outcome| has(*outcome)));
            }
            prop_assert!(rest.is_empty() || width == 0);
        }
    }
}
