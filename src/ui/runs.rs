//! The list of runs of the check that are kept.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::check::kept_run;
use super::list::List;
use super::text::wrapped_lines;
use super::{Painted, Theme};
use crate::app::Model;
use crate::app::runs::RunList;

pub(super) fn draw(model: &Model, list: &RunList, theme: &Theme, frame: &mut Frame, area: Rect, painted: &mut Painted) {
    let runs = model.offered_runs(list);
    let shape = List {
        title: if list.compares { "Compare with which run?" } else { "Show which run?" },
        waiting: model.later.len(),
        text: &list.text,
        hint: "a part of a store's address, or of what it came to",
        count: runs.len(),
        marked: list.marked,
    };
    let one = |at: usize, width: usize| {
        runs.get(at).map(|run| kept_run(run, at == list.marked, model, theme, width)).unwrap_or_default()
    };
    let none = |width| wrapped_lines("No run has this in its words.", 2, width, 2, theme.dim);
    shape.draw(theme, frame, area, painted, one, none);
}
