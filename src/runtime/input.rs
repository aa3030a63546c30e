//! Turns the events of the terminal, and signals, into events of the event loop.
//!
//! Must not know what an event does to the app.

use std::time::Duration;

use futures::future::select_all;
use futures::{FutureExt as _, StreamExt};
use ratatui::crossterm::event::{
    Event as TerminalEvent, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use ratatui::layout::Position;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;

use super::event::Event;
use super::theme_detection::palette_on;
use super::{signals, terminal};
use crate::tui::Msg;
use crate::tui::input::Key;
use crate::tui::message::Target;

/// How long the program may take to end after a signal. It takes this long only if the terminal blocks, or another
/// program locks the journal.
const END_TIME_LIMIT: Duration = Duration::from_secs(2);

/// Listens to signals until the set is dropped. Must be called before the terminal is changed: a
/// signal without a listener would end the program without restoring it.
///
/// Ends the program itself if the set still exists two seconds after a termination signal.
///
/// # Errors
///
/// A signal handler could not be installed.
pub fn listen_to_signals(to: &UnboundedSender<Event>) -> std::io::Result<JoinSet<()>> {
    let mut listeners = JoinSet::new();
    let (mut ends, to_loop) = (signals::ends()?, to.clone());
    if !ends.is_empty() {
        let ending = async move {
            let (end, ..) = select_all(ends.iter_mut().map(|end| Box::pin(end.recv()))).await;
            if end.is_some() && to_loop.send(Event::Msg(Msg::Terminate)).is_ok() {
                tokio::time::sleep(END_TIME_LIMIT).await;
                terminal::abandon(INTERRUPTED);
            }
        };
        listeners.spawn(ending.boxed());
    }
    listeners.spawn(each(signal(CONTINUE)?, to.clone(), || Event::Continued).boxed());
    if let Some(suspends) = signals::suspends()? {
        listeners.spawn(each(suspends, to.clone(), || Event::Suspend).boxed());
    }
    Ok(listeners)
}

/// Listens to the terminal, whose events the keyboard translates.
///
/// # Errors
///
/// The thread that watches for a hang-up could not be started.
pub fn listen_to_terminal(
    to: &UnboundedSender<Event>,
    listeners: &mut JoinSet<()>,
    keyboard: Keyboard,
) -> std::io::Result<()> {
    listeners.spawn(listen_to_keyboard(KeyboardSender(to.clone()), keyboard).boxed());
    let to = to.clone();
    watch_for_hang_up(move || drop(to.send(Event::Msg(Msg::Terminate))))
}

/// Reports the end of the task that owns it, even after a panic.
struct KeyboardSender(UnboundedSender<Event>);

impl Drop for KeyboardSender {
    fn drop(&mut self) {
        let _ = self.0.send(Event::KeyboardLost);
    }
}

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// SIGCONT: the program continues after a stop.
pub const CONTINUE: SignalKind = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());

async fn each(mut signal: Signal, to: UnboundedSender<Event>, event: fn() -> Event) {
    while signal.recv().await.is_some() {
        if to.send(event()).is_err() {
            return;
        }
    }
}

async fn listen_to_keyboard(to: KeyboardSender, mut keyboard: Keyboard) {
    let mut events = EventStream::new();
    // The end of the stream, and any error, mean that the terminal is gone.
    while let Some(Ok(event)) = events.next().await {
        if let Some(event) = keyboard.translate(event)
            && to.0.send(event).is_err()
        {
            return;
        }
    }
}

/// Translates the events of a terminal, in order.
///
/// Recognises the response of the terminal to the query for its background colour. crossterm reads
/// `ESC ] 11;rgb:0a0a/0d0d/0a0a ESC \` as keys: Alt-`]`, every letter and digit, Alt-`\`. These keys would add and
/// delete plants.
#[derive(Debug, Default)]
pub struct Keyboard {
    /// Whether the next response chooses the palette; others have no meaning.
    awaits_background: bool,
    /// The part of a response that has arrived; `None` outside of one.
    response: Option<String>,
}

/// What an event is to the response of a terminal.
enum InResponse {
    /// No part of it.
    No,
    Part,
    /// The end of a response with this text.
    End(String),
}

impl Keyboard {
    /// A keyboard whose terminal was queried for its background colour, or was not.
    pub fn new(awaits_background: bool) -> Self {
        Self { awaits_background, response: None }
    }

