//! Plants into a file, one at a time, in the formats that an import reads.
//!
//! What is written is read back as it was, whatever a name or tag holds. Only [`Cells::Guarded`]
//! changes values, for spreadsheets, and counts what it changed.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::file_format::FileFormat;
use super::plant::PlantId;
use super::text::json_text;

/// How the cells of a table are written; JSON has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cells {
    #[default]
    Exact,
    /// With a `'` before what a spreadsheet would run as a formula, in any line of the cell.
    Guarded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    pub plants: u64,
    /// How many names and tags have a `'` that they had not.
    pub changed_cells: u64,
}

/// A file of plants that is being written.
///
/// Names and tags go out raw: a table that is shown on a terminal is cleaned first. JSON is
/// harmless to a terminal, for what one obeys is escaped in it.
#[derive(Debug)]
pub struct Exporter<W> {
    out: W,
    format: FileFormat,
    cells: Cells,
    written: Written,
}

#[derive(Serialize)]
struct Told<'a> {
    name: &'a str,
    id: PlantId,
    tag: &'a str,
}

impl<W: Write> Exporter<W> {
    /// Begins a file. Many small pieces are written: buffer them.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn begin(mut out: W, format: FileFormat, cells: Cells) -> io::Result<Self> {
        match format {
            FileFormat::Csv => writeln!(out, "name,id,tag")?,
            FileFormat::Json => write!(out, "[")?,
            FileFormat::Ndjson => {}
        }
        Ok(Self { out, format, cells, written: Written::default() })
    }

    /// Writes one plant.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn add(&mut self, name: &str, id: PlantId, tag: &str) -> io::Result<()> {
        match self.format {
            FileFormat::Csv => {
                self.cell(name)?;
                write!(self.out, ",{id},")?;
                self.cell(tag)?;
                writeln!(self.out)?;
            }
            FileFormat::Json => {
                let comma = if self.written.plants == 0 { "" } else { "," };
                write!(self.out, "{comma}\n{}", json_text(&Told { name, id, tag })?)?;
            }
            FileFormat::Ndjson => writeln!(self.out, "{}", json_text(&Told { name, id, tag })?)?,
        }
        self.written.plants += 1;
        Ok(())
    }

    /// Ends the file, and gives back where it was written to, not flushed.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn end(mut self) -> io::Result<(W, Written)> {
        if self.format == FileFormat::Json {
            writeln!(self.out, "\n]")?;
        }
        Ok((self.out, self.written))
    }

    fn cell(&mut self, value: &str) -> io::Result<()> {
        let guarded = if self.cells == Cells::Guarded { guarded(value) } else { Cow::Borrowed(value) };
        self.written.changed_cells += u64::from(guarded != value);
        if guarded.contains(['"', ',', '\r', '\n']) {
            write!(self.out, "\"{}\"", guarded.replace('"', "\"\""))
        } else {
            write!(self.out, "{guarded}")
        }
    }
}

/// What begins a formula; the wide ones are taken for the others where they are pasted or converted.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A value with a `'` before what begins a formula: at its beginning, where tab and line breaks are left
/// out by what reads it, and after a line break, where some programs begin another row.
fn guarded(value: &str) -> Cow<'_, str> {
    let begins_formula = |text: &str| text.starts_with(FORMULA) || text.starts_with('\t');
    let at_beginning = begins_formula(value) || value.starts_with(['\r', '\n']);
    let breaks = value.match_indices(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
    let after_breaks = breaks.filter_map(|(at, found)| {
        let next = at + found.len();
        value.get(next..).filter(|rest| begins_formula(rest)).map(|_| next)
    });
    let mut guarded = String::new();
    let mut done = 0;
    for place in at_beginning.then_some(0).into_iter().chain(after_breaks) {
        guarded.push_str(value.get(done..place).unwrap_or_default());
        guarded.push('\'');
        done = place;
    }
    if guarded.is_empty() {
        return Cow::Borrowed(value);
    }
    guarded.push_str(value.get(done..).unwrap_or_default());
    Cow::Owned(guarded)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANTS: [(&str, i64, &str); 3] =
        [("Monstera", 7, "tropical"), ("\"5 cm\", tall", -1, ""), ("=1+1\u{1b}", 0, "-\r")];

    fn exported(format: FileFormat, cells: Cells, plants: &[(&str, i64, &str)]) -> (String, Written) {
        let mut exporter = Exporter::begin(Vec::new(), format, cells).unwrap();
        for (name, id, tag) in plants {
            exporter.add(name, PlantId(*id), tag).unwrap();
        }
        let (bytes, written) = exporter.end().unwrap();
        (String::from_utf8(bytes).unwrap(), written)
    }

    #[test]
    fn a_table_quotes_what_must_be() {
        let (text, written) = exported(FileFormat::Csv, Cells::Exact, &PLANTS);
        assert_eq!(text, "name,id,tag\nMonstera,7,tropical\n\"\"\"5 cm\"\", tall\",-1,\n=1+1\u{1b},0,\"-\r\"\n");
        assert_eq!(written, Written { plants: 3, changed_cells: 0 });
    }

    #[test]
    fn a_guarded_table_runs_nothing() {
        let (text, written) = exported(FileFormat::Csv, Cells::Guarded, &PLANTS);
        assert_eq!(text, "name,id,tag\nMonstera,7,tropical\n\"\"\"5 cm\"\", tall\",-1,\n'=1+1\u{1b},0,\"'-\r\"\n");
        assert_eq!(written, Written { plants: 3, changed_cells: 2 });
        for first in ["=", "+", "-", "@", "\t", "\r"] {
            assert_eq!(exported(FileFormat::Csv, Cells::Guarded, &[(first, 1, first)]).1.changed_cells, 2, "{first:?}");
        }
        assert_eq!(exported(FileFormat::Json, Cells::Guarded, &PLANTS).1.changed_cells, 0);
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
            assert_eq!(written.changed_cells, u64::from(value != safe));
            assert!(text.contains(safe), "{text}");
        }
    }

    #[test]
    fn json_is_an_object_in_each_line() {
        let (text, _) = exported(FileFormat::Json, Cells::Exact, &PLANTS[..2]);
        let lines = [r#"{"name":"Monstera","id":7,"tag":"tropical"}"#, r#"{"name":"\"5 cm\", tall","id":-1,"tag":""}"#];
        assert_eq!(text, format!("[\n{},\n{}\n]\n", lines[0], lines[1]));
        assert_eq!(exported(FileFormat::Ndjson, Cells::Exact, &PLANTS[..2]).0, format!("{}\n{}\n", lines[0], lines[1]));
        assert!(!exported(FileFormat::Ndjson, Cells::Exact, &PLANTS).0.contains('\u{1b}'), "no terminal obeys it");
    }

    #[test]
    fn no_plants_are_a_file_too() {
        let texts =
            [FileFormat::Csv, FileFormat::Json, FileFormat::Ndjson].map(|format| exported(format, Cells::Exact, &[]).0);
        assert_eq!(texts, ["name,id,tag\n", "[\n]\n", ""]);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let mut room = [0_u8; 20];
        let mut exporter = Exporter::begin(room.as_mut_slice(), FileFormat::Csv, Cells::Exact).unwrap();
        assert!(exporter.add("Monstera", PlantId(7), "tropical").is_err());
    }
}
