//! The list of runs of the check that are kept: one is chosen to be shown, or to be compared with.

use crate::domain::check::Report;
use crate::domain::text::in_lower_case;

use super::field::Field;
use super::keys::{InCheck, InList};
use super::message::Effect;
use super::model::{Model, Overlay};

/// The list while it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunList {
    /// Whether the one that is chosen is compared with, and not shown itself.
    pub compares: bool,
    /// What they must have in their store or their sum.
    pub text: Field,
    /// Which one Enter takes.
    pub marked: usize,
}

impl Model {
    /// Asks for the runs that are kept, unless that is out already.
    pub(super) fn find_runs(&mut self) -> Option<Effect> {
        self.check.asked_for_runs.anew().then_some(Effect::FindRuns)
    }

    pub(super) fn runs_found(&mut self, found: Result<Vec<Report>, String>) -> Vec<Effect> {
        match found {
            Ok(runs) => {
                let here = self.facts.store.to_string();
                let last = runs.iter().find(|run| run.store == here).cloned();
                self.check.runs = Some(runs);
                // Whoever comes in sees what was found last.
                if let (Some(last), None, false) = (last, &self.check.report, self.check.is_under_way()) {
                    self.check.shows(last);
                    self.check.select_what_matters();
                }
            }
            Err(why) => self.cannot_read(&why),
        }
        let again = self.check.asked_for_runs.came();
        if let Some(Overlay::Runs(list)) = &self.overlay {
            let last = self.offered_runs(list).len().saturating_sub(1);
            let marked = list.marked.min(last);
            self.mark_line(marked);
        }
        again.then(|| self.find_runs()).flatten().into_iter().collect()
    }

    /// Those that an action can choose from: one is not compared with itself.
    pub(super) fn kept_runs(&self, action: InCheck) -> Vec<&Report> {
        let runs = self.check.runs.iter().flatten();
        let shown = self.check.report.as_ref().filter(|_| action == InCheck::Compare);
        runs.filter(|run| shown != Some(run)).collect()
    }

    pub(super) fn open_runs(&mut self, action: InCheck) {
        let compares = action == InCheck::Compare;
        self.open(Overlay::Runs(RunList { compares, text: Field::default(), marked: 0 }));
    }

    /// What the list offers for what is typed.
    pub fn offered_runs(&self, list: &RunList) -> Vec<&Report> {
        let words: Vec<_> = list.text.text().split_whitespace().map(in_lower_case).collect();
        let mut runs = self.kept_runs(if list.compares { InCheck::Compare } else { InCheck::Open });
        runs.retain(|run| {
            let told = in_lower_case(&format!("{} {}", run.store, run.summary()));
            words.iter().all(|word| told.contains(word))
        });
        runs
    }

    pub(super) fn act_in_runs(&mut self, action: InList) -> Vec<Effect> {
        let page = self.page_of_reader();
        let Some(Overlay::Runs(list)) = &self.overlay else { return Vec::new() };
        let (compares, offered) = (list.compares, self.offered_runs(list));
        let (moved, chosen) = (action.moves(list.marked, offered.len(), page), offered.get(list.marked));
        match (moved, chosen.map(|run| Report::clone(run))) {
            (Some(place), _) => self.mark_line(place),
            (None, Some(run)) if action == InList::Choose => {
                self.close();
                if compares {
                    self.check.compared = Some(run);
                } else {
                    self.check.opens(run);
                }
            }
            (None, _) if action == InList::Close => self.close(),
            (None, _) => {}
        }
        Vec::new()
    }
}
