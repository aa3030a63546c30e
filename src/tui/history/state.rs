//! The state of the History tab.

use super::list::HistoryList;
use crate::journal::StoredExchange;
use crate::tui::screen::ScreenState;
use crate::tui::ui_effect::Tab;

#[derive(Debug, Default)]
pub(crate) struct HistoryScreen {
    pub(in crate::tui) list: HistoryList,
    pub(super) state: ScreenState,
    /// The exchange that was read last.
    pub(super) inspected: Option<Box<StoredExchange>>,
    /// The number of the exchange that is being read.
    pub(super) inspecting: Option<i64>,
    /// The number of the exchange that could not be read.
    pub(super) unreadable: Option<i64>,
    /// The number of the exchange that opens once it is read, whichever is selected.
    pub(super) opening: Option<i64>,
    /// The tab from which the requests of one plant were opened, while they are shown: Esc returns to it.
    pub(super) came_from: Option<Tab>,
}

impl HistoryScreen {
    /// The selected exchange, if it has been read.
    pub(super) fn selected(&self) -> Option<&StoredExchange> {
        self.inspected.as_deref().filter(|stored| Some(stored.number) == self.list.selected_request())
    }
}
