//! What fails between a person and the team: each ends in a message that says what to do, and in a journal that lost
//! nothing.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Person, ann_and_bob, stored};
use crate::support::nats::Nats;
use crate::support::served::Served;

const REMOVED: &str = "Entries were removed from the team's stream";

impl Person<'_> {
    /// What `team status` says is wrong.
    fn problem(&self) -> String {
        let status = self.run(&["team", "status", "--json"]).ended().json();
        status["problem"].as_str().unwrap_or_default().to_owned()
    }

    /// What `team status` says is missing for good.
    pub(super) fn notices(&self) -> String {
        self.run(&["team", "status", "--json"]).ended().json()["notices"].to_string()
    }

    /// Asserts that a list that must be complete is not printed.
    pub(super) fn lacks_entries(&self) {
        let ended = self.run(&["list", "--complete", "--json"]).ended().orderly(3);
        assert!(ended.stdout.is_empty() && ended.stderr.contains("entries of the team are missing"), "{ended:?}");
    }

    fn ids(&self) -> Vec<i64> {
        self.list().0.iter().map(|(id, _, _)| *id).collect()
    }
}

#[test]
fn entries_that_were_removed_from_the_stream_are_not_waited_for() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    server.of_stream("PURGE", "");
    ann.add(2, "Moss");
    let (list, said) = bob.list();
    assert_eq!(list, [stored(2, "Moss")]);
    assert!(said.contains("are missing in the team's stream"), "{said}");
    // It is not forgotten.
    assert!(bob.list().1.contains("2 entries of ann@") && bob.notices().contains("2 entries of ann@"));
    bob.lacks_entries();
    // Who joins once more shares all entries again, where they were.
    bob.ended(&["delete", "2", "--yes"]);
    let ended = ann.ended(&["team", "join", "--yes"]);
    assert!(ended.stderr.contains("; 1 server keeps each entry."), "{ended:?}");
    for person in [&ann, &bob] {
        assert_eq!(person.list().0, [stored(1, "Fern")]);
        person.ended(&["list", "--complete"]);
    }
    // Whose entries are missing is not known as long as they add none.
    ann.add(3, "Reed");
    server.of_stream("PURGE", "");
    Person::new("carl", &store.base, &server.url()).joined().add(4, "Rose");
    assert!(bob.list().1.contains(REMOVED));
    bob.lacks_entries();
    ann.ended(&["team", "join", "--yes"]);
    bob.ended(&["list", "--complete"]);
    assert_eq!(bob.ids(), [1, 3, 4]);
    // Who has read all hears nothing again. Who is new cannot know what was in messages that none is shared again from, as
    // those that repeated others, until they join once more.
    for person in [&ann, &bob] {
        let joined = person.ended(&["team", "join", "--yes"]);
        assert!(!joined.stderr.contains(REMOVED), "{joined:?}");
    }
    let new = Person::new("dan", &store.base, &server.url()).joined();
    assert!(new.notices().contains(REMOVED));
    new.lacks_entries();
    let joined = new.ended(&["team", "join", "--yes"]);
    assert!(!joined.stderr.contains(REMOVED), "{joined:?}");
    new.ended(&["list", "--complete"]);
    assert_eq!(new.ids(), [1, 3, 4]);
}

#[test]
fn a_list_is_not_complete_without_the_snapshot_that_it_begins_with() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, _bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    let compact = ["team", "compact", "--all", "--yes"];
    ann.ended(&compact);
    server.publish("plants.staging._snapshot", b"of a later release");
    let new = Person::new("dan", &store.base, &server.url());
    for _ in 0..2 {
        let joined = new.ended(&["team", "join", "--yes"]);
        assert!(joined.stderr.contains("The snapshot that stands for it cannot be read"), "{joined:?}");
        new.lacks_entries();
    }
    // Who has read the entries needs none.
    assert_eq!(ann.ended(&["team", "join", "--yes"]).stderr.matches(REMOVED).count(), 0);
    ann.ended(&["list", "--complete"]);
    ann.ended(&compact);
    let new = new.joined();
    new.ended(&["list", "--complete"]);
    assert_eq!(new.list(), (vec![stored(1, "Fern")], String::new()));
}

