//! A canary token from every source, sent to every kind of store: the token is in no output, file or dump,
//! also if the store returns it.
//!
//! The tests in `terminal` cover a typed token and the screen.

use std::fs;
use std::path::Path;

use crate::support::extent::step;
use crate::support::raw::{RawStore, Reply};
use crate::support::{Ended, Home, Run, files_below};

/// Contains characters that JSON and URLs can escape.
pub(crate) const CANARY: &str = "CANARY/7f3a+secret==";

/// Spellings of the token in responses.
const SPELLINGS: [&str; 11] = [
    CANARY,
    r"CANARY\/7f3a+secret==",
    r"CANARY/7f3a\u002Bsecret==",
    r"\u0043ANARY/7f3a+secret=\u003d",
    "CANARY%2F7f3a%2Bsecret%3D%3D",
    "canary/7f3a+SECRET==",
    "CANARY&#x2F;7f3a&plus;secret&#61;=",
    "CANARY%252F7f3a%252Bsecret%253D%253D",
    r"CANARY\\\\/7f3a\\u002Bsecret==",
    "CANARY/7f3a+sec=\r\nret=3D=3D",
    "CANARY/7f3a secret==",
];

/// The folder of the token in a home, which is not searched.
pub(crate) const SAFE: &str = "safe";

/// Returns whether these bytes contain the token in any spelling, or its beginning.
fn has_token(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let beginning = CANARY.trim_end_matches("secret==").to_lowercase();
    text.contains(&beginning) || SPELLINGS.iter().any(|spelled| text.contains(&spelled.to_lowercase()))
}

