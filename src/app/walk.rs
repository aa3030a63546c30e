//! The walk through all that is unknown: one question after another, each as soon as the plant's
//! story has come, and none over anything that is open.

use crate::domain::{PlantId, Row, State, sentence};
use crate::journal::Story;

use super::choice::{self, Choice};
use super::keys::{Action, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};

/// How many that stay unknown are named.
const NAMED: usize = 3;

/// Where a walk goes and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Walk {
    /// In the order of the walk.
    plants: Vec<PlantId>,
    /// How many of them it has come to.
    come_to: usize,
    /// What it cannot go on without.
    awaits: Option<Awaited>,
}

/// What the journal was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// All that is unknown.
    Doubts,
    /// The story of the plant that it came to last.
    Story,
}

impl Walk {
    /// The plant that it came to last.
    pub(super) fn at(&self) -> Option<PlantId> {
        self.plants.get(self.come_to.checked_sub(1)?).copied()
    }

    fn awaits_story_of(&self, id: PlantId) -> bool {
        self.awaits == Some(Awaited::Story) && self.at() == Some(id)
    }

    /// Goes to all of these: from the first plant on if it has one, else from the selected one
    /// on, and then around.
    fn goes_to(&mut self, doubts: &[Row], selected: Option<PlantId>) {
        let first = self.plants.first().copied();
        let from = first.or(selected);
        let mut others: Vec<_> = doubts.iter().map(|row| row.id).filter(|id| Some(*id) != first).collect();
        let before = others.partition_point(|id| Some(*id) < from);
        others.rotate_left(before);
        self.plants.extend(others);
        self.awaits = None;
    }
}

impl Model {
    /// Starts with the selected plant if it is unknown, at once if its story is at hand.
    pub(super) fn start_walk(&mut self) -> Vec<Effect> {
        self.happened = None;
        let question = self.selected_story().and_then(|story| self.question(story));
        let is_marked = self.table.selected_row().is_some_and(|row| row.state == State::Unknown);
        let first = self.table.selected.filter(|_| question.is_some() || is_marked);
        self.walk = Some(Walk {
            plants: first.into_iter().collect(),
            come_to: usize::from(question.is_some()),
            awaits: Some(Awaited::Doubts),
        });
        if let Some(question) = question {
            self.open(Overlay::Choice(question));
        }
        vec![Effect::FindDoubts]
    }

    /// What to ask about a plant, if it is unknown and nothing of it is in flight.
    fn question(&self, story: &Story) -> Option<Choice> {
        let row = story.row.as_ref().filter(|row| row.state == State::Unknown)?;
        let question = choice::settle(row, story.in_doubt.as_ref()?, &self.facts.store);
        let can_send = self.courier_alive && !self.facts.read_only;
        Some(if can_send { question } else { question.without_sending() })
    }

    /// Goes to the next plant, unless something is open or still to come; ends after the last.
    pub(super) fn walk_on(&mut self) -> Option<Effect> {
        let walk = self.walk.as_mut()?;
        if self.overlay.is_some() || walk.awaits.is_some() {
            return None;
        }
        let Some(next) = walk.plants.get(walk.come_to).copied() else { return Some(self.end_walk()) };
        walk.come_to += 1;
        walk.awaits = Some(Awaited::Story);
        Some(Effect::Tell(next))
    }

    /// No further question. What the journal finds unknown then is what is left.
    pub(super) fn end_walk(&mut self) -> Effect {
        self.walk = None;
        Effect::FindDoubts
    }

    /// The unknown plants have come, by id: the walk goes to them, or they are what it has left.
    fn doubts_found(&mut self, doubts: &[Row]) -> Vec<Effect> {
        let selected = self.table.selected;
        match &mut self.walk {
            Some(walk) if walk.awaits == Some(Awaited::Doubts) => {
                walk.goes_to(doubts, selected);
                if walk.plants.is_empty() {
                    self.walk = None;
                    self.says("Nothing is unknown.");
                    return self.table.refresh().map(Effect::Load).into_iter().collect();
                }
            }
            // Of a walk before this one.
            Some(_) => {}
            None => self.says_what_is_left(doubts),
        }
        Vec::new()
    }

    /// Goes on with the unknown plants that were found, or ends the walk where they cannot be read.
    pub(super) fn unknown_found(&mut self, found: Result<Vec<Row>, String>) -> Vec<Effect> {
        match found {
            Ok(rows) => self.doubts_found(&rows),
            Err(why) => {
                self.walk = None;
                self.cannot_read(&why);
                Vec::new()
            }
        }
    }

    fn says_what_is_left(&mut self, doubts: &[Row]) {
        if doubts.is_empty() {
            return;
        }
        let names: Vec<_> = doubts.iter().take(NAMED).map(sentence::row_called).collect();
        let more = if doubts.len() > NAMED { " and more" } else { "" };
        let key = self.keys.shown(Action::Room(InRoom::Settle));
        self.says_also(&format!("Still unknown: {}{more}; {key} goes on.", names.join(", ")));
    }

    /// The story has come that the walk waited for: it asks, or skips what is resolved.
    pub(super) fn walk_told(&mut self, id: PlantId, story: &Story) -> Vec<Effect> {
        let Some(walk) = self.walk.as_mut().filter(|walk| walk.awaits_story_of(id)) else { return Vec::new() };
        walk.awaits = None;
        if self.overlay.is_some() {
            // Something opened in between; the story is asked for again once that is closed.
            walk.come_to -= 1;
            return Vec::new();
        }
        match self.question(story) {
            Some(question) => {
                self.table.select(id);
                self.open(Overlay::Choice(question));
                if self.table.row(id).is_some() {
                    return Vec::new();
                }
            }
            None => {
                let name = story.row.as_ref().and_then(Row::name);
                self.says(&format!("{} is no longer unknown.", sentence::called(id, name)));
            }
        }
        self.table.refresh().map(Effect::Load).into_iter().collect()
    }

    /// Skips a story that cannot be read: the others can still be resolved.
    pub(super) fn walk_not_told(&mut self, id: PlantId) {
        if let Some(walk) = self.walk.as_mut().filter(|walk| walk.awaits_story_of(id)) {
            walk.awaits = None;
        }
    }

    /// The walk whose question is open.
    pub(super) fn asking_walk(&self) -> Option<&Walk> {
        let walk = self.walk.as_ref().filter(|walk| walk.awaits != Some(Awaited::Story))?;
        let Some(Overlay::Choice(open)) = &self.overlay else { return None };
        (open.doubt.is_some() && open.about == walk.at()).then_some(walk)
    }

    /// Which of how many the open question is, if a walk asks it and goes to several.
    pub fn place_in_walk(&self) -> Option<(usize, usize)> {
        let walk = self.asking_walk().filter(|walk| walk.plants.len() > 1)?;
        Some((walk.come_to, walk.plants.len()))
    }
}
