//! A pseudo-terminal with a program in it: what a person would see, every byte that was written,
//! and in which state the terminal is left.
//!
//! Knows nothing of plants. Nothing here sleeps: every wait ends with what it waits for, and its
//! limit only makes a failing test fail.

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
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tempfile::TempDir;
use vt100::{Color, MouseProtocolMode, Parser, Screen};

/// When a wait is given up.
const LIMIT: Duration = Duration::from_secs(30);

/// Columns and rows of a terminal unless a test wants others.
const SIZE: (u16, u16) = (120, 36);

/// A program that is still to be started.
pub(crate) struct Start {
    command: CommandBuilder,
    size: (u16, u16),
    home: TempDir,
}

impl Start {
    /// A program with a home of its own and nothing of the surrounding environment.
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
        // Tells the background's colour, so that the terminal is not asked for it.
        command.env("COLORFGBG", "15;0");
        command.env("TZ", "UTC");
        command.cwd(home.path());
        Self { command, size: SIZE, home }
    }

    /// A shell script; `"$0"` in it is `program`.
    pub(crate) fn script(script: &str, program: impl AsRef<Path>) -> Self {
        let mut start = Self::program("/bin/sh");
        start.command.args(["-c", script]);
        start.command.arg(program.as_ref());
        start
    }

    /// With these arguments.
    pub(crate) fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    /// With this variable in its environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// With this file in its home.
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        let path = self.home.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder for the file")).expect("a folder is made");
        fs::write(&path, content).expect("a file is written");
        // Readable by others it would be warned about.
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("a file of its user alone");
        self
    }

    /// Its home directory.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// On a terminal of this many columns and rows.
    pub(crate) fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = (columns, rows);
        self
    }

    /// Starts it.
    pub(crate) fn open(self) -> Pty {
        let (columns, rows) = self.size;
        let pair = native_pty_system().openpty(pty_size(columns, rows)).expect("a pseudo-terminal");
        let name = pair.master.tty_name().expect("the terminal has a name");
        let near_end = open_terminal(&name);
        let before = settings(&near_end);
        let seen = Arc::new(Shared {
            seen: Mutex::new(Seen {
                parser: Parser::new(at_least_one(rows), at_least_one(columns), 0),
                raw: Vec::new(),
                stop: false,
                held: false,
            }),
            more: Condvar::new(),
        });
        let reader = read_on(&*pair.master, Arc::clone(&seen));
        let writer = pair.master.take_writer().map(RefCell::new).expect("the terminal can be typed on");
        let child = pair.slave.spawn_command(self.command).expect("the program starts");
        Pty {
            child: StoredExchange(child),
            near_end,
            before,
            seen,
            reader,
            writer,
            master: pair.master,
            home: self.home,
        }
    }
}

fn open_terminal(name: &PathBuf) -> File {
    use std::os::unix::fs::OpenOptionsExt as _;
    // O_NOCTTY: it does not become the terminal of the tests themselves.
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

/// What came out of the terminal so far.
struct Seen {
    parser: Parser,
    raw: Vec<u8>,
    /// Whether the reader is to end with the next byte.
    stop: bool,
    /// Whether nobody reads: what is written stays in the terminal until that is full.
    held: bool,
}

struct Shared {
    seen: Mutex<Seen>,
    more: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("the reader lives")
    }
}

fn read_on(master: &dyn MasterPty, shared: Arc<Shared>) -> JoinHandle<()> {
    let mut far_end = master.try_clone_reader().expect("the terminal can be read");
    let read = move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = far_end.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default();
            let mut seen = shared.lock();
            seen.raw.extend_from_slice(bytes);
            seen.parser.process(bytes);
            let stop = seen.stop;
            shared.more.notify_all();
            drop(shared.more.wait_while(seen, |seen| seen.held).expect("whoever waits lives"));
            if stop {
                return;
            }
        }
    };
    thread::Builder::new().name("terminal".to_owned()).spawn(read).expect("a thread for the terminal")
}

/// A running program on its pseudo-terminal.
pub(crate) struct Pty {
    child: StoredExchange,
    /// The program's end of the terminal, held open so that it can be looked at after the end.
    near_end: File,
    before: Termios,
    seen: Arc<Shared>,
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

    /// Waits until these bytes were written.
    pub(crate) fn writes(&self, bytes: &[u8]) -> &Self {
        self.until(&format!("{:?} is written", String::from_utf8_lossy(bytes)), |_, raw| holds(raw, bytes))
    }

