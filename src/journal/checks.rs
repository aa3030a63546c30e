//! The contract check's own log: its probes, its reports, and its leftovers.
//!
//! A probe has the details of any operation, and no entry: no plant of a check enters the list, and no other journal
//! reads it.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use super::codes::Kind;
use super::fault::Fault;
use super::history::{self, StoredExchange};
use super::sql::Store;
use super::{sql, stored};
use crate::check::{EarlierLeftover, LONG_IDS, LastDelete, Report};
use crate::domain::{Credentials, FailureKind, Operation, OperationId, OperationKind, Outcome, PlantId, Probe, RunId};

/// Writes the intent of a probe, whose operation has this key. The plant of an add is a leftover from here on.
pub(super) fn insert_probe(conn: &Connection, key: i64, operation: &Operation, probe: &Probe) -> Result<(), Fault> {
    let insert = "INSERT INTO probe (operation, run, form, is_left) VALUES (?1, ?2, ?3, ?4)";
    let is_add = matches!(operation.kind, OperationKind::Add(_));
    sql::execute(conn, insert, params![key, probe.run, stored::to_json(probe)?, is_add]).map(drop)
}

/// Notes the end of a probe: whether its plant, or the plant that it deletes, is still a leftover.
pub(super) fn end_probe(
    store: Store<'_>,
    key: i64,
    (kind, probe): (&OperationKind, &Probe),
    outcome: Outcome,
) -> Result<(), Fault> {
    match (kind, outcome) {
        (OperationKind::Add(_), Outcome::Rejected | Outcome::NotSent) => {
            sql::execute(store.conn, "UPDATE probe SET is_left = 0 WHERE operation = ?1", [key]).map(drop)
        }
        // Without the token, an accepted delete proves nothing.
        (OperationKind::Delete(id), Outcome::Accepted)
            if probe.credentials == Credentials::Token && !probe.leaves_id_open =>
        {
            leave(store, *id, false)
        }
        // It may have been for a second plant with this id, or for one whose add was rejected all the same.
        (OperationKind::Delete(id), Outcome::Unknown) if probe.credentials == Credentials::Token => {
            leave(store, *id, true)
        }
        (_, _) => Ok(()),
    }
}

/// Notes that no plant with this id is a leftover, or that at least that of the last probe to add it is, if probes have
/// added it. One that was accepted, or is unknown, comes before one that was rejected.
fn leave(store: Store<'_>, id: PlantId, is_left: bool) -> Result<(), Fault> {
    let added = "SELECT DISTINCT o.seq FROM exchange e INDEXED BY exchange_by_plant
        CROSS JOIN operation o ON o.seq = e.operation CROSS JOIN probe b ON b.operation = o.seq
        WHERE e.store = ?1 AND e.plant_id = ?2 AND o.kind = ?3 ORDER BY o.outcome IN (?4, ?5), o.seq";
    let added: Vec<i64> =
        sql::column(store.conn, added, params![store.key, id, Kind::Add, Outcome::Accepted, Outcome::Unknown])?;
    for key in added.iter().rev().take(if is_left { 1 } else { added.len() }) {
        sql::execute(store.conn, "UPDATE probe SET is_left = ?2 WHERE operation = ?1", params![key, is_left])?;
    }
    Ok(())
}

/// Writes the report of a run. What it says about the plants of its probes replaces what their ends show.
pub(super) fn insert_report(store: Store<'_>, origin: u64, report: &Report) -> Result<(), Fault> {
    let insert = "INSERT INTO check_run (store, started, report) VALUES (?1, ?2, ?3)";
    sql::execute(store.conn, insert, params![store.key, report.started, stored::to_json(report)?])?;
    let run = RunId { origin, started: report.started };
    let touched: BTreeSet<PlantId> = probes(store, run)?.into_iter().map(|probe| probe.plant).collect();
    let left: BTreeSet<_> = report.left_to_the_next().collect();
    for id in touched {
        leave(store, id, left.contains(&id))?;
    }
    Ok(())
}

/// A probe of a run.
pub(super) struct RunProbe {
    pub(super) plant: PlantId,
    /// `None` while it is in flight.
    pub(super) outcome: Option<Outcome>,
    /// The number of its newest exchange.
    pub(super) exchange: Option<i64>,
}

/// Returns the probes of a run.
pub(super) fn probes(store: Store<'_>, run: RunId) -> Result<Vec<RunProbe>, Fault> {
    let probes = "SELECT o.plant_id, o.outcome, (SELECT max(e.seq) FROM exchange e INDEXED BY exchange_by_plant
            WHERE e.store = o.store AND e.plant_id = o.plant_id AND e.operation = o.seq)
        FROM probe b INDEXED BY probe_run CROSS JOIN operation o ON o.seq = b.operation
        WHERE b.run = ?1 AND o.store = ?2 AND o.origin IN (SELECT id FROM origin WHERE origin = ?3)";
    sql::all(store.conn, probes, params![run.started, store.key, run.origin.cast_signed()], |found| {
        Ok(RunProbe { plant: found.get(0)?, outcome: found.get(1)?, exchange: found.get(2)? })
    })
}

