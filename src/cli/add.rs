//! `plants add`: adds a plant from arguments, answers or an entry of the history, or several from standard input.

use color_eyre::eyre::{self, OptionExt as _, bail};
use tracing::{field, instrument};

use super::batch::{Batch, BatchOptions, WhenBraked};
use super::console::prompt;
use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::open::Ready;
use super::session::{Opened, Session};
use super::spoken::tagged;
use super::{import, print};
use crate::domain::plant::{IdFault, Slip};
use crate::domain::sentence::plant_called;
use crate::domain::{Details, OperationKind, Plant, PlantId};
use crate::journal::StoredExchange;
use crate::text::listed;
use crate::verbs::AddArguments;

#[instrument(name = "add", skip_all, fields(id = field::Empty))]
pub(super) async fn run(session: &mut Session, arguments: AddArguments, json: bool) -> eyre::Result<Exit> {
    arguments.check().map_err(|why| Failure::usage(format!("{why}. {NOTHING_SENT}")))?;
    if arguments.reads_stdin() {
        return import::run_stdin(session, arguments.dry_run, arguments.keep_going, json).await;
    }
    let name = arguments.name().map(str::to_owned);
    if arguments.from.is_none() && !session.console.can_ask() {
        let has_id = arguments.id.is_some() || arguments.next_id;
        let needed = [
            ("a name", name.is_some()),
            ("--tag (\"\" for none)", arguments.tag.is_some()),
            ("--id or --next-id", has_id),
        ];
        let missing = listed(needed.into_iter().filter(|(_, is_given)| !is_given).map(|(what, _)| what));
        if !missing.is_empty() {
            bail!(Failure::usage(format!("there is no terminal to ask on: give {missing}. {NOTHING_SENT}")));
        }
    }
    let AddArguments { dry_run, verbose, next_id: is_id_chosen, yes, .. } = arguments;
    let known = name.clone().zip(arguments.id).zip(arguments.tag.clone());
    let known = known.map(|((name, id), tag)| OperationKind::add(Plant { name, id, tag }));
    let mut opened = session.open_to_send(known, json, dry_run).await?;
    let plant = plant_to_add(&mut opened, name, arguments).await?;
    tracing::Span::current().record("id", plant.id.0);
    // An id that was chosen, and is taken by now, is not sent.
    let known =
        if is_id_chosen { Vec::new() } else { opened.ready.journal.rows(vec![plant.id]).await.unwrap_or_default() };
    let slips: Vec<_> = plant.slips().into_iter().chain(known.iter().map(|_| Slip::IdInList)).collect();
    let is_asked = opened.console.can_ask() && !yes && !dry_run && !slips.is_empty();
    let sent_as_given = if is_asked { "" } else { "; the plant is sent as given" };
    for slip in &slips {
        print::message(format!("Note: {slip}{sent_as_given}."));
    }
    let question = format!("Send {}{}, to {} as given?", plant_called(&plant), tagged(&plant.tag), opened.ready.store);
    if is_asked && !opened.console.confirm(&question, false, NOTHING_SENT).await? {
        print::message(NOTHING_SENT);
        return Ok(Exit::NotSent);
    }
    let options = BatchOptions { json, verbose, dry_run };
    let mut batch = Batch::new(opened.ready, options, WhenBraked::of(false, opened.console));
    batch.is_id_chosen = is_id_chosen;
    batch.send_all(vec![(OperationKind::add(plant), None)]).await
}

/// Completes the plant with the fields of the history entry, the next free id, and answers.
async fn plant_to_add(opened: &mut Opened<'_>, name: Option<String>, arguments: AddArguments) -> eyre::Result<Plant> {
    let Opened { ready, console, .. } = opened;
    let entry = match arguments.from {
        Some(number) => Some(entry(ready, number).await?),
        None => None,
    };
    let of_entry = entry.as_ref().map(|entry| entry.exchange.operation.kind.plant_id());
    let (old_name, old_tag) = entry.and_then(|entry| entry.called).map(|Details { name, tag }| (name, tag)).unzip();
    let (name, tag) = (name.or(old_name), arguments.tag.or(old_tag));
    if !console.can_ask() && (name.is_none() || tag.is_none()) {
        bail!(Failure::usage(
            "the history has only deletes of that plant, without its name and tag: give --name and --tag. Nothing was sent."
        ));
    }
    let name = match name {
        Some(name) => name,
        None => console.ask(&prompt("Name", "empty"), NOTHING_SENT).await?,
    };
    let id = match arguments.id.or(of_entry.filter(|_| !arguments.next_id)) {
        Some(id) => id,
        None => match ready.journal.next_free_id().await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)? {
            next if arguments.next_id => next,
            next => id(console, Some(next)).await?,
        },
    };
    let tag = match tag {
        Some(tag) => tag,
        None => console.ask(&prompt("Tag", "empty"), NOTHING_SENT).await?,
    };
    let plant = Plant { name, id, tag };
    if arguments.next_id {
        check_unknown(ready, &plant).await?;
        print::message(format!("Id {}, the next free one.", plant.id));
    }
    Ok(plant)
}

/// Fails if an unknown plant has this name and tag: an earlier add of the same line may have reached the store.
async fn check_unknown(ready: &Ready, plant: &Plant) -> eyre::Result<()> {
    let unknown = ready.journal.unknown_rows().await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
    let is_same = |row: &&crate::domain::Row| row.name() == Some(&plant.name) && row.tag() == Some(&plant.tag);
    if let Some(row) = unknown.iter().find(is_same) {
        bail!(Failure::usage(format!(
            "plant {} with this name and tag is unknown: this may be the same plant. Decide about it with {}, or give --id. {NOTHING_SENT}",
            row.id,
            print::command("resolve")
        )));
    }
    Ok(())
}

/// Asks for an id until a valid one is typed.
pub(super) async fn id(console: &mut super::console::Console, default: Option<PlantId>) -> eyre::Result<PlantId> {
    let prompt = prompt("Id", &default.map(|id| id.to_string()).unwrap_or_default());
    loop {
        let typed = console.ask(&prompt, NOTHING_SENT).await?;
        match (typed.trim().parse(), default) {
            (Err(IdFault::Empty), Some(default)) => return Ok(default),
            (Err(fault), _) => console.correct(&format!("Invalid: {fault}."), NOTHING_SENT)?,
            (Ok(id), _) => return Ok(id),
        }
    }
}

async fn entry(ready: &Ready, number: i64) -> eyre::Result<StoredExchange> {
    let found = ready.journal.exchange(number).await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
    found
        .ok_or_eyre(format!("the history of {} has no entry #{number}: see {}", ready.store, print::command("history")))
        .or_exit_and_say(Exit::Usage, NOTHING_SENT)
}
