//! A subcommand without a store sends nothing and never succeeds; empty and misspelt variables do not count as unset.

use std::fs;

use super::*;

/// Every subcommand that needs a store, with arguments that would otherwise do something.
const NEED_A_STORE: [&[&str]; 12] = [
    &ADD,
    &["delete", "7", "--yes"],
    &["list", "--json"],
    &["history", "--json"],
    &["export", "plants.csv"],
    &["import", "plants.csv"],
    &["import", "plants.csv", "--dry-run"],
    &["resolve", "--all", "--forget", "--yes"],
    &["check", "--yes", "--strict", "--output", "ci.xml"],
    &["journal", "trim", "--older-than", "90d", "--yes"],
    &["team", "status"],
    &["team", "join", "--yes"],
];

const NO_STORE: &str = "plants: no store is named: ";

fn home() -> Home {
    let home = Home::new();
    home.write("plants.csv", "id,name,tag\n7,Fern,shade\n");
    home
}

#[test]
fn a_subcommand_that_needs_a_store_fails_without_one() {
    let home = home();
    home.config("[profile.staging]\nbase_url = 'https://a.example'\n[profile.live]\nbase_url = 'https://b.example'\n");
    let known = "http://127.0.0.1:9/api";
    home.plants_at(known, &ADD).ended().orderly(3);
    home.plants_at("http://127.0.0.1:9/only-read", &["list"]).ended().orderly(0);
    for arguments in NEED_A_STORE {
        let ended = home.plants(arguments).env("PLANTS_TOKEN", "demo").ended().orderly(2);
        for part in [
            NO_STORE,
            "--base-url URL, PLANTS_BASE_URL, --profile NAME (profiles: staging, live)",
            "--demo",
            &format!("Stores in the journal: {known}."),
            "Nothing was sent.",
        ] {
            assert!(ended.stderr.contains(part), "{arguments:?}: {part:?} in {ended:?}");
        }
        assert_eq!(ended.stdout, "", "{arguments:?}");
    }
    assert!(!home.path().join("ci.xml").exists(), "no report is written");
    assert_eq!(fs::read_to_string(home.path().join("plants.csv")).unwrap(), "id,name,tag\n7,Fern,shade\n");
}

#[test]
fn looking_for_stores_creates_no_journal() {
    let home = home();
    let ended = home.plants(&["list"]).ended().orderly(2);
    assert!(ended.stderr.contains(NO_STORE) && !ended.stderr.contains("journal"), "{ended:?}");
    assert!(!home.data().exists());
}

#[test]
fn every_way_to_name_a_store_is_enough() {
    let home = home();
    home.config("default = 'a'\n[profile.a]\nbase_url = 'http://127.0.0.1:9'\n");
    home.plants(&["list"]).ended().orderly(0);
    home.config("[profile.a]\nbase_url = 'http://127.0.0.1:9'\n");
    home.plants(&["list", "--profile", "a"]).ended().orderly(0);
    home.plants(&["list", "--base-url", "http://127.0.0.1:9"]).ended().orderly(0);
    home.plants(&["list", "--demo"]).ended().orderly(0);
    home.plants(&["list"]).env("PLANTS_PROFILE", "a").ended().orderly(0);
    home.plants(&["list"]).env("PLANTS_BASE_URL", "http://127.0.0.1:9").ended().orderly(0);
    home.plants(&["list"]).ended().orderly(2);
}

