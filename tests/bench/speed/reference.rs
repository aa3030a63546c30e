//! The programs that `plants` is compared with: bare ones, a loop of requests, and programs that may be installed.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use serde_json::Value;
use tokio::task::JoinSet;

use crate::session::Program;
use crate::{TOKEN, rows};

/// The argument that starts the loop of requests.
pub(crate) const LOOP: &str = "reference-loop";

/// The program of `tests/bench/reference.rs`.
pub(crate) struct Bare(OsString);

impl Bare {
    /// Builds it like `plants`.
    pub(crate) fn built() -> Self {
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
        let mut bare = messages.filter(|message: &Value| message["target"]["name"] == "reference");
        Self(bare.find_map(|message| message["executable"].as_str().map(OsString::from)).unwrap())
    }

    /// Returns a program that draws one frame.
    pub(crate) fn frame(&self) -> Program {
        Program { words: vec![self.0.clone(), "frame".into()], environment: Vec::new() }
    }

    /// Returns a program that draws the first plants of a journal.
    pub(crate) fn plants(&self, journal: &Path) -> Program {
        Program { words: vec![self.0.clone(), "plants".into(), journal.into()], environment: Vec::new() }
    }
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
                    add(&client, &url, rows::body(id)).await;
                }
            }
        };
        (0..concurrency).map(one).collect::<JoinSet<_>>().join_all().await;
    });
}

/// Sends the request of `plants`; the response must be 201.
async fn add(client: &reqwest::Client, url: &str, body: String) {
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

/// Whether this program can print its version.
pub(crate) fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|ended| ended.success())
}
