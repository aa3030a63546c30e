//! `plants resolve`: lists the unknown plants, and carries out a person's decision about them; forgets stored ones.

use std::collections::HashMap;

use clap::{ArgGroup, Args};
use color_eyre::eyre::{self, bail};
use jiff::tz::TimeZone;
use serde::Serialize;
use tracing::instrument;

use super::access::TokenNeed;
use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::found::{self, CHUNK, Found, NOTHING_DONE, Seen};
use super::json::{JsonLines, Listed, Plant};
use super::open::{Ready, listed_of};
use super::operate::{check_writable, print_end};
use super::sender::{Sender, Sent};
use super::stop::Stops;
use super::table::{self, Column, PAGE, TAG, tag_and_name};
use super::when_unknown::{AtTerminal, WhenUnknown};
use super::{clock, print, prompt};
use crate::config::Settings;
use crate::domain::filter::Filter;
use crate::domain::sentence::row_called;
use crate::domain::{OperationKind, PlantId, Resolution, State, StoreUrl, Unresolved};
use crate::text::number_format::counted;
use crate::text::push_json;
use crate::worker::{Ended, Feed};

const COLUMNS: [Column; 5] = [Column::Right(20), Column::Left(7), Column::Left(19), Column::Left(TAG), Column::Rest];

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(group = ArgGroup::new("resolution").args(["stored", "forget", "delete", "resend"]))]
pub(super) struct ResolveArguments {
    /// Ids of unknown plants; with --forget, also of stored ones
    #[arg(value_name = "ID", allow_negative_numbers = true, requires = "resolution")]
    ids: Vec<PlantId>,
    /// Resolve all unknown plants
    #[arg(long, conflicts_with = "ids", requires = "resolution")]
    all: bool,
    /// Resolve the unknown plants that match a filter, like 'tag:desert status:5xx'; with --forget, also stored ones
    #[arg(long = "match", value_name = "QUERY", conflicts_with_all = ["ids", "all"], requires = "resolution")]
    matching: Option<String>,
    /// Mark them as stored, because you know that they are there; nothing is sent
    #[arg(long)]
    stored: bool,
    /// Remove them from the list, also stored ones, because you know that they are gone; nothing is sent
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
    /// Go on after five unknown outcomes in a row
    #[arg(long)]
    keep_going: bool,
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
                format!(
                    "Forget {plants} at {store}: {names}? They are removed from the list, whatever the store has; nothing is sent."
                )
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

#[instrument(name = "resolve", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ResolveArguments, json: bool) -> eyre::Result<Exit> {
    let Some(method) = arguments.method() else { return list(settings, json).await };
    if arguments.ids.is_empty() && !arguments.all && arguments.matching.is_none() {
        bail!(Failure::usage(
            "give the ids of unknown plants, --match or --all; plants resolve lists them. Nothing was done."
        ));
    }
    let filter = arguments.matching.as_deref().map(found::read_filter).transpose()?;
    if method.sends() {
        check_writable(&settings)?;
    }
    prompt::check(!arguments.yes, "resolve", NOTHING_SENT)?;
    // Listens from here on, so that no request to stop between two steps is missed.
    let mut stops = Stops::listen();
    let need = if method.sends() { TokenNeed::Now } else { TokenNeed::Never };
    let mut ready = Ready::open(&settings, need).await?;
    ready.catch_up().await;
    let resolved = ask_and_resolve(&ready, method, &arguments, filter, json, &mut stops).await;
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
        print::message(
            "To resolve them: plants resolve ID …, --match QUERY or --all, with --stored, --forget, --delete or --resend.",
        );
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
    filter: Option<Filter>,
    json: bool,
    stops: &mut Stops,
) -> eyre::Result<Exit> {
    let forgets = method == Method::Record(Resolution::Forget);
    let (seen, first) = match filter {
        Some(filter) => found::matching(ready, filter, forgets).await?,
        None if arguments.all => found::all_unknown(ready).await?,
        None => found::named(ready, &arguments.ids, forgets).await?,
    };
    if seen.is_empty() {
        let which = if arguments.matching.is_some() { "such plant" } else { "plant" };
        let what = if forgets && arguments.matching.is_some() { "in the list" } else { "unknown" };
        print::message(format!("No {which} of {} is {what}. Nothing was done.", ready.store));
        return Ok(Exit::Done);
    }
    if !arguments.yes {
        let question = method.question(&plants(&seen), &ready.store, &listed_of(&first, seen.len()));
        if !prompt::yes(&question, NOTHING_SENT).await? {
            print::message(NOTHING_DONE);
            return Ok(Exit::NotSent);
        }
    } else if method == Method::Resend {
        print::message(format!("Note: {TWICE}"));
    }
    carry_out(ready, method, &seen, json, stops, WhenUnknown::of(arguments.keep_going, &mut AtTerminal)).await
}

/// Counts plants, as unknown or stored.
fn plants(seen: &[Seen]) -> String {
    let stored = seen.iter().filter(|(_, unknown)| unknown.is_none()).count() as u64;
    let counts = [
        (seen.len() as u64 - stored, ["unknown plant", "unknown plants"]),
        (stored, ["stored plant", "stored plants"]),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, [one, many])| counted(count, one, many)).collect::<Vec<_>>().join(" and ")
}

