//! `plants resolve`: a person's decision about plants whose last operation ended unknown.

use std::collections::HashMap;
use std::io::IsTerminal as _;

use clap::{ArgGroup, Args};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::open::{AtWork, Ready, TokenNeed, clock, failed, listed_of};
use super::operate::{account, read_id};
use super::pages::PAGE;
use super::stop::Stops;
use super::told::ToldPlant;
use super::{Exit, ask, pages, say, zone};
use crate::config::Settings;
use crate::courier::{Ended, Report};
use crate::demo::Weather;
use crate::domain::figure::counted;
use crate::domain::sentence::row_called;
use crate::domain::text::{clean_fit, clean_padded};
use crate::domain::{Ask, Operation, OperationId, PlantId, Row, Settlement, State, StoreUrl, Unresolved};
use crate::journal::JournalError;

/// Plants that are decided about at once.
const CHUNK: usize = 500;

/// Columns of a tag in the list for people; `--json` has all of it.
const TAG: usize = 24;
/// Columns of a name at most; `--json` has all of it.
const NAME: usize = 200;

/// `plants resolve`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(group = ArgGroup::new("resolution").args(["stored", "forget", "delete", "resend"]))]
pub struct ResolveArguments {
    /// Ids of unknown plants
    #[arg(value_name = "ID", value_parser = read_id, allow_negative_numbers = true, requires = "resolution")]
    pub ids: Vec<PlantId>,
    /// All plants that are unknown
    #[arg(long, conflicts_with = "ids", requires = "resolution")]
    pub all: bool,
    /// Mark them as stored: you know that they are there; nothing is sent
    #[arg(long)]
    pub stored: bool,
    /// Take them out of the list; nothing is sent
    #[arg(long)]
    pub forget: bool,
    /// Send a delete for each
    #[arg(long)]
    pub delete: bool,
    /// Send the unknown operation of each again: a plant may then be there twice
    #[arg(long)]
    pub resend: bool,
    /// Do it without asking
    #[arg(long, short)]
    pub yes: bool,
}

/// What a person decides about unknown plants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resolution {
    /// Writes it down; nothing is sent.
    Settle(Settlement),
    Delete,
    Resend,
}

impl ResolveArguments {
    fn resolution(&self) -> Option<Resolution> {
        let all = [
            (self.stored, Resolution::Settle(Settlement::MarkStored)),
            (self.forget, Resolution::Settle(Settlement::Forget)),
            (self.delete, Resolution::Delete),
            (self.resend, Resolution::Resend),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, resolution)| resolution)
    }
}

impl Resolution {
    fn sends(self) -> bool {
        matches!(self, Self::Delete | Self::Resend)
    }

    /// Asks a person about so many plants, the first of which have these names.
    fn question(self, plants: &str, store: &StoreUrl, names: &str) -> String {
        match self {
            Self::Settle(Settlement::MarkStored) => {
                format!("Mark {plants} at {store} as stored, though no response said so: {names}?")
            }
            Self::Settle(Settlement::Forget) => {
                format!("Forget {plants} at {store}: {names}? They leave the list; nothing is sent.")
            }
            Self::Delete => format!("Send a delete for {plants} to {store}: {names}?"),
            Self::Resend => format!("Send the operation of {plants} to {store} again: {names}? {TWICE}"),
        }
    }
}

/// What sending again can do.
const TWICE: &str = "A plant that is added again may then be there twice; a delete that is sent again deletes a new plant if the id was reused in the meantime.";

/// An unknown plant as the list of `--json` has it; name and tag are null where they were never known.
#[derive(Serialize)]
struct ListedUnknown<'a> {
    name: Option<&'a str>,
    id: PlantId,
    tag: Option<&'a str>,
    state: State,
    /// What is unknown: whether this operation took effect.
    operation: &'static str,
    /// Since when.
    since: Option<String>,
}

/// What `--json` prints of a plant about which something was written down, and nothing sent.
#[derive(Serialize)]
struct ToldResolution<'a> {
    resolution: &'static str,
    resolved: bool,
    plant: ToldPlant<'a>,
    /// Where it stands now; null if it is not in the list.
    state: Option<State>,
    message: String,
}

