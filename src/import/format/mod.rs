//! Reads a file of plants of any length, in CSV, JSON or NDJSON, and validates each row.
//!
//! Memory does not grow with the file: the reader holds one row, of 16 MiB at most.

mod csv;
mod error;
mod ignored;
mod json;
mod ndjson;
mod object;
mod position;
mod source;

use std::io::Read;

pub use error::ReadError;

use self::position::Position;
use self::source::Source;
use super::row::RowSink;
use crate::domain::file_format::FileFormat;

/// Greatest size of a row in bytes.
const ROW: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Facts about a file that was read, besides its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub format: FileFormat,
    /// Remarks for the person, such as a column that is not sent.
    pub notes: Vec<String>,
}

/// Reads plants, and calls `row` with each row in the order of the file, until `row` returns `Break`.
///
/// The first bytes decide the format: `[` begins a JSON array and `{` NDJSON, after any white space and
/// byte order mark; everything else is CSV. `format` decides between CSV and JSON only. An empty file is
/// NDJSON without plants, unless another format is given.
///
/// # Errors
///
/// The file is broken, or cannot be read. `row` was called before: nothing may be sent before this function
/// has returned.
pub fn read(input: impl Read, format: Option<FileFormat>, row: RowSink<'_>) -> Result<Contents, ReadError> {
    read_bounded(input, format, ROW, row)
}

/// Does the work of [`read`] with another greatest size of a row, in whole MiB.
fn read_bounded(
    input: impl Read,
    format: Option<FileFormat>,
    limit: usize,
    row: RowSink<'_>,
) -> Result<Contents, ReadError> {
    let mut source = Source::new(input, limit);
    let format = match (format, open(&mut source)?) {
        (Some(FileFormat::Csv | FileFormat::Json), None) => {
            return Err(ReadError::Empty);
        }
        (None | Some(FileFormat::Ndjson), None) | (None | Some(FileFormat::Json), Some(b'{')) => FileFormat::Ndjson,
        (None | Some(FileFormat::Ndjson), Some(b'[')) => FileFormat::Json,
        (named, Some(_)) => named.unwrap_or_default(),
    };
    let notes = match format {
        FileFormat::Csv => csv::read(source, row)?.note("column"),
        FileFormat::Json => json::read(source, row)?.note("key"),
        FileFormat::Ndjson => ndjson::read(source, row)?.note("key"),
    };
    Ok(Contents { format, notes: notes.into_iter().collect() })
}

/// Skips a byte order mark, and returns the first byte that is no white space; `None` if there is none.
fn open(source: &mut Source<impl Read>) -> Result<Option<u8>, ReadError> {
    while source.held().len() < BYTE_ORDER_MARK.len() && source.more()? {}
    if is_utf_16(source.held()) {
        return Err(ReadError::at(Position::START, "this is UTF-16: save it as UTF-8"));
    }
    if source.held().starts_with(BYTE_ORDER_MARK) {
        source.skip(BYTE_ORDER_MARK.len());
    }
    let mut seen = 0;
    loop {
        let unseen = source.held().get(seen..).unwrap_or_default();
        if let Some(first) = unseen.trim_ascii_start().first() {
            return Ok(Some(*first));
        }
        seen = source.held().len();
        if seen > source.limit {
            return Err(ReadError::at(
                Position::START,
                format!("there is nothing in the first {} MiB", source.limit >> 20),
            ));
        }
        if !source.more()? {
            return Ok(None);
        }
    }
}

/// Detects UTF-16 by its byte order mark, or by an ASCII character.
fn is_utf_16(first: &[u8]) -> bool {
    match first {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [0, other, ..] | [other, 0, ..] => *other != 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
