//! Invalid input of every kind: the right exit code, messages with the next step, nothing sent, and
//! neither a panic nor a token in the output.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::CommandExt as _;

use serde_json::{Value, json};

use crate::support::extent::step;
use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;
use crate::support::{Ended, Home, Run, files_below};

/// A part of every invalid token, which must never be printed.
const CANARY: &str = "canary";

const ADD: [&str; 8] = ["add", "--id", "7", "--name", "Monstera", "--tag", "tropical", "--json"];

/// Asserts that a run ends with exit code 2, these parts of a message, and no output.
fn assert_invalid(run: Run, expected: &[&str]) -> Ended {
    let ended = run.ended().orderly(2);
    assert!(ended.stdout.is_empty(), "{ended:?}");
    assert!(!ended.stderr.contains(CANARY), "{ended:?}");
    for expected in expected {
        assert!(ended.stderr.contains(expected), "{expected:?} in {ended:?}");
    }
    ended
}

/// Asserts the same, and that nothing was sent to the store.
fn assert_invalid_and_unsent(run: impl FnOnce(&Home, &str) -> Run, expected: &[&str]) {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", ""));
    assert_invalid(run(&home, &store.url()), expected);
    assert_eq!(store.received(), [""; 0]);
}

/// Control sequences, and characters that hide or reorder text.
const ATTACK: &str = "x\u{1b}[2J\u{1b}]0;owned\u{7}\u{1b}]52;c;b3duZWQ=\u{1b}\\\u{9b}31m\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}\u{e0041}\u{1161}\u{301}\r\nplants: Fern (7) was added.\n";

/// Asserts that the output of a run is harmless, and that no line of foreign text looks like a message of
/// the program.
fn assert_harmless(run: Run) -> Ended {
    let ended = run.ended().harmless();
    assert!(ended.code.is_some() && !ended.stderr.contains("panicked"), "{ended:?}");
    assert!(!ended.stderr.lines().any(|line| line.starts_with("plants: Fern (7) was added.")), "{ended:?}");
    ended
}

#[test]
fn control_characters_in_responses_are_made_visible() {
    let store = RawStore::replying(vec![
        Reply::Says(
            b"HTTP/1.1 409 \x9b31m\xe2\x80\xae\r\nx\xff: \xe2\x80\xae\xff\r\nContent-Length: 9\r\n\r\n\x1b]0;x\x07\xff\xed\xa0".to_vec(),
        ),
        Reply::Says(
            b"HTTP/1.1 409 No \xe9\r\nx-b: \xe2\x80\xae\xc2\x9b2J\xe9\r\nRetry-After: \xc2\x9b\r\nLocation: \xe2\x80\xae\r\nContent-Length: 9\r\n\r\n\x1b]0;x\x07\xff\xed\xa0".to_vec(),
        ),
        Reply::of("201 Created", format!("{{\"name\":{},\"tag\":\"x\"}}", json!(ATTACK))),
        Reply::of("201 Created", ATTACK),
    ]);
    let home = Home::new();
    let base = store.url();
    // Stores the responses, then prints them in every way.
    for id in ["1", "2", "3", "4"] {
        assert_harmless(home.plants_at(&base, &["add", "--id", id, "--name", ATTACK, "--tag", ATTACK]));
        assert_harmless(home.plants_at(&base, &["add", "--id", id, "--name", ATTACK, "--tag", ATTACK, "--json"]));
    }
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["history"],
        &["history", "--json"],
        &["history", "--as", "curl"],
        &["history", "--as", "markdown"],
        &["history", "--name", ATTACK],
        &["delete", "3", "--yes"],
        &["export", "--format", "json"],
        &["check", "--yes", "--gentle", "--pace", "0s"],
        &["check", "--yes", "--gentle", "--pace", "0s", "--format", "markdown"],
        &["check", "--yes", "--gentle", "--pace", "0s", "--format", "junit"],
        &["check", "--yes", "--gentle", "--pace", "0s", "--json"],
    ] {
        assert_harmless(home.plants_at(&base, arguments));
    }
    assert!(store.received().len() > 8);
}

