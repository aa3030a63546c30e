//! The link between a journal and its team: one task, which publishes and follows until it is stopped.
//!
//! A member is woken by its own writes, and by a plain subscription to the subjects of the store; the messages
//! themselves are read from the stream, in its order. So nothing is sent while nothing happens, and a wake-up that is
//! lost with its connection is made up for by the next connection.

use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{DirectGetErrorKind, RawMessageErrorKind, Stream};
use async_nats::{Event, HeaderMap, header};
use futures::{FutureExt as _, StreamExt as _};
use thiserror::Error;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::server::{self, NoTeam, shown};
use super::{subject, wire};
use crate::config::TeamSettings;
use crate::domain::MemberId;
use crate::journal::{Journal, JournalError, MOST_ENTRIES, TeamMessage};

/// The pause after a failed connection: doubles from the first to the second.
const RETRY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// The time limit of an acknowledgement.
const ACKNOWLEDGED: Duration = Duration::from_secs(3);

/// The longest pause before a message is looked for once more.
const STORED: Duration = Duration::from_secs(2);

/// The number of messages that are asked for together.
const AHEAD: usize = 16;

/// The largest message in bytes, if the server allows it.
const LARGEST: usize = 256 * 1024;

const NO_LEADER: &str = "The team's stream does not acknowledge: its servers may be without a leader.";

const REMOVED: &str = "Entries were removed from the team's stream before they were read here: what the others did \
    then is missing, until each of them runs plants team join once more.";

/// Why a link has not done what was waited for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotInSync {
    #[error("{0}")]
    Problem(String),
    #[error("the team's servers did not respond in time; try again later")]
    Late,
    #[error("the link to the team has ended by an internal error: start plants again")]
    Ended,
}

/// What a person sees of the team.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// Whether the stream is followed now.
    pub online: bool,
    /// Whether every message that the stream had at the connection is folded.
    pub caught_up: bool,
    /// The number of people with entries, this one included.
    pub people: usize,
    /// The number of entries that the stream does not have.
    pub to_publish: usize,
    /// What is wrong, and what to do.
    pub problem: Option<String>,
    /// Counts the folded messages.
    pub folded: u64,
}

/// A running link. It ends when it is dropped.
#[derive(Debug)]
pub struct Link {
    status: watch::Receiver<Status>,
    stop: CancellationToken,
    task: JoinSet<()>,
    journal: Journal,
}

impl Link {
    /// Starts the link of a journal. Must be called in an async runtime.
    pub fn start(team: TeamSettings, journal: Journal) -> Self {
        let (sender, status) = watch::channel(Status::default());
        let stop = CancellationToken::new();
        let mut task = JoinSet::new();
        task.spawn(Worker::new(team, journal.clone(), sender, stop.clone()).run().boxed());
        Self { status, stop, task, journal }
    }

    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// Waits for another status.
    pub async fn changed(&mut self) -> Status {
        if self.status.changed().await.is_err() {
            // It ended with the last status, or with an internal error.
            if let Some(Err(_)) = self.task.join_next().await {
                return Status { problem: Some(NotInSync::Ended.to_string()), ..Status::default() };
            }
            std::future::pending::<()>().await;
        }
        self.status.borrow_and_update().clone()
    }

    /// Waits until what the stream has now is folded.
    ///
    /// # Errors
    ///
    /// The team cannot be reached, or does not respond in time.
    pub async fn caught_up(&mut self, within: Duration) -> Result<(), NotInSync> {
        timeout(within, self.until(|status| status.caught_up)).await.unwrap_or(Err(NotInSync::Late))
    }

    /// Waits until the stream has every entry of this journal.
    ///
    /// # Errors
    ///
    /// Something prevents it.
    pub async fn published(&mut self) -> Result<(), NotInSync> {
        self.until(|status| status.online && status.to_publish == 0).await
    }

    async fn until(&mut self, done: fn(&Status) -> bool) -> Result<(), NotInSync> {
        let decided = self.status.wait_for(|status| done(status) || status.problem.is_some()).await;
        match &*decided.map_err(|_| NotInSync::Ended)? {
            status if done(status) => Ok(()),
            status => Err(NotInSync::Problem(status.problem.clone().unwrap_or_default())),
        }
    }

