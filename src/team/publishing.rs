//! Publishes the entries of a journal that the stream of its team does not have. Must not know what is read.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::context::{PublishAckFuture, PublishErrorKind};
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

use super::server::{NoTeam, RETRY, Said, shown};
use super::status::Status;
use super::{subject, wire};
use crate::config::TeamSettings;
use crate::domain::MemberId;
use crate::journal::{Entry, Journal, JournalError, MOST_ENTRIES};

/// The time limit of an acknowledgement, counted from the one before it.
const ACKNOWLEDGED: Duration = Duration::from_secs(10);

/// The largest message in bytes, if the team takes it.
const LARGEST: usize = 64 * 1024;

/// The bytes of the messages that may wait for their acknowledgement together.
const IN_FLIGHT: usize = 1024 * 1024;

/// After entries were published, others gather for so long: for each, and at most.
const GATHERING: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(100));

const NO_LEADER: &str = "the team's stream does not acknowledge: its servers may be without a leader";

/// Counts the entries of a journal that the server has not acknowledged.
#[derive(Debug, Clone)]
pub(super) struct Unpublished {
    journal: Journal,
    /// The number of an own entry: the server has acknowledged all up to it.
    acknowledged: Arc<AtomicU64>,
    /// Notified after other programs have written to the journal.
    pub(super) others_wrote: Arc<Notify>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Waiting {
    /// The number of entries that are not acknowledged.
    pub(super) entries: usize,
    /// The number of entries that are acknowledged and not read back.
    pub(super) unread: usize,
    pub(super) people: usize,
}

impl Unpublished {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal, acknowledged: Arc::default(), others_wrote: Arc::default() }
    }

    /// Counts from the first entry on that was not read back.
    pub(super) fn begin_again(&self) {
        self.acknowledged.store(0, Ordering::Relaxed);
    }

    fn has_acknowledged(&self, last: u64) {
        self.acknowledged.store(last, Ordering::Relaxed);
    }

    pub(super) async fn waiting(&self) -> Result<Waiting, JournalError> {
        let Some(found) = self.journal.membership().await? else { return Ok(Waiting::default()) };
        let acknowledged = self.acknowledged.load(Ordering::Relaxed).saturating_sub(found.published);
        let unread = usize::try_from(acknowledged).unwrap_or(usize::MAX).min(found.to_publish);
        Ok(Waiting { entries: found.to_publish - unread, unread, people: found.people })
    }

    /// Waits until there may be another number of them. Other programs publish what they write, if they can.
    pub(super) async fn changed(&self) {
        let committed = self.journal.committed();
        let others_wrote = async {
            self.others_wrote.notified().await;
            sleep(RETRY.0).await;
        };
        tokio::select! {
            () = committed.notified() => {}
            () = others_wrote => {}
        }
    }

    /// Returns the first entries that are not acknowledged.
    async fn first(&self, member: MemberId) -> Result<Vec<Entry>, JournalError> {
        self.journal.to_publish(member, self.acknowledged.load(Ordering::Relaxed), MOST_ENTRIES).await
    }
}

pub(super) struct Publisher<'a> {
    context: Context,
    subject: String,
    /// The largest message in bytes.
    most: usize,
    member: MemberId,
    bodies: bool,
    /// Receives what the server says against a message that it does not acknowledge.
    said: watch::Receiver<Said>,
    unpublished: &'a Unpublished,
    status: &'a watch::Sender<Status>,
}

/// A message that is not acknowledged yet.
struct InFlight {
    /// The number of its last entry.
    last: u64,
    entries: usize,
    bytes: usize,
    acknowledgement: PublishAckFuture,
}

impl<'a> Publisher<'a> {
    /// Returns a publisher of a member's entries, to a team that takes messages of `most` bytes.
    pub(super) fn new(
        context: &Context,
        team: &TeamSettings,
        most: usize,
        member: MemberId,
        said: watch::Receiver<Said>,
        (unpublished, status): (&'a Unpublished, &'a watch::Sender<Status>),
    ) -> Self {
        let mut context = context.clone();
        context.set_timeout(ACKNOWLEDGED);
        Self {
            context,
            subject: subject::of_author(&team.store, &team.author),
            most: LARGEST.min(most),
            member,
            bodies: team.bodies,
            said,
            unpublished,
            status,
        }
    }

