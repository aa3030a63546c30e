//! A question with its choices.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::component::{Action, Component, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::question::{self, Act, Question};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::text::{hanging, wrapped_lines};
use crate::tui::widgets::theme::Theme;

/// Columns of a dialog where there is room.
const DIALOG: u16 = 74;

#[derive(Debug)]
pub(crate) struct Confirm {
    pub question: Question,
    /// Which of how many it is, in the resolve queue.
    pub place: Option<(usize, usize)>,
    /// Whether the resolve queue asks it.
    pub of_queue: bool,
}

impl Confirm {
    pub(crate) fn new(question: Question) -> Self {
        Self { question, place: None, of_queue: false }
    }

    /// Marks the choice that does this. Whether there is one.
    pub(crate) fn mark(&mut self, is_it: impl Fn(&Act) -> bool) -> bool {
        let found = self.question.choices.iter().position(|choice| is_it(&choice.act));
        if let Some(at) = found {
            self.question.marked = at;
        }
        found.is_some()
    }

    /// Marks the choice so many places on, round and round.
    fn step(&mut self, choices: usize) {
        self.question.marked = (self.question.marked + choices) % self.question.choices.len().max(1);
    }

    fn step_back(&mut self) {
        self.step(self.question.choices.len().saturating_sub(1));
    }

    fn choose(&mut self, cx: &mut Context) {
        let act = self.question.choices.get(self.question.marked).map_or(Act::Leave, |choice| choice.act.clone());
        cx.out.close();
        cx.out.ui_effect(UiEffect::Do(act));
    }

    fn close(&mut self, cx: &mut Context) {
        cx.out.close();
        if self.of_queue {
            cx.out.ui_effect(UiEffect::StopResolving);
        }
    }

    /// Asks anew, with the safe choice marked, if something else is to be asked by now; closes where there is
    /// nothing left to ask. Questions about several plants never wait behind another dialog.
    fn renew(&mut self, question: Option<Question>, is_new: impl Fn(&Question, &Question) -> bool, cx: &mut Context) {
        match question {
            Some(question) if is_new(&self.question, &question) => self.question = question,
            Some(_) => {}
            None => cx.out.close(),
        }
    }

    /// Reads anew how what it is about stands.
    fn ask_journal(&self) -> Option<Effect> {
        match (self.question.resolves(), self.question.deletes()) {
            (Some(plants), _) => Some(Effect::FindToResolve(plants)),
            (None, Some(plants)) => Some(Effect::FindToDelete(plants.to_vec())),
            (None, None) => self.question.about.map(Effect::LoadPlantHistory),
        }
    }
}

impl Component for Confirm {
    fn scope(&self) -> Scope {
        Scope::Confirm
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next => does(|confirm: &mut Self, _| confirm.step(1)),
            Command::Previous => does(|confirm: &mut Self, _| confirm.step_back()),
            Command::Choose => does(Self::choose),
            Command::Close if self.place.is_some() => called("stop here", Self::close),
            Command::Close => does(Self::close),
            _ => None,
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        let choices_differ = |old: &Question, new: &Question| old.choices != new.choices;
        match message {
            Msg::ToDelete(plants, Ok(rows)) if self.question.deletes() == Some(plants.as_slice()) => {
                let found = cx.session.question_to_delete(plants, rows, &mut cx.out);
                let left_out = found.as_ref().map_or(0, |(_, left_out)| *left_out);
                let is_new = |old: &Question, new: &Question| left_out > 0 || choices_differ(old, new);
                self.renew(found.map(|(question, _)| question), is_new, cx);
            }
            Msg::ToResolve(plants, Ok(found)) if self.question.resolves().as_ref() == Some(plants) => {
                let question = cx.session.question_to_resolve(plants, found, &mut cx.out);
                self.renew(question, choices_differ, cx);
            }
            Msg::PlantHistory(id, Ok(history)) => {
                let question = question::delete(*id, history.row.as_ref(), &cx.session.info.store);
                // What else it says, as why a delete came back, is no reason.
                let is_new =
                    |old: &Question, new: &Question| old.choices == new.choices && !old.lines.starts_with(&new.lines);
                self.renew(Some(question), is_new, cx);
            }
            Msg::JournalChanged => cx.out.effects(self.ask_journal()),
            _ => {}
        }
    }

    fn draw(&self, _cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let width = usize::from(DIALOG.min(area.width)).saturating_sub(4);
        let room = usize::from(area.height.saturating_sub(2));
        let (lines, choices) = Detail::ALL
            .into_iter()
            .map(|detail| lines(&self.question, detail, width, canvas.theme))
            .find(|(lines, _)| lines.len() <= room)
            .unwrap_or_else(|| lines(&self.question, Detail::Choices, width, canvas.theme));
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
        let place = self.place.map(|(at, of)| format!("{at} of {of}: ")).unwrap_or_default();
        let inner = canvas.boxed(&format!("{place}{}", self.question.title), (DIALOG, height), area);
        canvas.lines(lines, inner);
        for (at, rows) in choices.into_iter().enumerate() {
            let y = inner.y.saturating_add(u16::try_from(rows.start).unwrap_or(u16::MAX));
            let height = u16::try_from(rows.len()).unwrap_or(0);
            canvas.target(Rect { y, height, ..inner }.intersection(inner), Target::Choice(at));
        }
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        let Target::Choice(at) = target else { return };
        // The second click takes what the first one marked.
        if self.question.marked == at {
            self.choose(cx);
        } else {
            self.question.marked = at.min(self.question.choices.len().saturating_sub(1));
        }
    }

    fn wheel(&mut self, over: Target, down: bool, _cx: &mut Context) {
        match over {
            Target::Choice(_) if down => self.step(1),
            Target::Choice(_) => self.step_back(),
            _ => {}
        }
    }
}

/// How much of a question is shown, the least first: the choices always have a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Choices,
    Hints,
    Words,
    Air,
}

impl Detail {
    const ALL: [Self; 4] = [Self::Air, Self::Words, Self::Hints, Self::Choices];
}

/// The lines of a question, and which of them are each choice's.
fn lines(question: &Question, detail: Detail, width: usize, theme: &Theme) -> (Vec<Line<'static>>, Vec<Range<usize>>) {
    let mut choices = Vec::new();
    let air = || (detail >= Detail::Air).then(Line::default);
    let mut lines: Vec<Line> = air().into_iter().collect();
    if detail >= Detail::Words {
        lines.extend(question.lines.iter().flat_map(|line| wrapped_lines(line, 0, width, 3, theme.text)));
        lines.extend(air());
    }
    let label = question.choices.iter().map(|choice| choice.label.len()).max().unwrap_or(0);
    let hint_rows = if detail >= Detail::Words { 2 } else { 1 };
    for (at, choice) in question.choices.iter().enumerate() {
        let marked = at == question.marked;
        let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
        let text = if detail >= Detail::Hints { choice.hint.as_str() } else { "" };
        let head = Span::styled(format!("{pointer}{:<label$}  ", choice.label), theme.title);
        let hung = hanging(head, text, width, hint_rows, theme.dim);
        let first = lines.len();
        lines.extend(hung.into_iter().map(|line| if marked { theme.select(line) } else { line }));
        choices.push(first..lines.len());
    }
    lines.extend(air());
    (lines, choices)
}
