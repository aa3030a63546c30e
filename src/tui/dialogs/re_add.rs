//! The re-add list: plants that are not in the list of plants any more, found by text and added again, one by its form
//! or all marked ones after one question.

use ratatui::style::Style;

use super::list::{ListDialog, action_in_list, unless_empty};
use crate::domain::language::Id;
use crate::domain::{ListedPlant, Outcome as Proof, Plant, PlantId, Unlisted, UnlistedReason};
use crate::text::columns::{filling, longest};
use crate::tui::component::{Action, called, cannot, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Cause, Msg};
use crate::tui::render::plant_table::{GAP, PLANTS, cells_of};
use crate::tui::render::table::{columns, fitted, widths};
use crate::tui::screen::{POINTER, pointer};
use crate::tui::session::AboutSeveral;
use crate::tui::session::draft::Draft;
use crate::tui::session::question::Several;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::pending_query::PendingQuery;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::side_by_side;
use crate::tui::widgets::theme::Theme;

/// Columns up to which a text is measured: more than a line has.
const MEASURED: usize = 400;

#[derive(Debug, Default)]
pub(crate) struct ReAdd {
    picker: Picker,
    /// The plants that match what is typed, newest first; `None` until the first have arrived.
    found: Option<Vec<Unlisted>>,
    query: PendingQuery,
    /// The plants to add together, in the order in which they were marked.
    marked: Vec<Plant>,
    /// Whether the journal is read for the question about the marked ones.
    asks: bool,
}

impl ReAdd {
    pub(crate) fn open(cx: &mut Context) -> Self {
        let mut list = Self::default();
        list.search(cx);
        list
    }

    /// Searches for what is typed, now or after the pending query.
    fn search(&mut self, cx: &mut Context) {
        if self.query.begin() {
            cx.out.effect(Effect::FindUnlisted(self.wanted().to_owned()));
        }
    }

    /// What is typed, without blanks around it.
    fn wanted(&self) -> &str {
        self.picker.text.text().trim()
    }

    fn found(&self) -> &[Unlisted] {
        self.found.as_deref().unwrap_or_default()
    }

    fn selected(&self) -> Option<&Unlisted> {
        self.found().get(self.picker.marked()?)
    }

    /// Marks the line or removes its mark, and goes to the next one.
    fn mark(&mut self, cx: &mut Context) {
        let Some(plant) = self.selected().map(|unlisted| unlisted.plant.clone()) else { return };
        match self.marked.iter().position(|marked| *marked == plant) {
            Some(at) => drop(self.marked.remove(at)),
            None => self.marked.push(plant),
        }
        self.go(Command::Down, cx);
    }

    /// Goes back a line, and removes its mark.
    fn unmark(&mut self, cx: &mut Context) {
        self.go(Command::Up, cx);
        if let Some(plant) = self.selected().map(|unlisted| unlisted.plant.clone()) {
            self.marked.retain(|marked| *marked != plant);
        }
    }

    /// What Enter does with the marked plants, if there are some.
    fn note_of_marks(&self, cx: &Context, theme: &Theme) -> Option<(String, Style)> {
        let count = Some(self.marked.len()).filter(|count| *count > 0)?.to_string();
        let enter = cx.out.keys.shown_in(Scope::Picker, Command::Choose);
        let note = Id::ReAddMarked.with("enter", enter).with("count", count);
        Some((cx.display.language_of_labels().say(&note), theme.warning))
    }

    fn marked_ids(&self) -> Vec<PlantId> {
        self.marked.iter().map(|plant| plant.id).collect()
    }

    /// Asks about the marked plants, of which these have ids that are in the list.
    fn listed_came(&mut self, plants: &[PlantId], found: &Result<Vec<ListedPlant>, Cause>, cx: &mut Context) {
        if !std::mem::take(&mut self.asks) || self.marked_ids() != plants {
            return;
        }
        if let Ok(found) = found {
            let about = AboutSeveral::of(Several::ReAdd(self.marked.clone()));
            let question = cx.session.question_about(&about, plants, found, &[], &mut cx.out);
            if let Some(question) = question {
                cx.out.ui_effect(UiEffect::OpenOver(Open::Confirm(Box::new(question))));
            }
        }
    }
}

