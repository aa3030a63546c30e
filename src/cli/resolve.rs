//! `plants resolve`: lists the unknown plants, and carries out a person's decision about them; forgets stored ones.

use std::collections::HashMap;
use std::slice;

use color_eyre::eyre::{self, bail};
use jiff::tz::TimeZone;
use serde::Serialize;
use tracing::instrument;

use super::access::TokenNeed;
use super::batch::{Batch, BatchOptions, Sent, WhenBraked};
use super::console::{Console, prompt};
use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::found::{self, NOTHING_DONE};
use super::json::JsonLines;
use super::open::{Ready, first_of};
use super::session::{Opened, Session, check_writable};
use super::table::{self, PAGE, Table, WHOLE, name_and_tag};
use super::terminal_output::Terminal;
use super::{clock, print};
use crate::domain::filter::{Filter, Test};
use crate::domain::sentence::row_called;
use crate::domain::{Authors, Decided, ListedPlant, OperationKind, Resolution, State};
use crate::journal::{Arrangement, PlantPages};
use crate::runtime::json::{Listed, Operation, Plant};
use crate::text::columns::Column;
use crate::text::number_format::counted;
use crate::text::push_json;
use crate::tui::render::table::{Cell, Head};
use crate::verbs::{Method, ResolveArguments};

/// Columns of a text that is cut, before another column is left out for it.
const CUT: usize = 8;

const COLUMNS: [Head; 5] = [
    Head::right("ID", WHOLE),
    Head::left("UNKNOWN", WHOLE),
    Head::left("SINCE", WHOLE.optional()),
    Head::left("TAG", Column::flexible(0, CUT, 1)),
    Head::left("NAME", Column::flexible(0, CUT, 2)),
];

/// Plants that are looked up at once.
const CHUNK: usize = 500;

const NOTHING_MORE: &str = "Nothing more was sent.";

/// What to do about one unknown plant; `None` leaves it unknown.
const DECISIONS: [(&str, Option<Method>); 5] = [
    ("skip", None),
    ("send again", Some(Method::Resend)),
    ("delete at the store", Some(Method::Delete)),
    ("stored without a request", Some(Method::Record(Resolution::MarkStored))),
    ("forget without a request", Some(Method::Record(Resolution::Forget))),
];

const EXPLAINED: &str = "Skip: it stays unknown. Send again: sends the same request once more. Delete at the store: sends a delete of its id. Stored: you know that the store has it; only the list changes. Forget: you know that the store lacks it; only the list changes.";

/// The output of `--json` for a plant of which only the decision is recorded.
#[derive(Serialize)]
struct Decision<'a> {
    /// Its option.
    resolution: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
    resolved: bool,
    plant: Plant<'a>,
    /// After the decision; null if the plant is not in the list.
    state: Option<State>,
    message: String,
}

