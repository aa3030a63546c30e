//! Joining a team: what the journal knows is numbered, to be published.

use rusqlite::{Connection, params};

use super::fault::Fault;
use super::{schema, sql, team};
use crate::domain::{Author, MemberId, Resolution, State};

/// The entries of a table that the team is to know.
const TABLES: [&str; 3] = ["operation", "exchange", "resolution"];
const OPERATION: i64 = 0;
const EXCHANGE: i64 = 1;

/// This journal's operations that the stream may lack: those that are open, and those that were to be published.
const OPERATIONS: &str = "SELECT o.seq, coalesce(o.stream, 0) < 0, e.seq, coalesce(e.stream, 0) < 0
    FROM operation o JOIN origin g ON g.id = o.origin AND coalesce(g.member, 0) <= 0
    LEFT JOIN exchange e ON e.seq = (
        SELECT max(seq) FROM exchange WHERE store = o.store AND plant_id = o.plant_id AND operation = o.seq)
    WHERE o.seq IN (
        SELECT o.seq FROM operation o JOIN plant p ON p.store = o.store AND p.id = o.plant_id
            WHERE o.store = ?1 AND p.state <> ?2 AND (o.outcome IS NULL OR o.outcome = 2 /* unknown */)
        UNION SELECT operation FROM exchange WHERE store = ?1 AND stream < 0)
    ORDER BY o.seq";

/// What was to be published, with the number of its table.
const PENDING: &str = "SELECT 0, seq, stream FROM operation WHERE store = ?1 AND stream < 0
    UNION ALL SELECT 1, seq, stream FROM exchange WHERE store = ?1 AND stream < 0
    UNION ALL SELECT 2, seq, stream FROM resolution WHERE store = ?1 AND stream < 0
    ORDER BY stream DESC";

/// Makes the journal a new member of a store's team, and numbers what the team is to know: first every stored plant, as
/// a resolution; then its open operations; then what was to be published before. The whole stream is read from its start.
pub(super) fn join(
    conn: &Connection,
    store: i64,
    origin: u64,
    (member, author, stream): (MemberId, &Author, &str),
) -> Result<(), Fault> {
    let entries = unpublished(conn, store)?;
    for table in TABLES {
        let reset = format!("UPDATE {table} SET stream = NULL WHERE store = ?1 AND stream IS NOT NULL");
        sql::execute(conn, &reset, [store])?;
    }
    sql::execute(conn, "UPDATE member SET number = 0 WHERE store = ?1", [store])?;
    // Read again, the stream tells whether this journal was another member.
    let own = "UPDATE origin SET member = NULL WHERE -member IN (SELECT id FROM member WHERE store = ?1)";
    sql::execute(conn, own, [store])?;
    let key = team::member_key(conn, store, member, author)?;
    let joined = "UPDATE store SET member = ?2, stream = ?3, folded = 0 WHERE id = ?1";
    sql::execute(conn, joined, params![store, key, stream])?;
    let stored = sql::execute(
        conn,
        "INSERT INTO resolution (store, origin, number, plant_id, what, at, name, tag, after_exchange, folded, stream)
         SELECT store, ?2, before + place, id, ?3, changed_at, name, tag,
             (SELECT coalesce(max(seq), 0) FROM exchange e WHERE e.store = p.store AND e.plant_id = p.id), 0, -place
         FROM (SELECT *, row_number() OVER (ORDER BY id) AS place,
                 (SELECT coalesce(max(number), 0) FROM resolution WHERE origin = ?2) AS before
             FROM plant WHERE store = ?1 AND state = ?4) p",
        params![store, schema::origin_key(conn, origin)?, Resolution::MarkStored, State::Stored],
    )?;
    let mut last = sql::as_limit(stored);
    for (table, seq) in entries {
        last += 1;
        let number = match table {
            EXCHANGE => "UPDATE exchange SET stream = ?2 WHERE seq = ?1",
            OPERATION => "UPDATE operation SET stream = ?2, folded = 0 WHERE seq = ?1",
            _ => "UPDATE resolution SET stream = ?2, folded = 0 WHERE seq = ?1",
        };
        sql::execute(conn, number, [seq, -last])?;
    }
    sql::execute(conn, "UPDATE member SET number = ?2 WHERE id = ?1", params![key, last])?;
    Ok(())
}

/// Returns the table and the row of the entries that the stream may lack, in the order of their publication.
fn unpublished(conn: &Connection, store: i64) -> Result<Vec<(i64, i64)>, Fault> {
    let mut entries = Vec::new();
    let operations = sql::all(conn, OPERATIONS, params![store, State::Stored], |row| {
        let end: Option<i64> = row.get(2)?;
        Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?, end, row.get::<_, bool>(3)?))
    })?;
    for (operation, intent_is_pending, end, end_is_pending) in operations {
        if !intent_is_pending {
            entries.push((OPERATION, operation));
        }
        entries.extend(end.filter(|_| !end_is_pending).map(|end| (EXCHANGE, end)));
    }
    entries.extend(sql::all(conn, PENDING, [store], |row| Ok((row.get(0)?, row.get(1)?)))?);
    Ok(entries)
}
