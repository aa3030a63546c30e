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
use crate::text::clean_fit;
use crate::text::columns::{Column, fitting, longest};
use crate::tui::render::table::{Cell, Head, columns, fitted, heading_widths, headings, widths};

/// Number of items that are read at once.
pub(super) const PAGE: usize = 1000;

/// Columns between two columns.
const GAP: usize = 2;
/// Columns of a table on a narrower terminal, which breaks its lines.
const LEAST: usize = 40;
/// Columns of a table in a pipe: nothing is cut.
const UNLIMITED: usize = 1 << 20;

/// Greatest width of a name or a tag in a pipe; only `--json` prints longer ones whole.
const LONGEST: usize = 200;

/// A column that is never cut.
pub(super) const WHOLE: Column = Column::whole(0, 0);

/// A table whose columns are as wide as their texts, and fit into the terminal if there is one. The first page sets the
/// widths; a later one with longer texts widens them.
pub(super) struct Table<'a, const N: usize> {
    heads: [Head; N],
    needed: [usize; N],
    terminal: Option<&'a Terminal>,
}

impl<'a, const N: usize> Table<'a, N> {
    pub(super) fn new(heads: [Head; N], terminal: Option<&'a Terminal>) -> Self {
        Self { heads, needed: heading_widths(&heads, None, 0), terminal }
    }

    /// Renders the heading and rows.
    pub(super) fn lines<'row>(&mut self, rows: impl IntoIterator<Item = [Cell<'row>; N]>) -> Lines {
        let (heads, rows) = (&self.heads, rows.into_iter().collect::<Vec<_>>());
        let room = self.terminal.map_or(UNLIMITED, |terminal| terminal.columns.max(LEAST));
        self.needed = longest(rows.iter().map(|cells| widths(cells, room)).chain([self.needed]));
        let widths = self.terminal.map_or(self.needed, |_| fitting(columns(heads, self.needed), GAP, room));
        let line = |cells: [Span<'static>; N]| {
            let line = joined(cells.into_iter().zip(widths));
            self.terminal.map_or_else(|| line.to_string(), |terminal| terminal.text(&line))
        };
        let dim = self.terminal.map(|terminal| terminal.theme.dim).unwrap_or_default();
        let heading = line(headings(heads, widths, None, [dim; 2]));
        (heading, rows.iter().map(|cells| line(fitted(heads, cells, widths))).collect())
    }
}

/// Joins the cells of a row, each with its width. Those of width 0 are left out.
fn joined(cells: impl IntoIterator<Item = (Span<'static>, usize)>) -> Line<'static> {
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