#[instrument(name = "resolve", skip_all)]
pub(super) async fn run(
    session: &mut Session,
    arguments: ResolveArguments,
    json: bool,
    terminal: Option<Terminal>,
) -> eyre::Result<Exit> {
    let method = arguments.method();
    let ResolveArguments { selection, all, yes, dry_run, keep_going, .. } = arguments;
    let takes_all = selection.is_empty();
    let names_none = takes_all && !all;
    let asks = method.is_none()
        && !dry_run
        && (session.console.is_conversation || (session.console.has_person && !names_none));
    if method.is_none() && names_none && !asks {
        return list(session, json, terminal.as_ref()).await;
    }
    if method.is_none() && !asks {
        bail!(Failure::usage(format!(
            "say what to do about them: --stored, --forget, --delete or --resend. {NOTHING_DONE}"
        )));
    }
    if names_none && !asks {
        bail!(Failure::usage(format!(
            "name unknown plants, or give --match or --all; plants resolve lists them. {NOTHING_DONE}"
        )));
    }
    let filter = found::read_filter(selection.matching.as_deref())?;
    let is_matching = filter.is_some();
    let words = found::with_stdin(selection.plants, session)?;
    let sends = method.is_some_and(Method::sends) && !dry_run;
    if sends {
        check_writable(&session.settings)?;
    }
    let need = match method {
        _ if sends => TokenNeed::Now,
        // An answer may request to send something.
        None if !session.settings.read_only => TokenNeed::Later,
        Some(_) | None => TokenNeed::Never,
    };
    let Opened { ready, .. } = session.open(need).await?;
    ready.catch_up().await;
    let forgets = method == Some(Method::Record(Resolution::Forget));
    let seen = match filter {
        Some(filter) => found::matching(ready, filter, forgets).await?,
        None if takes_all => found::matching(ready, Filter::default(), false).await?,
        None => found::named(ready, found::ids(ready, words).await?, forgets).await?,
    };
    if seen.is_empty() {
        let which = if is_matching { "such plant" } else { "plant" };
        let what = if forgets && is_matching { "in the list" } else { "unknown" };
        print::message(format!("No {which} of {} is {what}. {NOTHING_DONE}", ready.store));
        return Ok(Exit::Done);
    }
    session.console.check(!yes && !dry_run, "resolve", NOTHING_SENT)?;
    let options = BatchOptions { json, ..BatchOptions::default() };
    let chosen = match method {
        Some(method) => Ok(method),
        None => decision_for_all(session, &seen, options).await?,
    };
    let method = match chosen {
        Ok(method) => method,
        Err(exit) => return Ok(exit),
    };
    let Opened { ready, console, .. } = open_for(session, method, json, dry_run).await?;
    if dry_run {
        print::message(format!("To resolve: {}: {}. {NOTHING_DONE}", plants(&seen), names(&seen)));
        let lines = JsonLines::new(json);
        for plant in &seen {
            print_dry(&lines, method, plant);
        }
        return Ok(lines.or_lost(Exit::Done, false));
    }
    if !yes || asks {
        let question = method.question(&plants(&seen), &ready.store, &names(&seen), &twice(&seen));
        if !console.confirm(&question, false, NOTHING_SENT).await? {
            print::message(NOTHING_DONE);
            return Ok(Exit::NotSent);
        }
    } else if method == Method::Resend {
        print::message(format!("Note: {}", twice(&seen)));
    }
    let when_braked = WhenBraked::of(keep_going, console);
    carry_out(ready, method, &seen, Batch::new(ready, options, when_braked)).await
}

/// Asks what to do about all of the plants at once; returns an exit code if the person has decided about each of them, or
/// about none.
async fn decision_for_all(
    session: &mut Session,
    seen: &[ListedPlant],
    options: BatchOptions,
) -> eyre::Result<Result<Method, Exit>> {
    if seen.len() > 1 {
        print::message(format!("{}: {}.", plants(seen), names(seen)));
        if !session.console.confirm("Decide about each of them?", true, NOTHING_MORE).await? {
            return Ok(decision(&mut session.console, "All of them:", seen).await?.ok_or(Exit::Done));
        }
    }
    ask_about_each(session, seen, options).await.map(Err)
}

/// Asks about one plant after another. Leaves out those that are not unknown any more.
async fn ask_about_each(session: &mut Session, seen: &[ListedPlant], options: BatchOptions) -> eyre::Result<Exit> {
    let mut exit = Exit::Done;
    for plant in seen {
        let Opened { ready, .. } = session.open(TokenNeed::Never).await?;
        if let Some(found) = ready.journal.listed(vec![plant.row.id]).await?.pop() {
            exit = exit.or_graver(ask_about(session, found, options).await?);
        }
    }
    Ok(exit)
}

/// Asks about a plant, if it is unknown.
async fn ask_about(session: &mut Session, plant: ListedPlant, options: BatchOptions) -> eyre::Result<Exit> {
    let ListedPlant { row, unknown: Some(unknown) } = &plant else { return Ok(Exit::Done) };
    let since = clock::shown(row.changed_at, &clock::local_zone());
    print::message(format!("{} is unknown since {since}. {}", row_called(row), unknown.why()));
    let console = &mut session.console;
    let Some(method) = decision(console, "Decide:", slice::from_ref(&plant)).await? else {
        print::message("It stays unknown.");
        return Ok(Exit::Done);
    };
    if method == Method::Resend {
        print::message(twice(slice::from_ref(&plant)));
        if !console.confirm("Send it again?", false, NOTHING_MORE).await? {
            print::message(NOTHING_SENT);
            return Ok(Exit::NotSent);
        }
    }
    let Opened { ready, console, .. } = open_for(session, method, options.json, false).await?;
    carry_out(ready, method, &[plant], Batch::new(ready, options, WhenBraked::of(false, console))).await
}

