//! What a terminal reports: keys, pasted text, sizes and the mouse, through to the frame that shows
//! what they did.

use std::time::Duration;

use jiff::tz::TimeZone;
use plants::domain::{Details, PlantId, Row, State, Timestamp};
use plants::journal::{Anchor, Tally, Window, WindowRequest};
use plants::runtime::input::{Gesture, Heard, Keyboard};
use plants::tui::input::Keymap;
use plants::tui::message::{StoreInfo, Target};
use plants::tui::widgets::canvas::HitMap;
use plants::tui::widgets::theme::{Depth, Marks, Palette, Theme};
use plants::tui::{App, Effect, Msg};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::harmless;

/// What bytes that are no letters stand for, from 0.
const KEYS: [(KeyCode, KeyModifiers); 28] = [
    (KeyCode::Enter, KeyModifiers::NONE),
    (KeyCode::Esc, KeyModifiers::NONE),
    (KeyCode::Tab, KeyModifiers::NONE),
    (KeyCode::BackTab, KeyModifiers::SHIFT),
    (KeyCode::Backspace, KeyModifiers::NONE),
    (KeyCode::Delete, KeyModifiers::NONE),
    (KeyCode::Up, KeyModifiers::NONE),
    (KeyCode::Down, KeyModifiers::NONE),
    (KeyCode::Left, KeyModifiers::NONE),
    (KeyCode::Right, KeyModifiers::NONE),
    // A line's end, so that a corpus has lines.
    (KeyCode::Enter, KeyModifiers::NONE),
    (KeyCode::Home, KeyModifiers::NONE),
    (KeyCode::End, KeyModifiers::NONE),
    (KeyCode::PageUp, KeyModifiers::NONE),
    (KeyCode::PageDown, KeyModifiers::NONE),
    (KeyCode::F(1), KeyModifiers::NONE),
    (KeyCode::F(5), KeyModifiers::NONE),
    (KeyCode::F(255), KeyModifiers::NONE),
    (KeyCode::Insert, KeyModifiers::NONE),
    (KeyCode::Null, KeyModifiers::NONE),
    (KeyCode::Char('c'), KeyModifiers::CONTROL),
    (KeyCode::Char('u'), KeyModifiers::CONTROL),
    (KeyCode::Char('w'), KeyModifiers::CONTROL),
    (KeyCode::Char('h'), KeyModifiers::CONTROL),
    (KeyCode::Char(']'), KeyModifiers::ALT),
    (KeyCode::Char('\\'), KeyModifiers::ALT),
    (KeyCode::Char('e'), KeyModifiers::CONTROL.union(KeyModifiers::ALT)),
    (KeyCode::Char('\0'), KeyModifiers::NONE),
];

pub(super) fn read(bytes: &[u8]) {
    let mut rest = bytes;
    let mut keyboard = Keyboard::default();
    let mut app = App::new(store_info(), Keymap::default(), true);
    let began = app.begin(Vec::new());
    let mut screen = Terminal::new(TestBackend::new(80, 24)).expect("a screen in memory");
    let mut map = HitMap::default();
    response(&mut app, began);
    while let Some(event) = next_event(&mut rest) {
        if let Event::Resize(width, height) = event {
            screen.backend_mut().resize(width, height);
        }
        let message = match keyboard.hear(event) {
            Some(Heard::Msg(message)) => message,
            Some(Heard::Mouse(mouse)) => {
                let at = Position { x: mouse.x, y: mouse.y };
                let Some(target) = under(&map, at) else { continue };
                match mouse.what {
                    Gesture::Click => Msg::Clicked(target),
                    Gesture::WheelDown => Msg::Wheeled { over: target, down: true },
                    Gesture::WheelUp => Msg::Wheeled { over: target, down: false },
                }
            }
            Some(Heard::Continued | Heard::Suspend | Heard::Deaf) | None => continue,
        };
        let effects = app.update(message);
        response(&mut app, effects);
        map = drawn(&app, &mut screen);
        let effects = app.update(Msg::Drawn(map.layout));
        response(&mut app, effects);
    }
}

