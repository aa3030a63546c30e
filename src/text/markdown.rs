//! Escapes foreign text for Markdown, so that neither a Markdown reader nor a terminal interprets it.
//!
//! GitHub neither links an address there nor notifies a person or an issue; a reader that finds links in the rendered text
//! may, and such a link shows its true target.

use super::clean::clean;

/// Returns a two-column table without headings, below an empty line.
pub(crate) fn table<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let rows = rows.into_iter().map(|(what, value)| format!("| {what} | {} |\n", inline(&value)));
    format!("\n| | |\n| --- | --- |\n{}", rows.collect::<String>())
}

/// A word joiner, which does not show: what is behind it is neither a person, an issue nor the host of a mail address.
const JOINER: &str = "&#8288;";

/// Escapes a text for one line: no reader takes any of it for Markdown, HTML or the end of a table cell.
pub(crate) fn inline(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' | '#' => escaped.extend(["\\", c.encode_utf8(&mut [0; 4]), JOINER]),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '!' | '^' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped.replace("://", r":\//").replace("www.", r"www\.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_with_a_meaning_is_escaped() {
        assert_eq!(inline("Fern 7, (big)"), "Fern 7, (big)");
        assert_eq!(inline("&lt; <b>&amp;</b>"), "&amp;lt; &lt;b&gt;&amp;amp;&lt;/b&gt;");
        for c in r"\`*_[]|~$!^".chars() {
            assert_eq!(inline(&format!("a{c}b")), format!(r"a\{c}b"));
        }
        assert_eq!(inline("@ann #7"), r"\@&#8288;ann \#&#8288;7");
        assert_eq!(inline("http://h www.h"), r"http:\//h www\.h");
        assert_eq!(inline("a\n\u{1b}"), "a␊␛");
    }
}
