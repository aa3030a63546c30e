//! The courier's desk: where each operation stands, and what is done next.

use std::collections::{BTreeMap, HashMap, HashSet};

use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::{CONCURRENCY, Ended, Order, Report, Tools, death};
use crate::client::Token;
use crate::domain::{Doubt, Exchange, FailureKind, Operation, OperationId, Outcome, PlantId, Row};
use crate::journal::Journal;

/// How far an operation has come.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    Recording,
    Waiting,
    Out,
    /// Holds what is being written down, for the report if the writing dies.
    Keeping(Box<Exchange>),
}

struct Work {
    operation: Operation,
    stage: Stage,
    cancel: CancellationToken,
    /// Its place among all that was asked.
    place: u64,
    /// How many tokens had been given when it went out.
    token: u32,
}

/// What a finished step brought.
enum Step {
    Recorded(Result<(), String>),
    Sent(Box<Exchange>),
    Kept(Box<Ended>),
}

pub(super) struct Desk {
    tools: Tools,
    /// How many tokens were given.
    tokens: u32,
    /// In the order asked.
    order: BTreeMap<u64, OperationId>,
    /// How many were asked.
    asked: u64,
    /// How many are out.
    out: usize,
    work: HashMap<OperationId, Work>,
    steps: JoinSet<Step>,
    /// Whose step a task is.
    whose: HashMap<Id, OperationId>,
}

