//! Cuts and pads foreign text to columns, cleaned as [`clean`] does.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::clean::{clean, clean_grapheme, is_printable_ascii};

/// Cleans as [`clean`] does and cuts to `columns`, in time proportional to the columns, not to the text.
pub fn clean_fit(raw: &str, columns: usize) -> String {
    // Most cells of a table fit.
    if raw.len() <= columns && is_printable_ascii(raw.as_bytes()) {
        return raw.to_owned();
    }
    let mut shown = String::new();
    let mut used = 0;
    let mut piece = String::new();
    for grapheme in raw.graphemes(true) {
        piece.clear();
        clean_grapheme(grapheme, &mut piece);
        let width = piece.width();
        if used + width > columns {
            while used + 1 > columns {
                let Some(last) = shown.graphemes(true).next_back() else { break };
                used -= last.width();
                shown.truncate(shown.len() - last.len());
            }
            if columns > 0 {
                shown.push('…');
            }
            return shown;
        }
        used += width;
        shown.push_str(&piece);
    }
    shown
}

/// Cleans and cuts to `columns` a text that names a plant as `name (id)`: what is before the id is cut first, and the id
/// never, as an id without its last digits is another id.
pub fn clean_fit_named(raw: &str, columns: usize) -> String {
    let shown = clean(raw);
    match begin_of_id(&shown).filter(|_| shown.width() > columns).and_then(|at| shown.split_at_checked(at)) {
        Some((name, rest)) => fit_before(name, rest, columns),
        None => clean_fit(&shown, columns),
    }
}

/// Cuts a name so that clean text that begins with an id fits behind it into `columns`; without room, leaves it out.
pub fn fit_before(name: &str, rest: &str, columns: usize) -> String {
    match columns.checked_sub(rest.width()) {
        Some(room @ 3..) => format!("{}{rest}", clean_fit(name, room)),
        Some(_) | None => clean_fit(rest.trim_start(), columns),
    }
}

/// Cleans and cuts to `columns` a text whose end tells it from others, such as a URL: the middle is cut out.
pub fn clean_fit_middle(raw: &str, columns: usize) -> String {
    let shown = clean(raw);
    if shown.width() <= columns {
        return shown;
    }
    let mut ends = shown.grapheme_indices(true).filter_map(|(at, _)| shown.get(at..));
    let end = ends.find(|end| end.width() <= columns * 2 / 3).unwrap_or_default();
    fit_before(&shown, end, columns)
}

/// Finds where the last ` (7)` begins.
fn begin_of_id(text: &str) -> Option<usize> {
    let is_id = |id: &str| id.strip_prefix('-').unwrap_or(id).bytes().all(|byte| byte.is_ascii_digit());
    let begins = text.rmatch_indices(" (").map(|(at, begin)| (at, at + begin.len()));
    let mut ids = begins.filter(|(_, inside)| {
        text.get(*inside..).and_then(|rest| rest.split_once(')')).is_some_and(|(id, _)| !id.is_empty() && is_id(id))
    });
    ids.next().map(|(at, _)| at)
}

/// Returns the columns that a text takes once it is cleaned, counted up to `most`.
pub fn columns_of(raw: &str, most: usize) -> usize {
    clean_fit(raw, most).width()
}

/// Cleans, cuts, and pads with spaces to exactly `columns`.
pub fn clean_padded(raw: &str, columns: usize) -> String {
    let shown = clean_fit(raw, columns);
    let missing = columns.saturating_sub(shown.width());
    format!("{shown}{:missing$}", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_before_its_id() {
        let title = "Is Monstera (2) deliciosa (-1234567890123456789) in the store?";
        for (columns, shown) in [
            (80, title),
            (46, "Is Monst… (-1234567890123456789) in the store?"),
            (39, "(-1234567890123456789) in the store?"),
            (30, "(-1234567890123456789) in the…"),
        ] {
            assert_eq!(clean_fit_named(title, columns), shown);
        }
        assert_eq!(clean_fit_named("only Fern (x) and others", 10), "only Fern…");
        assert_eq!(clean_fit_named("漢字漢字 (7)", 9), "漢字… (7)");
    }

    #[test]
    fn the_middle_of_a_url_is_cut_out() {
        let url = "https://plants.example/production/v2";
        for (columns, shown) in [(36, url), (30, "https://p…xample/production/v2"), (2, "2"), (0, "")] {
            assert_eq!(clean_fit_middle(url, columns), shown);
        }
    }

    #[test]
    fn fitted_text_never_exceeds_the_columns() {
        assert_eq!(clean_fit("Monstera", 8), "Monstera");
        assert_eq!(clean_fit("Monstera", 5), "Mons…");
        assert_eq!(clean_fit("漢字漢字", 5), "漢字…");
        assert_eq!(clean_fit("漢字漢字", 4), "漢…");
        assert_eq!(clean_fit("漢", 1), "…");
        assert_eq!(clean_fit("a", 0), "");
        for columns in 0..12 {
            assert!(clean_fit("\u{1b}[2Jx👨‍👩‍👧漢\u{202e}é", columns).width() <= columns);
        }
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(clean_padded("漢", 4), "漢  ");
        assert_eq!(clean_padded("\u{1b}x", 4), "␛x  ");
        assert_eq!(clean_padded("too long", 4), "too…");
    }
}
