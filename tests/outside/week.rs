//! A working week: three people in a team, at two stores that lose, repeat and delay, with kills, restarts, days without
//! a network, a full disk, a lost laptop, and journals of an earlier release. At its end every list is what the stores
//! have, and the history is what they received.
//!
//! `cargo test --test outside week -- --ignored --nocapture` prints the seed and the figures. `PLANTS_WEEK_SEED` makes
//! another week; `PLANTS_WEEK` is the number of operations, at least 100.

#![expect(clippy::print_stdout, reason = "prints the seed and the figures with --nocapture")]

mod office;

use std::collections::BTreeMap;
use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::check::faults::Faults;
use crate::check::odd::Received;
use crate::secrets::{CANARY, assert_no_token_below};
use crate::support::Home;
use crate::support::extent::number_in;
use office::{ANN, BOB, CLEO, Office, PEOPLE, Person, STORES, STORM, STRANGERS, ends, token};

#[test]
#[ignore = "takes a minute"]
fn a_week_of_three_people_ends_with_the_truth() {
    let operations = usize::try_from(number_in("PLANTS_WEEK").unwrap_or(2000)).unwrap();
    let seed = number_in("PLANTS_WEEK_SEED").unwrap_or(1);
    println!("PLANTS_WEEK={operations} PLANTS_WEEK_SEED={seed}");
    let Some(mut office) = Office::new(seed) else { return };
    for day in [monday, tuesday, wednesday, thursday, friday].into_iter().zip(1..) {
        let (work, number) = day;
        work(&mut office, number * operations / 5);
        office.evening();
        println!("day {number}: {} operations, {:?}", office.operations.get(), office.figures.borrow());
    }
    truth(&office);
}

/// The first day. The stores and the network are well; many plants are imported, while the stores are checked.
fn monday(office: &mut Office, until: usize) {
    for at in 0..STORES.len() {
        // Ann has plants before there is a team.
        let file = office.file(ANN, at, until / 40);
        office.does(ANN, at, &["import", &file]);
        for who in 0..PEOPLE.len() {
            office.does(who, at, &["team", "join", "--yes"]);
        }
        // Nothing is sent without an answer to the check's question, or where a store is read-only.
        let before = office.stores[at].requests().len();
        office.run(ANN, at, &["check"]).ended().orderly(2);
        office.run(ANN, at, &["--read-only", "add", "--id", "1", "--name", "Fern", "--tag", "t"]).ended().orderly(2);
        assert_eq!(office.stores[at].requests().len(), before);
    }
    let imports = office.import_all(until / 10);
    for at in 0..STORES.len() {
        let report = office.does(ANN, at, &["check", "--yes", "--pace", "0s", "--json"]).orderly(0).json();
        assert_eq!(report["leftovers"], json!([]));
        // A plant of a stranger is deleted by its id.
        office.does(BOB, at, &["delete", &STRANGERS.to_string(), "--yes", "--json"]).orderly(0);
    }
    for (who, at, file) in office.finish(imports) {
        // What is stored is not sent again.
        let again = office.does(who, at, &["import", "--json", &file]).orderly(0);
        assert!(again.stdout.lines().count() == 1 && !again.stdout.contains("\"already_stored\":0"), "{again:?}");
    }
    office.work(until);
}

/// Responses are lost, programs are killed, the team's server restarts. Cleo works without the team.
fn tuesday(office: &mut Office, until: usize) {
    office.people[CLEO].is_away.set(true);
    office.bad_day();
    for who in 0..PEOPLE.len() {
        office.killed_import(who, office.pick(2), until / 20);
    }
    let imports = office.import_all(until / 60);
    office.stop_team();
    office.finish(imports);
    office.start_team();
    office.work(until);
    office.good_day();
    for at in 0..STORES.len() {
        office.kill(ANN, at, &["check", "--yes", "--pace", "0s"], 10);
    }
}

