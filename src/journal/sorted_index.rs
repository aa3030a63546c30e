//! The view arranged: some of its plants, in another order than that of their ids.
//!
//! An order is made by one walk through the view, and its ids are kept. What is written later is
//! put in its place plant by plant, while that is less work than to make the order anew: every
//! change of a plant has an entry, so that the entries since then name all that can have changed.
//!
//! While much is written, bringing an order up to date takes at most a third of the time: then it
//! rests, and windows meanwhile show the plants as they are in the order of a moment ago.

use std::time::{Duration, Instant};

use rusqlite::{Connection, params, params_from_iter};

use super::fault::Fault;
use super::search::Query;
use super::stored;

/// What the rows of the view are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Column {
    /// The id, as a number.
    #[default]
    Id,
    /// The name, whatever its case.
    Name,
    /// The tag, whatever its case.
    Tag,
    /// The state: unknown, adding, deleting, stored.
    State,
    /// When it last changed.
    When,
}

/// Which plants of the view, in which order. The default is all of them by id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrangement {
    /// A part of name, tag or id, in any case, and states as in `state:unknown`; empty fits all.
    pub filter: String,
    /// What they are sorted by; ties by id, ascending.
    pub column: Column,
    /// The other way round; but what has no known name or tag comes last.
    pub descending: bool,
}

impl Arrangement {
    /// As it stands after `ORDER BY`.
    fn order(&self) -> String {
        let way = if self.descending { "DESC" } else { "ASC" };
        let by_text = |column| format!("{column} IS NULL, folded({column}) {way}, {column} {way}, id");
        match self.column {
            Column::Id => format!("id {way}"),
            Column::Name => by_text("name"),
            Column::Tag => by_text("tag"),
            // Stored is 0.
            Column::State => format!("state = 0 {way}, state {way}, id"),
            Column::When => format!("changed_at {way}, id"),
        }
    }
}

/// How often an order rests as long as it took to bring it up to date.
const RESTS: u32 = 2;

/// So many plants are put in their places one by one, however few the order has.
const FEW: usize = 50;

/// And so are as many as are one in so many of the order. For more it is quicker made anew.
const ONE_IN: usize = 200;

/// The plants of an arrangement.
#[derive(Debug)]
pub(super) struct SortedIndex {
    arrangement: Arrangement,
    pub(super) ids: Vec<i64>,
    /// The last entries it knows of.
    known: Entries,
    rests_until: Instant,
}

/// The last of each table of entries. One of them grows whenever a plant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entries {
    operation: i64,
    exchange: i64,
    resolution: i64,
}

impl Entries {
    fn newest(conn: &Connection) -> Result<Self, Fault> {
        let newest = conn
            .prepare_cached(
                "SELECT coalesce((SELECT max(seq) FROM operation), 0), coalesce((SELECT max(seq) FROM exchange), 0),
                 coalesce((SELECT max(seq) FROM resolution), 0)",
            )?
            .query_row([], |found| {
                Ok(Self { operation: found.get(0)?, exchange: found.get(1)?, resolution: found.get(2)? })
            })?;
        Ok(newest)
    }

    /// The plants of a store that later entries are about, by id; the first so many.
    fn touched_since(self, conn: &Connection, store: i64, most: usize) -> Result<Vec<i64>, Fault> {
        let sql = "SELECT plant_id FROM operation WHERE seq > ?2 AND +store = ?1
             UNION SELECT plant_id FROM exchange WHERE seq > ?3 AND +store = ?1
             UNION SELECT plant_id FROM resolution WHERE seq > ?4 AND +store = ?1
             ORDER BY plant_id LIMIT ?5";
        let values = params![store, self.operation, self.exchange, self.resolution, stored::as_limit(most)];
        stored::all(conn, sql, values, |found| Ok(found.get(0)?))
    }
}

/// How long something takes; nothing of it is kept.
#[expect(clippy::disallowed_methods, reason = "how long an order took says how long it rests, and that is all")]
fn now() -> Instant {
    Instant::now()
}

impl SortedIndex {
    pub(super) fn made(conn: &Connection, store: i64, arrangement: &Arrangement) -> Result<Self, Fault> {
        let known = Entries::newest(conn)?;
        let mut query = Query::of_plants("id", store, &arrangement.filter);
        query.sql += " ORDER BY ";
        query.sql += &arrangement.order();
        let ids = stored::all(conn, &query.sql, params_from_iter(query.values), |found| Ok(found.get(0)?))?;
        Ok(Self { arrangement: arrangement.clone(), ids, known, rests_until: now() })
    }

    pub(super) fn is_of(&self, arrangement: &Arrangement) -> bool {
        self.arrangement == *arrangement
    }

    /// Takes in what was written since; or tells how long it still rests.
    pub(super) fn catch_up(&mut self, conn: &Connection, store: i64) -> Result<Option<Duration>, Fault> {
        let newest = Entries::newest(conn)?;
        if newest == self.known {
            return Ok(None);
        }
        let begun = now();
        let rest = self.rests_until.saturating_duration_since(begun);
        if !rest.is_zero() {
            return Ok(Some(rest));
        }
        let most = FEW.max(self.ids.len() / ONE_IN);
        let touched = self.known.touched_since(conn, store, most + 1)?;
        if touched.len() > most {
            *self = Self::made(conn, store, &self.arrangement)?;
        } else {
            self.put_in_place(conn, store, &touched)?;
            self.known = newest;
        }
        self.rests_until = begun + begun.elapsed() * (1 + RESTS);
        Ok(None)
    }

    /// For tests, which do not wait.
    #[cfg(test)]
    pub(super) fn rest_longer(&mut self, by: Duration) {
        self.rests_until += by;
    }

    /// Takes some plants out of the order, and puts those that fit where they belong. Broken off
    /// and done again, it comes to the same.
    fn put_in_place(&mut self, conn: &Connection, store: i64, plants: &[i64]) -> Result<(), Fault> {
        self.ids.retain(|id| plants.binary_search(id).is_err());
        let first_of_two = format!(
            "SELECT id FROM plant WHERE store = ?1 AND id IN (?2, ?3) ORDER BY {} LIMIT 1",
            self.arrangement.order()
        );
        let mut first_of_two = conn.prepare_cached(&first_of_two)?;
        for plant in plants {
            let mut fitting = Query::of_plants("id", store, &self.arrangement.filter);
            fitting.add(" AND id = ?", *plant);
            if !conn.prepare_cached(&fitting.sql)?.exists(params_from_iter(fitting.values))? {
                continue;
            }
            let (mut low, mut high) = (0, self.ids.len());
            while low < high {
                let middle = low + (high - low) / 2;
                let first: i64 =
                    first_of_two.query_row(params![store, self.ids[middle], plant], |found| found.get(0))?;
                if first == *plant { high = middle } else { low = middle + 1 }
            }
            self.ids.insert(low, *plant);
        }
        Ok(())
    }
}
