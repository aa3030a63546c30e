//! Sends the rows of a file that the list does not have: so many at a time, each once.
//!
//! ```text
//! queue ─▶ with the worker ─▶ counted
//!   ▲          ├─ 429: waits again, after a pause
//!   └──────────┴─ 401: waits for another token, where its source can give one
//! ```

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;

use super::decision::Decision;
use super::event::{Event, Events, RowEnd};
use super::forecast::DecideError;
use super::pace::{Pace, Recently};
use super::progress::Progress;
use super::queue::{Queue, QueuedRow};
use super::renewal::{Renew, RenewError, Renewal};
use super::summary::{Over, Summary};
use super::validate::{FileRow, Validated};
use crate::client::Token;
use crate::domain::number_format::about;
use crate::domain::{
    Ending, Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, Timestamp, retry_after, sentence,
};
use crate::journal::Journal;
use crate::worker::{Batch, Ended, Worker};

/// Requests out at once, unless a person says otherwise.
pub const CONCURRENCY: u16 = 8;

/// Between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Rows that are with the worker, for each that may be out: enough that the next ones are durable
/// when a place is free, and few enough that not many are unknown if the program is killed.
const AHEAD: usize = 8;

/// How often a row goes out at most that the store puts off (429 with `Retry-After`) while it
/// accepts no other.
const TRIES: u32 = 3;

/// How often it may say so in a row, for each request that may be out, before the import ends.
const IN_VAIN: usize = 10;

/// How often at most a row goes out that was put off, or whose token was rejected (401), whatever becomes
/// of others: each time all of them wait.
const TRIES_IN_ALL: u32 = 10;

/// Why an import ends whose store asks for fewer requests without end.
const ALWAYS_TOO_MANY: &str = "the store responds 429 Too Many Requests to every row, also after pauses; import the \
                               file again later, or more slowly";

/// The shortest stretch, in seconds, that a speed is taken from.
const LEAST_STRETCH: f64 = 0.1;

/// The longest pause that is waited for.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

/// Rows in a row of which nothing reached the store, after which it cannot be reached.
const UNREACHED: usize = 8;

/// The first number of an operation of an import: those before are requested one by one.
const FIRST_NUMBER: u32 = 1 << 31;

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

pub struct Tools {
    pub journal: Journal,
    pub worker: Worker,
    /// Of the running program.
    pub origin: u64,
    /// Operations of its imports so far: numbers go on from there.
    pub asked: Arc<AtomicU32>,
    pub clock: fn() -> Timestamp,
    /// Where another token comes from once the store rejects this one; `None` if nothing has another.
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
    /// Rows in a row of which nothing reached the store.
    unreached: usize,
    /// Rows that were put off (429) since one was let through.
    in_vain: usize,
    renewal: Renewal,
    /// Rows whose token was rejected, with their ends: sent again with another token, else counted.
    rejected: Vec<(QueuedRow, Ended)>,
    /// Why nothing more is sent.
    over: Option<Over>,
    /// Whether the worker sends nothing of it for now.
    is_held: bool,
    is_cancelled: bool,
}

