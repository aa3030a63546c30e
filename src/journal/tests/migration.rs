//! Journals of earlier versions: each migrates whole or stays as it was.

use rusqlite::Connection;

use super::*;
use crate::journal::schema::VERSION;

/// Writes a journal of version 1 into a folder, with one plant that is stored and one that is unknown. Returns its list.
async fn write_version_1(folder: &Path) -> Vec<Row> {
    let now = tempfile::tempdir().unwrap();
    let journal = on_disk(now.path(), 1).await;
    record_and_end(&journal, add(1, 1, 7, "stored"), Outcome::Accepted).await;
    record_and_end(&journal, add(1, 2, 8, "unknown"), Outcome::Unknown).await;
    let rows = whole(&journal).await.rows;
    journal.close().await;
    let conn = Connection::open(file_in(folder)).unwrap();
    schema::create(&conn, 1).unwrap();
    conn.execute("ATTACH ?1 AS now", [file_in(now.path()).to_str()]).unwrap();
    let tables = "SELECT name FROM main.sqlite_schema WHERE type = 'table'";
    for table in sql::column::<String>(&conn, tables, []).unwrap() {
        let columns = "SELECT name FROM pragma_table_info(?1, 'main')";
        let columns = sql::column::<String>(&conn, columns, [&table]).unwrap().join(", ");
        let copy = format!("INSERT INTO main.{table} ({columns}) SELECT {columns} FROM now.{table}");
        conn.execute_batch(&copy).unwrap();
    }
    conn.execute_batch("DETACH now").unwrap();
    rows
}

/// Returns the version of a journal, and the statements of its schema.
fn schema_of(folder: &Path) -> (i64, Vec<String>) {
    let conn = Connection::open(file_in(folder)).unwrap();
    let statements = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    (sql::value(&conn, "PRAGMA user_version", []).unwrap(), sql::column(&conn, statements, []).unwrap())
}

async fn schema_of_new() -> (i64, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    on_disk(folder.path(), 1).await.close().await;
    schema_of(folder.path())
}

async fn why_rejected(folder: &Path) -> JournalError {
    Journal::open(Place::Folder(folder.to_path_buf()), &store(), 3, NOW).await.unwrap_err()
}

fn bytes(folder: &Path) -> Vec<u8> {
    fs::read(file_in(folder)).unwrap()
}

#[tokio::test]
async fn a_journal_of_version_1_becomes_one_as_it_is_now() {
    let folder = tempfile::tempdir().unwrap();
    let rows = write_version_1(folder.path()).await;
    assert_eq!(schema_of(folder.path()).0, 1);
    let journal = on_disk(folder.path(), 2).await;
    assert_eq!(whole(&journal).await.rows, rows);
    record_and_end(&journal, add(2, 1, 9, "new"), Outcome::Accepted).await;
    journal.close().await;
    let (version, statements) = schema_of(folder.path());
    assert_eq!((version, statements), schema_of_new().await);
    assert_eq!(version, VERSION);
    let journal = on_disk(folder.path(), 3).await;
    assert_eq!(ids(&whole(&journal).await.rows), [7, 8, 9]);
}

#[tokio::test]
async fn how_a_body_ended_is_read_as_it_was_before_version_4() {
    for (stored, end) in [("9", BodyEnd::Capped(9)), ("'reset'", BodyEnd::CutOff("reset".into()))] {
        let folder = tempfile::tempdir().unwrap();
        write_version_1(folder.path()).await;
        let update = format!("UPDATE exchange SET body_end = {stored} WHERE body IS NOT NULL");
        Connection::open(file_in(folder.path())).unwrap().execute_batch(&update).unwrap();
        let plant_history = on_disk(folder.path(), 2).await.plant_history(PlantId(7)).await.unwrap();
        assert_eq!(plant_history.exchanges[0].response().unwrap().body_end, end);
    }
}

