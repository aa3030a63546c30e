//! Draws the model: `view(&Model, &Theme, &mut Frame) -> Painted`. No state, no IO, no decision.
//!
//! ```text
//! ┌ header ─────────────────────────────────────────────┐  header.rs: store, token, counts
//! │ ┌ 1 Plants  2 Exchanges  3 Check ┐ ┌ story ──────┐  │  room.rs: tabs, filter, panes
//! │ │                                │ │ (where      │  │  table.rs, story.rs: Plants
//! │ │                                │ │ there is    │  │  log.rs, chart.rs, exchange.rs: Exchanges
//! │ │                                │ │ room)       │  │  check.rs: Check
//! │ │                                │ │             │  │  greenhouse.rs, sprites.rs, picture.rs: Greenhouse
//! │ └────────────────────────────────┘ └─────────────┘  │
//! │ notices                                             │  footer.rs
//! │ an import under way                                 │  importing.rs
//! │ what just happened                                  │  footer.rs
//! │ what the tour says                                  │  caption.rs
//! └ keys ───────────────────────────────────────────────┘  footer.rs
//!   forms, dialogs, lists and texts over all of it         form.rs, connection.rs, overlay.rs, list.rs, import.rs, reader.rs …
//! ```
//!
//! Foreign text reaches a cell only through `text.rs`; the finished frame is swept once more.

mod caption;
mod chart;
mod check;
mod compared;
mod connection;
mod departed;
mod exchange;
mod export;
mod footer;
mod form;
mod greenhouse;
mod header;
mod help;
mod import;
mod importing;
mod list;
mod log;
mod overlay;
mod palette;
mod phases;
mod picture;
mod present;
mod profile;
mod reader;
mod room;
mod runs;
mod sheet;
mod sprites;
mod story;
mod table;
mod text;
pub mod theme;
mod wire;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::message::Drawn;
use crate::app::{Model, Overlay, Room, Target};
use crate::domain::text::clean;

pub use theme::{Depth, Marks, Palette, Theme};

/// Columns below which everything would be cut to uselessness.
pub const MIN_WIDTH: u16 = 50;
/// Rows below which the table would have none.
pub const MIN_HEIGHT: u16 = 14;
/// Columns from which the selected plant's story stands beside the table.
pub const WIDE: u16 = 84;

/// What was drawn, for those who decide.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Painted {
    /// How much of what there is fitted.
    pub drawn: Drawn,
    /// What the mouse can point at; what was drawn last is on top.
    pub targets: Vec<(Rect, Target)>,
}

impl Painted {
    fn target(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }
}

