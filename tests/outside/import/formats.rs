//! Formats and sources of files: each row is sent once and unchanged.

use std::collections::BTreeSet;

use serde_json::Value;

use super::store::{Create, Store};
use super::{Output, all, import, sorted};
use crate::support::Home;
use crate::support::extent::step;
use crate::support::raw::{RawStore, Reply};

/// Three plants with unusual ids, names and tags.
const PLANTS: [(i64, &str, &str); 3] = [
    (i64::MAX, " Monstera, \"deliciosa\" ", ""),
    (i64::MIN, "two\nlines 👨‍👩‍👧", "naïve"),
    (0, "\u{202e}x\u{9b}31m", "\\"),
];

fn fields(create: &Create) -> (i64, &str, &str) {
    (create.id, &create.name, &create.tag)
}

/// Asserts that the store received each plant once, and that the list has them.
fn all_arrived(home: &Home, store: &Store) {
    let received = store.creates();
    let mut arrived: Vec<_> = received.iter().map(fields).collect();
    arrived.sort_unstable();
    let mut expected = PLANTS;
    expected.sort_unstable();
    assert_eq!(arrived, expected);
    let listed: Vec<Value> = serde_json::from_str(&home.listed(&store.base())).unwrap();
    let mut listed: Vec<_> = listed
        .iter()
        .map(|plant| {
            assert_eq!(plant["state"], "stored");
            (plant["id"].as_i64().unwrap(), plant["name"].as_str().unwrap(), plant["tag"].as_str().unwrap())
        })
        .collect();
    listed.sort_unstable();
    assert_eq!(listed, expected);
}

/// Renders a table with the columns in this order.
fn table(columns: [usize; 3]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let rows = PLANTS.iter().map(|(id, name, tag)| [id.to_string(), quoted(name), quoted(tag)]);
    let header = ["id", " Name", "TAG "].map(str::to_owned);
    let line = |row: [String; 3]| columns.map(|column| row[column].clone()).join(",") + "\n";
    std::iter::once(header).chain(rows).map(line).collect()
}

fn objects() -> Vec<String> {
    let object = |(id, name, tag): &(i64, &str, &str)| {
        format!("{{\"tag\":{},\"id\":{id},\"name\":{}}}", Value::from(*tag), Value::from(*name))
    };
    PLANTS.iter().map(object).collect()
}

#[test]
fn every_row_of_every_format_is_sent_once() {
    let kinds = [
        ("a.csv", table([0, 1, 2])),
        ("b.csv", table([2, 0, 1])),
        ("c.CSV", table([1, 2, 0]).replace('\n', "\r\n").replace("two\r\n", "two\n")),
        ("no ending", table([2, 1, 0])),
        ("d.json", format!(" [\n{}\n]\n", objects().join(" ,\n"))),
        ("no ending either", format!("[{}]", objects().join(","))),
        ("e.ndjson", objects().join("\n")),
        ("f.jsonl", objects().join("\n\n") + "\n"),
        // The first bytes decide between JSON and NDJSON, not the file extension.
        ("g.json", objects().join("\n")),
        ("h.ndjson", format!("[{}]", objects().join(","))),
    ];
    for (nth, (name, content)) in kinds.into_iter().enumerate() {
        for mark in ["", "\u{feff}"].into_iter().skip(nth % step(2)).step_by(step(2)) {
            let (home, store) = (Home::new(), Store::accepting());
            home.write(name, format!("{mark}{content}"));
            let result = Output::of(&import(&home, &store.base(), &[name]).ended().orderly(0));
            assert_eq!((result.count("rows"), result.count("accepted")), (3, 3), "{name}");
            all_arrived(&home, &store);
        }
    }
}

#[test]
fn stdin_is_imported_like_a_file() {
    for content in [table([0, 1, 2]), format!("[{}]", objects().join(",")), objects().join("\n")] {
        let (home, store) = (Home::new(), Store::accepting());
        let result = Output::of(&import(&home, &store.base(), &["-"]).stdin(content).ended().orderly(0));
        assert_eq!(result.summary["file"], "stdin");
        all_arrived(&home, &store);
    }
}

