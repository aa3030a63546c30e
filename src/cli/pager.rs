//! Prints lines: on a terminal through a pager, once they are more than it shows.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::process::{Child, Command, Stdio};

use super::print;
use super::terminal_output::Terminal;
use crate::config::{Pager, withhold_secrets};
use crate::os::signals;
use crate::text::clean_bytes;

/// Lines on their way to stdout. Dropping it shows what is held, and waits for the pager.
pub(super) struct Paged<'a>(State<'a>);

enum State<'a> {
    /// Held while they fit on the terminal.
    Held(Vec<String>, &'a Terminal),
    Printing,
    Paging(Child),
    Over,
}

impl<'a> Paged<'a> {
    /// Takes the terminal that stdout is, if it is one.
    pub(super) fn new(terminal: Option<&'a Terminal>) -> Self {
        Self(terminal.map_or(State::Printing, |terminal| State::Held(Vec::new(), terminal)))
    }

    /// Prints lines, or holds them.
    ///
    /// # Errors
    ///
    /// `BrokenPipe` if the person has quit the pager; else as for [`Self::end`].
    pub(super) fn print(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        match &mut self.0 {
            State::Held(held, terminal) => {
                held.extend(lines);
                // The prompt of the shell needs a row, too.
                if held.len() < terminal.rows {
                    return Ok(());
                }
                let held = std::mem::take(held);
                self.0 = terminal.pager.as_ref().and_then(start).unwrap_or(State::Printing);
                self.print(held)
            }
            State::Printing => write(io::stdout().lock(), &joined(lines)),
            State::Paging(child) => child.stdin.as_mut().map_or(Ok(()), |pipe| write(pipe, &joined(lines))),
            State::Over => Ok(()),
        }
    }

    /// Prints what is held, or waits until the person has quit the pager.
    ///
    /// # Errors
    ///
    /// The lines are lost: the terminal is gone.
    pub(super) fn end(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.0, State::Over) {
            State::Held(held, _) => write(io::stdout().lock(), &joined(held)),
            State::Printing | State::Over => Ok(()),
            State::Paging(mut child) => {
                // Its end of the pipe would wait for more.
                drop(child.stdin.take());
                if let Some(code @ 1..) = child.wait()?.code() {
                    print::message(format!(
                        "The pager failed (exit code {code}), so that lines may be missing; --no-pager prints without one."
                    ));
                }
                Ok(())
            }
        }
    }
}

impl Drop for Paged<'_> {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

fn joined(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn write(mut out: impl io::Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Starts the pager; `None` if there is none, with a message if the person named it.
fn start(pager: &Pager) -> Option<State<'static>> {
    let mut command = command(pager.command.as_deref());
    command.envs(pager.variables.iter().map(|(name, value)| (name, value))).stdin(Stdio::piped());
    withhold_secrets(&mut command);
    // The pager handles Ctrl-C; this program ends when the pager does.
    let _ = signals::outlive_interrupts();
    match (command.spawn(), &pager.command) {
        (Ok(child), _) => Some(State::Paging(child)),
        (Err(error), None) if error.kind() == ErrorKind::NotFound => None,
        (Err(error), _) => {
            let name = clean_bytes(command.get_program().as_encoded_bytes());
            print::message(format!("Printed without a pager: {name} cannot be started ({error})."));
            None
        }
    }
}

/// Composes the command from words, which are divided as in a shell; none runs it.
fn command(named: Option<&OsStr>) -> Command {
    let named = named.unwrap_or("less".as_ref());
    let mut words = named.to_str().and_then(shlex::split).unwrap_or_default().into_iter();
    let mut command = Command::new(words.next().map_or(named.to_owned(), OsString::from));
    command.args(words);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_divided_as_in_a_shell() {
        let words = |named: &str| {
            let command = command(Some(named.as_ref()));
            let words = [command.get_program()].into_iter().chain(command.get_args());
            words.map(|word| word.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(words("more"), ["more"]);
        assert_eq!(words(" less  -S "), ["less", "-S"]);
        assert_eq!(words("less -P 'a b'"), ["less", "-P", "a b"]);
        assert_eq!(words("'unclosed"), ["'unclosed"]);
    }
}
