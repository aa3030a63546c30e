//! Reads the stream of a team into the journal: several messages at once, in the order of the stream.
//!
//! The messages themselves are requested from the leader of the stream, which knows all of them; a plain subscription
//! only wakes. So nothing is sent while nothing happens. The response names subject and number of a message apart from
//! its headers, which its author chooses: they are never read. Must not know what is published.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::response;
use async_nats::jetstream::stream::{RawMessage, Stream};
use async_nats::jetstream::{Context, ErrorCode};
use futures::stream::FuturesOrdered;
use futures::{FutureExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::server::{self, NoTeam, shown};
use super::snapshot::Snapshot;
use super::status::{Notices, Status};
use super::{subject, wire};
use crate::config::TeamSettings;
use crate::domain::{Author, MemberId, Timestamp};
use crate::journal::{Entry, Journal, JournalError, LeftOut, Membership, TeamMessage};
use crate::text::clean_fit;

/// After this long without a message the connection counts as broken.
const STALLED: Duration = Duration::from_secs(10);

/// The time limit of one message among several that share a slow connection.
const ONE_OF_MANY: Duration = Duration::from_secs(60);

/// The bytes that are requested at once, about: on a slow connection they arrive well before it counts as broken.
const AT_ONCE: usize = 512 * 1024;

/// The bytes that are written at once, about: uncompressed and parsed they are a hundred times as long.
const AT_A_TIME: usize = 64 * 1024;

/// The limits of the number of messages that are requested at once.
const MESSAGES_AT_ONCE: (usize, usize) = (2, 256);

/// The first and the longest pause before a message is looked for once more: its wake-up may come before the server
/// has stored it. Perhaps it never comes, as a message that was published twice.
const LOOKS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_secs(2));

/// Columns shown of a subject without an author.
const SHOWN: usize = 60;

pub(super) struct Reader<'a> {
    source: Arc<Source>,
    woken: Subscriber,
    /// The number of wake-ups whose messages are not read yet.
    awaited: u64,
    /// The number of the last message that was read.
    pub(super) read: u64,
    /// Those of the first and the last one that the stream had at the connection.
    first: u64,
    pub(super) last: u64,
    /// The number of messages that are requested at once.
    at_once: usize,
    member: MemberId,
    journal: &'a Journal,
    status: &'a watch::Sender<Status>,
    /// Whether entries were read that leave a gap before them, or may fill one.
    may_change_gaps: bool,
}

/// What became of the last snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SnapshotFound {
    TakenOver,
    /// There is none, or the stream cannot be read on from it.
    None,
    Unreadable,
}

/// A message; `None` if there is none yet.
type Response = Result<Option<StreamMessage>, NoTeam>;

/// What messages are requested from.
struct Source {
    context: Context,
    /// The subject of the requests.
    requests: String,
    /// The subjects of the messages, of the parts of snapshots, and of what completes them.
    messages: String,
    parts: String,
    snapshots: String,
    /// The number of messages in earlier streams, before the first of this one: the journal counts them on.
    earlier: u64,
}

#[derive(Deserialize)]
struct Found {
    message: RawMessage,
}

impl<'a> Reader<'a> {
    /// Returns a reader of the messages that a member has not read. `woken` receives a message for each that is published.
    pub(super) fn new(
        context: &Context,
        stream: &Stream,
        team: &TeamSettings,
        woken: Subscriber,
        membership: &Membership,
        (journal, status): (&'a Journal, &'a watch::Sender<Status>),
    ) -> Self {
        let mut context = context.clone();
        context.set_timeout(ONE_OF_MANY);
        let (info, earlier) = (stream.cached_info(), server::earlier(stream));
        let source = Source {
            context,
            requests: format!("STREAM.MSG.GET.{}", info.config.name),
            messages: subject::of(&team.store, subject::ALL),
            parts: subject::of(&team.store, subject::PART),
            snapshots: subject::of(&team.store, subject::SNAPSHOT),
            earlier,
        };
        Self {
            source: Arc::new(source),
            woken,
            awaited: 0,
            read: membership.folded,
            first: info.state.first_sequence + earlier,
            last: info.state.last_sequence + earlier,
            at_once: MESSAGES_AT_ONCE.0,
            member: membership.member,
            journal,
            status,
            may_change_gaps: false,
        }
    }

