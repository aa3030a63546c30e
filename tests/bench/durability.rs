//! Compares the journal on disk with the journal in memory: the cost of durability.
//!
//! `cargo bench --bench durability`, or `cargo bench --bench durability -- --quick`. The two sides take turns, so that
//! the load of the machine affects both. The target folder must be on a disk.

#![expect(clippy::unwrap_used, reason = "a benchmark whose setup fails has failed")]
#![expect(clippy::print_stdout, reason = "the result is printed")]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

mod filled;
mod spread;

use std::fs::File;
use std::io::Write as _;
use std::net::Ipv4Addr;
use std::time::Instant;

use filled::{ORIGIN, accepted, clock, fill, opened};
use futures::future::join_all;
use plants::client::{Client, Limits, Route, Token};
use plants::demo::{DemoOptions, DemoStore, Weather};
use plants::domain::{Operation, OperationId, OperationKind, Outcome, Plant, PlantId, StoreUrl};
use plants::journal::{Anchor, Arrangement, Journal, Place, WindowRequest};
use plants::worker::{self, CONCURRENCY, Report, Worker};
use spread::{Spread, folder, shown};
use tempfile::TempDir;
use tokio::sync::mpsc;

/// Adds submitted at once.
const MANY: u32 = 10_000;

/// Rows on a screen.
const SCREEN: usize = 50;

struct Extent {
    /// Rounds of short measurements.
    short: usize,
    /// Rounds of [`MANY`] adds.
    long: usize,
    /// Plants in the larger and in the smaller journal.
    plants: (u32, u32),
}

const WHOLE: Extent = Extent { short: 300, long: 9, plants: (1_000_000, 1000) };
const QUICK: Extent = Extent { short: 50, long: 3, plants: (100_000, 1000) };

fn main() {
    // cargo adds `--bench`.
    let extent = if std::env::args().any(|word| word == "--quick") { QUICK } else { WHOLE };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(&extent));
}

async fn measure(extent: &Extent) {
    let cores = std::thread::available_parallelism().unwrap();
    println!("{cores} cores; disk of {}", env!("CARGO_TARGET_TMPDIR"));
    println!("medians, in brackets from the 10th to the 90th of 100; the ratio is that of each round's two sides\n");

    heading("synced", "not synced");
    let sync = bare_writes(extent.short).await.print("append 4 KiB to a file", extent.short);
    println!();

    heading("durable", "in memory");
    let one = adds::<Writer>(extent.short, 1).await.print("journal: 1 add", extent.short);
    let many = adds::<Writer>(extent.long, MANY).await.print("journal: 10,000 adds at once", extent.long);
    let whole_one = adds::<Sender>(extent.short, 1).await.print("whole path: 1 add", extent.short);
    let whole_many = adds::<Sender>(extent.long, MANY).await.print("whole path: 10,000 adds", extent.long);
    println!();

    heading(&format!("{} plants", extent.plants.0), &format!("{} plants", extent.plants.1));
    by_size(extent).await;
    println!();

    println!("The cost of durability for one add, which is the difference of the two medians:");
    println!("alone {} in the journal, {} on the whole path;", shown(one), shown(whole_one));
    println!("its intent and its result are committed, and two bare syncs cost {}.", shown(2.0 * sync));
    let each = |all: f64| shown(all / f64::from(MANY));
    println!("Among 10,000, which share their commits, {} and {};", each(many), each(whole_many));
    println!("on the whole path {CONCURRENCY} are in flight at a time, and no more can share the second commit.");
}

/// Seconds of each round: of the side that may take longer, then of the other.
struct Measured(Vec<(f64, f64)>);

impl Measured {
    /// Prints a line of the table; returns the difference of the medians.
    fn print(self, what: &str, rounds: usize) -> f64 {
        let Self(pairs) = self;
        let of = |pick: fn(&(f64, f64)) -> f64| Spread::of(&pairs.iter().map(pick).collect::<Vec<_>>()).unwrap();
        let (first, other, ratio) = (of(|pair| pair.0), of(|pair| pair.1), of(|pair| pair.0 / pair.1));
        println!(
            "{what:<32} {:>32} {:>32} {:>24} {rounds:>7}",
            first.with(shown),
            other.with(shown),
            ratio.with(|ratio| format!("{ratio:.2}"))
        );
        first.median - other.median
    }
}

fn heading(first: &str, other: &str) {
    println!("{:<32} {first:>32} {other:>32} {:>24} {:>7}", "", "ratio", "rounds");
}

async fn seconds(work: impl Future<Output = ()>) -> f64 {
    let begun = Instant::now();
    work.await;
    begun.elapsed().as_secs_f64()
}

/// Measures two sides alternately, after a warm-up of each. The rounds begin with either side in turn.
async fn in_turn<Side>(sides: &mut (Side, Side), rounds: usize, turn: impl AsyncFn(&mut Side) -> f64) -> Measured {
    turn(&mut sides.0).await;
    turn(&mut sides.1).await;
    let mut pairs = Vec::with_capacity(rounds);
    for round in 0..rounds {
        if round % 2 == 0 {
            let first = turn(&mut sides.0).await;
            pairs.push((first, turn(&mut sides.1).await));
        } else {
            let other = turn(&mut sides.1).await;
            pairs.push((turn(&mut sides.0).await, other));
        }
    }
    Measured(pairs)
}