    /// Returns `None` for an event without a meaning in this program.
    pub fn translate(&mut self, event: TerminalEvent) -> Option<Event> {
        match self.in_response(&event) {
            InResponse::No => {}
            InResponse::Part => return None,
            InResponse::End(text) => {
                let palette = palette_on(&text).filter(|_| self.awaits_background)?;
                self.awaits_background = false;
                return Some(Event::Background(palette));
            }
        }
        let message = match event {
            TerminalEvent::Key(key) => Msg::Key(pressed(key)?),
            TerminalEvent::Paste(text) => Msg::Paste(text),
            TerminalEvent::Resize(width, height) => Msg::Resized { width, height },
            TerminalEvent::Mouse(mouse) => return mouse_event(mouse),
            TerminalEvent::FocusGained | TerminalEvent::FocusLost => return None,
        };
        Some(Event::Msg(message))
    }

    fn in_response(&mut self, event: &TerminalEvent) -> InResponse {
        let TerminalEvent::Key(KeyEvent { code: KeyCode::Char(c), modifiers, .. }) = *event else {
            self.response = None;
            return InResponse::No;
        };
        if modifiers == KeyModifiers::ALT && c == ']' {
            self.response = Some(String::new());
            return InResponse::Part;
        }
        let Some(mut text) = self.response.take() else { return InResponse::No };
        if (modifiers == KeyModifiers::ALT && c == '\\') || (modifiers == KeyModifiers::CONTROL && c == 'g') {
            return InResponse::End(text);
        }
        text.push(c);
        if modifiers.difference(KeyModifiers::SHIFT).is_empty() && begins_a_response(&text) {
            self.response = Some(text);
            return InResponse::Part;
        }
        InResponse::No
    }
}

/// Whether a response to a query for a colour can begin with this text.
fn begins_a_response(text: &str) -> bool {
    const HEADS: [&str; 4] = ["10;rgb:", "10;rgba:", "11;rgb:", "11;rgba:"];
    let colour = HEADS.iter().find_map(|head| text.strip_prefix(head));
    match colour {
        Some(colour) => colour.len() <= 19 && colour.chars().all(|c| c.is_ascii_hexdigit() || c == '/'),
        None => HEADS.iter().any(|head| head.starts_with(text)),
    }
}

/// Calls `gone` when the terminal hangs up. crossterm would spin on such a terminal, and SIGHUP may be ignored or go to
/// another process. `poll` without events returns only at a hang-up, and never wakes an idle program.
///
/// # Errors
///
/// The thread that watches could not be started.
pub fn watch_for_hang_up(gone: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    std::thread::Builder::new().name("hang-up watch".to_owned()).spawn(move || {
        let stdin = std::io::stdin();
        loop {
            let mut watched = [PollFd::new(&stdin, PollFlags::empty())];
            let polled = poll(&mut watched, None);
            let [watched] = watched;
            if watched.revents().contains(PollFlags::NVAL) {
                // This system cannot poll a terminal: signals and the event stream have to suffice.
                return;
            }
            if watched.revents().intersects(PollFlags::HUP | PollFlags::ERR) {
                gone();
                return;
            }
            if polled.is_err_and(|why| why != rustix::io::Errno::INTR) {
                return;
            }
        }
    })?;
    Ok(())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the program uses few of the mouse's events")]
fn mouse_event(event: MouseEvent) -> Option<Event> {
    let message: fn(Target) -> Msg = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Msg::Clicked,
        MouseEventKind::ScrollDown => |over| Msg::Wheeled { over, down: true },
        MouseEventKind::ScrollUp => |over| Msg::Wheeled { over, down: false },
        _ => return None,
    };
    Some(Event::Mouse(Position { x: event.column, y: event.row }, message))
}

