//! `plants resolve`: a person's decision about plants whose last operation ended unknown.

use std::collections::HashMap;

use clap::{ArgGroup, Args};
use color_eyre::eyre::{self, WrapErr as _, bail};
use jiff::tz::TimeZone;
use serde::Serialize;
use tracing::instrument;

use super::error::{Failure, Internal, OrExit as _};
use super::exit::Exit;
use super::json::{Listed, Plant};
use super::open::{AtWork, Ready, TokenNeed, listed_of};
use super::operate::summarize;
use super::stop::Stops;
use super::table::{self, Column, PAGE, TAG, tag_and_name};
use super::{clock, end, print, prompt};
use crate::config::Settings;
use crate::demo::Weather;
use crate::domain::number_format::counted;
use crate::domain::sentence::row_called;
use crate::domain::text::json_text;
use crate::domain::{Operation, OperationId, OperationKind, PlantId, Resolution, Row, State, StoreUrl, Unresolved};
use crate::worker::{Ended, Report};

/// Plants that are decided about at once.
const CHUNK: usize = 500;

const COLUMNS: [Column; 5] = [Column::Right(20), Column::Left(7), Column::Left(19), Column::Left(TAG), Column::Rest];

const NOTHING_DONE: &str = "Nothing was done.";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(group = ArgGroup::new("resolution").args(["stored", "forget", "delete", "resend"]))]
pub(super) struct ResolveArguments {
    /// Ids of unknown plants
    #[arg(value_name = "ID", allow_negative_numbers = true, requires = "resolution")]
    ids: Vec<PlantId>,
    /// All plants that are unknown
    #[arg(long, conflicts_with = "ids", requires = "resolution")]
    all: bool,
    /// Mark them as stored: you know that they are there; nothing is sent
    #[arg(long)]
    stored: bool,
    /// Take them out of the list; nothing is sent
    #[arg(long)]
    forget: bool,
    /// Send a delete for each
    #[arg(long)]
    delete: bool,
    /// Send the unknown operation of each again: a plant may then be there twice
    #[arg(long)]
    resend: bool,
    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResolveBy {
    /// Only writes it down.
    Word(Resolution),
    Delete,
    Resend,
}

impl ResolveArguments {
    fn resolution(&self) -> Option<ResolveBy> {
        let all = [
            (self.stored, ResolveBy::Word(Resolution::MarkStored)),
            (self.forget, ResolveBy::Word(Resolution::Forget)),
            (self.delete, ResolveBy::Delete),
            (self.resend, ResolveBy::Resend),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, resolution)| resolution)
    }
}

impl ResolveBy {
    fn sends(self) -> bool {
        matches!(self, Self::Delete | Self::Resend)
    }

    /// Words the question about so many plants, the first of which have these names.
    fn question(self, plants: &str, store: &StoreUrl, names: &str) -> String {
        match self {
            Self::Word(Resolution::MarkStored) => {
                format!("Mark {plants} at {store} as stored, though no response said so: {names}?")
            }
            Self::Word(Resolution::Forget) => {
                format!("Forget {plants} at {store}: {names}? They leave the list; nothing is sent.")
            }
            Self::Delete => format!("Send a delete for {plants} to {store}: {names}?"),
            Self::Resend => format!("Send the operation of {plants} to {store} again: {names}? {TWICE}"),
        }
    }
}

const TWICE: &str = "A plant that is added again may then be there twice; a delete that is sent again deletes a new plant if the id was reused in the meantime.";

/// What `--json` prints of a plant where nothing was sent.
#[derive(Serialize)]
struct Decision<'a> {
    resolution: &'static str,
    resolved: bool,
    plant: Plant<'a>,
    /// Now; null if it is not in the list.
    state: Option<State>,
    message: String,
}

/// An unknown plant, and the operation that had made it so when the person saw it.
type Seen = (PlantId, OperationId);

#[instrument(name = "resolve", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ResolveArguments, json: bool) -> eyre::Result<Exit> {
    let Some(resolution) = arguments.resolution() else { return list(settings, json).await };
    if arguments.ids.is_empty() && !arguments.all {
        let why =
            "name the plants by id, or all that are unknown with --all; plants resolve lists them. Nothing was done.";
        bail!(Failure::usage(why));
    }
    if resolution.sends() && settings.read_only {
        bail!(Failure::usage("read-only: nothing that writes is sent. Nothing was done."));
    }
    if !arguments.yes && !prompt::is_possible() {
        bail!(Failure::usage("nobody is there to be asked: add --yes to do it without asking. Nothing was done."));
    }
    // Heard all the while: what comes between two steps is not lost.
    let mut stops = Stops::listen();
    let need = if resolution.sends() { TokenNeed::Now } else { TokenNeed::Never };
    let ready = Ready::open(&settings, need, Weather::default()).await?;
    let resolved = resolve(&ready, resolution, &arguments, json, &mut stops).await;
    ready.journal.close().await;
    resolved
}

