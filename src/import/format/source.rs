//! Reads a file in pieces, and holds the bytes of the current row together.

use std::io::{self, ErrorKind, Read};

/// Number of bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// A file, and the bytes that were read and not skipped yet.
pub(super) struct Source<R> {
    input: R,
    /// Greatest size of a row in bytes; whole MiB.
    pub(super) limit: usize,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, bytes: vec![0; 2 * CHUNK], start: 0, end: 0 }
    }

    /// Returns the bytes that were read and not skipped yet.
    pub(super) fn held(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Reads more bytes after those held; returns `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read; an interrupted read is repeated.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        if self.bytes.len() - self.end < CHUNK {
            self.make_room();
        }
        let room = self.bytes.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.input.read(room) {
                Ok(count) => {
                    self.end += count.min(room.len());
                    return Ok(count > 0);
                }
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
    }

    /// Skips this many of the bytes held.
    pub(super) fn skip(&mut self, count: usize) {
        self.start = self.end.min(self.start + count);
    }

    /// Moves the bytes held to the front of the buffer, and doubles the buffer if they fill half of it, so
    /// that each byte is moved a few times at most.
    fn make_room(&mut self) {
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end > self.bytes.len() / 2 {
            self.bytes.resize(self.bytes.len() * 2, 0);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A reader that returns a byte at a time, and is interrupted before each.
    pub(crate) struct ByteByByte<'a>(pub(crate) &'a [u8], pub(crate) bool);

    impl Read for ByteByByte<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::Interrupted.into()) } else { self.0.read(room.get_mut(..1).unwrap_or_default()) }
        }
    }

    #[test]
    fn skipped_bytes_are_no_longer_held() {
        let all: Vec<u8> = (0..1_000_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        for skipped in [1, 7, 65_536, 100_000] {
            let mut source = Source::new(all.as_slice(), 0);
            let mut seen = Vec::new();
            while source.more().unwrap() {
                while source.held().len() >= skipped {
                    seen.extend_from_slice(&source.held()[..skipped]);
                    source.skip(skipped);
                }
            }
            seen.extend_from_slice(source.held());
            assert!(seen == all, "{skipped}");
        }
    }

    #[test]
    fn bytes_that_arrive_one_by_one_are_held_together() {
        let all = vec![b'x'; 300_000];
        let mut source = Source::new(ByteByByte(&all, false), 0);
        while source.more().unwrap() {}
        assert!(source.held() == all.as_slice());
    }
}
