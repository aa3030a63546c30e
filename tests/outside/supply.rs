//! The dependencies of the program: their licences, duplicate versions and reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

/// The settings of `cargo deny`, with the licences and duplicates that are permitted.
static SETTINGS: LazyLock<toml::Table> =
    LazyLock::new(|| toml::from_str(include_str!("../../.cargo/deny.toml")).unwrap());

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

fn cargo(arguments: &[&str]) -> String {
    let ran = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// Returns the metadata of all dependencies for this machine, also those of the tests.
fn metadata() -> Value {
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

/// Returns whether permitted licences fulfil a licence expression (SPDX, or the older `/` for OR).
fn is_permitted(expression: &str) -> bool {
    let permitted = SETTINGS["licenses"]["allow"].as_array().unwrap();
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    let mut choices = expression.split(" OR ").flat_map(|choice| choice.split(" AND "));
    let is_known = |one: &str| permitted.iter().any(|licence| licence.as_str() == Some(one.trim()));
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

/// `cargo deny` also names reasons that are no longer needed.
#[test]
fn every_duplicate_dependency_has_a_reason() {
    let known = SETTINGS["bans"]["skip"].as_array().unwrap();
    let known: Vec<_> = known.iter().map(|skipped| skipped["crate"].as_str().unwrap()).collect();
    let listed = cargo(&["tree", "--duplicates", "--depth", "0", "--prefix", "none", "--locked", "--offline"]);
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, version) in listed.lines().filter_map(|line| line.split_once(' ')) {
        versions.entry(name).or_default().insert(version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.contains_key("rand"), "{listed}");
    let is_known = |name: &str| known.iter().any(|skipped| skipped.split(':').next() == Some(name));
    let without: Vec<_> = versions.keys().filter(|name| !is_known(name)).collect();
    assert!(without.is_empty(), "two versions without a reason: {without:?}");
}

#[test]
fn every_dependency_has_a_reason() {
    // Cargo writes the manifest of a package again, without comments.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = ["Cargo.toml.orig", "Cargo.toml"].iter().find_map(|name| fs::read_to_string(root.join(name)).ok());
    let manifest = manifest.unwrap();
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

/// `cargo install plants` reads the manifest and not these settings, and builds the same program.
#[test]
fn settings_for_cargo_do_not_change_the_program() {
    let settings: toml::Table = toml::from_str(include_str!("../../.cargo/config.toml")).unwrap();
    assert!(settings.keys().eq(["env"]), "{settings}");
}
