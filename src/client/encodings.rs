//! Decodes bytes in every encoding in which a server may echo a text, and tracks the position of each letter in
//! the original bytes. Must not know which text is searched for.

use std::ops::Range;

use zeroize::Zeroizing;

/// The most nested encodings.
pub(super) const LAYERS: usize = 3;

/// The most bytes of one encoded letter, apart from zeros before the number of an entity.
pub(super) const UNIT: usize = 12;

/// Decoded letters with their positions in the original bytes.
pub(super) struct Reading<'a> {
    pub(super) letters: &'a [u8],
    /// `None` if each letter is one byte.
    positions: Option<&'a [(u32, u32)]>,
}

impl<'a> Reading<'a> {
    /// Reads bytes without decoding.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { letters: bytes, positions: None }
    }

    /// Returns the position of a range of letters, which must not be empty.
    pub(super) fn position(&self, letters: Range<usize>) -> Range<usize> {
        let Some(positions) = self.positions else { return letters };
        let (first, last) = (positions.get(letters.start), positions.get(letters.end - 1));
        first.zip(last).map_or(0..0, |((start, _), (_, end))| *start as usize..*end as usize)
    }

    /// Decodes one layer; `None` if nothing is encoded that way.
    fn decoded(&self, layer: Layer) -> Option<Decoded> {
        let introducer = layer.introducer();
        if !self.letters.contains(&introducer) {
            return None;
        }
        let mut letters = Zeroizing::new(Vec::with_capacity(self.letters.len()));
        let mut positions = Vec::with_capacity(self.letters.len());
        let mut rest = self.letters;
        while let [first, after @ ..] = rest {
            let at = self.letters.len() - rest.len();
            let unit = if *first == introducer { layer.unit(rest) } else { None };
            let (letter, length) = unit.unwrap_or((Some(*first), 1));
            if let Some(letter) = letter {
                let range = self.position(at..at + length);
                let narrow = |byte| u32::try_from(byte).unwrap_or(u32::MAX);
                letters.push(letter);
                positions.push((narrow(range.start), narrow(range.end)));
            }
            rest = after.get(length - 1..).unwrap_or_default();
        }
        (letters.len() < self.letters.len()).then_some((letters, positions))
    }
}

/// The letters and positions of an owned [`Reading`].
type Decoded = (Zeroizing<Vec<u8>>, Vec<(u32, u32)>);

/// Visits a reading and everything that it decodes to, through at most `layers` nested encodings.
pub(super) fn each_reading(reading: &Reading<'_>, layers: usize, visit: &mut impl FnMut(&Reading<'_>)) {
    visit(reading);
    let Some(layers) = layers.checked_sub(1) else { return };
    for layer in Layer::ALL {
        if let Some((letters, positions)) = reading.decoded(layer) {
            each_reading(&Reading { letters: &letters, positions: Some(&positions) }, layers, visit);
        }
    }
}

/// An encoding that writes a letter as several bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// `&#43;`, `&#x2B;` and `&plus;` of HTML and XML.
    Entities,
    /// `%2B` of URLs and forms (RFC 3986 §2.1).
    Percent,
    /// `\u002b`, `\x2b` and `\/` of JSON (RFC 8259 §7) and of programming languages.
    Strings,
    /// `=2B` and soft line breaks of quoted-printable (RFC 2045 §6.7).
    QuotedPrintable,
}

impl Layer {
    pub(super) const ALL: [Self; 4] = [Self::Entities, Self::Percent, Self::Strings, Self::QuotedPrintable];

    /// Returns the first byte of each encoded letter.
    pub(super) fn introducer(self) -> u8 {
        match self {
            Self::Entities => b'&',
            Self::Percent => b'%',
            Self::Strings => b'\\',
            Self::QuotedPrintable => b'=',
        }
    }

    /// Decodes the first letter, and returns it with its encoded length; a soft line break has no letter. Returns
    /// `None` if the bytes do not begin with an encoded ASCII letter.
    fn unit(self, letters: &[u8]) -> Option<(Option<u8>, usize)> {
        let (letter, length) = match (self, letters) {
            (Self::Entities, [_, b'#', b'x' | b'X', rest @ ..]) => entity(rest, 16, 3)?,
            (Self::Entities, [_, b'#', rest @ ..]) => entity(rest, 10, 2)?,
            (Self::Entities, [_, rest @ ..]) => named_entity(rest)?,
            (Self::QuotedPrintable, [_, b'\r', b'\n', ..]) => return Some((None, 3)),
            (Self::QuotedPrintable, [_, b'\n', ..]) => return Some((None, 2)),
            (Self::Percent | Self::QuotedPrintable, [_, a, b, ..]) => (number(&[*a, *b], 16)?, 3),
            (Self::Strings, [_, b'u', a, b, c, d, ..]) => (number(&[*a, *b, *c, *d], 16)?, 6),
            (Self::Strings, [_, b'x', a, b, ..]) => (number(&[*a, *b], 16)?, 4),
            (Self::Strings, [_, escaped, ..]) if escaped.is_ascii_punctuation() => (*escaped, 2),
            (_, _) => return None,
        };
        Some((Some(letter), length))
    }
}

/// Decodes a numeric entity after a prefix of `head` bytes; returns the letter and the whole length.
fn entity(rest: &[u8], radix: u32, head: usize) -> Option<(u8, usize)> {
    let is_digit = |letter: &&u8| char::from(**letter).is_digit(radix);
    let zeros = rest.iter().take_while(|letter| **letter == b'0').count();
    let digits = zeros + rest.iter().skip(zeros).take(UNIT - head - 1).take_while(is_digit).count();
    let letter = number(rest.get(..digits)?, radix)?;
    // Browsers accept a missing semicolon.
    let end = usize::from(rest.get(digits) == Some(&b';'));
    Some((letter, head + digits + end))
}

/// The HTML entities of ASCII characters: each name is followed by its character.
const NAMES: &str = "amp& lt< gt> quot\" apos' sol/ plus+ equals= lowbar_ period. comma, colon: semi; num# percnt% \
    dollar$ commat@ excl! quest? ast* lpar( rpar) lsqb[ lbrack[ rsqb] rbrack] lcub{ lbrace{ rcub} \
    rbrace} verbar| vert| bsol\\ grave` Hat^";

pub(super) fn names() -> impl Iterator<Item = (&'static str, u8)> {
    NAMES.split(' ').filter_map(|named| Some((named.get(..named.len() - 1)?, *named.as_bytes().last()?)))
}

fn named_entity(rest: &[u8]) -> Option<(u8, usize)> {
    let length = rest.iter().take(UNIT - 2).position(|letter| *letter == b';')?;
    let name = rest.get(..length)?;
    let (_, letter) = names().find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))?;
    Some((letter, length + 2))
}

/// Parses the number of an ASCII character.
fn number(digits: &[u8], radix: u32) -> Option<u8> {
    let digits = str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u8::try_from(u32::from_str_radix(digits, radix).ok()?).ok().filter(u8::is_ascii)
}
