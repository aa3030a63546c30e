//! What the journal was asked about marked plants.

#[derive(Debug, Default)]
pub(super) struct Marks {
    /// A question about deleting them opens once it is known how they stand.
    pub(super) to_delete: bool,
    /// A question about the unknown ones opens once it is known which are.
    pub(super) to_resolve: bool,
    /// The filter whose plants are to be marked, all of them.
    pub(super) all_of: Option<String>,
}
