//! The heads of requests and responses, each stored once.
//!
//! Most heads repeat: a batch has one request head for each length of its bodies, and the response
//! heads of a store change with its clock. Where a store gives each response an id, every head is
//! another one: headers are stored as their difference from a whole head, the base, if that is short.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::HashMap;
use rusqlite::{Connection, params};

use super::fault::Fault;
use super::{sql, stored};
use crate::domain::{Header, Method, PlantId, Request, Response};

/// The number of newest heads that are read into an empty cache.
const READ: i64 = 100;

/// The size at which the cache is read again.
const MOST: usize = 1024;

/// The number of newest whole heads that headers are compared with.
const BASES: usize = 4;

/// The keys of heads. Cleared when another program has written: it may have removed some.
///
/// The requests and responses of a batch share their headers, so most keys are found without writing
/// the head as text.
#[derive(Debug, Default)]
pub(super) struct Heads {
    by_text: HashMap<Head, i64>,
    /// Whole heads of responses with their keys, the newest last.
    bases: Vec<(i64, Arc<[Header]>)>,
    /// Adds by the address of their headers.
    adds: HashMap<usize, (Request, i64)>,
    /// The last response: its status line and headers.
    last_line: Option<(Cow<'static, str>, Cow<'static, str>, i64)>,
    last_headers: Option<(Arc<[Header]>, i64)>,
}

/// A row: a whole head, or the difference from its base.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Head {
    base: Option<i64>,
    text: String,
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
                let key = self.other_headers(conn, &response.headers)?;
                self.last_headers = Some((Arc::clone(&response.headers), key));
                Ok(key)
            }
        }
    }

    /// Returns the key of headers that are not those of the last response.
    fn other_headers(&mut self, conn: &Connection, headers: &Arc<[Header]>) -> Result<i64, Fault> {
        self.read(conn)?;
        for (base, whole) in self.bases.iter().rev() {
            if whole == headers {
                return Ok(*base);
            }
            if let Some(text) = stored::headers_beside(headers, whole)? {
                return self.key(conn, Head { base: Some(*base), text });
            }
        }
        let key = self.text(conn, stored::headers(headers)?)?;
        if self.bases.len() >= BASES {
            self.bases.remove(0);
        }
        self.bases.push((key, Arc::clone(headers)));
        Ok(key)
    }

    /// Returns the key of a text; stores the text unless it is known.
    pub(super) fn text(&mut self, conn: &Connection, text: String) -> Result<i64, Fault> {
        self.read(conn)?;
        self.key(conn, Head { base: None, text })
    }

    fn key(&mut self, conn: &Connection, head: Head) -> Result<i64, Fault> {
        if let Some(key) = self.by_text.get(&head) {
            return Ok(*key);
        }
        sql::execute(conn, "INSERT INTO head (base, text) VALUES (?1, ?2)", params![head.base, head.text])?;
        let key = conn.last_insert_rowid();
        self.by_text.insert(head, key);
        Ok(key)
    }

    /// Reads the newest heads into an empty or a full cache.
    fn read(&mut self, conn: &Connection) -> Result<(), Fault> {
        if !self.by_text.is_empty() && self.by_text.len() < MOST {
            return Ok(());
        }
        let newest = "SELECT id, base, text FROM head ORDER BY id DESC LIMIT ?1";
        let newest = sql::all(conn, newest, [READ], |found| {
            Ok((found.get::<_, i64>(0)?, Head { base: found.get(1)?, text: found.get(2)? }))
        })?;
        if self.bases.is_empty() {
            let mut bases = Vec::with_capacity(BASES);
            for base in newest.iter().filter_map(|(key, head)| head.base.or(is_of_response(head).then_some(*key))) {
                if bases.len() < BASES && !bases.contains(&base) {
                    bases.push(base);
                }
            }
            for key in bases.into_iter().rev() {
                // One that is damaged or missing is no base.
                if let Some(whole) = sql::first::<String>(conn, "SELECT text FROM head WHERE id = ?1", [key])?
                    && let Ok(headers) = stored::headers_in(&whole, None)
                {
                    self.bases.push((key, headers));
                }
            }
        }
        self.by_text = newest.into_iter().map(|(key, head)| (head, key)).collect();
        Ok(())
    }
}

/// Returns whether a whole head has the headers of a response: pairs. Those of requests begin with a method, and status
/// lines with a version.
fn is_of_response(head: &Head) -> bool {
    head.base.is_none() && head.text.starts_with("[[")
}

/// Removes heads that no exchange has, and whose difference no other head is.
pub(super) fn remove_unused(conn: &Connection) -> Result<(), Fault> {
    let used = "SELECT request FROM exchange WHERE request IS NOT NULL
        UNION SELECT line FROM exchange WHERE line IS NOT NULL
        UNION SELECT headers FROM exchange WHERE headers IS NOT NULL";
    conn.execute(&format!("DELETE FROM head WHERE base IS NOT NULL AND id NOT IN ({used})"), [])?;
    let bases = "SELECT base FROM head WHERE base IS NOT NULL";
    conn.execute(&format!("DELETE FROM head WHERE base IS NULL AND id NOT IN ({used} UNION {bases})"), [])?;
    Ok(())
}
