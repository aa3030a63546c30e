//! A program in a pseudo-terminal: its screen, every byte that it wrote, and the modes of the terminal.
//!
//! Waits end as soon as their condition is true; their time limit is only for a failing test. Must not know what
//! program runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::io::ioctl_fionread;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tempfile::TempDir;
use vt100::{Color, MouseProtocolMode, Parser, Screen};

/// The time limit of every wait.
const LIMIT: Duration = Duration::from_secs(30);

/// How long a person takes to read what the program shows. It drops what comes sooner.
const READING: Duration = Duration::from_millis(600);

/// The default columns and rows.
const SIZE: (u16, u16) = (120, 36);

/// A program to start.
pub(crate) struct Start {
    command: CommandBuilder,
    size: (u16, u16),
    home: TempDir,
}

impl Start {
    /// Prepares a program with its own home directory and an environment of its own.
    pub(crate) fn program(program: impl AsRef<Path>) -> Self {
        let home = tempfile::tempdir().expect("a home for the program");
        let mut command = CommandBuilder::new(program.as_ref());
        command.env_clear();
        command.env("HOME", home.path());
        for (variable, place) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(variable, home.path().join(place));
        }
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("TERM", "xterm-256color");
        // Gives the background colour, so that the program does not query the terminal.
        command.env("COLORFGBG", "15;0");
        command.env("TZ", "UTC");
        command.cwd(home.path());
        Self { command, size: SIZE, home }
    }

    /// Prepares a shell script; `"$0"` in it is `program`.
    pub(crate) fn script(script: &str, program: impl AsRef<Path>) -> Self {
        let mut start = Self::program("/bin/sh");
        start.command.args(["-c", script]);
        start.command.arg(program.as_ref());
        start
    }

    pub(crate) fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Writes a file in its home directory.
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        let path = self.home.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder for the file")).expect("a folder is made");
        fs::write(&path, content).expect("a file is written");
        // Others must not be able to read it: the program would warn.
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("permissions are set");
        self
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = (columns, rows);
        self
    }

    pub(crate) fn open(self) -> Pty {
        let (columns, rows) = self.size;
        let pair = native_pty_system().openpty(pty_size(columns, rows)).expect("a pseudo-terminal");
        let name = pair.master.tty_name().expect("the terminal has a name");
        let near_end = open_terminal(&name);
        let mut before = settings(&near_end);
        // What is pressed while the program gives the terminal back is echoed as a byte that draws nothing.
        before.local_modes.remove(LocalModes::ECHOCTL);
        tcsetattr(&near_end, OptionalActions::Now, &before).expect("the terminal takes settings");
        let shared = Arc::new(Shared {
            output: Mutex::new(Output {
                parser: Parser::new(at_least_one(rows), at_least_one(columns), 0),
                raw: Vec::new(),
                stop: false,
                paused: false,
            }),
            changed: Condvar::new(),
        });
        let reader = start_reader(&*pair.master, Arc::clone(&shared));
        let writer = pair.master.take_writer().map(RefCell::new).expect("the terminal can be typed on");
        let child = pair.slave.spawn_command(self.command).expect("the program starts");
        Pty { child: ChildGuard(child), near_end, before, shared, reader, writer, master: pair.master, home: self.home }
    }
}

fn open_terminal(name: &PathBuf) -> File {
    use std::os::unix::fs::OpenOptionsExt as _;
    // O_NOCTTY: it must not become the terminal of the tests themselves.
    OpenOptions::new().read(true).write(true).custom_flags(0o400).open(name).expect("the terminal opens")
}

fn pty_size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn at_least_one(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}

fn settings(terminal: &File) -> Termios {
    tcgetattr(terminal).expect("the terminal's settings can be read")
}

/// The bytes that the program wrote, and the screen that they draw.
struct Output {
    parser: Parser,
    raw: Vec<u8>,
    /// Whether the reader ends with the next byte.
    stop: bool,
    /// Whether the reader pauses, so that the buffer of the terminal fills up.
    paused: bool,
}

impl Output {
    /// Whether the last frame that began (mode 2026) has not ended, so that the screen shows parts of two.
    fn is_in_frame(&self) -> bool {
        let last = |mark: &[u8]| self.raw.windows(mark.len()).rposition(|bytes| bytes == mark);
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }
}

struct Shared {
    output: Mutex<Output>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().expect("the reader lives")
    }
}

