//! Bad rows and broken files: reported with their positions, and nothing is sent.

use serde_json::json;
use std::collections::BTreeMap;

use super::store::Store;
use super::{Output, all, import, numbered};
use crate::support::Home;

/// A table with two good rows and six bad ones.
const TABLE: &[u8] = b"id,name,tag\n1,a,t\nx,b,t\n9223372036854775808,c,t\n1.0,d,t\n5,e\n6,\xff,t\n,g,t\n8,h,t\n";

/// Line, column, field and a part of the reason of each bad row.
const FAULTS: [(u64, u64, Option<&str>, &str); 6] = [
    (3, 1, Some("id"), "x"),
    (4, 1, Some("id"), "9223372036854775808"),
    (5, 1, Some("id"), "1.0"),
    (6, 3, None, "2 values"),
    (7, 2, Some("name"), "UTF-8"),
    (8, 1, Some("id"), ""),
];

#[test]
fn a_bad_row_prevents_the_import_and_every_bad_row_is_reported() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", TABLE);
    let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(2);
    let result = Output::of(&ended);
    for ((line, column, field, word), fault) in FAULTS.into_iter().zip(&result.faults) {
        assert_eq!((&fault["line"], &fault["column"], &fault["field"]), (&line.into(), &column.into(), &json!(field)));
        let reason = fault["reason"].as_str().unwrap();
        assert!(reason.contains(word), "{fault}");
        let place = field.map_or(String::new(), |field| format!(" ({field})"));
        assert!(ended.stderr.contains(&format!("a.csv: line {line}, column {column}{place}: {reason}\n")), "{ended:?}");
    }
    assert_eq!(result.counts(), [("bad", 6), ("left", 2)].into());
    assert!(ended.stderr.contains("6 of 8 rows of a.csv are bad") && ended.stderr.contains("--skip-bad"), "{ended:?}");
    assert!(ended.stderr.contains("Nothing was sent."), "{ended:?}");
    assert_eq!((store.ids(), home.states(&store.base())), (vec![], BTreeMap::new()));
}

#[test]
fn skip_bad_leaves_bad_rows_out() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", TABLE);
    let ended = import(&home, &store.base(), &["a.csv", "--skip-bad", "--concurrency", "1"]).ended().orderly(0);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("bad", 6), ("accepted", 2)].into());
    assert_eq!((result.lines("accepted"), store.ids()), (vec![2, 9], vec![1, 8]));
    assert!(ended.stderr.contains("6 bad rows were left out"), "{ended:?}");
}

#[test]
fn bad_rows_of_json_are_reported_with_their_lines() {
    let rows = [
        r#"{"id":1,"name":"a","tag":"t"}"#,
        r#"{"id":"2","name":"b","tag":"t"}"#,
        r#"{"id":3,"tag":"t"}"#,
        r#"{"id":4,"name":null,"tag":"t"}"#,
        r#"{"id":5.0,"name":"e","tag":"t"}"#,
        r#"{"id":6,"id":7,"name":"f","tag":"t"}"#,
        "[]",
    ];
    for (name, content) in [("a.json", format!("[{}]", rows.join(",\n"))), ("a.ndjson", rows.join("\n"))] {
        let (home, store) = (Home::new(), Store::accepting());
        home.write(name, content);
        let result = Output::of(&import(&home, &store.base(), &[name]).ended().orderly(2));
        let lines: Vec<_> = result.faults.iter().map(|fault| fault["line"].as_u64().unwrap()).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6, 7], "{name}: {result:?}");
        assert_eq!(store.ids(), [0; 0]);
        Output::of(&import(&home, &store.base(), &[name, "--skip-bad"]).ended().orderly(0));
        assert_eq!(store.ids(), [1]);
    }
    // Invalid JSON is a bad row of NDJSON, but breaks an array.
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.ndjson", format!("{}\n{{\n{}\n", rows[0], rows[0].replace('1', "2")));
    Output::of(&import(&home, &store.base(), &["a.ndjson"]).ended().orderly(2));
    Output::of(&import(&home, &store.base(), &["a.ndjson", "--skip-bad"]).ended().orderly(0));
    assert_eq!(super::sorted(store.ids()), [1, 2]);
}

#[test]
fn a_dry_run_sends_nothing_and_needs_no_token() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=4));
    home.write("b.csv", numbered(3..=6).replace("plant 4", "another"));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    let dry = ["import", "--json", "--dry-run", "b.csv", "--base-url", &store.base()];
    for arguments in [&dry[..], &[&dry[..], &["--read-only"]].concat()] {
        let ended = home.plants(arguments).ended().orderly(3);
        let result = Output::of(&ended);
        assert_eq!(result.counts(), [("already_stored", 1), ("differs", 1), ("left", 2)].into());
        assert_eq!((result.count("to_send"), &result.summary["dry_run"]), (2, &true.into()));
        assert!(ended.stderr.contains("To send: 2.") && ended.stderr.contains("Nothing was sent"), "{ended:?}");
    }
    home.write("bad.csv", TABLE);
    let dry = ["import", "--json", "--dry-run", "bad.csv", "--base-url", &store.base()];
    // Bad rows prevent sending, as in an import.
    let result = Output::of(&home.plants(&dry).ended().orderly(2));
    assert_eq!((result.counts(), result.count("to_send")), ([("bad", 6), ("differs", 1), ("left", 1)].into(), 0));
    let result = Output::of(&home.plants(&[&dry[..], &["--skip-bad"]].concat()).ended().orderly(3));
    assert_eq!((result.count("bad"), result.count("to_send"), result.count("already_stored")), (6, 1, 0));
    assert_eq!(store.ids().len(), 4);
    assert_eq!(home.states(&store.base()), all(1..=4, "stored"));
}

