//! Files of plants.

use std::io::{self, Read};
use std::ops::ControlFlow;

use plants::domain::Plant;
use plants::domain::export::{Cells, Exporter};
use plants::domain::import::{Contents, Format, Judged, Unreadable, read as read_rows};

use super::harmless_line;

const FORMATS: [Option<Format>; 4] = [None, Some(Format::Csv), Some(Format::Json), Some(Format::Ndjson)];

/// Gives its bytes one by one.
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
        assert_eq!((&rows, told(&end)), (&again, told(&other_end)), "read otherwise, byte by byte");
        let mut line = 0;
        let mut plants = Vec::new();
        for row in rows {
            let at = match row {
                Judged::Good(row) => {
                    plants.push(row.plant);
                    row.line
                }
                Judged::Bad(fault) => {
                    harmless_line(&fault.to_string());
                    assert!(fault.column > 0, "columns count from 1");
                    fault.line
                }
            };
            assert!(at > 0, "lines count from 1");
            // A fault within a row of several lines is told where it is, a good row where it begins.
            line = line.max(at);
        }
        assert!(line <= bytes.len() as u64 + 1, "line {line} of {} bytes", bytes.len());
        match end {
            Ok(contents) => contents.notes.iter().for_each(|note| harmless_line(note)),
            Err(why) => harmless_line(&why.to_string()),
        }
        comes_back(&plants);
    }
}

fn rows_of(input: impl Read, format: Option<Format>) -> (Vec<Judged>, Result<Contents, Unreadable>) {
    let mut rows = Vec::new();
    let end = read_rows(input, format, &mut |row| {
        rows.push(row);
        ControlFlow::Continue(())
    });
    (rows, end)
}

fn told(end: &Result<Contents, Unreadable>) -> Result<&Contents, String> {
    end.as_ref().map_err(ToString::to_string)
}

/// What was understood can be written in every format, and read again as the same.
fn comes_back(plants: &[Plant]) {
    for format in [Format::Csv, Format::Json, Format::Ndjson] {
        let mut exporter = Exporter::begin(Vec::new(), format, Cells::Exact).expect("memory takes it");
        for plant in plants {
            exporter.add(&plant.name, plant.id, &plant.tag).expect("memory takes it");
        }
        let (written, _) = exporter.end().expect("memory takes it");
        if written.is_empty() {
            continue;
        }
        let (rows, end) = rows_of(&*written, Some(format));
        end.expect("what was exported can be imported");
        let again: Vec<_> = rows
            .into_iter()
            .map(|row| match row {
                Judged::Good(row) => row.plant,
                Judged::Bad(fault) => unreachable!("what was exported is refused: {fault}"),
            })
            .collect();
        assert_eq!(again, plants, "what was exported came back otherwise");
    }
}
