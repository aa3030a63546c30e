//! What an import tells of its rows: lines and a progress bar for people, a value each for programs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::bar::Bar;
use super::json::{self, in_millis};
use super::operate::is_not_recorded;
use super::{end, print};
use crate::domain::number_format::{about, grouped, rate};
use crate::domain::plant::Field;
use crate::domain::text::clean;
use crate::domain::{Outcome, StoreUrl, sentence};
use crate::import::{Decision, Event, ImportRow, Over, Preview, Progress, RowEnd, RowFault, Summary};
use crate::worker::Ended;

pub(super) struct Account {
    pub(super) file: String,
    pub(super) json: bool,
    pub(super) bar: Bar,
    /// Whether stdout takes no more.
    pub(super) is_lost: AtomicBool,
}

/// A row that is bad.
#[derive(Serialize)]
struct Fault<'a> {
    line: u64,
    column: u64,
    field: Option<&'static str>,
    reason: &'a str,
}

/// A row that was sent, or left out.
#[derive(Serialize)]
struct Row<'a> {
    line: u64,
    #[serde(flatten)]
    operation: json::Operation<'a>,
    /// Whether it was sent again in vain: its plant is unknown still.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unresolved: bool,
}

/// The last line.
#[derive(Serialize)]
struct Counts<'a> {
    file: &'a str,
    format: &'static str,
    rows: u64,
    bad: u64,
    /// Rows that would be sent; of a dry run alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_send: Option<u64>,
    accepted: u64,
    rejected: u64,
    unknown: u64,
    not_sent: u64,
    already_stored: u64,
    differs: u64,
    unknown_before: u64,
    busy: u64,
    left: u64,
    resent: u64,
    unresolved: u64,
    dry_run: bool,
    interrupted: bool,
    halted: Option<&'a str>,
    elapsed_ms: f64,
}

impl Account {
    pub(super) fn event(&self, event: &Event<'_>, store: &StoreUrl) {
        match event {
            Event::Progress(progress) => self.show(progress),
            Event::Row(end) => self.row(end),
            Event::Skipped(row, decision) => self.skipped(row, *decision),
            Event::TokenRenewed => self.bar.message(&format!(
                "{store} rejected the token (401); its token command gave another, and the import goes on."
            )),
        }
    }

    /// Tells what became of a row: people where it is not as it should be, programs always.
    fn row(&self, end: &RowEnd<'_>) {
        let RowEnd { line, ended: Ended { exchange, recorded, .. }, mismatches, unresolved } = end;
        let outcome = exchange.outcome();
        let is_kept = recorded.is_ok() || is_not_recorded(exchange);
        if outcome != Outcome::Accepted || !mismatches.is_empty() || !is_kept {
            let mut words = vec![format!("line {line}: {}", sentence::describe(exchange, None))];
            words.extend(mismatches.iter().map(|difference| format!("Mismatch: {difference}.")));
            if let (Some(unresolved), Outcome::Rejected | Outcome::NotSent) = (unresolved, outcome) {
                words.push(format!("{} It stays unknown.", sentence::explain_rejection(exchange, unresolved)));
            }
            if let (Err(why), false) = (recorded, is_kept) {
                words.push(format!("The journal could not keep this response: {why}."));
            }
            self.bar.message(&words.join(" "));
        }
        if self.json {
            let mut operation = json::Operation::new(exchange, None, None);
            operation.recorded = is_kept;
            self.result(&Row { line: *line, operation, unresolved: unresolved.is_some() });
        }
    }

    /// Tells of a row that is not sent, where a person should know of it.
    pub(super) fn skipped(&self, row: &ImportRow, decision: Decision) {
        let (outcome, why) = match decision {
            Decision::Send | Decision::Resend | Decision::Stored => return,
            Decision::Differs => (Outcome::NotSent, "is not sent: another name or tag is stored at that id"),
            Decision::Busy => (Outcome::NotSent, "is not sent: it is being added or deleted at this moment"),
            Decision::Unknown => {
                (Outcome::Unknown, "is not sent: it is unknown from before; --resend-unknown sends it again")
            }
        };
        let message = format!("{} {why}.", sentence::called(row.plant.id, Some(&row.plant.name)));
        self.bar.message(&format!("line {}: {message}", row.line));
        if self.json {
            let operation = json::Operation::left_out(&row.plant, outcome, message);
            self.result(&Row { line: row.line, operation, unresolved: false });
        }
    }

    /// Prints a line for programs; once one is lost there is no use in more.
    fn result(&self, value: &impl Serialize) {
        if !self.is_lost.load(Ordering::Relaxed) && !end::succeeded(print::json(value)) {
            self.is_lost.store(true, Ordering::Relaxed);
        }
    }

    fn show(&self, progress: &Progress) {
        let outcomes = progress.outcomes;
        let mut words = vec![format!("{} of {}", grouped(progress.done()), grouped(progress.rows))];
        for (count, what) in
            [(outcomes.rejected, "rejected"), (outcomes.unknown, "unknown"), (outcomes.not_sent, "not sent")]
        {
            words.extend((count > 0).then(|| format!("{} {what}", grouped(count))));
        }
        if let Some(pause) = progress.pause {
            words.push(format!("the store asks to wait {}", about(pause)));
        } else if let Some(left) = progress.time_left() {
            words.push(rate(progress.per_second()));
            words.push(format!("{} left", about(left)));
        }
        self.bar.show(progress.done(), progress.rows, words.join(" · "));
    }

    /// Prints the last line of `--json`.
    pub(super) fn summary(&self, preview: &Preview, summary: &Summary, to_send: Option<u64>) {
        if !self.json {
            return;
        }
        let Summary { progress, over } = summary;
        let skipped = progress.skipped;
        let halted = match over {
            Over::Halted(why) => Some(why.as_str()),
            Over::Done | Over::Stopped => None,
        };
        let summary = Counts {
            file: &self.file,
            format: preview.format.name(),
            rows: progress.rows + preview.bad,
            bad: preview.bad,
            to_send,
            accepted: progress.outcomes.accepted,
            rejected: progress.outcomes.rejected,
            unknown: progress.outcomes.unknown,
            not_sent: progress.outcomes.not_sent,
            already_stored: skipped.stored,
            differs: skipped.differs,
            unknown_before: skipped.unknown,
            busy: skipped.busy,
            left: progress.left(),
            resent: progress.resent,
            unresolved: progress.unresolved,
            dry_run: to_send.is_some(),
            interrupted: *over == Over::Stopped,
            halted,
            elapsed_ms: in_millis(progress.elapsed),
        };
        self.result(&BTreeMap::from([("summary", summary)]));
    }
}

/// Tells of a bad row as it is found.
pub(super) fn tell_fault(file: &str, bad: &RowFault, json: bool) {
    print::message(&format!("{}: {bad}", clean(file)));
    if json {
        let RowFault { line, column, field, reason } = bad;
        end::succeeded(print::json(&Fault { line: *line, column: *column, field: field.map(Field::word), reason }));
    }
}
