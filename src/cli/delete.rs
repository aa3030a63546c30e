//! `plants delete`: deletes plants by id, by name or by a query, after one confirmation.

use color_eyre::eyre::{self, bail};
use tracing::instrument;

use super::batch::{Batch, BatchOptions, WhenBraked, print_unsent};
use super::error::{Exit, Failure, NOTHING_SENT};
use super::open::first_of;
use super::session::{Opened, Session};
use super::{add, found, print};
use crate::domain::{FailureKind, OperationKind, Row, StoreUrl, sentence};
use crate::text::number_format::counted;
use crate::verbs::{DeleteArguments, PlantWord};

#[instrument(name = "delete", skip_all)]
pub(super) async fn run(session: &mut Session, arguments: DeleteArguments, json: bool) -> eyre::Result<Exit> {
    let DeleteArguments { mut selection, yes, dry_run, verbose, keep_going } = arguments;
    if selection.is_empty() {
        if !session.console.can_ask() {
            bail!(Failure::usage(format!(
                "name the plants to delete, by id or by name, or give --match QUERY. {NOTHING_SENT}"
            )));
        }
        selection.plants.push(PlantWord::Id(add::id(&mut session.console, None).await?));
    }
    let filter = found::read_filter(selection.matching.as_deref())?;
    let words = found::with_stdin(selection.plants, session)?;
    let known = match words.as_slice() {
        [PlantWord::Id(id)] => Some(OperationKind::Delete(*id)),
        _ => None,
    };
    let Opened { ready, console, .. } = session.open_to_send(known, json, dry_run).await?;
    // What others have added meanwhile would not be known to the delete.
    ready.catch_up().await;
    let plants = match filter {
        Some(filter) => found::to_delete(ready, filter).await?,
        None => found::with_rows(ready, found::ids(ready, words).await?).await?,
    };
    if plants.is_empty() {
        print::message(format!("No plant in the list for {} matches. {NOTHING_SENT}", ready.store));
        return Ok(Exit::Done);
    }
    console.check(!yes && !dry_run, "delete", NOTHING_SENT)?;
    let operations: Vec<_> = plants.into_iter().map(|(id, row)| (OperationKind::Delete(id), row)).collect();
    if !yes && !dry_run && !console.confirm(&question(&ready.store, &operations), false, NOTHING_SENT).await? {
        print::message(NOTHING_SENT);
        if json {
            for (kind, row) in operations {
                print_unsent(FailureKind::CancelledBeforeSending, kind, row.as_ref())?;
            }
        }
        return Ok(Exit::NotSent);
    }
    let when_braked = WhenBraked::of(keep_going, console);
    Batch::new(ready, BatchOptions { json, verbose, dry_run }, when_braked).send_all(operations).await
}

/// Renders the question before the deletes, each with the row of its plant.
fn question(store: &StoreUrl, operations: &[(OperationKind, Option<Row>)]) -> String {
    let called = |(kind, row): &(OperationKind, Option<Row>)| {
        sentence::called(kind.plant_id(), row.as_ref().and_then(Row::name))
    };
    let names = first_of(operations.iter().map(called));
    let plants = match operations.len() {
        1 => format!("{names} at {store}"),
        count => format!("{} at {store}: {names}", counted(count as u64, "plant", "plants")),
    };
    let absent = operations.iter().filter(|(_, row)| row.is_none()).count();
    let note = sentence::note_absent(absent, operations.len());
    format!("Delete {plants}? {}", note.unwrap_or_default()).trim_end().to_owned()
}
