//! Nothing but the journal writes its files: every path that leads to one is rejected before anything is sent.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::support::extent::step;
use crate::support::raw::RawStore;
use crate::support::{Ended, Home, Run, files_below};

/// A home with a plant in its journal, and a store that must receive nothing more.
fn home() -> (Home, RawStore) {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#));
    let add = ["add", "--id", "1", "--name", "Fern", "--tag", "shade"];
    home.plants_at(&store.url(), &add).ended().orderly(0);
    (home, store)
}

fn assert_rejected(home: &Home, run: Run, what: &str) {
    let before = files_below(home.path());
    let ended = run.ended().orderly(2);
    assert!(ended.stdout.is_empty() && ended.stderr.contains("a file of the journal"), "{what}: {ended:?}");
    let mut after = files_below(home.path());
    after.retain(|(name, _)| !name.contains("/instances/") || before.iter().any(|(earlier, _)| earlier == name));
    assert_eq!(after, before, "{what}");
}

#[test]
fn no_command_writes_onto_a_file_of_the_journal() {
    let (home, store) = home();
    let data = home.data();
    let (link, hard, dangling) = (home.path().join("link"), home.path().join("hard"), home.path().join("dangling"));
    symlink(data.join("journal.db"), &link).unwrap();
    fs::hard_link(data.join("journal.db"), &hard).unwrap();
    symlink(data.join("journal.db-journal"), &dangling).unwrap();
    let inside = ["journal.db", "journal.db-wal", "journal.db-shm", "journal.db.rebuilt", "journal.db.damaged"]
        .map(|name| data.join(name));
    let locks = ["gate", "0000000000000007.lock", "note"].map(|name| data.join("instances").join(name));
    let roundabout = PathBuf::from(".local/share/plants/instances/../journal.db");
    for (nth, path) in inside.iter().chain(&locks).chain([&link, &hard, &dangling, &roundabout]).enumerate() {
        let path = path.to_str().unwrap();
        let lines = [
            &["export", path][..],
            &["export", path, "--force", "--format", "json"],
            &["journal", "backup", path],
            &["journal", "backup", path, "--force"],
            &["check", "--yes", "--output", path],
            &["check", "--yes", "--force", "--output", path],
            &["list", "--log", path],
            &["journal", "trim", "--older-than", "1d", "--yes", "--log", path],
            &["list", "--demo", "--log", path],
        ];
        for words in lines.into_iter().skip(nth % step(4)).step_by(step(4)) {
            assert_rejected(&home, home.plants_at(&store.url(), words), &words.join(" "));
        }
        let variable = home.plants_at(&store.url(), &["list"]).env("PLANTS_LOG", path);
        assert_rejected(&home, variable, path);
    }
    assert_eq!(store.received().len(), 1, "the add");
}

#[test]
fn output_that_is_redirected_onto_the_journal_is_rejected() {
    let (home, store) = home();
    for words in
        [&["list", "--json"][..], &["export"], &["history"], &["journal", "trim", "--older-than", "1d", "--yes"]]
    {
        let before = fs::read(home.data().join("journal.db")).unwrap();
        let mut run = home.plants_at(&store.url(), words);
        run.command.stdout(OpenOptions::new().append(true).open(home.data().join("journal.db")).unwrap());
        let ended: Ended = run.ended().orderly(2);
        assert!(ended.stderr.contains("a file of the journal"), "{words:?}: {ended:?}");
        assert_eq!(fs::read(home.data().join("journal.db")).unwrap(), before, "{words:?}");
    }
}

#[test]
fn a_file_beside_the_journal_can_be_written() {
    let (home, store) = home();
    for name in ["plants.csv", "journal.csv", "journal.db.csv"] {
        home.plants_at(&store.url(), &["export", home.data().join(name).to_str().unwrap()]).ended().orderly(0);
    }
    let copy = home.data().join("journal.db.bak");
    home.plants(&["journal", "backup", copy.to_str().unwrap()]).ended().orderly(0);
    home.plants(&["list", "--demo", "--log", home.data().join("log").to_str().unwrap()]).ended().orderly(0);
}

#[test]
fn a_journal_that_is_a_link_is_named_and_not_opened() {
    let (home, store) = home();
    let other = home.path().join("other");
    fs::create_dir(&other).unwrap();
    symlink(home.data().join("journal.db"), other.join("journal.db")).unwrap();
    for words in [&["list"][..], &["add", "--id", "2", "--name", "Ivy", "--tag", "t"]] {
        let words = [words, &["--data-dir", other.to_str().unwrap()]].concat();
        let ended = home.plants_at(&store.url(), &words).ended().orderly(3);
        assert!(ended.stderr.contains("is a link"), "{ended:?}");
    }
    assert_eq!(store.arrived_so_far().len(), 1);
}
