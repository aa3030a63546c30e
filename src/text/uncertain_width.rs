//! Which graphemes terminals do not draw in the columns that this program counts for them.
//!
//! Measured: the columns by which xterm 379, kitty 0.26, VTE 0.70, st 0.9, tmux 3.3 and screen 4.9 move their cursor for
//! each code point of Unicode 14, and for clusters of each script, against the unicode-width crate. They agree on single letters
//! of every script. They differ on clusters with more than accents (spacing vowel signs, joiners, presentation
//! selectors, skin tones, flags, keycaps), on wide symbols outside the East Asian blocks, and on pictographs.
//!
//! Ambiguous characters (UAX #11) are not among them: a terminal that draws them wide draws the lines of boxes wide,
//! too, and needs `--ascii`. Must not know what is done about such a grapheme.

use unicode_width::UnicodeWidthChar as _;

use super::clean::is_ordinary;

/// Whether terminals draw a clean grapheme in different numbers of columns.
pub fn has_uncertain_width(grapheme: &str) -> bool {
    if is_ordinary(grapheme) {
        return false;
    }
    let mut chars = grapheme.chars();
    // Other marks than these accents have no column in some terminals, and one in others.
    chars.next().is_some_and(is_uncertain) || chars.any(|mark| !matches!(mark, '\u{300}'..='\u{36f}'))
}

/// Whether terminals draw a character that stands alone in different numbers of columns.
fn is_uncertain(c: char) -> bool {
    is_symbol(c) || is_lone_sign(c) || (c.width() != Some(1) && !is_east_asian(c))
}

/// Whether a character is a symbol among the East Asian ones, a pictograph, or half of a flag.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{3030}' | '\u{303d}' | '\u{3248}'..='\u{324f}' | '\u{3297}' | '\u{3299}' | '\u{4dc0}'..='\u{4dff}'
        | '\u{1f000}'..='\u{1faff}')
}

/// Whether a character is a vowel sign or a tone that is a grapheme of its own (UAX #29): it has no column in some
/// terminals.
fn is_lone_sign(c: char) -> bool {
    matches!(c,
        '\u{102b}' | '\u{102c}' | '\u{1038}' | '\u{1062}'..='\u{1064}' | '\u{1067}'..='\u{106d}' | '\u{1083}'
        | '\u{1087}'..='\u{108c}' | '\u{108f}' | '\u{109a}'..='\u{109c}' | '\u{1a61}' | '\u{1a63}' | '\u{1a64}'
        | '\u{aa7b}' | '\u{aa7d}' | '\u{11720}' | '\u{11721}')
}

/// Whether a wide character is in a block that was wide from the beginning.
fn is_east_asian(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe10}'..='\u{fe6f}' | '\u{ff00}'..='\u{ffe6}' | '\u{16fe0}'..='\u{1b2ff}'
        | '\u{20000}'..='\u{3fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_lines_and_east_asian_characters_are_certain() {
        for certain in ["a", "~", "é", "e\u{301}", "ệ", "Я", "ب", "ω", "க", "ক", "ക", "ក", "ක", "က", "ก", "─", "█"]
        {
            assert!(!has_uncertain_width(certain), "{certain}");
        }
        for certain in ["漢", "か", "각", "Ａ", "ﾊ", "…", "●", "✓", "→", "\u{20000}"] {
            assert!(!has_uncertain_width(certain), "{certain}");
        }
    }

    #[test]
    fn clusters_and_pictographs_are_uncertain() {
        let emoji =
            ["❤\u{fe0f}", "🌵", "🌵\u{fe0e}", "🫨", "🪾", "👩\u{200d}🌾", "👍🏽", "🇩🇪", "🇩", "1\u{fe0f}\u{20e3}", "⭐"];
        let clusters = ["நி", "க்ஷ", "ক্ষ", "কো", "കോ", "ខ្មែ", "ක්‍ෂ", "කා", "ကြီး", "ာ", "း", "ꦏꦴ", "क्षि", "ที่"];
        for uncertain in emoji.into_iter().chain(clusters) {
            assert!(has_uncertain_width(uncertain), "{uncertain}");
        }
        for widened in ["☰", "䷀", "𝌆", "〰", "㊗", "㉈"] {
            assert!(has_uncertain_width(widened), "{widened}");
        }
    }
}
