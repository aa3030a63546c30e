//! Parses the config file into a TOML tree with positions, and turns syntax errors into faults.
//!
//! Finds the key that each error belongs to. Must not know which keys there are.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue, Error};

use super::fault::{Fault, Location};

pub(super) struct Document<'t> {
    /// The valid parts of the text.
    pub(super) table: DeTable<'t>,
    pub(super) lines: Lines,
    /// The syntax errors, at most one per line, in order.
    pub(super) faults: Vec<Fault>,
    /// Whether the tree may lack a key that is in the text.
    pub(super) is_partial: bool,
}

/// The byte offsets at which the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// Returns the line of a byte, counted from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}

/// Returns the full key of `name` in the table `parent`, as TOML writes it.
pub(super) fn dotted(parent: &str, name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let name = if bare { name.to_owned() } else { format!("\"{name}\"") };
    if parent.is_empty() { name } else { format!("{parent}.{name}") }
}

impl<'t> Document<'t> {
    /// Parses the text of `file`, past syntax errors.
    pub(super) fn parse(file: &Path, text: &'t str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let table = root.into_inner();
        let lines = Lines::of(text);
        let spans = KeySpans::of(&table);

        let mut lines_with_faults = BTreeSet::new();
        let mut faults = Vec::new();
        let mut is_partial = false;
        let is_duplicate = |error: &Error| error.message() == DUPLICATE;
        let duplicate_tables: BTreeSet<usize> = errors
            .iter()
            .filter(|error| is_duplicate(error))
            .filter_map(|error| Some(spans.header_at(error.span()?.start)?.span.start))
            .collect();
        for error in &errors {
            let span = error.span().unwrap_or(text.len()..text.len());
            let value = spans.value_at(span.start);
            // After an error within one line, the parser goes on with the next line.
            let is_one_line = value.is_some_and(|value| lines.line(value.span.start) == lines.line(value.span.end));
            is_partial |= !is_duplicate(error) && !is_one_line;

            let header = spans.header_at(span.start);
            let table = spans.last_header_before(span.start);
            // The parser reports every key of a duplicate table as well.
            if is_duplicate(error)
                && header.is_none()
                && table.is_some_and(|table| duplicate_tables.contains(&table.span.start))
            {
                continue;
            }
            let line = lines.line(span.start);
            if !lines_with_faults.insert(line) {
                continue;
            }
            let (key, what) = if !is_duplicate(error) {
                // A token pasted as a line of its own is such an error: the text before its `=` is no key.
                let near = value.or(header).or(table).filter(|_| !error.message().starts_with("extra `=`"));
                (near.map(|near| near.key.clone()).unwrap_or_default(), syntax_fault(error.message(), &span))
            } else if let Some(header) = header {
                (header.key.clone(), "this table is there twice: make one of the two".to_owned())
            } else {
                let name = text.get(span.clone()).unwrap_or_default();
                match spans.value_before(name, span.start) {
                    Some(first) => {
                        let line = lines.line(first.span.start);
                        (first.key.clone(), format!("this key is already in line {line}: remove one of the two"))
                    }
                    None => (name.to_owned(), "this key is there twice: remove one of the two".to_owned()),
                }
            };
            faults.push(Location::in_file(file, line, key).fault(what));
        }
        Self { table, lines, faults, is_partial }
    }
}

/// Rewords the parser's message for people who do not know its grammar.
fn syntax_fault(message: &str, span: &Range<usize>) -> String {
    if !message.starts_with("string values must be quoted") {
        format!("this is not TOML: {message}")
    } else if span.is_empty() {
        "there is no value after the equals sign: write one".to_owned()
    } else {
        "text needs quotes around it: write \"…\"".to_owned()
    }
}

/// The parser's message for a key or table that is there twice.
const DUPLICATE: &str = "duplicate key";

/// The positions of headers and values in the text, each sorted, to find the key of an error.
#[derive(Default)]
struct KeySpans {
    headers: Vec<KeySpan>,
    values: Vec<KeySpan>,
}

struct KeySpan {
    span: Range<usize>,
    /// The last part of the key.
    name: String,
    /// The full key.
    key: String,
}

impl KeySpans {
    fn of(table: &DeTable<'_>) -> Self {
        let mut spans = Self::default();
        spans.add(table, "");
        spans.headers.sort_by_key(|header| header.span.start);
        spans.values.sort_by_key(|value| value.span.start);
        spans
    }