#[test]
fn control_characters_in_input_are_made_visible() {
    let home = Home::new();
    // Arguments, also names of files.
    let file = format!("a folder/{}", ATTACK.replace('/', ""));
    home.write(&format!("{file}.csv"), format!("name,id,{ATTACK}\n{ATTACK},{ATTACK},{ATTACK}\n"));
    home.write(&format!("{file}.json"), format!("[{{{}:1}}]", json!(ATTACK)));
    home.write(&format!("{file}.toml"), format!("[profile.{}]\n{} = 1\n", json!(ATTACK), json!(ATTACK)));
    home.write(&format!("{file}.broken"), format!("x = {ATTACK}"));
    let of = |ending: &str| format!("{file}.{ending}");
    for arguments in [
        vec![ATTACK],
        vec!["add", ATTACK],
        vec!["add", "--id", ATTACK, "--name", "a", "--tag", "b"],
        vec!["add", "--from", ATTACK],
        vec!["list", "--timeout", ATTACK],
        vec!["list", "--profile", ATTACK],
        vec!["list", "--base-url", ATTACK],
        vec!["list", "--data-dir", &of("csv")],
        vec!["list", "--config", ATTACK],
        vec!["list", "--config", &of("toml")],
        vec!["list", "--config", &of("broken")],
        vec![
            "add",
            "--id",
            "1",
            "--name",
            "a",
            "--tag",
            "b",
            "--token-file",
            ATTACK,
            "--base-url",
            "http://127.0.0.1:1",
        ],
        vec!["list", "--ca-cert", ATTACK],
        vec!["import", ATTACK, "--dry-run"],
        vec!["import", &of("csv"), "--dry-run"],
        vec!["import", &of("json"), "--dry-run", "--json"],
        vec!["export", &of("new.csv")],
        vec!["export", &of("csv")],
        vec!["export", &of("nothing")],
        vec!["check", "--only", ATTACK],
        vec!["completions", ATTACK],
        vec!["man", ATTACK],
        vec!["paths", "--data-dir", &file],
        vec!["history", ATTACK],
        vec!["journal", "trim", "--older-than", ATTACK],
        vec!["journal", "backup", &of("csv")],
        vec!["journal", "verify", &of("csv")],
        vec!["journal", "restore", &of("csv"), "--yes"],
        vec!["journal", "restore", ATTACK, "--yes"],
        vec!["serve", "--port", ATTACK],
    ] {
        assert_harmless(home.plants(&arguments).env("PLANTS_TOKEN", "demo"));
    }
    // The environment, and the name of the program.
    for name in [
        "PLANTS_BASE_URL",
        "PLANTS_PROFILE",
        "PLANTS_DATA_DIR",
        "PLANTS_TOKEN",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "TZ",
        "LANG",
        "TERM",
        "COLORFGBG",
        "https_proxy",
    ] {
        assert_harmless(home.plants(&ADD).env("PLANTS_BASE_URL", "http://127.0.0.1:1").env(name, ATTACK));
    }
    for arguments in [&["--help"][..], &["add", "--help"], &["--version"]] {
        let mut run = home.plants(arguments);
        std::os::unix::process::CommandExt::arg0(&mut run.command, format!("/x/{}", ATTACK.replace('/', "")));
        assert_harmless(run);
    }
    // The output of a token command.
    let config = json!(["sh", "-c", format!("printf '%s' {} >&2; exit 1", json!(ATTACK.replace('\n', "")))]);
    home.config(format!("[profile.p]\nbase_url = 'http://127.0.0.1:1'\ntoken_command = {config}\n"));
    assert_harmless(home.plants(&[&ADD[..], &["--profile", "p"]].concat()));
}

#[test]
fn invalid_base_urls_are_reported_with_their_source() {
    let home = Home::new();
    for (url, expected) in [
        ("ftp://x", "a base URL is http or https, not ftp"),
        ("http://ann:canary@h", "remove the user name or password from the base URL"),
        ("http://h?x=1", "remove the ?query"),
        ("http://h#x", "remove the #fragment"),
        ("http://", "give one like https://"),
        ("http:///plants", "it has no host"),
        ("h", "give one like https://"),
        ("http://h/a b", "a space"),
        ("http:\\\\h", "a backslash"),
        ("http://h\u{1b}[2J", "a control character"),
        ("http://h:99999", "invalid port"),
        ("http://10.0.0.2", "--allow-http"),
        ("http://plants.example/api", "--allow-http"),
    ] {
        assert_invalid(
            home.plants(&[&ADD[..], &["--base-url", url]].concat()),
            &["--base-url: ", expected, "Nothing was sent."],
        );
        assert_invalid(home.plants_at(url, &["list", "--json"]), &["PLANTS_BASE_URL: ", expected]);
        let config = home.write("c.toml", format!("\n[profile.p]\nbase_url = {}\n", Value::from(url)));
        let by_profile = home.plants(&["list", "--profile", "p", "--config", config.to_str().unwrap()]);
        assert_invalid(by_profile, &["c.toml:3: profile.p.base_url: "]);
    }
    assert_invalid(home.plants_at("", &["list", "--base-url", ""]), &["--base-url: "]);
    let not_text = OsString::from_vec(b"http://h\xff".to_vec());
    assert_invalid(
        home.plants(&["list"]).env("PLANTS_BASE_URL", not_text),
        &["PLANTS_BASE_URL: the value is not UTF-8"],
    );
}

