//! Keeps secrets out of what came back: stores and proxies echo what they were sent.
//!
//! A secret is looked for in the bytes as they are and in what they decode to: HTML entities, percent
//! encoding, the escapes of JSON strings and quoted-printable, up to three of these around each other,
//! one of them several times included. Capitals make no difference, nor does `+` for a space. It is
//! found whole or from its beginning; compressed, in base64 or from its middle on it is not.

use std::ops::Range;

use zeroize::Zeroizing;

use super::encodings::{LAYERS, Reading, UNIT, each_reading};
use super::token::Token;

/// Shorter secrets turn up in honest responses by chance: a token is then masked only after `Bearer `.
pub(super) const TELLING_LENGTH: usize = 8;

/// Letters of a secret's beginning that are masked where the rest of it does not follow.
const BEGINNING: usize = 12;

/// Stands in a masked beginning, so that nobody takes it for what was sent.
const MASKED: &[u8; 6] = b"masked";

/// What must not be seen in text from elsewhere.
pub(crate) struct Secrets(Vec<Secret>);

impl Secrets {
    /// The token that is held, and what else was sent in confidence, such as a proxy's password.
    pub(super) fn sent(token: &Token, others: &[Zeroizing<String>]) -> Self {
        let token = token.reveal();
        let is_short = token.len() < TELLING_LENGTH;
        let others = others.iter().filter_map(|other| Secret::new(other, false));
        Self(Secret::new(token, is_short).into_iter().chain(others).collect())
    }

