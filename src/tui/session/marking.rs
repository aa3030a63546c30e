//! Marks plants, and asks before the marked ones are deleted or resolved together.

use super::state::{AboutSeveral, Session};
use crate::domain::filter::Filter;
use crate::domain::language::Id;
use crate::domain::{ListedPlant, OperationKind, PlantId, Row, State};
use crate::text::number_format::counted;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::message::Cause;
use crate::tui::outbox::Outbox;
use crate::tui::session::hidden::hides_row;
use crate::tui::session::plant_questions;
use crate::tui::session::question::{Act, Question, Several, with_count};
use crate::tui::session::range_marks::MOST;
use crate::tui::ui_effect::UiEffect;

impl Session {
    /// Asks whether to delete the selected plant, or the marked ones, whose current states it loads first.
    pub fn ask_to_delete(&mut self, out: &mut Outbox) {
        if !self.plants.marked.is_empty() {
            self.ask_about_marked(Several::Delete, out);
        } else if let Some(row) = self.plants.selected_row() {
            out.ask(plant_questions::delete(row.id, Some(row), &self.info.store));
        }
    }

    /// Asks about the marked plants, whose current states it loads first.
    pub fn ask_about_marked(&mut self, kind: Several, out: &mut Outbox) {
        let about = AboutSeveral { kind, is_of_line: false, choice: None, yes: false };
        self.ask_about(about, self.plants.marked.keys().copied().collect(), out);
    }

    /// Asks about these plants, as they are once they are loaded.
    pub fn ask_about(&mut self, about: AboutSeveral, plants: Vec<PlantId>, out: &mut Outbox) {
        out.effect(Effect::FindListed(plants.clone()));
        (self.marks.asked, self.marks.loading) = (Some(about), Some(plants));
    }

    /// Asks about the plants that match a filter, and marks none of them.
    pub fn ask_about_fitting(&mut self, about: AboutSeveral, filter: Filter, out: &mut Outbox) {
        out.effect(Effect::FindFitting(filter.clone(), MOST));
        self.marks.all_of = Some((filter, Some(about)));
    }

    /// Whether the plants of a question are being loaded.
    pub fn awaits_question(&self) -> bool {
        self.marks.loading.is_some() || matches!(self.marks.all_of, Some((_, Some(_))))
    }

    /// Asks no question once its plants are loaded.
    pub fn drop_question(&mut self) {
        self.marks.loading = None;
        self.marks.all_of.take_if(|(_, about)| about.is_some());
    }

    /// Whether these plants, which were loaded, are those of the question.
    pub fn question_comes(&mut self, plants: &[PlantId]) -> bool {
        self.marks.loading.take_if(|loading| loading == plants).is_some()
    }

    /// Asks the question whose plants were loaded, after the dialogs that have opened meanwhile, or takes the answer that
    /// its line has. Says so if the line makes a choice that there is not.
    pub fn put(&mut self, plants: &[PlantId], found: Vec<ListedPlant>, out: &mut Outbox) {
        let Some(AboutSeveral { kind, choice, yes, .. }) = self.marks.asked.clone() else { return };
        let Some(question) = self.question_about(&kind, plants, found, out) else { return };
        let only = question.only_act().ok().and_then(|at| question.choices.get(at));
        match (only, choice, self.cannot_send()) {
            (Some(only), ..) if yes => {
                self.decided(&question, &only.act);
                out.ui_effect(UiEffect::Do(only.act.clone()));
            }
            (None, Some(_), Some(why)) => out.asks_nothing(format!("Nothing was done: {why}.")),
            _ => out.ask(question),
        }
    }

    /// Keeps what a person saw of the plants to which the choice sends something, until it is sent. Marks of plants that
    /// a decision about several left out would hide what is unknown afterwards.
    pub fn decided(&mut self, question: &Question, act: &Act) {
        if matches!(question.several, Some((Several::Resolve, _))) && !act.is_safe() {
            self.plants.marked.retain(|marked, _| question.seen.iter().any(|(seen, _)| seen == marked));
        }
        if act.sends() {
            self.seen.extend(question.seen.iter().cloned());
        }
    }

