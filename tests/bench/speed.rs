//! Compares the speed of `plants` with that of programs that do a part of its work.
//!
//! `cargo bench --bench speed`; `-- --quick` is shorter, `-- --only NAME` measures one part, `-- --servers URLS` measures
//! a team over these servers. The sides take turns, so that
//! the load of the machine affects all of them; the ratios count. A slow result is no failure.

#![expect(clippy::unwrap_used, reason = "a benchmark whose setup fails has failed")]
#![expect(clippy::print_stdout, reason = "the result is printed")]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

#[path = "speed/commands.rs"]
mod commands;
#[path = "speed/interface.rs"]
mod interface;
#[path = "speed/programs.rs"]
mod programs;
#[path = "speed/session.rs"]
mod session;
#[path = "speed/store.rs"]
mod store;
#[path = "speed/team.rs"]
mod team;

struct Extent {
    /// Rounds of starts.
    starts: usize,
    /// Rounds of 20 adds.
    adds: usize,
    /// Rounds of imports and checks.
    long: usize,
    /// Plants in the large journal.
    plants: u32,
    /// Keys of each kind.
    keys: usize,
    /// Plants of one import.
    imported: u32,
    /// More plants than can be imported while the keys are pressed.
    endless: u32,
    /// Running servers of a team; without them, one is started.
    servers: Option<String>,
}

const WHOLE: Extent = Extent {
    starts: 30,
    adds: 8,
    long: 5,
    plants: 1_000_000,
    keys: 80,
    imported: 50_000,
    endless: 2_000_000,
    servers: None,
};
const QUICK: Extent = Extent {
    starts: 10,
    adds: 2,
    long: 2,
    plants: 100_000,
    keys: 24,
    imported: 20_000,
    endless: 600_000,
    servers: None,
};

/// A part of the benchmark: its name for `--only`, and its function.
type Part = (&'static str, fn(&Extent));

const PARTS: [Part; 7] = [
    ("start", interface::starts),
    ("idle", interface::idle),
    ("keys", interface::keys),
    ("import", commands::imports),
    ("add", commands::adds),
    ("check", commands::checks),
    ("team", team::teams),
];

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((word, _)) if word == store::WORD => return store::serve(),
        Some((word, rest)) if word == programs::LOOP => return programs::send(rest),
        _ => {}
    }
    let value =
        |name: &str| words.iter().position(|word| word == name).map(|at| words.get(at + 1).map_or("", String::as_str));
    let only = value("--only");
    let extent = if words.iter().any(|word| word == "--quick") { QUICK } else { WHOLE };
    let extent = Extent { servers: value("--servers").map(str::to_owned), ..extent };
    println!("| what | ours | reference | ratio | goal |\n| --- | --- | --- | --- | --- |");
    for (name, measure) in PARTS {
        if only.is_none_or(|only| only == name) {
            measure(&extent);
        }
    }
}

/// A line of the table: what was measured, how a value is formatted, and the goal.
type Row<'a> = (&'a str, fn(f64) -> String, &'a str);

/// Measures two sides in turn, after a warm-up of each, and prints a line for each of their values: the medians and the
/// ratio of the medians.
fn compare<const VALUES: usize>(
    rounds: usize,
    rows: [Row<'_>; VALUES],
    mut ours: impl FnMut() -> [f64; VALUES],
    (name, mut reference): (&str, impl FnMut() -> [f64; VALUES]),
) {
    let (_, _) = (ours(), reference());
    let mut measured = Vec::with_capacity(rounds);
    for round in 0..rounds {
        // The sides begin a round in turn.
        if round % 2 == 0 {
            let first = ours();
            measured.push((first, reference()));
        } else {
            let first = reference();
            measured.push((ours(), first));
        }
    }
    for (at, row) in rows.into_iter().enumerate() {
        let ours = percentile(measured.iter().map(|(ours, _)| ours[at]).collect(), 50);
        let other = percentile(measured.iter().map(|(_, other)| other[at]).collect(), 50);
        print_row(row, ours, Some((name, other)));
    }
}

/// Prints a line of the table; a value that this system does not tell is not a number.
fn print_row((what, shown, goal): Row<'_>, ours: f64, reference: Option<(&str, f64)>) {
    let shown = |value: f64| if value.is_nan() { "—".to_owned() } else { shown(value) };
    let ratio = reference.map(|(_, other)| ours / other).filter(|ratio| ratio.is_finite());
    let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
    let reference = reference.map_or_else(String::new, |(name, other)| format!("{} {name}", shown(other)));
    println!("| {what} | {} | {reference} | {ratio} | {goal} |", shown(ours));
}

fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent).div_ceil(100) - 1]
}

/// Formats a time in seconds.
fn milliseconds(seconds: f64) -> String {
    format!("{:.1} ms", seconds * 1e3)
}

/// Formats a number of bytes in millions.
fn megabytes(bytes: f64) -> String {
    format!("{:.2} MB", bytes / 1e6)
}

fn rate(value: f64) -> String {
    format!("{value:.0}/s")
}

fn number(value: f64) -> String {
    format!("{value:.0}")
}