/// Everybody installs the next release of the program. The team's server is down, and the stores are for a while.
fn wednesday(office: &mut Office, until: usize) {
    office.everybody_is_back();
    office.stop_team();
    let version = |conn: &Connection| conn.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0)).unwrap();
    for (who, person) in office.people.iter().enumerate() {
        let list = || office.does(who, 0, &["list", "--json"]).stdout;
        let before = list();
        let journal = Connection::open(person.home.data().join("journal.db")).unwrap();
        let now = version(&journal);
        let back = "ALTER TABLE store DROP COLUMN missing; ALTER TABLE store DROP COLUMN folded_at; \
            PRAGMA user_version = 1; PRAGMA journal_mode = DELETE";
        journal.execute_batch(back).unwrap();
        drop(journal);
        let version = || version(&Connection::open(person.home.data().join("journal.db")).unwrap());
        person.home.plants(&["journal", "backup", "before.db"]).ended().orderly(0);
        assert_eq!(version(), 1, "a copy is made without a change");
        assert_eq!(list(), before);
        assert!(version() == now && now > 1);
        office.kill(who, 0, &["add", "--id", "77", "--name", "Fern", "--tag", "t"], 1);
        office.resolve(who, 0);
        office.does(who, 0, &["delete", "77", "--json", "--yes"]).orderly(0);
    }
    office.bad_day();
    let imports = office.import_all(until / 60);
    for store in &mut office.stores {
        store.stop();
    }
    let imports = office.finish(imports);
    for (who, at, file) in &imports {
        let words = ["import", "--json", "--keep-going", file];
        let ended = office.does(*who, *at, &words);
        let summary: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
        let sent = ["accepted", "rejected", "unknown"].map(|outcome| summary["summary"][outcome].as_u64().unwrap());
        assert_eq!(sent, [0; 3], "nothing reached the store: {ended:?}");
    }
    for store in &mut office.stores {
        store.start();
    }
    for (who, at, file) in &imports {
        office.does(*who, *at, &["import", "--json", "--keep-going", file]);
    }
    office.work(until);
    office.start_team();
}

/// A store loses every response; Bob's disk is full; plants go from one store to the other.
fn thursday(office: &mut Office, until: usize) {
    office.stores[0].set_faults(Some(Faults::new(1, STORM)));
    let file = office.file(CLEO, 0, 20 + until / 40);
    let stopped = office.does(CLEO, 0, &["import", "--json", &file]).orderly(4);
    assert!(stopped.stdout.contains("\"halted\":\""), "five unknown outcomes in a row stop it: {stopped:?}");
    let unknown = office.does(CLEO, 0, &["history", "outcome:unknown", "--json"]).json();
    assert!(unknown.as_array().unwrap().len() >= 5);
    office.bad_day();
    office.resolve(CLEO, 0);
    office.does(CLEO, 0, &["import", "--json", "--keep-going", &file]);
    full_disk(office, until / 20);
    office.good_day();
    for who in 0..PEOPLE.len() {
        let exported = office.people[who].home.path().join("files/exported.csv");
        let exported = exported.to_str().unwrap();
        office.does(who, 0, &["export", exported, "--force"]).orderly(0);
        let again = office.does(who, 0, &["import", exported, "--json"]);
        assert!(again.stdout.contains("\"accepted\":0,") && again.stdout.contains("\"rejected\":0,"), "{again:?}");
        office.does(who, 1, &["import", exported, "--json", "--keep-going"]);
    }
    office.bad_day();
    office.killed_import(BOB, 1, until / 40);
    office.work(until);
    office.does(BOB, 0, &["journal", "backup", &copy_of_bob(office), "--json"]).orderly(0);
}

/// The file on which Bob keeps a copy of his journal.
fn copy_of_bob(office: &Office) -> String {
    office.people[ANN].home.path().join("files/bob.db").to_str().unwrap().to_owned()
}