    /// Whether the stream has the last message that was read, which the server stored `at` this time: one that was killed
    /// may have lost it, and have another one with its number. Nothing is known about one that was removed since.
    pub(super) async fn has_read_of_it(&self, at: Option<Timestamp>) -> Result<bool, NoTeam> {
        match at {
            Some(at) if (self.first..=self.last).contains(&self.read) => {
                let found = self.source.next(self.read).await?;
                Ok(found.is_some_and(|found| (found.sequence, stored_at(&found)) == (self.read, at)))
            }
            Some(_) | None => Ok(self.read <= self.last),
        }
    }

    /// Takes over the snapshot of a stream that cannot be read on, before anything is published: it says which entries the
    /// stream has lost.
    pub(super) async fn begin(&mut self) -> Result<(), NoTeam> {
        let is_new = self.read <= self.source.earlier;
        let passed = self.read.max(self.status.borrow().notices.passed);
        let is_removed = self.first > passed + 1 && self.last > self.read;
        let found = if is_new || is_removed { self.read_snapshot().await? } else { SnapshotFound::None };
        if is_removed && found != SnapshotFound::TakenOver {
            let is_unreadable = found == SnapshotFound::Unreadable;
            let removed = (passed + 1, self.first - 1);
            self.note(|notices| notices.note_removed(removed, is_unreadable)).await?;
        }
        // The journal of a member that reads all once more has its entries.
        self.may_change_gaps = is_new || found != SnapshotFound::None;
        Ok(())
    }

    /// Reads what the stream had at the connection.
    pub(super) async fn catch_up(&mut self) -> Result<(), NoTeam> {
        self.read_to(self.last).await?;
        // The last messages may be of other stores.
        self.read = self.read.max(self.last);
        self.report();
        self.count_gaps().await
    }

    /// Reads what the stream has, and then what is published, until the connection fails.
    pub(super) async fn run(mut self) -> Result<Infallible, NoTeam> {
        self.catch_up().await?;
        self.status.send_modify(|status| status.is_in_sync = true);
        loop {
            self.count_wake_ups();
            self.read_awaited().await?;
            self.count_gaps().await?;
            if self.woken.next().await.is_none() {
                return Err(NoTeam::Lost);
            }
            self.awaited += 1;
        }
    }

    /// Takes over the last snapshot, if there is one from which the stream can be read on.
    async fn read_snapshot(&mut self) -> Result<SnapshotFound, NoTeam> {
        let source = Arc::clone(&self.source);
        let message = source.request(json!({ "last_by_subj": source.snapshots })).await?;
        let Some(message) = message else { return Ok(SnapshotFound::None) };
        // One that claims to be later than the stream would end the reading.
        let snapshot = Snapshot::read(&message.payload).filter(|snapshot| snapshot.folded <= self.last);
        let Some(snapshot) = snapshot else { return Ok(SnapshotFound::Unreadable) };
        if snapshot.folded <= self.read || snapshot.folded + 1 < self.first {
            return Ok(SnapshotFound::None);
        }
        let part_from = async |number| source.first_from(number, &source.parts).await;
        let (mut next, mut different) = (part_from(snapshot.first).await, None);
        for _ in 0..snapshot.parts {
            let part = next?.and_then(|message| Some((message.sequence, snapshot.part(&message.payload)?)));
            let Some((sequence, part)) = part else { return Ok(SnapshotFound::Unreadable) };
            // The next part is on its way while this one is written.
            let number = sequence - source.earlier + 1;
            let (taken, following) = tokio::join!(self.journal.take_over(part), part_from(number));
            different = different.or(taken?);
            next = following;
            self.status.send_modify(|status| status.received += 1);
        }
        // The journal goes on after it.
        let after = TeamMessage { sequence: snapshot.folded, at: None, entries: None };
        self.journal.receive(self.member, vec![after]).await?;
        self.read = snapshot.folded;
        let author = clean_fit(snapshot.author.name(), SHOWN);
        self.note(|notices| notices.note_snapshot(&author, different)).await?;
        Ok(SnapshotFound::TakenOver)
    }

