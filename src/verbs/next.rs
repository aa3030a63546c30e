//! How a line of the palette goes on, from the definition of its verb. Must not know where values are found.

use std::sync::{Arc, OnceLock};

use clap::Command;
use clap_complete::engine::{CompletionCandidate, complete};

use super::line::verb;
use super::values::{Find, Values, with_values};
use super::words::Words;

/// Stands for a value of a kind among the candidates; no text has this noncharacter.
const VALUE: &str = "\u{fdd0}";

/// How a line of the palette goes on.
#[derive(Debug)]
pub struct Next {
    /// The line before what is being typed.
    before: String,
    /// The kind of the value that is being typed, if it has one, and what is typed of it.
    pub value: Option<(Values, String)>,
    /// Options, and words of the table, with their help.
    pub words: Vec<(String, String)>,
}

impl Next {
    /// Reads a line up to the cursor; `None` before the end of its first word, and if it is of no verb.
    pub fn of(line: &str) -> Option<Self> {
        let Words { words, last, .. } = Words::in_session(line);
        let (typed, before) = words.split_last()?;
        let verb = verb(before.first()?)?;
        let asked = Arc::new(OnceLock::new());
        let record = Arc::clone(&asked);
        let find: Find = Arc::new(move |values: Values, typed: &str| {
            let is_first = record.set((values, typed.to_owned())).is_ok();
            if is_first { vec![CompletionCandidate::new(VALUE)] } else { Vec::new() }
        });
        let mut command = Command::new("plants").no_binary_name(true).disable_help_flag(true).subcommand(verb);
        command.build();
        let mut command = with_values(command, Values::of, &find);
        let found = complete(&mut command, words.iter().map(Into::into).collect(), before.len(), None).ok()?;
        let mut next = Self { before: line.split_at(last).0.to_owned(), value: None, words: Vec::new() };
        for candidate in found {
            let Some(text) = candidate.get_value().to_str() else { continue };
            if let Some(prefix) = text.strip_suffix(VALUE) {
                next.before.push_str(prefix);
                next.value = asked.get().cloned();
            } else if text != "help" {
                let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
                next.words.push((text.to_owned(), help));
            }
        }
        let has_options = next.words.iter().any(|(word, _)| word.starts_with('-'));
        if has_options && typed.starts_with('-') {
            // An option is meant, and not a value of this spelling.
            next.value = None;
        } else if typed.is_empty() && next.value.is_some() {
            next.words.retain(|(word, _)| !word.starts_with('-'));
        }
        Some(next)
    }

    /// Returns the line with this value at its end, in quotes where it needs them.
    pub fn with(&self, value: &str) -> String {
        let plain = format!("{}{value}", self.before);
        let read = Words::in_session(&plain);
        if !read.is_open() && read.words.last().is_some_and(|word| word.ends_with(value)) {
            return plain;
        }
        format!("{}'{}'", self.before, value.replace('\'', "'\\''"))
    }
}
