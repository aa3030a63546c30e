//! Examples of the documents are ones that the program accepts: commands, and config files.

use std::fs;

use clap::error::ErrorKind;
use plants::config::{Environment, Flags, resolve};
use plants::tui::input::Keymap;

use super::{Document, assert_none, documents};

/// Returns the arguments of each call of `plants` in a line of a shell: words without blanks or escapes in them.
fn calls(line: &str) -> Vec<Vec<&str>> {
    let line = line.split(" #").next().unwrap_or(line);
    let commands = line.split('|').map(|command| command.split(" > ").next().unwrap_or(command).trim());
    commands
        .filter(|command| command.split(' ').next() == Some("plants"))
        .map(|it| it.split_whitespace().collect())
        .collect()
}

/// Returns every line that may call `plants`: those of shell blocks, and inline code.
fn lines(document: &Document) -> Vec<String> {
    let (_, blocks) = document.prose_and_blocks();
    let shell = blocks.iter().filter(|block| block.language == "sh");
    let mut lines: Vec<String> = shell.flat_map(|block| block.text.lines().map(str::to_owned)).collect();
    lines.extend(document.inline_code());
    lines
}

#[test]
fn commands_that_the_documents_show_are_valid() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for document in documents() {
        for line in lines(&document) {
            for call in calls(&line) {
                count += 1;
                // `plants add` alone is the name of a command, and so is `plants journal backup`.
                let is_name = |why: &clap::Error| call.len() <= 3 && why.kind() == ErrorKind::MissingRequiredArgument;
                if let Err(why) = plants::verbs::command().clone().try_get_matches_from(&call)
                    && why.use_stderr()
                    && !is_name(&why)
                {
                    wrong.push(format!("{}: {line}: {why}", document.path.display()));
                }
            }
        }
    }
    assert_none(&wrong);
    assert!(count > 30, "{count} commands were found");
}

#[test]
fn config_files_that_the_documents_show_are_valid() {
    let mut count = 0;
    for document in documents() {
        let (_, blocks) = document.prose_and_blocks();
        for block in blocks.iter().filter(|block| block.language == "toml") {
            // The certificate is a file that this test does not have.
            let lines: Vec<_> = block.text.lines().filter(|line| !line.starts_with("ca_cert")).collect();
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("config.toml");
            fs::write(&file, lines.join("\n")).unwrap();
            let flags = Flags { config: Some(file.clone()), ..Flags::default() };
            let settings = resolve(&flags, &Environment::at_home(folder.path()), Keymap::faults);
            assert!(settings.is_ok(), "{}: {:?}", document.path.display(), settings.err());
            let settings = settings.unwrap();
            assert!(Keymap::configured(&settings.keys, &file).is_ok());
            count += settings.profiles.len();
        }
    }
    assert!(count > 0, "no document shows a profile");
}