    fn is_of_line(&self) -> bool {
        self.marks.asked.as_ref().is_some_and(|about| about.is_of_line)
    }

    /// Returns the question about plants, of which those that were found are in the list; `None`, with a message, if
    /// there is nothing left to ask.
    pub fn question_about(
        &mut self,
        kind: &Several,
        plants: &[PlantId],
        found: Vec<ListedPlant>,
        out: &mut Outbox,
    ) -> Option<Question> {
        let question = match kind {
            Several::Delete => self.question_to_delete(plants, &rows_of(found), out),
            Several::Resolve => self.question_to_resolve(plants, found, out),
            Several::Forget => Self::question_to_forget(plants, found, out),
            Several::ReAdd(adds) => Some(plant_questions::re_add(adds, &rows_of(found), &self.info.store)),
        }?;
        // What is left out stays among them, to be counted when the question changes.
        let several = question.several.map(|(kind, _)| (kind, plants.to_vec()));
        Some(Question { several, ..question })
    }

    /// Returns the question about deleting those marked plants that have not changed since; the others are left out and
    /// lose their marks.
    fn question_to_delete(&mut self, plants: &[PlantId], found: &[Row], out: &mut Outbox) -> Option<Question> {
        let is_being_deleted = |row: &Row| {
            row.state == State::Deleting || self.feed.waiting().any(|kind| *kind == OperationKind::Delete(row.id))
        };
        let is_of_line = self.is_of_line();
        let is_the_same =
            |row: &Row| (is_of_line || self.plants.marked.get(&row.id) == Some(&row.details)) && !is_being_deleted(row);
        let rows: Vec<_> = found.iter().filter(|row| is_the_same(row)).cloned().collect();
        if !is_of_line {
            let is_left_out = |plant: &PlantId| plants.contains(plant) && rows.iter().all(|row| row.id != *plant);
            self.plants.marked.retain(|plant, _| !is_left_out(plant));
        }
        let is_absent = |id: &&PlantId| is_of_line && found.iter().all(|row| row.id != **id);
        let absent: Vec<_> = plants.iter().filter(is_absent).copied().collect();
        let left_out = plants.len() - rows.len() - absent.len();
        let mut question = match (rows.as_slice(), absent.as_slice()) {
            ([], []) => {
                out.asks_nothing(if is_of_line {
                    "The delete is already under way."
                } else {
                    "None of the marked plants is in the list any more as it was marked."
                });
                return None;
            }
            ([row], []) => plant_questions::delete(row.id, Some(row), &self.info.store),
            ([], [id]) => plant_questions::delete(*id, None, &self.info.store),
            _ => plant_questions::delete_many(&rows, &absent, &self.info.store),
        };
        if left_out > 0 {
            let (of, why) = if is_of_line {
                ("of them", "being deleted already.")
            } else {
                ("of the marked", "gone, being deleted, or another plant by now.")
            };
            let are = if left_out == 1 { "is" } else { "are" };
            question.also(format!("{left_out} {of} {are} left out: {why}"), with_count(Id::LeftOut, left_out));
        }
        self.name_hidden(&mut question, rows.iter());
        Some(question)
    }