async fn decision(console: &mut Console, question: &str, plants: &[ListedPlant]) -> eyre::Result<Option<Method>> {
    // Deletes that are sent again delete the plants already.
    let has_adds = plants.iter().any(|plant| operation(Method::Resend, plant).plant().is_some());
    let decisions: Vec<_> =
        DECISIONS.into_iter().filter(|(_, method)| has_adds || *method != Some(Method::Delete)).collect();
    let words: Vec<_> = (1..).zip(&decisions).map(|(number, (word, _))| format!("{number} {word}")).collect();
    let prompt = prompt(&format!("{question} {}", words.join(", ")), "skip; ? explains");
    loop {
        let typed = console.ask(&prompt, NOTHING_MORE).await?.trim().to_lowercase();
        // A number, or the beginning of a word: "2", "se".
        let mut meant = (1..).zip(&decisions).filter(|(number, (word, _))| {
            word.starts_with(&typed) || typed.parse().is_ok_and(|typed: usize| typed == *number)
        });
        match (typed.is_empty(), meant.next(), meant.next()) {
            (true, _, _) => return Ok(None),
            _ if typed == "?" => print::message(EXPLAINED),
            (false, Some((_, (_, method))), None) => return Ok(*method),
            (false, _, _) => {
                let answers = words.join(", ");
                console.correct(&format!("Please answer with a number or a word: {answers}."), NOTHING_MORE)?;
            }
        }
    }
}

/// Warns of what the operations of these plants can do if they are sent again.
fn twice(plants: &[ListedPlant]) -> String {
    let adds = plants.iter().filter(|plant| operation(Method::Resend, plant).plant().is_some()).count();
    let added = (adds > 0).then_some("A plant that is added again may then be stored twice.");
    let deleted = "A delete that is sent again deletes a new plant if the id was reused in the meantime.";
    let deleted = (adds < plants.len()).then_some(deleted);
    added.into_iter().chain(deleted).collect::<Vec<_>>().join(" ")
}

/// Opens the store for a method, with a token if it sends.
async fn open_for(session: &mut Session, method: Method, json: bool, dry_run: bool) -> eyre::Result<Opened<'_>> {
    if method.sends() { session.open_to_send(None, json, dry_run).await } else { session.open(TokenNeed::Never).await }
}

async fn list(session: &mut Session, json: bool, terminal: Option<&Terminal>) -> eyre::Result<Exit> {
    let Opened { ready, .. } = session.open_to_read(false).await?;
    let zone = clock::local_zone();
    let filter = Filter::default().and(Test::State(State::Unknown));
    let mut unknown = PlantPages::of(&ready.journal, Arrangement { filter, ..Arrangement::default() }, usize::MAX);
    let page = async || {
        let rows = unknown.next(PAGE).await?;
        ready.journal.listed(rows.iter().map(|row| row.id).collect()).await
    };
    let nothing = format!("No plant of {} is unknown.", ready.store);
    let printed = if json {
        table::print_json(false, page, |text, found| push_json(text, &Listed::from(found)), &nothing).await
    } else {
        let mut table = Table::new(COLUMNS, terminal);
        let lines = |found: &[ListedPlant]| table.lines(found.iter().map(|found| cells(found, &zone).map(Cell::from)));
        table::print(terminal, true, page, lines, &nothing).await
    };
    if let Ok(true) = printed {
        print::message(format!(
            "To resolve them: {} PLANT …, --match QUERY or --all, with --stored, --forget, --delete or --resend.",
            print::command("resolve")
        ));
    }
    printed.map(|_| Exit::Done)
}

fn cells(ListedPlant { row, unknown }: &ListedPlant, zone: &TimeZone) -> [String; 5] {
    let [name, tag] = name_and_tag(row);
    let by = match unknown {
        Some(unknown) if !unknown.claims.is_empty() => format!(" ({})", unknown.claims.join(", ")),
        _ => {
            let authors = row.author.as_ref().and_then(Authors::others_in_words);
            authors.map(|authors| format!(" (by {authors})")).unwrap_or_default()
        }
    };
    let operation = unknown.as_ref().map_or("", |unknown| unknown.kind.word());
    let since = clock::shown(row.changed_at, zone);
    [row.id.to_string(), operation.to_owned(), since, tag, format!("{name}{by}")]
}

/// Names the first few of these plants.
fn names(seen: &[ListedPlant]) -> String {
    first_of(seen.iter().map(|plant| row_called(&plant.row)))
}

/// Counts plants, as unknown or stored.
fn plants(seen: &[ListedPlant]) -> String {
    let stored = seen.iter().filter(|plant| plant.unknown.is_none()).count() as u64;
    let counts = [
        (seen.len() as u64 - stored, ["unknown plant", "unknown plants"]),
        (stored, ["stored plant", "stored plants"]),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, [one, many])| counted(count, one, many)).collect::<Vec<_>>().join(" and ")
}