#[test]
fn invalid_tokens_are_reported_and_not_printed() {
    for (token, expected) in [
        (" ", "the token is empty"),
        ("Bearer ", "the token is empty"),
        ("canary\ncanary", "space or line break"),
        ("canary canary", "space or line break"),
        ("canary\u{1b}[2J", "control character"),
        ("canary\u{7f}", "control character"),
        ("canaryé", "outside ASCII"),
    ] {
        assert_invalid_and_unsent(
            |home, base| home.plants_at(base, &ADD).env("PLANTS_TOKEN", token),
            &["PLANTS_TOKEN: ", expected],
        );
        let from_file = |home: &Home, base: &str| {
            let file = home.write("kept", token);
            home.plants(&[&ADD[..], &["--base-url", base, "--token-file", file.to_str().unwrap()]].concat())
        };
        assert_invalid_and_unsent(from_file, &["no token from file /", "kept: ", expected, "Nothing was sent."]);
        let from_stdin = |home: &Home, base: &str| {
            home.plants(&[&ADD[..], &["--base-url", base, "--token-stdin"]].concat()).stdin(token)
        };
        assert_invalid_and_unsent(from_stdin, &["no token from stdin: ", expected]);
    }
    let not_text = OsString::from_vec(b"canary\xff".to_vec());
    assert_invalid_and_unsent(
        |home, base| home.plants_at(base, &ADD).env("PLANTS_TOKEN", not_text),
        &["PLANTS_TOKEN: "],
    );
}

#[test]
fn missing_tokens_are_reported() {
    let from = |file: &'static str| {
        move |home: &Home, base: &str| home.plants(&[&ADD[..], &["--base-url", base, "--token-file", file]].concat())
    };
    assert_invalid_and_unsent(from("missing"), &["no token from file missing: it cannot be read: No such file"]);
    assert_invalid_and_unsent(from("."), &["no token from file .: it cannot be read: Is a directory"]);
    assert_invalid_and_unsent(from(""), &["--token-file", "none was supplied"]);
    assert_invalid_and_unsent(
        |home, base| home.plants(&[&ADD[..], &["--base-url", base, "--token-stdin"]].concat()),
        &["no token from stdin: the token is empty"],
    );
    assert_invalid_and_unsent(
        |home, base| home.plants_at(base, &ADD).env("PLANTS_TOKEN", ""),
        &["PLANTS_TOKEN: the variable is empty"],
    );
    assert_invalid_and_unsent(
        |home, base| home.plants(&ADD).env("PLANTS_BASE_URL", base),
        &["no token for http://127.0.0.1", "PLANTS_TOKEN", "--token-file", "--token-stdin"],
    );
    assert_invalid_and_unsent(
        |home, base| home.plants(&[&ADD[..], &["--base-url", base, "--token", "x"]].concat()),
        &["--token"],
    );
}

#[test]
fn failing_token_sources_are_reported() {
    let by_profile = |line: &'static str| {
        move |home: &Home, base: &str| {
            home.config(format!("[profile.p]\nbase_url = '{base}'\n{line}\n"));
            home.plants(&[&ADD[..], &["--profile", "p"]].concat())
        }
    };
    for (line, expected) in [
        ("token_command = ['sh', '-c', 'echo canary; echo no such entry >&2; exit 3']", "and said: no such entry"),
        ("token_command = ['no-such-program-here', 'canary']", "there is no such program"),
        ("token_command = ['true', 'canary']", "the token is empty"),
        ("token_env = 'NOT_SET'", "$NOT_SET: the variable is not set"),
        ("token_file = 'not-there'", "not-there: it cannot be read"),
    ] {
        assert_invalid_and_unsent(by_profile(line), &["no token from ", expected, "Nothing was sent."]);
    }
}

