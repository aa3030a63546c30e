//! Rows of the journal, written over by another program.
//!
//! A line of the input is a change: a byte names the column, a byte the row, a byte the type, and the
//! rest is the value.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use plants::check::{self, EarlierRuns, Format, PACE, Report, Run, Wanted};
use plants::domain::{
    BodyEnd, Ending, Exchange, FailureKind, Header, Operation, OperationId, OperationKind, Phases, Plant, PlantId,
    Resolution, Response, StoreUrl, Timestamp, report,
};
use plants::journal::{Journal, JournalError, LogAnchor, LogRequest, Opened, Place, Search};
use rusqlite::Connection;
use rusqlite::types::Value;
use tokio::runtime::{Builder, Runtime};

use super::response::shown;
use super::{empty, harmless, harmless_line};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

/// Rows that each table has at most, of those that can be written over.
const ROWS: u8 = 12;

const COLUMNS: [(&str, &str); 52] = [
    ("store", "url"),
    ("origin", "origin"),
    ("origin", "author"),
    ("head", "text"),
    ("operation", "store"),
    ("operation", "origin"),
    ("operation", "number"),
    ("operation", "kind"),
    ("operation", "plant_id"),
    ("operation", "name"),
    ("operation", "tag"),
    ("operation", "requested_at"),
    ("operation", "outcome"),
    ("operation", "probe"),
    ("exchange", "operation"),
    ("exchange", "store"),
    ("exchange", "plant_id"),
    ("exchange", "outcome"),
    ("exchange", "status"),
    ("exchange", "failure"),
    ("exchange", "detail"),
    ("exchange", "at"),
    ("exchange", "started"),
    ("exchange", "elapsed_us"),
    ("exchange", "name_us"),
    ("exchange", "waiting_us"),
    ("exchange", "request"),
    ("exchange", "request_body"),
    ("exchange", "line"),
    ("exchange", "headers"),
    ("exchange", "body"),
    ("exchange", "body_end"),
    ("resolution", "origin"),
    ("resolution", "number"),
    ("resolution", "plant_id"),
    ("resolution", "what"),
    ("resolution", "at"),
    ("resolution", "after_exchange"),
    ("plant", "id"),
    ("plant", "state"),
    ("plant", "name"),
    ("plant", "tag"),
    ("plant", "changed_at"),
    ("plant", "record"),
    ("unlisted", "plant_id"),
    ("unlisted", "name"),
    ("unlisted", "tag"),
    ("unlisted", "how"),
    ("unlisted", "at"),
    ("tally", "stored"),
    ("tally", "largest_added"),
    ("check_run", "report"),
];

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    /// A journal in good order, as its bytes.
    static SOUND: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

pub(super) fn read(bytes: &[u8]) {
    RUNTIME.with(|runtime| runtime.block_on(all_of(bytes)));
}

async fn all_of(bytes: &[u8]) {
    let folder = empty("journal");
    let sound = match SOUND.take() {
        Some(sound) => sound,
        None => sound_journal().await,
    };
    fs::write(folder.join("journal.db"), &sound).expect("the journal is written");
    SOUND.set(Some(sound));
    write_over(&folder.join("journal.db"), bytes);
    // What is found to be damaged is set aside at the next start at the latest.
    let mut refused = Vec::new();
    for origin in 2..=3 {
        let opened = match open(&folder, origin).await {
            Ok(opened) => opened,
            Err(why) => {
                refused.push(sayable(&why));
                continue;
            }
        };
        let used = use_all_of_it(&opened.journal, origin).await;
        opened.journal.close().await;
        match used {
            Ok(()) => return,
            Err(why) => refused.push(sayable(&why)),
        }
    }
    unreachable!("the journal could not be used: {refused:?}");
}

/// The words for it.
fn sayable(why: &JournalError) -> String {
    assert!(!matches!(why, JournalError::Closed), "the journal's owner died");
    let words = why.to_string();
    harmless_line(&words);
    words
}

fn store() -> StoreUrl {
    "http://127.0.0.1:9".parse().expect("a base URL")
}

async fn open(folder: &Path, origin: u64) -> Result<Opened, JournalError> {
    Journal::open(Place::Folder(folder.to_path_buf()), &store(), origin, NOW).await
}

