//! Holds validated rows in a temporary database, and reads them in the same order, each with whether its id repeats.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, Result, named_params, params};
use tempfile::{NamedTempFile, TempPath};
use tokio_util::sync::CancellationToken;

use super::decision::{FileRow, Repeat};
use super::row::{ImportRow, RowNumber};
use crate::domain::{Plant, PlantId};

/// Next to nothing of the database is in memory, and nothing is ever committed.
const BEGIN: &str = "
    PRAGMA cache_size = 16;
    PRAGMA journal_mode = OFF;
    CREATE TABLE file (row INTEGER PRIMARY KEY, line INTEGER, element INTEGER, id INTEGER, name TEXT, tag TEXT);
    BEGIN;";

const PUSH: &str = "INSERT INTO file (line, element, id, name, tag) VALUES (?, ?, ?, ?, ?)";

/// Built after the last row: `SQLite` sorts the ids on disk.
const INDEX: &str = "CREATE INDEX by_id ON file (id)";

/// Each row with the first one of its id.
const READ: &str = "
    SELECT own.line, own.element, own.id, own.name, own.tag, first.row = own.row AS is_first,
        first.line AS first_line, first.element AS first_element,
        first.name = own.name AND first.tag = own.tag AS is_same
    FROM file AS own JOIN file AS first
        ON first.row = (SELECT row FROM file WHERE id = own.id ORDER BY row LIMIT 1)
    WHERE own.row > :after ORDER BY own.row LIMIT :count";

/// `SQLite`'s instructions between two looks at whether to stop.
const STEPS: i32 = 10_000;

/// Rows on disk. The system deletes them when the program ends, on Unix also by a crash.
#[derive(Debug)]
pub(super) struct Spool {
    database: Connection,
    /// Removes the file where an open one cannot be removed.
    _name: Option<TempPath>,
}

impl Spool {
    /// Creates the file in `folder`, or the nearest existing folder above it; if that fails, where `SQLite` has
    /// temporary files.
    pub(super) fn begin(folder: Option<&Path>) -> Result<Self> {
        let existing = folder.and_then(|folder| folder.ancestors().find(|folder| folder.is_dir()));
        let name = existing.and_then(|folder| NamedTempFile::new_in(folder).ok()).map(NamedTempFile::into_temp_path);
        let database = Connection::open(name.as_deref().unwrap_or(Path::new("")))?;
        let _ = name.as_deref().map(fs::remove_file);
        database.execute_batch(BEGIN)?;
        Ok(Self { database, _name: name })
    }

    pub(super) fn push(&self, row: &ImportRow) -> Result<()> {
        let ImportRow { number: RowNumber { line, element }, plant: Plant { name, id, tag } } = row;
        self.database.prepare_cached(PUSH)?.execute(params![line, element, id.0, name, tag]).map(drop)
    }

    /// To be called once, after the last row. Fails early if `stop` is cancelled.
    pub(super) fn end(&mut self, stop: CancellationToken) -> Result<()> {
        self.database.progress_handler(STEPS, Some(move || stop.is_cancelled()))?;
        self.database.execute_batch(INDEX)?;
        self.database.progress_handler(STEPS, None::<fn() -> bool>)
    }

    /// Returns the rows that follow this many.
    pub(super) fn read(&self, after: u64, count: usize) -> Result<Vec<FileRow>> {
        let mut statement = self.database.prepare_cached(READ)?;
        statement.query_map(named_params! { ":after": after, ":count": count }, file_row)?.collect()
    }
}

fn file_row(row: &rusqlite::Row<'_>) -> Result<FileRow> {
    let plant = Plant { name: row.get("name")?, id: PlantId(row.get("id")?), tag: row.get("tag")? };
    let number = RowNumber { line: row.get("line")?, element: row.get("element")? };
    let repeat = if row.get("is_first")? {
        Repeat::First
    } else if row.get("is_same")? {
        Repeat::Same
    } else {
        Repeat::Other(RowNumber { line: row.get("first_line")?, element: row.get("first_element")? })
    };
    Ok((ImportRow { number, plant }, repeat))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZeroU64;

    use super::*;

    fn spool<'a>(rows: impl IntoIterator<Item = &'a ImportRow>) -> Spool {
        let mut spool = Spool::begin(None).unwrap();
        for row in rows {
            spool.push(row).unwrap();
        }
        spool.end(CancellationToken::new()).unwrap();
        spool
    }

    fn row(line: u64, id: i64, name: &str) -> ImportRow {
        let plant = Plant { name: name.to_owned(), id: PlantId(id), tag: "t".to_owned() };
        ImportRow { number: RowNumber::of_line(line), plant }
    }

    #[test]
    fn rows_can_be_read_more_than_once_in_the_same_order() {
        let texts = ["", "Monstera", "a\0\n\"🌱", "x".repeat(100_000).leak()];
        let row = |(nth, id): (usize, i64)| {
            let (name, tag) = (texts[nth % 4].to_owned(), texts[(nth + 1) % 4].to_owned());
            ImportRow {
                number: RowNumber { line: nth as u64 + 2, element: NonZeroU64::new(nth as u64) },
                plant: Plant { name, id: PlantId(id), tag },
            }
        };
        let rows: Vec<_> = (0..50).zip(i64::MIN..).map(row).collect();
        let spool = spool(&rows);
        for _ in 0..2 {
            let read = [(0, 20), (20, 30), (50, 1)].map(|(after, count)| spool.read(after, count).unwrap()).concat();
            assert_eq!(read.into_iter().map(|(row, _)| row).collect::<Vec<_>>(), rows);
        }
    }

    #[test]
    fn a_row_whose_id_repeats_is_marked() {
        let rows = [(7, "a"), (8, "x"), (7, "a"), (8, "x"), (8, "b"), (7, "b"), (9, "a")];
        let rows: Vec<_> = (2..).zip(rows).map(|(line, (id, name))| row(line, id, name)).collect();
        let marks: Vec<_> = spool(&rows).read(0, 10).unwrap().into_iter().map(|(_, repeat)| repeat).collect();
        let other = |line| Repeat::Other(RowNumber::of_line(line));
        assert_eq!(marks[..4], [Repeat::First, Repeat::First, Repeat::Same, Repeat::Same]);
        assert_eq!(marks[4..], [other(3), other(2), Repeat::First]);
    }

    #[test]
    fn each_repeat_names_the_first_row_of_its_id() {
        let mut random = fastrand::Rng::with_seed(7);
        let rows: Vec<_> = (2..5000).map(|line| row(line, random.i64(-2000..2000), &line.to_string())).collect();
        let mut firsts = HashMap::new();
        for (row, repeat) in spool(&rows).read(0, rows.len()).unwrap() {
            let first = *firsts.entry(row.plant.id).or_insert(row.number);
            assert_eq!(repeat, if first == row.number { Repeat::First } else { Repeat::Other(first) });
        }
    }

    #[test]
    fn a_stop_ends_the_search_for_repeats() {
        let rows: Vec<_> = (2..5000).map(|line| row(line, 5000 - i64::try_from(line).unwrap(), "a")).collect();
        let (mut spool, stop) = (Spool::begin(None).unwrap(), CancellationToken::new());
        for row in &rows {
            spool.push(row).unwrap();
        }
        stop.cancel();
        assert!(spool.end(stop).is_err());
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        #[test]
        fn the_file_has_no_name_in_the_folder() {
            let folder = tempfile::tempdir().unwrap();
            let _spool = Spool::begin(Some(&folder.path().join("new"))).unwrap();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
