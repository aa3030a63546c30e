//! Rows set down in a file that has no name, and read again in the same order.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::domain::import::ImportRow;
use crate::domain::{Plant, PlantId};

/// Rows on disk. They are gone with it, however the program ends.
#[derive(Debug)]
pub(super) struct Spool {
    file: BufWriter<File>,
    rows: u64,
}

impl Spool {
    /// An empty one: in this folder, or where it is to be made; else where the system keeps what is
    /// temporary, which may be in memory.
    ///
    /// # Errors
    ///
    /// No file can be made.
    pub(super) fn begin(folder: Option<&Path>) -> io::Result<Self> {
        let there = folder.and_then(|folder| folder.ancestors().find(|folder| folder.is_dir()));
        let made = there.and_then(|folder| tempfile::tempfile_in(folder).ok());
        let file = made.map_or_else(tempfile::tempfile, Ok)?;
        Ok(Self { file: BufWriter::new(file), rows: 0 })
    }

    /// Sets one more down.
    ///
    /// # Errors
    ///
    /// The disk takes no more.
    pub(super) fn push(&mut self, row: &ImportRow) -> io::Result<()> {
        let ImportRow { line, plant: Plant { name, id, tag } } = row;
        self.file.write_all(&line.to_le_bytes())?;
        self.file.write_all(&id.0.to_le_bytes())?;
        for text in [name, tag] {
            let length = u32::try_from(text.len()).map_err(|_| ErrorKind::InvalidInput)?;
            self.file.write_all(&length.to_le_bytes())?;
            self.file.write_all(text.as_bytes())?;
        }
        self.rows += 1;
        Ok(())
    }

    /// How many there are.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads them, from the first. Several may read, one after another.
    ///
    /// # Errors
    ///
    /// What was pushed last cannot be written, or nothing read.
    pub(super) fn read(&mut self) -> io::Result<Rows> {
        self.file.flush()?;
        let mut file = self.file.get_ref().try_clone()?;
        file.rewind()?;
        Ok(Rows { file: BufReader::with_capacity(64 * 1024, file), left: self.rows })
    }
}

/// Rows that are read again.
pub(super) struct Rows {
    file: BufReader<File>,
    left: u64,
}

impl Rows {
    fn number<const BYTES: usize>(&mut self) -> io::Result<[u8; BYTES]> {
        let mut bytes = [0; BYTES];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn text(&mut self) -> io::Result<String> {
        let length = u32::from_le_bytes(self.number()?);
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| ErrorKind::InvalidData)?];
        self.file.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
    }

    fn row(&mut self) -> io::Result<ImportRow> {
        let line = u64::from_le_bytes(self.number()?);
        let id = PlantId(i64::from_le_bytes(self.number()?));
        let (name, tag) = (self.text()?, self.text()?);
        Ok(ImportRow { line, plant: Plant { name, id, tag } })
    }
}

impl Iterator for Rows {
    type Item = io::Result<ImportRow>;

    fn next(&mut self) -> Option<io::Result<ImportRow>> {
        self.left = self.left.checked_sub(1)?;
        Some(self.row())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_down_is_read_again_as_often_as_one_likes() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::begin(Some(folder.path())).unwrap();
        let texts = ["", "Monstera", "a\0\n\"🌱", "x".repeat(100_000).leak()];
        let row = |(place, id): (usize, i64)| {
            let (name, tag) = (texts[place % 4].to_owned(), texts[(place + 1) % 4].to_owned());
            ImportRow { line: place as u64 + 2, plant: Plant { name, id: PlantId(id), tag } }
        };
        let rows: Vec<_> = (0..50).zip(i64::MIN..).map(row).collect();
        for row in &rows {
            spool.push(row).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(spool.read().unwrap().collect::<io::Result<Vec<_>>>().unwrap(), rows);
        }
        // It has no name that anybody could find.
        assert_eq!((spool.rows(), std::fs::read_dir(folder.path()).unwrap().count()), (50, 0));
    }
}
