//! `plants export`: files, stdout, messages and exit codes.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;
use crate::support::{Ended, Home};

/// Ids, names and tags that are hard for formats and spreadsheets.
const PLANTS: [(&str, &str, &str); 4] = [
    ("-1", "\"5 cm\", tall", ""),
    ("7", "=1+1", "two\nlines\r\n, and three"),
    ("8", "\u{1b}[2J\u{202e}漢🌱", "\r"),
    ("9007199254740993", " Fern ", "-@"),
];

const CSV: &str = "name,id,tag\n\"\"\"5 cm\"\", tall\",-1,\n=1+1,7,\"two\nlines\r\n, and three\"\n\u{1b}[2J\u{202e}漢🌱,8,\"\r\"\n Fern ,9007199254740993,-@\n";

/// Returns a home with these plants in the list of a store that no longer runs.
fn home_with_plants() -> (Home, String) {
    let (home, store) = (Home::new(), Served::calm());
    for (id, name, tag) in PLANTS {
        let add = [&format!("--id={id}"), &format!("--name={name}"), &format!("--tag={tag}")];
        home.plants_at(&store.base, &[&["add"], &add.map(String::as_str)[..]].concat()).ended().orderly(0);
    }
    let base = store.base.clone();
    assert_eq!(store.log().len(), PLANTS.len());
    (home, base)
}

fn export(home: &Home, base: &str, arguments: &[&str]) -> Ended {
    home.plants_at(base, &[&["export"], arguments].concat()).ended()
}

fn names(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_format_has_every_plant_unchanged() {
    let (home, base) = home_with_plants();
    let plants: Vec<Value> = PLANTS
        .iter()
        .map(|(id, name, tag)| json!({"name": name, "id": id.parse::<i64>().unwrap(), "tag": tag}))
        .collect();
    for arguments in [&[][..], &["-"], &["--format", "csv"], &["-", "--format", "csv"]] {
        let ended = export(&home, &base, arguments);
        assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), CSV, ""), "{arguments:?}");
    }
    for arguments in [&["--format", "json"][..], &["--json"], &["--json", "--format", "json"]] {
        let ended = export(&home, &base, arguments).orderly(0);
        assert_eq!(serde_json::from_str::<Vec<Value>>(&ended.stdout).unwrap(), plants, "{arguments:?}");
        assert_eq!(ended.stdout.lines().count(), plants.len() + 2, "a plant in each line");
    }
    let ended = export(&home, &base, &["--format", "ndjson"]).orderly(0);
    let lines: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, plants);

    for (file, arguments, like) in [
        ("plants.csv", &[][..], &["--format", "csv"]),
        ("plants.JSON", &[], &["--format", "json"]),
        ("plants.jsonl", &[], &["--format", "ndjson"]),
        ("plants.txt", &[], &["--format", "csv"]),
        ("json.csv", &["--format", "json"], &["--format", "json"]),
    ] {
        let ended = export(&home, &base, &[&[file], arguments].concat()).orderly(0);
        assert!(ended.stdout.is_empty() && ended.stderr.starts_with("Wrote 4 plants of http://127.0.0.1"), "{ended:?}");
        assert!(ended.stderr.contains(&format!(" to {file} (")), "{ended:?}");
        let printed = export(&home, &base, like).stdout;
        assert_eq!(fs::read_to_string(home.path().join(file)).unwrap(), printed, "{file}");
    }
}

#[test]
fn an_export_can_be_imported_into_another_store_unchanged() {
    let (home, base) = home_with_plants();
    for (file, format) in [("plants.csv", "csv"), ("plants.json", "json"), ("plants.ndjson", "ndjson"), ("-", "csv")] {
        let (other, store) = (Home::new(), Served::calm());
        let text = export(&home, &base, &["--format", format]).stdout;
        other.write(file, &text);
        other.plants_at(&store.base, &["import", file]).stdin(text.clone()).ended().orderly(0);
        assert_eq!(export(&other, &store.base, &["--format", format]).stdout, text, "{file}");
        assert_eq!(store.log().len(), PLANTS.len());
    }
}

#[test]
fn a_query_that_no_plant_matches_does_not_say_that_the_list_is_empty() {
    let (home, base) = home_with_plants();
    let ended = export(&home, &base, &["--match", "name:zzz"]);
    assert!(ended.stderr.contains("No plant in the list for ") && !ended.stderr.contains("empty"), "{ended:?}");
}

#[test]
fn an_empty_list_is_exported_as_a_file_without_plants() {
    let (home, store) = (Home::new(), RawStore::saying("500", ""));
    let ended = export(&home, &store.url(), &[]).orderly(0);
    assert_eq!(ended.stdout, "name,id,tag\n");
    assert!(ended.stderr.starts_with("The list for "), "{ended:?}");
    assert!(export(&home, &store.url(), &["none.json"]).orderly(0).stderr.starts_with("Wrote 0 plants"));
    assert_eq!(fs::read_to_string(home.path().join("none.json")).unwrap(), "[\n]\n");
}

