//! How far an import has come.

use std::time::Duration;

use super::decision::RowCounts;
use crate::domain::Outcome;
use crate::domain::number_format::{counted, grouped};

/// What is true of plants that were sent again in vain.
const STILL_UNKNOWN: &str = "those are unknown still. A rejection does not say whether the earlier add arrived: an id that is taken may be taken by that very plant.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeCounts {
    pub accepted: u64,
    pub rejected: u64,
    pub unknown: u64,
    pub not_sent: u64,
}

impl OutcomeCounts {
    pub fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Accepted => &mut self.accepted,
            Outcome::Rejected => &mut self.rejected,
            Outcome::Unknown => &mut self.unknown,
            Outcome::NotSent => &mut self.not_sent,
        } += 1;
    }

    pub fn total(self) -> u64 {
        self.accepted + self.rejected + self.unknown + self.not_sent
    }
}

/// How far an import has come; the last one is what it came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Good rows of the file.
    pub rows: u64,
    /// What became of those that were sent.
    pub outcomes: OutcomeCounts,
    /// Accepted ones whose response differed from the document.
    pub mismatches: u64,
    /// Ends that the journal could not keep: their plants are unknown at the next start.
    pub not_kept: u64,
    /// Rows that were not sent.
    pub skipped: RowCounts,
    /// Rows that were sent again, of plants that were unknown.
    pub resent: u64,
    /// Those of them whose plants are unknown still.
    pub unresolved: u64,
    /// Requests under way.
    pub out: usize,
    pub elapsed: Duration,
    /// How many ended in the last stretch, and how long that was.
    pub recently: (u64, Duration),
    /// How long the store asks to be left alone from now on.
    pub pause: Option<Duration>,
    /// Whether it went slower at any time because the store asked for fewer requests (429).
    pub is_slowed: bool,
}

impl Progress {
    /// Rows that are done with.
    pub fn done(&self) -> u64 {
        self.outcomes.total() + self.skipped.rows()
    }

    pub fn left(&self) -> u64 {
        self.rows.saturating_sub(self.done())
    }

    /// Rows that end in a second, of late; 0 before there is anything to go by.
    pub fn per_second(&self) -> f64 {
        let (ended, took) = self.recently;
        #[expect(clippy::cast_precision_loss, reason = "a rate for people has few digits")]
        if took.is_zero() { 0.0 } else { ended as f64 / took.as_secs_f64() }
    }

    /// How long the rest takes if it goes on like this.
    pub fn time_left(&self) -> Option<Duration> {
        let rate = self.per_second();
        #[expect(clippy::cast_precision_loss, reason = "a guess for people has few digits")]
        let seconds = self.left() as f64 / rate;
        if rate > 0.0 { Duration::try_from_secs_f64(seconds).ok() } else { None }
    }

    /// What sending rows again has resolved, if any were.
    pub fn resent_sentence(&self) -> Option<String> {
        let Self { resent, unresolved, .. } = *self;
        let again = counted(resent, "unknown plant was", "unknown plants were");
        (resent > 0).then(|| match unresolved {
            0 => format!("{again} sent again: all resolved."),
            _ if unresolved == resent => format!("{again} sent again: nothing was resolved, {STILL_UNKNOWN}"),
            _ => format!(
                "{again} sent again: {} resolved, {} not; {STILL_UNKNOWN}",
                grouped(resent - unresolved),
                grouped(unresolved)
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_again_in_vain_is_counted() {
        let told = |resent, unresolved| Progress { resent, unresolved, ..Progress::default() }.resent_sentence();
        assert_eq!(told(0, 0), None);
        assert_eq!(told(2, 0).as_deref(), Some("2 unknown plants were sent again: all resolved."));
        assert!(told(1, 1).unwrap().starts_with("1 unknown plant was sent again: nothing was resolved, those are"));
        assert!(told(5, 2).unwrap().starts_with("5 unknown plants were sent again: 3 resolved, 2 not; those are"));
    }
}
