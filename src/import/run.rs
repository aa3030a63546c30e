//! Sends the rows of a file that are not in the list: a limited number at a time, each once.
//!
//! ```text
//! queue ─▶ worker ─▶ counted
//!   ▲        ├─ 429: queued again, after a pause
//!   └────────┴─ 401: queued again with a new token, if its source has one
//! ```

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep_until};

use super::decision::{Decision, Repeat, Resend};
use super::forecast::Decisions;
use super::pace::{Pace, Recently};
use super::preview::FAULTS_HELD;
use super::progress::{Progress, Stopwatch};
use super::queue::{Queue, QueuedRow};
use super::renewal::{Renew, RenewError, Renewal};
use super::row::{ImportRow, RowNote, RowNumber};
use super::summary::{Over, Summary};
use super::validate::Validated;
use crate::client::Token;
use crate::domain::{
    Exchange, FailureKind, Mismatch, Operation, OperationId, OperationKind, Outcome, Timestamp, retry_after,
};
use crate::journal::{Condition, Journal};
use crate::text::number_format::about;
use crate::worker::{Batch, BatchReport, Brake, BrakeCause, Ended, Worker, open_intents};

/// Default number of requests in flight.
pub const CONCURRENCY: u16 = 8;

/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Greatest number of times that a row is sent after 429 with `Retry-After` while no other row is accepted.
const TRIES: u32 = 3;

/// Consecutive 429 responses for each request in flight, after which the import ends.
const IN_VAIN: usize = 10;

/// Greatest number of times that a row is sent after 429 or 401, even if other rows are accepted: all rows
/// wait each time.
const TRIES_IN_ALL: u32 = 10;

const ALWAYS_TOO_MANY: &str = "the store responds 429 Too Many Requests to every row, also after pauses; import the \
                               file again later, or more slowly";

/// Shortest period, in seconds, for measuring a speed.
const LEAST_PERIOD: f64 = 0.1;

/// Longest pause that the import waits for.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

/// Number of the first operation of an import; smaller numbers belong to single operations.
const FIRST_NUMBER: u32 = 1 << 31;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Greatest number of requests in flight, at least 1.
    pub concurrency: usize,
    /// Greatest number of rows a second, above 0.
    pub rate: Option<f64>,
    pub resend: Resend,
    /// Goes on where the brake would be on, instead of reporting [`Event::Braked`] and waiting for
    /// [`Order::GoOn`] or [`Order::Halt`].
    pub keep_going: bool,
}

/// What a person can order of a running import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Goes on after [`Event::Braked`].
    GoOn,
    /// Ends the import after [`Event::Braked`].
    Halt,
    /// Sends nothing more, and completes the requests in flight.
    Stop,
    /// Cancels the requests in flight, too, which are then unknown.
    Cancel,
}

/// Receives the orders of a person.
pub type Orders = mpsc::UnboundedReceiver<Order>;

#[derive(Debug)]
pub enum Event<'a> {
    /// At most ten times a second, and once at the end.
    Progress(Progress),
    /// A row was sent and has an outcome.
    Row(RowEnd),
    /// A row was not sent, for this reason; not reported for a row that needs nothing.
    Withheld(&'a ImportRow, Decision),
    /// The brake is on. Nothing is in flight, and the import waits for an order, with this many rows left to send.
    Braked { left: u64, cause: BrakeCause },
    /// The store rejected the token, and the import goes on with another one.
    TokenRenewed(Token),
}

/// The outcome of a row that was sent.
#[derive(Debug)]
pub struct RowEnd {
    pub number: RowNumber,
    pub ended: Ended,
    /// Differences of an accepted response from the document.
    pub mismatches: Vec<Mismatch>,
    /// Whether the plant was unknown, was sent again, and is still unknown.
    pub is_unresolved: bool,
}

