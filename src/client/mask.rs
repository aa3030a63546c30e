//! Masks secrets in responses, since stores and proxies may echo requests.
//!
//! Finds a secret in the raw bytes and in their decoded forms: HTML entities, percent encoding, JSON string
//! escapes and quoted-printable, nested up to three levels deep in any combination. Ignores letter case, and
//! treats `+` as a space. Finds whole secrets and beginnings of them; does not find a secret that is
//! compressed, in base64, or without its beginning. Must not know where a response is stored.

use std::ops::Range;
use std::sync::Arc;

use zeroize::Zeroizing;

use super::encodings::{LAYERS, Layer, Reading, UNIT, each_reading};
use super::secret_header::SecretHeader;
use super::token::Token;

/// The shortest secret that is masked everywhere. Shorter ones occur by chance: such a token is masked only after an
/// authorization scheme, and such a header only after its name.
pub(super) const TELLING_LENGTH: usize = 8;

/// The shortest beginning of a secret that is masked where the rest does not follow.
const MIN_BEGINNING: usize = 12;

/// The most characters between the name of a header and a short value, as in `"x-tenant": "acme"`.
const MOST_BETWEEN: usize = 8;

/// Marks a masked beginning, so that it is not mistaken for the text that was sent.
const MASKED: &[u8; 6] = b"masked";

/// The secrets to mask.
#[derive(Default)]
pub(crate) struct Secrets(Vec<Secret>);

