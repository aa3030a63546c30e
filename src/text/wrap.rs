//! Cleans foreign text and wraps it to a width in columns, without dividing graphemes. Must not know where lines
//! are drawn.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::clean::clean;
use super::fit::clean_fit;

/// A space at which no line breaks.
pub const NO_BREAK: char = '\u{a0}';

/// Units that stay on the line of their number.
const UNITS: [&str; 9] = ["ms", "s", "min", "h", "days", "bytes", "kB", "MB", "GB"];

/// Cleans a text and breaks it into at most `most` lines of at most `columns`: at spaces, or inside a word that
/// is longer than a line, never before a unit, nor at a no-break space, which becomes a space. The last line ends with `…` if there was
/// more text.
pub fn wrapped(text: &str, columns: usize, most: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let text = clean(paragraph.strip_suffix('\r').unwrap_or(paragraph));
        lines.extend(paragraph_lines(&with_bound_units(&text), columns, most));
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                *last = clean_fit(&format!("{last}…"), columns);
            }
            break;
        }
    }
    lines
}

/// Columns of the beginning of a shortened text, at least: enough for what it is about.
const BEGINNING: usize = 16;

/// Shortens a text that needs more than `most` lines of `columns`, in front of its last two sentences: they say what it
/// means and what to do. Without room for them and a beginning, in front of the last one. Returns it whole if it fits, or if
/// the last sentence alone does not.
pub fn shortened_before_end(text: &str, columns: usize, most: usize) -> String {
    let fits = |text: &str| wrapped(text, columns, most.saturating_add(1)).len() <= most;
    if fits(text) {
        return text.to_owned();
    }
    let stops: Vec<_> = text.rmatch_indices(". ").map(|(at, _)| at).take(2).collect();
    let least = if stops.len() == 2 { [BEGINNING, 0] } else { [0, 0] };
    let shortened = |(stop, least): (&usize, usize)| {
        let (head, end) = (text.get(..*stop)?, text.get(stop + 2..)?);
        let heads = head.rmatch_indices(' ').filter_map(|(at, _)| head.get(..at));
        let is_open = |head: &str| head.rfind('(') > head.rfind(')');
        let heads = heads.filter(|head| head.width() >= least && !is_open(head));
        let mut shorter = heads.map(|head| format!("{}… {end}", head.trim_end_matches([' ', ',', ':', '.'])));
        shorter.find(|text| fits(text))
    };
    stops.iter().rev().zip(least).find_map(shortened).unwrap_or_else(|| text.to_owned())
}

/// Letters on the last line of a divided word, at least: narrow and wide ones.
const LAST_LETTERS: [usize; 2] = [3, 4];

/// Wraps a paragraph; in narrower lines where few letters of a word would be alone on the last one, as `ん。`.
fn paragraph_lines(text: &str, columns: usize, most: usize) -> Vec<String> {
    let leaves_few = |lines: &[String]| match lines {
        [.., before, last] if text.strip_suffix(last.as_str()).is_some_and(|head| head.ends_with(before.as_str())) => {
            let letters = last.chars().count();
            letters < LAST_LETTERS[usize::from(last.width() == 2 * letters)]
        }
        _ => false,
    };
    let mut best = wrapped_paragraph(text, columns, most);
    for narrower in (columns / 2..columns).rev() {
        if !leaves_few(&best) {
            break;
        }
        let other = wrapped_paragraph(text, narrower, most);
        if other.len() != best.len() {
            break;
        }
        best = other;
    }
    best
}

fn wrapped_paragraph(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for piece in words(text).flat_map(|word| pieces(word, columns)) {
        let width = piece.width();
        if used + width > columns && used > 0 {
            lines.push(finished(&std::mem::take(&mut line)));
            used = 0;
            if lines.len() > most {
                return lines;
            }
            if piece.trim().is_empty() {
                continue;
            }
        }
        if width <= columns {
            line.push_str(piece);
            used += width;
        }
    }
    lines.push(finished(&line));
    lines
}

fn finished(line: &str) -> String {
    line.trim_end().replace(NO_BREAK, " ")
}

/// Marks that begin no line, and those that end none, in text without spaces.
const NOT_FIRST: &str = "、。，．！？：；…‥ー々）」』］〉》】・ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
const NOT_LAST: &str = "（「『［〈《【";

/// Marks behind which a word breaks that is longer than a line, like JSON, a path or a URL.
const LAST: [&str; 5] = [",", ";", "/", "?", "&"];

/// Returns the parts of a word that stay together: beside a wide letter, a line breaks as at a space. A part that is
/// longer than a line is divided into its graphemes.
fn pieces(word: &str, columns: usize) -> Vec<&str> {
    let is_long = word.width() > columns;
    if word.is_ascii() && !is_long {
        return vec![word];
    }
    let breaks = |before: &str, next: &str| {
        let is_wide = before.width() == 2 || next.width() == 2;
        (is_wide && !NOT_FIRST.contains(next) && !NOT_LAST.contains(before))
            || (is_long && LAST.contains(&before) && before != next)
    };
    let graphemes = || word.grapheme_indices(true);
    let pairs = graphemes().zip(graphemes().skip(1));
    let starts = pairs.filter(|((_, before), (_, next))| breaks(before, next)).map(|(_, (at, _))| at);
    let mut pieces = Vec::new();
    let mut from = 0;
    for to in starts.chain([word.len()]) {
        let piece = word.get(from..to).unwrap_or_default();
        from = to;
        if piece.width() <= columns {
            pieces.push(piece);
        } else {
            pieces.extend(piece.graphemes(true));
        }
    }
    pieces
}