/// Imports so many rows on a disk that has no room for them, then with room.
fn full_disk(office: &Office, rows: usize) {
    let (data, file) = (office.people[BOB].home.data(), office.file(BOB, 1, rows));
    let Some(unshare) = crate::bad_places::unshare(&data) else { return };
    let script = r#"
        set -e
        cp -a "$1" "$1.saved"
        mount -t tmpfs -o size=$(($(du -sk "$1" | cut -f1) + 64))k none "$1"
        cp -a "$1.saved/." "$1"
        "$0" import "$2" --json --keep-going || true
        mount -o remount,size=64m "$1"
        "$0" import "$2" --json --keep-going || true
        cp -a "$1/." "$1.saved""#;
    let plants = env!("CARGO_BIN_EXE_plants");
    let words = [unshare, &["sh", "-c", script, plants, data.to_str().unwrap(), &file]].concat();
    let ended =
        office.note(BOB, 1, office.in_office(BOB, 1, office.people[BOB].home.program("unshare", &words)).ended());
    assert!(ended.stderr.contains("no room to write the journal"), "{ended:?}");
    fs::remove_dir_all(&data).unwrap();
    fs::rename(data.with_extension("saved"), &data).unwrap();
    office.count("full disks", 1);
}

/// Bob has a new laptop. Nothing stays unknown.
fn friday(office: &mut Office, until: usize) {
    office.bad_day();
    office.work(until - 10);
    office.sync(0);
    office.sync(1);
    let copy = copy_of_bob(office);
    let lost = std::mem::replace(&mut office.people[BOB], Person::new(BOB, &office.stores));
    office.people[BOB].continue_after(&lost);
    drop(lost);
    office.does(BOB, 0, &["journal", "restore", &copy, "--yes"]).orderly(0);
    office.work(until);
}

/// The claims of the README, and what asserts each:
///
/// | claim | asserted by |
/// | --- | --- |
/// | records every operation on disk before its request leaves | `assert_history`: what the store received, after kills and on a full disk |
/// | and every response before it is shown | `assert_history`: what people were told |
/// | an operation without a clear result is unknown until you decide; never guesses | `Office::assert_lists`, each evening |
/// | lists the plants that were added from here; deletes one that others added | the same; `monday` |
/// | the History lists every request, with both messages as they were on the wire | `assert_history`, `assert_wire` |
/// | accepted: 2xx; rejected: 3xx, 4xx except 408; unknown; not sent: nothing reached the store | `assert_history`; `wednesday` |
/// | import: run it again to send only what is missing | `monday`, `wednesday`, `full_disk` |
/// | the check: 15 rules, 36 places; only plants of its own; asks before it starts | `Office::check`, each evening; `monday` |
/// | resolve: send it again, delete the plant, mark it as stored, or forget it | `Office::resolve` |
/// | `journal backup` saves a copy, `journal restore` brings it back | `thursday`, `friday` |
/// | `--read-only` sends nothing that changes a store | `monday` |
/// | a token goes only to the store that it was given for, and is never shown or stored | below; `Office::note` |
///
/// Other tests prove what the README says of screens, the tour, languages, plain mode, settings and speed.
fn truth(office: &Office) {
    for at in 0..STORES.len() {
        assert_eq!(office.assert_lists(at), 0, "nothing is unknown any more");
        let requests = office.stores[at].requests();
        let other = token(1 - at);
        let has_other = |request: &Received| request.authorization.as_ref().is_some_and(|sent| sent.contains(&other));
        assert!(!requests.iter().any(has_other));
        assert_history(office, at, &requests);
        office.count("requests at the stores", requests.len());
    }
    for person in &office.people {
        assert_no_token_below(&person.home, "a week");
        assert_sound(&person.home);
    }
    let server = office.server.borrow();
    let server = server.as_ref().unwrap();
    let messages = server.of_stream("INFO", "")["state"]["last_seq"].as_u64().unwrap();
    office.count("messages of the team about staging", usize::try_from(messages).unwrap());
    assert!((1..=messages).all(|number| !server.message(number).contains(CANARY)));
    println!("{:#?}", office.figures.borrow());
}

