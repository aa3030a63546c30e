//! The progress of an import.

use std::time::Duration;

use super::decision::RowCounts;
use crate::domain::OutcomeCounts;
use crate::domain::sentence::page_proves;
use crate::text::number_format::{counted, grouped};

/// The filter for requests whose response was a web page, and was accepted by its status.
const ACCEPTED_PAGES: &str = "response:<html status:2xx";

/// The end of a sentence about plants that were sent again and are still unknown.
const STILL_UNKNOWN: &str = "they are still unknown. A rejection does not prove whether the earlier add arrived: the id may be taken by that very plant.";

/// The filter for plants that are stored by the status of a web page.
pub(super) fn stored_by_pages() -> String {
    format!("{ACCEPTED_PAGES} state:stored")
}

/// Says what to do about these plants, if the store lacks them.
pub(super) fn if_lacking() -> String {
    let them = stored_by_pages();
    format!(
        "If it lacks them, plants resolve --match '{them}' --forget takes them from the list; then import the same file again."
    )
}

/// The progress of an import; the last one is the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Good rows of the file.
    pub rows: u64,
    /// Outcomes of the rows that were sent.
    pub outcomes: OutcomeCounts,
    /// Rows that a 5xx response left unknown.
    pub failed_by_store: u64,
    /// Accepted rows whose response differed from the document.
    pub mismatches: u64,
    /// Accepted rows to which a web page came.
    pub pages: u64,
    /// Rows whose intents were recorded and whose ends could not be: the next start has their plants as unknown.
    pub unrecorded: u64,
    /// Rows that were never submitted.
    pub unsent: RowCounts,
    /// Rows of unknown plants that were sent again.
    pub resent: u64,
    /// Rows of stored plants that were sent again.
    pub resent_stored: u64,
    /// Rows sent again whose plants are still unknown.
    pub unresolved: u64,
    /// Requests in flight.
    pub out: usize,
    /// Without the time that it waited for a person.
    pub elapsed: Duration,
    /// Rows that ended in the last period, and its length.
    pub recently: (u64, Duration),
    /// Rest of the pause that the store asked for.
    pub pause: Option<Duration>,
    /// Whether the import ever slowed down because the store asked for fewer requests (429).
    pub is_slowed: bool,
    /// Whether a row was rejected with 401 or 403.
    pub is_token_rejected: bool,
    /// Whether a row was rejected with 429.
    pub is_limited: bool,
}

impl Progress {
    /// Returns the number of rows that are sent, skipped, or not sent for a reason.
    pub fn done(&self) -> u64 {
        self.outcomes.total() + self.unsent.total()
    }

    /// Returns the outcomes of all rows that need something: those that were never submitted are not sent.
    pub fn all_outcomes(&self) -> OutcomeCounts {
        OutcomeCounts { not_sent: self.outcomes.not_sent + self.unsent.withheld(), ..self.outcomes }
    }

    pub fn left(&self) -> u64 {
        self.rows.saturating_sub(self.done())
    }

    /// Whether another import of the same file may add rows that this one did not.
    pub fn has_missing(&self) -> bool {
        self.left() + self.outcomes.not_sent > 0 || self.is_token_rejected || self.is_limited
    }

    /// Begins the advice to import the file again. Another import skips plants that are stored by the status of a web
    /// page: these are decided about first.
    pub fn import_again(&self) -> &'static str {
        if self.pages == 0 { "Import the same file again" } else { "Then import the same file again" }
    }

    /// Whether there are rows whose plants are unknown, or may be at the next start.
    pub fn has_unknown_plants(&self) -> bool {
        self.outcomes.unknown + self.unsent.unknown + self.unresolved + self.unrecorded > 0
    }

    /// Returns the current rate in rows a second; 0 before anything was measured.
    pub fn per_second(&self) -> f64 {
        let (ended, took) = self.recently;
        #[expect(clippy::cast_precision_loss, reason = "a rate for people has few digits")]
        if took.is_zero() { 0.0 } else { ended as f64 / took.as_secs_f64() }
    }

    /// Estimates the time for the remaining rows.
    pub fn time_left(&self) -> Option<Duration> {
        let rate = self.per_second();
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people has few digits")]
        let seconds = self.left() as f64 / rate;
        if rate > 0.0 { Duration::try_from_secs_f64(seconds).ok() } else { None }
    }

    /// Renders how many plants are stored by a status alone, if some are.
    pub fn pages_sentence(&self) -> Option<String> {
        accepted_pages(self.pages).map(|pages| format!("{pages} {}", if_lacking()))
    }

    /// Renders how many unknown plants were resolved by sending rows again, if any were sent again.
    pub fn resent_sentence(&self) -> Option<String> {
        let Self { resent, unresolved, .. } = *self;
        let again = counted(resent, "unknown plant was", "unknown plants were");
        (resent > 0).then(|| match unresolved {
            0 => format!("{again} sent again: all resolved."),
            _ => format!(
                "{again} sent again: {} resolved, {} not; {STILL_UNKNOWN}",
                grouped(resent - unresolved),
                grouped(unresolved)
            ),
        })
    }
}

/// The time of an import, without that for which it waits for a person.
#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    measured: Duration,
    elapsed: Duration,
}

impl Stopwatch {
    /// Returns the time until now; that since the last call is a part of it if it `counts`.
    pub(super) fn measure(&mut self, now: Duration, counts: bool) -> Duration {
        let passed = now.saturating_sub(std::mem::replace(&mut self.measured, now));
        self.elapsed += if counts { passed } else { Duration::ZERO };
        self.elapsed
    }
}

/// Says what so many responses leave open that were accepted by their status and are web pages; `None` for none.
pub fn accepted_pages(count: u64) -> Option<String> {
    let pages = counted(count, "response is a web page, which proves", "responses are web pages, which prove");
    (count > 0).then(|| format!("{} In History, {ACCEPTED_PAGES} finds them.", page_proves(&pages, "plants")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_for_a_person_is_no_part_of_the_time() {
        let (mut time, seconds) = (Stopwatch::default(), Duration::from_secs);
        let measured =
            [(2, true), (3, true), (20, false), (21, true), (22, true), (50, false), (90, false), (91, true)]
                .map(|(now, counts)| time.measure(seconds(now), counts).as_secs());
        assert_eq!(measured, [2, 3, 3, 4, 5, 5, 5, 6]);
    }

    #[test]
    fn rows_sent_again_are_reported_as_resolved_or_not() {
        let sentence = |resent, unresolved| Progress { resent, unresolved, ..Progress::default() }.resent_sentence();
        assert_eq!(sentence(0, 0), None);
        assert_eq!(sentence(2, 0).as_deref(), Some("2 unknown plants were sent again: all resolved."));
        assert!(sentence(1, 1).unwrap().starts_with("1 unknown plant was sent again: 0 resolved, 1 not; they are"));
        assert!(sentence(5, 2).unwrap().starts_with("5 unknown plants were sent again: 3 resolved, 2 not; they are"));
    }
}
