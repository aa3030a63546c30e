//! The formats in which plants are imported and exported.

use std::path::Path;

use super::ending;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FileFormat {
    /// Comma-separated values, RFC 4180, with a header.
    #[default]
    Csv,
    /// One JSON array of objects.
    Json,
    /// A JSON object in each line.
    Ndjson,
}

impl FileFormat {
    pub const ALL: [Self; 3] = [Self::Csv, Self::Json, Self::Ndjson];

    /// The one that a file's ending stands for: `csv`, `json`, or `ndjson` and `jsonl`.
    pub fn of_file(path: &Path) -> Option<Self> {
        ending::of(
            path,
            &[
                ("csv", FileFormat::Csv),
                ("json", FileFormat::Json),
                ("ndjson", FileFormat::Ndjson),
                ("jsonl", FileFormat::Ndjson),
            ],
        )
    }

    /// The word for it where programs read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Ndjson => "NDJSON",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_ending_says_what_it_is() {
        let told = ["a.csv", "b.JSON", "/x.y/c.ndjson", "d.jsonl"].map(|path| FileFormat::of_file(Path::new(path)));
        assert_eq!(told, [FileFormat::Csv, FileFormat::Json, FileFormat::Ndjson, FileFormat::Ndjson].map(Some));
        assert_eq!(["a", "csv", "a.txt", ".csv", ""].map(|path| FileFormat::of_file(Path::new(path))), [None; 5]);
    }
}
