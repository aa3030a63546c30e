//! What is read, from where, and that it arrives as it stands there: each row once.

use serde_json::Value;

use super::store::{Create, Store};
use super::{Told, all, import, sorted, view};
use crate::support::Home;

/// Three plants that are easily mangled.
const PLANTS: [(i64, &str, &str); 3] = [
    (i64::MAX, " Monstera, \"deliciosa\" ", ""),
    (i64::MIN, "two\nlines 👨‍👩‍👧", "naïve"),
    (0, "\u{202e}x\u{9b}31m", "\\"),
];

fn as_it_came(create: &Create) -> (i64, &str, &str) {
    (create.id, &create.name, &create.tag)
}

/// The store has each of the plants, once, and the view has them.
fn all_arrived(home: &Home, store: &Store) {
    let came = store.came();
    let mut arrived: Vec<_> = came.iter().map(as_it_came).collect();
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

/// As a table with its columns in this order.
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
fn each_row_of_each_kind_of_file_arrives_once() {
    let kinds = [
        ("a.csv", table([0, 1, 2])),
        ("b.csv", table([2, 0, 1])),
        ("c.CSV", table([1, 2, 0]).replace('\n', "\r\n").replace("two\r\n", "two\n")),
        ("no ending", table([2, 1, 0])),
        ("d.json", format!(" [\n{}\n]\n", objects().join(" ,\n"))),
        ("no ending either", format!("[{}]", objects().join(","))),
        ("e.ndjson", objects().join("\n")),
        ("f.jsonl", objects().join("\n\n") + "\n"),
        // The first bytes tell these two apart, whatever the name.
        ("g.json", objects().join("\n")),
        ("h.ndjson", format!("[{}]", objects().join(","))),
    ];
    for (name, content) in kinds {
        for mark in ["", "\u{feff}"] {
            let (home, store) = (Home::new(), Store::calm());
            home.write(name, format!("{mark}{content}"));
            let told = Told::by(&import(&home, &store.base(), &[name]).ended().orderly(0));
            assert_eq!((told.count("rows"), told.count("accepted")), (3, 3), "{name}");
            all_arrived(&home, &store);
        }
    }
}

#[test]
fn stdin_is_a_file_like_any_other() {
    for content in [table([0, 1, 2]), format!("[{}]", objects().join(",")), objects().join("\n")] {
        let (home, store) = (Home::new(), Store::calm());
        let told = Told::by(&import(&home, &store.base(), &["-"]).stdin(content).ended().orderly(0));
        assert_eq!(told.summary["file"], "stdin");
        all_arrived(&home, &store);
    }
}

#[test]
fn what_list_prints_can_be_imported_elsewhere() {
    let (home, one, other) = (Home::new(), Store::calm(), Store::calm());
    import(&home, &one.base(), &["-"]).stdin(table([0, 1, 2])).ended().orderly(0);
    let ended = import(&home, &other.base(), &["-"]).stdin(home.listed(&one.base())).ended().orderly(0);
    assert!(ended.stderr.contains("Note: ") && ended.stderr.contains("state"), "{ended:?}");
    assert_eq!(Told::by(&ended).summary["format"], "json");
    all_arrived(&home, &other);
}

#[test]
fn columns_that_are_not_sent_are_named_once() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", "id,colour,name,tag,Height\n1,red,n,t,3\n2,blue,n,t,4\n");
    let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    for column in ["colour", "Height"] {
        assert_eq!(ended.stderr.matches(column).count(), 1, "{ended:?}");
    }
    assert_eq!(sorted(store.ids()), [1, 2]);
}

#[test]
fn without_json_people_are_told_and_stdout_is_empty() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", "id,name,tag\n1,n,t\n");
    let ended = home.plants_at(&store.base(), &["import", "a.csv"]).ended().orderly(0);
    assert!(ended.stdout.is_empty(), "{ended:?}");
    assert_eq!(ended.stderr, "The import is done: 1 accepted.\n");
    assert_eq!(view(&home, &store.base()), all(1..=1, "stored"));
}

#[test]
fn a_row_is_told_like_one_add_with_its_line() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", "id,name,tag\n7,Monstera,tropical\n");
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let add = ["add", "--id", "8", "--name", "Monstera", "--tag", "tropical", "--json"];
    let one = home.plants_at(&store.base(), &add).ended().orderly(0).json();
    let mut expected = [keys(&one), vec!["line".to_owned()]].concat();
    expected.sort_unstable();
    let row = &told.rows[0];
    assert_eq!(keys(row), expected);
    assert_eq!(row["plant"], serde_json::json!({"name": "Monstera", "id": 7, "tag": "tropical"}));
    assert_eq!((&row["line"], &row["status"], &row["operation"]), (&2.into(), &201.into(), &"add".into()));
}

/// What an export of no plants writes is an import of none, in every format.
#[test]
fn an_export_without_plants_is_imported_as_none() {
    let (home, store) = (Home::new(), Store::calm());
    for format in ["csv", "json", "ndjson"] {
        let file = home.path().join(format!("none.{format}"));
        let name = file.to_str().unwrap();
        home.plants_at(&store.base(), &["export", name]).ended().orderly(0);
        let exported = std::fs::read(&file).unwrap();
        for run in [import(&home, &store.base(), &[name]), import(&home, &store.base(), &["-"]).stdin(exported)] {
            let told = Told::by(&run.ended().orderly(0));
            assert_eq!((told.count("rows"), &told.summary["format"]), (0, &format.into()));
        }
    }
    assert_eq!(store.ids(), [0; 0]);
}
