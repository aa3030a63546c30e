//! The plants that a person decides about, found by id, by filter or all at once, as the person sees them.
//!
//! Must not know what is decided.

use std::collections::{HashMap, HashSet};

use color_eyre::eyre::{self, WrapErr as _, bail};
use serde::Deserialize;

use super::console::read_list;
use super::error::{Exit, Failure, OrExit as _};
use super::open::{Ready, first_of};
use super::session::Session;
use super::{clock, print};
use crate::domain::filter::{Condition, Filter, List, Test};
use crate::domain::sentence::row_called;
use crate::domain::{Details, ListedPlant, PlantId, Row, State};
use crate::text::caseless::caseless;
use crate::text::clean;
use crate::verbs::{PlantWord, no_plant_called};

pub(super) const NOTHING_DONE: &str = "Nothing was done.";

/// Reads the words of a query for a list.
pub(super) fn read_query(list: List, words: &[String]) -> eyre::Result<Filter> {
    let filter = list.parse_finished(&words.join(" "), &clock::local_time());
    Ok(filter.map_err(|fault| Failure::usage(format!("the query is invalid: {fault}")))?)
}

/// Reads a query for plants, if there is one.
pub(super) fn read_filter(typed: Option<&str>) -> eyre::Result<Option<Filter>> {
    let filter = typed.map(|typed| List::Plants.parse_naming(typed, &clock::local_time())).transpose();
    Ok(filter.map_err(|fault| Failure::usage(format!("the query is invalid: {fault}. {NOTHING_DONE}")))?)
}

/// A row of `plants list -o ndjson`, of which name and tag may be null.
#[derive(Deserialize)]
struct ListedRow {
    id: PlantId,
    #[serde(flatten)]
    details: Option<Details>,
}

/// Puts the ids and rows of standard input in the place of the word for it, and lets questions be answered on the
/// terminal.
///
/// # Errors
///
/// A word there is no id, a line is no row, or it names no plant: what writes to it may have failed.
pub(super) fn with_stdin(words: Vec<PlantWord>, session: &mut Session) -> eyre::Result<Vec<PlantWord>> {
    if !words.contains(&PlantWord::Stdin) {
        return Ok(words);
    }
    session.take_stdin("name the plants")?;
    let text = read_list().wrap_err("standard input cannot be read");
    let text = text.or_exit_and_say(Exit::Usage, NOTHING_DONE)?;
    let read = |(line, text): (usize, &str)| {
        let fault = |why: String| Failure::usage(format!("stdin:{line}: {why}. {NOTHING_DONE}"));
        if text.trim_start().starts_with('{') {
            let row = serde_json::from_str(text).map(|ListedRow { id, details }| PlantWord::Row(id, details));
            let no_row = |why: &str| fault(format!("no row of plants list -o ndjson: {}", clean(why)));
            return vec![row.map_err(|why| no_row(&why.to_string()))];
        }
        let id = |word: &str| match word.parse() {
            Ok(id) => Ok(PlantWord::Id(id)),
            Err(why) => Err(fault(format!("{} is no id: {why}", clean(word)))),
        };
        text.split_whitespace().map(id).collect()
    };
    let ids = (1..).zip(text.trim_start_matches('\u{feff}').lines()).flat_map(read).collect::<Result<Vec<_>, _>>()?;
    if ids.is_empty() {
        bail!(Failure::usage(format!("standard input names no plant. {NOTHING_DONE}")));
    }
    Ok(words.into_iter().filter(|word| *word != PlantWord::Stdin).chain(ids).collect())
}

/// Returns the ids of the plants that are named, each once, in their order.
///
/// # Errors
///
/// A name stands for no plant in the list or for several, or the list has another plant than a row.
pub(super) async fn ids(ready: &Ready, words: Vec<PlantWord>) -> eyre::Result<Vec<PlantId>> {
    let (mut ids, mut seen, mut rows) = (Vec::with_capacity(words.len()), HashSet::new(), Vec::new());
    for word in words {
        let id = match word {
            PlantWord::Id(id) => id,
            PlantWord::Name(name) => id_of_name(ready, &name).await?,
            PlantWord::Row(id, details) => {
                rows.push((id, details));
                id
            }
            // Read by `with_stdin`.
            PlantWord::Stdin => continue,
        };
        if seen.insert(id) {
            ids.push(id);
        }
    }
    if rows.is_empty() {
        return Ok(ids);
    }
    let listed = ready.journal.rows(rows.iter().map(|(id, _)| *id).collect()).await;
    let listed = listed.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?.into_iter().map(|row| (row.id, row.details));
    let listed: HashMap<_, _> = listed.collect();
    rows.retain(|(id, details)| listed.get(id) != Some(details));
    if !rows.is_empty() {
        let others = first_of(rows.iter().map(|(id, _)| id.to_string()));
        bail!(Failure::usage(format!(
            "the list has no plant with the id, name and tag of these rows of standard input: {others}. {NOTHING_DONE}"
        )));
    }
    Ok(ids)
}

