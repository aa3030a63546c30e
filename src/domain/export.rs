//! Writes plants to a file, one at a time, in the formats that an import reads.
//!
//! An import reads every name and tag back unchanged. Only [`Cells::Guarded`] changes values, for
//! spreadsheets, and counts the changes. Must not know where the plants come from.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::file_format::FileFormat;
use super::{Plant, PlantId};
use crate::text::number_format::{counted, grouped};
use crate::text::{json_text, shown_path};

/// How names and tags are written to CSV; JSON ignores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cells {
    #[default]
    Exact,
    /// Puts a `'` before text that a spreadsheet would run as a formula, in any line of the cell.
    Guarded,
}

/// What an export wrote, by number. The JSON of an export has these fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Exported {
    pub plants: u64,
    /// Plants among them that are unknown.
    pub unknown: u64,
    /// Plants among them that are being added or deleted.
    #[serde(skip)]
    pub in_flight: u64,
    /// Plants left out, because their name is not known.
    pub unnamed: u64,
    /// Cells that were changed for spreadsheets.
    #[serde(rename = "changed_cells")]
    pub changed: u64,
}

impl Exported {
    /// Returns a sentence about it.
    pub fn summary(self, path: &Path) -> String {
        let Self { plants, unknown, in_flight, unnamed, changed } = self;
        let mut text = format!("Wrote {} to {}", counted(plants, "plant", "plants"), shown_path(path));
        for (count, words) in [
            (unknown, "of them unknown".to_owned()),
            (in_flight, "being added or deleted at this moment".to_owned()),
            (unnamed, "without a name left out".to_owned()),
            (changed, format!("{} changed for spreadsheets", if changed == 1 { "cell" } else { "cells" })),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, "; {} {words}", grouped(count));
            }
        }
        text.push('.');
        text
    }
}

/// Writes one file of plants.
///
/// CSV contains names and tags raw, so it must be cleaned before it is printed on a terminal. JSON escapes
/// control characters.
#[derive(Debug)]
pub struct Exporter<W> {
    out: W,
    format: FileFormat,
    cells: Cells,
    exported: Exported,
}

impl<W: Write> Exporter<W> {
    /// Writes the start of the file. Makes many small writes, so `out` should be buffered.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn begin(mut out: W, format: FileFormat, cells: Cells) -> io::Result<Self> {
        match format {
            FileFormat::Csv => writeln!(out, "name,id,tag")?,
            FileFormat::Json => write!(out, "[")?,
            FileFormat::Ndjson => {}
        }
        Ok(Self { out, format, cells, exported: Exported::default() })
    }

    /// Writes one plant.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn add(&mut self, name: &str, id: PlantId, tag: &str) -> io::Result<()> {
        let json = || json_text(&Plant { name: name.to_owned(), id, tag: tag.to_owned() });
        match self.format {
            FileFormat::Csv => {
                self.cell(name)?;
                write!(self.out, ",{id},")?;
                self.cell(tag)?;
                writeln!(self.out)?;
            }
            FileFormat::Json => {
                let comma = if self.exported.plants == 0 { "" } else { "," };
                write!(self.out, "{comma}\n{}", json()?)?;
            }
            FileFormat::Ndjson => writeln!(self.out, "{}", json()?)?,
        }
        self.exported.plants += 1;
        Ok(())
    }

    /// Writes the end of the file and returns the writer, not flushed, and what it knows of what was written.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn end(mut self) -> io::Result<(W, Exported)> {
        if self.format == FileFormat::Json {
            writeln!(self.out, "\n]")?;
        }
        Ok((self.out, self.exported))
    }

    fn cell(&mut self, value: &str) -> io::Result<()> {
        let cell = if self.cells == Cells::Guarded { guarded(value) } else { value.to_owned() };
        self.exported.changed += u64::from(cell != value);
        if cell.contains(['"', ',', '\r', '\n']) {
            write!(self.out, "\"{}\"", cell.replace('"', "\"\""))
        } else {
            write!(self.out, "{cell}")
        }
    }
}

/// Characters that begin a formula in a spreadsheet; the full-width ones are converted by some programs.
const FORMULA_STARTS: [char; 9] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t'];

