//! A JSON array of plants: found element by element, so that it may be of any length.

use std::io::{self, Read};

use super::super::row::RowSink;
use super::error::ReadError;
use super::ignored::Ignored;
use super::object::{self, NoJson};
use super::place::Place;
use super::source::Source;

/// Reads an array to its end; returns the keys that are not sent.
///
/// # Errors
///
/// It is broken, or cannot be read.
pub(super) fn read<R: Read>(source: Source<R>, row: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut text = Text { source, place: Place::START };
    let mut ignored = Ignored::default();
    match text.next()? {
        Some(b'[') => text.pass(1),
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
        let parsed = object::parse(element, text.place, &mut ignored).map_err(|why| text.no_json(why, is_whole))?;
        if !is_whole {
            return Err(text.broken("the array is cut off within the row that begins here"));
        }
        if row(parsed).is_break() {
            return Ok(ignored);
        }
        text.pass(length);
        is_first = false;
        match text.next()? {
            Some(b',') => text.pass(1),
            Some(b']') => break,
            Some(_) => return Err(text.broken("a comma is missing here")),
            None => return Err(text.broken("the array is cut off: its ] is missing")),
        }
    }
    text.pass(1);
    match text.next()? {
        None => Ok(ignored),
        Some(_) => Err(text.broken("the array has ended, and something follows it")),
    }
}

/// A file with the place of the first byte held.
struct Text<R> {
    source: Source<R>,
    place: Place,
}

impl<R: Read> Text<R> {
    fn pass(&mut self, count: usize) {
        self.place = self.place.behind(self.source.held().get(..count).unwrap_or_default());
        self.source.pass(count);
    }

    /// The next byte that is no white space; what stands before it is passed.
    fn next(&mut self) -> io::Result<Option<u8>> {
        loop {
            let held = self.source.held();
            let space = held.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
            let next = space.and_then(|space| held.get(space).copied());
            self.pass(space.unwrap_or(held.len()));
            if next.is_some() || !self.source.more()? {
                return Ok(next);
            }
        }
    }

    /// Waits until an element is held, and returns its length, and whether that is all of it.
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
                // A number may stand at the end; then it is the array that is not whole.
                None => return Ok((self.source.held().len(), false)),
            }
        }
    }

    /// A row that is too long may be one that was broken long before.
    fn endless(&self) -> ReadError {
        match object::parse(self.source.held(), self.place, &mut Ignored::default()) {
            Err(why) if !why.is_cut_off => self.no_json(why, false),
            Ok(_) | Err(_) => ReadError::endless(self.place.pair(), self.source.limit),
        }
    }

    /// An element that was not read to its end may be right as far as it goes.
    fn no_json(&self, why: NoJson, is_whole: bool) -> ReadError {
        if why.is_cut_off && !is_whole {
            self.broken("the array is cut off within the row that begins here")
        } else {
            ReadError::at(why.at.pair(), why.reason)
        }
    }

    fn broken(&self, reason: &str) -> ReadError {
        ReadError::at(self.place.pair(), reason)
    }
}

/// Looks for the end of an element, over bytes that come little by little. Whether brackets
/// match is for the parser to say.
#[derive(Debug, Default)]
struct Scan {
    /// Bytes seen.
    seen: usize,
    /// Arrays and objects that are open.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Scan {
    /// The length of the element that begins with these bytes; those seen before are the same.
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
