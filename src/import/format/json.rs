//! Reads plants in JSON element by element, so that the file may have any length.

use std::io::{self, Read};
use std::num::NonZeroU64;

use super::super::row::{ImportRow, RowNumber, RowSink};
use super::error::ReadError;
use super::ignored::Ignored;
use super::object::{self, JsonError};
use super::position::Position;
use super::source::{CTRL_Z, Source};

pub(super) const CUT_OFF: &str = "the file is cut off within the row that begins here: save the whole file";

/// How the plants of a file follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Array,
    /// `{"plants": […]}`.
    Wrapped,
    /// One object after another, each over several lines.
    Stream,
}

/// Finds out how the objects of a file that begins with `{` follow each other; `None` for NDJSON.
///
/// # Errors
///
/// The file cannot be read.
pub(super) fn layout(source: &mut Source<impl Read>) -> io::Result<Option<Layout>> {
    /// The most bytes that are looked at.
    const AHEAD: usize = 4096;
    while source.held().len() < AHEAD && source.more()? {}
    let held = source.held();
    let begin = held.get(..held.len().min(AHEAD)).unwrap_or_default().trim_ascii_start();
    let after = |rest: &'_ [u8], part: &[u8]| rest.trim_ascii_start().strip_prefix(part).map(<[u8]>::to_vec);
    let wrapped = [&b"{"[..], b"\"plants\"", b":", b"["];
    if wrapped.into_iter().try_fold(begin.to_vec(), |rest, part| after(&rest, part)).is_some() {
        return Ok(Some(Layout::Wrapped));
    }
    let end = begin.iter().position(|byte| *byte == b'\n');
    let last = end.and_then(|end| begin.get(..end)?.trim_ascii_end().last().copied());
    Ok(matches!(last, Some(b'{' | b'[' | b',' | b':')).then_some(Layout::Stream))
}

/// Reads plants to the end of the file; returns the keys that are not sent.
///
/// # Errors
///
/// The file is broken, or cannot be read.
pub(super) fn read<R: Read>(source: Source<R>, layout: Layout, row: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut text = Text { source, at: Position::START };
    let mut ignored = Ignored::default();
    if layout == Layout::Stream {
        while text.next()?.is_some() {
            if text.row(None, &mut ignored, row)? {
                break;
            }
        }
        return Ok(ignored);
    }
    if layout == Layout::Wrapped {
        text.skip(1);
        text.key()?;
    }
    if text.array(&mut ignored, row)? {
        return Ok(ignored);
    }
    if layout == Layout::Wrapped {
        text.other_members(&mut ignored)?;
    }
    match text.next()? {
        None => Ok(ignored),
        Some(_) => Err(text.broken("the plants have ended, and something follows them")),
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

    /// Reads an array. Returns whether the receiver wants no more.
    fn array(&mut self, ignored: &mut Ignored, row: RowSink<'_>) -> Result<bool, ReadError> {
        match self.next()? {
            Some(b'[') => self.skip(1),
            Some(_) | None => return Err(self.broken("JSON with plants begins with [ or {")),
        }
        let (mut count, mut end) = (0, 0);
        loop {
            match self.next()? {
                None => return Err(self.broken("the array is cut off: its ] is missing")),
                Some(b']') if count == 0 => break,
                Some(b']') => return Err(self.broken("a comma stands before the ]: remove it")),
                Some(_) => {}
            }
            count += 1;
            let element = NonZeroU64::new(count).filter(|_| self.at.line == end);
            if self.row(element, ignored, row)? {
                return Ok(true);
            }
            end = self.at.line;
            match self.next()? {
                Some(b',') => self.skip(1),
                Some(b']') => break,
                Some(_) => return Err(self.broken("a comma is missing here")),
                None => return Err(self.broken("the array is cut off: its ] is missing")),
            }
        }
        self.skip(1);
        Ok(false)
    }

    /// Reads one plant, which has this number in its array if its line does not tell which it is. Returns whether the
    /// receiver wants no more.
    fn row(&mut self, number: Option<NonZeroU64>, ignored: &mut Ignored, row: RowSink<'_>) -> Result<bool, ReadError> {
        let (length, is_whole) = self.element()?;
        let element = self.source.held().get(..length).unwrap_or_default();
        let parsed = object::parse(element, self.at, ignored).map_err(|error| self.json_error(error, is_whole))?;
        if !is_whole {
            return Err(self.broken(CUT_OFF));
        }
        let numbered =
            |parsed: ImportRow| ImportRow { number: RowNumber { element: number, ..parsed.number }, ..parsed };
        if parsed.is_some_and(|parsed| row(parsed.map(numbered)).is_break()) {
            return Ok(true);
        }
        self.skip(length);
        Ok(false)
    }

    /// Skips the name of a member and its colon; returns the name as it is written.
    fn key(&mut self) -> Result<String, ReadError> {
        let (key, _) = match self.next()? {
            Some(b'"') => self.element()?,
            Some(_) | None => return Err(self.broken("the name of a member is missing here")),
        };
        let name = self.source.held().get(..key).map(String::from_utf8_lossy).unwrap_or_default();
        let name = name.trim_matches('"').to_owned();
        self.skip(key);
        match self.next()? {
            Some(b':') => self.skip(1),
            Some(_) | None => return Err(self.broken("a colon is missing here")),
        }
        Ok(name)
    }

    /// Skips the members of an object that follow its plants, and its end.
    fn other_members(&mut self, ignored: &mut Ignored) -> Result<(), ReadError> {
        loop {
            match self.next()? {
                Some(b',') => self.skip(1),
                Some(b'}') => break,
                Some(_) => return Err(self.broken("a comma is missing here")),
                None => return Err(self.broken("the object is cut off: its } is missing")),
            }
            let name = self.key()?;
            if name == "plants" {
                return Err(self.broken("plants stands here a second time: put all of them into one array"));
            }
            ignored.add(&name);
            if self.next()?.is_none() {
                continue;
            }
            let (length, _) = self.element()?;
            let value = self.source.held().get(..length).unwrap_or_default();
            if let Err(error) = object::parse(value, self.at, &mut Ignored::default()) {
                return Err(self.json_error(error, true));
            }
            self.skip(length);
        }
        self.skip(1);
        Ok(())
    }

    /// Skips white space, and returns the next byte.
    fn next(&mut self) -> io::Result<Option<u8>> {
        loop {
            let held = self.source.held();
            let space = held.iter().position(|byte| !matches!(*byte, b' ' | b'\t' | b'\r' | b'\n' | CTRL_Z));
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
        if error.is_cut_off && !is_whole { self.broken(CUT_OFF) } else { ReadError::at(error.at, error.reason) }
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
