//! Saving what can be read out of a damaged journal into a new one beside it.
//!
//! Rows are copied one by one, in the order of their keys; where a page cannot be read, the walk
//! goes on behind it. What was copied must then make sense as the domain's values. Plants whose
//! rows are lost are folded anew from what was asked, what became of it and what a person said;
//! where some of that is lost, too, the plant is unknown, because the lost part may have been
//! its delete.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params, params_from_iter,
};

use super::codes::Kind;
use super::fault::Fault;
use super::heads::{self, Heads};
use super::{inspect, schema, stored, writes};
use crate::check::Report;
use crate::domain::{
    Details, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Record, Resolution, State,
};

/// A damaged journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// Where it was moved.
    pub path: PathBuf,
    /// What the new one has of it.
    pub saved: Saved,
}

/// What could be read of a damaged journal, of all stores, and is in the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    pub plants: usize,
    pub exchanges: usize,
    /// Whether that is everything.
    pub complete: bool,
}

/// Every table whose rows are copied, parents first. What is not copied can be told from them.
const TABLES: [&str; 9] =
    ["store", "origin", "head", "operation", "exchange", "resolution", "check_run", "plant", "unlisted"];

/// Copies all that can be read of the journal at `damaged` into a new one at `rebuilt`, whose
/// file is empty. The damaged one is not changed.
///
/// # Errors
///
/// The new one cannot be written, the old one is not ours, or it can for now not be read for
/// another reason than damage. That nothing can be read of it is no error.
pub(super) fn rebuild(damaged: &Path, rebuilt: &Path) -> Result<Saved, Fault> {
    let source = open_damaged(damaged)?;
    inspect::refuse_what_says_it_is_not_ours(&source, damaged)?;
    let target = Connection::open_with_flags(rebuilt, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let whole = Transaction::new_unchecked(&target, TransactionBehavior::Immediate)?;
    schema::create(&whole)?;
    let mut losses = Losses::default();
    copy_from_their_index(&source, &whole, "store", "url")?;
    copy_from_their_index(&source, &whole, "origin", "origin")?;
    for table in TABLES {
        losses.of(table, copy(&source, &whole, table)?);
    }
    trim_what_lost_its_head(&whole, &mut losses)?;
    drop_what_makes_no_sense(&whole, &mut losses)?;
    if losses.plants {
        fold_lost_plants(&whole, losses.entries)?;
    }
    whole.execute_batch(TALLY)?;
    let count = |sql| whole.query_row(sql, [], |found| found.get(0).map(stored::as_count));
    let saved = Saved {
        plants: count("SELECT count(*) FROM plant")?,
        exchanges: count("SELECT count(*) FROM exchange")?,
        complete: !losses.entries && !losses.plants && !losses.others,
    };
    whole.commit()?;
    Ok(saved)
}

/// Counts what stands in the other tables.
const TALLY: &str = "
    INSERT INTO tally (store, stored, unknown, adding, deleting, largest_added)
    SELECT s.id, count(*) FILTER (WHERE p.state = 0), count(*) FILTER (WHERE p.state = 1),
        count(*) FILTER (WHERE p.state = 2), count(*) FILTER (WHERE p.state = 3),
        (SELECT max(plant_id) FROM operation o WHERE o.store = s.id AND o.kind = 0 AND o.probe IS NULL)
    FROM store s LEFT JOIN plant p ON p.store = s.id GROUP BY s.id";

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
            "operation" | "exchange" | "resolution" => self.entries |= lost,
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
    inspect::distrust(&source)?;
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
                Ok(0) => walk.lost |= !matches!(table, "store" | "origin"),
                Ok(_) => {}
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => walk.lost = true,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(walk.lost)
}

