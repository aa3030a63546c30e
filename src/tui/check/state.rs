//! The state of the Check tab.

use crate::check::Report;
use crate::domain::OperationId;
use crate::journal::StoredExchange;
use crate::tui::context::Context;
use crate::tui::widgets::filter_input::FilterInput;
use crate::tui::widgets::pending_query::PendingQuery;
use crate::tui::widgets::viewport::Viewport;

#[derive(Debug, Default)]
pub(crate) struct CheckScreen {
    /// The report that is shown: of the run under way, so far, or of an earlier one.
    pub(in crate::tui) report: Option<Report>,
    /// Whether that run is still under way.
    pub(super) is_partial: bool,
    /// The report that it is compared with.
    pub(in crate::tui) compared: Option<Report>,
    /// The operations of a row, and those of their exchanges that the journal has; `None` until they have arrived.
    pub(super) related: Option<(Vec<OperationId>, Option<Vec<StoredExchange>>)>,
    /// Of the stored runs.
    pub(super) runs_query: PendingQuery,
    /// The name of the selected row.
    pub(in crate::tui) selected: Option<String>,
    /// The lines on screen.
    pub(super) view: Viewport,
    pub(super) filter: FilterInput,
    /// Whether the row that was decided last becomes the selected one.
    pub(super) follows: bool,
}

impl CheckScreen {
    /// Whether the report is of the open store: only then the journal has its exchanges.
    pub(super) fn is_of_this_store(&self, cx: &Context) -> bool {
        self.report.as_ref().is_some_and(|report| report.store == cx.session.info.store.to_string())
    }
}
