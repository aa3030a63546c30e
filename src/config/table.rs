//! Reads the tables of the config file value by value, so that one invalid value hides no other.
//!
//! Must not know which keys there are. The fault of a value of the wrong type leaves the value out: it may be a
//! token.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use strum::VariantNames;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::document::{Lines, dotted};
use super::fault::{Fault, Located, Location, quoted};
use super::path::absolute;
use crate::text::similar::did_you_mean;

/// The file that is read, and the faults found in its values so far.
pub(super) struct Reader<'r> {
    pub(super) file: &'r Path,
    pub(super) home: Option<&'r Path>,
    pub(super) lines: Lines,
    pub(super) faults: RefCell<Vec<Fault>>,
}

impl<'r> Reader<'r> {
    pub(super) fn table(&'r self, key: &str, table: &'r DeTable<'r>) -> Table<'r> {
        let entry = |(name, value): (&'r Spanned<DeString<'r>>, &'r Spanned<DeValue<'r>>)| {
            let line = self.lines.line(name.span().start);
            let location = Location::in_file(self.file, line, dotted(key, name.get_ref()));
            Entry { reader: self, name: name.get_ref(), location, line, value: value.get_ref() }
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        Table { entries: entries.into_iter().map(entry).collect(), known: Vec::new() }
    }
}

/// A table from which entries are taken by key; the rest are unknown keys.
pub(super) struct Table<'r> {
    /// In the order of the file.
    entries: Vec<Entry<'r>>,
    /// The keys that were looked up.
    known: Vec<&'static str>,
}

/// One `key = value`.
pub(super) struct Entry<'r> {
    reader: &'r Reader<'r>,
    pub(super) name: &'r str,
    pub(super) location: Location,
    /// The line of the key, counted from 1.
    pub(super) line: usize,
    value: &'r DeValue<'r>,
}

impl<'r> Table<'r> {
    pub(super) fn entry(&mut self, key: &'static str) -> Option<Entry<'r>> {
        self.known.push(key);
        let index = self.entries.iter().position(|entry| entry.name == key)?;
        Some(self.entries.remove(index))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == key)
    }

    /// Takes an entry and reads its value.
    pub(super) fn read<T>(&mut self, key: &'static str, read: impl FnOnce(&Entry<'r>) -> Option<T>) -> Option<T> {
        read(&self.entry(key)?)
    }

    /// Takes the entries of a table in this one; `wanted` says how to write one.
    pub(super) fn entries_of(&mut self, key: &'static str, wanted: &str) -> Vec<Entry<'r>> {
        self.read(key, |entry| entry.table(wanted)).map(|table| table.entries).unwrap_or_default()
    }

    /// Adds a fault for each entry that was not taken. `what` returns its words, from the entry's key and the words that
    /// suggest a similar key of this table, which may be empty.
    pub(super) fn report_unknown(self, what: impl Fn(&str, &str) -> String) {
        for entry in &self.entries {
            entry.fault(what(entry.name, &did_you_mean(entry.name, self.known.iter().copied())));
        }
    }
}

/// Reading a value returns `None` after it added a fault. `wanted` describes the value in that fault.
impl<'r> Entry<'r> {
    pub(super) fn text(&self, wanted: &str) -> Option<&'r str> {
        self.typed(wanted, DeValue::as_str)
    }

    pub(super) fn parsed<T: FromStr<Err: fmt::Display>>(&self, wanted: &str) -> Option<T> {
        self.text(wanted)?.parse().map_err(|why: T::Err| self.fault(why)).ok()
    }

    pub(super) fn choice<T: FromStr + VariantNames>(&self, wanted: &str) -> Option<T> {
        let name = self.text(wanted)?;
        let choice = name.parse().ok();
        if choice.is_none() {
            let (known, meant) = (T::VARIANTS.join(", "), did_you_mean(name, T::VARIANTS.iter().copied()));
            self.fault(format_args!("{} is none of {known}{meant}", quoted(name)));
        }
        choice
    }

    pub(super) fn switch(&self) -> Option<bool> {
        self.typed("true or false, without quotes", DeValue::as_bool)
    }

    /// Reads an array, each item as an entry with the same key.
    pub(super) fn items(&self, wanted: &str) -> Option<Vec<Self>> {
        let entry = |item: &'r Spanned<DeValue<'r>>| {
            let line = self.reader.lines.line(item.span().start);
            let location = Location { line: Some(line), ..self.location.clone() };
            Entry { reader: self.reader, name: self.name, location, line, value: item.get_ref() }
        };
        Some(self.typed(wanted, DeValue::as_array)?.iter().map(entry).collect())
    }

    /// Reads an array of texts.
    pub(super) fn texts(&self, wanted: &str) -> Option<Vec<String>> {
        self.items(wanted)?.iter().map(|item| item.text(wanted).map(str::to_owned)).collect()
    }

    /// Reads an array of texts, or one text alone.
    pub(super) fn text_or_texts(&self, wanted: &str) -> Option<Vec<String>> {
        match self.value.as_str() {
            Some(text) => Some(vec![text.to_owned()]),
            None => self.texts(wanted),
        }
    }

    /// Keeps where a value of this entry was given.
    pub(super) fn located<T>(&self, value: T) -> Located<T> {
        Located { value, location: self.location.clone() }
    }

    pub(super) fn path(&self) -> Option<PathBuf> {
        self.absolute(self.text("a path in quotes")?)
    }

    /// Makes a path from the file absolute.
    pub(super) fn absolute(&self, path: &str) -> Option<PathBuf> {
        let directory = self.reader.file.parent().unwrap_or(Path::new(""));
        absolute(path, directory, self.reader.home).map_err(|why| self.fault(why)).ok()
    }

    /// Reads a program with its arguments; `example` is such an array.
    pub(super) fn program(&self, example: &str) -> Option<Vec<String>> {
        let mut words = self.texts(&format!("an array of texts, like {example}"))?;
        if words.iter().any(|word| word.contains('\0')) {
            self.fault("a command cannot contain a NUL character: remove it");
            return None;
        }
        let Some(program) = words.first_mut().filter(|program| !program.is_empty()) else {
            self.fault(format_args!("the command is empty: write it like {example}"));
            return None;
        };
        if program.contains('/') {
            // Relative to the config file, not to the working directory.
            if let Some(absolute) = self.absolute(program)?.to_str() {
                absolute.clone_into(program);
            }
        }
        Some(words)
    }

    pub(super) fn table(&self, wanted: &str) -> Option<Table<'r>> {
        self.typed(wanted, DeValue::as_table).map(|table| self.reader.table(&self.location.key, table))
    }

    pub(super) fn fault(&self, what: impl fmt::Display) {
        self.reader.faults.borrow_mut().push(self.location.fault(what));
    }

    fn typed<T>(&self, wanted: &str, get: impl FnOnce(&'r DeValue<'r>) -> Option<T>) -> Option<T> {
        let typed = get(self.value);
        let found = match self.value {
            _ if typed.is_some() => return typed,
            DeValue::String(_) => "a text in quotes",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        self.fault(format_args!("found {found}, wanted {wanted}"));
        None
    }
}
