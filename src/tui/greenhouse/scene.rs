//! What the picture shows of one plant, the selected one: its request in flight, else its last one.

use std::time::Duration;

use super::state::{GreenhouseScreen, LastExchange, MESSAGE, Shows, WHOLE, passed};
use crate::domain::language::Id;
use crate::domain::simple_words::Known;
use crate::domain::{Exchange, Timestamp};
use crate::tui::context::Context;
use crate::tui::session::PendingOperation;
use crate::tui::session::tally::Together;

/// What the picture shows.
#[derive(Debug)]
pub(super) enum Scene<'a> {
    /// Why there is no picture.
    Nothing(Id),
    /// What became of several plants.
    Together(Together),
    /// A request in flight, since when, and the part of its arrow that is drawn, in thousandths.
    Out(&'a PendingOperation, Duration, u16),
    /// An exchange that has ended, what is known about it, and the part of its response that is drawn, in thousandths.
    Over(&'a Exchange, Known<'a>, u16),
}

impl GreenhouseScreen {
    pub(super) fn scene<'a>(&'a self, cx: &'a Context) -> Scene<'a> {
        let session = &cx.session;
        // Of several requests, none is shown as it was sent.
        if let Some(together) = session.together.filter(|_| self.shows == Shows::Together && !self.shows_wire) {
            return Scene::Together(together);
        }
        if self.shows == Shows::Nothing {
            return Scene::Nothing(Id::TourPicture);
        }
        let shown = self.shown(cx);
        let over = |last: &'a LastExchange, drawn| {
            let LastExchange { exchange, name, unknown, stored, resolved, .. } = last;
            let mut known = session.known(exchange, name.as_deref(), unknown.as_ref());
            (known.stored, known.resolved) = (*stored, known.resolved.or(*resolved));
            Scene::Over(exchange, known, drawn)
        };
        if let Some(last) = &self.arriving {
            return over(last, passed(last.at, MESSAGE, cx));
        }
        let is_own = |pending: &&PendingOperation| pending.operation.probe.is_none();
        let mut pending = session.pending.iter().filter(is_own);
        let out = shown.and_then(|shown| pending.find(|pending| pending.operation.kind.plant_id() == shown.id));
        if let Some(pending) = out {
            let waited = cx.now().0.saturating_sub(pending.operation.requested_at.0).max(0);
            let drawn = passed(Timestamp(cx.now().0.saturating_sub(waited)), MESSAGE, cx);
            return Scene::Out(pending, Duration::from_millis(waited.unsigned_abs()), drawn);
        }
        if let Some(last) = shown.and_then(|shown| self.last_of(shown)) {
            return over(last, WHOLE);
        }
        if shown.is_some_and(|shown| !shown.is_here) {
            return Scene::Nothing(Id::IsNotListed);
        }
        if let Some((exchange, known)) = session.selected_last() {
            return Scene::Over(exchange, known, WHOLE);
        }
        let was_requested = session.submitted > 0 || session.plants.window.tally.total() > 0;
        Scene::Nothing(match session.selected_history() {
            None if session.plants.selected.is_some() => Id::Reading,
            None if !was_requested => Id::NothingSaidYet,
            Some(_) | None => Id::SelectAPlant,
        })
    }
}
