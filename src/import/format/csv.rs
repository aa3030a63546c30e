//! A table of comma-separated values (RFC 4180): its header, then a plant in each row.
//!
//! A line ends where a row does (LF, CRLF or CR), and at each LF within quotes.

use std::io::Read;

use csv_core::{ReadRecordResult, Reader};

use super::super::row::{ImportRow, RowFault, RowSink};
use super::error::{NO_UTF_8, ReadError, id_reason};
use super::ignored::Ignored;
use super::place::count;
use super::source::Source;
use crate::domain::plant::{Field, Plant};

/// Columns of a table at most.
const COLUMNS: usize = 1000;

const FIELDS: [Field; 3] = [Field::Name, Field::Id, Field::Tag];

/// Reads a table to its end; returns the columns that are not sent.
///
/// # Errors
///
/// It is broken, or cannot be read.
pub(super) fn read<R: Read>(source: Source<R>, row: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut table = Table::new(source);
    let mut ignored = Ignored::default();
    let mut header = None;
    while let Some(at) = table.next()? {
        if table.is_blank() {
            continue;
        }
        match &header {
            None => header = Some(Header::read(&table, &at, &mut ignored)?),
            Some(header) => {
                if row(parse(&table, &at, header)).is_break() {
                    break;
                }
            }
        }
    }
    Ok(ignored)
}

fn parse<R: Read>(table: &Table<R>, at: &At, header: &Header) -> Result<ImportRow, RowFault> {
    let line = at.line;
    let fault = |column: usize, field, reason| RowFault { line, column: column as u64, field, reason };
    if let Some(column) = at.misquoted {
        return Err(fault(column, None, MISQUOTED.to_owned()));
    }
    if table.fields != header.columns {
        let reason = format!(
            "{} here, and {} in the header; a value that has a comma stands in double quotes",
            counted(table.fields),
            header.columns
        );
        return Err(fault(table.fields.min(header.columns) + 1, None, reason));
    }
    let text = |column: usize, field| {
        str::from_utf8(table.field(column)).map_err(|_| fault(column + 1, Some(field), NO_UTF_8.to_owned()))
    };
    let name = text(header.name, Field::Name)?;
    let typed = text(header.id, Field::Id)?;
    let tag = text(header.tag, Field::Tag)?;
    let id = typed.parse().map_err(|why| fault(header.id + 1, Some(Field::Id), id_reason(&why, typed)))?;
    Ok(ImportRow { line, plant: Plant { name: name.to_owned(), id, tag: tag.to_owned() } })
}

const MISQUOTED: &str =
    "something follows a closing quote: quotes within a value are written twice, and stand within two more";

fn counted(values: usize) -> String {
    if values == 1 { "1 value".to_owned() } else { format!("{values} values") }
}

/// Which column is which, from 0.
struct Header {
    name: usize,
    id: usize,
    tag: usize,
    columns: usize,
}

impl Header {
    fn read<R: Read>(table: &Table<R>, at: &At, ignored: &mut Ignored) -> Result<Self, ReadError> {
        let broken = |column: usize, reason: String| Err(ReadError::at((at.line, column as u64), reason));
        if let Some(column) = at.misquoted {
            return broken(column, MISQUOTED.to_owned());
        }
        if table.fields > COLUMNS {
            return broken(COLUMNS + 1, format!("the header has more than {COLUMNS} columns"));
        }
        let mut found = [None; 3];
        for column in 0..table.fields {
            let title = String::from_utf8_lossy(table.field(column));
            let field = FIELDS.iter().position(|field| title.trim().eq_ignore_ascii_case(field.word()));
            match field.and_then(|field| found.get_mut(field)) {
                Some(Some(_)) => return broken(column + 1, format!("there are two columns {}", title.trim())),
                Some(place) => *place = Some(column),
                None if title.trim().is_empty() => ignored.met(&format!("{} (without a name)", column + 1)),
                None => ignored.met(title.trim()),
            }
        }
        match found {
            [Some(name), Some(id), Some(tag)] => Ok(Self { name, id, tag, columns: table.fields }),
            [None, None, None] => broken(1, otherwise(table.field(0))),
            found => {
                let missing: Vec<_> =
                    FIELDS.iter().zip(found).filter(|(_, at)| at.is_none()).map(|(field, _)| field.word()).collect();
                broken(1, format!("the header has no column {}", missing.join(" and none ")))
            }
        }
    }
}

