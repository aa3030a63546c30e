//! The background task: intent, journal, send, settle, report.
//!
//! ```text
//! submitted ─▶ recording ─▶ waiting ─▶ out ─▶ keeping ─▶ reported
//!                 │            │        │
//!                 │            └─ cancelled: not sent
//!                 │                     └─ cancelled, deadline: unknown (or not sent, if proven)
//!                 └─ cannot be recorded: not sent
//! ```
//!
//! The only place that sends. Operations on one id go out one after another, in the order
//! asked, because a later answer speaks for the doubt before it (see `domain::ledger`).
//!
//! What a person asks for goes one by one; a [`Batch`] asks for many. It has places of its own, so
//! that neither waits for the other, and keeps its connections while it has something to send. As
//! soon as an answer asks for patience (429, or 503 with `Retry-After`) or rejects the token in use
//! (401) nothing more of it goes out, until whoever leads it says so.
//! What waits to be written down is written together.

mod desk;
mod queues;

use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinHandle};

use crate::client::{Client, Token};
use crate::domain::{Doubt, Exchange, Operation, OperationId, Row, Timestamp};
use crate::journal::Journal;

/// Requests that may be out at once, of those that a person asked for one by one.
pub const CONCURRENCY: usize = 8;

/// An order to the courier.
#[derive(Debug)]
enum Order {
    Send(Operation),
    Cancel(OperationId),
    CancelAll,
    UseToken(Token),
    Begin(Batch),
    SendAll(Vec<Operation>),
    Hold(bool),
    Withdraw,
    CancelBatch,
}

/// Many operations that belong together.
#[derive(Debug)]
pub struct Batch {
    /// How many of its requests may be out at once, at least 1.
    pub concurrency: usize,
    /// Whether plants that are in doubt are added as well; others that are in the view never are.
    pub also_in_doubt: bool,
    /// Where its ends are told, in groups.
    pub ends: mpsc::UnboundedSender<Vec<Ended>>,
}

/// What became of an operation.
#[derive(Debug)]
pub enum Report {
    /// Its intent is durable.
    Recorded(OperationId),
    /// The journal is locked by another program, in words for people; waiting for it goes on.
    Waiting(String),
    /// It is over.
    Ended(Box<Ended>),
}

/// An operation that is over.
#[derive(Debug)]
pub struct Ended {
    /// What was sent and what came back.
    pub exchange: Exchange,
    /// Whether the journal has it; if not, why not, in words for people.
    pub recorded: Result<(), String>,
    /// Of a batch: the plant was not as it must be any more when its intent was to be written down,
    /// so that neither was done.
    pub overtaken: bool,
    /// How many tokens had been given with [`Courier::use_token`] when it went out.
    pub token: u32,
    /// If it was rejected or not sent, the plant's row in the list; not looked up for a batch that
    /// adds no unknown plants.
    pub row: Option<Row>,
    /// If it was rejected or not sent, an earlier operation on the same id that ended unknown and is
    /// not resolved; likewise.
    pub in_doubt: Option<Doubt>,
}

/// What the courier works with.
pub struct Tools {
    /// Sends.
    pub client: Client,
    /// Remembers.
    pub journal: Journal,
    /// Sent with every request, once there is one.
    pub token: Option<Token>,
    /// What time it is.
    pub clock: fn() -> Timestamp,
    /// Where reports go.
    pub reports: mpsc::UnboundedSender<Report>,
}

/// A handle on the running courier. When the last one is dropped, everything is cancelled, written
/// down, and the task ends.
#[derive(Debug, Clone)]
pub struct Courier {
    orders: mpsc::UnboundedSender<Order>,
}

impl Courier {
    /// Starts the task. Somebody must watch the handle: it resolves when the task has ended,
    /// and holds the panic if it died.
    #[expect(clippy::disallowed_methods, reason = "the handle is returned to be watched")]
    pub fn start(tools: Tools) -> (Self, JoinHandle<()>) {
        let (orders, inbox) = mpsc::unbounded_channel();
        let task = tokio::spawn(desk::Desk::new(tools).run(inbox));
        (Self { orders }, task)
    }

    /// Takes an operation. What becomes of it is reported, whatever happens.
    ///
    /// # Errors
    ///
    /// The courier is dead; nothing was recorded or sent.
    pub fn send(&self, operation: Operation) -> Result<(), CourierGone> {
        self.orders.send(Order::Send(operation)).map_err(|_| CourierGone)
    }

    /// Cancels an operation. Its end is still reported: not sent if that is proven, else unknown.
    pub fn cancel(&self, operation: OperationId) {
        // A dead courier has nothing left to cancel, and its death is told by its handle.
        let _ = self.orders.send(Order::Cancel(operation));
    }

    /// Cancels everything that is queued or out.
    pub fn cancel_all(&self) {
        let _ = self.orders.send(Order::CancelAll);
    }

    /// Takes up a batch: what is sent with [`Self::send_all`] from here on belongs to it. The one
    /// before must be over.
    pub fn begin(&self, batch: Batch) {
        // Who is told of no end has asked a dead courier, and hears that from the next line.
        let _ = self.orders.send(Order::Begin(batch));
    }

    /// Takes operations of the batch, which are told of through [`Batch::ends`] alone.
    ///
    /// # Errors
    ///
    /// The courier is dead; nothing was recorded or sent.
    pub fn send_all(&self, operations: Vec<Operation>) -> Result<(), CourierGone> {
        self.orders.send(Order::SendAll(operations)).map_err(|_| CourierGone)
    }

    /// Sends nothing more of the batch until told to go on; an answer to one of it that asks for
    /// patience does the same.
    pub fn hold(&self, hold: bool) {
        let _ = self.orders.send(Order::Hold(hold));
    }

    /// What is not out of the batch ends as not sent.
    pub fn withdraw(&self) {
        let _ = self.orders.send(Order::Withdraw);
    }

    /// Cancels what is queued or out of the batch.
    pub fn cancel_batch(&self) {
        let _ = self.orders.send(Order::CancelBatch);
    }

    /// Uses another token from the next request on.
    pub fn use_token(&self, token: Token) {
        let _ = self.orders.send(Order::UseToken(token));
    }
}

/// The courier has died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourierGone;

/// Why a watched task ended before its time.
pub fn death(why: JoinError) -> String {
    match why.try_into_panic() {
        Ok(panic) => {
            let words =
                panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            words.unwrap_or("it panicked").to_owned()
        }
        Err(_) => "it was aborted".to_owned(),
    }
}
