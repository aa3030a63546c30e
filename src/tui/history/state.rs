//! The state of the History tab.

use super::list::HistoryList;
use crate::journal::StoredExchange;
use crate::tui::ui_effect::Tab;

#[derive(Debug, Default)]
pub(crate) struct HistoryScreen {
    pub(in crate::tui) list: HistoryList,
    /// The number of the selected exchange that was read last; without the exchange if it could not be read.
    pub(super) inspected: Option<(i64, Option<Box<StoredExchange>>)>,
    /// The number of the exchange that is being read.
    pub(super) inspecting: Option<i64>,
    /// The number of the exchange that opens once it is read, whichever is selected.
    pub(super) opening: Option<i64>,
    /// The tab from which the requests of one plant were opened, while they are shown: Esc returns to it.
    pub(in crate::tui) came_from: Option<Tab>,
}

impl HistoryScreen {
    /// The selected exchange, if it has been read.
    pub(super) fn selected(&self) -> Option<&StoredExchange> {
        let (number, stored) = self.inspected.as_ref()?;
        stored.as_deref().filter(|_| Some(*number) == self.list.selected_request())
    }
}
