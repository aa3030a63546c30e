//! Overwrites cells of a journal, like another program, then opens and uses it.
//!
//! Each line of the input is one change: a byte for the column, one for the row, one for the type, then the value.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use plants::check::{self, EarlierRuns, Format, Pace, Report, Run, Wanted};
use plants::domain::filter::Filter;
use plants::domain::{
    BodyEnd, Decided, Ending, Exchange, FailureKind, Header, Operation, OperationId, OperationKind, Phases, Plant,
    PlantId, Resolution, Response, StoreUrl, Timestamp, report,
};
use plants::journal::{HistoryOrder, HistoryRequest, Journal, JournalError, Opened, Place};
use rusqlite::Connection;
use rusqlite::types::Value;
use tokio::runtime::{Builder, Runtime};

use super::response::shown;
use super::{assert_harmless, assert_harmless_line, empty_folder};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

/// The most rows of a table that can be overwritten.
const ROWS: u8 = 12;

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    /// The bytes of a valid journal.
    static VALID: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

pub(super) fn read(bytes: &[u8]) {
    RUNTIME.with(|runtime| runtime.block_on(overwrite_and_use(bytes)));
}

async fn overwrite_and_use(bytes: &[u8]) {
    let folder = empty_folder("journal");
    let valid = match VALID.take() {
        Some(valid) => valid,
        None => valid_journal().await,
    };
    fs::write(folder.join("journal.db"), &valid).expect("the journal is written");
    VALID.set(Some(valid));
    overwrite(&folder.join("journal.db"), bytes);
    // A damaged journal may be found only when it is used, and is then set aside at the next start that finds no other
    // program at it: one that this program starts meanwhile has its locks for a moment.
    let mut errors = Vec::new();
    for origin in 2..=6 {
        match open_and_use(&folder, origin).await {
            Ok(()) => return,
            Err(why) => {
                assert!(!matches!(why, JournalError::Closed), "the writer died");
                assert_harmless_line(&why.to_string());
                errors.push(why);
            }
        }
    }
    unreachable!("the journal could not be used: {errors:?}");
}

async fn open_and_use(folder: &Path, origin: u64) -> Result<(), JournalError> {
    let journal = open(folder, origin).await?.journal;
    let used = use_all(&journal, origin).await;
    journal.close().await;
    used
}

fn store() -> StoreUrl {
    "http://127.0.0.1:9".parse().expect("a base URL")
}

async fn open(folder: &Path, origin: u64) -> Result<Opened, JournalError> {
    Journal::open(Place::Folder(folder.to_path_buf()), &store(), origin, NOW).await
}

/// Creates a journal with rows in every table: stored, rejected, deleted, unknown, forgotten and open plants, and a run
/// of the check.
async fn valid_journal() -> Vec<u8> {
    let folder = empty_folder("valid");
    let journal = open(&folder, 1).await.expect("a new journal").journal;
    let add = |id| OperationKind::add(Plant { name: "Fern".into(), id: PlantId(id), tag: "shade".into() });
    let operations = [
        (add(1), 201),
        (add(2), 500),
        (add(3), 409),
        (add(4), 201),
        (OperationKind::Delete(PlantId(4)), 204),
        (add(5), 0),
        (add(6), 500),
    ];
    for (number, (kind, status)) in (1..).zip(operations) {
        let operation = Operation::new(OperationId { origin: 1, number }, kind, NOW);
        journal.record_intent(operation.clone()).await.expect("the intent is written");
        let ended = match status {
            0 => Exchange::failed(operation, FailureKind::TimedOut, "no word".into(), NOW),
            status => responded(operation, status),
        };
        journal.end(ended, NOW).await.expect("the result is written");
    }
    let unknown = journal.listed(vec![PlantId(6)]).await.expect("the plant is read");
    let decided = Decided::listed(unknown.first().expect("it is in the list"));
    journal.resolve(decided, Resolution::Forget, NOW).await.expect("the resolution is written");
    journal
        .record_intent(Operation::new(OperationId { origin: 1, number: 99 }, add(8), NOW))
        .await
        .expect("the intent is written");
    journal.keep_run(run()).await.expect("the run is written");
    journal.close().await;
    fs::read(folder.join("journal.db")).expect("the journal can be read")
}

