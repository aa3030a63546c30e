//! Asks questions of the person at the terminal, or of the script on stdin in plain mode, and reads the answers.
//!
//! Nothing is repainted and the cursor never moves: a screen reader speaks each line once. Must not know what is asked.

use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::thread;
use std::time::Duration;

use color_eyre::eyre::{self, WrapErr as _, bail};
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::error::{Exit, Failure};
use super::print;
use super::stop::Stops;
use crate::os::signals::continues;
use crate::os::terminal::{LONGEST_LINE, own_terminal};
use crate::terminal::{drop_typed_ahead, elapsed};
use crate::text::clean;

/// A question of plain mode is not answered: the conversation is over, with this exit code; at the end of the input,
/// `Done`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the conversation is over")]
pub(super) struct Over(pub(super) Exit);

/// The most bytes of a line or a list that are read from standard input, which may have no end: as of a row that is
/// imported.
const MOST: u64 = 16 * 1024 * 1024;

/// Bytes that are read at once, at most.
const READ: usize = 64 * 1024;

/// How long a question that is printed again is on the screen, at least, before a line answers it.
const SHOWN: Duration = Duration::from_millis(150);

/// How long after the program continues the signal of it can arrive, and a line that was typed before.
const SIGNAL_DELAY: Duration = Duration::from_millis(50);

/// A line without its end.
type Line = Vec<u8>;

/// Where the answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Stdin,
    /// Standard input has something else.
    Terminal,
}

impl Source {
    fn drop_typed(self) {
        match self {
            Self::Stdin => drop_typed_ahead(),
            Self::Terminal => drop(own_terminal()),
        }
    }
}

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// A command, which may be typed ahead.
    Command,
    Answer,
}

/// The thread that reads lines, one for each request.
struct Reader {
    /// Each says whether lines that were read together with the one before are dropped.
    requests: std::sync::mpsc::Sender<bool>,
    lines: mpsc::UnboundedReceiver<io::Result<Option<Line>>>,
    /// Whether a line was requested that did not arrive yet: a read cannot be cancelled.
    is_reading: bool,
    /// Whether the next request drops such lines.
    drops_read: bool,
}

/// The person, or the script, that answers.
pub(super) struct Console {
    /// Whether a person types the answers, sees them, and can correct them.
    pub(super) has_person: bool,
    /// Whether this is plain mode, where a script can answer, too.
    pub(super) is_conversation: bool,
    /// Whether the terminal gets marks where a prompt and an output begin.
    has_marks: bool,
    ends: Stops,
    reader: Option<Reader>,
    source: Source,
    /// A line of a script that was no answer, and is its next command.
    unused: Option<String>,
}

impl Console {
    /// The console of a single command.
    pub(super) fn of_command() -> Self {
        Self {
            has_person: io::stdin().is_terminal() && io::stderr().is_terminal(),
            is_conversation: false,
            has_marks: false,
            ends: Stops::none(),
            reader: None,
            source: Source::Stdin,
            unused: None,
        }
    }

    /// The console of plain mode. `is_dumb`: the terminal obeys no escape sequences.
    pub(super) fn of_conversation(is_dumb: bool) -> Self {
        let has_person = io::stdin().is_terminal();
        let has_marks = has_person && io::stdout().is_terminal() && !is_dumb;
        let ends = Stops::but_interrupts();
        Self { has_person, is_conversation: true, has_marks, ends, ..Self::of_command() }
    }

    /// Reads answers from the terminal itself, because standard input has plants.
    pub(super) fn leave_stdin(&mut self) {
        self.source = Source::Terminal;
        self.has_person = io::stderr().is_terminal() && own_terminal().is_some();
    }

    /// Whether a question can be answered.
    pub(super) fn can_ask(&self) -> bool {
        self.has_person || self.is_conversation
    }

    /// Fails if a confirmation is needed and no question can be answered; `action` follows "to".
    pub(super) fn check(&self, is_needed: bool, action: &str, left: &str) -> eyre::Result<()> {
        if is_needed && !self.can_ask() {
            bail!(Failure::usage(format!(
                "there is no terminal to ask on: add --yes to {action} without asking. {left}"
            )));
        }
        Ok(())
    }

    /// Asks for a command. Leaves its answer as it was typed.
    ///
    /// # Errors
    ///
    /// [`Over`], or a failure without a message at Ctrl-C.
    pub(super) async fn ask_for_command(&mut self, prompt: &str) -> eyre::Result<String> {
        match self.unused.take() {
            None => self.ask_for(Wanted::Command, prompt, "").await,
            Some(line) => {
                print::message(format!("{prompt}{line}"));
                Ok(line)
            }
        }
    }

