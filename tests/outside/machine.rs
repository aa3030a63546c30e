//! Failing system calls: for every N, the Nth call of a kind fails once, fails from then on, or kills the
//! program. The report of the program must still be true, and the journal must know every request that the
//! store received.
//!
//! Needs `strace`, which injects the faults. The tests try some N of each kind;
//! `PLANTS_FAULTS=all cargo test --test outside machine -- --nocapture` tries all and prints a table.

#![expect(clippy::print_stdout, reason = "prints the figures of a long run with --nocapture")]

use std::collections::BTreeMap;
use std::process::Command;
use std::thread;

use crate::support::extent::{is_set, step};
use crate::support::raw::RawStore;
use crate::support::{Ended, Home, leave_out};
use serde_json::Value;

/// Number of N that are tried for each kind, unless all are.
const SOME: usize = 2;

/// The id of a plant that is added without faults.
const BEFORE: i64 = 1_000_000;

const PLANTS: &str = env!("CARGO_BIN_EXE_plants");

#[derive(Clone, Copy)]
enum Fault {
    /// Fails once with this error.
    Once(&'static str),
    /// Fails with this error from then on.
    Always(&'static str),
    Kill,
}

impl Fault {
    /// Renders the option of `strace` for the Nth call.
    fn at(self, call: &str, nth: usize) -> String {
        match self {
            Self::Once(error) => format!("inject={call}:error={error}:when={nth}"),
            Self::Always(error) => format!("inject={call}:error={error}:when={nth}+"),
            Self::Kill => format!("inject={call}:signal=KILL:when={nth}"),
        }
    }

    fn description(self) -> String {
        match self {
            Self::Once(error) => error.to_owned(),
            Self::Always(error) => format!("{error} from then on"),
            Self::Kill => "killed".to_owned(),
        }
    }
}

/// The injected faults, by system call.
const FAULTS: [(&str, Fault); 20] = [
    ("pwrite64", Fault::Once("ENOSPC")),
    ("pwrite64", Fault::Always("ENOSPC")),
    ("pwrite64", Fault::Always("EIO")),
    ("pwrite64", Fault::Kill),
    ("fsync", Fault::Once("EIO")),
    ("fsync", Fault::Always("EIO")),
    ("fsync", Fault::Kill),
    ("pread64", Fault::Once("EIO")),
    ("pread64", Fault::Always("EIO")),
    ("ftruncate", Fault::Once("ENOSPC")),
    ("openat", Fault::Once("EMFILE")),
    ("openat", Fault::Kill),
    ("clone3", Fault::Once("EAGAIN")),
    ("clone3", Fault::Always("EAGAIN")),
    ("socket", Fault::Once("EMFILE")),
    ("connect", Fault::Once("ENETUNREACH")),
    ("writev", Fault::Once("EPIPE")),
    ("writev", Fault::Kill),
    ("recvfrom", Fault::Once("ECONNRESET")),
    ("recvfrom", Fault::Kill),
];

fn tries_all() -> bool {
    is_set("PLANTS_FAULTS")
}

pub(crate) fn has_strace() -> bool {
    let there_is = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let there_is = there_is.is_ok_and(|traced| traced.status.success());
    if !there_is {
        leave_out("strace is not installed (apt install strace), or may not trace here: allow it ptrace");
    }
    there_is
}

/// A home, a store that accepts everything, and unused ids.
struct Bench {
    home: Home,
    store: RawStore,
    next: i64,
    /// Number of requests that the store received for each id.
    received: BTreeMap<i64, usize>,
}

impl Bench {
    fn new() -> Self {
        let store = RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#);
        let bench = Self { home: Home::new(), store, next: 1, received: BTreeMap::new() };
        bench.add(0);
        bench
    }

    fn add(&self, id: i64) {
        self.home.plants_at(&self.store.url(), &add(id)).ended().orderly(0);
    }

    /// Runs the program under `strace`.
    fn traced(&self, how: &[&str], arguments: &[String]) -> Ended {
        let mut all: Vec<String> = ["-f", "-qq"].iter().chain(how).map(|word| (*word).to_owned()).collect();
        all.push(PLANTS.to_owned());
        all.extend(arguments.iter().cloned());
        let run = self.home.program("strace", &all).env("PLANTS_BASE_URL", self.store.url());
        run.env("PLANTS_TOKEN", "demo").ended()
    }

    /// Returns the greatest number of these calls in one thread without faults: `strace` counts each thread.
    fn count(&mut self, call: &str, arguments: &[String]) -> usize {
        let log = self.home.path().join("calls");
        let trace = format!("trace={call}");
        self.traced(&["-o", log.to_str().unwrap(), "-e", &trace], arguments).orderly(0);
        let log = std::fs::read_to_string(log).unwrap();
        let mut threads: BTreeMap<&str, usize> = BTreeMap::new();
        for line in log.lines().filter(|line| line.contains(call) && !line.contains("resumed>")) {
            *threads.entry(line.split_whitespace().next().unwrap()).or_default() += 1;
        }
        let most = threads.into_values().max().unwrap_or_default();
        assert!(most > 0, "no thread makes the call {call}");
        most
    }

    /// Counts the requests that arrived since the last call.
    fn update_received(&mut self) {
        for request in self.store.arrived_so_far() {
            // A program killed while sending leaves an incomplete request.
            let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
            let id = serde_json::from_str::<Value>(body).ok().and_then(|plant| plant["id"].as_i64());
            if let Some(id) = id {
                *self.received.entry(id).or_default() += 1;
            }
        }
    }

    /// Asserts that the report of a run that was to add this plant is true.
    fn validate(&mut self, id: i64, ended: &Ended, about: &str) {
        assert!(!ended.stderr.contains("panicked"), "{about}");
        // 127 is the exit code of the loader, before the program starts.
        let code = ended.code.filter(|code| *code != 127);
        assert!(code.is_none_or(|code| [0, 1, 2, 3, 4].contains(&code)), "{about}");
        self.update_received();
        let listed = self.home.states(&self.store.url());
        let (received, state) = (self.received.get(&id).copied().unwrap_or(0), listed.get(&id).map(String::as_str));
        assert!(received <= 1, "sent twice: {about}");
        if received == 1 {
            assert!(
                matches!(state, Some("stored" | "unknown")),
                "the store has the plant, in the journal it is {state:?}: {about}"
            );
        } else {
            assert!(
                matches!(state, None | Some("unknown")),
                "the store does not have the plant, in the journal it is {state:?}: {about}"
            );
        }
        match code {
            Some(0) => assert_eq!((received, state), (1, Some("stored")), "{about}"),
            Some(2 | 3) => assert_eq!(received, 0, "{about}"),
            // The store may have the plant or not.
            Some(4) => assert!(state.is_some(), "{about}"),
            _ => {}
        }
    }
}

fn add(id: i64) -> Vec<String> {
    ["add", "--id", &id.to_string(), "--name", "Fern", "--tag", "shade", "--json"].map(str::to_owned).to_vec()
}

/// Describes the end of a run: outcome and exit code, exit code, or killed.
fn how(ended: &Ended) -> String {
    match (ended.code, serde_json::from_str::<Value>(&ended.stdout)) {
        (Some(code), Ok(result)) => format!("{} {code}", result["outcome"].as_str().unwrap_or("?")),
        (Some(code), Err(_)) => format!("exit {code}"),
        (None, _) => "killed".to_owned(),
    }
}

#[test]
fn a_failing_system_call_never_makes_the_report_untrue() {
    if !has_strace() {
        return;
    }
    let workers: Vec<_> = (0..2)
        .map(|worker| {
            let faults: Vec<_> = FAULTS.iter().skip(worker).step_by(2 * step(2)).copied().collect();
            thread::Builder::new().spawn(move || faults.into_iter().map(tried).collect::<Vec<_>>()).unwrap()
        })
        .collect();
    let tables: Vec<String> = workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect();
    println!("| call | fault | tried | ended |\n| --- | --- | --- | --- |");
    for line in tables {
        println!("{line}");
    }
}

/// Tries one kind of fault at the Nth call for many N. Returns a line of the table.
fn tried((call, fault): (&'static str, Fault)) -> String {
    let mut bench = Bench::new();
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let (mut tried, mut all) = (0, 0);
    // The list, which is read after each fault, leaves no log; an add leaves one to the next program.
    for before in [None, Some(BEFORE)] {
        before.inspect(|id| bench.add(*id));
        let count = bench.count(call, &add(-1));
        let step = if tries_all() { 1 } else { count.div_ceil(SOME).max(1) };
        all += count;
        for nth in (1..=count).step_by(step) {
            before.inspect(|id| bench.add(*id));
            let id = bench.next;
            bench.next += 1;
            tried += 1;
            let trace = format!("trace={call}");
            let ended = bench.traced(&["-o", "/dev/null", "-e", &trace, "-e", &fault.at(call, nth)], &add(id));
            bench.validate(id, &ended, &format!("{call} {} at {nth}, {before:?}: {ended:?}", fault.description()));
            *ends.entry(how(&ended)).or_default() += 1;
        }
    }
    // The journal is usable after all faults.
    bench.add(BEFORE);
    let ends: Vec<_> = ends.into_iter().map(|(how, count)| format!("{count} × {how}")).collect();
    format!("| {call} | {} | {tried} of {all} | {} |", fault.description(), ends.join(", "))
}

/// Limits the number of open files, from none to enough.
#[test]
fn an_add_with_few_descriptors_reports_the_truth() {
    let mut bench = Bench::new();
    for (id, files) in (1..).zip(3..=28) {
        let script = format!("ulimit -n {files}; exec \"$0\" \"$@\"");
        let arguments = [vec!["-c".to_owned(), script, PLANTS.to_owned()], add(id)].concat();
        let run = bench.home.program("sh", &arguments).env("PLANTS_BASE_URL", bench.store.url());
        let ended = run.env("PLANTS_TOKEN", "demo").ended();
        bench.validate(id, &ended, &format!("{files} descriptors: {ended:?}"));
    }
}

/// Kills an import at the Nth write, for many N.
#[test]
fn an_import_killed_at_any_write_is_completed_by_the_next() {
    const ROWS: i64 = 12;
    if !has_strace() {
        return;
    }
    let mut bench = Bench::new();
    let import = |from: i64, home: &Home| {
        let rows: Vec<_> = (from..from + ROWS).map(|id| format!("Fern,{id},shade\n")).collect();
        let file = home.write("plants.csv", format!("name,id,tag\n{}", rows.concat()));
        ["import", file.to_str().unwrap(), "--concurrency", "2"].map(str::to_owned).to_vec()
    };
    // Counts the calls with rows that were not sent before.
    for (call, counted) in [("pwrite64", -100), ("writev", -200)] {
        let arguments = import(counted, &bench.home);
        let count = bench.count(call, &arguments);
        let step = if tries_all() { 1 } else { count.div_ceil(SOME).max(1) };
        for nth in (1..=count).step_by(step) {
            let from = bench.next;
            bench.next += ROWS;
            let arguments = import(from, &bench.home);
            let (trace, fault) = (format!("trace={call}"), Fault::Kill.at(call, nth));
            bench.traced(&["-o", "/dev/null", "-e", &trace, "-e", &fault], &arguments);
            let again = bench.home.plants_at(&bench.store.url(), &arguments).ended();
            assert!(matches!(again.code, Some(0 | 4)), "{call} {nth}: {again:?}");
            bench.update_received();
            let listed = bench.home.states(&bench.store.url());
            for id in from..from + ROWS {
                let (received, state) =
                    (bench.received.get(&id).copied().unwrap_or(0), listed.get(&id).map(String::as_str));
                assert!(received <= 1, "{call} {nth}: {id} was sent twice");
                let is_true = if received == 1 { &["stored", "unknown"][..] } else { &["unknown"] };
                assert!(state.is_some_and(|state| is_true.contains(&state)), "{call} {nth}: {id} {received} {state:?}");
            }
        }
    }
}

#[test]
fn many_programs_can_start_in_a_new_folder_at_once() {
    let many = if tries_all() { 200 } else { 40 };
    let (home, store) = (Home::new(), RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#));
    let children: Vec<_> = (0..many).map(|id| home.plants_at(&store.url(), &add(id)).begun()).collect();
    for child in children {
        crate::support::end_of(child).orderly(0);
    }
    let listed: Value = serde_json::from_str(&home.listed(&store.url())).unwrap();
    let stored = listed.as_array().unwrap().iter().filter(|plant| plant["state"] == "stored").count();
    assert_eq!(stored, usize::try_from(many).unwrap());
    assert_eq!(store.received().len(), usize::try_from(many).unwrap());
}
