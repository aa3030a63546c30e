//! The heads of requests and responses. Equal ones are stored once.
//!
//! Most heads repeat: a batch has one request head for each length of its bodies, and the response heads of a store
//! change with its clock.

use std::collections::HashMap;

use rusqlite::Connection;

use super::fault::Fault;
use super::sql;

/// The number of newest heads that are read into an empty cache.
const READ: i64 = 100;

/// The size at which the cache is read again.
const MOST: usize = 1024;

/// The keys of the newest heads. Cleared when another program has written: it may have removed some.
#[derive(Debug, Default)]
pub(super) struct Heads(HashMap<String, i64>);

impl Heads {
    /// Returns the key of a head; stores the head unless it is known.
    pub(super) fn key(&mut self, conn: &Connection, text: String) -> Result<i64, Fault> {
        if self.0.is_empty() || self.0.len() >= MOST {
            let newest = "SELECT text, id FROM head ORDER BY id DESC LIMIT ?1";
            let newest = sql::all(conn, newest, [READ], |found| Ok((found.get(0)?, found.get(1)?)))?;
            self.0 = newest.into_iter().collect();
        }
        if let Some(key) = self.0.get(&text) {
            return Ok(*key);
        }
        sql::execute(conn, "INSERT INTO head (text) VALUES (?1)", [&text])?;
        let key = conn.last_insert_rowid();
        self.0.insert(text, key);
        Ok(key)
    }
}

/// Removes heads that no exchange has.
pub(super) fn remove_unused(conn: &Connection) -> Result<(), Fault> {
    let unused = "DELETE FROM head WHERE id NOT IN (
        SELECT request FROM exchange WHERE request IS NOT NULL
        UNION SELECT line FROM exchange WHERE line IS NOT NULL
        UNION SELECT headers FROM exchange WHERE headers IS NOT NULL)";
    conn.execute(unused, [])?;
    Ok(())
}
