//! The kinds of values that can be completed. Must not know where they are found.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use clap::builder::{ArgExt, TypedValueParser};
use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};

use crate::domain::filter::{self, List, Unfinished};

/// What the value of an argument is. An argument has it as an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    PlantIds,
    Tags,
    Profiles,
    /// Numbers of requests in the history.
    Entries,
    /// A query of this list.
    Query(List),
    /// The number of a request, or a query of the history.
    EntriesOrQuery,
    /// A query of the list on screen.
    QueryHere,
    /// A column of the list on screen; of the plants where none is.
    Column,
    Weather,
    Theme,
    Language,
    Path,
    /// A path of a file of plants.
    PlantFile,
}

impl ArgExt for Values {}

/// Marks an argument that takes the rest of a line of plain mode or of the palette as its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct RestOfLine;

impl ArgExt for RestOfLine {}

impl Values {
    pub fn of(argument: &Arg) -> Option<Self> {
        let is_path = argument.get_value_hint() == ValueHint::AnyPath;
        argument.get::<Self>().copied().or(is_path.then_some(Self::Path))
    }
}

/// Finds the values of a kind that begin as typed.
pub type Find = Arc<dyn Fn(Values, &str) -> Vec<CompletionCandidate> + Send + Sync>;

/// Parses a whole number of this range.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |typed: &str| {
        let number = typed.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Reads the number of an entry of the history: 42, or #42.
pub(super) fn entry_number(typed: &str) -> Option<i64> {
    typed.strip_prefix('#').unwrap_or(typed).parse().ok()
}

/// Reads how many lines to print.
pub(super) fn parse_count(typed: &str) -> Result<usize, &'static str> {
    typed.parse().ok().filter(|count| *count > 0).ok_or("write a whole number from 1")
}

/// Gives every argument whose values have a kind a completer.
pub fn with_values(command: Command, kind: fn(&Arg) -> Option<Values>, find: &Find) -> Command {
    let completed = |argument: Arg| {
        let Some(values) = kind(&argument) else { return argument };
        let find = Arc::clone(find);
        let complete = move |typed: &OsStr| typed.to_str().map(|typed| find(values, typed));
        argument.add(ArgValueCompleter::new(move |typed: &OsStr| complete(typed).unwrap_or_default()))
    };
    command.mut_args(completed).mut_subcommands(|verb| with_values(verb, kind, find))
}

/// Completes the last word of a query: a tag of the list, a word that a field has, or the name of a field.
pub fn of_query(list: List, typed: &str, tags: impl FnOnce(&str) -> Vec<String>) -> Vec<String> {
    let Some(Unfinished { before, field, value, is_quoted }) = filter::unfinished(typed) else { return Vec::new() };
    let values: Vec<String> = match field {
        Some("tag") => {
            let written = |tag: String| {
                let is_whole = is_quoted && !tag.contains('"');
                if is_whole { Some(format!("\"{tag}\"")) } else { filter::quoted(&tag).filter(|_| !is_quoted) }
            };
            tags(value).into_iter().filter(|tag| !tag.is_empty()).filter_map(written).collect()
        }
        _ if is_quoted => Vec::new(),
        field => list.words_of(field).into_iter().filter(|word| word.starts_with(value)).collect(),
    };
    values.into_iter().map(|value| format!("{before}{value}")).collect()
}
