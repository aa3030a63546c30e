//! Cuts the bytes of a terminal into whole sequences: characters, control sequences, strings and pastes (ECMA-48).
//!
//! A sequence may arrive in any number of pieces, and its end may be lost: then it is dropped with everything that
//! belongs to it, so that no part of it acts as keys. Reads no clock: the caller says when bytes arrived, and that a
//! deadline has passed. Must not know what a sequence means.

use std::time::Duration;

/// How long ESC waits for the rest of a sequence. Longer than a line takes between two pieces of one write, and too
/// short for a person to notice.
const ESCAPE: Duration = Duration::from_millis(50);

/// How long a control sequence or character that has begun waits for its end.
const CONTROL: Duration = Duration::from_secs(1);

/// The same for a string, such as a reply of the terminal.
const STRING: Duration = Duration::from_secs(2);

/// After these times everything still belongs to the sequence until nothing has arrived for so long.
const QUIET: Duration = Duration::from_millis(300);

/// A paste without its end is over once nothing has arrived for so long.
const PASTE: Duration = Duration::from_secs(5);

/// The most bytes of a control sequence or a string that are kept.
const LONGEST: usize = 64 * 1024;

const PASTE_END: &[u8] = b"\x1b[201~";

/// Ctrl-C.
const INTERRUPT: u8 = 0x03;

/// When input arrived. Times are those since the program's start, of a clock that never jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// When its first byte arrived.
    pub at: Duration,
    /// For how long nothing had arrived before. Zero if what was before came in the same read.
    pub quiet: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sequence {
    /// A character, also a control character other than ESC.
    Char(char),
    /// ESC alone, or twice.
    Escape,
    /// ESC before a character or another sequence: a key with Alt.
    Alt(Box<Self>),
    /// What follows `ESC [`: parameters, intermediate bytes, and the final byte, in ASCII.
    Control(String),
    /// The final byte after `ESC O`.
    Single(char),
    /// The three bytes after `ESC [ M`, the oldest mouse report.
    Mouse([u8; 3]),
    /// The text of an operating system command, `ESC ] … BEL` or `ESC ] … ESC \`.
    Command(Vec<u8>),
    Paste(String),
    /// A string of another kind, or anything that is too long, incomplete or invalid.
    Unknown,
}

/// What the next byte is to the sequence that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// No sequence has begun.
    #[default]
    Ground,
    Escape,
    /// More bytes of a character in UTF-8 follow.
    Character,
    Control,
    /// The bytes of a mouse report follow.
    Mouse,
    /// One byte follows `ESC [ [`: a function key of the Linux console.
    Console,
    Single,
    /// `is_command`: BEL ends it, too. `has_escape`: its last byte was ESC.
    String {
        is_command: bool,
        has_escape: bool,
    },
    Paste,
}

#[derive(Debug, Default)]
pub struct Framer {
    state: State,
    /// The bytes of the sequence that has begun, without its introducer.
    bytes: Vec<u8>,
    /// Whether ESC came before the sequence.
    has_alt: bool,
    /// Whether the sequence is dropped at its end.
    is_broken: bool,
    /// When the sequence has begun.
    begun: Option<Timing>,
    /// When the last byte arrived.
    last: Duration,
    /// The sequences that are complete.
    complete: Vec<(Sequence, Timing)>,
}

impl Framer {
    /// Takes the bytes of one read, and returns the sequences that are complete with them.
    ///
    /// Ctrl-C in a read of its own ends a sequence that has lost its end, and a paste once nothing has arrived for a moment:
    /// a person can always interrupt.
    pub fn push(&mut self, read: &[u8], now: Duration) -> Vec<(Sequence, Timing)> {
        let mut quiet = now.saturating_sub(self.last);
        let is_whole = match self.state {
            State::Escape => true,
            State::Paste => quiet < QUIET,
            _ => false,
        };
        if read == [INTERRUPT] && !is_whole {
            self.give_up();
        }
        for byte in read {
            let timing = Timing { at: now, quiet };
            self.take(*byte, timing);
            quiet = Duration::ZERO;
        }
        self.last = now;
        std::mem::take(&mut self.complete)
    }

    /// Returns when the sequence that has begun is over, if nothing arrives until then.
    pub fn deadline(&self) -> Option<Duration> {
        let begun = self.begun?.at;
        let after = |limit| if self.bytes.len() > LONGEST { begun } else { begun + limit };
        Some(match self.state {
            State::Ground => return None,
            State::Escape => self.last + ESCAPE,
            State::Paste => self.last + PASTE,
            State::String { .. } => after(STRING).max(self.last + QUIET),
            State::Character | State::Control | State::Mouse | State::Console | State::Single => {
                after(CONTROL).max(self.last + QUIET)
            }
        })
    }

    /// Ends the sequence that has begun. Must be called once its deadline has passed and no byte waits to be read.
    pub fn expire(&mut self) -> Vec<(Sequence, Timing)> {
        self.give_up();
        std::mem::take(&mut self.complete)
    }

    fn give_up(&mut self) {
        match self.state {
            State::Ground => {}
            State::Escape => self.complete(Sequence::Escape),
            State::Paste => self.complete_paste(),
            _ => self.complete(Sequence::Unknown),
        }
    }