#[test]
fn other_subcommands_need_no_store() {
    let home = home();
    home.plants_at("http://127.0.0.1:9", &["list"]).ended().orderly(0);
    for arguments in [
        &["config"][..],
        &["paths"],
        &["journal", "backup", "copy.db"],
        &["journal", "restore", "copy.db", "--yes"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["list", "--help"],
        &["--plain"],
    ] {
        home.plants(arguments).ended().orderly(0);
    }
}

#[test]
fn an_empty_variable_is_a_fault_unless_a_flag_overrides_it() {
    let base = "http://127.0.0.1:9";
    let home = home();
    home.write("token", "demo");
    home.config(format!("[profile.a]\nbase_url = '{base}'\ntoken_file = '~/token'\n"));
    let store = ["--base-url", base];
    for (variable, flags) in [
        ("PLANTS_BASE_URL", &store[..]),
        ("PLANTS_BASE_URL", &["--profile", "a"]),
        ("PLANTS_PROFILE", &["--profile", "a"]),
        ("PLANTS_PROFILE", &store),
        ("PLANTS_TOKEN", &["--token-file", "token", "--profile", "a"]),
        ("PLANTS_TEAM", &["--team", "nats://127.0.0.1:9", "--profile", "a"]),
        ("PLANTS_DATA_DIR", &["--data-dir", "data", "--profile", "a"]),
        ("PLANTS_READ_ONLY", &["--read-only", "--profile", "a"]),
    ] {
        for empty in ["", "\r"] {
            // With a store from elsewhere, for the interface, and for a command that uses none.
            for (name, arguments) in
                [("PLANTS_BASE_URL", &["list"][..]), ("PLANTS_PROFILE", &["list"]), ("", &[]), ("", &["paths"])]
            {
                let run = home.plants(arguments);
                let run = match name {
                    "PLANTS_BASE_URL" if name != variable => run.env(name, base),
                    "PLANTS_PROFILE" if name != variable => run.env(name, "a"),
                    _ => run,
                };
                let ended = run.env(variable, empty).ended().orderly(2);
                assert!(
                    ended.stderr.contains(&format!("{variable}: the variable is empty")),
                    "{arguments:?} {ended:?}"
                );
            }
            let overridden = [&["config"], flags].concat();
            home.plants(&overridden).env(variable, empty).env("PLANTS_TEAM_STORE", "a").ended().orderly(0);
            home.plants(&["list", "--demo"]).env(variable, empty).ended().orderly(0);
        }
    }
    // Its token would be the one that everybody knows.
    home.plants(&["serve", "--port", "0"]).env("PLANTS_TOKEN", "").ended().orderly(2);
    for variable in ["NO_COLOR", "NO_MOTION", "HTTPS_PROXY", "PLANTS_PAGER", "PLANTS_LOG", "PLANTS_TEAM_STORE"] {
        home.plants(&["config"]).env(variable, "").ended().orderly(0);
    }
}

#[test]
fn a_misspelt_variable_is_warned_about_unless_the_config_names_it() {
    let home = home();
    for (misspelt, meant) in [
        ("PLANTS_BASEURL", "PLANTS_BASE_URL"),
        ("PLANTS_BASE_ULR", "PLANTS_BASE_URL"),
        ("PLANTS_TOKENS", "PLANTS_TOKEN"),
        ("PLANTS_READONLY", "PLANTS_READ_ONLY"),
        ("PLANTS_DATADIR", "PLANTS_DATA_DIR"),
    ] {
        let ended = home.plants(&["list"]).env(misspelt, "x").ended().orderly(2);
        let warning = format!("Warning: The variable {misspelt} has no effect. Did you mean {meant}?");
        assert!(ended.stderr.contains(&warning) && ended.stderr.contains(NO_STORE), "{ended:?}");
        let ended = home.plants(&["config", "--json"]).env(misspelt, "x").ended().orderly(0);
        assert_eq!(ended.json()["warnings"].as_array().unwrap().len(), 1);
    }
    for other in ["PLANTS_GARDEN", "PLANTS_TEAM_STORE", "PLANTS_HEADER_X", "PLANTS_DUMPABLE", "BASE_URL"] {
        let ended = home.plants(&["list", "--demo"]).env(other, "x").ended().orderly(0);
        assert!(!ended.stderr.contains("Warning"), "{ended:?}");
    }
    home.config("[profile.a]\nbase_url = 'http://127.0.0.1:9'\ntoken_env = 'PLANTS_TOKEN2'\n");
    let ended = home.plants(&["list", "--profile", "a"]).env("PLANTS_TOKEN2", "x").ended().orderly(0);
    assert!(!ended.stderr.contains("Warning"), "{ended:?}");
}
