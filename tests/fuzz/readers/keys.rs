//! Takes bytes as those of a terminal: keys, pasted text, the mouse, replies and anything else. Draws a frame after each
//! input.

use std::time::Duration;

use plants::client::Token;
use plants::domain::{Details, PlantId, Row, State, Timestamp};
use plants::journal::{Anchor, Tally, Window, WindowRequest};
use plants::terminal::{Framer, Input, decode};
use plants::text::Marks;
use plants::tui::input::Keymap;
use plants::tui::message::{StoreInfo, Target};
use plants::tui::widgets::canvas::HitMap;
use plants::tui::widgets::theme::{Depth, Palette, Theme};
use plants::tui::{App, Effect, Msg, UserInput};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::layout::Position;

use super::assert_harmless;

/// How long the deadlines of a sequence are at most.
const LONG: Duration = Duration::from_secs(10);

/// Takes the bytes as a terminal sends them. 0xfe and 0xff, which are in no character, are no part of them: 0xfe ends a
/// read, and lets all deadlines pass; 0xff is followed by another size of the terminal.
pub(super) fn read(bytes: &[u8]) {
    let mut framer = Framer::default();
    let mut now = LONG;
    let mut app = App::new(store_info(), Keymap::default(), Token::new("secret").ok());
    let began = app.begin(Vec::new());
    let mut screen = Terminal::new(TestBackend::new(80, 24)).expect("a screen in memory");
    let mut map = HitMap::default();
    respond(&mut app, began);
    for piece in bytes.split_inclusive(|byte| matches!(byte, 0xfe | 0xff)) {
        let sequences = match piece.split_last() {
            Some((0xfe, sent)) => {
                let mut sequences = framer.push(sent, now);
                now += LONG;
                sequences.extend(framer.expire());
                sequences
            }
            Some((0xff, sent)) => {
                let [width, height] = [0, 1].map(|at| sent.get(at).copied().unwrap_or(1).into());
                screen.backend_mut().resize(width, height);
                framer.push(sent, now)
            }
            Some(_) | None => framer.push(piece, now),
        };
        for (sequence, timing) in sequences {
            let input = match decode(sequence) {
                Input::Key(key) => UserInput::Key(key),
                Input::Paste(text) => UserInput::Paste(text),
                Input::Click(at) => match target_at(&map, at) {
                    Some(target) => UserInput::Click(target),
                    None => continue,
                },
                Input::Wheel { at, down } => match target_at(&map, at) {
                    Some(over) => UserInput::Wheel { over, down },
                    None => continue,
                },
                Input::Background(_) | Input::Focus(_) | Input::Status | Input::Unknown => continue,
            };
            let effects = app.update(Msg::Input(input, timing));
            respond(&mut app, effects);
            map = drawn(&app, &mut screen);
            let effects = app.update(Msg::Drawn(map.layout, now));
            respond(&mut app, effects);
        }
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
    StoreInfo::of("http://127.0.0.1:9".parse().expect("a base URL"))
}

/// Responds to requests for a window of plants; ignores other effects.
fn respond(app: &mut App, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Load(request) = effect {
            let first = WindowRequest { anchor: Anchor::Index(0), ..request };
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
