//! Two people who share a store over real NATS servers.

mod access;
mod compact;
mod documented;
mod failures;
mod sync;

use serde_json::Value;

use crate::support::extent;
use crate::support::nats::Nats;
use crate::support::served::Served;
use crate::support::{Ended, Home, Run, end_of};

/// The token for the store, which must never reach the team.
const TOKEN: &str = "demo";

/// A person with a journal, at a store, in a team.
pub(crate) struct Person<'a> {
    pub(crate) home: Home,
    name: &'static str,
    base: &'a str,
    /// The profile that names the store, instead of its base URL.
    profile: Option<&'static str>,
    servers: String,
}

impl<'a> Person<'a> {
    fn new(name: &'static str, base: &'a str, servers: &str) -> Self {
        Self { home: Home::new(), name, base, profile: None, servers: servers.to_owned() }
    }

    /// A person who names the store by a profile, with these lines beside its token.
    fn with_profile(name: &'static str, base: &'a str, servers: &str, lines: &str) -> Self {
        let person = Self { profile: Some("staging"), ..Self::new(name, base, servers) };
        let token = "token_command = [\"echo\", \"demo\"]";
        person.home.config(format!("[profile.staging]\nbase_url = {base:?}\n{token}\n{lines}"));
        person
    }

    /// The same person, whose servers are these.
    pub(crate) fn over(self, servers: String) -> Self {
        Self { servers, ..self }
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        let run = match self.profile {
            Some(profile) => self.home.plants(words).env("PLANTS_PROFILE", profile),
            None => self.home.plants_at(self.base, words),
        };
        run.env("USER", self.name).env("PLANTS_TEAM", &self.servers).env("PLANTS_TEAM_STORE", "staging")
    }

    pub(crate) fn ended(&self, words: &[&str]) -> Ended {
        self.run(words).ended().orderly(0)
    }

    fn joined(self) -> Self {
        self.ended(&["team", "join", "--yes"]);
        self
    }

    /// Joins as the first in a cluster of three, whose leader may not know the other servers yet.
    fn first_in_cluster(self) -> Self {
        let join = || self.run(&["team", "join", "--yes", "--json"]).ended();
        let mut last = join();
        for _ in 0..20 {
            if last.code == Some(0) {
                break;
            }
            last = join();
        }
        assert_eq!(last.orderly(0).json()["copies"], 3);
        self
    }

    fn add(&self, id: i64, name: &str) {
        self.ended(&["add", "--id", &id.to_string(), "--name", name, "--tag", "t"]);
    }

    /// The list, and what is said beside it.
    pub(crate) fn list(&self) -> (Vec<(i64, String, String)>, String) {
        let ended = self.ended(&["list", "--json"]);
        let rows: Value = ended.json();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let row = |row: &Value| (row["id"].as_i64().unwrap(), text(row, "name"), text(row, "state"));
        (rows.as_array().unwrap().iter().map(row).collect(), ended.stderr)
    }
}

/// Two people in the team of a server.
pub(crate) fn ann_and_bob<'a>(store: &'a Served, server: &Nats) -> [Person<'a>; 2] {
    ["ann", "bob"].map(|name| Person::new(name, &store.base, &server.url()).joined())
}

fn stored(id: i64, name: &str) -> (i64, String, String) {
    (id, name.to_owned(), "stored".to_owned())
}

#[test]
fn everybody_has_the_plants_of_the_others() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let ann = Person::new("ann", &store.base, &server.url());
    ann.add(1, "Old");
    let ann = ann.joined();
    let bob = Person::new("bob", &store.base, &server.url()).joined();
    assert_eq!(bob.list().0, [stored(1, "Old")]);
    bob.add(2, "Fern");
    ann.ended(&["delete", "1", "--yes"]);
    for person in [&ann, &bob] {
        assert_eq!(person.list(), (vec![stored(2, "Fern")], String::new()));
    }
    // The next free id and the history count both.
    let history: Value = ann.ended(&["history", "--json"]).json();
    let authors: Vec<_> = history.as_array().unwrap().iter().map(|line| line["author"].clone()).collect();
    assert!(
        authors.len() == 3 && authors.iter().any(|author| author.as_str().is_some_and(|name| name.starts_with("bob@")))
    );
    let status = ann.ended(&["team", "status", "--json"]).json();
    assert_eq!(status["stream"], "PLANTS_staging");
    assert_eq!((&status["people"], &status["online"], &status["to_publish"]), (&2.into(), &true.into(), &0.into()));
    let published: String = (1..=server.of_stream("INFO", "")["state"]["last_seq"].as_u64().unwrap())
        .map(|number| server.message(number))
        .collect();
    let has = |part: &str| published.contains(part);
    assert!(has("Fern") && has("Bearer *") && !has(&format!("Bearer {TOKEN}")), "the team never gets the token");
}

#[test]
fn a_delete_knows_the_plant_that_another_has_added_a_moment_ago() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    ann.add(1, "Fern");
    let deleted = bob.ended(&["delete", "1", "--yes"]);
    assert!(deleted.stderr.contains("Fern"), "{deleted:?}");
    for person in [&ann, &bob] {
        assert_eq!(person.list().0, []);
    }
}

#[test]
fn what_was_done_without_the_team_reaches_it_later() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let (port, url) = (server.port, server.url());
    let store = Served::calm();
    let ann = Person::new("ann", &store.base, &url).joined();
    let bob = Person::new("bob", &store.base, &url).joined();
    drop(server);
    ann.add(1, "Fern");
    let (list, said) = ann.list();
    assert_eq!(list, [stored(1, "Fern")]);
    assert!(said.contains("Without the latest entries of the team"), "{said}");
    let _server = Nats::again(streams.path(), port);
    // A list publishes and follows.
    assert_eq!(ann.list().0, [stored(1, "Fern")]);
    assert_eq!(bob.list(), (vec![stored(1, "Fern")], String::new()));
}