/// Measures the disk alone.
async fn bare_writes(rounds: usize) -> Measured {
    let folder = folder();
    let file = |name| File::create(folder.path().join(name)).unwrap();
    let append = async |(file, synced): &mut (File, bool)| {
        seconds(async {
            file.write_all(&[7; 4096]).unwrap();
            if *synced {
                file.sync_data().unwrap();
            }
        })
        .await
    };
    in_turn(&mut ((file("synced"), true), (file("not synced"), false)), rounds, append).await
}

trait Adder {
    async fn at(place: Place) -> Self;

    /// Adds plants at once and waits until each has ended.
    async fn add(&mut self, count: u32);
}

async fn adds<A: Adder>(rounds: usize, count: u32) -> Measured {
    let folder = folder();
    let on_disk = Place::Folder(folder.path().to_path_buf());
    let mut sides = (A::at(on_disk).await, A::at(Place::Memory).await);
    in_turn(&mut sides, rounds, async |adder| seconds(adder.add(count)).await).await
}

/// Returns new adds, numbered after the `submitted` ones.
fn next_adds(submitted: &mut u32, count: u32) -> Vec<Operation> {
    let numbers = *submitted + 1..=*submitted + count;
    *submitted += count;
    let add = |number: u32| {
        let plant = Plant { name: format!("Monstera {number}"), id: PlantId(number.into()), tag: "tropical".into() };
        Operation::new(OperationId { origin: ORIGIN, number }, OperationKind::add(plant), clock())
    };
    numbers.map(add).collect()
}

/// The journal alone.
struct Writer {
    journal: Journal,
    submitted: u32,
}

impl Adder for Writer {
    async fn at(place: Place) -> Self {
        Self { journal: opened(place, &example()).await, submitted: 0 }
    }

    async fn add(&mut self, count: u32) {
        let operations = next_adds(&mut self.submitted, count);
        let intents = join_all(operations.iter().map(|operation| self.journal.record_intent(operation.clone()))).await;
        assert!(intents.iter().all(Result::is_ok));
        let exchanges = operations.into_iter().map(accepted);
        let ended = join_all(exchanges.map(|exchange| self.journal.end(exchange, clock()))).await;
        assert!(ended.iter().all(Result::is_ok));
    }
}

/// The whole path: worker, journal, client and demo store.
struct Sender {
    worker: Worker,
    reports: mpsc::UnboundedReceiver<Report>,
    submitted: u32,
    _store: DemoStore,
}

impl Adder for Sender {
    async fn at(place: Place) -> Self {
        let options = DemoOptions {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            token: "demo".into(),
            weather: Weather::default(),
        };
        let store = DemoStore::start(options).await.unwrap();
        let url = StoreUrl::on_loopback(store.port());
        let journal = opened(place, &url).await;
        let (sender, reports) = mpsc::unbounded_channel();
        let client = Client::new(url, Limits::default(), Route::default());
        let token = Some(Token::new("demo").unwrap());
        // The task ends when the worker is dropped.
        let (worker, _) = Worker::start(worker::Tools { client, journal, token, clock, reports: sender });
        Self { worker, reports, submitted: 0, _store: store }
    }

    async fn add(&mut self, count: u32) {
        for operation in next_adds(&mut self.submitted, count) {
            self.worker.send(operation).unwrap();
        }
        let mut left = count;
        while left > 0 {
            match self.reports.recv().await.unwrap() {
                Report::Recorded(_) | Report::Waiting(_) => {}
                Report::Ended(ended) => {
                    assert_eq!((ended.exchange.outcome(), ended.recorded), (Outcome::Accepted, Ok(())));
                    left -= 1;
                }
            }
        }
    }
}

/// Measures how opening and reading depend on the number of plants.
async fn by_size(extent: &Extent) {
    let mut folders = (filled(extent.plants.0).await, filled(extent.plants.1).await);
    let open = async |folder: &mut TempDir| {
        let begun = Instant::now();
        let journal = opened_in(folder).await;
        let elapsed = begun.elapsed().as_secs_f64();
        journal.close().await;
        elapsed
    };
    in_turn(&mut folders, extent.short, open).await.print("open", extent.short);

    let mut journals = (opened_in(&folders.0).await, opened_in(&folders.1).await);
    for (what, anchor) in [
        ("window: top", |_| Anchor::Top),
        ("window: bottom", |_| Anchor::Bottom),
        ("window: one row on", |place: usize| Anchor::Index(100 + place)),
        ("window: around any plant", |_| Anchor::Around(PlantId(fastrand::i64(1..=1000)))),
    ] as [(&str, fn(usize) -> Anchor); 4]
    {
        let place = std::cell::Cell::new(0);
        let look = async |journal: &mut Journal| {
            place.set(place.get() + 1);
            let request =
                WindowRequest { anchor: anchor(place.get() / 2), rows: SCREEN, arrangement: Arrangement::default() };
            seconds(async { assert_eq!(journal.window(request).await.unwrap().rows.len(), SCREEN) }).await
        };
        in_turn(&mut journals, extent.short, look).await.print(what, extent.short);
    }
}

async fn opened_in(folder: &TempDir) -> Journal {
    opened(Place::Folder(folder.path().to_path_buf()), &example()).await
}

/// Creates a journal with this number of plants.
async fn filled(plants: u32) -> TempDir {
    let folder = folder();
    fill(folder.path(), &example(), plants).await;
    folder
}

/// Returns a base URL to which nothing is sent.
fn example() -> StoreUrl {
    "http://plants.example".parse().unwrap()
}