/// Sends the rows of a file that the list does not have. Ends when all are done with, or when ordered to
/// stop or unable to go on and nothing is out any more.
pub async fn run(
    mut file: Validated,
    options: Options,
    tools: Tools,
    orders: &Orders,
    events: &mut (dyn FnMut(Event<'_>) + Send),
) -> Summary {
    let (sender, mut ends) = mpsc::unbounded_channel();
    let Options { concurrency, resend_unknown, .. } = options;
    tools.worker.begin(Batch { concurrency, resend_unknown, ends: sender });
    #[expect(clippy::disallowed_methods, reason = "how fast it goes is measured where it is sent")]
    let begun = Instant::now();
    let (chunks, over) = match file.chunks() {
        Ok(chunks) => (Some(chunks), None),
        Err(why) => (None, Some(Over::Halted(DecideError::Rows(why).to_string()))),
    };
    let mut run = Run {
        queue: Queue::new(chunks, tools.journal.clone(), resend_unknown),
        renewal: Renewal::new(tools.renew.clone()),
        tools,
        options,
        progress: Progress { rows: file.rows(), ..Progress::default() },
        begun,
        pace: Pace::new(options.rate),
        recently: Recently::default(),
        sent: HashMap::new(),
        unreached: 0,
        in_vain: 0,
        rejected: Vec::new(),
        over,
        is_held: false,
        is_cancelled: false,
    };
    let mut ticks = interval(REPORT_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !run.is_done() {
        let again = run.send_what_may_go();
        if run.over.is_none() {
            run.queue.decide_held();
        }
        tokio::select! {
            biased;
            () = orders.cancel.cancelled(), if !run.is_cancelled => run.cancel(),
            () = orders.stop.cancelled(), if run.over.is_none() => run.stop(Over::Stopped),
            ended = ends.recv() => match ended {
                Some(ended) => run.take_ends(ended, events),
                None => run.worker_died(),
            },
            renewed = run.renewal.token() => run.take_token(renewed, events),
            decided = run.queue.decided(run.over.is_none()) => run.take_decided(decided, events),
            () = sleep_until((begun + again.unwrap_or_default()).into()), if again.is_some() => {}
            _ = ticks.tick() => events(Event::Progress(run.progress())),
        }
    }
    for (row, ended) in std::mem::take(&mut run.rejected) {
        run.count_end(&row, &ended, events);
    }
    let progress = run.progress();
    events(Event::Progress(progress));
    Summary { progress, over: run.over.unwrap_or(Over::Done) }
}

fn failure_of(exchange: &Exchange) -> Option<FailureKind> {
    match &exchange.ending {
        Ending::Failed(failure) => Some(failure.kind),
        Ending::Responded(_) => None,
    }
}

impl Run {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether nothing is out, and nothing more is to go out.
    fn is_done(&self) -> bool {
        let nothing_is_left = || self.queue.is_empty() && !self.renewal.is_fetching();
        self.sent.is_empty() && (self.over.is_some() || nothing_is_left())
    }

    fn progress(&mut self) -> Progress {
        let now = self.now();
        let recently = self.recently.ended(self.progress.done(), now);
        let (out, pause) = (self.sent.len().min(self.options.concurrency), self.pace.pause(now));
        self.progress = Progress { out, elapsed: now, recently, pause, ..self.progress };
        self.progress
    }

    /// Hands rows to the worker, as many as it has room for and the pace allows. Returns when more
    /// may go that wait.
    fn send_what_may_go(&mut self) -> Option<Duration> {
        if self.over.is_some() || self.renewal.is_fetching() {
            return None;
        }
        let now = self.now();
        if self.is_held && self.pace.pause(now).is_none() {
            // Also where nothing waits: the worker has some.
            self.is_held = false;
            self.tools.worker.hold(false);
        }
        // What is handed over goes as fast as the store responds: with a rate nothing is ahead of it.
        let ahead = if self.options.rate.is_some() || self.pace.is_slowed() { 1 } else { AHEAD };
        let room = (self.options.concurrency * ahead).saturating_sub(self.sent.len());
        let (count, again) = self.pace.let_go(room.min(self.queue.waiting()), now);
        if count == 0 {
            return again;
        }
        let mut operations = Vec::with_capacity(count);
        for mut row in self.queue.take(count) {
            let before = self.tools.asked.fetch_add(1, Ordering::Relaxed);
            let id = OperationId { origin: self.tools.origin, number: FIRST_NUMBER.saturating_add(before) };
            operations.push(Operation::new(id, OperationKind::Add(row.row.0.plant.clone()), (self.tools.clock)()));
            row.tries += 1;
            row.tries_of_late += 1;
            row.accepted_before = self.progress.outcomes.accepted;
            self.sent.insert(id, row);
        }
        if self.tools.worker.send_all(operations).is_err() {
            self.worker_died();
        }
        again
    }

    fn take_decided(&mut self, skipped: Result<Vec<(FileRow, Decision)>, DecideError>, events: Events<'_>) {
        let skipped = match skipped {
            Ok(skipped) => skipped,
            Err(why) => return self.stop(Over::Halted(why.to_string())),
        };
        for ((row, _), decision) in skipped {
            self.progress.skipped.count(decision);
            if decision != Decision::Stored {
                events(Event::Skipped(&row, decision));
            }
        }
    }

    fn take_ends(&mut self, ends: Vec<Ended>, events: Events<'_>) {
        for ended in ends {
            if let Some(row) = self.sent.remove(&ended.exchange.operation.id) {
                self.take_end(row, ended, events);
            }
        }
    }

    fn take_end(&mut self, mut row: QueuedRow, ended: Ended, events: Events<'_>) {
        let exchange = &ended.exchange;
        if failure_of(exchange) == Some(FailureKind::CancelledBeforeSending) && self.over.is_some() {
            // Withdrawn: one of those that were not sent.
            return;
        }
        if ended.is_overtaken() {
            return self.queue.decide_again(row.row);
        }
        let has_named_a_pause = self.spare_the_store(exchange);
        if self.progress.outcomes.accepted > row.accepted_before {
            // Others were let through meanwhile: it was bad luck.
            row.tries_of_late = 1;
        }
        if ended.recorded.is_ok() && self.over.is_none() && row.tries < TRIES_IN_ALL {
            match exchange.status() {
                // Behind the others: it may be this row alone that is put off.
                Some(429) if !has_named_a_pause => return self.queue.push_back(row),
                Some(429) if row.tries_of_late < TRIES => return self.queue.push_front(row),
                Some(401) if self.renewal.replaces(ended.token, self.progress.outcomes.accepted) => {
                    self.rejected.push((row, ended));
                    if !self.renewal.is_fetching() {
                        self.send_rejected_again();
                    }
                    return;
                }
                Some(_) | None => {}
            }
        }
        self.count_end(&row, &ended, events);
    }

    /// Makes the pause that a response asks for, or goes slower where it names none. Returns whether it names
    /// one.
    fn spare_the_store(&mut self, exchange: &Exchange) -> bool {
        let pause =
            exchange.response().and_then(|response| retry_after::pause_before_next(response, (self.tools.clock)()));
        let asks_for_less = exchange.response().is_some_and(retry_after::is_rate_limited);
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
        pause.is_some()
    }

    fn count_end(&mut self, row: &QueuedRow, ended: &Ended, events: Events<'_>) {
        let exchange = &ended.exchange;
        let failure = failure_of(exchange);
        self.queue.is_over(row.row.0.plant.id);
        self.progress.outcomes.count(exchange.outcome());
        let mismatches = exchange.mismatches();
        self.progress.mismatches += u64::from(!mismatches.is_empty());
        self.progress.not_kept += u64::from(ended.recorded.is_err() && failure != Some(FailureKind::NotRecorded));
        let unresolved = row.is_resent.then(|| unresolved(ended)).flatten();
        self.progress.resent += u64::from(row.is_resent);
        self.progress.unresolved += u64::from(unresolved.is_some());
        events(Event::Row(RowEnd { line: row.row.0.line, ended, mismatches, unresolved }));
        self.see_whether_it_can_go_on(ended, failure);
    }

    fn take_token(&mut self, renewed: Result<Token, RenewError>, events: Events<'_>) {
        match renewed {
            Ok(token) => {
                self.tools.worker.use_token(token);
                self.renewal.is_in_use(self.progress.outcomes.accepted);
                self.send_rejected_again();
                events(Event::TokenRenewed);
                if !self.is_held {
                    // It has held itself since the rejection.
                    self.tools.worker.hold(false);
                }
            }
            Err(why) => self.stop(Over::Halted(format!("the store rejected the token (401), and there is {why}"))),
        }
    }

    fn send_rejected_again(&mut self) {
        for (row, _) in self.rejected.drain(..).rev() {
            self.queue.push_front(row);
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
        // It holds the rest already, unless it was ordered to go on since.
        self.tools.worker.hold(true);
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

    /// Sends nothing more. The first reason is the one that counts.
    fn stop(&mut self, why: Over) {
        if self.over.is_none() {
            self.over = Some(why);
            self.renewal.stop();
            self.tools.worker.withdraw();
        }
    }

    fn cancel(&mut self) {
        self.is_cancelled = true;
        self.stop(Over::Stopped);
        self.tools.worker.cancel_batch();
    }

    /// What it had may be at the store, or not.
    fn worker_died(&mut self) {
        self.progress.outcomes.unknown += self.sent.len() as u64;
        self.sent.clear();
        self.over = Some(Over::Halted("the background task has died".to_owned()));
    }
}

/// What is unknown still of a plant that was sent again.
fn unresolved(ended: &Ended) -> Option<&OperationKind> {
    match ended.exchange.outcome() {
        Outcome::Accepted => None,
        // Whatever was unknown before: so is this add.
        Outcome::Unknown => Some(&ended.exchange.operation.kind),
        Outcome::Rejected | Outcome::NotSent => ended.unknown.as_ref().map(|doubt| &doubt.kind),
    }
}