#[test]
fn who_gets_another_author_goes_on_as_another_member() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let bob = Person::new("bob", &store.base, &server.url()).joined();
    let ann = Person::new("ann", &store.base, &server.url()).joined();
    ann.add(1, "Fern");
    let renamed = Person { name: "anna", ..ann };
    renamed.add(2, "Moss");
    let synced = renamed.ended(&["team", "sync", "--json"]).json();
    assert_eq!((&synced["published"], &synced["to_publish"]), (&0.into(), &0.into()), "the add has published it");
    let before = last(&server);
    for person in [&renamed, &bob] {
        assert_eq!(person.list(), (vec![stored(1, "Fern"), stored(2, "Moss")], String::new()));
    }
    assert_eq!(last(&server), before);
    let history: Value = bob.ended(&["history", "--json"]).json();
    let of = |id: i64| {
        let line = history.as_array().unwrap().iter().find(|line| line["plant"]["id"] == id).unwrap();
        line["author"].as_str().unwrap().split('@').next().unwrap().to_owned()
    };
    assert_eq!([of(1), of(2)], ["ann", "anna"]);
}

#[test]
fn a_server_without_jetstream_is_named() {
    let streams = tempfile::tempdir().unwrap();
    let config = "accounts { PLANTS { users: [ { user: ann, password: ann } ] } }\nno_auth_user: ann";
    let Some(server) = Nats::configured(streams.path(), config) else { return };
    let store = Served::calm();
    let ann = Person::new("ann", &store.base, &server.url());
    let joined = ann.run(&["team", "join", "--yes"]).ended().orderly(3);
    assert!(joined.stderr.contains("the team's server has no JetStream"), "{joined:?}");
}

#[test]
fn who_has_not_joined_is_told_that_nothing_is_shared() {
    let store = Served::calm();
    let ann = Person::new("ann", &store.base, "nats://127.0.0.1:1");
    ann.home.write("plants.csv", "name,id,tag\nMoss,2,t\n");
    let add = ["add", "Fern", "--id", "1", "--tag", "t"];
    for words in [&add[..], &["import", "plants.csv"], &["delete", "1", "--yes"]] {
        let said = ann.ended(words).stderr;
        assert!(said.contains("Not shared with the team: this journal is not in the team yet"), "{words:?}: {said}");
    }
    assert!(!ann.ended(&["list"]).stderr.contains("Not shared"));
}

#[test]
fn nobody_publishes_for_the_journal_of_another() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    assert_eq!(bob.ids(), [1]);
    let port = server.port;
    drop(server);
    ann.add(2, "Moss");
    // Another program publishes Ann's last message once more, numbered as the one that is not published yet.
    let server = Nats::again(streams.path(), port);
    let mut forged: Value = serde_json::from_str(&server.message(1)).unwrap();
    let entries = forged["entries"].as_array_mut().unwrap();
    let count = entries.len() as u64;
    for entry in entries {
        entry["number"] = (entry["number"].as_u64().unwrap() + count).into();
    }
    server.publish("plants.staging.eve", forged.to_string().as_bytes());
    let notices = ann.run(&["team", "status", "--json"]).ended().json()["notices"].to_string();
    assert!(notices.contains("eve publishes as the journal of ann@"), "{notices}");
    assert_eq!([ann.ids(), bob.ids()], [[1, 2]; 2]);
}

#[test]
fn headers_of_a_message_say_nothing() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    for headers in [
        "NATS/1.0 404 Message Not Found\r\n\r\n",
        "NATS/1.0\r\nNats-Sequence: 1000000\r\nNats-Subject: plants.staging.ann\r\n\r\n",
        "\r\n\r\n",
    ] {
        server.publish_with_headers("plants.staging.mallory", headers, b"hello");
    }
    ann.add(1, "Fern");
    let (list, said) = bob.list();
    assert_eq!(list, [stored(1, "Fern")]);
    assert!(said.contains("3 messages of mallory were skipped"), "{said}");
}

