//! A text to read over the room: help, a plant's story, an exchange, two compared. It is
//! scrolled and searched; where lines break, and which have what is looked for, the drawn frame
//! tells.

use crate::domain::Timestamp;
use crate::domain::body::{Body, BodyLine};
use crate::domain::compare::{self, Beside, Comparison, Section};
use crate::journal::Kept;

use super::field::Field;
use super::keys::{InInspector, InList, InReader};
use super::message::{Drawn, Effect};
use super::model::{Model, Overlay};
use super::room::Room;

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Every key, and the words.
    Help,
    /// The selected plant's story.
    Story,
    /// An exchange as it was on the wire.
    Exchange {
        /// Which.
        kept: Box<Kept>,
        /// Whether bodies are shown as they came and not laid out.
        raw: bool,
        /// The bodies of request and answer, as they are shown.
        bodies: Box<[Body; 2]>,
    },
    /// Two exchanges, side by side.
    Compared(Box<Compared>),
    /// All that is known of the import that is under way, or of the last one.
    Import,
}

/// Two exchanges with what is the same in both and what is not. Made once: that can take long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// When each began.
    pub began: [Timestamp; 2],
    /// What is told of them.
    pub parts: Vec<ComparedPart>,
}

/// A part of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPart {
    /// `What`, `Request` or `Answer`.
    pub heading: &'static str,
    /// Whether it is too long to find what was moved: compared line by line.
    pub by_position: bool,
    /// From above to below.
    pub pairs: Vec<Pair>,
}

/// What stands in one line of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Of the one; `None` if only the other has it.
    pub left: Option<BodyLine>,
    /// Of the other.
    pub right: Option<BodyLine>,
    /// Whether there is no difference.
    pub same: bool,
}

impl Compared {
    /// Compares two exchanges.
    pub fn of(pair: &[Kept; 2]) -> Self {
        let [left, right] = pair.each_ref().map(|kept| compare::lines_of(&kept.exchange, kept.called.as_ref()));
        let began = pair.each_ref().map(|kept| kept.exchange.started);
        Self { began, parts: left.iter().zip(&right).map(|(left, right)| ComparedPart::of(left, right)).collect() }
    }
}

impl ComparedPart {
    fn of(left: &Section, right: &Section) -> Self {
        let Comparison { rows, by_position } = compare::side_by_side(&left.lines, &right.lines);
        let line = |at: Option<usize>, lines: &[String]| lines.get(at?).cloned().map(BodyLine::plain);
        let pair = |Beside { left: one, right: other, same }| Pair {
            left: line(one, &left.lines),
            right: line(other, &right.lines),
            same,
        };
        Self { heading: left.heading, by_position, pairs: rows.into_iter().map(pair).collect() }
    }
}

/// A reader that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// What is read.
    pub reading: Reading,
    /// The first line shown.
    pub top: usize,
    /// What is looked for in it.
    pub find: Find,
}

/// What is looked for in a reader.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Find {
    /// The text; nothing is looked for while it is empty.
    pub text: Field,
    /// Whether it is being typed.
    pub typing: bool,
    /// The line from which on it is looked for.
    pub from: usize,
    /// The line that is found is still to be brought into sight: the next frame tells which it is.
    pub unseen: bool,
}

impl Reading {
    /// An exchange with its bodies laid out, or raw.
    pub(super) fn exchange(kept: Box<Kept>, raw: bool) -> Self {
        let show = if raw { Body::raw } else { Body::laid_out };
        let request = kept.exchange.request.as_ref().and_then(|request| request.body.as_deref());
        let answer = kept.exchange.answer().map(|answer| answer.body.as_slice());
        let bodies = Box::new([show(request.unwrap_or_default().as_bytes()), show(answer.unwrap_or_default())]);
        Self::Exchange { kept, raw, bodies }
    }
}

impl Reader {
    /// Shows it from its first line on.
    pub fn of(reading: Reading) -> Self {
        Self { reading, top: 0, find: Find::default() }
    }

    /// Looks for what is typed, from the first line in sight on.
    pub(super) fn look(&mut self) {
        self.look_from(self.top);
    }

    fn look_from(&mut self, line: usize) {
        self.find.from = line;
        self.find.unseen = true;
    }

    /// It was drawn: what was found comes into sight, and nothing is shown past the end.
    pub(super) fn was_drawn(&mut self, drawn: &Drawn) {
        if std::mem::take(&mut self.find.unseen)
            && let Some(line) = drawn.matches.at
            && !(self.top..self.top + drawn.reader_page).contains(&line)
        {
            self.top = line.saturating_sub(drawn.reader_page / 3);
        }
        self.top = self.top.min(furthest(drawn));
    }
}