    fn take(&mut self, byte: u8, timing: Timing) {
        match self.state {
            State::Ground => self.begin(byte, timing),
            State::Escape => self.after_escape(byte, timing),
            State::Character => self.in_character(byte, timing),
            State::Control => self.in_control(byte, timing),
            State::Mouse => {
                self.bytes.push(byte);
                if let [button, column, row] = self.bytes[..] {
                    self.complete(Sequence::Mouse([button, column, row]));
                }
            }
            State::Console => {
                self.bytes.push(byte);
                self.complete_control();
            }
            State::Single => match byte {
                b'0'..=b'9' => {}
                0x1b => self.restart(timing),
                0x20..=0x7e => self.complete(Sequence::Single(char::from(byte))),
                _ => self.complete(Sequence::Unknown),
            },
            State::String { is_command, has_escape } => self.in_string(byte, is_command, has_escape),
            State::Paste => {
                self.bytes.push(byte);
                if self.bytes.ends_with(PASTE_END) {
                    self.bytes.truncate(self.bytes.len() - PASTE_END.len());
                    self.complete_paste();
                }
            }
        }
    }

    fn begin(&mut self, byte: u8, timing: Timing) {
        self.begun = Some(timing);
        match byte {
            0x1b => self.state = State::Escape,
            0..=0x7f => self.complete(Sequence::Char(char::from(byte))),
            _ => self.in_character(byte, timing),
        }
    }

    /// Drops the sequence that has begun, which another ESC has interrupted.
    fn restart(&mut self, timing: Timing) {
        self.complete(Sequence::Unknown);
        self.begin(0x1b, timing);
    }

    fn after_escape(&mut self, byte: u8, timing: Timing) {
        self.state = match byte {
            // A third one: the first is complete.
            0x1b if self.has_alt => {
                self.complete(Sequence::Escape);
                (self.begun, self.has_alt) = (Some(timing), true);
                State::Escape
            }
            0x1b => {
                self.has_alt = true;
                State::Escape
            }
            b'[' => State::Control,
            b'O' => State::Single,
            b']' => State::String { is_command: true, has_escape: false },
            b'P' | b'X' | b'^' | b'_' => State::String { is_command: false, has_escape: false },
            0..=0x7f => return self.complete(Sequence::Alt(Box::new(Sequence::Char(char::from(byte))))),
            _ => {
                self.has_alt = true;
                return self.in_character(byte, timing);
            }
        };
    }

    fn in_character(&mut self, byte: u8, timing: Timing) {
        if !self.bytes.is_empty() && !matches!(byte, 0x80..=0xbf) {
            self.complete(Sequence::Unknown);
            return self.begin(byte, timing);
        }
        self.bytes.push(byte);
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => {
                let character = text.chars().next();
                self.complete(character.map_or(Sequence::Unknown, Sequence::Char));
            }
            Err(why) if why.error_len().is_none() => self.state = State::Character,
            Err(_) => self.complete(Sequence::Unknown),
        }
    }

    fn in_control(&mut self, byte: u8, timing: Timing) {
        match byte {
            0x1b => return self.restart(timing),
            // CAN and SUB cancel a sequence.
            0x18 | 0x1a => return self.complete(Sequence::Unknown),
            0x20..=0x7e => self.keep(byte),
            _ => self.is_broken = true,
        }
        match (byte, self.bytes.as_slice()) {
            (_, b"M") => (self.state, self.bytes) = (State::Mouse, Vec::new()),
            (_, b"[") => self.state = State::Console,
            (_, b"200~") => (self.state, self.bytes) = (State::Paste, Vec::new()),
            (0x40..=0x7e, _) => self.complete_control(),
            // rxvt ends a key with Shift by an intermediate byte.
            (b'$', [digits @ .., _]) if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
                self.complete_control();
            }
            _ => {}
        }
    }

    fn in_string(&mut self, byte: u8, is_command: bool, has_escape: bool) {
        match byte {
            b'\\' if has_escape => self.complete_string(is_command),
            0x07 if is_command => self.complete_string(is_command),
            0x18 | 0x1a => self.complete(Sequence::Unknown),
            _ => {
                self.keep(byte);
                self.state = State::String { is_command, has_escape: byte == 0x1b };
            }
        }
    }

    /// Keeps a byte of a control sequence or a string, up to the limit and one more.
    fn keep(&mut self, byte: u8) {
        self.is_broken |= self.bytes.len() >= LONGEST;
        if self.bytes.len() <= LONGEST {
            self.bytes.push(byte);
        }
    }

    fn complete_control(&mut self) {
        let text = String::from_utf8(std::mem::take(&mut self.bytes));
        self.complete(text.map_or(Sequence::Unknown, Sequence::Control));
    }

    fn complete_string(&mut self, is_command: bool) {
        let mut text = std::mem::take(&mut self.bytes);
        if text.last() == Some(&0x1b) {
            text.pop();
        }
        self.complete(if is_command { Sequence::Command(text) } else { Sequence::Unknown });
    }

    fn complete_paste(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        // ESC before a paste is no key with Alt.
        self.has_alt = false;
        self.complete(Sequence::Paste(text));
    }

    /// Adds the sequence, and begins with none.
    fn complete(&mut self, sequence: Sequence) {
        let sequence = match sequence {
            _ if self.is_broken => Sequence::Unknown,
            Sequence::Char(_) | Sequence::Control(_) | Sequence::Single(_) if self.has_alt => {
                Sequence::Alt(Box::new(sequence))
            }
            sequence => sequence,
        };
        if let Some(begun) = self.begun.take() {
            self.complete.push((sequence, begun));
        }
        (self.state, self.has_alt, self.is_broken) = (State::Ground, false, false);
        self.bytes.clear();
    }
}
