//! `plants resolve`: lists the unknown plants, and carries out a person's decision about them.

use std::collections::HashMap;

use clap::{ArgGroup, Args};
use color_eyre::eyre::{self, bail};
use jiff::tz::TimeZone;
use serde::Serialize;
use tracing::instrument;

use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::json::{JsonLines, Listed, Plant};
use super::open::{Ready, Sender, TokenNeed, listed_of};
use super::operate::{check_writable, print_end};
use super::stop::Stops;
use super::table::{self, Column, PAGE, TAG, tag_and_name};
use super::{clock, print, prompt};
use crate::config::Settings;
use crate::domain::number_format::counted;
use crate::domain::sentence::row_called;
use crate::domain::text::push_json;
use crate::domain::{OperationId, OperationKind, PlantId, Resolution, Row, State, StoreUrl, Unresolved};

/// Plants that are resolved at once.
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
    /// Resolve all unknown plants
    #[arg(long, conflicts_with = "ids", requires = "resolution")]
    all: bool,
    /// Mark them as stored, because you know that they are there; nothing is sent
    #[arg(long)]
    stored: bool,
    /// Remove them from the list; nothing is sent
    #[arg(long)]
    forget: bool,
    /// Send a delete for each of them
    #[arg(long)]
    delete: bool,
    /// Send the unknown operation of each again: a plant may then be stored twice
    #[arg(long)]
    resend: bool,
    /// Resolve without asking
    #[arg(long, short)]
    yes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Records the person's decision, and sends nothing.
    Record(Resolution),
    Delete,
    Resend,
}

impl ResolveArguments {
    fn method(&self) -> Option<Method> {
        let all = [
            (self.stored, Method::Record(Resolution::MarkStored)),
            (self.forget, Method::Record(Resolution::Forget)),
            (self.delete, Method::Delete),
            (self.resend, Method::Resend),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, method)| method)
    }
}

impl Method {
    pub(super) fn sends(self) -> bool {
        matches!(self, Self::Delete | Self::Resend)
    }

    /// Renders the question before the plants are resolved; `names` are the first of `plants`.
    pub(super) fn question(self, plants: &str, store: &StoreUrl, names: &str) -> String {
        match self {
            Self::Record(Resolution::MarkStored) => {
                format!("Mark {plants} at {store} as stored, without proof from a response: {names}?")
            }
            Self::Record(Resolution::Forget) => {
                format!("Forget {plants} at {store}: {names}? They are removed from the list; nothing is sent.")
            }
            Self::Delete => format!("Send a delete for {plants} to {store}: {names}?"),
            Self::Resend => format!("Send the operation of {plants} to {store} again: {names}? {TWICE}"),
        }
    }
}

pub(super) const TWICE: &str = "A plant that is added again may then be stored twice; a delete that is sent again deletes a new plant if the id was reused in the meantime.";

/// The output of `--json` for a plant of which only the decision is recorded.
#[derive(Serialize)]
struct Decision<'a> {
    resolution: &'static str,
    resolved: bool,
    plant: Plant<'a>,
    /// After the decision; null if the plant is not in the list.
    state: Option<State>,
    message: String,
}

/// An unknown plant, and the operation that made it unknown when the person saw the list.
pub(super) type Seen = (PlantId, OperationId);

#[instrument(name = "resolve", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ResolveArguments, json: bool) -> eyre::Result<Exit> {
    let Some(method) = arguments.method() else { return list(settings, json).await };
    if arguments.ids.is_empty() && !arguments.all {
        bail!(Failure::usage("give the ids of unknown plants, or --all; plants resolve lists them. Nothing was done."));
    }
    if method.sends() {
        check_writable(&settings)?;
    }
    prompt::check(!arguments.yes, "resolve", NOTHING_SENT)?;
    // Listens from here on, so that no request to stop between two steps is missed.
    let mut stops = Stops::listen();
    let need = if method.sends() { TokenNeed::Now } else { TokenNeed::Never };
    let mut ready = Ready::open(&settings, need).await?;
    ready.catch_up().await;
    let resolved = ask_and_resolve(&ready, method, &arguments, json, &mut stops).await;
    ready.close().await;
    resolved
}

