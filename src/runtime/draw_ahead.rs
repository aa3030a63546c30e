//! Draws a frame into the memory of the terminal's frames, while the journal opens on its own thread. Getting this
//! memory from the system, reading the code of a frame from the program's file, and solving its layouts, which ratatui
//! caches, takes longer than drawing the frame that people see.

use ratatui::Terminal;
use ratatui::backend::Backend;

use crate::domain::{Details, PlantId, Row, State, StoreUrl, Timestamp};
use crate::journal::{Tally, Window};
use crate::tui::input::Keymap;
use crate::tui::message::StoreInfo;
use crate::tui::widgets::theme::{Depth, Marks, Palette, Theme};
use crate::tui::{App, Effect, Msg};

/// Draws the first frame of an app with one plant. Shows nothing, and leaves an empty frame.
pub fn draw_ahead(keys: Keymap, terminal: &mut Terminal<impl Backend>) {
    let mut app = App::new(StoreInfo::plain(StoreUrl::on_loopback(1)), keys, true);
    for effect in app.begin(Vec::new()) {
        if let Effect::Load(request) = effect {
            let details = Some(Details { name: String::new(), tag: String::new() });
            let row =
                Row { id: PlantId(0), details, state: State::Stored, changed_at: Timestamp::default(), author: None };
            let window = Window {
                rows: vec![row],
                first: 0,
                total: 1,
                tally: Tally::default(),
                next_id: PlantId(1),
                unknown_deletes: Vec::new(),
                late: None,
            };
            app.update(Msg::Window(Box::new(request), Ok(window)));
        }
    }
    app.view(&Theme::new(Palette::Dark, Depth::Many, Marks::Unicode), &mut terminal.get_frame());
    terminal.current_buffer_mut().reset();
}
