//! Where the token is not, where rows are meanwhile, and who may send nothing.

use std::fs;
use std::path::Path;

use super::store::{Reply, Store};
use super::{TOKEN, Told, import, numbered};
use crate::support::{Home, end_of};

/// Every file under a folder, with what is in it.
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
fn the_token_is_nowhere_but_on_the_wire() {
    let home = Home::new();
    // The refusals repeat what they were sent.
    let store = Store::replying(|create, _| match create.id {
        1 => Reply::Says(400),
        2 => Reply::Says(500),
        3 => Reply::Asks(429, "0"),
        4 => Reply::Lost,
        40 => Reply::Waits,
        _ => Reply::Says(201),
    });
    home.write("a.csv", numbered(1..=40));
    fs::create_dir(home.path().join("tmp")).unwrap();
    let child = import(&home, &store.base(), &["a.csv"]).env("TMPDIR", home.path().join("tmp")).begun();
    // 3 comes three times.
    store.has_come(42);
    // What it has open, the file without a name among it.
    let open = Path::new("/proc").join(child.id().to_string()).join("fd");
    let descriptors = fs::read_dir(open).into_iter().flatten().map(|entry| entry.unwrap().path());
    for (path, leads_to) in descriptors.filter_map(|path| fs::read_link(&path).ok().map(|to| (path, to))) {
        if leads_to.starts_with(home.path()) {
            assert!(!has_the_token(&fs::read(path).unwrap()), "{}", leads_to.display());
        }
    }
    store.lets_go();
    let ended = end_of(child).orderly(4);
    assert_eq!(Told::by(&ended).counts(), [("accepted", 36), ("rejected", 2), ("unknown", 2)].into());
    assert!(store.came().iter().all(|create| create.authorization == format!("Bearer {TOKEN}")));
    for (path, content) in files(home.path()) {
        assert!(!has_the_token(&content), "{path}");
    }
    assert!(files(home.path()).iter().any(|(path, _)| path.ends_with("journal.db")));
    assert_eq!(files(&home.path().join("tmp")), []);
}

#[test]
fn rows_wait_in_a_file_without_a_name() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Waits));
    home.write("a.csv", numbered(1..=1000));
    fs::create_dir(home.path().join("tmp")).unwrap();
    let before: Vec<_> = files(home.path()).into_iter().map(|(path, _)| path).collect();
    // The second time there is a folder for the journal, and they wait there.
    for _ in 0..2 {
        let mut child = import(&home, &store.base(), &["a.csv"]).env("TMPDIR", home.path().join("tmp")).begun();
        store.has_come(8);
        let named = files(home.path()).into_iter().map(|(path, _)| path);
        let new: Vec<_> = named.filter(|path| !before.contains(path) && !path.contains("journal.db")).collect();
        assert!(new.iter().all(|path| path.contains("/instances/")), "{new:?}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_reader_sends_nothing() {
    let (home, store) = (Home::new(), Store::calm());
    home.config(format!("[profile.p]\nbase_url = '{}'\nread_only = true\n", store.base()));
    home.write("a.csv", numbered(1..=3));
    for way in [&["--profile", "p"][..], &["--read-only", "--base-url", &store.base()]] {
        let run = |words: &[&str]| home.plants(&[words, way].concat()).env("PLANTS_TOKEN", TOKEN).ended();
        let ended = run(&["import", "--json", "a.csv"]).orderly(2);
        assert!(ended.stderr.contains("read-only") && ended.stdout.is_empty(), "{ended:?}");
        let told = Told::by(&run(&["import", "--json", "a.csv", "--dry-run"]).orderly(0));
        assert_eq!(told.count("to_send"), 3);
    }
    assert_eq!(store.ids(), [0; 0]);
}

#[test]
fn stdin_is_the_token_or_the_file() {
    let (home, store) = (Home::new(), Store::calm());
    let at = ["import", "--json", "--token-stdin", "--base-url", &store.base()];
    let ended = home.plants(&[&at[..], &["-"]].concat()).stdin(TOKEN).ended().orderly(2);
    assert!(ended.stderr.contains("--token-stdin") && ended.stderr.contains("Nothing was sent"), "{ended:?}");
    assert!(!ended.stderr.contains(TOKEN) && ended.stdout.is_empty(), "{ended:?}");
    assert_eq!(store.ids(), [0; 0]);
    home.write("a.csv", numbered(1..=1));
    Told::by(&home.plants(&[&at[..], &["a.csv"]].concat()).stdin(TOKEN).ended().orderly(0));
    assert_eq!(store.came()[0].authorization, format!("Bearer {TOKEN}"));
}

#[test]
fn without_a_token_nothing_is_sent() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", numbered(1..=1));
    let ended = home.plants(&["import", "a.csv", "--base-url", &store.base()]).ended().orderly(2);
    assert!(ended.stderr.contains("no token for") && ended.stderr.contains("Nothing was sent"), "{ended:?}");
    assert_eq!(store.ids(), [0; 0]);
}

#[test]
fn with_nothing_configured_it_goes_to_the_demo_store() {
    let home = Home::new();
    home.write("a.csv", numbered(1..=20));
    for _ in 0..2 {
        let ended = home.plants(&["import", "--json", "a.csv"]).ended().orderly(0);
        assert!(ended.stderr.contains("demo store at http://127.0.0.1:"), "{ended:?}");
        assert_eq!(Told::by(&ended).counts(), [("accepted", 20)].into());
    }
    assert!(!home.data().exists());
}
