//! Saving what can be read out of a damaged journal into a new one beside it.
//!
//! Rows are copied one by one, in the order of their keys; where a page cannot be read, the walk
//! goes on behind it. What was copied must then make sense as the domain's values. Plants whose
//! rows are lost are folded anew from what was asked, what became of it and what a person said;
//! where some of that is lost, too, the plant is in doubt, because the lost part may have been
//! its delete.

use std::collections::HashSet;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params, params_from_iter,
};

use super::error::Fault;
use super::{Saved, entries, schema, stored};
use crate::domain::check::Report;
use crate::domain::{Operation, OperationId, Outcome, PlantId, Record, Settlement, State, Timestamp};

/// Every table of rows that were written and not derived, parents first, with the version of the
/// schema that it came with.
const TABLES: [(&str, u8); 7] = [
    ("store", 1),
    ("operation", 1),
    ("exchange", 1),
    ("settlement", 1),
    ("plant", 1),
    ("departure", 2),
    ("check_run", 4),
];

/// Copies all that can be read of the journal at `damaged` into a new one at `rebuilt`, whose
/// file is empty. The damaged one is not changed.
///
/// # Errors
///
/// The new one cannot be written, the old one is not ours, or it can for now not be read for
/// another reason than damage. That nothing can be read of it is no error.
pub(super) fn rebuild(damaged: &Path, rebuilt: &Path) -> Result<Saved, Fault> {
    let source = open_damaged(damaged)?;
    schema::refuse_what_says_it_is_not_ours(&source, damaged)?;
    let target = Connection::open_with_flags(rebuilt, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let whole = Transaction::new_unchecked(&target, TransactionBehavior::Immediate)?;
    let version = schema::version_of(&source);
    schema::take_steps(&whole, 0, version)?;
    let mut losses = Losses::default();
    copy_stores_from_their_index(&source, &whole)?;
    for (table, since) in TABLES {
        if since <= version {
            losses.of(table, copy(&source, &whole, table)?);
        }
    }
    drop_what_makes_no_sense(&whole, &mut losses)?;
    schema::take_steps(&whole, version, schema::VERSION)?;
    if losses.plants {
        fold_lost_plants(&whole, losses.entries)?;
    }
    whole.execute_batch(
        "INSERT INTO tally (store, state, count) SELECT store, state, count(*) FROM plant GROUP BY store, state",
    )?;
    let count = |sql| whole.query_row(sql, [], |found| found.get(0).map(stored::as_count));
    let saved = Saved {
        plants: count("SELECT count(*) FROM plant")?,
        exchanges: count("SELECT count(*) FROM exchange")?,
        complete: !losses.entries && !losses.plants && !losses.others,
    };
    whole.commit()?;
    Ok(saved)
}

/// What could not be read.
#[derive(Debug, Clone, Copy, Default)]
struct Losses {
    /// Something of what the fold is made of.
    entries: bool,
    /// Rows of the view.
    plants: bool,
    /// Anything else.
    others: bool,
}

impl Losses {
    fn of(&mut self, table: &str, lost: bool) {
        match table {
            "operation" | "exchange" | "settlement" => self.entries |= lost,
            "plant" => self.plants |= lost,
            _ => self.others |= lost,
        }
    }
}

/// Opens it so that nothing in it changes, and so that a wrong size or schema does not put an
/// end to reading the rest.
fn open_damaged(path: &Path) -> Result<Connection, Fault> {
    let source = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    source.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    source.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    schema::distrust(&source)?;
    source.pragma_update(None, "writable_schema", true)?;
    source.pragma_update(None, "query_only", true)?;
    Ok(source)
}

/// Copies every row that can be read. Returns whether some cannot.
fn copy(source: &Connection, target: &Connection, table: &str) -> Result<bool, Fault> {
    // The names of the columns are ours: what a damaged file calls them is not repeated.
    let columns =
        stored::all(target, "SELECT name FROM pragma_table_info(?1)", [table], |found| Ok(found.get::<_, String>(0)?))?;
    let places: Vec<_> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
    let columns = columns.join(", ");
    let insert = format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({})", places.join(", "));
    let mut walk = Walk { source, table, columns, next: 1, lost: false };
    while let Some(rows) = walk.stretch()? {
        for values in rows {
            match target.prepare_cached(&insert)?.execute(params_from_iter(values)) {
                // It breaks a rule of the table: what was read is not what was written.
                Ok(0) => walk.lost |= table != "store",
                Ok(_) => {}
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => walk.lost = true,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(walk.lost)
}

/// Copies the stores from the index on their addresses: everything else hangs on the one page of
/// that table, and the index has all that is in it.
fn copy_stores_from_their_index(source: &Connection, target: &Connection) -> Result<(), Fault> {
    let found = stored::all(source, "SELECT id, url FROM store INDEXED BY sqlite_autoindex_store_1", [], |found| {
        Ok((found.get::<_, i64>(0)?, found.get::<_, String>(1)?))
    });
    for (id, url) in found.unwrap_or_default() {
        target.execute("INSERT OR IGNORE INTO store (id, url) VALUES (?1, ?2)", params![id, url])?;
    }
    Ok(())
}

/// How many rows are read before they are written.
const STRETCH: i64 = 500;

/// A walk through a table by rowid, over whatever holes it has.
struct Walk<'a> {
    source: &'a Connection,
    table: &'a str,
    columns: String,
    next: i64,
    lost: bool,
}

impl Walk<'_> {
    /// The next rows that can be read; `None` at the end.
    fn stretch(&mut self) -> Result<Option<Vec<Vec<Value>>>, Fault> {
        let mut lines = Vec::new();
        let Some(()) = or_hole(self.read(&mut lines))? else {
            self.lost = true;
            self.next = self.behind_the_hole()?.unwrap_or(i64::MAX);
            return Ok((self.next < i64::MAX || !lines.is_empty()).then_some(lines));
        };
        Ok((!lines.is_empty()).then_some(lines))
    }

    /// Reads on from `next`, and moves it behind each row that was read.
    fn read(&mut self, lines: &mut Vec<Vec<Value>>) -> rusqlite::Result<()> {
        let Self { table, columns, .. } = self;
        let sql = format!("SELECT rowid, {columns} FROM {table} WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2");
        let mut statement = self.source.prepare_cached(&sql)?;
        let width = statement.column_count();
        let mut rows = statement.query(params![self.next, STRETCH])?;
        while let Some(row) = rows.next()? {
            let place: i64 = row.get(0)?;
            if place < self.next {
                // A page that leads back: whoever follows it never comes to an end.
                return Err(rusqlite::Error::IntegralValueOutOfRange(0, place));
            }
            lines.push((1..width).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()?);
            self.next = place.saturating_add(1);
        }
        Ok(())
    }

    /// The first row after `next` that can be stepped to: leaps that grow until one lands, then
    /// back to where the hole ends.
    fn behind_the_hole(&self) -> Result<Option<i64>, Fault> {
        let (mut short, mut far) = (0, 1_i64);
        let mut landed = loop {
            let Some(place) = self.next.checked_add(far) else { return Ok(None) };
            match or_hole(self.row_from(place))? {
                Some(Some(found)) => break found,
                Some(None) => return Ok(None),
                None => (short, far) = (far, far.saturating_mul(2)),
            }
        };
        while far - short > 1 {
            let middle = short + (far - short) / 2;
            match or_hole(self.row_from(self.next.saturating_add(middle)))? {
                Some(Some(found)) => (far, landed) = (middle, found),
                Some(None) => break,
                None => short = middle,
            }
        }
        Ok(Some(landed))
    }

    /// The first rowid from this one on; `None` if there is none.
    fn row_from(&self, place: i64) -> rusqlite::Result<Option<i64>> {
        let sql = format!("SELECT rowid FROM {} WHERE rowid >= ?1 ORDER BY rowid LIMIT 1", self.table);
        let found = self.source.prepare_cached(&sql)?.query_row([place], |found| found.get(0)).optional()?;
        match found {
            Some(back) if back < place => Err(rusqlite::Error::IntegralValueOutOfRange(0, back)),
            found => Ok(found),
        }
    }
}

/// What was read; `None` if it is damaged. Every other reason not to read ends the rebuilding:
/// what is only out of reach for now must not be given up.
fn or_hole<T>(read: rusqlite::Result<T>) -> Result<Option<T>, Fault> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(error) => match error.sqlite_error_code() {
            // `Unknown` is a table or a column that is not there: the schema is damaged.
            None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => Ok(None),
            Some(_) => Err(error.into()),
        },
    }
}

