//! `plants delete`: deletes one plant by its id, after a confirmation.

use clap::Args;
use color_eyre::eyre;
use tracing::instrument;

use super::error::{Exit, NOTHING_SENT};
use super::open::Ready;
use super::{operate, print, prompt};
use crate::config::Settings;
use crate::domain::{FailureKind, OperationKind, PlantId, Row, StoreUrl, sentence};

#[derive(Debug, Args)]
pub(super) struct DeleteArguments {
    /// Id of the plant to delete; it need not be in the list
    #[arg(allow_negative_numbers = true)]
    id: PlantId,
    /// Delete without asking
    #[arg(long, short)]
    yes: bool,
}

#[instrument(name = "delete", skip_all, fields(id = %arguments.id))]
pub(super) async fn run(settings: Settings, arguments: DeleteArguments, json: bool) -> eyre::Result<Exit> {
    let DeleteArguments { id, yes } = arguments;
    prompt::check(!yes, "delete", NOTHING_SENT)?;
    let mut ready = operate::prepare(&settings, Some(OperationKind::Delete(id)), json).await?;
    let row = row_to_delete(&ready, id).await;
    if !yes && !prompt::yes(&question(&ready.store, id, row.as_ref()), NOTHING_SENT).await? {
        print::message(NOTHING_SENT);
        if json {
            operate::print_unsent(FailureKind::CancelledBeforeSending, OperationKind::Delete(id), row.as_ref());
        }
        return Ok(Exit::NotSent);
    }
    let exit = operate::carry_out(&ready, OperationKind::Delete(id), row, json).await;
    ready.close_after_one().await;
    exit
}

/// Returns the row of a plant that is to be deleted. Reads the team first: what others have added meanwhile would not be
/// known to the delete.
pub(super) async fn row_to_delete(ready: &Ready, id: PlantId) -> Option<Row> {
    ready.catch_up().await;
    operate::row_of(ready, id).await
}

/// Renders the question before a delete; `row` is the row of the plant.
pub(super) fn question(store: &StoreUrl, id: PlantId, row: Option<&Row>) -> String {
    let plant = sentence::called(id, row.and_then(Row::name));
    let note = if row.is_none() { " It is not in the list; somebody else may have added it." } else { "" };
    format!("Delete {plant} at {store}?{note}")
}