#[test]
fn adds_that_did_not_know_of_each_other_are_unknown_until_somebody_resolves_them() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let (port, url) = (server.port, server.url());
    // The same store under two base URLs would reject the second add; two stores accept both.
    let (one, two) = (Served::calm(), Served::calm());
    let ann = Person::new("ann", &one.base, &url).joined();
    let bob = Person::new("bob", &two.base, &url).joined();
    drop(server);
    ann.add(7, "Monstera");
    bob.add(7, "Fern");
    let _server = Nats::again(streams.path(), port);
    ann.list();
    bob.list();
    for person in [&ann, &bob] {
        assert_eq!(person.list().0.first().map(|(id, _, state)| (*id, state.as_str())), Some((7, "unknown")));
    }
    let listed = ann.ended(&["resolve"]);
    assert!(listed.stdout.contains("bob@"), "{listed:?}");
    ann.ended(&["resolve", "7", "--stored", "--yes"]);
    for person in [&bob, &ann] {
        assert_eq!(person.list().0.first().map(|(id, _, state)| (*id, state.as_str())), Some((7, "stored")));
    }
}

#[test]
fn garbage_and_messages_of_newer_releases_are_skipped() {
    let streams = tempfile::tempdir().unwrap();
    let Some(server) = Nats::in_folder(streams.path()) else { return };
    let store = Served::calm();
    let [ann, bob] = ann_and_bob(&store, &server);
    let no_number = b"{\"v\":1,\"journal\":1,\"entries\":[{\"known\":0}]}";
    for garbage in [&b"hello"[..], b"", b"{\"v\":1}", no_number, b"\xff"] {
        server.publish("plants.staging.mallory", garbage);
    }
    server.publish("plants.staging.mallory", &vec![b'x'; 900_000]);
    server.publish("plants.staging", b"no author");
    server.publish("plants.other.mallory", b"{\"v\":9}");
    ann.add(1, "Fern");
    let (list, said) = bob.list();
    assert_eq!(list, [stored(1, "Fern")]);
    assert!(said.contains("6 messages of mallory were skipped"), "{said}");
    server.publish("plants.staging.newer", b"{\"v\":2,\"later\":true}");
    ann.add(2, "Moss");
    let (list, said) = bob.list();
    assert_eq!(list, [stored(1, "Fern"), stored(2, "Moss")]);
    assert!(said.contains(" of newer was skipped: it is from a newer release of plants: update plants."), "{said}");
    // Both are still known.
    for author in ["mallory", "newer"] {
        assert!(bob.notices().contains(author), "{}", bob.notices());
    }
    bob.lacks_entries();
    // Neither stops the publishing.
    bob.add(3, "Reed");
    assert_eq!(ann.list().0, [stored(1, "Fern"), stored(2, "Moss"), stored(3, "Reed")]);
}

#[test]
fn a_team_needs_a_name_for_a_store_on_this_machine_and_tls_off_it() {
    let home = Home::new();
    let unnamed = home.plants_at("http://127.0.0.1:9", &["list"]).env("PLANTS_TEAM", "nats://127.0.0.1:9").ended();
    assert!(unnamed.orderly(2).stderr.contains("team_store"));
    let secret =
        home.plants_at("https://plants.example", &["list", "--team", "nats://user:secret@nats.example"]).ended();
    let secret = secret.orderly(2);
    assert!(secret.stderr.contains("team_password_command") && !secret.stderr.contains("secret"), "{secret:?}");
    let without_team = home.plants_at("https://plants.example", &["team", "status"]).ended();
    assert!(without_team.orderly(2).stderr.contains("no team is configured"));
}

/// A server of three is killed while two people import; nothing is lost, and both have what the store has.
#[test]
fn a_cluster_that_loses_a_server_loses_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let Some([first, second, third]) = Nats::cluster(folder.path()) else { return };
    let all = [&first, &second, &third].map(Nats::url).join(",");
    let store = Served::calm();
    let ann = Person::new("ann", &store.base, &all).first_in_cluster();
    let bob = Person::new("bob", &store.base, &all).joined();
    let rows = if extent::is_long() { 5_000 } else { 300 };
    let table = |from: usize| {
        let rows = (from..from + rows).map(|id| format!("{id},plant {id},t\n"));
        format!("id,name,tag\n{}", rows.collect::<String>())
    };
    let import = |person: &Person<'_>, from: usize| {
        let file = person.home.write("plants.csv", table(from));
        person.run(&["import", file.to_str().unwrap()]).begun()
    };
    let (one, two) = (import(&ann, 1), import(&bob, 100_001));
    drop(third);
    for child in [one, two] {
        end_of(child).orderly(0);
    }
    // Each publishes the rest, then reads that of the other.
    // Both publish, then both read what the other published last.
    for person in [&ann, &bob, &ann, &bob] {
        let mut seen = Vec::new();
        let has_all = |seen: &mut Vec<Value>| {
            let ended = person.run(&["team", "status", "--json"]).ended();
            seen.push(ended.json());
            ended.code == Some(0) && seen.last().is_some_and(|status| status["to_publish"] == 0)
        };
        assert!((0..60).any(|_| has_all(&mut seen)), "{seen:?}");
    }
    let (of_ann, of_bob) = (ann.list().0, bob.list().0);
    assert_eq!(of_ann.len(), 2 * rows);
    assert!(of_ann == of_bob && of_ann.iter().all(|(_, _, state)| state == "stored"));
    let accepted = store.log().iter().filter(|line| line.ends_with("201")).count();
    assert_eq!(accepted, 2 * rows);
}
