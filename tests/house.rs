//! The shape of the house, read from its sources: layers, and a word at every door.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources has failed")]

#[path = "house/graph.rs"]
mod graph;

use std::fs;
use std::path::{Path, PathBuf};

/// Each layer may import those before it, and none after.
const LAYERS: [&str; 11] =
    ["domain", "client", "journal", "demo", "config", "courier", "import", "app", "ui", "runtime", "cli"];

/// Pairs that the order would allow and the design forbids, with the reason.
const FORBIDDEN: [(&str, &str, &str); 4] = [
    ("demo", "client", "the demo store must not share the client's idea of the wire format"),
    ("demo", "domain", "the demo store must not share the client's idea of a plant"),
    ("journal", "client", "the journal keeps what happened and sends nothing"),
    ("ui", "courier", "drawing asks the model, never the network"),
];

/// Folders in which files still import each other in circles, to be taken off this list one by one. A circle
/// in any other folder, or across two of them, fails.
const CIRCULAR: [&str; 10] =
    ["app", "ui", "cli", "journal", "domain", "domain/check", "domain/import", "config", "courier", "runtime"];

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

/// Every module that the text names as `crate::module`, also inside `crate::{a, b::c}`.
fn imports(text: &str) -> Vec<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let word =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut named = Vec::new();
    for piece in code.split("crate::").skip(1) {
        match piece.strip_prefix('{') {
            None => named.push(word(piece)),
            Some(group) => named.extend(top_level_items(group).iter().map(|item| word(item))),
        }
    }
    named
}

/// The items of a `use` group, from after its opening brace: split at its own commas only.
fn top_level_items(group: &str) -> Vec<String> {
    let (mut items, mut depth) = (vec![String::new()], 1);
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => items.push(String::new()),
            _ => items.last_mut().unwrap().push(c),
        }
        if depth == 0 {
            break;
        }
    }
    items
}

#[test]
fn imports_point_down_only() {
    let rank = |layer: &str| LAYERS.iter().position(|known| *known == layer);
    let mut wrong = Vec::new();
    for file in all_sources() {
        let Some(own) = layer_of(&file) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        for named in imports(&text) {
            if rank(&named).is_some_and(|named| named > rank(&own).unwrap()) {
                wrong.push(format!("{}: {own} imports {named}", file.display()));
            }
            for (from, to, why) in FORBIDDEN {
                if own == from && named == to {
                    wrong.push(format!("{}: {own} imports {named}: {why}", file.display()));
                }
            }
        }
        let reaches_out = text.contains("super::super::super") || text.contains("plants::");
        if reaches_out {
            wrong.push(format!("{}: names a layer by a path this test does not read", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_imports_sees_what_it_should() {
    let text = "use crate::domain::Plant;\nuse crate::{ui::{view, app}, cli};\n// use crate::demo;\nlet x = crate::journal::open();";
    assert_eq!(imports(text), ["domain", "ui", "cli", "journal"]);
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
fn no_file_imports_itself_through_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let is_for_tests = |file: &Path| file.iter().any(|part| part == "tests" || part == "tests.rs");
    let texts: Vec<_> = all_sources()
        .into_iter()
        .filter(|file| !is_for_tests(file))
        .map(|file| (file.strip_prefix(&root).unwrap().to_owned(), fs::read_to_string(&file).unwrap()))
        .collect();
    let graph = graph::graph(texts.iter().map(|(file, text)| (file.as_path(), text.as_str())));
    let is_known = |circle: &[&Path]| {
        CIRCULAR.iter().any(|folder| circle.iter().all(|file| file.parent() == Some(Path::new(folder))))
    };
    let new: Vec<_> = graph.cycles().into_iter().filter(|circle| !is_known(circle)).collect();
    let report: Vec<_> = new.iter().map(|circle| graph.edges_within(circle).join("\n")).collect();
    assert!(report.is_empty(), "{}", report.join("\n\n"));
}

#[test]
fn the_reader_of_sources_sees_circles_however_they_are_written() {
    let circle = |one: &str, other: &str| {
        let graph = graph::graph([
            (Path::new("lib.rs"), "mod a; mod b;"),
            (Path::new("a/mod.rs"), "pub mod inner; pub use inner::Item;"),
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
    assert_eq!(circle("pub struct Item;", uses_item), 0);
    assert_eq!(circle("pub struct Item; #[cfg(test)] mod tests { use crate::b::Other; }", uses_item), 0);
}