    /// Asks; returns the answer as it was typed. `left` says what is true if the question is left.
    ///
    /// # Errors
    ///
    /// The question is left, or [`Over`].
    pub(super) async fn ask(&mut self, prompt: &str, left: &str) -> eyre::Result<String> {
        self.ask_for(Wanted::Answer, prompt, left).await
    }

    async fn ask_for(&mut self, wanted: Wanted, prompt: &str, left: &str) -> eyre::Result<String> {
        loop {
            let line = self.read(prompt, wanted, left).await?;
            match self.text(&line) {
                Ok(text) => return Ok(text.to_owned()),
                Err(fault) => self.correct(fault, left)?,
            }
        }
    }

    fn text<'a>(&self, line: &'a Line) -> Result<&'a str, &'static str> {
        if self.has_person && line.len() >= LONGEST_LINE {
            return Err("The terminal cuts a line of this length: use a shorter one, or a file.");
        }
        if line.len() as u64 > MOST {
            return Err("That is longer than 16 MiB: what follows is not read.");
        }
        std::str::from_utf8(line).map_err(|_| "That is not UTF-8.")
    }

    /// Asks for yes or no; an empty answer is `default`. `left` says what is true if the question is left.
    pub(super) async fn confirm(&mut self, question: &str, default: bool, left: &str) -> eyre::Result<bool> {
        let prompt = if self.is_conversation {
            prompt(&format!("{question} yes or no"), if default { "yes" } else { "no" })
        } else {
            format!("{question} {} ", if default { "[Y/n]" } else { "[y/N]" })
        };
        // A command may be typed ahead, the answer to a question that was not shown may not.
        self.drop_typed();
        loop {
            let answer = self.ask(&prompt, left).await?;
            match answer.trim().to_ascii_lowercase().as_str() {
                "" => return Ok(default),
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                _ if !self.is_conversation && !default => return Ok(false),
                _ if self.has_person => print::message("Please answer yes or no."),
                _ => {
                    print::message("This is neither yes nor no: it is taken as no, and as the next command.");
                    self.unused = Some(answer);
                    return Ok(false);
                }
            }
        }
    }

    /// Says what is wrong with an answer, so that it is asked for again.
    ///
    /// # Errors
    ///
    /// A script answers: its next line is not meant for this question.
    pub(super) fn correct(&self, fault: &str, left: &str) -> eyre::Result<()> {
        print::message(fault);
        if self.has_person { Ok(()) } else { Err(left_with(Exit::Usage, left)) }
    }

    /// Tells the terminal that a command has ended with this exit code.
    pub(super) fn end_command(&self, exit: u8) {
        mark(&format!("D;{exit}"), self.has_marks);
    }

    /// Drops what a person typed before a question, also the lines that were read together with the one before.
    pub(super) fn drop_typed(&mut self) {
        if self.has_person {
            self.source.drop_typed();
            self.reader.iter_mut().for_each(Reader::drop_read);
        }
    }

    /// Resolves at a request to end the conversation, also at one that came before.
    pub(super) async fn ended(&mut self, left: &str) -> eyre::Report {
        ended(&mut self.ends, left).await
    }

    async fn read(&mut self, prompt: &str, wanted: Wanted, left: &str) -> eyre::Result<Line> {
        if !self.is_conversation {
            // What was typed before the question answers something else.
            self.drop_typed();
        }
        let mut interrupts = if self.is_conversation { Stops::interrupts() } else { Stops::listen() };
        let mut continued = continues()?;
        let (has_marks, source, has_person) = (self.has_marks, self.source, self.has_person);
        show(prompt, has_marks);
        if print::is_unheard() {
            print::message("");
            print::error("the conversation cannot be written to stdout. Nothing more was sent.");
            return Err(Over(Exit::NotSent).into());
        }
        let mut shown_again = None;
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => Reader::start(source)?,
        };
        let reader = self.reader.insert(reader);
        let line = loop {
            if !reader.is_reading {
                let drops_read = std::mem::take(&mut reader.drops_read);
                reader.is_reading = reader.requests.send(drops_read).is_ok();
            }
            tokio::select! {
                biased;
                Some(()) = continued.recv(), if has_person => {}
                () = interrupts.next() => {
                    print::message("");
                    let exit = if self.is_conversation { Exit::NotSent } else { Exit::Interrupted };
                    return Err(left_with(exit, left));
                }
                over = ended(&mut self.ends, left) => return Err(over),
                line = reader.lines.recv() => {
                    reader.is_reading = false;
                    let is_answer = has_person && wanted != Wanted::Command && matches!(line, Some(Ok(Some(_))));
                    let is_early = shown_again.is_some_and(|at| elapsed() < at + SHOWN);
                    // A line that was typed before the program continued can be read before the signal.
                    let is_old = is_answer && (is_early || timeout(SIGNAL_DELAY, continued.recv()).await.is_ok());
                    if !is_old {
                        break line;
                    }
                }
            }
            // The program was stopped, or the answer came too soon after that.
            if wanted != Wanted::Command {
                sleep(SIGNAL_DELAY).await;
                source.drop_typed();
                reader.drop_read();
            }
            show(prompt, has_marks);
            shown_again = Some(elapsed());
        };
        let Some(Ok(Some(line))) = line else {
            print::message("");
            if !self.is_conversation {
                bail!(Failure::usage(format!("the question has no answer. {left}")));
            }
            say_left(left);
            // The input of a person is at its end if the terminal is gone.
            let (Some(Err(error)), false) = (line, self.has_person) else { return Err(Over(Exit::Done).into()) };
            print::error(format!("standard input cannot be read: {error}. Nothing more was sent."));
            return Err(Over(Exit::Usage).into());
        };
        if !self.has_person {
            // A terminal shows what is typed; a transcript would lack it.
            let is_whole = line.len() as u64 <= MOST;
            print::message(if is_whole { clean(&String::from_utf8_lossy(&line)) } else { String::new() });
        }
        mark("C", has_marks);
        Ok(line)
    }
}

