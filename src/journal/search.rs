//! Searches of exchanges and filters of plants, as SQL conditions.
//!
//! A search reads from the newest exchange back and stops when it has enough; until the first match
//! it reads an index only. Parts of names and tags have no index: it would cost every add more than
//! it saves the few searches.

use std::ops::RangeInclusive;

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Value, ValueRef};

use super::codes::Code as _;
use super::fault::Fault;
use super::sql;
use crate::domain::text::in_lower_case;
use crate::domain::{Outcome, PlantId, State};

/// The conditions that an exchange must all meet. The default has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// A part of the plant's name, in any case.
    pub name: Option<String>,
    /// A part of its tag, in any case.
    pub tag: Option<String>,
    pub id: Option<PlantId>,
    pub status: Option<RangeInclusive<u16>>,
    /// One of these outcomes; any if empty.
    pub outcomes: Vec<Outcome>,
    /// A part of the plant's name, tag or id, in any case.
    pub text: Option<String>,
    /// Requested by the program with this origin.
    pub origin: Option<u64>,
}

/// Parses a filter of the list as typed, such as `state:unknown fern`. Returns the states, of which a
/// plant must have one unless there are none; and a part of name, tag or id.
///
/// A prefix of a state stands for it, so that the list does not run empty during typing; `state:` and
/// a word that begins no state is text.
fn parse_filter(typed: &str) -> (Vec<State>, String) {
    let (mut states, mut words) = (Vec::new(), Vec::new());
    for word in typed.split(' ') {
        match states_of(word) {
            Some(meant) => states.extend(meant),
            None => words.push(word),
        }
    }
    // Spaces belong to the text, except those next to a state.
    let part = words.join(" ");
    let part = if states.is_empty() { part } else { part.trim().to_owned() };
    (states, part)
}

/// Returns the states that a word of a filter stands for; `None` if it is text.
fn states_of(word: &str) -> Option<Vec<State>> {
    let lower = word.to_ascii_lowercase();
    let prefix = lower.strip_prefix("state:")?;
    let meant: Vec<_> = State::ALL.into_iter().filter(|state| state.word().starts_with(prefix)).collect();
    (!meant.is_empty()).then_some(meant)
}

/// The exchanges of a program with at most this many operations are found by their plants. They are
/// sorted afterwards, which takes too long for more.
const FEW: usize = 1000;

/// The subquery for the key of a running program.
const ORIGIN: &str = "SELECT id FROM origin WHERE origin = ?";

/// An SQL statement with its values.
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Query {
    /// Selects columns of `exchange e` and `operation o`, of a store's exchanges that match a search.
    pub(super) fn of_exchanges(conn: &Connection, columns: &str, store: i64, search: &Search) -> Result<Self, Fault> {
        let few = search.origin.map(|origin| has_few_operations(conn, origin)).transpose()?.unwrap_or(false);
        let index = if few { "INDEXED BY exchange_by_plant" } else { "" };
        let sql = format!(
            "SELECT {columns} FROM exchange e {index} CROSS JOIN operation o ON o.seq = e.operation WHERE e.store = ?1"
        );
        let mut query = Self { sql, values: vec![store.into()] };
        if let Some(origin) = search.origin {
            let key = format!("({ORIGIN})");
            query.add(&format!(" AND o.origin = {key}"), origin.cast_signed());
            if few {
                let plants = format!(" AND e.plant_id IN (SELECT plant_id FROM operation WHERE origin = {key})");
                query.add(&plants, origin.cast_signed());
            }
        }
        if let Some(id) = search.id {
            query.add(" AND e.plant_id = ?", id.0);
        }
        if let Some(status) = &search.status {
            query.add(" AND e.status >= ?", *status.start());
            query.add(" AND e.status <= ?", *status.end());
        }
        if !search.outcomes.is_empty() {
            let places: Vec<_> = search.outcomes.iter().map(|outcome| query.value(outcome.code())).collect();
            query.sql.extend([" AND e.outcome IN (", &places.join(", "), ")"]);
        }
        let parts = [("o.name", &search.name), ("o.tag", &search.tag), ("o.name, o.tag, o.plant_id", &search.text)];
        for (columns, part) in parts {
            if let Some(part) = part {
                query.add(&format!(" AND has_part(?, {columns})"), in_lower_case(part));
            }
        }
        Ok(query)
    }

    /// Selects columns of `plant`, of a store's plants that match a filter as typed.
    pub(super) fn of_plants(columns: &str, store: i64, filter: &str) -> Self {
        let mut query =
            Self { sql: format!("SELECT {columns} FROM plant WHERE store = ?1"), values: vec![store.into()] };
        let (states, part) = parse_filter(filter);
        if !states.is_empty() {
            // Literals, so that `SQLite` can use the partial index `plant_unknown`.
            let any: Vec<_> = states.iter().map(|state| format!("state = {}", state.code())).collect();
            query.sql.extend([" AND (", &any.join(" OR "), ")"]);
        }
        if !part.is_empty() {
            query.add(" AND has_part(?, name, tag, id)", in_lower_case(&part));
        }
        query
    }

    /// Adds a value; returns its placeholder.
    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// Appends SQL with a value for its `?`.
    pub(super) fn add(&mut self, sql: &str, value: impl Into<Value>) {
        let place = self.value(value);
        self.sql += &sql.replace('?', &place);
    }
}

