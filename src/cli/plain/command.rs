//! The commands of plain mode, and the words for them.

use color_eyre::eyre::{self, eyre};

use super::super::error::NOTHING_SENT;
use crate::text::similar::did_you_mean;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Add,
    Delete,
    List,
    History,
    Resolve,
    Check,
    Import,
    Token,
    Help,
    Quit,
}

/// A command in the help.
struct Entry {
    command: Command,
    /// The first is the one that the help names.
    words: &'static [&'static str],
    /// What can follow the word.
    argument: &'static str,
    what: &'static str,
}

const ENTRIES: [Entry; 10] = [
    Entry { command: Command::Add, words: &["add", "new", "create"], argument: "", what: "adds a plant" },
    Entry {
        command: Command::Delete,
        words: &["delete", "remove", "rm"],
        argument: "ID or NAME",
        what: "deletes a plant, after a question",
    },
    Entry {
        command: Command::List,
        words: &["list", "plants", "ls"],
        argument: "FILTER",
        what: "lists the plants; a filter is like fern, tag:desert or state:unknown",
    },
    Entry {
        command: Command::History,
        words: &["history", "requests", "show"],
        argument: "FILTER or N",
        what: "lists the requests, newest first; a filter is like fern or outcome:rejected; \
               with the number of a request it prints that request and its response",
    },
    Entry {
        command: Command::Resolve,
        words: &["resolve", "retry", "undo"],
        argument: "ID or NAME",
        what: "decides about unknown plants: send again, delete, mark as stored or forget",
    },
    Entry { command: Command::Check, words: &["check"], argument: "", what: "runs the contract check" },
    Entry {
        command: Command::Import,
        words: &["import"],
        argument: "FILE",
        what: "adds the plants of a .csv, .json or .ndjson file",
    },
    Entry { command: Command::Token, words: &["token", "login"], argument: "", what: "takes another token" },
    Entry { command: Command::Help, words: &["help", "?"], argument: "", what: "lists the commands" },
    Entry { command: Command::Quit, words: &["quit", "exit", "q"], argument: "", what: "ends the program" },
];

impl Command {
    /// What is true when the command was left at a question; `None` for one that sends nothing.
    pub(super) fn left(self) -> Option<&'static str> {
        match self {
            Self::Add | Self::Delete | Self::Check | Self::Import => Some(NOTHING_SENT),
            Self::Resolve => Some("Nothing more was sent."),
            Self::List | Self::History | Self::Token | Self::Help | Self::Quit => None,
        }
    }

    /// Reads a line: a command, and what follows it.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it, and what to do.
    pub(super) fn parse(line: &str) -> eyre::Result<(Self, &str)> {
        let line = line.trim();
        let (word, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let argument = argument.trim_start();
        let typed = word.to_lowercase();
        let Some(entry) = ENTRIES.iter().find(|entry| entry.words.contains(&typed.as_str())) else {
            let meant = did_you_mean(word, ENTRIES.iter().filter_map(|entry| entry.words.first().copied()));
            return Err(eyre!("There is no command {word}{meant}{} help lists the commands.", end_of(&meant)));
        };
        if entry.argument.is_empty() && !argument.is_empty() {
            return Err(eyre!("{typed} stands alone: it asks for what it needs."));
        }
        Ok((entry.command, argument))
    }
}

/// Returns the end of a sentence, unless it is a question.
fn end_of(sentence: &str) -> &'static str {
    if sentence.ends_with('?') { "" } else { "." }
}

/// Renders the help, one line for each command.
pub(super) fn help() -> Vec<String> {
    let line = |entry: &Entry| {
        let [word, ..] = entry.words else { return String::new() };
        let argument = if entry.argument.is_empty() { String::new() } else { format!(" {}", entry.argument) };
        format!("{word}{argument}: {}.", entry.what)
    };
    let mut lines: Vec<_> = ENTRIES.iter().map(line).collect();
    lines.push(
        "What follows a command can be left out. Each question names its default, which an empty line takes. \
         Ctrl-C leaves a question, or cancels a request."
            .to_owned(),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_and_what_follows_it() {
        let parsed = |line| Command::parse(line).unwrap();
        assert_eq!(parsed("add"), (Command::Add, ""));
        assert_eq!(parsed("  Remove \t 7 "), (Command::Delete, "7"));
        assert_eq!(parsed("import my plants.csv"), (Command::Import, "my plants.csv"));
        assert_eq!(parsed("EXIT"), (Command::Quit, ""));
    }

    #[test]
    fn an_invalid_line_says_what_to_do() {
        let why = |line| Command::parse(line).unwrap_err().to_string();
        assert_eq!(why("delte 7"), "There is no command delte; did you mean delete? help lists the commands.");
        assert_eq!(why("water"), "There is no command water. help lists the commands.");
        assert_eq!(why("add Fern"), "add stands alone: it asks for what it needs.");
    }

    #[test]
    fn no_word_stands_for_two_commands_and_the_help_has_all() {
        let mut words: Vec<_> = ENTRIES.iter().flat_map(|entry| entry.words).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
        assert_eq!(help().len(), ENTRIES.len() + 1);
    }
}