fn start_reader(master: &dyn MasterPty, shared: Arc<Shared>) -> JoinHandle<()> {
    let mut far_end = master.try_clone_reader().expect("the terminal can be read");
    let read = move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = far_end.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default();
            let mut output = shared.lock();
            output.raw.extend_from_slice(bytes);
            output.parser.process(bytes);
            let stop = output.stop;
            shared.changed.notify_all();
            drop(shared.changed.wait_while(output, |output| output.paused).expect("the test lives"));
            if stop {
                return;
            }
        }
    };
    thread::Builder::new().name("terminal".to_owned()).spawn(read).expect("a thread for the terminal")
}

/// A running program on its pseudo-terminal.
pub(crate) struct Pty {
    child: ChildGuard,
    /// The program's end of the terminal, open also after the program has ended.
    near_end: File,
    before: Termios,
    shared: Arc<Shared>,
    reader: JoinHandle<()>,
    writer: RefCell<Box<dyn Write + Send>>,
    master: Box<dyn MasterPty + Send>,
    home: TempDir,
}

impl Pty {
    /// Waits until the screen shows this text.
    pub(crate) fn shows(&self, text: &str) -> &Self {
        self.until(&format!("the screen shows {text:?}"), |screen, _| screen.contents().contains(text))
    }

    /// Waits until the program has written these bytes.
    pub(crate) fn writes(&self, bytes: &[u8]) -> &Self {
        self.until(&format!("{:?} is written", String::from_utf8_lossy(bytes)), |_, raw| contains(raw, bytes))
    }

    /// Waits until a condition on the screen and on all bytes is true.
    pub(crate) fn until(&self, what: &str, condition: impl Fn(&Screen, &[u8]) -> bool) -> &Self {
        let waiting = |output: &mut Output| output.is_in_frame() || !condition(output.parser.screen(), &output.raw);
        let (output, waited) =
            self.shared.changed.wait_timeout_while(self.shared.lock(), LIMIT, waiting).expect("the reader lives");
        let (screen, raw) = (output.parser.screen().contents(), output.raw.clone());
        drop(output);
        let tail = raw.get(raw.len().saturating_sub(400)..).unwrap_or_default();
        assert!(!waited.timed_out(), "not seen: {what}\n{screen}\nlast bytes: {}", tail.escape_ascii());
        self
    }

