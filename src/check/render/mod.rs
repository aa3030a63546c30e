//! The output formats of a report: one function, for the command line and for the Check tab.

mod json;
mod junit;
mod markdown;
mod text;

use std::path::Path;

use super::report::Report;
use crate::domain::ending;

/// An output format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    #[default]
    Text,
    /// For programs: one value on one line.
    Json,
    /// For build servers: a test report, a case for each rule.
    Junit,
    /// To keep and to share: the document with its blanks filled in.
    Markdown,
}

impl Format {
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Junit, Self::Markdown];

    /// The one that a file's ending stands for: `md`, `json`, `xml` or `txt`.
    pub fn of_file(path: &Path) -> Option<Self> {
        ending::of(
            path,
            &[("md", Format::Markdown), ("json", Format::Json), ("xml", Format::Junit), ("txt", Format::Text)],
        )
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
        }
    }
}

/// A report in a format; ends with a line break. `columns` are those of the plain text, which
/// alone is wrapped.
pub fn render(report: &Report, format: Format, columns: usize) -> String {
    match format {
        Format::Text => text::render(report, columns),
        Format::Json => json::render(report),
        Format::Junit => junit::render(report),
        Format::Markdown => markdown::render(report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Wanted;
    use crate::check::tests::{crooked, honest};

    #[test]
    fn every_format_tells_the_store_and_ends_with_one_line_break() {
        let reports = [honest(Wanted::default()), crooked(Wanted::default())];
        for (format, report) in
            Format::ALL.into_iter().flat_map(|format| reports.iter().map(move |report| (format, report)))
        {
            let text = render(report, format, 80);
            let word = format.word();
            assert!(text.contains("http://plants.example"), "{word}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{word}");
        }
    }
}
