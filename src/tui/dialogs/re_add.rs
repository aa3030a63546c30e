//! The re-add list: plants that are not in the list of plants any more, found by text and added again.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::list::ListDialog;
use crate::domain::text::clean_padded;
use crate::domain::{Outcome as Proof, Unlisted, UnlistedReason};
use crate::tui::context::Context;
use crate::tui::draft::Draft;
use crate::tui::effect::Effect;
use crate::tui::message::Msg;
use crate::tui::pending_query::PendingQuery;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Columns of an id, at least.
const ID: usize = 4;
/// Columns of a reason: mark, space, `forgotten`.
const REASON: usize = 11;
/// Columns of a date and time.
const WHEN: usize = 19;
/// Columns that name and tag need before the time is shown beside them.
const NAME_AND_TAG: usize = 24;

#[derive(Debug, Default)]
pub(crate) struct ReAdd {
    picker: Picker,
    /// The plants that match what is typed, newest first; `None` until the first have arrived.
    found: Option<Vec<Unlisted>>,
    query: PendingQuery,
}

impl ReAdd {
    pub(crate) fn open(cx: &mut Context) -> Self {
        let mut list = Self::default();
        list.search(cx);
        list
    }

    /// Searches for what is typed, now or after the pending query.
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
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.found().len()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let found = self.found();
        let id = found.iter().map(|unlisted| unlisted.plant.id.to_string().len()).max().unwrap_or(0).max(ID);
        Shown {
            title: "Re-add a plant",
            hint: "a part of a name, tag or id",
            note: None,
            count: found.len(),
            empty: match &self.found {
                None => "Reading the journal …",
                Some(_) if self.picker.text.text().is_empty() => {
                    "Nothing yet. Plants that are deleted, forgotten, rejected or not sent can be found here, and added \
                     again."
                }
                Some(_) => "None has this in its name, tag or id.",
            },
            line: Box::new(move |at, width| {
                let is_marked = at == self.picker.marked;
                found.get(at).map(|unlisted| line(unlisted, is_marked, cx, theme, (id, width))).unwrap_or_default()
            }),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        if let Some(unlisted) = self.found().get(self.picker.marked) {
            let draft = Box::new(Draft::adding_again(unlisted));
            cx.out.ui_effect(UiEffect::Replace(Open::Add(draft)));
        }
    }

    fn filter_changed(&mut self, cx: &mut Context) {
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
}

/// A line of `width` columns, with `id` of them for the id.
fn line(unlisted: &Unlisted, marked: bool, cx: &Context, theme: &Theme, (id, width): (usize, usize)) -> Line<'static> {
    let plant = &unlisted.plant;
    let (style, mark) = reason(unlisted.how, theme);
    let beside = width.saturating_sub(2 + id + 2 + 2 + 2 + REASON);
    let (when, rest) = if beside >= NAME_AND_TAG + WHEN { (true, beside - WHEN - 2) } else { (false, beside) };
    let tag = rest / 3;
    let mut line = Line::from(vec![
        theme.pointer(marked),
        Span::raw(format!("{:>id$}  ", plant.id.to_string())),
        Span::raw(format!("{}  ", clean_padded(&plant.name, rest - tag))),
        Span::raw(format!("{}  ", clean_padded(&plant.tag, tag))),
        Span::styled(clean_padded(&format!("{mark} {}", unlisted.how.word()), REASON), style),
    ]);
    if when {
        let at = moment(unlisted.at, cx.now(), &cx.session.info.zone);
        line.push_span(Span::styled(format!("  {at}"), theme.dim));
    }
    line
}

fn reason(reason: UnlistedReason, theme: &Theme) -> (Style, &'static str) {
    match reason {
        UnlistedReason::Deleted | UnlistedReason::Forgotten => (theme.dim, theme.mark("−", "-")),
        UnlistedReason::Rejected => theme.outcome(Proof::Rejected),
        UnlistedReason::NotSent => theme.outcome(Proof::NotSent),
    }
}
