//! Short forms of `rusqlite`'s calls, with prepared statements and the journal's error.

use std::ops::Deref;
use std::sync::RwLockReadGuard;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, Params, Row, Transaction, TransactionBehavior};

use super::fault::Fault;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};
use crate::os::stay;

/// One store, whose rows are read and written through a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Store<'a> {
    pub(super) conn: &'a Connection,
    pub(super) key: i64,
}

/// Lets a connection keep its statements. No value decides a plan then: a statement whose values are cleared when it
/// returns to the cache is compiled once.
pub(super) fn keep_statements(conn: &Connection) -> Result<(), Fault> {
    conn.set_prepared_statement_cache_capacity(64);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// A write transaction, during which this process does not stop itself. Rolls back when dropped.
pub(super) struct Writing<'c> {
    // Ends before the next field.
    transaction: Transaction<'c>,
    _stays: RwLockReadGuard<'static, ()>,
}

impl Writing<'_> {
    pub(super) fn commit(self) -> Result<(), Fault> {
        Ok(self.transaction.commit()?)
    }
}

impl Deref for Writing<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.transaction
    }
}

/// Begins a write transaction; waits for other writers up to a limit, which may change
/// meanwhile, and at least for [`SHORT_TIMEOUT`].
pub(super) fn begin(conn: &Connection, limit: impl Fn() -> Duration) -> Result<Writing<'_>, Fault> {
    let mut waited = Duration::ZERO;
    // This process can stop between two attempts.
    conn.busy_timeout(SHORT_TIMEOUT)?;
    let begun = loop {
        let stays = stay();
        match Transaction::new_unchecked(conn, TransactionBehavior::Immediate) {
            Ok(transaction) => break Ok(Writing { transaction, _stays: stays }),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && waited < limit() => {
                waited += SHORT_TIMEOUT;
            }
            Err(error) => break Err(error.into()),
        }
    };
    conn.busy_timeout(BUSY_TIMEOUT)?;
    begun
}

/// Executes a statement; returns the number of changed rows.
pub(super) fn execute(conn: &Connection, sql: &str, values: impl Params) -> Result<usize, Fault> {
    Ok(conn.prepare_cached(sql)?.execute(values)?)
}

/// Reads the first column of the only row.
pub(super) fn value<T: FromSql>(conn: &Connection, sql: &str, values: impl Params) -> Result<T, Fault> {
    Ok(conn.prepare_cached(sql)?.query_row(values, |found| found.get(0))?)
}

/// Reads the first column of the first row; `None` if there is no row.
pub(super) fn first<T: FromSql>(conn: &Connection, sql: &str, values: impl Params) -> Result<Option<T>, Fault> {
    one(conn, sql, values, |found| Ok(found.get(0)?))
}

/// Reads the first row; `None` if there is none.
pub(super) fn one<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    conn.prepare_cached(sql)?.query_and_then(values, read)?.next().transpose()
}

/// Reads the only row, a number of rows.
pub(super) fn count(conn: &Connection, sql: &str, values: impl Params) -> Result<usize, Fault> {
    value(conn, sql, values).map(as_count)
}

/// Reads every row.
pub(super) fn all<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    conn.prepare_cached(sql)?.query_and_then(values, read)?.collect()
}

/// Reads the first column of every row.
pub(super) fn column<T: FromSql>(conn: &Connection, sql: &str, values: impl Params) -> Result<Vec<T>, Fault> {
    all(conn, sql, values, |found| Ok(found.get(0)?))
}

/// Returns `SQLite`'s data version, which changes with each commit of another connection.
pub(super) fn data_version(conn: &Connection) -> Result<i64, Fault> {
    value(conn, "PRAGMA data_version", [])
}

/// Converts a number of rows from `SQLite`.
pub(super) fn as_count(value: i64) -> usize {
    usize::try_from(value).unwrap_or_default()
}

/// Converts a number of rows for `LIMIT`.
pub(super) fn as_limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
