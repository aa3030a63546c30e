//! The programs that are run, what they add, and their journals.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use plants::domain::StoreUrl;
use plants::journal::file_in;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::Extent;
use crate::store::Store;

/// The program that is measured.
const PLANTS: &str = env!("CARGO_BIN_EXE_plants");

/// The token of every store in the benchmark.
pub(crate) const TOKEN: &str = "demo";

/// The argument that starts the loop of requests.
pub(crate) const LOOP: &str = "reference-loop";

/// The base URL of the large journal, without a store.
pub(crate) const STORE: &str = "http://127.0.0.1:9";

const TAG: &str = "tropical";

/// Creates a temporary folder on the disk of the target folder.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Returns the name of the plant with this id: every seventh is a Hoya.
pub(crate) fn name(id: u32) -> String {
    let names = ["Monstera", "Calathea", "Ficus", "Hoya", "Pilea", "Aloe", "Begonia"];
    format!("{} {id}", names[id as usize % names.len()])
}

fn body(id: u32) -> String {
    format!(r#"{{"name":"{}","id":{id},"tag":"{TAG}"}}"#, name(id))
}

/// Writes a CSV file of `count` plants with ids from `first` on.
pub(crate) fn rows(folder: &Path, first: u32, count: u32) -> PathBuf {
    let path = folder.join(format!("plants-{count}.csv"));
    let mut file = BufWriter::new(File::create(&path).unwrap());
    writeln!(file, "name,id,tag").unwrap();
    for id in first..first + count {
        writeln!(file, "{},{id},{TAG}", name(id)).unwrap();
    }
    file.flush().unwrap();
    path
}

/// Prepares `plants` for a store and the journal in a folder.
pub(crate) fn plants(words: &[&str], base_url: &str, journal: &Path) -> Command {
    let mut command = Command::new(PLANTS);
    command.args(words).args(["--base-url", base_url]).arg("--data-dir").arg(journal).env("PLANTS_TOKEN", TOKEN);
    // Without it, the system tells only root the memory of the program.
    command.env("PLANTS_DUMPABLE", "1").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

pub(crate) fn add(id: u32, base_url: &str, journal: &Path) -> Command {
    let (id, name) = (id.to_string(), name(id));
    plants(&["add", "--json", "--id", &id, "--name", &name, "--tag", TAG], base_url, journal)
}

pub(crate) fn import(rows: &Path, concurrency: u32, base_url: &str, journal: &Path) -> Command {
    let (rows, concurrency) = (rows.to_str().unwrap(), concurrency.to_string());
    plants(&["import", rows, "--concurrency", &concurrency], base_url, journal)
}

pub(crate) fn check(journal: &Path) -> Command {
    let mut command = Command::new(PLANTS);
    command.args(["check", "--demo", "--yes", "--data-dir"]).arg(journal);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Returns the words of the interface for a store and the journal in a folder.
pub(crate) fn interface(base_url: &str, journal: &Path) -> Vec<OsString> {
    vec![PLANTS.into(), "--base-url".into(), base_url.into(), "--data-dir".into(), journal.into()]
}

/// Prepares `curl` to send this many adds, several at a time.
pub(crate) fn curl(count: u32, concurrency: u32, base_url: &str) -> Command {
    let mut command = Command::new("curl");
    command.args([
        "--silent",
        "--fail",
        "--output",
        "/dev/null",
        "--header",
        &format!("Authorization: Bearer {TOKEN}"),
    ]);
    command.args(["--header", "Content-Type: application/json", "--data", &body(1)]);
    if concurrency > 1 {
        command.args(["--parallel", "--parallel-immediate", "--parallel-max", &concurrency.to_string()]);
    }
    command.arg(format!("{base_url}/plants?[1-{count}]")).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Prepares the loop of [`send`].
pub(crate) fn requests(count: u32, concurrency: u32, base_url: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([LOOP, base_url, &count.to_string(), &concurrency.to_string()]);
    command
}

/// Adds `count` plants with one pooled client, `concurrency` at a time: the words are base URL, count and concurrency.
pub(crate) fn send(words: &[String]) {
    let [base_url, count, concurrency]: &[String; 3] = words.try_into().unwrap();
    let (url, count, concurrency) =
        (format!("{base_url}/plants"), count.parse().unwrap(), concurrency.parse().unwrap());
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let sent = Arc::new(AtomicU32::new(0));
        let one = |_: u32| {
            let (client, url, sent) = (client.clone(), url.clone(), Arc::clone(&sent));
            async move {
                loop {
                    let id = sent.fetch_add(1, Ordering::Relaxed) + 1;
                    if id > count {
                        return;
                    }
                    send_one(&client, &url, body(id)).await;
                }
            }
        };
        (0..concurrency).map(one).collect::<JoinSet<_>>().join_all().await;
    });
}

/// Sends the request of `plants`; the response must be 201.
async fn send_one(client: &reqwest::Client, url: &str, body: String) {
    let request = client
        .post(url)
        .header(AUTHORIZATION, format!("Bearer {TOKEN}"))
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "*/*")
        .header(ACCEPT_ENCODING, "identity")
        .header(USER_AGENT, concat!("plants/", env!("CARGO_PKG_VERSION")));
    let response = request.body(body).send().await.unwrap();
    assert_eq!(response.status(), 201);
    response.bytes().await.unwrap();
}

/// Builds `tests/bench/reference.rs` like `plants`; returns its path.
pub(crate) fn bare() -> OsString {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["bench", "--locked", "--quiet", "--bench", "reference", "--no-run", "--message-format", "json"]);
    cargo.arg("--target-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap());
    // cargo sets these for the running program; with them, it would build dependencies again.
    for (name, _) in std::env::vars_os() {
        let is_of_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        if name.to_str().is_some_and(is_of_package) {
            cargo.env_remove(name);
        }
    }
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "the bare program cannot be built");
    let messages = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let mut built = messages.filter(|message: &Value| message["target"]["name"] == "reference");
    built.find_map(|message| message["executable"].as_str().map(OsString::from)).unwrap()
}