#[test]
fn entries_wait_while_the_stream_is_full() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    let found = server.of_stream("INFO", "");
    let mut config = found["config"].clone();
    config["max_msgs"] = found["state"]["messages"].clone();
    server.of_stream("UPDATE", &config.to_string());
    ann.add(2, "Moss");
    assert_eq!(ann.ids(), [1, 2]);
    let problem = ann.problem();
    assert!(problem.contains("takes no entries") && problem.contains("maximum messages exceeded"), "{problem}");
    assert_eq!(bob.ids(), [1]);
    config["max_msgs"] = (-1).into();
    server.of_stream("UPDATE", &config.to_string());
    assert_eq!(ann.problem(), "");
    assert_eq!(bob.ids(), [1, 2]);
}

#[test]
fn a_plant_that_no_message_can_hold_holds_back_no_other() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::configured(streams.path(), "max_payload: 1024") else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    let mut random = fastrand::Rng::with_seed(1);
    let long: String = std::iter::repeat_with(|| random.alphanumeric()).take(8_000).collect();
    ann.add(1, &long);
    ann.add(2, "Moss");
    assert_eq!(ann.list().0, [stored(1, &long), stored(2, "Moss")]);
    let (list, said) = bob.list();
    let (start, _) = list[0].1.split_once("… (cut: 8000 bytes, ").unwrap();
    assert!(start.len() == 128 && long.starts_with(start) && list[1..] == [stored(2, "Moss")], "{list:?} {said}");
    ann.ended(&["team", "compact", "--all", "--yes"]);
    let carol = Person::new("carol", &store.base, &server.url()).joined();
    assert_eq!(carol.list().0, list);
    bob.ended(&["delete", "1", "--yes"]);
    for person in [&ann, &bob, &carol] {
        assert_eq!(person.list().0, [stored(2, "Moss")]);
    }
}

#[test]
fn a_stream_that_was_deleted_is_joined_again() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    bob.add(2, "Moss");
    assert_eq!(ann.ids(), [1, 2]);
    server.of_stream("DELETE", "");
    ann.add(3, "Reed");
    assert!(ann.problem().contains("plants team join creates it"), "{}", ann.problem());
    let bob = bob.joined();
    assert!(ann.problem().contains("plants team join joins it"), "{}", ann.problem());
    let ann = ann.joined();
    for person in [&bob, &ann] {
        assert_eq!(person.ids(), [1, 2, 3]);
        assert_eq!(person.problem(), "");
    }
}

/// Ann and Bob add three plants and read them; then the server loses all but the first, as one does that is killed before
/// it has written what it acknowledged. Also returns the number of the last message that both have read.
fn with_lost_end<'a>(streams: &Path, store: &'a Served) -> Option<(Nats, [Person<'a>; 2], u64)> {
    let server = Nats::in_folder(&streams.join("now"))?;
    let [ann, bob] = ann_and_bob(store, &server);
    ann.add(1, "Fern");
    let port = server.port;
    drop(server);
    let [now, before] = ["now", "before"].map(|name| streams.join(name));
    for (path, bytes) in crate::support::files_below(&now) {
        let copy = before.join(Path::new(&path).strip_prefix(&now).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, bytes).unwrap();
    }
    let server = Nats::again(&now, port);
    ann.add(2, "Moss");
    bob.add(3, "Reed");
    assert_eq!([ann.ids(), bob.ids()], [[1, 2, 3]; 2]);
    let read = last(&server);
    drop(server);
    Some((Nats::again(&before, port), [ann, bob], read))
}

/// The number of the last message of the stream.
fn last(server: &Nats) -> u64 {
    server.of_stream("INFO", "")["state"]["last_seq"].as_u64().unwrap()
}

/// A new member adds plants from 10 on, until the stream has more messages than were read before it lost some.
fn grown_past<'a>(read: u64, server: &Nats, store: &'a Served) -> Person<'a> {
    let new = Person::new("cleo", &store.base, &server.url()).joined();
    for id in 10.. {
        new.add(id, "Ivy");
        if last(server) > read {
            break;
        }
    }
    new
}