/// The last line that can be the first one shown.
fn furthest(drawn: &Drawn) -> usize {
    drawn.reader_lines.saturating_sub(drawn.reader_page)
}

impl Model {
    pub(super) fn read(&mut self, reading: Reading) -> Vec<Effect> {
        self.open(Overlay::Reader(Box::new(Reader::of(reading))));
        Vec::new()
    }

    /// Lines of an open text or list that fit on screen, but one: so much is a page.
    pub(super) fn page_of_reader(&self) -> usize {
        self.drawn.reader_page.max(2) - 1
    }

    pub(super) fn reader(&mut self) -> Option<&mut Reader> {
        match &mut self.overlay {
            Some(Overlay::Reader(reader)) => Some(reader),
            Some(_) | None => None,
        }
    }

    /// Why an action of a reader does nothing now.
    pub(super) fn unavailable_in_reader(&self, action: InReader) -> Option<&'static str> {
        match action {
            InReader::NextMatch | InReader::PreviousMatch => {
                (self.drawn.matches.count == 0).then_some("nothing is looked for, or found")
            }
            InReader::Up
            | InReader::Down
            | InReader::PageUp
            | InReader::PageDown
            | InReader::First
            | InReader::Last
            | InReader::Find
            | InReader::Close => None,
        }
    }

    pub(super) fn act_in_reader(&mut self, action: InReader) -> Vec<Effect> {
        let (page, furthest) = (self.page_of_reader(), furthest(&self.drawn));
        let matches = self.drawn.matches;
        let Some(reader) = self.reader() else { return Vec::new() };
        match action {
            InReader::Up => reader.top = reader.top.saturating_sub(1),
            InReader::Down => reader.top = (reader.top + 1).min(furthest),
            InReader::PageUp => reader.top = reader.top.saturating_sub(page),
            InReader::PageDown => reader.top = (reader.top + page).min(furthest),
            InReader::First => reader.top = 0,
            InReader::Last => reader.top = furthest,
            InReader::Find => reader.find.typing = true,
            InReader::NextMatch => matches.after.into_iter().for_each(|line| reader.look_from(line)),
            InReader::PreviousMatch => matches.before.into_iter().for_each(|line| reader.look_from(line)),
            InReader::Close => self.close(),
        }
        Vec::new()
    }

    /// While what to look for is typed.
    pub(super) fn act_while_looking(&mut self, action: InList) -> Vec<Effect> {
        let Some(reader) = self.reader() else { return Vec::new() };
        match action {
            InList::Down => return self.act_in_reader(InReader::NextMatch),
            InList::Up => return self.act_in_reader(InReader::PreviousMatch),
            InList::PageDown => return self.act_in_reader(InReader::PageDown),
            InList::PageUp => return self.act_in_reader(InReader::PageUp),
            InList::Choose => reader.find.typing = false,
            InList::Close => reader.find = Find::default(),
        }
        Vec::new()
    }

    /// Which of how many exchanges behind a row of the check the open one is, if there are several.
    pub fn place_behind(&self) -> Option<(usize, usize)> {
        let Some(Overlay::Reader(reader)) = &self.overlay else { return None };
        let Reading::Exchange { kept, .. } = &reader.reading else { return None };
        let behind = self.check.selected_behind().filter(|_| self.room == Room::Check)?;
        let at = behind.iter().position(|other| other.place == kept.place)?;
        (behind.len() > 1).then_some((at + 1, behind.len()))
    }

    pub(super) fn unavailable_in_inspector(&self, action: InInspector) -> Option<&'static str> {
        match action {
            InInspector::Raw => None,
            InInspector::Next | InInspector::Previous => {
                self.place_behind().is_none().then_some("there is no other exchange behind it")
            }
        }
    }

    pub(super) fn act_in_inspector(&mut self, action: InInspector) -> Vec<Effect> {
        let other = self.place_behind().and_then(|(at, of)| match action {
            InInspector::Raw => None,
            InInspector::Next => Some(at % of),
            InInspector::Previous => Some((at + of - 2) % of),
        });
        let other = other.and_then(|at| self.check.selected_behind()?.get(at).cloned());
        let Some(reader) = self.reader() else { return Vec::new() };
        let Reading::Exchange { kept, raw, .. } = &reader.reading else { return Vec::new() };
        let (kept, raw) = match (action, other) {
            (InInspector::Raw, _) => (kept.clone(), !raw),
            (InInspector::Next | InInspector::Previous, Some(other)) => (Box::new(other), *raw),
            (InInspector::Next | InInspector::Previous, None) => return Vec::new(),
        };
        reader.reading = Reading::exchange(kept, raw);
        reader.top = 0;
        Vec::new()
    }
}
