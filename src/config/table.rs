//! Reads the tables of the config file: each value by itself, so that a wrong one hides no other.
//!
//! It knows no key of ours.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeSeed as _;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::document::{Lines, dotted};
use super::fault::{Fault, Place, did_you_mean};
use super::toml_value::{Value, WrongValue};
use super::value::{Text, whole_path};

/// The file that is read, and what was found wrong with its values so far.
pub(super) struct Reader<'r> {
    file: &'r Path,
    /// Where `~/` leads.
    home: Option<&'r Path>,
    lines: &'r Lines,
    /// Each with the place of its key in the text, in bytes.
    faults: RefCell<Vec<(usize, Fault)>>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(file: &'r Path, home: Option<&'r Path>, lines: &'r Lines) -> Self {
        Self { file, home, lines, faults: RefCell::default() }
    }

    pub(super) fn table(&'r self, key: &str, table: &'r DeTable<'r>) -> Table<'r> {
        let entry = |(name, value): (&'r Spanned<DeString<'r>>, &'r Spanned<DeValue<'r>>)| {
            let offset = name.span().start;
            let place = Place::in_file(self.file, self.lines.line(offset), dotted(key, name.get_ref()));
            Entry { reader: self, name: name.get_ref(), place, offset, value: Value(value) }
        };
        let mut entries: Vec<_> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.offset);
        Table { entries, known: Vec::new() }
    }

    /// The faults in the order of the file.
    pub(super) fn into_faults(self) -> impl Iterator<Item = Fault> {
        let mut faults = self.faults.into_inner();
        faults.sort_by_key(|(offset, _)| *offset);
        faults.into_iter().map(|(_, fault)| fault)
    }
}

/// A table whose entries are taken out one by one.
pub(super) struct Table<'r> {
    /// In the order of the file.
    entries: Vec<Entry<'r>>,
    /// The keys that were asked for.
    known: Vec<&'static str>,
}

/// One `key = value`.
pub(super) struct Entry<'r> {
    reader: &'r Reader<'r>,
    pub(super) name: &'r str,
    pub(super) place: Place,
    pub(super) offset: usize,
    value: Value<'r>,
}

impl<'r> Table<'r> {
    pub(super) fn entry(&mut self, key: &'static str) -> Option<Entry<'r>> {
        self.known.push(key);
        let at = self.entries.iter().position(|entry| entry.name == key)?;
        Some(self.entries.remove(at))
    }

    pub(super) fn entries(self) -> Vec<Entry<'r>> {
        self.entries
    }

    pub(super) fn value<T: Deserialize<'r>>(&mut self, key: &'static str) -> Option<T> {
        self.entry(key)?.value()
    }

    /// The tables in a table; `wanted` says how to write one.
    pub(super) fn tables(&mut self, key: &'static str, wanted: &str) -> Vec<Entry<'r>> {
        self.entry(key).and_then(|entry| entry.table(wanted)).map(Table::entries).unwrap_or_default()
    }

    /// Reports the keys that were not taken; `hint` knows where some of them belong.
    pub(super) fn report_unknown(self, hint: impl Fn(&str) -> Option<&'static str>) {
        for entry in &self.entries {
            match hint(entry.name) {
                Some(hint) => entry.fault(hint),
                None => entry.fault(format_args!("unknown key{}", did_you_mean(entry.name, &self.known))),
            }
        }
    }
}

impl<'r> Entry<'r> {
    /// Counted from 1.
    pub(super) fn line(&self) -> usize {
        self.reader.lines.line(self.offset)
    }

    pub(super) fn value<T: Deserialize<'r>>(&self) -> Option<T> {
        self.checked(T::deserialize(self.value))
    }

    /// A text of any content; `wanted` says what for.
    pub(super) fn text(&self, wanted: &'static str) -> Option<String> {
        self.checked(Text(wanted).deserialize(self.value))
    }

    fn checked<T>(&self, read: Result<T, WrongValue>) -> Option<T> {
        read.map_err(|wrong| {
            let line = self.reader.lines.line(wrong.item.unwrap_or(self.offset));
            self.add(Place { line: Some(line), ..self.place.clone() }.fault(wrong));
        })
        .ok()
    }

    pub(super) fn path(&self) -> Option<PathBuf> {
        self.whole(&self.text("a path in quotes")?)
    }

    /// A path from the file, made whole.
    pub(super) fn whole(&self, path: &str) -> Option<PathBuf> {
        let directory = self.reader.file.parent().unwrap_or(Path::new(""));
        whole_path(path, directory, self.reader.home).map_err(|why| self.fault(why)).ok()
    }

    /// A table; `wanted` says how to write one.
    pub(super) fn table(&self, wanted: &str) -> Option<Table<'r>> {
        let table = self.checked(self.value.table(wanted))?;
        Some(self.reader.table(&self.place.key, table))
    }

    pub(super) fn fault(&self, what: impl fmt::Display) {
        self.add(self.place.fault(what));
    }

    fn add(&self, fault: Fault) {
        self.reader.faults.borrow_mut().push((self.offset, fault));
    }
}
