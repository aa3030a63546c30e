//! Prompts on the terminal for a token.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use color_eyre::eyre::{self, WrapErr as _, bail};
use futures::future::OptionFuture;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::print::{self, Manner};
use super::stop::stopped;
use crate::client::Token;
use crate::domain::StoreUrl;
use crate::os::process::{stop_group, stop_process};
use crate::os::signals::{self, Signal};
use crate::os::terminal::{enter_raw_mode, leave_raw_mode};
use crate::runtime::hooks;
use crate::terminal::{self, Input, Key, Reader};
use crate::tui::widgets::text_input::TextInput;

/// Returns whether there is a terminal to ask on.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether a prompt or the interface has the terminal, and gives it back before it stops the program.
static GIVES_BACK: AtomicBool = AtomicBool::new(false);

struct Raw;

impl Raw {
    fn enter() -> io::Result<Self> {
        GIVES_BACK.store(true, Ordering::Relaxed);
        let raw = Self;
        enter_raw_mode()?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = leave_raw_mode();
        GIVES_BACK.store(false, Ordering::Relaxed);
    }
}

/// Leaves it to the interface to stop the program, as long as it has the terminal.
pub(super) fn leave_stops(to_interface: bool) {
    GIVES_BACK.store(to_interface, Ordering::Relaxed);
}

/// A thread of its own, because the others may be busy.
static SUSPENDING: OnceLock<Option<Runtime>> = OnceLock::new();

/// Stops the program on a signal from now on, unless what has the terminal does: the kernel would also do so while the journal is locked.
pub(super) fn suspend_on_signal() {
    SUSPENDING.get_or_init(|| {
        let mut suspends = signals::suspends().ok()??;
        let thread = hooks::starting(|| Builder::new_multi_thread().worker_threads(1).enable_io().build()).ok()?;
        thread.spawn(async move {
            while suspends.recv().await.is_some() {
                if !GIVES_BACK.load(Ordering::Relaxed) {
                    stop_process();
                }
            }
        });
        Some(thread)
    });
}

/// Prompts for a token until a valid one is typed; each character shows as a star, but in a conversation. `left` says what is true if the prompt
/// is left.
pub(super) async fn token(store: &StoreUrl, left: &str) -> eyre::Result<Token> {
    loop {
        print::message(format!("Enter the bearer token for {store}; it is not shown and not stored (Ctrl-C leaves)."));
        let typed = secret().await.wrap_err("the terminal cannot be read");
        let Some(mut field) = typed.or_exit_and_say(Exit::Usage, NOTHING_SENT)? else {
            print::message(format!("No token was entered for {store}. {left}").trim_end());
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
    let mut continued = signals::continues()?;
    let mut suspends = signals::suspends()?;
    let raw = Raw::enter()?;
    terminal::drop_typed_ahead();
    let (to_prompt, mut inputs) = mpsc::unbounded_channel();
    let reader = Reader::start(move |input| input.is_some_and(|(input, _)| to_prompt.send(input).is_ok()))?;
    let mut field = TextInput::default();
    let mut is_shown = false;
    let typed = loop {
        // A paste may arrive as many keys: draws once after the last of them. A conversation repaints nothing.
        if inputs.is_empty() && (!is_shown || print::manner() != Manner::Conversation) {
            show(&field)?;
            is_shown = true;
        }
        tokio::select! {
            // Without a sender the terminal is gone.
            input = inputs.recv() => match input {
                None | Some(Input::Key(Key::Esc | Key::Alt(_) | Key::Ctrl('c' | 'd'))) => break None,
                Some(Input::Key(Key::Enter)) => break Some(field),
                Some(Input::Key(key @ (Key::Char(_) | Key::Backspace | Key::Ctrl('u' | 'w')))) => {
                    field.press(key);
                }
                Some(Input::Paste(text)) => field.insert(&text),
                Some(Input::Key(Key::Ctrl('z'))) => suspend(&reader)?,
                Some(_) => {}
            },
            () = &mut stop => break None,
            // A shell that used the terminal meanwhile may have left raw mode.
            Some(()) = continued.recv() => {
                leave_raw_mode()?;
                enter_raw_mode()?;
                is_shown = false;
            }
            Some(Some(())) = OptionFuture::from(suspends.as_mut().map(Signal::recv)) => suspend(&reader)?,
        }
    };
    // Nothing is read from here on.
    drop(reader);
    // The rest of a paste whose first line is no valid token would answer the next question.
    terminal::drop_typed_ahead();
    drop(raw);
    print::message("");
    Ok(typed)
}

/// Stops the program, with the terminal as the shell knows it.
fn suspend(reader: &Reader) -> io::Result<()> {
    reader.pause();
    leave_raw_mode()?;
    stop_group();
    enter_raw_mode()?;
    reader.resume();
    Ok(())
}

/// Draws the prompt, with a star for each character, but in a conversation.
fn show(field: &TextInput) -> io::Result<()> {
    if print::manner() == Manner::Conversation {
        print::show_anyhow("Token: ");
        return Ok(());
    }
    let stars = "*".repeat(field.text().chars().take(40).count());
    let mut out = io::stderr();
    write!(out, "\r\x1b[KToken: {stars}")?;
    out.flush()
}