#[test]
fn the_json_of_an_export_counts_what_the_messages_count() {
    let home = Home::new();
    let lost = || Reply::Says(Vec::new());
    let store = RawStore::replying(vec![Reply::of("201 Created", ""), lost(), lost()]);
    for arguments in [
        &["add", "--id", "1", "--name", "@Fern", "--tag", "\tshade"][..],
        &["add", "--id", "2", "--name", "Moss", "--tag", "="],
        &["delete", "3", "--yes"],
    ] {
        home.plants_at(&store.url(), arguments).ended();
    }
    let ended = export(&home, &store.url(), &["a.csv", "--spreadsheet", "--json"]).orderly(0);
    assert_eq!(
        ended.stdout,
        "{\"file\":\"a.csv\",\"format\":\"csv\",\"plants\":2,\"unknown\":1,\"unnamed\":1,\"changed_cells\":3}\n"
    );
    for stderr in [
        "1 plant: exported with unknown state",
        "1 plant: left out, because the name is not known",
        "3 names or tags: exported with an additional ' in front.",
    ] {
        assert!(ended.stderr.contains(stderr), "{stderr}: {ended:?}");
    }
    assert_eq!(fs::read_to_string(home.path().join("a.csv")).unwrap(), "name,id,tag\n'@Fern,1,'\tshade\nMoss,2,'=\n");

    let ended = export(&home, &store.url(), &[]);
    assert_eq!(ended.stdout, "name,id,tag\n@Fern,1,\tshade\nMoss,2,=\n");
    assert!(ended.stderr.contains("with unknown state") && !ended.stderr.contains("additional"), "{ended:?}");
}

#[test]
fn an_existing_file_is_replaced_with_force_only() {
    let (home, base) = home_with_plants();
    let file = home.write("plants.csv", "precious");
    let ended = export(&home, &base, &["plants.csv", "--json"]).orderly(2);
    assert!(ended.stderr.contains("plants.csv") && ended.stderr.contains("--force"), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), fs::read_to_string(&file).unwrap().as_str()), ("", "precious"));
    export(&home, &base, &["plants.csv", "--force"]).orderly(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), CSV);
    assert_eq!(names(home.path()), [".local", "plants.csv"]);
}

#[cfg(unix)]
#[test]
fn a_failed_export_leaves_no_file() {
    let (home, base) = home_with_plants();
    home.write("file", "");
    for (place, code, stderr) in [
        ("nowhere/plants.csv", 2, "no such folder"),
        ("file/plants.csv", 2, ""),
        (".", 2, "that is a folder"),
        ("/proc/plants.csv", 2, ""),
        ("/dev/full", 3, "no room for it: free some space"),
    ] {
        let ended = export(&home, &base, &[place, "--json"]).orderly(code);
        assert!(ended.stdout.is_empty() && ended.stderr.contains(place) && ended.stderr.contains(stderr), "{ended:?}");
        assert_eq!(names(home.path()), [".local", "file"], "{place}");
    }
    export(&home, &base, &["/dev/null"]).orderly(0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    let (home, base) = home_with_plants();
    let mut full = home.plants_at(&base, &["export"]);
    full.command.stdout(fs::File::create("/dev/full").unwrap());
    let ended = full.ended().orderly(3);
    assert!(ended.stderr.contains("the result cannot be written to stdout"), "{ended:?}");

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut closed = home.plants_at(&base, &["export"]);
    closed.command.stdout(writer);
    let ended = closed.ended().orderly(0);
    assert_eq!(ended.stderr, "");
}

#[test]
fn contradicting_export_options_are_invalid() {
    let (home, store) = (Home::new(), RawStore::saying("500", ""));
    for (arguments, stderr) in [
        (&["--json", "--format", "csv"][..], "--json"),
        (&["--json", "--format", "ndjson", "-"], "--json"),
        (&["--spreadsheet", "--format", "json"], "--spreadsheet"),
        (&["--spreadsheet", "a.ndjson"], "--spreadsheet"),
        (&["--format", "xml"], "ndjson"),
        (&["a.csv", "b.csv"], "b.csv"),
    ] {
        let ended = export(&home, &store.url(), arguments).orderly(2);
        assert!(ended.stdout.is_empty() && ended.stderr.contains(stderr), "{arguments:?}: {ended:?}");
    }
    assert!(!home.path().join("a.ndjson").exists() && !home.path().join("a.csv").exists());
}

#[test]
fn an_export_needs_no_token_and_writes_none() {
    const CANARY: &str = "canary-e6f1-token";
    let (home, store) = (Home::new(), RawStore::saying("201 Created", ""));
    let add = ["add", "--id", "1", "--name", "Fern", "--tag", "shade"];
    home.plants(&add).env("PLANTS_BASE_URL", store.url()).env("PLANTS_TOKEN", CANARY).ended().orderly(0);
    let without = home.plants(&["export"]).env("PLANTS_BASE_URL", store.url()).ended().orderly(0);
    assert_eq!(without.stdout, "name,id,tag\nFern,1,shade\n");
    for format in ["csv", "json", "ndjson"] {
        for arguments in [&["export", "--format", format][..], &["export", "--format", format, format, "--json"]] {
            let run = home.plants(arguments).env("PLANTS_BASE_URL", store.url()).env("PLANTS_TOKEN", CANARY);
            let ended = run.ended();
            assert!(!format!("{ended:?}").contains(CANARY) && ended.code == Some(0), "{ended:?}");
        }
        assert!(!fs::read_to_string(home.path().join(format)).unwrap().contains(CANARY), "{format}");
    }
}

#[test]
fn the_help_explains_unknown_plants_and_existing_files() {
    let help = Home::new().plants(&["export", "--help"]).ended().orderly(0).stdout;
    for word in ["[FILE]", "--force", "--spreadsheet", "--format", "csv, json or ndjson", "Unknown plants", "stdout"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}
