//! Marks plants, and asks before the marked ones are deleted or resolved together.

use super::state::{OfMarked, Session};
use crate::domain::filter::Filter;
use crate::domain::{OperationKind, PlantId, Row, State, Unresolved};
use crate::text::number_format::counted;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::message::Cause;
use crate::tui::outbox::Outbox;
use crate::tui::session::hidden::hides_row;
use crate::tui::session::question::{self, Question};

/// Plants that one command marks at most.
const MOST: usize = 1000;

impl Session {
    /// Asks whether to delete the selected plant, or the marked ones, whose current states it loads first.
    pub fn ask_to_delete(&mut self, out: &mut Outbox) {
        if !self.plants.marked.is_empty() {
            self.ask_about_marked(OfMarked::Delete, out);
        } else if let Some(row) = self.plants.selected_row() {
            out.ask(question::delete(row.id, Some(row), &self.info.store));
        }
    }

    /// Asks about the marked plants, whose current states it loads first.
    pub fn ask_about_marked(&mut self, question: OfMarked, out: &mut Outbox) {
        self.marks.named.clear();
        self.find_for_question(question, self.plants.marked.keys().copied().collect(), out);
    }

    /// Asks about the plants that a line names, as they are by then. Their marks stay as they are: a question that is
    /// answered with no must leave nothing that the next delete would take.
    pub fn ask_about_named(&mut self, question: OfMarked, plants: Vec<PlantId>, out: &mut Outbox) {
        self.marks.named.clone_from(&plants);
        self.find_for_question(question, plants, out);
    }

    fn find_for_question(&mut self, question: OfMarked, plants: Vec<PlantId>, out: &mut Outbox) {
        self.marks.question = Some(question);
        out.effect(match question {
            OfMarked::Delete => Effect::FindToDelete(plants),
            OfMarked::Resolve => Effect::FindToResolve(plants),
        });
    }

    /// Returns whether this question waits for its plants; from now on it does not.
    pub fn awaits_question(&mut self, question: OfMarked) -> bool {
        self.marks.question.take_if(|awaited| *awaited == question).is_some()
    }

    /// Returns the question about deleting those marked plants that have not changed since; the others are left out and
    /// lose their marks. `None`, with a message, if no plant is left.
    pub fn question_to_delete(&mut self, plants: &[PlantId], found: &[Row], out: &mut Outbox) -> Option<Question> {
        let is_being_deleted = |row: &Row| {
            row.state == State::Deleting || self.feed.waiting().any(|kind| *kind == OperationKind::Delete(row.id))
        };
        let is_named = |row: &Row| self.marks.named.contains(&row.id);
        let is_the_same = |row: &Row| {
            (is_named(row) || self.plants.marked.get(&row.id) == Some(&row.details)) && !is_being_deleted(row)
        };
        let rows: Vec<_> = found.iter().filter(|row| is_the_same(row)).cloned().collect();
        for plant in plants.iter().filter(|plant| rows.iter().all(|row| row.id != **plant)) {
            self.plants.marked.remove(plant);
        }
        let is_absent = |id: &&PlantId| self.marks.named.contains(id) && found.iter().all(|row| row.id != **id);
        let absent: Vec<_> = plants.iter().filter(is_absent).copied().collect();
        let left_out = plants.len() - rows.len() - absent.len();
        let mut question = match rows.as_slice() {
            [] if absent.is_empty() => {
                out.say_here("None of the marked plants is in the list any more as it was marked.");
                return None;
            }
            [row] if absent.is_empty() => question::delete(row.id, Some(row), &self.info.store),
            _ => question::delete_many(&rows, &absent, &self.info.store),
        };
        if left_out > 0 {
            let why = "of the marked are left out: gone, being deleted, or another plant by now.";
            question.lines.push(format!("{left_out} {why}"));
        }
        question.lines.extend(self.hidden_among(rows.iter()));
        Some(question)
    }

    /// Says how many of the rows of a question the filter hides, if any.
    fn hidden_among<'a>(&self, rows: impl ExactSizeIterator<Item = &'a Row>) -> Option<String> {
        let (all, filter) = (rows.len(), self.plants.filter.filter());
        match rows.filter(|row| hides_row(filter, row)).count() {
            0 => None,
            1 if all == 1 => Some("The filter hides it.".to_owned()),
            hidden => Some(format!("The filter hides {hidden} of them.")),
        }
    }

    /// Returns the question about the marked plants that are unknown; `None`, with a message, if there is none.
    pub fn question_to_resolve(&self, plants: &[PlantId], found: &[Unresolved], out: &mut Outbox) -> Option<Question> {
        let is_the_same = |found: &&Unresolved| {
            let row = &found.row;
            self.marks.named.contains(&row.id) || self.plants.marked.get(&row.id) == Some(&row.details)
        };
        let found: Vec<_> = found.iter().filter(is_the_same).cloned().collect();
        let mut question = match found.as_slice() {
            [] => {
                let key = out.key(Command::Back);
                out.say_here(format!("None of the marked plants is unknown. {key} clears the marks."));
                return None;
            }
            [one] => question::resolve(&one.row, &one.unknown, &self.info.store),
            [_, _, ..] => question::resolve_many(&found, &self.info.store),
        };
        let left_out = plants.len() - found.len();
        if left_out > 0 {
            let plants = counted(left_out as u64, "marked plant is", "marked plants are");
            question.lines.push(format!("{plants} left out: not unknown."));
        }
        question.lines.extend(self.hidden_among(found.iter().map(|found| &found.row)));
        Some(if self.cannot_send().is_none() { question } else { question.without_sending() })
    }

    /// Marks the selected plant, or removes its mark.
    pub fn mark_selected(&mut self) {
        let Some(row) = self.plants.selected_row().cloned() else { return };
        if self.plants.marked.remove(&row.id).is_none() {
            self.plants.marked.insert(row.id, row.details);
        }
    }

    /// Marks all plants that the filter shows, or removes all marks, also those being loaded.
    pub fn mark_all(&mut self, out: &mut Outbox) {
        if self.plants.marked.is_empty() && self.marks.all_of.is_none() {
            return self.mark_fitting(None, out);
        }
        self.marks.all_of = None;
        self.plants.marked.clear();
    }

    /// Marks the plants that the filter shows, and only these, and then asks about them.
    pub fn ask_about_fitting(&mut self, question: OfMarked, out: &mut Outbox) {
        self.plants.marked.clear();
        self.mark_fitting(Some(question), out);
    }

    fn mark_fitting(&mut self, question: Option<OfMarked>, out: &mut Outbox) {
        let filter = self.plants.filter.filter().clone();
        self.marks.all_of = Some((filter.clone(), question));
        out.effect(Effect::FindFitting(filter, MOST));
    }

    /// Marks the plants that match a filter, if the filter is still current, and asks about them if a line says so.
    pub fn fitting_came(&mut self, filter: &Filter, found: Result<Vec<Row>, Cause>, out: &mut Outbox) {
        let pending = self.marks.all_of.take_if(|(pending, _)| pending == filter);
        let pending = pending.filter(|_| self.plants.filter.filter() == filter);
        let Some((rows, (_, question))) = out.read(found).zip(pending) else { return };
        let is_most = rows.len() == MOST;
        self.plants.marked.extend(rows.into_iter().map(|row| (row.id, row.details)));
        if is_most {
            out.say_here(format!("The first {MOST} are marked: that is the most at once."));
        }
        match question {
            Some(_) if self.plants.marked.is_empty() => out.say_here("No plant in the list matches the query."),
            Some(question) => self.ask_about_marked(question, out),
            None => {}
        }
    }
}
