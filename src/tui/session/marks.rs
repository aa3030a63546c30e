//! Pending queries about marked plants.

use crate::domain::filter::Filter;

#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Their states are being loaded, for a question about deleting them.
    pub(super) to_delete: bool,
    /// The unknown ones are being loaded, for a question about resolving them.
    pub(super) to_resolve: bool,
    /// The filter whose plants are being loaded, to mark them all.
    pub(super) all_of: Option<Filter>,
}
