//! The ways a report is told: one function, for the command line and for the room.

use super::report::Report;
use super::{json, junit, text};

/// A way to tell a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// For people, in a terminal or a pipe.
    #[default]
    Text,
    /// For programs: one value on one line.
    Json,
    /// For build servers: a test report, a case for each clause.
    Junit,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Text, Self::Json, Self::Junit];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Junit => "junit",
        }
    }
}

/// A report in a format; ends with a line break. `columns` are those of the plain text, which
/// alone is wrapped.
pub fn told(report: &Report, format: Format, columns: usize) -> String {
    match format {
        Format::Text => text::told(report, columns),
        Format::Json => json::told(report),
        Format::Junit => junit::told(report),
    }
}
