//! What is said to the worker and by it: commands, and what became of operations. Plain data.

use tokio::sync::mpsc;

use crate::client::Token;
use crate::domain::{Exchange, Operation, OperationId, Row, UnknownOperation};
use crate::journal::JournalError;

#[derive(Debug)]
pub(super) enum Command {
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
    /// Whether unknown plants are added as well; others that are in the list never are.
    pub resend_unknown: bool,
    /// Receives the ends of its operations, in groups.
    pub ends: mpsc::UnboundedSender<Vec<Ended>>,
}

#[derive(Debug)]
pub enum Report {
    /// The intent of this operation is durable. Not reported for a batch.
    Recorded(OperationId),
    /// Another program locks the journal, in words for people; waiting for it goes on.
    Waiting(String),
    /// A single operation is over; those of a batch go to [`Batch::ends`].
    Ended(Box<Ended>),
}

/// An operation that is over.
#[derive(Debug)]
pub struct Ended {
    pub exchange: Exchange,
    /// Whether the journal has this end, or for [`FailureKind::NotRecorded`] the intent.
    ///
    /// [`FailureKind::NotRecorded`]: crate::domain::FailureKind::NotRecorded
    pub recorded: Result<(), JournalError>,
    /// How many tokens had been given with [`Worker::use_token`](super::Worker::use_token) when it was sent.
    pub token: u32,
    /// If it was rejected or not sent, the plant's row in the list; not looked up for a batch that
    /// adds no unknown plants.
    pub row: Option<Row>,
    /// If it was rejected or not sent, an earlier operation on the same id that ended unknown and is
    /// not resolved; likewise.
    pub unknown: Option<UnknownOperation>,
}

impl Ended {
    /// Whether the plant of a batch was no longer as it must be when the intent was to be written, so
    /// that nothing was written and nothing sent.
    pub fn is_overtaken(&self) -> bool {
        self.recorded == Err(JournalError::Overtaken)
    }
}

/// The worker has died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerGone;

impl std::fmt::Display for WorkerGone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the part of the program that sends has died")
    }
}

impl std::error::Error for WorkerGone {}