/// Drops rows that cannot be read as what they should be. Children go before their parents.
fn drop_what_makes_no_sense(conn: &Connection, losses: &mut Losses) -> Result<(), Fault> {
    let version = schema::version_of(conn);
    let with_phases = if version < 3 { "(SELECT *, NULL AS phases FROM exchange)" } else { "exchange" };
    let with_probe = if version < 4 { "(SELECT *, NULL AS probe FROM operation)" } else { "operation" };
    let exchanges = format!(
        "SELECT {}, e.outcome, e.status, e.store = o.store AND e.plant_id = o.plant_id AS belongs, e.seq
         FROM {with_phases} e JOIN {with_probe} o ON o.seq = e.operation
         WHERE e.seq > ?1 ORDER BY e.seq LIMIT ?2",
        stored::EXCHANGE
    );
    let operations =
        format!("SELECT {}, o.seq FROM {with_probe} o WHERE o.seq > ?1 ORDER BY o.seq LIMIT ?2", stored::OPERATION);
    let settlements = "SELECT what, seq FROM settlement WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let plants =
        format!("SELECT {}, record, rowid AS seq FROM plant WHERE rowid > ?1 ORDER BY rowid LIMIT ?2", stored::ROW);
    losses.entries |= drop_bad(conn, "exchange", &exchanges, |found| {
        // What stands in columns of its own is what the exchange says, or one of the two is damaged.
        let exchange = stored::exchange(found)?;
        let columns = (outcome(found)?, found.get("status")?, found.get("belongs")?);
        Ok(columns == (Some(exchange.outcome()), exchange.status(), true))
    })?;
    losses.entries |= mend_outcomes(conn)?;
    losses.entries |= drop_bad(conn, "operation", &operations, |found| stored::operation(found).map(|_| true))?;
    losses.entries |= drop_bad(conn, "settlement", settlements, |found| {
        Ok(Settlement::from_code(&found.get::<_, String>(0)?).is_some())
    })?;
    if version > 1 {
        let departures =
            format!("SELECT {}, d.seq FROM departure d WHERE d.seq > ?1 ORDER BY d.seq LIMIT ?2", stored::DEPARTED);
        losses.others |= drop_bad(conn, "departure", &departures, |found| stored::departed(found).map(|_| true))?;
    }
    if version > 3 {
        let runs = "SELECT report, seq FROM check_run WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        losses.others |= drop_bad(conn, "check_run", runs, |found| {
            Ok(serde_json::from_str::<Report>(&found.get::<_, String>(0)?).is_ok())
        })?;
    }
    losses.plants |= drop_bad(conn, "plant", &plants, |found| {
        let text: String = found.get("record")?;
        let record: Record = serde_json::from_str(&text).map_err(|_| Fault::Damaged)?;
        // The row is what the record says, or one of the two is damaged.
        Ok(record.row() == Some(stored::row(found)?))
    })?;
    Ok(())
}

