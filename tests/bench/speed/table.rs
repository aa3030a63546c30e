//! Prints the table of results, aligned or as Markdown.

use crate::spread::{Spread, shown};

/// The required result.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Figure {
    /// The ratio is no larger.
    AtMost(f64),
    /// The ratio is no smaller.
    AtLeast(f64),
    /// The value of `plants` is zero in every round.
    Zero,
}

impl Figure {
    fn label(self) -> String {
        match self {
            Self::AtMost(most) => format!("≤ {most}"),
            Self::AtLeast(least) => format!("≥ {least}"),
            Self::Zero => "0".to_owned(),
        }
    }
}

/// A line of the table. Each side has one value for each round.
pub(crate) struct Row<'a> {
    /// What was measured.
    pub(crate) what: &'a str,
    /// The values of `plants`; empty if they cannot be measured, for the reason in `note`.
    pub(crate) ours: &'a [f64],
    /// The name of the other side, and its values in the same rounds.
    pub(crate) other: Option<(&'a str, &'a [f64])>,
    pub(crate) figure: Option<Figure>,
    /// Formats a value.
    pub(crate) shown: fn(f64) -> String,
    pub(crate) note: &'a str,
}

const COLUMNS: [&str; 6] = ["what", "ours", "reference", "ratio", "figure", "reached"];

/// The widths of the aligned columns.
const WIDTHS: [usize; 6] = [72, 42, 62, 20, 12, 0];

/// Explains the values.
pub(crate) const ABOUT: &str = "Medians, in brackets the 10th and the 90th percentile; a ratio is that of each round's two sides. For keys the \
     median, the 99th percentile and the maximum.";

/// A table that is printed line by line.
pub(crate) struct Table {
    is_markdown: bool,
    has_lines: bool,
}

impl Table {
    pub(crate) fn new(is_markdown: bool) -> Self {
        Self { is_markdown, has_lines: false }
    }

    /// Begins a part of the table.
    pub(crate) fn part(&mut self, title: &str) {
        if !self.is_markdown {
            println!("\n{title}");
            self.line(&COLUMNS.map(str::to_owned));
        }
    }

    /// Adds a line.
    pub(crate) fn row(&mut self, row: &Row<'_>) {
        let spread = |values: &[f64]| (!values.is_empty()).then(|| Spread::of(values.iter().copied()));
        let text = |values: &[f64]| spread(values).map_or_else(|| "—".to_owned(), |spread| spread.with(row.shown));
        let ratios: Vec<_> = match row.other {
            Some((_, other)) => row.ours.iter().zip(other).map(|(ours, other)| ours / other).collect(),
            None => Vec::new(),
        };
        let ratio = spread(&ratios);
        let is_reached = match row.figure {
            Some(Figure::AtMost(most)) => ratio.as_ref().map(|ratio| ratio.median <= most),
            Some(Figure::AtLeast(least)) => ratio.as_ref().map(|ratio| ratio.median >= least),
            Some(Figure::Zero) if row.ours.is_empty() => None,
            Some(Figure::Zero) => Some(row.ours.iter().all(|value| *value == 0.0)),
            None => None,
        };
        let reference = row.other.map(|(name, other)| match text(other) {
            text if other.is_empty() => format!("{name} {text}"),
            text => format!("{text} {name}"),
        });
        let reached = match (row.figure, is_reached) {
            (Some(_), Some(true)) => "yes",
            (Some(_), Some(false)) => "no",
            (Some(_), None) => "not measured",
            (None, _) => "",
        };
        let note = if row.note.is_empty() { String::new() } else { format!(" ({})", row.note) };
        self.line(&[
            row.what.to_owned(),
            text(row.ours),
            reference.unwrap_or_default(),
            ratio.map_or_else(String::new, |ratio| ratio.with(|ratio| format!("{ratio:.2}"))),
            row.figure.map(Figure::label).unwrap_or_default(),
            format!("{reached}{note}"),
        ]);
    }

    /// Adds a line of times in seconds: their median, 99th percentile and maximum. `most` is the required 99th percentile.
    pub(crate) fn waits(&mut self, what: &str, seconds: &[f64], most: Option<f64>, note: &str) {
        let mut seconds = seconds.to_vec();
        seconds.sort_by(f64::total_cmp);
        let of = |percent: usize| seconds.get((seconds.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        let text = |name: &str, value: Option<f64>| format!("{name} {}", value.map_or_else(|| "—".to_owned(), shown));
        let reached = match (most, of(99)) {
            (Some(most), Some(seconds)) if seconds < most => "yes",
            (Some(_), Some(_)) => "no",
            (Some(_), None) => "not measured",
            (None, _) => "",
        };
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        self.line(&[
            what.to_owned(),
            [text("p50", of(50)), text("p99", of(99)), text("max", of(100))].join(", "),
            String::new(),
            String::new(),
            most.map_or_else(String::new, |most| format!("p99 < {:.0} ms", most * 1e3)),
            format!("{reached}{note}"),
        ]);
    }

    fn line(&mut self, cells: &[String; COLUMNS.len()]) {
        if !self.is_markdown {
            let padded = cells.iter().zip(WIDTHS).map(|(cell, width)| format!("{cell:<width$}"));
            println!("{}", padded.collect::<Vec<_>>().join("  ").trim_end());
            return;
        }
        if !std::mem::replace(&mut self.has_lines, true) {
            println!("| {} |\n|{}", COLUMNS.join(" | "), " --- |".repeat(COLUMNS.len()));
        }
        println!("| {} |", cells.join(" | "));
    }
}

pub(crate) fn mebibytes(bytes: f64) -> String {
    format!("{:.1} MiB", bytes / f64::from(1 << 20))
}

pub(crate) fn count(value: f64) -> String {
    format!("{value:.0}")
}

pub(crate) fn rate(value: f64) -> String {
    format!("{value:.0}/s")
}
