//! The list of plants that are not in the list of plants any more: found as one types, and added again.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::list::{ListDialog, action_in_list, click_in_list, wheel_in_list};
use crate::domain::text::clean_padded;
use crate::domain::{Outcome as Proof, Unlisted, UnlistedReason};
use crate::tui::component::{Action, Component, Typed};
use crate::tui::context::Context;
use crate::tui::draft::Draft;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{FrameLayout, Msg, Target};
use crate::tui::pending_query::PendingQuery;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Columns of an id, at least.
const ID: usize = 4;
/// Columns of `forgotten`.
const HOW: usize = 9;
/// Columns of a day and a time of day.
const WHEN: usize = 19;
/// Columns of name and tag below which the time has no place beside them.
const ROOM: usize = 24;

#[derive(Debug, Default)]
pub(crate) struct ReAdd {
    picker: Picker,
    /// The plants that have what is typed, newest first; `None` until they have come for the first time.
    found: Option<Vec<Unlisted>>,
    query: PendingQuery,
}

impl ReAdd {
    pub(crate) fn open(cx: &mut Context) -> Self {
        let mut list = Self::default();
        list.search(cx);
        list
    }

    /// Looks for what is typed, now or once the query has come that is pending: others want the journal, too.
    fn search(&mut self, cx: &mut Context) {
        if self.query.begin() {
            cx.out.effect(Effect::FindUnlisted(self.picker.text.text().to_owned()));
        }
    }

    fn found(&self) -> &[Unlisted] {
        self.found.as_deref().unwrap_or_default()
    }
}

impl ListDialog for ReAdd {
    fn picker(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.found().len()
    }

    fn choose(&mut self, cx: &mut Context) {
        if let Some(unlisted) = self.found().get(self.picker.marked) {
            let draft = Box::new(Draft::adding_again(unlisted));
            cx.out.ui_effect(UiEffect::Replace(Open::Add(draft)));
        }
    }
}

impl Component for ReAdd {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        action_in_list(command)
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        self.picker.take(typed);
        self.search(cx);
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::Unlisted(text, found) => {
                let is_stale = self.query.finish();
                if let Ok(found) = found
                    && self.picker.text.text() == text
                {
                    self.picker.keep_mark(found.len());
                    self.found = Some(found.clone());
                }
                if is_stale {
                    self.search(cx);
                }
            }
            Msg::JournalChanged => self.search(cx),
            _ => {}
        }
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        self.picker.fits(layout.reader_page);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, found) = (canvas.theme, self.found());
        let id = found.iter().map(|unlisted| unlisted.plant.id.to_string().len()).max().unwrap_or(0).max(ID);
        let none = |width| {
            let words = match &self.found {
                None => "Reading the journal …",
                Some(_) if self.picker.text.text().is_empty() => {
                    "Nothing yet. Plants that are deleted, forgotten, rejected or not sent can be found here, and added \
                     again."
                }
                Some(_) => "None has this in its name, tag or id.",
            };
            wrapped_lines(words, 2, width, 3, theme.dim)
        };
        let shown = Shown {
            title: "Not in the view any more",
            hint: "a part of a name, tag or id",
            note: &|_| Vec::new(),
            count: found.len(),
            instead: &none,
        };
        self.picker.draw(&shown, area, canvas, |at, width| {
            let is_marked = at == self.picker.marked;
            found.get(at).map(|unlisted| line(unlisted, is_marked, cx, theme, (id, width))).unwrap_or_default()
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

/// A line of so many columns, of which the id has the first.
fn line(unlisted: &Unlisted, marked: bool, cx: &Context, theme: &Theme, (id, width): (usize, usize)) -> Line<'static> {
    let plant = &unlisted.plant;
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let (style, mark) = how(unlisted.how, theme);
    let beside = width.saturating_sub(2 + id + 2 + 2 + 2 + HOW + 2);
    let (when, rest) = if beside >= ROOM + WHEN { (true, beside - WHEN - 2) } else { (false, beside) };
    let tag = rest / 3;
    let mut line = Line::from(vec![
        Span::styled(pointer, theme.key),
        Span::raw(format!("{:>id$}  ", plant.id.to_string())),
        Span::raw(format!("{}  ", clean_padded(&plant.name, rest - tag))),
        Span::raw(format!("{}  ", clean_padded(&plant.tag, tag))),
        Span::styled(clean_padded(&format!("{mark} {}", unlisted.how.word()), HOW + 2), style),
    ]);
    if when {
        let at = moment(unlisted.at, cx.now(), &cx.session.info.zone);
        line.push_span(Span::styled(format!("  {at}"), theme.dim));
    }
    line
}

fn how(how: UnlistedReason, theme: &Theme) -> (Style, &'static str) {
    match how {
        UnlistedReason::Deleted | UnlistedReason::Forgotten => (theme.dim, theme.mark("−", "-")),
        UnlistedReason::Rejected => theme.outcome(Proof::Rejected),
        UnlistedReason::NotSent => theme.outcome(Proof::NotSent),
    }
}
