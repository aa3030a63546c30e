//! The rooms: one key each, and what is common to them all.

use super::keys::{Action, InRoom, Scope};
use super::message::Effect;
use super::model::Model;

/// A room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Room {
    /// The plants the journal believes are in the store, plus those in doubt.
    Plants,
    /// Everything sent, newest first.
    Exchanges,
    /// Whether the store keeps the interface.
    Check,
    /// Every plant a pot, every exchange a picture.
    Greenhouse,
}

impl Room {
    /// In the order of their keys.
    pub const ALL: [Self; 4] = [Self::Plants, Self::Exchanges, Self::Check, Self::Greenhouse];

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Plants => "Plants",
            Self::Exchanges => "Exchanges",
            Self::Check => "Check",
            Self::Greenhouse => "Greenhouse",
        }
    }

    /// Where its keys are.
    pub fn scope(self) -> Scope {
        match self {
            Self::Plants => Scope::Plants,
            Self::Exchanges => Scope::Exchanges,
            Self::Check => Scope::Check,
            Self::Greenhouse => Scope::Greenhouse,
        }
    }

    /// What goes there.
    pub fn action(self) -> Action {
        Action::Room(match self {
            Self::Plants => InRoom::Plants,
            Self::Exchanges => InRoom::Exchanges,
            Self::Check => InRoom::Check,
            Self::Greenhouse => InRoom::Greenhouse,
        })
    }

    fn steps_on(self, steps: usize) -> Self {
        let at = Self::ALL.iter().position(|room| *room == self).unwrap_or(0);
        Self::ALL.into_iter().cycle().nth(at + steps).unwrap_or(self)
    }

    pub(super) fn next(self) -> Self {
        self.steps_on(1)
    }

    pub(super) fn previous(self) -> Self {
        self.steps_on(Self::ALL.len() - 1)
    }
}

impl Model {
    /// Goes to a room; what it shows may have changed since it was left.
    pub(super) fn go_to(&mut self, room: Room) -> Vec<Effect> {
        if self.room == room {
            return Vec::new();
        }
        self.enter(room);
        self.refresh_room()
    }

    /// Goes there; what it shows is for the caller to read.
    pub(super) fn enter(&mut self, room: Room) {
        if room == Room::Greenhouse && self.flights.is_empty() {
            self.greenhouse.looks_away();
        }
        self.room = room;
        self.pane_top = 0;
        (self.filtering, self.opening, self.check.opening) = (false, false, false);
    }

    /// Reads anew what the room shows. The view is read in every room: the header counts it.
    pub(super) fn refresh_room(&mut self) -> Vec<Effect> {
        let view = self.table.refresh().map(Effect::Load);
        let shown = match self.room {
            Room::Plants | Room::Greenhouse => Vec::new(),
            Room::Exchanges => self.log.refresh(),
            // A run that is under way changes nothing of those that are kept.
            Room::Check if self.check.is_under_way() => Vec::new(),
            Room::Check => self.find_runs().into_iter().collect(),
        };
        view.into_iter().chain(shown).collect()
    }

    /// Moves the selection of the room by so many lines, down if positive.
    pub(super) fn step(&mut self, lines: isize) -> Vec<Effect> {
        self.pane_top = 0;
        self.greenhouse.looks_away();
        match self.room {
            Room::Plants => self.table.step(lines).map(Effect::Load).into_iter().collect(),
            Room::Exchanges => self.log.step(lines),
            Room::Check => {
                self.check.step(lines);
                Vec::new()
            }
            Room::Greenhouse => self.step_shelves(lines),
        }
    }

    /// Selects the room's first line, or its last.
    pub(super) fn go_to_end(&mut self, last: bool) -> Vec<Effect> {
        self.pane_top = 0;
        self.greenhouse.looks_away();
        match self.room {
            Room::Plants => {
                let index = if last { usize::MAX } else { 0 };
                self.table.go_to(index).map(Effect::Load).into_iter().collect()
            }
            Room::Exchanges => self.log.go_to_end(last),
            Room::Check => {
                self.check.step(if last { isize::MAX } else { isize::MIN });
                Vec::new()
            }
            Room::Greenhouse => self.step_pots(if last { isize::MAX } else { isize::MIN }),
        }
    }

    /// Lines of the room that fit on screen, but one: so much is a page.
    pub(super) fn page(&self) -> isize {
        let lines = match self.room {
            Room::Plants => self.table.page,
            Room::Exchanges => self.log.page,
            Room::Check => self.check.page,
            Room::Greenhouse => self.drawn.page + 1,
        };
        lines.max(2).cast_signed() - 1
    }
}
