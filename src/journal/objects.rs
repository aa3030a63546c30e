//! Compares the schema of a file with the schema of a journal.
//!
//! A trigger or a view from elsewhere would run with each write or lookup of this program. So the
//! schema is read, and nothing else, before any statement runs on the file.

use std::path::Path;

use rusqlite::Connection;

use super::error::JournalError;
use super::fault::Fault;
use super::{schema, sql};
use crate::domain::text::clean_fit;

/// The width of a quoted name in columns.
const QUOTED: usize = 60;

/// Tables that `SQLite` creates itself, for `ANALYZE` and for `AUTOINCREMENT`.
const OF_SQLITE: [&str; 4] = ["sqlite_sequence", "sqlite_stat1", "sqlite_stat3", "sqlite_stat4"];

/// A row of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Object {
    kind: String,
    name: String,
    table: String,
    /// The statement that created it; `None` for an index that its table implies.
    sql: Option<String>,
}

impl Object {
    fn is_of_sqlite(&self) -> bool {
        self.kind == "table" && OF_SQLITE.contains(&self.name.as_str())
    }

    fn described(&self) -> String {
        format!("the {} {}", clean_fit(&self.kind, QUOTED), clean_fit(&self.name, QUOTED))
    }
}

/// Reads the schema, triggers and views first.
fn objects(conn: &Connection) -> Result<Vec<Object>, Fault> {
    let schema =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type NOT IN ('trigger', 'view'), type, name";
    sql::all(conn, schema, [], |found| {
        Ok(Object { kind: found.get(0)?, name: found.get(1)?, table: found.get(2)?, sql: found.get(3)? })
    })
}

/// Compares the schema of a file with that of a journal.
///
/// # Errors
///
/// [`JournalError::Unexpected`], or `SQLite`'s error on a damaged schema.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<(), Fault> {
    let model = Connection::open_in_memory()?;
    schema::create(&model)?;
    let (expected, mut found) = (objects(&model)?, objects(conn)?);
    found.retain(|object| !object.is_of_sqlite());
    let known =
        |object: &Object| expected.iter().any(|known| (&known.kind, &known.name) == (&object.kind, &object.name));
    let what = if let Some(object) = found.iter().find(|object| !expected.contains(object)) {
        let problem = if known(object) { "is not as plants makes it" } else { "does not belong in it" };
        format!("{} {problem}", object.described())
    } else if let Some(missing) = expected.iter().find(|known| !found.contains(known)) {
        format!("{} is missing", missing.described())
    } else {
        return Ok(());
    };
    Err(JournalError::Unexpected { path: path.to_path_buf(), what }.into())
}
