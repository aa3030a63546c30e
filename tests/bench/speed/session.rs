//! A program on a pseudo-terminal of the benchmark's own: when it drew what.
//!
//! One thread does nothing but read and note the time. What was read is looked at later, when
//! nothing more comes, so that looking costs the program nothing.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::{Parser, Screen};

use crate::spread::folder;

/// Columns and rows.
const SIZE: (u16, u16) = (120, 36);

/// When a program that does not do what is waited for is given up.
const LIMIT: Duration = Duration::from_secs(120);

/// Nothing comes for so long: time to look at what came.
const PAUSE: Duration = Duration::from_millis(3);

/// One that never pauses is looked at after so long all the same.
const BREATH: Duration = Duration::from_millis(100);

/// A program to be started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    /// Its path and what follows it.
    pub(crate) words: Vec<OsString>,
    /// Variables of its environment, which has next to nothing else.
    pub(crate) environment: Vec<(&'static str, String)>,
}

/// For so long a program may take its leave.
const PATIENCE: Duration = Duration::from_millis(500);

/// What was read at once, and when.
struct Piece {
    at: Instant,
    bytes: Vec<u8>,
}

/// A running program.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    begun: Instant,
    first_byte: Option<Instant>,
    written: usize,
    pieces: Receiver<Piece>,
    unread: VecDeque<Piece>,
    parser: Parser,
    marks: FrameEnds,
    writer: Box<dyn Write + Send>,
    _master: Box<dyn MasterPty + Send>,
    _home: TempDir,
}

impl Session {
    /// Starts a program with a home of its own.
    pub(crate) fn start(program: &Program) -> Self {
        let home = folder();
        let (cols, rows) = SIZE;
        let pair = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut command = CommandBuilder::from_argv(program.words.clone());
        command.env_clear();
        command.cwd(home.path());
        for (name, place) in [
            ("HOME", ""),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(name, home.path().join(place));
        }
        // The background's colour is told, so that the terminal is not asked for it.
        let terminal = [("PATH", "/usr/bin:/bin"), ("TERM", "xterm-256color"), ("COLORFGBG", "15;0"), ("TZ", "UTC")];
        for (name, value) in terminal {
            command.env(name, value);
        }
        for (name, value) in &program.environment {
            command.env(name, value);
        }
        let (heard, pieces) = channel();
        let mut far_end = pair.master.try_clone_reader().unwrap();
        let read = move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = far_end.read(&mut buffer) {
                let piece = Piece { at: Instant::now(), bytes: buffer[..count].to_vec() };
                if heard.send(piece).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("terminal".to_owned()).spawn(read).unwrap();
        let writer = pair.master.take_writer().unwrap();
        let begun = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let size = |count: u16| NonZeroU16::new(count).unwrap();
        Self {
            child,
            begun,
            first_byte: None,
            written: 0,
            pieces,
            unread: VecDeque::new(),
            parser: Parser::new(size(rows), size(cols), 0),
            marks: FrameEnds::default(),
            writer,
            _master: pair.master,
            _home: home,
        }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// How many bytes it wrote so far, of those that were looked at.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Seconds from its start to its first byte.
    pub(crate) fn to_first_byte(&self) -> f64 {
        self.first_byte.unwrap().duration_since(self.begun).as_secs_f64()
    }

    /// Seconds from its start until this.
    pub(crate) fn since_start(&self, at: Instant) -> f64 {
        at.duration_since(self.begun).as_secs_f64()
    }

    /// When the first frame was finished after which this holds, from now on.
    pub(crate) fn until(&mut self, what: &str, holds: impl Fn(&Screen) -> bool) -> Instant {
        let begun = Instant::now();
        loop {
            if let Some(at) = self.look(&holds) {
                return at;
            }
            let is_over = self.listen(PAUSE).is_err();
            let shown = self.parser.screen().contents();
            assert!(!is_over || !self.unread.is_empty(), "the program ended before {what}:\n{shown}");
            assert!(begun.elapsed() < LIMIT, "not seen: {what}\n{shown}");
        }
    }

    /// Takes in what comes until nothing came for so long.
    pub(crate) fn resolve(&mut self, quiet: Duration) {
        let begun = Instant::now();
        loop {
            let before = self.written;
            while self.look(&|_| false).is_some() {}
            let is_over = self.listen(quiet).is_err();
            while self.look(&|_| false).is_some() {}
            if is_over || self.written == before {
                return;
            }
            assert!(begun.elapsed() < LIMIT, "it never stops writing");
        }
    }

    /// Takes in what comes for so long.
    pub(crate) fn rest(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            match self.pieces.recv_timeout(left) {
                Ok(piece) => self.unread.push_back(piece),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        while self.look(&|_| false).is_some() {}
    }

    /// What it shows, of what was looked at.
    pub(crate) fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// Types.
    pub(crate) fn press(&mut self, keys: &str) -> Instant {
        let at = Instant::now();
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
        at
    }

    /// Ends it with the key `q`. A program that would rather ask first, because something is in
    /// flight, loses its terminal.
    pub(crate) fn quit(mut self) {
        self.press("q");
        let begun = Instant::now();
        while self.listen(PAUSE).is_ok() && begun.elapsed() < PATIENCE {
            self.unread.clear();
        }
    }

    /// Takes in what comes until nothing comes for so long, or for a breath longer; an error once
    /// the program is gone.
    fn listen(&mut self, pause: Duration) -> Result<(), RecvTimeoutError> {
        let begun = Instant::now();
        while begun.elapsed() < pause + BREATH {
            match self.pieces.recv_timeout(pause) {
                Ok(piece) => {
                    self.first_byte.get_or_insert(piece.at);
                    self.unread.push_back(piece);
                }
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(gone @ RecvTimeoutError::Disconnected) => return Err(gone),
            }
        }
        Ok(())
    }

    /// Looks at what came, up to the end of the first frame after which this holds; when that was.
    fn look(&mut self, holds: &impl Fn(&Screen) -> bool) -> Option<Instant> {
        while let Some(piece) = self.unread.front_mut() {
            let (end, is_frame) = self.marks.next(&piece.bytes);
            let rest = piece.bytes.split_off(end);
            self.parser.process(&piece.bytes);
            self.written += piece.bytes.len();
            let at = piece.at;
            if rest.is_empty() {
                self.unread.pop_front();
            } else {
                piece.bytes = rest;
            }
            if is_frame && holds(self.parser.screen()) {
                return Some(at);
            }
        }
        None
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// Finds where frames end. ratatui ends each by hiding the cursor, or by showing it and putting it
/// in its place.
#[derive(Default)]
struct FrameEnds {
    /// The control sequence that is being read, from its `ESC` on.
    sequence: Vec<u8>,
    /// The cursor was shown and is to be put in its place.
    is_shown: bool,
}

impl FrameEnds {
    /// How many bytes to the end of the next frame or, if there is none, of the bytes; and whether
    /// there is one.
    fn next(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == 0x1b {
                self.sequence.clear();
            } else if self.sequence.is_empty() {
                continue;
            }
            self.sequence.push(*byte);
            let is_whole = self.sequence.len() > 2 && (0x40..=0x7e).contains(byte);
            if self.sequence.len() == 2 && *byte != b'[' {
                self.sequence.clear();
            } else if is_whole {
                let sequence = std::mem::take(&mut self.sequence);
                let is_end = sequence == b"\x1b[?25l" || (self.is_shown && *byte == b'H');
                self.is_shown = sequence == b"\x1b[?25h";
                if is_end {
                    return (at + 1, true);
                }
            }
        }
        (bytes.len(), false)
    }
}
