//! Any bytes at all for every reader of what comes from outside: first the corpus, then what chance
//! makes of it.
//!
//! `PLANTS_FUZZ=1000000 cargo test --release --test library fuzz` makes as many inputs for each reader; the
//! tests make a hundred, from a fixed seed. `PLANTS_FUZZ_SEED` chooses another. An input that a reader does
//! not survive is written to the target folder, and its place is printed; in the corpus it stays for good.

#![expect(clippy::expect_used, clippy::panic, reason = "a reader that cannot be given its bytes has failed")]

#[path = "../fuzz/readers/mod.rs"]
mod readers;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use fastrand::Rng;
use readers::Reader;

use crate::extent::{number_in, rounds};

/// Inputs for each reader with every `cargo test`, and with the long tests.
const FEW: u64 = 50;
const MANY: u64 = 1_000;

/// Bytes that mean something to one reader or another.
const TELLING: [&[u8]; 24] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\"",
    b"'",
    b"\\",
    b"[",
    b"{",
    b",",
    b"=",
    b"-",
    b"0",
    b"9223372036854775808",
    b"1e400",
    b"\x1b]0;owned\x07",
    b"\xc2\x9b2J",
    b"\xff\xfe",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"canary-5f1c",
    b"\\u001b",
    b"HTTP/1.1 ",
    b"Content-Length: ",
    b"'''",
];

static SEED: LazyLock<u64> = LazyLock::new(|| number_in("PLANTS_FUZZ_SEED").unwrap_or(1));

fn corpus_of(reader: &Reader) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(reader.name);
    let mut all: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus")
        .map(|entry| {
            let path = entry.expect("an input").path();
            let bytes = fs::read(&path).expect("an input");
            (path, bytes)
        })
        .collect();
    all.sort();
    assert!(!all.is_empty(), "{} is empty", folder.display());
    all
}

/// Changes a few places: bits, bytes, what is there twice or not at all, parts of another input.
fn changed(bytes: &[u8], other: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.usize(1..6) {
        let at = random.usize(..=bytes.len());
        let until = (at + random.usize(..16)).min(bytes.len());
        match random.u8(..7) {
            0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.u8(..8)),
            1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.u8(..)),
            2 => drop(bytes.drain(at..until)),
            3 => {
                let again = bytes.get(at..until).unwrap_or_default().repeat(random.usize(1..5));
                bytes.splice(at..at, again);
            }
            4 => {
                let from = random.usize(..=other.len());
                let part = other.get(from..(from + random.usize(..64)).min(other.len())).unwrap_or_default().to_vec();
                bytes.splice(at..until, part);
            }
            5 => bytes.truncate(at),
            _ => {
                let telling = TELLING.get(random.usize(..TELLING.len())).copied().unwrap_or_default();
                bytes.splice(at..at, telling.iter().copied());
            }
        }
    }
    bytes
}

/// Gives one input to a reader; one that it does not survive is kept.
fn give(reader: &Reader, bytes: &[u8], from: &dyn Fn() -> String) {
    if catch_unwind(AssertUnwindSafe(|| (reader.read)(bytes))).is_err() {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}-{}", reader.name, *SEED));
        fs::write(&kept, bytes).expect("the input is kept");
        panic!("{} did not survive {} ({})", reader.name, kept.display(), from());
    }
}

/// Gives the corpus to the reader of this name, and then what chance makes of it.
fn tried(name: &str) {
    let reader = readers::reader(name);
    let corpus = corpus_of(reader);
    for (path, bytes) in &corpus {
        give(reader, bytes, &|| path.display().to_string());
    }
    let mut random = Rng::with_seed(*SEED);
    for round in 0..rounds("PLANTS_FUZZ", FEW, MANY) {
        let [(_, one), (_, other)] = [0; 2].map(|_| corpus.get(random.usize(..corpus.len())).expect("one of them"));
        give(reader, &changed(one, other, &mut random), &|| format!("PLANTS_FUZZ_SEED={}, input {round}", *SEED));
    }
}

#[test]
fn every_reader_has_a_test_and_a_run() {
    let own = include_str!("fuzz.rs");
    let manifest = include_str!("../fuzz/manifest.toml");
    for Reader { name, .. } in &readers::ALL {
        assert!(own.contains(&format!("tried(\"{name}\")")), "{name} has no test");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} has no run");
    }
}

#[test]
fn a_config_file() {
    tried("config");
}

#[test]
fn a_file_of_plants() {
    tried("import");
}

#[test]
fn an_answer() {
    tried("response");
}

#[test]
fn a_message_of_a_team() {
    tried("message");
}

#[test]
fn a_row_of_the_journal() {
    tried("journal_row");
}

#[test]
fn what_a_terminal_reports() {
    tried("keys");
}