impl Secrets {
    /// Collects tokens, and headers for a gateway.
    pub(crate) fn of<'a>(tokens: impl IntoIterator<Item = &'a Token>, headers: &[SecretHeader]) -> Self {
        let only = |secret: &str, after| if secret.len() < TELLING_LENGTH { after } else { Position::Anywhere };
        let token = |token: &Token| Secret::new(token.reveal(), only(token.reveal(), Position::AfterScheme));
        let header = |header: &SecretHeader| {
            let after = Position::AfterName(header.name().as_bytes().into());
            Secret::new(header.reveal(), only(header.reveal(), after))
        };
        Self(tokens.into_iter().map(token).chain(headers.iter().map(header)).flatten().collect())
    }

    /// Adds words that are or contain secrets, such as the password of a proxy.
    pub(crate) fn with_words<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.0.extend(words.into_iter().filter_map(|word| Secret::new(word, Position::Anywhere)));
        self
    }

    /// Overwrites all secrets with asterisks, without changing the length. Takes linear time for any input.
    pub(crate) fn mask_in(&self, bytes: &mut [u8]) {
        let mut found = Found::default();
        each_reading(&Reading::of(bytes), LAYERS, &mut |reading| {
            for secret in &self.0 {
                secret.find(reading, &mut found);
            }
        });
        found.overwrite(bytes);
    }

    /// Masks a possible beginning of a secret at the end of bytes that were cut off.
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

    /// Whether a header of this name has a value that is masked only after it.
    pub(super) fn are_after(&self, name: &str) -> bool {
        self.0.iter().any(|secret| matches!(&secret.position, Position::AfterName(of) if **of == *name.as_bytes()))
    }

    /// Masks secrets in a text.
    pub(super) fn masked(&self, text: String) -> String {
        let mut bytes = text.into_bytes();
        self.mask_in(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The secrets that were sent so far. A response may repeat one that another has replaced.
#[derive(Default)]
pub(super) struct Sent {
    tokens: Vec<Token>,
    headers: Vec<SecretHeader>,
    /// All of them, and what was always sent.
    secrets: Arc<Secrets>,
}

impl Sent {
    /// Adds what is sent now, and returns all; `others` were always sent.
    pub(super) fn with(
        &mut self,
        token: &Token,
        headers: &[SecretHeader],
        others: &[Zeroizing<String>],
    ) -> Arc<Secrets> {
        if self.tokens.contains(token) && headers.iter().all(|header| self.headers.contains(header)) {
            return Arc::clone(&self.secrets);
        }
        if !self.tokens.contains(token) {
            self.tokens.push(token.clone());
        }
        for header in headers {
            if !self.headers.contains(header) {
                self.headers.push(header.clone());
            }
        }
        let secrets = Secrets::of(&self.tokens, &self.headers);
        self.secrets = Arc::new(secrets.with_words(others.iter().map(|other| other.as_str())));
        Arc::clone(&self.secrets)
    }
}

/// A secret with the failure table of the Knuth-Morris-Pratt search.
struct Secret {
    /// Normalised by [`normalised`].
    letters: Zeroizing<Vec<u8>>,
    /// For each matched prefix, the length of the longest shorter prefix that is also its suffix.
    fallback: Vec<usize>,
    position: Position,
}

/// Where the text is a secret. A short one occurs by chance.
enum Position {
    Anywhere,
    AfterScheme,
    /// After the name of its header, in lower case.
    AfterName(Box<[u8]>),
}

impl Position {
    /// Whether the text is a secret after `before`.
    fn is_after(&self, before: &[u8]) -> bool {
        match self {
            Self::Anywhere => true,
            Self::AfterScheme => ends_with(before, b"bearer ") || ends_with(before, b"basic "),
            Self::AfterName(name) => {
                let is_between = |byte: &&u8| b" \t:=\"'".contains(byte);
                let between = before.iter().rev().take(MOST_BETWEEN).take_while(is_between).count();
                between > 0 && ends_with(before.get(..before.len() - between).unwrap_or_default(), name)
            }
        }
    }
}

impl Secret {
    /// Returns `None` for an empty text.
    fn new(text: &str, position: Position) -> Option<Self> {
        let letters: Zeroizing<Vec<u8>> = Zeroizing::new(text.bytes().map(normalised).collect());
        // A prefix of one letter has no shorter prefix.
        let fallback = Vec::from_iter(letters.first().map(|_| 0));
        let mut secret = Self { letters, fallback, position };
        let mut fit = 0;
        for at in 1..secret.letters.len() {
            fit = secret.letters.get(at).map_or(0, |letter| secret.next(fit, *letter));
            secret.fallback.push(fit);
        }
        (!secret.letters.is_empty()).then_some(secret)
    }

    /// Returns the number of matching letters after one more `letter`.
    fn next(&self, mut fit: usize, letter: u8) -> usize {
        while self.letters.get(fit) != Some(&letter) {
            let Some(before) = fit.checked_sub(1) else { return 0 };
            fit = self.fallback.get(before).copied().unwrap_or_default();
        }
        fit + 1
    }

    /// Finds the whole secret and its long beginnings.
    fn find(&self, reading: &Reading<'_>, found: &mut Found) {
        let mut fit = 0;
        for (at, letter) in reading.letters.iter().enumerate() {
            fit = self.next(fit, normalised(*letter));
            if fit == 0 {
                continue;
            }
            let first = at + 1 - fit;
            if fit == self.letters.len() {
                let before = reading.letters.get(..first).unwrap_or_default();
                if self.position.is_after(before) {
                    push(&mut found.whole, reading.position(first..at + 1));
                }
            } else if fit >= MIN_BEGINNING {
                push(&mut found.beginnings, reading.position(first..at + 1));
            }
        }
    }

    /// Returns the position of a beginning that extends to the end of the bytes, or to what may be an incomplete encoded
    /// letter there.
    fn begins_at_end(&self, reading: &Reading<'_>) -> Option<usize> {
        let letters = reading.letters;
        // The last one may have zeros before its number.
        let unit =
            1 + letters.iter().rev().take_while(|letter| letter.is_ascii_alphanumeric() || **letter == b'#').count();
        let unit = unit.max(UNIT);
        let is_cut = |rest: &[u8]| {
            rest.first().is_none_or(|first| Layer::ALL.iter().any(|layer| layer.introducer() == *first))
                && rest.len() <= unit
        };
        let from = letters.len().saturating_sub(self.letters.len() + unit);
        let (mut fit, mut first) = (0, None);
        for (at, letter) in letters.iter().enumerate().skip(from) {
            fit = self.next(fit, normalised(*letter));
            let rest = letters.get(at + 1..).unwrap_or_default();
            if fit >= TELLING_LENGTH / 2 && fit < self.letters.len() && is_cut(rest) {
                first = first.or(Some(reading.position(at + 1 - fit..at + 1).start));
            }
        }
        first
    }
}

/// The byte ranges of the secrets found.
#[derive(Default)]
struct Found {
    whole: Vec<Range<usize>>,
    beginnings: Vec<Range<usize>>,
}

impl Found {
    fn overwrite(self, bytes: &mut [u8]) {
        for beginning in self.beginnings {
            let Some(part) = bytes.get_mut(beginning) else { continue };
            part.fill(b'*');
            if let Some(end) = part.last_chunk_mut::<6>() {
                *end = *MASKED;
            }
        }
        for whole in self.whole {
            bytes.get_mut(whole).unwrap_or_default().fill(b'*');
        }
    }
}

/// Adds a range, merged with the last one if they overlap, so that each byte is masked only a few times even if a
/// secret overlaps itself.
fn push(positions: &mut Vec<Range<usize>>, range: Range<usize>) {
    match positions.last_mut() {
        Some(last) if last.start <= range.start && range.start < last.end => last.end = last.end.max(range.end),
        Some(_) | None => positions.push(range),
    }
}

/// Converts to lower case, and `+` to a space.
fn normalised(letter: u8) -> u8 {
    if letter == b'+' { b' ' } else { letter.to_ascii_lowercase() }
}

/// Whether `before` ends with a text in lower case.
fn ends_with(before: &[u8], text: &[u8]) -> bool {
    let start = before.len().checked_sub(text.len());
    let end = start.and_then(|start| before.get(start..));
    end.is_some_and(|end| end.iter().map(|letter| normalised(*letter)).eq(text.iter().copied()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::encodings::names;
    use super::*;
    use crate::extent::step;

    fn masked(token: &str, text: &str) -> String {
        Secrets::of([&Token::new(token).unwrap()], &[]).masked(text.to_owned())
    }

    #[test]
    fn only_the_echoed_token_is_masked() {
        let stars = "*".repeat(26);
        assert_eq!(masked("canary-canary", "é canary-canaryCANARY-canary canary"), format!("é {stars} canary"));
        assert_eq!(masked("1", "1 Bearer 1, bearer 1 é Basic 1"), "1 Bearer *, bearer * é Basic *");
    }

    #[test]
    fn an_encoded_token_is_masked() {
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
            "&#0000000067;ANARY&#x00000000000000000000002F;7f3a&#000000000000000000043;secret==",
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
    fn all_that_may_be_the_token_is_masked() {
        // The second backslash begins the escape of a space, or is a part of the token's last letter.
        let (token, rest) = (r"token-0\&#92;\", "u002&#48;");
        assert_eq!(masked(r"token-0\", &format!("{token}{rest}")), format!("{}{rest}", "*".repeat(token.len())));
    }

    #[test]
    fn the_password_of_a_proxy_is_masked() {
        let secrets = Secrets::of([&Token::new("canary-canary").unwrap()], &[]).with_words(["pass"]);
        assert_eq!(secrets.masked("PASS canary".to_owned()), "**** canary");
    }

    #[test]
    fn a_header_for_a_gateway_is_masked_and_a_short_one_only_after_its_name() {
        let header = |name: &str, value| SecretHeader::new(name.parse().unwrap(), value).unwrap();
        let headers = [header("X-Api-Key", "key of ann"), header("X-Tenant", "acme")];
        let secrets = Secrets::of([&Token::new("canary-canary").unwrap()], &headers);
        for (text, masked) in [
            ("got KEY of ann.", "got **********."),
            ("got key%20of+ann.", "got ************."),
            ("acme, x-tenant-acme", "acme, x-tenant-acme"),
            ("X-Tenant: acme", "X-Tenant: ****"),
            (r#"{"x-tenant": "acme"}"#, r#"{"x-tenant": "****"}"#),
            ("x-tenant%3Dacme", "x-tenant%3D****"),
        ] {
            assert_eq!(secrets.masked(text.to_owned()), masked);
        }
    }

    #[test]
    fn a_token_that_is_cut_off_is_masked() {
        let masked = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            Secrets::of([&Token::new("canary/canary").unwrap()], &[]).mask_cut(&mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(masked("echo Canary/ca"), "echo *********");
        assert_eq!(masked(r"echo canary\u00"), "echo **********");
        assert_eq!(masked("the ca"), "the ca");
        assert_eq!(masked("canary/canary."), "canary/canary.");
        for cut in [
            "%",
            "%2",
            "%25",
            "%252",
            "&",
            "&#4",
            "&#x",
            "&#0000000000000000004",
            "&amp",
            "&amp;#4",
            r"\",
            r"\\u0",
            "=",
            "=3",
            "=\r",
        ] {
            assert_eq!(masked(&format!("echo canary{cut}")), format!("echo {}", "*".repeat(6 + cut.len())), "{cut}");
        }
    }

    #[test]
    fn a_long_beginning_is_masked_and_marked() {
        let token = "CANARY/7f3a+secret==";
        assert_eq!(masked(token, "<CANARY/7f3a+sec...>"), "<*********masked...>");
        assert_eq!(masked(token, "<CANARY%2f7f3a+...>"), "<********masked...>");
        assert_eq!(masked(token, "<CANARY/7f3a...>"), "<CANARY/7f3a...>");
        // One reading contains the whole secret, another only the beginning.
        assert_eq!(masked(token, r"CANARY/7f3a+sec\u0072et=="), "*".repeat(25));
        assert_eq!(masked("abcabcabcabcabcX", "abcabcabcabcabcabc"), "************masked");
        // A short beginning is not masked.
        assert_eq!(masked("canary", "Bearer canar canary"), "Bearer canar canary");
    }

    #[test]
    fn a_short_token_is_masked_after_an_encoded_scheme() {
        for text in ["Bearer+1", "bearer%201", "Bearer&#32;1", r"Bearer\u00201"] {
            let expected = format!("{}*", text.strip_suffix('1').unwrap());
            assert_eq!(masked("1", text), expected);
        }
    }

    /// Ends soon only in linear time: an algorithm that goes back for each letter would take hours.
    #[test]
    fn hostile_texts_take_linear_time() {
        let token = format!("{}b", "a".repeat(64 * 1024 - 1));
        for unit in ["a", "%25", r"\\", "&amp;", "=3D", "%5C&amp;=3D", "&", "&#0000000", "=\n", "a%61&#97;\\x61=61"] {
            // The last one needs forty passes, which are slow without optimisation.
            let size = (if unit.len() > 12 { 1 << 16 } else { 1 << 18 }) / step(4);
            let mut bytes = unit.repeat(size / unit.len()).into_bytes();
            let secrets = Secrets::of([&Token::new(&token).unwrap()], &[]);
            secrets.mask_cut(&mut bytes);
            secrets.mask_in(&mut bytes);
            assert_eq!(bytes.len(), size / unit.len() * unit.len());
        }
    }

    /// Encodes one letter in a way selected by `how`; the introducer is always encoded.
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

    /// Encodes a text through all layers, and returns the position of each letter. No line break precedes the letter
    /// at `unbroken`.
    fn encoded_text(text: &[u8], unbroken: usize, layers: &[Layer], how: &[u8]) -> (Vec<u8>, Vec<Range<usize>>) {
        let mut how = how.iter().copied().cycle();
        let (mut bytes, mut positions) = (Vec::new(), Vec::new());
        for (at, letter) in text.iter().enumerate() {
            let mut piece = vec![*letter];
            for layer in layers {
                let letters = piece.into_iter().enumerate();
                let each = |(inner, byte)| encoded(byte, *layer, how.next().unwrap(), at != unbroken || inner > 0);
                piece = letters.flat_map(each).collect();
            }
            positions.push(bytes.len()..bytes.len() + piece.len());
            bytes.extend(piece);
        }
        (bytes, positions)
    }

    fn text(length: Range<usize>) -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![3 => b'!'..=b'~', 1 => prop::sample::select(b"&#;%\\u=+/".to_vec())], length)
    }

    /// The text after a token that ends with an introducer may be read as a part of it.
    fn ends_unambiguously(token: &[u8]) -> bool {
        !Layer::ALL.iter().any(|layer| token.last() == Some(&layer.introducer()))
    }

    proptest! {
        #[test]
        fn a_token_is_found_in_any_encoding_and_the_rest_is_unchanged(
            token in text(8..80).prop_filter("the end of the token is ambiguous", |token| ends_unambiguously(token)),
            before in text(0..40),
            after in text(0..40),
            layers in prop::collection::vec(prop::sample::select(Layer::ALL.to_vec()), 0..=LAYERS),
            how in prop::collection::vec(any::<u8>(), 1..50),
        ) {
            let whole = [&before[..], b" ", &token, b" ", &after].concat();
            let (bytes, positions) = encoded_text(&whole, before.len() + 1, &layers, &how);
            let range = positions[before.len() + 1].start..positions[before.len() + token.len()].end;
            let mut masked = bytes.clone();
            let token = Token::new(str::from_utf8(&token).unwrap()).unwrap();
            Secrets::of([&token], &[]).mask_in(&mut masked);
            prop_assert!(masked[range.clone()].iter().all(|byte| *byte == b'*'), "{}", masked.escape_ascii());
            prop_assert_eq!(&masked[..range.start], &bytes[..range.start]);
            prop_assert_eq!(&masked[range.end..], &bytes[range.end..]);
        }

        #[test]
        fn text_without_the_token_is_unchanged(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let secrets = Secrets::of([&Token::new("CANARY/7f3a+secret==").unwrap()], &[]);
            let mut masked = bytes.clone();
            secrets.mask_in(&mut masked);
            prop_assert_eq!(masked, bytes);
        }
    }
}