#[tokio::test]
async fn an_end_of_a_body_that_is_damaged_does_not_prevent_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let rows = write_version_1(folder.path()).await;
    let update = "UPDATE exchange SET body_end = x'00' WHERE body IS NOT NULL AND plant_id = 7";
    Connection::open(file_in(folder.path())).unwrap().execute_batch(update).unwrap();
    let journal = on_disk(folder.path(), 2).await;
    assert_eq!(whole(&journal).await.rows, rows);
    let damaged = journal.plant_history(PlantId(7)).await.unwrap_err();
    assert_eq!(damaged, JournalError::Corrupt { path: file_in(folder.path()) });
    journal.close().await;
    let place = Place::Folder(folder.path().to_path_buf());
    let saved = Journal::open(place, &store(), 3, NOW).await.unwrap().set_aside.unwrap().saved;
    assert_eq!((saved.plants, saved.exchanges, saved.complete), (2, 1, false));
}

#[tokio::test]
async fn a_journal_of_version_1_whose_header_is_damaged_keeps_its_responses() {
    let folder = tempfile::tempdir().unwrap();
    write_version_1(folder.path()).await;
    let update = "UPDATE exchange SET body_end = iif(plant_id = 7, 9, 'reset') WHERE body IS NOT NULL";
    Connection::open(file_in(folder.path())).unwrap().execute_batch(update).unwrap();
    let mut spoilt = bytes(folder.path());
    // Magic, version of the tables and application id.
    for field in [0..16, 60..64, 68..72] {
        spoilt[field].fill(0);
    }
    fs::write(file_in(folder.path()), spoilt).unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let opened = Journal::open(place, &store(), 2, NOW).await.unwrap();
    assert_eq!(opened.set_aside.unwrap().saved.exchanges, 2);
    let plant_history = opened.journal.plant_history(PlantId(7)).await.unwrap();
    assert_eq!(plant_history.exchanges[0].response().unwrap().body_end, BodyEnd::Capped(9));
}

#[tokio::test]
async fn a_migration_that_is_cut_off_leaves_the_version_before() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rows = write_version_1(folder.path()).await;
    let before = bytes(folder.path());
    let conn = Connection::open(file_in(folder.path())).unwrap();
    // Each page is written to the file at once, as if there were no memory.
    conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; PRAGMA cache_spill = 1").unwrap();
    let transaction = sql::begin(&conn, || Duration::ZERO).unwrap();
    schema::migrate(&transaction, 1).unwrap();
    // A program that is killed leaves its files as they are.
    for name in ["journal.db", "journal.db-wal"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    assert_eq!(schema_of(copy.path()).0, 1);
    let journal = on_disk(copy.path(), 2).await;
    assert_eq!(whole(&journal).await.rows, rows);
    journal.close().await;
    assert_eq!(schema_of(copy.path()), schema_of_new().await);
    drop(transaction);
    drop(conn);
    assert_eq!((schema_of(folder.path()).0, bytes(folder.path()).len()), (1, before.len()));
}

#[tokio::test]
async fn a_strange_schema_of_version_1_is_rejected_and_not_changed() {
    let trap = "CREATE TRIGGER trap AFTER UPDATE ON store BEGIN DELETE FROM plant; END";
    for (statement, what) in [
        (trap, "the trigger trap does not belong in it"),
        ("ALTER TABLE store ADD COLUMN folded_at INTEGER", "the table store is not as plants makes it"),
        ("DROP INDEX entry_plant", "the index entry_plant is missing"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write_version_1(folder.path()).await;
        Connection::open(file_in(folder.path())).unwrap().execute_batch(statement).unwrap();
        let before = bytes(folder.path());
        let path = file_in(folder.path());
        assert_eq!(why_rejected(folder.path()).await, JournalError::Unexpected { path, what: what.to_owned() });
        assert_eq!(bytes(folder.path()), before);
    }
}

#[tokio::test]
async fn a_journal_of_version_1_that_is_only_read_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let rows = write_version_1(folder.path()).await;
    let before = bytes(folder.path());
    let place = Place::ReadOnly(folder.path().to_path_buf());
    let journal = Journal::open(place, &store(), 2, NOW).await.unwrap().journal;
    assert_eq!(whole(&journal).await.rows, rows);
    assert_eq!(journal.membership().await, Ok(None));
    journal.close().await;
    assert_eq!(recent::stores_in(folder.path()).unwrap(), [store()]);
    let contents = verify(&file_in(folder.path()), &Arc::default()).unwrap();
    assert_eq!((contents.plants(), contents.requests()), (2, 2));
    assert_eq!(bytes(folder.path()), before);
}

