//! Plants that are deleted together: one question before, one line of progress, one sum.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::domain::{Ask, Outcome, PlantId, Row, State};

use super::choice::{self, Choice};
use super::keys::{Action, InOperations, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};

/// Plants that are being deleted together, and how far that has come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    left: BTreeSet<PlantId>,
    total: usize,
    /// In the order of [`Outcome::ALL`].
    counts: [usize; Outcome::ALL.len()],
}

impl Batch {
    /// These as well.
    fn extend(&mut self, plants: &[PlantId]) {
        self.total += plants.iter().filter(|plant| self.left.insert(**plant)).count();
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
    /// Asks before the selected plant is deleted, or before the marked ones are, once the journal
    /// has told how they stand now.
    pub(super) fn ask_delete(&mut self) -> Vec<Effect> {
        if !self.table.marked.is_empty() {
            self.asks_to_delete = true;
            return vec![Effect::FindToDelete(self.table.marked.keys().copied().collect())];
        }
        if let Some(row) = self.table.selected_row() {
            let question = choice::delete(row.id, Some(row), &self.facts.store);
            self.open(Overlay::Choice(question));
        }
        Vec::new()
    }

    /// How the marked plants stand: the question names them, or names them anew.
    pub(super) fn found_to_delete(&mut self, plants: &[PlantId], found: Result<Vec<Row>, String>) {
        let asks = std::mem::take(&mut self.asks_to_delete) && self.overlay.is_none();
        let open = matches!(&self.overlay, Some(Overlay::Choice(dialog)) if dialog.deletes() == Some(plants));
        let rows = match found {
            Ok(rows) if asks || open => rows,
            Ok(_) => return,
            Err(why) => return self.cannot_read(&why),
        };
        let is_the_same =
            |row: &Row| self.table.marked.get(&row.id) == Some(&row.details) && row.state != State::Deleting;
        let rows: Vec<_> = rows.into_iter().filter(is_the_same).collect();
        for plant in plants.iter().filter(|plant| rows.iter().all(|row| row.id != **plant)) {
            self.table.marked.remove(plant);
        }
        let left_out = plants.len() - rows.len();
        let Some(question) = self.question_to_delete(&rows, left_out) else {
            if open {
                self.close();
            }
            return self.says("None of the marked plants is in the view any more as it was marked.");
        };
        match &mut self.overlay {
            Some(Overlay::Choice(dialog)) => {
                if dialog.answers != question.answers || left_out > 0 {
                    *dialog = question;
                }
            }
            _ => self.open(Overlay::Choice(question)),
        }
    }

    fn question_to_delete(&self, rows: &[Row], left_out: usize) -> Option<Choice> {
        let mut question = match rows {
            [] => return None,
            [row] => choice::delete(row.id, Some(row), &self.facts.store),
            [_, _, ..] => choice::delete_many(rows, &self.facts.store),
        };
        if left_out > 0 {
            let words = "of the marked are left out: gone, on their way, or another plant by now.";
            question.lines.push(format!("{left_out} {words}"));
        }
        if self.is_filtered() {
            question.lines.push("Marked ones that the filter hides are among them.".to_owned());
        }
        Some(question)
    }

    /// A person said yes to deleting these together.
    pub(super) fn delete_all(&mut self, plants: &[PlantId]) -> Vec<Effect> {
        self.join_batch(plants);
        let effects = plants.iter().flat_map(|id| self.ask(Ask::Delete(*id))).collect();
        self.say_batch();
        effects
    }

    /// One line tells of all of these.
    pub(super) fn join_batch(&mut self, plants: &[PlantId]) {
        self.batch.get_or_insert_default().extend(plants);
    }

    /// Whether this is one of those deleted together.
    pub(super) fn is_in_batch(&self, ask: &Ask) -> bool {
        matches!((ask, &self.batch), (Ask::Delete(id), Some(batch)) if batch.left.contains(id))
    }

    /// One of those deleted together is over: it is counted, and the line says so.
    pub(super) fn count_in_batch(&mut self, ask: &Ask, outcome: Outcome) {
        if !self.is_in_batch(ask) {
            return;
        }
        let Some(batch) = &mut self.batch else { return };
        batch.left.remove(&ask.plant_id());
        for (counted, count) in Outcome::ALL.into_iter().zip(&mut batch.counts) {
            *count += usize::from(counted == outcome);
        }
        self.say_batch();
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
            (unknown, Action::Room(InRoom::Settle), "settles what is unknown"),
            (unsent, Action::Operations(InOperations::SendAgain), "sends again what was not sent"),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, " {} {does}.", self.keys.shown(action));
            }
        }
        self.batch = None;
        self.says(&text);
    }

    /// Marks what is selected, or takes its mark away, and goes on to the next.
    pub(super) fn mark_selected(&mut self) -> Vec<Effect> {
        let Some(row) = self.table.selected_row().cloned() else { return Vec::new() };
        if self.table.marked.remove(&row.id).is_none() {
            self.table.marked.insert(row.id, row.details);
        }
        self.step(1)
    }

    /// Marks all that the filter shows, or takes all marks away, those on their way as well.
    pub(super) fn mark_all(&mut self) -> Vec<Effect> {
        if self.table.marked.is_empty() && self.marks_all.is_none() {
            let filter = self.table.filter.text().to_owned();
            self.marks_all = Some(filter.clone());
            return vec![Effect::FindFitting(filter, MOST)];
        }
        self.marks_all = None;
        self.table.marked.clear();
        Vec::new()
    }

    pub(super) fn fitting_found(&mut self, filter: &str, found: Result<Vec<Row>, String>) {
        // Not what is asked for any more, or not what is filtered by.
        let is_wanted = self.marks_all.as_deref() == Some(filter) && self.table.filter.text() == filter;
        self.marks_all.take_if(|asked| asked == filter);
        match found {
            Ok(rows) if is_wanted => {
                let is_most = rows.len() == MOST;
                self.table.marked.extend(rows.into_iter().map(|row| (row.id, row.details)));
                if is_most {
                    self.says(&format!("The first {MOST} are marked: that is the most at once."));
                }
            }
            Ok(_) => {}
            Err(why) => self.cannot_read(&why),
        }
    }
}
