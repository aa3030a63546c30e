//! The shelves: a pot for every loaded plant of the list, and for those that have left a moment ago.

use std::collections::BTreeMap;

use super::motion::{WHOLE, passed};
use super::pots::{Pot, Shelf, Stage, size};
use super::state::{GROWTH, GreenhouseScreen, SEED};
use crate::domain::{Row, State};
use crate::tui::context::Context;

impl GreenhouseScreen {
    /// Returns what the pot of a plant in the list shows now.
    fn stage(&self, row: &Row, cx: &Context) -> Stage {
        match row.state {
            State::Adding => {
                let pending = &cx.session.pending;
                let add = pending.iter().find(|pending| pending.operation.kind.plant_id() == row.id);
                let since = add.map_or(row.changed_at, |pending| pending.operation.requested_at);
                if passed(since, SEED, cx) < WHOLE { Stage::Seed } else { Stage::Sprout }
            }
            State::Deleting => Stage::Leaving,
            State::Unknown => Stage::Unknown,
            State::Stored => {
                let own = size(row.id);
                let since = self.grows.iter().find(|(id, _)| *id == row.id).map(|(_, since)| *since);
                // A seedling first, then each size up to the plant's own.
                let steps = u16::from(own) + 1;
                match since.map_or(steps, |since| passed(since, GROWTH, cx) * steps / WHOLE) {
                    0 => Stage::Seedling,
                    grown => Stage::Plant(u8::try_from(grown).unwrap_or(own).min(own)),
                }
            }
        }
    }

    /// Returns the shelves, of at most `across` pots: a tag may have several.
    pub(super) fn shelves<'a>(&'a self, across: usize, cx: &'a Context) -> Vec<Shelf<'a>> {
        let plants = &cx.session.plants;
        let here = plants.window.rows.iter().map(|row| Pot {
            id: row.id,
            details: row.details.as_ref(),
            stage: self.stage(row, cx),
            is_here: true,
        });
        let gone = self.gone.iter().map(|gone| Pot {
            id: gone.id,
            details: gone.details.as_ref(),
            stage: gone.how,
            is_here: false,
        });
        // A deleted plant may have been added again elsewhere.
        let is_back = |pot: &Pot<'_>| pot.stage == Stage::Deleted && plants.row(pot.id).is_some();
        let gone = gone.filter(|pot| plants.filter.text().is_empty() && !is_back(pot));
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
}
