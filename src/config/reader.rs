//! Takes typed values out of the TOML tree; a value of the wrong type becomes a fault that
//! says what was found and what is wanted.
//!
//! It knows types and places, not what a key is for.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Lines, dotted};
use super::fault::Fault;
use super::value;

/// A value and the line it stands in, counted from 1.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) line: usize,
}

/// A reader over one file: collects faults and hands out values.
pub(super) struct Reader<'r> {
    /// The file that is read.
    pub(super) file: &'r Path,
    /// Where `~/` leads.
    pub(super) home: Option<&'r Path>,
    /// Where the lines of the file start.
    pub(super) lines: &'r Lines,
    /// What was found wrong so far.
    pub(super) faults: Vec<Fault>,
}

/// One `key = value`, with the key's full name.
pub(super) struct Entry<'v, 't> {
    /// The full name: `profile.staging.timeout`.
    pub(super) key: String,
    /// The name inside its table: `timeout`.
    pub(super) name: &'v str,
    /// Where it stands, counted from 1.
    pub(super) line: usize,
    value: &'v DeValue<'t>,
}

impl Reader<'_> {
    /// Records a fault of an entry.
    pub(super) fn fault(&mut self, entry: &Entry<'_, '_>, what: impl Into<String>) {
        self.faults.push(Fault::in_file(self.file, entry.line, entry.key.clone(), what));
    }

    /// The entries of a table, in the order of the file.
    pub(super) fn entries<'v, 't>(&self, parent: &str, table: &'v DeTable<'t>) -> Vec<Entry<'v, 't>> {
        let mut named: Vec<_> = table.iter().collect();
        named.sort_by_key(|(name, _)| name.span().start);
        named
            .into_iter()
            .map(|(name, value): (_, &Spanned<DeValue<'t>>)| Entry {
                key: dotted(parent, name.get_ref()),
                name: name.get_ref(),
                line: self.lines.line(name.span().start),
                value: value.get_ref(),
            })
            .collect()
    }

    fn wrong_type<T>(&mut self, entry: &Entry<'_, '_>, wanted: &str) -> Option<T> {
        let found = match entry.value {
            DeValue::String(_) => "a text in quotes",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        self.fault(entry, format!("found {found}, wanted {wanted}"));
        None
    }

    /// A string; `wanted` says what it is for, with an example.
    pub(super) fn text<'v>(&mut self, entry: &Entry<'v, '_>, wanted: &str) -> Option<&'v str> {
        entry.value.as_str().or_else(|| self.wrong_type(entry, wanted))
    }

    /// A string that `parse` turns into a value, or into the words of a fault.
    pub(super) fn parsed<T>(
        &mut self,
        entry: &Entry<'_, '_>,
        wanted: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let raw = self.text(entry, wanted)?;
        parse(raw).map_err(|what| self.fault(entry, what)).ok()
    }

    /// A path, made whole.
    pub(super) fn path(&mut self, entry: &Entry<'_, '_>) -> Option<PathBuf> {
        let directory = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let home = self.home;
        self.parsed(entry, "a path in quotes", |raw| value::path(raw, &directory, home))
    }

    /// The same of a text in the entry.
    pub(super) fn whole_path(&mut self, entry: &Entry<'_, '_>, raw: &str) -> Option<PathBuf> {
        let directory = self.file.parent().unwrap_or(Path::new(""));
        let whole = value::path(raw, directory, self.home);
        whole.map_err(|what| self.fault(entry, what)).ok()
    }

    /// `true` or `false`.
    pub(super) fn boolean(&mut self, entry: &Entry<'_, '_>) -> Option<bool> {
        entry.value.as_bool().or_else(|| self.wrong_type(entry, "true or false, without quotes"))
    }

    /// A table.
    pub(super) fn table<'v, 't>(&mut self, entry: &Entry<'v, 't>, wanted: &str) -> Option<&'v DeTable<'t>> {
        entry.value.as_table().or_else(|| self.wrong_type(entry, wanted))
    }

    /// An array of strings.
    pub(super) fn texts(&mut self, entry: &Entry<'_, '_>, wanted: &str) -> Option<Vec<String>> {
        let Some(array) = entry.value.as_array() else { return self.wrong_type(entry, wanted) };
        let mut texts = Vec::with_capacity(array.len());
        for item in array {
            let Some(text) = item.get_ref().as_str() else {
                let item = Entry {
                    key: entry.key.clone(),
                    name: entry.name,
                    line: self.lines.line(item.span().start),
                    value: item.get_ref(),
                };
                return self.wrong_type(&item, wanted);
            };
            texts.push(text.to_owned());
        }
        Some(texts)
    }

    /// A string, or an array of strings.
    pub(super) fn one_or_more(&mut self, entry: &Entry<'_, '_>, wanted: &str) -> Option<Vec<String>> {
        match entry.value.as_str() {
            Some(one) => Some(vec![one.to_owned()]),
            None => self.texts(entry, wanted),
        }
    }
}
