//! The plants that a person decides about, found by id, by filter or all at once, as the person sees them.
//!
//! Must not know what is decided.

use std::collections::HashMap;

use color_eyre::eyre::{self, bail};

use super::error::{Exit, Failure, OrExit as _};
use super::open::Ready;
use super::table::PAGE;
use crate::domain::filter::{Condition, Filter, List, Test};
use crate::domain::sentence::row_called;
use crate::domain::{OperationId, PlantId, Row, State, UnknownOperation, Unresolved};

/// Plants that are resolved at once.
pub(super) const CHUNK: usize = 500;

pub(super) const NOTHING_DONE: &str = "Nothing was done.";

/// A plant as the person saw it: with the operation that made it unknown, or stored.
pub(super) type Seen = (PlantId, Option<OperationId>);

/// The same, as it is in the list.
pub(super) struct Found {
    pub(super) row: Row,
    pub(super) unknown: Option<UnknownOperation>,
}

impl Found {
    pub(super) fn seen(&self) -> Seen {
        (self.row.id, self.unknown.as_ref().map(|unknown| unknown.operation))
    }

    /// Whether it can be decided about: if it is unknown, or, with `forgets`, stored.
    pub(super) fn is_resolvable(&self, forgets: bool) -> bool {
        self.unknown.is_some() || (forgets && self.row.state == State::Stored)
    }
}

/// Reads a filter of plants, which must not be empty: a variable without a value would name the whole list.
pub(super) fn read_filter(typed: &str) -> eyre::Result<Filter> {
    let (filter, fault) = List::Plants.parse(typed);
    if let Some(fault) = fault {
        bail!(Failure::usage(format!("the query is invalid: {fault}. Nothing was done.")));
    }
    if filter == Filter::default() {
        bail!(Failure::usage(
            "the query is empty, and would name every plant; state:stored names the stored ones. Nothing was done."
        ));
    }
    Ok(filter)
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

/// Finds the unknown plants that match, with `forgets` also the stored ones, and their rows.
pub(super) async fn matching(ready: &Ready, mut filter: Filter, forgets: bool) -> eyre::Result<(Vec<Seen>, Vec<Row>)> {
    let states = if forgets { &[State::Unknown, State::Stored][..] } else { &[State::Unknown] };
    filter.all.push(Condition { any: states.iter().copied().map(Test::State).collect(), negated: false });
    let rows = ready.journal.fitting(filter, usize::MAX).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let mut found = Vec::new();
    for rows in rows.chunks(CHUNK) {
        found.extend(in_list(ready, rows.iter().map(|row| row.id).collect()).await?);
    }
    Ok(seen_of(found, forgets))
}

/// Finds these unknown plants, with `forgets` also stored ones, and their rows.
///
/// # Errors
///
/// Some of them are in another state or not in the list; the error names these.
pub(super) async fn named(ready: &Ready, ids: &[PlantId], forgets: bool) -> eyre::Result<(Vec<Seen>, Vec<Row>)> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let found = in_list(ready, ids.clone()).await?;
    let other = |id: PlantId| match found.iter().find(|found| found.row.id == id) {
        Some(found) if found.is_resolvable(forgets) => None,
        Some(found) => Some(format!("{} is {}", row_called(&found.row), found.row.state.word())),
        None => Some(format!("{id} is not in the list")),
    };
    let others: Vec<_> = ids.iter().filter_map(|id| other(*id)).collect();
    if others.is_empty() {
        return Ok(seen_of(found, forgets));
    }
    let (others, store) = (others.join(", "), &ready.store);
    bail!(Failure::usage(if forgets {
        format!("only unknown and stored plants of {store} can be forgotten: {others}. Nothing was done.")
    } else {
        format!(
            "only unknown plants of {store} can be resolved: {others}. plants resolve lists those. Nothing was done."
        )
    }))
}

/// Returns those of these plants that are in the list.
pub(super) async fn in_list(ready: &Ready, ids: Vec<PlantId>) -> eyre::Result<Vec<Found>> {
    let unknown = ready.journal.unknown_among(ids.clone()).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    let mut unknown: HashMap<_, _> = unknown.into_iter().map(|found| (found.row.id, found.unknown)).collect();
    let rows = ready.journal.rows(ids).await.or_exit_and_say(Exit::NotSent, NOTHING_DONE)?;
    Ok(rows.into_iter().map(|row| Found { unknown: unknown.remove(&row.id), row }).collect())
}

fn seen_of(found: Vec<Found>, forgets: bool) -> (Vec<Seen>, Vec<Row>) {
    found.into_iter().filter(|found| found.is_resolvable(forgets)).map(|found| (found.seen(), found.row)).unzip()
}

pub(super) fn as_seen(found: &Unresolved) -> Seen {
    (found.row.id, Some(found.unknown.operation))
}
