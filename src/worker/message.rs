//! What the worker is given, and its reports. Plain data.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::brake::{Brake, BrakeCause};
use crate::client::Token;
use crate::domain::{Ending, Exchange, Failure, FailureKind, OperationId, Row, UnknownOperation, sentence};
use crate::journal::{Condition, JournalError};

/// Many operations that are sent together, beside single ones.
#[derive(Debug)]
pub struct Batch {
    /// Maximum number of operations in flight, at least 1.
    pub concurrency: usize,
    /// The adds that are sent, by the states of their plants.
    pub condition: Condition,
    pub brake: Brake,
    pub reports: mpsc::UnboundedSender<BatchReport>,
}

#[derive(Debug)]
pub enum BatchReport {
    /// The ends of operations, in groups.
    Ended(Vec<Ended>),
    /// The brake is on for this cause, and nothing of the batch is in flight: it waits for [`Worker::release_brake`].
    ///
    /// [`Worker::release_brake`]: super::Worker::release_brake
    Braked(BrakeCause),
}

#[derive(Debug)]
pub enum Report {
    /// The intent of this single operation is on disk.
    Recorded(OperationId),
    /// The end of this operation is on disk, which was reported before it could be written.
    RecordedLate(OperationId),
    /// Another program locks the journal, and the worker waits: a sentence for people.
    Waiting(String),
    /// A single operation has ended. Those of a batch go to [`Batch::reports`].
    Ended(Box<Ended>),
}

/// The end of an operation.
#[derive(Debug)]
pub struct Ended {
    pub exchange: Arc<Exchange>,
    /// Whether the journal has this end; for [`FailureKind::NotRecorded`] and [`FailureKind::Overtaken`], whether it has
    /// the intent.
    ///
    /// [`FailureKind::NotRecorded`]: crate::domain::FailureKind::NotRecorded
    /// [`FailureKind::Overtaken`]: crate::domain::FailureKind::Overtaken
    pub recorded: Result<(), JournalError>,
    /// Whether its intent was given to the journal. Without one, the history never shows it.
    pub has_intent: bool,
    /// What the operation was sent with; `None` if it was not sent.
    pub token: Option<Token>,
    /// The plant's row in the list, if the operation was rejected or not sent. Not looked up for a batch that adds
    /// missing plants alone.
    pub row: Option<Row>,
    /// An earlier operation on the id that is still unknown, under the same conditions.
    pub unknown: Option<UnknownOperation>,
    /// Whether the store has accepted anything at this base URL, which is then right; under the same conditions.
    pub is_proven: bool,
}

impl Ended {
    /// An operation that was recorded, without its token and without the state of its plant.
    pub fn new(exchange: Arc<Exchange>, recorded: Result<(), JournalError>) -> Self {
        Self { exchange, recorded, has_intent: true, token: None, row: None, unknown: None, is_proven: false }
    }

    /// Describes the end; `name` is the name of the plant of a delete, if known.
    pub fn sentence(&self, name: Option<&str>) -> String {
        sentence::describe_after(&self.exchange, name, None, self.is_proven)
    }

    /// Whether the batch's condition on the plant was no longer met when the intent was to be written, or the person saw
    /// another plant, so that nothing was written or sent.
    pub fn is_overtaken(&self) -> bool {
        self.recorded == Err(JournalError::Overtaken)
    }

    /// Says why no other operation of many can end better, if so: none is sent after it, also where the brake never goes on.
    pub fn ends_all(&self) -> Option<String> {
        match (&self.recorded, self.exchange.failure()) {
            (Err(JournalError::Overtaken), _) => None,
            (Err(why), _) => Some(format!("the journal cannot be written: {why}")),
            (Ok(()), Some(FailureKind::NotBuilt)) => Some(sentence::ended(&self.exchange)),
            (Ok(()), _) => {
                (self.exchange.status() == Some(401)).then(|| "the store rejected the token (401)".to_owned())
            }
        }
    }

    /// Whether the journal has the intent and not the end yet: the worker writes it again.
    pub fn may_be_recorded(&self) -> bool {
        use FailureKind::{NotRecorded, Overtaken};
        let is_of_intent = |failure: &Failure| matches!(failure.kind, NotRecorded | Overtaken);
        self.recorded.is_err() && !matches!(&self.exchange.ending, Ending::Failed(failure) if is_of_intent(failure))
    }
}
