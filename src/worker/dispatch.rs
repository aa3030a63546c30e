//! Decides what is done next with each operation, and does it: every step is a task of its own, and this
//! keeps the state between them. Must not know what operations are for, nor how a batch is led.

use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::message::{Batch, Command, Ended, Report};
use super::queues::{Priority, Queues};
use super::recording::{Standing, for_each, standing, write_ends};
use crate::client::{Client, Connections, Token};
use crate::domain::{Exchange, FailureKind, Operation, OperationId, Timestamp, retry_after};
use crate::journal::{Condition, Journal, JournalError};

/// Single operations that may be sent at once.
pub const CONCURRENCY: usize = 8;

/// What the worker works with.
pub struct Tools {
    pub client: Client,
    pub journal: Journal,
    /// Sent with every request, once there is one.
    pub token: Option<Token>,
    pub clock: fn() -> Timestamp,
    pub reports: mpsc::UnboundedSender<Report>,
}

/// How far an operation has come.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    Recording,
    Waiting,
    Sending,
    /// Holds what is being written down, for the report if the writing dies.
    Writing(Arc<Exchange>),
}

struct InProgress {
    operation: Operation,
    stage: Stage,
    cancel: CancellationToken,
    priority: Priority,
    /// How many tokens had been given when it was sent.
    token: u32,
}

/// What a finished step brought.
enum Step {
    Recorded(Vec<(OperationId, Result<(), JournalError>)>),
    Sent(Box<Exchange>),
    Written(Vec<Written>),
}

/// An end, whether it was written down, and how its plant stands then.
type Written = (Arc<Exchange>, Result<(), JournalError>, Standing);

pub(super) struct Dispatch {
    tools: Tools,
    /// How many tokens were given.
    tokens: u32,
    queues: Queues,
    operations: HashMap<OperationId, InProgress>,
    batch: Option<Batch>,
    /// Whether nothing of the batch is sent for now.
    is_held: bool,
    /// How many operations of the batch are not over.
    open_in_batch: usize,
    /// The connections of the batch.
    connections: Connections,
    /// What is over and waits to be written down, with what else is over by then.
    to_write: Vec<Arc<Exchange>>,
    is_writing: bool,
    steps: JoinSet<Step>,
    /// The operations of each step, for when it dies.
    of_step: HashMap<Id, Vec<OperationId>>,
}