#[test]
fn a_token_command_that_hangs_times_out() {
    assert_invalid_and_unsent(
        |home, base| {
            home.config(format!("[profile.p]\nbase_url = '{base}'\ntoken_command = ['sleep', '600']\n"));
            let mut run = home.plants(&[&ADD[..], &["--profile", "p"]].concat());
            // In the background of a terminal, if this test runs on one: the command could ask a person there.
            run.command.process_group(0);
            run
        },
        &["no token from the command sleep: it did not end within 10s"],
    );
}

#[test]
fn invalid_ids_are_reported_and_not_sent() {
    for (id, expected) in [
        ("12a", "is not a whole number"),
        ("1.0", "is not a whole number"),
        ("1e3", "is not a whole number"),
        ("9223372036854775808", "does not fit in 64 bits"),
        ("-9223372036854775809", "does not fit in 64 bits"),
        (" 7 ", "space around the id"),
        ("+7", "write the id as 7"),
        ("007", "write the id as 7"),
        ("-0", "write the id as 0"),
        ("", "the id is empty"),
        ("٣", "is not a whole number"),
        ("7\u{1b}[2J\u{7}\u{9b}\u{202e}", "is not a whole number"),
    ] {
        let add = [&ADD[..2], &[id], &ADD[3..]].concat();
        assert_invalid_and_unsent(|home, base| home.plants_at(base, &add), &["--id", expected]);
        assert_invalid_and_unsent(|home, base| home.plants_at(base, &["delete", "--yes", "--", id]), &[expected]);
    }
}

#[test]
fn invalid_arguments_are_reported() {
    let home = Home::new();
    for (arguments, stderr) in [
        (&["--no-such-option"][..], "--no-such-option"),
        (&["ad"], "add"),
        (&["water\u{7}\u{202e}"], "water"),
        (&["add", "--name", "x", "--tag", "y", "--demo"], ": give --id or --next-id."),
        (&["add", "--id", "7", "--tag", "y", "--demo"], ": give a name."),
        (&["add", "--id", "7", "--name", "x", "--demo"], "--tag"),
        (&["delete", "--yes", "--demo"], "--match"),
        (&["list", "color:red", "--demo"], "no field color"),
        (&["list", "--timeout", "soon"], "--timeout"),
        (&["list", "--timeout", "0s"], "--timeout"),
        (&["list", "--profile", "nobody"], "--profile"),
        (&["list", "--config", "missing.toml"], "missing.toml"),
        (&["--demo", "list", "--base-url", "http://127.0.0.1"], "--demo"),
        (&["serve", "--port", "65536"], "--port"),
        (&["serve", "--fail", "2"], "--fail"),
        (&["serve", "--latency", "soon"], "--latency"),
    ] {
        assert_invalid(home.plants(arguments), &[stderr]);
    }
    let not_text = OsString::from_vec(b"Fern\xff".to_vec());
    assert_invalid(
        home.plants(&[OsStr::new("add"), "--id=7".as_ref(), "--tag=t".as_ref(), "--name".as_ref(), &not_text]),
        &["UTF-8"],
    );
}

#[test]
fn a_port_in_use_is_reported() {
    let (home, store) = (Home::new(), Served::calm());
    let (_, port) = store.base.rsplit_once(':').unwrap();
    assert_invalid(home.plants(&["serve", "--json", "--port", port]), &[port, "taken by another program"]);
}

#[test]
fn unusual_names_are_sent_unchanged_with_a_note() {
    let (home, store) = (Home::new(), Served::calm());
    let long = "x".repeat(10_000);
    let flood = format!("a{}", "\u{301}".repeat(2000));
    let names = [
        ("", "the name is empty"),
        (" Fern ", "the name begins or ends with a space"),
        ("\u{1b}[2J", "the name contains characters that do not show"),
        ("a\r\nb\u{7}\u{9b}31m", "the name contains characters that do not show"),
        ("evil\u{202e}txt", "the name contains characters that do not show"),
        (&long, ""),
        (&flood, ""),
        ("👨‍👩‍👧 🏳️‍🌈", ""),
        ("שלום 漢字", ""),
    ];
    for (id, (name, note)) in (1..).zip(names) {
        let add = ["add", "--json", "--id", &id.to_string(), "--name", name, "--tag", name];
        let ended = home.plants_at(&store.base, &add).ended().orderly(0);
        let result = ended.json();
        assert_eq!(result["plant"], json!({"name": name, "id": id, "tag": name}));
        assert_eq!(result["mismatches"], json!([]), "the response has the name and tag that were sent");
        assert!(ended.stderr.contains(note) && ended.stderr.len() < 1000, "{ended:?}");
    }
    let listed: Value = serde_json::from_str(&home.listed(&store.base)).unwrap();
    let listed: Vec<&str> = listed.as_array().unwrap().iter().map(|plant| plant["name"].as_str().unwrap()).collect();
    assert_eq!(listed, names.map(|(name, _)| name));

    let table = home.plants_at(&store.base, &["list"]).ended().orderly(0).stdout;
    assert_eq!(table.lines().count(), names.len() + 1);
    assert_eq!(store.log().len(), names.len());
}

