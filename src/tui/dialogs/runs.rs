//! The list of stored check runs: one is chosen to be shown, or to be compared with.

use ratatui::text::{Line, Span};

use super::list::ListDialog;
use crate::check::{Report, Verdict};
use crate::text::columns::{Column, filling, longest};
use crate::text::{clean_fit, clean_padded};
use crate::tui::context::Context;
use crate::tui::message::Msg;
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
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
            let counts = Verdict::ALL.map(|verdict| counted(run, verdict));
            format!("{} {} {}", cx.moment(run.started), counts.join(" "), run.store)
        };
        let matches = |run: &&Report| self.compared.as_deref() != Some(*run) && matches(&shown(run));
        cx.session.check.stored.iter().flatten().filter(matches).collect()
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
        let needed = longest(runs.iter().map(|run| widths(run, cx)));
        Shown {
            title: if self.compared.is_some() { "Compare with which run?" } else { "Show which run?" }.into(),
            find: "find".into(),
            hint: "a part of a time, a result, or a store's URL".into(),
            note: None,
            count: runs.len(),
            empty: "No run has this in its time, its result or its store's URL.".into(),
            line: Box::new(move |at, is_marked, width| {
                runs.get(at).map(|run| line(run, is_marked, cx, theme, (needed, width)))
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

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        if let Msg::Runs(Ok(runs)) = message {
            cx.session.check.stored = Some(runs.clone());
        }
    }
}

/// `12 pass`; nothing if no rule has this verdict.
fn counted(run: &Report, verdict: Verdict) -> String {
    match run.count(verdict) {
        0 => String::new(),
        count => format!("{count} {}", verdict.word()),
    }
}

/// Returns the widths of the texts of a line: time, a count for each verdict, and the store, which has what is left.
fn widths(run: &Report, cx: &Context) -> [usize; 5] {
    let [pass, fail, inconclusive] = Verdict::ALL.map(|verdict| match counted(run, verdict).len() {
        0 => 0,
        words => "✓ ".chars().count() + words,
    });
    [cx.moment(run.started).len(), pass, fail, inconclusive, 1]
}

/// `▸ 2026-11-21 14:03:22  ✓ 12 pass  ✗ 1 fail  https://plants.example`, for texts of which the longest are `needed` wide.
fn line(
    run: &Report,
    marked: bool,
    cx: &Context,
    theme: &Theme,
    (needed, width): ([usize; 5], usize),
) -> Line<'static> {
    let pointer = theme.pointer(marked);
    let [when, pass, fail, inconclusive, store] = needed;
    let counts = [when, pass, fail, inconclusive].map(|needed| Column::whole(needed, 0));
    let [when, pass, fail, inconclusive] = counts;
    let columns = [when, pass, fail, inconclusive, Column::flexible(store, 1, 1)];
    let [when, counts @ .., store] = filling(columns, GAP, width.saturating_sub(pointer.width()));
    let gap = || Span::raw(" ".repeat(GAP));
    let mut line = Line::from(vec![pointer, Span::raw(clean_padded(&cx.moment(run.started), when))]);
    for (verdict, width) in Verdict::ALL.into_iter().zip(counts).filter(|(_, width)| *width > 0) {
        let (style, mark) = theme.verdict(verdict);
        let words = counted(run, verdict);
        let text = if words.is_empty() { words } else { format!("{mark} {words}") };
        line.extend([gap(), Span::styled(clean_padded(&text, width), style)]);
    }
    line.extend([gap(), Span::styled(clean_fit(&run.store, store), theme.dim)]);
    line
}
