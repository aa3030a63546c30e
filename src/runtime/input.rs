//! Turns what a terminal and the system send into messages. Must not know what they do to the model.

use std::time::Duration;

use futures::StreamExt;
use ratatui::crossterm::event::{
    Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;

use super::{signals, terminal};
use crate::tui::Msg;
use crate::tui::input::Key;

/// What the event loop hears.
#[derive(Debug)]
pub enum Heard {
    Msg(Msg),
    /// To be looked up in the last frame.
    Mouse(Mouse),
    /// Another process asks the program to stop until it is continued.
    Suspend,
    /// The program was stopped and goes on: the terminal may have been used by others.
    Continued,
    /// The task that listens to the keyboard has ended: it failed, or the terminal is gone.
    Deaf,
}

/// Columns and rows count from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub what: Gesture,
    pub x: u16,
    pub y: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    Click,
    /// Towards the person.
    WheelDown,
    WheelUp,
}

/// How long the program may take to end after a signal. It takes so long only where a terminal takes no
/// more of what is drawn, or another program holds the journal.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// Listens to signals, each in its own task, until the set is dropped. Must be called before the terminal
/// is touched: a signal without a listener ends the program and leaves the terminal as it is.
///
/// Ends the program by itself if the set still lives some seconds after a signal that asks for that.
///
/// # Errors
///
/// A signal handler could not be installed.
pub fn listen_to_signals(to: &UnboundedSender<Heard>) -> std::io::Result<JoinSet<()>> {
    let mut listeners = JoinSet::new();
    for mut end in signals::ends()? {
        let to = to.clone();
        listeners.spawn(async move {
            if end.recv().await.is_some() && to.send(Heard::Msg(Msg::Terminate)).is_ok() {
                tokio::time::sleep(ENDS_WITHIN).await;
                terminal::abandon(INTERRUPTED);
            }
        });
    }
    listeners.spawn(each(signal(CONTINUE)?, to.clone(), || Heard::Continued));
    if let Some(suspends) = signals::suspends()? {
        listeners.spawn(each(suspends, to.clone(), || Heard::Suspend));
    }
    Ok(listeners)
}

/// Listens to the terminal as well.
///
/// # Errors
///
/// The thread that watches for its end could not be started.
pub fn listen_to_terminal(to: &UnboundedSender<Heard>, listeners: &mut JoinSet<()>) -> std::io::Result<()> {
    listeners.spawn(listen_to_keyboard(Listening(to.clone())));
    let to = to.clone();
    watch_for_hang_up(move || drop(to.send(Heard::Msg(Msg::Terminate))))
}

/// Reports the end of the task that holds it, even by a panic: a screen that hears no key is dead.
struct Listening(UnboundedSender<Heard>);

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.send(Heard::Deaf);
    }
}

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// SIGCONT: the program goes on after it was stopped.
pub const CONTINUE: SignalKind = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());

async fn each(mut signal: Signal, to: UnboundedSender<Heard>, heard: fn() -> Heard) {
    while signal.recv().await.is_some() {
        if to.send(heard()).is_err() {
            return;
        }
    }
}

async fn listen_to_keyboard(to: Listening) {
    let mut events = EventStream::new();
    let mut keyboard = Keyboard::default();
    // The end of the stream, and any error, mean that the terminal is gone.
    while let Some(Ok(event)) = events.next().await {
        if let Some(heard) = keyboard.hear(event)
            && to.0.send(heard).is_err()
        {
            return;
        }
    }
}

/// Translates the events of a terminal, one after the other.
///
/// Leaves out the terminal's response to the question for its background when it comes too late: over a slow
/// line, after every start. crossterm takes `ESC ] 11;rgb:0a0a/0d0d/0a0a ESC \` for keys: Alt and `]`, every
/// letter and digit of it, Alt and `\`. As keys, they would add and delete plants.
#[derive(Debug, Default)]
pub struct Keyboard {
    /// What came of such a response so far; `None` outside one.
    late_response: Option<String>,
}

impl Keyboard {
    /// Returns `None` for an event that means nothing to this program.
    pub fn hear(&mut self, event: Event) -> Option<Heard> {
        if self.is_late_response(&event) { None } else { heard(event) }
    }

    /// Whether this event is a part of a response, and no key that a person pressed.
    fn is_late_response(&mut self, event: &Event) -> bool {
        let Event::Key(KeyEvent { code: KeyCode::Char(c), modifiers, .. }) = *event else {
            self.late_response = None;
            return false;
        };
        if modifiers == KeyModifiers::ALT && c == ']' {
            self.late_response = Some(String::new());
            return true;
        }
        let Some(mut text) = self.late_response.take() else { return false };
        if (modifiers == KeyModifiers::ALT && c == '\\') || (modifiers == KeyModifiers::CONTROL && c == 'g') {
            return true;
        }
        text.push(c);
        let is_part = modifiers.difference(KeyModifiers::SHIFT).is_empty() && begins_a_response(&text);
        self.late_response = is_part.then_some(text);
        is_part
    }
}

/// Whether a response to the question for a colour could begin like this.
fn begins_a_response(text: &str) -> bool {
    const HEADS: [&str; 4] = ["10;rgb:", "10;rgba:", "11;rgb:", "11;rgba:"];
    let colour = HEADS.iter().find_map(|head| text.strip_prefix(head));
    match colour {
        Some(colour) => colour.len() <= 19 && colour.chars().all(|c| c.is_ascii_hexdigit() || c == '/'),
        None => HEADS.iter().any(|head| head.starts_with(text)),
    }
}