    /// Whether the program writes nothing during this time.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        let output = self.shared.lock();
        let length = output.raw.len();
        let waited = self.shared.changed.wait_timeout_while(output, time, |output| output.raw.len() == length);
        waited.expect("the reader lives").1.timed_out()
    }

    pub(crate) fn press(&self, keys: &str) -> &Self {
        self.send(keys.as_bytes())
    }

    /// Sends bytes to the program, also such that no keyboard sends.
    pub(crate) fn send(&self, bytes: &[u8]) -> &Self {
        let mut writer = self.writer.borrow_mut();
        writer.write_all(bytes).and_then(|()| writer.flush()).expect("the terminal takes keys");
        self
    }

    /// Presses Ctrl-C until the program gives the terminal back, and each time waits until it is read: three times, and
    /// once more where one that follows Esc counts as a key with Alt.
    pub(crate) fn interrupt(&self) -> &Self {
        for _ in 0..4 {
            if self.is_raw() {
                self.send(b"\x03").until_read();
            }
        }
        self
    }

    /// Presses keys as an answer to what the screen asks, which a person has read before.
    pub(crate) fn answer(&self, keys: &str) -> &Self {
        thread::sleep(READING);
        self.press(keys)
    }

    /// Waits until the program has read everything that was sent, or has given the terminal back.
    pub(crate) fn until_read(&self) -> &Self {
        // What was sent is not with the terminal at once.
        let step = Duration::from_millis(10);
        for _ in 0..LIMIT.as_millis() / 10 {
            thread::sleep(step);
            if ioctl_fionread(&self.near_end).is_ok_and(|waiting| waiting == 0) || !self.is_raw() {
                return self;
            }
        }
        unreachable!("the program does not read the terminal")
    }

    /// Sends a bracketed paste.
    pub(crate) fn paste(&self, text: &str) -> &Self {
        self.press(&format!("\x1b[200~{text}\x1b[201~"))
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) -> &Self {
        self.shared.lock().parser.set_size(at_least_one(rows), at_least_one(columns));
        self.master.resize(pty_size(columns, rows)).expect("the terminal takes a size");
        self
    }

    /// Reports a size that the screen does not get.
    pub(crate) fn report_size(&self, columns: u16, rows: u16) -> &Self {
        self.master.resize(pty_size(columns, rows)).expect("the terminal takes a size");
        self
    }

    /// Pauses or resumes reading what the program writes.
    pub(crate) fn pause(&self, paused: bool) -> &Self {
        self.shared.lock().paused = paused;
        self.shared.changed.notify_all();
        self
    }

    /// Writes to the terminal like another program.
    pub(crate) fn write_to_terminal(&self, text: &str) -> &Self {
        (&self.near_end).write_all(text.as_bytes()).expect("the terminal can be written on");
        self
    }

    /// Stops the program with SIGSTOP, and waits until it has stopped.
    pub(crate) fn stop(&self) -> &Self {
        self.signal(Signal::STOP);
        waitid(WaitId::Pid(self.pid()), WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT).expect("the program stops");
        self
    }

    pub(crate) fn screen(&self) -> Screen {
        self.shared.lock().parser.screen().clone()
    }

    /// Returns every byte that the program wrote.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.shared.lock().raw.clone()
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn pid(&self) -> Pid {
        self.child.pid()
    }

    /// Returns the process of the program that a script runs.
    pub(crate) fn child_pid(&self) -> Pid {
        let own = self.pid().as_raw_nonzero();
        let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).expect("the script's children");
        pid(children.trim().parse().expect("one child"))
    }

    pub(crate) fn signal(&self, signal: Signal) -> &Self {
        kill_process(self.pid(), signal).expect("the program can be signalled");
        self
    }

    /// Waits until the terminal is in raw mode.
    pub(crate) fn until_raw(&self) -> &Self {
        let step = Duration::from_millis(1);
        for _ in 0..LIMIT.as_millis() {
            if self.is_raw() {
                return self;
            }
            thread::sleep(step);
        }
        unreachable!("the terminal is not in raw mode")
    }

    /// Whether the terminal is in raw mode: no lines, no echo, no signals.
    pub(crate) fn is_raw(&self) -> bool {
        !settings(&self.near_end).local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Restores the settings of the beginning, like a shell whose job stops.
    pub(crate) fn restore_settings(&self) -> &Self {
        tcsetattr(&self.near_end, OptionalActions::Now, &self.before).expect("the terminal takes settings");
        self
    }

    /// Asserts that the terminal is as it was before the program took it.
    #[track_caller]
    pub(crate) fn assert_restored(&self) {
        let changes = self.changes();
        assert!(changes.is_empty(), "not restored: {changes:?}\n{}", self.screen().contents());
    }

    /// Lists the modes and settings that the program changed and did not restore.
    pub(crate) fn changes(&self) -> Vec<String> {
        let raw = self.raw();
        let mut left = modes_left_on(&raw);
        let count = |sequence: &str| String::from_utf8_lossy(&raw).matches(sequence).count();
        let (titles, given_back) = (count("\u{1b}[22;0t"), count("\u{1b}[23;0t"));
        if titles != given_back {
            left.push(format!("the title: given back {given_back} of {titles} times"));
        }
        let (before, now) = (format!("{:?}", self.before), format!("{:?}", settings(&self.near_end)));
        if before != now {
            left.push(format!("settings: {before} became {now}"));
        }
        let screen = self.screen();
        let styled = screen.bold() || screen.dim() || screen.italic() || screen.underline() || screen.inverse();
        for (on, what) in [
            (screen.alternate_screen(), "the alternate screen"),
            (screen.hide_cursor(), "a hidden cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.application_cursor() || screen.application_keypad(), "application keys"),
            (screen.mouse_protocol_mode() != MouseProtocolMode::None, "the mouse"),
            (styled || screen.fgcolor() != Color::Default || screen.bgcolor() != Color::Default, "a colour or style"),
        ] {
            if on {
                left.push(what.to_owned());
            }
        }
        left
    }

    /// Waits until the program has ended and every byte that it wrote is read.
    pub(crate) fn end(&mut self) -> Ended {
        let ended = self.child.end();
        assert!(ended.is_some(), "the program does not end:\n{}", self.screen().contents());
        let (status, _) = ended.unwrap();
        // This sequence, which no terminal shows, arrives after everything that the program wrote.
        let mark = "\x1b]7777;the end\x07";
        self.write_to_terminal(mark).writes(mark.as_bytes());
        let length = self.raw().len() - mark.len();
        self.shared.lock().raw.truncate(length);
        let screen = self.screen().contents();
        Ended { code: status.exit_code(), signal: status.signal().map(str::to_owned), screen }
    }

    /// Waits until the program has ended while reading is paused; returns its exit code.
    pub(crate) fn end_paused(&mut self) -> u32 {
        let status = self.child.end().expect("the program ends by itself").0;
        self.pause(false);
        status.exit_code()
    }

    /// Closes the terminal, waits until the program has ended, and returns the processor time that it used.
    pub(crate) fn vanish(self) -> CpuTime {
        let Self { mut child, mut near_end, shared, reader, writer, master, .. } = self;
        shared.lock().stop = true;
        // Wakes the reader, which keeps the terminal open.
        near_end.write_all(b"\0").expect("the terminal is still there");
        reader.join().expect("the reader ends");
        drop((writer, master));
        child.end().expect("the program ends with its terminal").1
    }
}

/// How a program ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub code: u32,
    /// The signal that killed it.
    pub signal: Option<String>,
    /// The screen afterwards.
    pub screen: String,
}