#[test]
fn the_json_of_list_can_be_imported_into_another_store() {
    let (home, one, other) = (Home::new(), Store::accepting(), Store::accepting());
    import(&home, &one.base(), &["-"]).stdin(table([0, 1, 2])).ended().orderly(0);
    let ended = import(&home, &other.base(), &["-"]).stdin(home.listed(&one.base())).ended().orderly(0);
    assert!(ended.stderr.contains("Note: ") && ended.stderr.contains("state"), "{ended:?}");
    assert_eq!(Output::of(&ended).summary["format"], "json");
    all_arrived(&home, &other);
}

#[test]
fn ignored_columns_are_named_once() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", "id,colour,name,tag,Height\n1,red,n,t,3\n2,blue,n,t,4\n");
    let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    for column in ["colour", "Height"] {
        assert_eq!(ended.stderr.matches(column).count(), 1, "{ended:?}");
    }
    assert_eq!(sorted(store.ids()), [1, 2]);
}

#[test]
fn without_json_an_import_prints_messages_only() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", "id,name,tag\n1,n,t\n");
    let ended = home.plants_at(&store.base(), &["import", "a.csv"]).ended().orderly(0);
    assert!(ended.stdout.is_empty(), "{ended:?}");
    assert_eq!(ended.stderr, "The import is done: 1 accepted.\n");
    assert_eq!(home.states(&store.base()), all(1..=1, "stored"));
}

#[test]
fn a_row_has_the_json_of_an_add_and_its_line() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", "id,name,tag\n7,Monstera,tropical\n");
    let result = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let add = ["add", "--id", "8", "--name", "Monstera", "--tag", "tropical", "--json"];
    let one = home.plants_at(&store.base(), &add).ended().orderly(0).json();
    let mut expected = [keys(&one), vec!["line".to_owned()]].concat();
    expected.sort_unstable();
    let row = &result.rows[0];
    assert_eq!(keys(row), expected);
    assert_eq!(row["plant"], serde_json::json!({"name": "Monstera", "id": 7, "tag": "tropical"}));
    assert_eq!((&row["line"], &row["status"], &row["operation"]), (&2.into(), &201.into(), &"add".into()));
}

#[test]
fn an_export_without_plants_can_be_imported() {
    let (home, store) = (Home::new(), Store::accepting());
    for format in ["csv", "json", "ndjson"] {
        let file = home.path().join(format!("none.{format}"));
        let name = file.to_str().unwrap();
        home.plants_at(&store.base(), &["export", name]).ended().orderly(0);
        let exported = std::fs::read(&file).unwrap();
        let piped = import(&home, &store.base(), &["-"]).stdin(&*exported).ended();
        if exported.is_empty() {
            // What wrote nothing may have failed.
            assert!(piped.orderly(2).stderr.contains("there is nothing in it"));
        } else {
            assert_eq!(Output::of(&piped.orderly(0)).count("rows"), 0);
        }
        let result = Output::of(&import(&home, &store.base(), &[name]).ended().orderly(0));
        assert_eq!((result.count("rows"), &result.summary["format"]), (0, &format.into()));
    }
    assert_eq!(store.ids(), [0; 0]);
}

