//! Splits a JSON text into lines: its own, or one for each member or element.
//!
//! The latter changes only the white space between tokens, so it works on tokens and parses no values: `1.0`, `1e400`,
//! escapes, the order of members and repeated names stay as received.

use serde::de::IgnoredAny;

use super::clean::clean;

/// The deepest nesting of arrays and objects that is formatted.
const MAX_DEPTH: usize = 128;

/// Columns of indentation for each array or object.
const INDENT: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Brackets, commas and colons, and white space.
    Punctuation,
    /// The name of a member, with its quotes.
    Key,
    /// A string value, with its quotes.
    Text,
    /// A number, spelled as received.
    Number,
    /// `true`, `false` or `null`.
    Word,
}

/// A part of one line, safe to print on a terminal.
pub type Piece = (Kind, String);

/// Formats a JSON text (RFC 8259: one value in UTF-8); every line has at least one piece. Returns `None` for
/// bytes that are not JSON, and for JSON nested more than 128 levels deep. Takes linear time.
pub fn lines(bytes: &[u8]) -> Option<Vec<Vec<Piece>>> {
    let mut tokens = Tokens { rest: text_of(bytes)? }.peekable();
    let (mut text, mut depth) = (String::with_capacity(bytes.len()), 0_usize);
    while let Some(token) = tokens.next() {
        text.push_str(token);
        let is_followed_by_closing = tokens.peek().is_some_and(|next| matches!(*next, "}" | "]"));
        let ends_line = match token {
            "{" | "[" if depth == MAX_DEPTH => return None,
            "{" | "[" => {
                depth += 1;
                // An empty array or object stays on its line.
                !is_followed_by_closing
            }
            "," => true,
            ":" => {
                text.push(' ');
                false
            }
            _ => is_followed_by_closing,
        };
        depth -= usize::from(is_followed_by_closing);
        if ends_line {
            text.extend(["\n", &" ".repeat(INDENT * depth)]);
        }
    }
    split(&text)
}

/// Splits a JSON text into its own lines, with the white space that it has. Returns `None` for bytes that are not JSON.
pub fn own_lines(bytes: &[u8]) -> Option<Vec<Vec<Piece>>> {
    split(text_of(bytes)?)
}

/// Splits a text that is JSON.
fn split(text: &str) -> Option<Vec<Vec<Piece>>> {
    let mut tokens = Tokens { rest: text }.peekable();
    let (mut lines, mut line, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some(token) = tokens.next() {
        let (space, after) = rest.split_at_checked(rest.len() - rest.trim_ascii_start().len())?;
        for (at, part) in space.split('\n').enumerate() {
            if at > 0 {
                lines.push(std::mem::take(&mut line));
            }
            push(&mut line, Kind::Punctuation, &clean(part));
        }
        push(&mut line, kind(token, tokens.peek()), &clean(token));
        rest = after.strip_prefix(token)?;
    }
    push(&mut line, Kind::Punctuation, &clean(rest.trim_ascii_end()));
    lines.push(line);
    Some(lines)
}

/// Whether bytes are JSON, which is UTF-8 (RFC 8259, section 8.1).
pub fn is_json(bytes: &[u8]) -> bool {
    text_of(bytes).is_some()
}

/// Returns the text of bytes that are JSON.
fn text_of(bytes: &[u8]) -> Option<&str> {
    // serde_json does not check UTF-8 in values that it ignores.
    let text = str::from_utf8(bytes).ok()?;
    serde_json::from_str::<IgnoredAny>(text).ok().map(|_| text)
}

/// Returns what a token is, by the one behind it.
fn kind(token: &str, next: Option<&&str>) -> Kind {
    match token {
        "{" | "[" | "}" | "]" | "," | ":" => Kind::Punctuation,
        "true" | "false" | "null" => Kind::Word,
        string if string.starts_with('"') && next == Some(&":") => Kind::Key,
        string if string.starts_with('"') => Kind::Text,
        _ => Kind::Number,
    }
}

/// Appends a piece, merged with the last one if both have the same kind; an empty text adds nothing.
fn push(line: &mut Vec<Piece>, kind: Kind, text: &str) {
    match line.last_mut() {
        Some((last, before)) if *last == kind => before.push_str(text),
        Some(_) | None if text.is_empty() => {}
        Some(_) | None => line.push((kind, text.to_owned())),
    }
}

/// Iterates over the tokens of a valid JSON text.
struct Tokens<'text> {
    rest: &'text str,
}

