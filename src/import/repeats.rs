//! Ids that repeat within a file, found in memory that does not grow with it: sorted on disk, a run
//! at a time, and merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::os::unix::fs::FileExt as _;

use crate::domain::PlantId;

/// Ids that are sorted in memory.
const RUN: usize = 1 << 16;

/// Bytes of an id with its place.
const ENTRY: usize = 16;

/// Bytes read at once of each run.
const READ: usize = 4096;

/// An id and where in its file the row stands that has it.
type Entry = (i64, u64);

/// The ids of a file's rows. What they take on disk is gone with them.
#[derive(Debug)]
pub(super) struct Ids {
    run: Vec<Entry>,
    /// Sorted runs of [`RUN`] entries each.
    runs: BufWriter<File>,
    count: u64,
}

impl Ids {
    /// None yet; `file` is empty.
    pub(super) fn new(file: File) -> Self {
        Self { run: Vec::new(), runs: BufWriter::new(file), count: 0 }
    }

    /// Takes one more.
    ///
    /// # Errors
    ///
    /// The disk takes no more.
    pub(super) fn push(&mut self, id: PlantId, place: u64) -> io::Result<()> {
        self.run.push((id.0, place));
        if self.run.len() < RUN { Ok(()) } else { self.write_run() }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.run.sort_unstable();
        for (id, place) in self.run.drain(..) {
            self.runs.write_all(&id.to_le_bytes())?;
            self.runs.write_all(&place.to_le_bytes())?;
            self.count += 1;
        }
        Ok(())
    }

    /// Calls `found` with each place whose id an earlier place has: with the first place of the id,
    /// then with it. Places of one id come in order, one id after another.
    ///
    /// # Errors
    ///
    /// The runs cannot be written or read, or what `found` returns.
    pub(super) fn repeats(mut self, found: &mut dyn FnMut(u64, u64) -> io::Result<()>) -> io::Result<()> {
        self.run.sort_unstable();
        self.runs.flush()?;
        let last = std::mem::take(&mut self.run).into_iter();
        let file = self.runs.get_ref();
        let (run, all) = ((RUN * ENTRY) as u64, self.count * ENTRY as u64);
        let begins = (0..self.count.div_ceil(RUN as u64)).map(|nth| nth * run);
        let mut runs: Vec<_> =
            begins.map(|at| Run::Written(entries_of(file, at, (at + run).min(all)))).chain([Run::Last(last)]).collect();
        let mut next = BinaryHeap::with_capacity(runs.len());
        for (nth, run) in runs.iter_mut().enumerate() {
            next.extend(run.next()?.map(|entry| Reverse((entry, nth))));
        }
        let mut first: Option<Entry> = None;
        while let Some(Reverse(((id, place), nth))) = next.pop() {
            match first {
                Some((of, first)) if of == id => found(first, place)?,
                Some(_) | None => first = Some((id, place)),
            }
            if let Some(run) = runs.get_mut(nth) {
                next.extend(run.next()?.map(|entry| Reverse((entry, nth))));
            }
        }
        Ok(())
    }
}

/// Entries in order.
enum Run<'a> {
    Written(BufReader<Part<'a>>),
    Last(std::vec::IntoIter<Entry>),
}

impl Run<'_> {
    fn next(&mut self) -> io::Result<Option<Entry>> {
        let written = match self {
            Self::Written(written) => written,
            Self::Last(last) => return Ok(last.next()),
        };
        if written.buffer().is_empty() && written.get_ref().is_over() {
            return Ok(None);
        }
        let (mut id, mut place) = ([0; 8], [0; 8]);
        written.read_exact(&mut id)?;
        written.read_exact(&mut place)?;
        Ok(Some((i64::from_le_bytes(id), u64::from_le_bytes(place))))
    }
}

fn entries_of(file: &File, at: u64, end: u64) -> BufReader<Part<'_>> {
    BufReader::with_capacity(READ, Part { file, at, end })
}

/// A part of a file, read without moving the file's own place: several may be read at once.
pub(super) struct Part<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl<'a> Part<'a> {
    /// From a place to the end.
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
        let count = self.file.read_at(buffer.get_mut(..most).unwrap_or_default(), self.at)?;
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
        for (place, id) in (0..).zip(ids) {
            all.push(PlantId(*id), place).unwrap();
        }
        let mut found = Vec::new();
        let mut note = |first, place| {
            found.push((first, place));
            Ok(())
        };
        all.repeats(&mut note).unwrap();
        found.sort_unstable();
        found
    }

    #[test]
    fn each_repeat_is_found_with_the_first_of_its_id() {
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
            for (place, id) in (0..).zip(&ids) {
                let first = *firsts.entry(id).or_insert(place);
                expected.extend((first != place).then_some((first, place)));
            }
            expected.sort_unstable();
            assert!(repeats(&ids) == expected, "{count}");
        }
    }
}