/// Prints a prompt between its marks.
fn show(prompt: &str, has_marks: bool) {
    mark("A", has_marks);
    print::show_anyhow(&clean(prompt));
    mark("B", has_marks);
}

/// Marks a position in the terminal's scrollback (OSC 133): A begins a prompt, B an answer, C an output; D ends it.
fn mark(what: &str, has_marks: bool) {
    if has_marks {
        let _ = print::whole(format!("\x1b]133;{what}\x1b\\").as_bytes());
    }
}

impl Reader {
    fn start(source: Source) -> eyre::Result<Self> {
        let (requests, requested) = std::sync::mpsc::channel();
        let (to_console, lines) = mpsc::unbounded_channel();
        let terminal = (source == Source::Terminal).then(own_terminal).flatten();
        let answering = move || {
            let answers: Box<dyn Read> = match terminal {
                Some(terminal) => Box::new(terminal),
                None => Box::new(io::stdin().lock()),
            };
            // Larger than the buffer of standard input, which is not used then.
            let mut answers = BufReader::with_capacity(READ, answers);
            // Some editors write one before the first line.
            let mut byte_order_mark: Option<&[u8]> = Some("\u{feff}".as_bytes());
            while let Ok(drops_read) = requested.recv() {
                if drops_read {
                    answers.consume(answers.buffer().len());
                }
                let mut line = read_line(&mut answers);
                if let (Ok(Some(line)), Some(mark)) = (&mut line, byte_order_mark.take())
                    && line.starts_with(mark)
                {
                    line.drain(..mark.len());
                }
                let is_cut = line.as_ref().is_ok_and(|line| line.as_ref().is_some_and(|line| line.len() as u64 > MOST));
                if to_console.send(line).is_err() || is_cut {
                    // The rest of a line is no line.
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("answers".to_owned());
        thread.spawn(answering).wrap_err("the program cannot start its threads")?;
        Ok(Self { requests, lines, is_reading: false, drops_read: false })
    }

    /// Drops the lines that were read together with the one before. A line that is still awaited has none.
    fn drop_read(&mut self) {
        if self.lines.try_recv().is_ok() {
            self.is_reading = false;
        }
        self.drops_read = !self.is_reading;
    }
}

/// The error of a question that is left; says what is true then.
fn left_with(exit: Exit, left: &str) -> eyre::Report {
    say_left(left);
    Failure::printed(exit).into()
}

/// Waits for a request to end the conversation, and says what is true then.
async fn ended(ends: &mut Stops, left: &str) -> eyre::Report {
    ends.next().await;
    print::message("");
    say_left(left);
    Over(Exit::Interrupted).into()
}

fn say_left(left: &str) {
    if !left.is_empty() {
        print::message(left);
    }
}

/// Renders a question with its default, if it is not empty, and how to leave.
pub(super) fn prompt(question: &str, default: &str) -> String {
    let default = if default.is_empty() { "no default".to_owned() } else { format!("default: {default}") };
    format!("{question} ({default}; Ctrl-C leaves): ")
}

/// Reads a list from standard input.
///
/// # Errors
///
/// It is longer than [`MOST`], is not UTF-8, or cannot be read.
pub(super) fn read_list() -> io::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other("it is longer than 16 MiB"));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Reads a line, of which at most a byte more than [`MOST`].
fn read_line(answers: &mut dyn BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    if answers.take(MOST + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    for end in [b'\n', b'\r'] {
        if line.last() == Some(&end) {
            line.pop();
        }
    }
    Ok(Some(line))
}
