//! Prints a result of any length page by page: a JSON array, a table, or text under a heading.

use std::io::{self, BufWriter, Write as _};

use color_eyre::eyre;
use futures::future::join;

use super::error::{Exit, OrExit as _};
use super::print::{self, written};
use crate::domain::Row;
use crate::domain::text::{clean_fit, clean_padded};
use crate::journal::JournalError;

/// Number of items that are read at once.
pub(super) const PAGE: usize = 1000;

/// Width of a tag; only `--json` prints longer ones whole.
pub(super) const TAG: usize = 24;
/// Greatest width of a name; only `--json` prints longer ones whole.
const NAME: usize = 200;

/// The alignment of a column, and its width on the terminal.
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    Left(usize),
    Right(usize),
    /// The last column, of any width.
    Rest,
}

/// Renders the cells of a row, or of the heading.
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

/// Prints the items of all pages up to the first empty page, as a JSON array or as texts under a heading.
/// If there are none, prints the message `nothing`. Returns whether there were items, and all were read.
pub(super) async fn print<Item>(
    json: bool,
    heading: &str,
    mut page: impl AsyncFnMut() -> Result<Vec<Item>, JournalError>,
    mut text: impl FnMut(&Item) -> serde_json::Result<String>,
    nothing: &str,
) -> eyre::Result<bool> {
    let mut count = 0;
    let mut items = page().await.or_exit(Exit::NotSent)?;
    while !items.is_empty() {
        // The journal reads the next page meanwhile.
        let (next, printed) = join(page(), async {
            let texts: Vec<_> = items.iter().map(&mut text).collect::<Result<_, _>>()?;
            written(print_page(json, heading, &texts, count))
        })
        .await;
        if !printed? {
            return Ok(false);
        }
        count += items.len();
        items = next.or_exit(Exit::NotSent)?;
    }
    if !written(print_page(json, heading, &[], count))? {
        return Ok(false);
    }
    if count == 0 {
        print::message(nothing);
    }
    Ok(count > 0)
}

/// Prints one page; an empty page is the end. `before` is the number of items on the pages before.
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
