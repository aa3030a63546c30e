//! A question with its choices. The safe choice is marked first.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use strum::{EnumIter, IntoEnumIterator};
use unicode_width::UnicodeWidthStr as _;

use super::answer_keys::AnswerKeys;
use crate::domain::language::Id;
use crate::domain::{Language, Message, State};
use crate::text::clean_padded;
use crate::tui::component::{Action, Component, action_in_text, called, cannot, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::session::plant_questions;
use crate::tui::session::question::{Act, Choice, Question};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::canvas::{Canvas, below, cells};
use crate::tui::widgets::text::{behind, fitted, fitted_named, hanging, wrapped_lines};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::viewport::Viewport;

/// Columns where the terminal is wide enough.
const DIALOG: u16 = 74;
/// Rows of one line of a question, at most.
const LINE_ROWS: usize = 6;
/// Rows of what it is about that are worth more than hints.
const LISTED: usize = 12;
/// Rows of it that are worth more than the other lines: one plant, and which one of all it is.
const FEW: usize = 2;
/// Rows that blank lines leave free above and below, so that the status line is visible.
const FREE: usize = 3;

#[derive(Debug)]
pub(crate) struct Confirm {
    pub question: Question,
    /// In the resolve queue, the number of the question and of all.
    pub of_queue: Option<(usize, usize)>,
    /// Whether there is nothing left to ask, so that it closes, also behind other dialogs.
    pub is_over: bool,
    arming: Arming,
    /// The scroll position of what it is about.
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

    /// Returns its words for those who read it: all of them for an audience, or none. `takes` says which keys take the marked
    /// choice, instead of its hint.
    fn words(&self, takes: Option<&Message>, audience: Option<Language>) -> Words {
        let Question { title, lines, listed, simple, choices, marked, .. } = &self.question;
        let simple = audience.zip(simple.as_ref());
        let language = simple.map(|(language, _)| language).unwrap_or_default();
        let say = |messages: &[Message]| messages.iter().map(|message| language.say(message)).collect();
        let choice = |(at, choice): (usize, &Choice)| {
            let [label, hint] = match simple.and(choice.simple) {
                Some(id) => [language.label(id), language.hint(id)],
                None => [choice.label.clone(), choice.hint.clone()],
            };
            let takes = takes.filter(|_| at == *marked).map(|takes| language.say(takes));
            [label, takes.unwrap_or(hint)]
        };
        let (mut title, listed, lines) = match simple {
            Some((_, simple)) => (language.say(&simple.title), say(&simple.listed), say(&simple.lines)),
            None => (title.clone(), listed.clone(), lines.clone()),
        };
        if let Some((at, of)) = self.position() {
            let of_queue = Id::QuestionOf.with("at", at.to_string()).with("of", of.to_string());
            title = language.say(&of_queue.with("question", title));
        }
        Words { language, title, listed, lines, choices: choices.iter().enumerate().map(choice).collect() }
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

    /// Replaces the question, with the safe choice marked, if it has changed; closes the dialog if there is nothing
    /// left to ask.
    fn renew(&mut self, question: Option<Question>, is_new: impl Fn(&Question, &Question) -> bool) {
        match question {
            Some(question) if is_new(&self.question, &question) => {
                self.question = Question { by_itself: true, ..question };
                self.arming = Arming::of("question");
            }
            Some(_) => {}
            None => self.is_over = true,
        }
    }

    /// The first line that is shown of what it is about, where so many fit.
    fn top(&self, page: usize) -> usize {
        self.viewport.top.min(self.question.listed.len().saturating_sub(page))
    }

    /// Returns `page` lines of what it is about, and which of all they are if they are not all.
    fn listed(&self, words: &Words, page: usize, cx: &Context, width: usize, theme: &Theme) -> Vec<Line<'static>> {
        let (top, count) = (self.top(page), words.listed.len());
        let lines = words.listed.iter().skip(top).take(page);
        let mut lines: Vec<_> = lines.map(|line| fitted_named(line, width, theme.text).into()).collect();
        if page < count {
            let part = Id::PartOfList.with("first", (top + 1).to_string()).with("last", (top + page).to_string());
            let key = cx.out.keys.shown_in(Scope::Confirm, Command::PageDown);
            let part = part.with("all", count.to_string()).with("key", key);
            lines.push(Line::styled(words.language.say(&part), theme.dim));
        }
        lines
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
        let choices_differ = |old: &Question, new: &Question| old.choices != new.choices || old.seen != new.seen;
        match message {
            Msg::Listed(plants, Ok(found)) => {
                let Some((about, _)) = self.question.several.as_ref().filter(|(_, asked)| asked == plants) else {
                    return;
                };
                let question = cx.session.question_about(about, plants, found, &mut cx.out);
                self.renew(question, choices_differ);
            }
            Msg::PlantHistory(id, _) if self.question.about != Some(*id) => {}
            Msg::PlantHistory(_, Ok(history))
                if history.row.as_ref().is_some_and(|row| row.state == State::Deleting) =>
            {
                self.is_over = true;
                cx.out.say_here("Its delete is already under way.");
                cx.out.simply(Id::OnItsWay);
            }
            Msg::PlantHistory(id, Ok(history)) => {
                let question = plant_questions::delete(*id, history.row.as_ref(), &cx.session.info.store);
                // Additional lines, as why a delete was rejected, do not make it another question.
                let is_new = |old: &Question, new: &Question| {
                    old.choices == new.choices && (old.seen != new.seen || !old.lines.starts_with(&new.lines))
                };
                self.renew(Some(question), is_new);
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

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let width = usize::from(DIALOG.min(area.width)).saturating_sub(4);
        let room = usize::from(area.height.saturating_sub(2));
        let keys = self.keys(cx);
        let takes = self.takes_marked(&keys, cx);
        let audience = cx.display.audience();
        let words = self.words(takes.as_ref(), audience);
        let layout = |detail| Layout::of(&words, self.question.marked, &keys, detail, width, canvas.theme);
        let listed = self.question.listed.len();
        let rows_for_list = |layout: &Layout| room.checked_sub(layout.height() + 2 * FREE * layout.blank());
        let has_room = |layout: &Layout, rows| rows_for_list(layout) >= Some(listed.min(rows));
        let details = || Detail::iter().filter(|detail| listed > 0 || *detail != Detail::ShortHints);
        let with_words = || details().take_while(|detail| *detail <= Detail::ShortHints);
        let mut shown = with_words()
            .map(layout)
            .find(|layout| has_room(layout, LISTED))
            .or_else(|| details().map(layout).find(|layout| has_room(layout, FEW)))
            .unwrap_or_else(|| layout(Detail::Choices));
        let rows = rows_for_list(&shown).unwrap_or(0).min(listed);
        let mut page = 0;
        if rows >= FEW || rows == listed {
            // One row says which lines are shown.
            page = if rows < listed { rows.saturating_sub(1) } else { rows };
            let lines = self.listed(&words, page, cx, width, canvas.theme);
            shown.above.splice(shown.blank()..shown.blank(), lines);
        }
        let inner = canvas.dialog(&words.title, (DIALOG, cells(shown.height()).saturating_add(2)), area);
        let choices = below(inner, shown.above.len());
        let text = below(inner, shown.blank());
        canvas.lines(shown.above, inner);
        if page < listed {
            let text = Rect { height: cells(page).min(text.height), ..text };
            canvas.dialog_scrollbar(text, self.top(page), listed);
            canvas.target(text, Target::Text);
        }
        (canvas.map.layout.reader_lines, canvas.map.layout.reader_page) = (listed, page);
        canvas.choices(shown.choices, self.question.marked, choices);
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

/// How much of a question is drawn, the most first. The choices are always drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
enum Detail {
    BlankLines,
    HangingHints,
    /// Lines of a hint go on below the label.
    FlowingHints,
    /// A line each, for the room of what the question is about.
    ShortHints,
    /// What follows from the choices, without the words.
    HintsAlone,
    Choices,
}

/// A question in the words of those who read it.
struct Words {
    language: Language,
    title: String,
    listed: Vec<String>,
    lines: Vec<String>,
    /// The label of each choice, and its hint.
    choices: Vec<[String; 2]>,
}

/// The lines of a question.
struct Layout {
    detail: Detail,
    /// The list of what it is about is inserted behind the blank line.
    above: Vec<Line<'static>>,
    choices: Vec<Vec<Line<'static>>>,
}

impl Layout {
    fn of(words: &Words, marked: usize, keys: &AnswerKeys, detail: Detail, width: usize, theme: &Theme) -> Self {
        let blank = vec![Line::default(); usize::from(detail == Detail::BlankLines)];
        let mut above = blank.clone();
        if detail <= Detail::ShortHints {
            above.extend(words.lines.iter().flat_map(|line| wrapped_lines(line, 0, width, LINE_ROWS, theme.text)));
            above.extend(blank);
        }
        let columns_of_label = words.choices.iter().map(|[label, _]| label.width()).max().unwrap_or(0);
        let choice = |(at, [label, hint]): (usize, &[String; 2])| {
            let key = keys.before(at, at == marked, theme);
            let columns = width.saturating_sub(key.width());
            let lines = match detail {
                Detail::BlankLines | Detail::HangingHints | Detail::ShortHints => {
                    let label = Span::styled(clean_padded(label, columns_of_label + 2), theme.title);
                    let rows = if detail == Detail::ShortHints { 1 } else { LINE_ROWS };
                    hanging(label, hint, columns, rows, theme.dim)
                }
                Detail::FlowingHints | Detail::HintsAlone => flowing(label, hint, columns, theme),
                Detail::Choices => vec![fitted(label, columns, theme.title).into()],
            };
            behind(key, lines)
        };
        Self { detail, above, choices: words.choices.iter().enumerate().map(choice).collect() }
    }

    /// Returns the number of blank lines above the list, and below the choices.
    fn blank(&self) -> usize {
        usize::from(self.detail == Detail::BlankLines)
    }

    fn height(&self) -> usize {
        self.above.len() + self.choices.iter().map(Vec::len).sum::<usize>() + self.blank()
    }
}

/// Returns a label with its hint, whose lines go on below the label.
fn flowing(label: &str, hint: &str, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(&format!("{label}  {hint}"), 0, columns, LINE_ROWS, theme.dim);
    if let Some(line) = lines.first_mut()
        && let Some(rest) = line.to_string().strip_prefix(label)
    {
        *line = Line::from_iter(
            [(label, theme.title), (rest, theme.dim)].map(|(text, style)| Span::styled(text.to_owned(), style)),
        );
    }
    lines
}
