//! Draws the model: `view(&Model, &Theme, &mut Frame) -> Painted`. No state, no IO, no decision.
//!
//! ```text
//! ┌ header ─────────────────────────────────────────────┐  header.rs: store, token, counts
//! │ ┌ plants ───────────────┐ ┌ story ───────────────┐  │  table.rs, story.rs
//! │ │                       │ │ (from 84 columns on) │  │
//! │ └───────────────────────┘ └──────────────────────┘  │
//! │ notices                                             │  footer.rs
//! │ what just happened                                  │  footer.rs
//! └ keys ───────────────────────────────────────────────┘  footer.rs
//!   forms, dialogs, help, story over all of it             form.rs, overlay.rs
//! ```
//!
//! Foreign text reaches a cell only through `text.rs`; the finished frame is swept once more.

mod departed;
mod footer;
mod form;
mod header;
mod overlay;
mod story;
mod table;
mod text;
pub mod theme;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use crate::app::message::Drawn;
use crate::app::{Model, Overlay};
use crate::domain::text::clean;

pub use theme::{Depth, Marks, Palette, Theme};

/// Columns below which everything would be cut to uselessness.
pub const MIN_WIDTH: u16 = 50;
/// Rows below which the table would have none.
pub const MIN_HEIGHT: u16 = 14;
/// Columns from which the selected plant's story stands beside the table.
pub const WIDE: u16 = 84;

/// What was drawn, for those who decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Painted {
    /// How much of what there is fitted.
    pub drawn: Drawn,
    /// The table's rows on screen.
    pub table: Rect,
}

/// Draws one frame.
pub fn view(model: &Model, theme: &Theme, frame: &mut Frame) -> Painted {
    let area = frame.area();
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        too_small(theme, frame, area);
        return Painted { drawn: Drawn { too_small: true, ..model.drawn }, table: Rect::ZERO };
    }
    frame.buffer_mut().set_style(area, theme.text);
    let notices = footer::notices_height(model, area);
    let [top, body, told, happened, keys] = Layout::vertical([
        Constraint::Length(header::height(model, theme, area)),
        Constraint::Min(5),
        Constraint::Length(notices),
        Constraint::Length(footer::activity_height(area)),
        Constraint::Length(1),
    ])
    .areas(area);
    header::draw(model, theme, frame, top);
    let table = if area.width >= WIDE {
        let [left, right] = Layout::horizontal([Constraint::Fill(11), Constraint::Fill(9)]).areas(body);
        story::draw_pane(model, theme, frame, right);
        table::draw(model, theme, frame, left)
    } else {
        table::draw(model, theme, frame, body)
    };
    footer::draw_notices(model, theme, frame, told);
    footer::draw_happened(model, theme, frame, happened);
    footer::draw_keys(model, theme, frame, keys);
    let mut drawn = Drawn { page: usize::from(table.height), ..Drawn::default() };
    let over = Rect { height: area.height.saturating_sub(1), ..area };
    let waiting = model.later.len();
    match &model.overlay {
        Some(Overlay::Add(add)) => form::draw_add(model, add, theme, frame, over),
        Some(Overlay::DeleteById(prompt)) => form::draw_delete_by_id(prompt, waiting, theme, frame, over),
        Some(Overlay::Token(prompt)) => form::draw_token(prompt, waiting, theme, frame, over),
        Some(Overlay::Choice(choice)) => {
            overlay::draw_choice(choice, model.place_in_walk(), waiting, theme, frame, over);
        }
        Some(Overlay::Departed(list)) => departed::draw(model, list, theme, frame, over, &mut drawn),
        Some(Overlay::Help(top)) => overlay::draw_help(model, *top, theme, frame, over, &mut drawn),
        Some(Overlay::Story(top)) => overlay::draw_story(model, *top, theme, frame, over, &mut drawn),
        None => {}
    }
    sweep(frame.buffer_mut(), theme);
    Painted { drawn, table }
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
        if harmless != symbol {
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
