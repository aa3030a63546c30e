//! The line that a shell completes, and the text to insert into it: quoted, so that no shell interprets a value.

/// A line of bash, up to the cursor. Bash splits words at colons and equals signs, too, and inserts what it is given.
pub(super) struct BashLine {
    /// Without quotes; the last one may be empty.
    pub(super) words: Vec<String>,
    /// The quote that is open at the end.
    quote: Option<char>,
    /// Whether a backslash is the last character.
    is_escaped: bool,
}

impl BashLine {
    pub(super) fn of(line: &str) -> Self {
        let mut read = Self { words: vec![String::new()], quote: None, is_escaped: false };
        let mut is_in_word = false;
        for c in line.chars() {
            let word = read.words.len() - 1;
            match (read.quote, c) {
                _ if read.is_escaped => {
                    // Between double quotes, a backslash before most characters stays.
                    if read.quote.is_some() && !matches!(c, '"' | '\\' | '$' | '`') {
                        read.words[word].push('\\');
                    }
                    read.words[word].push(c);
                    read.is_escaped = false;
                }
                (None | Some('"'), '\\') => (read.is_escaped, is_in_word) = (true, true),
                (None, '\'' | '"') => (read.quote, is_in_word) = (Some(c), true),
                (Some(quote), _) if quote == c => read.quote = None,
                (None, _) if c.is_ascii_whitespace() => {
                    if is_in_word {
                        read.words.push(String::new());
                    }
                    is_in_word = false;
                }
                _ => {
                    read.words[word].push(c);
                    is_in_word = true;
                }
            }
        }
        read
    }

    /// Returns the text that takes the place of `replaced`, the end of the line, so that the last word becomes this
    /// value; `None` if that cannot be.
    pub(super) fn completed(&self, replaced: &str, value: &str) -> Option<String> {
        let rest = value.strip_prefix(self.words.last()?.as_str())?;
        let typed = if self.is_escaped { replaced.strip_suffix('\\').unwrap_or(replaced) } else { replaced };
        let mut text = typed.to_owned();
        for c in rest.chars() {
            match (self.quote, c) {
                (None, _) if is_plain(c) => text.push(c),
                (Some('\''), '\'') => text.push_str("'\\''"),
                (None, _) | (Some('"'), '"' | '\\' | '$' | '`') => text.extend(['\\', c]),
                // Bash would look for it in its history.
                (Some('"'), '!') => text.push_str("\"'!'\""),
                (Some(_), _) => text.push(c),
            }
        }
        Some(text)
    }
}

/// Removes the quotes of a word that is being typed.
pub(super) fn unquoted(word: &str) -> String {
    // Its spaces are in quotes.
    BashLine::of(word).words.join(" ")
}

/// Quotes a value for PowerShell, unless it is plain.
pub(super) fn quoted_for_powershell(value: &str) -> String {
    if value.chars().all(|c| is_plain(c) && !matches!(c, ',' | '@' | '%' | '+') || c == '\\') {
        return value.to_owned();
    }
    // PowerShell takes typographic quotes for straight ones.
    let is_quote = |c: &char| matches!(c, '\'' | '\u{2018}'..='\u{201b}');
    let doubled = value.chars().flat_map(|c| std::iter::repeat_n(c, if is_quote(&c) { 2 } else { 1 }));
    format!("'{}'", doubled.collect::<String>())
}

/// Whether no shell interprets a character, wherever in a word it is.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | ',' | '=' | '+' | '@' | '%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_goes_on_in_the_quotes_that_are_open() {
        for (line, replaced, value, text) in [
            ("plants list tag:de", "de", "tag:desert", "desert"),
            ("plants list tag:de", "de", "tag:de $x", "de\\ \\$x"),
            ("plants list 'tag:de", "tag:de", "tag:de it's", "tag:de it'\\''s"),
            ("plants list \"tag:de", "tag:de", "tag:de \"$!", "tag:de \\\"\\$\"'!'\""),
            ("plants list tag:de\\ r", "de\\ r", "tag:de rose", "de\\ rose"),
            ("plants list tag:de\\", "de\\", "tag:de rose", "de\\ rose"),
            ("plants --log ~/a", "~/a", "~/a b", "~/a\\ b"),
        ] {
            assert_eq!(BashLine::of(line).completed(replaced, value).as_deref(), Some(text), "{line} {value}");
        }
        assert_eq!(BashLine::of("plants  'a b' c\\ d ").words, ["plants", "a b", "c d", ""]);
        assert_eq!(BashLine::of("plants x").completed("x", "y"), None);
    }

    #[test]
    fn no_quote_of_a_value_ends_a_text_of_powershell() {
        assert_eq!(quoted_for_powershell("tag:desert"), "tag:desert");
        assert_eq!(quoted_for_powershell("it's\u{2019} $(x)"), "'it''s\u{2019}\u{2019} $(x)'");
        assert_eq!(quoted_for_powershell("a,b"), "'a,b'");
    }

    proptest! {
        #[test]
        fn bash_reads_a_completed_word_as_the_value(value in "[ -~é]{1,20}", typed in 0_usize..20, quote in "['\"]?") {
            // What is typed in quotes is plain.
            let start: String = value.chars().take(typed).take_while(|c| is_plain(*c)).collect();
            let line = format!("plants {quote}{start}");
            let text = BashLine::of(&line).completed(&format!("{quote}{start}"), &value).unwrap();
            let read = BashLine::of(&format!("plants {text}{quote}"));
            prop_assert_eq!(&read.words[1..], &[value][..]);
            prop_assert!(read.quote.is_none() && !read.is_escaped);
        }
    }
}
