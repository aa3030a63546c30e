//! What durability costs: the journal on a disk against the journal in memory, side by side.
//!
//! `cargo bench --bench durability`, or `cargo bench --bench durability -- --quick`. The two
//! sides take turns, so that the machine's mood hits both; what counts is their ratio. The disk
//! is the one that the target folder is on, which must not be in memory.

#![expect(clippy::unwrap_used, reason = "a benchmark whose own tools fail has failed")]
#![expect(clippy::print_stdout, reason = "its result is what it prints")]
#![expect(clippy::disallowed_methods, reason = "it reads a clock: that is what it is for")]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use futures::future::join_all;
use plants::client::{Client, Limits, Route, Token};
use plants::courier::{self, CONCURRENCY, Courier, Report};
use plants::demo::{DemoOptions, DemoStore, Weather};
use plants::domain::{
    Answer, Ask, BodyEnd, Ending, Exchange, Header, Method, Operation, OperationId, Outcome, Phases, Plant, PlantId,
    Request, StoreUrl, Timestamp,
};
use plants::journal::{Anchor, Arrangement, Journal, Place, WindowRequest, file_in};
use tempfile::TempDir;
use tokio::sync::mpsc;

/// Of this program, in every journal it opens.
const ORIGIN: u64 = 1;

/// How many adds are handed over at once.
const MANY: u32 = 10_000;

/// As many rows as a screen shows.
const SCREEN: usize = 50;

/// How much is measured.
struct Extent {
    /// Rounds of what takes a moment.
    short: usize,
    /// Rounds of [`MANY`] adds.
    long: usize,
    /// Plants in the larger journal and in the smaller.
    plants: (u32, u32),
}

const WHOLE: Extent = Extent { short: 300, long: 9, plants: (1_000_000, 1000) };
const QUICK: Extent = Extent { short: 50, long: 3, plants: (100_000, 1000) };

fn main() {
    // cargo itself adds `--bench`.
    let extent = if std::env::args().any(|word| word == "--quick") { QUICK } else { WHOLE };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(measure(&extent));
}

async fn measure(extent: &Extent) {
    let cores = std::thread::available_parallelism().unwrap();
    println!("{cores} cores; disk of {}", env!("CARGO_TARGET_TMPDIR"));
    println!("medians, in brackets from the 10th to the 90th of 100; the ratio is that of each round's two sides\n");

    heading("synced", "not synced");
    let sync = bare_writes(extent.short).await.told("append 4 KiB to a file", extent.short);
    println!();

    heading("durable", "in memory");
    let one = adds::<Writer>(extent.short, 1).await.told("journal: 1 add", extent.short);
    let many = adds::<Writer>(extent.long, MANY).await.told("journal: 10,000 adds at once", extent.long);
    let whole_one = adds::<Sender>(extent.short, 1).await.told("whole path: 1 add", extent.short);
    let whole_many = adds::<Sender>(extent.long, MANY).await.told("whole path: 10,000 adds", extent.long);
    println!();

    heading(&format!("{} plants", extent.plants.0), &format!("{} plants", extent.plants.1));
    by_size(extent).await;
    println!();

    println!("What an add pays for being durable, which is the difference of the two medians:");
    println!("alone {} in the journal, {} on the whole path;", shown(one), shown(whole_one));
    println!("it is committed as asked and as ended, and two bare syncs cost {}.", shown(2.0 * sync));
    let each = |all: f64| shown(all / f64::from(MANY));
    println!("Among 10,000, which share their commits, {} and {};", each(many), each(whole_many));
    println!("on the whole path {CONCURRENCY} are out at a time, and no more can share the second.");
}

/// What was measured in each round, in seconds: the side that may cost more, then the other.
struct Measured(Vec<(f64, f64)>);