/// Files as spreadsheets, old programs and `jq` write them.
#[test]
fn files_are_taken_as_people_have_them() {
    let pretty = |id| format!("{{\n  \"name\": \"n{id}\",\n  \"id\": {id},\n  \"tag\": \"t\"\n}}\n");
    let line = |id| format!("{{\"name\":\"n{id}\",\"id\":{id},\"tag\":\"t\"}}");
    let zeros = "\0".repeat(100_000);
    for (name, content) in [
        ("rows of empty cells", "id,name,tag\r\n1,n1,t\r\n2,n2,t\r\n,,\r\n , ,\r\n\"\",\"\",\"\"\r\n".to_owned()),
        ("Ctrl-Z", "id,name,tag\r\n1,n1,t\r\n2,n2,t\r\n\u{1a}".to_owned()),
        ("Ctrl-Z in a line", "id,name,tag\r\n1,n1,t\r\n2,n2,t\r\n\u{1a}\r\n".to_owned()),
        ("Ctrl-Z after the row", "id,name,tag\r\n1,n1,t\r\n2,n2,t\u{1a}".to_owned()),
        ("NUL", format!("id,name,tag\n1,n1,t\n2,n2,t\n{zeros}")),
        ("sep", "sep=;\r\nid;name;tag\r\n1;\"n1\";t\r\n2;n2;t\r\n".to_owned()),
        ("quoted sep", "\"SEP=\t\"\nid\tname\ttag\n1\tn1\tt\n2\tn2\tt\n".to_owned()),
        ("sep of commas", "sep=,\nid,name,tag\n1,n1,t\n2,n2,t\n".to_owned()),
        ("jq", pretty(1) + &pretty(2)),
        ("jq, padded", pretty(1) + "\n" + &pretty(2) + &zeros),
        ("an object", format!("{{\"plants\":[{},{}]}}", line(1), line(2))),
        (
            "a pretty object",
            format!("{{\n  \"plants\" : [\n{},\n{}]\n,\n\"next\": {{\"page\": [2]}} }}\n", pretty(1), pretty(2)),
        ),
        ("NDJSON", format!("{}\n{}\n\u{1a}\n{zeros}", line(1), line(2))),
        ("an array", format!("[{},{}]\n\u{1a}\r\n{zeros}", line(1), line(2))),
    ] {
        for mark in ["", "\u{feff}"] {
            let (home, store) = (Home::new(), Store::accepting());
            home.write("file", format!("{mark}{content}"));
            let ended = import(&home, &store.base(), &["file"]).ended();
            assert_eq!(ended.code, Some(0), "{name}: {ended:?}");
            let sent: Vec<_> =
                store.creates().iter().map(|sent| (sent.id, sent.name.clone(), sent.tag.clone())).collect();
            let expected = [1, 2].map(|id| (id, format!("n{id}"), "t".to_owned()));
            assert_eq!(sent.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(expected), "{name}");
        }
    }
}

#[test]
fn a_second_array_of_plants_is_a_fault() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.json", "{\"plants\":[],\"plants\":[{\"id\":1,\"name\":\"n\",\"tag\":\"t\"}]}");
    let ended = import(&home, &store.base(), &["a.json"]).ended().orderly(2);
    assert!(ended.stderr.contains("a second time"), "{ended:?}");
    assert!(store.creates().is_empty());
}

/// What has other separators is read with them, and the preview says so.
#[test]
fn another_separator_is_found_and_said_and_the_option_names_it() {
    for (separator, word) in [(";", "semicolon"), ("\t", "tab"), ("|", "bar")] {
        for quote in ["", "\""] {
            let (home, store) = (Home::new(), Store::accepting());
            let row = |cells: [&str; 3]| cells.map(|cell| format!("{quote}{cell}{quote}")).join(separator) + "\r\n";
            home.write("a.csv", row(["id", "name", "tag"]) + &row(["7", "5,5 cm", "t"]) + &row(["8", "n", ""]));
            let ended = import(&home, &store.base(), &["a.csv", "--dry-run"]).ended().orderly(0);
            assert!(
                format!("{}{}", ended.stdout, ended.stderr).contains(&format!("The columns are separated by {word}s.")),
                "{ended:?}"
            );
            import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
            import(&home, &store.base(), &["--separator", word, "a.csv"]).ended().orderly(0);
            import(&home, &store.base(), &["--separator", separator, "a.csv"]).ended().orderly(0);
            let received = store.creates();
            let sent: BTreeSet<_> = received.iter().map(fields).collect();
            assert_eq!(sent, BTreeSet::from([(7, "5,5 cm", "t"), (8, "n", "")]));
        }
    }
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", "id,name,tag\n1,n,t\n");
    let ended = import(&home, &store.base(), &["--separator", "tab", "a.csv"]).ended().orderly(2);
    assert!(ended.stderr.contains("--separator comma"), "{ended:?}");
    assert!(store.creates().is_empty());
}

