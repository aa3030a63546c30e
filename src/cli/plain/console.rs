//! Asks questions on stdin and stdout, one line each, and reads the answers.
//!
//! Nothing is repainted and the cursor never moves: a screen reader speaks each line once. Must not know what is asked.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::thread;

use color_eyre::eyre::{self, WrapErr as _};
use futures::future::BoxFuture;
use tokio::sync::mpsc;
use zeroize::Zeroizing;

use super::super::error::Exit;
use super::super::print;
use super::super::stop::Stops;
use super::super::when_unknown::Ask;
use crate::os::terminal::{LONGEST_LINE, hide_typed};
use crate::terminal::{LentTerminal, drop_typed_ahead};
use crate::text::clean;

/// Why a question has no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// Ctrl-C, or an invalid answer where no person can correct it; with the exit code.
    Left(Exit),
    /// The input is at its end, or a signal ends the program.
    Over(End),
    Failed(eyre::Report),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Input,
    Signal,
}

impl<E: Into<eyre::Report>> From<E> for Unanswered {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A line without its end; wiped when dropped, because it may be a token.
type Line = Zeroizing<Vec<u8>>;

/// The conversation with the person, or with the script, on stdin.
pub(super) struct Console {
    /// Whether a person types the answers, sees them, and can correct them.
    pub(super) has_person: bool,
    /// Whether the terminal gets marks where a prompt and an output begin.
    has_marks: bool,
    /// Requests one more line each.
    requests: std::sync::mpsc::Sender<()>,
    lines: mpsc::UnboundedReceiver<io::Result<Option<Line>>>,
    /// Whether a line was requested that did not arrive yet: a read cannot be cancelled.
    is_reading: bool,
    ends: Stops,
    /// A line of a script that was no answer, and is its next command.
    unused: Option<String>,
}

impl Console {
    /// `is_dumb`: the terminal obeys no escape sequences.
    pub(super) fn new(is_dumb: bool) -> eyre::Result<Self> {
        let (requests, requested) = std::sync::mpsc::channel();
        let (to_console, lines) = mpsc::unbounded_channel();
        let reader = thread::Builder::new().name("stdin".to_owned());
        reader
            .spawn(move || while requested.recv().is_ok() && to_console.send(read_line()).is_ok() {})
            .wrap_err("the program cannot start its threads")?;
        let has_person = io::stdin().is_terminal();
        let has_marks = has_person && io::stdout().is_terminal() && !is_dumb;
        Ok(Self {
            has_person,
            has_marks,
            requests,
            lines,
            is_reading: false,
            ends: Stops::but_interrupts(),
            unused: None,
        })
    }

    /// Asks for a command. Leaves its answer as it was typed.
    pub(super) async fn ask_for_command(&mut self, prompt: &str) -> Result<String, Unanswered> {
        match self.unused.take() {
            None => self.ask(prompt).await,
            Some(line) => {
                print::message(format!("{prompt}{line}"));
                Ok(line)
            }
        }
    }

    /// Asks; returns the answer as it was typed.
    pub(super) async fn ask(&mut self, prompt: &str) -> Result<String, Unanswered> {
        loop {
            let line = self.read(prompt, true).await?;
            match self.text(&line) {
                Ok(text) => return Ok(text.to_owned()),
                Err(fault) => self.correct(fault)?,
            }
        }
    }

    /// Asks without showing what is typed.
    pub(super) async fn ask_for_secret(&mut self, prompt: &str) -> Result<Zeroizing<String>, Unanswered> {
        loop {
            let line = {
                let _shown_again = Hidden::begin();
                // Meant for another question.
                drop_typed_ahead();
                self.read(prompt, false).await
            };
            // The terminal did not show the end of the line either.
            print::message("");
            match self.text(&line?) {
                Ok(text) => return Ok(Zeroizing::new(text.to_owned())),
                Err(fault) => self.correct(fault)?,
            }
        }
    }

    fn text<'a>(&self, line: &'a Line) -> Result<&'a str, &'static str> {
        if self.has_person && line.len() >= LONGEST_LINE {
            return Err("The terminal cuts a line of this length: use a shorter one, or a file.");
        }
        std::str::from_utf8(line).map_err(|_| "That is not UTF-8.")
    }

    /// Asks for yes or no; an empty answer is `default`.
    pub(super) async fn confirm(&mut self, question: &str, default: bool) -> Result<bool, Unanswered> {
        let prompt = prompt(&format!("{question} yes or no"), if default { "yes" } else { "no" });
        loop {
            let answer = self.ask(&prompt).await?;
            match answer.trim().to_ascii_lowercase().as_str() {
                "" => return Ok(default),
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
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
    /// [`Unanswered::Left`] where a script answers: its next line is not meant for this question.
    pub(super) fn correct(&self, fault: &str) -> Result<(), Unanswered> {
        print::message(fault);
        if self.has_person { Ok(()) } else { Err(Unanswered::Left(Exit::Usage)) }
    }

    /// Tells the terminal that a command has ended with this exit code.
    pub(super) fn end_command(&self, exit: u8) {
        self.mark(&format!("D;{exit}"));
    }

    async fn read(&mut self, prompt: &str, is_shown: bool) -> Result<Line, Unanswered> {
        let mut interrupts = Stops::interrupts();
        self.mark("A");
        let _ = print::text_at_once(&clean(prompt));
        self.mark("B");
        if !self.is_reading {
            self.is_reading = self.requests.send(()).is_ok();
        }
        let line = tokio::select! {
            line = self.lines.recv() => line,
            () = interrupts.next() => {
                print::message("");
                return Err(Unanswered::Left(Exit::NotSent));
            }
            () = self.ends.next() => {
                print::message("");
                return Err(Unanswered::Over(End::Signal));
            }
        };
        self.is_reading = false;
        let Some(Ok(Some(line))) = line else {
            print::message("");
            return Err(Unanswered::Over(End::Input));
        };
        if !self.has_person {
            // A terminal shows what is typed; a transcript would lack it.
            let typed = if is_shown { clean(&String::from_utf8_lossy(&line)) } else { String::new() };
            print::message(typed);
        }
        self.mark("C");
        Ok(line)
    }

    /// Marks a position in the terminal's scrollback (OSC 133): A begins a prompt, B an answer, C an output; D ends it.
    fn mark(&self, what: &str) {
        if self.has_marks {
            let _ = print::whole(format!("\x1b]133;{what}\x1b\\").as_bytes());
        }
    }
}

impl Ask for Console {
    fn ask<'a>(&'a mut self, question: &'a str) -> BoxFuture<'a, eyre::Result<bool>> {
        // A question that is left, or whose input has ended, is answered with no.
        Box::pin(async move { Ok(self.confirm(question, false).await.unwrap_or(false)) })
    }
}

/// Renders a question with its default and how to leave.
pub(super) fn prompt(question: &str, default: &str) -> String {
    format!("{question} (default: {default}; Ctrl-C leaves): ")
}

fn read_line() -> io::Result<Option<Line>> {
    let mut line = Zeroizing::new(Vec::new());
    if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    for end in [b'\n', b'\r'] {
        if line.last() == Some(&end) {
            line.pop();
        }
    }
    Ok(Some(line))
}

/// Keeps what is typed off the terminal until it is dropped.
struct Hidden(#[expect(dead_code, reason = "restores the terminal when dropped")] Option<LentTerminal>);

impl Hidden {
    fn begin() -> Self {
        let lent = LentTerminal::lend();
        hide_typed();
        Self(lent)
    }
}