/// Where the outcome of an operation is none, its exchange tells it; without one the operation is
/// open again, which makes it unknown with the next start. Tells whether there were any.
fn mend_outcomes(conn: &Connection) -> Result<bool, Fault> {
    let known = Outcome::ALL.map(|outcome| format!("'{}'", outcome.code())).join(", ");
    let mended = conn.execute(
        &format!(
            "UPDATE operation AS o SET outcome =
                (SELECT e.outcome FROM exchange e WHERE e.operation = o.seq ORDER BY e.seq DESC LIMIT 1)
             WHERE outcome NOT IN ({known})"
        ),
        [],
    )?;
    Ok(mended > 0)
}

/// The outcome in a row, if it has ended.
fn outcome(found: &rusqlite::Row<'_>) -> Result<Option<Outcome>, Fault> {
    let code: Option<String> = found.get("outcome")?;
    code.map(|code| Outcome::from_code(&code).ok_or(Fault::Damaged)).transpose()
}

/// Drops the rows that a query finds and that make no sense; tells whether there were any. A page
/// of keys at a time, so that memory does not grow with the journal.
fn drop_bad(
    conn: &Connection,
    table: &str,
    sql: &str,
    makes_sense: impl Fn(&rusqlite::Row<'_>) -> Result<bool, Fault>,
) -> Result<bool, Fault> {
    let (mut after, mut dropped) = (0, false);
    loop {
        let judged = stored::all(conn, sql, params![after, STRETCH], |found| {
            Ok((found.get::<_, i64>("seq")?, makes_sense(found).unwrap_or(false)))
        })?;
        let Some((last, _)) = judged.last() else { return Ok(dropped) };
        after = *last;
        for (place, _) in judged.iter().filter(|(_, makes_sense)| !makes_sense) {
            dropped = true;
            conn.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?.execute([place])?;
        }
    }
}

/// Folds the plants anew that have entries and no row.
fn fold_lost_plants(conn: &Connection, entries_lost: bool) -> Result<(), Fault> {
    let lost = stored::all(
        conn,
        "SELECT store, plant_id FROM operation UNION SELECT store, plant_id FROM settlement
         EXCEPT SELECT store, id FROM plant",
        [],
        |found| Ok((found.get::<_, i64>(0)?, PlantId(found.get(1)?))),
    )?;
    for (store, id) in lost {
        let mut folded = fold(conn, store, id)?;
        let claims = folded.record.row().is_none_or(|row| row.state == State::Stored);
        if claims && (folded.unsure || (entries_lost && folded.record.row().is_some())) {
            folded.doubt();
        }
        if let Some(row) = folded.record.row() {
            entries::keep(conn, store, &row, &folded.record)?;
        }
    }
    Ok(())
}

/// What the entries say of a plant.
struct Folded {
    record: Record,
    /// Whether some of them lack their place, so that another order is as likely.
    unsure: bool,
    /// The last operation.
    last: Option<Operation>,
}

impl Folded {
    /// Nobody can tell what the lost entries said: the last operation that is left is in doubt.
    fn doubt(&mut self) {
        if let Some(last) = &self.last {
            self.record.asked(last);
            self.record.ended(last.id, Outcome::Unknown, last.asked_at);
        }
    }
}

/// Folds every end and every settlement in the order in which they were written, each operation
/// asked before its end.
fn fold(conn: &Connection, store: i64, id: PlantId) -> Result<Folded, Fault> {
    let sql =
        format!("SELECT {} FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 ORDER BY o.seq", stored::OPERATION);
    let operations = stored::all(conn, &sql, params![store, id.0], stored::operation)?;
    let last = operations.last().cloned();
    let (mut record, mut operations) = (Record::new(id), operations.into_iter());
    let (mut asked, mut unsure) = (HashSet::new(), false);
    // An end whose exchange is lost, and a settlement of an older release, have no place.
    let ends = "SELECT e.seq AS place, 0 AS settles, 0 AS tie, o.origin, o.number, e.outcome AS what, e.at
            FROM exchange e JOIN operation o ON o.seq = e.operation WHERE e.store = ?1 AND e.plant_id = ?2
        UNION ALL
        SELECT NULL, 0, o.seq, o.origin, o.number, o.outcome, o.asked_at FROM operation o
            WHERE o.store = ?1 AND o.plant_id = ?2 AND o.outcome IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM exchange e WHERE e.operation = o.seq)
        UNION ALL
        SELECT after_exchange, 1, seq, 0, 0, what, at FROM settlement WHERE store = ?1 AND plant_id = ?2
        ORDER BY 1, 2, 3";
    let mut statement = conn.prepare_cached(ends)?;
    let mut found = statement.query(params![store, id.0])?;
    while let Some(end) = found.next()? {
        let (what, at): (String, _) = (end.get("what")?, Timestamp(end.get("at")?));
        unsure |= end.get::<_, Option<i64>>("place")?.is_none();
        if end.get("settles")? {
            record.settled(Settlement::from_code(&what).ok_or(Fault::Damaged)?, at);
        } else {
            let origin: i64 = end.get("origin")?;
            let operation = OperationId { origin: origin.cast_unsigned(), number: end.get("number")? };
            while !asked.contains(&operation)
                && let Some(next) = operations.next()
            {
                record.asked(&next);
                asked.insert(next.id);
            }
            record.ended(operation, Outcome::from_code(&what).ok_or(Fault::Damaged)?, at);
        }
        if record.row().is_none() {
            // Out of the view, and its record with it.
            record = Record::new(id);
        }
    }
    operations.for_each(|operation| record.asked(&operation));
    Ok(Folded { record, unsure, last })
}
