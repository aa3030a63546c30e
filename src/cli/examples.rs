//! The examples that end the help and the manual page of each subcommand.

use clap::Command;

/// A command line, and what it does; empty where that is plain.
type Example = (&'static str, &'static str);

const EXAMPLES: [(&str, &[Example]); 19] = [
    (
        "add",
        &[
            ("plants add --id 7 --name Monstera --tag tropical", ""),
            ("plants add --from 42", "the plant of entry #42 of the history again"),
        ],
    ),
    ("delete", &[("plants delete 7", "asks first"), ("plants delete 7 --yes --json", "in a script")]),
    ("list", &[("plants list", ""), ("plants list --json | jq -r '.[].id'", "")]),
    (
        "resolve",
        &[
            ("plants resolve", "list the unknown plants"),
            ("plants resolve 7 8 --stored", "you know that they are there"),
            ("plants resolve --all --delete", "one request for each, after a question"),
            ("plants resolve --match state:stored --forget", "the store has lost them"),
        ],
    ),
    (
        "export",
        &[
            ("plants export plants.csv", "the ending is the format"),
            ("plants export --format ndjson | jq .name", "on stdout"),
        ],
    ),
    (
        "history",
        &[
            ("plants history --outcome unknown", ""),
            ("plants history --status 4xx --limit 20", ""),
            ("plants history --id 7 --as curl", "as curl commands"),
        ],
    ),
    (
        "trim",
        &[("plants trim --older-than 90d --dry-run", "say how many"), ("plants trim --older-than 90d", "asks first")],
    ),
    (
        "backup",
        &[
            ("plants backup plants.db", ""),
            ("plants backup --verify plants.db", "is the copy sound, and what is in it?"),
        ],
    ),
    ("restore", &[("plants restore plants.db", "asks first")]),
    (
        "import",
        &[
            ("plants import plants.csv --dry-run", "the decision about each row; nothing is sent"),
            ("plants import plants.csv", "again at any time: sends what is missing"),
            ("plants list --json | plants import - --base-url https://other.example", ""),
        ],
    ),
    (
        "check",
        &[
            ("plants check --demo", "the demo store"),
            ("plants check --base-url https://plants.example/api --gentle", "the rules only"),
            ("plants check --yes --strict --format junit --output plants.xml", "in CI"),
        ],
    ),
    ("team", &[("plants team status", ""), ("plants team join --yes", "")]),
    ("status", &[("plants team status --json", "")]),
    ("join", &[("plants team join --replicas 3", "asks first")]),
    (
        "config",
        &[("plants config", "what is in force, and why"), ("plants config --example > config.toml", "every setting")],
    ),
    ("paths", &[("plants paths", ""), ("plants paths --json", "")]),
    (
        "serve",
        &[
            ("plants serve --port 8080", "its token is `demo`"),
            (
                "plants serve --port 0 --latency 200ms --lose-responses 30%",
                "any free port; a store that loses responses",
            ),
        ],
    ),
    ("completions", &[("plants completions bash > ~/.local/share/bash-completion/completions/plants", "")]),
    ("man", &[("plants man import", "the page of plants import"), ("plants man --output man1", "all pages")]),
];

/// Returns the lines of a subcommand's examples, with what each does in a column.
pub(super) fn lines(subcommand: &str) -> Vec<String> {
    let examples = EXAMPLES.iter().find(|(name, _)| *name == subcommand).map(|(_, examples)| *examples);
    let examples = examples.unwrap_or_default();
    let explained = examples.iter().filter(|(_, what)| !what.is_empty());
    let width = explained.map(|(line, _)| line.len()).max().unwrap_or(0);
    let line =
        |(line, what): &Example| if what.is_empty() { (*line).to_owned() } else { format!("{line:<width$}  # {what}") };
    examples.iter().map(line).collect()
}

/// Ends the help of each subcommand with its examples.
pub(super) fn at_end(command: Command) -> Command {
    let names: Vec<_> = command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(&name, |subcommand| {
            let lines: Vec<_> = lines(&name).iter().map(|line| format!("  {line}")).collect();
            let examples = format!("Examples:\n{}", lines.join("\n"));
            let long = subcommand.get_after_long_help().map(|long| format!("{long}\n\n{examples}"));
            let subcommand = subcommand.after_help(examples);
            at_end(if let Some(long) = long { subcommand.after_long_help(long) } else { subcommand })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the subcommands of a command, and of theirs.
    fn names(command: &Command) -> Vec<String> {
        let below = |command: &Command| [vec![command.get_name().to_owned()], names(command)].concat();
        command.get_subcommands().flat_map(below).collect()
    }

    #[test]
    fn every_subcommand_has_an_example_that_the_program_accepts() {
        let program = super::super::command();
        let names = names(&program);
        assert!(EXAMPLES.iter().all(|(name, _)| names.iter().any(|other| other == name)));
        for name in names {
            let lines = lines(&name);
            assert!(!lines.is_empty(), "{name} has no example");
            for call in lines.iter().flat_map(|line| line.split('|')) {
                let call = call.split(" # ").next().unwrap().split(" > ").next().unwrap().trim();
                if call.starts_with("plants ") {
                    let parsed = program.clone().try_get_matches_from(call.split_whitespace());
                    assert!(parsed.is_ok(), "{call}: {}", parsed.unwrap_err());
                }
            }
        }
    }

    #[test]
    fn the_help_of_a_subcommand_ends_with_its_examples() {
        for name in ["add", "check"] {
            let mut program = super::super::command();
            let subcommand = program.find_subcommand_mut(name).unwrap();
            for help in [subcommand.render_help(), subcommand.render_long_help()] {
                let last = lines(name).pop().unwrap();
                assert!(help.to_string().trim_end().ends_with(&last), "{help}");
            }
        }
    }
}
