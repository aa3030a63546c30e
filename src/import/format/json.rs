//! Reads plants in JSON element by element, so that the file may have any length: an array, or objects that follow each
//! other, as those of NDJSON, each in a line of its own.

use std::io::{self, Read};
use std::num::NonZeroU64;

use serde::de::IgnoredAny;

use super::super::row::{ImportRow, RowFault, RowNumber, RowSink};
use super::error::ReadError;
use super::ignored::Ignored;
use super::object::{self, JsonError};
use super::position::Position;
use super::source::{CHUNK, CTRL_Z, Source};

const ARRAY_CUT_OFF: &str = "the array is cut off: its ] is missing";

const CUT_OFF: &str = "the file is cut off within the row that begins here: save the whole file";

/// How the plants of a file follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Array,
    /// `{"plants": […]}`.
    Wrapped,
    /// One object after another, each over several lines.
    Stream,
    /// NDJSON. A line that is no JSON is a bad row, and the others are read.
    Lines,
}

impl Layout {
    /// Finds out how the objects of a file that begins with `{` follow each other.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(super) fn of(source: &mut Source<impl Read>) -> io::Result<Self> {
        /// The most bytes that are looked at.
        const AHEAD: usize = 4096;
        while source.held().len() < AHEAD && source.more()? {}
        let begin = source.held().get(..AHEAD).unwrap_or(source.held()).trim_ascii_start();
        let wrapped = [&b"{"[..], b"\"plants\"", b":", b"["];
        if wrapped.into_iter().try_fold(begin, |rest, part| rest.trim_ascii_start().strip_prefix(part)).is_some() {
            return Ok(Self::Wrapped);
        }
        let end = begin.iter().position(|byte| *byte == b'\n');
        let last = end.and_then(|end| begin.get(..end)?.trim_ascii_end().last());
        Ok(if matches!(last, Some(b'{' | b'[' | b',' | b':')) { Self::Stream } else { Self::Lines })
    }
}

/// Reads plants to the end of the file; returns the keys that are not sent.
///
/// # Errors
///
/// The file is broken, or cannot be read.
pub(super) fn read<R: Read>(source: Source<R>, layout: Layout, sink: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut text = Text { source, at: Position::START, ignored: Ignored::default(), sink };
    match layout {
        Layout::Stream => while text.next()?.is_some() && !text.row(None)? {},
        Layout::Lines => while text.next()?.is_some() && !text.line()? {},
        Layout::Array | Layout::Wrapped => text.plants(layout == Layout::Wrapped)?,
    }
    Ok(text.ignored)
}

/// A file, the position of the first byte held, and what takes its rows.
struct Text<'a, R> {
    source: Source<R>,
    at: Position,
    ignored: Ignored,
    sink: RowSink<'a>,
}

