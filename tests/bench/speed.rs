//! Compares the speed of `plants` with that of programs that do a part of its work.
//!
//! `cargo bench --bench speed`; `-- --quick` is shorter, `-- --only NAME` measures one part. The sides take turns, so that
//! the load of the machine affects all of them; the ratios count. A slow result is no failure.

#![expect(clippy::unwrap_used, reason = "a benchmark whose setup fails has failed")]
#![expect(clippy::print_stdout, reason = "the result is printed")]
#![expect(clippy::print_stderr, reason = "progress is printed there")]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

#[path = "speed/add.rs"]
mod add;
#[path = "speed/cores.rs"]
mod cores;
#[path = "speed/flat.rs"]
mod flat;
#[path = "speed/growth.rs"]
mod growth;
#[path = "speed/idle.rs"]
mod idle;
#[path = "speed/import.rs"]
mod import;
#[path = "speed/journals.rs"]
mod journals;
#[path = "speed/keys.rs"]
mod keys;
#[path = "speed/list.rs"]
mod list;
#[path = "speed/machine.rs"]
mod machine;
#[path = "speed/process.rs"]
mod process;
#[path = "speed/reference.rs"]
mod reference;
#[path = "speed/rows.rs"]
mod rows;
#[path = "speed/session.rs"]
mod session;
#[path = "speed/size.rs"]
mod size;
mod spread;
#[path = "speed/start.rs"]
mod start;
#[path = "speed/store.rs"]
mod store;
#[path = "speed/table.rs"]
mod table;
#[path = "speed/turns.rs"]
mod turns;

use std::time::Instant;

use table::Table;

/// The program that is measured.
const PLANTS: &str = env!("CARGO_BIN_EXE_plants");

/// The token of every store in the benchmark.
const TOKEN: &str = "demo";

struct Extent {
    /// Rounds of starts.
    visits: usize,
    /// Single adds of each side.
    adds: usize,
    /// Rounds of measurements that take seconds.
    long: usize,
    /// Plants in the large journal.
    plants: u32,
    /// Seconds without a key.
    idle: u64,
    /// Keys of each kind.
    keys: usize,
    /// More plants than can be imported while the keys are pressed.
    imported: u32,
    /// Plants of one import.
    many: u32,
    /// Rows of the two files whose imports are compared, the shorter first.
    rows: (u32, u32),
}

const WHOLE: Extent = Extent {
    visits: 30,
    adds: 160,
    long: 5,
    plants: 1_000_000,
    idle: 10,
    keys: 80,
    imported: 2_000_000,
    many: 50_000,
    rows: (10_000, 200_000),
};
const QUICK: Extent = Extent {
    visits: 10,
    adds: 40,
    long: 1,
    plants: 100_000,
    idle: 3,
    keys: 24,
    imported: 600_000,
    many: 20_000,
    rows: (10_000, 50_000),
};

/// A part of the benchmark: its name for `--only`, and its function.
type Part = (&'static str, fn(&Extent, &mut Table));

const PARTS: [Part; 9] = [
    ("start", start::measure),
    ("idle", idle::measure),
    ("import", import::measure),
    ("memory", flat::measure),
    ("add", add::measure),
    ("keys", keys::measure),
    ("list", list::measure),
    ("journal", growth::measure),
    ("size", size::measure),
];

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((word, rest)) if word == store::WORD => return store::serve(rest),
        Some((word, rest)) if word == reference::LOOP => return reference::send(rest),
        _ => {}
    }
    let only = words.iter().position(|word| word == "--only").map(|at| words.get(at + 1).map_or("", String::as_str));
    let names = PARTS.map(|part| part.0).join(", ");
    if let Some(name) = only.filter(|name| PARTS.iter().all(|part| part.0 != *name)) {
        eprintln!("--only {name:?}: the parts are {names}");
        std::process::exit(2);
    }
    let extent = if words.iter().any(|word| word == "--quick") { QUICK } else { WHOLE };
    let mut table = Table::new();
    println!("medians, in brackets the 10th and the 90th percentile\n");
    for (name, measure) in PARTS {
        if only.is_none_or(|only| only == name) {
            let begun = Instant::now();
            measure(&extent, &mut table);
            eprintln!("[{name}: {:.0} s]", begun.elapsed().as_secs_f64());
        }
    }
    println!("\n{}\n{}", table.into_markdown(), machine::description());
}
