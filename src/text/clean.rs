//! Makes foreign text safe to print: [`clean`] and its variants.
//!
//! Every byte from outside (responses, files, names, pasted text) passes [`clean`] before it reaches a
//! terminal, a log or stderr. Sending and storing use the raw value. Must not know where a text is shown.

use std::borrow::{Borrow, Cow};
use std::fmt::Write as _;
use std::path::Path;

use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};
use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// The most code points of one grapheme that are shown; the rest is counted.
///
/// The longest emoji sequences in use have ten.
const GRAPHEME_CODE_POINTS: usize = 16;

const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// The selectors of the two presentations of a character: as text, as emoji.
const SELECTORS: [char; 2] = ['\u{fe0e}', AS_EMOJI];
const AS_EMOJI: char = '\u{fe0f}';

/// The first and the last of the skin tones.
const LIGHT_SKIN: char = '\u{1f3fb}';
const DARK_SKIN: char = '\u{1f3ff}';

/// Whether a terminal interprets `c`, or no reader can see `c`: control characters (Cc), format characters
/// (Cf), default-ignorable and blank characters. Some format characters are drawn, but terminals do not agree
/// on their width.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{0600}'..='\u{0605}' | '\u{061c}' | '\u{06dd}' | '\u{070f}'
            | '\u{0890}'..='\u{0891}' | '\u{08e2}' | '\u{110bd}' | '\u{110cd}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether Unicode defines a text and an emoji presentation of `c`: then a selector changes its width, except
/// for the few characters that are wide in both.
fn has_presentations(c: char) -> bool {
    let plain = c.width();
    matches!(c, '〰' | '〽' | '㊗' | '㊙' | '\u{1f202}' | '\u{1f21a}' | '\u{1f22f}' | '\u{1f237}')
        || SELECTORS.iter().any(|selector| Some(String::from_iter([c, *selector]).width()) != plain)
}

/// Whether `c` may be next to a joiner.
fn is_pictographic(c: char) -> bool {
    c >= '\u{2190}' && (matches!(c, '\u{1f000}'..='\u{1faff}') || has_presentations(c))
}

/// Whether the character at `at` is a valid part of an emoji: a joiner between two pictographs, a skin tone
/// after one, or a presentation selector after a character with presentations.
fn belongs_to_emoji(grapheme: &[char], at: usize) -> bool {
    let next = grapheme.get(at + 1);
    let before = grapheme.get(..at).unwrap_or_default();
    match (grapheme.get(at), before) {
        (Some(&ZERO_WIDTH_JOINER), [before @ .., AS_EMOJI | LIGHT_SKIN..=DARK_SKIN] | before) => {
            before.last().is_some_and(|c| is_pictographic(*c)) && next.is_some_and(|c| is_pictographic(*c))
        }
        // After other characters, terminals do not agree on the width of a skin tone.
        (Some(&(LIGHT_SKIN..=DARK_SKIN)), before) => before.last().is_some_and(|c| is_pictographic(*c)),
        // A digit takes a selector only in a keycap.
        (Some(selector), ['0'..='9' | '#' | '*']) if SELECTORS.contains(selector) => next == Some(&'\u{20e3}'),
        (Some(selector), [.., base]) if SELECTORS.contains(selector) => {
            !base.is_ascii() && !is_hidden(*base) && has_presentations(*base)
        }
        (_, _) => false,
    }
}

/// Whether a grapheme is a single character of printable ASCII, a line of a box or a block, which [`clean`] leaves as it
/// is. Most graphemes of a frame are.
pub fn is_ordinary(grapheme: &str) -> bool {
    let mut chars = grapheme.chars();
    matches!(chars.next(), Some(' '..='~' | '\u{2500}'..='\u{259f}')) && chars.next().is_none()
}