    /// Publishes what the stream does not have, and then what is committed, until the journal is another member.
    pub(super) async fn run(mut self) -> Result<Infallible, NoTeam> {
        let mut pause = RETRY.0;
        loop {
            let waiting = self.unpublished.waiting().await?;
            self.report(|status| (status.people, status.to_publish) = (waiting.people, waiting.entries));
            if waiting.entries == 0 {
                self.unpublished.changed().await;
                continue;
            }
            let entries = self.unpublished.first(self.member).await?;
            let refusal = self.publish(&entries).await.err();
            self.report(|status| status.refusal.clone_from(&refusal));
            if refusal.is_some() {
                sleep(pause).await;
                pause = (pause * 2).min(RETRY.1);
                continue;
            }
            pause = RETRY.0;
            // Where many are written, the next ones gather: a message of many needs less than many messages.
            if entries.len() < MOST_ENTRIES {
                let gathering = u32::try_from(entries.len()).map_or(GATHERING.1, |count| GATHERING.0 * count);
                sleep(gathering.min(GATHERING.1)).await;
            }
        }
    }

    fn report(&self, change: impl FnOnce(&mut Status)) {
        self.status.send_if_modified(|status| {
            let before = status.clone();
            change(status);
            *status != before
        });
    }

    /// Publishes entries, several messages at once.
    ///
    /// # Errors
    ///
    /// Why the server takes no message. It and what follows it are published again later.
    async fn publish(&mut self, entries: &[Entry]) -> Result<(), String> {
        self.said.mark_unchanged();
        let (mut left, mut in_flight, mut bytes) = (entries, VecDeque::new(), 0);
        loop {
            while !left.is_empty() && (in_flight.is_empty() || bytes + self.most <= IN_FLIGHT) {
                let (payload, count) =
                    wire::encode(self.member, left, self.bodies, self.most).map_err(|why| why.to_string())?;
                let (message, rest) = left.split_at(count);
                let message = self.send(message, payload).await?;
                bytes += message.bytes;
                in_flight.push_back(message);
                left = rest;
            }
            let Some(InFlight { last, entries, bytes: acknowledged, acknowledgement }) = in_flight.pop_front() else {
                return Ok(());
            };
            self.acknowledged(acknowledgement).await?;
            bytes -= acknowledged;
            self.unpublished.has_acknowledged(last);
            self.report(|status| {
                status.refusal = None;
                status.to_publish = status.to_publish.saturating_sub(entries);
                status.published += entries;
            });
        }
    }

    async fn send(&self, entries: &[Entry], payload: Vec<u8>) -> Result<InFlight, String> {
        let (last, bytes) = (entries.last().map_or(0, |entry| entry.number), payload.len());
        // Without an id: the server would drop a message that is repeated because one before it is lost. An entry that
        // comes twice counts once.
        let sent = self.context.publish(self.subject.clone(), payload.into()).await;
        let acknowledgement = sent.map_err(|why| takes_none(&why))?;
        Ok(InFlight { last, entries: entries.len(), bytes, acknowledgement })
    }

    async fn acknowledged(&mut self, acknowledgement: PublishAckFuture) -> Result<(), String> {
        tokio::select! {
            result = acknowledgement.into_future() => match result {
                Ok(_) => Ok(()),
                Err(why) if why.kind() == PublishErrorKind::TimedOut => Err(NO_LEADER.to_owned()),
                Err(why) => Err(takes_none(&why)),
            },
            why = refused(&mut self.said, &self.subject) => Err(format!("the team's server refuses entries: {why}")),
        }
    }
}

/// Waits until the server says something new against a subject.
async fn refused(said: &mut watch::Receiver<Said>, subject: &str) -> String {
    while said.changed().await.is_ok() {
        if let Some(why) = said.borrow_and_update().refusal.clone().filter(|why| why.contains(subject)) {
            return why;
        }
    }
    std::future::pending().await
}

fn takes_none(why: &(dyn std::error::Error + 'static)) -> String {
    format!("the team's stream takes no entries: {}", shown(why))
}
