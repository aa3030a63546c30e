//! The heads of requests and responses, each stored once.
//!
//! Most heads repeat: a batch has one request head for each length of its bodies, and the response
//! heads of a store change with its clock.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;

use super::fault::Fault;
use super::{sql, stored};
use crate::domain::{Header, Method, PlantId, Request, Response};

/// The number of newest heads that are read into an empty cache.
const READ: i64 = 100;

/// The size at which the cache is read again.
const MOST: usize = 1024;

/// The keys of heads. Cleared when another program has written: it may have removed some.
///
/// The requests and responses of a batch share their headers, so most keys are found without writing
/// the head as text.
#[derive(Debug, Default)]
pub(super) struct Heads {
    by_text: HashMap<String, i64>,
    /// Adds by the address of their headers.
    adds: HashMap<usize, (Request, i64)>,
    /// The last response: its status line and headers.
    last_line: Option<(String, String, i64)>,
    last_headers: Option<(Arc<[Header]>, i64)>,
}

impl Heads {
    /// Returns the key of a request's head; stores the head unless it is known.
    pub(super) fn request(&mut self, conn: &Connection, request: &Request, id: PlantId) -> Result<i64, Fault> {
        // The URL of an add does not contain the id.
        if request.method != Method::Post {
            return self.text(conn, stored::request_head(request, id)?);
        }
        let address = Arc::as_ptr(&request.headers).addr();
        if let Some((known, key)) = self.adds.get(&address)
            && Arc::ptr_eq(&known.headers, &request.headers)
            && (&known.url, &known.target) == (&request.url, &request.target)
        {
            return Ok(*key);
        }
        let key = self.text(conn, stored::request_head(request, id)?)?;
        if self.adds.len() >= MOST {
            self.adds.clear();
        }
        self.adds.insert(address, (Request { body: None, ..request.clone() }, key));
        Ok(key)
    }

    /// Returns the key of a response's status line.
    pub(super) fn line(&mut self, conn: &Connection, response: &Response) -> Result<i64, Fault> {
        match &self.last_line {
            Some((version, reason, key)) if (version, reason) == (&response.version, &response.reason) => Ok(*key),
            Some(_) | None => {
                let key = self.text(conn, stored::line(response)?)?;
                self.last_line = Some((response.version.clone(), response.reason.clone(), key));
                Ok(key)
            }
        }
    }

    /// Returns the key of a response's headers.
    pub(super) fn headers(&mut self, conn: &Connection, response: &Response) -> Result<i64, Fault> {
        match &self.last_headers {
            Some((headers, key)) if Arc::ptr_eq(headers, &response.headers) => Ok(*key),
            Some(_) | None => {
                let key = self.text(conn, stored::headers(response)?)?;
                self.last_headers = Some((Arc::clone(&response.headers), key));
                Ok(key)
            }
        }
    }

    /// Returns the key of a text; stores the text unless it is known.
    pub(super) fn text(&mut self, conn: &Connection, text: String) -> Result<i64, Fault> {
        if self.by_text.is_empty() || self.by_text.len() >= MOST {
            let newest = "SELECT text, id FROM head ORDER BY id DESC LIMIT ?1";
            let newest = sql::all(conn, newest, [READ], |found| Ok((found.get(0)?, found.get(1)?)))?;
            self.by_text = newest.into_iter().collect();
        }
        if let Some(key) = self.by_text.get(&text) {
            return Ok(*key);
        }
        sql::execute(conn, "INSERT INTO head (text) VALUES (?1)", [&text])?;
        let key = conn.last_insert_rowid();
        self.by_text.insert(text, key);
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