/// Returns words as the beginning of a sentence.
pub fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Whether a text is printable ASCII, which [`clean`] leaves as it is, with one column for each byte.
pub(crate) fn is_printable_ascii(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Makes foreign text safe to print: control characters become pictures (`␛`), other characters that hide or
/// reorder text become their code point (`‹U+202E›`), and each grapheme has a limited length and at least one
/// column, so that a limit on columns limits the text.
pub fn clean(raw: &str) -> String {
    if is_printable_ascii(raw.as_bytes()) {
        return raw.to_owned();
    }
    let mut shown = String::with_capacity(raw.len());
    for grapheme in raw.graphemes(true) {
        clean_grapheme(grapheme, &mut shown);
    }
    shown
}

/// Returns what a terminal without Unicode shows in the place of a clean grapheme that is not ASCII: a letter without its
/// accents where it is one of ASCII.
pub fn ascii_symbol(grapheme: &str) -> char {
    match grapheme {
        "…" => '~',
        "·" | "–" | "—" => '-',
        "‘" | "’" => '\'',
        "“" | "”" | "„" | "«" | "»" => '"',
        "\u{a0}" | "¿" | "¡" => ' ',
        "ß" => 's',
        // Not `?`, which marks unknown plants.
        _ => grapheme.chars().next().map(without_accents).filter(char::is_ascii_alphanumeric).unwrap_or('_'),
    }
}

/// Returns the letter that the canonical decomposition of a character begins with (UAX #15).
fn without_accents(letter: char) -> char {
    match CanonicalDecompositionBorrowed::new().decompose(letter) {
        Decomposed::Expansion(base, _) | Decomposed::Singleton(base) => without_accents(base),
        Decomposed::Default => letter,
    }
}

/// Replaces what is not ASCII in a clean text, column by column.
pub fn in_ascii(text: &str) -> String {
    let shown = |grapheme: &str| {
        if grapheme.is_ascii() {
            return grapheme.to_owned();
        }
        format!("{:<width$}", ascii_symbol(grapheme), width = grapheme.width())
    };
    text.graphemes(true).map(shown).collect()
}

/// The characters that a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    #[default]
    Unicode,
    Ascii,
}

impl Marks {
    /// Returns a text that is shown as it was sent, not yet cleaned: in ASCII every other character is escaped as in JSON,
    /// `\u00f1`, but white space.
    pub fn exact(self, raw: &str) -> Cow<'_, str> {
        let is_shown = |c: char| c.is_ascii() && (!c.is_control() || c.is_whitespace());
        if self == Self::Unicode || raw.chars().all(is_shown) {
            raw.into()
        } else {
            escaped(raw, |c| !is_shown(c)).into()
        }
    }

    /// Returns bytes that are shown as they were sent likewise; those that are not UTF-8 stay.
    pub fn exact_bytes(self, raw: &[u8]) -> Cow<'_, [u8]> {
        if self == Self::Unicode {
            return raw.into();
        }
        raw.utf8_chunks().flat_map(|chunk| [self.exact(chunk.valid()).as_bytes(), chunk.invalid()].concat()).collect()
    }
}

/// Cleans bytes; those that are not UTF-8 become `\xNN`.
pub fn clean_bytes(raw: &[u8]) -> String {
    decode_with(raw, clean)
}

/// Decodes bytes without cleaning them; those that are not UTF-8 become `\xNN`.
pub fn decoded(raw: &[u8]) -> String {
    decode_with(raw, str::to_owned)
}

fn decode_with(raw: &[u8], convert: fn(&str) -> String) -> String {
    let mut written = String::new();
    for chunk in raw.utf8_chunks() {
        written.push_str(&convert(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(written, "\\x{byte:02x}");
        }
    }
    written
}

/// Cleans a path for one line.
pub fn shown_path(path: &Path) -> String {
    clean_bytes(path.as_os_str().as_encoded_bytes())
}

/// Cleans bytes as [`clean_bytes`] does, but keeps line feeds.
pub fn clean_lines(raw: &[u8]) -> String {
    let lines: Vec<_> = raw.split(|byte| *byte == b'\n').map(clean_bytes).collect();
    lines.join("\n")
}

/// Lists words as `a, b or c`.
pub fn alternatives<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words, "or")
}

/// Lists words as `a, b and c`.
pub fn listed(words: impl IntoIterator<Item = impl Borrow<str>>) -> String {
    joined(words, "and")
}

fn joined(words: impl IntoIterator<Item = impl Borrow<str>>, and: &str) -> String {
    let words: Vec<_> = words.into_iter().collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {}", rest.join(", "), last.borrow()),
        _ => words.concat(),
    }
}

/// Whether [`clean`] would change `raw`.
pub fn has_hidden_characters(raw: &str) -> bool {
    !is_printable_ascii(raw.as_bytes()) && clean(raw) != raw
}

/// Serializes to JSON that is safe to print: characters that hide or reorder text are escaped, which JSON
/// allows inside strings, the only place where they occur.
///
/// # Errors
///
/// If the value cannot be serialized.
pub fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    // Most values are printable ASCII, which is found at once.
    if is_printable_ascii(text.as_bytes()) {
        return Ok(text);
    }
    Ok(escaped(&text, is_escaped))
}