const LINE_BREAKS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Inserts a `'` before each formula: at the start of the value, where spreadsheets skip tabs and line
/// breaks, and after each line break, where some programs begin a new row.
fn guarded(value: &str) -> String {
    let mut guarded = String::with_capacity(value.len());
    let mut before = None;
    for c in value.chars() {
        let begins_line = before.is_none_or(|before| LINE_BREAKS.contains(&before));
        if begins_line && FORMULA_STARTS.contains(&c) || before.is_none() && matches!(c, '\r' | '\n') {
            guarded.push('\'');
        }
        guarded.push(c);
        before = Some(c);
    }
    guarded
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANTS: [(&str, i64, &str); 3] =
        [("Monstera", 7, "tropical"), ("\"5 cm\", tall", -1, ""), ("=1+1\u{1b}", 0, "-\r")];

    fn exported(format: FileFormat, cells: Cells, plants: &[(&str, i64, &str)]) -> (String, Exported) {
        let mut exporter = Exporter::begin(Vec::new(), format, cells).unwrap();
        for (name, id, tag) in plants {
            exporter.add(name, PlantId(*id), tag).unwrap();
        }
        let (bytes, written) = exporter.end().unwrap();
        (String::from_utf8(bytes).unwrap(), written)
    }

    #[test]
    fn the_summary_of_an_export_names_everything_unusual() {
        let path = Path::new("/x/plants.csv");
        let all = Exported { plants: 1_203, unknown: 3, in_flight: 2, unnamed: 1, changed: 1 };
        assert_eq!(
            all.summary(path),
            "Wrote 1,203 plants to /x/plants.csv; 3 of them unknown; 2 being added or deleted at this moment; 1 \
             without a name left out; 1 cell changed for spreadsheets."
        );
        assert_eq!(Exported { plants: 1, ..Exported::default() }.summary(path), "Wrote 1 plant to /x/plants.csv.");
    }

    #[test]
    fn csv_quotes_only_where_needed() {
        let (text, written) = exported(FileFormat::Csv, Cells::Exact, &PLANTS);
        assert_eq!(text, "name,id,tag\nMonstera,7,tropical\n\"\"\"5 cm\"\", tall\",-1,\n=1+1\u{1b},0,\"-\r\"\n");
        assert_eq!(written, Exported { plants: 3, ..Exported::default() });
    }

    #[test]
    fn guarded_csv_contains_no_formula() {
        let (text, written) = exported(FileFormat::Csv, Cells::Guarded, &PLANTS);
        assert_eq!(text, "name,id,tag\nMonstera,7,tropical\n\"\"\"5 cm\"\", tall\",-1,\n'=1+1\u{1b},0,\"'-\r\"\n");
        assert_eq!(written, Exported { plants: 3, changed: 2, ..Exported::default() });
        for first in ["=", "+", "-", "@", "\t", "\r"] {
            assert_eq!(exported(FileFormat::Csv, Cells::Guarded, &[(first, 1, first)]).1.changed, 2, "{first:?}");
        }
        assert_eq!(exported(FileFormat::Json, Cells::Guarded, &PLANTS).1.changed, 0);
    }

    #[test]
    fn formulas_after_a_line_break_and_wide_ones_are_guarded() {
        for (value, safe) in [
            ("\n=1", "'\n'=1"),
            ("a\n=1", "a\n'=1"),
            ("a\r\n=1\n+2", "a\r\n'=1\n'+2"),
            ("a\r-1", "a\r'-1"),
            ("a\n\t=1", "a\n'\t=1"),
            ("a\u{2028}@x", "a\u{2028}'@x"),
            ("＝1", "'＝1"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠x", "'＠x"),
            ("a\n＝1", "a\n'＝1"),
            ("a=1\nb", "a=1\nb"),
            ("a - b＝", "a - b＝"),
            ("", ""),
        ] {
            assert_eq!(guarded(value), safe, "{value:?}");
            let (text, written) = exported(FileFormat::Csv, Cells::Guarded, &[(value, 1, "")]);
            assert_eq!(written.changed, u64::from(value != safe));
            assert!(text.contains(safe), "{text}");
        }
    }

    #[test]
    fn json_has_one_object_on_each_line() {
        let (text, _) = exported(FileFormat::Json, Cells::Exact, &PLANTS[..2]);
        let lines = [r#"{"name":"Monstera","id":7,"tag":"tropical"}"#, r#"{"name":"\"5 cm\", tall","id":-1,"tag":""}"#];
        assert_eq!(text, format!("[\n{},\n{}\n]\n", lines[0], lines[1]));
        assert_eq!(exported(FileFormat::Ndjson, Cells::Exact, &PLANTS[..2]).0, format!("{}\n{}\n", lines[0], lines[1]));
        assert!(
            !exported(FileFormat::Ndjson, Cells::Exact, &PLANTS).0.contains('\u{1b}'),
            "control characters are escaped"
        );
    }

    #[test]
    fn an_export_without_plants_is_a_valid_file() {
        let texts =
            [FileFormat::Csv, FileFormat::Json, FileFormat::Ndjson].map(|format| exported(format, Cells::Exact, &[]).0);
        assert_eq!(texts, ["name,id,tag\n", "[\n]\n", ""]);
    }

    #[test]
    fn a_write_error_is_returned() {
        let mut small = [0_u8; 20];
        let mut exporter = Exporter::begin(small.as_mut_slice(), FileFormat::Csv, Cells::Exact).unwrap();
        assert!(exporter.add("Monstera", PlantId(7), "tropical").is_err());
    }
}
