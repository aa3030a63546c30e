//! What a person did just before, as far as it decides what the next input does.

use super::escapes::Escapes;
use super::unbound::Unbound;
use crate::tui::message::Target;

#[derive(Debug, Default)]
pub(super) struct RecentInput {
    /// What was clicked last, if no key was pressed since.
    pub clicked: Option<Target>,
    /// How many times in a row Ctrl-C was pressed.
    pub interrupts: u8,
    pub unbound: Unbound,
    pub escapes: Escapes,
}
