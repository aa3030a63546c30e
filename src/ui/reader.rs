//! A text to read over the room, and what is looked for in it.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::form::{FORM, around_cursor};
use super::sheet::Sheet;
use super::{Painted, Theme, boxed, compared, exchange, help, importing, story};
use crate::app::message::Matches;
use crate::app::reader::{Find, Reader, Reading};
use crate::app::{Model, Target, inspect};
use crate::domain::text::{clean, in_lower_case};

/// Columns where there is room; two texts side by side take all there are.
const READER: u16 = 130;

pub(super) fn draw(
    model: &Model,
    reader: &Reader,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let columns = match reader.reading {
        Reading::Compared(_) => area.width,
        Reading::Help | Reading::Story | Reading::Exchange { .. } => area.width.min(READER),
        Reading::Import => area.width.min(FORM),
    };
    // Inside the border there is a column free on each side.
    let width = usize::from(columns.saturating_sub(4));
    let sheet = match &reader.reading {
        Reading::Help => Sheet::new(width).rows(help::lines(model, theme, width)),
        Reading::Story => Sheet::new(width).rows(story::whole(model, theme, width)),
        Reading::Exchange { kept, bodies, .. } => exchange::whole(kept, bodies, model, theme, width),
        Reading::Compared(compared) => compared::whole(compared, model, theme, width),
        Reading::Import => Sheet::new(width).rows(importing::whole(model, theme, width)),
    };
    let find = &reader.find;
    let is_looking = find.typing || !find.text.text().is_empty();
    let height = match reader.reading {
        // It tells of what is behind it: that stays in sight.
        Reading::Import => sheet.len() + 2 + usize::from(is_looking),
        Reading::Help | Reading::Story | Reading::Exchange { .. } | Reading::Compared(_) => usize::from(area.height),
    };
    let size = (columns, u16::try_from(height).unwrap_or(area.height));
    let below =
        if reader.reading == Reading::Import && height > usize::from(area.height) { " (more below)" } else { "" };
    let inner = boxed(&format!("{}{below}", title(model, reader)), 0, size, theme, frame, area);
    let text = Rect { height: inner.height.saturating_sub(u16::from(is_looking)), ..inner };
    let wanted = in_lower_case(&clean(find.text.text()));
    let (lines, page) = (sheet.len(), usize::from(text.height));
    let matches = sheet.look_for(&wanted, find.from);
    let drawn = &mut painted.drawn;
    (drawn.reader_lines, drawn.reader_page, drawn.matches) = (lines, page, matches);
    let top = reader.top.min(lines.saturating_sub(page));
    frame.render_widget(Paragraph::new(sheet.seen(top, page, &wanted, matches.at, theme)), text);
    painted.target(inner, Target::Reader);
    if is_looking {
        draw_find(find, matches, theme, frame, Rect { y: text.bottom(), height: 1, ..inner });
    }
}

fn title(model: &Model, reader: &Reader) -> String {
    match &reader.reading {
        Reading::Help => "Keys and words".to_owned(),
        Reading::Story => story::title(model),
        Reading::Exchange { kept, raw, .. } => {
            let place = model.place_behind().map(|(at, of)| format!("{at} of {of}: ")).unwrap_or_default();
            format!("{place}{}{}", inspect::about(kept), if *raw { ", bodies as they came" } else { "" })
        }
        Reading::Compared(_) => "Two exchanges".to_owned(),
        Reading::Import => importing::title(model).to_owned(),
    }
}

/// The line at the bottom: what is looked for, and which of how many lines is found.
fn draw_find(find: &Find, matches: Matches, theme: &Theme, frame: &mut Frame, area: Rect) {
    let told = match matches {
        _ if find.text.text().is_empty() => String::new(),
        Matches { count: 0, .. } => " not found".to_owned(),
        Matches { count, nth, .. } => format!(" line {nth} of {count}"),
    };
    let room = usize::from(area.width).saturating_sub(told.width() + 3);
    let (text, column) = around_cursor(&clean(find.text.before_cursor()), &clean(find.text.after_cursor()), room);
    let style = if find.typing { theme.title } else { theme.text };
    let spans = vec![Span::styled("/ ", theme.key), Span::styled(text, style), Span::styled(told, theme.dim)];
    frame.render_widget(Paragraph::new(Line::from(spans)), area);
    if find.typing {
        let x = area.x.saturating_add(u16::try_from(column + 2).unwrap_or(0));
        frame.set_cursor_position(Position { x: x.min(area.right().saturating_sub(1)), y: area.y });
    }
}