/// The name of a token source, and how to set it.
type Way = (&'static str, fn(Run, &Home) -> Run);

const WAYS: [Way; 6] = [
    ("PLANTS_TOKEN", |run, _| run.env("PLANTS_TOKEN", CANARY)),
    ("--token-file", |mut run, home| {
        run.command.arg("--token-file").arg(home.path().join(SAFE).join("token"));
        run
    }),
    ("--token-stdin", |mut run, _| {
        run.command.arg("--token-stdin");
        run.stdin(format!("Bearer {CANARY}\n"))
    }),
    ("token_file", |run, _| run.env("PLANTS_PROFILE", "file")),
    ("token_env", |run, _| run.env("PLANTS_PROFILE", "env").env("STAGING_TOKEN", CANARY)),
    ("token_command", |run, _| run.env("PLANTS_PROFILE", "command")),
];

/// Responses of stores, most of which contain the token.
pub(crate) fn responses() -> Vec<(&'static str, Reply)> {
    let mut responses = vec![
        ("yes", Reply::of("201 Created", r#"{"name":"Fern","tag":"shade"}"#)),
        ("nothing", Reply::Says(Vec::new())),
        ("garbage", Reply::Says(format!("{CANARY} 201 Created\r\n\r\n").into_bytes())),
        ("a bad length", Reply::Says(format!("HTTP/1.1 201 Created\r\nContent-Length: {CANARY}\r\n\r\n").into_bytes())),
        ("a reason", Reply::of(&format!("409 {CANARY}"), "")),
        ("a redirect", Reply::of(&format!("302 Found\r\nLocation: http://127.0.0.1:9/?t={}", SPELLINGS[4]), "")),
        ("a challenge", Reply::of(&format!("401 No\r\nWWW-Authenticate: Bearer {CANARY}"), "")),
        (
            "a body that is cut off",
            Reply::Says(
                format!("HTTP/1.1 400 No\r\nContent-Length: 99\r\n\r\nyou sent {}", CANARY.trim_end_matches("ret=="))
                    .into_bytes(),
            ),
        ),
    ];
    responses.extend(
        SPELLINGS.map(|spelled| {
            ("a body", Reply::of("400 No", format!(r#"{{"you":"sent {spelled}","name":"{spelled}"}}"#)))
        }),
    );
    responses.extend(
        SPELLINGS.map(|spelled| ("a name", Reply::of("201 Created", format!(r#"{{"name":"{spelled}","tag":"x"}}"#)))),
    );
    responses
}

fn home_of(store: &RawStore) -> Home {
    let home = Home::new();
    home.write(&format!("{SAFE}/token"), format!("{CANARY}\n"));
    let token = home.path().join(SAFE).join("token").display().to_string();
    let profiles = [
        ("file", format!("token_file = '{token}'")),
        ("env", "token_env = 'STAGING_TOKEN'".to_owned()),
        ("command", format!("token_command = ['cat', '{token}']")),
    ];
    let of = |(name, source): &(_, String)| format!("[profile.{name}]\nbase_url = '{}'\n{source}\n", store.url());
    home.config(profiles.iter().map(of).collect::<String>());
    home
}

pub(crate) fn assert_no_token_in(ended: &Ended, about: &str) {
    for (sink, text) in [("stdout", &ended.stdout), ("stderr", &ended.stderr)] {
        assert!(!has_token(text.as_bytes()), "{about}: the token is in {sink}: {text}");
    }
}

pub(crate) fn assert_no_token_below(home: &Home, about: &str) {
    let is_safe = |path: &str| Path::new(path).starts_with(home.path().join(SAFE));
    for (path, bytes) in files_below(home.path()).into_iter().filter(|(path, _)| !is_safe(path)) {
        assert!(!has_token(&bytes), "{about}: the token is in {path}");
    }
}

/// Makes a run print as much as possible.
pub(crate) fn verbose(run: Run) -> Run {
    run.env("RUST_BACKTRACE", "full").env("RUST_LOG", "trace").env("RUST_LIB_BACKTRACE", "1")
}

#[test]
fn no_response_makes_the_token_appear_in_output_or_files() {
    let responses = responses();
    let replies: Vec<_> = responses.iter().map(|(_, reply)| reply.clone()).collect();
    for (nth, (way, give)) in WAYS.into_iter().enumerate() {
        let (from, step) = (nth % step(6), step(6));
        let store = RawStore::replying(replies.iter().skip(from).step_by(step).cloned().collect());
        let home = home_of(&store);
        let mut sent = 0;
        for (id, (what, _)) in responses.iter().enumerate().skip(from).step_by(step) {
            let (about, id) = (format!("{way}, {what}"), id.to_string());
            let arguments = ["add", "--id", &id, "--name", "Fern", "--tag", "shade", "--json"];
            let mut run = give(home.plants(&arguments), &home);
            if !way.starts_with("token_") {
                run = run.env("PLANTS_BASE_URL", store.url());
            }
            let ended = verbose(run).ended();
            assert!(matches!(ended.code, Some(0 | 1 | 4)), "{about}: {ended:?}");
            assert_no_token_in(&ended, &about);
            sent += 1;
        }
        for arguments in [
            &["list", "--json"][..],
            &["history"],
            &["history", "--json"],
            &["history", "--as", "curl"],
            &["history", "--as", "markdown"],
            &["history", "1"],
            &["history", "1", "--json"],
            &["history", "--har", "-"],
            &["history", "--har", "plants.har", "--force"],
            &["export", "plants.csv", "--force"],
            &["check", "--yes", "--gentle", "--format", "markdown", "--output", "check.md", "--pace", "0s"],
        ] {
            let run = give(home.plants(arguments), &home).env("PLANTS_BASE_URL", store.url());
            assert_no_token_in(&verbose(run.env("PLANTS_TOKEN", CANARY)).ended(), &format!("{way}, {arguments:?}"));
        }
        assert_no_token_below(&home, way);
        let received = store.received();
        let with_it = received.iter().filter(|request| request.contains(&format!("Bearer {CANARY}\r\n"))).count();
        assert!(with_it >= sent, "{way}: the token was sent {with_it} times only");
    }
}

#[test]
fn no_local_error_makes_the_token_appear_in_output_or_files() {
    let store = RawStore::saying("201 Created", "{}");
    let home = home_of(&store);
    let add = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--json"];
    let at = |base: &str| verbose(home.plants(&add)).env("PLANTS_TOKEN", CANARY).env("PLANTS_BASE_URL", base);
    let in_a_url = SPELLINGS[4];
    for (run, code) in [
        (at("http://127.0.0.1:1"), 3),
        (at("http://plants.example"), 2),
        (at(&format!("http://{in_a_url}@127.0.0.1:1")), 2),
        (at("https://plants.example").env("https_proxy", format!("http://u:{in_a_url}@127.0.0.1:1")), 3),
        (at("http://127.0.0.1:1").env("PLANTS_TOKEN", format!("{CANARY} {CANARY}")), 2),
        (at("http://127.0.0.1:1").env("PLANTS_TOKEN", format!("{CANARY}\u{1b}")), 2),
    ] {
        let ended = run.ended();
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert_no_token_in(&ended, "nothing is sent");
    }
    // In wrong places of the command line.
    for arguments in [
        &["--token-file", CANARY, "--log", "log", "list", "--json"][..],
        &["--profile", CANARY, "--log", "log", "list"],
        &["--profile", CANARY, "--log", "log", "config"],
        &["--profile", CANARY, "config", "--json"],
        &["--base-url", CANARY, "--log", "log", "list"],
        &["--log", "log", "import", CANARY],
        &[CANARY],
    ] {
        let ended = verbose(home.plants(arguments)).env("PLANTS_TOKEN", CANARY).ended();
        assert_ne!(ended.code, Some(0), "{ended:?}");
        assert_no_token_in(&ended, arguments[0]);
    }
    // In wrong places of the config file.
    for line in [
        format!("token = '{CANARY}'"),
        format!("token = {CANARY}"),
        format!("[profile.p]\ntoken = '{CANARY}'"),
        format!("[profile.p]\nbase_url = 'http://127.0.0.1:1'\ntoken_env = '{CANARY}'"),
        format!("[profile.p]\nbase_url = 'http://{in_a_url}@127.0.0.1:1'"),
        format!("[profile.p]\nbase_url = 'http://127.0.0.1:1'\nproxy = 'socks5://u:{in_a_url}@127.0.0.1:1'"),
        CANARY.to_owned(),
    ] {
        let file = home.write(&format!("{SAFE}/config.toml"), &line);
        let ended = verbose(home.plants(&["list"])).env("PLANTS_TOKEN", "demo");
        let mut run = ended;
        run.command.arg("--config").arg(file);
        let ended = run.ended().orderly(2);
        assert_no_token_in(&ended, &line);
    }
    assert_no_token_below(&home, "nothing is sent");
    assert_eq!(store.received(), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_core_dump_limit_is_zero() {
    use std::io::{BufRead as _, BufReader};
    let home = Home::new();
    let mut child = home.plants(&["serve", "--port", "0"]).begun();
    // The first line is printed once the server runs.
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    let limits = fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Also programs of the same user, unless `PLANTS_DUMPABLE` is set.
#[test]
#[cfg(target_os = "linux")]
fn other_programs_cannot_read_the_memory() {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::fs::{MetadataExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    /// A user id without an account.
    const USER: u32 = 54_987;
    let home = Home::new();
    let (program, is_root) = (home.path().join("plants"), rustix::process::geteuid().is_root());
    assert!(
        std::process::Command::new("cp").arg(env!("CARGO_BIN_EXE_plants")).arg(&program).status().unwrap().success()
    );
    if is_root {
        chown(home.path(), Some(USER), Some(USER)).unwrap();
    }
    for (wanted, is_the_systems) in [("", true), ("1", false)] {
        let mut run = home.program(&program, &["serve", "--port", "0"]).env("PLANTS_DUMPABLE", wanted);
        if is_root {
            run.command.uid(USER).gid(USER);
        }
        let mut child = run.begun();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
        let owner = fs::metadata(format!("/proc/{}/mem", child.id())).unwrap().uid();
        assert_eq!(owner == 0, is_the_systems, "{wanted:?}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// The warning is printed once, and does not change the outcome.
#[test]
fn files_that_others_can_read_or_change_cause_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;
    let store = RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#);
    let home = home_of(&store);
    let add = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--json", "--profile", "file"];
    let before = home.plants(&add).ended().orderly(0);
    assert!(!before.stderr.contains("Warning"), "{before:?}");
    let config = home.path().join(".config/plants/config.toml");
    let data = home.data();
    for (path, mode, warning) in [
        (config, 0o664, "Other users can change the config file"),
        (home.path().join(SAFE).join("token"), 0o620, "Other users can change the token file"),
        (data, 0o777, "Other users can change the data folder"),
    ] {
        let safe = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let ended = home.plants(&add).ended().orderly(0);
        assert_eq!(ended.json()["outcome"], before.json()["outcome"]);
        let warnings: Vec<_> = ended.stderr.lines().filter(|line| line.starts_with("Warning: ")).collect();
        let named = format!("{warning} {}", path.display());
        assert!(warnings.len() == 1 && warnings[0].contains(&named) && warnings[0].contains("chmod "), "{ended:?}");
        fs::set_permissions(&path, safe).unwrap();
    }
}