    fn count_wake_ups(&mut self) {
        while let Some(Some(_)) = self.woken.next().now_or_never() {
            self.awaited += 1;
        }
    }

    /// Reads the messages whose wake-ups have come; looks for those that are not stored yet less and less often.
    async fn read_awaited(&mut self) -> Result<(), NoTeam> {
        let mut pause = LOOKS.0;
        while self.awaited > 0 {
            let before = self.read;
            self.read_to(self.read + self.awaited).await?;
            self.count_wake_ups();
            if self.read > before {
                pause = LOOKS.0;
            } else if pause < LOOKS.1 {
                sleep(pause).await;
                pause *= 2;
            } else {
                self.awaited = 0;
            }
        }
        Ok(())
    }

    /// Reads up to the message of this number, or up to the last one that there is.
    async fn read_to(&mut self, last: u64) -> Result<(), NoTeam> {
        let source = Arc::clone(&self.source);
        let (mut requested, mut arrived) = (self.read, Vec::new());
        let mut responses = FuturesOrdered::new();
        loop {
            // Where the stream has other messages in between, one that was found is after those requested.
            requested = requested.max(self.read);
            while requested < last && responses.len() < self.at_once {
                requested += 1;
                responses.push_back(source.next(requested));
            }
            // The next messages are on their way while those that arrived are written.
            let (may_be_more, next) = tokio::join!(self.take(arrived), timeout(STALLED, responses.next()));
            if !may_be_more? {
                return Ok(());
            }
            let silent = |_| NoTeam::Stream(format!("nothing arrived for {} s", STALLED.as_secs()));
            let Some(next) = next.map_err(silent)? else { return Ok(()) };
            arrived = vec![next];
            while arrived.iter().map(size).sum::<usize>() < AT_A_TIME {
                let Some(Some(next)) = responses.next().now_or_never() else { break };
                arrived.push(next);
            }
        }
    }

    /// Hands messages that arrived to the journal, in one commit. Returns whether there may be more: what was found after
    /// the first one that was not there yet is dropped, because others may have come in between.
    async fn take(&mut self, arrived: Vec<Response>) -> Result<bool, NoTeam> {
        self.count_wake_ups();
        let (mut messages, mut end) = (Vec::new(), Ok(true));
        for response in arrived {
            match response {
                Ok(Some(message)) if message.sequence > self.read => {
                    self.read = message.sequence;
                    // No wake-up came for those that were there before.
                    if message.sequence > self.last {
                        self.awaited = self.awaited.saturating_sub(1);
                    }
                    self.at_once =
                        (AT_ONCE / message.payload.len().max(1)).clamp(MESSAGES_AT_ONCE.0, MESSAGES_AT_ONCE.1);
                    messages.push(self.decoded(&message));
                }
                // Found twice.
                Ok(Some(_)) => {}
                Ok(None) => {
                    end = Ok(false);
                    break;
                }
                Err(why) => {
                    end = Err(why);
                    break;
                }
            }
        }
        if !messages.is_empty() {
            if messages.iter().any(|message| message.entries.is_none()) {
                self.note(|_| {}).await?;
            }
            {
                let notices = &self.status.borrow().notices;
                let is_shared_again = |entries: &[Entry]| entries.iter().any(|entry| entry.position.is_some());
                self.may_change_gaps |= messages
                    .iter()
                    .filter_map(|message| message.entries.as_ref())
                    .any(|of| notices.lacks(&of.author) || (notices.removed.is_some() && is_shared_again(&of.entries)));
            }
            self.status.send_modify(|status| status.received += messages.len() as u64);
            for LeftOut { sequence, author, why } in self.journal.receive(self.member, messages).await? {
                // The number of all that are missing is said instead.
                if matches!(why, JournalError::MissingEntries { .. }) {
                    self.may_change_gaps = true;
                } else {
                    self.skip(author.name(), sequence, why.to_string(), true);
                }
            }
            self.report();
        }
        end
    }

