//! What could not be exchanged with the team is said, and `plants team sync` makes up for it.

use std::fs;

use super::{ann_and_bob, stored};
use crate::support::nats::Nats;
use crate::support::served::Served;

const WITHOUT: &str = "Without the latest entries of the team: the team's servers cannot be reached";

/// The number of messages of the stream.
fn messages(server: &Nats) -> u64 {
    server.of_stream("INFO", "")["state"]["messages"].as_u64().unwrap()
}

#[test]
fn entries_that_were_not_published_are_counted_and_sync_publishes_them() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    let port = server.port;
    drop(server);
    let added = ann.ended(&["add", "--id", "1", "--name", "Fern", "--tag", "t"]);
    assert!(added.stderr.contains("2 entries are not published to the team yet: "), "{added:?}");
    assert!(added.stderr.contains("plants team sync publishes the rest."), "{added:?}");
    let failed = ann.run(&["team", "sync", "--json"]).ended().orderly(3);
    assert_eq!(failed.json()["to_publish"], 2);
    assert!(failed.stderr.contains("not in sync with the team: the team's servers cannot be reached"), "{failed:?}");
    let server = Nats::again(streams.path(), port);
    let before = messages(&server);
    let synced = ann.ended(&["team", "sync", "--json"]).json();
    assert_eq!((&synced["published"], &synced["to_publish"], &synced["to_read"]), (&2.into(), &0.into(), &0.into()));
    assert!(synced["problem"].is_null() && messages(&server) > before, "{synced}");
    // What is published is not published again.
    let after = messages(&server);
    assert_eq!(ann.ended(&["team", "sync", "--json"]).json()["published"], 0);
    assert_eq!(messages(&server), after);
    let synced = bob.ended(&["team", "sync"]);
    assert!(synced.stderr.contains("Published 0 entries, read 1 message."), "{synced:?}");
    assert_eq!(bob.list(), (vec![stored(1, "Fern")], String::new()));
}

#[test]
fn nothing_partial_is_printed_where_all_is_wanted() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, _bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    let exported = ann.home.path().join("all.csv");
    let words: [&[&str]; 4] = [&["list"], &["history"], &["export"], &["export", exported.to_str().unwrap()]];
    for words in words {
        ann.ended(&[words, &["--complete", "--json"]].concat());
    }
    fs::remove_file(&exported).unwrap();
    drop(server);
    for words in words {
        let ended = ann.run(&[words, &["--complete"]].concat()).ended().orderly(3);
        assert!(ended.stdout.is_empty() && ended.stderr.contains("nothing is printed, because"), "{ended:?}");
        assert!(!exported.exists());
        let partial = ann.ended(words);
        assert!(partial.stderr.contains(WITHOUT), "{partial:?}");
    }
}

#[test]
fn what_depends_on_others_says_that_they_could_not_be_read() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, _bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    drop(server);
    let words: [&[&str]; 4] = [
        &["resolve"],
        &["resolve", "1", "--forget", "--yes"],
        &["delete", "1", "--yes"],
        &["check", "--only", "create-status", "--yes"],
    ];
    for words in words {
        let ended = ann.run(words).ended();
        assert!(ended.stderr.contains(WITHOUT), "{ended:?}");
    }
}
