//! Compares the speed of `plants` with that of programs that do a part of its work.
//!
//! `cargo bench --bench speed`; `-- --quick` is shorter, `-- --only NAME` measures one part, and `-- --markdown` prints
//! the table of docs/benchmarks.md. The sides take turns, so that the load of the machine affects all of them; the ratios
//! count. A slow result is no failure.

#![expect(clippy::unwrap_used, reason = "a benchmark whose setup fails has failed")]
#![expect(clippy::print_stdout, reason = "the result is printed")]
#![expect(clippy::print_stderr, reason = "progress is printed there")]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

#[path = "speed/add.rs"]
mod add;
#[path = "speed/create.rs"]
mod create;
mod filled;
#[path = "speed/flat.rs"]
mod flat;
#[path = "speed/idle.rs"]
mod idle;
#[path = "speed/journals.rs"]
mod journals;
#[path = "speed/keys.rs"]
mod keys;
#[path = "speed/machine.rs"]
mod machine;
#[path = "speed/memory.rs"]
mod memory;
#[path = "speed/minimal.rs"]
mod minimal;
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
#[path = "speed/stores.rs"]
mod stores;
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
    /// Rounds of short measurements.
    short: usize,
    /// Rounds of measurements that take seconds.
    long: usize,
    /// Plants in the large journal, each with three exchanges.
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
    short: 200,
    long: 5,
    plants: 1_000_000,
    idle: 10,
    keys: 150,
    imported: 3_000_000,
    many: 60_000,
    rows: (10_000, 1_000_000),
};
const QUICK: Extent = Extent {
    short: 40,
    long: 1,
    plants: 100_000,
    idle: 3,
    keys: 30,
    imported: 600_000,
    many: 30_000,
    rows: (10_000, 100_000),
};

/// A part of the benchmark: its name for `--only`, and its function.
type Part = (&'static str, fn(&Extent, &mut Table));

const PARTS: [Part; 8] = [
    ("start", start::measure),
    ("idle", idle::measure),
    ("keys", keys::measure),
    ("memory", memory::measure),
    ("flat", flat::measure),
    ("add", add::measure),
    ("create", create::measure),
    ("size", size::measure),
];

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    if has(minimal::WORD) {
        minimal::serve();
        return;
    }
    let only = words.iter().position(|word| word == "--only").map(|at| words.get(at + 1).map_or("", String::as_str));
    let names = PARTS.map(|part| part.0).join(", ");
    if let Some(name) = only.filter(|name| PARTS.iter().all(|part| part.0 != *name)) {
        eprintln!("--only {name:?}: the parts are {names}");
        std::process::exit(2);
    }
    let extent = if has("--quick") { QUICK } else { WHOLE };
    let mut table = Table::new(has("--markdown"));
    for (name, measure) in PARTS {
        if only.is_none_or(|only| only == name) {
            let begun = Instant::now();
            measure(&extent, &mut table);
            eprintln!("[{name}: {:.0} s]", begun.elapsed().as_secs_f64());
        }
    }
    println!("\n{}\n{}", table::ABOUT, machine::description());
}