/// Carries the decision out. Returns the exit code of the gravest outcome.
async fn carry_out(ready: &Ready, method: Method, seen: &[ListedPlant], mut batch: Batch<'_>) -> eyre::Result<Exit> {
    let mut left = seen.len();
    for seen in seen.chunks(CHUNK) {
        left -= seen.len();
        let found = unchanged(ready, &mut batch, seen).await?;
        if let Method::Record(resolution) = method {
            record(ready, &mut batch, &found, resolution).await?;
            continue;
        }
        let operations = found.into_iter().map(|plant| (operation(method, &plant), Some(plant.row))).collect();
        let sent = batch.send(operations).await?;
        if sent != Sent::All {
            batch.say_rest(sent, left);
            break;
        }
    }
    Ok(batch.end().await)
}

/// Returns the operation with which a plant is resolved.
fn operation(method: Method, ListedPlant { row, unknown }: &ListedPlant) -> OperationKind {
    match unknown {
        Some(unknown) if method == Method::Resend => unknown.kind.clone(),
        Some(_) | None => OperationKind::Delete(row.id),
    }
}

/// Prints what would be done about a plant, if JSON is wanted.
fn print_dry(lines: &JsonLines, method: Method, plant: &ListedPlant) {
    let ListedPlant { row, .. } = plant;
    let called = row_called(row);
    let Method::Record(resolution) = method else {
        let kind = operation(method, plant);
        let message = format!("To send: {} of {called}.", kind.word());
        return lines.print(|| Operation::dry(&kind, row.name(), row.tag(), message));
    };
    let message = match resolution {
        Resolution::MarkStored => format!("To mark as stored: {called}."),
        Resolution::Forget => format!("To forget: {called}."),
    };
    let (resolution, state) = (resolution.into(), Some(row.state));
    lines.print(|| Decision { resolution, dry_run: true, resolved: false, plant: row.into(), state, message });
}

/// Returns the plants that are as the person saw them; prints the others.
async fn unchanged(ready: &Ready, batch: &mut Batch<'_>, seen: &[ListedPlant]) -> eyre::Result<Vec<ListedPlant>> {
    let found = found::in_list(ready, seen.iter().map(|plant| plant.row.id).collect()).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|found| (found.row.id, found)).collect();
    let mut unchanged = Vec::new();
    for seen in seen {
        match found.remove(&seen.row.id) {
            Some(found) if Decided::listed(&found) == Decided::listed(seen) && found.is_resolvable(true) => {
                unchanged.push(found);
            }
            changed => {
                let plant = changed.map_or_else(|| format!("plant {}", seen.row.id), |found| row_called(&found.row));
                print::message(format!(
                    "Another program resolved or changed {plant} in the meantime: nothing was done about it."
                ));
                batch.add_exit(Exit::NotSent);
            }
        }
    }
    Ok(unchanged)
}

/// Records the person's decision about these plants.
async fn record(
    ready: &Ready,
    batch: &mut Batch<'_>,
    found: &[ListedPlant],
    resolution: Resolution,
) -> eyre::Result<()> {
    let journal = &ready.journal;
    let recorded = journal.resolve_all(found.iter().map(Decided::listed).collect(), resolution, clock::now()).await;
    let recorded = recorded.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let now = journal.rows(found.iter().map(|found| found.row.id).collect()).await.or_exit(Exit::NotSent)?;
    for (ListedPlant { row, .. }, recorded) in found.iter().zip(recorded) {
        let plant = row_called(row);
        let left = now.iter().find(|now| now.id == row.id);
        let done = match (resolution, left) {
            (Resolution::MarkStored, _) => format!("Marked {plant} as stored. Nothing was sent."),
            (Resolution::Forget, None) => format!("Removed {plant} from the list. Nothing was sent."),
            (Resolution::Forget, Some(left)) => {
                format!("Forgot the add of {plant}: {} is stored as before. Nothing was sent.", row_called(left))
            }
        };
        let resolved = recorded.is_ok();
        let message = recorded.map_or_else(|why| format!("{plant} was not resolved: {why}."), |()| done);
        print::message(&message);
        if !resolved {
            batch.add_exit(Exit::NotSent);
        }
        let (resolution, state) = (resolution.into(), left.map(|left| left.state));
        batch.json.print(|| Decision { resolution, dry_run: false, resolved, plant: row.into(), state, message });
    }
    Ok(())
}
