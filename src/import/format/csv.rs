//! Reads a table of comma-separated values (RFC 4180): a header, then a plant in each row.
//!
//! Lines are counted at the end of each row (LF, CRLF or CR), and at each LF within quotes.

use std::io::Read;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::super::row::{ImportRow, RowFault, RowNumber, RowSink};
use super::error::{NO_UTF_8, ReadError, id_reason};
use super::ignored::Ignored;
use super::position::{Position, count};
use super::separator::Separator;
use super::source::{CTRL_Z, Source};
use crate::domain::plant::{Field, Plant};

/// Greatest number of columns of a table.
const COLUMNS: usize = 1000;

const FIELDS: [Field; 3] = [Field::Name, Field::Id, Field::Tag];

/// Reads a table to its end; returns remarks: the separator that was found, the columns that are not sent.
///
/// # Errors
///
/// The table is broken, or the file cannot be read.
pub(super) fn read<R: Read>(
    mut source: Source<R>,
    separator: Option<Separator>,
    row: RowSink<'_>,
) -> Result<Vec<String>, ReadError> {
    let first = first_line(&mut source)?;
    let named = separator_line(&first);
    // The option is what a person says of this file now.
    let found = separator.or(named).or_else(|| separator_of(&first)).unwrap_or_default();
    let mut table = Table::new(source, found);
    if named.is_some() {
        // A line for Excel.
        table.next()?;
    }
    let mut ignored = Ignored::default();
    let mut header = None;
    while table.next()? {
        if table.is_blank() {
            continue;
        }
        match &header {
            None => header = Some(Header::read(&table, &first, &mut ignored)?),
            Some(header) => {
                if row(parse(&table, header)).is_break() {
                    break;
                }
            }
        }
    }
    let is_found = separator.is_none() && found != Separator::default();
    let note = is_found.then(|| format!("The columns are separated by {}s.", found.word()));
    Ok(note.into_iter().chain(ignored.notes("column")).collect())
}

fn parse<R: Read>(table: &Table<R>, header: &Header) -> Result<ImportRow, RowFault> {
    let line = table.begin;
    let fault = |column: usize, field, reason| RowFault { line, column: column as u64, field, reason };
    if let Some(column) = table.misquoted {
        return Err(fault(column, None, MISQUOTED.to_owned()));
    }
    if table.fields != header.columns {
        let advice = if table.fields < header.columns {
            "also where a value is empty, and close every double quote in its row"
        } else {
            "only in double quotes where it belongs to a value"
        };
        let advice = format!("write a {} {advice}", table.separator.word());
        let reason = format!("{} here, and {} in the header; {advice}", counted(table.fields), header.columns);
        return Err(fault(table.fields.min(header.columns) + 1, None, reason));
    }
    let text = |column: usize, field| {
        str::from_utf8(table.field(column)).map_err(|_| fault(column + 1, Some(field), NO_UTF_8.to_owned()))
    };
    let [name, column, tag] = header.fields;
    let (name, typed, tag) = (text(name, Field::Name)?, text(column, Field::Id)?, text(tag, Field::Tag)?);
    let id = typed.parse().map_err(|why| fault(column + 1, Some(Field::Id), id_reason(&why, typed)))?;
    Ok(ImportRow { number: RowNumber::of_line(line), plant: Plant { name: name.to_owned(), id, tag: tag.to_owned() } })
}

pub(super) const NEVER_CLOSED: &str = "a quote opens here and is never closed, so that the rows after it were not read; --skip-bad does \
                            not leave it out: close the quote";

const MISQUOTED: &str = "something follows a closing quote: write quotes within a value twice, and the value in quotes";

fn counted(values: usize) -> String {
    if values == 1 { "1 value".to_owned() } else { format!("{values} values") }
}

struct Header {
    /// The columns of name, id and tag, from 0.
    fields: [usize; 3],
    /// Number of all columns.
    columns: usize,
}

