//! Operations that a program left open that is gone: nobody else ends them.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use super::fault::Fault;
use super::pending::Pending;
use super::process_locks::{self, Liveness, Note};
use super::{stored, writes};
use crate::domain::{Row, State, Timestamp};

/// What came of ending orphans.
pub(super) struct EndedOrphans {
    /// Rows of one store that are unknown because of it.
    pub(super) unknown: Vec<Row>,
    /// Notes that are not needed once this is committed.
    pub(super) notes: Vec<Note>,
}

/// Ends every open operation whose program is gone, in any store: as not sent where the program has
/// left a note that it never left, as unknown everywhere else.
pub(super) fn end_orphans(
    conn: &Connection,
    folder: &Path,
    own: u64,
    store: i64,
    now: Timestamp,
) -> Result<EndedOrphans, Fault> {
    let open = format!("SELECT {}, o.store FROM operation o WHERE o.outcome IS NULL ORDER BY o.seq", stored::OPERATION);
    let open = stored::all(conn, &open, [], |found| Ok((stored::operation(found)?, found.get::<_, i64>("store")?)))?;
    let origins: BTreeSet<_> = open.iter().map(|(operation, _)| operation.id.origin).collect();
    let is_gone = |origin: &u64| *origin != own && process_locks::liveness(folder, *origin) == Liveness::Gone;
    let gone: Vec<_> = origins.iter().copied().filter(is_gone).collect();
    // Afterwards: a program that ends leaves its note before it is gone.
    let mut notes = process_locks::notes(folder);
    notes.retain(|note| gone.contains(&note.origin) || !origins.contains(&note.origin));
    let (mut touched, mut shifts, mut pending) = (Vec::new(), Vec::new(), Pending::default());
    for (operation, of_store) in open.into_iter().filter(|(operation, _)| gone.contains(&operation.id.origin)) {
        if of_store == store {
            touched.push(operation.kind.plant_id());
        }
        let has_left = !notes.iter().any(|note| note.is_unsent(operation.id));
        let end = if has_left { writes::interrupted(operation) } else { writes::withdrawn(operation) };
        shifts.extend(writes::ended(conn, &mut pending, &end, now)?);
    }
    writes::count(conn, &shifts)?;
    touched.sort_unstable();
    touched.dedup();
    let mut unknown = Vec::new();
    for id in touched {
        let row = stored::record(conn, store, id)?.and_then(|record| record.row());
        unknown.extend(row.filter(|row| row.state == State::Unknown));
    }
    Ok(EndedOrphans { unknown, notes })
}
