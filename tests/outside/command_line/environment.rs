//! Paths and variables as people write them: `~/`, the CR of a CRLF file, proxies, a home that is none.

use super::*;
use std::path::Path;
use std::process::Command;

use crate::support::Ended;
use crate::support::extent::step;

#[test]
fn a_tilde_is_the_home_directory_in_every_path() {
    let (home, store) = (Home::new(), Served::calm());
    home.write("plants.csv", "id,name,tag\n8,Fern,shade\n");
    home.write("token", "demo");
    home.write("man1/old.1", "");
    home.write("conf.toml", format!("[profile.a]\nbase_url = '{}'\n", store.base));
    for (place, arguments) in [
        (
            "data",
            &[
                "add",
                "--data-dir=~/data",
                "--log=~/log.txt",
                "--token-file=~/token",
                "--config=~/conf.toml",
                "--profile",
                "a",
                "--id",
                "7",
                "--name",
                "Ivy",
                "--tag",
                "t",
            ][..],
        ),
        ("out.csv", &["export", "~/out.csv", "--base-url", &store.base]),
        ("copy.db", &["journal", "backup", "~/copy.db", "--data-dir", "~/data"]),
        ("man1/plants.1", &["man", "--output", "~/man1"]),
        ("report.md", &["check", "--demo", "--yes", "--only", "create-accepted", "--output=~/report.md"]),
    ] {
        // Elsewhere, so that a folder called `~` would be seen.
        let mut run = home.plants(arguments);
        std::fs::create_dir_all(home.path().join("elsewhere")).unwrap();
        run.command.current_dir(home.path().join("elsewhere"));
        run.ended().orderly(0);
        assert!(home.path().join(place).exists(), "{arguments:?}");
    }
    let token = ["--token-file", "~/token", "--base-url", &store.base];
    home.plants(&[&["import", "~/plants.csv"], &token[..]].concat()).ended().orderly(0);
    home.plants(&["journal", "restore", "~/copy.db", "--yes"]).env("PLANTS_DATA_DIR", "~/other").ended().orderly(0);
    home.plants(&["list", "--demo"]).env("PLANTS_LOG", "~/second.txt").ended().orderly(0);
    assert!(home.path().join("other/journal.db").exists() && home.path().join("second.txt").exists());
    assert!(home.path().join("log.txt").exists());
    let entries =
        std::fs::read_dir(home.path()).unwrap().chain(std::fs::read_dir(home.path().join("elsewhere")).unwrap());
    assert!(entries.into_iter().all(|entry| entry.unwrap().file_name() != "~"));
}

#[test]
fn a_folder_that_is_called_tilde_is_reached_by_way_of_the_dot() {
    let home = Home::new();
    home.plants(&["list", "--base-url", "http://127.0.0.1:9", "--data-dir", "./~/x"]).ended().orderly(0);
    assert!(home.path().join("~/x/journal.db").exists());
}

#[test]
fn a_carriage_return_at_the_end_of_a_variable_is_dropped() {
    let (home, store) = (Home::new(), Served::calm());
    home.config("[profile.a]\nbase_url = 'http://127.0.0.1:9'\ntoken_env = 'OF_A'\n");
    let run = home.plants_at(&format!("{}\r", store.base), &ADD).env("PLANTS_TOKEN", "demo\r");
    run.env("PLANTS_DATA_DIR", format!("{}\r", home.path().join("data").display())).ended().orderly(0);
    assert!(home.path().join("data/journal.db").exists());
    let settings = home.plants(&["config", "--json"]).env("PLANTS_PROFILE", "a\r").ended().orderly(0).json();
    assert_eq!(settings["profile"], "a");
    for (name, value) in [("PLANTS_ASCII", "1\r"), ("PLANTS_READ_ONLY", "true\r"), ("PLANTS_PLAIN", "0\r")] {
        home.plants(&["config"]).env(name, value).ended().orderly(0);
    }
    let at_home = format!("{}\r", home.path().display());
    let mut run = home.plants(&["paths"]).env("HOME", at_home);
    run.command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
    let paths = run.ended().orderly(0).stdout;
    assert!(paths.contains(&format!("{}/.config/plants/config.toml", home.path().display())), "{paths}");
    assert_eq!(store.log(), ["POST /plants  201"]);
}