impl Header {
    /// Reads the names of the columns; `line` is the first line of the file as it is.
    fn read<R: Read>(table: &Table<R>, line: &[u8], ignored: &mut Ignored) -> Result<Self, ReadError> {
        let broken = |column: usize, reason: String| {
            Err(ReadError::at(Position { line: table.begin, column: column as u64 }, reason))
        };
        if let Some(other) = separator_of(line).filter(|other| *other != table.separator) {
            let word = other.word();
            return broken(
                1,
                format!("the columns are separated by {word}s: plants import --separator {word} reads the file"),
            );
        }
        if let Some(column) = table.misquoted {
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
                Some(unset) => *unset = Some(column),
                None if title.trim().is_empty() => ignored.add(&format!("{} (without a name)", column + 1)),
                None => ignored.add(title.trim()),
            }
        }
        match found {
            [Some(name), Some(id), Some(tag)] => Ok(Self { fields: [name, id, tag], columns: table.fields }),
            [None, None, None] if matches!(table.field(0).trim_ascii_start().first(), Some(b'[' | b'{')) => {
                broken(1, "this looks like JSON and was to be read as CSV".to_owned())
            }
            [None, None, None] => {
                let must = "it must name the columns name, id and tag, in any order";
                broken(1, format!("the first row is no header: {must}"))
            }
            found => {
                let missing = FIELDS.iter().zip(found).filter(|(_, at)| at.is_none()).map(|(field, _)| field.word());
                let missing = missing.collect::<Vec<_>>().join(" and none ");
                broken(1, format!("the header has no column {missing}: write name,id,tag into the first line"))
            }
        }
    }
}

/// Returns the separator with which a line is a header.
fn separator_of(line: &[u8]) -> Option<Separator> {
    let is_header = |separator: &Separator| {
        let mut parts = line.split(|byte| *byte == separator.byte()).map(<[u8]>::trim_ascii);
        FIELDS.iter().all(|field| parts.clone().any(|part| is_title(part, *field))) && parts.next().is_some()
    };
    Separator::ALL.into_iter().find(is_header)
}

/// Reads until the first line that is not blank is held, or much of it; returns a copy of it.
fn first_line(source: &mut Source<impl Read>) -> Result<Vec<u8>, ReadError> {
    const MOST: usize = 64 * 1024;
    loop {
        let line = source.held().trim_ascii_start();
        let end = line.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
        if end.is_some() || line.len() > MOST || !source.more()? {
            let line = source.held().trim_ascii_start();
            return Ok(line.get(..end.unwrap_or(line.len().min(MOST))).unwrap_or_default().to_vec());
        }
    }
}

/// Returns the separator that a line names for Excel, like `sep=;`.
fn separator_line(line: &[u8]) -> Option<Separator> {
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let name = line.get(..4).filter(|name| name.eq_ignore_ascii_case(b"sep="));
    let byte = name.and_then(|_| line.get(4..)).map(|rest| if rest == b"\t" { rest } else { rest.trim_ascii() })?;
    Separator::ALL.into_iter().find(|separator| byte == [separator.byte()])
}

fn is_title(part: &[u8], field: Field) -> bool {
    let bare = part.strip_prefix(b"\"").and_then(|part| part.strip_suffix(b"\"")).unwrap_or(part);
    bare.trim_ascii().eq_ignore_ascii_case(field.word().as_bytes())
}

fn parser(separator: Separator) -> Reader {
    let mut parser = ReaderBuilder::new().delimiter(separator.byte()).build();
    // `open` has skipped the byte order mark. A second one is a part of a name, but the parser would
    // skip it at the start of its input.
    let _ = parser.read_record(b"\n", &mut [0], &mut [0]);
    parser
}

/// The rows of a table, of which the current one is held.
struct Table<R> {
    source: Source<R>,
    separator: Separator,
    parser: Reader,
    /// First line of the current row.
    begin: u64,
    /// Column of the current row, from 1, in which something follows a closing quote.
    misquoted: Option<usize>,
    /// Line of the next byte.
    line: u64,
    /// Whether the last row ended with CR: an LF right after CR belongs to it.
    after_return: bool,
    /// The values of the current row, one after another, and their ends: [`COLUMNS`] of them, and one more
    /// for all further columns.
    values: Vec<u8>,
    length: usize,
    ends: Vec<usize>,
    fields: usize,
}