    /// Publishes what is left, for at most this long, and ends.
    pub async fn end(self, within: Duration) {
        let mut status = self.status.clone();
        let is_published =
            async || self.journal.membership().await.is_ok_and(|found| found.is_none_or(|found| found.to_publish == 0));
        let published = async {
            while !is_published().await && (status.borrow().online || status.borrow().problem.is_none()) {
                if status.changed().await.is_err() {
                    break;
                }
            }
        };
        let _ = timeout(within, published).await;
        self.stop.cancel();
    }
}

/// Looks for a message whose wake-up came before the server had stored it: less and less often, for two seconds. Perhaps
/// it never comes, as a message that was published twice.
#[derive(Debug, Clone, Copy)]
struct Look {
    pause: Duration,
}

impl Default for Look {
    fn default() -> Self {
        Self { pause: Duration::from_millis(5) }
    }
}

impl Look {
    fn again(self) -> Option<Self> {
        let pause = self.pause * 2;
        (pause < STORED).then_some(Self { pause })
    }
}

/// Why the link does not go on with a connection. Another one is tried later: a person may have helped.
enum Broken {
    Because(String),
    /// The journal is another member now.
    JoinedAgain,
}

impl From<NoTeam> for Broken {
    fn from(why: NoTeam) -> Self {
        Self::Because(why.to_string())
    }
}

impl From<JournalError> for Broken {
    fn from(why: JournalError) -> Self {
        if why == JournalError::JoinedAgain { Self::JoinedAgain } else { Self::Because(why.to_string()) }
    }
}

struct Worker {
    team: TeamSettings,
    journal: Journal,
    status: watch::Sender<Status>,
    stop: CancellationToken,
    /// What this journal is in the team.
    member: MemberId,
    /// The number of the last own entry that the server has acknowledged.
    acknowledged: u64,
    /// The number of the last message that was read.
    read: u64,
    /// Whether the last connection was used.
    was_online: bool,
    /// Why entries could not be published.
    unpublished: Option<String>,
    /// What others wrote that is not here for good.
    skipped: Option<String>,
}

impl Worker {
    fn new(team: TeamSettings, journal: Journal, status: watch::Sender<Status>, stop: CancellationToken) -> Self {
        Self {
            team,
            journal,
            status,
            stop,
            member: MemberId(0),
            acknowledged: 0,
            read: 0,
            was_online: false,
            unpublished: None,
            skipped: None,
        }
    }

    async fn run(mut self) {
        let stop = self.stop.clone();
        let mut pause = RETRY.0;
        loop {
            let broken = tokio::select! {
                ended = self.connected() => ended.err(),
                () = stop.cancelled() => return,
            };
            let problem = match broken {
                Some(Broken::JoinedAgain) => continue,
                Some(Broken::Because(why)) => why,
                None => "the connection ended".to_owned(),
            };
            self.offline(problem).await;
            if std::mem::take(&mut self.was_online) {
                pause = RETRY.0;
            }
            tokio::select! {
                () = sleep(pause) => {}
                () = stop.cancelled() => return,
            }
            pause = (pause * 2).min(RETRY.1);
        }
    }

    async fn offline(&self, why: String) {
        let to_publish = self.journal.membership().await.ok().flatten().map_or(0, |found| found.to_publish);
        self.status.send_modify(|status| {
            (status.online, status.to_publish, status.problem) = (false, to_publish, Some(why));
        });
    }