/// A child process that is killed at the end of its test.
struct ChildGuard(Box<dyn Child + Send + Sync>);

impl ChildGuard {
    fn pid(&self) -> Pid {
        pid(self.0.process_id().expect("the program has an id"))
    }

    /// Waits until it has ended; returns also the processor time that it used.
    fn end(&mut self) -> Option<(ExitStatus, CpuTime)> {
        let (id, (ended, end)) = (self.pid(), mpsc::channel());
        let wait = move || {
            // Leaves a zombie, whose processor time can still be read.
            let _ = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            let _ = ended.send(());
        };
        thread::Builder::new().name("end".to_owned()).spawn(wait).expect("a thread that waits");
        end.recv_timeout(LIMIT).ok()?;
        let time = CpuTime::with_children(id);
        Some((self.0.wait().expect("the program has ended"), time))
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = kill_process(self.pid(), Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

fn pid(id: u32) -> Pid {
    Pid::from_raw(id.cast_signed()).expect("a process has an id above 0")
}

/// Processor time in clock ticks, hundredths of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CpuTime(pub(crate) u64);

impl CpuTime {
    pub(crate) fn of(process: Pid) -> Self {
        Self(stat(process).ticks.iter().take(2).sum())
    }

    /// Includes the children that have ended.
    fn with_children(process: Pid) -> Self {
        Self(stat(process).ticks.iter().sum())
    }
}

/// A part of `/proc/PID/stat`.
struct Stat {
    /// Such as `R`, `S` or `T`.
    state: char,
    /// In user mode and in the kernel, then the same of the children that have ended.
    ticks: [u64; 4],
}

fn stat(process: Pid) -> Stat {
    let text = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).expect("the process is there");
    // The name may contain a closing parenthesis; the last one ends it.
    let (_, rest) = text.rsplit_once(") ").expect("a name in parentheses");
    let fields: Vec<_> = rest.split_whitespace().collect();
    let ticks = [11, 12, 13, 14].map(|at| fields[at].parse().expect("a number of ticks"));
    Stat { state: rest.chars().next().expect("a state"), ticks }
}

/// Returns the peak memory of a process, in KiB.
pub(crate) fn peak_memory(process: Pid) -> u64 {
    let status =
        fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).expect("the process is there");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    peak.expect("a peak")
}

pub(crate) fn is_stopped(process: Pid) -> bool {
    stat(process).state == 'T'
}

/// Counts the voluntary context switches of all threads of a process.
pub(crate) fn voluntary_switches(process: Pid) -> u64 {
    let threads = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero())).expect("the process is there");
    let of_thread = |thread: PathBuf| -> Option<u64> {
        let status = fs::read_to_string(thread.join("status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?.trim().parse().ok()
    };
    threads.flatten().filter_map(|thread| of_thread(thread.path())).sum()
}

pub(crate) fn contains(raw: &[u8], bytes: &[u8]) -> bool {
    raw.windows(bytes.len()).any(|window| window == bytes)
}

/// Returns the parameters and the final byte of each control sequence that starts with `ESC [`.
pub(crate) fn control_sequences(raw: &[u8]) -> Vec<(String, char)> {
    let mut found = Vec::new();
    for at in raw.windows(2).enumerate().filter(|(_, two)| *two == b"\x1b[").map(|(at, _)| at + 2) {
        let rest = raw.get(at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| (0x40..=0x7e).contains(byte)) else { continue };
        let (parameters, last) = rest.split_at(length);
        found.push((String::from_utf8_lossy(parameters).into_owned(), char::from(last[0])));
    }
    found
}

/// Lists the private modes that differ from the defaults of a terminal.
fn modes_left_on(raw: &[u8]) -> Vec<String> {
    let mut modes = BTreeMap::new();
    for (parameters, last) in control_sequences(raw) {
        let (Some(numbers), 'h' | 'l') = (parameters.strip_prefix('?'), last) else { continue };
        modes.extend(numbers.split(';').map(|number| (number.to_owned(), last)));
    }
    // Line wrapping and the visible cursor are on by default.
    let default = |number: &str| if ["7", "25"].contains(&number) { 'h' } else { 'l' };
    modes.retain(|number, state| *state != default(number));
    modes.into_iter().map(|(number, state)| format!("mode {number}{state}")).collect()
}