impl<R: Read> Table<R> {
    fn new(source: Source<R>, separator: Separator) -> Self {
        Self {
            source,
            separator,
            parser: parser(separator),
            begin: 1,
            misquoted: None,
            line: 1,
            after_return: false,
            values: vec![0; 4096],
            length: 0,
            ends: vec![0; COLUMNS + 1],
            fields: 0,
        }
    }

    /// Returns a value of the current row, from 0.
    fn field(&self, column: usize) -> &[u8] {
        let end = |column: usize| self.ends.get(column).copied().unwrap_or_default();
        let start = column.checked_sub(1).map_or(0, end);
        self.values.get(start..end(column)).unwrap_or_default()
    }

    /// Returns whether every value of the current row is empty, but for white space and Ctrl-Z.
    fn is_blank(&self) -> bool {
        let mut values = self.values.iter().take(self.length);
        values.all(|byte| byte.is_ascii_whitespace() || *byte == CTRL_Z)
    }

    /// Reads the next row that is not empty; returns `false` at the end.
    fn next(&mut self) -> Result<bool, ReadError> {
        if !self.skip_line_ends()? {
            return Ok(false);
        }
        (self.length, self.fields) = (0, 0);
        let (mut size, mut is_last) = (0, false);
        loop {
            // Adds a line end after the last row, which ends any row without an open quote.
            let input = if is_last { b"\n" } else { self.source.held().get(size..).unwrap_or_default() };
            let values = self.values.get_mut(self.length..).unwrap_or_default();
            let ends = self.ends.get_mut(self.fields.min(COLUMNS)..).unwrap_or_default();
            let (result, read, written, ended) = self.parser.read_record(input, values, ends);
            size += if is_last { 0 } else { read };
            self.length += written;
            self.fields += ended;
            if size > self.source.limit {
                return Err(ReadError::endless(self.position(), self.source.limit));
            }
            match result {
                ReadRecordResult::Record | ReadRecordResult::End => break,
                ReadRecordResult::OutputFull => self.values.resize(self.values.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::InputEmpty if is_last => {
                    return Err(ReadError::at(self.position(), NEVER_CLOSED));
                }
                ReadRecordResult::InputEmpty => is_last = !self.source.more()?,
            }
        }
        self.finish_row(size, !is_last);
        Ok(true)
    }

    /// Returns the position of the value that is being read.
    fn position(&self) -> Position {
        Position { line: self.line, column: self.fields as u64 + 1 }
    }

    /// Skips the bytes of the row, and counts its lines.
    fn finish_row(&mut self, size: usize, is_ended: bool) {
        let raw = self.source.held().get(..size).unwrap_or_default();
        self.misquoted = if raw.contains(&b'"') { misquoted(raw, self.separator.byte()) } else { None };
        self.begin = self.line;
        self.after_return = is_ended && raw.last() == Some(&b'\r');
        self.line += count(b'\n', raw) + u64::from(self.after_return);
        self.source.skip(size);
    }

    /// Skips line ends, also of empty lines; returns `false` at the end of the file.
    fn skip_line_ends(&mut self) -> Result<bool, ReadError> {
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
            self.source.skip(1);
        }
    }
}

/// Returns the column, from 1, in which something follows a closing quote. The parser accepts this, and would
/// join two values.
fn misquoted(row: &[u8], separator: u8) -> Option<usize> {
    let (mut column, mut is_begin, mut is_quoted, mut is_closed) = (1, true, false, false);
    for byte in row {
        match byte {
            b'"' if is_begin => is_quoted = true,
            // Two quotes are one of the value.
            b'"' if is_quoted || is_closed => (is_quoted, is_closed) = (is_closed, is_quoted),
            _ if is_quoted => {}
            byte if *byte == separator => (column, is_closed) = (column + 1, false),
            b'\r' | b'\n' => {}
            _ if is_closed => return Some(column),
            _ => {}
        }
        is_begin = !is_quoted && *byte == separator;
    }
    None
}
