//! The reference programs: small ones of this repository, `oha` and `curl`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::session::Program;

/// The load generator. Version 1.16.0 does not build without TLS, which is not used.
const OHA: [&str; 4] = ["--locked", "--version", "1.16.0", "oha"];

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// Runs cargo; returns whether it succeeded.
fn cargo(words: &[&str], target: &Path) -> bool {
    eprintln!("cargo {}", words.join(" "));
    let mut command = Command::new(env!("CARGO"));
    command.args(words).arg("--target-dir").arg(target).stdin(Stdio::null());
    command.status().is_ok_and(|ended| ended.success())
}

/// Builds `bare`, which draws one frame, and `client`, which also has a runtime and a client, with the dependencies and
/// the profile of `plants`.
pub(crate) fn programs() -> [Program; 2] {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/reference/Cargo.toml");
    for difference in differences(Path::new(manifest)) {
        println!("NOT COMPARABLE: {difference}");
    }
    let folder = target().join("reference");
    let is_built = cargo(&["build", "--release", "--locked", "--quiet", "--manifest-path", manifest], &folder);
    assert!(is_built, "the reference programs cannot be built");
    ["bare", "client"].map(|name| {
        let path = folder.join("release").join(name);
        Program { words: vec![path.into()], environment: Vec::new() }
    })
}

/// Lists the differences between the builds of the reference programs and of `plants`.
fn differences(manifest: &Path) -> Vec<String> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    let theirs = manifest.parent().unwrap();
    let read = |folder: &Path, name: &str| -> toml::Table {
        toml::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
    };
    let mut differences = Vec::new();
    if read(ours, "Cargo.toml")["profile"]["release"] != read(theirs, "Cargo.toml")["profile"]["release"] {
        differences.push("the reference programs have another release profile".to_owned());
    }
    let packages = |folder: &Path| -> Vec<(String, String)> {
        let text = |package: &toml::Value, name: &str| package[name].as_str().unwrap().to_owned();
        let lock = read(folder, "Cargo.lock");
        let entries = lock["package"].as_array().unwrap().iter();
        entries.map(|package| (text(package, "name"), text(package, "version"))).collect()
    };
    let known = packages(ours);
    let others = packages(theirs).into_iter().filter(|package| package.0 != "reference" && !known.contains(package));
    differences.extend(others.map(|(name, version)| format!("the reference programs have {name} {version}")));
    differences
}

/// Returns the path of `oha`, after installing it into the target folder if needed.
pub(crate) fn oha() -> Result<PathBuf, String> {
    let root = target().join("oha");
    let path = root.join("bin").join("oha");
    if !path.exists() {
        let root_word = root.to_string_lossy();
        let words = [&["install", "--quiet", "--root", &root_word], &OHA[..]].concat();
        if !cargo(&words, &root.join("build")) {
            return Err("oha could not be installed".to_owned());
        }
        // The build folder is not needed any more.
        let _ = fs::remove_dir_all(root.join("build"));
    }
    Ok(path)
}

/// Whether this program can print its version.
pub(crate) fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|ended| ended.success())
}
