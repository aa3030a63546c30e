//! `plants add`: names, ids that are chosen, standard input.

use super::*;

#[test]
fn the_name_may_stand_alone_and_ids_are_chosen() {
    let (home, store) = (Home::new(), Served::calm());
    let at = |arguments: &[&str]| home.plants_at(&store.base, arguments);
    at(&["add", "Ficus", "--tag", "", "--id", "7"]).ended().orderly(0);
    let next = at(&["add", "Ficus", "--tag", "indoor", "--next-id", "--json"]).ended().orderly(0);
    assert_eq!(next.json()["plant"], json!({"name": "Ficus", "id": 8, "tag": "indoor"}));
    let (before, _) = next.stderr.split_once("Added").unwrap();
    assert!(before.contains("Id 8"), "the id is printed before the outcome: {next:?}");
    for (arguments, why) in [
        (&["add", "Ficus", "--tag", "t"][..], "--id or --next-id"),
        (&["add", "Ficus", "--id", "9"], "--tag"),
        (&["add", "--id", "9", "--tag", "t"], "a name"),
        (&["add", "Ficus", "--name", "Fern", "--id", "9", "--tag", "t"], "--name"),
        (&["add", "Ficus", "--tag", "t", "--id", "9", "--next-id"], "--next-id"),
        (&["add", "-", "--tag", "t"], "--tag contradicts -"),
        (&["add", "Ficus", "--tag", "t", "--id", "9", "--keep-going"], "--keep-going"),
    ] {
        let ended = at(arguments).ended().orderly(2);
        assert!(ended.stderr.contains(why) && ended.stdout.is_empty(), "{arguments:?}: {ended:?}");
    }
    assert_eq!(store.log().len(), 2);
}

#[test]
fn a_plant_outlives_an_add_to_its_id_that_is_forgotten() {
    let unknown = Reply::Says(Vec::new());
    let (home, store) = (Home::new(), RawStore::replying(vec![Reply::of("201 Created", ""), unknown]));
    let at = |arguments: &[&str]| home.plants_at(&store.url(), arguments).ended();
    at(&["add", "Ficus", "--id", "7", "--tag", "t"]).orderly(0);
    let fern = ["add", "Fern", "--id", "7", "--tag", "t"];
    let ended = at(&fern).orderly(4);
    assert!(
        ended.stderr.contains("Note: a plant with this id is already in the list; the plant is sent as given."),
        "{ended:?}"
    );
    let ended = at(&["resolve", "7", "--forget", "--yes", "--json"]).orderly(0);
    assert_eq!(ended.json()["state"], "stored");
    assert!(ended.stderr.contains("Forgot the add of Fern (7): Ficus (7) is stored as before."), "{ended:?}");
    let listed = at(&["list", "--json"]).orderly(0).json();
    assert_eq!(listed, json!([{"name": "Ficus", "id": 7, "tag": "t", "state": "stored"}]));
    assert_eq!(store.received().len(), 2);
}

#[test]
fn the_next_id_is_not_taken_while_the_same_plant_is_unknown() {
    let (home, store) = (Home::new(), RawStore::saying("503 Service Unavailable", ""));
    let line = ["add", "Ficus", "--tag", "indoor", "--next-id"];
    home.plants_at(&store.url(), &line).ended().orderly(4);
    let again = home.plants_at(&store.url(), &line).ended().orderly(2);
    assert!(again.stderr.contains("is unknown: this may be the same plant"), "{again:?}");
    home.plants_at(&store.url(), &["add", "Ficus", "--tag", "other", "--next-id"]).ended().orderly(4);
    assert_eq!(store.received().len(), 2);
}