#[test]
fn read_only_can_be_a_variable() {
    let (home, store) = (Home::new(), Served::calm());
    for value in ["1", "true"] {
        let ended = home.plants_at(&store.base, &ADD).env("PLANTS_READ_ONLY", value).ended().orderly(2);
        assert!(ended.stderr.contains("read-only"), "{ended:?}");
    }
    for value in ["yes", "TRUE", "2", " 1", "on"] {
        let ended = home.plants_at(&store.base, &["list"]).env("PLANTS_READ_ONLY", value).ended().orderly(2);
        assert!(ended.stderr.contains("PLANTS_READ_ONLY: write 1, true, 0 or false"), "{ended:?}");
    }
    home.plants(&["--tour"]).env("PLANTS_READ_ONLY", "1").ended().orderly(2);
    home.config(format!("[profile.a]\nbase_url = '{}'\nread_only = true\n", store.base));
    let add = [&ADD[..], &["--profile", "a"]].concat();
    home.plants(&add).env("PLANTS_TOKEN", "demo").ended().orderly(2);
    for value in ["0", "false"] {
        let run = home.plants(&["config", "--json", "--profile", "a"]).env("PLANTS_READ_ONLY", value);
        let settings = run.ended().orderly(0).json();
        let read_only = settings["settings"].as_array().unwrap().iter().find(|one| one["name"] == "read_only").unwrap();
        assert_eq!((&read_only["value"], &read_only["from"]), (&json!("false"), &json!("$PLANTS_READ_ONLY")));
    }
    home.plants(&add).env("PLANTS_TOKEN", "demo").env("PLANTS_READ_ONLY", "0").ended().orderly(0);
    assert_eq!(store.log(), ["POST /plants  201"]);
}

#[test]
fn a_home_that_is_no_folder_does_not_forbid_to_list() {
    for named in [&["--demo"][..], &["--base-url", "http://127.0.0.1:9"]] {
        let home = Home::new();
        for arguments in [&["list", "--json"][..], &["history", "--json"], &["list", "--json", "--data-dir", "data"]] {
            let mut run = home.plants(&[arguments, named].concat()).env("HOME", "/dev/null");
            run.command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
            let ended = run.ended().orderly(0);
            assert_eq!(ended.stdout.trim_end().trim_end_matches("[]"), "", "{arguments:?} {ended:?}");
        }
    }
}

/// Runs with this store and these variables; nothing else names a proxy.
fn with(variables: &[(&str, &str)], base: &str, arguments: &[&str]) -> Ended {
    let home = Home::new();
    let run = home.plants_at(base, arguments);
    variables.iter().fold(run, |run, (name, value)| run.env(name, value)).ended()
}

#[test]
fn a_proxy_variable_that_cannot_be_used_is_a_fault() {
    for (nth, variable) in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].into_iter().enumerate() {
        let values = [
            " http://proxy.invalid:3128",
            "http://proxy.invalid:3128 ",
            "http://pro xy:3128",
            "\"http://proxy.invalid:3128\"",
            "'proxy.invalid:3128'",
            "socks5://proxy.invalid:1080",
            "ftp://proxy.invalid",
            "http://",
            "proxy.invalid:port",
            "http://me:canary-canary@proxy.invalid:port",
        ];
        for value in values.into_iter().skip(nth % step(4)).step_by(step(4)) {
            let ended = with(&[(variable, value)], "https://store.invalid", &ADD).orderly(2);
            let fault = format!("plants: {variable}: ");
            assert!(ended.stderr.contains(&fault) && ended.stderr.contains("Nothing was sent."), "{value}: {ended:?}");
            assert!(!ended.stderr.contains("canary"), "{ended:?}");
            // It is not used: the store is this machine, or the variable excludes it.
            with(&[(variable, value)], "http://127.0.0.1:9", &["list"]).orderly(0);
            with(&[(variable, value), ("NO_PROXY", "store.invalid")], "https://store.invalid", &["list"]).orderly(0);
        }
    }
}

#[test]
fn the_proxy_of_the_environment_is_used_for_https_alone() {
    let proxy = RawStore::saying("502 Bad Gateway", "");
    let url = proxy.url();
    let variables =
        ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map(|name| (name, url.as_str()));
    for base in ["http://store.invalid", "https://store.invalid"] {
        with(&variables, base, &[&ADD[..], &["--allow-http"]].concat()).orderly(3);
    }
    let received = proxy.received();
    assert!(matches!(received.as_slice(), [one] if one.starts_with("CONNECT store.invalid:443 ")), "{received:?}");
    assert!(!received.concat().contains("demo"));
}

