//! A question with its choices. The safe choice is marked first.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::answer_keys::AnswerKeys;
use super::text_with_choices::{TextWithChoices, columns_of_text};
use crate::domain::language::Id;
use crate::domain::{Language, ListedPlant, Message, PlantId};
use crate::tui::component::{Action, Component, action_in_text, called, cannot, does};
use crate::tui::context::{Context, TERMINALS};
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::session::question::{Act, Choice, Question, Words};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::viewport::Viewport;

/// Columns where the terminal is wide enough.
const DIALOG: u16 = 74;
/// Rows of one line of a question, at most.
const LINE_ROWS: usize = 6;

#[derive(Debug)]
pub(crate) struct Confirm {
    pub question: Question,
    /// In the resolve queue, the number of the question and of all.
    pub of_queue: Option<(usize, usize)>,
    /// Whether there is nothing left to ask, so that it closes, also behind other dialogs.
    pub is_over: bool,
    arming: Arming,
    /// The scroll position of its text.
    viewport: Viewport,
}

impl Confirm {
    pub(crate) fn new(question: Question) -> Self {
        Self { question, of_queue: None, is_over: false, arming: Arming::of("question"), viewport: Viewport::default() }
    }

    /// Returns the number of the question in the resolve queue and of all, if there are several.
    fn position(&self) -> Option<(usize, usize)> {
        self.of_queue.filter(|(_, of)| *of > 1)
    }

    /// Marks the choice with a certain act. Returns whether there is one.
    pub(crate) fn mark(&mut self, is_it: impl Fn(&Act) -> bool) -> bool {
        let found = self.question.choices.iter().position(|choice| is_it(&choice.act));
        if let Some(at) = found {
            self.question.marked = at;
        }
        found.is_some()
    }

    /// Marks the choice `choices` further on; the first one follows the last.
    fn step(&mut self, choices: usize) {
        self.question.marked = (self.question.marked + choices) % self.question.choices.len().max(1);
    }

    fn choose(&mut self, cx: &mut Context) {
        let act = self.question.choices.get(self.question.marked).map_or(Act::Leave, |choice| choice.act.clone());
        cx.session.decided(&self.question, &act);
        cx.out.close();
        if let Some(said) = self.question.if_left.filter(|_| act == Act::Leave) {
            cx.out.say_here(said);
        }
        cx.out.ui_effect(UiEffect::Do(act));
    }

    /// Takes a choice by its key; in a question that opened or changed by itself, marks it first.
    fn take(&mut self, at: usize, cx: &mut Context) {
        let is_expected = !self.question.by_itself || self.question.marked == at;
        self.question.marked = at;
        if is_expected {
            self.choose(cx);
        }
    }

    /// Says which keys take the marked choice now, after its key in a question that opened by itself has only marked it.
    fn takes_marked(&self, keys: &AnswerKeys, cx: &Context) -> Option<Message> {
        let marked = self.question.marked;
        if !self.question.by_itself || self.question.safe_choice() == Some(marked) {
            return None;
        }
        let choose = cx.out.keys.shown_in(Scope::Confirm, Command::Choose);
        keys.of(marked).map(|key| Id::PressAgain.with("key", key).with("choose", choose))
    }

    /// Returns its title for those who read it.
    fn title(&self, audience: Option<Language>) -> String {
        let title = self.question.title.say(audience).unwrap_or_default();
        let Some((at, of)) = self.position() else { return title };
        let of_queue = Id::QuestionOf.with("at", at.to_string()).with("of", of.to_string());
        audience.unwrap_or_default().say(&of_queue.with("question", title))
    }

    /// Returns the label of each choice and its hint, or, for the marked one, which keys take it.
    fn choices(&self, audience: Option<Language>, takes: Option<&Message>) -> Vec<[String; 2]> {
        let choice = |(at, choice): (usize, &Choice)| {
            let [label, hint] = match audience.zip(choice.simple) {
                Some((language, id)) => [language.label(id), language.hint(id)],
                None => [choice.label.clone(), choice.hint.clone()],
            };
            let takes = takes.filter(|_| at == self.question.marked);
            [label, takes.map_or(hint, |takes| audience.unwrap_or_default().say(takes))]
        };
        self.question.choices.iter().enumerate().map(choice).collect()
    }

    /// Returns the rows that it needs in a narrow terminal, and in a usual one; in a wider one, it needs no more.
    pub(crate) fn rows(&self, cx: &Context) -> [u16; 2] {
        TERMINALS.map(|width| {
            let area = Rect { width, ..Rect::ZERO };
            self.content(cx, area, Style::new()).rows(area)
        })
    }

