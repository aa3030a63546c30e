//! Sending the rows of a file: what the list does not have, so many at a time, each once.
//!
//! ```text
//! chunks ─▶ decide ─▶ waiting ─▶ with the courier ─▶ counted
//!             ├─ skipped, told         └─ 429: waits again, after the pause
//!             └─ held: its id is under way
//! ```

use std::collections::{HashMap, HashSet, VecDeque};
use std::future::pending;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;

use super::decide::{CHUNK, Chunks, FileRow, chunks, decided, unreadable};
use super::judge::Judged;
use super::pace::{Pace, Recently};
use crate::courier::{Batch, Courier, Ended};
use crate::domain::figure::about;
use crate::domain::import::{Decision, ImportRow, Over, Progress, Summary};
use crate::domain::sentence;
use crate::domain::{
    Ask, Difference, Ending, Exchange, FailureKind, Operation, OperationId, Outcome, PlantId, Timestamp, patience,
};
use crate::journal::{Journal, JournalError};

/// Requests out at once, where nobody says otherwise.
pub const CONCURRENCY: u16 = 8;

/// How often progress is told.
const TELLING: Duration = Duration::from_millis(100);

/// Rows that are with the courier, for each that may be out: enough that the next ones are durable
/// when a place is free, and few enough that not many are in doubt if the program is killed.
const AHEAD: usize = 8;

/// How often a row goes out at most that the store puts off (429 with `Retry-After`) while it
/// accepts no other.
const TRIES: u32 = 3;

/// How often at most, whatever becomes of others: each time all of them wait.
const TRIES_IN_ALL: u32 = 10;

/// The longest pause that is waited for.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

/// Rows in a row of which nothing reached the store, after which it cannot be reached.
const UNREACHED: usize = 8;

/// The first number of an operation of an import: those before are asked for one by one.
const FIRST_NUMBER: u32 = 1 << 31;

/// How an import is to go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Requests out at once, at least 1.
    pub concurrency: usize,
    /// Rows a second at most, above 0.
    pub rate: Option<f64>,
    /// Whether rows are sent whose plants are unknown.
    pub resend_unknown: bool,
}

/// What a person may want of an import under way.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    /// Send no more; what is out is waited for.
    pub stop: CancellationToken,
    /// Wait for nothing; what is out ends as unknown.
    pub cancel: CancellationToken,
}

/// What an import works with.
pub struct Tools {
    /// Knows the list.
    pub journal: Journal,
    /// Sends.
    pub courier: Courier,
    /// Of this program.
    pub origin: u64,
    /// How many operations its imports have asked for: the next goes on from there.
    pub asked: Arc<AtomicU32>,
    /// What time it is.
    pub clock: fn() -> Timestamp,
}

/// What is told while it runs.
#[derive(Debug)]
pub enum Told<'a> {
    /// How far it has come; at most ten times a second.
    Progress(Progress),
    /// A row was sent, and this became of it.
    Row(RowEnd<'a>),
    /// A row was not sent, for this reason; not told of what is stored already.
    Skipped(&'a ImportRow, Decision),
}

/// What became of a row that was sent.
#[derive(Debug)]
pub struct RowEnd<'a> {
    /// Where it stands in its file.
    pub line: u64,
    /// What was sent and what came back.
    pub exchange: &'a Exchange,
    /// Whether the journal has it; if not, why not.
    pub recorded: &'a Result<(), String>,
    /// How an accepted answer is unlike the document.
    pub unlike_document: Vec<Difference>,
    /// What is unknown of its plant still, after it was sent again.
    pub unresolved: Option<&'a Ask>,
}

/// A row on its way.
struct UnderWay {
    row: FileRow,
    /// Whether its plant was unknown.
    is_resent: bool,
    /// How often it went out.
    tries: u32,
    /// How often of that since another was accepted.
    tries_of_late: u32,
    /// How many were accepted when it went out last.
    accepted_before: u64,
}

type Decided = Result<Vec<(FileRow, Decision)>, JournalError>;
type Deciding = BoxFuture<'static, Decided>;

