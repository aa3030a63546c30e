//! What the Greenhouse remembers.

use std::collections::VecDeque;

use super::pots::Stage;
use crate::domain::{Details, PlantId, Timestamp};
use crate::tui::last_exchange::LastExchange;
use crate::tui::widgets::viewport::Viewport;

/// Milliseconds that a seed lies before it sprouts, that a plant grows after the store said yes, and that a
/// message is drawn on its way.
pub(super) const SEED: i64 = 400;
pub(super) const GROWTH: i64 = 1_600;
pub(super) const MESSAGE: i64 = 600;

/// Plants that have left and are still shown, at most.
pub(super) const SHOWN_GONE: usize = 6;

/// What the Greenhouse remembers.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct GreenhouseScreen {
    /// Whether the exchange is shown as raw HTTP.
    pub(super) shows_wire: bool,
    pub(super) last: Option<LastExchange>,
    /// Whether a person looks at another plant since.
    pub(super) looks_away: bool,
    /// Whether a person has requested something or selected a plant since the store was opened.
    pub(super) is_attended: bool,
    pub(super) gone: VecDeque<Gone>,
    /// Plants that the store said yes to, and when.
    pub(super) grows: Vec<(PlantId, Timestamp)>,
    /// The pot to look at, until a person selects another.
    pub(super) focus: Option<Focus>,
    pub(super) is_typing: bool,
    pub(super) pane: Viewport,
    /// Pots side by side, and shelves, that fit on screen.
    pub(super) across: usize,
    pub(super) shelves_on_screen: usize,
}

/// Which pot is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Focus {
    pub(super) id: PlantId,
    /// Whether it is that of the plant in the list, and not one that has left.
    pub(super) is_here: bool,
}

/// A plant that is not in the list, and was a moment ago or was to be.
#[derive(Debug)]
pub(super) struct Gone {
    pub(super) id: PlantId,
    pub(super) details: Option<Details>,
    /// How it left, or why it never came.
    pub(super) how: Stage,
}

impl GreenhouseScreen {
    /// The exchange that ended last, until a person selects another plant.
    pub(super) fn last(&self) -> Option<&LastExchange> {
        self.last.as_ref().filter(|_| !self.looks_away)
    }
}