    /// Waits until something holds of the screen, or of every byte so far.
    pub(crate) fn until(&self, what: &str, holds: impl Fn(&Screen, &[u8]) -> bool) -> &Self {
        let waiting = |seen: &mut Seen| !holds(seen.parser.screen(), &seen.raw);
        let (seen, waited) =
            self.seen.more.wait_timeout_while(self.seen.lock(), LIMIT, waiting).expect("the reader lives");
        let (screen, raw) = (seen.parser.screen().contents(), seen.raw.clone());
        drop(seen);
        let tail = raw.get(raw.len().saturating_sub(400)..).unwrap_or_default();
        assert!(!waited.timed_out(), "not seen: {what}\n{screen}\nlast bytes: {}", tail.escape_ascii());
        self
    }

    /// Whether not one byte is written for this long.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        let seen = self.seen.lock();
        let length = seen.raw.len();
        let waited = self.seen.more.wait_timeout_while(seen, time, |seen| seen.raw.len() == length);
        waited.expect("the reader lives").1.timed_out()
    }

    /// Types.
    pub(crate) fn press(&self, keys: &str) -> &Self {
        self.send(keys.as_bytes())
    }

    /// Sends what a keyboard would not.
    pub(crate) fn send(&self, bytes: &[u8]) -> &Self {
        let mut writer = self.writer.borrow_mut();
        writer.write_all(bytes).and_then(|()| writer.flush()).expect("the terminal takes keys");
        self
    }

    /// Pastes as a terminal does that was asked to mark what is pasted.
    pub(crate) fn paste(&self, text: &str) -> &Self {
        self.press(&format!("\x1b[200~{text}\x1b[201~"))
    }

    /// Makes the terminal this many columns and rows.
    pub(crate) fn resize(&self, columns: u16, rows: u16) -> &Self {
        self.seen.lock().parser.set_size(at_least_one(rows), at_least_one(columns));
        self.master.resize(pty_size(columns, rows)).expect("the terminal takes a size");
        self
    }

    /// The terminal claims this size; what is drawn for it is not looked at.
    pub(crate) fn claim(&self, columns: u16, rows: u16) -> &Self {
        self.master.resize(pty_size(columns, rows)).expect("the terminal takes a size");
        self
    }

    /// From here on nobody reads what is written, or somebody does again.
    pub(crate) fn hold(&self, held: bool) -> &Self {
        self.seen.lock().held = held;
        self.seen.more.notify_all();
        self
    }

    /// Another program writes on the same terminal.
    pub(crate) fn scribble(&self, text: &str) -> &Self {
        (&self.near_end).write_all(text.as_bytes()).expect("the terminal can be written on");
        self
    }

    /// Stops the program as nothing can prevent, and waits until it has stopped.
    pub(crate) fn stop(&self) -> &Self {
        self.signal(Signal::STOP);
        waitid(WaitId::Pid(self.pid()), WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT).expect("the program stops");
        self
    }

    /// What is on the screen.
    pub(crate) fn screen(&self) -> Screen {
        self.seen.lock().parser.screen().clone()
    }

    /// Every byte that was written so far.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.seen.lock().raw.clone()
    }

    /// The program's home directory.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The process that was started.
    pub(crate) fn pid(&self) -> Pid {
        self.child.pid()
    }

    /// The one child of the process that was started: the program that a script runs.
    pub(crate) fn child_pid(&self) -> Pid {
        let own = self.pid().as_raw_nonzero();
        let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).expect("the script's children");
        pid(children.trim().parse().expect("one child"))
    }

    /// Sends the program a signal.
    pub(crate) fn signal(&self, signal: Signal) -> &Self {
        kill_process(self.pid(), signal).expect("the program can be signalled");
        self
    }

    /// Whether the terminal hands keys on at once and prints none by itself.
    pub(crate) fn is_raw(&self) -> bool {
        !settings(&self.near_end).local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Sets the terminal as it was in the beginning, as a shell does when its job stops.
    pub(crate) fn cook(&self) -> &Self {
        tcsetattr(&self.near_end, OptionalActions::Now, &self.before).expect("the terminal takes settings");
        self
    }

    /// What is not as it was before the program took the terminal; empty if all is.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        let mut left = modes_left_on(&self.raw());
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

    /// Waits for the end of the program, and for every byte that it wrote.
    pub(crate) fn end(&mut self) -> Ended {
        let ended = self.child.end();
        assert!(ended.is_some(), "the program does not end:\n{}", self.screen().contents());
        let (status, _) = ended.unwrap();
        // What is written now comes out behind everything that the program wrote, and shows nothing.
        let mark = "\x1b]7777;the end\x07";
        self.scribble(mark).writes(mark.as_bytes());
        let length = self.raw().len() - mark.len();
        self.seen.lock().raw.truncate(length);
        let screen = self.screen().contents();
        Ended { code: status.exit_code(), signal: status.signal().map(str::to_owned), screen }
    }

    /// Waits for the end of a program of whose words nobody reads any more; returns its exit code.
    pub(crate) fn end_unread(&mut self) -> u32 {
        let status = self.child.end().expect("the program ends by itself").0;
        self.hold(false);
        status.exit_code()
    }

    /// The terminal is gone: its window was closed, its connection lost. Waits until the program
    /// has ended, and returns the processor time that it took in its life.
    pub(crate) fn vanish(self) -> CpuTime {
        let Self { mut child, mut near_end, seen, reader, writer, master, .. } = self;
        seen.lock().stop = true;
        // Wakes the reader, which holds the far end open.
        near_end.write_all(b"\0").expect("the terminal is still there");
        reader.join().expect("the reader ends");
        drop((writer, master));
        child.end().expect("the program ends with its terminal").1
    }
}

