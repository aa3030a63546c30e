//! The list of plants that are not in the view.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::list::List;
use super::table::{ID, moment};
use super::text::wrapped_lines;
use super::{Painted, Theme};
use crate::app::Model;
use crate::app::departed::DepartedList;
use crate::domain::text::clean_padded;
use crate::domain::{Departed, Departure, Outcome};

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
    painted: &mut Painted,
) {
    let found = list.found.as_deref().unwrap_or_default();
    let id = found.iter().map(|departed| departed.plant.id.to_string().len()).max().unwrap_or(0).max(ID.0);
    let shape = List {
        title: "Not in the view any more",
        waiting: model.later.len(),
        text: &list.text,
        hint: "a part of a name, tag or id",
        count: found.len(),
        marked: list.marked,
    };
    let one = |at: usize, width: usize| {
        found.get(at).map(|departed| line(departed, at == list.marked, model, theme, (id, width))).unwrap_or_default()
    };
    let none = |width: usize| {
        let words = match &list.found {
            None => "Reading the journal …",
            Some(_) if list.text.text().is_empty() => {
                "Nothing yet. Plants that are deleted, forgotten, rejected or not sent can be found here, and added again."
            }
            Some(_) => "None has this in its name, tag or id.",
        };
        wrapped_lines(words, 2, width, 3, theme.dim)
    };
    shape.draw(theme, frame, area, painted, one, none);
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
    line
}

fn how(how: Departure, theme: &Theme) -> (Style, &'static str) {
    match how {
        Departure::Deleted | Departure::Forgotten => (theme.dim, theme.mark("−", "-")),
        Departure::Rejected => theme.outcome(Outcome::Rejected),
        Departure::NotSent => theme.outcome(Outcome::NotSent),
    }
}