/// Copies the stores or the programs from the index on their one value: everything else hangs on the
/// one page of that table, and the index has all that is in it, except for authors.
fn copy_from_their_index(source: &Connection, target: &Connection, table: &str, value: &str) -> Result<(), Fault> {
    let sql = format!("SELECT id, {value} FROM {table} INDEXED BY sqlite_autoindex_{table}_1");
    let found = stored::all(source, &sql, [], |found| Ok((found.get::<_, i64>(0)?, found.get::<_, Value>(1)?)));
    for row in found.unwrap_or_default() {
        let sql = format!("INSERT OR IGNORE INTO {table} (id, {value}) VALUES (?1, ?2)");
        match target.execute(&sql, row) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {}
            copied => drop(copied?),
        }
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

/// Trims exchanges whose head is lost: what they prove stands beside it.
fn trim_what_lost_its_head(conn: &Connection, losses: &mut Losses) -> Result<(), Fault> {
    let request = "UPDATE exchange SET request = NULL, request_body = NULL WHERE request NOT IN (SELECT id FROM head)";
    let headers = "UPDATE exchange SET headers = NULL, body = NULL, body_end = NULL
        WHERE headers NOT IN (SELECT id FROM head)";
    let line = "UPDATE exchange SET line = ?1 WHERE line NOT IN (SELECT id FROM head)";
    let unknown = Heads::default().key(conn, stored::to_json(&("", ""))?)?;
    let trimmed = conn.execute(request, [])? + conn.execute(headers, [])? + conn.execute(line, [unknown])?;
    losses.others |= trimmed > 0;
    heads::remove_unused(conn)
}

/// Drops rows that cannot be read as what they should be. Children go before their parents.
fn drop_what_makes_no_sense(conn: &Connection, losses: &mut Losses) -> Result<(), Fault> {
    let page = |columns: &str, from: &str, key: &str| {
        format!("SELECT {columns}, {key} AS seq FROM {from} WHERE {key} > ?1 ORDER BY {key} LIMIT ?2")
    };
    let exchanges = page(
        &format!("{}, e.outcome, e.store = o.store AND e.plant_id = o.plant_id AS belongs", stored::EXCHANGE),
        "exchange e JOIN operation o ON o.seq = e.operation",
        "e.seq",
    );
    losses.entries |= drop_bad(conn, "exchange", &exchanges, |found| {
        // What stands in columns of its own is what the exchange says, or one of the two is damaged.
        Ok(found.get::<_, Outcome>("outcome")? == stored::exchange(found)?.outcome() && found.get("belongs")?)
    })?;
    losses.entries |= mend_outcomes(conn)?;
    let operations = page(stored::OPERATION, "operation o", "o.seq");
    losses.entries |= drop_bad(conn, "operation", &operations, |found| stored::operation(found).map(|_| true))?;
    losses.entries |= drop_bad(conn, "resolution", &page("what", "resolution", "seq"), |found| {
        Ok(found.get::<_, Resolution>(0).is_ok())
    })?;
    let unlisted = page(stored::DEPARTED, "unlisted d", "d.seq");
    losses.others |= drop_bad(conn, "unlisted", &unlisted, |found| stored::unlisted(found).map(|_| true))?;
    losses.others |= drop_bad(conn, "check_run", &page("report", "check_run", "seq"), |found| {
        Ok(serde_json::from_str::<Report>(&found.get::<_, String>(0)?).is_ok())
    })?;
    mark_lost_adds_unknown(conn)?;
    let plants = page(&format!("{}, record, store", stored::ROW), "plant", "rowid");
    losses.plants |= drop_bad(conn, "plant", &plants, |found| {
        let row = stored::row(found)?;
        let record = stored::record_of(conn, found.get("store")?, row.clone(), found.get("record")?)?;
        // The row is what the record says, or one of the two is damaged.
        Ok(record.row() == Some(row))
    })?;
    Ok(())
}

/// Makes plants unknown that were being added by an operation that is lost: nothing else tells that
/// they were.
fn mark_lost_adds_unknown(conn: &Connection) -> Result<(), Fault> {
    let sql = format!(
        "SELECT {}, store FROM plant p WHERE state = ?1 AND record IS NULL AND name IS NOT NULL AND tag IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.store = p.store AND o.plant_id = p.id
             AND o.outcome IS NULL AND o.kind = ?2)",
        stored::ROW
    );
    let lost = stored::all(conn, &sql, params![State::Adding, Kind::Add], |found| {
        Ok((stored::row(found)?, found.get::<_, i64>("store")?))
    })?;
    for (row, store) in lost {
        let Some(Details { name, tag }) = row.details else { continue };
        let kind = OperationKind::Add(Plant { name, id: row.id, tag });
        let add = Operation::new(OperationId { origin: 0, number: 0 }, kind, row.changed_at);
        let mut record = Record::new(row.id);
        record.asked(&add);
        record.ended(add.id, Outcome::Unknown, row.changed_at);
        if let Some(row) = record.row() {
            writes::keep(conn, store, &row, Some(&stored::to_json(&record)?), true)?;
        }
    }
    Ok(())
}