async fn list(settings: Settings, json: bool) -> eyre::Result<Exit> {
    let ready = Ready::open(&settings, TokenNeed::Never, Weather::default()).await?;
    let zone = clock::local_zone();
    let heading = table::row(COLUMNS, ["ID", "UNKNOWN", "SINCE", "TAG", "NAME"]);
    let mut after = None;
    let page = async || {
        let found = ready.journal.unknown_page(after, PAGE).await?;
        after = found.last().map(|unresolved| unresolved.row.id).or(after);
        Ok(found)
    };
    let text = |found: &Unresolved| if json { json_text(&Listed::from(found)) } else { Ok(line(found, &zone)) };
    let nothing = format!("No plant of {} is unknown.", ready.store);
    let printed = table::print(json, &heading, page, text, &nothing).await;
    if let Ok(true) = printed {
        print::message("Decide with plants resolve ID … or --all, and --stored, --forget, --delete or --resend.");
    }
    ready.journal.close().await;
    printed.map(|_| Exit::Done)
}

fn line(found: &Unresolved, zone: &TimeZone) -> String {
    let Unresolved { row, doubt } = found;
    let (tag, name) = tag_and_name(row);
    let since = clock::shown(row.changed_at, zone);
    table::row(COLUMNS, [&row.id.to_string(), doubt.kind.word(), &since, tag, &name])
}

/// Asks, and does what was decided; the gravest of what comes of it is the exit code.
async fn resolve(
    ready: &Ready,
    resolution: ResolveBy,
    arguments: &ResolveArguments,
    json: bool,
    stops: &mut Stops,
) -> eyre::Result<Exit> {
    let (seen, first) = if arguments.all { all_unknown(ready).await? } else { named(ready, &arguments.ids).await? };
    if seen.is_empty() {
        print::message(&format!("No plant of {} is unknown. Nothing was done.", ready.store));
        return Ok(Exit::Done);
    }
    let plants = counted(seen.len() as u64, "unknown plant", "unknown plants");
    if !arguments.yes {
        let question = resolution.question(&plants, &ready.store, &listed_of(&first, seen.len()));
        if !prompt::yes(&question).await? {
            print::message("Nothing was done.");
            return Ok(Exit::NotSent);
        }
    } else if resolution == ResolveBy::Resend {
        print::message(&format!("Note: {TWICE}"));
    }
    let mut work = Work { ready, json, exit: Exit::Done, sent: 0, lost: false };
    match resolution {
        ResolveBy::Word(resolution) => {
            for seen in seen.chunks(CHUNK) {
                work.resolve(seen, resolution).await?;
            }
        }
        ResolveBy::Delete | ResolveBy::Resend => {
            let mut at_work = ready.go_to_work();
            for seen in seen.chunks(CHUNK) {
                work.send(&mut at_work, seen, resolution, stops).await?;
                if work.exit == Exit::Interrupted {
                    break;
                }
            }
            at_work.end().await;
        }
    }
    let exit = work.exit;
    // The account of it is lost.
    Ok(if exit == Exit::Done && work.lost { Exit::NotSent } else { exit })
}

/// Finds all that are unknown, and the rows of the first page.
async fn all_unknown(ready: &Ready) -> eyre::Result<(Vec<Seen>, Vec<Row>)> {
    let (mut seen, mut first) = (Vec::new(), Vec::new());
    loop {
        let after = seen.last().map(|(id, _)| *id);
        let page = ready.journal.unknown_page(after, PAGE).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        if page.is_empty() {
            return Ok((seen, first));
        }
        seen.extend(page.iter().map(as_seen));
        if first.is_empty() {
            first = page.into_iter().map(|unresolved| unresolved.row).collect();
        }
    }
}

/// Finds these plants, and their rows. All that are not unknown are named in the error.
async fn named(ready: &Ready, ids: &[PlantId]) -> eyre::Result<(Vec<Seen>, Vec<Row>)> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let found = ready.journal.unknown_among(ids.clone()).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let others: Vec<_> = ids.into_iter().filter(|id| found.iter().all(|one| one.row.id != *id)).collect();
    if others.is_empty() {
        return Ok((found.iter().map(as_seen).collect(), found.into_iter().map(|one| one.row).collect()));
    }
    let rows = ready.journal.rows(others.clone()).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let what_they_are = others.iter().map(|id| match rows.iter().find(|row| row.id == *id) {
        Some(row) => format!("{} is {}", row_called(row), row.state.word()),
        None => format!("{id} is not in the list"),
    });
    let what_they_are: Vec<_> = what_they_are.collect();
    let what = if what_they_are.len() == 1 { "This is not an unknown plant" } else { "These are not unknown plants" };
    let why = format!("{what} of {}: {}. Nothing was done.", ready.store, what_they_are.join(", "));
    bail!(Failure::usage(why))
}