/// Draws one frame.
pub fn view(model: &Model, theme: &Theme, frame: &mut Frame) -> Painted {
    let area = frame.area();
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        too_small(theme, frame, area);
        return Painted { drawn: Drawn { too_small: true, ..model.drawn }, targets: Vec::new() };
    }
    let before_audience = model.presenting.then(|| theme.before_audience());
    let theme = before_audience.as_ref().unwrap_or(theme);
    frame.buffer_mut().set_style(area, theme.text);
    let mut painted = Painted::default();
    let notices = footer::notices_height(model, area);
    let [title, top, body, told, strip, happened, caption, keys] = Layout::vertical([
        Constraint::Length(present::height(model, theme, area)),
        Constraint::Length(header::height(model, theme, area)),
        Constraint::Min(5),
        Constraint::Length(notices),
        Constraint::Length(importing::strip_height(model, area)),
        Constraint::Length(footer::activity_height(model, area)),
        Constraint::Length(caption::height(model, area)),
        Constraint::Length(1),
    ])
    .areas(area);
    present::draw(model, theme, frame, title);
    header::draw(model, theme, frame, top);
    match model.room {
        Room::Plants => room::draw_plants(model, theme, frame, body, &mut painted),
        Room::Exchanges => room::draw_exchanges(model, theme, frame, body, &mut painted),
        Room::Check => room::draw_check(model, theme, frame, body, &mut painted),
        Room::Greenhouse => greenhouse::draw(model, theme, frame, body, &mut painted),
    }
    footer::draw_notices(model, theme, frame, told);
    importing::draw_strip(model, theme, frame, strip, &mut painted);
    footer::draw_happened(model, theme, frame, happened);
    let over = Rect { height: caption.y.saturating_sub(area.y), ..area };
    if model.overlay.is_some() {
        // What is below is seen, and not touched.
        painted.target(over, Target::Nothing);
    }
    let waiting = model.later.len();
    match &model.overlay {
        Some(Overlay::Add(add)) => form::draw_add(model, add, theme, frame, over, &mut painted),
        Some(Overlay::DeleteById(prompt)) => form::draw_delete_by_id(prompt, waiting, theme, frame, over),
        Some(Overlay::Token(prompt)) => form::draw_token(model, prompt, theme, frame, over),
        Some(Overlay::Report(prompt)) => form::draw_report(prompt, waiting, theme, frame, over),
        Some(Overlay::Import(prompt)) => import::draw_prompt(model, prompt, theme, frame, over),
        Some(Overlay::Preview(dialog)) => import::draw_preview(model, dialog, theme, frame, over, &mut painted),
        Some(Overlay::Export(prompt)) => export::draw(model, prompt, theme, frame, over, &mut painted),
        Some(Overlay::Stores(picker)) => connection::draw_picker(model, picker, theme, frame, over, &mut painted),
        Some(Overlay::Profile(form)) => profile::draw(model, form, theme, frame, over, &mut painted),
        Some(Overlay::BaseUrl(form)) => connection::draw_url_form(model, form, theme, frame, over, &mut painted),
        Some(Overlay::Choice(choice)) => {
            overlay::draw_choice(choice, model.place_in_walk(), waiting, theme, frame, over, &mut painted);
        }
        Some(Overlay::Departed(list)) => departed::draw(model, list, theme, frame, over, &mut painted),
        Some(Overlay::Runs(list)) => runs::draw(model, list, theme, frame, over, &mut painted),
        Some(Overlay::Palette(palette)) => palette::draw(model, palette, theme, frame, over, &mut painted),
        Some(Overlay::Reader(reader)) => {
            // What a key does here, as copying, is told below it.
            let over = Rect { height: happened.y.saturating_sub(area.y), ..area };
            reader::draw(model, reader, theme, frame, over, &mut painted);
        }
        None => {}
    }
    caption::draw(model, theme, frame, caption);
    footer::draw_keys(model, theme, frame, keys, &mut painted);
    sweep(frame.buffer_mut(), theme);
    painted
}

fn too_small(theme: &Theme, frame: &mut Frame, area: Rect) {
    let words = [
        format!("needs {MIN_WIDTH}x{MIN_HEIGHT}"),
        format!("has {}x{}", area.width, area.height),
        "what is open is kept".to_owned(),
    ];
    let lines: Vec<Line> = words.into_iter().take(usize::from(area.height)).map(Line::from).collect();
    frame.render_widget(Paragraph::new(lines).style(theme.text), area);
}

/// The second wall: whatever got past the first one never reaches the terminal as it is.
///
/// ratatui's widgets drop most control characters, `Cell::set_symbol` none, and 195 invisible
/// and bidi characters pass both.
fn sweep(buffer: &mut Buffer, theme: &Theme) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.len() == 1 && symbol.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
            continue;
        }
        let harmless = clean(symbol);
        // Of what has no width of its own, ratatui adds any amount to the cell before it.
        let is_one = symbol.graphemes(true).nth(1).is_none();
        if harmless != symbol || !is_one {
            cell.set_symbol("?");
        } else if theme.is_ascii() && !symbol.is_ascii() {
            cell.set_symbol(match harmless.as_str() {
                "…" => "~",
                "·" | "–" | "—" => "-",
                // Not the mark of doubt.
                _ => "_",
            });
        }
    }
}

/// An empty box in the middle of `area`, as large as asked if there is room, drawn over what
/// was there. `waiting` is how many open once it is closed. Returns its inside.
fn boxed(title: &str, waiting: usize, size: (u16, u16), theme: &Theme, frame: &mut Frame, area: Rect) -> Rect {
    let rect = area.centered(Constraint::Length(size.0.min(area.width)), Constraint::Length(size.1.min(area.height)));
    frame.render_widget(ratatui::widgets::Clear, rect);
    frame.buffer_mut().set_style(rect, theme.text);
    let title = text::fitted(&format!(" {title} "), usize::from(rect.width.saturating_sub(4)), theme.title);
    let mut block = Block::bordered().border_set(theme.borders()).border_style(theme.focus).title(title);
    if waiting > 0 {
        let behind = Span::styled(format!(" {waiting} more behind this "), theme.doubt);
        block = block.title_bottom(Line::from(behind).right_aligned());
    }
    let inner = block.inner(rect);
    frame.render_widget(block, rect);
    inner.inner(ratatui::layout::Margin { horizontal: 1, vertical: 0 })
}
