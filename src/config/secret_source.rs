//! Reads where a profile's secrets come from: its token, and the headers for a gateway before its store.
//!
//! Finds every fault, and repeats no text that may be the secret itself.

use super::setting::{HEADERS, TOKEN_COMMAND, TOKEN_ENV, TOKEN_FILE};
use super::table::{Entry, Table};
use super::token_source::{HeaderSource, TokenSource};
use super::value::{INVALID_VARIABLE_NAME, is_variable_name};
use super::withheld::withhold;
use crate::client::FieldName;

/// How to write a header.
const HEADER: &str = "{ command = [\"pass\", \"show\", \"gateway\"] }, { file = \"…\" } or { env = \"…\" }";

/// The keys of the three sources: a command, a file, a variable.
const OF_THE_TOKEN: [&str; 3] = [TOKEN_COMMAND.key, TOKEN_FILE.key, TOKEN_ENV.key];
const OF_A_HEADER: [&str; 3] = ["command", "file", "env"];

/// Reads the source of the token.
pub(super) fn token_source(table: &mut Table<'_>) -> Option<TokenSource> {
    source(table, OF_THE_TOKEN, "a profile has one source of its token")
}

/// Reads the headers for a gateway.
pub(super) fn headers(table: &mut Table<'_>) -> Option<Vec<HeaderSource>> {
    if !table.has(HEADERS.key) {
        return None;
    }
    let wanted = "a table, like { \"X-Api-Key\" = { env = \"API_KEY\" } }";
    let mut named: Vec<(FieldName, usize)> = Vec::new();
    let mut headers = Vec::new();
    for entry in table.entries_of(HEADERS.key, wanted) {
        let name = entry.name.parse::<FieldName>().map_err(|why| entry.fault(why)).ok();
        if let Some((_, line)) = named.iter().find(|(other, _)| Some(other) == name.as_ref()) {
            entry.fault(format_args!("this header is already in line {line}: remove one of the two"));
        }
        named.extend(name.clone().map(|name| (name, entry.line)));
        let source = header_source(&entry);
        headers.extend(name.zip(source).map(|(name, source)| HeaderSource { name, source }));
    }
    Some(headers)
}

fn header_source(entry: &Entry<'_>) -> Option<TokenSource> {
    let mut table = entry.table(&format!("the source of its value: {HEADER}"))?;
    let is_empty = table.is_empty();
    let source = source(&mut table, OF_A_HEADER, "a header has one source of its value");
    if is_empty {
        entry.fault(format_args!("the source of its value is missing: write {HEADER}"));
    }
    table.report_unknown(|_, meant| format!("unknown source; there are command, file and env{meant}"));
    source
}

/// Reads all sources, to find every fault, and returns the last valid one. `only_one` says that there is only one.
fn source(table: &mut Table<'_>, keys: [&'static str; 3], only_one: &str) -> Option<TokenSource> {
    let [command, file, variable] = keys.map(|key| table.entry(key));
    let command = command.map(|entry| (self::command(&entry), entry));
    let file = file.map(|entry| (entry.path().map(TokenSource::File), entry));
    let variable = variable.map(|entry| (self::variable(&entry), entry));
    only([command, file, variable], only_one)
}

/// Returns the last valid value, and adds a fault for each entry but the first. `only_one` says that there is only one.
pub(super) fn only<T, const N: usize>(given: [Option<(Option<T>, Entry<'_>)>; N], only_one: &str) -> Option<T> {
    let mut given: Vec<_> = given.into_iter().flatten().collect();
    given.sort_by_key(|(_, entry)| entry.line);
    if let Some(((_, first), others)) = given.split_first() {
        for (_, other) in others {
            let (name, line) = (first.name, first.line);
            other.fault(format_args!("{only_one}, and {name} is in line {line}: remove one of the two"));
        }
    }
    given.into_iter().rev().find_map(|(value, _)| value)
}

fn variable(entry: &Entry<'_>) -> Option<TokenSource> {
    let name = entry.text("the name of a variable in quotes")?;
    if !is_variable_name(name) {
        // Leaves out the text, which may be the secret itself.
        entry.fault(INVALID_VARIABLE_NAME);
        return None;
    }
    withhold(name);
    Some(TokenSource::Env(name.to_owned()))
}

pub(super) fn command(entry: &Entry<'_>) -> Option<TokenSource> {
    entry.program("[\"pass\", \"show\", \"plants\"]").map(TokenSource::Command)
}