impl<'text> Iterator for Tokens<'text> {
    type Item = &'text str;

    fn next(&mut self) -> Option<&'text str> {
        let rest = self.rest.trim_ascii_start();
        let length = match rest.bytes().next()? {
            b'"' => string_length(rest),
            b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
            _ => rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '}' | ']')).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        Some(token)
    }
}

/// Counts the bytes from the opening to the closing quote, both included.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let closes = |byte: u8| {
        let closes = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        closes
    };
    text.bytes().skip(1).position(closes).map_or(text.len(), |inside| inside + 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(bytes: &[u8]) -> Option<String> {
        let lines = lines(bytes)?;
        let line = |pieces: &Vec<Piece>| pieces.iter().map(|(_, text)| text.as_str()).collect::<String>();
        Some(lines.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    /// Removes the white space between tokens, by an algorithm other than the one under test.
    fn squeezed(json: &str) -> String {
        let (mut inside, mut is_escaped) = (false, false);
        json.chars()
            .filter(|c| {
                let kept = inside || !c.is_ascii_whitespace();
                if *c == '"' && !is_escaped {
                    inside = !inside;
                }
                is_escaped = inside && *c == '\\' && !is_escaped;
                kept
            })
            .collect()
    }

    #[test]
    fn a_body_is_formatted_with_one_value_per_line() {
        let body = br#" {"name":"Mon\"stera\\","id" : 9223372036854775808,"sizes":[1.0,-1e400, [ ]],"of":{"a":null,"a":{}},"on":true} "#;
        let expected = r#"{
  "name": "Mon\"stera\\",
  "id": 9223372036854775808,
  "sizes": [
    1.0,
    -1e400,
    []
  ],
  "of": {
    "a": null,
    "a": {}
  },
  "on": true
}"#;
        assert_eq!(shown(body).as_deref(), Some(expected));
    }

    #[test]
    fn pieces_have_the_kind_of_their_token() {
        let piece = |kind, text: &str| (kind, text.to_owned());
        let lines = lines(br#"{"a":"b","c":[1,null]}"#).unwrap();
        let comma = || piece(Kind::Punctuation, ",");
        let expected = [
            vec![piece(Kind::Punctuation, "{")],
            vec![
                piece(Kind::Punctuation, "  "),
                piece(Kind::Key, "\"a\""),
                piece(Kind::Punctuation, ": "),
                piece(Kind::Text, "\"b\""),
                comma(),
            ],
            vec![piece(Kind::Punctuation, "  "), piece(Kind::Key, "\"c\""), piece(Kind::Punctuation, ": [")],
            vec![piece(Kind::Punctuation, "    "), piece(Kind::Number, "1"), comma()],
            vec![piece(Kind::Punctuation, "    "), piece(Kind::Word, "null")],
            vec![piece(Kind::Punctuation, "  ]")],
            vec![piece(Kind::Punctuation, "}")],
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_single_value_is_valid_json() {
        for value in ["0", "-0.0E-9", "\"\"", "\"\\ud800\"", "true", "null", "{}", "[]"] {
            assert_eq!(shown(format!("\r\n\t {value} ").as_bytes()).as_deref(), Some(value));
        }
        assert_eq!(shown(b"{ }").as_deref(), Some("{}"));
    }

    #[test]
    fn text_that_is_not_json_is_rejected() {
        let texts = [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{1:2}",
            "01",
            "+1",
            "1.",
            ".5",
            "NaN",
            "True",
            "'a'",
            "[1] [2]",
            "{} x",
            "\"a",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\u{feff}{}",
            "\u{a0}{}",
            "[1,// no\n2]",
            "<html>",
        ];
        for text in texts {
            assert_eq!(lines(text.as_bytes()), None, "{text}");
        }
        for bytes in [&b"\xff"[..], b"\"\xff\"", b"\"\xed\xa0\x80\"", b"{\"\xc3\":1}", b"[1]\x00"] {
            assert_eq!(lines(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn control_characters_become_visible() {
        let body = "{\"\u{7f}\u{9b}31m\": \"\u{202e}\\u001b[2J\"}";
        assert_eq!(shown(body.as_bytes()).unwrap(), "{\n  \"␡‹U+009B›31m\": \"‹U+202E›\\u001b[2J\"\n}");
    }

    #[test]
    fn json_nested_too_deeply_is_rejected() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(lines(nested(MAX_DEPTH).as_bytes()).map(|lines| lines.len()), Some(2 * MAX_DEPTH + 1));
        assert_eq!(lines(nested(MAX_DEPTH + 1).as_bytes()), None);
        assert_eq!(lines(nested(MAX_DEPTH).replace('1', "{}").as_bytes()), None);
        assert_eq!(lines(nested(500_000).as_bytes()), None);
        let beside = format!("[{}1]", format!("{},", nested(MAX_DEPTH - 1)).repeat(9));
        assert!(lines(beside.as_bytes()).is_some());
    }

    fn white() -> impl Strategy<Value = &'static str> {
        prop_oneof![4 => Just(""), 1 => Just(" "), 1 => Just("\r\n\t")]
    }

    /// A quoted string of characters and escapes.
    fn string() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[ a-z,:{}\\[\\]漢é👍\u{301}\u{200d}]{0,4}",
            prop_oneof![r#"\\["\\/bfnrt]"#, "\\\\u[0-9a-fA-F]{4}"].prop_map(|escape| escape),
            "[\u{7f}-\u{9f}\u{202a}-\u{202e}]",
        ];
        prop::collection::vec(part, 0..5).prop_map(|parts| format!("\"{}\"", parts.concat()))
    }

    fn json() -> impl Strategy<Value = String> {
        let number = "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?";
        let word = prop_oneof![Just("true"), Just("false"), Just("null")].prop_map(str::to_owned);
        let leaf = prop_oneof![number, word, string()];
        let spaced = (white(), leaf, white()).prop_map(|(before, leaf, after)| format!("{before}{leaf}{after}"));
        spaced.prop_recursive(6, 40, 5, |inner| {
            let member = (white(), string(), white(), inner.clone())
                .prop_map(|(before, name, after, value)| format!("{before}{name}{after}:{value}"));
            prop_oneof![
                (prop::collection::vec(inner, 0..5), white())
                    .prop_map(|(all, end)| format!("[{}{end}]", all.join(","))),
                (white(), prop::collection::vec(member, 0..5), white())
                    .prop_map(|(start, all, end)| format!("{start}{{{}}}{end}", all.join(","))),
            ]
        })
    }

    proptest! {
        #[test]
        fn only_white_space_between_tokens_changes(json in json()) {
            let shown = shown(json.as_bytes());
            let expected = clean(&squeezed(&json));
            prop_assert_eq!(shown.as_deref().map(squeezed), Some(expected));
            for line in shown.unwrap_or_default().lines() {
                prop_assert_eq!(clean(line), line);
            }
        }

        #[test]
        fn lines_are_indented_by_their_depth(json in json()) {
            let mut depth = 0_usize;
            for line in lines(json.as_bytes()).unwrap() {
                prop_assert!(line.iter().all(|(_, text)| !text.is_empty()));
                let text: String = line.iter().map(|(_, text)| text.as_str()).collect();
                let first = line.first().map(|(_, text)| text.trim_start());
                depth -= usize::from(first.is_some_and(|first| first.starts_with(['}', ']'])));
                prop_assert_eq!(text.len() - text.trim_start_matches(' ').len(), 2 * depth);
                let last = line.last().filter(|(kind, _)| *kind == Kind::Punctuation);
                depth += usize::from(last.is_some_and(|(_, text)| text.ends_with(['{', '['])));
            }
            prop_assert_eq!(depth, 0);
        }

        #[test]
        fn bytes_are_formatted_exactly_if_they_are_json(
            bytes in prop_oneof![any::<Vec<u8>>(), "[\\[\\]{}\",:\\\\0-9eatruefalsn \n-]{0,40}".prop_map(String::into_bytes)],
        ) {
            let is_json = str::from_utf8(&bytes).is_ok() && serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
            prop_assert_eq!(lines(&bytes).is_some(), is_json);
        }
    }
}
