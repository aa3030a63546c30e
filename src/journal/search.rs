//! Searches of exchanges and filters of plants, as SQL.
//!
//! A search reads from the newest exchange back and stops when it has enough; until the first match
//! it reads an index only. Parts of names and tags have no index: it would cost every add more than
//! it saves the few searches.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Value, ValueRef};

use super::codes::{Code as _, Kind};
use super::stored::{AUTHOR, PLANT_AUTHORS};
use crate::domain::filter::{Condition, Filter, Test, TextColumn};
use crate::text::caseless::caseless;

/// A test of another list.
const NEVER: &str = "0";

/// Selects the last exchange of a plant.
const OF_LAST: &str = "FROM exchange e INDEXED BY exchange_by_plant
    WHERE e.store = ?1 AND e.plant_id = plant.id ORDER BY e.seq DESC LIMIT 1";

/// When an exchange started.
const STARTED: &str = "o.requested_at + e.started";

/// An SQL statement with its values.
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Query {
    /// Selects columns of `exchange e` and `operation o`, of a store's exchanges that match a filter.
    pub(super) fn of_exchanges(store: i64, columns: &str, filter: &Filter) -> Self {
        let sql = format!(
            "SELECT {columns} FROM exchange e CROSS JOIN operation o ON o.seq = e.operation WHERE e.store = ?1"
        );
        let mut query = Self { sql, values: vec![store.into()] };
        query.add_filter(filter, false);
        query
    }

    /// Selects columns of `plant`, of a store's plants that match a filter.
    pub(super) fn of_plants(columns: &str, store: i64, filter: &Filter) -> Self {
        let mut query =
            Self { sql: format!("SELECT {columns} FROM plant WHERE store = ?1"), values: vec![store.into()] };
        query.add_filter(filter, true);
        query
    }

    /// Appends the conditions of a filter of plants, or of exchanges.
    fn add_filter(&mut self, filter: &Filter, of_plants: bool) {
        let mut condition = |Condition { any, negated }: &Condition| {
            let any: Vec<_> = any.iter().map(|test| self.test(test, of_plants)).collect();
            // A status that is NULL is none that is excluded.
            format!("({}){}", any.join(" OR "), if *negated { " IS NOT TRUE" } else { "" })
        };
        let mut alternative = |all: &Vec<Condition>| all.iter().map(&mut condition).collect::<Vec<_>>().join(" AND ");
        let alternatives: Vec<_> = filter.alternatives().iter().map(&mut alternative).collect();
        if !alternatives.is_empty() {
            self.sql.extend([" AND (", &alternatives.join(" OR "), ")"]);
        }
    }

    fn test(&mut self, test: &Test, of_plants: bool) -> String {
        let [all, name, tag, id, time] = if of_plants {
            ["name, tag, id", "name", "tag", "id", "changed_at"]
        } else {
            ["o.name, o.tag, o.plant_id", "o.name", "o.tag", "e.plant_id", STARTED]
        };
        let of_exchange =
            |column| if of_plants { format!("(SELECT e.{column} {OF_LAST})") } else { format!("e.{column}") };
        match test {
            Test::Text(part) => self.part(part, all),
            Test::Name(part) => self.part(part, name),
            Test::Tag(part) => self.part(part, tag),
            Test::Id(plant) => format!("{id} = {}", self.value(plant.0)),
            Test::Status(range) => {
                let (from, to) = (self.value(*range.start()), self.value(*range.end()));
                format!("{} BETWEEN {from} AND {to}", of_exchange("status"))
            }
            Test::Since(from) => format!("{time} >= {}", self.value(from.0)),
            Test::Before(to) => format!("{time} < {}", self.value(to.0)),
            Test::Is(TextColumn::Name, whole) => self.whole(whole, name),
            Test::Is(TextColumn::Tag, whole) => self.whole(whole, tag),
            Test::Author(part) => self.part(part, if of_plants { PLANT_AUTHORS } else { AUTHOR }),
            Test::Response(part) => self.part(part, &of_exchange("body")),
            Test::Is(TextColumn::Response, _) => format!("length({}) = 0", of_exchange("body")),
            // A literal, so that `SQLite` can use the partial index `plant_unknown`.
            Test::State(state) if of_plants => format!("state = {}", state.code()),
            _ if of_plants => NEVER.to_owned(),
            Test::Outcome(outcome) => format!("e.outcome = {}", self.value(outcome.code())),
            Test::OfCheck => "e.operation IN (SELECT operation FROM probe)".to_owned(),
            Test::Origin(origin) => {
                format!("o.origin IN (SELECT id FROM origin WHERE origin = {})", self.value(origin.cast_signed()))
            }
            Test::IsAdd => format!("o.kind = {}", self.value(Kind::Add.code())),
            Test::IsDelete => format!("o.kind = {}", self.value(Kind::Delete.code())),
            Test::State(_) | Test::Section(_) | Test::Is(TextColumn::Section, _) | Test::Verdict(_) => NEVER.to_owned(),
        }
    }

    fn part(&mut self, part: &str, columns: &str) -> String {
        format!("has_part({}, {columns})", self.value(part.to_owned()))
    }

    fn whole(&mut self, text: &str, column: &str) -> String {
        format!("caseless({column}) = {}", self.value(text.to_owned()))
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

/// Adds SQL functions to a connection. `has_part(part, value, …)` returns whether one of the values
/// contains a part, which is [`caseless`]; a number is compared as text, and so is a blob.
/// `caseless(text)` is equal for texts that differ in case alone.
pub(super) fn prepare(conn: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("caseless", 1, flags, |given| Ok(given.get_raw(0).as_str_or_null()?.map(caseless)))?;
    conn.create_scalar_function("has_part", -1, flags, |given| {
        let part = given.get_raw(0).as_str()?;
        Ok((1..given.len()).any(|value| has_part(given.get_raw(value), part)))
    })
}

/// Called millions of times by a search; copies no ASCII text.
fn has_part(value: ValueRef<'_>, part: &str) -> bool {
    match value {
        ValueRef::Text(text) | ValueRef::Blob(text) if text.is_ascii() => {
            part.is_empty() || text.windows(part.len()).any(|there| there.eq_ignore_ascii_case(part.as_bytes()))
        }
        ValueRef::Text(text) | ValueRef::Blob(text) => caseless(&String::from_utf8_lossy(text)).contains(part),
        ValueRef::Integer(number) => {
            part.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) && number.to_string().contains(part)
        }
        ValueRef::Null | ValueRef::Real(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::params_from_iter;

    use super::*;
    use crate::domain::filter::List;
    use crate::domain::{LocalTime, Timestamp};
    use crate::journal::{Journal, Place, sql};

    #[tokio::test]
    async fn the_longest_filters_are_no_too_deep_expression() {
        let store = "http://plants.example".parse().unwrap();
        let opened = Journal::open(Place::Memory, &store, 1, Timestamp(0)).await.unwrap();
        for typed in ["a ".repeat(500), "a|".repeat(250), "is:failed | ".repeat(250), "is:failed ".repeat(500)] {
            let (filter, fault) = List::Requests.parse(&typed, &LocalTime::default());
            assert_eq!(fault, None);
            assert_eq!(opened.journal.exchanges(filter, None, 1).await, Ok(Vec::new()));
        }
    }

    #[tokio::test]
    async fn a_filter_for_unknown_plants_uses_their_index() {
        let store = "http://plants.example".parse().unwrap();
        let opened = Journal::open(Place::Memory, &store, 1, Timestamp(0)).await.unwrap();
        let plan = opened.journal.read(|store, _| {
            let mut query = Query::of_plants(
                "id",
                store.key,
                &List::Plants.parse("state:unknown fern !tag:moss", &LocalTime::default()).0,
            );
            query.sql = format!("EXPLAIN QUERY PLAN {} ORDER BY id", query.sql);
            sql::all(store.conn, &query.sql, params_from_iter(query.values), |found| Ok(found.get::<_, String>(3)?))
        });
        let plan = plan.await.unwrap().join("; ");
        assert!(plan.contains("plant_unknown") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
