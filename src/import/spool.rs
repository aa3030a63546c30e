//! Writes rows to an unnamed temporary file, and reads them in the same order.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek as _, Write as _};
use std::num::NonZeroU64;
use std::path::Path;

use tokio_util::sync::CancellationToken;

use super::decision::Repeat;
use super::repeats::{Ids, Part};
use super::row::{ImportRow, RowNumber};
use crate::domain::{Plant, PlantId};
use crate::os::files::write_all_at;

/// Size of the read buffer for a single row.
const LOOK_UP: usize = 512;

/// The mark of the first row with its id.
const FIRST: RowNumber = RowNumber { line: 0, element: None };

/// The mark of a row that is the same as the first one with its id.
const SAME: RowNumber = RowNumber { line: u64::MAX, element: None };

/// Rows on disk. The system deletes them when the program ends, also by a crash.
#[derive(Debug)]
pub(super) struct Spool {
    file: BufWriter<File>,
    rows: u64,
    bytes: u64,
    /// `None` once the repeats are marked.
    ids: Option<Ids>,
}

impl Spool {
    /// Creates the file in `folder`, or the nearest existing folder above it; if that fails, in the system's
    /// temporary folder, which may be in memory.
    ///
    /// # Errors
    ///
    /// No file can be created.
    pub(super) fn begin(folder: Option<&Path>) -> io::Result<Self> {
        let existing = folder.and_then(|folder| folder.ancestors().find(|folder| folder.is_dir()));
        let new = || existing.and_then(|folder| tempfile::tempfile_in(folder).ok()).map_or_else(tempfile::tempfile, Ok);
        Ok(Self { file: BufWriter::new(new()?), rows: 0, bytes: 0, ids: Some(Ids::new(new()?)) })
    }

    /// # Errors
    ///
    /// The row cannot be written.
    pub(super) fn push(&mut self, row: &ImportRow) -> io::Result<()> {
        let ImportRow { number, plant: Plant { name, id, tag } } = row;
        if let Some(ids) = &mut self.ids {
            ids.push(*id, self.bytes)?;
        }
        self.write(&marked(Repeat::First))?;
        self.write(&encoded(*number))?;
        self.write(&id.0.to_le_bytes())?;
        for text in [name, tag] {
            let length = u32::try_from(text.len()).map_err(|_| ErrorKind::InvalidInput)?;
            self.write(&length.to_le_bytes())?;
            self.write(text.as_bytes())?;
        }
        self.rows += 1;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Marks each row whose id an earlier row has. To be called once, after the last row; ends early if
    /// `stop` is cancelled.
    ///
    /// # Errors
    ///
    /// The rows cannot be written or read.
    pub(super) fn mark_repeats(&mut self, stop: &CancellationToken) -> io::Result<()> {
        let Some(ids) = self.ids.take() else { return Ok(()) };
        self.file.flush()?;
        let file = self.file.get_ref();
        let mut first: Option<(u64, ImportRow)> = None;
        let marked = ids.repeats(&mut |first_offset, offset| {
            if stop.is_cancelled() {
                return Err(io::Error::other("stopped"));
            }
            if first.as_ref().is_none_or(|(at, _)| *at != first_offset) {
                first = Some((first_offset, row_at(file, first_offset)?));
            }
            let Some((_, first)) = &first else { return Ok(()) };
            let is_same = first.plant == row_at(file, offset)?.plant;
            let mark = marked(if is_same { Repeat::Same } else { Repeat::Other(first.number) });
            write_all_at(file, &mark, offset)
        });
        if stop.is_cancelled() { Ok(()) } else { marked }
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads the rows from the first. To be called as often as needed, but not while another reader is in use.
    ///
    /// # Errors
    ///
    /// The last rows cannot be written, or the file cannot be read.
    pub(super) fn read(&mut self) -> io::Result<Rows> {
        self.file.flush()?;
        let mut file = self.file.get_ref().try_clone()?;
        file.rewind()?;
        Ok(Rows { file: BufReader::with_capacity(64 * 1024, file), left: self.rows })
    }
}

fn encoded(number: RowNumber) -> [u8; 16] {
    let mut bytes = [0; 16];
    let (line, element) = bytes.split_at_mut(8);
    line.copy_from_slice(&number.line.to_le_bytes());
    element.copy_from_slice(&number.element.map_or(0, NonZeroU64::get).to_le_bytes());
    bytes
}

fn row_number(from: &mut impl Read) -> io::Result<RowNumber> {
    let line = u64::from_le_bytes(number(from)?);
    Ok(RowNumber { line, element: NonZeroU64::new(u64::from_le_bytes(number(from)?)) })
}

/// Writes a mark as the number of the first row that differs: no line is 0, and none is the last number.
fn marked(repeat: Repeat) -> [u8; 16] {
    encoded(match repeat {
        Repeat::First => FIRST,
        Repeat::Same => SAME,
        Repeat::Other(number) => number,
    })
}

fn row_at(file: &File, offset: u64) -> io::Result<ImportRow> {
    Ok(row(&mut BufReader::with_capacity(LOOK_UP, Part::from(file, offset)))?.0)
}

fn row(from: &mut impl Read) -> io::Result<(ImportRow, Repeat)> {
    let repeat = match row_number(from)? {
        FIRST => Repeat::First,
        SAME => Repeat::Same,
        number => Repeat::Other(number),
    };
    let own = row_number(from)?;
    let id = PlantId(i64::from_le_bytes(number(from)?));
    let (name, tag) = (text(from)?, text(from)?);
    Ok((ImportRow { number: own, plant: Plant { name, id, tag } }, repeat))
}

fn number<const BYTES: usize>(from: &mut impl Read) -> io::Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn text(from: &mut impl Read) -> io::Result<String> {
    let length = u32::from_le_bytes(number(from)?);
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| ErrorKind::InvalidData)?];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
}

