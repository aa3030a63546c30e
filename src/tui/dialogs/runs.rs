//! The list of stored check runs: one is chosen to be shown, or to be compared with.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::list::ListDialog;
use crate::check::{Report, Verdict};
use crate::domain::text::{clean_fit, clean_padded};
use crate::tui::context::Context;
use crate::tui::message::Msg;
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Columns of a date and time.
const WHEN: usize = 19;

#[derive(Debug)]
pub(crate) struct Runs {
    /// Newest first.
    stored: Vec<Report>,
    /// Whether the chosen run is compared with the one that is shown, instead of shown itself.
    compares: bool,
    /// The run that is shown, where one to compare it with is chosen: it is left out.
    except: Option<Box<Report>>,
    picker: Picker,
}

impl Runs {
    pub(crate) fn new(stored: Vec<Report>, compares: bool, except: Option<Box<Report>>) -> Self {
        Self { stored, compares, except, picker: Picker::default() }
    }

    fn matching(&self) -> Vec<&Report> {
        let matches = self.picker.matcher();
        let matches = |run: &&Report| {
            self.except.as_deref() != Some(*run) && matches(&format!("{} {}", run.store, run.summary()))
        };
        self.stored.iter().filter(matches).collect()
    }
}

impl ListDialog for Runs {
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.matching().len()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let runs = self.matching();
        Shown {
            title: if self.compares { "Compare with which run?" } else { "Show which run?" },
            hint: "a part of a store's URL, or of a result",
            note: None,
            count: runs.len(),
            empty: "No run has this in its store's URL or its result.",
            line: Box::new(move |at, width| {
                runs.get(at).map(|run| line(run, at == self.picker.marked, cx, theme, width)).unwrap_or_default()
            }),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        if let Some(run) = self.matching().get(self.picker.marked) {
            cx.out.close();
            cx.out.ui_effect(UiEffect::ShowRun { run: Box::new(Report::clone(run)), compares: self.compares });
        }
    }

    fn receive(&mut self, message: &Msg, _cx: &mut Context) {
        if let Msg::Runs(Ok(runs)) = message {
            self.stored.clone_from(runs);
            let count = self.matching().len();
            self.picker.keep_mark(count);
        }
    }
}

/// `▸ 2026-11-21 14:03:22  ✓ 12 pass  ✗ 1 fail  https://plants.example`
fn line(run: &Report, marked: bool, cx: &Context, theme: &Theme, width: usize) -> Line<'static> {
    let when = moment(run.started, cx.now(), &cx.session.info.zone);
    let mut spans = vec![theme.pointer(marked), Span::raw(clean_padded(&when, WHEN)), Span::raw("  ")];
    for verdict in Verdict::ALL {
        let count = run.count(verdict);
        if count > 0 {
            let (style, mark) = theme.verdict(verdict);
            spans.push(Span::styled(format!("{mark} {count} {}  ", verdict.word()), style));
        }
    }
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    spans.push(Span::styled(clean_fit(&run.store, width.saturating_sub(used)), theme.dim));
    Line::from(spans)
}