    fn content(&self, cx: &Context, area: Rect, style: Style) -> TextWithChoices {
        let keys = self.keys(cx);
        let takes = self.takes_marked(&keys, cx);
        let Question { title, lines, listed, marked, .. } = &self.question;
        // All of it in words for an audience, or none.
        let audience = cx.display.audience().filter(|_| title.simple.is_some());
        let (said, width) = (|words: &Words| words.say(audience), columns_of_text(DIALOG, area));
        let lines = lines.iter().filter_map(said).flat_map(|line| wrapped_lines(&line, 0, width, LINE_ROWS, style));
        TextWithChoices {
            title: self.title(audience),
            columns: DIALOG,
            text: lines.collect(),
            listed: listed.iter().filter_map(said).collect(),
            top: self.viewport.top,
            choices: self.choices(audience, takes.as_ref()),
            keys,
            marked: *marked,
            language: audience.unwrap_or_default(),
        }
    }

    /// Returns the keys of the choices.
    fn keys(&self, cx: &Context) -> AnswerKeys {
        let [safe, act] = [self.question.safe_choice(), self.question.only_act().ok()];
        let command = |(at, choice): (usize, &Choice)| match Some(at) {
            at if at == safe => Some(Command::No),
            at if at == act => Some(Command::Yes),
            _ => choice.answer.map(Command::Answer),
        };
        AnswerKeys::new(cx, Scope::Question, self.question.choices.iter().enumerate().map(command))
    }

    /// Takes the choice that changes nothing.
    fn no(&mut self, cx: &mut Context) {
        match self.question.safe_choice() {
            Some(at) => {
                self.question.marked = at;
                self.choose(cx);
            }
            None => cx.out.close(),
        }
    }

    fn close(&mut self, cx: &mut Context) {
        if self.of_queue.is_some() {
            cx.out.close();
            cx.out.ui_effect(UiEffect::StopResolving);
        } else {
            self.no(cx);
        }
    }

    /// Replaces a question about these plants, with the safe choice marked, if it has changed; closes the dialog if there
    /// is nothing left to ask. Additional lines, as why a delete was rejected, do not make it another question.
    fn renew(&mut self, plants: &[PlantId], found: &[ListedPlant], cx: &mut Context) {
        let Some((about, _)) = self.question.several.as_ref().filter(|(_, asked)| asked == plants) else { return };
        match cx.session.question_about(about, plants, found, &self.question.seen, &mut cx.out) {
            Some(new) if self.question.choices != new.choices || self.question.seen != new.seen => {
                self.question = Question { by_itself: true, ..new };
                self.arming = Arming::of("question");
            }
            Some(_) => {}
            None => self.is_over = true,
        }
    }
}

impl Component for Confirm {
    fn scope(&self) -> Scope {
        Scope::Question
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next => does(|confirm: &mut Self, _| confirm.step(1)),
            Command::Previous => {
                does(|confirm: &mut Self, _| confirm.step(confirm.question.choices.len().saturating_sub(1)))
            }
            Command::Choose => does(Self::choose),
            Command::Yes => match self.question.only_act() {
                Ok(at) => does(move |confirm: &mut Self, cx| confirm.take(at, cx)),
                Err(why) => cannot(why),
            },
            Command::No => does(Self::no),
            Command::Answer(name) => {
                let at = self.question.named(name)?;
                does(move |confirm: &mut Self, cx| confirm.take(at, cx))
            }
            Command::Close if self.position().is_some() => called("stop here", Self::close),
            Command::Close => does(Self::close),
            _ => action_in_text(&self.viewport, command, |confirm, _| &mut confirm.viewport),
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::Listed(plants, Ok(found)) => self.renew(plants, found, cx),
            Msg::PlantHistory(id, Ok(history)) => {
                let row = history.row.clone();
                let found = row.map(|row| ListedPlant { row, unknown: history.unknown.clone() });
                self.renew(&[*id], found.as_slice(), cx);
            }
            // Reads the present state of the plants in question.
            Msg::JournalChanged | Msg::Team(_) => cx.out.effects(match &self.question.several {
                Some((_, plants)) => Some(Effect::FindListed(plants.clone())),
                None => self.question.about.map(Effect::LoadPlantHistory),
            }),
            _ => {}
        }
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        Some(&mut self.arming)
    }

    fn viewport(&mut self) -> Option<&mut Viewport> {
        Some(&mut self.viewport)
    }

    /// What a person needs to know, as the store, stays in sight where many plants are listed.
    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        self.content(cx, area, canvas.theme.text).draw(cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        let Target::Choice(at) = target else { return };
        // A second click takes the marked choice.
        if self.question.marked == at {
            self.choose(cx);
        } else {
            self.question.marked = at.min(self.question.choices.len().saturating_sub(1));
        }
    }
}