    /// Words that are or hold secrets.
    pub(crate) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self(words.into_iter().filter_map(|word| Secret::new(word, false)).collect())
    }

    /// Overwrites them with asterisks wherever they stand. The length stays the same, so that sizes
    /// remain true. Takes time in proportion to the length, whatever the bytes are.
    pub(crate) fn mask_in(&self, bytes: &mut [u8]) {
        let mut found = Found::default();
        each_reading(&Reading::of(bytes), LAYERS, &mut |reading| {
            for secret in &self.0 {
                secret.find(reading, &mut found);
            }
        });
        found.overwrite(bytes);
    }

    /// Masks what may be the beginning of one at the end of bytes that were cut off.
    pub(crate) fn mask_cut(&self, bytes: &mut [u8]) {
        let mut first = None;
        each_reading(&Reading::of(bytes), LAYERS, &mut |reading| {
            let begins = self.0.iter().filter_map(|secret| secret.begins_at_end(reading));
            first = begins.chain(first).min();
        });
        if let Some(first) = first {
            bytes.iter_mut().skip(first).for_each(|byte| *byte = b'*');
        }
    }

    /// [`Self::mask_in`] for text.
    pub(super) fn masked(&self, text: String) -> String {
        let mut bytes = text.into_bytes();
        self.mask_in(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// One secret, with what Knuth, Morris and Pratt's search needs to look at each letter once.
struct Secret {
    /// As [`alike`] has them.
    letters: Zeroizing<Vec<u8>>,
    /// For each number of letters that fit but one: with how many of them a match may go on.
    fallback: Vec<usize>,
    /// Whether it is one only after the name of an authorization scheme.
    after_scheme: bool,
}

impl Secret {
    /// `None` of no letters.
    fn new(text: &str, after_scheme: bool) -> Option<Self> {
        let letters: Zeroizing<Vec<u8>> = Zeroizing::new(text.bytes().map(alike).collect());
        // Of one letter none: a match cannot go on with itself.
        let fallback = Vec::from_iter(letters.first().map(|_| 0));
        let mut secret = Self { letters, fallback, after_scheme };
        let mut fit = 0;
        for at in 1..secret.letters.len() {
            fit = secret.letters.get(at).map_or(0, |letter| secret.next(fit, *letter));
            secret.fallback.push(fit);
        }
        (!secret.letters.is_empty()).then_some(secret)
    }

    /// How many of its letters fit once this one follows those that do.
    fn next(&self, mut fit: usize, letter: u8) -> usize {
        while self.letters.get(fit) != Some(&letter) {
            let Some(before) = fit.checked_sub(1) else { return 0 };
            fit = self.fallback.get(before).copied().unwrap_or_default();
        }
        fit + 1
    }

    /// Finds it, and those of its beginnings that tell something.
    fn find(&self, reading: &Reading<'_>, found: &mut Found) {
        let mut fit = 0;
        for (at, letter) in reading.letters.iter().enumerate() {
            fit = self.next(fit, alike(*letter));
            if fit == 0 {
                continue;
            }
            let first = at + 1 - fit;
            if fit == self.letters.len() {
                let before = reading.letters.get(..first).unwrap_or_default();
                if !self.after_scheme || ends_with_scheme(before) {
                    push(&mut found.whole, reading.place(first..at + 1));
                }
            } else if fit >= BEGINNING {
                push(&mut found.beginnings, reading.place(first..at + 1));
            }
        }
    }

    /// Where a beginning of it starts that goes on to the end, or to a letter that is cut off there.
    fn begins_at_end(&self, reading: &Reading<'_>) -> Option<usize> {
        let letters = reading.letters;
        let from = letters.len().saturating_sub(self.letters.len() + UNIT);
        let (mut fit, mut first) = (0, None);
        for (at, letter) in letters.iter().enumerate().skip(from) {
            fit = self.next(fit, alike(*letter));
            let rest = letters.get(at + 1..).unwrap_or_default();
            if fit >= TELLING_LENGTH / 2 && fit < self.letters.len() && is_cut(rest) {
                first = first.or(Some(reading.place(at + 1 - fit..at + 1).start));
            }
        }
        first
    }
}

/// Where secrets are, from the first byte of each to behind its last.
#[derive(Default)]
struct Found {
    whole: Vec<Range<usize>>,
    beginnings: Vec<Range<usize>>,
}

impl Found {
    fn overwrite(self, bytes: &mut [u8]) {
        for beginning in self.beginnings {
            let Some(place) = bytes.get_mut(beginning) else { continue };
            place.fill(b'*');
            if let Some(end) = place.last_chunk_mut::<6>() {
                *end = *MASKED;
            }
        }
        for whole in self.whole {
            bytes.get_mut(whole).unwrap_or_default().fill(b'*');
        }
    }
}

/// Adds a place, or makes the one before longer if they overlap: each byte is then masked once or a few
/// times, however often a secret overlaps itself.
fn push(places: &mut Vec<Range<usize>>, place: Range<usize>) {
    match places.last_mut() {
        Some(last) if last.start <= place.start && place.start < last.end => last.end = last.end.max(place.end),
        Some(_) | None => places.push(place),
    }
}

/// Whether nothing is left, or the beginning of an encoded letter.
fn is_cut(rest: &[u8]) -> bool {
    let is_hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match rest {
        [] | [b'\\'] | [b'=', b'\r'] => true,
        [b'%' | b'=', digits @ ..] | [b'\\', b'x', digits @ ..] => digits.len() < 2 && is_hex(digits),
        [b'\\', b'u', digits @ ..] => digits.len() < 4 && is_hex(digits),
        [b'&', b'#', rest @ ..] | [b'&', rest @ ..] => {
            rest.len() < UNIT - 1 && rest.iter().all(u8::is_ascii_alphanumeric)
        }
        _ => false,
    }
}

/// The letter that stands for all that are taken for the same: capitals or not, and `+` for a space.
fn alike(letter: u8) -> u8 {
    if letter == b'+' { b' ' } else { letter.to_ascii_lowercase() }
}

fn ends_with_scheme(before: &[u8]) -> bool {
    let ends_with = |scheme: &[u8]| {
        let start = before.len().checked_sub(scheme.len());
        let end = start.and_then(|start| before.get(start..));
        end.is_some_and(|end| end.iter().map(|letter| alike(*letter)).eq(scheme.iter().copied()))
    };
    ends_with(b"bearer ") || ends_with(b"basic ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::encodings::{Layer, names};
    use super::*;

    fn masked(token: &str, text: &str) -> String {
        Secrets::sent(&Token::new(token).unwrap(), &[]).masked(text.to_owned())
    }

    #[test]
    fn an_echoed_token_is_masked_and_nothing_else() {
        let stars = "*".repeat(26);
        assert_eq!(masked("canary-canary", "é canary-canaryCANARY-canary canary"), format!("é {stars} canary"));
        assert_eq!(masked("1", "1 Bearer 1, bearer 1 é Basic 1"), "1 Bearer *, bearer * é Basic *");
    }

    #[test]
    fn however_it_is_spelled() {
        let token = "CANARY/7f3a+secret==";
        for spelled in [
            "CANARY/7f3a+secret==",
            r"CANARY\/7f3a+secret==",
            r"CANARY/7f3a\u002Bsecret==",
            r"\u0043ANARY\u002f7f3a+secret=\u003d",
            "CANARY%2F7f3a%2bsecret%3D%3D",
            "canary/7F3A+SECRET==",
            "CANARY/7f3a secret==",
            "CANARY&#x2F;7f3a&#43;secret&equals;&#61;",
            "CANARY&amp;sol;7f3a&amp;#x0002B;secret==",
            "CANARY%252F7f3a%252bsecret%253D%253d",
            r"CANARY\\\/7f3a\\u002Bsecret==",
            r"CANARY\x2f7f3a+secret==",
            "CANARY/7f3a+sec=\r\nret=3D=3d",
            "CANARY/7f=\n3a+secret=3D=3D",
            r"CANARY%5Cu002f7f3a&#92;/",
            "CANARY%26%2347%3B7f3a+secret==",
        ] {
            let token = if spelled.ends_with("&#92;/") { "CANARY/7f3a/" } else { token };
            let stars = "*".repeat(spelled.len());
            assert_eq!(masked(token, &format!("<{spelled}>")), format!("<{stars}>"));
        }
        for other in ["CANARY7f3a+secret==", "CANARY%2G7f3a+secret==", r"CANARY\u012f7f3a+secret=="] {
            assert_eq!(masked(token, other), other);
        }
    }

    #[test]
    fn what_a_proxy_was_told_is_masked_as_well() {
        let others = [Zeroizing::new("pass".to_owned())];
        let secrets = Secrets::sent(&Token::new("canary-canary").unwrap(), &others);
        assert_eq!(secrets.masked("PASS canary".to_owned()), "**** canary");
    }

    #[test]
    fn a_token_that_is_cut_off_is_masked_as_far_as_it_came() {
        let masked = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            Secrets::sent(&Token::new("canary/canary").unwrap(), &[]).mask_cut(&mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(masked("echo Canary/ca"), "echo *********");
        assert_eq!(masked(r"echo canary\u00"), "echo **********");
        assert_eq!(masked("the ca"), "the ca");
        assert_eq!(masked("canary/canary."), "canary/canary.");
        for cut in ["%", "%2", "%25", "%252", "&", "&#4", "&amp", "&amp;#4", r"\", r"\\u0", "=", "=3", "=\r"] {
            assert_eq!(masked(&format!("echo canary{cut}")), format!("echo {}", "*".repeat(6 + cut.len())), "{cut}");
        }
    }

    #[test]
    fn a_telling_beginning_is_masked_with_a_word_beside_it() {
        let token = "CANARY/7f3a+secret==";
        assert_eq!(masked(token, "<CANARY/7f3a+sec...>"), "<*********masked...>");
        assert_eq!(masked(token, "<CANARY%2f7f3a+...>"), "<********masked...>");
        assert_eq!(masked(token, "<CANARY/7f3a...>"), "<CANARY/7f3a...>");
        // Whole in one reading of it, and a beginning in another.
        assert_eq!(masked(token, r"CANARY/7f3a+sec\u0072et=="), "*".repeat(25));
        assert_eq!(masked("abcabcabcabcabcX", "abcabcabcabcabcabc"), "************masked");
        // What is too short to tell anything has no beginning.
        assert_eq!(masked("canary", "Bearer canar canary"), "Bearer canar canary");
    }

    #[test]
    fn after_a_scheme_a_short_token_is_masked_however_that_is_written() {
        for text in ["Bearer+1", "bearer%201", "Bearer&#32;1", r"Bearer\u00201"] {
            let expected = format!("{}*", text.strip_suffix('1').unwrap());
            assert_eq!(masked("1", text), expected);
        }
    }

    /// Each text of a megabyte is done in the time of some passes over it: none that went back for
    /// each letter would end while somebody waits.
    #[test]
    fn hostile_texts_take_no_longer_than_others() {
        let token = format!("{}b", "a".repeat(64 * 1024 - 1));
        for unit in ["a", "%25", r"\\", "&amp;", "=3D", "%5C&amp;=3D", "&", "&#0000000", "=\n", "a%61&#97;\\x61=61"] {
            // The last needs forty passes, which are slow where nothing is optimised.
            let size = if unit.len() > 12 { 1 << 18 } else { 1 << 20 };
            let mut bytes = unit.repeat(size / unit.len()).into_bytes();
            let secrets = Secrets::sent(&Token::new(&token).unwrap(), &[]);
            secrets.mask_cut(&mut bytes);
            secrets.mask_in(&mut bytes);
            assert_eq!(bytes.len(), size / unit.len() * unit.len());
        }
    }

    /// How an encoder writes one letter: as it may, but its own introducer never as it is.
    /// A line is broken before it if it may be.
    fn encoded(letter: u8, layer: Layer, how: u8, may_break: bool) -> Vec<u8> {
        let must = letter == layer.introducer();
        if !must && how.is_multiple_of(3) {
            return vec![letter];
        }
        let name = names().find(|(_, named)| *named == letter).filter(|_| how % 3 == 1);
        let text = match (layer, name) {
            (Layer::Entities, Some((name, _))) => format!("&{name};"),
            (Layer::Entities, None) if how.is_multiple_of(2) => format!("&#{letter};"),
            (Layer::Entities, None) => format!("&#x{letter:04X};"),
            (Layer::Percent, _) => format!("%{letter:02x}"),
            (Layer::Strings, _) if letter.is_ascii_punctuation() && how.is_multiple_of(2) => {
                format!("\\{}", char::from(letter))
            }
            (Layer::Strings, _) => format!("\\u{letter:04x}"),
            (Layer::QuotedPrintable, _) if may_break && how % 5 == 1 => format!("=\r\n={letter:02X}"),
            (Layer::QuotedPrintable, _) => format!("={letter:02X}"),
        };
        text.into_bytes()
    }

    /// A text as encoders write it, one after the other, and in it where each of its letters is. Before
    /// one letter no line is broken.
    fn encoded_text(text: &[u8], unbroken: usize, layers: &[Layer], how: &[u8]) -> (Vec<u8>, Vec<Range<usize>>) {
        let mut how = how.iter().copied().cycle();
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for (at, letter) in text.iter().enumerate() {
            let mut piece = vec![*letter];
            for layer in layers {
                let letters = piece.into_iter().enumerate();
                let each = |(inner, byte)| encoded(byte, *layer, how.next().unwrap(), at != unbroken || inner > 0);
                piece = letters.flat_map(each).collect();
            }
            places.push(bytes.len()..bytes.len() + piece.len());
            bytes.extend(piece);
        }
        (bytes, places)
    }

    fn text(length: Range<usize>) -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![3 => b'!'..=b'~', 1 => prop::sample::select(b"&#;%\\u=+/".to_vec())], length)
    }

    proptest! {
        #[test]
        fn a_token_is_found_in_any_encoding_and_what_is_around_it_stays(
            token in text(8..80),
            before in text(0..40),
            after in text(0..40),
            layers in prop::collection::vec(prop::sample::select(Layer::ALL.to_vec()), 0..=LAYERS),
            how in prop::collection::vec(any::<u8>(), 1..50),
        ) {
            let whole = [&before[..], b" ", &token, b" ", &after].concat();
            let (bytes, places) = encoded_text(&whole, before.len() + 1, &layers, &how);
            let place = places[before.len() + 1].start..places[before.len() + token.len()].end;
            let mut masked = bytes.clone();
            let token = Token::new(str::from_utf8(&token).unwrap()).unwrap();
            Secrets::sent(&token, &[]).mask_in(&mut masked);
            prop_assert!(masked[place.clone()].iter().all(|byte| *byte == b'*'), "{}", masked.escape_ascii());
            prop_assert_eq!(&masked[..place.start], &bytes[..place.start]);
            prop_assert_eq!(&masked[place.end..], &bytes[place.end..]);
        }

        #[test]
        fn text_without_the_token_stays_as_it_is(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let secrets = Secrets::sent(&Token::new("CANARY/7f3a+secret==").unwrap(), &[]);
            let mut masked = bytes.clone();
            secrets.mask_in(&mut masked);
            prop_assert_eq!(masked, bytes);
        }
    }
}