/// An unknown plant, and the operation that made it so when a person was shown it.
type Seen = (PlantId, OperationId);

/// `plants resolve`
pub(super) async fn run(settings: Settings, arguments: ResolveArguments, json: bool) -> Exit {
    let Some(resolution) = arguments.resolution() else { return list(settings, json).await };
    if arguments.ids.is_empty() && !arguments.all {
        let why =
            "name the plants by id, or all that are unknown with --all; plants resolve lists them. Nothing was done.";
        return failed(Exit::Usage, why);
    }
    if resolution.sends() && settings.read_only {
        return failed(Exit::Usage, "read-only: nothing that writes is sent. Nothing was done.");
    }
    let on_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !arguments.yes && !on_terminal {
        return failed(
            Exit::Usage,
            "nobody is there to be asked: add --yes to do it without asking. Nothing was done.",
        );
    }
    // Heard all the while: what comes between two steps is not lost.
    let mut stops = Stops::listen();
    let need = if resolution.sends() { TokenNeed::Now } else { TokenNeed::Never };
    let ready = match Ready::open(&settings, need, Weather::default()).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    ready.tell_what_was_found();
    let exit = match resolve(&ready, resolution, &arguments, json, &mut stops).await {
        Ok(exit) | Err(exit) => exit,
    };
    ready.journal.close().await;
    exit
}

/// Lists the unknown plants.
async fn list(settings: Settings, json: bool) -> Exit {
    let ready = match Ready::open(&settings, TokenNeed::Never, Weather::default()).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    ready.tell_what_was_found();
    let zone = zone::local();
    let heading = format!("{:>20}  {:<7}  {:<19}  {:<TAG$}  NAME", "ID", "UNKNOWN", "SINCE", "TAG");
    let mut after = None;
    let page = async || {
        let found = ready.journal.unknown_page(after, PAGE).await.map_err(|why| why.to_string())?;
        after = found.last().map(|unresolved| unresolved.row.id).or(after);
        Ok(found)
    };
    let text = |found: &Unresolved| {
        if json { say::json_text(&listed_unknown(found)) } else { Ok(line(found, &zone)) }
    };
    let printed = pages::print(json, &heading, page, text).await;
    let some = matches!(printed, Ok(1..));
    let exit = pages::exit(printed, &format!("No plant of {} is unknown.", ready.store));
    if some {
        say::words("Decide with plants resolve ID … or --all, and --stored, --forget, --delete or --resend.");
    }
    ready.journal.close().await;
    exit
}

fn listed_unknown(found: &Unresolved) -> ListedUnknown<'_> {
    let Unresolved { row, doubt } = found;
    ListedUnknown {
        name: row.name(),
        id: row.id,
        tag: row.tag(),
        state: row.state,
        operation: doubt.ask.word(),
        since: row.changed_at.in_utc(),
    }
}

fn line(found: &Unresolved, zone: &TimeZone) -> String {
    let Unresolved { row, doubt } = found;
    let (name, tag) = match &row.details {
        Some(details) => (clean_fit(&details.name, NAME), clean_padded(&details.tag, TAG)),
        None => ("(name not known)".to_owned(), " ".repeat(TAG)),
    };
    let since = zone::shown(row.changed_at, zone);
    format!("{:>20}  {:<7}  {since:<19}  {tag}  {name}", row.id, doubt.ask.word())
}