    /// Returns a message for the journal. One that cannot be used concerns its author alone, and is skipped.
    fn decoded(&self, message: &StreamMessage) -> TeamMessage {
        let StreamMessage { subject, sequence, payload, .. } = message;
        let at = Some(stored_at(message));
        if subject::is_of_snapshot(subject) {
            return TeamMessage { sequence: *sequence, at, entries: None };
        }
        let entries = wire::read(subject, payload).map_err(|why| {
            let author = subject::author(subject);
            let of = author.as_ref().map_or(subject.as_str(), Author::name);
            self.skip(of, *sequence, why.to_string(), false);
        });
        TeamMessage { sequence: *sequence, at, entries: entries.ok() }
    }

    /// Notes a message that does not count, or some entries of it; `of` is its author, or its subject if it has none.
    fn skip(&self, of: &str, sequence: u64, why: String, in_part: bool) {
        let (author, sequence) = (clean_fit(of, SHOWN), sequence.saturating_sub(self.source.earlier));
        self.status.send_modify(|status| status.notices.note_skipped(author, sequence, why, in_part));
    }

    /// Changes the notices, and lets the journal keep what is missing.
    async fn note(&self, change: impl FnOnce(&mut Notices)) -> Result<(), NoTeam> {
        self.status.send_modify(|status| change(&mut status.notices));
        let kept = self.status.borrow().notices.to_keep();
        Ok(self.journal.note_missing(self.member, kept).await?)
    }

    /// Counts what is missing before later entries, if that may have changed.
    async fn count_gaps(&mut self) -> Result<(), NoTeam> {
        if std::mem::take(&mut self.may_change_gaps) {
            let (gaps, removed) = (self.journal.gaps().await?, self.status.borrow().notices.removed);
            // Entries that are shared again have the numbers of their earlier messages.
            let is_shared_again = match removed {
                Some(removed) => self.journal.has_all(removed).await?,
                None => false,
            };
            self.note(|notices| {
                notices.note_before_later(gaps);
                if is_shared_again {
                    notices.note_shared_again();
                }
            })
            .await?;
        }
        Ok(())
    }

    fn report(&self) {
        self.status.send_modify(|status| (status.read, status.last) = (self.read, status.last.max(self.read)));
    }
}

fn size(response: &Response) -> usize {
    response.as_ref().ok().and_then(Option::as_ref).map_or(0, |message| message.payload.len())
}

impl Source {
    /// Returns the first message from a number on.
    async fn next(&self, number: u64) -> Response {
        self.first_from(number.saturating_sub(self.earlier), &self.messages).await
    }

    async fn first_from(&self, sequence: u64, subject: &str) -> Response {
        self.request(json!({ "seq": sequence, "next_by_subj": subject })).await
    }

    async fn request(&self, what: Value) -> Response {
        let response = self.context.request(self.requests.clone(), &what).await;
        match response.map_err(|why| NoTeam::Stream(shown(&why)))? {
            response::Response::Ok(Found { message }) => {
                let sequence = message.sequence + self.earlier;
                let message = StreamMessage::try_from(RawMessage { headers: None, sequence, ..message });
                Ok(Some(message.map_err(|why| NoTeam::Stream(shown(why.as_ref())))?))
            }
            response::Response::Err { error } if error.error_code() == ErrorCode::NO_MESSAGE_FOUND => Ok(None),
            response::Response::Err { error } => Err(NoTeam::Stream(shown(&error))),
        }
    }
}

/// Returns when the server stored a message.
fn stored_at(message: &StreamMessage) -> Timestamp {
    Timestamp(i64::try_from(message.time.unix_timestamp_nanos() / 1_000_000).unwrap_or_default())
}
