//! Reads bytes as a file of plants, in every format.

use std::io::{self, Read};
use std::ops::ControlFlow;

use plants::domain::Plant;
use plants::domain::export::{Cells, Exporter};
use plants::domain::file_format::FileFormat;
use plants::import::{Contents, ImportRow, ReadError, RowFault, read as read_rows};

use super::assert_harmless_line;

const FORMATS: [Option<FileFormat>; 4] =
    [None, Some(FileFormat::Csv), Some(FileFormat::Json), Some(FileFormat::Ndjson)];

/// Returns one byte at each read.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some((first, rest)), Some(room)) = (self.0.split_first(), buffer.first_mut()) else { return Ok(0) };
        *room = *first;
        self.0 = rest;
        Ok(1)
    }
}

pub(super) fn read(bytes: &[u8]) {
    for format in FORMATS {
        let (rows, end) = rows_of(bytes, format);
        let (again, other_end) = rows_of(Slow(bytes), format);
        assert_eq!((&rows, comparable(&end)), (&again, comparable(&other_end)), "other rows, byte by byte");
        let mut line = 0;
        let mut plants = Vec::new();
        for row in rows {
            let at = match row {
                Ok(row) => {
                    plants.push(row.plant);
                    row.number.line
                }
                Err(fault) => {
                    assert_harmless_line(&fault.to_string());
                    assert!(fault.column > 0, "columns count from 1");
                    fault.line
                }
            };
            assert!(at > 0, "lines count from 1");
            // The line of a fault may be within a row of several lines.
            line = line.max(at);
        }
        assert!(line <= bytes.len() as u64 + 1, "line {line} of {} bytes", bytes.len());
        match end {
            Ok(contents) => contents.notes.iter().for_each(|note| assert_harmless_line(note)),
            Err(why) => assert_harmless_line(&why.to_string()),
        }
        assert_round_trip(&plants);
    }
}

fn rows_of(
    input: impl Read,
    format: Option<FileFormat>,
) -> (Vec<Result<ImportRow, RowFault>>, Result<Contents, ReadError>) {
    let mut rows = Vec::new();
    let end = read_rows(input, format, None, &mut |row| {
        rows.push(row);
        ControlFlow::Continue(())
    });
    (rows, end)
}

fn comparable(end: &Result<Contents, ReadError>) -> Result<&Contents, String> {
    end.as_ref().map_err(ToString::to_string)
}

/// Asserts that the plants, exported in any format, are imported unchanged.
fn assert_round_trip(plants: &[Plant]) {
    for format in [FileFormat::Csv, FileFormat::Json, FileFormat::Ndjson] {
        let mut exporter = Exporter::begin(Vec::new(), format, Cells::Exact).expect("written to memory");
        for plant in plants {
            exporter.add(&plant.name, plant.id, &plant.tag).expect("written to memory");
        }
        let (written, _) = exporter.end().expect("written to memory");
        if written.is_empty() {
            continue;
        }
        let (rows, end) = rows_of(&*written, Some(format));
        end.expect("an exported file can be imported");
        let again: Vec<_> = rows
            .into_iter()
            .map(|row| match row {
                Ok(row) => row.plant,
                Err(fault) => unreachable!("an exported row is invalid: {fault}"),
            })
            .collect();
        assert_eq!(again, plants, "an export changed the plants");
    }
}