/// Escapes characters as in a string of JSON, by their code units in UTF-16.
fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Appends a value as [`json_text`] does.
///
/// # Errors
///
/// If the value cannot be serialized.
pub fn push_json(out: &mut Vec<u8>, value: &impl Serialize) -> serde_json::Result<()> {
    out.extend(json_text(value)?.into_bytes());
    Ok(())
}

pub(super) fn clean_grapheme(grapheme: &str, shown: &mut String) {
    if is_ordinary(grapheme) {
        shown.push_str(grapheme);
        return;
    }
    let kept: Vec<char> = grapheme.chars().take(GRAPHEME_CODE_POINTS).collect();
    let taken = kept.len();
    let (lone, kept) = kept.split_at(lone_prefix(&kept));
    for &c in lone {
        mark(c, shown);
    }
    let begins = shown.len();
    let mut is_divided = false;
    for (at, &c) in kept.iter().enumerate() {
        let is_shown = !is_hidden(c) && !matches!(c, LIGHT_SKIN..=DARK_SKIN);
        if is_shown || belongs_to_emoji(kept, at) {
            shown.push(c);
        } else {
            mark(c, shown);
            is_divided = true;
        }
    }
    // An accent or vowel sign without a letter would be drawn on the character before the text.
    let stands_alone = kept.first().is_some_and(|c| !leans(*c)) && shown.split_at(begins).1.width() > 0;
    if !stands_alone || kept.first().is_some_and(|c| is_space(*c)) {
        shown.truncate(begins);
        for &c in kept {
            if is_space(c) { shown.push(c) } else { mark(c, shown) }
        }
    } else if is_divided {
        // Between marks, the rest may have no width, or be no emoji any more, so it is cleaned again.
        let pieces = shown.split_off(begins);
        shown.push_str(&clean(&pieces));
    }
    let dropped = grapheme.chars().count() - taken;
    if dropped > 0 {
        let _ = write!(shown, "‹+{dropped}›");
    }
}

/// Whether `c` is a space, or a no-break space, which a wrapped line shows as one.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}')
}

/// Counts the characters at the start of a grapheme that must precede a letter of their script, such as the
/// repha of some Indic scripts, but do not. Their width would depend on the text that follows on the line.
fn lone_prefix(grapheme: &[char]) -> usize {
    let length = grapheme.iter().take_while(|c| leans_forward(**c)).count();
    let has_letter = grapheme.get(length).is_some_and(|c| !c.is_ascii() && c.is_alphanumeric());
    if has_letter { 0 } else { length }
}

/// Whether `c` joins the grapheme of any letter before it.
fn leans(c: char) -> bool {
    !c.is_ascii() && is_one_grapheme('a', c)
}

/// Whether `c` joins the grapheme of any letter after it (`Grapheme_Cluster_Break=Prepend`).
fn leans_forward(c: char) -> bool {
    !c.is_ascii() && is_one_grapheme(c, 'a')
}

/// Allocates nothing, since a frame contains thousands of such pairs.
fn is_one_grapheme(first: char, second: char) -> bool {
    let mut pair = [0; 8];
    let middle = first.encode_utf8(&mut pair).len();
    let end = middle + second.encode_utf8(pair.split_at_mut(middle).1).len();
    str::from_utf8(pair.split_at(end).0).is_ok_and(|pair| pair.graphemes(true).nth(1).is_none())
}

/// Appends a visible replacement for `c`.
fn mark(c: char, shown: &mut String) {
    match u32::from(c) {
        code @ 0..=0x1f => shown.extend(char::from_u32(0x2400 + code)),
        0x7f => shown.push('\u{2421}'),
        code => {
            let _ = write!(shown, "‹U+{code:04X}›");
        }
    }
}

