//! The courier's desk: where each operation stands, and what is done next.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::queues::{Lot, Queues};
use super::{Batch, CONCURRENCY, Ended, Order, Report, Tools, death};
use crate::client::{Connections, Token};
use crate::domain::{Doubt, Exchange, FailureKind, Operation, OperationId, Outcome, Row, Timestamp, patience};
use crate::journal::{Condition, Each, Journal, JournalError};

/// How far an operation has come.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    Recording,
    Waiting,
    Out,
    /// Holds what is being written down, for the report if the writing dies.
    Keeping(Arc<Exchange>),
}

struct Work {
    operation: Operation,
    stage: Stage,
    cancel: CancellationToken,
    lot: Lot,
    /// How many tokens had been given when it went out.
    token: u32,
}

/// What a finished step brought.
enum Step {
    Recorded(Vec<(OperationId, Result<(), JournalError>)>),
    Sent(Box<Exchange>),
    Kept(Vec<Kept>),
}

/// An end that was written down, or not.
struct Kept {
    exchange: Arc<Exchange>,
    recorded: Result<(), String>,
    overtaken: bool,
    row: Option<Row>,
    in_doubt: Option<Doubt>,
}

impl Kept {
    /// Nobody knows why it was not written but the one who says so.
    fn not(exchange: Arc<Exchange>, why: String) -> Self {
        Self { exchange, recorded: Err(why), overtaken: false, row: None, in_doubt: None }
    }
}

pub(super) struct Desk {
    tools: Tools,
    /// How many tokens were given.
    tokens: u32,
    queues: Queues,
    work: HashMap<OperationId, Work>,
    batch: Option<Batch>,
    /// Whether nothing of it is sent for now.
    is_held: bool,
    /// How many operations of the batch are not over.
    of_batch: usize,
    /// The connections of the batch.
    connections: Connections,
    /// What is over and waits to be written down, with what else is over by then.
    to_keep: Vec<Arc<Exchange>>,
    is_keeping: bool,
    steps: JoinSet<Step>,
    /// Whose step a task is.
    whose: HashMap<Id, Vec<OperationId>>,
}