#[test]
fn all_faults_of_a_config_file_are_reported_at_once() {
    let home = Home::new();
    home.config(
        "default = 'nobody'\nthemes = 'dark'\n[profile.a]\nbase_url = 'ftp://x'\ntiemout = '3s'\nread_only = 'yes'\n\
         token = 'canary'\ntimeout = 30\n",
    );
    let places = [
        "1: default: ",
        "2: themes: ",
        "4: profile.a.base_url: ",
        "5: profile.a.tiemout: ",
        "6: profile.a.read_only: ",
        "7: profile.a.token: ",
        "8: profile.a.timeout: ",
    ];
    let faults = places.map(|place| format!("config.toml:{place}"));
    let faults: Vec<&str> = faults.iter().map(String::as_str).collect();
    // The demo store is of no profile.
    let of_serve = faults.get(1..).unwrap();
    for (arguments, faults) in [
        (&ADD[..], &faults[..]),
        (&["list"], &faults),
        (&["delete", "7", "--yes"], &faults),
        (&["serve", "--port", "0"], of_serve),
    ] {
        let ended = assert_invalid(home.plants(arguments), faults);
        assert_eq!(
            ended.stderr.lines().count(),
            faults.len() + 1,
            "one line for each fault, and one that nothing was sent: {ended:?}"
        );
    }
}

#[test]
fn unreadable_config_files_are_reported() {
    let home = Home::new();
    for (content, expected) in [
        (&b"theme = 'dark'\nx = '\xff'\n"[..], "config.toml:2: the config file is not UTF-8"),
        (b"\x00\x01", "config.toml:1: "),
        (b"theme = dark", "config.toml:1: text needs quotes"),
        (b"[profile.\"\\u001b[2J\"]\nx = 1\n", "config.toml:2: "),
        (&vec![b'#'; 2 << 20], "longer than 1 MiB"),
    ] {
        home.config(content);
        assert_invalid(home.plants(&["list"]), &[expected]);
    }
    let folder = Home::new();
    folder.write(".config/plants/config.toml/x", "");
    assert_invalid(folder.plants(&["list"]), &["config.toml: the config file cannot be read: Is a directory"]);
}

#[test]
fn unusable_data_folders_are_reported_and_nothing_is_sent() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", ""));
    let file = home.write("file", "");
    home.write("folder/journal.db/x", "");
    let below = file.join("below");
    for (place, reason) in [
        (file.as_path(), "could not create the folder"),
        (&below, "could not create the folder"),
        (&home.path().join("folder"), "is a folder where the journal's file should be"),
    ] {
        for command in [&ADD[..], &["delete", "7", "--yes", "--json"], &["list"]] {
            let run = home.plants_at(&store.url(), command).env("PLANTS_DATA_DIR", place);
            let ended = run.ended().orderly(3);
            for expected in [reason, "--data-dir", "Nothing was sent."] {
                assert!(ended.stderr.contains(expected), "{expected:?} in {ended:?}");
            }
            if command.contains(&"--json") {
                let result = ended.json();
                assert_eq!((&result["outcome"], &result["status"]), (&json!("not_sent"), &Value::Null));
            }
        }
    }
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn a_file_that_is_no_journal_is_set_aside_unchanged_before_anything_is_sent() {
    let (home, store) = (Home::new(), Served::calm());
    let rubbish = "no journal at all";
    home.write("data/journal.db", rubbish);
    let run = |words: &[&str]| home.plants_at(&store.base, &[words, &["--data-dir", "data"]].concat());
    let ended = run(&ADD).ended().orderly(3);
    assert_eq!(ended.json()["outcome"], "not_sent");
    assert!(ended.stderr.contains("Nothing was sent."), "{ended:?}");
    run(&ADD).ended().orderly(0);
    let export = home.write("plants.csv", "id,name,tag\n7,Fern,shade\n");
    for words in [
        &["export", "plants.csv", "--force", "--quiet"][..],
        &["history", "--har", "plants.csv", "--force"],
        &["list", "--json"],
        &["resolve"],
        &["journal", "trim", "--older-than", "1d", "--yes"],
        &["add", "Moss", "--id", "8", "--tag", "shade", "--dry-run"],
        &["--plain"],
    ] {
        home.write("data/journal.db", rubbish);
        let ended = run(words).stdin("add Moss --id 8 --tag shade\n").ended().orderly(3);
        assert!([&ended.stderr, &ended.stdout].iter().any(|text| text.contains("No file was written.")), "{ended:?}");
        run(&["list"]).ended().orderly(0);
    }
    assert!(std::fs::read_to_string(export).unwrap().contains("Fern"));
    assert_eq!(store.log().len(), 1, "the add");
    let (_, kept) = ended.stderr.split_once("The damaged file was renamed to ").unwrap();
    let (kept, _) = kept.split_once("; nothing could be read from it").unwrap();
    assert_eq!(std::fs::read_to_string(home.path().join(kept)).unwrap(), rubbish);
}

