//! The palette: every action of the rooms by its name, over the same table as the keys.

use super::field::Field;
use super::keys::{Action, Binding, InList, InRoom, Scope};
use super::message::Effect;
use super::model::{Model, Overlay};
use super::room::Room;
use crate::domain::text::in_lower_case;

/// The palette while it is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Palette {
    /// What the actions must have in their name or sentence.
    pub text: Field,
    /// Which one Enter does.
    pub marked: usize,
}

/// An action on offer.
#[derive(Debug, Clone)]
pub struct Offer<'a> {
    /// Its line of the key table.
    pub binding: &'a Binding,
    /// Why it would do nothing now.
    pub unavailable: Option<&'static str>,
}

/// Where the actions are from that the palette offers, beside those of all rooms.
const OFFERED: [Scope; 8] = [
    Scope::Operations,
    Scope::Plant,
    Scope::Plants,
    Scope::Exchanges,
    Scope::Check,
    Scope::Greenhouse,
    Scope::Exchange,
    Scope::Everywhere,
];

impl Model {
    /// What the palette offers for what is typed: those of this room first.
    pub fn offers(&self, palette: &Palette) -> Vec<Offer<'_>> {
        let words: Vec<_> = palette.text.text().split_whitespace().map(in_lower_case).collect();
        let fits = |binding: &&Binding| {
            let told = in_lower_case(&format!("{} {}", binding.name.replace('-', " "), binding.help));
            binding.action != Action::Room(InRoom::Palette) && words.iter().all(|word| told.contains(word))
        };
        let mut scopes = vec![Scope::Room];
        scopes.extend(OFFERED);
        let here = self.room.scope();
        scopes.sort_by_key(|scope| *scope != here);
        scopes
            .into_iter()
            .flat_map(|scope| self.keys.of(scope))
            .filter(fits)
            .map(|binding| Offer { binding, unavailable: self.unavailable(binding.action) })
            .collect()
    }

    pub(super) fn act_in_palette(&mut self, action: InList) -> Vec<Effect> {
        let page = self.page_of_reader();
        let Some(Overlay::Palette(palette)) = &self.overlay else { return Vec::new() };
        let (marked, offers) = (palette.marked, self.offers(palette));
        let (count, chosen) = (offers.len(), offers.get(marked).map(|offer| offer.binding.action));
        match (action.moves(marked, count, page), chosen) {
            (Some(place), _) => self.mark_line(place),
            (None, Some(chosen)) if action == InList::Choose => {
                self.close();
                return self.perform_in_its_room(chosen);
            }
            (None, _) if action == InList::Close => self.close(),
            (None, _) => {}
        }
        Vec::new()
    }

    /// Does it; what belongs to another room is done there.
    fn perform_in_its_room(&mut self, action: Action) -> Vec<Effect> {
        let scope = if action.scope() == Scope::Plant && self.room != Room::Greenhouse {
            Scope::Plants
        } else {
            action.scope()
        };
        let room = Room::ALL.into_iter().find(|room| room.scope() == scope);
        let mut effects = room.map(|room| self.go_to(room)).unwrap_or_default();
        effects.extend(self.perform(action));
        effects
    }
}