    /// Follows and publishes with one connection, which the client renews by itself, until it fails for good.
    async fn connected(&mut self) -> Result<(), Broken> {
        let Some(membership) = self.journal.membership().await? else {
            return Err(Broken::Because("this journal is not in the team yet: plants team join".to_owned()));
        };
        let (events, mut happened) = mpsc::unbounded_channel();
        let (refusals, mut refused) = watch::channel(None);
        let happens = move |event| {
            if let Event::ServerError(error) = &event {
                refusals.send_replace(Some(format!("The team's server refuses entries: {}.", shown(error))));
            }
            let _ = events.send(event);
        };
        let client = self.team.connect(happens).await?;
        let context = server::context(&client);
        // Before the stream is read, so that no message falls between.
        let subjects = subject::of_store(&self.team.store);
        let mut woken = client.subscribe(subjects).await.map_err(|why| NoTeam::Unreachable(shown(&why)))?;
        client.flush().await.map_err(|why| NoTeam::Unreachable(shown(&why)))?;
        let mut stream = server::stream(&context, &self.team.store).await?;
        if server::identity(&stream) != membership.stream {
            let why = "the team has another stream than the one this journal joined: plants team join joins it";
            return Err(Broken::Because(why.to_owned()));
        }
        if self.member != membership.member {
            (self.member, self.acknowledged) = (membership.member, 0);
        }
        self.read = membership.folded;
        let committed = self.journal.committed();
        self.catch_up(&mut stream).await?;
        self.was_online = true;
        let own = subject::of_author(&self.team.store, &self.team.author);
        let mut look: Option<Look> = None;
        loop {
            let is_online = client.connection_state() == State::Connected;
            if is_online {
                self.publish(&context, &stream, client.server_info().max_payload, &mut refused).await?;
            }
            self.report(is_online).await?;
            let retry = is_online && self.unpublished.is_some();
            tokio::select! {
                () = committed.notified() => {}
                () = sleep(RETRY.1), if retry => {}
                Some(message) = woken.next() => {
                    // The wake-ups that wait are for messages that are read now.
                    let waiting = std::iter::from_fn(|| woken.next().now_or_never().flatten());
                    let others = [message].into_iter().chain(waiting).any(|message| message.subject.as_str() != own);
                    if !self.follow(&stream).await? && others {
                        look = Some(Look::default());
                    }
                }
                () = sleep(look.map_or(Duration::MAX, |look| look.pause)), if look.is_some() => {
                    let is_found = self.follow(&stream).await?;
                    look = look.filter(|_| !is_found).and_then(Look::again);
                }
                event = happened.recv() => match event {
                    Some(Event::Connected) => {
                        stream = server::stream(&context, &self.team.store).await?;
                        self.catch_up(&mut stream).await?;
                    }
                    Some(Event::Closed) | None => return Ok(()),
                    Some(_) => {}
                },
            }
        }
    }

    async fn report(&self, online: bool) -> Result<(), Broken> {
        let membership = self.journal.membership().await?;
        let (people, to_publish) = membership.map_or((0, 0), |found| (found.people, found.to_publish));
        let read = self.read;
        self.status.send_if_modified(|status| {
            let problem = [&self.unpublished, &self.skipped].into_iter().find_map(Clone::clone);
            let now = Status { online, caught_up: online, people, to_publish, problem, folded: read };
            let is_new = *status != now;
            *status = now;
            is_new
        });
        Ok(())
    }

    /// Reads everything that the stream has, several messages at once. Asks the leader, which knows all of them; a
    /// consumer could be on a server that is gone.
    async fn catch_up(&mut self, stream: &mut Stream) -> Result<(), Broken> {
        let earlier = server::earlier(stream);
        let failed = |why: String| Broken::from(NoTeam::Stream(why));
        let state = &stream.info().await.map_err(|why| failed(shown(&why)))?.state;
        let (first, last) = (state.first_sequence + earlier, state.last_sequence + earlier);
        let is_purged = first > self.read + 1 && last > self.read;
        if is_purged {
            self.skipped = Some(REMOVED.to_owned());
        }
        let subjects = subject::of_store(&self.team.store);
        while self.read < last {
            // Each finds the next message from a number on: the same one twice where the stream has others between.
            let numbers = (self.read + 1 - earlier..=last - earlier).take(AHEAD);
            let read = numbers.map(|number| stream.get_first_raw_message_by_subject(&subjects, number));
            let mut batch = Vec::new();
            for found in futures::future::join_all(read).await {
                match found {
                    Ok(message) if message.sequence + earlier > self.read => {
                        batch.push(self.message(message.sequence + earlier, &message.subject, &message.payload)?);
                    }
                    Ok(_) => {}
                    Err(why) if why.kind() == RawMessageErrorKind::NoMessageFound => {}
                    Err(why) => return Err(failed(shown(&why))),
                }
            }
            if batch.is_empty() {
                break;
            }
            self.fold(batch).await?;
        }
        Ok(())
    }

