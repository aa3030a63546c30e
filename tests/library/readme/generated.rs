//! The parts of the documents that the program itself supplies: key table, settings, help texts, rows of the check.
//!
//! Each part is between `<!-- generated: NAME -->` and `<!-- end of NAME -->`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use plants::check::{RULES, UNDOCUMENTED};
use plants::config::settings_markdown;
use plants::tui::input::{IN_A_FIELD, Keymap, Scope};
use plants::tui::widgets::text_input::EDITING_KEYS;

use super::{Document, assert_none, in_repository};
use crate::extent::is_set;

/// Columns of the help texts.
const COLUMNS: usize = 100;

/// Renders the help of the program, then of each subcommand, without the options that all of them have.
fn help_texts() -> String {
    let mut program = plants::verbs::command().clone().term_width(COLUMNS);
    program.build();
    help("plants", program.clone()) + &help_below("plants", &program)
}

/// Renders the help of the verbs of a command, and of those below them.
fn help_below(name: &str, command: &clap::Command) -> String {
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    let of_one = |verb: &clap::Command| {
        let own = verb.clone().term_width(COLUMNS).mut_args(|argument| {
            let is_global = argument.is_global_set();
            if is_global { argument.hide(true) } else { argument }
        });
        let name = format!("{name} {}", verb.get_name());
        format!("\n{}{}", help(&name, own), help_below(&name, verb))
    };
    verbs.map(of_one).collect()
}

fn help(name: &str, mut command: clap::Command) -> String {
    let help = command.render_long_help().to_string();
    let lines: String = help.trim().lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
    format!("### {name}\n\n```text\n{lines}```\n")
}

fn rules() -> String {
    let mut text = "| name | section | rule |\n| --- | --- | --- |\n".to_owned();
    for rule in &RULES {
        let _ = writeln!(text, "| `{}` | {} | {} |", rule.name, rule.section, rule.subject);
    }
    text
}

fn undocumented() -> String {
    let mut text = "| name | section | what the check looks at |\n| --- | --- | --- |\n".to_owned();
    for row in &UNDOCUMENTED {
        let _ = writeln!(text, "| `{}` | {} | {} |", row.name, row.section, row.subject);
    }
    text
}

fn keys() -> String {
    let mut text = "| key | what it does | name |\n| --- | --- | --- |\n".to_owned();
    let quoted = |keys: &[String]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" ");
    for &scope in Scope::ALL {
        let _ = writeln!(text, "| **{}** | | |", scope.heading());
        for binding in Keymap::default().of(scope) {
            let name = if scope == Scope::Everywhere { String::new() } else { format!("`{}`", binding.name) };
            let _ = writeln!(text, "| {} | {} | {name} |", quoted(&binding.shown_keys()), binding.described());
        }
    }
    let _ = writeln!(text, "| **{IN_A_FIELD}** | | |");
    for (keys, words) in EDITING_KEYS {
        let keys: Vec<_> = keys.split(' ').map(str::to_owned).collect();
        let _ = writeln!(text, "| {} | {words} | |", quoted(&keys));
    }
    text
}

/// Puts `fresh` in the place of a generated part.
fn with_part(document: &Document, name: &str, fresh: &str) -> String {
    let (start, end) = (format!("<!-- generated: {name} -->\n"), format!("<!-- end of {name} -->"));
    let parts = document.text.split_once(&start).and_then(|(before, after)| Some((before, after.split_once(&end)?.1)));
    assert!(parts.is_some(), "{}: no part {name}", document.path.display());
    let (before, after) = parts.unwrap();
    format!("{before}{start}\n{fresh}\n{end}{after}")
}

#[test]
fn generated_parts_are_the_programs_own() {
    let parts = [
        ("docs/keys.md", "keys", keys()),
        ("docs/configuration.md", "settings", settings_markdown()),
        ("docs/command-line.md", "help", help_texts()),
        ("docs/check.md", "rules", rules()),
        ("docs/check.md", "undocumented", undocumented()),
    ];
    let mut stale = Vec::new();
    for (path, name, fresh) in parts {
        let document = Document::read(path);
        let text = with_part(&document, name, &fresh);
        if text == document.text {
            continue;
        }
        if is_set("PLANTS_DRAW") {
            fs::write(in_repository(Path::new(path)), text).unwrap();
        } else {
            stale.push(format!("{path}: {name} is stale: PLANTS_DRAW=1 cargo test --test library -- readme picture"));
        }
    }
    assert_none(&stale);
}

#[test]
fn the_readme_counts_the_rows_of_the_check() {
    let readme = Document::read("README.md").text;
    for count in [format!("{} rules", RULES.len()), format!("{} places", UNDOCUMENTED.len())] {
        assert!(readme.contains(&count), "README.md does not say {count}");
    }
}
