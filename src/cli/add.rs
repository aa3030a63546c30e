//! `plants add`: one plant, as it is given, or again as the history has it.

use clap::Args;
use color_eyre::eyre::{self, OptionExt as _, bail};
use tracing::{field, instrument};

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
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
    /// Add the plant of this place in `plants history` again; what else is given takes precedence
    #[arg(long, value_name = "PLACE")]
    from: Option<i64>,
}

impl AddArguments {
    /// Returns the plant if all of it is given.
    fn plant(&self) -> Option<Plant> {
        Some(Plant { name: self.name.clone()?, id: self.id?, tag: self.tag.clone()? })
    }
}

#[instrument(name = "add", skip_all, fields(id = field::Empty))]
pub(super) async fn run(settings: Settings, arguments: AddArguments, json: bool) -> eyre::Result<Exit> {
    let ready = operate::prepare(&settings, arguments.plant().map(OperationKind::Add), json).await?;
    let plant = plant_to_add(&ready, arguments).await?;
    tracing::Span::current().record("id", plant.id.0);
    let known = operate::row_of(&ready, plant.id).await;
    for slip in plant.slips().into_iter().chain(known.is_some().then_some(Slip::IdInList)) {
        print::message(&format!("Note: {slip}; it is sent as given."));
    }
    operate::carry_out(ready, OperationKind::Add(plant), None, json).await
}

/// Takes the plant as it is given, and the rest of it from the history.
async fn plant_to_add(ready: &Ready, arguments: AddArguments) -> eyre::Result<Plant> {
    let kept = match arguments.from {
        Some(place) => Some(entry_at(ready, place).await?),
        None => None,
    };
    let id = arguments.id.or_else(|| kept.as_ref().map(|kept| kept.exchange.operation.kind.plant_id()));
    let called = kept.and_then(|kept| kept.called);
    let (name, tag) = called.map_or((None, None), |Details { name, tag }| (Some(name), Some(tag)));
    match (id, arguments.name.or(name), arguments.tag.or(tag)) {
        (Some(id), Some(name), Some(tag)) => Ok(Plant { name, id, tag }),
        (_, _, _) => bail!(Failure::usage(
            "that plant was only ever deleted from here, and what it was called was never known: give --name and --tag. Nothing was sent."
        )),
    }
}

async fn entry_at(ready: &Ready, place: i64) -> eyre::Result<StoredExchange> {
    let found = ready.journal.exchange(place).await.or_exit_and_say(Exit::NotSent, "Nothing was sent.")?;
    found
        .ok_or_eyre(format!("the history of {} has no place {place}: see plants history", ready.store))
        .or_exit_and_say(Exit::Usage, "Nothing was sent.")
}