/// Asks, and does what was decided; the gravest of what comes of it is the exit code.
async fn resolve(
    ready: &Ready,
    resolution: Resolution,
    arguments: &ResolveArguments,
    json: bool,
    stops: &mut Stops,
) -> Result<Exit, Exit> {
    let (seen, first) = if arguments.all { all_unknown(ready).await? } else { named(ready, &arguments.ids).await? };
    if seen.is_empty() {
        say::words(&format!("No plant of {} is unknown. Nothing was done.", ready.store));
        return Ok(Exit::Done);
    }
    let plants = counted(seen.len() as u64, "unknown plant", "unknown plants");
    if !arguments.yes {
        let question = resolution.question(&plants, &ready.store, &listed_of(&first, seen.len()));
        if !ask::yes(&question).await? {
            say::words("Nothing was done.");
            return Ok(Exit::NotSent);
        }
    } else if resolution == Resolution::Resend {
        say::words(&format!("Note: {TWICE}"));
    }
    let mut work = Work { ready, json, exit: Exit::Done, sent: 0, lost: false };
    match resolution {
        Resolution::Settle(settlement) => {
            for seen in seen.chunks(CHUNK) {
                work.settle(seen, settlement).await?;
            }
        }
        Resolution::Delete | Resolution::Resend => {
            let mut at_work = ready.go_to_work();
            for seen in seen.chunks(CHUNK) {
                work.send(&mut at_work, seen, resolution, stops).await?;
                if work.exit == Exit::Interrupted {
                    break;
                }
            }
            let AtWork { courier, task, .. } = at_work;
            drop(courier);
            let _ = task.await;
        }
    }
    let exit = work.exit;
    // Whoever wanted an account of it may have none.
    Ok(if exit == Exit::Done && work.lost { Exit::NotSent } else { exit })
}

/// All that are unknown, and the rows of the first.
async fn all_unknown(ready: &Ready) -> Result<(Vec<Seen>, Vec<Row>), Exit> {
    let (mut seen, mut first) = (Vec::new(), Vec::new());
    loop {
        let after = seen.last().map(|(id, _)| *id);
        let page = ready.journal.unknown_page(after, PAGE).await.map_err(|why| unread(&why))?;
        if page.is_empty() {
            return Ok((seen, first));
        }
        seen.extend(page.iter().map(as_seen));
        if first.is_empty() {
            first = page.into_iter().map(|unresolved| unresolved.row).collect();
        }
    }
}

/// These plants, and their rows.
///
/// # Errors
///
/// Some of them are not unknown: all those were named.
async fn named(ready: &Ready, ids: &[PlantId]) -> Result<(Vec<Seen>, Vec<Row>), Exit> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let found = ready.journal.unknown_among(ids.clone()).await.map_err(|why| unread(&why))?;
    let others: Vec<_> = ids.into_iter().filter(|id| found.iter().all(|one| one.row.id != *id)).collect();
    if others.is_empty() {
        return Ok((found.iter().map(as_seen).collect(), found.into_iter().map(|one| one.row).collect()));
    }
    let rows = ready.journal.rows(others.clone()).await.map_err(|why| unread(&why))?;
    let told = others.iter().map(|id| match rows.iter().find(|row| row.id == *id) {
        Some(row) => format!("{} is {}", row_called(row), row.state.word()),
        None => format!("{id} is not in the list"),
    });
    let told: Vec<_> = told.collect();
    let what = if told.len() == 1 { "This is not an unknown plant" } else { "These are not unknown plants" };
    let why = format!("{what} of {}: {}. Nothing was done.", ready.store, told.join(", "));
    Err(failed(Exit::Usage, &why))
}

fn as_seen(found: &Unresolved) -> Seen {
    (found.row.id, found.doubt.operation)
}

fn unread(why: &JournalError) -> Exit {
    failed(Exit::NotSent, &format!("{why}. Nothing was done."))
}

/// What is done, and what came of it so far.
struct Work<'a> {
    ready: &'a Ready,
    json: bool,
    exit: Exit,
    /// Operations that were handed over.
    sent: u32,
    /// Whether stdout takes no more.
    lost: bool,
}

