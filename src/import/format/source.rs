//! Reads a file in pieces, and holds the bytes of the current row together.

use std::io::{self, ErrorKind, Read};

/// Number of bytes that are read at once.
pub(super) const CHUNK: usize = 64 << 10;

/// The most bytes of padding at the end of a file that are left out.
const PADDING: usize = 1 << 20;

/// The byte that ends a text of DOS.
pub(super) const CTRL_Z: u8 = 0x1a;

/// A file, and the bytes that were read and not skipped yet. Padding at its end is left out.
pub(super) struct Source<R> {
    input: R,
    /// Greatest size of a row in bytes; whole MiB.
    pub(super) limit: usize,
    /// The bytes of one read.
    chunk: Vec<u8>,
    bytes: Vec<u8>,
    /// Number of bytes that were skipped.
    start: usize,
    /// Bytes at the end that pad the file, if nothing follows them.
    padding: usize,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, chunk: vec![0; CHUNK], bytes: Vec::new(), start: 0, padding: 0 }
    }

    /// Returns the bytes that were read and not skipped yet.
    pub(super) fn held(&self) -> &[u8] {
        self.bytes.get(self.start..self.end()).unwrap_or_default()
    }

    fn end(&self) -> usize {
        self.bytes.len() - if self.padding > PADDING { 0 } else { self.padding }
    }

    /// Reads more bytes, until there are more held than before; returns `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read; an interrupted read is repeated.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        let held = self.held().len();
        while self.held().len() == held {
            // No more than is there now: the rest of a pipe may come much later.
            let count = match self.input.read(&mut self.chunk) {
                Ok(0) => return Ok(false),
                Ok(count) => count,
                Err(why) if why.kind() == ErrorKind::Interrupted => continue,
                Err(why) => return Err(why),
            };
            let new = self.chunk.get(..count).unwrap_or_default();
            let padding = new.iter().rev().take_while(|byte| matches!(**byte, 0 | CTRL_Z)).count();
            self.padding = if padding == count { self.padding + padding } else { padding };
            self.bytes.drain(..std::mem::take(&mut self.start));
            self.bytes.extend_from_slice(new);
        }
        Ok(true)
    }

    /// Skips this many of the bytes held.
    pub(super) fn skip(&mut self, count: usize) {
        self.start = self.end().min(self.start + count);
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
    fn padding_is_held_only_if_something_follows_it() {
        for (all, held) in [("a\0b\x1a\0", "a\0b"), ("\0\0", ""), ("a\x1a\n", "a\x1a\n"), ("", "")] {
            let (mut whole, mut slow) =
                (Source::new(all.as_bytes(), 0), Source::new(ByteByByte(all.as_bytes(), false), 0));
            while whole.more().unwrap() {}
            while slow.more().unwrap() {}
            assert_eq!((whole.held(), slow.held()), (held.as_bytes(), held.as_bytes()), "{all:?}");
        }
        let all = vec![0; PADDING + 1];
        let mut endless = Source::new(all.as_slice(), 0);
        while endless.more().unwrap() {}
        assert_eq!(endless.held().len(), PADDING + 1, "not without end");
    }

    #[test]
    fn bytes_that_arrive_one_by_one_are_held_together() {
        let all = vec![b'x'; 300_000];
        let mut source = Source::new(ByteByByte(&all, false), 0);
        while source.more().unwrap() {}
        assert!(source.held() == all.as_slice());
    }
}
