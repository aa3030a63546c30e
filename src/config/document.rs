//! The config file as a TOML tree in which everything has a line.
//!
//! It turns what the parser could not read into faults, with the key each one belongs to. It
//! knows no key of ours.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue, Error};

use super::fault::{Fault, Place};

/// A parsed text, and what was wrong with it as TOML.
pub(super) struct Document<'t> {
    /// What could be read.
    pub(super) table: DeTable<'t>,
    /// Where its lines start.
    pub(super) lines: Lines,
    /// What could not, at most one per line, in order.
    pub(super) faults: Vec<Fault>,
    /// Whether the tree may lack something that was written: nothing can be called missing then.
    pub(super) is_partial: bool,
}

/// Where each line of a text starts, in bytes.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line, counted from 1, that holds this byte.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}

/// The name of `name` inside the table `parent`, as it is written in TOML.
pub(super) fn dotted(parent: &str, name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let name = if bare { name.to_owned() } else { format!("\"{name}\"") };
    if parent.is_empty() { name } else { format!("{parent}.{name}") }
}

impl<'t> Document<'t> {
    /// Parses the text of `file`, as far as it can be.
    pub(super) fn parse(file: &Path, text: &'t str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let table = root.into_inner();
        let lines = Lines::of(text);
        let mut map = Map::default();
        map.add(&table, "");
        map.sort();

        let mut seen = BTreeSet::new();
        let mut faults = Vec::new();
        let mut is_partial = false;
        let twice = |error: &Error| error.message() == DUPLICATE;
        let tables_twice: BTreeSet<usize> = errors
            .iter()
            .filter(|error| twice(error))
            .filter_map(|error| Some(map.header_over(error.span()?.start)?.span.start))
            .collect();
        for error in &errors {
            let span = error.span().unwrap_or(text.len()..text.len());
            let value = map.value_over(span.start);
            let read_on = value.is_some_and(|place| lines.line(place.span.start) == lines.line(place.span.end));
            is_partial |= !twice(error) && !read_on;

            let header = map.header_over(span.start);
            let table = map.header_before(span.start);
            // Every key of a table that stands twice would be reported as well: once is enough.
            if twice(error) && header.is_none() && table.is_some_and(|t| tables_twice.contains(&t.span.start)) {
                continue;
            }
            let line = lines.line(span.start);
            if !seen.insert(line) {
                continue;
            }
            let place = value.or(header);
            let (key, what) = if !twice(error) {
                // A token that was pasted as a line of its own looks like this: what stands before its `=`
                // is no key.
                let named = place.or(table).filter(|_| !error.message().starts_with("extra `=`"));
                let key = named.map_or_else(String::new, |place| place.key.clone());
                (key, in_words(error.message(), &span))
            } else if let Some(header) = header {
                (header.key.clone(), "this table stands twice: make one of the two".to_owned())
            } else {
                let name = text.get(span.clone()).unwrap_or_default();
                match map.first_of(name, span.start) {
                    Some(first) => {
                        let line = lines.line(first.span.start);
                        (first.key.clone(), format!("this key stands in line {line} already: remove one of the two"))
                    }
                    None => (name.to_owned(), "this key stands twice: remove one of the two".to_owned()),
                }
            };
            faults.push(Place::in_file(file, line, key).fault(what));
        }
        Self { table, lines, faults, is_partial }
    }
}

/// What the parser says, in words for people who do not know its grammar.
fn in_words(message: &str, span: &Range<usize>) -> String {
    if !message.starts_with("string values must be quoted") {
        format!("this is not TOML: {message}")
    } else if span.is_empty() {
        "there is no value after the equals sign".to_owned()
    } else {
        "text needs quotes around it: write \"…\"".to_owned()
    }
}

/// What the parser says of a key or table that is there already.
const DUPLICATE: &str = "duplicate key";

/// Where in the text the headers and the values stand, so that a fault finds its key.
#[derive(Default)]
struct Map {
    headers: Vec<KeySpan>,
    values: Vec<KeySpan>,
}

struct KeySpan {
    span: Range<usize>,
    /// Its name in its table.
    name: String,
    /// Its full name.
    key: String,
}

