//! Summarises response times and outcomes: counts, percentiles, and columns for a chart.
//!
//! Must not know how the chart is drawn.

use std::time::Duration;

use super::{Outcome, Timestamp};

/// The part of an exchange that the statistics use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When sending began.
    pub started: Timestamp,
    /// The time from `started` to the end of the response or to the failure.
    pub elapsed: Duration,
    pub outcome: Outcome,
    /// Whether a status line was received: only then `elapsed` counts as a latency.
    pub responded: bool,
}

/// Consecutive exchanges, summarised as one column of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// When its first exchange started.
    pub started: Timestamp,
    /// The longest latency; `None` without a response.
    pub slowest: Option<Duration>,
    /// The median latency, the lower one of an even number.
    pub middle: Option<Duration>,
    /// The most severe outcome: unknown, then rejected, then not sent, then accepted.
    pub worst: Outcome,
    /// The number of exchanges, at least one.
    pub count: usize,
}

/// Exchanges in order of time, with their sorted latencies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LatencyStats {
    samples: Vec<Sample>,
    /// Sorted, the shortest first.
    latencies: Vec<Duration>,
}

impl LatencyStats {
    /// Computes the statistics of `samples`, which are in order of time.
    pub fn of(samples: Vec<Sample>) -> Self {
        Self { latencies: sorted_latencies(&samples), samples }
    }

    pub fn count(&self) -> usize {
        self.samples.len()
    }

    /// Returns the number of exchanges of each outcome, in the order of [`Outcome::ALL`].
    pub fn counts(&self) -> [usize; Outcome::ALL.len()] {
        Outcome::ALL.map(|outcome| self.samples.iter().filter(|sample| sample.outcome == outcome).count())
    }

    /// Returns percentiles by the nearest rank, so that each is a measured latency; `None` without a
    /// response.
    pub fn percentiles(&self) -> Option<[(&'static str, Duration); 3]> {
        let at = |percent| percentile(&self.latencies, percent);
        Some([("p50", at(50)?), ("p95", at(95)?), ("p99", at(99)?)])
    }

    /// Returns the longest latency; `None` without a response.
    pub fn slowest(&self) -> Option<Duration> {
        self.latencies.last().copied()
    }

    /// Divides the exchanges into at most `width` columns, the oldest first. The sizes of two columns differ
    /// by at most one.
    pub fn columns(&self, width: usize) -> Vec<Column> {
        let mut rest = self.samples.as_slice();
        let remaining_columns = (1..=width.min(rest.len())).rev();
        let columns = remaining_columns.map(|remaining| {
            let (own, after) = rest.split_at(rest.len().div_ceil(remaining));
            rest = after;
            Column::of(own)
        });
        columns.collect()
    }
}

pub(crate) const WORST_FIRST: [Outcome; 4] = [Outcome::Unknown, Outcome::Rejected, Outcome::NotSent, Outcome::Accepted];

impl Column {
    fn of(samples: &[Sample]) -> Self {
        let latencies = sorted_latencies(samples);
        let has = |outcome: &Outcome| samples.iter().any(|sample| sample.outcome == *outcome);
        Self {
            slowest: latencies.last().copied(),
            middle: percentile(&latencies, 50),
            worst: WORST_FIRST.into_iter().find(has).unwrap_or(Outcome::Accepted),
            count: samples.len(),
            started: samples.first().map(|sample| sample.started).unwrap_or_default(),
        }
    }
}

fn sorted_latencies(samples: &[Sample]) -> Vec<Duration> {
    let mut latencies: Vec<_> = samples.iter().filter(|sample| sample.responded).map(|sample| sample.elapsed).collect();
    latencies.sort_unstable();
    latencies
}

/// Returns the latency at rank ⌈`percent`/100 × `n`⌉ of `n` sorted latencies.
fn percentile(sorted: &[Duration], percent: usize) -> Option<Duration> {
    let rank = (percent * sorted.len()).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
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
        // A small range, so that some latencies are equal.
        (-5_i64..5, 0_u64..20, outcome, any::<bool>())
            .prop_map(|(started, millis, outcome, responded)| sample(started, millis, outcome, responded))
    }

    fn latencies(samples: &[Sample]) -> Vec<Duration> {
        let mut latencies: Vec<_> = samples.iter().filter(|s| s.responded).map(|s| s.elapsed).collect();
        latencies.sort();
        latencies
    }

    /// Finds the smallest latency that `percent` of all do not exceed, by trying each.
    fn naive(latencies: &[Duration], percent: usize) -> Option<Duration> {
        let not_above = |bound: Duration| latencies.iter().filter(|latency| **latency <= bound).count();
        latencies.iter().copied().find(|latency| not_above(*latency) * 100 >= percent * latencies.len())
    }

    #[test]
    fn no_exchange_means_no_latencies() {
        let latencies = LatencyStats::of(vec![]);
        assert_eq!((latencies.count(), latencies.counts(), latencies.latencies.len()), (0, [0; 4], 0));
        assert_eq!((latencies.percentiles(), latencies.columns(80)), (None, vec![]));
    }

    #[test]
    fn percentiles_are_measured_latencies() {
        let responded = |count: u64| (1..=count).rev().map(|n| sample(0, n, Outcome::Accepted, true)).collect();
        for (count, p50, p95, p99) in [(1, 1, 1, 1), (2, 1, 2, 2), (3, 2, 3, 3), (100, 50, 95, 99), (101, 51, 96, 100)]
        {
            let expected = [("p50", millis(p50)), ("p95", millis(p95)), ("p99", millis(p99))];
            assert_eq!(LatencyStats::of(responded(count)).percentiles(), Some(expected), "{count}");
        }
    }

    #[test]
    fn an_exchange_without_response_has_no_latency() {
        let failed = vec![sample(9, 30_000, Outcome::Unknown, false), sample(3, 1, Outcome::NotSent, false)];
        let mut samples = failed.clone();
        let latencies = LatencyStats::of(failed);
        assert_eq!((latencies.count(), latencies.counts(), latencies.latencies.len()), (2, [0, 0, 1, 1], 0));
        assert_eq!(latencies.percentiles(), None);
        let column = Column { started: Timestamp(9), slowest: None, middle: None, worst: Outcome::Unknown, count: 2 };
        assert_eq!(latencies.columns(1), [column]);
        samples.push(sample(10, 7, Outcome::Rejected, true));
        let middle = Some(millis(7));
        assert_eq!(LatencyStats::of(samples).columns(1), [Column { slowest: middle, middle, count: 3, ..column }]);
    }

    #[test]
    fn columns_have_equal_size_in_order_of_time() {
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

    proptest! {
        #[test]
        fn statistics_match_a_naive_computation(samples in prop::collection::vec(any_sample(), 0..300)) {
            let stats = LatencyStats::of(samples.clone());
            let latencies = latencies(&samples);
            prop_assert_eq!((stats.count(), stats.latencies.len()), (samples.len(), latencies.len()));
            prop_assert_eq!(stats.counts().iter().sum::<usize>(), samples.len());
            let shown = stats.percentiles().map(|of| of.map(|(_, time)| time));
            let expected = (!latencies.is_empty()).then(|| [50, 95, 99].map(|p| naive(&latencies, p).unwrap()));
            prop_assert_eq!(shown, expected);
        }

        #[test]
        fn every_exchange_is_in_one_column(
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
                prop_assert_eq!(column.started, own[0].started);
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
