//! Sending the rows of a file: what the list does not have, so many at a time, each once.
//!
//! ```text
//! chunks ─▶ decide ─▶ waiting ─▶ with the courier ─▶ counted
//!             ├─ skipped, told         └─ 429: waits again, after a pause
//!             └─ held: its id is under way
//!
//! 401: waits for another token, where its source can give one, and goes out again with that
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
use crate::client::Token;
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

/// How often it may say so in a row, for each request that may be out, before it is not asked again.
const IN_VAIN: usize = 10;

/// How often at most, whatever becomes of others: each time all of them wait.
const TRIES_IN_ALL: u32 = 10;

/// Why an import ends whose store asks for fewer requests without end.
const ALWAYS_TOO_MANY: &str = "the store answers 429 Too Many Requests to every row, also after pauses; import the \
                               file again later, or more slowly";

/// The shortest stretch, in seconds, that a speed is taken from.
const LEAST_STRETCH: f64 = 0.1;

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

/// Fetches another token where the rejected one came from, or says why there is none.
pub type Renew = Arc<dyn Fn() -> BoxFuture<'static, Result<Token, String>> + Send + Sync>;

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
    /// Where another token comes from once the store rejects this one; `None` if nothing has another.
    pub renew: Option<Renew>,
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
    /// The store rejected the token, and another one is used from now on.
    TokenRenewed,
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
    pub mismatches: Vec<Difference>,
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
    /// Whether it was sent again because its token was rejected: that happens once.
    was_rejected: bool,
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
    /// Rows that were put off (429) since one was let through.
    in_vain: usize,
    /// What fetches another token, while it does.
    renewing: Option<BoxFuture<'static, Result<Token, String>>>,
    /// Rows whose token was rejected, with their ends: sent again with another token, else told.
    rejected: Vec<(UnderWay, Ended)>,
    /// How many tokens had been given when the one went out that was rejected last.
    rejected_token: Option<u32>,
    /// How many rows were accepted when the token was renewed last.
    accepted_before_renewal: Option<u64>,
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
        in_vain: 0,
        renewing: None,
        rejected: Vec::new(),
        rejected_token: None,
        accepted_before_renewal: None,
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
            renewed = next_token(&mut run.renewing) => run.take_token(renewed, told),
            decided = next_decided(&mut run.deciding) => run.take_decided(decided, told),
            chunk = next_chunk(&mut run.chunks), if wants_more => run.take_chunk(chunk),
            () = sleep_until((begun + again.unwrap_or_default()).into()), if again.is_some() => {}
            _ = ticks.tick() => told(Told::Progress(run.told())),
        }
    }
    run.tell_rejected(told);
    let progress = run.told();
    told(Told::Progress(progress));
    Summary { progress, over: run.over.unwrap_or(Over::Done) }
}

/// What went wrong with an exchange that brought no answer.
fn failure_of(exchange: &Exchange) -> Option<FailureKind> {
    match &exchange.ending {
        Ending::Failed(failure) => Some(failure.kind),
        Ending::Answered(_) => None,
    }
}

/// The next rows of the file; for ever pending where there are none to come.
async fn next_chunk(chunks: &mut Option<Chunks>) -> Option<io::Result<Vec<FileRow>>> {
    match chunks {
        Some(chunks) => chunks.recv().await,
        None => pending().await,
    }
}