    fn add(&mut self, table: &DeTable<'_>, parent: &str) {
        for (name, value) in table {
            let key = dotted(parent, name.get_ref());
            let span = value.span();
            let key_span = |span| KeySpan { span, name: name.get_ref().to_string(), key: key.clone() };
            // The value of `key = …` begins after its key.
            if span.start >= name.span().end {
                self.values.push(key_span(name.span().start..span.end));
                continue;
            }
            // The span of the table `[key]` is its header; `a` in `[a.b]` has no header of its own.
            if span != name.span() {
                self.headers.push(key_span(span));
            }
            if let DeValue::Table(inner) = value.get_ref() {
                self.add(inner, &key);
            }
        }
    }

    /// Returns the last value before `offset` that has this name, in quotes or without.
    fn value_before(&self, name: &str, offset: usize) -> Option<&KeySpan> {
        let name = name.trim_matches(['"', '\'']);
        let before = self.values.partition_point(|value| value.span.start < offset);
        self.values.iter().take(before).rfind(|value| value.name == name)
    }

    fn last_header_before(&self, offset: usize) -> Option<&KeySpan> {
        last_from(&self.headers, offset)
    }

    fn header_at(&self, offset: usize) -> Option<&KeySpan> {
        self.last_header_before(offset).filter(|header| header.span.contains(&offset))
    }

    fn value_at(&self, offset: usize) -> Option<&KeySpan> {
        // The end counts: the parser reports a missing quote just behind the value.
        last_from(&self.values, offset).filter(|value| offset <= value.span.end)
    }
}

/// Returns the last span that begins at `offset` or before. Binary search: a file may be all errors.
fn last_from(spans: &[KeySpan], offset: usize) -> Option<&KeySpan> {
    spans.get(spans.partition_point(|key| key.span.start <= offset).checked_sub(1)?)
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
    fn a_duplicate_table_is_one_fault() {
        assert_eq!(
            faults("[profile.a]\nx = 1\n\n[profile.a]\nx = 2\ny = 1\n"),
            ["c:4: profile.a: this table is there twice: make one of the two"]
        );
    }

    #[test]
    fn a_duplicate_key_is_shown_with_its_table() {
        let words = |line| format!("this key is already in line {line}: remove one of the two");
        assert_eq!(faults("[profile.a]\nx = 1\n\n\"x\" = 2\n"), [format!("c:4: profile.a.x: {}", words(2))]);
        assert_eq!(faults("x = 1\r\nx = 2\r\n[a]\r\nx = 3"), [format!("c:2: x: {}", words(1))]);
    }

    #[test]
    fn a_token_pasted_into_the_file_is_not_quoted() {
        assert_eq!(faults("[p]\nY2FuYXJ5==\n"), ["c:2: this is not TOML: extra `=`, expected nothing"]);
    }

    #[test]
    fn an_invalid_value_leaves_the_rest_readable() {
        let text = "[p]\na = soon\nb = \nc = \"x\nd = 1\n";
        let document = Document::parse(Path::new("c"), text);
        let shown: Vec<String> = document.faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "c:2: p.a: text needs quotes around it: write \"…\"",
                "c:3: p.b: there is no value after the equals sign: write one",
                "c:4: p.c: this is not TOML: invalid basic string, expected `\"`",
            ]
        );
        assert!(!document.is_partial);
    }

    #[test]
    fn an_error_that_hides_lines_makes_the_document_partial() {
        for text in ["a\nb = 1\n", "[p\na = 1\n", "a = [1\nb = 2\n", "a = \"\"\"x\nb = 1\n"] {
            assert!(!is_whole(text), "{text}");
            assert_eq!(faults(text).first().map(|fault| fault.starts_with("c:")), Some(true), "{text}");
        }
        assert!(is_whole("\u{feff}a = [\n 1,\n]\n"));
    }

    #[test]
    fn random_text_never_panics() {
        let marks = ["[", "]", "=", "\"", "'", "\n", "a", ".", "{", "}", ",", "é", "#", "[[", "\"\"\"", "\\", " "];
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let text: String = (0..14).map(|_| marks[random.usize(..marks.len())]).collect();
            let _ = faults(&text);
        }
    }
}