/// Whether JSON escapes `c`: all hidden characters except the parts of emoji.
fn is_escaped(c: char) -> bool {
    is_hidden(c) && c != ZERO_WIDTH_JOINER && !SELECTORS.contains(&c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fit::clean_fit;
    use super::*;

    #[test]
    fn plain_text_of_any_script_is_unchanged() {
        for plain in [
            "Monstera",
            "é",
            "e\u{301}",
            "漢字",
            "שלום",
            "👨‍👩‍👧",
            "❤️",
            "👍🏽",
            "🏳️‍🌈",
            "🕵🏽‍♂️",
            "❤️‍🔥",
            "1️⃣",
            "©\u{fe0e}",
            "〰\u{fe0f}",
            "🈚\u{fe0f}",
            "㊗\u{fe0f}",
            "☝🏽",
            "한국",
            "สวัสดี",
            "हिन्दी",
        ] {
            assert_eq!(clean(plain), plain);
        }
    }

    #[test]
    fn words_are_listed_as_in_a_sentence() {
        let listed = |words: &[&'static str]| alternatives(words.iter().copied());
        assert_eq!([listed(&[]), listed(&["a"]), listed(&["a", "b", "c"])], ["", "a", "a, b or c"]);
    }

    #[test]
    fn text_in_ascii_keeps_its_columns() {
        assert_eq!(in_ascii("Café 漢字 e\u{301}… Ṩ a–b"), "Cafe _ _  e~ S a-b");
        assert_eq!(in_ascii("¿Weiß\u{a0}„das“ «uno»?"), " Weis \"das\" \"uno\"?");
    }

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(clean("\u{1b}[2J"), "␛[2J");
        assert_eq!(clean("a\r\nb\t\u{7f}"), "a␍␊b␉␡");
        assert_eq!(clean("\u{9b}31m"), "‹U+009B›31m");
        assert_eq!(clean("a\u{202e}b\u{200b}c\u{feff}"), "a‹U+202E›b‹U+200B›c‹U+FEFF›");
        assert_eq!(clean("a\u{200d}b"), "a‹U+200D›b");
        assert_eq!(clean("a\u{fe0f}\u{e0041}"), "a‹U+FE0F›‹U+E0041›");
        assert_eq!(clean("7\u{fe0f} あ\u{fe0f} ❤\u{fe0f}\u{fe0f}"), "7‹U+FE0F› あ‹U+FE0F› ❤\u{fe0f}‹U+FE0F›");
        assert_eq!(clean("©\u{200d}®"), "©‹U+200D›®");
        assert_eq!(clean("❤\u{200d}© ❤\u{200d}"), "❤‹U+200D›© ❤‹U+200D›");
        assert_eq!(clean("❤\u{fe00} 1\u{fe00}\u{20e3}"), "❤‹U+FE00› 1‹U+FE00›\u{20e3}");
        assert_eq!(clean("\u{600}1\u{fe0f}"), "‹U+0600›1‹U+FE0F›");
        assert_eq!(clean("🏽 a🏽 🏽"), "‹U+1F3FD› a‹U+1F3FD› ‹U+1F3FD›");
    }

    /// `General_Category=Cf` and `Default_Ignorable_Code_Point` of Unicode 17.0 (UnicodeData.txt,
    /// DerivedCoreProperties.txt), both ends included.
    #[test]
    fn every_format_character_is_marked() {
        const FORMAT: [(u32, u32); 21] = [
            (0xad, 0xad),
            (0x600, 0x605),
            (0x61c, 0x61c),
            (0x6dd, 0x6dd),
            (0x70f, 0x70f),
            (0x890, 0x891),
            (0x8e2, 0x8e2),
            (0x180e, 0x180e),
            (0x200b, 0x200f),
            (0x202a, 0x202e),
            (0x2060, 0x2064),
            (0x2066, 0x206f),
            (0xfeff, 0xfeff),
            (0xfff9, 0xfffb),
            (0x110bd, 0x110bd),
            (0x110cd, 0x110cd),
            (0x13430, 0x1343f),
            (0x1bca0, 0x1bca3),
            (0x1d173, 0x1d17a),
            (0xe0001, 0xe0001),
            (0xe0020, 0xe007f),
        ];
        const IGNORABLE: [(u32, u32); 12] = [
            (0x34f, 0x34f),
            (0x115f, 0x1160),
            (0x17b4, 0x17b5),
            (0x180b, 0x180f),
            (0x2060, 0x206f),
            (0x3164, 0x3164),
            (0xfe00, 0xfe0f),
            (0xffa0, 0xffa0),
            (0xfff0, 0xfff8),
            (0x1bca0, 0x1bca3),
            (0x1d173, 0x1d17a),
            (0xe0000, 0xe0fff),
        ];
        for c in FORMAT.iter().chain(&IGNORABLE).flat_map(|(first, last)| *first..=*last).filter_map(char::from_u32) {
            let code = u32::from(c);
            assert_eq!(clean(&format!("a{c}7")), format!("a‹U+{code:04X}›7"), "U+{code:04X}");
            assert!(clean(&c.to_string()).starts_with('‹'), "U+{code:04X}");
        }
        assert_eq!(clean("\u{600}\u{0661} \u{6dd}"), "‹U+0600›\u{0661} ‹U+06DD›");
    }

    #[test]
    fn a_flood_of_combining_marks_is_bounded() {
        let flood = format!("a{}", "\u{301}".repeat(1_000_000));
        let shown = clean(&flood);
        assert!(shown.len() < 100);
        let (kept, dropped) = shown.split_once("‹+").unwrap();
        let dropped: usize = dropped.trim_end_matches('›').parse().unwrap();
        assert_eq!(kept.chars().count() + dropped, flood.chars().count());
    }

    #[test]
    fn characters_without_width_are_marked() {
        assert_eq!(clean("Fern\u{1161}"), "Fern‹U+1161›");
        assert_eq!(clean("\u{301}Fern e\u{301}"), "‹U+0301›Fern e\u{301}");
        let flood = format!("A{}B", format!("\u{1161}{}", "\u{301}".repeat(15)).repeat(3000));
        assert_eq!(clean_fit(&flood, 9), "A…");
        assert_eq!(clean("a \u{301}b"), "a ‹U+0301›b");
        assert_eq!(clean("a\u{a0}\u{301}b"), "a\u{a0}‹U+0301›b");
        assert_eq!(clean("\u{d7b0}\u{e0100}"), "‹U+D7B0›‹U+E0100›");
        for word in ["\u{11a8}", "\u{d7b0}", "\u{20e3}", "\u{302a}\u{301}"] {
            assert!(has_hidden_characters(word), "{word:?}");
            assert!(clean(word).graphemes(true).all(|grapheme| grapheme.width() > 0), "{word:?}");
        }
    }

    #[test]
    fn prepended_characters_without_a_letter_are_marked() {
        for repha in ['\u{d4e}', '\u{113d1}', '\u{11d46}', '\u{11f02}'] {
            let marked = format!("‹U+{:04X}›", u32::from(repha));
            for after in ["", " ", ")", "a", "…", " b", "7"] {
                assert_eq!(clean(&format!("Σ{repha}{after}")), format!("Σ{marked}{after}"));
            }
            assert_eq!(clean(&format!("{repha}\u{301}")), format!("{marked}‹U+0301›"));
            assert_eq!(clean(&format!("{repha}{repha} \u{301}")), format!("{marked}{marked} ‹U+0301›"));
            assert_eq!(clean(&format!("{repha}e\u{301}")), format!("{marked}e\u{301}"));
            assert!(clean(&format!("{}a", String::from_iter([repha; 1_000]))).len() < 300);
        }
        let malayalam = "\u{d15}\u{d4e}\u{d15}";
        assert_eq!(clean(malayalam), malayalam);
    }

    proptest! {
        /// Holds also before other text, and for cut text of any width.
        #[test]
        fn cleaning_is_idempotent(
            raw in "([ab \u{a0}\u{113d1}\u{d4e}\u{d15}\u{301}漢\u{600}\u{d7b0}\u{1161}\u{e0100}\u{200d}\u{fe0f}❤🏽]{0,4}\\PC?){0,20}",
            behind in "[ -~…]{0,3}",
            columns in 1..20_usize,
        ) {
            let shown = clean(&raw);
            prop_assert_eq!(&clean(&shown), &shown);
            prop_assert_eq!(clean(&format!("{raw}{behind}")).len() - behind.len(), shown.len());
            let fit = clean_fit(&raw, columns);
            prop_assert_eq!(clean(&fit), fit);
        }
    }

    #[test]
    fn invalid_utf_8_is_shown_as_hex() {
        assert_eq!(clean_bytes(b"ok\xff\x1b\xc3\xa9"), "ok\\xff␛é");
    }

    #[test]
    fn escaped_json_keeps_its_value() {
        let value = "\u{1b}\u{7f}\u{9b}2J \u{202e}x\u{2069}\u{200b}\u{e0041} 👨‍👩‍👧 é\n\"";
        let text = json_text(&value).unwrap();
        assert_eq!(text, "\"\\u001b\\u007f\\u009b2J \\u202ex\\u2069\\u200b\\udb40\\udc41 👨‍👩‍👧 é\\n\\\"\"");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
    }
}
