//! The programs that ours is measured against: small ones of this repository, `oha` and `curl`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::session::Program;

/// What generates load. Its TLS is not used here, but without it version 1.16.0 does not build.
const OHA: [&str; 4] = ["--locked", "--version", "1.16.0", "oha"];

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// Runs cargo; whether it did what it was asked to.
fn cargo(words: &[&str], target: &Path) -> bool {
    eprintln!("cargo {}", words.join(" "));
    let mut command = Command::new(env!("CARGO"));
    command.args(words).arg("--target-dir").arg(target).stdin(Stdio::null());
    command.status().is_ok_and(|ended| ended.success())
}

/// `bare`, which draws one frame, and `client`, which also has a runtime and a client. Built with
/// the parts and the profile that ours has.
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

/// In what the reference programs are not built as ours is.
fn differences(manifest: &Path) -> Vec<String> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    let theirs = manifest.parent().unwrap();
    let read = |folder: &Path, name: &str| -> toml::Table {
        toml::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
    };
    let mut told = Vec::new();
    if read(ours, "Cargo.toml")["profile"]["release"] != read(theirs, "Cargo.toml")["profile"]["release"] {
        told.push("the reference programs have another release profile".to_owned());
    }
    let parts = |folder: &Path| -> Vec<(String, String)> {
        let text = |part: &toml::Value, name: &str| part[name].as_str().unwrap().to_owned();
        let lock = read(folder, "Cargo.lock");
        lock["package"].as_array().unwrap().iter().map(|part| (text(part, "name"), text(part, "version"))).collect()
    };
    let known = parts(ours);
    let strange = parts(theirs).into_iter().filter(|part| part.0 != "reference" && !known.contains(part));
    told.extend(strange.map(|(name, version)| format!("the reference programs have {name} {version}")));
    told
}

/// Where `oha` is, installed into the target folder if need be; why not, if it cannot be.
pub(crate) fn oha() -> Result<PathBuf, String> {
    let root = target().join("oha");
    let path = root.join("bin").join("oha");
    if !path.exists() {
        let root_word = root.to_string_lossy();
        let words = [&["install", "--quiet", "--root", &root_word], &OHA[..]].concat();
        if !cargo(&words, &root.join("build")) {
            return Err("oha could not be installed".to_owned());
        }
        // It is not built again.
        let _ = fs::remove_dir_all(root.join("build"));
    }
    Ok(path)
}

/// Whether this program is there and says its version.
pub(crate) fn is_there(program: &str) -> bool {
    let mut asked = Command::new(program);
    asked.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|ended| ended.success())
}
