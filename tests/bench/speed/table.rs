//! Prints each result as it is measured, and all of them as a Markdown table at the end.

use std::fmt::Write as _;

use crate::spread::{Spread, shown};

/// What `plants` is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Other<'a> {
    /// A program, and its values in the same rounds.
    Program(&'a str, &'a [f64]),
    /// A fixed value, which is a goal.
    Goal(f64),
}

/// A line of the table.
pub(crate) struct Row<'a> {
    /// What was measured.
    pub(crate) what: &'a str,
    /// The values of `plants`, one for each round.
    pub(crate) ours: &'a [f64],
    pub(crate) other: Other<'a>,
    /// Formats a value.
    pub(crate) shown: fn(f64) -> String,
}

/// The results so far, as Markdown.
pub(crate) struct Table(String);

impl Table {
    pub(crate) fn new() -> Self {
        Self("| what | ours | reference | ratio |\n| --- | --- | --- | --- |\n".to_owned())
    }

    pub(crate) fn into_markdown(self) -> String {
        self.0
    }

    /// Adds a line. Its ratio is that of the medians; its spread is that of the ratios of the rounds.
    pub(crate) fn row(&mut self, row: &Row<'_>) {
        let Row { what, ours, other, shown } = row;
        let (name, other, ratios) = match other {
            Other::Program(name, other) => {
                (*name, other.to_vec(), ours.iter().zip(*other).map(|(ours, other)| ours / other).collect())
            }
            Other::Goal(goal) => ("goal", vec![*goal], ours.iter().map(|ours| ours / goal).collect::<Vec<_>>()),
        };
        let [Some(ours), Some(other), Some(ratio)] = [*ours, &other, &ratios].map(Spread::of) else {
            return self.missing(what, "not measured");
        };
        let (all, by) = (ours.with(shown), other.with(shown));
        println!("{what}: {all}; {name} {by}; ratio {}; {} values", ratio.with(shown_ratio), ratios.len());
        let ratio_of_medians = ours.median / other.median;
        let other = format!("{} {name}", shown(other.median));
        self.line(what, &shown(ours.median), &other, &shown_ratio(ratio_of_medians));
    }

    /// Adds a line for each kind of wait, in seconds, and one for all of them: median, 99th percentile and maximum. The
    /// ratio is that of the 99th percentile to the limit.
    pub(crate) fn waits(&mut self, what: &str, kinds: &[(&str, Vec<f64>)], limit: f64, note: &str) {
        let of = |mut seconds: Vec<f64>| {
            seconds.sort_by(f64::total_cmp);
            [50, 99, 100].map(|percent| seconds[(seconds.len() * percent).div_ceil(100) - 1])
        };
        let text =
            |[half, most, all]: [f64; 3]| format!("p50 {}, p99 {}, max {}", shown(half), shown(most), shown(all));
        for (kind, seconds) in kinds {
            println!("{what}, {kind}: {} of {}", text(of(seconds.clone())), seconds.len());
        }
        let all = of(kinds.iter().flat_map(|(_, seconds)| seconds.clone()).collect());
        println!("{what}: {}{note}", text(all));
        let goal = format!("{} goal", shown(limit));
        self.line(what, &text(all), &goal, &format!("p99 {}", shown_ratio(all[1] / limit)));
    }

    /// Adds a line without values.
    pub(crate) fn missing(&mut self, what: &str, why: &str) {
        println!("{what}: {why}");
        self.line(what, "—", why, "");
    }

    fn line(&mut self, what: &str, ours: &str, other: &str, ratio: &str) {
        let _ = writeln!(self.0, "| {what} | {ours} | {other} | {ratio} |");
    }
}

/// Formats a ratio; there is none to zero.
fn shown_ratio(ratio: f64) -> String {
    if ratio.is_finite() { format!("{ratio:.2}") } else { "—".to_owned() }
}

/// Formats a number of bytes in millions.
pub(crate) fn megabytes(bytes: f64) -> String {
    format!("{:.2} MB", bytes / 1e6)
}

pub(crate) fn bytes(bytes: f64) -> String {
    format!("{bytes:.0} bytes")
}

pub(crate) fn rate(value: f64) -> String {
    format!("{value:.0}/s")
}