fn as_seen(found: &Unresolved) -> Seen {
    (found.row.id, found.doubt.operation)
}

/// Carries a resolution out, in chunks.
struct Work<'a> {
    ready: &'a Ready,
    json: bool,
    exit: Exit,
    /// Operations that the worker was given.
    sent: u32,
    /// Whether stdout takes no more.
    lost: bool,
}

impl Work<'_> {
    fn came_to(&mut self, exit: Exit) {
        self.exit = self.exit.or_graver(exit);
    }

    fn print(&mut self, value: &impl Serialize) {
        if self.json && !self.lost {
            self.lost = !end::succeeded(print::json(value));
        }
    }

    /// Returns the plants as they are now. Tells of those that are no longer as the person saw them.
    async fn still_unknown(&mut self, seen: &[Seen]) -> eyre::Result<Vec<Unresolved>> {
        let ids = seen.iter().map(|(id, _)| *id).collect();
        let found = self.ready.journal.unknown_among(ids).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        let mut found: HashMap<_, _> = found.into_iter().map(|found| (found.row.id, found)).collect();
        let mut still = Vec::new();
        for (id, operation) in seen {
            match found.remove(id) {
                Some(unresolved) if unresolved.doubt.operation == *operation => still.push(unresolved),
                changed => {
                    let plant = changed.map_or_else(|| format!("plant {id}"), |changed| row_called(&changed.row));
                    print::message(&format!(
                        "{plant} was resolved or changed elsewhere in the meantime: nothing was done about it."
                    ));
                    self.came_to(Exit::NotSent);
                }
            }
        }
        Ok(still)
    }

    /// Writes a person's word about these plants.
    async fn resolve(&mut self, seen: &[Seen], resolution: Resolution) -> eyre::Result<()> {
        let found = self.still_unknown(seen).await?;
        let journal = &self.ready.journal;
        let written = journal.resolve_all(found.iter().map(as_seen).collect(), resolution, clock::now()).await;
        let written = written.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        let now = journal
            .rows(found.iter().map(|found| found.row.id).collect())
            .await
            .or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        for (Unresolved { row, .. }, written) in found.iter().zip(written) {
            let plant = row_called(row);
            let message = match (&written, resolution) {
                (Ok(()), Resolution::MarkStored) => format!("On your word: {plant} is stored. Nothing was sent."),
                (Ok(()), Resolution::Forget) => format!("Forgotten here: {plant}. Nothing was sent."),
                (Err(why), _) => format!("{plant} is not resolved: {why}."),
            };
            print::message(&message);
            if written.is_err() {
                self.came_to(Exit::NotSent);
            }
            let resolution = match resolution {
                Resolution::MarkStored => "stored",
                Resolution::Forget => "forget",
            };
            let state = now.iter().find(|now| now.id == row.id).map(|now| now.state);
            self.print(&Decision { resolution, resolved: written.is_ok(), plant: row.into(), state, message });
        }
        Ok(())
    }

    /// Sends an operation for each of these plants, and waits for all of them. A request to stop cancels
    /// them; their ends are still told.
    async fn send(
        &mut self,
        at_work: &mut AtWork,
        seen: &[Seen],
        resolution: ResolveBy,
        stops: &mut Stops,
    ) -> eyre::Result<()> {
        let found = self.still_unknown(seen).await?;
        let rows: HashMap<_, _> = found.iter().map(|found| (found.row.id, &found.row)).collect();
        let mut out = 0;
        for Unresolved { row, doubt } in &found {
            let asked =
                if resolution == ResolveBy::Resend { doubt.kind.clone() } else { OperationKind::Delete(row.id) };
            self.sent += 1;
            let id = OperationId { origin: self.ready.origin, number: self.sent };
            at_work.send(Operation::new(id, asked, clock::now())).wrap_err(Internal::Unknown)?;
            out += 1;
        }
        let mut interrupted = false;
        while out > 0 {
            tokio::select! {
                report = at_work.reports.recv() => match report {
                    Some(Report::Ended(ended)) => {
                        self.ended(&ended, rows.get(&ended.exchange.operation.kind.plant_id()).copied());
                        out -= 1;
                    }
                    Some(Report::Waiting(waiting)) => print::message(&waiting),
                    Some(Report::Recorded(_)) => {}
                    None => return Err(at_work.death().await),
                },
                () = stops.next(), if !interrupted => {
                    interrupted = true;
                    at_work.worker.cancel_all();
                }
            }
        }
        if interrupted {
            self.exit = Exit::Interrupted;
        }
        Ok(())
    }

    fn ended(&mut self, ended: &Ended, row: Option<&Row>) {
        let (summary, exit) = summarize(ended, row);
        self.print(&summary);
        self.came_to(exit);
    }
}
