//! The token, the temporary file of rows, and imports that must not send.

use std::fs;
use std::path::Path;

use super::store::{Reply, Store};
use super::{Output, TOKEN, import, numbered};
use crate::support::{Home, end_of};

/// Returns every file below a folder, with its content.
fn files(under: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(under).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if let Ok(content) = fs::read(&path) {
            found.push((path.display().to_string(), content));
        }
    }
    found
}

fn has_the_token(content: &[u8]) -> bool {
    content.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes())
}

#[test]
fn the_token_is_only_sent() {
    let home = Home::new();
    // Error bodies contain the token.
    let store = Store::replying(|create, _| match create.id {
        1 => Reply::Status(400),
        2 => Reply::Status(500),
        3 => Reply::RetryAfter(429, "0"),
        4 => Reply::Lost,
        40 => Reply::Held,
        _ => Reply::Status(201),
    });
    home.write("a.csv", numbered(1..=40));
    fs::create_dir(home.path().join("tmp")).unwrap();
    let child = import(&home, &store.base(), &["a.csv"]).env("TMPDIR", home.path().join("tmp")).begun();
    // Row 3 is sent three times.
    store.wait_for(42);
    // Open files, also the unnamed one.
    let open = Path::new("/proc").join(child.id().to_string()).join("fd");
    let descriptors = fs::read_dir(open).into_iter().flatten().map(|entry| entry.unwrap().path());
    for (path, leads_to) in descriptors.filter_map(|path| fs::read_link(&path).ok().map(|to| (path, to))) {
        if leads_to.starts_with(home.path()) {
            assert!(!has_the_token(&fs::read(path).unwrap()), "{}", leads_to.display());
        }
    }
    store.release();
    let ended = end_of(child).orderly(4);
    assert_eq!(Output::of(&ended).counts(), [("accepted", 36), ("rejected", 2), ("unknown", 2)].into());
    assert!(store.creates().iter().all(|create| create.authorization == format!("Bearer {TOKEN}")));
    for (path, content) in files(home.path()) {
        assert!(!has_the_token(&content), "{path}");
    }
    assert!(files(home.path()).iter().any(|(path, _)| path.ends_with("journal.db")));
    assert_eq!(files(&home.path().join("tmp")), []);
}

#[cfg(unix)]
#[test]
fn validated_rows_are_in_an_unnamed_file() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Held));
    home.write("a.csv", numbered(1..=1000));
    fs::create_dir(home.path().join("tmp")).unwrap();
    let before: Vec<_> = files(home.path()).into_iter().map(|(path, _)| path).collect();
    // In the second run, the data folder exists and holds the file.
    for _ in 0..2 {
        let mut child = import(&home, &store.base(), &["a.csv"]).env("TMPDIR", home.path().join("tmp")).begun();
        store.wait_for(8);
        let named = files(home.path()).into_iter().map(|(path, _)| path);
        let new: Vec<_> = named.filter(|path| !before.contains(path) && !path.contains("journal.db")).collect();
        assert!(new.iter().all(|path| path.contains("/instances/")), "{new:?}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn read_only_allows_a_dry_run_only() {
    let (home, store) = (Home::new(), Store::accepting());
    home.config(format!("[profile.p]\nbase_url = '{}'\nread_only = true\n", store.base()));
    home.write("a.csv", numbered(1..=3));
    for way in [&["--profile", "p"][..], &["--read-only", "--base-url", &store.base()]] {
        let run = |arguments: &[&str]| home.plants(&[arguments, way].concat()).env("PLANTS_TOKEN", TOKEN).ended();
        let ended = run(&["import", "--json", "a.csv"]).orderly(2);
        assert!(ended.stderr.contains("read-only") && ended.stdout.is_empty(), "{ended:?}");
        let result = Output::of(&run(&["import", "--json", "a.csv", "--dry-run"]).orderly(0));
        assert_eq!(result.count("to_send"), 3);
    }
    assert_eq!(store.ids(), [0; 0]);
}

#[test]
fn stdin_cannot_be_both_token_and_file() {
    let (home, store) = (Home::new(), Store::accepting());
    let at = ["import", "--json", "--token-stdin", "--base-url", &store.base()];
    let ended = home.plants(&[&at[..], &["-"]].concat()).stdin(TOKEN).ended().orderly(2);
    assert!(ended.stderr.contains("--token-stdin") && ended.stderr.contains("Nothing was sent"), "{ended:?}");
    assert!(!ended.stderr.contains(TOKEN) && ended.stdout.is_empty(), "{ended:?}");
    assert_eq!(store.ids(), [0; 0]);
    home.write("a.csv", numbered(1..=1));
    Output::of(&home.plants(&[&at[..], &["a.csv"]].concat()).stdin(TOKEN).ended().orderly(0));
    assert_eq!(store.creates()[0].authorization, format!("Bearer {TOKEN}"));
}

#[test]
fn without_a_token_nothing_is_sent() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=1));
    let ended = home.plants(&["import", "a.csv", "--base-url", &store.base()]).ended().orderly(2);
    assert!(ended.stderr.contains("no token for") && ended.stderr.contains("Nothing was sent"), "{ended:?}");
    assert_eq!(store.ids(), [0; 0]);
}

#[test]
fn an_import_into_the_demo_store_leaves_nothing() {
    let home = Home::new();
    home.write("a.csv", numbered(1..=20));
    for _ in 0..2 {
        let ended = home.plants(&["import", "--json", "a.csv", "--demo"]).ended().orderly(0);
        assert!(ended.stderr.contains("demo store at http://127.0.0.1:"), "{ended:?}");
        assert_eq!(Output::of(&ended).counts(), [("accepted", 20)].into());
    }
    assert!(!home.data().exists());
}
