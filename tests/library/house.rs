//! The shape of the house, read from its sources: layers, and a word at every door.

mod graph;

use std::fs;
use std::path::{Path, PathBuf};

/// Each layer may import those before it, and none after.
const LAYERS: [&str; 16] = [
    "text", "os", "domain", "check", "client", "journal", "demo", "config", "worker", "import", "team", "verbs",
    "terminal", "tui", "runtime", "cli",
];

/// Pairs that the order would allow and the design forbids, with the reason.
const FORBIDDEN: [(&str, &str, &str); 4] = [
    ("demo", "client", "the demo store must not share the client's idea of the wire format"),
    ("demo", "domain", "the demo store must not share the client's idea of a plant"),
    ("demo", "check", "the demo store must not know how it is checked"),
    ("journal", "client", "the journal keeps what happened and sends nothing"),
];

fn sources(under: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(under).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

fn all_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > LAYERS.len());
    found
}

/// The layer a file belongs to; `None` for `lib.rs` and `main.rs`.
fn layer_of(file: &Path) -> Option<String> {
    let inside = file.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
    LAYERS.contains(&first.as_str()).then_some(first)
}

/// Which file of `src` names items of which other one, tests aside.
fn imports() -> graph::Graph {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let is_for_tests =
        |file: &Path| file.iter().any(|part| part == "tests" || part == "tests.rs" || part == "on_unix.rs");
    let texts: Vec<_> = all_sources()
        .into_iter()
        .filter(|file| !is_for_tests(file))
        .map(|file| (file.strip_prefix(&root).unwrap().to_owned(), fs::read_to_string(&file).unwrap()))
        .collect();
    graph::graph(texts.iter().map(|(file, text)| (file.as_path(), text.as_str())))
}

#[test]
fn imports_point_down_only() {
    let layer = |file: &Path| {
        let first = file.iter().next()?.to_str()?;
        LAYERS.iter().position(|layer| *layer == first)
    };
    let mut wrong = Vec::new();
    for (from, to) in imports().edges() {
        let (Some(own), Some(named)) = (layer(from), layer(to)) else { continue };
        if named > own {
            wrong.push(format!("{} imports {}", from.display(), to.display()));
        }
        for (layer, other, why) in FORBIDDEN {
            if (LAYERS[own], LAYERS[named]) == (layer, other) {
                wrong.push(format!("{} imports {}: {why}", from.display(), to.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_layer_exists_and_every_file_opens_with_what_it_owns() {
    let files = all_sources();
    for layer in LAYERS {
        assert!(files.iter().any(|file| layer_of(file).as_deref() == Some(layer)), "{layer} has no file");
    }
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{} does not open with //!", file.display());
    }
}

#[test]
fn what_differs_between_systems_is_in_one_layer() {
    const OF_A_SYSTEM: [&str; 7] =
        ["std::os::", "rustix", "cfg(unix", "cfg(windows", "cfg(target_os", "cfg!(", "tokio::signal::unix"];
    let is_in_layer = |file: &PathBuf| layer_of(file).as_deref() == Some("os");
    for file in all_sources().into_iter().filter(|file| !is_in_layer(file)) {
        // The module of what can be tested on one system alone.
        let text = fs::read_to_string(&file).unwrap().replace("#[cfg(unix)]\nmod on_unix", "");
        let text = text.replace("#[cfg(unix)]\n    mod on_unix", "");
        for word in OF_A_SYSTEM {
            assert!(!text.contains(word), "{} has {word}: only src/os may", file.display());
        }
    }
}

#[test]
fn no_file_imports_itself_through_others() {
    let graph = imports();
    let report: Vec<_> = graph.cycles().iter().map(|cycle| graph.edges_within(cycle).join("\n")).collect();
    assert!(report.is_empty(), "{}", report.join("\n\n"));
}

#[test]
fn cycles_are_seen_however_they_are_written() {
    let circle = |one: &str, other: &str| {
        let graph = graph::graph([
            (Path::new("lib.rs"), "mod a; mod b;"),
            (Path::new("a/mod.rs"), "pub mod inner; pub use inner::{Item, inner};"),
            (Path::new("a/inner.rs"), one),
            (Path::new("b.rs"), other),
        ]);
        graph.cycles().len()
    };
    let uses_item = "use crate::a::Item; pub struct Other(Item);";
    for names_other in [
        "use crate::b::Other; pub struct Item;",
        "pub struct Item; fn f() { let _: super::super::b::Other; }",
        "use crate::b; pub struct Item; fn f() { format!(\"{}\", b::Other::NAME); }",
    ] {
        assert_eq!(circle(names_other, uses_item), 1, "{names_other}");
    }
    assert_eq!(
        circle("use crate::b::Other; pub struct Item; pub fn inner() {}", uses_item),
        1,
        "a module and a function"
    );
    assert_eq!(circle("pub struct Item;", uses_item), 0);
    assert_eq!(circle("pub struct Item; #[cfg(test)] mod tests { use crate::b::Other; }", uses_item), 0);
}
