//! The README agrees with the program.

use std::fs;
use std::path::Path;

use plants::tui::input::Keymap;

use crate::extent::is_set;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

#[test]
fn the_key_table_is_the_programs_own() {
    let readme = readme();
    let (before, after) = readme.split_once("<!-- keys:").unwrap();
    let (note, after) = after.split_once("-->\n").unwrap();
    let (table, rest) = after.split_once("<!-- end of keys -->").unwrap();
    let fresh = format!("\n{}\n", Keymap::default().markdown());
    if is_set("PLANTS_DRAW") {
        let text = format!("{before}<!-- keys:{note}-->\n{fresh}<!-- end of keys -->{rest}");
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), text).unwrap();
        return;
    }
    assert_eq!(table, fresh, "stale: PLANTS_DRAW=1 cargo test --test library");
}

#[test]
fn every_file_it_shows_exists() {
    for piece in readme().split("assets/").skip(1) {
        let name: String = piece.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_')).collect();
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(&name).exists(), "assets/{name}");
    }
}

#[test]
fn its_config_file_is_one_that_the_program_takes() {
    let readme = readme();
    let (_, after) = readme.split_once("```toml\n").unwrap();
    let (toml, _) = after.split_once("```").unwrap();
    // The certificate it names is not there; everything else must pass.
    let lines: Vec<_> = toml.lines().filter(|line| !line.starts_with("ca_cert")).collect();
    let toml = lines.join("\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, toml).unwrap();
    let flags = plants::config::Flags { config: Some(file.clone()), ..Default::default() };
    let settings =
        plants::config::resolve(&flags, &plants::config::Environment::at_home(folder.path()), Keymap::faults).unwrap();
    assert!(Keymap::remapped(&settings.remaps, &file).is_ok());
    let names: Vec<_> = settings.profiles.iter().map(|store| store.name.as_str()).collect();
    assert_eq!(names, ["staging"]);
}
