//! Questions to a person on the terminal, for subcommands: a token, a yes.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use color_eyre::eyre::{self, WrapErr as _, bail};
use ratatui::crossterm::event::{Event, poll, read};
use ratatui::crossterm::terminal::disable_raw_mode;
use tokio::signal::unix::{Signal, signal};
use tokio::sync::oneshot;

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::print;
use super::stop::stopped;
use crate::client::Token;
use crate::domain::StoreUrl;
use crate::runtime::input::{CONTINUE, pressed, watch_for_hang_up};
use crate::runtime::{signals, terminal};
use crate::tui::input::Key;
use crate::tui::widgets::text_input::TextInput;

/// Returns whether there is somebody to ask.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

struct Raw;

impl Raw {
    fn enter() -> io::Result<Self> {
        let raw = Self;
        terminal::enter_raw_mode()?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// Asks for a token; each character shows as a star.
pub(super) async fn token(store: &StoreUrl) -> eyre::Result<Token> {
    loop {
        print::message(&format!("{store} asks for a bearer token. It is not shown and not written down."));
        let typed = secret().await.wrap_err("the terminal cannot be read");
        let Some(mut field) = typed.or_exit_and_say(Exit::Usage, "Nothing was sent.")? else {
            print::message(&format!("No token was given for {store}. Nothing was sent."));
            bail!(Failure::told(Exit::Interrupted));
        };
        let token = Token::new(field.text());
        field.wipe();
        match token {
            Ok(token) => return Ok(token),
            Err(fault) => print::error(&fault.to_string()),
        }
    }
}

/// Reads one line, masked. `None` if the person gave up, or the program is to stop.
async fn secret() -> io::Result<Option<TextInput>> {
    let mut stop = std::pin::pin!(stopped());
    let mut continued = signal(CONTINUE)?;
    let mut suspends = signals::suspends()?;
    let (gone, vanished) = oneshot::channel();
    watch_for_hang_up(move || {
        let _ = gone.send(());
    })?;
    // Where the terminal cannot be watched, it never does.
    let mut vanished = std::pin::pin!(async {
        if vanished.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    // Held here and not where it is read: when a signal comes, nothing can wake that thread.
    let raw = Raw::enter()?;
    terminal::drop_typed_ahead();
    let mut reading = tokio::task::spawn_blocking(read_secret);
    let typed = loop {
        tokio::select! {
            typed = &mut reading => break typed.unwrap_or_else(|died| Err(io::Error::other(died))),
            () = &mut stop => break Ok(None),
            () = &mut vanished => break Ok(None),
            // A shell that had the terminal meanwhile may have ended it.
            Some(()) = continued.recv() => {
                disable_raw_mode()?;
                terminal::enter_raw_mode()?;
            }
            Some(()) = next_of(&mut suspends) => {
                disable_raw_mode()?;
                terminal::stop_group();
                terminal::enter_raw_mode()?;
            }
        }
    };
    drop(raw);
    #[expect(clippy::disallowed_methods, reason = "it ends with the program, and nothing waits for it")]
    drop(tokio::spawn(signals::suspend_on_signal(suspends)));
    print::message("");
    typed
}

/// Resolves at the next request to suspend; never, where nothing listens to them.
async fn next_of(suspends: &mut Option<Signal>) -> Option<()> {
    match suspends {
        Some(suspends) => suspends.recv().await,
        None => std::future::pending().await,
    }
}

/// Reads one line from a terminal in raw mode. `None` if the person gave up.
fn read_secret() -> io::Result<Option<TextInput>> {
    let mut field = TextInput::default();
    let mut out = io::stderr();
    // Read already with a line before, which was no token.
    while poll(Duration::from_millis(1))? {
        read()?;
    }
    write!(out, "Token: ")?;
    out.flush()?;
    let kept = loop {
        match read()? {
            Event::Key(event) => match pressed(event) {
                Some(Key::Enter) => break true,
                Some(Key::Esc | Key::Ctrl('c' | 'd')) => break false,
                Some(key @ (Key::Char(_) | Key::Backspace | Key::Ctrl('u' | 'w'))) => {
                    field.press(key);
                }
                Some(_) | None => {}
            },
            Event::Paste(text) => field.insert(&text),
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Resize(..) => {}
        }
        // What was pasted comes as many keys.
        if poll(Duration::from_millis(1))? {
            continue;
        }
        let stars = "*".repeat(field.text().chars().take(40).count());
        write!(out, "\r\x1b[KToken: {stars}")?;
        out.flush()?;
    };
    Ok(kept.then_some(field))
}

/// Asks a question whose safe response is no. A request to stop the program ends it.
pub(super) async fn yes(question: &str) -> eyre::Result<bool> {
    let stop = stopped();
    let _ = write!(io::stderr(), "{question} [y/N] ");
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    let read = tokio::select! {
        read = read => read,
        () = stop => {
            print::message("\nNothing was sent.");
            bail!(Failure::told(Exit::Interrupted));
        }
    };
    match read {
        Ok(Ok(line)) => Ok(matches!(line.trim(), "y" | "Y" | "yes" | "Yes")),
        Ok(Err(_)) | Err(_) => bail!(Failure::usage("the answer cannot be read. Nothing was sent.")),
    }
}