impl Work<'_> {
    fn came_to(&mut self, exit: Exit) {
        self.exit = gravest(self.exit, exit);
    }

    fn print(&mut self, value: &impl Serialize) {
        if self.json && !self.lost {
            self.lost = !say::json(value);
        }
    }

    /// The plants as they are now, by id; without those that are no longer as the person saw them,
    /// which are told.
    async fn still_unknown(&mut self, seen: &[Seen]) -> Result<Vec<Unresolved>, Exit> {
        let found = self
            .ready
            .journal
            .unknown_among(seen.iter().map(|(id, _)| *id).collect())
            .await
            .map_err(|why| unread(&why))?;
        let was_seen: HashMap<_, _> = seen.iter().copied().collect();
        let (still, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| was_seen.get(&found.row.id) == Some(&found.doubt.operation));
        let mut gone: HashMap<_, _> = was_seen;
        for found in &still {
            gone.remove(&found.row.id);
        }
        let mut gone: Vec<_> = gone.into_keys().collect();
        gone.sort_unstable();
        for id in gone {
            let row = others.iter().find(|other| other.row.id == id).map(|other| &other.row);
            let plant = row.map_or_else(|| format!("plant {id}"), row_called);
            say::words(&format!(
                "{plant} was resolved or changed elsewhere in the meantime: nothing was done about it."
            ));
            self.came_to(Exit::NotSent);
        }
        Ok(still)
    }

    /// Writes a person's word about these plants.
    async fn settle(&mut self, seen: &[Seen], settlement: Settlement) -> Result<(), Exit> {
        let found = self.still_unknown(seen).await?;
        let journal = &self.ready.journal;
        let written = journal.settle_all(found.iter().map(as_seen).collect(), settlement, clock()).await;
        let written = written.map_err(|why| unread(&why))?;
        let now = journal.rows(found.iter().map(|found| found.row.id).collect()).await.map_err(|why| unread(&why))?;
        for (Unresolved { row, .. }, written) in found.iter().zip(written) {
            let plant = row_called(row);
            let message = match (&written, settlement) {
                (Ok(()), Settlement::MarkStored) => format!("On your word: {plant} is stored. Nothing was sent."),
                (Ok(()), Settlement::Forget) => format!("Forgotten here: {plant}. Nothing was sent."),
                (Err(why), _) => format!("{plant} is not resolved: {why}."),
            };
            say::words(&message);
            if written.is_err() {
                self.came_to(Exit::NotSent);
            }
            let resolution = match settlement {
                Settlement::MarkStored => "stored",
                Settlement::Forget => "forget",
            };
            let state = now.iter().find(|now| now.id == row.id).map(|now| now.state);
            let plant = ToldPlant::of_row(row);
            self.print(&ToldResolution { resolution, resolved: written.is_ok(), plant, state, message });
        }
        Ok(())
    }

    /// Sends an operation for each of these plants, and waits for all of them. When asked to stop it
    /// cancels them; their ends are still told.
    async fn send(
        &mut self,
        at_work: &mut AtWork,
        seen: &[Seen],
        resolution: Resolution,
        stops: &mut Stops,
    ) -> Result<(), Exit> {
        let found = self.still_unknown(seen).await?;
        let rows: HashMap<_, _> = found.iter().map(|found| (found.row.id, &found.row)).collect();
        let mut out = 0;
        for Unresolved { row, doubt } in &found {
            let asked = if resolution == Resolution::Resend { doubt.ask.clone() } else { Ask::Delete(row.id) };
            self.sent += 1;
            let id = OperationId { origin: self.ready.origin, number: self.sent };
            if at_work.courier.send(Operation::new(id, asked, clock())).is_err() {
                return Err(failed(Exit::NotSent, "the background task has died; the rest was not sent"));
            }
            out += 1;
        }
        let mut interrupted = false;
        while out > 0 {
            tokio::select! {
                report = at_work.reports.recv() => match report {
                    Some(Report::Ended(ended)) => {
                        self.ended(&ended, rows.get(&ended.exchange.operation.ask.plant_id()).copied());
                        out -= 1;
                    }
                    Some(Report::Waiting(words)) => say::words(&words),
                    Some(Report::Recorded(_)) => {}
                    None => {
                        let why = "the background task has died; the journal marks what was sent as unknown";
                        return Err(failed(Exit::Unknown, why));
                    }
                },
                () = stops.next(), if !interrupted => {
                    interrupted = true;
                    at_work.courier.cancel_all();
                }
            }
        }
        if interrupted {
            self.exit = Exit::Interrupted;
        }
        Ok(())
    }

    fn ended(&mut self, ended: &Ended, row: Option<&Row>) {
        let (told, exit) = account(ended, row);
        self.print(&told);
        self.came_to(exit);
    }
}

/// The graver of two exit codes, as an import has them.
fn gravest(one: Exit, other: Exit) -> Exit {
    let order = [Exit::Interrupted, Exit::Unknown, Exit::Rejected, Exit::NotSent];
    order.into_iter().find(|exit| [one, other].contains(exit)).unwrap_or(Exit::Done)
}
