//! Deletes of many: by id, by name, by query and from standard input.

use super::*;
use crate::support::Ended;

fn home_with(store: &Served) -> Home {
    let home = Home::new();
    home.write(
        "plants.csv",
        "name,id,tag\nFern,1,shade\nMoss,2,shade\nAloe,3,desert\nCactus,4,desert\n\"Big fern\",5,shade\n",
    );
    home.plants_at(&store.base, &["import", "plants.csv"]).ended().orderly(0);
    home
}

fn ids(home: &Home, store: &Served) -> Vec<i64> {
    let list = home.plants_at(&store.base, &["list", "--json"]).ended().orderly(0).json();
    list.as_array().unwrap().iter().map(|plant| plant["id"].as_i64().unwrap()).collect()
}

#[test]
fn plants_are_deleted_by_id_by_name_and_from_standard_input() {
    let store = Served::calm();
    let home = home_with(&store);
    let delete =
        |arguments: &[&str]| home.plants_at(&store.base, &[&["delete", "--yes", "--json"], arguments].concat());
    let ended = delete(&["1", "moss", "1"]).ended().orderly(0);
    assert_eq!(ended.stdout.lines().count(), 2, "each once: {ended:?}");
    assert_eq!(ids(&home, &store), [3, 4, 5]);
    let ended = delete(&["-"]).stdin("\u{feff}3\n 4 99\n").ended().orderly(1);
    assert!(ended.stderr.contains("Of 3: 2 accepted, 1 rejected."), "{ended:?}");
    assert_eq!(ended.stdout.lines().count(), 3, "the store rejects what is not there: {ended:?}");
    assert_eq!(ids(&home, &store), [5]);
    for (stdin, line) in [("5\nx\n", "stdin:2: x is no id"), ("99999999999999999999", "stdin:1")] {
        let ended = delete(&["-"]).stdin(stdin).ended().orderly(2);
        assert!(ended.stderr.contains(line), "{ended:?}");
    }
    // Before a question that cannot be asked.
    let unasked = home.plants_at(&store.base, &["delete", "99999999999999999999"]).ended().orderly(2);
    assert!(unasked.stderr.contains("99999999999999999999' for '[PLANT]...': the id does not fit"), "{unasked:?}");
    // What writes to the pipe may have failed.
    for arguments in [&["-"][..], &["5", "-"]] {
        let none = delete(arguments).stdin(" \n").ended().orderly(2);
        assert!(none.stderr.contains("standard input names no plant. Nothing was done."), "{none:?}");
    }
    assert_eq!(ids(&home, &store), [5]);
}

#[test]
fn rows_of_the_list_are_deleted_only_as_the_list_has_them() {
    let store = Served::calm();
    let home = home_with(&store);
    let delete = |rows: &str| home.plants_at(&store.base, &["delete", "-", "--yes"]).stdin(rows).ended();
    // A program that reads numbers as doubles makes this the id of the plant after it.
    let (keep, past) = ("9007199254740992", "9007199254740993");
    for (name, id) in [("Keep", keep), ("Cactus", past)] {
        home.plants_at(&store.base, &["add", name, "--tag", "t", "--id", id]).ended().orderly(0);
    }
    let row =
        |name: &str, id: &str| format!("{{\"name\":\"{name}\",\"id\":{id},\"tag\":\"t\",\"state\":\"stored\"}}\n");
    let before = ids(&home, &store);
    for (rows, why) in [
        (row("Cactus", keep), keep),
        (row("Cactus", past) + &row("Moss", "2"), "these rows of standard input: 2."),
        (row("Cactus", past) + &row("Cactus", past).replace("\"t\"", "\"u\""), past),
        (row("Cactus", past) + "{\"id\":2}", "these rows of standard input: 2."),
        (row("Cactus", "9007199254740993.0"), "stdin:1: no row of plants list"),
        (row("Cactus", "99"), "99"),
    ] {
        let ended = delete(&rows).orderly(2);
        assert!(ended.stderr.contains(why) && ended.stderr.contains("Nothing was done."), "{rows}: {ended:?}");
    }
    assert_eq!(ids(&home, &store), before);
    let rows = home.plants_at(&store.base, &["list", "-o", "ndjson", "cactus id:9007199254740993"]).ended().orderly(0);
    delete(&(rows.stdout.repeat(2) + "1\n")).orderly(0);
    assert_eq!(ids(&home, &store), [2, 3, 4, 5, 9_007_199_254_740_992]);
    let resolve = ["resolve", "-", "--forget", "--yes"];
    let resolve = |rows: &str| home.plants_at(&store.base, &resolve).stdin(rows).ended();
    resolve(&row("Cactus", keep)).orderly(2);
    resolve(&row("Keep", keep)).orderly(0);
    assert_eq!(ids(&home, &store), [2, 3, 4, 5]);
}

