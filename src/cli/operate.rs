//! Prints how an operation ended, or that it was not sent.

use color_eyre::eyre;

use super::error::Exit;
use super::{clock, print};
use crate::domain::sentence::{self, subject};
use crate::domain::{Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, Row};
use crate::runtime::json;
use crate::worker::Ended;

/// Prints the JSON of an operation that never reached the worker.
pub(super) fn print_unsent(kind: FailureKind, operation: OperationKind, row: Option<&Row>) -> eyre::Result<()> {
    let operation = Operation::new(OperationId { origin: 0, number: 0 }, operation, clock::now());
    let at = operation.requested_at;
    let exchange = Exchange::failed(operation, kind, String::new(), at);
    print::json(&as_json(&exchange, row))
}

/// Says what would be sent; returns the JSON for it. `row` is the row of the plant to delete.
pub(super) fn print_dry<'a>(kind: &'a OperationKind, row: Option<&'a Row>) -> json::Operation<'a> {
    let plant = subject(kind, row.and_then(Row::name));
    let message = match kind {
        OperationKind::Add(added) => format!("To add: {plant}, tag {}.", added.tag),
        OperationKind::Delete(_) => format!("To delete: {plant}."),
    };
    print::message(&message);
    json::Operation::dry(kind, row.and_then(Row::name), row.and_then(Row::tag), message)
}

/// Prints the outcome of an operation for people; returns it for `--json`, with the exit code. `row` is the
/// row of its plant before.
pub(super) fn print_end<'a>(ended: &'a Ended, row: Option<&'a Row>) -> (json::Operation<'a>, Exit) {
    let unrecorded = ended.recorded.as_ref().err().filter(|_| ended.may_be_recorded());
    let mut summary = as_json(&ended.exchange, row);
    summary.recorded = unrecorded.is_none();
    summary.message = ended.sentence(row.and_then(Row::name));
    if !ended.is_overtaken() {
        summary.message.push_str(&next_step(summary.outcome));
    }
    print::message(&summary.message);
    if matches!(summary.outcome, Outcome::Rejected | Outcome::Unknown)
        && let Some(quoted) = sentence::response_excerpt(&ended.exchange)
    {
        print::message(quoted);
    }
    for mismatch in &summary.mismatches {
        print::message(format!("Mismatch: {mismatch}."));
    }
    if let Some(unknown) = &ended.unknown {
        let explained = sentence::explain_rejection(&ended.exchange, &unknown.kind);
        let resolve = print::command("resolve");
        print::message(format!("{explained} The plant stays unknown: decide about it with {resolve}."));
    }
    if let Some(why) = unrecorded {
        print::error(format!(
            "the journal could not record this response, so the plant may be unknown at the next start: {why}"
        ));
    }
    let exit = match summary.outcome {
        // The next start does not know this outcome.
        Outcome::Accepted | Outcome::Rejected if !summary.recorded => Exit::Unknown,
        Outcome::Accepted => Exit::Done,
        Outcome::Rejected => Exit::Rejected,
        Outcome::Unknown => Exit::Unknown,
        Outcome::NotSent => Exit::NotSent,
    };
    (summary, exit)
}

fn as_json<'a>(exchange: &'a Exchange, row: Option<&'a Row>) -> json::Operation<'a> {
    json::Operation::new(exchange, row.and_then(Row::name), row.and_then(Row::tag))
}

fn next_step(outcome: Outcome) -> String {
    match outcome {
        Outcome::Accepted | Outcome::Rejected => String::new(),
        Outcome::Unknown => {
            format!(" The plant stays in the list as unknown: decide about it with {}.", print::command("resolve"))
        }
        Outcome::NotSent => " Nothing reached the store: sending it again is safe.".to_owned(),
    }
}