/// How a program ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its exit code.
    pub code: u32,
    /// The signal that killed it.
    pub signal: Option<String>,
    /// What a person sees afterwards.
    pub screen: String,
}

/// A child that does not outlive its test.
struct StoredExchange(Box<dyn Child + Send + Sync>);

impl StoredExchange {
    fn pid(&self) -> Pid {
        pid(self.0.process_id().expect("the program has an id"))
    }

    /// Waits for its end; also tells the processor time of its whole life.
    fn end(&mut self) -> Option<(ExitStatus, CpuTime)> {
        let (id, (ended, end)) = (self.pid(), mpsc::channel());
        let wait = move || {
            // It stays a zombie, so that its processor time can still be read.
            let _ = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            let _ = ended.send(());
        };
        thread::Builder::new().name("end".to_owned()).spawn(wait).expect("a thread that waits");
        end.recv_timeout(LIMIT).ok()?;
        let time = CpuTime::with_children(id);
        Some((self.0.wait().expect("the program has ended"), time))
    }
}

impl Drop for StoredExchange {
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

/// Processor time, in clock ticks: Linux tells it in hundredths of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CpuTime(pub(crate) u64);

impl CpuTime {
    /// What a process took so far.
    pub(crate) fn of(process: Pid) -> Self {
        Self(stat(process).ticks.iter().take(2).sum())
    }

    /// What a process and those of its children took that have ended.
    fn with_children(process: Pid) -> Self {
        Self(stat(process).ticks.iter().sum())
    }
}

/// What `/proc/PID/stat` says.
struct Stat {
    /// `R`, `S`, `T` and so on.
    state: char,
    /// In user mode, in the kernel, and the same of the children that have ended.
    ticks: [u64; 4],
}

fn stat(process: Pid) -> Stat {
    let text = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).expect("the process is there");
    // The name may hold anything, even a closing parenthesis; what follows the last one is plain.
    let (_, rest) = text.rsplit_once(") ").expect("a name in parentheses");
    let fields: Vec<_> = rest.split_whitespace().collect();
    let ticks = [11, 12, 13, 14].map(|at| fields[at].parse().expect("a number of ticks"));
    Stat { state: rest.chars().next().expect("a state"), ticks }
}

/// The most that a process had in memory, in KiB.
pub(crate) fn peak_of(process: Pid) -> u64 {
    let status =
        fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).expect("the process is there");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    peak.expect("a peak")
}

/// Whether the process is stopped.
pub(crate) fn is_stopped(process: Pid) -> bool {
    stat(process).state == 'T'
}

/// How often the process gave up a processor to wait for something, its threads together.
pub(crate) fn naps(process: Pid) -> u64 {
    let threads = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero())).expect("the process is there");
    let of_thread = |thread: PathBuf| -> Option<u64> {
        let status = fs::read_to_string(thread.join("status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?.trim().parse().ok()
    };
    threads.flatten().filter_map(|thread| of_thread(thread.path())).sum()
}

/// Whether `bytes` are somewhere in `raw`.
pub(crate) fn holds(raw: &[u8], bytes: &[u8]) -> bool {
    raw.windows(bytes.len()).any(|window| window == bytes)
}

/// The control sequences in `raw` that start with `ESC [`: what is between that and the final
/// byte, and the final byte.
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

/// Private modes that are not as a terminal has them by default, by their numbers.
fn modes_left_on(raw: &[u8]) -> Vec<String> {
    let mut modes = BTreeMap::new();
    for (parameters, last) in control_sequences(raw) {
        let (Some(numbers), 'h' | 'l') = (parameters.strip_prefix('?'), last) else { continue };
        modes.extend(numbers.split(';').map(|number| (number.to_owned(), last)));
    }
    // A cursor that is shown, and lines that wrap: on unless a program says otherwise.
    let default = |number: &str| if ["7", "25"].contains(&number) { 'h' } else { 'l' };
    modes.retain(|number, state| *state != default(number));
    modes.into_iter().map(|(number, state)| format!("mode {number}{state}")).collect()
}