#[test]
fn what_a_server_loses_after_it_was_read_is_shared_again() {
    let streams = tempfile::tempdir().unwrap();
    let store = Served::calm();
    let Some((_server, [ann, bob], _)) = with_lost_end(streams.path(), &store) else { return };
    for _ in 0..2 {
        assert_eq!([ann.ids(), bob.ids()], [[1, 2, 3]; 2]);
    }
    ann.add(4, "Ivy");
    let new = Person::new("cleo", &store.base, &ann.servers).joined();
    for person in [&ann, &bob, &new] {
        assert_eq!(person.ids(), [1, 2, 3, 4]);
    }
}

#[test]
fn what_a_server_has_lost_is_noticed_when_its_stream_has_grown_again() {
    let streams = tempfile::tempdir().unwrap();
    let store = Served::calm();
    let Some((server, [ann, bob], read)) = with_lost_end(streams.path(), &store) else { return };
    let new = grown_past(read, &server, &store);
    let added = new.ids();
    assert!(!added.contains(&2) && last(&server) > read, "{added:?}");
    for person in [&ann, &bob] {
        person.ids();
    }
    let all = [vec![1, 2, 3], added[1..].to_vec()].concat();
    for person in [&ann, &bob, &new] {
        assert_eq!(person.ids(), all);
        assert_eq!(person.problem(), "");
    }
    // It is shared again once.
    let last_before = last(&server);
    for person in [&ann, &bob, &new] {
        assert_eq!(person.ids(), all);
    }
    assert_eq!(last(&server), last_before);
}

#[test]
fn a_keeper_notices_what_the_server_has_lost_before_it_compacts() {
    let streams = tempfile::tempdir().unwrap();
    let store = Served::calm();
    let Some((server, [ann, bob], read)) = with_lost_end(streams.path(), &store) else { return };
    let new = grown_past(read, &server, &store);
    let all = [vec![1, 2, 3], new.ids()[1..].to_vec()].concat();
    ann.ended(&["team", "compact", "--all", "--yes"]);
    let newest = Person::new("dan", &store.base, &ann.servers).joined();
    for person in [&newest, &new, &ann, &bob, &newest] {
        assert_eq!(person.ids(), all);
    }
}

#[test]
fn what_a_snapshot_lacks_is_shared_again_by_its_authors() {
    let streams = tempfile::tempdir().unwrap();
    let store = Served::calm();
    let Some((server, [ann, bob], read)) = with_lost_end(streams.path(), &store) else { return };
    let new = grown_past(read, &server, &store);
    let all = [vec![1, 2, 3], new.ids()[1..].to_vec()].concat();
    // She has not read what was lost.
    new.ended(&["team", "compact", "--all", "--yes"]);
    let newest = Person::new("dan", &store.base, &ann.servers).joined();
    for person in [&ann, &bob] {
        person.ids();
    }
    for person in [&newest, &new, &ann, &bob] {
        assert_eq!(person.ids(), all);
    }
}

#[test]
fn a_journal_that_was_restored_from_a_copy_goes_on_as_another_member() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    // The list moves the log of the add into the journal.
    assert_eq!(ann.ids(), [1]);
    let journal = ann.home.data().join("journal.db");
    let copy = fs::read(&journal).unwrap();
    ann.add(2, "Moss");
    assert_eq!([ann.ids(), bob.ids()], [[1, 2]; 2]);
    fs::write(&journal, copy).unwrap();
    let notices = ann.run(&["team", "status", "--json"]).ended().json()["notices"].to_string();
    assert!(notices.contains("it goes on as another member"), "{notices}");
    ann.add(3, "Reed");
    for person in [&ann, &bob] {
        assert_eq!(person.ids(), [1, 2, 3]);
        assert_eq!(person.problem(), "");
    }
}

#[test]
fn bodies_stay_on_the_machine_if_the_team_gets_none() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let ann = Person::with_profile("ann", &store.base, &server.url(), "team_bodies = false\n").joined();
    let bob = Person::new("bob", &store.base, &server.url()).joined();
    ann.add(1, "Fern");
    let requests = |person: &Person<'_>| person.ended(&["history", "--as", "markdown"]).stdout;
    let body = r#""name":"Fern""#;
    assert!(requests(&ann).contains(body), "{}", requests(&ann));
    assert_eq!(bob.list().0, [stored(1, "Fern")]);
    assert!(!requests(&bob).contains(body), "{}", requests(&bob));
}