/// Plants that are listed at most, where a name can mean several.
const NAMESAKES: usize = 20;

/// Returns the id of the only plant in the list with this name, in any case; otherwise says which ids can be meant.
async fn id_of_name(ready: &Ready, name: &str) -> eyre::Result<PlantId> {
    let wanted = caseless(name);
    let filter = Filter::default().and(Test::Name(wanted.clone()));
    let found =
        ready.journal.fitting(filter, None, NAMESAKES + 1).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let has_name = |row: &&Row| row.name().is_some_and(|name| caseless(name) == wanted);
    let called: Vec<_> = found.iter().filter(has_name).collect();
    let is_whole = found.len() <= NAMESAKES;
    match called.as_slice() {
        [row] if is_whole => return Ok(row.id),
        _ if found.is_empty() => {
            let (said, list) = (no_plant_called(name), print::command("list"));
            bail!(Failure::usage(format!("{said} {list} shows names and ids. {NOTHING_DONE}")))
        }
        _ => {}
    }
    let named: Vec<_> = found.iter().take(NAMESAKES).map(row_called).collect();
    let more = if is_whole { "" } else { " and others" };
    bail!(Failure::usage(format!(
        "which plant is meant? {} is in the name of {}{more}. Type the id, the number in brackets. {NOTHING_DONE}",
        clean(name),
        named.join(", ")
    )))
}

/// Returns these plants, each with its row, if it is in the list.
pub(super) async fn with_rows(ready: &Ready, ids: Vec<PlantId>) -> eyre::Result<Vec<(PlantId, Option<Row>)>> {
    let rows = ready.journal.rows(ids.clone()).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let mut rows: HashMap<_, _> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.into_iter().map(|id| (id, rows.remove(&id))).collect())
}

/// Finds the plants that match and can be deleted: the stored and the unknown ones.
pub(super) async fn to_delete(ready: &Ready, filter: Filter) -> eyre::Result<Vec<(PlantId, Option<Row>)>> {
    let rows = fitting(ready, filter, &[State::Unknown, State::Stored]).await?;
    Ok(rows.into_iter().map(|row| (row.id, Some(row))).collect())
}

/// Finds the plants that match and are in one of these states.
async fn fitting(ready: &Ready, filter: Filter, states: &[State]) -> eyre::Result<Vec<Row>> {
    let filter = filter.and(Condition { any: states.iter().copied().map(Test::State).collect(), negated: false });
    ready.journal.fitting(filter, None, usize::MAX).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)
}

/// Finds the unknown plants that match, with `forgets` also the stored ones.
pub(super) async fn matching(ready: &Ready, filter: Filter, forgets: bool) -> eyre::Result<Vec<ListedPlant>> {
    let states = if forgets { &[State::Unknown, State::Stored][..] } else { &[State::Unknown] };
    let rows = fitting(ready, filter, states).await?;
    let mut found = in_list(ready, rows.iter().map(|row| row.id).collect()).await?;
    found.retain(|found| found.is_resolvable(forgets));
    Ok(found)
}

/// Finds these unknown plants, with `forgets` also stored ones.
///
/// # Errors
///
/// Some of them are in another state or not in the list; the error names these.
pub(super) async fn named(ready: &Ready, mut ids: Vec<PlantId>, forgets: bool) -> eyre::Result<Vec<ListedPlant>> {
    ids.sort_unstable();
    let found = in_list(ready, ids.clone()).await?;
    let by_id: HashMap<_, _> = found.iter().map(|found| (found.row.id, found)).collect();
    let other = |id: PlantId| match by_id.get(&id) {
        Some(found) if found.is_resolvable(forgets) => None,
        Some(found) => Some(format!("{} is {}", row_called(&found.row), found.row.state.word())),
        None => Some(format!("{id} is not in the list")),
    };
    let others: Vec<_> = ids.iter().filter_map(|id| other(*id)).collect();
    if others.is_empty() {
        return Ok(found);
    }
    let (which, what, next) = if forgets {
        ("unknown and stored", "forgotten", String::new())
    } else {
        ("unknown", "resolved", format!(" {} lists the unknown ones.", print::command("resolve")))
    };
    bail!(Failure::usage(format!(
        "only {which} plants of {} can be {what}: {}.{next} {NOTHING_DONE}",
        ready.store,
        others.join(", ")
    )))
}

/// Returns those of these plants that are in the list.
pub(super) async fn in_list(ready: &Ready, ids: Vec<PlantId>) -> eyre::Result<Vec<ListedPlant>> {
    ready.journal.listed(ids).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)
}
