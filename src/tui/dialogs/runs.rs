//! The list of stored runs of the check: one is chosen to be shown, or to be compared with.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::list::{ListDialog, action_in_list, click_in_list, wheel_in_list};
use crate::check::{Report, Verdict};
use crate::domain::text::{clean_fit, clean_padded, in_lower_case};
use crate::tui::component::{Action, Component, Typed};
use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{FrameLayout, Msg, Target};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Columns of a day and a time of day.
const WHEN: usize = 19;

#[derive(Debug)]
pub(crate) struct Runs {
    /// Newest first.
    stored: Vec<Report>,
    /// Whether the chosen one is compared with, and not shown itself.
    compares: bool,
    /// Not on offer: a run is not compared with itself.
    except: Option<Box<Report>>,
    picker: Picker,
}

impl Runs {
    pub(crate) fn new(stored: Vec<Report>, compares: bool, except: Option<Box<Report>>) -> Self {
        Self { stored, compares, except, picker: Picker::default() }
    }

    /// What there is for what is typed.
    fn fitting(&self) -> Vec<&Report> {
        let words = self.picker.words();
        let fits = |run: &&Report| {
            let text = in_lower_case(&format!("{} {}", run.store, run.summary()));
            self.except.as_deref() != Some(*run) && words.iter().all(|word| text.contains(word))
        };
        self.stored.iter().filter(fits).collect()
    }
}

impl ListDialog for Runs {
    fn picker(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.fitting().len()
    }

    fn choose(&mut self, cx: &mut Context) {
        if let Some(run) = self.fitting().get(self.picker.marked) {
            cx.out.close();
            cx.out.ui_effect(UiEffect::ShowRun { run: Box::new(Report::clone(run)), compares: self.compares });
        }
    }
}

impl Component for Runs {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        action_in_list(command)
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        self.picker.take(typed);
    }

    fn receive(&mut self, message: &Msg, _cx: &mut Context) {
        if let Msg::Runs(Ok(runs)) = message {
            self.stored.clone_from(runs);
            let count = self.fitting().len();
            self.picker.keep_mark(count);
        }
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        self.picker.fits(layout.reader_page);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, runs) = (canvas.theme, self.fitting());
        let none = |width| wrapped_lines("No run has this in its words.", 2, width, 2, theme.dim);
        let shown = Shown {
            title: if self.compares { "Compare with which run?" } else { "Show which run?" },
            hint: "a part of a store's address, or of what it came to",
            note: &|_| Vec::new(),
            count: runs.len(),
            instead: &none,
        };
        self.picker.draw(&shown, area, canvas, |at, width| {
            runs.get(at).map(|run| line(run, at == self.picker.marked, cx, theme, width)).unwrap_or_default()
        });
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        click_in_list(self, target, cx);
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        wheel_in_list(self, over, down, cx);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.picker.text.text().to_owned()])
    }

    #[cfg(test)]
    fn marked_line(&self, cx: &Context) -> Option<(usize, usize)> {
        Some((self.picker.marked, self.count(cx)))
    }
}

/// When, where, what it came to.
fn line(run: &Report, marked: bool, cx: &Context, theme: &Theme, width: usize) -> Line<'static> {
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let when = moment(run.started, cx.now(), &cx.session.info.zone);
    let mut spans = vec![Span::styled(pointer, theme.key), Span::raw(clean_padded(&when, WHEN)), Span::raw("  ")];
    for (verdict, count) in Verdict::ALL.map(|verdict| (verdict, run.count(verdict))) {
        if count > 0 {
            let (style, mark) = theme.verdict(verdict);
            spans.push(Span::styled(format!("{mark} {count} {}  ", verdict.word()), style));
        }
    }
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    spans.push(Span::styled(clean_fit(&run.store, width.saturating_sub(used)), theme.dim));
    Line::from(spans)
}
