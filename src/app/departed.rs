//! The list of plants that are not in the view: found as one types, chosen, and added anew.

use crate::domain::{Departed, Departure};

use super::field::Field;
use super::form::AddForm;
use super::keys::InList;
use super::message::Effect;
use super::model::{Model, Overlay};

/// The list while it is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DepartedList {
    /// What the plants must have in their name, tag or id.
    pub text: Field,
    /// Those that have it, newest first; `None` until the journal has told for the first time.
    pub found: Option<Vec<Departed>>,
    /// Which one Enter takes.
    pub marked: usize,
    /// A search is out. What is typed meanwhile is searched for when it has come: one at a time,
    /// because others want the journal, too.
    searching: bool,
    /// The journal has changed since.
    stale: bool,
}

impl DepartedList {
    /// Looks for what is typed, now or after the search that is out.
    pub(super) fn search(&mut self) -> Option<Effect> {
        self.stale = true;
        if self.searching {
            return None;
        }
        (self.searching, self.stale) = (true, false);
        Some(Effect::FindDeparted(self.text.text().to_owned()))
    }

    /// What Enter takes.
    pub fn chosen(&self) -> Option<&Departed> {
        self.found.as_ref()?.get(self.marked)
    }

    /// How many were found.
    pub(super) fn count(&self) -> usize {
        self.found.as_ref().map_or(0, Vec::len)
    }
}

impl Model {
    pub(super) fn open_departed(&mut self) -> Vec<Effect> {
        let mut list = DepartedList::default();
        let search = list.search();
        self.open(Overlay::Departed(list));
        search.into_iter().collect()
    }

    /// What the journal found, or why it could not look; only what is asked for now counts.
    pub(super) fn departed_found(&mut self, text: &str, found: Result<Vec<Departed>, String>) -> Vec<Effect> {
        let found = found.map_err(|why| self.cannot_read(&why));
        let Some(Overlay::Departed(list)) = &mut self.overlay else { return Vec::new() };
        list.searching = false;
        let is_current = list.text.text() == text;
        if let (Ok(found), true) = (found, is_current) {
            list.found = Some(found);
            list.marked = list.marked.min(list.count().saturating_sub(1));
        }
        let again = !is_current || list.stale;
        again.then(|| list.search()).flatten().into_iter().collect()
    }

    pub(super) fn act_in_departed(&mut self, action: InList) -> Vec<Effect> {
        let page = self.page_of_reader();
        let Some(Overlay::Departed(list)) = &mut self.overlay else { return Vec::new() };
        match action.moves(list.marked, list.count(), page) {
            Some(place) => list.marked = place,
            None if action == InList::Close => self.close(),
            None => {
                if let Some(form) = list.chosen().map(bring_back) {
                    self.overlay = Some(Overlay::Add(Box::new(form)));
                    return self.look_up_typed_id();
                }
            }
        }
        Vec::new()
    }
}

/// The form that adds it anew: a new operation, shown before it is sent.
fn bring_back(departed: &Departed) -> AddForm {
    let was = match departed.how {
        Departure::Deleted => "It was deleted.",
        Departure::Forgotten => "It was forgotten here; the store may still have it.",
        Departure::Rejected => "The store rejected it the last time.",
        Departure::NotSent => "It never reached the store.",
    };
    AddForm::bringing_back(&departed.plant, was)
}