#[test]
fn programs_that_choose_an_id_at_the_same_time_all_get_one() {
    let (home, store) = (Home::new(), Served::calm());
    let add = |name: &str| {
        let line = ["add", name, "--tag", "t", "--next-id", "--json"];
        home.plants_at(&store.base, &line).ended()
    };
    let ended: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = ["a", "b", "c", "d", "e", "f"].map(|name| scope.spawn(move || add(name))).into();
        running.into_iter().map(|program| program.join().unwrap()).collect()
    });
    let mut ids: Vec<_> =
        ended.into_iter().map(|ended| ended.orderly(0).json()["plant"]["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6]);
    assert_eq!(store.log().len(), ids.len());
}

#[test]
fn plants_are_added_from_standard_input_in_every_form_of_json() {
    for stdin in [
        r#"{"name":"Fern","id":1,"tag":"t"}"#,
        "{\n  \"name\": \"Fern\",\n  \"id\": 1,\n  \"tag\": \"t\"\n}\n",
        r#"[{"name":"Fern","id":1,"tag":"t"},{"name":"Moss","id":2,"tag":"t"}]"#,
        "{\"name\":\"Fern\",\"id\":1,\"tag\":\"t\"}\n{\"name\":\"Moss\",\"id\":2,\"tag\":\"t\"}\n",
    ] {
        let (home, store) = (Home::new(), Served::calm());
        let ended = home.plants_at(&store.base, &["add", "-", "--json"]).stdin(stdin).ended().orderly(0);
        let outcomes: Vec<_> =
            ended.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].clone()).collect();
        assert_eq!(outcomes.len(), stdin.matches("name").count(), "{ended:?}");
        assert!(outcomes.iter().all(|outcome| outcome == "accepted") && ended.stderr.contains("Added Fern (1)"));
    }
    let (home, store) = (Home::new(), Served::calm());
    for (stdin, why) in [("name,id,tag\nFern,1,t\n", ""), (r#"[{"name":"Fern","id":"x","tag":"t"}]"#, "id"), ("", "")] {
        let ended = home.plants_at(&store.base, &["add", "-"]).stdin(stdin).ended();
        assert!(ended.stderr.contains(why) && matches!(ended.code, Some(0 | 2)), "{stdin}: {ended:?}");
    }
    home.plants_at(&store.base, &["add", "-", "--dry-run"])
        .stdin(r#"{"name":"Fern","id":1,"tag":"t"}"#)
        .ended()
        .orderly(0);
    assert!(store.log().is_empty());
}

#[test]
fn a_dry_run_says_what_would_be_sent_and_sends_nothing() {
    let (home, store) = (Home::new(), Served::calm());
    let ended = home.plants_at(&store.base, &["add", "Fern", "--id", "1", "--tag", "t", "--dry-run", "--json"]);
    let ended = ended.ended().orderly(0);
    let plant = json!({"name": "Fern", "id": 1, "tag": "t"});
    assert_eq!((&ended.json()["dry_run"], &ended.json()["plant"]), (&json!(true), &plant));
    assert!(
        ended.stderr.contains("To add: Fern (1), tag t.") && ended.stderr.contains("Nothing was sent."),
        "{ended:?}"
    );
    assert_eq!(home.plants_at(&store.base, &["list", "--json"]).ended().orderly(0).stdout, "[]\n");
    assert!(store.log().is_empty());
}

#[test]
fn the_exchange_is_printed_if_it_is_wanted_and_messages_are_left_out_if_they_are_not() {
    let (home, store) = (Home::new(), Served::calm());
    let add = ["add", "Fern", "--id", "1", "--tag", "t"];
    let loud = home.plants_at(&store.base, &[&add[..], &["-v"]].concat()).ended().orderly(0);
    assert!(
        loud.stderr.contains("> POST /plants HTTP/1.1\n") && loud.stderr.contains("< HTTP/1.1 201 Created\n"),
        "{loud:?}"
    );
    assert!(loud.stderr.contains("> authorization: Bearer ********\n"), "{loud:?}");
    let quiet = home.plants_at(&store.base, &["delete", "1", "--yes", "-q"]).ended().orderly(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}
