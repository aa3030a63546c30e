//! The output of an import: messages and a progress bar for people, one JSON value a row for programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::bar::Bar;
use super::json::JsonLines;
use super::print;
use crate::config::{Connection, Settings};
use crate::domain::{Outcome, OutcomeCounts, sentence};
use crate::import::{
    Decision, Event, ImportRow, Over, Preview, Progress, RowCounts, RowEnd, RowFault, RowNumber, Summary, Validated,
};
use crate::runtime::json;
use crate::text::clean;
use crate::text::number_format::{about, grouped, in_millis, rate};
use crate::worker::Ended;

pub(super) struct ImportOutput {
    pub(super) file: String,
    pub(super) json: Arc<JsonLines>,
    pub(super) bar: Bar,
    /// Whether each row that is added has a line.
    pub(super) names_each: bool,
}

/// A row that was sent, or was not for a reason that a person should know.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    number: RowNumber,
    #[serde(flatten)]
    operation: json::Operation<'a>,
    /// Whether the row was sent again and its plant is still unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unresolved: bool,
}

/// The last value.
#[derive(Serialize)]
struct Counts<'a> {
    file: &'a str,
    format: &'static str,
    rows: u64,
    bad: u64,
    /// Rows that an import would send; only for a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_send: Option<u64>,
    #[serde(flatten)]
    outcomes: OutcomeCounts,
    #[serde(flatten)]
    unsent: RowCounts,
    left: u64,
    resent: u64,
    resent_stored: u64,
    unresolved: u64,
    dry_run: bool,
    interrupted: bool,
    halted: Option<&'a str>,
    elapsed_ms: f64,
}

impl ImportOutput {
    pub(super) fn event(&self, event: &Event<'_>, settings: &Settings) {
        match event {
            Event::Progress(progress) => self.show(progress),
            Event::Row(end) => self.row(end),
            Event::Withheld(row, decision) => self.withheld(row, *decision),
            // The person is asked.
            Event::Braked { .. } => {}
            Event::TokenRenewed(_) => {
                if let Some(Connection { url, token_source, .. }) = settings.connection.as_deref() {
                    let source = token_source.origin();
                    self.bar.message(&format!(
                        "{url} rejected the token (401). The import goes on with a new one from {source}."
                    ));
                }
            }
        }
    }

    /// Prints the outcome of a row: for people if it needs attention, for programs always.
    pub(super) fn row(&self, end: &RowEnd) {
        let RowEnd { number, ended, mismatches, is_unresolved } = end;
        let Ended { exchange, recorded, .. } = ended;
        let outcome = exchange.outcome();
        let is_recorded = !ended.may_be_recorded();
        let is_quiet = outcome == Outcome::Accepted && mismatches.is_empty();
        if self.names_each || !is_quiet || !is_recorded {
            let mut sentences = vec![format!("{number}: {}", ended.sentence(None))];
            sentences.extend(mismatches.iter().map(|mismatch| format!("Mismatch: {mismatch}.")));
            if let Some(unknown) = &ended.unknown {
                let explained = sentence::explain_rejection(exchange, &unknown.kind);
                sentences.push(format!("{explained} The plant stays unknown."));
            }
            if let (Err(why), false) = (recorded, is_recorded) {
                sentences.push(format!("The journal could not record this response: {why}."));
            }
            self.bar.message(&sentences.join(" "));
        }
        self.json.print(|| {
            let mut operation = json::Operation::new(exchange, None, None);
            operation.recorded = is_recorded;
            operation.message = ended.sentence(None);
            Row { number: *number, operation, unresolved: *is_unresolved }
        });
    }

    /// Prints a row that is not sent for a reason that a person should know.
    pub(super) fn withheld(&self, row: &ImportRow, decision: Decision) {
        let Some(note) = decision.note(row) else { return };
        let outcome = if decision == Decision::Unknown { Outcome::Unknown } else { Outcome::NotSent };
        self.bar.message(&note.to_string());
        self.json.print(|| {
            let operation = json::Operation::not_sent(&row.plant, outcome, note.sentence);
            Row { number: row.number, operation, unresolved: false }
        });
    }

    fn show(&self, progress: &Progress) {
        let OutcomeCounts { rejected, unknown, not_sent, .. } = progress.all_outcomes();
        let mut parts = vec![format!("{} of {}", grouped(progress.done()), grouped(progress.rows))];
        for (count, outcome) in [(rejected, "rejected"), (unknown, "unknown"), (not_sent, "not sent")] {
            parts.extend((count > 0).then(|| format!("{} {outcome}", grouped(count))));
        }
        if let Some(pause) = progress.pause {
            parts.push(format!("the store asks to wait {}", about(pause)));
        } else if let Some(left) = progress.time_left() {
            parts.push(rate(progress.per_second()));
            parts.push(format!("{} left", about(left)));
        }
        self.bar.show(progress.done(), progress.rows, &parts.join(" · "));
    }

    /// Prints the last value of `--json` for a file of which nothing was sent.
    pub(super) fn unsent(&self, validated: &Validated, halted: Option<String>) {
        self.summary(&validated.preview, &validated.unsent(halted), None);
    }

    /// Prints the last value of `--json`.
    pub(super) fn summary(&self, preview: &Preview, summary: &Summary, to_send: Option<u64>) {
        let Summary { progress, over, .. } = summary;
        let halted = if let Over::Halted(why) = over { Some(why.as_str()) } else { None };
        let counts = Counts {
            file: &self.file,
            format: preview.format.name(),
            rows: progress.rows + preview.bad,
            bad: preview.bad,
            to_send,
            outcomes: progress.outcomes,
            unsent: progress.unsent,
            left: progress.left(),
            resent: progress.resent,
            resent_stored: progress.resent_stored,
            unresolved: progress.unresolved,
            dry_run: to_send.is_some(),
            interrupted: *over == Over::Stopped,
            halted,
            elapsed_ms: in_millis(progress.elapsed),
        };
        if !self.names_each || to_send.is_some() {
            self.json.print(|| BTreeMap::from([("summary", counts)]));
        }
    }
}

/// Prints a bad row.
pub(super) fn print_fault(file: &str, fault: &RowFault, json: &JsonLines) {
    print::message(format!("{}: {fault}", clean(file)));
    json.print(|| fault);
}