/// A journal with something in every table: stored, refused, deleted, unknown, forgotten, open, and
/// a run of the check.
async fn sound_journal() -> Vec<u8> {
    let folder = empty("sound");
    let journal = open(&folder, 1).await.expect("a new journal").journal;
    let add = |id| OperationKind::Add(Plant { name: "Fern".into(), id: PlantId(id), tag: "shade".into() });
    let mut number = 0;
    for (kind, status) in [
        (add(1), 201),
        (add(2), 500),
        (add(3), 409),
        (add(4), 201),
        (OperationKind::Delete(PlantId(4)), 204),
        (add(5), 0),
        (add(6), 500),
    ] {
        number += 1;
        let operation = Operation::new(OperationId { origin: 1, number }, kind, NOW);
        journal.record_intent(operation.clone()).await.expect("it is asked for");
        let ended = match status {
            0 => Exchange::failed(operation, FailureKind::TimedOut, "no word".into(), NOW),
            status => responded(operation, status),
        };
        journal.end(ended, NOW).await.expect("it is ended");
    }
    let doubt = OperationId { origin: 1, number };
    journal.resolve(PlantId(6), Some(doubt), Resolution::Forget, NOW).await.expect("it is resolved");
    journal
        .record_intent(Operation::new(OperationId { origin: 1, number: 99 }, add(8), NOW))
        .await
        .expect("it is asked for");
    journal.keep_run(run()).await.expect("it is kept");
    journal.close().await;
    fs::read(folder.join("journal.db")).expect("the journal can be read")
}

fn run() -> Report {
    Run::new(&store(), NOW, Wanted::default(), PACE, 1, &EarlierRuns::default()).report()
}

fn responded(operation: Operation, status: u16) -> Exchange {
    let request = plants::client::request(&store(), &operation.kind);
    let ending = Ending::Responded(Response {
        status,
        reason: "Whatever".into(),
        version: "HTTP/1.1".into(),
        headers: vec![Header { name: "content-type".into(), value: "application/json".into() }],
        body: br#"{"name":"Fern","tag":"shade"}"#.to_vec(),
        body_end: BodyEnd::Complete,
    });
    let phases = Phases::default();
    Exchange { operation, request: Some(request), ending, started: NOW, elapsed: std::time::Duration::ZERO, phases }
}

/// Changes cells; what `SQLite` does not let anybody write is left as it is.
fn write_over(file: &Path, bytes: &[u8]) {
    let conn = Connection::open(file).expect("the journal opens");
    for change in bytes.split(|byte| *byte == b'\n').take(8) {
        let [column, row, kind, value @ ..] = change else { continue };
        let (table, column) = COLUMNS[usize::from(*column) % COLUMNS.len()];
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

/// The number that is written there, or that the bytes are.
fn number(value: &[u8]) -> i64 {
    let written = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    written.unwrap_or_else(|| value.iter().take(8).fold(0, |number, byte| number << 8 | i64::from(*byte)))
}

/// Reads everything, as a person would see it, and adds a plant.
async fn use_all_of_it(journal: &Journal, origin: u64) -> Result<(), JournalError> {
    for row in journal.list_page(None, 100).await? {
        journal.plant_history(row.id).await?;
    }
    for kept in journal.exchanges(Search::default(), None, 100).await? {
        shown(&kept.exchange, &store());
        let mut told = String::new();
        report::entry(&mut told, 1, &kept.exchange, kept.called.as_ref()).expect("a string takes it");
        harmless(&told);
    }
    let newest = LogRequest { search: Search::default(), anchor: LogAnchor::Newest, rows: 100 };
    for line in journal.log(newest).await?.lines {
        journal.exchange(line.place).await?;
    }
    journal.latencies(Search::default(), 100).await?;
    journal.unlisted(String::new(), 100).await?;
    journal.unknown_rows().await?;
    journal.next_free_id().await?;
    for run in journal.runs(10).await? {
        for format in Format::ALL {
            harmless(&check::render(&run, format, 80));
        }
    }
    journal.before_check().await?;
    let kind = OperationKind::Add(Plant { name: "New".into(), id: PlantId(1_000_000), tag: String::new() });
    let new = Operation::new(OperationId { origin, number: 1 }, kind, NOW);
    journal.record_intent(new.clone()).await?;
    journal.end(responded(new, 201), NOW).await?;
    let stands = journal.rows(vec![PlantId(1_000_000)]).await?;
    assert_eq!(stands.len(), 1, "what was added is not there");
    Ok(())
}
