//! The list of plants that are not in the view.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::form::around_cursor;
use super::table::{ID, moment};
use super::text::{fitted, wrapped_lines};
use super::{Theme, boxed};
use crate::app::Model;
use crate::app::departed::DepartedList;
use crate::app::message::Drawn;
use crate::domain::text::{clean, clean_padded};
use crate::domain::{Departed, Departure, Outcome};

/// Columns and rows where there is room: the same for few plants as for many, so that nothing
/// jumps while one types.
const LIST: (u16, u16) = (110, 24);
/// Columns of `forgotten`.
const HOW: usize = 9;
/// Columns of a day and a time of day.
const WHEN: usize = 19;
/// Columns of name and tag below which the time has no place beside them.
const ROOM: usize = 24;

pub(super) fn draw(
    model: &Model,
    list: &DepartedList,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    drawn: &mut Drawn,
) {
    let inner = boxed("Not in the view any more", model.later.len(), LIST, theme, frame, area);
    let width = usize::from(inner.width);
    let label = "  find  ";
    let (typed, column) = around_cursor(
        &clean(list.text.before_cursor()),
        &clean(list.text.after_cursor()),
        width.saturating_sub(label.len() + 1),
    );
    let typed = if list.text.text().is_empty() {
        fitted("a part of a name, tag or id", width.saturating_sub(label.len()), theme.dim)
    } else {
        Span::styled(typed, theme.title)
    };
    let mut lines = vec![Line::from(vec![Span::styled(label, theme.key), typed]), Line::default()];
    let page = usize::from(inner.height).saturating_sub(lines.len());
    drawn.reader_page = page;
    match &list.found {
        None => lines.extend(wrapped_lines("Reading the journal …", 2, width, 2, theme.dim)),
        Some(found) if found.is_empty() => {
            let words = if list.text.text().is_empty() {
                "Nothing yet. Plants that are deleted, forgotten, refused or not sent can be found here, and added again."
            } else {
                "None has this in its name, tag or id."
            };
            lines.extend(wrapped_lines(words, 2, width, 3, theme.dim));
        }
        Some(found) => {
            let top = list.marked.saturating_sub(page / 2).min(found.len().saturating_sub(page));
            let id = found.iter().map(|departed| departed.plant.id.to_string().len()).max().unwrap_or(0).max(ID.0);
            let shown = found.iter().enumerate().skip(top).take(page);
            lines.extend(shown.map(|(at, departed)| line(departed, at == list.marked, model, theme, (id, width))));
        }
    }
    frame.render_widget(Paragraph::new(lines), inner);
    let x = inner.x.saturating_add(u16::try_from(label.len() + column).unwrap_or(0));
    frame.set_cursor_position(Position { x: x.min(inner.right().saturating_sub(1)), y: inner.y });
}

/// A line of so many columns, of which the id has the first.
fn line(departed: &Departed, marked: bool, model: &Model, theme: &Theme, (id, width): (usize, usize)) -> Line<'static> {
    let plant = &departed.plant;
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let (style, mark) = how(departed.how, theme);
    let beside = width.saturating_sub(2 + id + 2 + 2 + 2 + HOW + 2);
    let (when, rest) = if beside >= ROOM + WHEN { (true, beside - WHEN - 2) } else { (false, beside) };
    let tag = rest / 3;
    let mut line = Line::from(vec![
        Span::styled(pointer, theme.key),
        Span::raw(format!("{:>id$}  ", plant.id.to_string())),
        Span::raw(format!("{}  ", clean_padded(&plant.name, rest - tag))),
        Span::raw(format!("{}  ", clean_padded(&plant.tag, tag))),
        Span::styled(clean_padded(&format!("{mark} {}", departed.how.word()), HOW + 2), style),
    ]);
    if when {
        let at = moment(departed.at, model.now, &model.facts.zone);
        line.push_span(Span::styled(format!("  {at}"), theme.dim));
    }
    if marked { line.style(theme.selected) } else { line }
}

fn how(how: Departure, theme: &Theme) -> (Style, &'static str) {
    match how {
        Departure::Deleted | Departure::Forgotten => (theme.dim, theme.mark("−", "-")),
        Departure::Refused => theme.outcome(Outcome::Refused),
        Departure::NotSent => theme.outcome(Outcome::NotSent),
    }
}
