//! What the program is built of: licences that go with its own, each version twice for a reason, each
//! part for a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Licences under which a program of ours can be given away: each permissive, none that asks for the
/// source of the whole.
const LICENCES: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Parts that are there at two versions, and why one would not do: those who ask for the older.
const TWICE: [(&str, &str); 6] = [
    ("base64", "crossterm, for OSC 52, asks for 0.22"),
    ("getrandom", "ring asks for 0.2"),
    ("syn", "some derives, at build time, ask for 2"),
    ("synstructure", "the certificates of the tests ask for 0.13, at build time"),
    ("thiserror", "filedescriptor, which crossterm and the tests' terminal wait with, asks for 1"),
    ("thiserror-impl", "the same"),
];

/// What the program is made with, whose reason is the program: an interface, its terminal, HTTP, tasks,
/// JSON, reports of errors; arguments and their completions and manual; the config file; places; text.
const OBVIOUS: [&str; 23] = [
    "ratatui",
    "reqwest",
    "tokio",
    "tokio-util",
    "serde",
    "serde_json",
    "color-eyre",
    "clap",
    "clap_complete",
    "clap_mangen",
    "axum",
    "etcetera",
    "fastrand",
    "futures",
    "hyper-util",
    "terminal-colorsaurus",
    "tower-service",
    "unicode-segmentation",
    "unicode-width",
    "url",
    "zeroize",
    "insta",
    "proptest",
];

/// All that is built for this machine, the tests' own parts among it.
fn metadata() -> Value {
    let cargo = |words: &[&str]| {
        let ran = Command::new(env!("CARGO")).args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    };
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let words = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host];
    serde_json::from_str(&cargo(&words)).unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// The packages that are built here.
fn packages(metadata: &Value) -> Vec<&Value> {
    let built: BTreeSet<_> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().map(|node| text(node, "id")).collect();
    let all = metadata["packages"].as_array().unwrap().iter();
    all.filter(|package| built.contains(text(package, "id"))).collect()
}

/// Whether a licence expression (SPDX, or the older `/` for OR) can be met with what is known.
fn can_be_met(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    let mut choices = expression.split(" OR ").flat_map(|choice| choice.split(" AND "));
    let is_known = |one: &str| LICENCES.contains(&one.trim());
    // Where some are asked for together, all that are named must be known: nothing is read into it.
    if expression.contains(" AND ") { choices.all(is_known) } else { choices.any(is_known) }
}

#[test]
fn every_licence_goes_with_ours() {
    let metadata = metadata();
    for package in packages(&metadata) {
        let (name, licence) = (text(package, "name"), text(package, "license"));
        assert!(can_be_met(licence), "{name} comes under {licence:?}");
    }
    assert!(!can_be_met("GPL-3.0") && !can_be_met("MIT AND GPL-3.0") && !can_be_met(""));
    assert!(can_be_met("GPL-2.0 OR MIT") && can_be_met("MIT/Apache-2.0"));
}

/// Elsewhere other parts are there.
#[cfg(target_os = "linux")]
#[test]
fn what_is_there_twice_is_there_for_a_reason() {
    let metadata = metadata();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages(&metadata) {
        versions.entry(text(package, "name")).or_default().insert(text(package, "version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let without: Vec<_> = versions.iter().filter(|(name, _)| !TWICE.iter().any(|(known, _)| known == *name)).collect();
    assert!(without.is_empty(), "at two versions, and nobody says why: {without:?}");
    let gone: Vec<_> = TWICE.iter().filter(|(name, _)| !versions.contains_key(name)).collect();
    assert!(gone.is_empty(), "not there twice any more: {gone:?}");
}

#[test]
fn every_part_has_its_reason() {
    let manifest = include_str!("../../Cargo.toml");
    let sections = manifest
        .split("\n[")
        .filter(|section| section.starts_with("dependencies]") || section.starts_with("dev-dependencies]"));
    let (mut parts, mut without) = (Vec::new(), Vec::new());
    for section in sections {
        let mut says_why = false;
        for line in section.lines().skip(1) {
            if line.starts_with('#') {
                says_why = true;
            } else if let Some((name, _)) = line.split_once(" = ") {
                parts.push(name);
                if !says_why && !OBVIOUS.contains(&name) {
                    without.push(name);
                }
                says_why = false;
            }
        }
    }
    let gone: Vec<_> = OBVIOUS.iter().filter(|name| !parts.contains(name)).collect();
    assert!(gone.is_empty(), "no parts any more, or the manifest is read otherwise than it is written: {gone:?}");
    assert!(without.is_empty(), "neither obvious nor explained: {without:?}");
}