/// Binds units to the numbers before them.
fn with_bound_units(text: &str) -> String {
    let mut bound = String::with_capacity(text.len());
    for (at, word) in text.split(' ').enumerate() {
        let is_unit = UNITS.contains(&word.trim_end_matches(|c: char| c.is_ascii_punctuation()));
        if at > 0 {
            bound.push(if is_unit && bound.ends_with(|c: char| c.is_ascii_digit()) { NO_BREAK } else { ' ' });
        }
        bound.push_str(word);
    }
    bound
}

/// Iterates over the words of a text and the spaces between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ').flat_map(|piece| match piece.strip_suffix(' ') {
        Some(word) => [word, " "],
        None => [piece, ""],
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_few_letters_of_a_word_are_alone_on_the_last_line() {
        assert_eq!(wrapped("お店は何も言いません。", 20, 9), ["お店は何も言い", "ません。"]);
        assert_eq!(wrapped("Goldkugelkaktus", 13, 9), ["Goldkugelkak", "tus"]);
        assert_eq!(wrapped("月のサボテン", 11, 9), ["月のサ", "ボテン"]);
        // Where it needs another line, it stays.
        assert_eq!(wrapped("言いません。", 6, 9), ["言いま", "せん。"]);
        assert_eq!(wrapped("A store has it", 12, 9), ["A store has", "it"]);
    }

    #[test]
    fn a_long_text_is_shortened_before_its_last_sentence() {
        let text = "It is unknown whether Monstera (7) was deleted: the connection ended. u resolves it.";
        assert_eq!(shortened_before_end(text, 20, 9), text);
        let short = shortened_before_end(text, 30, 2);
        assert_eq!(wrapped(&short, 30, 9), ["It is unknown whether Monstera", "(7) was… u resolves it."]);
        let text = "The store rejected Monstera (7): 409 Conflict, \"in use\". It may be your own. u resolves it.";
        for (columns, short) in [
            (30, "The store rejected… It may be your own. u resolves it."),
            (13, "The store rejected Monstera… u resolves it."),
        ] {
            assert_eq!(shortened_before_end(text, columns, if columns == 30 { 2 } else { 4 }), short);
        }
        let text = "It is unknown whether Monstera (7) was deleted: the connection ended. u resolves it.";
        // Without room for the last sentence, or without a sentence before it, the end is cut.
        for (text, columns) in [(text, 5), ("one two three four five six", 9)] {
            assert_eq!(shortened_before_end(text, columns, 2), text);
        }
    }

    #[test]
    fn lines_break_at_spaces_and_inside_long_words() {
        assert_eq!(wrapped("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh", 3, 9), ["abc", "def", "gh"]);
        assert_eq!(wrapped("a bcdefgh", 3, 9), ["a b", "cde", "fgh"]);
        let json = r#"a x","id":7,"tag":"b"}: 201"#;
        assert_eq!(wrapped(json, 12, 9), ["a x\",\"id\":7,", "\"tag\":\"b\"}:", "201"]);
        assert_eq!(wrapped("http://plants.example/api", 16, 9), ["http://", "plants.example/", "api"]);
        assert_eq!(wrapped("by 1\u{a0}id, 2\u{a0}name", 8, 9), ["by 1 id,", "2 name"]);
        assert_eq!(wrapped("it is (so). Yes", 9, 9), ["it is", "(so). Yes"]);
        assert_eq!(wrapped("times out after 30 s, 1 h 5 min", 18, 9), ["times out after", "30 s, 1 h 5 min"]);
        assert_eq!(wrapped("漢字漢字", 3, 9), ["漢", "字", "漢", "字"]);
        // Japanese breaks anywhere but before a mark that closes, and behind one that opens.
        assert_eq!(wrapped("植物7は「Moss」です。はい。", 12, 9), ["植物7は", "「Moss」で", "す。はい。"]);
        assert_eq!(wrapped("Oak は大きい木です", 12, 9), ["Oak は大き", "い木です"]);
        assert_eq!(wrapped("字。", 3, 9), ["字", "。"]);
        assert_eq!(wrapped("a\nb\r\n", 3, 9), ["a", "b", ""]);
        assert_eq!(wrapped("", 3, 9), [""]);
    }

    #[test]
    fn there_are_never_more_lines_than_the_limit() {
        let long = "x ".repeat(10_000);
        assert_eq!(wrapped(&long, 10, 4).len(), 4);
        assert_eq!(wrapped("one two three", 7, 1), ["one tw…"]);
        assert_eq!(wrapped(&"漢".repeat(10_000), 1, 4).len(), 1);
    }

    proptest! {
        #[test]
        fn lines_are_clean_and_fit(
            text in "([ab \u{a0}\u{113d1}\u{d4e}\u{d15}\u{301}漢]{1,3}\\PC?){0,20}",
            columns in 1..30_usize,
            most in 1..9_usize,
        ) {
            for line in wrapped(&text, columns, most) {
                prop_assert!(line.width() <= columns && clean(&line) == line, "{:?}", line);
            }
        }
    }
}