#[test]
fn plants_are_deleted_by_a_query() {
    let store = Served::calm();
    let home = home_with(&store);
    let delete = |arguments: &[&str]| home.plants_at(&store.base, &[&["delete"], arguments].concat());
    let dry = delete(&["--match", "tag:desert | name:moss", "--dry-run"]).ended().orderly(0);
    assert_eq!(dry.stderr.matches("To delete: ").count(), 3, "{dry:?}");
    assert!(dry.stderr.contains("Nothing was sent."), "{dry:?}");
    for (arguments, why) in [
        (&["--match", "tag:desert"][..], "--yes"),
        (&["--match", "", "--yes"], "it is empty"),
        (&["--match", "tag:", "--yes"], "no value"),
        (&["--match", "colour:red", "--yes"], "no field colour"),
        (&["--match", "tag=desert", "--yes"], "tag=desert: use tag: with a colon"),
        (&["tag:desert", "--yes"], "did you mean --match tag:desert?"),
        (&["--match", "!\"fern tag:desert", "--yes"], "!\"fern tag:desert: use a closing quote"),
        (&["7", "--match", "tag:desert", "--yes"], "--match"),
        (&["rose", "--yes"], "no plant in the list is called rose"),
        // Which plant is meant is said first; then that no question can be asked.
        (&["rose"], "no plant in the list is called rose"),
        (&["big"], "which plant is meant?"),
        (&["moss"], "--yes"),
        (&["fern", "--yes", "--read-only"], "read-only"),
    ] {
        let ended = delete(arguments).ended().orderly(2);
        assert!(ended.stderr.contains(why), "{arguments:?}: {ended:?}");
    }
    assert_eq!(ids(&home, &store), [1, 2, 3, 4, 5]);
    delete(&["--match", "tag:desert !cactus", "--yes"]).ended().orderly(0);
    assert_eq!(ids(&home, &store), [1, 2, 4, 5]);
}

#[test]
fn standard_input_is_only_one_of_ids_and_token() {
    let (home, store) = (Home::new(), Served::calm());
    for verb in [&["delete", "-", "--yes"][..], &["resolve", "-", "--forget", "--yes"], &["add", "-"]] {
        let words = [verb, &["--token-stdin", "--base-url", &store.base]].concat();
        let ended = home.plants(&words).stdin("7").ended().orderly(2);
        assert!(ended.stderr.contains("stdin can be only one of them"), "{verb:?}: {ended:?}");
    }
}

/// Deletes the plants 1 to 40, which are not in the list.
fn delete_forty(store: &RawStore, delete: &[&str]) -> Ended {
    let ids: Vec<_> = (1..=40).map(|id| id.to_string()).collect();
    let ids: Vec<_> = ids.iter().map(String::as_str).collect();
    Home::new().plants_at(&store.url(), &[delete, &ids[..]].concat()).ended()
}

#[test]
fn five_unknown_outcomes_stop_a_delete_of_many() {
    let store = RawStore::saying("503 Service Unavailable", "");
    let ended = delete_forty(&store, &["delete", "--yes"]).orderly(4);
    let sent = store.arrived_so_far().len();
    assert!((5..=12).contains(&sent) && ended.stderr.contains("--keep-going"), "{sent}: {ended:?}");
}

#[test]
fn a_rejected_token_stops_a_delete_of_many() {
    let store = RawStore::saying("401 Unauthorized", "");
    let ended = delete_forty(&store, &["delete", "--yes", "--keep-going"]).orderly(1);
    let sent = store.arrived_so_far().len();
    let left = format!("The store rejected the token (401). Stopped. {} plants are left as before", 40 - sent);
    assert!((1..=8).contains(&sent) && ended.stderr.contains(&left), "{sent}: {ended:?}");
}

#[test]
fn nothing_is_resolved_where_standard_input_names_nothing() {
    let store = RawStore::saying("503 Service Unavailable", "");
    let home = Home::new();
    home.plants_at(&store.url(), &["add", "Fern", "--id", "1", "--tag", "t"]).ended().orderly(4);
    home.plants_at(&store.url(), &["resolve", "-", "--forget", "--yes"]).stdin("").ended().orderly(2);
    let list = home.plants_at(&store.url(), &["list", "--json"]).ended().orderly(0).json();
    assert_eq!(list[0]["state"], "unknown");
    let dry = home.plants_at(&store.url(), &["resolve", "fern", "--forget", "--dry-run"]).ended().orderly(0);
    assert!(dry.stderr.contains("To resolve: 1 unknown plant: Fern (1).") && dry.stdout.is_empty(), "{dry:?}");
    for (method, key, word) in [("--forget", "resolution", "forget"), ("--resend", "operation", "add")] {
        let dry = ["resolve", "fern", method, "--dry-run", "--json"];
        let dry = home.plants_at(&store.url(), &dry).ended().orderly(0).json();
        assert_eq!((&dry[key], &dry["dry_run"], &dry["plant"]["id"]), (&word.into(), &true.into(), &1.into()), "{dry}");
    }
    home.plants_at(&store.url(), &["resolve", "-", "--forget", "--yes"]).stdin("1").ended().orderly(0);
    assert_eq!(home.plants_at(&store.url(), &["list", "--json"]).ended().orderly(0).stdout, "[]\n");
}
