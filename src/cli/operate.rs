//! `plants add` and `plants delete`: one operation, its outcome, an exit code.

use std::io::IsTerminal as _;

use clap::Args;

use super::open::{AtWork, Ready, TokenNeed, clock, failed};
use super::stop::stopped;
use super::told::{Told, tell};
use super::{Exit, ask, say};
use crate::config::{Settings, StoreChoice};
use crate::courier::{self, Ended, Report};
use crate::demo::Weather;
use crate::domain::plant::Slip;
use crate::domain::sentence;
use crate::domain::{
    Ask, Details, Ending, Exchange, FailureKind, Operation, OperationId, Outcome, Plant, PlantId, Row,
};
use crate::journal::Kept;

/// `plants add`
#[derive(Debug, Args)]
pub struct AddArguments {
    /// Id of the plant: a whole number of 64 bits
    #[arg(long, value_parser = read_id, allow_negative_numbers = true, required_unless_present = "from")]
    pub id: Option<PlantId>,
    /// Name of the plant: any text
    #[arg(long, allow_hyphen_values = true, required_unless_present = "from")]
    pub name: Option<String>,
    /// Tag of the plant: any text
    #[arg(long, allow_hyphen_values = true, required_unless_present = "from")]
    pub tag: Option<String>,
    /// Add the plant of this place in `plants history` again; what else is given takes precedence
    #[arg(long, value_name = "PLACE")]
    pub from: Option<i64>,
}

impl AddArguments {
    /// The plant, if all of it is given.
    fn plant(&self) -> Option<Plant> {
        Some(Plant { name: self.name.clone()?, id: self.id?, tag: self.tag.clone()? })
    }
}

/// `plants delete`
#[derive(Debug, Args)]
pub struct DeleteArguments {
    /// Id of the plant to delete; it need not be in the view
    #[arg(value_parser = read_id, allow_negative_numbers = true)]
    pub id: PlantId,
    /// Delete without asking
    #[arg(long, short)]
    pub yes: bool,
}

/// Reads an id as it is typed.
pub(super) fn read_id(typed: &str) -> Result<PlantId, String> {
    typed.parse().map_err(|why: crate::domain::IdFault| why.to_string())
}

/// `plants add`
pub(super) async fn add(settings: Settings, arguments: AddArguments, json: bool) -> Exit {
    let ready = match prepare(&settings, arguments.plant().map(Ask::Add), json).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    let plant = match plant_to_add(&ready, arguments).await {
        Ok(plant) => plant,
        Err(exit) => return exit,
    };
    let known = row_of(&ready, plant.id).await;
    for slip in plant.slips().into_iter().chain(known.is_some().then_some(Slip::IdInView)) {
        say::words(&format!("Note: {slip}; it is sent as given."));
    }
    carry_out(ready, Ask::Add(plant), None, json).await
}

/// The plant as it is given, and the rest of it from the history.
async fn plant_to_add(ready: &Ready, arguments: AddArguments) -> Result<Plant, Exit> {
    let kept = match arguments.from {
        Some(place) => Some(entry_at(ready, place).await?),
        None => None,
    };
    let id = arguments.id.or_else(|| kept.as_ref().map(|kept| kept.exchange.operation.ask.plant_id()));
    let called = kept.and_then(|kept| kept.called);
    let (name, tag) = called.map_or((None, None), |Details { name, tag }| (Some(name), Some(tag)));
    match (id, arguments.name.or(name), arguments.tag.or(tag)) {
        (Some(id), Some(name), Some(tag)) => Ok(Plant { name, id, tag }),
        (_, _, _) => Err(failed(
            Exit::Usage,
            "that plant was only ever deleted from here, and what it was called was never known: give --name and --tag. Nothing was sent.",
        )),
    }
}

/// What stands at a place of the history.
async fn entry_at(ready: &Ready, place: i64) -> Result<Kept, Exit> {
    let found = ready.journal.exchange(place).await;
    let found = found.map_err(|why| failed(Exit::NotSent, &format!("{why}. Nothing was sent.")))?;
    found.ok_or_else(|| {
        let why = format!("the history of {} has no place {place}: see plants history. Nothing was sent.", ready.store);
        failed(Exit::Usage, &why)
    })
}

/// `plants delete`
pub(super) async fn delete(settings: Settings, arguments: DeleteArguments, json: bool) -> Exit {
    let on_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !arguments.yes && !on_terminal {
        return failed(
            Exit::Usage,
            "nobody is there to be asked: add --yes to delete without asking. Nothing was sent.",
        );
    }
    let ready = match prepare(&settings, Some(Ask::Delete(arguments.id)), json).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    let row = row_of(&ready, arguments.id).await;
    if !arguments.yes {
        let name = row.as_ref().and_then(Row::name);
        let note = if row.is_none() { " It is not in this view; another person may have added it." } else { "" };
        match ask::yes(&format!("Delete {} at {}?{note}", sentence::called(arguments.id, name), ready.store)).await {
            Ok(true) => {}
            Ok(false) => {
                let ended = never_sent(FailureKind::CancelledBeforeSending, Ask::Delete(arguments.id));
                say::words("Nothing was sent.");
                if json {
                    say::json(&tell_ended(&ended, row.as_ref()));
                }
                return Exit::NotSent;
            }
            Err(exit) => return exit,
        }
    }
    carry_out(ready, Ask::Delete(arguments.id), row, json).await
}

