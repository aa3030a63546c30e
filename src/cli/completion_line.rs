//! The line that a shell completes, and the text to insert into it: quoted, so that no shell interprets a value.

use crate::verbs::Words;

/// Returns the text that takes the place of `replaced`, the end of a line of bash, so that the last word becomes this
/// value; `None` if that cannot be. Bash splits words at colons and equals signs, too, and inserts what it is given.
pub(super) fn completed(line: &Words, replaced: &str, value: &str) -> Option<String> {
    let rest = value.strip_prefix(line.words.last()?.as_str())?;
    let typed = if line.is_escaped { replaced.strip_suffix('\\').unwrap_or(replaced) } else { replaced };
    let mut text = typed.to_owned();
    for c in rest.chars() {
        match (line.quote, c) {
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

/// Removes the quotes of a word that is being typed.
pub(super) fn unquoted(word: &str) -> String {
    // Its spaces are in quotes.
    Words::of_shell(word).words.join(" ")
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
            assert_eq!(completed(&Words::of_shell(line), replaced, value).as_deref(), Some(text), "{line} {value}");
        }
        assert_eq!(Words::of_shell("plants  'a b' c\\ d ").words, ["plants", "a b", "c d", ""]);
        assert_eq!(completed(&Words::of_shell("plants x"), "x", "y"), None);
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
            let text = completed(&Words::of_shell(&line), &format!("{quote}{start}"), &value).unwrap();
            let read = Words::of_shell(&format!("plants {text}{quote}"));
            prop_assert_eq!(&read.words[1..], &[value][..]);
            prop_assert!(read.quote.is_none() && !read.is_escaped);
        }
    }
}
