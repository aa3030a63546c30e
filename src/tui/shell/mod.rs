//! Draws one frame: the lines around the screen, the screen, and the dialog in front.
//!
//! Must not change state. Foreign text must reach a cell only through `widgets::text`; the finished frame is checked once
//! more.

mod footer;
mod header;
mod import_strip;
mod presentation;

use std::collections::VecDeque;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use unicode_segmentation::UnicodeSegmentation as _;

use super::component::{Component, Layer};
use super::context::Context;
use super::input::Binding;
use super::message::{FrameLayout, Target};
use super::screen::Screen;
use super::tour::{Observed, Tour, caption};
use super::ui_effect::Reading;
use super::widgets::canvas::{Canvas, HitMap, WIDE};
use super::widgets::theme::Theme;
use crate::domain::Language;
use crate::terminal::Key;
use crate::text::{ascii_symbol, clean, is_ordinary};

/// The smallest usable terminal, in columns and rows.
const LEAST: (u16, u16) = (50, 14);

/// The content of a frame.
pub(super) struct Shell<'a> {
    pub cx: &'a Context,
    pub screen: &'a dyn Screen,
    /// The dialog in front.
    pub dialog: Option<&'a dyn Layer>,
    /// What the dialog shows if it is a reader, which leaves the status line visible.
    pub reading: Option<&'a Reading>,
    /// How many dialogs open after it.
    pub waiting: usize,
    /// The keys that work now, with their labels.
    pub footer: Vec<(&'a Binding, &'a str)>,
    /// The latest keys pressed in presentation mode.
    pub pressed: &'a VecDeque<Key>,
    pub tour: Option<(&'a Tour, &'a Observed<'a>)>,
}

/// Draws one frame.
pub(super) fn draw(shell: &Shell<'_>, theme: &Theme, frame: &mut Frame) -> HitMap {
    let cx = shell.cx;
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        draw_too_small(theme, frame, area);
        let layout = FrameLayout { too_small: true, ..cx.display.layout };
        return HitMap { layout, targets: Vec::new() };
    }
    // The letters of a narrow terminal are large before an audience; Japanese ones cannot be drawn larger.
    let enlarges = area.width >= WIDE && cx.display.language() != Language::Ja;
    let presentation = cx.display.presenting.then(|| theme.before_audience(enlarges));
    let theme = presentation.as_ref().unwrap_or(theme);
    frame.buffer_mut().set_style(area, theme.text);
    let mut map = HitMap::default();
    map.layout.tab = cx.display.tab;
    let mut canvas = Canvas { theme, frame, map: &mut map, waiting: shell.waiting };
    let header_rows = header::height(cx, theme, area);
    let [title, header, body, notices, import, status, caption, keys] = Layout::vertical([
        Constraint::Length(presentation::height(cx, header_rows)),
        Constraint::Length(header_rows),
        Constraint::Min(5),
        Constraint::Length(footer::notices_height(cx, area)),
        Constraint::Length(import_strip::height(cx, area)),
        Constraint::Length(footer::status_height(cx, area)),
        Constraint::Length(caption::height(shell.tour, theme, area)),
        Constraint::Length(1),
    ])
    .areas(area);
    let (row, free) =
        if title.is_empty() { (header, header::free(cx, theme, area)) } else { (title, usize::from(title.width)) };
    let pressed = presentation::keys(shell.pressed, free, cx.display.language(), theme);
    header::draw(cx, if title.is_empty() { pressed.width() } else { 0 }, header, &mut canvas);
    presentation::draw(pressed, row, &mut canvas);
    shell.screen.draw(cx, body, &mut canvas);
    footer::draw_notices(cx, notices, &mut canvas);
    import_strip::draw(cx, import, &mut canvas);
    let is_help = matches!(shell.reading, Some(Reading::Help(_)));
    let scope = (!is_help).then(|| shell.dialog.map_or_else(|| cx.scope_of_tab(), Component::scope));
    footer::draw_status(cx, scope, shell.screen.says_message(cx), status, &mut canvas);
    if let Some(dialog) = shell.dialog {
        let over = Rect { height: caption.y.saturating_sub(area.y), ..area };
        // The screen below stays visible, but ignores the mouse.
        canvas.target(over, Target::Nothing);
        // What a key would do is said below the dialog, not behind it.
        let message = cx.out.status.message.as_ref();
        let says_of_key = message.is_some_and(|message| message.is_local || message.of_key.is_some());
        let bottom = if shell.reading.is_some() || says_of_key { status.y } else { caption.y };
        let room = Rect { height: bottom.saturating_sub(area.y), ..area };
        let room = match shell.reading {
            // Opens by itself, and covers no more than a question does.
            None | Some(Reading::Import) => shell.screen.room_for_dialog(cx, room, body, &mut canvas),
            Some(_) => room,
        };
        dialog.draw(cx, room, &mut canvas);
    }
    caption::draw(shell.tour, caption, &mut canvas);
    footer::draw_keys(cx, &shell.footer, keys, &mut canvas);
    sweep(frame.buffer_mut(), theme);
    map
}

fn draw_too_small(theme: &Theme, frame: &mut Frame, area: Rect) {
    let text = [
        format!("needs {}x{}", LEAST.0, LEAST.1),
        format!("has {}x{}", area.width, area.height),
        "nothing is lost".to_owned(),
        "repeat Ctrl-C to quit".to_owned(),
    ];
    let lines: Vec<Line> = text.into_iter().take(usize::from(area.height)).map(Line::from).collect();
    frame.render_widget(Paragraph::new(lines).style(theme.text), area);
}

/// Replaces harmful characters in the finished frame, as a second line of defence.
///
/// ratatui's widgets drop most control characters and `Cell::set_symbol` drops none; 195 invisible and bidi characters
/// pass both.
fn sweep(buffer: &mut Buffer, theme: &Theme) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if is_ordinary(symbol) && (symbol.is_ascii() || !theme.is_ascii()) {
            continue;
        }
        let harmless = clean(symbol);
        // ratatui appends characters of no width to the cell before them.
        let is_one_grapheme = symbol.graphemes(true).nth(1).is_none();
        if harmless != symbol || !is_one_grapheme {
            cell.set_symbol("?");
        } else if theme.is_ascii() && !symbol.is_ascii() {
            cell.set_char(ascii_symbol(&harmless));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    #[test]
    fn a_harmful_character_in_a_cell_is_replaced_by_a_question_mark() {
        // What is in a cell, and what the terminal gets with Unicode and without.
        for (symbol, unicode, ascii) in [
            ("a", "a", "a"),
            ("é", "é", "e"),
            ("木", "木", "_"),
            ("─", "─", "_"),
            ("\u{1b}", "?", "?"),
            ("\u{202e}", "?", "?"),
            ("a\u{202e}", "?", "?"),
            ("ab", "?", "?"),
            ("木木", "?", "?"),
        ] {
            let swept = |marks| {
                let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
                buffer[(0, 0)].set_symbol(symbol);
                sweep(&mut buffer, &Theme::new(Palette::Dark, Depth::Many, marks));
                buffer[(0, 0)].symbol().to_owned()
            };
            assert_eq!((swept(Marks::Unicode).as_str(), swept(Marks::Ascii).as_str()), (unicode, ascii), "{symbol:?}");
        }
    }
}
