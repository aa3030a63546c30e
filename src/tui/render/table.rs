//! A table of texts, in the interface and on the command line: its headings, and the cells of a row, each cut and padded to
//! the width of its column. Must not know which columns a table has.

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use crate::domain::PlantId;
use crate::domain::sentence::called;
use crate::text::columns::Column;
use crate::text::{clean_padded, columns_of, fit_before};

/// One column: its heading, and the room that it takes besides its texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    name: &'static str,
    pub(crate) column: Column,
    is_right_aligned: bool,
    /// The width of its texts, if another column would be cut for its heading, which is wider than each of them.
    gives_way_to: Option<usize>,
}

impl Head {
    pub(crate) const fn left(name: &'static str, column: Column) -> Self {
        Self { name, column, is_right_aligned: false, gives_way_to: None }
    }

    pub(crate) const fn right(name: &'static str, column: Column) -> Self {
        Self { is_right_aligned: true, ..Self::left(name, column) }
    }

    /// Leaves the heading out where another column would be cut for it, unless the rows are sorted by this one.
    pub(crate) const fn giving_way_to(self, width: usize) -> Self {
        Self { gives_way_to: Some(width), ..self }
    }
}

/// The text of a row in one column, not yet cut.
pub(crate) enum Cell<'a> {
    Text(Span<'a>),
    /// `Monstera (7)`: the name is cut before the id, and left out with its brackets where it has no room.
    Plant(PlantId, Option<&'a str>),
}

impl<'a, Text: Into<Span<'a>>> From<Text> for Cell<'a> {
    fn from(text: Text) -> Self {
        Self::Text(text.into())
    }
}

impl Cell<'_> {
    /// Returns the width of the text, up to `most`.
    fn width(&self, most: usize) -> usize {
        match self {
            Self::Text(text) => columns_of(&text.content, most),
            Self::Plant(id, Some(name)) if !name.is_empty() => columns_of(name, most) + id_part(*id).len(),
            Self::Plant(id, _) => called(*id, None).len(),
        }
    }

    fn fitted(&self, head: &Head, width: usize) -> Span<'static> {
        match self {
            Self::Text(text) if head.is_right_aligned => Span::styled(format!("{:>width$}", text.content), text.style),
            Self::Text(text) => Span::styled(clean_padded(&text.content, width), text.style),
            Self::Plant(id, name) => Span::raw(clean_padded(&named(*id, *name, width), width)),
        }
    }
}

fn named(id: PlantId, name: Option<&str>, columns: usize) -> String {
    let (id_part, whole) = (id_part(id), called(id, None));
    match name.filter(|name| !name.is_empty()) {
        Some(name) if columns > id_part.len() + 2 => fit_before(name, &id_part, columns),
        Some(_) | None if whole.len() <= columns => whole,
        Some(_) | None => id.to_string(),
    }
}

fn id_part(id: PlantId) -> String {
    format!(" ({id})")
}

/// Returns the widths of the texts of a row, up to `most`.
pub(crate) fn widths<const N: usize>(cells: &[Cell<'_>; N], most: usize) -> [usize; N] {
    cells.each_ref().map(|cell| cell.width(most))
}

/// Returns the widths of the headings, with room for an arrow beside each; `sorted` is the index of the column by which the
/// rows are sorted.
pub(crate) fn heading_widths<const N: usize>(heads: &[Head; N], sorted: Option<usize>, arrow: usize) -> [usize; N] {
    let mut at = 0..;
    heads.each_ref().map(|head| {
        let is_sorted = at.next() == sorted;
        head.gives_way_to.filter(|_| !is_sorted).unwrap_or(head.name.len() + arrow)
    })
}

/// Returns the columns for texts of these widths.
pub(crate) fn columns<const N: usize>(heads: &[Head; N], needed: [usize; N]) -> [Column; N] {
    let mut needed = needed.into_iter();
    heads.each_ref().map(|head| head.column.holding(needed.next().unwrap_or_default()))
}

/// Cuts and pads each text to the width of its column.
pub(crate) fn fitted<const N: usize>(
    heads: &[Head; N],
    cells: &[Cell<'_>; N],
    widths: [usize; N],
) -> [Span<'static>; N] {
    let mut columns = heads.iter().zip(widths);
    cells.each_ref().map(|cell| columns.next().map(|(head, width)| cell.fitted(head, width)).unwrap_or_default())
}

/// Returns the headings, aligned like the cells; the one with the index `sorted` has an arrow beside it and a style of its
/// own.
pub(crate) fn headings<const N: usize>(
    heads: &[Head; N],
    widths: [usize; N],
    sorted: Option<(usize, &str)>,
    [style, of_sorted]: [Style; 2],
) -> [Span<'static>; N] {
    let mut columns = widths.into_iter().enumerate();
    heads.each_ref().map(|Head { name, is_right_aligned, .. }| {
        let (at, width) = columns.next().unwrap_or_default();
        let (arrow, style) =
            sorted.filter(|(sorted, _)| *sorted == at).map_or(("", style), |(_, arrow)| (arrow, of_sorted));
        let text = match (is_right_aligned, name.width() + arrow.width() <= width) {
            (false, _) => clean_padded(&format!("{name}{arrow}"), width),
            (true, true) => format!("{:>width$}", format!("{arrow}{name}")),
            (true, false) => " ".repeat(width),
        };
        Span::styled(text, style)
    })
}