/// Returns the folder of a journal with many plants, for [`STORE`]. It is created by an import, once for each text of
/// the schema, in the target folder.
pub(crate) fn large(extent: &Extent) -> PathBuf {
    let imported = |count| {
        let (files, journal, store) = (folder(), folder(), Store::start());
        let rows = rows(files.path(), 1, count);
        assert!(import(&rows, 64, &store.base_url, journal.path()).status().unwrap().success());
        assign(&file_in(journal.path()), &store.base_url, STORE);
        journal
    };
    let small = imported(1);
    let schema = Connection::open(file_in(small.path())).unwrap();
    let schema = schema.query_row("SELECT group_concat(sql) FROM sqlite_schema", [], |row| row.get::<_, String>(0));
    let mut hasher = DefaultHasher::new();
    schema.unwrap().hash(&mut hasher);
    let name = format!("speed-{:016x}-{}", hasher.finish(), extent.plants);
    let cached = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !cached.exists() {
        // Whole or not at all.
        fs::rename(imported(extent.plants).path(), &cached).unwrap();
    }
    cached
}

/// Copies the large journal and moves its plants to another store. Syncs the copy, so that writing it does not disturb
/// the measurement.
pub(crate) fn copy_for(large: &Path, base_url: &str) -> TempDir {
    let copy = folder();
    let file = file_in(copy.path());
    fs::copy(file_in(large), &file).unwrap();
    assign(&file, STORE, base_url);
    File::open(&file).unwrap().sync_all().unwrap();
    copy
}

/// Moves the plants of a journal to another store.
fn assign(file: &Path, from: &str, to: &str) {
    // Normalised like in the journal.
    let [from, to] = [from, to].map(|url| url.parse::<StoreUrl>().unwrap().to_string());
    let journal = Connection::open(file).unwrap();
    let changed = journal.execute("UPDATE store SET url = ?2 WHERE url = ?1", [&from, &to]).unwrap();
    assert_eq!(changed, 1, "{from}");
    journal.close().unwrap();
}