impl Desk {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            tokens: 0,
            queues: Queues::default(),
            work: HashMap::new(),
            batch: None,
            is_held: false,
            of_batch: 0,
            connections: Connections::default(),
            to_keep: Vec::new(),
            is_keeping: false,
            steps: JoinSet::new(),
            whose: HashMap::new(),
        }
    }

    /// Works until nobody can give orders any more and everything is written down.
    pub(super) async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut open = true;
        while open || !self.work.is_empty() {
            tokio::select! {
                biased;
                Some(done) = self.steps.join_next_with_id() => self.advance(done),
                order = orders.recv(), if open => match order {
                    Some(order) => self.obey(order),
                    None => {
                        open = false;
                        self.cancel_where(|_| true);
                    }
                },
                else => break,
            }
            while let Some(done) = self.steps.try_join_next_with_id() {
                self.advance(done);
            }
            // In this order: what is kept anew is a look at the journal, before anything leaves.
            self.keep_what_is_over();
            self.send_what_may_go();
            // What cannot be sent is over as well.
            self.keep_what_is_over();
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Send(operation) => self.record(vec![operation], Lot::Hand),
            Order::Cancel(id) => self.cancel(id),
            Order::CancelAll => self.cancel_where(|work| work.lot == Lot::Hand),
            Order::UseToken(token) => {
                self.tools.token = Some(token);
                self.tokens += 1;
            }
            Order::Begin(batch) => {
                (self.batch, self.is_held, self.connections) = (Some(batch), false, Connections::default());
            }
            Order::Hold(hold) => {
                self.hold(hold);
                self.look_at_the_journal();
            }
            Order::SendAll(operations) => self.record(operations, Lot::Batch),
            Order::Withdraw => self.cancel_where(|work| work.lot == Lot::Batch && work.stage != Stage::Out),
            Order::CancelBatch => self.cancel_where(|work| work.lot == Lot::Batch),
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
    /// where the next start finds them. Called before anything leaves that was recorded a while ago,
    /// and once for many: each commit is followed by the same look.
    fn look_at_the_journal(&mut self) {
        let Err(why) = self.tools.journal.check_identity() else { return };
        let waiting = self.work.iter().filter(|(_, work)| work.stage == Stage::Waiting);
        let mut waiting: Vec<_> = waiting.map(|(id, _)| *id).collect();
        waiting.sort_unstable();
        for id in waiting {
            self.end_without_sending(id, FailureKind::NotRecorded, why.to_string());
        }
    }

    fn record(&mut self, operations: Vec<Operation>, lot: Lot) {
        let ids: Vec<_> = operations.iter().map(|operation| operation.id).collect();
        // Handed over here and not in the step: the journal has intents in the order asked.
        let condition = match lot {
            Lot::Hand => Condition::None,
            Lot::Batch if self.batch.as_ref().is_some_and(|batch| batch.also_in_doubt) => Condition::MissingOrInDoubt,
            Lot::Batch => Condition::Missing,
        };
        let recording = self.tools.journal.ask_all(operations.clone(), condition);
        for operation in operations {
            self.queues.asked(operation.ask.plant_id(), operation.id);
            if lot == Lot::Batch {
                self.of_batch += 1;
            }
            let (stage, cancel) = (Stage::Recording, CancellationToken::new());
            self.work.insert(operation.id, Work { operation, stage, cancel, lot, token: self.tokens });
        }
        let (journal, waiting) = (self.tools.journal.clone(), self.waiting());
        self.step(ids.clone(), async move {
            let told = told_each(ids.len(), journal.telling(recording, waiting).await);
            Step::Recorded(ids.into_iter().zip(told).collect())
        });
    }

    fn cancel(&mut self, id: OperationId) {
        let Some(work) = self.work.get(&id) else { return };
        work.cancel.cancel();
        if work.stage == Stage::Waiting {
            self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
        }
    }

    fn cancel_where(&mut self, which: impl Fn(&Work) -> bool) {
        let mut ids: Vec<_> = self.work.iter().filter(|(_, work)| which(work)).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        for id in ids {
            self.cancel(id);
        }
    }

    /// Starts whatever is recorded, has a place, and has no earlier operation on its id before it.
    fn send_what_may_go(&mut self) {
        let of_batch = self.batch.as_ref().filter(|_| !self.is_held).map_or(0, |batch| batch.concurrency);
        for (lot, concurrency) in [(Lot::Hand, CONCURRENCY), (Lot::Batch, of_batch)] {
            while let Some(id) = self.queues.next(lot, concurrency) {
                if self.work.get(&id).is_none_or(|work| work.stage != Stage::Waiting) {
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
        let Some(work) = self.work.get_mut(&id) else { return };
        work.stage = Stage::Out;
        work.token = self.tokens;
        self.queues.went_out(work.lot);
        let connections = match work.lot {
            Lot::Hand => None,
            Lot::Batch => Some(self.connections.clone()),
        };
        let (operation, cancel) = (work.operation.clone(), work.cancel.clone());
        let (client, started) = (self.tools.client.clone(), (self.tools.clock)());
        self.step(vec![id], async move {
            let exchange = match connections {
                Some(connections) => client.send_over(&connections, operation, &token, started, cancel).await,
                None => client.send(operation, &token, started, cancel).await,
            };
            Step::Sent(Box::new(exchange))
        });
    }

    fn end_without_sending(&mut self, id: OperationId, kind: FailureKind, detail: String) {
        if let Some(work) = self.work.get(&id) {
            let exchange = self.failed(&work.operation, kind, detail);
            self.is_over(exchange);
        }
    }

    fn failed(&self, operation: &Operation, kind: FailureKind, detail: String) -> Exchange {
        Exchange::failed(operation.clone(), kind, detail, (self.tools.clock)())
    }

    /// Nothing more comes of it. It is told once it is written down.
    fn is_over(&mut self, exchange: Exchange) {
        let Some(work) = self.work.get_mut(&exchange.operation.id) else { return };
        if work.stage == Stage::Out {
            self.queues.came_back(work.lot);
        }
        let exchange = Arc::new(exchange);
        work.stage = Stage::Keeping(Arc::clone(&exchange));
        self.to_keep.push(exchange);
    }

    /// Writes down what is over; what comes to its end meanwhile is written down after it, together.
    fn keep_what_is_over(&mut self) {
        if self.is_keeping || self.to_keep.is_empty() {
            return;
        }
        self.is_keeping = true;
        self.look_at_the_journal();
        let exchanges = std::mem::take(&mut self.to_keep);
        let resends = self.batch.as_ref().is_some_and(|batch| batch.also_in_doubt);
        let may_be_unknown = |id| self.work.get(id).is_some_and(|work| work.lot == Lot::Hand || resends);
        let look_up: Vec<_> = exchanges.iter().map(|exchange| may_be_unknown(&exchange.operation.id)).collect();
        let ids = exchanges.iter().map(|exchange| exchange.operation.id).collect();
        let (journal, at) = (self.tools.journal.clone(), (self.tools.clock)());
        let waiting = self.waiting();
        self.step(ids, async move {
            let recorded = journal.telling(keep(&journal, &exchanges, at), waiting).await;
            let mut kept = Vec::with_capacity(exchanges.len());
            for ((exchange, recorded), look_up) in exchanges.into_iter().zip(recorded).zip(look_up) {
                let (row, in_doubt) = if look_up { standing(&journal, &exchange).await } else { (None, None) };
                let recorded = recorded.map_err(|why| why.to_string());
                kept.push(Kept { exchange, recorded, overtaken: false, row, in_doubt });
            }
            Step::Kept(kept)
        });
    }

    fn step(&mut self, ids: Vec<OperationId>, step: impl Future<Output = Step> + Send + 'static) {
        let task = self.steps.spawn(step);
        self.whose.insert(task.id(), ids);
    }

    fn advance(&mut self, done: Result<(Id, Step), JoinError>) {
        match done {
            Ok((task, step)) => {
                self.whose.remove(&task);
                self.take(step);
            }
            Err(died) => {
                let ids = self.whose.remove(&died.id()).unwrap_or_default();
                self.step_died(ids, &death(died));
            }
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Recorded(results) => {
                if results.iter().any(|(_, result)| result.is_err()) {
                    self.look_at_the_journal();
                }
                for (id, result) in results {
                    match result {
                        Ok(()) => self.is_recorded(id),
                        Err(why) => self.never_recorded(id, why == JournalError::Overtaken, why.to_string()),
                    }
                }
            }
            Step::Sent(exchange) => {
                let work = self.work.get(&exchange.operation.id).filter(|work| work.lot == Lot::Batch);
                if let Some(work) = work {
                    // Whoever leads the batch hears of it when it is written down. By then the next
                    // would be out.
                    let no_token = exchange.status() == Some(401) && work.token == self.tokens;
                    self.hold(self.is_held || no_token || self.asks_for_patience(&exchange));
                }
                self.is_over(*exchange);
            }
            Step::Kept(kept) => {
                self.is_keeping = false;
                if kept.iter().any(|kept| kept.recorded.is_err()) {
                    self.look_at_the_journal();
                }
                self.tell(kept);
            }
        }
    }

    fn asks_for_patience(&self, exchange: &Exchange) -> bool {
        exchange.answer().is_some_and(|answer| {
            patience::asks_for_less(answer) || patience::before_the_next(answer, (self.tools.clock)()).is_some()
        })
    }

    fn is_recorded(&mut self, id: OperationId) {
        let Some(work) = self.work.get_mut(&id) else { return };
        work.stage = Stage::Waiting;
        let (lot, plant, cancelled) = (work.lot, work.operation.ask.plant_id(), work.cancel.is_cancelled());
        if lot == Lot::Hand {
            self.report(Report::Recorded(id));
        }
        if cancelled {
            self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
        } else if self.queues.is_first(plant, id) {
            self.queues.is_ready(lot, id);
        }
    }

    /// No intent, no bytes: it ends as not sent, and the journal has nothing to settle.
    fn never_recorded(&mut self, id: OperationId, overtaken: bool, why: String) {
        if let Some(work) = self.work.get(&id) {
            let exchange = self.failed(&work.operation, FailureKind::NotRecorded, why.clone());
            self.tell(vec![Kept { overtaken, ..Kept::not(Arc::new(exchange), why) }]);
        }
    }

    /// A step panicked. What that proves depends on how far the operations had come.
    fn step_died(&mut self, ids: Vec<OperationId>, words: &str) {
        for id in ids {
            let Some(work) = self.work.get(&id) else { continue };
            match work.stage.clone() {
                Stage::Recording => self.never_recorded(id, false, words.to_owned()),
                Stage::Waiting | Stage::Out => {
                    let exchange = self.failed(&work.operation, FailureKind::TaskDied, words.to_owned());
                    self.is_over(exchange);
                }
                Stage::Keeping(exchange) => {
                    self.is_keeping = false;
                    self.tell(vec![Kept::not(exchange, words.to_owned())]);
                }
            }
        }
    }

    /// They are over, and whoever asked is told.
    fn tell(&mut self, kept: Vec<Kept>) {
        let mut ends = Vec::new();
        for Kept { exchange, recorded, overtaken, row, in_doubt } in kept {
            let id = exchange.operation.id;
            let Some(work) = self.work.remove(&id) else { continue };
            let next = self.queues.over(work.operation.ask.plant_id(), id);
            if let Some(next) = next
                && let Some(waiting) = self.work.get(&next)
                && waiting.stage == Stage::Waiting
            {
                self.queues.is_ready(waiting.lot, next);
            }
            let (lot, token) = (work.lot, work.token);
            drop(work);
            // It is nobody else's any more.
            let exchange = Arc::unwrap_or_clone(exchange);
            let ended = Ended { exchange, recorded, overtaken, token, row, in_doubt };
            match lot {
                Lot::Hand => self.report(Report::Ended(Box::new(ended))),
                Lot::Batch => ends.push(ended),
            }
        }
        self.of_batch = self.of_batch.saturating_sub(ends.len());
        if self.of_batch == 0 {
            // A connection is not kept for what may never come, nor a timer that looks after it.
            self.connections.close();
        }
        if let (Some(batch), false) = (&self.batch, ends.is_empty()) {
            // Nobody listens any more when the program is ending; the journal has it all the same.
            let _ = batch.ends.send(ends);
        }
    }

    /// What tells of a wait for the journal.
    fn waiting(&self) -> impl FnOnce(String) + Send + use<> {
        let reports = self.tools.reports.clone();
        // As below.
        move |words| drop(reports.send(Report::Waiting(words)))
    }

    fn report(&self, report: Report) {
        // As above.
        let _ = self.tools.reports.send(report);
    }
}

/// Writes ends down; those that fail once more, for a lock passes, and an answer that is not kept
/// reads as never come.
async fn keep(journal: &Journal, exchanges: &[Arc<Exchange>], at: Timestamp) -> Each {
    let mut recorded = told_each(exchanges.len(), journal.end_all(exchanges.to_vec(), at).await);
    let failed: Vec<_> =
        (0..exchanges.len()).filter(|place| recorded.get(*place).is_some_and(Result::is_err)).collect();
    if !failed.is_empty() {
        let again: Vec<_> = failed.iter().filter_map(|place| exchanges.get(*place).cloned()).collect();
        let results = told_each(again.len(), journal.end_all(again, at).await);
        for (place, result) in failed.into_iter().zip(results) {
            if let Some(recorded) = recorded.get_mut(place) {
                *recorded = result;
            }
        }
    }
    recorded
}

/// The result of each of so many; what is wrong with all of them is wrong with each.
fn told_each(count: usize, told: Result<Each, JournalError>) -> Each {
    told.unwrap_or_else(|why| vec![Err(why); count])
}

/// Looks up how the plant stands after an operation that changed nothing: whether it is in the list,
/// and what of it is unknown still.
async fn standing(journal: &Journal, exchange: &Exchange) -> (Option<Row>, Option<Doubt>) {
    if matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
        return (None, None);
    }
    match journal.story(exchange.operation.ask.plant_id()).await {
        Ok(story) => (story.row, story.in_doubt),
        Err(_) => (None, None),
    }
}