/// Receives the events of an import.
type Events<'a> = &'a mut (dyn FnMut(Event<'_>) + Send);

pub struct Tools {
    pub journal: Journal,
    pub worker: Worker,
    /// The name of this running program in the journal.
    pub origin: u64,
    /// Number of operations of earlier imports of this program.
    pub submitted: Arc<AtomicU32>,
    pub clock: fn() -> Timestamp,
    /// Fetches a new token; `None` if the source of the token cannot give another one.
    pub renew: Option<Renew>,
}

struct Run {
    tools: Tools,
    options: Options,
    progress: Progress,
    begun: Instant,
    pace: Pace,
    recently: Recently,
    queue: Queue,
    sent: HashMap<OperationId, QueuedRow>,
    /// Consecutive 429 responses.
    in_vain: usize,
    renewal: Renewal,
    /// Rows whose token was rejected: sent again with a new token, or else counted.
    rejected: Vec<(QueuedRow, Ended)>,
    /// The first [`FAULTS_HELD`] rows that need a look.
    notes: Vec<RowNote>,
    /// Why nothing more is sent.
    over: Option<Over>,
    /// Whether the worker pauses this batch.
    is_held: bool,
    /// Why it waits for a person: the worker's brake is on.
    braked: Option<BrakeCause>,
    time: Stopwatch,
}

/// Sends the rows of a file that are not in the list. Returns when all have an outcome, or when the import
/// is stopped or halts and no request is in flight.
pub async fn run(file: Validated, options: Options, tools: Tools, mut orders: Orders, events: Events<'_>) -> Summary {
    let (sender, mut reports) = mpsc::unbounded_channel();
    let Options { concurrency, resend: Resend { unknown, stored }, .. } = options;
    let brake = Brake::new(options.keep_going);
    tools.worker.begin(Batch {
        concurrency,
        condition: Condition::MissingOr { unknown, stored },
        brake,
        reports: sender,
    });
    #[expect(clippy::disallowed_methods, reason = "the import measures its own speed")]
    let begun = Instant::now();
    let mut run = Run {
        queue: Queue::new(file.chunks(), tools.journal.clone(), options.resend),
        renewal: Renewal::new(tools.renew.clone()),
        tools,
        options,
        progress: Progress { rows: file.rows, ..Progress::default() },
        begun,
        pace: Pace::new(options.rate),
        recently: Recently::default(),
        sent: HashMap::default(),
        in_vain: 0,
        rejected: Vec::new(),
        notes: Vec::new(),
        over: None,
        is_held: false,
        braked: None,
        time: Stopwatch::default(),
    };
    let mut ticks = interval(REPORT_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !run.is_done() {
        let again = run.send_rows();
        tokio::select! {
            biased;
            Some(order) = orders.recv() => run.obey(order),
            report = reports.recv() => match report {
                Some(BatchReport::Ended(ended)) => ended.into_iter().for_each(|ended| run.take_end(ended, events)),
                Some(BatchReport::Braked(cause)) => run.brake(cause, events),
                None => run.worker_died(),
            },
            renewed = run.renewal.token() => run.take_token(renewed, events),
            decided = run.queue.decided(run.over.is_none()) => run.take_decided(decided, events),
            () = sleep_until((begun + again.unwrap_or_default()).into()), if again.is_some() => {}
            _ = ticks.tick() => events(Event::Progress(run.progress())),
        }
    }
    for (row, ended) in std::mem::take(&mut run.rejected) {
        run.count_end(&row, ended, events);
    }
    let progress = run.progress();
    events(Event::Progress(progress));
    run.notes.sort_by_key(|note| note.number);
    Summary { progress, over: run.over.unwrap_or(Over::Done), notes: run.notes }
}

impl Run {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns whether nothing is in flight, and nothing more is to be sent.
    fn is_done(&self) -> bool {
        self.sent.is_empty() && (self.over.is_some() || (self.queue.is_empty() && self.renewal.fetching.is_none()))
    }

    fn progress(&mut self) -> Progress {
        let now = self.now();
        let recently = self.recently.measure(self.progress.done(), now);
        // The brake goes on once nothing is in flight; the worker keeps what was not sent.
        let out = if self.braked.is_some() { 0 } else { self.sent.len().min(self.options.concurrency) };
        let pause = self.pace.pause(now);
        let elapsed = self.time.measure(now, self.braked.is_none());
        self.progress = Progress { out, elapsed, recently, pause, ..self.progress };
        self.progress
    }

    /// Gives the worker as many rows as concurrency and pace allow. Returns when the next waiting row may be
    /// sent.
    fn send_rows(&mut self) -> Option<Duration> {
        if self.over.is_some() || self.braked.is_some() || self.renewal.fetching.is_some() {
            return None;
        }
        let now = self.now();
        if self.is_held && self.pace.pause(now).is_none() {
            // Also if no row waits here, because the worker has some.
            self.is_held = false;
            self.tools.worker.hold(false);
        }
        // The worker sends its rows without a pause: with a rate, it gets none ahead. Without one, it gets those of the
        // next intents too.
        let concurrency = self.options.concurrency;
        let is_paced = self.options.rate.is_some() || self.pace.is_slowed();
        let most = if is_paced { concurrency } else { 2 * open_intents(concurrency) };
        let room = most.saturating_sub(self.sent.len());
        let (count, again) = self.pace.release(room.min(self.queue.waiting.len()), now);
        if count == 0 {
            return again;
        }
        let mut operations = Vec::with_capacity(count);
        for mut row in self.queue.waiting.drain(..count) {
            let before = self.tools.submitted.fetch_add(1, Ordering::Relaxed);
            let id = OperationId { origin: self.tools.origin, number: FIRST_NUMBER.saturating_add(before) };
            operations.push(Operation::new(id, OperationKind::add(row.row.plant.clone()), (self.tools.clock)()));
            row.tries += 1;
            row.recent_tries += 1;
            row.accepted_before = self.progress.outcomes.accepted;
            self.sent.insert(id, row);
        }
        self.tools.worker.send_all(operations);
        again
    }

    /// Notes what became of a row that needs a look.
    fn note(&mut self, note: RowNote) {
        if self.notes.len() < FAULTS_HELD {
            self.notes.push(note);
        }
    }

    fn take_decided(&mut self, unsent: Decisions, events: Events<'_>) {
        let unsent = match unsent {
            Ok(unsent) => unsent,
            Err(why) => return self.halt(why.to_string()),
        };
        for (row, decision) in unsent {
            self.progress.unsent.count(decision);
            if let Some(note) = decision.note(&row) {
                self.note(note);
                events(Event::Withheld(&row, decision));
            }
        }
    }

    fn take_end(&mut self, ended: Ended, events: Events<'_>) {
        let exchange = &ended.exchange;
        let Some(mut row) = self.sent.remove(&exchange.operation.id) else { return };
        if exchange.failure() == Some(FailureKind::CancelledBeforeSending) && self.over.is_some() {
            // Withdrawn from the worker: counts as not tried.
            self.progress.unrecorded += u64::from(ended.has_intent && ended.recorded.is_err());
            return;
        }
        if ended.is_overtaken() {
            return self.queue.overtaken.push((row.row, Repeat::First));
        }
        let has_named_a_pause = self.heed_rate_limit(exchange);
        if self.progress.outcomes.accepted > row.accepted_before {
            row.recent_tries = 1;
        }
        if ended.recorded.is_ok() && self.over.is_none() && row.tries < TRIES_IN_ALL {
            match exchange.status() {
                // After the others: the limit may concern this row only.
                Some(429) if !has_named_a_pause => return self.queue.waiting.push_back(row),
                Some(429) if row.recent_tries < TRIES => return self.queue.waiting.push_front(row),
                Some(401) if self.renewal.replaces(ended.token.as_ref(), self.progress.outcomes.accepted) => {
                    self.rejected.push((row, ended));
                    if self.renewal.fetching.is_none() {
                        self.send_rejected_again();
                    }
                    return;
                }
                Some(_) | None => {}
            }
        }
        self.count_end(&row, ended, events);
    }

    /// Makes the pause that a response asks for, or slows down if the response names none. Returns whether it
    /// names one.
    fn heed_rate_limit(&mut self, exchange: &Exchange) -> bool {
        let pause =
            exchange.response().and_then(|response| retry_after::pause_before_next(response, (self.tools.clock)()));
        let asks_for_less = exchange.status() == Some(429);
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
            self.halt(ALWAYS_TOO_MANY);
        }
        pause.is_some()
    }

    fn count_end(&mut self, row: &QueuedRow, ended: Ended, events: Events<'_>) {
        let exchange = &ended.exchange;
        self.progress.outcomes.count(exchange.outcome());
        self.progress.unrecorded += u64::from(ended.may_be_recorded());
        self.progress.failed_by_store += u64::from(matches!(exchange.status(), Some(500..=599)));
        let mismatches = exchange.mismatches();
        self.progress.mismatches += u64::from(!mismatches.is_empty());
        self.progress.is_token_rejected |= exchange.rejects_token();
        self.progress.is_limited |= exchange.status() == Some(429);
        self.progress.pages += u64::from(exchange.is_accepted_page());
        let is_resent = row.decision == Decision::Resend;
        let is_unresolved = match exchange.outcome() {
            Outcome::Accepted => false,
            Outcome::Unknown => is_resent,
            Outcome::Rejected | Outcome::NotSent => is_resent && ended.unknown.is_some(),
        };
        self.progress.resent += u64::from(is_resent);
        self.progress.resent_stored += u64::from(row.decision == Decision::ResendStored);
        self.progress.unresolved += u64::from(is_unresolved);
        let number = row.row.number;
        if exchange.outcome() != Outcome::Accepted {
            self.note(RowNote { number, sentence: ended.sentence(None) });
        }
        if let Some(why) = ended.ends_all() {
            self.halt(why);
        }
        events(Event::Row(RowEnd { number, ended, mismatches, is_unresolved }));
    }

    fn take_token(&mut self, renewed: Result<Token, RenewError>, events: Events<'_>) {
        match renewed {
            Ok(token) => {
                self.tools.worker.use_token(token.clone());
                self.renewal.accepted = self.progress.outcomes.accepted;
                self.send_rejected_again();
                events(Event::TokenRenewed(token));
                if !self.is_held {
                    // The worker has held the batch since the rejection.
                    self.tools.worker.hold(false);
                }
            }
            Err(why) => self.halt(format!("the store rejected the token (401); {why}")),
        }
    }

    fn send_rejected_again(&mut self) {
        for (row, _) in self.rejected.drain(..).rev() {
            self.queue.waiting.push_front(row);
        }
    }

    fn pause(&mut self, pause: Duration) {
        if pause > LONGEST_PAUSE {
            let pause = about(pause);
            return self.halt(format!("the store asks for a pause of {pause}: import the file again then"));
        }
        self.pace.pause_until(self.now() + pause);
        self.hold();
    }

    /// Slows down after a 429 without a time to retry.
    fn slow_down(&mut self) {
        let now = self.now();
        let (ended, took) = self.recently.measure(self.progress.done(), now);
        #[expect(clippy::cast_precision_loss, reason = "a speed has few digits")]
        let speed = ended as f64 / took.as_secs_f64().max(LEAST_PERIOD);
        match self.pace.slow_down(speed, now) {
            Some(_) => self.hold(),
            None => self.halt(ALWAYS_TOO_MANY),
        }
        self.progress.is_slowed = true;
    }

    /// Sends nothing before the pause is over.
    fn hold(&mut self) {
        self.is_held = true;
        // The worker has held the batch since the response, unless another call released it.
        self.tools.worker.hold(true);
    }

    /// Asks whether to go on, if anything is left to send.
    fn brake(&mut self, cause: BrakeCause, events: Events<'_>) {
        if self.over.is_some() || (self.sent.is_empty() && self.queue.is_empty()) {
            return;
        }
        self.time.measure(self.now(), true);
        self.braked = Some(cause);
        let progress = self.progress();
        events(Event::Progress(progress));
        events(Event::Braked { left: progress.left(), cause });
    }

    fn obey(&mut self, order: Order) {
        match (order, self.braked) {
            (Order::GoOn, Some(_)) => {
                self.time.measure(self.now(), false);
                self.braked = None;
                self.tools.worker.release_brake();
            }
            (Order::Halt, Some(cause)) => self.halt(cause.reason()),
            (Order::GoOn | Order::Halt, None) => {}
            (Order::Stop, _) => self.stop(Over::Stopped),
            (Order::Cancel, _) => {
                self.stop(Over::Stopped);
                self.tools.worker.cancel_batch();
            }
        }
    }

    /// Sends nothing more. Keeps the reason of the first call.
    fn stop(&mut self, why: Over) {
        if self.over.is_none() {
            self.over = Some(why);
            self.renewal.fetching = None;
            self.tools.worker.withdraw();
        }
    }

    fn halt(&mut self, why: impl Into<String>) {
        self.stop(Over::Halted(why.into()));
    }

    /// Counts the rows that the worker had as unknown.
    fn worker_died(&mut self) {
        self.progress.outcomes.unknown += self.sent.len() as u64;
        self.sent.clear();
        self.over = Some(Over::Halted("the background task has died".to_owned()));
    }
}