async fn list(settings: Settings, json: bool) -> eyre::Result<Exit> {
    let mut ready = Ready::open(&settings, TokenNeed::Never).await?;
    ready.catch_up().await;
    let zone = clock::local_zone();
    let heading = table::row(COLUMNS, ["ID", "UNKNOWN", "SINCE", "TAG", "NAME"]);
    let mut after = None;
    let page = async || {
        let found = ready.journal.unknown_page(after, PAGE).await?;
        after = found.last().map(|unresolved| unresolved.row.id).or(after);
        Ok(found)
    };
    let nothing = format!("No plant of {} is unknown.", ready.store);
    let printed = if json {
        table::print_json(page, |text, found| push_json(text, &Listed::from(found)), &nothing).await
    } else {
        table::print(&heading, page, |found| line(found, &zone), &nothing).await
    };
    if let Ok(true) = printed {
        print::message("To resolve them: plants resolve ID … or --all, with --stored, --forget, --delete or --resend.");
    }
    ready.close().await;
    printed.map(|_| Exit::Done)
}

fn line(found: &Unresolved, zone: &TimeZone) -> String {
    let Unresolved { row, unknown } = found;
    let (tag, name) = tag_and_name(row);
    let since = clock::shown(row.changed_at, zone);
    let name = unknown.members_in_words().map_or(name.clone(), |authors| format!("{name} (by {authors})"));
    table::row(COLUMNS, [&row.id.to_string(), unknown.kind.word(), &since, tag, &name])
}

/// Asks for a confirmation, and carries the decision out. Returns the exit code of the gravest outcome.
async fn ask_and_resolve(
    ready: &Ready,
    method: Method,
    arguments: &ResolveArguments,
    json: bool,
    stops: &mut Stops,
) -> eyre::Result<Exit> {
    let (seen, first) = if arguments.all { all_unknown(ready).await? } else { named(ready, &arguments.ids).await? };
    if seen.is_empty() {
        print::message(format!("No plant of {} is unknown. Nothing was done.", ready.store));
        return Ok(Exit::Done);
    }
    let plants = counted(seen.len() as u64, "unknown plant", "unknown plants");
    if !arguments.yes {
        let question = method.question(&plants, &ready.store, &listed_of(&first, seen.len()));
        if !prompt::yes(&question, NOTHING_SENT).await? {
            print::message(NOTHING_DONE);
            return Ok(Exit::NotSent);
        }
    } else if method == Method::Resend {
        print::message(format!("Note: {TWICE}"));
    }
    carry_out(ready, method, &seen, json, stops).await
}

/// Carries the decision out. Returns the exit code of the gravest outcome.
pub(super) async fn carry_out(
    ready: &Ready,
    method: Method,
    seen: &[Seen],
    json: bool,
    stops: &mut Stops,
) -> eyre::Result<Exit> {
    let mut run = Run { ready, json: JsonLines::new(json), exit: Exit::Done };
    if let Method::Record(resolution) = method {
        for seen in seen.chunks(CHUNK) {
            run.record(seen, resolution).await?;
        }
    } else {
        let mut sender = ready.start_worker();
        for seen in seen.chunks(CHUNK) {
            run.send(&mut sender, seen, method == Method::Resend, stops).await?;
            if run.exit == Exit::Interrupted {
                break;
            }
        }
        sender.end().await;
    }
    Ok(run.json.or_lost(run.exit))
}

/// Finds all unknown plants, and the rows of the first page.
pub(super) async fn all_unknown(ready: &Ready) -> eyre::Result<(Vec<Seen>, Vec<Row>)> {
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

/// Finds these unknown plants, and their rows.
///
/// # Errors
///
/// Some of them are not unknown; the error names these.
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
    let others = others.iter().map(|id| match rows.iter().find(|row| row.id == *id) {
        Some(row) => format!("{} is {}", row_called(row), row.state.word()),
        None => format!("{id} is not in the list"),
    });
    let others = others.collect::<Vec<_>>().join(", ");
    bail!(Failure::usage(format!(
        "only unknown plants of {} can be resolved: {others}. plants resolve lists those. Nothing was done.",
        ready.store
    )))
}

