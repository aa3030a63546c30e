//! The shelves: a pot for every loaded plant of the list, and for those that have left a moment ago.

use std::collections::HashMap;

use super::pots::{Pot, Stage};
use super::state::{GROWTH, GreenhouseScreen, SEED, WHOLE, passed};
use crate::domain::{PlantId, Row, State};
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
            State::Unknown if cx.session.plants.window.unknown_deletes.contains(&row.id) => Stage::UnknownDelete,
            State::Unknown => Stage::Unknown,
            State::Stored => {
                let since = self.grows.iter().find(|(id, _)| *id == row.id).map(|(_, since)| *since);
                match since.map_or(WHOLE, |since| passed(since, GROWTH, cx)) {
                    0..=299 => Stage::Seedling,
                    300..=699 => Stage::Young,
                    _ => Stage::Grown,
                }
            }
        }
    }

    /// Returns the pots of each shelf, at most `across`, by tag and id. A tag that does not fit goes on on the next shelf.
    /// Plants that have left the list come last, apart from the others.
    pub(super) fn shelves<'a>(&'a self, across: usize, cx: &'a Context) -> Vec<Vec<Pot<'a>>> {
        let (plants, language) = (&cx.session.plants, cx.display.language());
        let pot = |id, details, stage, is_here| Pot { id, details, stage, is_here, is_alone: true, language };
        let rows = plants.window.rows.iter();
        let here = rows.map(|row| pot(row.id, row.details.as_ref(), self.stage(row, cx), true));
        let gone = self.gone.iter().map(|gone| pot(gone.id, gone.details.as_ref(), gone.how, false));
        // A plant may have been added again elsewhere; it has one pot.
        let is_back = |pot: &Pot<'_>| {
            plants.row(pot.id).is_some_and(|row| match pot.stage {
                Stage::Deleted => true,
                _ => matches!(row.state, State::Stored | State::Unknown) && row.details.as_ref() == pot.details,
            })
        };
        let gone = gone.filter(|pot| plants.filter.text().is_empty() && !is_back(pot));
        let mut pots: Vec<_> = here.chain(gone).collect();
        pots.sort_by(|one, other| order(one).cmp(&order(other)));
        let mut names: HashMap<_, usize> = HashMap::new();
        for pot in &pots {
            *names.entry(pot.details.map(|details| details.name.as_str())).or_default() += 1;
        }
        for pot in &mut pots {
            pot.is_alone = names.get(&pot.details.map(|details| details.name.as_str())) == Some(&1);
        }
        pots.chunks(across.max(1)).map(<[_]>::to_vec).collect()
    }
}

/// Returns the position of a pot among the others. A plant whose tag is not known comes after the others of the list.
fn order<'a>(pot: &'a Pot<'_>) -> (bool, bool, Option<&'a str>, PlantId) {
    (!pot.is_here, pot.details.is_none(), pot.tag(), pot.id)
}
