//! Runs a program in a pseudo-terminal and records when it wrote what.
//!
//! One thread only reads and records the time. The bytes are parsed later, while the program writes nothing, so that
//! parsing does not slow the program down.

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

/// The time limit of every wait.
const LIMIT: Duration = Duration::from_secs(120);

/// After this long without output, the bytes are parsed.
const PAUSE: Duration = Duration::from_millis(3);

/// The output of a program that never pauses is parsed after this long.
const MAX_DELAY: Duration = Duration::from_millis(100);

/// A program to be started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    /// Its path and its arguments.
    pub(crate) words: Vec<OsString>,
    /// Additional variables of its environment.
    pub(crate) environment: Vec<(&'static str, String)>,
}

/// How long a program may take to quit.
const QUIT_LIMIT: Duration = Duration::from_secs(5);

/// The bytes of one read, and its time.
struct Piece {
    at: Instant,
    bytes: Vec<u8>,
}

/// A running program.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    begun: Instant,
    last_byte: Option<Instant>,
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
    /// Starts a program with its own home directory.
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
        // Gives the background colour, so that the program does not query the terminal.
        let terminal = [("PATH", "/usr/bin:/bin"), ("TERM", "xterm-256color"), ("COLORFGBG", "15;0"), ("TZ", "UTC")];
        for (name, value) in terminal {
            command.env(name, value);
        }
        // Without it, the system tells only root the memory of the program.
        command.env("PLANTS_DUMPABLE", "1");
        for (name, value) in &program.environment {
            command.env(name, value);
        }
        let (sender, pieces) = channel();
        let mut far_end = pair.master.try_clone_reader().unwrap();
        let read = move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = far_end.read(&mut buffer) {
                let piece = Piece { at: Instant::now(), bytes: buffer[..count].to_vec() };
                if sender.send(piece).is_err() {
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
            last_byte: None,
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

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Returns the number of bytes that were parsed.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Returns the time of the last byte that was read.
    pub(crate) fn last_byte(&self) -> Instant {
        self.last_byte.unwrap()
    }

    /// Returns the seconds from the start to a time.
    pub(crate) fn since_start(&self, at: Instant) -> f64 {
        at.duration_since(self.begun).as_secs_f64()
    }

    /// Waits for a frame with this condition; returns when it was complete.
    pub(crate) fn until(&mut self, what: &str, condition: impl Fn(&Screen) -> bool) -> Instant {
        let begun = Instant::now();
        loop {
            if let Some(at) = self.parse_until(&condition) {
                return at;
            }
            let is_over = self.listen(PAUSE).is_err();
            let shown = self.parser.screen().contents();
            assert!(!is_over || !self.unread.is_empty(), "the program ended before {what}:\n{shown}");
            assert!(begun.elapsed() < LIMIT, "not seen: {what}\n{shown}");
        }
    }

    /// Waits for a screen with this condition, which need not be a whole frame; returns when it was read.
    pub(crate) fn until_shown(&mut self, what: &str, condition: impl Fn(&Screen) -> bool) -> Instant {
        let begun = Instant::now();
        loop {
            while let Some(piece) = self.unread.pop_front() {
                // Keeps the marks of frames up to date.
                let mut bytes = &piece.bytes[..];
                while !bytes.is_empty() {
                    bytes = &bytes[self.marks.next(bytes).0..];
                }
                self.parser.process(&piece.bytes);
                self.written += piece.bytes.len();
                if condition(self.parser.screen()) {
                    return piece.at;
                }
            }
            let is_over = self.listen(PAUSE).is_err();
            let shown = self.parser.screen().contents();
            assert!(!is_over || !self.unread.is_empty(), "the program ended before {what}:\n{shown}");
            assert!(begun.elapsed() < LIMIT, "not seen: {what}\n{shown}");
        }
    }

    /// Reads until the program writes nothing for this long.
    pub(crate) fn until_quiet(&mut self, quiet: Duration) {
        let begun = Instant::now();
        loop {
            let before = self.written;
            while self.parse_until(&|_| false).is_some() {}
            let is_over = self.listen(quiet).is_err();
            while self.parse_until(&|_| false).is_some() {}
            if is_over || self.written == before {
                return;
            }
            assert!(begun.elapsed() < LIMIT, "the program never stops writing");
        }
    }

    /// Reads for this long.
    pub(crate) fn rest(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            match self.pieces.recv_timeout(left) {
                Ok(piece) => {
                    self.last_byte = Some(piece.at);
                    self.unread.push_back(piece);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        while self.parse_until(&|_| false).is_some() {}
    }

    /// Returns the screen after the bytes that were parsed.
    pub(crate) fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// Sends keys; returns when.
    pub(crate) fn press(&mut self, keys: &str) -> Instant {
        let at = Instant::now();
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
        at
    }

    /// Ends the program with these keys. Returns the seconds until its end, or `None` if it does not end by itself and
    /// is killed.
    pub(crate) fn quit(mut self, keys: &str) -> Option<f64> {
        let pressed = self.press(keys);
        while let Some(left) = QUIT_LIMIT.checked_sub(pressed.elapsed()) {
            match self.pieces.recv_timeout(left) {
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.child.wait().unwrap();
                    return Some(pressed.elapsed().as_secs_f64());
                }
            }
        }
        None
    }

    /// Reads until nothing comes for this long, or until [`MAX_DELAY`]. Fails once the program has ended.
    fn listen(&mut self, pause: Duration) -> Result<(), RecvTimeoutError> {
        let begun = Instant::now();
        while begun.elapsed() < pause + MAX_DELAY {
            match self.pieces.recv_timeout(pause) {
                Ok(piece) => {
                    self.last_byte = Some(piece.at);
                    self.unread.push_back(piece);
                }
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(gone @ RecvTimeoutError::Disconnected) => return Err(gone),
            }
        }
        Ok(())
    }

    /// Parses up to the end of the first frame with this condition; returns when it was read.
    fn parse_until(&mut self, condition: &impl Fn(&Screen) -> bool) -> Option<Instant> {
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
            if is_frame && condition(self.parser.screen()) {
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

/// Finds the ends of frames: ratatui ends each by hiding the cursor, or by showing and then moving it.
#[derive(Default)]
struct FrameEnds {
    /// An incomplete control sequence, from its `ESC` on.
    sequence: Vec<u8>,
    /// Whether the cursor was shown and not moved yet.
    is_shown: bool,
}

impl FrameEnds {
    /// Returns the number of bytes up to the end of the next frame and true, or the number of all bytes and false.
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
