//! One operation of a subcommand: sends it, prints the outcome, returns the exit code.

use color_eyre::eyre::{self, bail, eyre};

use super::access::TokenNeed;
use super::error::{Exit, Failure, exit_of};
use super::open::Ready;
use super::sender::Sent;
use super::stop::Stops;
use super::when_unknown::WhenUnknown;
use super::{clock, end, json, print};
use crate::config::{Settings, StoreChoice};
use crate::domain::{
    Ending, Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, PlantId, Row, sentence,
};
use crate::worker::{Brake, Ended, Feed};

/// Fails if the settings forbid to add and delete plants.
pub(super) fn check_writable(settings: &Settings) -> eyre::Result<()> {
    if settings.read_only {
        bail!(Failure::usage(
            "this store is read-only here: leave --read-only, PLANTS_READ_ONLY or read_only out. Nothing was sent."
        ));
    }
    Ok(())
}

/// Opens the store. If that fails, `--json` prints that the operation, if it is known, was not sent.
pub(super) async fn prepare(settings: &Settings, operation: Option<OperationKind>, json: bool) -> eyre::Result<Ready> {
    check_writable(settings)?;
    let opened = Ready::open(settings, TokenNeed::Now).await;
    if let (Err(error), Some(operation), true) = (&opened, operation, json)
        && exit_of(error) == Exit::NotSent
    {
        let kind = match settings.store {
            StoreChoice::Demo => FailureKind::NotConnected,
            StoreChoice::Deployed(_) => FailureKind::NotRecorded,
        };
        print_unsent(kind, operation, None);
    }
    opened
}

/// Prints the JSON of an operation that never reached the worker.
pub(super) fn print_unsent(kind: FailureKind, operation: OperationKind, row: Option<&Row>) {
    let operation = Operation::new(OperationId { origin: 0, number: 0 }, operation, clock::now());
    let at = operation.requested_at;
    let exchange = Exchange::failed(operation, kind, String::new(), at);
    end::succeeded(print::json(&as_json(&exchange, row)));
}

pub(super) async fn row_of(ready: &Ready, id: PlantId) -> Option<Row> {
    ready.journal.rows(vec![id]).await.ok().and_then(|mut rows| rows.pop())
}

/// Sends an operation and prints its outcome; `row` is the row of its plant before.
pub(super) async fn carry_out(
    ready: &Ready,
    operation: OperationKind,
    row: Option<Row>,
    json: bool,
) -> eyre::Result<Exit> {
    let mut stops = Stops::listen();
    let mut sender = ready.start_worker();
    let mut end = None;
    let mut feed = Feed::of([operation], Brake::default());
    let sent = sender.carry_out(&mut feed, &mut stops, &mut WhenUnknown::Halts, |ended| end = Some(ended)).await?;
    let ended = end.ok_or_else(|| eyre!("the operation has no end"))?;
    let (summary, exit) = print_end(&ended, row.as_ref());
    if json {
        end::succeeded(print::json(&summary));
    }
    sender.end().await;
    Ok(if sent == Sent::Interrupted { Exit::Interrupted } else { exit })
}

/// Prints the outcome of an operation for people; returns it for `--json`, with the exit code. `row` is the
/// row of its plant before.
pub(super) fn print_end<'a>(ended: &'a Ended, row: Option<&'a Row>) -> (json::Operation<'a>, Exit) {
    let unrecorded = ended.recorded.as_ref().err().filter(|_| !is_not_recorded(&ended.exchange));
    let mut summary = as_json(&ended.exchange, row);
    summary.recorded = unrecorded.is_none();
    summary.message.push_str(&next_step(summary.outcome));
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

/// Returns whether the operation was not sent because its intent could not be recorded.
pub(super) fn is_not_recorded(exchange: &Exchange) -> bool {
    matches!(&exchange.ending, Ending::Failed(failure) if failure.kind == FailureKind::NotRecorded)
}