/// The rows of a [`Spool`], each with whether its id repeats.
pub(super) struct Rows {
    file: BufReader<File>,
    left: u64,
}

impl Iterator for Rows {
    type Item = io::Result<(ImportRow, Repeat)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(row(&mut self.file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_can_be_read_more_than_once_in_the_same_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::begin(Some(folder.path())).unwrap();
        let texts = ["", "Monstera", "a\0\n\"🌱", "x".repeat(100_000).leak()];
        let row = |(nth, id): (usize, i64)| {
            let (name, tag) = (texts[nth % 4].to_owned(), texts[(nth + 1) % 4].to_owned());
            ImportRow {
                number: RowNumber { line: nth as u64 + 2, element: NonZeroU64::new(nth as u64) },
                plant: Plant { name, id: PlantId(id), tag },
            }
        };
        let rows: Vec<_> = (0..50).zip(i64::MIN..).map(row).collect();
        for row in &rows {
            spool.push(row).unwrap();
        }
        for _ in 0..2 {
            let read = spool.read().unwrap().collect::<io::Result<Vec<_>>>().unwrap();
            assert_eq!(read.into_iter().map(|(row, _)| row).collect::<Vec<_>>(), rows);
        }
        assert_eq!(spool.rows(), 50);
        drop(spool);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_row_whose_id_repeats_is_marked() {
        let mut spool = Spool::begin(None).unwrap();
        let long = "x".repeat(10 * LOOK_UP);
        for (line, (id, name)) in (2..).zip([(7, "a"), (8, &long), (7, "a"), (8, &long), (8, "b"), (7, "b"), (9, "a")])
        {
            let plant = Plant { name: name.to_owned(), id: PlantId(id), tag: "t".to_owned() };
            spool.push(&ImportRow { number: RowNumber::of_line(line), plant }).unwrap();
        }
        spool.mark_repeats(&CancellationToken::new()).unwrap();
        let marks: Vec<_> = spool.read().unwrap().map(|row| row.unwrap().1).collect();
        let expected = [
            Repeat::First,
            Repeat::First,
            Repeat::Same,
            Repeat::Same,
            Repeat::Other(RowNumber::of_line(3)),
            Repeat::Other(RowNumber::of_line(2)),
        ];
        assert_eq!((&marks[..6], marks[6]), (&expected[..], Repeat::First));
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        #[test]
        fn the_file_has_no_name_in_the_folder() {
            let folder = tempfile::tempdir().unwrap();
            let _spool = Spool::begin(Some(folder.path())).unwrap();
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
