//! Reads NDJSON: a plant as a JSON object in each line.

use std::io::Read;

use super::super::row::{ImportRow, RowFault, RowSink};
use super::error::ReadError;
use super::ignored::Ignored;
use super::json::CUT_OFF;
use super::object;
use super::position::Position;
use super::source::{CTRL_Z, Source};

/// Reads all lines; returns the keys that are not sent.
///
/// # Errors
///
/// A line is too long, the file is cut off within its last line, or it cannot be read.
pub(super) fn read<R: Read>(mut source: Source<R>, row: RowSink<'_>) -> Result<Ignored, ReadError> {
    let mut ignored = Ignored::default();
    for line in 1.. {
        let at = Position { line, column: 1 };
        let Some((length, is_last)) = line_at(&mut source, at)? else { break };
        let text = source.held().get(..length).unwrap_or_default();
        if let Some(parsed) = parse(text, at, is_last, &mut ignored)?
            && row(parsed).is_break()
        {
            break;
        }
        if is_last {
            break;
        }
        source.skip(length + 1);
    }
    Ok(ignored)
}

/// Reads until a whole line is held. Returns its length without the line end, and whether it is the last line.
fn line_at<R: Read>(source: &mut Source<R>, at: Position) -> Result<Option<(usize, bool)>, ReadError> {
    let mut seen = 0;
    loop {
        let held = source.held();
        let end = held.get(seen..).unwrap_or_default().iter().position(|byte| *byte == b'\n').map(|end| seen + end);
        seen = held.len();
        if end.unwrap_or(seen) > source.limit {
            return Err(ReadError::endless(at, source.limit));
        }
        match end {
            Some(end) => return Ok(Some((end, false))),
            None if source.more()? => {}
            None => return Ok((seen > 0).then_some((seen, true))),
        }
    }
}

/// A row, good or bad; `None` for a blank line.
type Parsed = Result<Option<Result<ImportRow, RowFault>>, ReadError>;

fn parse(line: &[u8], at: Position, is_last: bool, ignored: &mut Ignored) -> Parsed {
    let text = line.trim_ascii_start();
    let space = line.get(..line.len() - text.len()).unwrap_or_default();
    let text = text.trim_ascii_end();
    if text.iter().all(|byte| *byte == CTRL_Z) {
        return Ok(None);
    }
    object::parse(text, at.after(space), ignored).map_or_else(
        |error| {
            if error.is_cut_off && is_last {
                return Err(ReadError::at(at, CUT_OFF));
            }
            let Position { line, column } = error.at;
            let reason = if error.is_cut_off {
                "the line ends before its object does: each object stands in a line of its own".to_owned()
            } else {
                error.reason
            };
            Ok(Some(Err(RowFault { line, column, field: None, reason })))
        },
        Ok,
    )
}
