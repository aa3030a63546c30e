//! The dependencies of the program: their licences, duplicate versions and reasons.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// Permissive licences, which allow to distribute the program under its own.
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

/// Dependencies whose reason is obvious from the purpose of the program.
const OBVIOUS: [&str; 22] = [
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
    "tower-service",
    "unicode-segmentation",
    "unicode-width",
    "url",
    "zeroize",
    "insta",
    "proptest",
];

/// Returns the metadata of all dependencies for this machine, also those of the tests.
fn metadata() -> Value {
    let cargo = |arguments: &[&str]| {
        let ran = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    };
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host];
    serde_json::from_str(&cargo(&arguments)).unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn packages(metadata: &Value) -> Vec<&Value> {
    let built: BTreeSet<_> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().map(|node| text(node, "id")).collect();
    let all = metadata["packages"].as_array().unwrap().iter();
    all.filter(|package| built.contains(text(package, "id"))).collect()
}

/// Returns whether [`LICENCES`] fulfil a licence expression (SPDX, or the older `/` for OR).
fn is_permitted(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    let mut choices = expression.split(" OR ").flat_map(|choice| choice.split(" AND "));
    let is_known = |one: &str| LICENCES.contains(&one.trim());
    // With AND in the expression, all licences must be known: precedence is not parsed.
    if expression.contains(" AND ") { choices.all(is_known) } else { choices.any(is_known) }
}

#[test]
fn every_licence_is_permissive() {
    let metadata = metadata();
    for package in packages(&metadata) {
        let (name, licence) = (text(package, "name"), text(package, "license"));
        assert!(is_permitted(licence), "{name} comes under {licence:?}");
    }
    assert!(!is_permitted("GPL-3.0") && !is_permitted("MIT AND GPL-3.0") && !is_permitted(""));
    assert!(is_permitted("GPL-2.0 OR MIT") && is_permitted("MIT/Apache-2.0"));
}

/// Other systems have other dependencies.
#[cfg(target_os = "linux")]
mod on_linux {
    use std::collections::BTreeMap;

    use super::*;

    /// Dependencies with two versions, and the dependency that needs the older one.
    const TWICE: [(&str, &str); 9] = [
        ("base64", "crossterm, for OSC 52, needs 0.22"),
        ("cpufeatures", "the signatures of nkeys need 0.2"),
        ("getrandom", "ring needs 0.2"),
        ("rand", "nkeys needs 0.8"),
        ("rand_core", "nkeys needs 0.6"),
        ("syn", "some derives, at build time, need 2"),
        ("synstructure", "the certificates of the tests need 0.13, at build time"),
        ("thiserror", "filedescriptor, which the tests' terminal waits with, needs 1"),
        ("thiserror-impl", "the same"),
    ];

    #[test]
    fn every_duplicate_dependency_has_a_reason() {
        let metadata = metadata();
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in packages(&metadata) {
            versions.entry(text(package, "name")).or_default().insert(text(package, "version"));
        }
        versions.retain(|_, versions| versions.len() > 1);
        let without: Vec<_> =
            versions.iter().filter(|(name, _)| !TWICE.iter().any(|(known, _)| known == *name)).collect();
        assert!(without.is_empty(), "two versions without a reason: {without:?}");
        let gone: Vec<_> = TWICE.iter().filter(|(name, _)| !versions.contains_key(name)).collect();
        assert!(gone.is_empty(), "no longer duplicate: {gone:?}");
    }
}

#[test]
fn every_dependency_has_a_reason() {
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
    assert!(gone.is_empty(), "no longer dependencies, or this test misreads the manifest: {gone:?}");
    assert!(without.is_empty(), "neither obvious nor explained: {without:?}");
}
