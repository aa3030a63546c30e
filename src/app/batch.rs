//! Plants that are deleted together: one question before, one line of progress, one sum.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::domain::{Ask, Outcome, PlantId};

use super::choice;
use super::keys::{Action, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};

/// Plants that are being deleted together, and how far that has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    left: BTreeSet<PlantId>,
    total: usize,
    /// In the order of [`Outcome::ALL`].
    counts: [usize; Outcome::ALL.len()],
}

impl Batch {
    fn of(plants: &[PlantId]) -> Self {
        let left: BTreeSet<_> = plants.iter().copied().collect();
        Self { total: left.len(), left, counts: Default::default() }
    }

    /// Whether all of them are over.
    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    fn counted(&self) -> String {
        let words = ["deleted", Outcome::Refused.word(), Outcome::Unknown.word(), Outcome::NotSent.word()];
        let told: Vec<_> = words.into_iter().zip(self.counts).map(|(word, count)| format!("{count} {word}")).collect();
        told.join(", ")
    }
}

/// Plants that are marked at once at most.
pub(super) const MOST: usize = 1000;

impl Model {
    /// Asks before the marked plants are deleted, or the selected one.
    pub(super) fn ask_delete(&mut self) -> Vec<Effect> {
        let marked: Vec<_> = self.table.marked.iter().map(|id| (*id, self.name_of(*id))).collect();
        let question = match (marked.as_slice(), self.table.selected_row()) {
            ([], None) => return Vec::new(),
            ([], Some(row)) => choice::delete(row.id, Some(row), &self.facts.store),
            ([(id, _)], _) => choice::delete(*id, self.table.row(*id), &self.facts.store),
            ([_, _, ..], _) => choice::delete_many(&marked, &self.facts.store),
        };
        self.open(Overlay::Choice(question));
        Vec::new()
    }

    /// A person said yes to deleting these together.
    pub(super) fn delete_all(&mut self, plants: &[PlantId]) -> Vec<Effect> {
        self.batch = Some(Batch::of(plants));
        self.table.marked.clear();
        let effects = plants.iter().flat_map(|id| self.ask(Ask::Delete(*id))).collect();
        self.say_batch();
        effects
    }

    /// Whether this is one of those deleted together; then it is counted, and the line says so.
    pub(super) fn counts_in_batch(&mut self, ask: &Ask, outcome: Outcome) -> bool {
        let (Ask::Delete(id), Some(batch)) = (ask, &mut self.batch) else { return false };
        if !batch.left.remove(id) {
            return false;
        }
        for (counted, count) in Outcome::ALL.into_iter().zip(&mut batch.counts) {
            *count += usize::from(counted == outcome);
        }
        self.say_batch();
        true
    }

    fn say_batch(&mut self) {
        let Some(batch) = &self.batch else { return };
        let counted = batch.counted();
        if !batch.is_over() {
            let text = format!("Deleting {} plants: {counted}, {} to go.", batch.total, batch.left.len());
            self.says(&text);
            return;
        }
        let [_, _, unknown, unsent] = batch.counts;
        let mut text = format!("Of {} plants: {counted}.", batch.total);
        for (count, action, does) in [
            (unknown, InRoom::Settle, "settles what is unknown"),
            (unsent, InRoom::SendAgain, "sends again what was not sent"),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, " {} {does}.", self.keys.shown(Action::Room(action)));
            }
        }
        self.batch = None;
        self.says(&text);
    }

    /// Marks what is selected, or takes its mark away, and goes on to the next.
    pub(super) fn mark_selected(&mut self) -> Vec<Effect> {
        let Some(id) = self.table.selected else { return Vec::new() };
        if !self.table.marked.remove(&id) {
            self.table.marked.insert(id);
        }
        self.step(1)
    }

    /// Marks all that the filter shows, or takes all marks away.
    pub(super) fn mark_all(&mut self) -> Vec<Effect> {
        if self.table.marked.is_empty() {
            return vec![Effect::FindFitting(self.table.filter.text().to_owned(), MOST)];
        }
        self.table.marked.clear();
        Vec::new()
    }

    pub(super) fn fitting_found(&mut self, found: Result<Vec<PlantId>, String>) {
        match found {
            Ok(plants) => {
                let most = if plants.len() == MOST { " That is the most that can be marked at once." } else { "" };
                let words = format!("{} marked.{most}", plants.len());
                self.says(&words);
                self.table.marked = plants.into_iter().collect();
            }
            Err(why) => self.cannot_read(&why),
        }
    }
}