#[test]
fn the_proxy_in_force_is_shown_with_its_source() {
    let proxy = |variables: &[(&str, &str)], base: &str| {
        let checked = with(variables, base, &["config", "--json"]).orderly(0).json();
        let proxy = checked["settings"].as_array().unwrap().iter().find(|one| one["name"] == "proxy").cloned();
        proxy.map(|one| (one["value"].as_str().unwrap().to_owned(), one["from"].as_str().unwrap().to_owned()))
    };
    let is = |value: &str, from: &str| Some((value.to_owned(), from.to_owned()));
    let far = "https://store.invalid";
    assert_eq!(proxy(&[("HTTPS_PROXY", "http://u:pw@proxy:3128\r")], far), is("http://proxy:3128", "$HTTPS_PROXY"));
    assert_eq!(proxy(&[("https_proxy", "proxy:3128")], far), is("http://proxy:3128", "$https_proxy"));
    assert_eq!(proxy(&[("HTTPS_PROXY", ""), ("ALL_PROXY", "https://proxy")], far), is("https://proxy", "$ALL_PROXY"));
    let home = Home::new();
    let config = home.config(format!("[profile.a]\nbase_url = '{far}'\nproxy = 'http://u:pw@own:1'\n"));
    let run = home.plants(&["config", "--profile", "a"]).env("HTTPS_PROXY", "'unused'");
    let shown = run.ended().orderly(0).stdout;
    let line = format!("http://own:1  (profile a in {})", config.display());
    assert!(shown.lines().any(|shown| shown.starts_with("proxy") && shown.ends_with(&line)), "{shown}");
    for (variables, base) in [
        (&[("HTTPS_PROXY", "http://proxy:3128")][..], "https://127.0.0.1:9"),
        (&[("HTTP_PROXY", "http://proxy:3128")], far),
        (&[("HTTPS_PROXY", "http://proxy:3128"), ("NO_PROXY", "*")], "https://10.0.0.9"),
        (&[("HTTPS_PROXY", "http://proxy:3128"), ("no_proxy", "a.example, *")], "https://[2001:db8::9]"),
        (&[("HTTPS_PROXY", "http://proxy:3128"), ("NO_PROXY", "*")], far),
        (&[("HTTPS_PROXY", "http://proxy:3128"), ("NO_PROXY", ".invalid")], far),
        (&[("HTTPS_PROXY", "http://proxy:3128"), ("NO_PROXY", "10.0.0.0/8")], "https://10.0.0.9"),
    ] {
        assert_eq!(proxy(variables, base), None, "{variables:?} {base}");
    }
}

#[test]
fn a_time_zone_is_read_from_a_regular_file_and_not_without_end() {
    let (home, store) = (Home::new(), Served::calm());
    home.plants_at(&store.base, &ADD).ended().orderly(0);
    std::fs::create_dir(home.path().join("zones")).unwrap();
    assert!(Command::new("mkfifo").arg(home.path().join("zones/pipe")).status().unwrap().success());
    let zones = home.path().join("zones");
    for (zone, folder) in [
        ("zero", Path::new("/dev")),
        ("/dev/zero", &zones),
        ("pipe", &zones),
        ("../../dev/zero", &zones),
        ("none", &zones),
        ("", &zones),
    ] {
        let limited = "ulimit -v 4000000; exec \"$0\" history";
        let run =
            home.program("sh", &["-c", limited, env!("CARGO_BIN_EXE_plants")]).env("TZ", zone).env("TZDIR", folder);
        let run = run.env("PLANTS_BASE_URL", &store.base);
        assert!(run.ended().orderly(0).stdout.contains("Monstera"), "{zone}");
    }
    let hour = |zone: &str| {
        let run = home.plants_at(&store.base, &["history"]).env("TZ", zone);
        let printed = run.ended().orderly(0).stdout;
        printed.split_once(':').unwrap().0.rsplit(' ').next().unwrap().parse::<i32>().unwrap()
    };
    assert_eq!((hour("AAA-5") - hour("UTC")).rem_euclid(24), 5);
    // Without its rules, as in the C library.
    assert_eq!(hour("AAA-5BBB-5"), hour("AAA-5"));
    let dry_run = ["delete", "--dry-run", "--match"];
    for (query, zone, exit) in [
        ("before:2100-01-01", "Asia/Tokio", 2),
        ("before:2100-01-01", "Japan Standard Time", 2),
        ("before:2100-01-01", "", 0),
        ("before:2100-01-01", "UTC", 0),
        ("before:2100-01-01T00:00Z", "Asia/Tokio", 0),
        ("since:1h", "Asia/Tokio", 0),
    ] {
        let run = home.plants_at(&store.base, &[&dry_run[..], &[query]].concat());
        let ended = run.env("TZ", zone).env("TZDIR", "none").ended().orderly(exit);
        assert_eq!(ended.stderr.contains("TZ has none that can be read"), exit == 2, "{query} {zone}: {ended:?}");
    }
    let ended = home.plants_at(&store.base, &["history"]).env("TZ", "Asia/Tokio").ended().orderly(0);
    assert!(ended.stdout.contains("Z  add"), "{ended:?}");
}