async fn prepare(settings: &Settings, ask: Option<Ask>, json: bool) -> Result<Ready, Exit> {
    if settings.read_only {
        return Err(failed(Exit::Usage, "read-only: nothing that writes is sent"));
    }
    let ready = match Ready::open(settings, TokenNeed::Now, Weather::default()).await {
        Ok(ready) => ready,
        Err(exit) => {
            // Not sent is an outcome, and a script waits for its line.
            if exit == Exit::NotSent
                && json
                && let Some(ask) = ask
            {
                let kind = match settings.store {
                    StoreChoice::Demo => FailureKind::NotConnected,
                    StoreChoice::Deployed(_) => FailureKind::NotRecorded,
                };
                say::json(&tell_ended(&never_sent(kind, ask), None));
            }
            return Err(exit);
        }
    };
    ready.tell_what_was_found();
    Ok(ready)
}

/// The end of an operation that never got as far as the courier.
fn never_sent(kind: FailureKind, ask: Ask) -> Ended {
    let operation = Operation::new(OperationId { origin: 0, number: 0 }, ask, clock());
    let at = operation.asked_at;
    let exchange = Exchange::failed(operation, kind, String::new(), at);
    Ended { exchange, recorded: Err(String::new()), overtaken: false, token: 0, row: None, in_doubt: None }
}

async fn row_of(ready: &Ready, id: PlantId) -> Option<Row> {
    ready.journal.story(id).await.ok().and_then(|story| story.row)
}

/// Sends one operation and tells what became of it.
async fn carry_out(ready: Ready, ask: Ask, row: Option<Row>, json: bool) -> Exit {
    let mut at_work = ready.go_to_work();
    let id = OperationId { origin: ready.origin, number: 1 };
    let operation = Operation::new(id, ask, clock());
    let (ended, interrupted) = match wait_for(&mut at_work, operation).await {
        Ok(end) => end,
        Err(exit) => return exit,
    };
    let (told, exit) = account(&ended, row.as_ref());
    if json {
        say::json(&told);
    }
    let AtWork { courier, task, .. } = at_work;
    drop(courier);
    let _ = task.await;
    ready.journal.close().await;
    if interrupted { Exit::Interrupted } else { exit }
}

/// Tells people what became of an operation; returns it for programs, and its exit code. `row` is that
/// of its plant before.
pub(super) fn account<'a>(ended: &'a Ended, row: Option<&'a Row>) -> (Told<'a>, Exit) {
    let unrecorded = ended.recorded.as_ref().err().filter(|_| !is_not_recorded(&ended.exchange));
    let mut told = tell_ended(ended, row).with_recorded(unrecorded.is_none());
    told.message.push_str(next_step(told.outcome));
    say::words(&told.message);
    if matches!(told.outcome, Outcome::Rejected | Outcome::Unknown)
        && let Some(said) = sentence::stores_words(&ended.exchange)
    {
        say::words(&said);
    }
    for difference in &told.mismatches {
        say::words(&format!("Mismatch: {difference}."));
    }
    if let Some(doubt) = &ended.in_doubt {
        let explained = sentence::explained_by(&ended.exchange, &doubt.ask);
        say::words(&format!("{explained} It stays unknown: plants resolve decides about it."));
    }
    if let Some(why) = unrecorded {
        say::error(&format!(
            "the journal could not keep this response, so that the plant may be unknown at the next start: {why}"
        ));
    }
    let exit = match told.outcome {
        // Nobody will know it of this program again.
        Outcome::Accepted | Outcome::Rejected if !told.recorded => Exit::Unknown,
        Outcome::Accepted => Exit::Done,
        Outcome::Rejected => Exit::Rejected,
        Outcome::Unknown => Exit::Unknown,
        Outcome::NotSent => Exit::NotSent,
    };
    (told, exit)
}

/// What to do next on a command line, after the sentence of this outcome.
fn next_step(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted | Outcome::Rejected => "",
        Outcome::Unknown => " It stays in the list as unknown: plants resolve decides about it.",
        Outcome::NotSent => " Nothing reached the store: sending it again is safe.",
    }
}

/// Whether it ended because its intent could not be written down.
pub(super) fn is_not_recorded(exchange: &Exchange) -> bool {
    match &exchange.ending {
        Ending::Failed(failure) => failure.kind == FailureKind::NotRecorded,
        Ending::Answered(_) => false,
    }
}

/// Waits for the end, and cancels when asked to stop: the end is still told.
async fn wait_for(at_work: &mut AtWork, operation: Operation) -> Result<(Ended, bool), Exit> {
    let mut interrupted = false;
    let mut stop = std::pin::pin!(stopped());
    if at_work.courier.send(operation).is_err() {
        return Err(failed(Exit::NotSent, "the background task has died; nothing was sent"));
    }
    loop {
        tokio::select! {
            report = at_work.reports.recv() => match report {
                Some(Report::Ended(ended)) => return Ok((*ended, interrupted)),
                Some(Report::Waiting(words)) => say::words(&words),
                Some(Report::Recorded(_)) => {}
                None => {
                    let why = match (&mut at_work.task).await {
                        Err(died) => courier::death(died),
                        Ok(()) => "it ended by itself".to_owned(),
                    };
                    return Err(failed(Exit::Unknown, &format!("the background task has died ({why}); the journal marks the operation as unknown")));
                }
            },
            () = &mut stop, if !interrupted => {
                interrupted = true;
                at_work.courier.cancel_all();
            }
        }
    }
}

fn tell_ended<'a>(ended: &'a Ended, row: Option<&'a Row>) -> Told<'a> {
    tell(&ended.exchange, row.and_then(Row::name), row.and_then(Row::tag))
}
