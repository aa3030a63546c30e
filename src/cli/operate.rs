//! One operation of a subcommand: sent, its outcome told, its exit code.

use color_eyre::eyre::{self, WrapErr as _, bail};

use super::error::{Failure, Internal, exit_of};
use super::exit::Exit;
use super::open::{AtWork, Ready, TokenNeed};
use super::stop::stopped;
use super::{clock, end, json, print};
use crate::config::{Settings, StoreChoice};
use crate::demo::Weather;
use crate::domain::{
    Ending, Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, PlantId, Row, sentence,
};
use crate::worker::{Ended, Report};

/// Opens the store. Where that fails, `--json` prints that the operation was not sent, if it is known.
pub(super) async fn prepare(settings: &Settings, operation: Option<OperationKind>, json: bool) -> eyre::Result<Ready> {
    if settings.read_only {
        bail!(Failure::usage("read-only: nothing that writes is sent"));
    }
    let opened = Ready::open(settings, TokenNeed::Now, Weather::default()).await;
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

/// Prints the JSON of an operation that never got as far as the worker.
pub(super) fn print_unsent(kind: FailureKind, operation: OperationKind, row: Option<&Row>) {
    let operation = Operation::new(OperationId { origin: 0, number: 0 }, operation, clock::now());
    let at = operation.requested_at;
    let exchange = Exchange::failed(operation, kind, String::new(), at);
    end::succeeded(print::json(&as_json(&exchange, row)));
}

pub(super) async fn row_of(ready: &Ready, id: PlantId) -> Option<Row> {
    ready.journal.plant_history(id).await.ok().and_then(|plant_history| plant_history.row)
}

/// Sends an operation and tells what became of it; `row` is that of its plant before.
pub(super) async fn carry_out(
    ready: Ready,
    operation: OperationKind,
    row: Option<Row>,
    json: bool,
) -> eyre::Result<Exit> {
    let mut at_work = ready.go_to_work();
    let id = OperationId { origin: ready.origin, number: 1 };
    let (ended, interrupted) = wait_for(&mut at_work, Operation::new(id, operation, clock::now())).await?;
    let (summary, exit) = summarize(&ended, row.as_ref());
    if json {
        end::succeeded(print::json(&summary));
    }
    at_work.end().await;
    ready.journal.close().await;
    Ok(if interrupted { Exit::Interrupted } else { exit })
}

/// Tells people what became of an operation; returns it for programs, and its exit code. `row` is that
/// of its plant before.
pub(super) fn summarize<'a>(ended: &'a Ended, row: Option<&'a Row>) -> (json::Operation<'a>, Exit) {
    let unrecorded = ended.recorded.as_ref().err().filter(|_| !is_not_recorded(&ended.exchange));
    let mut summary = as_json(&ended.exchange, row);
    summary.recorded = unrecorded.is_none();
    summary.message.push_str(next_step(summary.outcome));
    print::message(&summary.message);
    if matches!(summary.outcome, Outcome::Rejected | Outcome::Unknown)
        && let Some(said) = sentence::response_excerpt(&ended.exchange)
    {
        print::message(&said);
    }
    for mismatch in &summary.mismatches {
        print::message(&format!("Mismatch: {mismatch}."));
    }
    if let Some(doubt) = &ended.unknown {
        let explained = sentence::explain_rejection(&ended.exchange, &doubt.kind);
        print::message(&format!("{explained} It stays unknown: plants resolve decides about it."));
    }
    if let Some(why) = unrecorded {
        print::error(&format!(
            "the journal could not keep this response, so that the plant may be unknown at the next start: {why}"
        ));
    }
    let exit = match summary.outcome {
        // No program will know it again.
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

fn next_step(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted | Outcome::Rejected => "",
        Outcome::Unknown => " It stays in the list as unknown: plants resolve decides about it.",
        Outcome::NotSent => " Nothing reached the store: sending it again is safe.",
    }
}

/// Returns whether it ended because its intent could not be written down.
pub(super) fn is_not_recorded(exchange: &Exchange) -> bool {
    match &exchange.ending {
        Ending::Failed(failure) => failure.kind == FailureKind::NotRecorded,
        Ending::Responded(_) => false,
    }
}

/// Waits for the end, and cancels when asked to stop: the end is still told.
async fn wait_for(at_work: &mut AtWork, operation: Operation) -> eyre::Result<(Ended, bool)> {
    let mut interrupted = false;
    let mut stop = std::pin::pin!(stopped());
    at_work.send(operation).wrap_err(Internal::NothingSent)?;
    loop {
        tokio::select! {
            report = at_work.reports.recv() => match report {
                Some(Report::Ended(ended)) => return Ok((*ended, interrupted)),
                Some(Report::Waiting(waiting)) => print::message(&waiting),
                Some(Report::Recorded(_)) => {}
                None => return Err(at_work.death().await),
            },
            () = &mut stop, if !interrupted => {
                interrupted = true;
                at_work.worker.cancel_all();
            }
        }
    }
}
