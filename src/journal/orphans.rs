//! Ends orphans: the operations that an ended program left open.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::Connection;

use super::fault::Fault;
use super::process_locks;
use super::sql::Store;
use super::write_cache::WriteCache;
use super::writes::{Batch, end_without_request};
use super::{entries, plants, sql, stored};
use crate::domain::{FailureKind, Operation, Row, State, Timestamp};

/// Ends every open operation of an ended program, in any store, as unknown. Returns the rows of this store that became
/// unknown.
pub(super) fn end_orphans(store: Store<'_>, folder: &Path, own: u64, now: Timestamp) -> Result<Vec<Row>, Fault> {
    let open = open_operations(store.conn)?;
    let origins: BTreeSet<_> = open.iter().map(|(operation, _)| operation.id.origin).collect();
    let is_gone = |origin: &u64| *origin != own && !process_locks::is_alive(folder, *origin);
    let gone: Vec<_> = origins.into_iter().filter(is_gone).collect();
    let (mut orphans, mut touched) = (BTreeMap::<_, Vec<_>>::new(), BTreeSet::new());
    for (operation, key) in open.into_iter().filter(|(operation, _)| gone.contains(&operation.id.origin)) {
        if key == store.key {
            touched.insert(operation.kind.plant_id());
        }
        orphans.entry(key).or_default().push(operation);
    }
    for (key, operations) in orphans {
        let mut cache = WriteCache::default();
        let mut batch = Batch::new(Store { key, ..store }, &mut cache);
        for operation in operations {
            batch.end(&end_without_request(operation, FailureKind::Interrupted), now)?;
        }
        batch.finish()?;
    }
    let (mut unknown, others) = (Vec::new(), entries::others(store)?);
    for id in touched {
        let row = plants::fold(store, id)?.row(&others);
        unknown.extend(row.filter(|row| row.state == State::Unknown));
    }
    Ok(unknown)
}

/// Returns the open operations of this journal's programs, in the order of their rows, with the keys of their stores.
fn open_operations(conn: &Connection) -> Result<Vec<(Operation, i64)>, Fault> {
    // Mostly there are none, and the statement below takes a while to prepare.
    if !sql::value(conn, "SELECT EXISTS (SELECT 1 FROM operation WHERE outcome IS NULL)", [])? {
        return Ok(Vec::new());
    }
    // Without a named index, `SQLite` would read all operations in their order.
    let open = format!(
        "SELECT {}, o.store FROM operation o INDEXED BY operation_open WHERE o.outcome IS NULL
         AND o.origin IN (SELECT g.id FROM origin g JOIN member m ON m.id = g.member WHERE m.own) ORDER BY o.seq",
        stored::OPERATION
    );
    sql::all(conn, &open, [], |found| Ok((stored::operation(found)?, found.get("store")?)))
}