struct Run {
    tools: Tools,
    options: Options,
    progress: Progress,
    begun: Instant,
    pace: Pace,
    recently: Recently,
    /// The rows that are left in the file; `None` at its end.
    chunks: Option<Chunks>,
    deciding: Option<Deciding>,
    waiting: VecDeque<UnderWay>,
    sent: HashMap<OperationId, UnderWay>,
    /// The ids of what waits or is sent.
    under_way: HashSet<PlantId>,
    /// Rows on an id that is under way: decided once it is not.
    held: Vec<FileRow>,
    /// Rows in a row of which nothing reached the store.
    unreached: usize,
    /// Why nothing more is sent.
    over: Option<Over>,
    /// Whether the courier sends nothing of it for now.
    is_held: bool,
    is_cancelled: bool,
}

/// Sends the rows of a file that the list does not have. Ends when all are done with, or when told to
/// stop or unable to go on and nothing is out any more.
pub async fn run(
    mut judged: Judged,
    options: Options,
    tools: Tools,
    orders: &Orders,
    told: &mut (dyn FnMut(Told<'_>) + Send),
) -> Summary {
    let (sender, mut ends) = mpsc::unbounded_channel();
    let Options { concurrency, resend_unknown: also_in_doubt, .. } = options;
    tools.courier.begin(Batch { concurrency, also_in_doubt, ends: sender });
    #[expect(clippy::disallowed_methods, reason = "how fast it goes is measured where it is sent")]
    let begun = Instant::now();
    let (chunks, over) = match chunks(&mut judged) {
        Ok(chunks) => (Some(chunks), None),
        Err(why) => (None, Some(Over::Halted(unreadable(&why)))),
    };
    let mut run = Run {
        tools,
        options,
        progress: Progress { rows: judged.rows(), ..Progress::default() },
        begun,
        pace: Pace::new(options.rate),
        recently: Recently::default(),
        chunks,
        deciding: None,
        waiting: VecDeque::new(),
        sent: HashMap::new(),
        under_way: HashSet::new(),
        held: Vec::new(),
        unreached: 0,
        over,
        is_held: false,
        is_cancelled: false,
    };
    let mut ticks = interval(TELLING);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !run.is_done() {
        let again = run.send_what_may_go();
        run.decide_what_is_held();
        let wants_more = run.over.is_none() && run.deciding.is_none() && run.has_room();
        tokio::select! {
            biased;
            () = orders.cancel.cancelled(), if !run.is_cancelled => run.cancel(),
            () = orders.stop.cancelled(), if run.over.is_none() => run.stop(Over::Stopped),
            ended = ends.recv() => match ended {
                Some(ended) => run.take_ends(ended, told),
                None => run.courier_died(),
            },
            decided = next_decided(&mut run.deciding) => run.take_decided(decided, told),
            chunk = next_chunk(&mut run.chunks), if wants_more => run.take_chunk(chunk),
            () = sleep_until((begun + again.unwrap_or_default()).into()), if again.is_some() => {}
            _ = ticks.tick() => told(Told::Progress(run.told())),
        }
    }
    let progress = run.told();
    told(Told::Progress(progress));
    Summary { progress, over: run.over.unwrap_or(Over::Done) }
}

/// The next rows of the file; for ever pending where there are none to come.
async fn next_chunk(chunks: &mut Option<Chunks>) -> Option<io::Result<Vec<FileRow>>> {
    match chunks {
        Some(chunks) => chunks.recv().await,
        None => pending().await,
    }
}

/// What was decided; likewise.
async fn next_decided(deciding: &mut Option<Deciding>) -> Decided {
    let decided = match deciding {
        Some(deciding) => deciding.await,
        None => pending().await,
    };
    *deciding = None;
    decided
}

impl Run {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether nothing is out, and nothing more is to go out.
    fn is_done(&self) -> bool {
        let nothing_is_left =
            self.chunks.is_none() && self.deciding.is_none() && self.waiting.is_empty() && self.held.is_empty();
        self.sent.is_empty() && (nothing_is_left || self.over.is_some())
    }

    fn told(&mut self) -> Progress {
        let now = self.now();
        let recently = self.recently.ended(self.progress.done(), now);
        let (out, pause) = (self.sent.len().min(self.options.concurrency), self.pace.pause(now));
        self.progress = Progress { out, elapsed: now, recently, pause, ..self.progress };
        self.progress
    }

    /// Hands rows to the courier, as many as it has room for and the pace allows. Returns when more
    /// may go that wait.
    fn send_what_may_go(&mut self) -> Option<Duration> {
        if self.over.is_some() {
            return None;
        }
        let now = self.now();
        if self.is_held && self.pace.pause(now).is_none() {
            // Also where nothing waits: the courier has some.
            self.is_held = false;
            self.tools.courier.hold(false);
        }
        // What is handed over goes as fast as the store answers: with a rate nothing is ahead of it.
        let ahead = if self.options.rate.is_some() { 1 } else { AHEAD };
        let room = (self.options.concurrency * ahead).saturating_sub(self.sent.len());
        let (count, again) = self.pace.let_go(room.min(self.waiting.len()), now);
        if count == 0 {
            return again;
        }
        let mut operations = Vec::with_capacity(count);
        for mut row in self.waiting.drain(..count) {
            let before = self.tools.asked.fetch_add(1, Ordering::Relaxed);
            let id = OperationId { origin: self.tools.origin, number: FIRST_NUMBER.saturating_add(before) };
            operations.push(Operation::new(id, Ask::Add(row.row.0.plant.clone()), (self.tools.clock)()));
            row.tries += 1;
            row.tries_of_late += 1;
            row.accepted_before = self.progress.outcomes.accepted;
            self.sent.insert(id, row);
        }
        if self.tools.courier.send_all(operations).is_err() {
            self.courier_died();
        }
        again
    }

    /// Whether there are few rows at hand: those that are held count, or a file with one id in all
    /// of its rows would be read to its end.
    fn has_room(&self) -> bool {
        self.waiting.len() + self.held.len() < CHUNK
    }

    fn take_chunk(&mut self, chunk: Option<io::Result<Vec<FileRow>>>) {
        match chunk {
            None => self.chunks = None,
            Some(Ok(rows)) => self.decide(rows),
            Some(Err(why)) => self.stop(Over::Halted(unreadable(&why))),
        }
    }

    /// Decides about rows. Those whose id is under way are held: how their plant ends is not known.
    fn decide(&mut self, rows: Vec<FileRow>) {
        let (held, free): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|(row, _)| self.under_way.contains(&row.plant.id));
        self.held.extend(held);
        if !free.is_empty() {
            self.deciding = Some(decided(self.tools.journal.clone(), free, self.options.resend_unknown).boxed());
        }
    }

    fn decide_what_is_held(&mut self) {
        if self.deciding.is_none() && !self.held.is_empty() && self.over.is_none() {
            let held = std::mem::take(&mut self.held);
            self.decide(held);
        }
    }

    fn take_decided(&mut self, decided: Decided, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        let decided = match decided {
            Ok(decided) => decided,
            Err(why) => return self.stop(Over::Halted(why.to_string())),
        };
        for (row, decision) in decided {
            let plant = row.0.plant.id;
            if self.under_way.contains(&plant) {
                self.held.push(row);
            } else if decision.is_sent() {
                self.under_way.insert(plant);
                let is_resent = decision == Decision::Resend;
                self.waiting.push_back(UnderWay { row, is_resent, tries: 0, tries_of_late: 0, accepted_before: 0 });
            } else {
                self.progress.skipped.count(decision);
                if decision != Decision::Stored {
                    told(Told::Skipped(&row.0, decision));
                }
            }
        }
    }

    fn take_ends(&mut self, ends: Vec<Ended>, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        for ended in ends {
            if let Some(row) = self.sent.remove(&ended.exchange.operation.id) {
                self.take_end(row, &ended, told);
            }
        }
    }

    fn take_end(&mut self, mut row: UnderWay, ended: &Ended, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        let exchange = &ended.exchange;
        let failure = match &exchange.ending {
            Ending::Failed(failure) => Some(failure.kind),
            Ending::Answered(_) => None,
        };
        if failure == Some(FailureKind::CancelledBeforeSending) && self.over.is_some() {
            // Withdrawn: one of those that were not sent.
            return;
        }
        if ended.overtaken {
            // Somebody else was faster: how it stands now is looked at anew.
            self.under_way.remove(&row.row.0.plant.id);
            return self.held.push(row.row);
        }
        let pause = exchange.answer().and_then(|answer| patience::before_the_next(answer, (self.tools.clock)()));
        if let Some(pause) = pause {
            self.pause(pause);
        }
        if self.progress.outcomes.accepted > row.accepted_before {
            // Others were let through meanwhile: it was bad luck.
            row.tries_of_late = 1;
        }
        let is_put_off =
            pause.is_some() && exchange.status() == Some(429) && row.tries_of_late < TRIES && row.tries < TRIES_IN_ALL;
        if is_put_off && ended.recorded.is_ok() && self.over.is_none() {
            // It said no, and when to ask again.
            self.waiting.push_front(row);
            return;
        }
        self.under_way.remove(&row.row.0.plant.id);
        self.progress.outcomes.count(exchange.outcome());
        let unlike_document = exchange.unlike_document();
        self.progress.unlike_document += u64::from(!unlike_document.is_empty());
        self.progress.not_kept += u64::from(ended.recorded.is_err() && failure != Some(FailureKind::NotRecorded));
        let unresolved = row.is_resent.then(|| unresolved(ended)).flatten();
        self.progress.resent += u64::from(row.is_resent);
        self.progress.unresolved += u64::from(unresolved.is_some());
        let (line, recorded) = (row.row.0.line, &ended.recorded);
        told(Told::Row(RowEnd { line, exchange, recorded, unlike_document, unresolved }));
        self.see_whether_it_can_go_on(ended, failure);
    }

    fn pause(&mut self, pause: Duration) {
        if pause > LONGEST_PAUSE {
            let asked = about(pause);
            return self.stop(Over::Halted(format!("the store asks to be left alone for {asked}")));
        }
        self.pace.pause_until(self.now() + pause);
        self.is_held = true;
        // It holds the rest already, unless it was told to go on since.
        self.tools.courier.hold(true);
    }

    fn see_whether_it_can_go_on(&mut self, ended: &Ended, failure: Option<FailureKind>) {
        if let Err(why) = &ended.recorded {
            return self.stop(Over::Halted(format!("the journal cannot be written: {why}")));
        }
        if ended.exchange.status() == Some(401) {
            return self.stop(Over::Halted("the store rejects the token (401)".to_owned()));
        }
        self.unreached = match ended.exchange.outcome() {
            Outcome::NotSent if failure != Some(FailureKind::CancelledBeforeSending) => self.unreached + 1,
            Outcome::NotSent | Outcome::Accepted | Outcome::Refused | Outcome::Unknown => 0,
        };
        if self.unreached >= UNREACHED {
            let why = failure.map(|kind| sentence::failed_because(kind, ended.exchange.elapsed)).unwrap_or_default();
            self.stop(Over::Halted(format!("nothing reaches the store: {why}")));
        }
    }

    /// Nothing more is sent. The first reason is the one told.
    fn stop(&mut self, why: Over) {
        if self.over.is_none() {
            self.over = Some(why);
            self.tools.courier.withdraw();
        }
    }

    fn cancel(&mut self) {
        self.is_cancelled = true;
        self.stop(Over::Stopped);
        self.tools.courier.cancel_batch();
    }

    /// What it had may be at the store, or not.
    fn courier_died(&mut self) {
        self.progress.outcomes.unknown += self.sent.len() as u64;
        self.sent.clear();
        self.over = Some(Over::Halted("the background task has died".to_owned()));
    }
}

/// What is unknown still of a plant that was sent again.
fn unresolved(ended: &Ended) -> Option<&Ask> {
    match ended.exchange.outcome() {
        Outcome::Accepted => None,
        // Whatever was unknown before: so is this add.
        Outcome::Unknown => Some(&ended.exchange.operation.ask),
        Outcome::Refused | Outcome::NotSent => ended.in_doubt.as_ref().map(|doubt| &doubt.ask),
    }
}
