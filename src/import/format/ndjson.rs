//! NDJSON: a plant as a JSON object in each line.

use std::io::Read;

use super::super::row::{ImportRow, RowFault, RowSink};
use super::error::ReadError;
use super::ignored::Ignored;
use super::object;
use super::place::Place;
use super::source::Source;

/// Reads lines to their end; returns the keys that are not sent.
///
/// # Errors
///
/// A line has no end, or it cannot be read.
pub(super) fn read<R: Read>(mut source: Source<R>, row: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut ignored = Ignored::default();
    for line in 1.. {
        let place = Place { line, column: 1 };
        let Some((length, is_last)) = line_at(&mut source, place)? else { break };
        let text = source.held().get(..length).unwrap_or_default();
        if let Some(parsed) = parse(text, place, &mut ignored)
            && row(parsed).is_break()
        {
            break;
        }
        if is_last {
            break;
        }
        source.pass(length + 1);
    }
    Ok(ignored)
}

/// Waits until a line is held, and returns its length without its end, and whether it has none.
fn line_at<R: Read>(source: &mut Source<R>, place: Place) -> Result<Option<(usize, bool)>, ReadError> {
    let mut seen = 0;
    loop {
        let held = source.held();
        let end = held.get(seen..).unwrap_or_default().iter().position(|byte| *byte == b'\n').map(|end| seen + end);
        seen = held.len();
        if end.unwrap_or(seen) > source.limit {
            return Err(ReadError::endless(place.pair(), source.limit));
        }
        match end {
            Some(end) => return Ok(Some((end, false))),
            None if source.more()? => {}
            None => return Ok((seen > 0).then_some((seen, true))),
        }
    }
}

/// `None` for a line with nothing but white space.
fn parse(line: &[u8], place: Place, ignored: &mut Ignored) -> Option<Result<ImportRow, RowFault>> {
    let text = line.trim_ascii_start();
    let (space, _) = line.split_at_checked(line.len() - text.len())?;
    let text = text.trim_ascii_end();
    if text.is_empty() {
        return None;
    }
    Some(object::parse(text, place.behind(space), ignored).unwrap_or_else(|why| {
        let Place { line, column } = why.at;
        let reason = if why.is_cut_off {
            "the line ends before its object does: each object stands in a line of its own".to_owned()
        } else {
            why.reason
        };
        Err(RowFault { line, column, field: None, reason })
    }))
}
