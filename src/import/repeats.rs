//! Finds ids that repeat within a file, in constant memory: an external merge sort.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write as _};

use crate::domain::PlantId;
use crate::os::files::read_at;

/// Number of ids that are sorted in memory.
const RUN: usize = 1 << 16;

/// Bytes of an [`Entry`] on disk.
const ENTRY: usize = 16;

/// Size of the read buffer of each run.
const READ: usize = 4096;

/// An id, and the offset of its row in the file of rows.
type Entry = (i64, u64);

/// The ids of a file's rows.
#[derive(Debug)]
pub(super) struct Ids {
    run: Vec<Entry>,
    /// Sorted runs of [`RUN`] entries each.
    runs: BufWriter<File>,
    count: u64,
}

impl Ids {
    /// Takes an empty temporary file.
    pub(super) fn new(file: File) -> Self {
        Self { run: Vec::new(), runs: BufWriter::new(file), count: 0 }
    }

    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn push(&mut self, id: PlantId, offset: u64) -> io::Result<()> {
        self.run.push((id.0, offset));
        if self.run.len() < RUN { Ok(()) } else { self.write_run() }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.run.sort_unstable();
        for (id, offset) in self.run.drain(..) {
            self.runs.write_all(&id.to_le_bytes())?;
            self.runs.write_all(&offset.to_le_bytes())?;
            self.count += 1;
        }
        Ok(())
    }

    /// Calls `found` for each row whose id an earlier row has, with the offset of the first row of the id
    /// and that of the row. The rows of one id come in order, one id after another.
    ///
    /// # Errors
    ///
    /// The runs cannot be written or read, or `found` fails.
    pub(super) fn repeats(mut self, found: &mut dyn FnMut(u64, u64) -> io::Result<()>) -> io::Result<()> {
        self.run.sort_unstable();
        self.runs.flush()?;
        let last = std::mem::take(&mut self.run).into_iter();
        let file = self.runs.get_ref();
        let (run, all) = ((RUN * ENTRY) as u64, self.count * ENTRY as u64);
        let begins = (0..self.count.div_ceil(RUN as u64)).map(|nth| nth * run);
        let mut runs: Vec<_> =
            begins.map(|at| Run::written(file, at, (at + run).min(all))).chain([Run::Last(last)]).collect();
        let mut next = BinaryHeap::with_capacity(runs.len());
        for (nth, run) in runs.iter_mut().enumerate() {
            next.extend(run.next()?.map(|entry| Reverse((entry, nth))));
        }
        let mut first: Option<Entry> = None;
        while let Some(Reverse(((id, offset), nth))) = next.pop() {
            match first {
                Some((of, first)) if of == id => found(first, offset)?,
                Some(_) | None => first = Some((id, offset)),
            }
            if let Some(run) = runs.get_mut(nth) {
                next.extend(run.next()?.map(|entry| Reverse((entry, nth))));
            }
        }
        Ok(())
    }
}

/// Sorted entries.
enum Run<'a> {
    Written(BufReader<Part<'a>>),
    Last(std::vec::IntoIter<Entry>),
}

impl<'a> Run<'a> {
    fn written(file: &'a File, at: u64, end: u64) -> Self {
        Self::Written(BufReader::with_capacity(READ, Part { file, at, end }))
    }

    fn next(&mut self) -> io::Result<Option<Entry>> {
        let written = match self {
            Self::Written(written) => written,
            Self::Last(last) => return Ok(last.next()),
        };
        if written.buffer().is_empty() && written.get_ref().is_over() {
            return Ok(None);
        }
        let (mut id, mut offset) = ([0; 8], [0; 8]);
        written.read_exact(&mut id)?;
        written.read_exact(&mut offset)?;
        Ok(Some((i64::from_le_bytes(id), u64::from_le_bytes(offset))))
    }
}

/// A part of a file. Reads without the file's own position, so that several parts can be read at once.
pub(super) struct Part<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl<'a> Part<'a> {
    /// Reads from an offset to the end of the file.
    pub(super) fn from(file: &'a File, at: u64) -> Self {
        Self { file, at, end: u64::MAX }
    }

    fn is_over(&self) -> bool {
        self.at >= self.end
    }
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let count = read_at(self.file, buffer.get_mut(..most).unwrap_or_default(), self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn repeats(ids: &[i64]) -> Vec<(u64, u64)> {
        let mut all = Ids::new(tempfile::tempfile().unwrap());
        for (offset, id) in (0..).zip(ids) {
            all.push(PlantId(*id), offset).unwrap();
        }
        let mut found = Vec::new();
        let mut note = |first, offset| {
            found.push((first, offset));
            Ok(())
        };
        all.repeats(&mut note).unwrap();
        found.sort_unstable();
        found
    }

    #[test]
    fn each_repeat_is_found_with_the_first_row_of_its_id() {
        assert_eq!(repeats(&[]), []);
        assert_eq!(repeats(&[i64::MAX, 0, i64::MIN]), []);
        assert_eq!(repeats(&[7, -7, 7, i64::MIN, 7, i64::MIN]), [(0, 2), (0, 4), (3, 5)]);
    }

    #[test]
    fn repeats_are_found_across_runs() {
        for count in [RUN - 1, RUN, RUN + 1, 2 * RUN + 17, 3 * RUN] {
            let mut random = fastrand::Rng::with_seed(count as u64);
            let most = i64::try_from(count).unwrap();
            let ids: Vec<_> = (0..count).map(|_| random.i64(-most..most)).collect();
            let (mut firsts, mut expected) = (HashMap::new(), Vec::new());
            for (offset, id) in (0..).zip(&ids) {
                let first = *firsts.entry(id).or_insert(offset);
                expected.extend((first != offset).then_some((first, offset)));
            }
            expected.sort_unstable();
            assert!(repeats(&ids) == expected, "{count}");
        }
    }
}
