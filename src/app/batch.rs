//! Plants that are deleted or resolved together: one question before, one line of progress, one sum.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::domain::figure::counted;
use crate::domain::{Ask, Outcome, PlantId, Row, Settlement, State, Unresolved};
use crate::journal::{Each, JournalError};

use super::choice::{self, Choice};
use super::keys::{Action, InOperations, InRoom};
use super::message::Effect;
use super::model::{Model, Notice, Overlay};
use super::room::Room;

/// Operations that were asked for together, and how far they have come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    left: BTreeSet<Member>,
    total: usize,
    /// Whether an add is among them.
    adds: bool,
    /// In the order of [`Outcome::ALL`].
    counts: [usize; Outcome::ALL.len()],
}

/// An operation of a batch: its plant, and `add` or `delete`.
type Member = (PlantId, &'static str);

fn member(ask: &Ask) -> Member {
    (ask.plant_id(), ask.word())
}

impl Batch {
    /// These as well.
    fn extend(&mut self, asks: &[Ask]) {
        self.adds |= asks.iter().any(|ask| matches!(ask, Ask::Add(_)));
        self.total += asks.iter().filter(|ask| self.left.insert(member(ask))).count();
    }

    /// Whether all of them are over.
    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    fn counted(&self) -> String {
        let accepted = if self.adds { Outcome::Accepted.word() } else { "deleted" };
        let words = [accepted, "rejected", Outcome::Unknown.word(), Outcome::NotSent.word()];
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
            return self.says("None of the marked plants is in the list any more as it was marked.");
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

    /// Resolves the marked plants that are unknown, with one question; without marks, plant by plant.
    pub(super) fn resolve(&mut self) -> Vec<Effect> {
        let shows_marks = matches!(self.room, Room::Plants | Room::Greenhouse);
        if !shows_marks || self.table.marked.is_empty() {
            return self.start_walk();
        }
        self.asks_to_resolve = true;
        vec![Effect::FindToResolve(self.table.marked.keys().copied().collect())]
    }

    /// Which of these are unknown: the question names them, or names them anew.
    pub(super) fn found_to_resolve(&mut self, plants: &[PlantId], found: Result<Vec<Unresolved>, String>) {
        let asks = std::mem::take(&mut self.asks_to_resolve) && self.overlay.is_none();
        let open =
            matches!(&self.overlay, Some(Overlay::Choice(dialog)) if dialog.resolves().as_deref() == Some(plants));
        let found = match found {
            Ok(found) if asks || open => found,
            Ok(_) => return,
            Err(why) => return self.cannot_read(&why),
        };
        let is_the_same = |found: &Unresolved| self.table.marked.get(&found.row.id) == Some(&found.row.details);
        let found: Vec<_> = found.into_iter().filter(is_the_same).collect();
        let Some(question) = self.question_to_resolve(&found, plants.len() - found.len()) else {
            if open {
                self.close();
            }
            let key = self.keys.shown(Action::Room(InRoom::Back));
            return self.says(&format!("None of the marked plants is unknown. {key} takes the marks away."));
        };
        match &mut self.overlay {
            Some(Overlay::Choice(dialog)) => {
                if dialog.answers != question.answers {
                    *dialog = question;
                }
            }
            _ => self.open(Overlay::Choice(question)),
        }
    }

    fn question_to_resolve(&self, found: &[Unresolved], left_out: usize) -> Option<Choice> {
        let mut question = match found {
            [] => return None,
            [one] => choice::settle(&one.row, &one.doubt, &self.facts.store),
            [_, _, ..] => choice::settle_many(found, &self.facts.store),
        };
        if left_out > 0 {
            let plants = counted(left_out as u64, "marked plant is", "marked plants are");
            question.lines.push(format!("{plants} left out: not unknown."));
        }
        let can_send = self.cannot_send().is_none();
        Some(if can_send { question } else { question.without_sending() })
    }

    /// A person's word about these was written, or not.
    pub(super) fn were_settled(
        &mut self,
        plants: &[PlantId],
        settlement: Settlement,
        written: Result<Each, JournalError>,
    ) -> Vec<Effect> {
        match written {
            Ok(each) => {
                let done: Vec<_> =
                    plants.iter().zip(&each).filter(|(_, done)| done.is_ok()).map(|(id, _)| *id).collect();
                for id in &done {
                    self.unsent.retain(|ask| ask.plant_id() != *id);
                    self.unsettled.remove(id);
                    self.table.marked.remove(id);
                }
                let many = counted(done.len() as u64, "plant is", "plants are");
                let mut text = match settlement {
                    Settlement::MarkStored => format!("On your word: {many} stored. Nothing was sent."),
                    Settlement::Forget => format!("On your word: {many} forgotten. Nothing was sent."),
                };
                if let Some(Err(why)) = each.iter().find(|done| done.is_err()) {
                    let others = counted((plants.len() - done.len()) as u64, "plant is", "plants are");
                    // Writing to a string cannot fail.
                    let _ = write!(text, " {others} not resolved: {why}.");
                }
                self.says(&text);
            }
            Err(why) => self.notices.push_back(Notice::new(format!("Nothing is resolved: {why}"))),
        }
        self.story = None;
        self.table.refresh().map(Effect::Load).into_iter().collect()
    }

    /// A person said yes to deleting these together.
    pub(super) fn delete_all(&mut self, plants: &[PlantId]) -> Vec<Effect> {
        self.send_together(plants.iter().copied().map(Ask::Delete).collect())
    }

    /// Sends these, and tells of them in one line.
    pub(super) fn send_together(&mut self, asks: Vec<Ask>) -> Vec<Effect> {
        self.join_batch(&asks);
        let effects = asks.into_iter().flat_map(|ask| self.ask(ask)).collect();
        self.say_batch();
        effects
    }

    /// One line tells of all of these.
    pub(super) fn join_batch(&mut self, asks: &[Ask]) {
        self.batch.get_or_insert_default().extend(asks);
    }

    /// Whether this is one of those that were asked for together.
    pub(super) fn is_in_batch(&self, ask: &Ask) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.left.contains(&member(ask)))
    }

    /// One of those that were asked for together is over: it is counted, and the line says so.
    pub(super) fn count_in_batch(&mut self, ask: &Ask, outcome: Outcome) {
        if !self.is_in_batch(ask) {
            return;
        }
        let Some(batch) = &mut self.batch else { return };
        batch.left.remove(&member(ask));
        for (counted, count) in Outcome::ALL.into_iter().zip(&mut batch.counts) {
            *count += usize::from(counted == outcome);
        }
        if outcome == Outcome::Accepted {
            self.table.marked.remove(&ask.plant_id());
        }
        self.say_batch();
    }

    fn say_batch(&mut self) {
        let Some(batch) = &self.batch else { return };
        let counted = batch.counted();
        if !batch.is_over() {
            let what = if batch.adds { "Sending" } else { "Deleting" };
            let text = format!("{what} {} plants: {counted}, {} to go.", batch.total, batch.left.len());
            self.says(&text);
            return;
        }
        let [_, rejected, unknown, unsent] = batch.counts;
        // What was sent again and rejected is as unknown as before.
        let unresolved = unknown + if batch.adds { rejected } else { 0 };
        let mut text = format!("Of {} plants: {counted}.", batch.total);
        for (count, action, does) in [
            (unresolved, Action::Room(InRoom::Settle), "resolves what is unknown"),
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
