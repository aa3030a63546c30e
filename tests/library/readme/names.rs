//! Files, test programs, environment variables and figures that the documents name exist.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Document, assert_none, documents, in_repository};

/// Where a source file that a document names may be, from the root of the repository.
const ROOTS: [&str; 3] = ["", "src", "src/tui"];

/// Returns the words of a text, without the punctuation around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_a_word = |c: char| c.is_alphanumeric() || "/._-,".contains(c);
    text.split(move |c| !is_of_a_word(c)).map(|word| word.trim_end_matches(['.', ','])).filter(|word| !word.is_empty())
}

fn exists(path: &str) -> bool {
    ROOTS.iter().any(|root| in_repository(&Path::new(root).join(path)).exists())
}

fn all_sources() -> String {
    fn read(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                read(&path, text);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut text = String::new();
    for folder in ["src", "tests"] {
        read(&in_repository(Path::new(folder)), &mut text);
    }
    text
}

#[test]
fn source_files_that_the_documents_name_exist() {
    let mut wrong = Vec::new();
    for document in documents() {
        let is_named = |word: &&str| {
            Path::new(word).extension().is_some_and(|ending| ending == "rs")
                || [".ci/", "src/", "tests/"].iter().any(|folder| word.starts_with(folder))
        };
        let missing = words(&document.text).filter(is_named).filter(|word| !exists(word));
        wrong.extend(missing.map(|word| format!("{}: {word} does not exist", document.path.display())));
    }
    assert_none(&wrong);
}

#[test]
fn test_programs_and_benchmarks_that_the_documents_name_exist() {
    let mut wrong = Vec::new();
    for document in documents() {
        let after = |option: &str| {
            let rest = document.text.split(option).skip(1).filter_map(|rest| words(rest).next());
            rest.map(str::to_owned).collect::<Vec<_>>()
        };
        let tests = after("--test ").into_iter().map(|name| PathBuf::from(format!("tests/{name}/main.rs")));
        let benches = after("--bench ").into_iter().map(|name| PathBuf::from(format!("tests/bench/{name}.rs")));
        let missing = tests.chain(benches).filter(|path| !in_repository(path).exists());
        wrong.extend(missing.map(|path| format!("{}: {} does not exist", document.path.display(), path.display())));
    }
    assert_none(&wrong);
}

#[test]
fn environment_variables_that_the_documents_name_are_read() {
    let sources = all_sources();
    let mut wrong = Vec::new();
    for document in documents() {
        let variables = words(&document.text).filter(|word| word.starts_with("PLANTS_"));
        let unknown = variables.filter(|name| !sources.contains(&format!("\"{name}\"")));
        wrong.extend(unknown.map(|name| format!("{}: nothing reads {name}", document.path.display())));
    }
    assert_none(&wrong);
}

#[test]
fn figures_of_the_readme_are_those_of_the_benchmarks() {
    let readme = Document::read("README.md").text;
    let (_, after) = readme.split_once("\n## Speed\n").unwrap();
    let section = after.split("\n## ").next().unwrap();
    let benchmarks = Document::read("docs/benchmarks.md").text;
    let figures = |text| {
        words(text).flat_map(|word| word.split('/')).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let known: Vec<_> = figures(&benchmarks).collect();
    let missing = figures(section).filter(|figure| !known.contains(figure));
    assert_none(&missing.map(|figure| format!("docs/benchmarks.md has no {figure}")).collect::<Vec<_>>());
}
