//! `plants history`: one entry, HTTP Archives, and following.

use super::*;

#[test]
fn one_entry_has_its_request_and_its_response() {
    let (home, store) = (Home::new(), Served::calm());
    home.plants_at(&store.base, &["add", "Fern", "--id", "1", "--tag", "t"]).ended().orderly(0);
    for number in ["1", "#1"] {
        let shown = home.plants_at(&store.base, &["history", number]).ended().orderly(0).stdout;
        assert!(shown.starts_with("#1, ") && shown.contains("\n> POST /plants HTTP/1.1\n"), "{shown}");
        assert!(
            shown.contains("< HTTP/1.1 201 Created") && shown.contains("authorization: Bearer ********"),
            "{shown}"
        );
    }
    let whole = home.plants_at(&store.base, &["history", "1", "--json"]).ended().orderly(0).json();
    assert_eq!((&whole["number"], &whole["outcome"]), (&json!(1), &json!("accepted")));
    assert_eq!(whole["request"]["body"], r#"{"name":"Fern","id":1,"tag":"t"}"#);
    assert_eq!((&whole["response"]["status"], &whole["request"]["method"]), (&json!(201), &json!("POST")));
    let absent = home.plants_at(&store.base, &["history", "9"]).ended().orderly(2);
    assert!(absent.stderr.contains("has no request #9\n"), "{absent:?}");
    let status = home.plants_at(&store.base, &["history", "409"]).ended().orderly(2);
    let said = "has no request #409; status:409 finds the responses with this status";
    assert!(status.stderr.contains(said), "{status:?}");
}

#[test]
fn the_requests_are_written_as_an_http_archive() {
    let (home, store) = (Home::new(), Served::calm());
    for id in ["1", "2"] {
        home.plants_at(&store.base, &["add", "Fern", "--id", id, "--tag", "t"]).ended().orderly(0);
    }
    let at = |arguments: &[&str]| home.plants_at(&store.base, &[&["history"], arguments].concat());
    let on_stdout: Value = serde_json::from_str(&at(&["--har", "-", "id:2"]).ended().orderly(0).stdout).unwrap();
    assert_eq!(on_stdout["log"]["version"], "1.2");
    assert_eq!(on_stdout["log"]["entries"].as_array().unwrap().len(), 1);
    at(&["--har", "all.har"]).ended().orderly(0);
    let text = std::fs::read_to_string(home.path().join("all.har")).unwrap();
    let archive: Value = serde_json::from_str(&text).unwrap();
    let numbers = archive["log"]["entries"].as_array().unwrap().iter().map(|entry| &entry["_number"]);
    assert_eq!(numbers.collect::<Vec<_>>(), [1, 2], "the oldest first");
    let script = at(&["--as", "curl"]).ended().orderly(0).stdout;
    assert!(script.find(": # '#1: ") < script.find(": # '#2: "), "{script}");
    assert!(!text.contains("Bearer demo"), "{text}");
    let exists = at(&["--har", "all.har"]).ended().orderly(2);
    assert!(exists.stderr.contains("--force"), "{exists:?}");
    let summary = at(&["--har", "all.har", "--force", "-n", "1", "--json"]).ended().orderly(0).stdout;
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary, json!({ "file": "all.har", "requests": 1 }));
    let zero = at(&["-n", "0"]).ended().orderly(2);
    assert!(zero.stderr.contains("write a whole number from 1"), "{zero:?}");
}

#[cfg(unix)]
#[test]
fn the_history_is_followed_until_it_is_stopped() {
    use std::io::{BufRead as _, BufReader};

    let (home, store) = (Home::new(), Served::calm());
    let add = |id: &str| home.plants_at(&store.base, &["add", "Fern", "--id", id, "--tag", "t"]).ended().orderly(0);
    add("1");
    add("2");
    let mut following = home.plants_at(&store.base, &["history", "--follow", "-n", "1", "--json"]).begun();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap()["plant"]["id"].clone();
    assert_eq!(next(), 2, "the newest of before");
    add("3");
    assert_eq!(next(), 3);
    add("4");
    assert_eq!(next(), 4);
    let pid = rustix::process::Pid::from_child(&following);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(following.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn a_followed_history_ends_when_its_reader_does() {
    use std::io::{BufRead as _, BufReader};

    let (home, store) = (Home::new(), Served::calm());
    home.plants_at(&store.base, &["add", "Fern", "--id", "1", "--tag", "t"]).ended().orderly(0);
    let mut following = home.plants_at(&store.base, &["history", "--follow", "--json"]).begun();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("Fern"));
    drop(lines);
    // No request comes that it could not print.
    assert_eq!(following.wait().unwrap().code(), Some(0));
}