/// Where the outcome of an operation is none, its exchange tells it; without one the operation is
/// open again, which makes it unknown with the next start. Tells whether there were any.
fn mend_outcomes(conn: &Connection) -> Result<bool, Fault> {
    let mended = conn.execute(
        "UPDATE operation AS o SET outcome =
            (SELECT e.outcome FROM exchange e WHERE e.store = o.store AND e.plant_id = o.plant_id
             AND e.operation = o.seq ORDER BY e.seq DESC LIMIT 1)
         WHERE outcome NOT BETWEEN 0 AND 3",
        [],
    )?;
    Ok(mended > 0)
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
        let validated = stored::all(conn, sql, params![after, STRETCH], |found| {
            Ok((found.get::<_, i64>("seq")?, makes_sense(found).unwrap_or(false)))
        })?;
        let Some((last, _)) = validated.last() else { return Ok(dropped) };
        after = *last;
        for (place, _) in validated.iter().filter(|(_, makes_sense)| !makes_sense) {
            dropped = true;
            conn.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?.execute([place])?;
        }
    }
}

/// Folds the plants anew that have entries and no row.
fn fold_lost_plants(conn: &Connection, entries_lost: bool) -> Result<(), Fault> {
    let lost = stored::all(
        conn,
        "SELECT store, plant_id FROM operation UNION SELECT store, plant_id FROM resolution
         EXCEPT SELECT store, id FROM plant",
        [],
        |found| Ok((found.get::<_, i64>(0)?, found.get(1)?)),
    )?;
    // No other query asks for all operations of a plant.
    conn.execute_batch("CREATE INDEX operation_by_plant ON operation (store, plant_id)")?;
    for (store, id) in lost {
        let mut folded = fold(conn, store, id)?;
        let claims = folded.record.row().is_none_or(|row| row.state == State::Stored);
        if claims && (folded.unsure || (entries_lost && folded.record.row().is_some())) {
            folded.doubt();
        }
        if let Some(row) = folded.record.row() {
            let text = (row.state != State::Stored).then(|| stored::to_json(&folded.record)).transpose()?;
            writes::keep(conn, store, &row, text.as_deref(), false)?;
        }
    }
    conn.execute_batch("DROP INDEX operation_by_plant")?;
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
    /// Nobody can tell what the lost entries said: the last operation that is left is unknown.
    fn doubt(&mut self) {
        if let Some(last) = &self.last {
            self.record.asked(last);
            self.record.ended(last.id, Outcome::Unknown, last.requested_at);
        }
    }
}

/// Folds every end and every resolution in the order in which they were written, each operation
/// asked before its end.
fn fold(conn: &Connection, store: i64, id: PlantId) -> Result<Folded, Fault> {
    let sql =
        format!("SELECT {} FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 ORDER BY o.seq", stored::OPERATION);
    let operations = stored::all(conn, &sql, params![store, id], stored::operation)?;
    let last = operations.last().cloned();
    let (mut record, mut operations) = (Record::new(id), operations.into_iter());
    let (mut asked, mut unsure) = (HashSet::new(), false);
    // An end whose exchange is lost has no place.
    let ends = "SELECT e.seq AS place, 0 AS resolves, 0 AS tie, g.origin, o.number, e.outcome AS what, e.at
            FROM exchange e JOIN operation o ON o.seq = e.operation JOIN origin g ON g.id = o.origin
            WHERE e.store = ?1 AND e.plant_id = ?2
        UNION ALL
        SELECT NULL, 0, o.seq, g.origin, o.number, o.outcome, o.requested_at
            FROM operation o JOIN origin g ON g.id = o.origin
            WHERE o.store = ?1 AND o.plant_id = ?2 AND o.outcome IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM exchange e WHERE e.store = ?1 AND e.plant_id = ?2 AND e.operation = o.seq)
        UNION ALL
        SELECT after_exchange, 1, seq, 0, 0, what, at FROM resolution WHERE store = ?1 AND plant_id = ?2
        ORDER BY 1, 2, 3";
    let mut statement = conn.prepare_cached(ends)?;
    let mut found = statement.query(params![store, id])?;
    while let Some(end) = found.next()? {
        let at = end.get("at")?;
        unsure |= end.get::<_, Option<i64>>("place")?.is_none();
        if end.get("resolves")? {
            record.resolved(end.get("what")?, at);
        } else {
            let origin: i64 = end.get("origin")?;
            let operation = OperationId { origin: origin.cast_unsigned(), number: end.get("number")? };
            while !asked.contains(&operation)
                && let Some(next) = operations.next()
            {
                record.asked(&next);
                asked.insert(next.id);
            }
            record.ended(operation, end.get("what")?, at);
        }
        if record.row().is_none() {
            // Out of the view, and its record with it.
            record = Record::new(id);
        }
    }
    operations.for_each(|operation| record.asked(&operation));
    Ok(Folded { record, unsure, last })
}