impl Dispatch {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            tokens: 0,
            queues: Queues::default(),
            operations: HashMap::new(),
            batch: None,
            is_held: false,
            open_in_batch: 0,
            connections: Connections::default(),
            to_write: Vec::new(),
            is_writing: false,
            steps: JoinSet::new(),
            of_step: HashMap::new(),
        }
    }

    /// Works until nobody can give commands any more and everything is written down.
    pub(super) async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        let mut is_open = true;
        while is_open || !self.operations.is_empty() {
            tokio::select! {
                biased;
                Some(done) = self.steps.join_next_with_id() => self.finish_step(done),
                command = commands.recv(), if is_open => match command {
                    Some(command) => self.obey(command),
                    None => {
                        is_open = false;
                        self.cancel_where(|_| true);
                    }
                },
                else => break,
            }
            while let Some(done) = self.steps.try_join_next_with_id() {
                self.finish_step(done);
            }
            // In this order: starting to write checks the journal, before anything is sent.
            self.write_what_is_over();
            self.send_what_may_go();
            // What cannot be sent is over as well.
            self.write_what_is_over();
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Send(operation) => self.record(vec![operation], Priority::Single),
            Command::Cancel(id) => self.cancel(id),
            Command::CancelAll => self.cancel_where(|work| work.priority == Priority::Single),
            Command::UseToken(token) => {
                self.tools.token = Some(token);
                self.tokens += 1;
            }
            Command::Begin(batch) => {
                (self.batch, self.is_held, self.connections) = (Some(batch), false, Connections::default());
            }
            Command::Hold(hold) => {
                self.hold(hold);
                self.check_journal();
            }
            Command::SendAll(operations) => self.record(operations, Priority::Batch),
            Command::Withdraw => {
                self.cancel_where(|work| work.priority == Priority::Batch && work.stage != Stage::Sending);
            }
            Command::CancelBatch => self.cancel_where(|work| work.priority == Priority::Batch),
        }
    }

    /// Connections are not kept through a pause.
    fn hold(&mut self, hold: bool) {
        self.is_held = hold;
        if hold {
            self.connections.close();
        }
    }

    /// Ends all that waits as not sent if the journal is not in its place any more: intents must be
    /// where the next start finds them. Called before anything is sent that was recorded a while ago,
    /// and once for many: each commit is followed by the same check.
    fn check_journal(&mut self) {
        let Err(why) = self.tools.journal.check_identity() else { return };
        for id in self.ids_where(|work| work.stage == Stage::Waiting) {
            self.end_without_sending(id, FailureKind::NotRecorded, why.to_string());
        }
    }

    fn resends_unknown(&self) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.resend_unknown)
    }

    fn record(&mut self, operations: Vec<Operation>, priority: Priority) {
        let ids: Vec<_> = operations.iter().map(|operation| operation.id).collect();
        let condition = match priority {
            Priority::Single => Condition::None,
            Priority::Batch if self.resends_unknown() => Condition::MissingOrUnknown,
            Priority::Batch => Condition::Missing,
        };
        // Called here and not in the step: the journal has intents in the order they were submitted.
        let recording = self.tools.journal.record_intents(operations.clone(), condition);
        for operation in operations {
            self.queues.submitted(operation.kind.plant_id(), operation.id);
            if priority == Priority::Batch {
                self.open_in_batch += 1;
            }
            let (stage, cancel) = (Stage::Recording, CancellationToken::new());
            self.operations.insert(operation.id, InProgress { operation, stage, cancel, priority, token: self.tokens });
        }
        let (journal, waiting) = (self.tools.journal.clone(), self.on_wait());
        self.start_step(ids.clone(), async move {
            let results = for_each(ids.len(), journal.notify_if_locked(recording, waiting).await);
            Step::Recorded(ids.into_iter().zip(results).collect())
        });
    }

    fn cancel(&mut self, id: OperationId) {
        let Some(work) = self.operations.get(&id) else { return };
        work.cancel.cancel();
        if work.stage == Stage::Waiting {
            self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
        }
    }

    fn cancel_where(&mut self, is_meant: impl Fn(&InProgress) -> bool) {
        for id in self.ids_where(is_meant) {
            self.cancel(id);
        }
    }

    /// In the order they were submitted.
    fn ids_where(&self, is_meant: impl Fn(&InProgress) -> bool) -> Vec<OperationId> {
        let mut ids: Vec<_> = self.operations.iter().filter(|(_, work)| is_meant(work)).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids
    }

    /// Sends whatever is recorded, has a free slot, and has no earlier operation on its id before it.
    fn send_what_may_go(&mut self) {
        let of_batch = self.batch.as_ref().filter(|_| !self.is_held).map_or(0, |batch| batch.concurrency);
        for (priority, concurrency) in [(Priority::Single, CONCURRENCY), (Priority::Batch, of_batch)] {
            while let Some(id) = self.queues.next(priority, concurrency) {
                if self.operations.get(&id).is_none_or(|work| work.stage != Stage::Waiting) {
                    continue;
                }
                match self.tools.token.clone() {
                    Some(token) => self.send(id, token),
                    None => self.end_without_sending(id, FailureKind::NotBuilt, "there is no token".to_owned()),
                }
            }
        }
    }

    fn send(&mut self, id: OperationId, token: Token) {
        let Some(work) = self.operations.get_mut(&id) else { return };
        work.stage = Stage::Sending;
        work.token = self.tokens;
        self.queues.went_out(work.priority);
        let connections = match work.priority {
            Priority::Single => None,
            Priority::Batch => Some(self.connections.clone()),
        };
        let (operation, cancel) = (work.operation.clone(), work.cancel.clone());
        let (client, started) = (self.tools.client.clone(), (self.tools.clock)());
        self.start_step(vec![id], async move {
            let exchange = match connections {
                Some(connections) => client.send_over(&connections, operation, &token, started, cancel).await,
                None => client.send(operation, &token, started, cancel).await,
            };
            Step::Sent(Box::new(exchange))
        });
    }

    fn end_without_sending(&mut self, id: OperationId, kind: FailureKind, detail: String) {
        if let Some(work) = self.operations.get(&id) {
            let exchange = self.failed(&work.operation, kind, detail);
            self.is_over(exchange);
        }
    }

    fn failed(&self, operation: &Operation, kind: FailureKind, detail: String) -> Exchange {
        Exchange::failed(operation.clone(), kind, detail, (self.tools.clock)())
    }

    /// Nothing more comes of this operation. It is reported once that is written down.
    fn is_over(&mut self, exchange: Exchange) {
        let Some(work) = self.operations.get_mut(&exchange.operation.id) else { return };
        if work.stage == Stage::Sending {
            self.queues.came_back(work.priority);
        }
        let exchange = Arc::new(exchange);
        work.stage = Stage::Writing(Arc::clone(&exchange));
        self.to_write.push(exchange);
    }

    /// Writes down what is over; what ends meanwhile is written down after it, together.
    fn write_what_is_over(&mut self) {
        if self.is_writing || self.to_write.is_empty() {
            return;
        }
        self.is_writing = true;
        self.check_journal();
        let exchanges = take(&mut self.to_write);
        let resends = self.resends_unknown();
        let may_be_unknown =
            |id| self.operations.get(id).is_some_and(|work| work.priority == Priority::Single || resends);
        let look_up: Vec<_> = exchanges.iter().map(|exchange| may_be_unknown(&exchange.operation.id)).collect();
        let ids = exchanges.iter().map(|exchange| exchange.operation.id).collect();
        let (journal, at, waiting) = (self.tools.journal.clone(), (self.tools.clock)(), self.on_wait());
        self.start_step(ids, async move {
            let recorded = journal.notify_if_locked(write_ends(&journal, &exchanges, at), waiting).await;
            let mut written = Vec::with_capacity(exchanges.len());
            for ((exchange, recorded), look_up) in exchanges.into_iter().zip(recorded).zip(look_up) {
                let standing = if look_up { standing(&journal, &exchange).await } else { Standing::default() };
                written.push((exchange, recorded, standing));
            }
            Step::Written(written)
        });
    }

    fn start_step(&mut self, ids: Vec<OperationId>, step: impl Future<Output = Step> + Send + 'static) {
        let task = self.steps.spawn(step);
        self.of_step.insert(task.id(), ids);
    }

    fn finish_step(&mut self, done: Result<(Id, Step), JoinError>) {
        match done {
            Ok((task, step)) => {
                self.of_step.remove(&task);
                self.follow(step);
            }
            Err(died) => {
                let ids = self.of_step.remove(&died.id()).unwrap_or_default();
                self.step_died(ids, &death(died));
            }
        }
    }

    fn follow(&mut self, step: Step) {
        match step {
            Step::Recorded(results) => {
                if results.iter().any(|(_, result)| result.is_err()) {
                    self.check_journal();
                }
                for (id, result) in results {
                    match result {
                        Ok(()) => self.is_recorded(id),
                        Err(why) => self.never_recorded(id, why),
                    }
                }
            }
            Step::Sent(exchange) => {
                let work = self.operations.get(&exchange.operation.id);
                if let Some(work) = work.filter(|work| work.priority == Priority::Batch) {
                    // The owner of the batch hears of it when it is written down, which would be too late:
                    // the next would be out by then.
                    let no_token = exchange.status() == Some(401) && work.token == self.tokens;
                    self.hold(self.is_held || no_token || self.asks_for_patience(&exchange));
                }
                self.is_over(*exchange);
            }
            Step::Written(written) => {
                self.is_writing = false;
                if written.iter().any(|(_, recorded, _)| recorded.is_err()) {
                    self.check_journal();
                }
                self.report_ends(written);
            }
        }
    }

    fn asks_for_patience(&self, exchange: &Exchange) -> bool {
        exchange.response().is_some_and(|response| {
            retry_after::asks_for_less(response)
                || retry_after::before_the_next(response, (self.tools.clock)()).is_some()
        })
    }

    fn is_recorded(&mut self, id: OperationId) {
        let Some(work) = self.operations.get_mut(&id) else { return };
        work.stage = Stage::Waiting;
        let (priority, plant) = (work.priority, work.operation.kind.plant_id());
        let is_cancelled = work.cancel.is_cancelled();
        if priority == Priority::Single {
            self.report(Report::Recorded(id));
        }
        if is_cancelled {
            self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
        } else if self.queues.is_first(plant, id) {
            self.queues.is_ready(priority, id);
        }
    }

    /// No intent, no bytes: the operation ends as not sent, and the journal has nothing to resolve.
    fn never_recorded(&mut self, id: OperationId, why: JournalError) {
        if let Some(work) = self.operations.get(&id) {
            let exchange = self.failed(&work.operation, FailureKind::NotRecorded, why.to_string());
            self.report_ends(vec![(Arc::new(exchange), Err(why), Standing::default())]);
        }
    }

    /// A step panicked. What that proves depends on how far its operations had come.
    fn step_died(&mut self, ids: Vec<OperationId>, why: &str) {
        for id in ids {
            let Some(work) = self.operations.get(&id) else { continue };
            match work.stage.clone() {
                Stage::Recording => self.never_recorded(id, JournalError::Panicked),
                Stage::Waiting | Stage::Sending => {
                    let exchange = self.failed(&work.operation, FailureKind::TaskDied, why.to_owned());
                    self.is_over(exchange);
                }
                Stage::Writing(exchange) => {
                    self.is_writing = false;
                    let recorded = Err(JournalError::Panicked);
                    self.report_ends(vec![(exchange, recorded, Standing::default())]);
                }
            }
        }
    }

    fn report_ends(&mut self, written: Vec<Written>) {
        let mut of_batch = Vec::new();
        for (exchange, recorded, (row, unknown)) in written {
            let id = exchange.operation.id;
            let Some(InProgress { operation, priority, token, stage, .. }) = self.operations.remove(&id) else {
                continue;
            };
            if let Some(next) = self.queues.over(operation.kind.plant_id(), id)
                && let Some(waiting) = self.operations.get(&next)
                && waiting.stage == Stage::Waiting
            {
                self.queues.is_ready(waiting.priority, next);
            }
            // The stage may hold the exchange, which is given away without a copy.
            drop(stage);
            let ended = Ended { exchange: Arc::unwrap_or_clone(exchange), recorded, token, row, unknown };
            match priority {
                Priority::Single => self.report(Report::Ended(Box::new(ended))),
                Priority::Batch => of_batch.push(ended),
            }
        }
        self.open_in_batch = self.open_in_batch.saturating_sub(of_batch.len());
        if self.open_in_batch == 0 {
            // No connection is kept for what may never come, nor the pool's timer.
            self.connections.close();
        }
        if let (Some(batch), false) = (&self.batch, of_batch.is_empty()) {
            // Nobody listens any more when the program is ending; the journal has it all the same.
            let _ = batch.ends.send(of_batch);
        }
    }

    /// Reports a wait for the journal.
    fn on_wait(&self) -> impl FnOnce(String) + Send + use<> {
        let reports = self.tools.reports.clone();
        move |why| drop(reports.send(Report::Waiting(why)))
    }

    fn report(&self, report: Report) {
        // As for a batch.
        let _ = self.tools.reports.send(report);
    }
}

/// Says why a watched task ended before its time.
pub fn death(why: JoinError) -> String {
    match why.try_into_panic() {
        Ok(panic) => {
            let message =
                panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            message.unwrap_or("it panicked").to_owned()
        }
        Err(_) => "it was aborted".to_owned(),
    }
}