/// Calls `gone` when the terminal vanishes. A terminal that is gone makes crossterm spin rather than end,
/// and SIGHUP may be ignored or sent to another process; `poll` for nothing returns only at hang-up, and
/// costs nothing meanwhile.
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
                // This system cannot poll a terminal; signals and the event stream must do.
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

fn heard(event: Event) -> Option<Heard> {
    let message = match event {
        Event::Key(key) => Msg::Key(pressed(key)?),
        Event::Paste(text) => Msg::Paste(text),
        Event::Resize(width, height) => Msg::Resized { width, height },
        Event::Mouse(mouse) => return pointed(mouse).map(Heard::Mouse),
        Event::FocusGained | Event::FocusLost => return None,
    };
    Some(Heard::Msg(message))
}

fn pointed(event: MouseEvent) -> Option<Mouse> {
    let what = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => Gesture::Click,
        MouseEventKind::ScrollDown => Gesture::WheelDown,
        MouseEventKind::ScrollUp => Gesture::WheelUp,
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return None,
    };
    Some(Mouse { what, x: event.column, y: event.row })
}

/// Returns `None` for releases, for Enter held down and for keys that the program does not know.
pub fn pressed(event: KeyEvent) -> Option<Key> {
    // Enter held down presses once: what it opens or warns of is not answered by holding it.
    let is_held = event.kind == KeyEventKind::Repeat && event.code == KeyCode::Enter;
    if event.kind == KeyEventKind::Release || is_held {
        return None;
    }
    let held = event.modifiers;
    match event.code {
        KeyCode::Char(c) if held.contains(KeyModifiers::CONTROL | KeyModifiers::ALT) => Some(Key::Char(c)),
        // What a terminal sends for Backspace is Ctrl-H as often as not.
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
        KeyCode::Insert
        | KeyCode::Null
        | KeyCode::CapsLock
        | KeyCode::ScrollLock
        | KeyCode::NumLock
        | KeyCode::PrintScreen
        | KeyCode::Pause
        | KeyCode::Menu
        | KeyCode::KeypadBegin
        | KeyCode::Media(_)
        | KeyCode::Modifier(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn shifted_letters_are_capitals_however_a_terminal_tells_them() {
        for code in ['d', 'D'] {
            assert_eq!(pressed(event(KeyCode::Char(code), KeyModifiers::SHIFT)), Some(Key::Char('D')));
        }
        assert_eq!(pressed(event(KeyCode::Tab, KeyModifiers::SHIFT)), Some(Key::BackTab));
    }

    #[test]
    fn enter_held_down_presses_once_and_other_keys_go_on() {
        let repeated = |code| KeyEvent { kind: KeyEventKind::Repeat, ..event(code, KeyModifiers::NONE) };
        assert_eq!(pressed(repeated(KeyCode::Enter)), None);
        assert_eq!(pressed(repeated(KeyCode::Down)), Some(Key::Down));
        assert_eq!(pressed(event(KeyCode::Enter, KeyModifiers::NONE)), Some(Key::Enter));
    }

    #[test]
    fn releases_and_alt_letters_press_nothing() {
        let mut release = event(KeyCode::Char('q'), KeyModifiers::NONE);
        release.kind = KeyEventKind::Release;
        assert_eq!(pressed(release), None);
        assert_eq!(pressed(event(KeyCode::Char('q'), KeyModifiers::ALT)), None);
    }

    /// What is left for the program of keys that come one after the other.
    fn kept(events: impl IntoIterator<Item = (char, KeyModifiers)>) -> String {
        let mut keyboard = Keyboard::default();
        let events = events.into_iter().map(|(c, modifiers)| (c, Event::Key(event(KeyCode::Char(c), modifiers))));
        events.filter(|(_, event)| !keyboard.is_late_response(event)).map(|(c, _)| c).collect()
    }

    #[test]
    fn a_late_response_of_the_terminal_presses_no_keys() {
        let plain = |text: &'static str| text.chars().map(|c| (c, KeyModifiers::NONE));
        let start = [(']', KeyModifiers::ALT)];
        for end in [('\\', KeyModifiers::ALT), ('g', KeyModifiers::CONTROL)] {
            for colour in ["11;rgb:0a0a/0d0d/0a0a", "10;rgb:a/d/D", "11;rgba:ffff/ffff/ffff/ffff"] {
                assert_eq!(
                    kept(start.into_iter().chain(plain(colour)).chain([end]).chain(plain("ad"))),
                    "ad",
                    "{colour}"
                );
            }
        }
        // Whoever presses Alt and ] by hand loses nothing that means anything.
        assert_eq!(kept(start.into_iter().chain(plain("add"))), "add");
        assert_eq!(kept(plain("11;rgb:0a0a")), "11;rgb:0a0a");
    }

    #[test]
    fn ctrl_letters_are_told_from_letters() {
        assert_eq!(pressed(event(KeyCode::Char('c'), KeyModifiers::CONTROL)), Some(Key::Ctrl('c')));
        assert_eq!(pressed(event(KeyCode::Char('h'), KeyModifiers::CONTROL)), Some(Key::Backspace));
        assert_eq!(pressed(event(KeyCode::Char('@'), KeyModifiers::CONTROL | KeyModifiers::ALT)), Some(Key::Char('@')));
    }
}
