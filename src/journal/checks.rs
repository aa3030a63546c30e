//! The contract check's side of the journal: what its runs came to, and what they left behind.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::Fault;
use super::stored;
use crate::domain::check::{CleanUp, EarlierLeftover, Gone, Report};
use crate::domain::{OperationId, PlantId, Record};

/// Reports in which the plants of a store are looked up that could not be deleted.
const REPORTS: usize = 100;

/// Keeps what a run came to.
pub(super) fn keep(conn: &Connection, store: i64, report: &Report) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO check_run (store, started, report) VALUES (?1, ?2, ?3)")?.execute(params![
        store,
        report.started.0,
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
    let sql = "WITH planted AS MATERIALIZED (
            SELECT o.seq, o.origin, o.plant_id, o.name, o.probe, o.outcome, o.asked_at, p.record
            FROM operation o INDEXED BY operation_of_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
            WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 'add' AND o.outcome IN ('accepted', 'unknown'))
        SELECT origin, plant_id, name, probe, outcome = 'accepted', record FROM planted
        WHERE NOT EXISTS (SELECT 1 FROM operation later WHERE later.store = ?1 AND later.plant_id = planted.plant_id
                AND later.kind = 'add' AND later.seq > planted.seq
                AND (later.outcome IS NULL OR later.outcome IN ('accepted', 'unknown')))
            AND NOT EXISTS (SELECT 1 FROM settlement s WHERE s.store = ?1 AND s.plant_id = planted.plant_id
                AND s.what = 'mark_stored' AND s.at >= planted.asked_at)
        ORDER BY seq";
    stored::all(conn, sql, [store], |found| {
        let (origin, name): (i64, Option<String>) = (found.get(0)?, found.get(2)?);
        let (id, probe): (i64, String) = (found.get(1)?, found.get(3)?);
        let record: String = found.get(5)?;
        let (probe, record): (_, Record) = (stored::from_json(&probe)?, stored::from_json(&record)?);
        let doubt = record.in_doubt().map(|doubt| doubt.operation);
        let name = name.unwrap_or_default();
        let accepted = found.get(4)?;
        Ok((origin.cast_unsigned(), EarlierLeftover { id: PlantId(id), name, probe, accepted, doubt, in_vain: false }))
    })
}

/// Plants of the view that were never planted, and that a check deleted with an end that is in
/// doubt: their ids were drawn by lot. Each with the program that asked.
pub(super) fn never_planted(conn: &Connection, store: i64) -> Result<Vec<(u64, Gone)>, Fault> {
    let sql = "SELECT o.origin, o.plant_id, p.record
        FROM operation o INDEXED BY operation_of_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
        WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 'delete' AND o.outcome = 'unknown'
            AND NOT EXISTS (SELECT 1 FROM operation other WHERE other.store = ?1 AND other.plant_id = o.plant_id
                AND (other.probe IS NULL OR (other.kind = 'add' AND other.outcome IN ('accepted', 'unknown'))))
        GROUP BY o.plant_id";
    stored::all(conn, sql, [store], |found| {
        let (origin, id, record): (i64, i64, String) = (found.get(0)?, found.get(1)?, found.get(2)?);
        let record: Record = stored::from_json(&record)?;
        Ok((origin.cast_unsigned(), (PlantId(id), record.in_doubt().map(|doubt| doubt.operation))))
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
    let sql = "SELECT probe IS NOT NULL FROM operation WHERE store = ?1 AND plant_id = ?2 AND kind = 'add'
        AND outcome IN ('accepted', 'unknown') ORDER BY seq DESC LIMIT 1";
    Ok(conn.prepare_cached(sql)?.query_row(params![store, id.0], |found| found.get(0)).optional()?.unwrap_or(false))
}

/// See [`super::Journal::place_of`].
pub(super) fn place_of(conn: &Connection, store: i64, operation: OperationId) -> Result<Option<i64>, Fault> {
    let sql = "SELECT e.seq FROM operation o JOIN exchange e ON e.store = o.store AND e.plant_id = o.plant_id
            AND e.operation = o.seq
        WHERE o.origin = ?1 AND o.number = ?2 AND o.store = ?3 ORDER BY e.seq DESC LIMIT 1";
    let origin = operation.origin.cast_signed();
    Ok(conn
        .prepare_cached(sql)?
        .query_row(params![origin, operation.number, store], |found| found.get(0))
        .optional()?)
}