/// Another token, or why there is none; likewise.
async fn next_token(renewing: &mut Option<BoxFuture<'static, Result<Token, String>>>) -> Result<Token, String> {
    let renewed = match renewing {
        Some(renewing) => renewing.await,
        None => pending().await,
    };
    *renewing = None;
    renewed
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
        let nothing_is_left = nothing_is_left && self.renewing.is_none();
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
        if self.over.is_some() || self.renewing.is_some() {
            return None;
        }
        let now = self.now();
        if self.is_held && self.pace.pause(now).is_none() {
            // Also where nothing waits: the courier has some.
            self.is_held = false;
            self.tools.courier.hold(false);
        }
        // What is handed over goes as fast as the store answers: with a rate nothing is ahead of it.
        let ahead = if self.options.rate.is_some() || self.pace.is_slowed() { 1 } else { AHEAD };
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
                self.waiting.push_back(UnderWay {
                    row,
                    is_resent: decision == Decision::Resend,
                    tries: 0,
                    tries_of_late: 0,
                    accepted_before: 0,
                    was_rejected: false,
                });
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
                self.take_end(row, ended, told);
            }
        }
    }

    fn take_end(&mut self, mut row: UnderWay, ended: Ended, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        let exchange = &ended.exchange;
        let failure = failure_of(exchange);
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
        let asks_for_less = exchange.answer().is_some_and(patience::asks_for_less);
        if asks_for_less {
            self.in_vain += 1;
        } else if matches!(exchange.outcome(), Outcome::Accepted | Outcome::Rejected) {
            self.in_vain = 0;
            self.pace.let_through();
        }
        match pause {
            Some(pause) => self.pause(pause),
            None if asks_for_less => self.slow_down(),
            None => {}
        }
        if self.in_vain >= IN_VAIN * self.options.concurrency {
            self.stop(Over::Halted(ALWAYS_TOO_MANY.to_owned()));
        }
        if self.progress.outcomes.accepted > row.accepted_before {
            // Others were let through meanwhile: it was bad luck.
            row.tries_of_late = 1;
        }
        if asks_for_less && ended.recorded.is_ok() && self.over.is_none() && row.tries < TRIES_IN_ALL {
            // It said no, and perhaps when to ask again.
            if pause.is_none() {
                // Behind the others: it may be this row alone that is put off.
                return self.waiting.push_back(row);
            } else if row.tries_of_late < TRIES {
                return self.waiting.push_front(row);
            }
        }
        if exchange.status() == Some(401) && self.waits_for_token(&row, &ended) {
            self.rejected.push((row, ended));
            if self.renewing.is_none() {
                self.send_rejected_again();
            }
            return;
        }
        self.is_told(&row, &ended, told);
    }

    /// Counts the end of a row, and tells it.
    fn is_told(&mut self, row: &UnderWay, ended: &Ended, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        let exchange = &ended.exchange;
        let failure = failure_of(exchange);
        self.under_way.remove(&row.row.0.plant.id);
        self.progress.outcomes.count(exchange.outcome());
        let mismatches = exchange.mismatches();
        self.progress.mismatches += u64::from(!mismatches.is_empty());
        self.progress.not_kept += u64::from(ended.recorded.is_err() && failure != Some(FailureKind::NotRecorded));
        let unresolved = row.is_resent.then(|| unresolved(ended)).flatten();
        self.progress.resent += u64::from(row.is_resent);
        self.progress.unresolved += u64::from(unresolved.is_some());
        let (line, recorded) = (row.row.0.line, &ended.recorded);
        told(Told::Row(RowEnd { line, exchange, recorded, mismatches, unresolved }));
        self.see_whether_it_can_go_on(ended, failure);
    }

    /// Whether a row whose token was rejected, a proven no, goes out again: once, and with another
    /// token. That is there already, or its source begins to fetch it.
    fn waits_for_token(&mut self, row: &UnderWay, ended: &Ended) -> bool {
        if row.was_rejected || ended.recorded.is_err() || self.over.is_some() {
            return false;
        }
        if self.rejected_token.is_some_and(|rejected| ended.token <= rejected) {
            return true;
        }
        // Again only where the token of the last time was accepted meanwhile.
        let is_stuck = self.accepted_before_renewal.is_some_and(|before| self.progress.outcomes.accepted <= before);
        let Some(renew) = self.tools.renew.as_ref().filter(|_| !is_stuck) else { return false };
        self.renewing = Some(renew());
        self.rejected_token = Some(ended.token);
        true
    }

    fn take_token(&mut self, renewed: Result<Token, String>, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        match renewed {
            Ok(token) => {
                self.tools.courier.use_token(token);
                self.accepted_before_renewal = Some(self.progress.outcomes.accepted);
                self.send_rejected_again();
                told(Told::TokenRenewed);
                if !self.is_held {
                    // It has held itself since the rejection.
                    self.tools.courier.hold(false);
                }
            }
            Err(why) => self.stop(Over::Halted(format!("the store rejected the token (401), and there is {why}"))),
        }
    }

    fn send_rejected_again(&mut self) {
        for (row, _) in self.rejected.drain(..).rev() {
            self.waiting.push_front(UnderWay { was_rejected: true, ..row });
        }
    }

    /// Tells the ends of rows for which no other token came.
    fn tell_rejected(&mut self, told: &mut (dyn FnMut(Told<'_>) + Send)) {
        for (row, ended) in std::mem::take(&mut self.rejected) {
            self.is_told(&row, &ended, told);
        }
    }

    fn pause(&mut self, pause: Duration) {
        if pause > LONGEST_PAUSE {
            let asked = about(pause);
            return self.stop(Over::Halted(format!("the store asks to be left alone for {asked}")));
        }
        self.pace.pause_until(self.now() + pause);
        self.hold();
    }

    /// Goes slower where the store asks for fewer requests and does not say when to come back.
    fn slow_down(&mut self) {
        let now = self.now();
        let (ended, took) = self.recently.ended(self.progress.done(), now);
        #[expect(clippy::cast_precision_loss, reason = "a speed has few digits")]
        let speed = ended as f64 / took.as_secs_f64().max(LEAST_STRETCH);
        match self.pace.slow_down(speed, now) {
            Some(_) => self.hold(),
            None => self.stop(Over::Halted(ALWAYS_TOO_MANY.to_owned())),
        }
        self.progress.is_slowed = true;
    }

    /// Nothing goes out before the pause is over.
    fn hold(&mut self) {
        self.is_held = true;
        // It holds the rest already, unless it was told to go on since.
        self.tools.courier.hold(true);
    }

    fn see_whether_it_can_go_on(&mut self, ended: &Ended, failure: Option<FailureKind>) {
        if let Err(why) = &ended.recorded {
            return self.stop(Over::Halted(format!("the journal cannot be written: {why}")));
        }
        if ended.exchange.status() == Some(401) {
            return self.stop(Over::Halted("the store rejected the token (401)".to_owned()));
        }
        self.unreached = match ended.exchange.outcome() {
            Outcome::NotSent if failure != Some(FailureKind::CancelledBeforeSending) => self.unreached + 1,
            Outcome::NotSent | Outcome::Accepted | Outcome::Rejected | Outcome::Unknown => 0,
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
            self.renewing = None;
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
        Outcome::Rejected | Outcome::NotSent => ended.in_doubt.as_ref().map(|doubt| &doubt.ask),
    }
}