impl Desk {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            tokens: 0,
            order: BTreeMap::new(),
            asked: 0,
            out: 0,
            work: HashMap::new(),
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
                        self.cancel_all();
                    }
                },
                else => break,
            }
            self.send_what_may_go();
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Send(operation) => self.record(operation),
            Order::Cancel(id) => self.cancel(id),
            Order::CancelAll => self.cancel_all(),
            Order::UseToken(token) => {
                self.tools.token = Some(token);
                self.tokens += 1;
            }
        }
    }

    fn record(&mut self, operation: Operation) {
        // Handed over here and not in the step: the journal has intents in the order asked.
        let recording = self.tools.journal.ask(operation.clone());
        let id = operation.id;
        self.asked += 1;
        self.order.insert(self.asked, id);
        let (stage, cancel) = (Stage::Recording, CancellationToken::new());
        self.work.insert(id, Work { operation, stage, cancel, place: self.asked, token: self.tokens });
        self.step(id, async move { Step::Recorded(recording.await.map_err(|why| why.to_string())) });
    }

    fn cancel(&mut self, id: OperationId) {
        let Some(work) = self.work.get(&id) else { return };
        work.cancel.cancel();
        if work.stage == Stage::Waiting {
            self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
        }
    }

    fn cancel_all(&mut self) {
        for id in self.order.values().copied().collect::<Vec<_>>() {
            self.cancel(id);
        }
    }

    /// Starts whatever is recorded, has a place, and has no earlier operation on its id before it.
    fn send_what_may_go(&mut self) {
        for id in self.what_may_go() {
            match self.tools.token.clone() {
                Some(token) => self.send(id, token),
                None => self.end_without_sending(id, FailureKind::NotBuilt, "there is no token".to_owned()),
            }
        }
    }

    fn what_may_go(&self) -> Vec<OperationId> {
        let places = CONCURRENCY.saturating_sub(self.out);
        let mut earlier: HashSet<PlantId> = HashSet::new();
        let mut may_go = Vec::new();
        for id in self.order.values() {
            if may_go.len() == places {
                break;
            }
            let Some(work) = self.work.get(id) else { continue };
            let first_of_its_id = earlier.insert(work.operation.ask.plant_id());
            if work.stage == Stage::Waiting && first_of_its_id {
                may_go.push(*id);
            }
        }
        may_go
    }

    fn send(&mut self, id: OperationId, token: Token) {
        let Some(work) = self.work.get_mut(&id) else { return };
        work.stage = Stage::Out;
        work.token = self.tokens;
        self.out += 1;
        let (operation, cancel) = (work.operation.clone(), work.cancel.clone());
        let (client, started) = (self.tools.client.clone(), (self.tools.clock)());
        self.step(id, async move { Step::Sent(Box::new(client.send(operation, &token, started, cancel).await)) });
    }

    fn end_without_sending(&mut self, id: OperationId, kind: FailureKind, detail: String) {
        if let Some(work) = self.work.get(&id) {
            let exchange = self.failed(&work.operation, kind, detail);
            self.keep(exchange);
        }
    }

    fn failed(&self, operation: &Operation, kind: FailureKind, detail: String) -> Exchange {
        Exchange::failed(operation.clone(), kind, detail, (self.tools.clock)())
    }

    /// Writes an end down; only then is it told.
    fn keep(&mut self, exchange: Exchange) {
        let id = exchange.operation.id;
        let Some(work) = self.work.get_mut(&id) else { return };
        if work.stage == Stage::Out {
            self.out -= 1;
        }
        work.stage = Stage::Keeping(Box::new(exchange.clone()));
        let token = work.token;
        let (journal, at) = (self.tools.journal.clone(), (self.tools.clock)());
        let keeping = journal.end(exchange.clone(), at);
        self.step(id, async move {
            let mut kept = keeping.await;
            if kept.is_err() {
                // Once more: a lock passes, and an answer that is not kept reads as never come.
                kept = journal.end(exchange.clone(), at).await;
            }
            let (row, in_doubt) = standing(&journal, &exchange).await;
            let recorded = kept.map_err(|why| why.to_string());
            Step::Kept(Box::new(Ended { exchange, recorded, token, row, in_doubt }))
        });
    }

    fn step(&mut self, id: OperationId, step: impl Future<Output = Step> + Send + 'static) {
        let task = self.steps.spawn(step);
        self.whose.insert(task.id(), id);
    }

    fn advance(&mut self, done: Result<(Id, Step), JoinError>) {
        match done {
            Ok((task, step)) => {
                if let Some(id) = self.whose.remove(&task) {
                    self.take(id, step);
                }
            }
            Err(died) => {
                if let Some(id) = self.whose.remove(&died.id()) {
                    self.step_died(id, death(died));
                }
            }
        }
    }

    fn take(&mut self, id: OperationId, step: Step) {
        let Some(work) = self.work.get_mut(&id) else { return };
        match step {
            Step::Recorded(Ok(())) => {
                work.stage = Stage::Waiting;
                let cancelled = work.cancel.is_cancelled();
                self.report(Report::Recorded(id));
                if cancelled {
                    self.end_without_sending(id, FailureKind::CancelledBeforeSending, String::new());
                }
            }
            Step::Recorded(Err(why)) => self.never_recorded(id, why),
            Step::Sent(exchange) => self.keep(*exchange),
            Step::Kept(ended) => self.over(id, *ended),
        }
    }

    /// No intent, no bytes: it ends as not sent, and the journal has nothing to settle.
    fn never_recorded(&mut self, id: OperationId, why: String) {
        if let Some(work) = self.work.get(&id) {
            let exchange = self.failed(&work.operation, FailureKind::NotRecorded, why.clone());
            self.over_unrecorded(id, exchange, why);
        }
    }

    /// A step panicked. What that proves depends on how far the operation had come.
    fn step_died(&mut self, id: OperationId, words: String) {
        let Some(work) = self.work.get(&id) else { return };
        match work.stage.clone() {
            Stage::Recording => self.never_recorded(id, words),
            Stage::Waiting | Stage::Out => {
                let exchange = self.failed(&work.operation, FailureKind::TaskDied, words);
                self.keep(exchange);
            }
            Stage::Keeping(exchange) => self.over_unrecorded(id, *exchange, words),
        }
    }

    fn over_unrecorded(&mut self, id: OperationId, exchange: Exchange, why: String) {
        let token = self.work.get(&id).map_or(self.tokens, |work| work.token);
        self.over(id, Ended { exchange, recorded: Err(why), token, row: None, in_doubt: None });
    }

    fn over(&mut self, id: OperationId, ended: Ended) {
        if let Some(work) = self.work.remove(&id) {
            self.order.remove(&work.place);
        }
        self.report(Report::Ended(Box::new(ended)));
    }

    fn report(&self, report: Report) {
        // Nobody listens any more when the program is ending; the journal has it all the same.
        let _ = self.tools.reports.send(report);
    }
}

/// After a refusal the journal knows whether the plant is believed to be there, and whether an
/// earlier doubt explains the refusal.
async fn standing(journal: &Journal, exchange: &Exchange) -> (Option<Row>, Option<Doubt>) {
    if exchange.outcome() != Outcome::Refused {
        return (None, None);
    }
    match journal.story(exchange.operation.ask.plant_id()).await {
        Ok(story) => (story.row, story.in_doubt),
        Err(_) => (None, None),
    }
}
