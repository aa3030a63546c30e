//! Heads of requests and responses: a text that was stored lately is not stored again.
//!
//! Most are like one before: a whole batch has one request head for each length of its bodies, and a
//! store's response heads change with its clock.

use std::collections::HashMap;

use rusqlite::Connection;

use super::fault::Fault;
use super::stored;

/// How many of the newest heads are read at first.
const READ: i64 = 100;

/// How many are remembered.
const MOST: usize = 1024;

/// The keys of heads by their text. They are forgotten as soon as another program has written: it may
/// have removed some.
#[derive(Debug, Default)]
pub(super) struct Heads(HashMap<String, i64>);

impl Heads {
    /// The key of a text, which is stored unless it is known.
    pub(super) fn key(&mut self, conn: &Connection, text: String) -> Result<i64, Fault> {
        if self.0.is_empty() || self.0.len() >= MOST {
            let newest = "SELECT text, id FROM head ORDER BY id DESC LIMIT ?1";
            let newest = stored::all(conn, newest, [READ], |found| Ok((found.get(0)?, found.get(1)?)))?;
            self.0 = newest.into_iter().collect();
        }
        if let Some(key) = self.0.get(&text) {
            return Ok(*key);
        }
        conn.prepare_cached("INSERT INTO head (text) VALUES (?1)")?.execute([&text])?;
        let key = conn.last_insert_rowid();
        self.0.insert(text, key);
        Ok(key)
    }
}

/// Removes heads that no exchange has.
pub(super) fn remove_unused(conn: &Connection) -> Result<(), Fault> {
    conn.execute(
        "DELETE FROM head WHERE id NOT IN (
            SELECT request FROM exchange WHERE request IS NOT NULL
            UNION SELECT line FROM exchange WHERE line IS NOT NULL
            UNION SELECT headers FROM exchange WHERE headers IS NOT NULL)",
        [],
    )?;
    Ok(())
}
