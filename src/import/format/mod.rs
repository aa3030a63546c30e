//! Reads a file of plants of any length, in CSV, JSON or NDJSON, and validates each row.
//!
//! Memory does not grow with the file: the reader holds one row, of 16 MiB at most.

mod csv;
mod error;
mod ignored;
mod json;
mod object;
mod position;
mod separator;
mod source;

use std::io::Read;

pub use error::ReadError;
pub use separator::Separator;

use self::json::Layout;
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
/// byte order mark; everything else is CSV. `{"plants": […]}` is JSON, too, and so are objects that follow each other
/// over several lines each. `format` decides between CSV and JSON only, and that an empty file is NDJSON. The columns of a
/// table are separated by `separator`; without it, by what the first line names or, as a header, has between the columns.
///
/// # Errors
///
/// The file is broken, or cannot be read. `row` was called before: nothing may be sent before this function
/// has returned.
pub fn read(
    input: impl Read,
    format: Option<FileFormat>,
    separator: Option<Separator>,
    row: RowSink<'_>,
) -> Result<Contents, ReadError> {
    read_bounded(input, format, separator, ROW, row)
}

/// Does the work of [`read`] with another greatest size of a row, in whole MiB.
fn read_bounded(
    input: impl Read,
    format: Option<FileFormat>,
    separator: Option<Separator>,
    limit: usize,
    row: RowSink<'_>,
) -> Result<Contents, ReadError> {
    let mut source = Source::new(input, limit);
    let format = match (format, open(&mut source)?) {
        (None | Some(FileFormat::Csv | FileFormat::Json), None) => return Err(ReadError::Empty),
        // An export without plants is an empty file.
        (Some(FileFormat::Ndjson), None) | (None | Some(FileFormat::Json), Some(b'{')) => FileFormat::Ndjson,
        (None | Some(FileFormat::Ndjson), Some(b'[')) => FileFormat::Json,
        (named, Some(_)) => named.unwrap_or_default(),
    };
    if format == FileFormat::Csv {
        return Ok(Contents { format, notes: csv::read(source, separator, row)? });
    }
    let layout = if format == FileFormat::Ndjson { Layout::of(&mut source)? } else { Layout::Array };
    let format = if layout == Layout::Lines { FileFormat::Ndjson } else { FileFormat::Json };
    Ok(Contents { format, notes: json::read(source, layout, row)?.notes("key") })
}

/// Skips a byte order mark, and returns the first byte that is no white space; `None` if there is none.
fn open(source: &mut Source<impl Read>) -> Result<Option<u8>, ReadError> {
    while source.held().len() < MAGIC && source.more()? {}
    if let Some(reason) = other_kind(source.held()).or_else(|| other_encoding(source.held())) {
        return Err(ReadError::at(Position::START, reason));
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
            let reason = format!("there is nothing in the first {} MiB", source.limit >> 20);
            return Err(ReadError::at(Position::START, reason));
        }
        if !source.more()? {
            return Ok(None);
        }
    }
}

/// The most first bytes by which a kind of file is recognised.
const MAGIC: usize = 8;

/// Recognises a file that is no text by its first bytes, and says what to do.
fn other_kind(first: &[u8]) -> Option<&'static str> {
    const WORKBOOK: &str =
        "this is a workbook, such as .xlsx or .ods: open it, save its sheet as CSV in UTF-8, and import that file";
    let kinds: [(&[u8], &str); 7] = [
        (b"PK\x03\x04", WORKBOOK),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", WORKBOOK),
        (b"\x1f\x8b", "this is compressed: gunzip -c FILE | plants import -"),
        (b"BZh", "this is compressed: bunzip2 -c FILE | plants import -"),
        (b"\xfd7zXZ\0", "this is compressed: unxz -c FILE | plants import -"),
        (b"\x28\xb5\x2f\xfd", "this is compressed: unzstd -c FILE | plants import -"),
        (b"%PDF-", "this is a PDF: plants come as CSV, as a JSON array or as NDJSON"),
    ];
    kinds.into_iter().find(|(begin, _)| first.starts_with(begin)).map(|(_, what)| what)
}

/// Detects UTF-16 and UTF-32 by their byte order marks, or by an ASCII character, and says what to do.
fn other_encoding(first: &[u8]) -> Option<&'static str> {
    match first {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, 1..=u8::MAX, ..] | [1..=u8::MAX, 0, 0, 0, ..] => {
            Some("this is UTF-32: save it as UTF-8")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=u8::MAX, ..] | [1..=u8::MAX, 0, ..] => {
            Some("this is UTF-16: save it as UTF-8")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