    /// Says how many of the rows of a question about marked plants the filter hides, if any.
    fn name_hidden<'a>(&self, question: &mut Question, rows: impl ExactSizeIterator<Item = &'a Row>) {
        let (all, filter) = (rows.len(), &self.plants.filter.filter);
        let hidden = rows.filter(|row| hides_row(filter, row, None)).count();
        let words = match hidden {
            0 => return,
            1 if all == 1 => "The filter hides it.".to_owned(),
            hidden => format!("The filter hides {hidden} of them."),
        };
        question.also(words, with_count(Id::HiddenByFilter, hidden));
    }

    /// Returns the question about those of the plants that are unknown.
    fn question_to_resolve(&self, plants: &[PlantId], found: Vec<ListedPlant>, out: &mut Outbox) -> Option<Question> {
        let is_of_line = self.is_of_line();
        let is_the_same =
            |found: &ListedPlant| is_of_line || self.plants.marked.get(&found.row.id) == Some(&found.row.details);
        let found: Vec<_> = found.into_iter().filter(|found| found.unknown.is_some()).filter(is_the_same).collect();
        let mut question = match found.as_slice() {
            [] if is_of_line => {
                out.asks_nothing("None of these plants is unknown: there is nothing to resolve.");
                out.simply(Id::NothingUnknown);
                return None;
            }
            [] => {
                let (back, resolve) = (out.key(Command::Back), out.key(Command::Resolve));
                out.asks_nothing(format!(
                    "None of the marked plants is unknown. {back} clears the marks; then {resolve} resolves the others."
                ));
                out.simply(Id::NoMarkedUnknown.with("back", back).with("resolve", resolve));
                return None;
            }
            [one] => plant_questions::resolve(&one.row, one.unknown.as_ref()?, &self.info.store),
            [_, _, ..] => plant_questions::resolve_many(&found, &self.info.store),
        };
        let left_out = plants.len() - found.len();
        if left_out > 0 {
            let [one, many] =
                if is_of_line { ["plant is", "plants are"] } else { ["marked plant is", "marked plants are"] };
            let plants = counted(left_out as u64, one, many);
            question.also(format!("{plants} left out: not unknown."), with_count(Id::LeftOut, left_out));
        }
        self.name_hidden(&mut question, found.iter().map(|found| &found.row));
        let question = if self.cannot_send().is_none() { question } else { question.without_sending() };
        Some(match self.marks.asked.as_ref().and_then(|about| about.choice) {
            Some(answer) => question.with_only(answer),
            None => question,
        })
    }

    /// Returns the question about forgetting those of the plants that are stored or unknown.
    fn question_to_forget(plants: &[PlantId], mut found: Vec<ListedPlant>, out: &mut Outbox) -> Option<Question> {
        found.retain(|plant| plant.is_resolvable(true));
        if found.is_empty() {
            out.asks_nothing("None of these plants is stored or unknown: there is nothing to forget.");
            return None;
        }
        let mut question = plant_questions::forget(&found);
        let left_out = plants.len() - found.len();
        if left_out > 0 {
            let plants = counted(left_out as u64, "plant is", "plants are");
            let words = format!("{plants} left out: not stored or unknown in the list.");
            question.also(words, with_count(Id::LeftOut, left_out));
        }
        Some(question)
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
            let filter = self.plants.filter.filter.clone();
            self.marks.all_of = Some((filter.clone(), None));
            return out.effect(Effect::FindFitting(filter, MOST));
        }
        self.marks.all_of = None;
        self.plants.marked.clear();
    }

    /// Asks about the plants that match the filter of a line, or marks them if the filter is still that of the list.
    pub fn fitting_came(&mut self, filter: &Filter, found: Result<Vec<Row>, Cause>, out: &mut Outbox) {
        let pending = self.marks.all_of.take_if(|(pending, _)| pending == filter);
        let Some((rows, (_, about))) = out.read(found).zip(pending) else { return };
        let is_most = rows.len() == MOST;
        match about {
            Some(_) if rows.is_empty() => out.asks_nothing("No plant in the list matches the query."),
            Some(about) => {
                if is_most {
                    out.say_here(format!("It is about the first {MOST} that match: that is the most at once."));
                }
                self.ask_about(about, rows.iter().map(|row| row.id).collect(), out);
            }
            None if self.plants.filter.filter == *filter => {
                if is_most {
                    out.say_here(format!("The first {MOST} are marked: that is the most at once."));
                }
                self.plants.marked.extend(rows.into_iter().map(|row| (row.id, row.details)));
            }
            None => {}
        }
    }
}

fn rows_of(plants: Vec<ListedPlant>) -> Vec<Row> {
    plants.into_iter().map(|plant| plant.row).collect()
}
