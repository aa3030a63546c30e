//! README.md, docs/ and the other documents agree with the program: generated tables and help texts, links, names
//! of files and variables, examples. Knows the documents' text, and no code of the program but its tables.
//!
//! `PLANTS_DRAW=1 cargo test --test library -- readme picture` writes the generated parts, and the pictures, again.

mod examples;
mod generated;
mod links;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

/// Fences of code blocks.
const FENCE: &str = "```";

/// A Markdown file of the repository.
struct Document {
    /// From the root of the repository.
    path: PathBuf,
    text: String,
}

/// A code block and the language that its fence names.
struct Block<'a> {
    language: &'a str,
    text: String,
}

impl Document {
    fn read(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let text = fs::read_to_string(in_repository(&path)).unwrap();
        Self { path, text }
    }

    /// Returns the text outside code blocks, and the code blocks.
    fn prose_and_blocks(&self) -> (String, Vec<Block<'_>>) {
        let (mut prose, mut blocks, mut is_inside) = (String::new(), Vec::<Block<'_>>::new(), false);
        for line in self.text.lines() {
            if let Some(language) = line.trim_start().strip_prefix(FENCE) {
                if !is_inside {
                    blocks.push(Block { language, text: String::new() });
                }
                is_inside = !is_inside;
            } else {
                let text = if is_inside { &mut blocks.last_mut().unwrap().text } else { &mut prose };
                text.push_str(line);
                text.push('\n');
            }
        }
        assert!(!is_inside, "{}: a code block has no end", self.path.display());
        (prose, blocks)
    }

    /// Returns every piece of code in the running text.
    fn inline_code(&self) -> Vec<String> {
        self.prose_and_blocks().0.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }
}

fn in_repository(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Reads README.md, the other documents beside it, and docs/.
fn documents() -> Vec<Document> {
    let in_docs = fs::read_dir(in_repository(Path::new("docs"))).unwrap().map(|entry| entry.unwrap().file_name());
    let mut paths: Vec<_> = in_docs.map(|name| Path::new("docs").join(name)).collect();
    paths.extend(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(PathBuf::from));
    paths.sort();
    paths.into_iter().map(Document::read).collect()
}

/// Fails with all that was found wrong, a line each.
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