#[tokio::test]
async fn a_copy_of_version_1_can_be_restored_and_a_journal_of_it_copied() {
    let (old, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rows = write_version_1(old.path()).await;
    let before = bytes(old.path());
    let copy = folder.path().join("copy.db");
    fs::write(&copy, "").unwrap();
    assert_eq!(back_up(old.path(), &copy, &Arc::default()).unwrap().plants(), 2);
    for from in [file_in(old.path()), copy] {
        let restorable = Restorable::prepare(folder.path(), &from, &Arc::default()).unwrap();
        restorable.install().unwrap();
        let journal = on_disk(folder.path(), 2).await;
        assert_eq!(whole(&journal).await.rows, rows, "{}", from.display());
        journal.close().await;
    }
    assert_eq!(bytes(old.path()), before);
}

#[tokio::test]
async fn a_damaged_journal_of_version_1_is_rebuilt_as_it_is_now() {
    let folder = tempfile::tempdir().unwrap();
    let rows = write_version_1(folder.path()).await;
    let conn = Connection::open(file_in(folder.path())).unwrap();
    let root =
        "SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = 'plant'";
    let (start, mut spoilt) = (sql::value::<usize>(&conn, root, []).unwrap(), bytes(folder.path()));
    drop(conn);
    spoilt[start..start + 100].fill(0xAA);
    fs::write(file_in(folder.path()), &spoilt).unwrap();
    let now = tempfile::tempdir().unwrap();
    fs::write(file_in(now.path()), "").unwrap();
    let saved = salvage::rebuild(&file_in(folder.path()), &file_in(now.path())).unwrap();
    assert_eq!((saved.plants, saved.exchanges, saved.complete), (2, 2, false));
    assert_eq!(bytes(folder.path()), spoilt);
    assert_eq!(schema_of(now.path()), schema_of_new().await);
    // The plants are folded again from their entries.
    let journal = on_disk(now.path(), 2).await;
    assert_eq!(ids(&whole(&journal).await.rows), ids(&rows));
}

#[tokio::test]
async fn of_two_programs_that_start_at_once_one_migrates() {
    let folder = tempfile::tempdir().unwrap();
    let rows = write_version_1(folder.path()).await;
    for journal in join_all((2..10).map(|origin| on_disk(folder.path(), origin))).await {
        assert_eq!(whole(&journal).await.rows, rows);
        journal.close().await;
    }
    assert_eq!(schema_of(folder.path()), schema_of_new().await);
}

#[tokio::test]
async fn a_journal_that_an_older_release_has_open_does_not_migrate() {
    let folder = tempfile::tempdir().unwrap();
    let rows = write_version_1(folder.path()).await;
    let lock = process_locks::acquire(folder.path(), 9).unwrap();
    let why = why_rejected(folder.path()).await;
    assert!(matches!(why, JournalError::InUse { .. }), "{why}");
    assert!(why.to_string().contains("a plants of an older release has the journal"), "{why}");
    assert_eq!(schema_of(folder.path()).0, 1);
    lock.release();
    assert_eq!(whole(&on_disk(folder.path(), 2).await).await.rows, rows);
}