impl<R: Read> Text<'_, R> {
    fn skip(&mut self, count: usize) {
        self.at = self.at.after(self.source.held().get(..count).unwrap_or_default());
        self.source.skip(count);
    }

    /// Reads an array and what follows it.
    fn plants(&mut self, is_wrapped: bool) -> Result<(), ReadError> {
        if is_wrapped {
            self.skip(1);
            self.key()?;
        }
        if self.array()? {
            return Ok(());
        }
        if is_wrapped {
            self.other_members()?;
        }
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(self.broken("the plants have ended, and something follows them")),
        }
    }

    /// Reads an array. Returns whether the receiver wants no more.
    fn array(&mut self) -> Result<bool, ReadError> {
        self.begin_with(b'[', "JSON with plants begins with [ or {")?;
        self.skip(1);
        let (mut count, mut end) = (0, 0);
        loop {
            match self.next()? {
                None => return Err(self.broken(ARRAY_CUT_OFF)),
                Some(b']') if count == 0 => {
                    self.skip(1);
                    return Ok(false);
                }
                Some(b']') => return Err(self.broken("a comma stands before the ]: remove it")),
                Some(_) => {}
            }
            count += 1;
            if self.row(NonZeroU64::new(count).filter(|_| self.at.line == end))? {
                return Ok(true);
            }
            end = self.at.line;
            if self.ends_with(b']', ARRAY_CUT_OFF)? {
                return Ok(false);
            }
        }
    }

    /// Fails if the next byte is another one.
    fn begin_with(&mut self, byte: u8, missing: &str) -> Result<(), ReadError> {
        if self.next()? == Some(byte) { Ok(()) } else { Err(self.broken(missing)) }
    }

    /// Skips the comma behind a value, or the end of what the value is in. Returns whether it was the end.
    fn ends_with(&mut self, end: u8, cut_off: &str) -> Result<bool, ReadError> {
        let next = self.next()?;
        match next {
            Some(byte) if byte == b',' || byte == end => self.skip(1),
            Some(_) => return Err(self.broken("a comma is missing here")),
            None => return Err(self.broken(cut_off)),
        }
        Ok(next == Some(end))
    }

    /// Reads one plant, which has this number in its array if its line does not tell which it is. Returns whether the
    /// receiver wants no more.
    fn row(&mut self, element: Option<NonZeroU64>) -> Result<bool, ReadError> {
        let length = self.element()?;
        let object = self.source.held().get(..length).unwrap_or_default();
        let parsed = object::parse(object, self.at, &mut self.ignored)?;
        let numbered = |row: ImportRow| ImportRow { number: RowNumber { element, ..row.number }, ..row };
        let is_over = parsed.is_some_and(|parsed| (self.sink)(parsed.map(numbered)).is_break());
        self.skip(length);
        Ok(is_over)
    }

    /// Reads the plant in the rest of a line. Returns whether the receiver wants no more.
    fn line(&mut self) -> Result<bool, ReadError> {
        let (length, is_last) = self.rest_of_line()?;
        let object = self.source.held().get(..length).unwrap_or_default().trim_ascii_end();
        let parsed = match object::parse(object, self.at, &mut self.ignored) {
            Ok(parsed) => parsed,
            Err(error) if error.is_cut_off && is_last => return Err(self.broken(CUT_OFF)),
            Err(JsonError { at: Position { line, column }, mut reason, is_cut_off }) => {
                if is_cut_off {
                    "the line ends before its object does: each object stands in a line of its own"
                        .clone_into(&mut reason);
                }
                Some(Err(RowFault { line, column, field: None, reason }))
            }
        };
        let is_over = parsed.is_some_and(|parsed| (self.sink)(parsed).is_break());
        self.skip(length);
        Ok(is_over)
    }

    /// Reads until a whole line is held. Returns its length without the line end, and whether it is the last line.
    fn rest_of_line(&mut self) -> Result<(usize, bool), ReadError> {
        let mut seen = 0;
        loop {
            let held = self.source.held();
            let end = held.iter().skip(seen).position(|byte| *byte == b'\n').map(|end| seen + end);
            seen = held.len();
            if end.unwrap_or(seen) > self.source.limit {
                return Err(ReadError::endless(self.at, self.source.limit));
            }
            match end {
                Some(end) => return Ok((end, false)),
                None if self.source.more()? => {}
                None => return Ok((seen, true)),
            }
        }
    }

    /// Skips the name of a member and its colon; returns the name as it is written.
    fn key(&mut self) -> Result<String, ReadError> {
        self.begin_with(b'"', "the name of a member is missing here")?;
        let key = self.element()?;
        let name = self.source.held().get(..key).map(String::from_utf8_lossy).unwrap_or_default();
        let name = name.trim_matches('"').to_owned();
        self.skip(key);
        self.begin_with(b':', "a colon is missing here")?;
        self.skip(1);
        Ok(name)
    }

    /// Skips the members of an object that follow its plants, and its end.
    fn other_members(&mut self) -> Result<(), ReadError> {
        while !self.ends_with(b'}', "the object is cut off: its } is missing")? {
            let name = self.key()?;
            if name == "plants" {
                return Err(self.broken("plants stands here a second time: put all of them into one array"));
            }
            self.ignored.add(&name);
            if self.next()?.is_some() {
                let value = self.element()?;
                self.skip(value);
            }
        }
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

    /// Reads until the whole element is held that begins here; returns its length.
    fn element(&mut self) -> Result<usize, ReadError> {
        loop {
            let held = self.source.held();
            let size = held.len();
            let mut values = serde_json::Deserializer::from_slice(held).into_iter::<IgnoredAny>();
            let value = values.next();
            let is_read = matches!(value, Some(Ok(_)));
            let error = value.and_then(Result::err).filter(|error| !error.is_eof());
            let error = error.map(|error| JsonError::new(&error, held, self.at));
            // A number that goes on behind the bytes held is invalid up to there.
            let is_cut = held.last().is_some_and(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
            if let Some(error) = error {
                if !is_cut || size > self.source.limit || !self.source.more()? {
                    return Err(error.into());
                }
                continue;
            }
            let end = if is_read { values.byte_offset() } else { size };
            if end > self.source.limit {
                return Err(ReadError::endless(self.at, self.source.limit));
            }
            // More digits may follow a number.
            if is_read && (end < size || held.ends_with(b"}") || held.ends_with(b"]") || held.ends_with(b"\"")) {
                return Ok(end);
            }
            // Twice as much each time once it is long, because it is parsed from its beginning.
            let wanted = if size < CHUNK { size + 1 } else { 2 * size };
            while self.source.held().len() < wanted && self.source.more()? {}
            if self.source.held().len() == size {
                return Err(self.broken(CUT_OFF));
            }
        }
    }

    fn broken(&self, reason: &str) -> ReadError {
        ReadError::at(self.at, reason)
    }
}
