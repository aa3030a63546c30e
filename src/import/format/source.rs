//! The bytes of a file as they come, with those of the row at hand all together.

use std::io::{self, ErrorKind, Read};

/// Bytes asked for at once.
const CHUNK: usize = 64 << 10;

/// A file that is read from its front: what is held is what has come and was not passed over.
pub(super) struct Source<R> {
    input: R,
    /// Bytes that a row has at most; whole MiB.
    pub(super) limit: usize,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, bytes: vec![0; 2 * CHUNK], start: 0, end: 0 }
    }

    /// What has come and was not passed over.
    pub(super) fn held(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Waits for more behind what is held; `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// Those of the reader; that it was interrupted is none.
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

    /// Leaves so many of the bytes held behind.
    pub(super) fn pass(&mut self, count: usize) {
        self.start = self.end.min(self.start + count);
    }

    /// Moves what is held to the front, and if that takes up half of the room, doubles it: each
    /// byte is moved a few times at most, however few come at once.
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

    /// A reader that gives a byte at a time, and is interrupted before each.
    pub(crate) struct Drops<'a>(pub(crate) &'a [u8], pub(crate) bool);

    impl Read for Drops<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::Interrupted.into()) } else { self.0.read(room.get_mut(..1).unwrap_or_default()) }
        }
    }

    #[test]
    fn what_is_held_is_what_came_without_what_was_passed() {
        let all: Vec<u8> = (0..1_000_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        for passed in [1, 7, 65_536, 100_000] {
            let mut source = Source::new(all.as_slice(), 0);
            let mut seen = Vec::new();
            while source.more().unwrap() {
                while source.held().len() >= passed {
                    seen.extend_from_slice(&source.held()[..passed]);
                    source.pass(passed);
                }
            }
            seen.extend_from_slice(source.held());
            assert!(seen == all, "{passed}");
        }
    }

    #[test]
    fn what_comes_byte_by_byte_is_held_together() {
        let all = vec![b'x'; 300_000];
        let mut source = Source::new(Drops(&all, false), 0);
        while source.more().unwrap() {}
        assert!(source.held() == all.as_slice());
    }
}