/// Returns `None` for a key release, for a repeated Enter, and for keys that the program does not use.
#[expect(clippy::wildcard_enum_match_arm, reason = "the program uses few of a terminal's keys")]
pub fn pressed(event: KeyEvent) -> Option<Key> {
    // A held Enter must not confirm the dialog or warning that it opens.
    let is_repeated_enter = event.kind == KeyEventKind::Repeat && event.code == KeyCode::Enter;
    if event.kind == KeyEventKind::Release || is_repeated_enter {
        return None;
    }
    let held = event.modifiers;
    match event.code {
        KeyCode::Char(c) if held.contains(KeyModifiers::CONTROL | KeyModifiers::ALT) => Some(Key::Char(c)),
        // Many terminals send Ctrl-H for Backspace.
        KeyCode::Char('h' | 'H') if held.contains(KeyModifiers::CONTROL) => Some(Key::Backspace),
        KeyCode::Char(c) if held.contains(KeyModifiers::CONTROL) => Some(Key::Ctrl(c.to_ascii_lowercase())),
        KeyCode::Char(_) if held.intersects(KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META) => None,
        KeyCode::Char(c) if held.contains(KeyModifiers::SHIFT) => Some(Key::Char(c.to_uppercase().next().unwrap_or(c))),
        KeyCode::Char(c) => Some(Key::Char(c)),
        KeyCode::Tab if held.contains(KeyModifiers::SHIFT) => Some(Key::BackTab),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc => Some(Key::Esc),
        KeyCode::Tab => Some(Key::Tab),
        KeyCode::BackTab => Some(Key::BackTab),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Delete => Some(Key::Delete),
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::Left => Some(Key::Left),
        KeyCode::Right => Some(Key::Right),
        KeyCode::Home => Some(Key::Home),
        KeyCode::End => Some(Key::End),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::F(number) => Some(Key::F(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn shift_and_a_letter_is_a_capital() {
        for code in ['d', 'D'] {
            assert_eq!(pressed(event(KeyCode::Char(code), KeyModifiers::SHIFT)), Some(Key::Char('D')));
        }
        assert_eq!(pressed(event(KeyCode::Tab, KeyModifiers::SHIFT)), Some(Key::BackTab));
    }

    #[test]
    fn only_enter_is_not_repeated() {
        let repeated = |code| KeyEvent { kind: KeyEventKind::Repeat, ..event(code, KeyModifiers::NONE) };
        assert_eq!(pressed(repeated(KeyCode::Enter)), None);
        assert_eq!(pressed(repeated(KeyCode::Down)), Some(Key::Down));
        assert_eq!(pressed(event(KeyCode::Enter, KeyModifiers::NONE)), Some(Key::Enter));
    }

    #[test]
    fn releases_and_alt_letters_are_ignored() {
        let mut release = event(KeyCode::Char('q'), KeyModifiers::NONE);
        release.kind = KeyEventKind::Release;
        assert_eq!(pressed(release), None);
        assert_eq!(pressed(event(KeyCode::Char('q'), KeyModifiers::ALT)), None);
    }

    /// Returns the keys that are no part of a late response.
    fn keys_of(events: impl IntoIterator<Item = (char, KeyModifiers)>) -> String {
        let mut keyboard = Keyboard::default();
        let events =
            events.into_iter().map(|(c, modifiers)| (c, TerminalEvent::Key(event(KeyCode::Char(c), modifiers))));
        let mut is_key = |event: &TerminalEvent| matches!(keyboard.in_response(event), InResponse::No);
        events.filter(|(_, event)| is_key(event)).map(|(c, _)| c).collect()
    }

    #[test]
    fn a_response_of_the_terminal_is_no_key_presses() {
        let plain = |text: &'static str| text.chars().map(|c| (c, KeyModifiers::NONE));
        let start = [(']', KeyModifiers::ALT)];
        for end in [('\\', KeyModifiers::ALT), ('g', KeyModifiers::CONTROL)] {
            for colour in ["11;rgb:0a0a/0d0d/0a0a", "10;rgb:a/d/D", "11;rgba:ffff/ffff/ffff/ffff"] {
                assert_eq!(
                    keys_of(start.into_iter().chain(plain(colour)).chain([end]).chain(plain("ad"))),
                    "ad",
                    "{colour}"
                );
            }
        }
        // Alt-] pressed by the user hides none of the following keys.
        assert_eq!(keys_of(start.into_iter().chain(plain("add"))), "add");
        assert_eq!(keys_of(plain("11;rgb:0a0a")), "11;rgb:0a0a");
    }

    #[test]
    fn the_first_response_to_a_query_chooses_the_palette() {
        let background = |keyboard: &mut Keyboard, color: &str| {
            let keys = [(']', KeyModifiers::ALT)].into_iter().chain(color.chars().map(|c| (c, KeyModifiers::NONE)));
            let events = keys.chain([('g', KeyModifiers::CONTROL)]).filter_map(|(c, modifiers)| {
                keyboard.translate(TerminalEvent::Key(event(KeyCode::Char(c), modifiers)))
            });
            events.map(|event| format!("{event:?}")).collect::<Vec<_>>().join(" ")
        };
        let mut keyboard = Keyboard::new(true);
        let [light, dark] = ["11;rgb:ffff/ffff/ffff", "11;rgb:0000/0000/0000"];
        assert_eq!([light, dark].map(|color| background(&mut keyboard, color)), ["Background(Light)", ""]);
        assert_eq!(background(&mut Keyboard::new(false), light), "");
    }

    #[test]
    fn ctrl_and_a_letter_is_another_key() {
        assert_eq!(pressed(event(KeyCode::Char('c'), KeyModifiers::CONTROL)), Some(Key::Ctrl('c')));
        assert_eq!(pressed(event(KeyCode::Char('h'), KeyModifiers::CONTROL)), Some(Key::Backspace));
        assert_eq!(pressed(event(KeyCode::Char('@'), KeyModifiers::CONTROL | KeyModifiers::ALT)), Some(Key::Char('@')));
    }
}
