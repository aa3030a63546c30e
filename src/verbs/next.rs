//! How a line of the palette goes on, from the definition of its verb. Must not know where values are found.

use std::sync::{Arc, OnceLock};

use clap_complete::engine::{CompletionCandidate, complete};

use super::help::{is_spelled, verb_of};
use super::line::{typed_words, unbuilt, unexpected};
use super::values::{Find, Values, with_values};
use super::words::Words;

/// Stands for a value of a kind among the candidates; no text has this noncharacter.
const VALUE: &str = "\u{fdd0}";

/// How a line of the palette goes on.
#[derive(Debug)]
pub struct Next {
    /// The name of its verb.
    pub verb: String,
    /// Whether nothing is typed behind the verb.
    pub is_bare: bool,
    /// The line before what is being typed.
    before: String,
    /// The kind of the value that is being typed, if it has one, and what is typed of it.
    pub value: Option<(Values, String)>,
    /// Options, and words of the table, with their help.
    pub words: Vec<(String, String)>,
    /// Says why no end makes a line of it.
    pub fault: Option<String>,
}

impl Next {
    /// Reads a line up to the cursor; `None` before the end of its first word, and if it is of no verb.
    pub fn of(line: &str) -> Option<Self> {
        let Words { words, last, .. } = typed_words(line);
        let (typed, before) = words.split_last()?;
        let (verb, shared) = unbuilt(before.first()?)?;
        let asked = Arc::new(OnceLock::new());
        let record = Arc::clone(&asked);
        let find: Find = Arc::new(move |values: Values, typed: &str| {
            let is_first = record.set((values, typed.to_owned())).is_ok();
            if is_first { vec![CompletionCandidate::new(VALUE)] } else { Vec::new() }
        });
        let mut next = Self {
            verb: verb.get_name().to_owned(),
            is_bare: before.len() == 1 && typed.is_empty(),
            before: line.split_at(last).0.to_owned(),
            value: None,
            words: Vec::new(),
            fault: None,
        };
        let mut command = shared.no_binary_name(true).disable_help_flag(true).subcommand(verb);
        command.build();
        let mut command = with_values(command, Values::of, &find);
        let found = complete(&mut command, words.iter().map(Into::into).collect(), before.len(), None).ok()?;
        // Short options behind others: `-name` is a column.
        let is_cluster = |text: &str| text.starts_with('-') && !text.starts_with("--") && text.len() > 2;
        for candidate in found {
            let Some(text) = candidate.get_value().to_str().filter(|text| !is_cluster(text)) else { continue };
            if let Some(prefix) = text.strip_suffix(VALUE) {
                next.before.push_str(prefix);
                next.value = asked.get().cloned();
            } else if text != "help" {
                let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
                next.words.push((text.to_owned(), help));
            }
        }
        let verb = verb_of(&command, before);
        if let Some(option) = verb.get_arguments().find(|option| is_spelled(option, typed))
            && next.words.is_empty()
        {
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            next.words.push((typed.clone(), help));
        }
        let is_option = |(word, _): &(String, String)| word.starts_with('-');
        let has_options = next.words.iter().any(is_option);
        next.words.sort_by_key(|(word, _)| command.get_arguments().any(|shared| is_spelled(shared, word)));
        if has_options && typed.starts_with('-') {
            // An option is meant, and not a value of this spelling.
            next.value = None;
        } else if typed.is_empty() && (next.value.is_some() || !next.words.iter().all(is_option)) {
            next.words.retain(|word| !is_option(word));
        }
        next.fault = unexpected(&words, has_options);
        Some(next)
    }

    /// Returns the line with this value at its end, in quotes where it needs them.
    pub fn with(&self, value: &str) -> String {
        let plain = format!("{}{value}", self.before);
        let read = typed_words(&plain);
        if !read.is_open() && read.words.last().is_some_and(|word| word.ends_with(value)) {
            return plain;
        }
        format!("{}'{}'", self.before, value.replace('\'', "'\\''"))
    }
}
