//! Parses the config file into a TOML tree with positions, and turns a syntax error into a fault.
//!
//! Must not know which keys there are.

use toml::de::DeTable;

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

/// Parses a text into a table, with the lines of its positions.
///
/// # Errors
///
/// The line of the first syntax error, and what is wrong there. What the parser makes of the lines behind it is a guess,
/// and so is the key that the error is in. Quotes nothing: a line may be a token.
pub(super) fn parse(text: &str) -> Result<(DeTable<'_>, Lines), (usize, String)> {
    let lines = Lines::of(text);
    // The parser reports what is structural before what is in a value.
    let (table, errors) = DeTable::parse_recoverable(text);
    let places = errors.iter().map(|error| (error.span().unwrap_or(text.len()..text.len()), error.message()));
    match places.min_by_key(|(span, _)| span.start) {
        None => Ok((table.into_inner(), lines)),
        Some((span, message)) => Err((lines.line(span.start), syntax_fault(message, span.is_empty()))),
    }
}

/// Rewords the parser's message for people who do not know its grammar.
fn syntax_fault(message: &str, is_nothing: bool) -> String {
    if message == "duplicate key" {
        "this key or table is there twice: remove one of the two".to_owned()
    } else if !message.starts_with("string values must be quoted") {
        format!("this is not TOML: {message}")
    } else if is_nothing {
        "there is no value after the equals sign: write one".to_owned()
    } else {
        "text needs quotes around it: write \"…\"".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(usize, String)> {
        parse(text).err()
    }

    #[test]
    fn the_first_syntax_error_is_described_in_words_with_its_line() {
        for (text, line, what) in [
            ("a = 1\nb = soon\nc = \n", 2, "text needs quotes around it: write \"…\""),
            ("a = 1\n\nb = \n[p\n", 3, "there is no value after the equals sign: write one"),
            ("a = \"x\nb = 1\n", 1, "this is not TOML: invalid basic string, expected `\"`"),
            ("[p\na = 1\na = 1\n", 1, "this is not TOML: unclosed table, expected `]`"),
            ("[p]\nY2FuYXJ5==\n", 2, "this is not TOML: extra `=`, expected nothing"),
            ("[a]\nx = 1\r\n\r\n\"x\" = 2\n", 4, "this key or table is there twice: remove one of the two"),
            ("[a]\nx = 1\n\n[a]\nx = 2\n", 4, "this key or table is there twice: remove one of the two"),
        ] {
            assert_eq!(fault(text), Some((line, what.to_owned())), "{text}");
        }
        assert_eq!(fault("\u{feff}a = [\n 1,\n]\n"), None);
    }

    #[test]
    fn random_text_never_panics() {
        let marks = ["[", "]", "=", "\"", "'", "\n", "a", ".", "{", "}", ",", "é", "#", "[[", "\"\"\"", "\\", " "];
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let text: String = (0..14).map(|_| marks[random.usize(..marks.len())]).collect();
            let _ = fault(&text);
        }
    }
}
