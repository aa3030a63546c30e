//! Takes each operation through its stages. Every step (record, send, write) is a future that the worker's one task
//! polls, so that a row of an import crosses no thread between its steps; the state between steps is here. Must not know
//! what operations are for, or when a batch is held.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::mem::take;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, StreamExt as _};
use strum::IntoStaticStr;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{Level, debug, enabled, error};

use super::brake::Brake;
use super::message::{Batch, BatchReport, Ended, Report};
use super::panics::panic_text;
use super::queues::{Priority, Queues};
use super::recording::{self, for_each};
use crate::client::{Client, Connections, Token};
use crate::domain::{Ending, Exchange, Failure, FailureKind, Operation, OperationId, Timestamp, retry_after};
use crate::journal::{Condition, Journal, JournalError};

/// Maximum number of single operations in flight.
pub const CONCURRENCY: usize = 8;

/// Time until an end that could not be written is written again.
const BEFORE_WRITING_AGAIN: Duration = Duration::from_secs(2);

/// Returns the maximum number of open intents of a batch with this many requests in flight: enough that the next ones
/// are always on disk in time, and few enough that not many are unknown if the program is killed.
pub fn open_intents(concurrency: usize) -> usize {
    (8 * concurrency).min(64).max(2 * concurrency)
}

/// The parts that a worker needs.
pub struct Resources {
    pub client: Client,
    pub journal: Journal,
    /// Without a token, operations end as not sent.
    pub token: Option<Token>,
    pub clock: fn() -> Timestamp,
    pub reports: mpsc::UnboundedSender<Report>,
}

#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Stage {
    /// Waits for its intent to be recorded with others. Only operations of a batch.
    Queued,
    Recording,
    Waiting,
    Sending,
    /// Holds the end, which is reported even if the write panics.
    Writing(Arc<Exchange>),
}

struct InProgress {
    operation: Operation,
    stage: Stage,
    cancel: CancellationToken,
    priority: Priority,
    /// What the operation was sent with.
    token: Option<Token>,
}

/// What a handle requests of the worker.
pub(super) type Instruction = Box<dyn FnOnce(&mut Dispatch) + Send>;

/// The result of a step.
enum Step {
    Recorded(Recorded),
    Sent(Arc<Exchange>),
    Committed(Vec<Ended>, Recorded),
}

/// Operations, and whether their intents are on disk.
type Recorded = Vec<(OperationId, Result<(), JournalError>)>;

/// A step's operations and its result, or its panic.
type Done = (Vec<OperationId>, Result<Step, Box<dyn Any + Send>>);

pub(super) struct Dispatch {
    resources: Resources,
    queues: Queues,
    operations: HashMap<OperationId, InProgress>,
    batch: Option<Batch>,
    is_held: bool,
    brake: Brake,
    /// Whether the owner of the batch knows that the brake is on.
    is_brake_reported: bool,
    /// Only the batch keeps connections.
    connections: Connections,
    /// Operations of the batch whose intents are recorded in the next commits.
    queued: VecDeque<OperationId>,
    /// Ends to write in the next commit.
    to_write: Vec<Arc<Exchange>>,
    is_committing: bool,
    /// Reported ends that the journal may lack, as on a full disk.
    unwritten: Vec<Arc<Exchange>>,
    steps: FuturesUnordered<BoxFuture<'static, Done>>,
}

impl Dispatch {
    pub(super) fn new(resources: Resources) -> Self {
        Self {
            resources,
            queues: Queues::default(),
            operations: HashMap::default(),
            batch: None,
            is_held: false,
            brake: Brake::default(),
            is_brake_reported: false,
            connections: Connections::default(),
            queued: VecDeque::new(),
            to_write: Vec::new(),
            is_committing: false,
            unwritten: Vec::new(),
            steps: FuturesUnordered::new(),
        }
    }

