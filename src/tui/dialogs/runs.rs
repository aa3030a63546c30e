//! The list of stored check runs: one is chosen to be shown, or to be compared with.

use ratatui::text::{Line, Span};

use super::list::ListDialog;
use crate::check::Report;
use crate::text::columns::{Column, filling, longest};
use crate::text::{clean, clean_padded};
use crate::tui::context::Context;
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::side_by_side;
use crate::tui::widgets::theme::Theme;

/// Columns between two columns.
const GAP: usize = 2;

#[derive(Debug)]
pub(crate) struct Runs {
    /// The run that is shown, where one to compare it with is chosen: it is left out. `None` where the chosen one is to be
    /// shown.
    compared: Option<Box<Report>>,
    picker: Picker,
}

impl Runs {
    pub(crate) fn new(compared: Option<Box<Report>>) -> Self {
        Self { compared, picker: Picker::default() }
    }

    fn matching<'a>(&self, cx: &'a Context) -> Vec<&'a Report> {
        let matches = self.picker.matcher();
        // What the line shows.
        let shown = |run: &Report| {
            format!("{} {} {} {}", cx.moment(run.started), run.diagnosis.in_short().1, run.extent(), run.store)
        };
        let matches = |run: &&Report| self.compared.as_deref() != Some(*run) && matches(&shown(run));
        let mut runs: Vec<_> = cx.session.check.stored.iter().flatten().filter(matches).collect();
        let open = || cx.session.info.store.to_string();
        let store = self.compared.as_ref().map_or_else(open, |run| run.store.clone());
        // Those of one store stay newest first.
        runs.sort_by_key(|run| run.store != store);
        runs
    }
}

impl ListDialog for Runs {
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn names(&self, cx: &Context) -> Vec<String> {
        self.matching(cx).into_iter().map(|run| format!("{} {:?}", run.store, run.started)).collect()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let runs = self.matching(cx);
        let texts: Vec<_> = runs.iter().map(|run| texts(run, cx, theme)).collect();
        let needed = longest(texts.iter().map(|texts| texts.each_ref().map(Span::width)));
        Shown {
            title: if self.compared.is_some() { "Compare with which run?" } else { "Show which run?" }.into(),
            find: "find".into(),
            hint: "a part of a time, a result, or a store's URL".into(),
            note: None,
            count: runs.len(),
            empty: "No run has this in its time, its result or its store's URL.".into(),
            line: Box::new(move |at, is_marked, width| {
                Some(line(theme.pointer(is_marked), texts.get(at)?.clone(), needed, width))
            }),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        let chosen = self.picker.marked().and_then(|at| self.matching(cx).get(at).copied().cloned());
        if let Some(run) = chosen {
            cx.out.close();
            cx.out.ui_effect(UiEffect::ShowRun { run: Box::new(run), compares: self.compared.is_some() });
        }
    }
}

/// Returns the texts of a line, not yet cut: time, result, the store, and what ran.
fn texts(run: &Report, cx: &Context, theme: &Theme) -> [Span<'static>; 4] {
    let (verdict, words) = run.diagnosis.in_short();
    let (style, mark) = theme.verdict(verdict);
    let [store, extent] = [run.store.clone(), run.extent()].map(|text| Span::styled(clean(&text), theme.dim));
    [Span::raw(cx.moment(run.started)), Span::styled(format!("{mark} {words}"), style), store, extent]
}

/// `▸ 2026-11-21 14:03:22  ✗ 1 fail  https://plants.example  only the rules, 35 requests`, for texts of which the longest
/// are `needed` wide.
fn line(pointer: Span<'static>, texts: [Span<'static>; 4], needed: [usize; 4], width: usize) -> Line<'static> {
    let [when, result, store, extent] = needed;
    let [when, result] = [when, result].map(|needed| Column::whole(needed, 0));
    let [store, extent] = [store, extent].map(|needed| Column::flexible(needed, needed, 1));
    let columns = [when, result, store, extent];
    let widths = filling(columns, GAP, width.saturating_sub(pointer.width()));
    let cells = texts.into_iter().zip(widths);
    let cells = cells.map(|(text, width)| Span::styled(clean_padded(&text.content, width), text.style));
    [pointer].into_iter().chain(side_by_side(cells, GAP)).collect()
}
