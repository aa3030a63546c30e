//! The plants, tags and requests that begin with what is typed, for completions. Reads a limited number of rows, and
//! nothing that a person has to wait for.

use std::path::Path;

use rusqlite::params;

use super::access::Access;
use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use super::sql::Store;
use super::{read_only, sql, stored};
use crate::domain::{Outcome, PlantId, Row, StoreUrl};

/// The most suggestions of one kind.
const MOST: usize = 50;

/// The most rows that are read for tags and names, which have no index: the newest ones.
const TEXT_ROWS: i64 = 100_000;

/// Selects from the newest plants of a store those whose text in this column is in a range.
fn newest(column: &str) -> String {
    format!(
        "FROM plant NOT INDEXED WHERE rowid > (SELECT max(rowid) FROM plant) - ?4
        AND store = ?1 AND {column} >= ?2 AND {column} < ?3"
    )
}

/// A journal that is open for suggestions alone.
pub struct Suggestions {
    access: Access,
}

/// A request of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedEntry {
    pub number: i64,
    pub verb: &'static str,
    pub plant: PlantId,
    pub name: Option<String>,
    pub outcome: Outcome,
}

impl Suggestions {
    /// Opens the journal in a folder read-only.
    ///
    /// # Errors
    ///
    /// There is no journal, it cannot be read, or is of another version.
    pub fn open(folder: &Path, store: &StoreUrl) -> Result<Self, JournalError> {
        Ok(Self { access: read_only::open_at_once(folder, &store.to_string())? })
    }

    /// Returns plants of the list whose id begins like this, the smallest numbers first.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub fn plants(&mut self, start: &str) -> Result<Vec<Row>, JournalError> {
        let ranges = ranges(start);
        self.access.read(move |store, _| plants(store, &ranges))
    }

    /// Returns tags of the list that begin like this, in order.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub fn tags(&mut self, start: &str) -> Result<Vec<String>, JournalError> {
        self.texts("tag", start)
    }

    /// Returns names of plants of the list that begin like this, in order.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub fn names(&mut self, start: &str) -> Result<Vec<String>, JournalError> {
        self.texts("name", start)
    }

    fn texts(&mut self, column: &'static str, start: &str) -> Result<Vec<String>, JournalError> {
        let start = start.to_owned();
        self.access.read(move |store, _| texts(store, column, &start, sql::as_limit(MOST)))
    }

    /// Returns requests whose number begins like this, the newest first. Those of contract checks are left out.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub fn entries(&mut self, start: &str) -> Result<Vec<SuggestedEntry>, JournalError> {
        let ranges = ranges(start);
        self.access.read(move |store, _| entries(store, &ranges))
    }
}

/// Returns all tags of the list that begin like this, in order.
pub(super) fn tags(store: Store<'_>, start: &str) -> Result<Vec<String>, Fault> {
    texts(store, "tag", start, TEXT_ROWS)
}

fn texts(store: Store<'_>, column: &str, start: &str, most: i64) -> Result<Vec<String>, Fault> {
    let end = format!("{start}{}", char::MAX);
    let texts = format!("SELECT DISTINCT {column} {} LIMIT ?5", newest(column));
    let mut texts: Vec<String> = sql::column(store.conn, &texts, params![store.key, start, end, TEXT_ROWS, most])?;
    texts.sort_unstable();
    Ok(texts)
}

fn plants(store: Store<'_>, ranges: &[(i64, i64)]) -> Result<Vec<Row>, Fault> {
    let plants =
        format!("SELECT {} FROM plant WHERE store = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id LIMIT ?4", stored::ROW);
    let mut rows = Vec::new();
    for (from, to) in ranges {
        let most = sql::as_limit(MOST - rows.len());
        rows.extend(sql::all(store.conn, &plants, params![store.key, from, to, most], stored::row)?);
    }
    Ok(rows)
}

fn entries(store: Store<'_>, ranges: &[(i64, i64)]) -> Result<Vec<SuggestedEntry>, Fault> {
    let entries = "SELECT e.seq, o.kind, e.plant_id, o.name, e.outcome
        FROM exchange e INDEXED BY exchange_by_store CROSS JOIN operation o ON o.seq = e.operation
        WHERE e.store = ?1 AND e.seq BETWEEN ?2 AND ?3
            AND NOT EXISTS (SELECT 1 FROM probe WHERE operation = e.operation)
        ORDER BY e.seq DESC LIMIT ?4";
    let mut found = Vec::new();
    for (from, to) in ranges.iter().rev() {
        let most = sql::as_limit(MOST - found.len());
        found.extend(sql::all(store.conn, entries, params![store.key, from, to, most], |found| {
            let (number, outcome) = (found.get("seq")?, found.get("outcome")?);
            let (verb, plant) = (found.get::<_, Kind>("kind")?.into(), found.get("plant_id")?);
            Ok(SuggestedEntry { number, verb, plant, name: found.get("name")?, outcome })
        })?);
    }
    Ok(found)
}

/// Returns the whole numbers whose digits begin like this, as ranges, those with few digits first.
fn ranges(start: &str) -> Vec<(i64, i64)> {
    let (is_negative, digits) = match start.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, start),
    };
    match (is_negative, digits) {
        (false, "") => return vec![(0, i64::MAX), (i64::MIN, -1)],
        (true, "") => return vec![(i64::MIN, -1)],
        (false, "0") => return vec![(0, 0)],
        _ if digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) => return Vec::new(),
        _ => {}
    }
    let Ok(number) = digits.parse::<i64>() else { return Vec::new() };
    let largest = i128::from(i64::MAX);
    let tens = std::iter::successors(Some(1_i128), |ten| Some(ten * 10));
    let ranges = tens.map(|ten| (i128::from(number) * ten, i128::from(number) * ten + ten - 1));
    let ranges = ranges.take_while(|(from, _)| *from <= largest).map(|(from, to)| (from, to.min(largest)));
    let signed = ranges.map(|(from, to)| if is_negative { (-to, -from) } else { (from, to) });
    signed.filter_map(|(from, to)| Some((i64::try_from(from).ok()?, i64::try_from(to).ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_in_a_range_of_its_beginnings_alone(number in -3000_i64..3000, start in "-?[0-9]{0,4}") {
            let is_in = ranges(&start).iter().any(|(from, to)| (*from..=*to).contains(&number));
            prop_assert_eq!(is_in, number.to_string().starts_with(&start));
        }
    }

    #[test]
    fn the_largest_numbers_are_in_a_range() {
        assert!(ranges("9").contains(&(9_000_000_000_000_000_000, i64::MAX)));
        assert_eq!(ranges("9223372036854775808"), []);
        assert!(["x", "+1", "07", "--1", "-0", "1 "].iter().all(|start| ranges(start).is_empty()));
    }
}
