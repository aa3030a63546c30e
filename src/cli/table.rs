//! A result of any length, printed a page at a time: a JSON array, a table, or text under a heading.

use std::io::{self, BufWriter, Write as _};

use color_eyre::eyre;

use super::error::OrExit as _;
use super::exit::Exit;
use super::print::{self, written};
use crate::domain::Row;
use crate::domain::text::{clean_fit, clean_padded};
use crate::journal::JournalError;

/// Items read at once.
pub(super) const PAGE: usize = 1000;

/// Columns of a tag; `--json` has all of it.
pub(super) const TAG: usize = 24;
/// Columns of a name at most; `--json` has all of it.
const NAME: usize = 200;

/// Where the text of a column stands, and how many columns of the terminal it takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    Left(usize),
    Right(usize),
    /// The last one: as long as it is.
    Rest,
}

/// Renders the cells of a row, or the headings.
pub(super) fn row<const N: usize>(columns: [Column; N], cells: [&str; N]) -> String {
    let cell = |(column, text): (Column, &str)| match column {
        Column::Left(width) => clean_padded(text, width),
        Column::Right(width) => format!("{text:>width$}"),
        Column::Rest => text.to_owned(),
    };
    columns.into_iter().zip(cells).map(cell).collect::<Vec<_>>().join("  ")
}

/// Returns a plant's tag and its name for the cells of a row.
pub(super) fn tag_and_name(row: &Row) -> (&str, String) {
    let name = row.name().map_or_else(|| "(name not known)".to_owned(), |name| clean_fit(name, NAME));
    (row.tag().unwrap_or_default(), name)
}

/// Prints every item of every page, until one is empty: a JSON array, or texts under a heading. Where there
/// is none it says `nothing`. Returns whether there were some, and stdout kept its reader to the end.
pub(super) async fn print<Item>(
    json: bool,
    heading: &str,
    mut page: impl AsyncFnMut() -> Result<Vec<Item>, JournalError>,
    mut text: impl FnMut(&Item) -> serde_json::Result<String>,
    nothing: &str,
) -> eyre::Result<bool> {
    let mut count = 0;
    loop {
        let items = page().await.or_exit(Exit::NotSent)?;
        let texts: Vec<_> = items.iter().map(&mut text).collect::<Result<_, _>>()?;
        if !written(print_page(json, heading, &texts, count))? {
            return Ok(false);
        }
        if texts.is_empty() {
            break;
        }
        count += texts.len();
    }
    if count == 0 {
        print::message(nothing);
    }
    Ok(count > 0)
}

/// Prints one page after as many items; an empty one is the end.
fn print_page(json: bool, heading: &str, texts: &[String], before: usize) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if json && before == 0 {
        write!(out, "[")?;
    }
    for (number, text) in (before..).zip(texts) {
        match (json, number) {
            (true, 0) => write!(out, "{text}")?,
            (true, _) => write!(out, ",{text}")?,
            (false, 0) => writeln!(out, "{heading}\n{text}")?,
            (false, _) => writeln!(out, "{text}")?,
        }
    }
    if json && texts.is_empty() {
        writeln!(out, "]")?;
    }
    out.flush()
}
