//! Reads a JSON array of plants element by element, so that the array may have any length.

use std::io::{self, Read};

use super::super::row::RowSink;
use super::error::ReadError;
use super::ignored::Ignored;
use super::object::{self, JsonError};
use super::position::Position;
use super::source::Source;

/// Reads an array to its end; returns the keys that are not sent.
///
/// # Errors
///
/// The array is broken, or the file cannot be read.
pub(super) fn read<R: Read>(source: Source<R>, row: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut text = Text { source, at: Position::START };
    let mut ignored = Ignored::default();
    match text.next()? {
        Some(b'[') => text.skip(1),
        Some(_) | None => return Err(text.broken("JSON with plants begins with [ or {")),
    }
    let mut is_first = true;
    loop {
        match text.next()? {
            None => return Err(text.broken("the array is cut off: its ] is missing")),
            Some(b']') if is_first => break,
            Some(b']') => return Err(text.broken("a comma stands before the ]: remove it")),
            Some(_) => {}
        }
        let (length, is_whole) = text.element()?;
        let element = text.source.held().get(..length).unwrap_or_default();
        let parsed = object::parse(element, text.at, &mut ignored).map_err(|error| text.json_error(error, is_whole))?;
        if !is_whole {
            return Err(text.broken("the array is cut off within the row that begins here: save the whole file"));
        }
        if row(parsed).is_break() {
            return Ok(ignored);
        }
        text.skip(length);
        is_first = false;
        match text.next()? {
            Some(b',') => text.skip(1),
            Some(b']') => break,
            Some(_) => return Err(text.broken("a comma is missing here")),
            None => return Err(text.broken("the array is cut off: its ] is missing")),
        }
    }
    text.skip(1);
    match text.next()? {
        None => Ok(ignored),
        Some(_) => Err(text.broken("the array has ended, and something follows it")),
    }
}

/// A file, and the position of the first byte held.
struct Text<R> {
    source: Source<R>,
    at: Position,
}

impl<R: Read> Text<R> {
    fn skip(&mut self, count: usize) {
        self.at = self.at.after(self.source.held().get(..count).unwrap_or_default());
        self.source.skip(count);
    }

    /// Skips white space, and returns the next byte.
    fn next(&mut self) -> io::Result<Option<u8>> {
        loop {
            let held = self.source.held();
            let space = held.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
            let next = space.and_then(|space| held.get(space).copied());
            self.skip(space.unwrap_or(held.len()));
            if next.is_some() || !self.source.more()? {
                return Ok(next);
            }
        }
    }

    /// Reads until a whole element is held. Returns its length, and `false` if the file ends within it.
    fn element(&mut self) -> Result<(usize, bool), ReadError> {
        let mut scan = Scan::default();
        loop {
            let end = scan.end(self.source.held());
            if end.unwrap_or(self.source.held().len()) > self.source.limit {
                return Err(self.endless());
            }
            match end {
                Some(end) => return Ok((end, true)),
                None if self.source.more()? => {}
                // After a number, only the array is incomplete.
                None => return Ok((self.source.held().len(), false)),
            }
        }
    }

    /// Prefers the error of a broken row that is too long only because it is broken.
    fn endless(&self) -> ReadError {
        match object::parse(self.source.held(), self.at, &mut Ignored::default()) {
            Err(error) if !error.is_cut_off => self.json_error(error, false),
            Ok(_) | Err(_) => ReadError::endless(self.at, self.source.limit),
        }
    }

    fn json_error(&self, error: JsonError, is_whole: bool) -> ReadError {
        if error.is_cut_off && !is_whole {
            self.broken("the array is cut off within the row that begins here: save the whole file")
        } else {
            ReadError::at(error.at, error.reason)
        }
    }

    fn broken(&self, reason: &str) -> ReadError {
        ReadError::at(self.at, reason)
    }
}

/// Finds the end of an element in bytes that arrive in pieces. The parser checks whether brackets match.
#[derive(Debug, Default)]
struct Scan {
    /// Number of bytes seen.
    seen: usize,
    /// Number of open arrays and objects.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Scan {
    /// Returns the length of the element that begins with these bytes, which include those seen before.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for byte in bytes.get(self.seen..)? {
            if self.in_string {
                let closes = *byte == b'"' && !self.is_escaped;
                self.is_escaped = *byte == b'\\' && !self.is_escaped;
                self.in_string = !closes;
                self.seen += 1;
                if closes && self.depth == 0 {
                    return Some(self.seen);
                }
                continue;
            }
            match byte {
                b'"' | b'{' | b'[' if self.depth == 0 && self.seen > 0 => return Some(self.seen),
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth == 1 => return Some(self.seen + 1),
                b'}' | b']' if self.depth > 1 => self.depth -= 1,
                b'}' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' if self.depth == 0 => {
                    return Some(self.seen.max(1));
                }
                _ => {}
            }
            self.seen += 1;
        }
        None
    }
}