/// Writes to `/dev/full`, which behaves like a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_an_error() {
    let (home, store) = (Home::new(), Served::calm());
    home.write("a.csv", "id,name,tag\n8,Moss,shade\n");
    home.plants_at(&store.base, &ADD).ended().orderly(0);
    home.plants(&["journal", "backup", "copy.db"]).ended().orderly(0);
    for (command, code) in [
        (&["add", "--id", "9", "--name", "Fern", "--tag", "shade", "--json"][..], 4),
        (&["list", "--json"], 3),
        (&["list"], 3),
        (&["import", "a.csv", "--dry-run", "--json"], 3),
        (&["journal", "trim", "--older-than", "1d", "--dry-run", "--json"], 3),
        (&["journal", "trim", "--older-than", "1d", "--yes", "--json"], 3),
        (&["journal", "restore", "copy.db", "--dry-run", "--json"], 3),
        (&["journal", "restore", "copy.db", "--yes", "--json"], 4),
        (&["journal", "backup", "again.db", "--json"], 4),
        (&["export", "plants.csv", "--json"], 4),
        (&["resolve", "7", "--forget", "--yes", "--json"], 4),
    ] {
        let mut run = home.plants_at(&store.base, command);
        run.command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        let ended = run.ended().orderly(code);
        assert!(ended.stderr.contains("the result cannot be written to stdout: No space left"), "{ended:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_stdout_that_is_open_for_reading_only_is_an_error() {
    let (home, store) = (Home::new(), Served::calm());
    for command in [&ADD[..], &["list"], &["export", "-"]] {
        let mut run = home.plants_at(&store.base, command);
        run.command.stdout(std::fs::File::open("/dev/null").unwrap());
        let ended = run.ended().orderly(2);
        assert!(ended.stderr.contains("standard output is not open for writing. Nothing was sent."), "{ended:?}");
    }
    for log in ["/dev/stdout", "/dev/fd/1", "-"] {
        let ended = home.plants_at(&store.base, &[&ADD[..], &["--log", log]].concat()).ended().orderly(2);
        assert!(ended.stderr.contains("the log is standard output"), "{ended:?}");
        assert_eq!(ended.stdout, "");
    }
    assert_eq!(store.log(), [""; 0]);
}

#[test]
fn every_status_has_its_exit_code() {
    let home = Home::new();
    for (statuses, code, outcome) in [
        (&[200, 201, 202, 204, 299][..], 0, "accepted"),
        (&[300, 304, 400, 401, 403, 404, 409, 413, 418, 422, 429, 451, 499], 1, "rejected"),
        (&[101, 408, 500, 502, 503, 504, 599, 600, 999], 4, "unknown"),
    ] {
        for status in statuses.iter().step_by(step(2)) {
            for arguments in [&ADD[..], &["delete", "7", "--yes", "--json"]] {
                let store = RawStore::saying(&format!("{status} Whatever"), "");
                let result = home.plants_at(&store.url(), arguments).ended().orderly(code).json();
                assert_eq!((&result["outcome"], &result["status"]), (&json!(outcome), &json!(status)));
                assert!(store.next_request().starts_with(if arguments == ADD { "POST" } else { "DELETE" }));
                assert_eq!(store.received(), [""; 0], "one request each, for every response");
            }
        }
    }
}

#[test]
fn rejections_name_the_next_step() {
    let home = Home::new();
    for (status, expected) in [
        ("401 Unauthorized", "Another token may help"),
        ("403 Forbidden", "Another token may help"),
        ("404 Not Found", "the base URL may be wrong"),
        ("409 Conflict", "may already have a plant with this id"),
        ("429 Too Many Requests", "wait before the next"),
        ("400 \u{9b}2J\u{202e}no", "400"),
    ] {
        let store = RawStore::saying(status, r#"{"error":"no"}"#);
        let ended = home.plants_at(&store.url(), &ADD).ended().orderly(1);
        assert!(ended.stderr.contains(expected), "{ended:?}");
        assert_eq!(store.received().len(), 1);
    }
}

#[test]
fn garbled_or_missing_responses_are_unknown() {
    let home = Home::new();
    let garbled = [
        &b""[..],
        b"HTTP/1.1 ",
        b"HTTP/1.1 abc\r\n\r\n",
        b"\x00\xff\x1b[2J\r\n\r\n",
        b"<html>\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ];
    let floods = [b"0", b"\r"].map(|start| Reply::Floods(start.to_vec()));
    let replies = garbled.map(|bytes| Reply::Says(bytes.to_vec())).into_iter().chain(floods).chain([Reply::Nothing]);
    for reply in replies {
        let store = RawStore::replying(vec![reply.clone()]);
        let ended = home.plants_at(&store.url(), &[&ADD[..], &["--timeout", "2s"]].concat()).ended().orderly(4);
        assert_eq!((&ended.json()["outcome"], &ended.json()["status"]), (&json!("unknown"), &Value::Null), "{reply:?}");
        assert_eq!(store.received().len(), 1);
    }
}

#[test]
fn the_body_does_not_change_the_outcome() {
    let home = Home::new();
    let (long, deep) = ("y".repeat(500_000), "[".repeat(500_000));
    for body in [
        &b"\xff\xfe"[..],
        b"null",
        b"[]",
        b"{}",
        br#"{"name":null,"tag":7}"#,
        "{\"name\":\"\u{202e}\u{9b}2J\u{7f}\",\"tag\":\"\\u001b[2J\"}".as_bytes(),
        format!("{{\"name\":\"{long}\",\"tag\":\"{long}\"}}").as_bytes(),
        deep.as_bytes(),
    ] {
        let store = RawStore::saying("200 OK", body);
        let ended = home.plants_at(&store.url(), &ADD).ended().orderly(0);
        assert!(!ended.json()["mismatches"].as_array().unwrap().is_empty(), "{ended:?}");
        assert!(ended.stderr.len() < 2000, "{} bytes of messages", ended.stderr.len());
        let store = RawStore::saying("400 Bad Request", body);
        home.plants_at(&store.url(), &ADD).ended().orderly(1);
    }
}

#[test]
fn a_token_that_the_store_echoes_is_not_printed() {
    let home = Home::new();
    let token = "canary-canary-canary";
    let echo = format!("{{\"name\":\"{token}\",\"tag\":\"tropical\"}}");
    let store = RawStore::replying(vec![Reply::of(&format!("400 {token}"), &echo), Reply::of("200 OK", &echo)]);
    for code in [1, 0] {
        let ended = home.plants_at(&store.url(), &ADD).env("PLANTS_TOKEN", token).ended().orderly(code);
        assert!(!format!("{ended:?}").contains(CANARY), "{ended:?}");
    }
    for (path, bytes) in files_below(home.path()) {
        assert!(!bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()), "{path}");
    }
    assert_eq!(store.received().len(), 2);
}

/// Words that say what to do next.
const STEPS: [&str; 35] = [
    "add", "again", "ask", "change", "check", "choose", "close", "correct", "export", "free", "give", "install",
    "leave", "list", "lists", "make", "must", "name", "opens", "put", "remove", "replaces", "restart", "save", "see",
    "set", "shows", "start", "try", "unset", "update", "use", "wanted", "write", "--help",
];

/// Returns the lines of stderr that do not say what to do.
fn without_a_step(ended: &Ended) -> Vec<String> {
    let says_what = |line: &&str| {
        let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        words.any(|word| STEPS.contains(&word.to_lowercase().as_str()))
    };
    // Values that can be written are as good as a verb.
    let names_values = |line: &str| {
        ["none of ", "there are: ", "did you mean ", "possible values: "].iter().any(|words| line.contains(words))
    };
    // clap shows the usage below an error, which is the next step.
    let is_message = |line: &&str| {
        !line.trim().is_empty()
            && *line != "Nothing was sent."
            && !names_values(line)
            && !ended.stderr.contains("Usage: ")
    };
    ended.stderr.lines().filter(is_message).filter(|line| !says_what(line)).map(str::to_owned).collect()
}

#[test]
fn every_error_says_what_to_do_next() {
    let home = Home::new();
    let store = RawStore::saying("201 Created", "");
    let base = store.url();
    let unreached = "http://127.0.0.1:1";
    home.write("bad.csv", "id,name,tag\nx,Fern,shade\n");
    home.write("header.csv", "number,name\n7,Fern\n");
    home.write("cut.json", "[{\"id\":7,");
    home.write("text.txt", "no certificate, no journal, no token file\nsecond line");
    home.write("here/folder/x", "");
    let config = |name: &str, content: &str| home.write(name, content).display().to_string();
    let [of_keys, of_values, of_syntax] = [
        config("keys.toml", "themes = 'dark'\ndefault = 'none'\n[profile.a]\ntiemout = '3s'\n[profile.'']\n"),
        config(
            "values.toml",
            "theme = 'blue'\nlog = ''\n[profile.a]\nbase_url = 'ftp://x'\nread_only = 'yes'\ntimeout = 'soon'\nca_cert = 'none.pem'\nproxy = 'x'\nteam = 'http://x'\ntoken_command = []\nheaders = { 'a b' = { env = 'X' }, Host = { env = 'X' }, X-A = { file = 'a', env = 'b' } }\nclient_key = 'text.txt'\n",
        ),
        config("syntax.toml", "theme = \n"),
    ];
    let tls = base.replace("http://", "https://");
    let mut without = Vec::new();
    for arguments in [
        &["add", "--id", "x", "--name", "a", "--tag", "b"][..],
        &["add", "--from", "9"],
        &["delete", "7"],
        &["list", "--config", &of_keys],
        &["list", "--config", &of_values],
        &["list", "--config", &of_syntax],
        &["list", "--config", "none.toml"],
        &["list", "--config", "here"],
        &["list", "--profile", "none"],
        &["list", "--timeout", "soon"],
        &["list", "--base-url", "plants.example"],
        &["list", "--base-url", "http://me:secret@plants.example"],
        &["list", "--data-dir", "text.txt"],
        &["list", "--log", "here"],
        &["history", "--json", "--as", "curl"],
        &["history", "status:4000"],
        &["import", "none.csv"],
        &["import", "here"],
        &["import", "bad.csv"],
        &["import", "header.csv"],
        &["import", "cut.json"],
        &["export", "here"],
        &["export", "text.txt"],
        &["export", "x.json", "--spreadsheet"],
        &["journal", "backup", "-"],
        &["journal", "verify", "text.txt"],
        &["journal", "verify", "none.db"],
        &["journal", "verify", "here"],
        &["journal", "restore", "text.txt", "--yes"],
        &["journal", "restore", "text.txt"],
        &["journal", "trim", "--older-than", "soon"],
        &["resolve", "7", "--stored", "--yes"],
        &["resolve", "--stored"],
        &["check", "--only", "none"],
        &["check", "--json", "--format", "text"],
        &["check", "--yes", "--output", "here"],
        &["team", "status"],
        &["team", "status", "--team", "nats://127.0.0.1:1"],
        &["team", "join", "--team", "nats://127.0.0.1:1", "--yes"],
        &["serve", "--fail", "2"],
        &["man", "none"],
        &["lst"],
        &["--json"],
        &["list", "--tour"],
        &["delete", "7", "--yes", "--base-url", unreached],
        &["delete", "7", "--yes", "--base-url", &tls],
        &["delete", "7", "--yes", "--base-url", &tls, "--ca-cert", "text.txt"],
        &["delete", "7", "--yes", "--base-url", &tls, "--ca-cert", "none.pem"],
        &["delete", "7", "--yes", "--token-file", "none"],
        &["delete", "7", "--yes", "--token-file", "text.txt"],
        &["delete", "7", "--yes", "--read-only"],
    ] {
        let run = home.plants_at(&base, arguments).env("PLANTS_TOKEN", "token");
        let ended = run.ended();
        without.extend((ended.code == Some(0)).then(|| format!("{arguments:?} did not fail")));
        without.extend(ended.stderr.is_empty().then(|| format!("{arguments:?} says nothing")));
        without.extend(without_a_step(&ended).into_iter().map(|line| format!("{arguments:?}: {line}")));
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
}
