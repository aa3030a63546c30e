//! The Greenhouse: every plant a pot on the shelf of its tag, and the last exchange as a picture.
//!
//! Its shelves hold the rows of the view that are at hand, so it asks the journal for nothing of its
//! own. What it remembers besides is of this session: what grows, what has left, what was said last.
//! What moves is told by the time that has passed since, so a frame is a function of model and time.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::choice;
use super::keys::InGreenhouse;
use super::message::Effect;
use super::model::{Flight, Model, Overlay};
use super::room::Room;
use crate::demo::Sky;
use crate::domain::{Ask, Details, Exchange, Outcome, PlantId, Row, State, Timestamp};

/// Milliseconds that a seed lies before it sprouts, that a plant grows after the store said yes, and
/// that a message is drawn on its way.
const SEED: i64 = 400;
const GROWTH: i64 = 1_600;
const MESSAGE: i64 = 600;

/// How much slower things move before an audience.
const SLOWER: i64 = 2;

/// Plants that have left and are still shown, at most.
const SHOWN_GONE: usize = 6;

/// What the Greenhouse remembers.
#[derive(Debug, Default)]
pub struct Greenhouse {
    /// Whether the exchange is shown as raw HTTP.
    pub wire: bool,
    /// The weather of the demo store.
    pub sky: Sky,
    last: Option<Box<Told>>,
    /// Whether a person looks at another plant since.
    looks_away: bool,
    /// Whether a person has asked for something or selected a plant.
    is_attended: bool,
    gone: VecDeque<Gone>,
    /// Plants that the store said yes to, and when.
    grows: Vec<(PlantId, Timestamp)>,
    /// The pot that something was said about, until a person selects another.
    focus: Option<Focus>,
}

/// Which pot is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Focus {
    /// Its plant's id.
    pub id: PlantId,
    /// Whether it is that of the plant in the view, and not one that has left.
    pub is_here: bool,
}

/// An exchange that has ended.
#[derive(Debug)]
pub struct Told {
    /// The exchange.
    pub exchange: Exchange,
    /// What its plant was called.
    pub name: Option<String>,
    /// Why a refusal may be the work of an earlier operation.
    pub explained: Option<&'static str>,
    /// When its end was told.
    pub at: Timestamp,
}

/// A plant that is not in the view, and was a moment ago or was to be.
#[derive(Debug)]
pub struct Gone {
    /// Its id.
    pub id: PlantId,
    /// What it was called.
    pub details: Option<Details>,
    /// How it left, or why it never came.
    pub how: Stage,
}

/// What a pot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The request is about to leave.
    Seed,
    /// The request is out.
    Sprout,
    /// The store has said yes just now.
    Seedling,
    /// A plant of this size, 1 to [`SIZES`].
    Plant(u8),
    /// Nobody knows whether the store has it.
    Doubt,
    /// Its delete is out.
    Leaving,
    /// It was deleted.
    Deleted,
    /// Its add was refused.
    Rejected,
    /// Its add was not sent.
    Unsent,
}

/// How many sizes a species has.
pub const SIZES: u8 = 3;

impl Stage {
    /// The word for it; none for a plant that stands there, which is what one expects.
    pub fn word(self) -> &'static str {
        match self {
            Self::Seed | Self::Sprout => "on its way",
            Self::Seedling | Self::Plant(_) => "",
            Self::Doubt => "unknown",
            Self::Leaving => "leaving",
            Self::Deleted => "deleted",
            Self::Rejected => "rejected",
            Self::Unsent => "not sent",
        }
    }
}

/// A pot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pot<'a> {
    /// The plant's id.
    pub id: PlantId,
    /// Its name and tag, if they are known.
    pub details: Option<&'a Details>,
    /// What it shows.
    pub stage: Stage,
    /// Whether the plant is in the view: only then it can be selected.
    pub is_here: bool,
}

/// Pots side by side, of one tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf<'a> {
    /// The tag; `None` where nobody knows it.
    pub tag: Option<&'a str>,
    /// Whether it is the first of this tag.
    pub is_first: bool,
    /// Ordered by id.
    pub pots: Vec<Pot<'a>>,
}

