//! Reads a file of plants, of any length: validates each row as it comes, and keeps none.
//!
//! Memory does not grow with the file: what is held is the row at hand, of 16 MiB at most.

mod csv;
mod error;
mod ignored;
mod json;
mod ndjson;
mod object;
mod place;
mod source;

use std::io::Read;

pub use error::ReadError;

use self::source::Source;
use super::row::RowSink;
use crate::domain::file_format::FileFormat;

/// Bytes of a row at most: far more than any plant, and little enough to be held.
const ROW: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What is known of a file that was read, beside its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub format: FileFormat,
    /// What a person should know, such as a column that is not sent.
    pub notes: Vec<String>,
}

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
pub fn read(input: impl Read, format: Option<FileFormat>, row: RowSink<'_>) -> Result<Contents, ReadError> {
    read_bounded(input, format, ROW, row)
}

/// [`read`] with another bound for a row, in whole MiB.
fn read_bounded(
    input: impl Read,
    format: Option<FileFormat>,
    limit: usize,
    row: RowSink<'_>,
) -> Result<Contents, ReadError> {
    let mut source = Source::new(input, limit);
    let format = match (format, open(&mut source)?) {
        (Some(FileFormat::Csv | FileFormat::Json), None) => {
            let reason = "there is nothing in it: plants come as CSV, as a JSON array or as NDJSON".to_owned();
            return Err(ReadError::Broken { at: None, reason });
        }
        // Nothing is as many objects as there are lines.
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

/// Passes over a byte order mark, and looks for the first byte that is no white space; `None` if there
/// is nothing else.
fn open(source: &mut Source<impl Read>) -> Result<Option<u8>, ReadError> {
    while source.held().len() < BYTE_ORDER_MARK.len() && source.more()? {}
    if is_utf_16(source.held()) {
        return Err(ReadError::at((1, 1), "this is UTF-16: save it as UTF-8"));
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
            return Err(ReadError::at((1, 1), format!("there is nothing in the first {} MiB", source.limit >> 20)));
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

#[cfg(test)]
mod tests;
