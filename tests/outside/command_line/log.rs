//! `--log`: what is in it, what is never in it, and a file that cannot be opened.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use super::*;

const TOKEN: &str = "canary-canary-canary";

/// The parts of the lines of a log, without their times.
fn lines(log: &str) -> Vec<&str> {
    log.lines().map(|line| line.split_once(' ').unwrap().1.trim_start()).collect()
}

#[test]
fn a_log_has_the_stages_of_an_operation_and_no_secret() {
    let echo = Reply::of(&format!("409 {TOKEN}"), format!(r#"{{"you":"{TOKEN}"}}"#));
    let store = RawStore::replying(vec![Reply::of("201 Created", RESPONSE), echo]);
    let home = Home::new();
    home.config(format!(
        "[profile.a]\nbase_url = '{}'\nheaders = {{ X-Key = {{ env = 'KEY' }} }}\ntoken_command = ['echo', '{TOKEN}']\n",
        store.url()
    ));
    let path = home.path().join("log");
    let run = |words: &[&str]| {
        let words = [words, &["--profile", "a", "--log", path.to_str().unwrap()]].concat();
        home.plants(&words).env("KEY", format!("{TOKEN}-of-the-gateway")).ended()
    };
    run(&ADD).orderly(0);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    let first = fs::read_to_string(&path).unwrap();
    let shown = lines(&first);
    let mut rest = shown.iter();
    for part in [
        "cli: started: add version=",
        "cli: setting log = ",
        "cli: setting base_url = http://127.0.0.1:",
        "cli::open: store opened store=http://127.0.0.1:",
        "worker::dispatch: submitted: add 7 operation=",
        "worker::dispatch: recorded operation=",
        "worker::dispatch: sending operation=",
        "worker::dispatch: ended: status 201, 36 bytes; ",
        "cli: ended with exit code 0",
    ] {
        assert!(rest.any(|line| line.contains(part)), "{part} is missing or out of order: {first}");
    }
    run(&ADD).orderly(1);
    let both = fs::read_to_string(&path).unwrap();
    assert!(both.starts_with(&first) && both.contains("ended: status 409"), "{both}");
    for never in [TOKEN, "Monstera", "tropical"] {
        assert!(!both.contains(never), "{never} is in the log: {both}");
    }
    assert!(both.lines().all(|line| line.contains(" plants::") || !line.contains("hyper")), "{both}");
    store.received();
}

#[test]
fn a_log_that_cannot_be_opened_is_a_usage_error_before_anything_is_sent() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    let token = home.write("token", "canary");
    for log in ["nowhere/log", ".", "token"] {
        let ended = home.plants_at(&store.url(), &[&ADD[..], &["--log", log]].concat()).ended().orderly(2);
        assert!(ended.stderr.contains(&format!("the log {log} cannot be opened: ")), "{ended:?}");
        assert!(ended.stderr.contains("Nothing was sent."), "{ended:?}");
    }
    assert_eq!((store.received(), fs::read_to_string(token).unwrap().as_str()), (vec![], "canary"));
}

#[test]
fn a_variable_names_the_log_and_faults_and_errors_are_in_it() {
    let home = Home::new();
    home.config("theme = 'drak'\n");
    let before = "2026-11-01T12:00:00.000Z DEBUG cli: ended with exit code 0\n";
    let path = home.write("log", before);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    home.plants(&["list"]).env("PLANTS_LOG", &path).ended().orderly(2);
    let log = fs::read_to_string(&path).unwrap();
    assert!(log.starts_with(before) && log.contains("cli: fault of the configuration: "), "{log}");
    assert!(log.ends_with("cli: ended with exit code 2\n"), "{log}");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640, "the mode of an existing file stays");
}

/// Writes to `/dev/full`, which behaves like a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_log_without_room_is_said_once_and_changes_no_result() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    let ended = home.plants_at(&store.url(), &ADD).env("PLANTS_LOG", "/dev/full").ended().orderly(0);
    assert!(ended.stderr.contains("Added Monstera (7)"), "{ended:?}");
    assert_eq!(ended.stderr.matches("Lines are missing in the log: No space left").count(), 1, "{ended:?}");
    store.received();
}
