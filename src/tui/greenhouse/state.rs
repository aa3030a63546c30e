//! The state of the Greenhouse tab. Progress of an animation is computed from the time that has passed, so that a frame
//! is a function of state and time.

use std::collections::VecDeque;
use std::sync::Arc;

use super::pots::{Pot, Stage};
use crate::domain::simple_words::StoredPlant;
use crate::domain::{Details, Exchange, OperationKind, PlantId, Resolution, Timestamp};
use crate::tui::context::{Context, Motion};
use crate::worker::Ended;

/// Milliseconds before a seed sprouts.
pub(super) const SEED: i64 = 400;
/// Milliseconds that a plant grows after its add was accepted.
pub(super) const GROWTH: i64 = 1_600;
/// Milliseconds in which the arrow of a message is drawn.
pub(super) const MESSAGE: i64 = 600;

/// How many times slower animations are in presentation mode.
pub(super) const SLOWER: i64 = 2;

/// The end of an animation, in thousandths.
pub(super) const WHOLE: u16 = 1_000;

/// Returns the part of an animation of `span` milliseconds that has passed, in thousandths; the whole without motion.
pub(super) fn passed(since: Timestamp, span: i64, cx: &Context) -> u16 {
    let pace = if cx.display.presenting { SLOWER } else { 1 };
    let passed = cx.now().0.saturating_sub(since.0);
    let thousandths = passed.saturating_mul(i64::from(WHOLE)) / (span * pace);
    // A clock that was set back does not animate for ever.
    if cx.display.motion == Motion::Still || passed < 0 {
        WHOLE
    } else {
        u16::try_from(thousandths).unwrap_or(WHOLE).min(WHOLE)
    }
}

/// Plants that have left and are still shown, at most.
pub(super) const SHOWN_GONE: usize = 6;

#[derive(Debug, Default)]
pub(crate) struct GreenhouseScreen {
    /// Whether the exchange is shown as raw HTTP.
    pub(super) shows_wire: bool,
    /// The exchange that ended last, also after a person has selected another plant.
    pub(in crate::tui) last: Option<LastExchange>,
    /// The exchange whose response has come and is being drawn.
    pub(super) arriving: Option<LastExchange>,
    pub(super) shows: Shows,
    /// Whether a person has requested something, or selected a plant, since the store was opened.
    pub(super) is_attended: bool,
    pub(super) gone: VecDeque<Gone>,
    /// Plants that were added a moment ago, and when.
    pub(super) grows: Vec<(PlantId, Timestamp)>,
    /// The plant that a person waits for, or the one that they selected of those that have left.
    pub(super) focus: Option<Focus>,
    /// Pots side by side that fit on screen, and shelves.
    pub(super) across: usize,
    pub(super) shelves_on_screen: usize,
}

/// What the picture is about, until a person selects another plant or does something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Shows {
    /// The exchange that ended last, if it is about the plant that is shown.
    #[default]
    Last,
    /// The last one of the selected plant.
    Selected,
    /// Plants that were changed together.
    Together,
    /// No request.
    Nothing,
}

/// The request that ended last, for the Greenhouse and the tour.
#[derive(Debug, Clone)]
pub(in crate::tui) struct LastExchange {
    pub exchange: Arc<Exchange>,
    /// The name of its plant.
    pub name: Option<String>,
    /// The operation that had left the plant unknown before.
    pub unknown: Option<OperationKind>,
    /// The plant that an add of its id left as it was.
    pub stored: Option<StoredPlant>,
    /// How a person has resolved the plant since.
    pub resolved: Option<Resolution>,
    /// When its end was reported.
    pub at: Timestamp,
}

impl LastExchange {
    /// Returns what an operation has ended with, now.
    pub(super) fn of(ended: &Ended, cx: &Context) -> Self {
        let (exchange, session) = (Arc::clone(&ended.exchange), &cx.session);
        let operation = &exchange.operation;
        let pending = session.pending.iter().find(|pending| pending.operation.id == operation.id);
        let name = pending.and_then(|pending| pending.name.clone());
        let name = name.or_else(|| session.name_of(operation.kind.plant_id()));
        let unknown = ended.unknown.as_ref().map(|unknown| unknown.kind.clone());
        let stored = StoredPlant::behind(&operation.kind, ended.row.as_ref());
        Self { exchange, name, unknown, stored, resolved: None, at: cx.now() }
    }
}

/// The plant of a pot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Focus {
    pub(super) id: PlantId,
    /// Whether the plant is in the list, and has not left.
    pub(super) is_here: bool,
}

/// A plant that has left the list a moment ago, or was not added.
#[derive(Debug)]
pub(super) struct Gone {
    pub(super) id: PlantId,
    pub(super) details: Option<Details>,
    /// How it left, or why it was not added.
    pub(super) how: Stage,
    /// The request by which it left.
    pub(super) last: LastExchange,
}

impl Focus {
    pub(super) fn of(pot: &Pot<'_>) -> Self {
        Self { id: pot.id, is_here: pot.is_here }
    }
}

impl GreenhouseScreen {
    /// Returns the exchange that ended last, if it is about this plant, until a person selects another plant; of a plant
    /// that has left, the one by which it did.
    pub(super) fn last_of(&self, pot: Focus) -> Option<&LastExchange> {
        let is_of_plant = |last: &&LastExchange| last.exchange.operation.kind.plant_id() == pot.id;
        let last = self.last.as_ref().filter(|_| self.shows == Shows::Last).filter(is_of_plant);
        last.or_else(|| self.gone.iter().find(|gone| gone.id == pot.id && !pot.is_here).map(|gone| &gone.last))
    }
}
