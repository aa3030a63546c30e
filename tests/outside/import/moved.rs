//! A journal that is moved, deleted or replaced during an import: nothing more is sent, and no outcome is
//! reported as recorded that the next start cannot find.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::store::{Reply, Store};
use super::{Output, all, import, numbered, sorted};
use crate::support::{Ended, Home, end_of};

/// Imports forty rows, two at a time, and calls `disturb` with the data folder while the first two are in
/// flight.
fn disturbed(home: &Home, store: &Store, disturb: impl Fn(&Path)) -> Ended {
    home.write("a.csv", numbered(1..=40));
    let child = import(home, &store.base(), &["a.csv", "--concurrency", "2"]).begun();
    store.wait_for(2);
    disturb(&home.data());
    store.release();
    end_of(child)
}

fn waiting() -> Store {
    Store::replying(|_, _| Reply::Held)
}

/// Asserts that the two rows in flight are accepted and not recorded, and that no other row was sent.
fn assert_halted(store: &Store, ended: Ended) -> Ended {
    let ended = ended.orderly(4);
    assert_eq!(sorted(store.ids()), [1, 2], "{ended:?}");
    let result = Output::of(&ended);
    assert_eq!((result.count("accepted"), result.count("unknown")), (2, 0), "{ended:?}");
    assert!(result.rows.iter().filter(|row| row["outcome"] == "accepted").all(|row| row["recorded"] == false));
    assert_eq!(result.count("accepted") + result.count("not_sent") + result.count("left"), 40, "{ended:?}");
    let halted = result.summary["halted"].as_str().unwrap();
    for expected in ["was moved, deleted or replaced while plants had it open", "nothing more is sent", "put all files"]
    {
        assert!(halted.contains(expected), "{ended:?}");
    }
    ended
}

fn rename(folder: &Path, from: &str, to: &str) {
    fs::rename(folder.join(from), folder.join(to)).unwrap();
}

#[test]
fn a_moved_journal_halts_the_import_and_is_complete_when_moved_back() {
    let (home, store) = (Home::new(), waiting());
    let files = ["journal.db", "journal.db-wal", "journal.db-shm"];
    let ended = disturbed(&home, &store, |data| {
        for file in files {
            rename(data, file, &format!("aside-{file}"));
        }
    });
    let ended = assert_halted(&store, ended);
    assert!(ended.stderr.contains("journal.db was moved"), "{ended:?}");
    for file in files.iter().filter(|file| home.data().join(format!("aside-{file}")).exists()) {
        rename(&home.data(), &format!("aside-{file}"), file);
    }
    let found = home.states(&store.base());
    assert!([1, 2].iter().all(|id| found.contains_key(id)), "{found:?}");
}

#[test]
fn a_deleted_journal_or_a_missing_data_folder_halts_the_import() {
    type Disturb = fn(&Path);
    let disturbances: [(Disturb, bool); 3] = [
        (|data| fs::remove_file(data.join("journal.db")).unwrap(), true),
        (|data| fs::rename(data, data.with_extension("aside")).unwrap(), false),
        (|data| fs::remove_dir_all(data).unwrap(), false),
    ];
    for (disturb, keeps_the_folder) in disturbances {
        let (home, store) = (Home::new(), waiting());
        let ended = disturbed(&home, &store, disturb);
        assert_halted(&store, ended);
        assert_eq!(home.data().exists(), keeps_the_folder, "no new folder was created");
    }
}

#[test]
fn a_replaced_journal_halts_the_import_and_the_new_one_stays_intact() {
    let (home, store) = (Home::new(), waiting());
    let other = Store::accepting();
    let ended = disturbed(&home, &store, |data| {
        for file in ["journal.db", "journal.db-wal", "journal.db-shm"] {
            rename(data, file, &format!("aside-{file}"));
        }
        home.plants_at(&other.base(), &["add", "--id", "9", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    });
    assert_halted(&store, ended);
    assert_eq!(home.states(&other.base()), all(9..=9, "stored"));
}

/// The program copies the deleted log, which it still has open, into the journal when it ends.
#[test]
fn a_deleted_log_halts_the_import_and_loses_nothing() {
    let (home, store) = (Home::new(), waiting());
    let ended = disturbed(&home, &store, |data| fs::remove_file(data.join("journal.db-wal")).unwrap());
    let ended = assert_halted(&store, ended);
    assert!(ended.stderr.contains("journal.db-wal was moved"), "{ended:?}");
    let found = home.states(&store.base());
    assert!([1, 2].iter().all(|id| found.contains_key(id)), "{found:?}");
}

/// The end of the import does not delete the log that another program created under the same name.
#[test]
fn a_replaced_log_halts_the_import_and_the_new_one_stays_intact() {
    let (home, store) = (Home::new(), waiting());
    home.plants_at(&store.base(), &["list"]).ended().orderly(0);
    let other = Store::accepting();
    let ended = disturbed(&home, &store, |data| {
        for file in ["journal.db-wal", "journal.db-shm"] {
            fs::remove_file(data.join(file)).unwrap();
        }
        home.plants_at(&other.base(), &["add", "--id", "9", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    });
    assert_halted(&store, ended);
    assert_eq!(home.states(&other.base()), all(9..=9, "stored"));
}

/// Rows that wait for the end of a pause were recorded long before.
#[test]
fn a_journal_moved_during_a_pause_halts_the_import_before_the_next_row() {
    let (home, store) = (
        Home::new(),
        Store::replying(|_, count| if count == 1 { Reply::RetryAfter(503, "1") } else { Reply::Status(201) }),
    );
    home.write("a.csv", numbered(1..=40));
    let child = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).begun();
    store.wait_for(1);
    // The row is unknown in the list once its outcome is recorded.
    while !home.states(&store.base()).values().any(|state| state == "unknown") {}
    rename(&home.data(), "journal.db", "aside");
    let ended = end_of(child).orderly(4);
    assert_eq!(store.ids(), [1], "{ended:?}");
    assert!(Output::of(&ended).summary["halted"].as_str().unwrap().contains("was moved, deleted or replaced"));
}

#[test]
fn an_add_reports_a_journal_moved_before_the_response() {
    let (home, store) = (Home::new(), waiting());
    let child = home.plants_at(&store.base(), &["add", "--id", "1", "--name", "Fern", "--tag", "t", "--json"]).begun();
    store.wait_for(1);
    rename(&home.data(), "journal.db", "aside");
    store.release();
    let ended = end_of(child).orderly(4);
    let result: Value = ended.json();
    assert_eq!((&result["outcome"], &result["recorded"]), (&"accepted".into(), &false.into()), "{ended:?}");
    assert!(ended.stderr.contains("journal.db was moved, deleted or replaced"), "{ended:?}");
}
