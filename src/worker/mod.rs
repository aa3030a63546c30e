//! The background worker: records an intent, sends the request, writes its end, and reports it. Must not know why
//! operations are sent.
//!
//! ```text
//! submitted ─▶ recording ─▶ waiting ─▶ sending ─▶ writing ─▶ reported
//!                 │            │          │
//!                 │            └─ cancelled: not sent
//!                 │                       └─ cancelled, deadline: unknown (or not sent, if proven)
//!                 └─ cannot be recorded: not sent
//! ```
//!
//! Nothing else sends requests. Operations on one id are sent one after another, in the order of submission, because a
//! later response also decides about an earlier unknown one (see `domain::ledger`).
//!
//! Single operations and those of a [`Batch`] have separate slots, so that neither waits for the other. A batch keeps
//! its connections while it has operations to send. When a response asks for a pause (429, or 503 with `Retry-After`)
//! or rejects the current token (401), the batch is held until its owner continues it; after five responses in a row that
//! prove nothing, until its owner releases the [`Brake`]. One commit has the ends that are ready and the intents of the
//! batch's next operations, so that few intents are open at a time.

mod brake;
mod dispatch;
mod feed;
mod message;
mod panics;
mod queues;
mod recording;

use futures::FutureExt as _;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::client::Token;
use crate::domain::{Operation, OperationId};

pub use brake::{Brake, BrakeCause};
pub use dispatch::{CONCURRENCY, Resources, open_intents};
pub use feed::Feed;
pub use message::{Batch, BatchReport, Ended, Report};
pub use panics::join_error_text;

use dispatch::{Dispatch, Instruction};
use queues::Priority;

/// A handle on the running worker. When the last one is dropped, the worker cancels all operations, writes their ends,
/// and stops. A dead worker ignores instructions: it has no operations left, its task handle has the panic, and its
/// reports have ended.
#[derive(Debug, Clone)]
pub struct Worker {
    instructions: mpsc::UnboundedSender<Instruction>,
}

impl Worker {
    /// Starts the task. The caller must watch the returned handle, which has the panic if the worker dies.
    #[expect(clippy::disallowed_methods, reason = "the handle is returned to be watched")]
    pub fn start(resources: Resources) -> (Self, JoinHandle<()>) {
        let (instructions, inbox) = mpsc::unbounded_channel();
        let task = tokio::spawn(Dispatch::new(resources).run(inbox).boxed());
        (Self { instructions }, task)
    }

    /// Submits a single operation. Its end is always reported.
    pub fn send(&self, operation: Operation) {
        self.instruct(move |dispatch| dispatch.submit(vec![operation], Priority::Single));
    }

    /// Cancels an operation. Its end is still reported: not sent if that is proven, else unknown.
    pub fn cancel(&self, operation: OperationId) {
        self.instruct(move |dispatch| dispatch.cancel(operation));
    }

    /// Cancels all single operations.
    pub fn cancel_all(&self) {
        self.instruct(|dispatch| dispatch.cancel_all(Priority::Single));
    }

    /// Begins a batch, to which later calls of [`Self::send_all`] belong. The batch before must have ended.
    pub fn begin(&self, batch: Batch) {
        self.instruct(move |dispatch| dispatch.begin(batch));
    }

    /// Submits operations of the batch, whose ends only [`Batch::reports`] receives.
    pub fn send_all(&self, operations: Vec<Operation>) {
        self.instruct(move |dispatch| dispatch.submit(operations, Priority::Batch));
    }

    /// Holds the batch, or continues it.
    pub fn hold(&self, hold: bool) {
        self.instruct(move |dispatch| dispatch.hold_or_go_on(hold));
    }

    /// Goes on with the batch after [`BatchReport::Braked`].
    pub fn release_brake(&self) {
        self.instruct(Dispatch::release_brake);
    }

    /// Cancels the operations of the batch that are not in flight.
    pub fn withdraw(&self) {
        self.instruct(Dispatch::withdraw);
    }

    /// Cancels all operations of the batch.
    pub fn cancel_batch(&self) {
        self.instruct(|dispatch| dispatch.cancel_all(Priority::Batch));
    }

    /// Uses another token from the next request on.
    pub fn use_token(&self, token: Token) {
        self.instruct(move |dispatch| dispatch.use_token(token));
    }

    fn instruct(&self, instruction: impl FnOnce(&mut Dispatch) + Send + 'static) {
        let _ = self.instructions.send(Box::new(instruction));
    }
}
