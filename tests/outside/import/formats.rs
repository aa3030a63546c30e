//! Formats and sources of files: each row is sent once and unchanged.

use serde_json::Value;

use super::store::{Create, Store};
use super::{Output, all, import, sorted};
use crate::support::Home;

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
    for (name, content) in kinds {
        for mark in ["", "\u{feff}"] {
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
        for run in [import(&home, &store.base(), &[name]), import(&home, &store.base(), &["-"]).stdin(exported)] {
            let result = Output::of(&run.ended().orderly(0));
            assert_eq!((result.count("rows"), &result.summary["format"]), (0, &format.into()));
        }
    }
    assert_eq!(store.ids(), [0; 0]);
}