#[test]
fn a_broken_file_is_reported_with_its_position_and_not_sent() {
    let array = r#"[{"id":1,"name":"a","tag":"t"},"#;
    let utf_16: Vec<u8> = numbered(1..=2).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let long = format!("id,name,tag\n1,a,t\n2,{},t\n", "x".repeat(17 << 20));
    for (name, content, place) in [
        ("cut.json", array.as_bytes(), "line 1"),
        ("cut within.json", br#"[{"id":1,"name":"a","tag":"t"},{"id":2,"na"#, "line 1, column 32"),
        ("followed.json", br#"[{"id":1,"name":"a","tag":"t"}] 1"#, "line 1, column 33"),
        ("no comma.json", br#"[{"id":1,"name":"a","tag":"t"} {"id":2,"name":"a","tag":"t"}]"#, "line 1, column 32"),
        ("no json.json", br#"[{"id":1,"name":"a","tag":"t"},{id:2}]"#, "line 1, column 33"),
        ("quote.csv", b"id,name,tag\n1,a,t\n2,\"b,t\n3,c,t\n", "line 3, column 2"),
        ("header.csv", b"1,a,t\n2,b,t\n", "line 1"),
        ("no tag.csv", b"id,name\n1,a\n", "line 1"),
        ("two ids.csv", b"id,name,tag,id\n1,a,t,2\n", "line 1, column 4"),
        ("semicolons and no tag.csv", b"id;name\n1;a\n", "name, id and tag"),
        ("utf-16.csv", &utf_16, "UTF-16"),
        ("long.csv", long.as_bytes(), "line 3"),
        ("empty.csv", b"", "nothing in it"),
        ("blank.json", b" \n\n ", "nothing in it"),
        ("mark.csv", "\u{feff}".as_bytes(), "nothing in it"),
    ] {
        let (home, store) = (Home::new(), Store::accepting());
        home.write(name, content);
        for arguments in [&[name][..], &[name, "--skip-bad"], &[name, "--dry-run"]] {
            let ended = import(&home, &store.base(), arguments).ended().orderly(2);
            let result = ended.stderr.strip_prefix(&format!("plants: {name}: ")).unwrap_or_else(|| panic!("{ended:?}"));
            assert!(result.contains(place) && result.ends_with("Nothing was sent.\n"), "{ended:?}");
            assert!(ended.stdout.is_empty(), "{ended:?}");
        }
        assert_eq!(store.ids(), [0; 0], "{name}");
    }
}

#[test]
fn a_missing_file_or_a_folder_is_reported() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("folder/a.csv", "");
    for (name, word) in [("none.csv", "no such file"), ("folder", "a folder")] {
        let ended = import(&home, &store.base(), &[name, "--skip-bad"]).ended().orderly(2);
        assert!(ended.stderr.contains(word) && ended.stderr.contains("Nothing was sent."), "{ended:?}");
    }
    assert_eq!(store.ids(), [0; 0]);
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_reported() {
    let (home, store) = (Home::new(), Store::accepting());
    let ended = import(&home, &store.base(), &["/dev/zero", "--skip-bad"]).ended().orderly(2);
    assert!(ended.stderr.contains("longer than 16 MiB") && ended.stderr.contains("Nothing was sent."), "{ended:?}");
    let mut run = import(&home, &store.base(), &["-"]);
    run.command.stdin(std::fs::File::open("/dev/zero").unwrap());
    let ended = crate::support::end_of(run.command.spawn().unwrap()).orderly(2);
    assert!(ended.stderr.contains("stdin: line 1, column 1: "), "{ended:?}");
    assert_eq!(store.ids(), [0; 0]);
}

#[cfg(unix)]
#[test]
fn control_characters_of_a_file_are_made_visible() {
    let (home, store) = (Home::new(), Store::accepting());
    let name = "a\u{1b}[2J\u{202e}.csv";
    home.write(name, "id,name,tag,\u{1b}]0;x\u{7}\n\u{1b}[31m,\u{9b}2J,t,x\n");
    let ended = import(&home, &store.base(), &[name]).ended().orderly(2);
    assert!(ended.stderr.contains('␛'), "{ended:?}");
    home.write(name, "id,name,tag,\u{1b}]0;x\u{7}\n7,\u{9b}2J\u{202e},\u{1b}[31m,x\n");
    let ended = import(&home, &store.base(), &[name]).ended().orderly(0);
    assert!(ended.stderr.contains("Note: "), "{ended:?}");
    assert_eq!(store.creates()[0].name, "\u{9b}2J\u{202e}");
}

#[test]
fn invalid_options_are_reported() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=1));
    for wrong in [
        &["--concurrency", "0"][..],
        &["--concurrency", "513"],
        &["--concurrency", "many"],
        &["--concurrency=-1"],
        &["--rate", "0"],
        &["--rate=-1"],
        &["--rate", "nan"],
        &["--rate", "inf"],
        &["--rate", "1000001"],
        &["--rate", "fast"],
    ] {
        let ended = import(&home, &store.base(), &[&["a.csv"], wrong].concat()).ended().orderly(2);
        assert!(ended.stdout.is_empty() && !ended.stderr.is_empty(), "{ended:?}");
    }
    home.plants_at(&store.base(), &["import"]).ended().orderly(2);
    assert_eq!(store.ids(), [0; 0]);
    import(&home, &store.base(), &["a.csv", "--concurrency", "512", "--rate", "1000000"]).ended().orderly(0);
}