fn run() -> Report {
    Run::new(&store(), NOW, Wanted::default(), Pace::Adaptive, 1, &EarlierRuns::default()).report()
}

fn responded(operation: Operation, status: u16) -> Exchange {
    let request = plants::client::request(&store(), &operation.kind);
    let ending = Ending::Responded(Response {
        status,
        reason: "Whatever".into(),
        version: "HTTP/1.1".into(),
        headers: [Header { name: "content-type".into(), value: "application/json".into() }].into(),
        body: br#"{"name":"Fern","tag":"shade"}"#.to_vec(),
        body_end: BodyEnd::Complete,
    });
    let phases = Phases::default();
    Exchange { operation, request: Some(request), ending, started: NOW, elapsed: std::time::Duration::ZERO, phases }
}

/// Overwrites cells; ignores values that `SQLite` does not accept.
fn overwrite(file: &Path, bytes: &[u8]) {
    let conn = Connection::open(file).expect("the journal opens");
    let columns = columns(&conn);
    for change in bytes.split(|byte| *byte == b'\n').take(8) {
        let [column, row, kind, value @ ..] = change else { continue };
        let (table, column) = &columns[usize::from(*column) % columns.len()];
        let nth = row % ROWS;
        let cast = if kind % 4 == 0 { "CAST(?1 AS TEXT)" } else { "?1" };
        let value = match kind % 4 {
            0 | 1 => Value::Blob(value.to_vec()),
            2 => Value::Integer(number(value)),
            _ => Value::Null,
        };
        let sql = format!(
            "UPDATE {table} SET {column} = {cast} WHERE rowid = (SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET {nth})"
        );
        let _ = conn.execute(&sql, [value]);
    }
}

/// Returns every table of the journal with each of its columns.
fn columns(conn: &Connection) -> Vec<(String, String)> {
    let columns = "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'
        ORDER BY t.rowid, c.cid";
    let mut columns = conn.prepare(columns).expect("the schema is readable");
    let columns = columns.query_map([], |found| Ok((found.get(0)?, found.get(1)?))).expect("the schema is read");
    columns.collect::<Result<_, _>>().expect("columns have names")
}

/// Parses a decimal number, or takes the bytes as one.
fn number(value: &[u8]) -> i64 {
    let written = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    written.unwrap_or_else(|| value.iter().take(8).fold(0, |number, byte| number << 8 | i64::from(*byte)))
}

/// Reads and renders everything, and adds a plant.
pub(super) async fn use_all(journal: &Journal, origin: u64) -> Result<(), JournalError> {
    for row in journal.fitting(Filter::default(), None, 100).await? {
        journal.plant_history(row.id).await?;
    }
    for stored in journal.exchanges(Filter::default(), None, 100).await? {
        shown(&stored.exchange, &store());
        assert_harmless(&report::entry(1, &stored.exchange, stored.called.as_ref()));
    }
    let newest = HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 100,
        expanded: Some(Vec::new()),
    };
    for line in journal.history(newest).await?.lines {
        journal.exchange(line.number()).await?;
    }
    journal.latencies(Filter::default(), 100).await?;
    journal.unlisted(String::new(), 100).await?;
    journal.unknown_rows().await?;
    journal.next_free_id().await?;
    for run in journal.runs(10).await? {
        for format in Format::ALL {
            assert_harmless(&check::render(&run, format, false));
        }
    }
    journal.before_check().await?;
    let kind = OperationKind::add(Plant { name: "New".into(), id: PlantId(1_000_000), tag: String::new() });
    let new = Operation::new(OperationId { origin, number: 1 }, kind, NOW);
    journal.record_intent(new.clone()).await?;
    journal.end(responded(new, 201), NOW).await?;
    let rows = journal.rows(vec![PlantId(1_000_000)]).await?;
    assert_eq!(rows.len(), 1, "the added plant is missing");
    Ok(())
}
