//! What the History tab remembers.

use super::list::HistoryList;
use crate::journal::StoredExchange;
use crate::tui::widgets::viewport::Viewport;

#[derive(Debug, Default)]
pub(crate) struct HistoryScreen {
    pub(super) list: HistoryList,
    pub(super) is_typing: bool,
    /// The selected exchange beside the list.
    pub(super) pane: Viewport,
    /// The selected exchange, once it has come.
    pub(super) inspected: Option<Box<StoredExchange>>,
    /// The place of the exchange that was asked for.
    pub(super) inspecting: Option<i64>,
    /// Whether the selected exchange opens as soon as it is there.
    pub(super) opens: bool,
}

impl HistoryScreen {
    /// The selected exchange, if it has come.
    pub(super) fn selected(&self) -> Option<&StoredExchange> {
        self.inspected.as_deref().filter(|kept| Some(kept.place) == self.list.selected)
    }
}
