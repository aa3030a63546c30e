//! Splits a line into words as a shell does, also one that is being typed.

use crate::domain::filter::List;

/// A line up to the cursor.
#[derive(Debug, Default)]
pub struct Words {
    /// Without quotes; the last one may be empty.
    pub words: Vec<String>,
    /// Where the last one begins, in bytes.
    pub last: usize,
    /// The quote that is open at the end.
    pub quote: Option<char>,
    /// Whether a backslash is the last character.
    pub is_escaped: bool,
}

impl Words {
    pub fn of_shell(line: &str) -> Self {
        Self::read(line, |_| false)
    }

    /// Reads a line of plain mode or of the palette. The value of a field of a query keeps its quotes: `tag:"in door"`.
    pub fn in_session(line: &str) -> Self {
        let is_field = |before: &str| {
            let field = before.strip_suffix(':').and_then(|before| before.rsplit(|c: char| !c.is_alphabetic()).next());
            let known = || [List::Plants, List::Requests].into_iter().flat_map(|list| list.words_of(None));
            field.is_some_and(|field| known().any(|known| known.strip_suffix(':') == Some(field)))
        };
        Self::read(line, is_field)
    }

    /// Takes what follows the first word as one text: a name, or a path as a terminal writes it when a file is dropped.
    /// `has_options`: whether words of the line can be options or quoted, so that they differ from a text.
    #[must_use]
    pub fn with_one_text(self, line: &str, has_options: bool) -> Self {
        let Some((first, rest)) = line.split_once(' ') else { return self };
        let rest = rest.trim_start();
        let is_option = |word: &str| word.len() > 1 && word.starts_with('-');
        let is_text = || {
            let count = self.words.iter().filter(|word| !word.is_empty()).count();
            let is_plain = !rest.starts_with(['"', '\'']) && !rest.split_whitespace().any(is_option);
            is_plain && (self.is_open() || count > 2)
        };
        if has_options && !is_text() {
            return self;
        }
        Self { words: vec![first.to_owned(), rest.to_owned()], last: line.len() - rest.len(), ..Self::default() }
    }

    /// Whether a quote or an escape has no end.
    pub fn is_open(&self) -> bool {
        self.quote.is_some() || self.is_escaped
    }

    /// `keeps_quotes`: whether a double quote behind this beginning of a word stays in the word, with the one that ends it.
    fn read(line: &str, keeps_quotes: impl Fn(&str) -> bool) -> Self {
        let mut read = Self { words: vec![String::new()], ..Self::default() };
        let (mut is_in_word, mut is_kept) = (false, false);
        for (at, c) in line.char_indices() {
            let word = read.words.len() - 1;
            if !is_in_word && read.quote.is_none() && !c.is_ascii_whitespace() {
                (is_in_word, read.last) = (true, at);
            }
            match (read.quote, c) {
                _ if read.is_escaped => {
                    // Between double quotes, a backslash before most characters stays.
                    if read.quote.is_some() && !matches!(c, '"' | '\\' | '$' | '`') {
                        read.words[word].push('\\');
                    }
                    read.words[word].push(c);
                    read.is_escaped = false;
                }
                (None | Some('"'), '\\') if !is_kept => read.is_escaped = true,
                (None, '"') if keeps_quotes(&read.words[word]) => {
                    (read.quote, is_kept) = (Some(c), true);
                    read.words[word].push(c);
                }
                (None, '\'' | '"') => read.quote = Some(c),
                (Some(quote), _) if quote == c => {
                    if is_kept {
                        read.words[word].push(c);
                    }
                    (read.quote, is_kept) = (None, false);
                }
                (None, _) if c.is_ascii_whitespace() => {
                    if is_in_word {
                        read.words.push(String::new());
                    }
                    (is_in_word, read.last) = (false, at + 1);
                }
                _ => read.words[word].push(c),
            }
        }
        read
    }
}
