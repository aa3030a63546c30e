//! Which stored rows are valid: they convert to the domain's values, and repeat each other truly.
//! Changes nothing.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row, params};

use super::fault::Fault;
use super::sql::Store;
use super::{entries, plants, sql, stored};
use crate::check::Report;
use crate::domain::{Fold, Others, Outcome, Probe, State, Timestamp};

/// The number of rows that are read at a time, so that memory does not grow with the journal.
const PAGE: i64 = 500;

/// The rows of a table, and what makes one valid.
pub(super) struct Rows {
    /// What they are read from: first the table.
    from: &'static str,
    /// The key of a row, and that of its store, which has a row.
    keys: [&'static str; 2],
    columns: &'static [&'static str],
    is_valid: IsValid,
}

type IsValid = fn(&Connection, &Row<'_>) -> Result<bool, Fault>;

const fn rows(
    from: &'static str,
    keys: [&'static str; 2],
    columns: &'static [&'static str],
    is_valid: IsValid,
) -> Rows {
    Rows { from, keys, columns, is_valid }
}

/// Whether the end of a row was written: of one that is cut off, the rest reads as zeros, also its time.
pub(super) fn is_whole(at: Timestamp) -> bool {
    at != Timestamp(0)
}

/// Whether the number after this one can be stored.
fn has_next(number: u64) -> bool {
    i64::try_from(number).is_ok_and(|number| number < i64::MAX)
}

/// Whether this journal is a member of the store.
const HAS_MEMBER: &str = "EXISTS (SELECT 1 FROM member m WHERE m.id = store.member AND m.store = store.id)";

pub(super) const STORES: Rows = rows("store", ["id", "id"], &["since", "folded", HAS_MEMBER], |_, found| {
    let (since, folded, has_member): (_, _, bool) = (found.get(0)?, found.get(1)?, found.get(2)?);
    Ok(has_next(since) && has_next(folded) && has_member)
});

pub(super) const MEMBERS: Rows = rows("member", ["id", "store"], &["published", "author", "own"], |_, found| {
    // Only the author of this journal may be unknown.
    let (published, author) = (found.get(0)?, stored::author(found.get(1)?)?);
    Ok(has_next(published) && (author.is_some() || found.get(2)?))
});

const EXCHANGES: Rows = rows(
    // A request without its operation is read, too, and is not valid.
    "exchange e LEFT JOIN operation o ON o.seq = e.operation",
    ["e.seq", "e.store"],
    &[stored::EXCHANGE, "e.outcome", "e.store = o.store AND e.plant_id = o.plant_id AS belongs"],
    // Columns that repeat the exchange must agree with it.
    |_, found| Ok(found.get::<_, Outcome>("outcome")? == stored::exchange(found)?.outcome() && found.get("belongs")?),
);

const OPERATIONS: Rows = rows("operation o", ["o.seq", "o.store"], &[stored::OPERATION], |_, found| {
    stored::operation(found).map(|operation| is_whole(operation.requested_at))
});

const TIME: &str = "coalesce(n.at, e.at, o.requested_at) AS time";
const BELONGS: &str = "coalesce(o.plant_id, n.plant_id) = n.plant_id AS belongs";
const OF_ENTRY: [&str; 4] = [stored::OPERATION, entries::COLUMNS, TIME, BELONGS];

const ENTRIES: Rows = rows(entries::ENTRIES, ["n.seq", "n.store"], &OF_ENTRY, |_, found| {
    // It has a number, and details about its plant.
    entries::plant_entry(found)?;
    Ok(has_next(found.get("entry")?) && is_whole(found.get("time")?) && found.get("belongs")?)
});

const SHARED: Rows = rows("shared", ["rowid", "store"], &["fold", "coalesce(earlier, fold)"], |_, found| {
    let is_fold = |column| Ok::<_, Fault>(stored::from_json::<Fold>(&found.get::<_, String>(column)?).is_ok());
    Ok(is_fold(0)? && is_fold(1)?)
});

const STORE_OF_PROBE: &str = "(SELECT o.store FROM operation o WHERE o.seq = operation)";

const PROBES: Rows = rows("probe", ["rowid", STORE_OF_PROBE], &["form", "is_left"], |_, found| {
    stored::from_json::<Probe>(&found.get::<_, String>(0)?)?;
    Ok(found.get::<_, bool>(1).map(|_| true)?)
});

const UNLISTED: Rows = rows("unlisted d", ["d.seq", "d.store"], &[stored::UNLISTED], |_, found| {
    stored::unlisted(found).map(|unlisted| is_whole(unlisted.at))
});

const CHECK_RUNS: Rows = rows("check_run", ["seq", "store"], &["report"], |_, found| {
    Ok(serde_json::from_str::<Report>(&found.get::<_, String>(0)?).is_ok())
});

/// Rows but those of the list and of what it needs first, each before those that it needs.
pub(super) const RECORDED: [Rows; 7] = [EXCHANGES, OPERATIONS, ENTRIES, SHARED, PROBES, UNLISTED, CHECK_RUNS];

pub(super) const PLANTS: Rows = rows("plant", ["rowid", "store"], &[stored::ROW, "fold", "store"], |conn, found| {
    // Row and fold must agree.
    let (mut row, text) = (stored::row(found)?, found.get::<_, Option<String>>("fold")?);
    let store = Store { conn, key: found.get("store")? };
    match (&text, row.state) {
        _ if !is_whole(row.changed_at) => Ok(false),
        (None, State::Stored) => Ok(true),
        (_, _) => {
            let shared = plants::shared(store, row.id)?.map(|shared| shared.fold);
            let fold = plants::fold_of(store, row.id, Some(row.clone()), text, shared)?;
            // The authors follow from the fold.
            row.author = None;
            Ok(fold.row(&Others::default()) == Some(row))
        }
    }
});

impl Rows {
    /// Drops the rows that are not valid; adds the table to those that have lost some.
    pub(super) fn drop_invalid(&self, conn: &Connection, lost: &mut BTreeSet<&'static str>) -> Result<(), Fault> {
        let table = self.from.split(' ').next().unwrap_or_default();
        let delete = format!("DELETE FROM {table} WHERE rowid = ?1");
        let any = self.each_invalid(conn, |rowid| sql::execute(conn, &delete, [rowid]).map(drop))?;
        lost.extend(any.then_some(table));
        Ok(())
    }

    /// Calls `invalid` with the rowid of each row that is not valid; returns whether there were any.
    pub(super) fn each_invalid(
        &self,
        conn: &Connection,
        mut invalid: impl FnMut(i64) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        let Self { from, keys: [key, store], columns, is_valid } = self;
        let columns = columns.join(", ");
        let page = format!(
            "SELECT {columns}, {key} AS seq, {store} IN (SELECT id FROM store) AS has_store FROM {from}
             WHERE {key} >= ?1 ORDER BY {key} LIMIT ?2"
        );
        let (mut next, mut any) = (Some(i64::MIN), false);
        while let Some(first) = next {
            let rows = sql::all(conn, &page, params![first, PAGE], |found| {
                let has_store = found.get::<_, Option<bool>>("has_store")? == Some(true);
                Ok((found.get::<_, i64>("seq")?, has_store && is_valid(conn, found).unwrap_or(false)))
            })?;
            next = rows.last().and_then(|(last, _)| last.checked_add(1));
            for (rowid, _) in rows.iter().filter(|(_, is_valid)| !is_valid) {
                any = true;
                invalid(*rowid)?;
            }
        }
        Ok(any)
    }
}

/// Counts the plants of each store by their state.
pub(super) const COUNTED: &str = "
    SELECT s.id, count(*) FILTER (WHERE p.state = 0), count(*) FILTER (WHERE p.state = 1),
        count(*) FILTER (WHERE p.state = 2), count(*) FILTER (WHERE p.state = 3)
    FROM store s LEFT JOIN plant p ON p.store = s.id GROUP BY s.id";

/// Checks that a store has plants in its list if it has counted some: a page in the place of another shows at once.
///
/// # Errors
///
/// [`Fault::Damaged`], or the file cannot be read.
pub(super) fn check_list(store: Store<'_>) -> Result<(), Fault> {
    let agree = "SELECT EXISTS (SELECT 1 FROM plant WHERE store = ?1) = EXISTS (SELECT 1 FROM tally
        WHERE store = ?1 AND stored + unknown + adding + deleting > 0)";
    if sql::value(store.conn, agree, [store.key])? { Ok(()) } else { Err(Fault::Damaged) }
}

/// Checks the whole file: its structure, its indices, its counts and every row.
///
/// # Errors
///
/// [`Fault::Damaged`], or the file cannot be read.
pub(super) fn check(conn: &Connection) -> Result<(), Fault> {
    let structure: String = sql::value(conn, "PRAGMA integrity_check(1)", [])?;
    if structure != "ok" {
        return Err(Fault::Damaged);
    }
    let is_miscounted = format!(
        "SELECT EXISTS ({COUNTED} EXCEPT SELECT s.id, ifnull(stored, 0), ifnull(unknown, 0), ifnull(adding, 0),
             ifnull(deleting, 0) FROM store s LEFT JOIN tally ON tally.store = s.id)"
    );
    if sql::value(conn, &is_miscounted, [])? {
        return Err(Fault::Damaged);
    }
    for rows in [STORES, MEMBERS].into_iter().chain(RECORDED).chain([PLANTS]) {
        rows.each_invalid(conn, |_| Err(Fault::Damaged))?;
    }
    Ok(())
}
