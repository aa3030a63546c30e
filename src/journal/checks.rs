//! The reports of contract checks, and their leftovers in the list.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use super::fault::Fault;
use super::{plants, sql, stored};
use crate::check::{CleanUp, EarlierLeftover, Gone, Report};
use crate::domain::{Author, OperationId, Others, PlantId, Resolution};

/// The number of newest reports that are searched for failed clean-ups.
const REPORTS: i64 = 100;

pub(super) fn insert_report(conn: &Connection, store: i64, report: &Report) -> Result<(), Fault> {
    let insert = "INSERT INTO check_run (store, started, report) VALUES (?1, ?2, ?3)";
    sql::execute(conn, insert, params![store, report.started, stored::to_json(report)?])?;
    Ok(())
}

/// See [`super::Journal::runs`]. Skips a report that cannot be decoded, perhaps of a newer release.
pub(super) fn runs(conn: &Connection, most: usize) -> Result<Vec<Report>, Fault> {
    let newest = "SELECT report FROM check_run ORDER BY seq DESC LIMIT ?1";
    let found: Vec<String> = sql::column(conn, newest, [sql::as_limit(most)])?;
    Ok(found.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

/// Returns the plants of the list that a check added last, each with the origin of its program. Reads
/// the check's few operations through their own index. A plant that a person has added again or
/// marked as stored since is not a leftover.
pub(super) fn leftovers(conn: &Connection, store: i64) -> Result<Vec<(u64, EarlierLeftover)>, Fault> {
    // Adds that were accepted or are unknown.
    let planted = "WITH planted AS MATERIALIZED (
            SELECT o.seq, g.origin, o.plant_id, o.name, o.probe, o.outcome, o.requested_at
            FROM operation o INDEXED BY operation_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
            JOIN origin g ON g.id = o.origin JOIN member m ON m.id = g.member
            WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 0 AND o.outcome IN (0, 2) AND m.own)
        SELECT origin, plant_id, name, probe, outcome = 0,
            EXISTS (SELECT 1 FROM exchange e WHERE e.store = ?1 AND e.plant_id = planted.plant_id
                AND e.operation = planted.seq AND e.status IN (500, 501))
        FROM planted
        WHERE NOT EXISTS (SELECT 1 FROM exchange e CROSS JOIN operation later ON later.seq = e.operation
                WHERE e.store = ?1 AND e.plant_id = planted.plant_id
                AND later.kind = 0 AND later.seq > planted.seq AND later.outcome IN (0, 2))
            AND NOT EXISTS (SELECT 1 FROM operation later WHERE later.store = ?1 AND later.plant_id = planted.plant_id
                AND later.outcome IS NULL AND later.kind = 0 AND later.seq > planted.seq)
            AND NOT EXISTS (SELECT 1 FROM entry s WHERE s.store = ?1 AND s.plant_id = planted.plant_id
                AND s.resolution = ?2 AND s.at >= planted.requested_at)
        ORDER BY seq";
    sql::all(conn, planted, params![store, Resolution::MarkStored], |found| {
        let (origin, id, name): (i64, _, Option<String>) = (found.get(0)?, found.get(1)?, found.get(2)?);
        let probe = stored::from_json(&found.get::<_, String>(3)?)?;
        let (name, unknown) = (name.unwrap_or_default(), unknown_operation(conn, store, id)?);
        let (accepted, create_failed, delete_failed) = (found.get(4)?, found.get(5)?, false);
        let leftover = EarlierLeftover { id, name, probe, accepted, unknown, delete_failed, create_failed };
        Ok((origin.cast_unsigned(), leftover))
    })
}

/// Returns the plants of the list that checks of other members added last, each with its author.
pub(super) fn leftovers_of_others(conn: &Connection, store: i64) -> Result<Vec<(PlantId, Author)>, Fault> {
    let planted = "SELECT DISTINCT p.id, m.author
        FROM operation o INDEXED BY operation_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
        JOIN origin g ON g.id = o.origin JOIN member m ON m.id = g.member
        WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 0 AND o.outcome IN (0, 2) AND NOT m.own
            AND NOT EXISTS (SELECT 1 FROM operation later WHERE later.store = ?1 AND later.plant_id = o.plant_id
                AND later.probe IS NULL AND later.kind = 0 AND later.seq > o.seq)
        ORDER BY m.author, p.id";
    let all = sql::all(conn, planted, [store], |found| Ok((found.get(0)?, stored::author(found.get(1)?)?)))?;
    Ok(all.into_iter().filter_map(|(id, author)| Some((id, author?))).collect())
}

fn unknown_operation(conn: &Connection, store: i64, id: PlantId) -> Result<Option<OperationId>, Fault> {
    Ok(plants::fold(conn, store, id)?.unknown(&Others::default()).map(|unknown| unknown.operation))
}

/// Returns the plants of the list that a check only deleted, with an unknown outcome: it had drawn
/// their ids at random. Each with the origin of its program.
pub(super) fn never_planted(conn: &Connection, store: i64) -> Result<Vec<(u64, Gone)>, Fault> {
    // Unknown deletes, without an operation of a person, and without an add that was accepted or is
    // unknown.
    let deleted = "SELECT g.origin, o.plant_id
        FROM operation o INDEXED BY operation_check CROSS JOIN plant p ON p.store = o.store AND p.id = o.plant_id
        JOIN origin g ON g.id = o.origin JOIN member m ON m.id = g.member
        WHERE o.store = ?1 AND o.probe IS NOT NULL AND o.kind = 1 AND o.outcome = 2 AND m.own
            AND NOT EXISTS (SELECT 1 FROM exchange e CROSS JOIN operation other ON other.seq = e.operation
                WHERE e.store = ?1 AND e.plant_id = o.plant_id
                AND (other.probe IS NULL OR (other.kind = 0 AND other.outcome IN (0, 2))))
            AND NOT EXISTS (SELECT 1 FROM operation other WHERE other.store = ?1 AND other.plant_id = o.plant_id
                AND other.outcome IS NULL AND other.probe IS NULL)
        GROUP BY o.plant_id";
    sql::all(conn, deleted, [store], |found| {
        let (origin, id): (i64, _) = (found.get(0)?, found.get(1)?);
        Ok((origin.cast_unsigned(), (id, unknown_operation(conn, store, id)?)))
    })
}

/// Returns the ids of the plants that a check could not delete, from the newest reports of a store.
pub(super) fn failed_clean_ups(conn: &Connection, store: i64) -> Result<BTreeSet<PlantId>, Fault> {
    let newest = "SELECT report FROM check_run WHERE store = ?1 ORDER BY seq DESC LIMIT ?2";
    let reports: Vec<String> = sql::column(conn, newest, params![store, REPORTS])?;
    let reports = reports.iter().filter_map(|text| serde_json::from_str::<Report>(text).ok());
    let leftovers = reports.flat_map(|report| report.leftovers);
    Ok(leftovers.filter(|left| left.clean_up == CleanUp::Failed).map(|left| left.id).collect())
}

/// Returns whether the last add of this id that was accepted or is unknown is one of the check.
pub(super) fn is_added_by_check(conn: &Connection, store: i64, id: PlantId) -> Result<bool, Fault> {
    let last = "SELECT o.probe IS NOT NULL FROM exchange e CROSS JOIN operation o ON o.seq = e.operation
        WHERE e.store = ?1 AND e.plant_id = ?2 AND o.kind = 0 AND o.outcome IN (0, 2) ORDER BY o.seq DESC LIMIT 1";
    Ok(sql::first(conn, last, params![store, id])?.unwrap_or(false))
}

/// See [`super::Journal::number_of`].
pub(super) fn number_of(conn: &Connection, store: i64, operation: OperationId) -> Result<Option<i64>, Fault> {
    let newest = "SELECT e.seq FROM operation o JOIN exchange e ON e.store = o.store AND e.plant_id = o.plant_id
            AND e.operation = o.seq
        WHERE o.origin IN (SELECT id FROM origin WHERE origin = ?1) AND o.number = ?2 AND o.store = ?3
        ORDER BY e.seq DESC LIMIT 1";
    sql::first(conn, newest, params![operation.origin.cast_signed(), operation.number, store])
}