#[test]
fn a_file_that_is_no_text_is_recognised_and_the_next_step_said() {
    for (first, words) in [
        (&b"PK\x03\x04\x14\0\x06\0\x08\0[Content_Types].xml"[..], &["workbook", ".xlsx", "save its sheet as CSV"][..]),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", &["workbook", "save its sheet as CSV"]),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03", &["compressed", "gunzip -c FILE | plants import -"]),
        (b"\x28\xb5\x2f\xfd\x04", &["unzstd -c FILE | plants import -"]),
    ] {
        for name in ["plants.csv", "plants.json", "plants.xlsx", "plants.csv.gz", "-"] {
            let (home, store) = (Home::new(), Store::accepting());
            if name != "-" {
                home.write(name, first);
            }
            let ended = import(&home, &store.base(), &[name]).stdin(first).ended().orderly(2);
            assert!(words.iter().all(|word| ended.stderr.contains(word)), "{name}: {ended:?}");
            assert!(store.creates().is_empty());
        }
    }
}

/// Plants that the list knows by their ids alone are left out, and counted.
#[test]
fn every_list_can_be_imported() {
    let (home, other) = (Home::new(), Store::accepting());
    let lost = RawStore::replying(vec![Reply::Says(Vec::new()), Reply::of("201 Created", "")]);
    home.plants_at(&lost.url(), &["delete", "3", "--yes"]).ended().orderly(4);
    home.plants_at(&lost.url(), &["add", "--id", "4", "--name", "Fern", "--tag", "t"]).ended().orderly(0);
    let listed = home.listed(&lost.url());
    assert!(listed.contains("null"), "{listed}");
    let ended = import(&home, &other.base(), &["-"]).stdin(listed).ended().orderly(0);
    assert!(ended.stderr.contains("1 plant is left out: the list does not know the name."), "{ended:?}");
    assert_eq!(other.ids(), [4]);
    let empty = Home::new();
    import(&empty, &other.base(), &["-"]).stdin(empty.listed(&lost.url())).ended().orderly(0);
}

/// Each terminal writes the path of a dropped file in another form.
#[cfg(unix)]
#[test]
fn a_dropped_path_works_in_every_form() {
    let (home, store) = (Home::new(), Store::accepting());
    let file = home.write("my \"best\" it's.csv", "id,name,tag\n1,n,t\n");
    let path = file.to_str().unwrap();
    let folder = path.strip_suffix("my \"best\" it's.csv").unwrap();
    for dropped in [
        path.to_owned(),
        format!("{path} "),
        format!("'{folder}my \"best\" it'\\''s.csv'"),
        format!("'{folder}my \"best\" it'\\''s.csv' "),
        format!("\"{folder}my \\\"best\\\" it's.csv\""),
        format!("{folder}my\\ \\\"best\\\"\\ it\\'s.csv "),
        format!("file://{folder}my%20%22best%22%20it%27s.csv"),
        format!("file://localhost{folder}my%20%22best%22%20it's.csv\n"),
    ] {
        import(&home, &store.base(), &["--dry-run", &dropped]).ended().orderly(0);
        let run = home
            .plants_at(&store.base(), &["--plain"])
            .stdin(format!("import {}\nn\n", dropped.trim_end_matches('\n')));
        let ended = run.ended();
        assert!(ended.stdout.contains("To send: 1") || ended.stdout.contains("Send 1 row"), "{dropped}: {ended:?}");
    }
    // A file of that very name comes first.
    home.write("'a'", "id,name,tag\n2,n,t\n");
    home.write("a", "no table");
    import(&home, &store.base(), &["'a'"]).ended().orderly(0);
    assert_eq!(store.ids(), [2]);
}
