//! The file formats of import and export. Must not know how files are parsed or written.

use std::path::Path;

use strum::{EnumString, IntoStaticStr};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum FileFormat {
    /// Comma-separated values with a header line (RFC 4180).
    #[default]
    Csv,
    /// One JSON array of objects.
    Json,
    /// One JSON object on each line.
    #[strum(to_string = "ndjson", serialize = "jsonl")]
    Ndjson,
}

impl FileFormat {
    pub const ALL: [Self; 3] = [Self::Csv, Self::Json, Self::Ndjson];

    /// Returns the format for a file name extension: `csv`, `json`, `ndjson` or `jsonl`.
    pub fn of_file(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Returns the name in options and JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the name in sentences.
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
    fn the_file_name_extension_selects_the_format() {
        let found = ["a.csv", "b.JSON", "/x.y/c.ndjson", "d.jsonl"].map(|path| FileFormat::of_file(Path::new(path)));
        assert_eq!(found, [FileFormat::Csv, FileFormat::Json, FileFormat::Ndjson, FileFormat::Ndjson].map(Some));
        assert_eq!(["a", "csv", "a.txt", ".csv", ""].map(|path| FileFormat::of_file(Path::new(path))), [None; 5]);
    }
}
