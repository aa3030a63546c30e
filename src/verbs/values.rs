//! The kinds of values that a shell can complete. Must not know where they are found.

use clap::builder::ArgExt;

use crate::domain::filter::List;

/// What the value of an argument is. An argument has it as an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    PlantIds,
    Tags,
    Profiles,
    /// Numbers of requests in the history.
    Entries,
    /// A query of this list.
    Query(List),
    /// The number of a request, or a query of the history.
    EntriesOrQuery,
}

impl ArgExt for Values {}
