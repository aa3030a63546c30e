//! Compacting a long stream: a snapshot stands for the messages that are removed.

use serde_json::Value;

use super::{Person, ann_and_bob, stored};
use crate::support::nats::Nats;
use crate::support::served::Served;

/// A server that is not there.
const NOWHERE: &str = "nats://127.0.0.1:1";

#[test]
fn who_cannot_read_the_removed_messages_goes_on_from_the_snapshot() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    let away = Person::new("cleo", &store.base, &server.url()).joined();
    ann.add(1, "Fern");
    ann.add(2, "Moss");
    bob.ended(&["delete", "1", "--yes"]);
    let away = Person { servers: NOWHERE.to_owned(), ..away };
    away.add(4, "Reed");

    let words = ["team", "compact", "--all", "--json"];
    let counted = ann.ended(&[&words[..], &["--dry-run"]].concat());
    assert!(counted.stderr.contains("To compact: a snapshot of 1 plant, and "), "{counted:?}");
    let messages = || server.of_stream("INFO", "")["state"]["messages"].as_u64().unwrap();
    let before = messages();
    assert_eq!(counted.json(), serde_json::json!({ "plants": 1, "removed": before }));
    let refused = ann.run(&words).ended().orderly(2);
    assert!(refused.stderr.contains("--yes"), "{refused:?}");
    let compacted = ann.ended(&[&words[..], &["--yes"]].concat());
    assert_eq!(compacted.json(), serde_json::json!({ "plants": 1, "removed": before }));
    assert_eq!(messages(), 2, "a part, and what completes it");

    // Bob has read everything; one member is new, and one was away and has a plant of her own.
    bob.add(3, "Ivy");
    let new = Person::new("dan", &store.base, &server.url()).joined();
    let away = Person { servers: server.url(), ..away };
    let of_ann = "The list begins with a snapshot that ann@";
    assert!(new.run(&["team", "status"]).ended().orderly(0).stderr.is_empty(), "said once, when it joined");
    let (_, said) = away.list();
    assert!(said.contains(of_ann), "{said}");
    for person in [&new, &ann, &bob, &away] {
        assert_eq!(person.list(), (vec![stored(2, "Moss"), stored(3, "Ivy"), stored(4, "Reed")], String::new()));
    }
    // What is known through the snapshot can be deleted, and a deleted plant does not come back.
    new.ended(&["delete", "2", "--yes"]);
    ann.ended(&["team", "join", "--yes"]);
    for person in [&bob, &new, &away, &ann] {
        assert_eq!(person.list().0, [stored(3, "Ivy"), stored(4, "Reed")]);
    }
    // Nothing is removed that is younger than 30 days.
    let young = ann.ended(&["team", "compact", "--yes"]);
    assert!(young.stderr.contains("removed 0 messages"), "{young:?}");
}

#[test]
fn a_new_member_has_the_list_of_a_stream_that_was_lost_and_compacted() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    bob.add(2, "Moss");
    assert_eq!([ann.list(), bob.list()].map(|(list, _)| list.len()), [2, 2]);
    server.of_stream("DELETE", "");
    let [ann, bob] = [ann.joined(), bob.joined()];
    ann.ended(&["team", "compact", "--all", "--yes"]);
    let new = Person::new("dan", &store.base, &server.url()).joined();
    for person in [&new, &ann, &bob] {
        person.ended(&["list", "--complete"]);
        assert_eq!(person.list(), (vec![stored(1, "Fern"), stored(2, "Moss")], String::new()));
    }
}

#[test]
fn a_stream_that_lacks_entries_is_compacted_by_force_only() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, _] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    // Eve's first entries are lost.
    let mut later: Value = serde_json::from_str(&server.message(1)).unwrap();
    later["journal"] = 4242.into();
    for entry in later["entries"].as_array_mut().unwrap() {
        entry["number"] = (entry["number"].as_u64().unwrap() + 10).into();
    }
    server.publish("plants.staging.eve", later.to_string().as_bytes());
    for words in [&["team", "compact", "--dry-run"][..], &["team", "compact", "--all", "--yes"]] {
        let said = ann.run(words).ended().orderly(3).stderr;
        assert!(said.contains("10 entries of eve"), "{said}");
    }
    assert!(server.message(1).contains("Fern"));
    ann.ended(&["team", "compact", "--all", "--yes", "--force"]);
}