/// See [`super::Journal::runs`]; of one store only, if it is given. Skips a report that cannot be decoded, perhaps of a
/// newer release.
pub(super) fn runs(conn: &Connection, store: Option<i64>, most: usize) -> Result<Vec<Report>, Fault> {
    let newest = "SELECT report FROM check_run WHERE ifnull(store = ?1, 1) ORDER BY seq DESC LIMIT ?2";
    let found: Vec<String> = sql::column(conn, newest, params![store, sql::as_limit(most)])?;
    Ok(found.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

/// Returns the creates whose plants checks left, in order, each with the origin of its program. A plant that a person has
/// added or deleted since is not a leftover, nor one that a person's delete did not find, if its id is known.
pub(super) fn leftovers(store: Store<'_>) -> Result<Vec<(u64, EarlierLeftover)>, Fault> {
    // Ids from ?5 on are as long as any.
    let left = "SELECT o.seq, g.origin, o.plant_id, o.name, b.form, o.outcome,
            (SELECT max(e.seq) FROM exchange e WHERE e.store = o.store AND e.plant_id = o.plant_id
                AND e.operation = o.seq),
            EXISTS (SELECT 1 FROM exchange e WHERE e.store = o.store AND e.plant_id = o.plant_id
                AND e.operation = o.seq AND e.status IN (500, 501))
            AND NOT EXISTS (SELECT 1 FROM probe p INDEXED BY probe_run CROSS JOIN operation a ON a.seq = p.operation
                WHERE p.run = b.run AND a.store = o.store AND a.origin = o.origin AND a.kind <> ?4
                AND a.outcome = ?2 AND a.plant_id >= ?5)
        FROM probe b CROSS JOIN operation o ON o.seq = b.operation JOIN origin g ON g.id = o.origin
        WHERE b.is_left AND o.store = ?1 AND o.outcome IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM entry n CROSS JOIN operation later ON later.seq = n.operation
                WHERE n.store = o.store AND n.plant_id = o.plant_id AND later.seq > o.seq
                AND (later.outcome IS NULL OR later.outcome IN (?2, ?3)
                    OR (later.kind = ?4 AND NOT ifnull(json_extract(b.form, '$.leaves_id_open'), 0)
                        AND EXISTS (SELECT 1 FROM exchange e WHERE e.store = o.store AND e.plant_id = o.plant_id
                            AND e.operation = later.seq AND e.status IN (404, 410)))))
        ORDER BY o.seq";
    sql::all(
        store.conn,
        left,
        params![store.key, Outcome::Accepted, Outcome::Unknown, Kind::Delete, LONG_IDS.0],
        |found| {
            let (key, origin, id, name): (i64, i64, _, Option<String>) =
                (found.get(0)?, found.get(1)?, found.get(2)?, found.get(3)?);
            let (mut probe, outcome): (Probe, Outcome) =
                (stored::from_json(&found.get::<_, String>(4)?)?, found.get(5)?);
            // The store gave no id of its own to a plant that it rejected.
            probe.leaves_id_open &= outcome != Outcome::Rejected;
            let (name, last_delete) = (name.unwrap_or_default(), last_delete(store, id, key)?);
            let created = found.get::<_, Option<i64>>(6)?.map(|number| history::exchange(store, number)).transpose()?;
            let shows_no_plant = created.flatten().is_some_and(|created| created.exchange.is_page());
            let accepted = outcome == Outcome::Accepted && !shows_no_plant;
            let leftover = EarlierLeftover { id, name, probe, accepted, last_delete, create_failed: found.get(7)? };
            Ok((origin.cast_unsigned(), leftover))
        },
    )
}

/// Returns how a check's deletes of a plant ended, after the operation with this key.
fn last_delete(store: Store<'_>, id: PlantId, after: i64) -> Result<LastDelete, Fault> {
    let deletes = "SELECT e.outcome, e.failure, b.form FROM exchange e INDEXED BY exchange_by_plant
        CROSS JOIN operation o ON o.seq = e.operation CROSS JOIN probe b ON b.operation = o.seq
        WHERE e.store = ?1 AND e.plant_id = ?2 AND o.kind = ?3 AND o.seq > ?4 ORDER BY o.seq DESC";
    let deletes = sql::all(store.conn, deletes, params![store.key, id, Kind::Delete, after], |found| {
        let end: (Outcome, Option<FailureKind>) = (found.get(0)?, found.get(1)?);
        Ok((end, stored::from_json::<Probe>(&found.get::<_, String>(2)?)?))
    })?;
    let with_token = deletes.into_iter().filter(|(_, probe)| probe.credentials == Credentials::Token);
    let ends: Vec<_> = with_token.map(|(end, _)| end).collect();
    let any_is = |outcome| ends.iter().any(|(end, _)| *end == outcome);
    Ok(match ends.first() {
        None | Some((Outcome::Accepted, _)) => LastDelete::None,
        Some(_) if any_is(Outcome::Accepted) => LastDelete::AfterAccepted,
        Some((_, Some(FailureKind::Interrupted))) => LastDelete::Interrupted,
        Some(_) if any_is(Outcome::Unknown) => LastDelete::Unknown,
        Some(_) => LastDelete::Failed,
    })
}

/// See [`super::Journal::exchanges_of`].
pub(super) fn exchanges_of(store: Store<'_>, operations: &[OperationId]) -> Result<Vec<StoredExchange>, Fault> {
    let newest = "SELECT e.seq FROM operation o JOIN exchange e ON e.store = o.store AND e.plant_id = o.plant_id
            AND e.operation = o.seq
        WHERE o.origin IN (SELECT id FROM origin WHERE origin = ?1) AND o.number = ?2 AND o.store = ?3
        ORDER BY e.seq DESC LIMIT 1";
    let mut found = Vec::new();
    for operation in operations {
        let named = params![operation.origin.cast_signed(), operation.number, store.key];
        if let Some(number) = sql::first(store.conn, newest, named)? {
            found.extend(history::exchange(store, number)?);
        }
    }
    Ok(found)
}
