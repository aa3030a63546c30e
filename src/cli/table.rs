//! Prints a result of any length page by page: a JSON array, a table, or text under a heading; for a person, a table in
//! the width of the terminal.

use color_eyre::eyre;
use futures::future::join;
use ratatui::text::{Line, Span};

use super::error::{Exit, OrExit as _};
use super::pager::Paged;
use super::print::{self, written};
use super::terminal_output::Terminal;
use crate::domain::Row;
use crate::journal::JournalError;
use crate::text::columns::{Column, fitting};
use crate::text::{clean_fit, clean_padded, columns_of};

/// Number of items that are read at once.
pub(super) const PAGE: usize = 1000;

/// Columns between two columns on a terminal.
pub(super) const GAP: usize = 2;
/// Columns of a table on a narrower terminal, which breaks its lines.
pub(super) const LEAST: usize = 40;
/// Columns of a table in a pipe: nothing is cut.
const UNLIMITED: usize = 1 << 20;
/// Columns of a text that is cut, before another column is left out for it.
const CUT: usize = 8;

/// Greatest width of a name or a tag in a pipe; only `--json` prints longer ones whole.
const LONGEST: usize = 200;

/// How a column gives way on a terminal that is too narrow.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Left,
    Right,
    /// Is cut, by its weight among the columns of this kind.
    Cut(usize),
    /// Is left out.
    Optional,
}

/// A table of plain texts, whose columns are as wide as their texts. The first page sets the widths; a later one with
/// longer texts widens them.
#[derive(Debug)]
pub(super) struct Table<const N: usize>([(&'static str, Kind, usize); N]);

impl<const N: usize> Table<N> {
    /// Takes the columns, each with its heading.
    pub(super) fn new(columns: [(&'static str, Kind); N]) -> Self {
        Self(columns.map(|(heading, kind)| (heading, kind, heading.len())))
    }

    /// Renders the heading and rows, in the width of the terminal if there is one.
    pub(super) fn lines(&mut self, terminal: Option<&Terminal>, rows: &[[String; N]]) -> Lines {
        let room = terminal.map_or(UNLIMITED, |terminal| terminal.columns.max(LEAST));
        for row in rows {
            for ((_, _, width), text) in self.0.iter_mut().zip(row) {
                *width = columns_of(text, room).max(*width);
            }
        }
        let column = |(_, kind, width)| match kind {
            Kind::Left | Kind::Right => Column::whole(width, 0),
            Kind::Cut(weight) => Column::flexible(width, CUT, weight),
            Kind::Optional => Column::whole(width, 0).optional(),
        };
        let widths = fitting(self.0.map(column), GAP, room);
        let line = |cells: [&str; N]| {
            let cells = self.0.iter().zip(cells).zip(widths).map(|(((_, kind, _), text), width)| match kind {
                Kind::Right => (format!("{text:>width$}").into(), width),
                Kind::Left | Kind::Cut(_) | Kind::Optional => (clean_padded(text, width).into(), width),
            });
            let line = joined(cells);
            terminal.map_or_else(|| line.to_string(), |terminal| terminal.text(&line))
        };
        let heading = line(self.0.map(|(heading, ..)| heading));
        (heading, rows.iter().map(|row| line(row.each_ref().map(String::as_str))).collect())
    }
}

/// Joins the cells of a row for a terminal, each with its width. Those of width 0 are left out.
pub(super) fn joined(cells: impl IntoIterator<Item = (Span<'static>, usize)>) -> Line<'static> {
    let mut line = Line::default();
    for (cell, _) in cells.into_iter().filter(|(_, width)| *width > 0) {
        if !line.spans.is_empty() {
            line.push_span(" ".repeat(GAP));
        }
        line.push_span(cell);
    }
    if let Some(last) = line.spans.last_mut() {
        last.content = last.content.trim_end().to_owned().into();
    }
    line
}

/// Returns a plant's name and its tag for the cells of a row.
pub(super) fn name_and_tag(row: &Row) -> [String; 2] {
    let name = row.name().unwrap_or("(name not known)");
    [name, row.tag().unwrap_or_default()].map(|text| clean_fit(text, LONGEST))
}

/// The heading of a table, and the lines of a page.
pub(super) type Lines = (String, Vec<String>);

/// Renders pages, one after another.
pub(super) type Render<'a, Item> = Box<dyn FnMut(&[Item]) -> Lines + 'a>;

/// Prints the items of all pages up to the first empty page, as lines below a heading; on a terminal through a pager if they
/// are many. If there are none, prints the message `nothing`. Returns whether there were items, and all were read.
pub(super) async fn print<Item>(
    terminal: Option<&Terminal>,
    has_heading: bool,
    page: impl AsyncFnMut() -> Result<Vec<Item>, JournalError>,
    mut lines: impl FnMut(&[Item]) -> Lines,
    nothing: &str,
) -> eyre::Result<bool> {
    let mut paged = Paged::new(terminal);
    let print = |items: &[Item], before| {
        if items.is_empty() {
            return written(paged.end());
        }
        let (heading, lines) = lines(items);
        let heading = (before == 0 && has_heading).then_some(heading);
        written(paged.print(heading.into_iter().chain(lines)))
    };
    each_page(page, print, nothing).await
}

/// Prints the items of all pages as [`print()`] does, but as a JSON array, or as JSON on a line each. `push` appends the
/// value of an item.
pub(super) async fn print_json<Item>(
    on_lines: bool,
    page: impl AsyncFnMut() -> Result<Vec<Item>, JournalError>,
    push: impl Fn(&mut Vec<u8>, &Item) -> serde_json::Result<()>,
    nothing: &str,
) -> eyre::Result<bool> {
    let [open, between, end, close] = if on_lines { ["", "", "\n", ""] } else { ["[", ",", "", "]\n"] };
    let mut text = Vec::new();
    let print = |items: &[Item], before| {
        text.clear();
        if before == 0 {
            text.extend(open.bytes());
        }
        for (number, item) in (before..).zip(items) {
            if number > 0 {
                text.extend(between.bytes());
            }
            push(&mut text, item)?;
            text.extend(end.bytes());
        }
        if items.is_empty() {
            text.extend(close.bytes());
        }
        written(print::whole(&text))
    };
    each_page(page, print, nothing).await
}

/// Calls `print` with each page and the number of items before it, and at last with an empty one. Ends when `print`
/// returns that there is no reader any more.
async fn each_page<Item>(
    mut page: impl AsyncFnMut() -> Result<Vec<Item>, JournalError>,
    mut print: impl FnMut(&[Item], usize) -> eyre::Result<bool>,
    nothing: &str,
) -> eyre::Result<bool> {
    let mut count = 0;
    let mut items = page().await.or_exit(Exit::NotSent)?;
    while !items.is_empty() {
        // The journal reads the next page meanwhile.
        let (next, printed) = join(page(), async { print(&items, count) }).await;
        if !printed? {
            return Ok(false);
        }
        count += items.len();
        items = next.or_exit(Exit::NotSent)?;
    }
    if !print(&[], count)? {
        return Ok(false);
    }
    if count == 0 {
        print::message(nothing);
    }
    Ok(count > 0)
}