/// Carries the decision out. Returns the exit code of the gravest outcome.
pub(super) async fn carry_out(
    ready: &Ready,
    method: Method,
    seen: &[Seen],
    json: bool,
    stops: &mut Stops,
    when_unknown: WhenUnknown<'_>,
) -> eyre::Result<Exit> {
    let mut run = Run { ready, json: JsonLines::new(json), exit: Exit::Done, when_unknown };
    if let Method::Record(resolution) = method {
        for seen in seen.chunks(CHUNK) {
            run.record(seen, resolution).await?;
        }
    } else {
        let mut sender = ready.start_worker();
        let (mut feed, mut left) = (Feed::of([], run.when_unknown.brake()), seen.len());
        for seen in seen.chunks(CHUNK) {
            let sent = run.send(&mut sender, &mut feed, seen, method == Method::Resend, stops).await?;
            left -= seen.len();
            if sent != Sent::All {
                run.stopped(sent, left + feed.waiting().len());
                break;
            }
        }
        sender.end().await;
    }
    Ok(run.json.or_lost(run.exit))
}

/// Resolves plants, one chunk after another.
struct Run<'a, 'b> {
    ready: &'a Ready,
    json: JsonLines,
    exit: Exit,
    when_unknown: WhenUnknown<'b>,
}

impl Run<'_, '_> {
    fn add_exit(&mut self, exit: Exit) {
        self.exit = self.exit.or_graver(exit);
    }

    /// Says why the rest was not sent, if `left` plants were not.
    fn stopped(&mut self, sent: Sent, left: usize) {
        if sent == Sent::Interrupted {
            self.exit = Exit::Interrupted;
        }
        if left > 0 {
            let plants = counted(left as u64, "unknown plant is", "unknown plants are");
            let why = if sent == Sent::Interrupted {
                "Stopped."
            } else {
                "Stopped after five unknown outcomes in a row; --keep-going goes on."
            };
            print::message(format!("{why} {plants} left as before: nothing was sent for them."));
        }
    }

    /// Returns the plants that are as the person saw them; prints the others.
    async fn unchanged(&mut self, seen: &[Seen]) -> eyre::Result<Vec<Found>> {
        let found = found::in_list(self.ready, seen.iter().map(|(id, _)| *id).collect()).await?;
        let mut found: HashMap<_, _> = found.into_iter().map(|found| (found.row.id, found)).collect();
        let mut unchanged = Vec::new();
        for seen in seen {
            match found.remove(&seen.0) {
                Some(found) if found.seen() == *seen && found.is_resolvable(true) => unchanged.push(found),
                changed => {
                    let plant = changed.map_or_else(|| format!("plant {}", seen.0), |found| row_called(&found.row));
                    print::message(format!(
                        "Another program resolved or changed {plant} in the meantime: nothing was done about it."
                    ));
                    self.add_exit(Exit::NotSent);
                }
            }
        }
        Ok(unchanged)
    }

    /// Records the person's decision about these plants.
    async fn record(&mut self, seen: &[Seen], resolution: Resolution) -> eyre::Result<()> {
        let found = self.unchanged(seen).await?;
        let journal = &self.ready.journal;
        let recorded = journal.resolve_all(found.iter().map(Found::seen).collect(), resolution, clock::now()).await;
        let recorded = recorded.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        let now = journal
            .rows(found.iter().map(|found| found.row.id).collect())
            .await
            .or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
        for (Found { row, .. }, recorded) in found.iter().zip(recorded) {
            let plant = row_called(row);
            let (resolution, done) = match resolution {
                Resolution::MarkStored => ("stored", format!("Marked {plant} as stored. Nothing was sent.")),
                Resolution::Forget => ("forget", format!("Removed {plant} from the list. Nothing was sent.")),
            };
            let resolved = recorded.is_ok();
            let message = recorded.map_or_else(|why| format!("{plant} was not resolved: {why}."), |()| done);
            print::message(&message);
            if !resolved {
                self.add_exit(Exit::NotSent);
            }
            let state = now.iter().find(|now| now.id == row.id).map(|now| now.state);
            self.json.print(|| Decision { resolution, resolved, plant: row.into(), state, message });
        }
        Ok(())
    }

    /// Sends the unknown operation of each of these plants again, or a delete, and waits for all outcomes. A
    /// request to stop cancels them; their outcomes are still printed.
    async fn send(
        &mut self,
        sender: &mut Sender,
        feed: &mut Feed<OperationKind>,
        seen: &[Seen],
        resend: bool,
        stops: &mut Stops,
    ) -> eyre::Result<Sent> {
        let found = self.unchanged(seen).await?;
        let rows: HashMap<_, _> = found.iter().map(|found| (found.row.id, &found.row)).collect();
        let operation = |Found { row, unknown }: &Found| match unknown {
            Some(unknown) if resend => unknown.kind.clone(),
            Some(_) | None => OperationKind::Delete(row.id),
        };
        feed.extend(found.iter().map(operation));
        let (json, mut exit) = (&self.json, self.exit);
        let print_one = |ended: Ended| {
            let row = rows.get(&ended.exchange.operation.kind.plant_id()).copied();
            let (summary, of_one) = print_end(&ended, row);
            json.print(|| &summary);
            exit = exit.or_graver(of_one);
        };
        let sent = sender.carry_out(feed, stops, &mut self.when_unknown, print_one).await?;
        self.exit = exit;
        Ok(sent)
    }
}