fn has_few_operations(conn: &Connection, origin: u64) -> Result<bool, Fault> {
    let count = format!("SELECT count(*) FROM (SELECT 1 FROM operation WHERE origin = ({ORIGIN}1) LIMIT ?2)");
    Ok(sql::count(conn, &count, [origin.cast_signed(), sql::as_limit(FEW + 1)])? <= FEW)
}

/// Adds two SQL functions to a connection. `has_part(part, value, …)` returns whether one of the values
/// contains a part, which is in lowercase, in any case, beyond ASCII; a number is compared as text.
/// `folded(text)` is equal for texts that differ in case alone.
pub(super) fn prepare(conn: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("folded", 1, flags, |given| Ok(given.get_raw(0).as_str_or_null()?.map(in_lower_case)))?;
    conn.create_scalar_function("has_part", -1, flags, |given| {
        let part = given.get_raw(0).as_str()?;
        Ok((1..given.len()).any(|value| has_part(given.get_raw(value), part)))
    })
}

/// Called millions of times by a search; copies no ASCII text.
fn has_part(value: ValueRef<'_>, part: &str) -> bool {
    match value {
        ValueRef::Text(text) if text.is_ascii() => {
            part.is_empty() || text.windows(part.len()).any(|there| there.eq_ignore_ascii_case(part.as_bytes()))
        }
        ValueRef::Text(text) => in_lower_case(&String::from_utf8_lossy(text)).contains(part),
        ValueRef::Integer(number) => {
            part.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) && number.to_string().contains(part)
        }
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::params_from_iter;

    use super::*;
    use crate::domain::Timestamp;
    use crate::journal::{Journal, Place};

    #[test]
    fn a_filter_is_parsed_into_states_and_a_part() {
        use State::{Adding, Deleting, Stored, Unknown};
        for (typed, states, part) in [
            ("", &[][..], ""),
            (" Fern  moss ", &[], " Fern  moss "),
            ("state:unknown", &[Unknown], ""),
            ("STATE:Unknown", &[Unknown], ""),
            ("state:unknown Fern", &[Unknown], "Fern"),
            ("Fern  moss state:d ", &[Deleting], "Fern  moss"),
            ("state:stored state:unknown 7", &[Stored, Unknown], "7"),
            ("state:", &[Stored, Unknown, Adding, Deleting], ""),
            ("state:gone", &[], "state:gone"),
            ("mystate:unknown", &[], "mystate:unknown"),
        ] {
            assert_eq!(parse_filter(typed), (states.to_vec(), part.to_owned()), "{typed:?}");
        }
    }

    #[tokio::test]
    async fn a_filter_for_unknown_plants_uses_their_index() {
        let store = "http://plants.example".parse().unwrap();
        let opened = Journal::open(Place::Memory, &store, 1, Timestamp(0)).await.unwrap();
        let plan = opened.journal.read(|conn, store, _| {
            let mut query = Query::of_plants("id", store, "state:unknown fern");
            query.sql = format!("EXPLAIN QUERY PLAN {} ORDER BY id", query.sql);
            sql::all(conn, &query.sql, params_from_iter(query.values), |found| Ok(found.get::<_, String>(3)?))
        });
        let plan = plan.await.unwrap().join("; ");
        assert!(plan.contains("plant_unknown") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
