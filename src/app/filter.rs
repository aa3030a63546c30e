//! What the rooms show and in which order: filtered as one types, sorted by a column.

use crate::domain::{Outcome, PlantId};
use crate::journal::Column;

use super::field::Field;
use super::keys::InList;
use super::message::Effect;
use super::model::Model;
use super::room::Room;

impl Model {
    /// The filter of the room.
    pub fn filter(&self) -> &Field {
        match self.room {
            Room::Plants | Room::Greenhouse => &self.table.filter,
            Room::Exchanges => &self.log.text,
            Room::Check => &self.check.filter,
        }
    }

    /// Whether the room shows less than there is.
    pub fn is_filtered(&self) -> bool {
        match self.room {
            Room::Plants | Room::Greenhouse => !self.table.filter.text().is_empty(),
            Room::Exchanges => self.log.is_filtered(),
            Room::Check => !self.check.filter.text().is_empty(),
        }
    }

    /// Changes the text of the room's filter, while it is being typed.
    pub(super) fn edit_filter(&mut self, change: impl FnOnce(&mut Field) -> bool) -> Vec<Effect> {
        let field = match self.room {
            Room::Plants | Room::Greenhouse => &mut self.table.filter,
            Room::Exchanges => &mut self.log.text,
            Room::Check => &mut self.check.filter,
        };
        let before = field.text().to_owned();
        if !change(field) || field.text() == before { Vec::new() } else { self.filter_anew() }
    }

    fn filter_anew(&mut self) -> Vec<Effect> {
        self.pane_top = 0;
        self.greenhouse.looks_away();
        match self.room {
            Room::Plants | Room::Greenhouse => self.table.arrange_anew().map(Effect::Load).into_iter().collect(),
            Room::Exchanges => self.log.search_anew(),
            Room::Check => {
                self.check.settle();
                Vec::new()
            }
        }
    }

    /// Shows all there is again.
    pub(super) fn show_all(&mut self) -> Vec<Effect> {
        self.filtering = false;
        if !self.is_filtered() {
            return Vec::new();
        }
        match self.room {
            Room::Plants | Room::Greenhouse => self.table.filter = Field::default(),
            Room::Exchanges => (self.log.text, self.log.outcome, self.log.plant) = (Field::default(), None, None),
            Room::Check => self.check.filter = Field::default(),
        }
        self.filter_anew()
    }

    /// While the filter is typed: the arrows go through what it shows.
    pub(super) fn act_while_filtering(&mut self, action: InList) -> Vec<Effect> {
        match action {
            InList::Down => self.step(1),
            InList::Up => self.step(-1),
            InList::PageDown => self.step(self.page()),
            InList::PageUp => self.step(-self.page()),
            InList::Close => self.show_all(),
            InList::Choose => {
                self.filtering = false;
                Vec::new()
            }
        }
    }

    /// Sorts by a column; by the one that it is sorted by, the other way round.
    pub(super) fn sort_by(&mut self, column: Column) -> Vec<Effect> {
        self.table.descending = self.table.column == column && !self.table.descending;
        self.table.column = column;
        self.table.arrange_anew().map(Effect::Load).into_iter().collect()
    }

    pub(super) fn sort_by_the_next_column(&mut self) -> Vec<Effect> {
        self.sort_by(match self.table.column {
            Column::Id => Column::Name,
            Column::Name => Column::Tag,
            Column::Tag => Column::State,
            Column::State => Column::When,
            Column::When => Column::Id,
        })
    }

    /// Shows only what ended in the next outcome, and all again after the last.
    pub(super) fn by_the_next_outcome(&mut self) -> Vec<Effect> {
        let next = match self.log.outcome {
            None => Outcome::ALL.first().copied(),
            Some(now) => Outcome::ALL.into_iter().skip_while(|outcome| *outcome != now).nth(1),
        };
        self.log.outcome = next;
        self.filter_anew()
    }

    /// Shows only the exchanges about the selected one's plant, or all again.
    pub(super) fn by_plant(&mut self) -> Vec<Effect> {
        self.log.plant = match self.log.plant {
            Some(_) => None,
            None => self.log.selected_line().map(|line| line.ask.plant_id()),
        };
        self.filter_anew()
    }

    /// Goes to the exchanges about one plant.
    pub(super) fn its_exchanges(&mut self, plant: PlantId) -> Vec<Effect> {
        (self.log.text, self.log.outcome, self.log.plant) = (Field::default(), None, Some(plant));
        self.enter(Room::Exchanges);
        self.log.search_anew()
    }
}
