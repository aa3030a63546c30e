//! Line and column of a byte in a text.

use thiserror::Error;

/// A line, and a character or table column in it, each from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("line {line}, column {column}")]
pub struct Position {
    pub(super) line: u64,
    pub(super) column: u64,
}

impl Position {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// Returns the position after these bytes, which begin here. Invalid UTF-8 is counted roughly.
    pub(super) fn after(self, bytes: &[u8]) -> Self {
        let last_line = bytes.iter().rposition(|byte| *byte == b'\n').map(|at| bytes.get(at + 1..).unwrap_or_default());
        match last_line {
            Some(last_line) => Self { line: self.line + count(b'\n', bytes), column: 1 + characters(last_line) },
            None => Self { column: self.column + characters(bytes), ..self },
        }
    }
}

pub(super) fn count(wanted: u8, bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == wanted)).sum()
}

/// Counts the characters of UTF-8 by the bytes that begin one.
fn characters(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte & 0b1100_0000 != 0b1000_0000)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_characters_are_counted() {
        for (text, line, column) in [("", 1, 1), ("ab", 1, 3), ("漢é", 1, 3), ("\n", 2, 1), ("a\r\n\nbc", 3, 3)] {
            assert_eq!(Position::START.after(text.as_bytes()), Position { line, column }, "{text:?}");
        }
        let in_two = Position::START.after("a\nb漢".as_bytes()).after("c".as_bytes());
        assert_eq!(in_two, Position { line: 2, column: 4 });
    }
}
