//! The contract check's side of the journal: what its runs came to, and what they left behind.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use super::stored;
use crate::check::{CleanUp, EarlierLeftover, Gone, Report};
use crate::domain::{OperationId, PlantId, Resolution};

/// Reports in which the plants of a store are looked up that could not be deleted.
const REPORTS: usize = 100;

/// Keeps what a run came to.
pub(super) fn keep(conn: &Connection, store: i64, report: &Report) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO check_run (store, started, report) VALUES (?1, ?2, ?3)")?.execute(params![
        store,
        report.started,
        stored::to_json(report)?
    ])?;
    Ok(())
}

/// See [`super::Journal::runs`]. One that cannot be read, perhaps of a newer release, is left out.
pub(super) fn runs(conn: &Connection, most: usize) -> Result<Vec<Report>, Fault> {
    let sql = "SELECT report FROM check_run ORDER BY seq DESC LIMIT ?1";
    let found = stored::all(conn, sql, [stored::as_limit(most)], |found| Ok(found.get::<_, String>(0)?))?;
    Ok(found.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

/// Plants of the view that a check planted last, each with the program that asked. The check's
/// operations are few, and an index of their own leads to them. What a person has added again or
/// marked as stored since is the person's.
pub(super) fn left(conn: &Connection, store: i64) -> Result<Vec<(u64, EarlierLeftover)>, Fault> {
    // Adds that were accepted or are unknown.
    let sql = "WITH planted AS MATERIALIZED (
            SELECT o.seq, g.origin, o.plant_id, o.name, o.probe, o.outcome, o.requested_at
            FROM operation o INDEXED BY operation_of_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
            JOIN origin g ON g.id = o.origin
            WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 0 AND o.outcome IN (0, 2))
        SELECT origin, plant_id, name, probe, outcome = 0 FROM planted
        WHERE NOT EXISTS (SELECT 1 FROM exchange e CROSS JOIN operation later ON later.seq = e.operation
                WHERE e.store = ?1 AND e.plant_id = planted.plant_id
                AND later.kind = 0 AND later.seq > planted.seq AND later.outcome IN (0, 2))
            AND NOT EXISTS (SELECT 1 FROM operation later WHERE later.store = ?1 AND later.plant_id = planted.plant_id
                AND later.outcome IS NULL AND later.kind = 0 AND later.seq > planted.seq)
            AND NOT EXISTS (SELECT 1 FROM resolution s WHERE s.store = ?1 AND s.plant_id = planted.plant_id
                AND s.what = ?2 AND s.at >= planted.requested_at)
        ORDER BY seq";
    stored::all(conn, sql, params![store, Resolution::MarkStored], |found| {
        let (origin, id, name): (i64, _, Option<String>) = (found.get(0)?, found.get(1)?, found.get(2)?);
        let probe = stored::from_json(&found.get::<_, String>(3)?)?;
        let (name, doubt) = (name.unwrap_or_default(), doubt(conn, store, id)?);
        let leftover = EarlierLeftover { id, name, probe, accepted: found.get(4)?, doubt, in_vain: false };
        Ok((origin.cast_unsigned(), leftover))
    })
}

fn doubt(conn: &Connection, store: i64, id: PlantId) -> Result<Option<OperationId>, Fault> {
    Ok(stored::record(conn, store, id)?.and_then(|record| record.unknown()).map(|doubt| doubt.operation))
}

/// Plants of the view that were never planted, and that a check deleted with an end that is in
/// doubt: their ids were drawn by lot. Each with the program that asked.
pub(super) fn never_planted(conn: &Connection, store: i64) -> Result<Vec<(u64, Gone)>, Fault> {
    // Unknown deletes; no operation of a person, and no add that was accepted or is unknown.
    let sql = "SELECT g.origin, o.plant_id
        FROM operation o INDEXED BY operation_of_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
        JOIN origin g ON g.id = o.origin
        WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 1 AND o.outcome = 2
            AND NOT EXISTS (SELECT 1 FROM exchange e CROSS JOIN operation other ON other.seq = e.operation
                WHERE e.store = ?1 AND e.plant_id = o.plant_id
                AND (other.probe IS NULL OR (other.kind = 0 AND other.outcome IN (0, 2))))
            AND NOT EXISTS (SELECT 1 FROM operation other WHERE other.store = ?1 AND other.plant_id = o.plant_id
                AND other.outcome IS NULL AND other.probe IS NULL)
        GROUP BY o.plant_id";
    stored::all(conn, sql, [store], |found| {
        let (origin, id): (i64, _) = (found.get(0)?, found.get(1)?);
        Ok((origin.cast_unsigned(), (id, doubt(conn, store, id)?)))
    })
}

/// Ids of the plants that a run with one of the newest reports of a store tried to delete, and could not.
pub(super) fn tried_in_vain(conn: &Connection, store: i64) -> Result<BTreeSet<PlantId>, Fault> {
    let sql = "SELECT report FROM check_run WHERE store = ?1 ORDER BY seq DESC LIMIT ?2";
    let params = params![store, stored::as_limit(REPORTS)];
    let reports = stored::all(conn, sql, params, |found| Ok(found.get::<_, String>(0)?))?;
    let reports = reports.iter().filter_map(|text| serde_json::from_str::<Report>(text).ok());
    let leftovers = reports.flat_map(|report| report.leftovers);
    Ok(leftovers.filter(|left| left.clean_up == CleanUp::Failed).map(|left| left.id).collect())
}

/// Whether the check has planted last what has this id.
pub(super) fn planted(conn: &Connection, store: i64, id: PlantId) -> Result<bool, Fault> {
    let sql = "SELECT o.probe IS NOT NULL FROM exchange e CROSS JOIN operation o ON o.seq = e.operation
        WHERE e.store = ?1 AND e.plant_id = ?2 AND o.kind = 0 AND o.outcome IN (0, 2) ORDER BY o.seq DESC LIMIT 1";
    Ok(conn.prepare_cached(sql)?.query_row(params![store, id], |found| found.get(0)).optional()?.unwrap_or(false))
}

/// See [`super::Journal::place_of`].
pub(super) fn place_of(conn: &Connection, store: i64, operation: OperationId) -> Result<Option<i64>, Fault> {
    let sql = "SELECT e.seq FROM operation o JOIN exchange e ON e.store = o.store AND e.plant_id = o.plant_id
            AND e.operation = o.seq
        WHERE o.origin = (SELECT id FROM origin WHERE origin = ?1) AND o.number = ?2 AND o.store = ?3
        ORDER BY e.seq DESC LIMIT 1";
    let origin = operation.origin.cast_signed();
    Ok(conn
        .prepare_cached(sql)?
        .query_row(params![origin, operation.number, store], |found| found.get(0))
        .optional()?)
}
