//! The background worker: writes an intent down, sends it, writes its end down, reports it.
//!
//! ```text
//! submitted ─▶ recording ─▶ waiting ─▶ sending ─▶ writing ─▶ reported
//!                 │            │          │
//!                 │            └─ cancelled: not sent
//!                 │                       └─ cancelled, deadline: unknown (or not sent, if proven)
//!                 └─ cannot be recorded: not sent
//! ```
//!
//! The only place that sends. Operations on one id are sent one after another, in the order they were
//! submitted, because a later response also decides about an unknown one before it (see `domain::ledger`).
//!
//! Single operations and those of a [`Batch`] have slots of their own, so that neither waits for the
//! other. A batch keeps its connections while it has something to send. As soon as a response asks for
//! a pause (429, or 503 with `Retry-After`) or rejects the token in use (401), nothing more of the batch
//! is sent until its owner says so. Ends that wait to be written are written together.

mod dispatch;
mod message;
mod queues;
mod recording;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::client::Token;
use crate::domain::{Operation, OperationId};

pub use dispatch::{CONCURRENCY, Tools, death};
pub use message::{Batch, Ended, Report, WorkerGone};

use dispatch::Dispatch;
use message::Command;

/// A handle on the running worker. When the last one is dropped, everything is cancelled, written
/// down, and the task ends.
#[derive(Debug, Clone)]
pub struct Worker {
    commands: mpsc::UnboundedSender<Command>,
}

impl Worker {
    /// Starts the task. The caller must watch the handle: it resolves when the task has ended,
    /// and holds the panic if it died.
    #[expect(clippy::disallowed_methods, reason = "the handle is returned to be watched")]
    pub fn start(tools: Tools) -> (Self, JoinHandle<()>) {
        let (commands, inbox) = mpsc::unbounded_channel();
        let task = tokio::spawn(Dispatch::new(tools).run(inbox));
        (Self { commands }, task)
    }

    /// Submits an operation. Its end is reported, whatever happens.
    ///
    /// # Errors
    ///
    /// The worker is dead; nothing was recorded or sent.
    pub fn send(&self, operation: Operation) -> Result<(), WorkerGone> {
        self.commands.send(Command::Send(operation)).map_err(|_| WorkerGone)
    }

    /// Cancels an operation. Its end is still reported: not sent if that is proven, else unknown.
    pub fn cancel(&self, operation: OperationId) {
        self.tell(Command::Cancel(operation));
    }

    /// Cancels all single operations.
    pub fn cancel_all(&self) {
        self.tell(Command::CancelAll);
    }

    /// Begins a batch, to which everything given to [`Self::send_all`] from here on belongs. The one
    /// before must be over.
    pub fn begin(&self, batch: Batch) {
        self.tell(Command::Begin(batch));
    }

    /// Submits operations of the batch, which are reported to [`Batch::ends`] alone.
    ///
    /// # Errors
    ///
    /// The worker is dead; nothing was recorded or sent.
    pub fn send_all(&self, operations: Vec<Operation>) -> Result<(), WorkerGone> {
        self.commands.send(Command::SendAll(operations)).map_err(|_| WorkerGone)
    }

    /// Sends nothing more of the batch, or goes on with it.
    pub fn hold(&self, hold: bool) {
        self.tell(Command::Hold(hold));
    }

    /// Ends as not sent what is not out of the batch.
    pub fn withdraw(&self) {
        self.tell(Command::Withdraw);
    }

    /// Cancels all operations of the batch.
    pub fn cancel_batch(&self) {
        self.tell(Command::CancelBatch);
    }

    /// Uses another token from the next request on.
    pub fn use_token(&self, token: Token) {
        self.tell(Command::UseToken(token));
    }

    /// A dead worker has nothing left to do this to, and its task tells of its death.
    fn tell(&self, command: Command) {
        let _ = self.commands.send(command);
    }
}
