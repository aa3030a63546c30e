//! The selected exchange, read from the journal with all that was said; opened, and compared.

use crate::domain::sentence;
use crate::journal::Kept;

use super::message::Effect;
use super::model::Model;
use super::reader::{Compared, Reading};
use super::room::Room;

impl Model {
    /// The selected exchange, if it has arrived.
    pub fn selected_exchange(&self) -> Option<&Kept> {
        self.inspected.as_deref().filter(|kept| Some(kept.place) == self.log.selected)
    }

    /// Asks for the selected exchange, once, when it is not the one at hand.
    pub(super) fn inspect_selected(&mut self) -> Option<Effect> {
        let place = self.log.selected.filter(|_| self.room == Room::Exchanges)?;
        if self.inspecting == Some(place) || self.selected_exchange().is_some() {
            return None;
        }
        self.inspecting = Some(place);
        Some(Effect::Inspect(place))
    }

    pub(super) fn inspected_came(&mut self, place: i64, found: Result<Option<Box<Kept>>, String>) -> Vec<Effect> {
        match found {
            Ok(Some(kept)) if Some(place) == self.log.selected => {
                self.inspecting = None;
                self.inspected = Some(kept);
                if std::mem::take(&mut self.opening) { self.open_selected_exchange() } else { Vec::new() }
            }
            // Of another one than is selected now, which was asked for since.
            Ok(Some(_)) => Vec::new(),
            Ok(None) => {
                self.opening = false;
                Vec::new()
            }
            Err(why) => {
                self.opening = false;
                self.cannot_read(&why);
                Vec::new()
            }
        }
    }

    /// Opens the selected exchange, now or as soon as it is there.
    pub(super) fn open_selected_exchange(&mut self) -> Vec<Effect> {
        match self.selected_exchange().cloned() {
            Some(kept) => self.read(Reading::exchange(Box::new(kept), false)),
            None => {
                self.opening = true;
                Vec::new()
            }
        }
    }

    pub(super) fn pair_came(&mut self, found: Result<Option<Box<Compared>>, String>) -> Vec<Effect> {
        match found {
            Ok(Some(compared)) => self.read(Reading::Compared(compared)),
            Ok(None) => {
                self.says("One of the two is not in the journal any more.");
                Vec::new()
            }
            Err(why) => {
                self.cannot_read(&why);
                Vec::new()
            }
        }
    }
}

/// What an exchange is about: `add Monstera (7)`.
pub fn about(kept: &Kept) -> String {
    sentence::about(&kept.exchange.operation.ask, kept.name())
}
