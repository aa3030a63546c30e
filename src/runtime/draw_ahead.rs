//! Draws a frame into memory, while the journal opens on its own thread. Reading the code of a frame from the
//! program's file takes longer than drawing, so the frame that people see is then drawn at once.

use std::io;
use std::time::Duration;

use jiff::tz::TimeZone;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::domain::{Details, PlantId, Row, State, StoreUrl, Timestamp};
use crate::journal::{Tally, Window};
use crate::tui::input::Keymap;
use crate::tui::message::StoreInfo;
use crate::tui::widgets::theme::{Depth, Marks, Palette, Theme};
use crate::tui::{App, Effect, Msg};

/// The area of the frame; its size matters little.
const AREA: Rect = Rect { x: 0, y: 0, width: 80, height: 24 };

/// Draws the first frame of an app with one plant. Shows nothing.
pub fn draw_ahead(keys: Keymap) {
    let (store, timeout, zone) = (StoreUrl::on_loopback(1), Duration::ZERO, TimeZone::UTC);
    let info =
        StoreInfo { store, demo: false, profile: None, header_color: None, read_only: false, timeout, zone, origin: 0 };
    let mut app = App::new(info, keys, true);
    for effect in app.begin(Vec::new()) {
        if let Effect::Load(request) = effect {
            let details = Some(Details { name: String::new(), tag: String::new() });
            let row = Row { id: PlantId(0), details, state: State::Stored, changed_at: Timestamp::default() };
            let window = Window {
                rows: vec![row],
                first: 0,
                total: 1,
                tally: Tally::default(),
                next_id: PlantId(1),
                late: None,
            };
            app.update(Msg::Window(Box::new(request), Ok(window)));
        }
    }
    let options = TerminalOptions { viewport: Viewport::Fixed(AREA) };
    if let Ok(mut terminal) = Terminal::with_options(CrosstermBackend::new(io::sink()), options) {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let _ = terminal.draw(|frame| drop(app.view(&theme, frame)));
    }
}
