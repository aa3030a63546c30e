//! `plants resolve`: lists unknown plants and carries out decisions about them.

use serde_json::{Value, json};

use super::Home;
use crate::support::Ended;
use crate::support::raw::{RawStore, Reply};

/// Closes the connection without a response.
fn lost() -> Reply {
    Reply::Says(Vec::new())
}

fn respond(status: &str) -> Reply {
    Reply::of(status, "")
}

/// A store that loses this many responses, then sends these.
fn losing(count: usize, then: &[Reply]) -> RawStore {
    RawStore::replying([vec![lost(); count], then.to_vec()].concat())
}

/// Returns a home with unknown adds of these ids.
fn home_with_unknown(store: &RawStore, ids: &[&str]) -> Home {
    let home = Home::new();
    for id in ids {
        let add = ["add", "--id", id, "--name", &format!("plant {id}"), "--tag", "t"];
        home.plants_at(&store.url(), &add).ended().orderly(4);
    }
    home
}

fn resolve(home: &Home, store: &RawStore, arguments: &[&str], code: i32) -> Ended {
    home.plants_at(&store.url(), &[&["resolve"], arguments].concat()).ended().orderly(code)
}

/// Returns the plants of the list with their states.
fn states(home: &Home, store: &RawStore) -> Vec<(i64, String)> {
    home.states(&store.url()).into_iter().collect()
}

