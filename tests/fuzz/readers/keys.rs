//! Decodes bytes to events of a terminal: keys, pasted text, sizes and the mouse. Draws a frame after each.

use plants::domain::{Details, PlantId, Row, State, Timestamp};
use plants::journal::{Anchor, Tally, Window, WindowRequest};
use plants::runtime::event::Event;
use plants::runtime::input::Keyboard;
use plants::tui::input::Keymap;
use plants::tui::message::{StoreInfo, Target};
use plants::tui::widgets::canvas::HitMap;
use plants::tui::widgets::theme::{Depth, Marks, Palette, Theme};
use plants::tui::{App, Effect, Msg};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::assert_harmless;

/// The keys for the bytes below 0x20.
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
    // A line break, so that a corpus file has lines.
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
    respond(&mut app, began);
    while let Some(event) = next_event(&mut rest) {
        if let TerminalEvent::Resize(width, height) = event {
            screen.backend_mut().resize(width, height);
        }
        let message = match keyboard.translate(event) {
            Some(Event::Msg(message)) => message,
            Some(Event::Mouse(position, message)) => {
                let Some(target) = target_at(&map, position) else { continue };
                message(target)
            }
            Some(
                Event::Background(_) | Event::Continued | Event::Suspend | Event::KeyboardLost | Event::StoreSwitch(_),
            )
            | None => continue,
        };
        let effects = app.update(message);
        respond(&mut app, effects);
        map = drawn(&app, &mut screen);
        let effects = app.update(Msg::Drawn(map.layout));
        respond(&mut app, effects);
    }
}

fn target_at(map: &HitMap, at: Position) -> Option<Target> {
    map.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)
}

/// Draws a frame and checks every symbol in it.
fn drawn(app: &App, screen: &mut Terminal<TestBackend>) -> HitMap {
    let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
    let mut map = HitMap::default();
    let frame = screen.draw(|frame| map = app.view(&theme, frame)).expect("written to memory");
    let symbols = frame.buffer.content.iter().map(Cell::symbol);
    // Skips plain ASCII, for speed.
    symbols.filter(|symbol| !matches!(symbol.as_bytes(), [b' '..=b'~'])).for_each(assert_harmless);
    map
}

fn store_info() -> StoreInfo {
    StoreInfo::plain("http://127.0.0.1:9".parse().expect("a base URL"))
}

/// Responds to requests for a window of plants; ignores other effects.
fn respond(app: &mut App, effects: Vec<Effect>) {
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
        author: None,
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
        unknown_deletes: Vec::new(),
        late: None,
        rows: rows.into_iter().map(row).collect(),
    }
}

/// Decodes and removes the next event.
fn next_event(rest: &mut &[u8]) -> Option<TerminalEvent> {
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
            TerminalEvent::Paste(String::from_utf8_lossy(pasted).into_owned())
        }
        0x90..0xa0 => TerminalEvent::Resize(byte(rest)?.into(), (byte(rest)? % 80).into()),
        0xa0..0xb0 => {
            let kind = match first % 4 {
                0 => MouseEventKind::Down(MouseButton::Left),
                1 => MouseEventKind::ScrollDown,
                2 => MouseEventKind::ScrollUp,
                _ => MouseEventKind::Drag(MouseButton::Right),
            };
            let (column, row) = (byte(rest)?.into(), byte(rest)?.into());
            TerminalEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
        0xb0..0xc0 => TerminalEvent::FocusLost,
        // Any character with any modifiers.
        0xc0.. => {
            let (held, high, middle, low) = (byte(rest)?, byte(rest)?, byte(rest)?, byte(rest)?);
            let code = char::from_u32(u32::from_be_bytes([0, high, middle, low])).unwrap_or('\u{fffd}');
            let kind = [KeyEventKind::Press, KeyEventKind::Repeat, KeyEventKind::Release].get(usize::from(first % 3));
            key(KeyCode::Char(code), KeyModifiers::from_bits_truncate(held), *kind?)
        }
    })
}

fn key(code: KeyCode, held: KeyModifiers, kind: KeyEventKind) -> TerminalEvent {
    TerminalEvent::Key(KeyEvent::new_with_kind(code, held, kind))
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(*first)
}
