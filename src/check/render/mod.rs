//! The output formats of a report. Must not know where the output goes.

mod json;
mod junit;
mod markdown;
mod recognize;
mod text;

pub use recognize::is_report;
pub use text::{Part, Role, report_lines};

use std::path::Path;

use strum::{EnumString, IntoStaticStr};

use super::report::Report;

/// An output format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Format {
    #[default]
    Text,
    /// One value on one line.
    Json,
    /// A test report for build servers, with a case for each rule.
    Junit,
    /// The document with its blanks filled in.
    Markdown,
}

impl Format {
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Junit, Self::Markdown];

    /// Returns the format of a file name by its extension, without one text.
    ///
    /// # Errors
    ///
    /// No format has the extension: says which to use.
    pub fn of_file(path: &Path) -> Result<Self, &'static str> {
        let Some(extension) = path.extension() else { return Ok(Self::default()) };
        match extension.to_str().unwrap_or_default().to_ascii_lowercase().as_str() {
            "md" => Ok(Self::Markdown),
            "json" => Ok(Self::Json),
            "xml" => Ok(Self::Junit),
            "txt" => Ok(Self::Text),
            _ => Err("use the extension .md, .json, .xml (JUnit) or .txt"),
        }
    }

    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// Renders a report, with a line break at its end; no line is wrapped. Only `JUnit` shows whether the run is strict.
pub fn render(report: &Report, format: Format, is_strict: bool) -> String {
    match format {
        Format::Text => text::render(report, usize::MAX),
        Format::Json => json::render(report),
        Format::Junit => junit::render(report, is_strict),
        Format::Markdown => markdown::render(report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Wanted;
    use crate::check::tests::{crooked, honest};

    #[test]
    fn every_format_names_the_store_and_ends_with_one_line_break() {
        let reports = [honest(Wanted::default()), crooked(Wanted::default())];
        for (format, report) in
            Format::ALL.into_iter().flat_map(|format| reports.iter().map(move |report| (format, report)))
        {
            let text = render(report, format, false);
            let word = format.word();
            assert!(text.replace('\\', "").contains("http://plants.example"), "{word}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{word}");
        }
    }
}
