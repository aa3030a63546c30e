//! The sorted index: the ids of some plants of the list, in another order than by id.
//!
//! The index is sorted once and then updated plant by plant, while that is less work than to sort
//! again: every change of a plant has an entry, so the new entries name all plants that changed.
//!
//! During many writes, updates take at most a third of the time. Between two updates, windows show
//! the current plants in the order of the last one.

use std::time::{Duration, Instant};

use rusqlite::{Connection, params, params_from_iter};

use super::fault::Fault;
use super::search::Query;
use super::sql::{self, Store};
use crate::domain::filter::Filter;

/// The column that sorts the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Column {
    #[default]
    Id,
    /// Ignores case.
    Name,
    /// Ignores case.
    Tag,
    /// In the order unknown, adding, deleting, stored.
    State,
    /// By the time of the last change.
    Since,
}

/// A filter and an order of the list. The default is all plants by id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrangement {
    pub filter: Filter,
    /// Equal values are sorted by id, ascending.
    pub column: Column,
    /// Sorts descending; a plant without a known name or tag is still last.
    pub descending: bool,
}

impl Arrangement {
    /// Returns the terms for `ORDER BY`.
    fn order(&self) -> String {
        let direction = if self.descending { "DESC" } else { "ASC" };
        let by_text = |column| format!("{column} IS NULL, caseless({column}) {direction}, {column} {direction}, id");
        match self.column {
            Column::Id => format!("id {direction}"),
            Column::Name => by_text("name"),
            Column::Tag => by_text("tag"),
            // 0 is stored.
            Column::State => format!("state = 0 {direction}, state {direction}, id"),
            Column::Since => format!("changed_at {direction}, id"),
        }
    }
}

/// The pause after an update, as a multiple of its duration.
const PAUSE: u32 = 2;

/// The number of changed plants up to which any index is updated one by one.
const FEW: usize = 50;

/// The share of changed plants (1 in 200) up to which an index is updated one by one. Above, it is
/// faster to sort again.
const ONE_IN: usize = 200;

#[derive(Debug)]
pub(super) struct SortedIndex {
    arrangement: Arrangement,
    pub(super) ids: Vec<i64>,
    /// The newest entry at the last update. Every change of a plant adds one.
    newest: i64,
    pub(super) next_update: Instant,
}

fn newest_entry(conn: &Connection) -> Result<i64, Fault> {
    sql::value(conn, "SELECT coalesce(max(seq), 0) FROM entry", [])
}

/// Returns the first `most` plants of a store with newer entries, by id.
fn changed_since(store: Store<'_>, newest: i64, most: usize) -> Result<Vec<i64>, Fault> {
    let changed = "SELECT DISTINCT plant_id FROM entry WHERE seq > ?2 AND +store = ?1 ORDER BY plant_id LIMIT ?3";
    sql::column(store.conn, changed, params![store.key, newest, sql::as_limit(most)])
}

#[expect(clippy::disallowed_methods, reason = "measures updates, to limit their share of the time")]
fn now() -> Instant {
    Instant::now()
}

impl SortedIndex {
    /// Sorts the plants of an arrangement.
    pub(super) fn new(store: Store<'_>, arrangement: &Arrangement) -> Result<Self, Fault> {
        let newest = newest_entry(store.conn)?;
        let query = Query::of_plants("id", store.key, &arrangement.filter);
        let sorted = format!("{} ORDER BY {}", query.sql, arrangement.order());
        let ids = sql::column(store.conn, &sorted, params_from_iter(query.values))?;
        Ok(Self { arrangement: arrangement.clone(), ids, newest, next_update: now() })
    }

    pub(super) fn is_of(&self, arrangement: &Arrangement) -> bool {
        self.arrangement == *arrangement
    }

    /// Applies new entries; or returns the time until the next update.
    pub(super) fn update(&mut self, store: Store<'_>) -> Result<Option<Duration>, Fault> {
        let newest = newest_entry(store.conn)?;
        if newest == self.newest {
            return Ok(None);
        }
        let begun = now();
        let pause = self.next_update.saturating_duration_since(begun);
        if !pause.is_zero() {
            return Ok(Some(pause));
        }
        let most = FEW.max(self.ids.len() / ONE_IN);
        let changed = changed_since(store, self.newest, most + 1)?;
        if changed.len() > most {
            *self = Self::new(store, &self.arrangement)?;
        } else {
            self.move_plants(store, &changed)?;
            self.newest = newest;
        }
        self.next_update = begun + begun.elapsed() * (1 + PAUSE);
        Ok(None)
    }

    /// Removes plants, and inserts those that match the filter at their new positions. Idempotent, so
    /// that a cancelled update can be repeated.
    fn move_plants(&mut self, store: Store<'_>, plants: &[i64]) -> Result<(), Fault> {
        self.ids.retain(|id| plants.binary_search(id).is_err());
        let first_of_two = format!(
            "SELECT id FROM plant WHERE store = ?1 AND id IN (?2, ?3) ORDER BY {} LIMIT 1",
            self.arrangement.order()
        );
        let mut first_of_two = store.conn.prepare_cached(&first_of_two)?;
        for plant in plants {
            let mut fitting = Query::of_plants("id", store.key, &self.arrangement.filter);
            fitting.add(" AND id = ?", *plant);
            if !store.conn.prepare_cached(&fitting.sql)?.exists(params_from_iter(fitting.values))? {
                continue;
            }
            let (mut low, mut high) = (0, self.ids.len());
            while low < high {
                let middle = low + (high - low) / 2;
                let first: i64 =
                    first_of_two.query_row(params![store.key, self.ids[middle], plant], |found| found.get(0))?;
                if first == *plant { high = middle } else { low = middle + 1 }
            }
            self.ids.insert(low, *plant);
        }
        Ok(())
    }
}