fn under(map: &HitMap, at: Position) -> Option<Target> {
    map.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)
}

/// Draws a frame; nothing in it acts or hides.
fn drawn(app: &App, screen: &mut Terminal<TestBackend>) -> HitMap {
    let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
    let mut map = HitMap::default();
    let frame = screen.draw(|frame| map = app.view(&theme, frame)).expect("memory takes it");
    let symbols = frame.buffer.content.iter().map(Cell::symbol);
    // Most are plain, and quickly passed over.
    symbols.filter(|symbol| !matches!(symbol.as_bytes(), [b' '..=b'~'])).for_each(harmless);
    map
}

fn store_info() -> StoreInfo {
    StoreInfo {
        store: "http://127.0.0.1:9".parse().expect("a base URL"),
        demo: false,
        profile: None,
        header_color: None,
        read_only: false,
        timeout: Duration::from_secs(30),
        zone: TimeZone::UTC,
        origin: 1,
    }
}

/// The journal's answers that most depends on; to all else nobody responds.
fn response(app: &mut App, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Load(request) = effect {
            let first = WindowRequest { anchor: Anchor::Top, ..request };
            app.update(Msg::Window(Box::new(first), Ok(window())));
        }
    }
}

fn window() -> Window {
    let row = |(id, name, state): (i64, &str, State)| Row {
        id: PlantId(id),
        details: Some(Details { name: name.into(), tag: "shade".into() }),
        state,
        changed_at: Timestamp(0),
    };
    let rows = [
        (i64::MIN, "Fern", State::Stored),
        (7, "\u{1b}[2J\u{202e}漢字", State::Unknown),
        (8, "👨‍👩‍👧 e\u{301}", State::Stored),
        (i64::MAX, "", State::Adding),
    ];
    Window {
        first: 0,
        total: rows.len(),
        tally: Tally { stored: 2, unknown: 1, adding: 1, deleting: 0 },
        next_id: PlantId(9),
        late: None,
        rows: rows.into_iter().map(row).collect(),
    }
}

/// Takes the next event off the bytes.
fn next_event(rest: &mut &[u8]) -> Option<Event> {
    let first = byte(rest)?;
    Some(match first {
        b' '..=b'~' => key(KeyCode::Char(char::from(first)), KeyModifiers::NONE, KeyEventKind::Press),
        0x7f => key(KeyCode::Backspace, KeyModifiers::NONE, KeyEventKind::Press),
        0..0x20 => {
            let (code, held) = *KEYS.get(usize::from(first)).or(KEYS.first())?;
            key(code, held, KeyEventKind::Press)
        }
        0x80..0x90 => {
            let count = usize::from(byte(rest)?).min(rest.len());
            let (pasted, after) = rest.split_at(count);
            *rest = after;
            Event::Paste(String::from_utf8_lossy(pasted).into_owned())
        }
        0x90..0xa0 => Event::Resize(byte(rest)?.into(), (byte(rest)? % 80).into()),
        0xa0..0xb0 => {
            let kind = match first % 4 {
                0 => MouseEventKind::Down(MouseButton::Left),
                1 => MouseEventKind::ScrollDown,
                2 => MouseEventKind::ScrollUp,
                _ => MouseEventKind::Drag(MouseButton::Right),
            };
            let (column, row) = (byte(rest)?.into(), byte(rest)?.into());
            Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
        0xb0..0xc0 => Event::FocusLost,
        // Any character at all, with whatever is held.
        0xc0.. => {
            let (held, high, middle, low) = (byte(rest)?, byte(rest)?, byte(rest)?, byte(rest)?);
            let code = char::from_u32(u32::from_be_bytes([0, high, middle, low])).unwrap_or('\u{fffd}');
            let kind = [KeyEventKind::Press, KeyEventKind::Repeat, KeyEventKind::Release].get(usize::from(first % 3));
            key(KeyCode::Char(code), KeyModifiers::from_bits_truncate(held), *kind?)
        }
    })
}

fn key(code: KeyCode, held: KeyModifiers, kind: KeyEventKind) -> Event {
    Event::Key(KeyEvent::new_with_kind(code, held, kind))
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(*first)
}
