//! The form in which texts are compared when a person looks for one: canonical caseless matching (Unicode, D145).
//!
//! A letter with its accent is one letter, however it is stored, and `STRASSE` is `Straße`.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// Returns a text without its case, composed (NFC). Any part of a text, up to a whole letter with its accents, is found
/// in the whole.
///
/// Other than `str::to_lowercase`, converts a sigma at the end of a word like any other.
pub fn caseless(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize_iter(text.chars());
    let text: String = decomposed.flat_map(without_case).collect();
    ComposingNormalizerBorrowed::new_nfc().normalize(&text).into_owned()
}

/// Converts a character to the lower case of its upper case, which has all letters that differ in case alone. Only
/// the dotless i has an upper case of another letter.
fn without_case(c: char) -> impl Iterator<Item = char> {
    let kept = (c == 'ı').then_some(c);
    let others = c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    kept.into_iter().chain(others.filter(move |_| kept.is_none()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_that_differ_in_case_or_composition_alone_are_equal() {
        for (one, other) in [
            ("Fern", "FERN"),
            ("Caf\u{e9}", "CAFE\u{301}"),
            ("Straße", "STRASSE"),
            ("ẞ", "ß"),
            ("ﬁcus", "FICUS"),
            ("ΟΔΟΣ", "οδος"),
            ("İ", "i\u{307}"),
            ("\u{212a}elp", "kelp"),
            ("µ", "μ"),
            ("ŉ", "ʼN"),
            ("ᾳ", "ΑΙ"),
            ("\u{1e69}", "S\u{307}\u{323}"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
        ] {
            assert_eq!(caseless(one), caseless(other), "{one} {other}");
        }
        for (one, other) in [("e", "é"), ("ı", "i"), ("o", "ö"), ("ﬁ", "f")] {
            assert_ne!(caseless(one), caseless(other), "{one} {other}");
        }
    }

    #[test]
    fn a_part_is_found_in_the_whole() {
        for (whole, part) in
            [("ΟΔΟΣΑ", "οδοσ"), ("ΟΔΟΣΑ", "ΟΔΟΣ"), ("İris", "i"), ("Fern", "ER"), ("Straßen", "TRASS"), ("Große", "ß")]
        {
            assert!(caseless(whole).contains(&caseless(part)), "{part} in {whole}");
        }
    }

    proptest! {
        #[test]
        fn comparing_once_more_changes_nothing(text in any::<String>()) {
            let once = caseless(&text);
            prop_assert_eq!(caseless(&once), once.clone());
            let composed = ComposingNormalizerBorrowed::new_nfc().normalize(&text).into_owned();
            let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize(&text).into_owned();
            prop_assert_eq!((caseless(&composed), caseless(&decomposed)), (once.clone(), once));
        }
    }
}
