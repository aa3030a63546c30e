//! A journal that is moved, deleted or replaced while an import runs: nothing more is sent, and
//! nothing is told as recorded that the next start cannot find.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::store::{Reply, Store};
use super::{Told, all, import, numbered, sorted, view};
use crate::support::{Ended, Home, end_of};

/// Imports forty rows, two at a time, and does something to the data folder while the first two
/// wait for their responses.
fn disturbed(home: &Home, store: &Store, disturb: impl Fn(&Path)) -> Ended {
    home.write("a.csv", numbered(1..=40));
    let child = import(home, &store.base(), &["a.csv", "--concurrency", "2"]).begun();
    store.has_come(2);
    disturb(&home.data());
    store.lets_go();
    end_of(child)
}

fn waiting() -> Store {
    Store::replying(|_, _| Reply::Waits)
}

/// Holds a run to what every journal that is not in its place promises: the two that were out are
/// accepted and not recorded, and no other row left.
fn nothing_more_was_sent(store: &Store, ended: Ended) -> Ended {
    let ended = ended.orderly(4);
    assert_eq!(sorted(store.ids()), [1, 2], "{ended:?}");
    let told = Told::by(&ended);
    assert_eq!((told.count("accepted"), told.count("unknown")), (2, 0), "{ended:?}");
    assert!(told.rows.iter().filter(|row| row["outcome"] == "accepted").all(|row| row["recorded"] == false));
    assert_eq!(told.count("accepted") + told.count("not_sent") + told.count("left"), 40, "{ended:?}");
    let halted = told.summary["halted"].as_str().unwrap();
    for words in ["was moved, deleted or replaced while plants had it open", "nothing more is sent", "put all files"] {
        assert!(halted.contains(words), "{ended:?}");
    }
    ended
}

fn rename(folder: &Path, from: &str, to: &str) {
    fs::rename(folder.join(from), folder.join(to)).unwrap();
}

#[test]
fn a_journal_that_is_moved_is_noticed_and_put_back_it_has_everything() {
    let (home, store) = (Home::new(), waiting());
    let files = ["journal.db", "journal.db-wal", "journal.db-shm"];
    let ended = disturbed(&home, &store, |data| {
        for file in files {
            rename(data, file, &format!("aside-{file}"));
        }
    });
    let ended = nothing_more_was_sent(&store, ended);
    assert!(ended.stderr.contains("journal.db was moved"), "{ended:?}");
    for file in files.iter().filter(|file| home.data().join(format!("aside-{file}")).exists()) {
        rename(&home.data(), &format!("aside-{file}"), file);
    }
    let found = view(&home, &store.base());
    assert!([1, 2].iter().all(|id| found.contains_key(id)), "{found:?}");
}

#[test]
fn a_journal_that_is_deleted_is_noticed() {
    let (home, store) = (Home::new(), waiting());
    let ended = disturbed(&home, &store, |data| fs::remove_file(data.join("journal.db")).unwrap());
    nothing_more_was_sent(&store, ended);
}

#[test]
fn a_folder_that_is_moved_is_noticed() {
    let (home, store) = (Home::new(), waiting());
    let ended = disturbed(&home, &store, |data| fs::rename(data, data.with_extension("aside")).unwrap());
    nothing_more_was_sent(&store, ended);
    assert!(!home.data().exists(), "nothing was made in its place");
}

#[test]
fn a_folder_that_is_deleted_is_noticed() {
    let (home, store) = (Home::new(), waiting());
    let ended = disturbed(&home, &store, |data| fs::remove_dir_all(data).unwrap());
    nothing_more_was_sent(&store, ended);
}

#[test]
fn a_journal_that_another_program_replaces_is_noticed_and_the_new_one_is_left_alone() {
    let (home, store) = (Home::new(), waiting());
    let other = Store::calm();
    let ended = disturbed(&home, &store, |data| {
        for file in ["journal.db", "journal.db-wal", "journal.db-shm"] {
            rename(data, file, &format!("aside-{file}"));
        }
        home.plants_at(&other.base(), &["add", "--id", "9", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    });
    nothing_more_was_sent(&store, ended);
    assert_eq!(view(&home, &other.base()), all(9..=9, "stored"));
}

/// The log has what is not in the journal yet: without it the next start knows less. What was in it
/// goes into the journal as the program ends, so that nothing is lost after all.
#[test]
fn a_log_that_is_deleted_is_noticed_and_what_was_in_it_is_kept() {
    let (home, store) = (Home::new(), waiting());
    let ended = disturbed(&home, &store, |data| fs::remove_file(data.join("journal.db-wal")).unwrap());
    let ended = nothing_more_was_sent(&store, ended);
    assert!(ended.stderr.contains("journal.db-wal was moved"), "{ended:?}");
    let found = view(&home, &store.base());
    assert!([1, 2].iter().all(|id| found.contains_key(id)), "{found:?}");
}

/// Another program has written to a log of its own under the name of the open one. That the first
/// ends does not take it away.
#[test]
fn a_log_that_is_replaced_is_noticed_and_left_alone() {
    let (home, store) = (Home::new(), waiting());
    home.plants_at(&store.base(), &["list"]).ended().orderly(0);
    let other = Store::calm();
    let ended = disturbed(&home, &store, |data| {
        for file in ["journal.db-wal", "journal.db-shm"] {
            fs::remove_file(data.join(file)).unwrap();
        }
        home.plants_at(&other.base(), &["add", "--id", "9", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    });
    nothing_more_was_sent(&store, ended);
    assert_eq!(view(&home, &other.base()), all(9..=9, "stored"));
}

/// Rows that wait out a pause the store asked for were recorded long before they leave.
#[test]
fn a_journal_that_is_moved_during_a_pause_is_noticed_before_the_next_row_leaves() {
    let (home, store) =
        (Home::new(), Store::replying(|_, count| if count == 1 { Reply::Asks(503, "1") } else { Reply::Says(201) }));
    home.write("a.csv", numbered(1..=40));
    let child = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).begun();
    store.has_come(1);
    // Its end is in the view once it is recorded.
    while !view(&home, &store.base()).values().any(|state| state == "unknown") {}
    rename(&home.data(), "journal.db", "aside");
    let ended = end_of(child).orderly(4);
    assert_eq!(store.ids(), [1], "{ended:?}");
    assert!(Told::by(&ended).summary["halted"].as_str().unwrap().contains("was moved, deleted or replaced"));
}

#[test]
fn an_add_whose_journal_is_moved_before_the_response_is_told_so() {
    let (home, store) = (Home::new(), waiting());
    let child = home.plants_at(&store.base(), &["add", "--id", "1", "--name", "Fern", "--tag", "t", "--json"]).begun();
    store.has_come(1);
    rename(&home.data(), "journal.db", "aside");
    store.lets_go();
    let ended = end_of(child).orderly(4);
    let told: Value = ended.json();
    assert_eq!((&told["outcome"], &told["recorded"]), (&"accepted".into(), &false.into()), "{ended:?}");
    assert!(ended.stderr.contains("journal.db was moved, deleted or replaced"), "{ended:?}");
}
