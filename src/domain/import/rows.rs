//! Reading a file of plants, of any length: each row judged as it comes, none kept.
//!
//! Memory does not grow with the file: what is held is the row at hand, of 16 MiB at most.

use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;

use super::source::Source;
use super::{Broken, Format, Judged, csv, json, ndjson};

/// Bytes of a row at most: far more than any plant, and little enough to be held.
const ROW: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What is known of a file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// What it was read as.
    pub format: Format,
    /// What a person should know beside the rows, such as a column that is not sent.
    pub notes: Vec<String>,
}

/// Why a file could not be read to its end.
#[derive(Debug)]
pub enum Unreadable {
    /// It is none that plants can be read from.
    Broken(Broken),
    /// Its bytes could not be had.
    Io(io::Error),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(broken) => broken.fmt(f),
            Self::Io(why) => write!(f, "it cannot be read: {why}"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<io::Error> for Unreadable {
    fn from(why: io::Error) -> Self {
        Self::Io(why)
    }
}

impl Unreadable {
    /// A broken file, where that was noticed.
    pub(super) fn at(place: (u64, u64), reason: impl Into<String>) -> Self {
        Self::Broken(Broken { at: Some(place), reason: reason.into() })
    }

    /// A row without an end, or none that could be held.
    pub(super) fn endless(place: (u64, u64), limit: usize) -> Self {
        Self::at(place, format!("the row that begins here is longer than {} MiB", limit >> 20))
    }
}

/// Whoever takes the rows; what it answers says whether it wants more.
pub(super) type Taker<'a> = &'a mut dyn FnMut(Judged) -> ControlFlow<()>;

/// Reads plants, and gives each row to `row` in the order of the file, until that breaks.
///
/// Without a format the first bytes tell: `[` begins a JSON array and `{` NDJSON, whatever white
/// space and byte order mark stand before it; everything else is CSV. These two are told apart
/// like this even if the other was named. What has nothing in it is NDJSON without plants, unless
/// another format is named.
///
/// # Errors
///
/// The file is broken, or cannot be read. Rows were given to `row` before: nothing may be sent
/// until the end is known.
pub fn read(
    input: impl Read,
    format: Option<Format>,
    row: &mut dyn FnMut(Judged) -> ControlFlow<()>,
) -> Result<Contents, Unreadable> {
    read_bounded(input, format, ROW, row)
}

/// [`read`] with another bound for a row, in whole MiB.
pub(super) fn read_bounded(
    input: impl Read,
    format: Option<Format>,
    limit: usize,
    row: Taker<'_>,
) -> Result<Contents, Unreadable> {
    let mut source = Source::new(input, limit);
    let format = match (format, open(&mut source)?) {
        (Some(Format::Csv | Format::Json), None) => {
            let reason = "there is nothing in it: plants come as CSV, as a JSON array or as NDJSON".to_owned();
            return Err(Unreadable::Broken(Broken { at: None, reason }));
        }
        // Nothing is as many objects as there are lines.
        (None | Some(Format::Ndjson), None) | (None | Some(Format::Json), Some(b'{')) => Format::Ndjson,
        (None | Some(Format::Ndjson), Some(b'[')) => Format::Json,
        (named, Some(_)) => named.unwrap_or_default(),
    };
    let notes = match format {
        Format::Csv => csv::read(source, row)?.note("column"),
        Format::Json => json::read(source, row)?.note("key"),
        Format::Ndjson => ndjson::read(source, row)?.note("key"),
    };
    Ok(Contents { format, notes: notes.into_iter().collect() })
}

/// Passes over a byte order mark, and looks for the first byte that is no white space; `None` if there
/// is nothing else.
fn open(source: &mut Source<impl Read>) -> Result<Option<u8>, Unreadable> {
    while source.held().len() < BYTE_ORDER_MARK.len() && source.more()? {}
    if is_utf_16(source.held()) {
        return Err(Unreadable::at((1, 1), "this is UTF-16: save it as UTF-8"));
    }
    if source.held().starts_with(BYTE_ORDER_MARK) {
        source.pass(BYTE_ORDER_MARK.len());
    }
    let mut seen = 0;
    loop {
        let unseen = source.held().get(seen..).unwrap_or_default();
        if let Some(first) = unseen.trim_ascii_start().first() {
            return Ok(Some(*first));
        }
        seen = source.held().len();
        if seen > source.limit {
            return Err(Unreadable::at((1, 1), format!("there is nothing in the first {} MiB", source.limit >> 20)));
        }
        if !source.more()? {
            return Ok(None);
        }
    }
}

/// Whether these are the first bytes of UTF-16: its mark, or a character of ASCII in it.
fn is_utf_16(first: &[u8]) -> bool {
    match first {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [0, other, ..] | [other, 0, ..] => *other != 0,
        _ => false,
    }
}