    /// Runs until all handles are dropped and all ends are written.
    pub(super) async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Instruction>) {
        let mut is_open = true;
        while is_open || self.is_committing || !self.operations.is_empty() {
            tokio::select! {
                biased;
                Some(done) = self.steps.next() => self.finish_step(done),
                instruction = inbox.recv(), if is_open => match instruction {
                    Some(instruction) => instruction(&mut self),
                    None => {
                        is_open = false;
                        self.cancel_where(|_| true);
                    }
                },
                () = sleep(BEFORE_WRITING_AGAIN), if !self.unwritten.is_empty() && !self.is_committing => {
                    self.to_write.append(&mut self.unwritten);
                }
                else => break,
            }
            while let Some(Some(done)) = self.steps.next().now_or_never() {
                self.finish_step(done);
            }
            // Comes first because it checks the journal before anything is sent.
            self.commit();
            self.send_ready();
            // Operations that could not be sent have ended as well.
            self.commit();
            self.report_brake();
        }
        // If it fails, the next program finds them unknown.
        let (ends, at) = (take(&mut self.unwritten), (self.resources.clock)());
        let none = vec![false; ends.len()];
        let (written, _) =
            recording::commit(&self.resources.journal, ends, at, none, Vec::new(), Condition::None).await;
        self.report_ends(written);
    }

    pub(super) fn cancel_all(&mut self, priority: Priority) {
        self.cancel_where(|work| work.priority == priority);
    }

    pub(super) fn use_token(&mut self, token: Token) {
        debug!("another token");
        self.resources.token = Some(token);
    }

    pub(super) fn begin(&mut self, batch: Batch) {
        (self.brake, self.is_brake_reported) = (batch.brake, false);
        (self.batch, self.is_held, self.connections) = (Some(batch), false, Connections::default());
    }

    /// Holds the batch for its owner, or goes on with it.
    pub(super) fn hold_or_go_on(&mut self, hold: bool) {
        self.hold(hold);
        self.check_journal();
    }

    pub(super) fn release_brake(&mut self) {
        self.brake.release();
        self.is_brake_reported = false;
        self.check_journal();
    }

    /// Cancels the operations of the batch that are not in flight.
    pub(super) fn withdraw(&mut self) {
        self.cancel_where(|work| work.priority == Priority::Batch && work.stage != Stage::Sending);
    }

    /// Holds the batch, or goes on with it. Closes its connections before a pause.
    fn hold(&mut self, hold: bool) {
        if hold != self.is_held {
            debug!(hold, "batch");
        }
        self.is_held = hold;
        if hold {
            self.connections.close();
        }
    }

    /// Ends all waiting operations as not sent if the journal file was replaced or removed: the next start must find
    /// their intents. Called before sending operations that were recorded some time ago, once for many; every commit
    /// is followed by the same check.
    fn check_journal(&mut self) {
        let Err(why) = self.resources.journal.check_identity() else { return };
        debug!("the journal: {why}");
        for id in self.ids_where(|work| work.stage == Stage::Waiting) {
            self.end_without_sending(id, FailureKind::NotRecorded, why.to_string());
        }
    }

    /// Returns the number of requests of the batch that may be in flight.
    fn batch_concurrency(&self) -> usize {
        let held = self.is_held || self.brake.is_on();
        self.batch.as_ref().filter(|_| !held).map_or(0, |batch| batch.concurrency)
    }

    fn condition(&self) -> Condition {
        self.batch.as_ref().map_or(Condition::MISSING, |batch| batch.condition)
    }

    /// Tells the owner of the batch that the brake is on, once nothing of the batch is in flight.
    fn report_brake(&mut self) {
        let is_at_rest =
            self.queues.slots(Priority::Batch).taken == 0 && self.to_write.is_empty() && !self.is_committing;
        if let Some(cause) = self.brake.cause()
            && is_at_rest
            && !self.is_brake_reported
            && let Some(batch) = &self.batch
        {
            self.is_brake_reported = true;
            // Fails only when the program ends.
            let _ = batch.reports.send(BatchReport::Braked(cause));
        }
    }

    pub(super) fn submit(&mut self, operations: Vec<Operation>, priority: Priority) {
        let stage = if priority == Priority::Single { Stage::Recording } else { Stage::Queued };
        for operation in operations.iter().cloned() {
            let (id, plant) = (operation.id, operation.kind.plant_id());
            debug!(operation = %id, ?priority, "submitted: {} {plant}", operation.kind.word());
            self.queues.submitted(plant, id);
            let (stage, cancel) = (stage.clone(), CancellationToken::new());
            self.operations.insert(id, InProgress { operation, stage, cancel, priority, token: None });
        }
        let ids: Vec<_> = operations.iter().map(|operation| operation.id).collect();
        if priority == Priority::Batch {
            return self.queued.extend(ids);
        }
        // Recorded before the step starts, so that the journal has intents in the order of submission.
        let recording = self.resources.journal.record_intents(operations, Condition::None);
        let (journal, waiting) = (self.resources.journal.clone(), self.on_wait());
        self.start_step(ids.clone(), async move {
            let results = for_each(ids.len(), journal.notify_if_locked(recording, waiting).await);
            Step::Recorded(ids.into_iter().zip(results).collect())
        });
    }

    /// Returns the operations of the batch that have not ended.
    fn in_batch(&self) -> impl Iterator<Item = &InProgress> {
        self.operations.values().filter(|work| work.priority == Priority::Batch)
    }

    /// Takes the queued operations whose intents the next commit records, along with all ends.
    fn next_intents(&mut self) -> Vec<Operation> {
        let is_open = |work: &&InProgress| matches!(work.stage, Stage::Recording | Stage::Waiting | Stage::Sending);
        let open = self.in_batch().filter(is_open).count();
        let room = open_intents(self.batch_concurrency()).saturating_sub(open);
        let mut intents = Vec::with_capacity(room.min(self.queued.len()));
        while intents.len() < room
            && let Some(id) = self.queued.pop_front()
        {
            // A queued operation may have been cancelled.
            if let Some(work) = self.operations.get_mut(&id) {
                work.stage = Stage::Recording;
                intents.push(work.operation.clone());
            }
        }
        intents
    }

    pub(super) fn cancel(&mut self, id: OperationId) {
        let Some(work) = self.operations.get(&id) else { return };
        debug!(operation = %id, stage = <&str>::from(&work.stage), "cancelled");
        work.cancel.cancel();
        match work.stage {
            Stage::Queued => self.end_unrecorded(id, FailureKind::CancelledBeforeSending, Ok(())),
            Stage::Waiting => self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new()),
            Stage::Recording | Stage::Sending | Stage::Writing(_) => {}
        }
    }

    fn cancel_where(&mut self, condition: impl Fn(&InProgress) -> bool) {
        for id in self.ids_where(condition) {
            self.cancel(id);
        }
    }

    /// Returns operations in the order of submission.
    fn ids_where(&self, condition: impl Fn(&InProgress) -> bool) -> Vec<OperationId> {
        let mut ids: Vec<_> = self.operations.iter().filter(|(_, work)| condition(work)).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids
    }

    /// Sends the operations that are recorded, have a free slot, and are the first on their id.
    fn send_ready(&mut self) {
        for (priority, concurrency) in [(Priority::Single, CONCURRENCY), (Priority::Batch, self.batch_concurrency())] {
            while let Some(id) = self.queues.next(priority, concurrency) {
                if self.operations.get(&id).is_none_or(|work| work.stage != Stage::Waiting) {
                    continue;
                }
                match self.resources.token.clone() {
                    Some(token) => self.send(id, token),
                    None => self.end_without_sending(id, FailureKind::NotBuilt, "no token is set".to_owned()),
                }
            }
        }
    }

    fn send(&mut self, id: OperationId, token: Token) {
        let Some(work) = self.operations.get_mut(&id) else { return };
        debug!(operation = %id, "sending");
        work.stage = Stage::Sending;
        work.token = Some(token.clone());
        self.queues.slots(work.priority).taken += 1;
        let connections = (work.priority == Priority::Batch).then(|| self.connections.clone());
        let (operation, cancel) = (work.operation.clone(), work.cancel.clone());
        let (client, started) = (self.resources.client.clone(), (self.resources.clock)());
        self.start_step(vec![id], async move {
            let exchange = client.send(connections.as_ref(), operation, &token, started, cancel).await;
            Step::Sent(Arc::new(exchange))
        });
    }

    fn end_without_sending(&mut self, id: OperationId, kind: FailureKind, detail: String) {
        if let Some(exchange) = self.failed(id, kind, detail) {
            self.end(exchange);
        }
    }

    fn failed(&self, id: OperationId, kind: FailureKind, detail: String) -> Option<Arc<Exchange>> {
        let operation = self.operations.get(&id)?.operation.clone();
        Some(Arc::new(Exchange::failed(operation, kind, detail, (self.resources.clock)())))
    }

    /// Ends an operation. Its end is reported once it is written.
    fn end(&mut self, exchange: Arc<Exchange>) {
        let Some(work) = self.operations.get_mut(&exchange.operation.id) else { return };
        if work.stage == Stage::Sending {
            self.queues.slots(work.priority).taken -= 1;
        }
        work.stage = Stage::Writing(Arc::clone(&exchange));
        self.to_write.push(exchange);
    }

    /// Writes the ends of operations and the intents of the next ones in one commit; those that come meanwhile are
    /// written together in the next one.
    fn commit(&mut self) {
        let nothing_queued = self.queued.is_empty() || self.batch_concurrency() == 0;
        if self.is_committing || (self.to_write.is_empty() && nothing_queued) {
            return;
        }
        self.check_journal();
        let ends = take(&mut self.to_write);
        let condition = self.condition();
        let resends = condition != Condition::MISSING;
        let is_single = |exchange: &Exchange| {
            self.operations.get(&exchange.operation.id).is_some_and(|work| work.priority == Priority::Single)
        };
        let needs_state = ends.iter().map(|exchange| resends || is_single(exchange)).collect();
        let intents = self.next_intents();
        if ends.is_empty() && intents.is_empty() {
            return;
        }
        self.is_committing = true;
        let begun: Vec<_> = intents.iter().map(|operation| operation.id).collect();
        let ids = ends.iter().map(|exchange| exchange.operation.id).chain(begun.iter().copied()).collect();
        let (journal, at, waiting) = (self.resources.journal.clone(), (self.resources.clock)(), self.on_wait());
        self.start_step(ids, async move {
            let committing = recording::commit(&journal, ends, at, needs_state, intents, condition);
            let (written, results) = journal.notify_if_locked(committing, waiting).await;
            Step::Committed(written, begun.into_iter().zip(results).collect())
        });
    }

    fn start_step(&mut self, ids: Vec<OperationId>, step: impl Future<Output = Step> + Send + 'static) {
        // Boxed first: the future of a request is large, and is moved several times until the task polls it.
        let step = AssertUnwindSafe(step.boxed()).catch_unwind();
        self.steps.push(step.map(|done| (ids, done)).boxed());
    }

    fn finish_step(&mut self, (ids, done): Done) {
        match done {
            Ok(step) => self.handle_result(step),
            Err(panic) => self.step_died(ids, panic_text(&*panic)),
        }
    }

    fn handle_result(&mut self, step: Step) {
        match step {
            Step::Recorded(results) => self.handle_recorded(results),
            Step::Sent(exchange) => {
                let work = self.operations.get(&exchange.operation.id);
                if let Some(work) = work.filter(|work| work.priority == Priority::Batch) {
                    // The owner of the batch receives the end once it is written. By then the next one would be sent.
                    let in_use = self.resources.token.as_ref();
                    let is_in_use = work.token.as_ref().is_some_and(|sent| sent.is(in_use));
                    let token_rejected = exchange.status() == Some(401) && is_in_use;
                    self.brake.count(&exchange);
                    self.hold(self.is_held || token_rejected || self.asks_for_pause(&exchange));
                }
                self.end(exchange);
            }
            Step::Committed(written, begun) => {
                self.is_committing = false;
                let lost = written.iter().filter(|end| end.recorded.as_ref().is_err_and(JournalError::may_pass));
                self.unwritten.extend(lost.map(|end| Arc::clone(&end.exchange)));
                if written.iter().any(|end| end.recorded.is_err()) {
                    self.check_journal();
                }
                self.handle_recorded(begun);
                self.report_ends(written);
            }
        }
    }

    fn handle_recorded(&mut self, results: Recorded) {
        if results.iter().any(|(_, result)| result.is_err()) {
            self.check_journal();
        }
        for (id, result) in results {
            match result {
                Ok(()) => self.recorded(id),
                Err(why @ JournalError::Overtaken) => self.end_unrecorded(id, FailureKind::Overtaken, Err(why)),
                Err(why) => {
                    // The commit may have been made all the same; where it was not, the journal does not take the end.
                    let end = self.failed(id, FailureKind::NotRecorded, why.to_string());
                    self.unwritten.extend(end.filter(|_| why.may_pass()));
                    self.end_unrecorded(id, FailureKind::NotRecorded, Err(why));
                }
            }
        }
    }

    fn asks_for_pause(&self, exchange: &Exchange) -> bool {
        exchange.response().is_some_and(|response| {
            response.status == 429 || retry_after::pause_before_next(response, (self.resources.clock)()).is_some()
        })
    }

    fn recorded(&mut self, id: OperationId) {
        let Some(work) = self.operations.get_mut(&id) else { return };
        debug!(operation = %id, "recorded");
        work.stage = Stage::Waiting;
        let (priority, plant) = (work.priority, work.operation.kind.plant_id());
        let is_cancelled = work.cancel.is_cancelled();
        if priority == Priority::Single {
            self.report(Report::Recorded(id));
        }
        if is_cancelled {
            self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
        } else if self.queues.is_first(plant, id) {
            self.queues.mark_ready(priority, id);
        }
    }

    /// Reports an operation without an intent as not sent. There is nothing to write: the journal does not have it.
    fn end_unrecorded(&mut self, id: OperationId, kind: FailureKind, recorded: Result<(), JournalError>) {
        let detail = recorded.as_ref().err().filter(|why| **why != JournalError::Overtaken);
        let detail = detail.map(ToString::to_string).unwrap_or_default();
        if let Some(exchange) = self.failed(id, kind, detail) {
            self.report_ends(vec![Ended::new(exchange, recorded)]);
        }
    }

    /// Ends the operations of a step that panicked, by their stages.
    fn step_died(&mut self, ids: Vec<OperationId>, why: &str) {
        error!("a step has failed: {why}");
        for id in ids {
            match self.operations.get(&id).map(|work| work.stage.clone()) {
                Some(Stage::Queued) => {}
                // An end that was reported, and is written again.
                None => self.is_committing = false,
                Some(Stage::Recording) => {
                    self.is_committing = false;
                    self.end_unrecorded(id, FailureKind::NotRecorded, Err(JournalError::Panicked));
                }
                Some(Stage::Waiting | Stage::Sending) => {
                    self.end_without_sending(id, FailureKind::TaskDied, why.to_owned());
                }
                Some(Stage::Writing(exchange)) => {
                    self.is_committing = false;
                    self.report_ends(vec![Ended::new(exchange, Err(JournalError::Panicked))]);
                }
            }
        }
    }

    fn report_ends(&mut self, written: Vec<Ended>) {
        let mut of_batch = Vec::with_capacity(written.len());
        for ended in written {
            let id = ended.exchange.operation.id;
            log_end(&ended);
            let Some(InProgress { operation, priority, token, stage, .. }) = self.operations.remove(&id) else {
                if ended.recorded.is_ok() {
                    self.report(Report::RecordedLate(id));
                }
                continue;
            };
            if let Some(next) = self.queues.remove(operation.kind.plant_id(), id)
                && let Some(waiting) = self.operations.get(&next)
                && waiting.stage == Stage::Waiting
            {
                self.queues.mark_ready(waiting.priority, next);
            }
            let ended = Ended { has_intent: stage != Stage::Queued, token, ..ended };
            match priority {
                Priority::Single => self.report(Report::Ended(Box::new(ended))),
                Priority::Batch => of_batch.push(ended),
            }
        }
        if self.in_batch().next().is_none() {
            // An idle program must not be woken by the timer of a connection pool.
            self.connections.close();
        }
        if let (Some(batch), false) = (&self.batch, of_batch.is_empty()) {
            // Fails only when the program ends. The journal has the ends.
            let _ = batch.reports.send(BatchReport::Ended(of_batch));
        }
    }

    /// Returns a function that reports why the journal has to wait.
    fn on_wait(&self) -> impl FnOnce(String) + Send + use<> {
        let reports = self.resources.reports.clone();
        move |why| drop(reports.send(Report::Waiting(why)))
    }

    fn report(&self, report: Report) {
        // Fails only when the program ends.
        let _ = self.resources.reports.send(report);
    }
}

/// Logs how an operation ended, without its plant's name and without messages.
fn log_end(Ended { exchange, recorded, .. }: &Ended) {
    if !enabled!(Level::DEBUG) {
        return;
    }
    let Exchange { operation, ending, elapsed, phases, .. } = exchange.as_ref();
    let why = match ending {
        Ending::Responded(response) => format!("status {}, {} bytes", response.status, response.body.len()),
        Ending::Failed(Failure { kind, detail }) => format!("{kind:?} {detail}"),
    };
    let phases: Vec<_> =
        phases.in_order().iter().filter_map(|(name, took)| Some(format!("{name} {:?}", (*took)?))).collect();
    let outcome = exchange.outcome().word();
    debug!(operation = %operation.id, outcome, ?elapsed, "ended: {why}; {}", phases.join(", "));
    if let Err(why) = recorded {
        debug!(operation = %operation.id, "its end is not recorded: {why}");
    }
}

#[cfg(test)]
#[cfg(unix)]
mod on_unix;