fn values(ended: &Ended) -> Vec<Value> {
    ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn unknown_plants_are_listed_with_operation_and_time() {
    let store = losing(3, &[respond("201 Created")]);
    let home = home_with_unknown(&store, &["7", "-8"]);
    home.plants_at(&store.url(), &["delete", "9", "--yes"]).ended().orderly(4);
    home.plants_at(&store.url(), &["add", "--id", "10", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    let listed = resolve(&home, &store, &["--json"], 0).json();
    let result = |plant: &Value| (plant["id"].clone(), plant["name"].clone(), plant["operation"].clone());
    let result: Vec<_> = listed.as_array().unwrap().iter().map(result).collect();
    let expected = [
        (json!(-8), json!("plant -8"), json!("add")),
        (json!(7), json!("plant 7"), json!("add")),
        (json!(9), Value::Null, json!("delete")),
    ];
    assert_eq!(result, expected);
    for plant in listed.as_array().unwrap() {
        assert_eq!(plant["state"], "unknown");
        assert!(plant["since"].as_str().unwrap().ends_with('Z'), "{plant}");
    }
    let ended = resolve(&home, &store, &[], 0);
    assert_eq!(ended.stdout.lines().count(), 4, "{ended:?}");
    assert!(ended.stdout.contains("(name not known)") && ended.stdout.starts_with("ID  UNKNOWN"));
    assert_eq!(resolve(&home, &store, &["--all", "--forget", "--yes"], 0).stdout, "");
    let ended = resolve(&home, &store, &["--json"], 0);
    assert_eq!(ended.stdout, "[]\n");
    assert!(ended.stderr.contains("No plant of ") && ended.stderr.contains(" is unknown."), "{ended:?}");
}

#[test]
fn stored_and_forget_are_recorded_and_nothing_is_sent() {
    let store = losing(3, &[]);
    let home = home_with_unknown(&store, &["7", "8", "9"]);
    let ended = resolve(&home, &store, &["7", "8", "7", "--stored", "--yes", "--json"], 0);
    let plant = |id: i64| json!({"name": format!("plant {id}"), "id": id, "tag": "t"});
    let result = |id: i64| {
        let message = format!("Marked plant {id} ({id}) as stored. Nothing was sent.");
        json!({"resolution": "stored", "resolved": true, "plant": plant(id), "state": "stored", "message": message})
    };
    assert_eq!(values(&ended), [result(7), result(8)]);
    let ended = resolve(&home, &store, &["--all", "--forget", "--yes", "--json"], 0);
    let message = "Removed plant 9 (9) from the list. Nothing was sent.";
    let result =
        json!({"resolution": "forget", "resolved": true, "plant": plant(9), "state": null, "message": message});
    assert_eq!(values(&ended), [result]);
    assert_eq!(states(&home, &store), [(7, "stored".to_owned()), (8, "stored".to_owned())]);
    assert_eq!(store.received().len(), 3);
}

#[test]
fn delete_and_resend_print_the_json_of_an_operation() {
    let store = losing(
        4,
        &[respond("204 No Content"), respond("404 Not Found"), lost(), respond("201 Created"), respond("409 Conflict")],
    );
    let home = home_with_unknown(&store, &["1", "2", "3", "4"]);
    for (arguments, code, outcome) in [
        (&["1", "--delete"][..], 0, "accepted"),
        (&["2", "--delete"], 1, "rejected"),
        (&["3", "--delete"], 4, "unknown"),
        (&["4", "--resend"], 0, "accepted"),
        (&["2", "--resend"], 1, "rejected"),
    ] {
        let ended = resolve(&home, &store, &[arguments, &["--yes", "--json"]].concat(), code);
        let result = ended.json();
        assert_eq!((&result["outcome"], result["operation"].is_string()), (&json!(outcome), true), "{result}");
        assert!(result["plant"]["name"].is_string() && result["elapsed_ms"].is_f64(), "{result}");
        assert_eq!(ended.stderr.contains("may then be stored twice"), arguments[1] == "--resend", "{ended:?}");
    }
    let unknown = |id| (id, "unknown".to_owned());
    assert_eq!(states(&home, &store), [unknown(2), unknown(3), (4, "stored".to_owned())]);
    let method = |request: &String| request.split(' ').next().unwrap().to_owned();
    let methods: Vec<_> = store.received().iter().skip(4).map(method).collect();
    assert_eq!(methods, ["DELETE", "DELETE", "DELETE", "POST", "POST"]);
}

#[test]
fn the_gravest_of_many_outcomes_is_the_exit_code() {
    let store = losing(12, &[respond("409 Conflict"), respond("201 Created"), lost(), respond("201 Created")]);
    let ids: Vec<_> = (1..=12).map(|id| id.to_string()).collect();
    let home = home_with_unknown(&store, &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let ended = resolve(&home, &store, &["--all", "--resend", "--yes", "--json"], 4);
    let result = values(&ended);
    assert_eq!(result.len(), 12);
    let count = |outcome: &str| result.iter().filter(|result| result["outcome"] == outcome).count();
    assert_eq!((count("accepted"), count("rejected"), count("unknown")), (10, 1, 1));
    assert_eq!(states(&home, &store).iter().filter(|(_, state)| state == "unknown").count(), 2);
}

#[test]
fn ids_that_are_not_unknown_are_an_error_before_anything_is_done() {
    let store = losing(1, &[respond("201 Created")]);
    let home = home_with_unknown(&store, &["7"]);
    home.plants_at(&store.url(), &["add", "--id", "8", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    let others = "Fern (8) is stored, 99 is not in the list. plants resolve lists the unknown ones. Nothing was done.";
    let to_forget = "can be forgotten: 99 is not in the list. Nothing was done.";
    for (how, why) in [("--stored", others), ("--forget", to_forget), ("--delete", others), ("--resend", others)] {
        let ended = resolve(&home, &store, &["7", "8", "99", how, "--yes", "--json"], 2);
        assert!(ended.stdout.is_empty(), "{ended:?}");
        assert!(ended.stderr.contains(why), "{ended:?}");
    }
    assert_eq!(states(&home, &store), [(7, "unknown".to_owned()), (8, "stored".to_owned())]);
    assert_eq!(store.received().len(), 2);
}

#[test]
fn wrong_usage_of_resolve_is_reported_and_nothing_is_done() {
    let store = losing(1, &[]);
    let home = home_with_unknown(&store, &["7"]);
    for (arguments, result) in [
        (&["7", "--stored"][..], "--yes"),
        (&["--all", "--delete"], "--yes"),
        (&["--stored", "--yes"], "--all"),
        (&["7"], "--stored, --forget, --delete or --resend"),
        (&["--all"], "--stored, --forget, --delete or --resend"),
        (&["7", "--all", "--stored", "--yes"], "--all"),
        (&["7", "--stored", "--forget", "--yes"], "--forget"),
        (&["7", "--match", "tag:t", "--forget", "--yes"], "--match"),
        (&["--match", "tag:t"], "--stored, --forget, --delete or --resend"),
        (&["--match", "tag:t", "--forget"], "--yes"),
        (&["--match", "", "--forget", "--yes"], "it is empty"),
        (&["--match", " | ", "--forget", "--yes"], "it is empty"),
        (&["--match", " tag:", "--forget", "--yes"], "tag: has no value"),
        (&["--match", "state:unknown tag:", "--forget", "--yes"], "tag: has no value"),
        (&["--match", "color:red", "--forget", "--yes"], "no field color"),
        (&["x", "--stored", "--yes"], "x"),
        (&["7", "--delete", "--yes", "--read-only"], "read-only"),
        (&["7", "--resend", "--yes", "--read-only"], "read-only"),
    ] {
        let ended = resolve(&home, &store, arguments, 2);
        assert!(ended.stderr.contains(result) && ended.stdout.is_empty(), "{arguments:?}: {ended:?}");
    }
    assert_eq!(states(&home, &store), [(7, "unknown".to_owned())]);
    // --stored sends nothing, and works with --read-only.
    resolve(&home, &store, &["7", "--stored", "--yes", "--read-only"], 0);
    assert_eq!((states(&home, &store), store.received().len()), (vec![(7, "stored".to_owned())], 1));
}

/// Returns a home with plants of these ids, stored but for the last one, which is unknown.
fn home_with_stored(store: &RawStore, ids: &[&str]) -> Home {
    let home = Home::new();
    for id in ids {
        let add = ["add", "--id", id, "--name", &format!("plant {id}"), "--tag", &format!("t{id}")];
        home.plants_at(&store.url(), &add).ended().orderly(if Some(id) == ids.last() { 4 } else { 0 });
    }
    home
}

#[test]
fn stored_plants_are_forgotten_by_id_and_by_query() {
    let created = || respond("201 Created");
    let store = RawStore::replying(vec![created(), created(), created(), lost()]);
    let home = home_with_stored(&store, &["1", "2", "3", "9"]);
    let ended = resolve(&home, &store, &["1", "--forget", "--yes", "--json"], 0);
    let plant = json!({"name": "plant 1", "id": 1, "tag": "t1"});
    let message = "Removed plant 1 (1) from the list. Nothing was sent.";
    let result = json!({"resolution": "forget", "resolved": true, "plant": plant, "state": null, "message": message});
    assert_eq!(values(&ended), [result]);
    let stored = |id| (id, "stored".to_owned());
    assert_eq!(states(&home, &store), [stored(2), stored(3), (9, "unknown".to_owned())]);
    // Without --forget, a query names the unknown ones among the plants that match.
    resolve(&home, &store, &["--match", "plant !id:9", "--stored", "--yes"], 0);
    resolve(&home, &store, &["--match", "tag:t2 tag:t", "--forget", "--yes"], 0);
    assert_eq!(states(&home, &store), [stored(3), (9, "unknown".to_owned())]);
    // --all means all unknown ones, also here.
    resolve(&home, &store, &["--all", "--forget", "--yes"], 0);
    assert_eq!(states(&home, &store), [stored(3)]);
    let ended = resolve(&home, &store, &["--match", "state:stored", "--forget"], 2);
    assert!(ended.stderr.contains("--yes"), "{ended:?}");
    resolve(&home, &store, &["--match", "state:stored", "--forget", "--yes"], 0);
    assert_eq!((states(&home, &store), store.received().len()), (vec![], 4));
}

#[test]
fn those_that_a_gateway_made_unknown_are_resolved_together() {
    let of = |status| respond(status);
    let store = RawStore::replying(vec![
        of("502 Bad Gateway"),
        lost(),
        of("503 Service Unavailable"),
        of("504 Gateway Timeout"),
        of("500 Internal Server Error"),
    ]);
    let home = home_with_unknown(&store, &["1", "2", "3", "4", "5"]);
    let gateway = ["--match", "status:502 status:503 status:504", "--forget", "--yes"];
    resolve(&home, &store, &gateway, 0);
    let unknown = |id| (id, "unknown".to_owned());
    assert_eq!(states(&home, &store), [unknown(2), unknown(5)]);
    resolve(&home, &store, &["--match", "status:5xx", "--stored", "--yes"], 0);
    assert_eq!(states(&home, &store), [unknown(2), (5, "stored".to_owned())]);
}

#[test]
fn five_unknown_outcomes_in_a_row_stop_a_resolve_unless_it_keeps_going() {
    let ids: Vec<_> = (1..=20).map(|id| id.to_string()).collect();
    let ids: Vec<_> = ids.iter().map(String::as_str).collect();
    for how in ["--resend", "--delete"] {
        let store = losing(20, &[respond("503 Service Unavailable")]);
        let home = home_with_unknown(&store, &ids);
        store.arrived_so_far();
        let ended = resolve(&home, &store, &["--all", how, "--yes", "--json"], 4);
        let sent = store.arrived_so_far().len();
        assert!((5..=5 + 7).contains(&sent), "{sent}");
        assert_eq!(values(&ended).len(), sent);
        let left = format!("{} plants are left as before: nothing more was sent.", 20 - sent);
        assert!(ended.stderr.contains(&left) && ended.stderr.contains("--keep-going"), "{ended:?}");
        resolve(&home, &store, &["--all", how, "--yes", "--keep-going"], 4);
        assert_eq!(store.received().len(), 20);
    }
}