/// What a first row without any of the names may be.
fn otherwise(first: &[u8]) -> String {
    let parts = |separator: u8| first.split(move |byte| *byte == separator).map(<[u8]>::trim_ascii);
    let is_header = |separator| FIELDS.iter().all(|field| parts(separator).any(|part| is_title(part, *field)));
    let separated = [(b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars")];
    if let Some((_, by)) = separated.into_iter().find(|(separator, _)| is_header(*separator)) {
        return format!("the columns are separated by {by}: save the table with commas");
    }
    if matches!(first.trim_ascii_start().first(), Some(b'[' | b'{')) {
        return "this looks like JSON and was to be read as CSV".to_owned();
    }
    "the first row is no header: it must name the columns name, id and tag, in any order".to_owned()
}

fn is_title(part: &[u8], field: Field) -> bool {
    let bare = part.strip_prefix(b"\"").and_then(|part| part.strip_suffix(b"\"")).unwrap_or(part);
    bare.trim_ascii().eq_ignore_ascii_case(field.word().as_bytes())
}

struct At {
    /// The line on which it begins.
    line: u64,
    /// The column, from 1, in which something follows a closing quote.
    misquoted: Option<usize>,
}

/// The rows of a table; the last one that was read is held.
struct Table<R> {
    source: Source<R>,
    parser: Reader,
    /// The line of the next byte.
    line: u64,
    /// Whether the last row ended in a CR: an LF right after it belongs to it.
    after_return: bool,
    /// The values of the row at hand, one after the other, and their ends: [`COLUMNS`] of them,
    /// and one more that the ends of all others share.
    values: Vec<u8>,
    length: usize,
    ends: Vec<usize>,
    fields: usize,
}

impl<R: Read> Table<R> {
    fn new(source: Source<R>) -> Self {
        let mut parser = Reader::new();
        // The byte order mark of the file is passed over already. What looks like another is a part of
        // a name; the parser would pass over it as well, if it happened to get it in one piece.
        let _ = parser.read_record(b"\n", &mut [0], &mut [0]);
        Self {
            source,
            parser,
            line: 1,
            after_return: false,
            values: vec![0; 4096],
            length: 0,
            ends: vec![0; COLUMNS + 1],
            fields: 0,
        }
    }

    /// A value of the row at hand, from 0.
    fn field(&self, column: usize) -> &[u8] {
        let end = |column: usize| self.ends.get(column).copied().unwrap_or_default();
        let start = column.checked_sub(1).map_or(0, end);
        self.values.get(start..end(column)).unwrap_or_default()
    }

    /// Whether the row at hand is a line with nothing but white space.
    fn is_blank(&self) -> bool {
        self.fields == 1 && self.field(0).trim_ascii().is_empty()
    }

    /// Reads the next row that has anything in it; `None` at the end.
    fn next(&mut self) -> Result<Option<At>, ReadError> {
        if !self.pass_line_ends()? {
            return Ok(None);
        }
        (self.length, self.fields) = (0, 0);
        let (mut size, mut is_last) = (0, false);
        loop {
            // The line end that the last row may lack: it ends every row but an open quote.
            let input = if is_last { b"\n" } else { self.source.held().get(size..).unwrap_or_default() };
            let values = self.values.get_mut(self.length..).unwrap_or_default();
            let ends = self.ends.get_mut(self.fields.min(COLUMNS)..).unwrap_or_default();
            let (result, read, written, ended) = self.parser.read_record(input, values, ends);
            size += if is_last { 0 } else { read };
            self.length += written;
            self.fields += ended;
            if size > self.source.limit {
                return Err(ReadError::endless((self.line, self.fields as u64 + 1), self.source.limit));
            }
            match result {
                ReadRecordResult::Record | ReadRecordResult::End => break,
                ReadRecordResult::OutputFull => self.values.resize(self.values.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::InputEmpty if is_last => {
                    let place = (self.line, self.fields as u64 + 1);
                    return Err(ReadError::at(place, "the quote that is opened in this row is never closed"));
                }
                ReadRecordResult::InputEmpty => is_last = !self.source.more()?,
            }
        }
        Ok(Some(self.counted(size, !is_last)))
    }

    /// Leaves the row behind, with its lines.
    fn counted(&mut self, size: usize, is_ended: bool) -> At {
        let raw = self.source.held().get(..size).unwrap_or_default();
        let line = self.line;
        let is_plain = size == self.length + self.fields - usize::from(!is_ended);
        let misquoted = if is_plain { None } else { misquoted(raw) };
        self.after_return = is_ended && raw.last() == Some(&b'\r');
        self.line += if is_plain { u64::from(is_ended) } else { count(b'\n', raw) + u64::from(self.after_return) };
        self.source.pass(size);
        At { line, misquoted }
    }

    /// Passes over line ends, those of empty lines too; `false` at the end of the file.
    fn pass_line_ends(&mut self) -> Result<bool, ReadError> {
        loop {
            match self.source.held().first().copied() {
                Some(b'\n') => self.line += u64::from(!std::mem::take(&mut self.after_return)),
                Some(b'\r') => {
                    self.line += 1;
                    self.after_return = true;
                }
                Some(_) => {
                    self.after_return = false;
                    return Ok(true);
                }
                None if self.source.more()? => continue,
                None => return Ok(false),
            }
            self.source.pass(1);
        }
    }
}

/// The column, from 1, in which something stands between a closing quote and the next comma.
///
/// The parser takes it for a part of the value, and would make one value of two.
fn misquoted(row: &[u8]) -> Option<usize> {
    let mut rest = row;
    for column in 1.. {
        rest = match rest.strip_prefix(b"\"") {
            Some(quoted) => behind_quote(quoted),
            None => {
                let length = rest.iter().position(|byte| matches!(byte, b',' | b'\r' | b'\n'));
                rest.get(length.unwrap_or(rest.len())..).unwrap_or_default()
            }
        };
        match rest.split_first() {
            Some((b',', next)) => rest = next,
            Some((b'\r' | b'\n', _)) | None => break,
            Some(_) => return Some(column),
        }
    }
    None
}

/// What stands behind the closing quote of a value that begins here.
fn behind_quote(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = rest.iter().position(|byte| *byte == b'"') {
        rest = rest.get(at + 1..).unwrap_or_default();
        match rest.strip_prefix(b"\"") {
            Some(after_two) => rest = after_two,
            None => return rest,
        }
    }
    &[]
}
