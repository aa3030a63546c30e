//! What the Check tab remembers.

use super::rows::Subject;
use crate::check::Report;
use crate::domain::OperationId;
use crate::journal::StoredExchange;
use crate::tui::context::Context;
use crate::tui::pending_query::PendingQuery;
use crate::tui::widgets::text_input::TextInput;
use crate::tui::widgets::viewport::Viewport;

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct CheckScreen {
    /// What is shown: of the run that is under way as far as it has come, or of an earlier one.
    pub(super) report: Option<Report>,
    /// Whether that run is still under way.
    pub(super) is_partial: bool,
    /// What it is compared with.
    pub(super) compared: Option<Report>,
    /// The exchanges behind the selected row.
    pub(super) behind: Option<Behind>,
    pub(super) selected: Option<Subject>,
    /// Which line is the first on screen, and how many fit.
    pub(super) top: usize,
    pub(super) page: usize,
    pub(super) filter: TextInput,
    pub(super) is_typing: bool,
    pub(super) pane: Viewport,
    /// Whether the selection goes with what was decided last.
    pub(super) follows: bool,
    /// Whether what is behind the selected row opens as soon as it is there.
    pub(super) opens: bool,
    pub(super) runs_query: PendingQuery,
}

/// Exchanges that a row rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Behind {
    pub(super) operations: Vec<OperationId>,
    /// Those that the journal has; `None` until they have come.
    pub(super) found: Option<Vec<StoredExchange>>,
}

impl CheckScreen {
    /// Whether the report that is shown is of the store that is open, whose exchanges the journal has.
    pub(super) fn is_of_this_store(&self, cx: &Context) -> bool {
        self.report.as_ref().is_some_and(|report| report.store == cx.session.info.store.to_string())
    }
}
