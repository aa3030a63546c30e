//! Marks plants, and asks before the marked ones are deleted or resolved together.

use super::state::{AboutSeveral, Session};
use crate::domain::filter::Filter;
use crate::domain::language::Id;
use crate::domain::{ListedPlant, OperationKind, PlantId, Row, Seen, State};
use crate::text::capitalized;
use crate::text::number_format::counted;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::message::Cause;
use crate::tui::outbox::Outbox;
use crate::tui::session::hidden::hides_row;
use crate::tui::session::plant_questions;
use crate::tui::session::question::{Act, Question, Several, Words, with_count};
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
        let about = AboutSeveral { is_of_line: false, ..AboutSeveral::of(kind) };
        self.ask_about(about, self.plants.marked.keys().copied().collect(), out);
    }

    /// Asks about these plants, as they are once they are loaded.
    pub fn ask_about(&mut self, about: AboutSeveral, plants: Vec<PlantId>, out: &mut Outbox) {
        out.effect(Effect::FindListed(plants.clone()));
        self.marks.loading = Some((about, plants));
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

    /// Asks the question about these plants, which were loaded, after the dialogs that have opened meanwhile, or takes the
    /// answer that its line has. Says so if the line makes a choice that there is not.
    pub fn put(&mut self, plants: &[PlantId], found: Result<Vec<ListedPlant>, Cause>, out: &mut Outbox) {
        let about = self.marks.loading.take_if(|(_, loading)| loading == plants);
        let Some((found, (about, _))) = out.read(found).zip(about) else { return };
        let Some(question) = self.question_about(&about, plants, &found, &[], out) else { return };
        let only = question.only_act().ok().and_then(|at| question.choices.get(at));
        match (only, about.choice, self.cannot_send()) {
            (Some(only), ..) if about.yes => {
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
        if question.several.as_ref().is_some_and(|(about, _)| about.kind == Several::Resolve) && !act.is_safe() {
            self.plants.marked.retain(|marked, _| question.seen.iter().any(|(seen, _)| seen == marked));
        }
        if act.sends() {
            self.seen.extend(question.seen.iter().cloned());
        }
    }

    /// Returns the question about plants, of which those that were found are in the list. Those are left out that have
    /// changed since they were marked, and lose their marks before a delete, or since the open question `showed` them.
    /// `None`, with a message, if there is nothing left to ask.
    pub fn question_about(
        &mut self,
        about: &AboutSeveral,
        plants: &[PlantId],
        found: &[ListedPlant],
        showed: &[(PlantId, Seen)],
        out: &mut Outbox,
    ) -> Option<Question> {
        let AboutSeveral { kind, is_of_line, choice, .. } = about;
        let is_as_shown = |id: PlantId, now: &Seen| {
            showed.is_empty() || showed.iter().any(|(shown, seen)| *shown == id && seen.is_same_plant(now))
        };
        let is_as_marked = |row: &Row| *is_of_line || self.plants.marked.get(&row.id) == Some(&row.details);
        let is_being_deleted = |row: &Row| {
            row.state == State::Deleting || self.feed.waiting().any(|kind| *kind == OperationKind::Delete(row.id))
        };
        let is_meant = |plant: &ListedPlant| match kind {
            Several::Delete => {
                is_as_marked(&plant.row)
                    && is_as_shown(plant.row.id, &plant.row.seen())
                    && !is_being_deleted(&plant.row)
            }
            Several::Undo(added) => added.iter().any(|added| plant.row.is(added)) && !is_being_deleted(&plant.row),
            Several::Resolve => is_as_marked(&plant.row) && plant.unknown.is_some(),
            Several::Forget => plant.is_resolvable(true),
            Several::ReAdd(_) => true,
        };
        let is_absent =
            |id: &&PlantId| is_as_shown(**id, &Seen::NotListed) && found.iter().all(|plant| plant.row.id != **id);
        let takes_absent = *kind == Several::Delete && *is_of_line;
        let absent: Vec<_> = plants.iter().filter(|id| takes_absent && is_absent(id)).copied().collect();
        let meant: Vec<_> = found.iter().filter(|plant| is_meant(plant)).cloned().collect();
        let rows: Vec<_> = meant.iter().map(|plant| plant.row.clone()).collect();
        if *kind == Several::Delete && !is_of_line {
            let is_left_out = |plant: &PlantId| plants.contains(plant) && rows.iter().all(|row| row.id != *plant);
            self.plants.marked.retain(|plant, _| !is_left_out(plant));
        }
        let store = &self.info.store;
        let mut question = match (kind, meant.as_slice(), absent.as_slice()) {
            (Several::ReAdd(adds), ..) => plant_questions::re_add(adds, &rows, store),
            (_, [], []) => {
                say_nothing_left(about, !showed.is_empty(), self.who_deletes(plants), out);
                return None;
            }
            (Several::Delete | Several::Undo(_), [one], []) => {
                plant_questions::delete(one.row.id, Some(&one.row), store)
            }
            (Several::Delete, [], [id]) => plant_questions::delete(*id, None, store),
            (Several::Delete | Several::Undo(_), ..) => plant_questions::delete_many(&rows, &absent, store),
            (Several::Resolve, [one], _) => plant_questions::resolve(&one.row, one.unknown.as_ref()?, store),
            (Several::Resolve, ..) => plant_questions::resolve_many(&meant, store),
            (Several::Forget, ..) => plant_questions::forget(&meant),
        };
        let why = match kind {
            Several::Delete | Several::Undo(_) => "gone, being deleted, or another plant by now",
            Several::Resolve => "not unknown",
            Several::Forget => "not stored or unknown in the list",
            Several::ReAdd(_) => "",
        };
        let left_out = plants.len() - meant.len() - absent.len();
        if left_out > 0 && !why.is_empty() {
            let plants = counted(left_out as u64, "plant is", "plants are");
            question.also(Words::both(format!("{plants} left out: {why}."), with_count(Id::LeftOut, left_out)));
        }
        if !why.is_empty() {
            self.name_hidden(&mut question, &rows);
        }
        if *kind == Several::Resolve && self.cannot_send().is_some() {
            question = question.without_sending();
        }
        if let Some(answer) = choice {
            question = question.with_only(*answer);
        }
        // What is left out stays among them, to be counted when the question changes.
        // A single one to resolve is withdrawn by its operation.
        let is_withdrawn = question.unknown.is_some();
        question.several = (!is_withdrawn).then(|| (about.clone(), plants.to_vec()));
        Some(question)
    }

    /// Says how many of the rows of a question the filter hides, if any.
    fn name_hidden(&self, question: &mut Question, rows: &[Row]) {
        let hidden = rows.iter().filter(|row| hides_row(&self.plants.filter.filter, row, None)).count();
        let words = match hidden {
            0 => return,
            1 if rows.len() == 1 => "The filter hides it.".to_owned(),
            hidden => format!("The filter hides {hidden} of them."),
        };
        question.also(Words::both(words, with_count(Id::HiddenByFilter, hidden)));
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

/// Says why there is nothing to ask about, or, if the question is open, no more; of plants that are being deleted, who does
/// that.
fn say_nothing_left(about: &AboutSeveral, is_open: bool, deleting: &str, out: &mut Outbox) {
    let (back, resolve) = (out.key(Command::Back), out.key(Command::Resolve));
    match (&about.kind, about.is_of_line) {
        (Several::Delete, true) if is_open => {
            out.asks_nothing("Nothing was deleted: the plant is gone, being deleted, or another one by now.");
            out.simply(Id::ChangedMeanwhile);
        }
        (Several::Delete, true) => out.asks_nothing(format!("{}.", capitalized(deleting))),
        (Several::Delete, false) => {
            out.asks_nothing("None of the marked plants is in the list any more as it was marked.");
        }
        (Several::Undo(_), _) => out
            .asks_nothing("What was added last cannot be undone: it is gone, being deleted, or another plant by now."),
        (Several::Resolve, true) => {
            out.asks_nothing("None of these plants is unknown: there is nothing to resolve.");
            out.simply(Id::NothingUnknown);
        }
        (Several::Resolve, false) => {
            out.asks_nothing(format!(
                "None of the marked plants is unknown. {back} clears the marks; then {resolve} resolves the others."
            ));
            out.simply(Id::NoMarkedUnknown.with("back", back).with("resolve", resolve));
        }
        (Several::Forget | Several::ReAdd(_), _) => {
            out.asks_nothing("None of these plants is stored or unknown: there is nothing to forget.");
        }
    }
}