impl Map {
    fn add(&mut self, table: &DeTable<'_>, parent: &str) {
        for (name, value) in table {
            let key = dotted(parent, name.get_ref());
            let span = value.span();
            let place = |span| KeySpan { span, name: name.get_ref().to_string(), key: key.clone() };
            // The value of `key = …` stands after its key.
            if span.start >= name.span().end {
                self.values.push(place(name.span().start..span.end));
                continue;
            }
            // That of `[key]` is its header; a table that is only a part of a header has none.
            if span != name.span() {
                self.headers.push(place(span));
            }
            if let DeValue::Table(inner) = value.get_ref() {
                self.add(inner, &key);
            }
        }
    }

    fn sort(&mut self) {
        self.headers.sort_by_key(|place| place.span.start);
        self.values.sort_by_key(|place| place.span.start);
    }

    /// The last value of this name before `offset`, as the name is written there.
    fn first_of(&self, name: &str, offset: usize) -> Option<&KeySpan> {
        let name = name.trim_matches(['"', '\'']);
        let (before, _) = self.values.split_at(self.values.partition_point(|place| place.span.start < offset));
        before.iter().rev().find(|place| place.name == name)
    }

    fn header_before(&self, offset: usize) -> Option<&KeySpan> {
        last_from(&self.headers, offset)
    }

    fn header_over(&self, offset: usize) -> Option<&KeySpan> {
        last_from(&self.headers, offset).filter(|place| place.span.contains(&offset))
    }

    fn value_over(&self, offset: usize) -> Option<&KeySpan> {
        // The end counts: a quote that is missing is missed just behind the value.
        last_from(&self.values, offset).filter(|place| offset <= place.span.end)
    }
}

fn last_from(places: &[KeySpan], offset: usize) -> Option<&KeySpan> {
    places.get(places.partition_point(|place| place.span.start <= offset).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        Document::parse(Path::new("c"), text).faults.iter().map(ToString::to_string).collect()
    }

    fn is_whole(text: &str) -> bool {
        !Document::parse(Path::new("c"), text).is_partial
    }

    #[test]
    fn a_table_that_stands_twice_is_one_fault() {
        assert_eq!(
            faults("[profile.a]\nx = 1\n\n[profile.a]\nx = 2\ny = 1\n"),
            ["c:4: profile.a: this table stands twice: make one of the two"]
        );
    }

    #[test]
    fn a_key_that_stands_twice_is_named_in_its_table() {
        let words = |line| format!("this key stands in line {line} already: remove one of the two");
        assert_eq!(faults("[profile.a]\nx = 1\n\n\"x\" = 2\n"), [format!("c:4: profile.a.x: {}", words(2))]);
        assert_eq!(faults("x = 1\r\nx = 2\r\n[a]\r\nx = 3"), [format!("c:2: x: {}", words(1))]);
    }

    #[test]
    fn a_token_that_was_pasted_into_the_file_is_not_quoted() {
        assert_eq!(faults("[p]\nY2FuYXJ5==\n"), ["c:2: this is not TOML: extra `=`, expected nothing"]);
    }

    #[test]
    fn a_broken_value_leaves_the_rest_readable() {
        let text = "[p]\na = soon\nb = \nc = \"x\nd = 1\n";
        let document = Document::parse(Path::new("c"), text);
        let shown: Vec<String> = document.faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "c:2: p.a: text needs quotes around it: write \"…\"",
                "c:3: p.b: there is no value after the equals sign",
                "c:4: p.c: this is not TOML: invalid basic string, expected `\"`",
            ]
        );
        assert!(!document.is_partial);
    }

    #[test]
    fn what_swallows_lines_leaves_the_text_in_part() {
        for text in ["a\nb = 1\n", "[p\na = 1\n", "a = [1\nb = 2\n", "a = \"\"\"x\nb = 1\n"] {
            assert!(!is_whole(text), "{text}");
            assert_eq!(faults(text).first().map(|fault| fault.starts_with("c:")), Some(true), "{text}");
        }
        assert!(is_whole("\u{feff}a = [\n 1,\n]\n"));
    }

    #[test]
    fn any_text_at_all_is_survived() {
        let marks = ["[", "]", "=", "\"", "'", "\n", "a", ".", "{", "}", ",", "é", "#", "[[", "\"\"\"", "\\", " "];
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let text: String = (0..14).map(|_| marks[random.usize(..marks.len())]).collect();
            let _ = faults(&text);
        }
    }
}