/// An exchange with what is known of it besides.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The exchange.
    pub exchange: &'a Exchange,
    /// What its plant was called.
    pub name: Option<&'a str>,
    /// What is to be said besides: of an earlier operation that a refusal may come from, or that a
    /// doubt was settled.
    pub explained: Option<&'static str>,
}

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Nothing was ever asked for.
    NothingSaid,
    /// What there is of the selected plant has not come.
    NotRead,
    /// Nothing is selected of which something could be shown.
    NothingSelected,
}

/// What the picture shows.
#[derive(Debug)]
pub enum Scene<'a> {
    /// There is nothing to show.
    Nothing(Why),
    /// A request on its way, for so long, and how far it is drawn, in thousandths.
    Out(&'a Flight, Duration, u16),
    /// An exchange that has ended, and how far its end is drawn, in thousandths.
    Over(Said<'a>, u16),
}

impl Greenhouse {
    /// What was said last, until a person selects another plant.
    pub fn last(&self) -> Option<&Told> {
        self.last.as_deref().filter(|_| !self.looks_away)
    }

    /// What was said last of all, whatever a person looks at.
    pub(super) fn told_last(&self) -> Option<&Told> {
        self.last.as_deref()
    }

    /// The pot to look at, if it is not the selected one.
    pub fn focus(&self) -> Option<Focus> {
        self.focus
    }

    /// Whether a person has done something since the store was opened.
    pub(super) fn is_attended(&self) -> bool {
        self.is_attended
    }

    /// An exchange has ended; `details` are those of its plant in the list until now. One that is
    /// `aside` changes what stands on the shelves, and not the picture.
    pub(super) fn ended(&mut self, told: Told, details: Option<Details>, aside: bool) {
        let Told { exchange, at, .. } = &told;
        let at = *at;
        let ask = &exchange.operation.ask;
        let id = ask.plant_id();
        self.gone.retain(|gone| gone.id != id);
        let left = match (exchange.outcome(), ask) {
            (Outcome::Accepted, Ask::Add(_)) => {
                self.grows.retain(|(other, since)| *other != id && at.0 - since.0 < GROWTH * SLOWER);
                self.grows.push((id, at));
                None
            }
            (Outcome::Accepted, Ask::Delete(_)) => Some((details, Stage::Deleted)),
            (Outcome::Rejected, Ask::Add(plant)) => Some((Some(Details::from(plant)), Stage::Rejected)),
            (Outcome::NotSent, Ask::Add(plant)) => Some((Some(Details::from(plant)), Stage::Unsent)),
            (Outcome::Unknown, _) | (Outcome::Rejected | Outcome::NotSent, Ask::Delete(_)) => None,
        };
        let is_here = left.is_none();
        if let Some((details, how)) = left {
            self.gone.push_back(Gone { id, details, how });
            if self.gone.len() > SHOWN_GONE {
                self.gone.pop_front();
            }
        }
        // What nobody attends to, as the demo's samples, moves no eye.
        if self.focus.is_some_and(|focus| focus.id == id) {
            self.focus = Some(Focus { id, is_here });
        }
        if !aside {
            self.looks_away = false;
            self.last = Some(Box::new(told));
        }
    }

    /// Something is asked for about this plant.
    pub(super) fn attends(&mut self, plant: PlantId) {
        self.is_attended = true;
        self.gone.retain(|gone| gone.id != plant);
        self.focus = Some(Focus { id: plant, is_here: true });
    }

    /// A person looks elsewhere.
    pub(super) fn looks_away(&mut self) {
        (self.focus, self.looks_away, self.is_attended) = (None, true, true);
    }
}

impl Model {
    /// How much slower things move now.
    fn pace(&self) -> i64 {
        if self.presenting { SLOWER } else { 1 }
    }

    /// How much of so many milliseconds has passed since then, in thousandths; all of it where
    /// nothing may move.
    fn passed(&self, since: Timestamp, span: i64) -> u16 {
        let passed = self.now.0.saturating_sub(since.0);
        let thousandths = passed.saturating_mul(1_000) / (span * self.pace());
        // A clock that was set back does not make things move for ever.
        if self.still || passed < 0 { 1_000 } else { u16::try_from(thousandths.min(1_000)).unwrap_or(1_000) }
    }

    /// Whether something moves that needs no operation under way.
    pub(super) fn greenhouse_moves(&self) -> bool {
        let is_drawn = |(_, since): &(PlantId, Timestamp)| self.passed(*since, GROWTH) < 1_000;
        let answers = |told: &Told| self.passed(told.at, MESSAGE) < 1_000;
        self.room == Room::Greenhouse
            && (self.greenhouse.grows.iter().any(is_drawn) || self.greenhouse.last().is_some_and(answers))
    }

    /// What the pot of a plant in the view shows now.
    fn stage(&self, row: &Row) -> Stage {
        match row.state {
            State::Adding => {
                let asked = self.flights.iter().find(|flight| flight.operation.ask.plant_id() == row.id);
                let since = asked.map_or(row.changed_at, |flight| flight.operation.asked_at);
                if self.passed(since, SEED) < 1_000 { Stage::Seed } else { Stage::Sprout }
            }
            State::Deleting => Stage::Leaving,
            State::Unknown => Stage::Doubt,
            State::Stored => {
                let own = size(row.id);
                let since = self.greenhouse.grows.iter().find(|(id, _)| *id == row.id).map(|(_, since)| *since);
                // From the seedling on, size by size.
                let steps = u16::from(own) + 1;
                match since.map_or(steps, |since| self.passed(since, GROWTH) * steps / 1_000) {
                    0 => Stage::Seedling,
                    grown => Stage::Plant(u8::try_from(grown).unwrap_or(own).min(own)),
                }
            }
        }
    }

    /// The shelves, of so many pots at most: a tag may have several.
    pub fn shelves(&self, across: usize) -> Vec<Shelf<'_>> {
        let here = self.table.window.rows.iter().map(|row| Pot {
            id: row.id,
            details: row.details.as_ref(),
            stage: self.stage(row),
            is_here: true,
        });
        let gone = self.greenhouse.gone.iter().map(|gone| Pot {
            id: gone.id,
            details: gone.details.as_ref(),
            stage: gone.how,
            is_here: false,
        });
        // What has come back from elsewhere meanwhile is not gone.
        let is_back = |pot: &Pot<'_>| pot.stage == Stage::Deleted && self.table.row(pot.id).is_some();
        let gone = gone.filter(|pot| !self.is_filtered() && !is_back(pot));
        let mut by_tag: BTreeMap<(bool, Option<&str>), Vec<Pot<'_>>> = BTreeMap::new();
        for pot in here.chain(gone) {
            let tag = pot.details.map(|details| details.tag.as_str());
            by_tag.entry((tag.is_none(), tag)).or_default().push(pot);
        }
        let mut shelves = Vec::new();
        for ((_, tag), mut pots) in by_tag {
            pots.sort_by_key(|pot| (pot.id, !pot.is_here));
            for (at, pots) in pots.chunks(across.max(1)).enumerate() {
                shelves.push(Shelf { tag, is_first: at == 0, pots: pots.to_vec() });
            }
        }
        shelves
    }

    /// What the picture shows: what is out, else what was said last, else the last of the selected plant.
    pub fn scene(&self) -> Scene<'_> {
        let focus = self.greenhouse.focus.map(|focus| focus.id);
        let is_shown = |flight: &&Flight| !(flight.is_sample && self.greenhouse.is_attended);
        let mut out = self.flights.iter().filter(|flight| flight.operation.probe.is_none()).filter(is_shown);
        let looked_at = out.clone().find(|flight| Some(flight.operation.ask.plant_id()) == focus);
        if let Some(flight) = looked_at.or_else(|| out.next()) {
            let waited = self.now.0.saturating_sub(flight.operation.asked_at.0).max(0);
            let drawn = self.passed(Timestamp(self.now.0.saturating_sub(waited)), MESSAGE);
            return Scene::Out(flight, Duration::from_millis(waited.unsigned_abs()), drawn);
        }
        if let Some(told) = self.greenhouse.last() {
            let Told { exchange, name, explained, at } = told;
            let explained = explained.or_else(|| self.settled_since(exchange));
            let said = Said { exchange, name: name.as_deref(), explained };
            return Scene::Over(said, self.passed(*at, MESSAGE));
        }
        match self.selected_story() {
            Some(_) => match self.selected_requests().and_then(|requests| requests.own.first().copied()) {
                Some(exchange) => {
                    let name = self.table.selected_row().and_then(Row::name);
                    Scene::Over(Said { exchange, name, explained: self.settled_since(exchange) }, 1_000)
                }
                None => Scene::Nothing(Why::NothingSelected),
            },
            None if self.table.selected.is_some() => Scene::Nothing(Why::NotRead),
            None if self.has_asked() || self.table.window.tally.total() > 0 => Scene::Nothing(Why::NothingSelected),
            None => Scene::Nothing(Why::NothingSaid),
        }
    }

    /// Said of an exchange that ended unknown, where its plant is in doubt no longer.
    fn settled_since(&self, exchange: &Exchange) -> Option<&'static str> {
        let is_settled = match self.table.row(exchange.operation.ask.plant_id()).map(|row| row.state) {
            Some(State::Stored) => true,
            // It may not be among the rows at hand.
            None => !self.is_filtered() && self.table.window.total == self.table.window.rows.len(),
            Some(State::Unknown | State::Adding | State::Deleting) => false,
        };
        let was_unknown = exchange.outcome() == Outcome::Unknown && self.flights.is_empty();
        (was_unknown && is_settled).then_some("It was settled since.")
    }

    pub(super) fn unavailable_in_greenhouse(&self, action: InGreenhouse) -> Option<&'static str> {
        match action {
            InGreenhouse::Left | InGreenhouse::Right | InGreenhouse::Wire => None,
            InGreenhouse::Weather => (!self.facts.demo).then_some("only the demo store has weather that can be chosen"),
        }
    }

    pub(super) fn act_in_greenhouse(&mut self, action: InGreenhouse) -> Vec<Effect> {
        match action {
            InGreenhouse::Left => self.step_pots(-1),
            InGreenhouse::Right => self.step_pots(1),
            InGreenhouse::Wire => {
                self.greenhouse.wire = !self.greenhouse.wire;
                self.pane_top = 0;
                Vec::new()
            }
            InGreenhouse::Weather => {
                self.open(Overlay::Choice(choice::weather(self.greenhouse.sky)));
                Vec::new()
            }
        }
    }

    /// The weather of the demo store changes, for every request from now on.
    pub(super) fn change_weather(&mut self, sky: Sky) -> Vec<Effect> {
        self.greenhouse.sky = sky;
        self.says(&format!("The weather at the demo store is {}. {}", sky.words(), sky.help()));
        vec![Effect::Weather(sky)]
    }

    /// The plants on the shelves as they stand, shelf by shelf; shelves without any are left out.
    fn places(&self) -> Vec<Vec<PlantId>> {
        let shelves = self.shelves(self.drawn.across);
        let ids = shelves.iter().map(|shelf| shelf.pots.iter().filter(|pot| pot.is_here).map(|pot| pot.id).collect());
        ids.filter(|ids: &Vec<_>| !ids.is_empty()).collect()
    }

    /// Selects the pot so many places on.
    pub(super) fn step_pots(&mut self, by: isize) -> Vec<Effect> {
        let all = self.places().concat();
        let Some(last) = all.len().checked_sub(1) else { return Vec::new() };
        let at = all.iter().position(|id| Some(*id) == self.table.selected).unwrap_or(0);
        self.look_at(all.get(at.saturating_add_signed(by).min(last)).copied())
    }

    /// Selects the pot above or below, so many shelves on.
    pub(super) fn step_shelves(&mut self, by: isize) -> Vec<Effect> {
        let places = self.places();
        let Some(last) = places.len().checked_sub(1) else { return Vec::new() };
        let found = places.iter().enumerate().find_map(|(shelf, ids)| {
            let pot = ids.iter().position(|id| Some(*id) == self.table.selected)?;
            Some((shelf, pot))
        });
        let (from, place) = found.unwrap_or_default();
        let to = places.get(from.saturating_add_signed(by).min(last));
        self.look_at(to.and_then(|ids| ids.get(place).or(ids.last())).copied())
    }

    fn look_at(&mut self, plant: Option<PlantId>) -> Vec<Effect> {
        self.greenhouse.looks_away();
        let Some(plant) = plant else { return Vec::new() };
        // At the edge of what is at hand more is read.
        let index = self.table.window.rows.iter().position(|row| row.id == plant);
        let index = index.map(|index| self.table.window.first + index);
        index.and_then(|index| self.table.go_to(index)).map(Effect::Load).into_iter().collect()
    }
}

/// The size that a plant grows to, the same for as long as it has its id.
fn size(id: PlantId) -> u8 {
    let [first, ..] = spread(id.0.to_le_bytes()).to_le_bytes();
    first % SIZES + 1
}

/// A number that is always the same for the same bytes, and likely another for others: FNV-1a.
pub fn spread(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