impl Measured {
    /// Prints a line of the table; returns by how much the medians differ.
    fn told(self, what: &str, rounds: usize) -> f64 {
        let Self(pairs) = self;
        let first = Spread::of(pairs.iter().map(|pair| pair.0));
        let other = Spread::of(pairs.iter().map(|pair| pair.1));
        let ratio = Spread::of(pairs.iter().map(|pair| pair.0 / pair.1));
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

/// How some values lie.
struct Spread {
    low: f64,
    median: f64,
    high: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<_> = values.collect();
        values.sort_by(f64::total_cmp);
        let at = |percent: usize| values[((values.len() - 1) * percent + 50) / 100];
        Self { low: at(10), median: at(50), high: at(90) }
    }

    fn with(&self, show: impl Fn(f64) -> String) -> String {
        format!("{} ({}–{})", show(self.median), show(self.low), show(self.high))
    }
}

/// A time in seconds, for people.
fn shown(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        1e-3..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

async fn seconds(work: impl Future<Output = ()>) -> f64 {
    let begun = Instant::now();
    work.await;
    begun.elapsed().as_secs_f64()
}

/// Measures two sides in turn, after one turn each that does not count. The one that begins
/// changes with the round.
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

fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// What the disk alone costs.
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

/// Something that plants can be added through.
trait Adder {
    async fn at(place: Place) -> Self;

    /// Adds so many plants at once and waits until each is over.
    async fn add(&mut self, count: u32);
}

async fn adds<A: Adder>(rounds: usize, count: u32) -> Measured {
    let folder = folder();
    let on_disk = Place::Folder(folder.path().to_path_buf());
    let mut sides = (A::at(on_disk).await, A::at(Place::Memory).await);
    in_turn(&mut sides, rounds, async |adder| seconds(adder.add(count)).await).await
}

fn clock() -> Timestamp {
    Timestamp(1_700_000_000_000)
}

async fn opened(place: Place, store: &StoreUrl) -> Journal {
    Journal::open(place, store, ORIGIN, clock()).await.unwrap().journal
}

/// The next so many adds, after those that `asked` counts.
fn next_adds(asked: &mut u32, count: u32) -> Vec<Operation> {
    let numbers = *asked + 1..=*asked + count;
    *asked += count;
    let add = |number: u32| {
        let plant = Plant { name: format!("Monstera {number}"), id: PlantId(number.into()), tag: "tropical".into() };
        Operation::new(OperationId { origin: ORIGIN, number }, Ask::Add(plant), clock())
    };
    numbers.map(add).collect()
}

/// The journal alone.
struct Writer {
    journal: Journal,
    asked: u32,
}

impl Adder for Writer {
    async fn at(place: Place) -> Self {
        Self { journal: opened(place, &"http://plants.example".parse().unwrap()).await, asked: 0 }
    }

    async fn add(&mut self, count: u32) {
        let operations = next_adds(&mut self.asked, count);
        let asked = join_all(operations.iter().map(|operation| self.journal.ask(operation.clone()))).await;
        assert!(asked.iter().all(Result::is_ok));
        let exchanges = operations.into_iter().map(accepted);
        let ended = join_all(exchanges.map(|exchange| self.journal.end(exchange, clock()))).await;
        assert!(ended.iter().all(Result::is_ok));
    }
}

/// As it is with the demo store.
fn accepted(operation: Operation) -> Exchange {
    let header = |(name, value): (&str, &str)| Header { name: name.into(), value: value.into() };
    let body = r#"{"name":"Monstera","id":7,"tag":"tropical"}"#;
    let sent = [("authorization", "Bearer ********"), ("content-type", "application/json"), ("content-length", "43")];
    let came =
        [("content-type", "application/json"), ("content-length", "43"), ("date", "Tue, 14 Nov 2023 22:13:20 GMT")];
    Exchange {
        operation,
        request: Some(Request {
            method: Method::Post,
            url: "http://plants.example/plants".into(),
            target: "/plants".into(),
            headers: sent.map(header).to_vec(),
            body: Some(body.into()),
        }),
        ending: Ending::Answered(Answer {
            status: 201,
            reason: "Created".into(),
            version: "HTTP/1.1".into(),
            headers: came.map(header).to_vec(),
            body: body.into(),
            body_end: BodyEnd::Complete,
        }),
        started: clock(),
        elapsed: Duration::from_millis(1),
        phases: Phases {
            connection: Some(Duration::from_micros(120)),
            waiting: Some(Duration::from_micros(640)),
            reading: Some(Duration::from_micros(11)),
            ..Phases::default()
        },
    }
}

/// The whole path: courier, journal, client, and a demo store of its own.
struct Sender {
    courier: Courier,
    reports: mpsc::UnboundedReceiver<Report>,
    asked: u32,
    _store: DemoStore,
}

impl Adder for Sender {
    async fn at(place: Place) -> Self {
        let options = DemoOptions { port: 0, token: "demo".into(), weather: Weather::default() };
        let store = DemoStore::start(options).await.unwrap();
        let url = StoreUrl::on_loopback(store.port());
        let journal = opened(place, &url).await;
        let (sender, reports) = mpsc::unbounded_channel();
        let client = Client::new(url, Limits::default(), Route::default());
        let token = Some(Token::new("demo").unwrap());
        // It ends when the courier is dropped.
        let (courier, _) = Courier::start(courier::Tools { client, journal, token, clock, reports: sender });
        Self { courier, reports, asked: 0, _store: store }
    }

    async fn add(&mut self, count: u32) {
        for operation in next_adds(&mut self.asked, count) {
            self.courier.send(operation).unwrap();
        }
        let mut left = count;
        while left > 0 {
            match self.reports.recv().await.unwrap() {
                Report::Recorded(_) => {}
                Report::Ended(ended) => {
                    assert_eq!((ended.exchange.outcome(), ended.recorded), (Outcome::Accepted, Ok(())));
                    left -= 1;
                }
            }
        }
    }
}

/// How opening and looking depend on the number of plants.
async fn by_size(extent: &Extent) {
    let mut folders = (filled(extent.plants.0).await, filled(extent.plants.1).await);
    let open = async |folder: &mut TempDir| {
        let begun = Instant::now();
        let journal = opened_in(folder).await;
        let elapsed = begun.elapsed().as_secs_f64();
        journal.close().await;
        elapsed
    };
    in_turn(&mut folders, extent.short, open).await.told("open", extent.short);

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
        in_turn(&mut journals, extent.short, look).await.told(what, extent.short);
    }
}

async fn opened_in(folder: &TempDir) -> Journal {
    opened(Place::Folder(folder.path().to_path_buf()), &"http://plants.example".parse().unwrap()).await
}

/// A journal of so many plants, each with its add: one is written as always, and copied.
async fn filled(plants: u32) -> TempDir {
    const COPIES: &str = "
        PRAGMA synchronous = OFF;
        BEGIN;
        CREATE TEMP TABLE more AS
            WITH RECURSIVE more(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < :copies) SELECT n FROM more;
        INSERT INTO operation (store, origin, number, kind, plant_id, name, tag, asked_at, outcome)
            SELECT store, origin, number + n, kind, plant_id + n, name, tag, asked_at, outcome FROM operation, more;
        INSERT INTO exchange (operation, store, plant_id, outcome, status, started, elapsed_us, phases, at, request,
                ending, body)
            SELECT operation + n, store, plant_id + n, outcome, status, started, elapsed_us, phases, at, request,
                ending, body
            FROM exchange, more;
        INSERT INTO plant (store, id, state, name, tag, changed_at, record)
            SELECT store, id + n, state, name, tag, changed_at, json_set(record, '$.id', id + n) FROM plant, more;
        UPDATE tally SET count = count + :copies WHERE state = 'stored';
        COMMIT;
        PRAGMA wal_checkpoint(TRUNCATE);";
    let folder = folder();
    let mut writer = Writer { journal: opened_in(&folder).await, asked: 0 };
    writer.add(1).await;
    writer.journal.close().await;
    let path: &Path = &file_in(folder.path());
    let copies = (plants - 1).to_string();
    rusqlite::Connection::open(path).unwrap().execute_batch(&COPIES.replace(":copies", &copies)).unwrap();
    folder
}
