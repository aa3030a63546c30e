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
    /// Verbs that take one text take the rest of the line for it: a path as a terminal writes it when a file is dropped,
    /// or a name.
    pub fn in_session(line: &str) -> Self {
        let is_field = |before: &str| {
            let field = before.strip_suffix(':').and_then(|before| before.rsplit(|c: char| !c.is_alphabetic()).next());
            let known = || [List::Plants, List::Requests].into_iter().flat_map(|list| list.words_of(None));
            field.is_some_and(|field| known().any(|known| known.strip_suffix(':') == Some(field)))
        };
        let read = Self::read(line, is_field);
        let Some((before, rest)) = line.split_once(' ') else { return read };
        let rest = rest.trim_start();
        let has_option = || rest.split_whitespace().any(|word| word.len() > 1 && word.starts_with('-'));
        let is_one = match before {
            "filter" | "weather" => true,
            "import" | "add" => {
                let count = read.words.iter().filter(|word| !word.is_empty()).count();
                (read.is_open() || count > 2) && !rest.starts_with(['"', '\'']) && !has_option()
            }
            _ => false,
        };
        if !is_one {
            return read;
        }
        let words = vec![before.to_owned(), rest.to_owned()];
        Self { words, last: line.len() - rest.len(), ..Self::default() }
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
