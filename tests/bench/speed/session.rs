//! Runs a program in a pseudo-terminal and records when it wrote what, and what it needed.

use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::{Parser, Screen};

use crate::programs::{TOKEN, folder};

/// Columns and rows.
const SIZE: (u16, u16) = (120, 36);

/// The time limit of every wait.
const LIMIT: Duration = Duration::from_secs(120);

/// A running program.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    begun: Instant,
    written: usize,
    /// The bytes of each read, and its time: a thread only reads, so that parsing delays no time.
    pieces: Receiver<(Instant, Vec<u8>)>,
    parser: Parser,
    writer: Box<dyn Write + Send>,
    _master: Box<dyn MasterPty + Send>,
    _home: TempDir,
}

impl Session {
    /// Starts a program with its own home directory.
    pub(crate) fn start(words: Vec<OsString>) -> Self {
        let home = folder();
        let (cols, rows) = SIZE;
        let pair = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut command = CommandBuilder::from_argv(words);
        command.env_clear();
        command.cwd(home.path());
        command.env("HOME", home.path());
        // The background colour is given, so that the program does not query the terminal; and without the last one, the
        // system tells only root the memory of the program.
        let terminal = [("TERM", "xterm-256color"), ("COLORFGBG", "15;0"), ("TZ", "UTC"), ("PLANTS_DUMPABLE", "1")];
        for (name, value) in terminal.into_iter().chain([("PATH", "/usr/bin:/bin"), ("PLANTS_TOKEN", TOKEN)]) {
            command.env(name, value);
        }
        let (sender, pieces) = channel();
        let mut far_end = pair.master.try_clone_reader().unwrap();
        let read = move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = far_end.read(&mut buffer) {
                if sender.send((Instant::now(), buffer[..count].to_vec())).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("terminal".to_owned()).spawn(read).unwrap();
        let writer = pair.master.take_writer().unwrap();
        let begun = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        let size = |count: u16| NonZeroU16::new(count).unwrap();
        let parser = Parser::new(size(rows), size(cols), 0);
        Self { child, begun, written: 0, pieces, parser, writer, _master: pair.master, _home: home }
    }

    /// Returns the seconds from the start to a time.
    pub(crate) fn since_start(&self, at: Instant) -> f64 {
        at.duration_since(self.begun).as_secs_f64()
    }

    pub(crate) fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// Returns the number of bytes that were read.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Waits for a screen with this condition; returns when its last byte was read.
    pub(crate) fn until(&mut self, what: &str, condition: impl Fn(&Screen) -> bool) -> Instant {
        let begun = Instant::now();
        let mut at = begun;
        while !condition(self.screen()) {
            let shown = || self.screen().contents();
            assert!(begun.elapsed() < LIMIT, "not seen: {what}\n{}", shown());
            let Ok((read, bytes)) = self.pieces.recv_timeout(LIMIT) else {
                unreachable!("nothing more came before {what}:\n{}", shown())
            };
            self.parser.process(&bytes);
            (at, self.written) = (read, self.written + bytes.len());
        }
        at
    }

    /// Reads until the program writes nothing for this long.
    pub(crate) fn until_quiet(&mut self, quiet: Duration) {
        while let Ok((_, bytes)) = self.pieces.recv_timeout(quiet) {
            self.parser.process(&bytes);
            self.written += bytes.len();
        }
    }

    /// Reads for this long.
    pub(crate) fn rest(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            let Ok((_, bytes)) = self.pieces.recv_timeout(left) else { break };
            self.parser.process(&bytes);
            self.written += bytes.len();
        }
    }

    /// Sends keys; returns when.
    pub(crate) fn press(&mut self, keys: &str) -> Instant {
        let at = Instant::now();
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
        at
    }

    /// Ends the program with `q`. Returns the seconds until its end.
    pub(crate) fn quit(mut self) -> f64 {
        let pressed = self.press("q");
        while self.pieces.recv_timeout(LIMIT) != Err(RecvTimeoutError::Disconnected) {
            assert!(pressed.elapsed() < LIMIT, "the program does not end");
        }
        self.child.wait().unwrap();
        pressed.elapsed().as_secs_f64()
    }

    /// Returns the resident memory in bytes.
    pub(crate) fn memory(&self) -> f64 {
        memory(self.child.process_id().unwrap())
    }

    /// Returns the wake-ups of all threads so far, and their processor time in hundredths of a second.
    pub(crate) fn effort(&self) -> [f64; 2] {
        let process = format!("/proc/{}", self.child.process_id().unwrap());
        let threads = fs::read_dir(format!("{process}/task")).into_iter().flatten().flatten();
        let statuses = threads.filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok());
        let switches =
            |status: String| field(&status, "voluntary_ctxt_switches:") + field(&status, "nonvoluntary_ctxt_switches:");
        let stat = fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        // The name may contain a closing parenthesis; the last one ends it.
        let of_process = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split_whitespace();
        [statuses.map(switches).sum(), of_process.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum()]
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

/// Returns the resident memory of a process in bytes; not a number on a system without `/proc`, or after its end.
pub(crate) fn memory(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    field(&status, "VmRSS:") * 1024.0
}

fn field(text: &str, name: &str) -> f64 {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok());
    value.unwrap_or(f64::NAN)
}