pub(super) fn as_seen(found: &Unresolved) -> Seen {
    (found.row.id, found.unknown.operation)
}

/// Resolves plants, one chunk after another.
struct Run<'a> {
    ready: &'a Ready,
    json: JsonLines,
    exit: Exit,
}

impl Run<'_> {
    fn ended_as(&mut self, exit: Exit) {
        self.exit = self.exit.or_graver(exit);
    }

    /// Returns the current rows of the plants that are unknown as the person saw them; prints the others.
    async fn still_unknown(&mut self, seen: &[Seen]) -> eyre::Result<Vec<Unresolved>> {
        let ids = seen.iter().map(|(id, _)| *id).collect();
        let found = self.ready.journal.unknown_among(ids).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        let mut found: HashMap<_, _> = found.into_iter().map(|found| (found.row.id, found)).collect();
        let mut still = Vec::new();
        for (id, operation) in seen {
            match found.remove(id) {
                Some(unresolved) if unresolved.unknown.operation == *operation => still.push(unresolved),
                changed => {
                    let plant = changed.map_or_else(|| format!("plant {id}"), |changed| row_called(&changed.row));
                    print::message(format!(
                        "Another program resolved or changed {plant} in the meantime: nothing was done about it."
                    ));
                    self.ended_as(Exit::NotSent);
                }
            }
        }
        Ok(still)
    }

    /// Records the person's decision about these plants.
    async fn record(&mut self, seen: &[Seen], resolution: Resolution) -> eyre::Result<()> {
        let found = self.still_unknown(seen).await?;
        let journal = &self.ready.journal;
        let recorded = journal.resolve_all(found.iter().map(as_seen).collect(), resolution, clock::now()).await;
        let recorded = recorded.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        let now = journal
            .rows(found.iter().map(|found| found.row.id).collect())
            .await
            .or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        for (Unresolved { row, .. }, recorded) in found.iter().zip(recorded) {
            let plant = row_called(row);
            let (resolution, done) = match resolution {
                Resolution::MarkStored => ("stored", format!("Marked {plant} as stored. Nothing was sent.")),
                Resolution::Forget => ("forget", format!("Removed {plant} from the list. Nothing was sent.")),
            };
            let resolved = recorded.is_ok();
            let message = recorded.map_or_else(|why| format!("{plant} was not resolved: {why}."), |()| done);
            print::message(&message);
            if !resolved {
                self.ended_as(Exit::NotSent);
            }
            let state = now.iter().find(|now| now.id == row.id).map(|now| now.state);
            self.json.print(|| Decision { resolution, resolved, plant: row.into(), state, message });
        }
        Ok(())
    }

    /// Sends the unknown operation of each of these plants again, or a delete, and waits for all outcomes. A
    /// request to stop cancels them; their outcomes are still printed.
    async fn send(&mut self, sender: &mut Sender, seen: &[Seen], resend: bool, stops: &mut Stops) -> eyre::Result<()> {
        let found = self.still_unknown(seen).await?;
        let rows: HashMap<_, _> = found.iter().map(|found| (found.row.id, &found.row)).collect();
        let operations = found.iter().map(
            |Unresolved { row, unknown }| {
                if resend { unknown.kind.clone() } else { OperationKind::Delete(row.id) }
            },
        );
        let interrupted = sender
            .carry_out(operations.collect(), stops, |ended| {
                let row = rows.get(&ended.exchange.operation.kind.plant_id()).copied();
                let (summary, exit) = print_end(&ended, row);
                self.json.print(|| &summary);
                self.ended_as(exit);
            })
            .await?;
        if interrupted {
            self.exit = Exit::Interrupted;
        }
        Ok(())
    }
}
