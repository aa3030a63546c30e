//! `plants add`: adds one plant, from its options or from an entry of the history.

use clap::Args;
use color_eyre::eyre::{self, OptionExt as _, bail};
use tracing::{field, instrument};

use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::open::Ready;
use super::{operate, print};
use crate::config::Settings;
use crate::domain::plant::Slip;
use crate::domain::{Details, OperationKind, Plant, PlantId};
use crate::journal::StoredExchange;

#[derive(Debug, Args)]
pub(super) struct AddArguments {
    /// Id of the plant: a whole number of 64 bits
    #[arg(long, allow_negative_numbers = true, required_unless_present = "from")]
    id: Option<PlantId>,
    /// Name of the plant: any text
    #[arg(long, allow_hyphen_values = true, required_unless_present = "from")]
    name: Option<String>,
    /// Tag of the plant: any text
    #[arg(long, allow_hyphen_values = true, required_unless_present = "from")]
    tag: Option<String>,
    /// Add the plant of entry N of `plants history` again; --id, --name and --tag take precedence
    #[arg(long, value_name = "N")]
    from: Option<i64>,
}

impl AddArguments {
    /// Returns the plant if all its fields are given.
    fn plant(&self) -> Option<Plant> {
        Some(Plant { name: self.name.clone()?, id: self.id?, tag: self.tag.clone()? })
    }
}

#[instrument(name = "add", skip_all, fields(id = field::Empty))]
pub(super) async fn run(settings: Settings, arguments: AddArguments, json: bool) -> eyre::Result<Exit> {
    let mut ready = operate::prepare(&settings, arguments.plant().map(OperationKind::add), json).await?;
    let plant = plant_to_add(&ready, arguments).await?;
    tracing::Span::current().record("id", plant.id.0);
    for slip in slips(&ready, &plant).await {
        print::message(format!("Note: {slip}; the plant is sent as given."));
    }
    let exit = operate::carry_out(&ready, OperationKind::add(plant), None, json).await;
    ready.close_after_one().await;
    exit
}

/// Lists the values that are probably mistakes, an id that is in the list among them.
pub(super) async fn slips(ready: &Ready, plant: &Plant) -> Vec<Slip> {
    let known = operate::row_of(ready, plant.id).await;
    plant.slips().into_iter().chain(known.map(|_| Slip::IdInList)).collect()
}

/// Completes the plant with the fields of the history entry.
async fn plant_to_add(ready: &Ready, arguments: AddArguments) -> eyre::Result<Plant> {
    let entry = match arguments.from {
        Some(number) => Some(entry(ready, number).await?),
        None => None,
    };
    let id = arguments.id.or_else(|| entry.as_ref().map(|entry| entry.exchange.operation.kind.plant_id()));
    let (name, tag) = entry.and_then(|entry| entry.called).map(|Details { name, tag }| (name, tag)).unzip();
    match (id, arguments.name.or(name), arguments.tag.or(tag)) {
        (Some(id), Some(name), Some(tag)) => Ok(Plant { name, id, tag }),
        (_, _, _) => bail!(Failure::usage(
            "the history has only deletes of that plant, without its name and tag: give --name and --tag. Nothing was sent."
        )),
    }
}

async fn entry(ready: &Ready, number: i64) -> eyre::Result<StoredExchange> {
    let found = ready.journal.exchange(number).await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
    found
        .ok_or_eyre(format!("the history of {} has no entry #{number}: see plants history", ready.store))
        .or_exit_and_say(Exit::Usage, NOTHING_SENT)
}
