//! Prompts on the terminal for subcommands: for a token, and for a confirmation.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use color_eyre::eyre::{self, WrapErr as _, bail};
use futures::FutureExt as _;
use futures::future::OptionFuture;
use ratatui::crossterm::event::{Event, poll, read};
use ratatui::crossterm::terminal::disable_raw_mode;
use tokio::signal::unix::{Signal, signal};
use tokio::sync::oneshot;

use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::print;
use super::stop::stopped;
use crate::client::Token;
use crate::domain::StoreUrl;
use crate::runtime::input::{CONTINUE, pressed, watch_for_hang_up};
use crate::runtime::{signals, terminal};
use crate::tui::input::Key;
use crate::tui::widgets::text_input::TextInput;

/// Returns whether there is a terminal to ask on.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Fails if a confirmation is needed and there is no terminal to ask on; `action` follows "to".
pub(super) fn check(is_needed: bool, action: &str, left: &str) -> eyre::Result<()> {
    if is_needed && !is_possible() {
        bail!(Failure::usage(format!("there is no terminal to ask on: add --yes to {action} without asking. {left}")));
    }
    Ok(())
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

/// Prompts for a token until a valid one is typed; each character shows as a star.
pub(super) async fn token(store: &StoreUrl) -> eyre::Result<Token> {
    loop {
        print::message(format!("Enter the bearer token for {store}. It is not shown and not stored."));
        let typed = secret().await.wrap_err("the terminal cannot be read");
        let Some(mut field) = typed.or_exit_and_say(Exit::Usage, NOTHING_SENT)? else {
            print::message(format!("No token was entered for {store}. Nothing was sent."));
            bail!(Failure::printed(Exit::Interrupted));
        };
        let token = Token::new(field.text());
        field.wipe();
        match token {
            Ok(token) => return Ok(token),
            Err(fault) => print::error(fault.to_string()),
        }
    }
}

/// Reads one line, masked. Returns `None` if the person cancels, or the program is to stop.
async fn secret() -> io::Result<Option<TextInput>> {
    let mut stop = std::pin::pin!(stopped());
    let mut continued = signal(CONTINUE)?;
    let mut suspends = signals::suspends()?;
    let (gone, mut vanished) = oneshot::channel();
    watch_for_hang_up(move || {
        let _ = gone.send(());
    })?;
    // Owned by this task, not by the reading thread, which a signal cannot wake.
    let raw = Raw::enter()?;
    terminal::drop_typed_ahead();
    let mut reading = tokio::task::spawn_blocking(read_secret);
    let typed = loop {
        tokio::select! {
            typed = &mut reading => break typed.unwrap_or_else(|died| Err(io::Error::other(died))),
            () = &mut stop => break Ok(None),
            Ok(()) = &mut vanished, if !vanished.is_terminated() => break Ok(None),
            // A shell that used the terminal meanwhile may have left raw mode.
            Some(()) = continued.recv() => {
                disable_raw_mode()?;
                terminal::enter_raw_mode()?;
            }
            Some(Some(())) = OptionFuture::from(suspends.as_mut().map(Signal::recv)) => {
                disable_raw_mode()?;
                terminal::stop_group();
                terminal::enter_raw_mode()?;
            }
        }
    };
    drop(raw);
    #[expect(clippy::disallowed_methods, reason = "the task runs until the program ends, and returns nothing")]
    drop(tokio::spawn(signals::suspend_on_signal(suspends).boxed()));
    print::message("");
    typed
}

/// Reads one line from a terminal in raw mode. Returns `None` if the person cancels.
fn read_secret() -> io::Result<Option<TextInput>> {
    let mut field = TextInput::default();
    let mut out = io::stderr();
    // Drops the rest of a paste whose first line was no valid token.
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
        // A paste arrives as many keys: draws once after the last of them.
        if poll(Duration::from_millis(1))? {
            continue;
        }
        let stars = "*".repeat(field.text().chars().take(40).count());
        write!(out, "\r\x1b[KToken: {stars}")?;
        out.flush()?;
    };
    Ok(kept.then_some(field))
}

/// Asks a question; anything but yes means no. A request to stop the program ends it; `left` says what is then true.
pub(super) async fn yes(question: &str, left: &str) -> eyre::Result<bool> {
    let stop = stopped();
    let _ = write!(io::stderr(), "{question} [y/N] ");
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    let read = tokio::select! {
        read = read => read,
        () = stop => {
            print::message(format!("\n{left}"));
            bail!(Failure::printed(Exit::Interrupted));
        }
    };
    match read {
        Ok(Ok(line)) => Ok(matches!(line.trim(), "y" | "Y" | "yes" | "Yes")),
        Ok(Err(_)) | Err(_) => {
            bail!(Failure::usage(format!("the terminal cannot be read: add --yes to go on without asking. {left}")))
        }
    }
}
