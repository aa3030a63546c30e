//! Whether a file has the tables and indexes of a journal, and nothing else.
//!
//! A trigger or a view of a stranger would run with each write and look, in our name. So the schema
//! is read, and nothing else, before anything is executed on it.

use std::path::Path;

use rusqlite::Connection;

use super::error::JournalError;
use super::fault::Fault;
use super::{schema, stored};
use crate::domain::text::clean_fit;

/// Columns of a name that is quoted.
const QUOTED: usize = 60;

/// Tables that `SQLite` makes by itself, for `ANALYZE` and for keys that only grow.
const OF_SQLITE: [&str; 4] = ["sqlite_sequence", "sqlite_stat1", "sqlite_stat3", "sqlite_stat4"];

/// A line of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Object {
    kind: String,
    name: String,
    table: String,
    /// What made it; `None` for an index that its table brings along.
    sql: Option<String>,
}

impl Object {
    fn is_of_sqlite(&self) -> bool {
        self.kind == "table" && OF_SQLITE.contains(&self.name.as_str())
    }

    fn is_called_like(&self, other: &Self) -> bool {
        (&self.kind, &self.name) == (&other.kind, &other.name)
    }

    fn described(&self) -> String {
        format!("the {} {}", clean_fit(&self.kind, QUOTED), clean_fit(&self.name, QUOTED))
    }
}

/// All of them; those that would run by themselves come first.
fn objects(conn: &Connection) -> Result<Vec<Object>, Fault> {
    let sql =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type NOT IN ('trigger', 'view'), type, name";
    stored::all(conn, sql, [], |found| {
        Ok(Object { kind: found.get(0)?, name: found.get(1)?, table: found.get(2)?, sql: found.get(3)? })
    })
}

/// Compares the schema of a file with that of a journal.
///
/// # Errors
///
/// [`JournalError::Unexpected`], or what `SQLite` says of a damaged schema.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<(), Fault> {
    let model = Connection::open_in_memory()?;
    schema::create(&model)?;
    let (expected, mut found) = (objects(&model)?, objects(conn)?);
    found.retain(|object| !object.is_of_sqlite());
    let unexpected = |what: String| Err(JournalError::Unexpected { path: path.to_path_buf(), what }.into());
    for object in &found {
        match expected.iter().find(|known| known.is_called_like(object)) {
            None => return unexpected(format!("{} does not belong in it", object.described())),
            Some(known) if known != object => {
                return unexpected(format!("{} is not as plants makes it", object.described()));
            }
            Some(_) => {}
        }
    }
    match expected.iter().find(|known| !found.contains(known)) {
        Some(missing) => unexpected(format!("{} is missing", missing.described())),
        None => Ok(()),
    }
}