    /// Reads the messages that follow, one after another. Returns whether there was one.
    async fn follow(&mut self, stream: &Stream) -> Result<bool, Broken> {
        let subjects = subject::of_store(&self.team.store);
        let (before, earlier) = (self.read, server::earlier(stream));
        loop {
            match stream.direct_get_next_for_subject(subjects.clone(), Some(self.read + 1 - earlier)).await {
                Ok(message) => {
                    let message = self.message(message.sequence + earlier, &message.subject, &message.payload)?;
                    self.fold(vec![message]).await?;
                }
                Err(why) if why.kind() == DirectGetErrorKind::NotFound => return Ok(self.read > before),
                Err(why) => return Err(NoTeam::Stream(shown(&why)).into()),
            }
        }
    }

    /// Reads a message of the stream. One that cannot be used is skipped.
    fn message(&mut self, sequence: u64, subject: &str, payload: &[u8]) -> Result<TeamMessage, Broken> {
        self.read = self.read.max(sequence);
        let entries = match wire::read(subject, payload) {
            Ok(entries) => Some(entries),
            Err(wire::WireFault::Newer) => {
                let why = "the team uses a newer release of plants: update this one, then it goes on";
                return Err(Broken::Because(why.to_owned()));
            }
            Err(fault) => {
                self.skipped = Some(format!("Message {sequence} of the team was skipped: {fault}."));
                None
            }
        };
        Ok(TeamMessage { sequence, entries })
    }

    /// Folds messages.
    async fn fold(&mut self, messages: Vec<TeamMessage>) -> Result<(), Broken> {
        let left_out = self.journal.receive(self.member, messages).await?;
        if let Some(why) = left_out.last() {
            self.skipped = Some(format!("Entries of the team were left out: {why}."));
        }
        Ok(())
    }

    /// Publishes what the stream does not have, one message after another: a lost one would leave a gap.
    /// What the server refuses, it does not acknowledge; `refused` then says why.
    async fn publish(
        &mut self,
        context: &Context,
        stream: &Stream,
        max_payload: usize,
        refused: &mut watch::Receiver<Option<String>>,
    ) -> Result<(), Broken> {
        let subject = subject::of_author(&self.team.store, &self.team.author);
        let most = LARGEST.min(max_payload.saturating_sub(1024)).max(1024);
        loop {
            let entries = self.journal.to_publish(self.member, self.acknowledged, MOST_ENTRIES).await?;
            let mut left = entries.as_slice();
            if left.is_empty() {
                return Ok(());
            }
            while let Some(first) = left.first().map(|entry| entry.number) {
                let (payload, count) = wire::encode(self.member, left, self.team.bodies, most)
                    .map_err(|why| Broken::Because(why.to_string()))?;
                let last = first + count as u64 - 1;
                let mut headers = HeaderMap::new();
                headers.insert(header::NATS_MESSAGE_ID, format!("{:016x}-{first}-{last}", self.member.0));
                let published = async {
                    let acknowledged = context.publish_with_headers(subject.clone(), headers, payload.into()).await?;
                    acknowledged.await
                };
                self.unpublished = match timeout(ACKNOWLEDGED, published).await {
                    Ok(Ok(_)) => None,
                    Ok(Err(why)) => Some(format!("The team's stream takes no entries: {}.", shown(&why))),
                    Err(_) if refused.has_changed().is_ok_and(|changed| changed) => refused.borrow_and_update().clone(),
                    Err(_) => Some(NO_LEADER.to_owned()),
                };
                if self.unpublished.is_some() {
                    return Ok(());
                }
                self.acknowledged = last;
                left = left.get(count..).unwrap_or_default();
            }
            self.follow(stream).await?;
        }
    }
}