/// Asserts that each person's history has what a store received and what people were told, and claims no more.
fn assert_history(office: &Office, at: usize, requests: &[Received]) {
    let received = counted(requests, |_| true);
    let accepted = counted(requests, |status| matches!(status, Some(200..300)));
    let rejected = counted(requests, |status| matches!(status, Some(300..=407 | 409..=499)));
    for (who, name) in PEOPLE.iter().enumerate() {
        let history = office.does(who, at, &["history", "--complete", "--json"]).json();
        let known = ends(history.as_array().unwrap());
        let mut sent = BTreeMap::new();
        for ((is_add, id, outcome), count) in &known {
            *sent.entry((*is_add, *id)).or_insert(0) += if outcome == "not_sent" { 0 } else { *count };
            let most = match outcome.as_str() {
                "accepted" => accepted.get(&(*is_add, *id)),
                "rejected" => rejected.get(&(*is_add, *id)),
                _ => Some(&usize::MAX),
            };
            assert!(Some(count) <= most, "{name}: {id} is {outcome} {count} times, and at the store {most:?} times");
        }
        for (what, count) in &received {
            assert!(sent.get(what) >= Some(count), "{name}: {what:?} was received {count} times");
        }
        for (end, count) in &office.reported.borrow()[at] {
            let is_kept = known.get(end) >= Some(count);
            assert!(is_kept, "{name}: {end:?} was reported {count} times: {}", office.story(who, at, end.1));
        }
        for outcome in ["accepted", "rejected", "unknown", "not_sent"] {
            let all = known.iter().filter(|((_, _, ended), _)| ended == outcome).map(|(_, count)| count).sum();
            assert!(all > 0, "{outcome}");
            if who == ANN {
                office.count(outcome, all);
            }
        }
        assert_wire(office, who, at, &history, requests);
    }
}

/// Asserts that the newest adds of a history have the bodies that the store received.
fn assert_wire(office: &Office, who: usize, at: usize, history: &Value, requests: &[Received]) {
    let adds = history.as_array().unwrap().iter().filter(|entry| entry["operation"] == "add" && entry["status"] == 201);
    for entry in adds.take(10) {
        let kept = office.run(who, at, &["history", "--json", &entry["number"].to_string()]).ended().json();
        let is_it = |request: &Received| request.responded == Some(201) && kept["request"]["body"] == request.body;
        assert!(requests.iter().any(is_it), "{kept:#}");
        let response: Value = serde_json::from_str(kept["response"]["body"].as_str().unwrap()).unwrap();
        assert_eq!(response, json!({"name": entry["plant"]["name"], "tag": entry["plant"]["tag"]}));
    }
}

/// Counts the requests of people, not of checks, by whether they are adds, and their ids.
fn counted(requests: &[Received], has: impl Fn(Option<u16>) -> bool) -> BTreeMap<(bool, i64), usize> {
    let mut counts = BTreeMap::new();
    for request in requests.iter().filter(|request| has(request.responded)) {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let id = request.path.strip_prefix("/plants/").map_or(body["id"].as_i64(), |id| id.parse().ok());
        if let Some(id) = id.filter(|id| (1..STRANGERS + 5).contains(id)) {
            *counts.entry((request.method == "POST", id)).or_default() += 1;
        }
    }
    counts
}

/// Asserts that a journal is sound, and was never set aside as damaged.
fn assert_sound(home: &Home) {
    let copy = home.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    home.plants(&["journal", "backup", copy]).ended().orderly(0);
    home.plants(&["journal", "verify", copy]).ended().orderly(0);
    let damaged = fs::read_dir(home.data()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let damaged: Vec<_> = damaged.filter(|name| name.contains("damaged") || name.contains("corrupt")).collect();
    assert!(damaged.is_empty(), "{damaged:?}");
}
