//! Where something stands in a text of lines.

/// A line and a character in it, each from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

impl Place {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The place behind these bytes, which begin here. What is no UTF-8 counts as it may.
    pub(super) fn behind(self, bytes: &[u8]) -> Self {
        let last_line = bytes.iter().rposition(|byte| *byte == b'\n').map(|at| bytes.get(at + 1..).unwrap_or_default());
        match last_line {
            Some(last_line) => Self { line: self.line + count(b'\n', bytes), column: 1 + characters(last_line) },
            None => Self { column: self.column + characters(bytes), ..self },
        }
    }

    /// Line and column.
    pub(super) fn pair(self) -> (u64, u64) {
        (self.line, self.column)
    }
}

/// How often a byte is there.
pub(super) fn count(wanted: u8, bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == wanted)).sum()
}

/// Characters of UTF-8: bytes that begin one.
fn characters(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte & 0b1100_0000 != 0b1000_0000)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_characters_are_counted() {
        for (text, line, column) in [("", 1, 1), ("ab", 1, 3), ("漢é", 1, 3), ("\n", 2, 1), ("a\r\n\nbc", 3, 3)] {
            assert_eq!(Place::START.behind(text.as_bytes()).pair(), (line, column), "{text:?}");
        }
        let in_two = Place::START.behind("a\nb漢".as_bytes()).behind("c".as_bytes());
        assert_eq!(in_two.pair(), (2, 4));
    }
}