impl ListDialog for ReAdd {
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.found().len()
    }

    fn names(&self, _cx: &Context) -> Vec<String> {
        let found = if self.query == PendingQuery::None { self.found() } else { &[] };
        found.iter().map(|Unlisted { plant: Plant { name, id, tag }, .. }| format!("{id} {name}\n{tag}")).collect()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let found = self.found();
        let language = cx.display.language_of_labels();
        let texts = |unlisted: &'a Unlisted| {
            let (word, mark) = described(unlisted.how, theme);
            let Plant { name, id, tag } = &unlisted.plant;
            cells_of(*id, [name, tag], (&language.label(word), mark), cx.moment(unlisted.at), theme)
        };
        let texts: Vec<_> = found.iter().map(texts).collect();
        let needed = longest(texts.iter().map(|cells| widths(cells, MEASURED)));
        Shown {
            title: language.label(Id::ReAdd).into(),
            find: language.label(Id::Find).into(),
            hint: cx.display.say(Id::FindToReAdd, "a part of a name, tag or id").into(),
            note: self.note_of_marks(cx, theme),
            count: found.len(),
            empty: match &self.found {
                None => language.label(Id::Reading),
                Some(_) if self.picker.text.text().is_empty() => language.label(Id::NoneToReAdd),
                Some(_) => cx.display.say(Id::NoneHasThis, "None has this in its name, tag or id."),
            }
            .into(),
            line: Box::new(move |at, is_selected, width| {
                let (unlisted, cells) = (found.get(at)?, texts.get(at)?);
                let pointer = pointer(is_selected, self.marked.contains(&unlisted.plant), theme);
                let widths = filling(columns(&PLANTS, needed), GAP, width.saturating_sub(POINTER));
                Some(pointer.into_iter().chain(side_by_side(fitted(&PLANTS, cells, widths), GAP)).collect())
            }),
        }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            // Marks stay while other plants are found.
            Command::Choose if !self.marked.is_empty() => called("add the marked ones", Self::choose),
            Command::Complete if !self.found().is_empty() => called("mark", Self::mark),
            Command::StepBack if !self.found().is_empty() => does(Self::unmark),
            _ => match unless_empty(self, command, cx) {
                Some(_) if self.found.is_none() => cannot("the list is being read"),
                None => action_in_list(command),
                empty => empty,
            },
        }
    }

    /// Asks about the marked plants; without marks, opens the form of the selected one.
    fn choose(&mut self, cx: &mut Context) {
        if !self.marked.is_empty() {
            if !std::mem::replace(&mut self.asks, true) {
                cx.out.effect(Effect::FindListed(self.marked_ids()));
            }
        } else if let Some(unlisted) = self.selected() {
            let draft = Box::new(Draft::adding_again(unlisted));
            cx.out.ui_effect(UiEffect::Replace(Open::Add(draft)));
        }
    }

    fn filter_changed(&mut self, cx: &mut Context) {
        // A question would take the letters that follow.
        self.asks = false;
        self.search(cx);
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::Unlisted(text, found) => {
                let is_stale = self.query.finish();
                if let Ok(found) = found
                    && self.wanted() == text
                    && self.found.replace(found.clone()).is_none()
                {
                    cx.out.status.leave();
                }
                if is_stale {
                    self.search(cx);
                }
            }
            Msg::Listed(plants, found) => self.listed_came(plants, found, cx),
            Msg::JournalChanged | Msg::Team(_) => self.search(cx),
            _ => {}
        }
    }
}

/// Returns the word for a reason, and its style and mark.
fn described(reason: UnlistedReason, theme: &Theme) -> (Id, (Style, &'static str)) {
    let gone = (theme.dim, theme.mark("−", "-"));
    match reason {
        UnlistedReason::Deleted => (Id::PotDeleted, gone),
        UnlistedReason::Forgotten => (Id::PotForgotten, gone),
        UnlistedReason::Rejected => (Id::PotRejected, theme.outcome(Proof::Rejected)),
        UnlistedReason::NotSent => (Id::PotNotSent, theme.outcome(Proof::NotSent)),
    }
}
