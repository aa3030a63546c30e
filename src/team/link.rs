//! The link between a journal and its team: one task, which reads and publishes at the same time until it is dropped.
//!
//! Each connection begins with all that is missing on either side, so what is lost with one is made up for by the next.

use std::convert::Infallible;
use std::time::Duration;

use async_nats::Client;
use futures::FutureExt as _;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::publishing::{Publisher, Unpublished, Waiting};
use super::reading::Reader;
use super::server::{self, Connection, NoTeam, RETRY, Said, shown};
use super::status::{NotInSync, Status};
use super::subject;
use crate::config::TeamSettings;
use crate::journal::{Journal, JournalError};
use crate::text::clean_fit;

/// What is published is read back, or the next program would publish it again; but not behind more messages than these.
const NEAR: u64 = 16;

/// A running link. It ends when it is dropped.
#[derive(Debug)]
pub struct Link {
    status: watch::Receiver<Status>,
    unpublished: Unpublished,
    task: JoinSet<()>,
}

impl Link {
    /// Starts the link of a journal. Must be called in an async runtime.
    pub fn start(team: TeamSettings, journal: Journal) -> Self {
        let (sender, status) = watch::channel(Status::default());
        let unpublished = Unpublished::new(journal.clone());
        let worker = Worker { team, journal, unpublished: unpublished.clone(), status: sender };
        let mut task = JoinSet::new();
        task.spawn(worker.run().boxed());
        Self { status, unpublished, task }
    }

    /// Counts also what other programs have written, and publishes what they have not.
    pub fn others_wrote(&self) {
        self.unpublished.others_wrote.notify_one();
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

    /// Waits until all that the stream has now is read, for at most this long.
    ///
    /// # Errors
    ///
    /// The team cannot be reached, or not everything is read.
    pub async fn caught_up(&self, within: Duration) -> Result<(), NotInSync> {
        timeout(within, self.read_all(within)).await.unwrap_or_else(|_| Err(self.status.borrow().late()))
    }

    /// Waits until all that the stream has now is read, however long that takes, unless nothing moves for this long.
    ///
    /// # Errors
    ///
    /// Those of [`Self::caught_up`].
    pub async fn read_all(&self, stalled: Duration) -> Result<(), NotInSync> {
        self.moved_until(|status, _| Ok(status.is_in_sync), stalled, |_| {}).await
    }

    /// Waits until all that the stream has now is read and all that the journal has is published, however long that
    /// takes, unless nothing moves for this long. Calls `moved` at each step.
    ///
    /// # Errors
    ///
    /// The team cannot be reached, refuses entries, or nothing moves.
    pub async fn sync(&self, stalled: Duration, moved: impl FnMut(&Status)) -> Result<(), NotInSync> {
        let is_done = |status: &Status, waiting: Waiting| match &status.refusal {
            Some(why) if status.is_in_sync && waiting.entries > 0 => Err(why.clone()),
            // What is published is read back: the next program then knows that it is in the stream.
            _ => Ok(status.is_in_sync && waiting.entries + waiting.unread == 0),
        };
        self.moved_until(is_done, stalled, moved).await
    }

    /// Waits until what is left is published, unless something prevents it, or nothing moves for this long.
    pub async fn published(&self, stalled: Duration) {
        let is_done = |status: &Status, waiting: Waiting| {
            let is_published = waiting.entries == 0 && (waiting.unread == 0 || status.to_read() > NEAR);
            match status.fault() {
                Some(why) if !is_published => Err(why.clone()),
                _ => Ok(is_published),
            }
        };
        let _ = self.moved_until(is_done, stalled, |_| {}).await;
    }

    /// Waits for a status. A lost connection is no end of it, as long as each one moves something.
    async fn moved_until(
        &self,
        is_done: impl Fn(&Status, Waiting) -> Result<bool, String>,
        stalled: Duration,
        mut moved: impl FnMut(&Status),
    ) -> Result<(), NotInSync> {
        let mut changes = self.status.clone();
        let mut at_problem = None;
        loop {
            let status = changes.borrow_and_update().clone();
            moved(&status);
            let waiting = self.unpublished.waiting().await.map_err(|why| NotInSync::Problem(why.to_string()))?;
            if is_done(&status, waiting).map_err(NotInSync::Problem)? {
                return Ok(());
            }
            let now = Some((status.read, status.to_publish));
            match &status.problem {
                Some(why) if at_problem == now || status.last == 0 => return Err(NotInSync::Problem(why.clone())),
                Some(_) => at_problem = now,
                None => {}
            }
            match timeout(stalled, changes.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(NotInSync::Ended),
                Err(_) => return Err(status.late()),
            }
        }
    }

    /// Counts the entries that the server has not acknowledged.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn to_publish(&self) -> Result<usize, JournalError> {
        Ok(self.unpublished.waiting().await?.entries)
    }
}

struct Worker {
    team: TeamSettings,
    journal: Journal,
    unpublished: Unpublished,
    status: watch::Sender<Status>,
}

impl Worker {
    async fn run(self) {
        let (mut pause, mut may_rename) = (RETRY.0, true);
        loop {
            let Err(why) = self.connected(&mut may_rename).await;
            if matches!(why, NoTeam::Journal(JournalError::JoinedAgain)) {
                continue;
            }
            if self.status.borrow().online {
                pause = RETRY.0;
            }
            self.offline(&why, sleep(pause)).await;
            pause = (pause * 2).min(RETRY.1);
        }
    }

    /// Waits without a connection; counts the entries that are written meanwhile.
    async fn offline(&self, why: &NoTeam, over: impl Future<Output = ()>) {
        self.status.send_modify(|status| {
            (status.online, status.is_in_sync, status.refusal) = (false, false, None);
            (status.problem, status.cause) = (Some(why.to_string()), why.cause());
        });
        let counting = async {
            loop {
                let count = self.unpublished.waiting().await.map_or(0, |waiting| waiting.entries);
                self.status.send_if_modified(|status| std::mem::replace(&mut status.to_publish, count) != count);
                self.unpublished.changed().await;
            }
        };
        tokio::select! {
            () = over => {}
            () = counting => {}
        }
    }

    /// Reads and publishes with one client, which renews its connection by itself, until that fails for good. The journal
    /// changes its author once: two programs with different ones would change it for ever.
    async fn connected(&self, may_rename: &mut bool) -> Result<Infallible, NoTeam> {
        if self.journal.membership().await?.is_none() {
            return Err(NoTeam::NotJoined);
        }
        let noted = self.journal.noted_missing().await?;
        self.status.send_modify(|status| status.notices.begin(noted));
        let Connection { client, said } = self.team.connect().await?;
        loop {
            let (mut state, losses) = (said.clone(), said.borrow().losses);
            // What the server says against entries prevents no reading, and only what it forbids is said for good.
            let forbids = |why: &str| why.contains("Violation") && !why.contains(" for Publish to \"plants.");
            tokio::select! {
                ended = self.exchange(&client, said.clone(), may_rename) => return ended,
                why = server::refused(said.clone(), forbids) => return Err(NoTeam::Stream(why)),
                _ = state.wait_for(|said| said.losses > losses) => {}
            }
            self.offline(&NoTeam::Lost, async { drop(state.wait_for(|said| said.is_connected).await) }).await;
            if said.has_changed().is_err() {
                return Err(NoTeam::Lost);
            }
        }
    }

    /// Reads and publishes until something fails.
    async fn exchange(
        &self,
        client: &Client,
        said: watch::Receiver<Said>,
        may_rename: &mut bool,
    ) -> Result<Infallible, NoTeam> {
        let Self { team, journal, unpublished, status } = self;
        let membership = journal.membership().await?.ok_or(NoTeam::NotJoined)?;
        let context = server::context(client);
        let is_renamed = membership.author != team.author;
        if is_renamed && !*may_rename {
            return Err(NoTeam::OtherAuthor(clean_fit(membership.author.name(), server::SHOWN)));
        }
        // Before the stream is read, so that no message falls between.
        let subjects = subject::of(&team.store, subject::ALL);
        let woken = client.subscribe(subjects).await.map_err(|why| NoTeam::Unreachable(shown(&why)))?;
        let stream = server::stream(&context, &team.store).await?;
        if server::identity(&stream) != membership.stream {
            return Err(NoTeam::OtherStream);
        }
        // The stream may have lost what it acknowledged, and the journal may be another member.
        unpublished.begin_again();
        let mut reader = Reader::new(&context, &stream, team, woken, &membership, (journal, status));
        if !reader.has_read_of_it(membership.folded_at).await? {
            // A server that was killed lost messages that it had acknowledged and sent. What others lack is shared again.
            server::read_again(team, journal, &stream, 0).await?;
            return Err(JournalError::JoinedAgain.into());
        }
        status.send_modify(|status| {
            (status.online, status.problem, status.people) = (true, None, membership.people);
            (status.read, status.last) = (reader.read, reader.last);
        });
        reader.begin().await?;
        if is_renamed {
            // What the stream has under the former name is not published again.
            reader.catch_up().await?;
            *may_rename = false;
            journal.publish_as(membership.member, team.author.clone()).await?;
            return Err(JournalError::JoinedAgain.into());
        }
        *may_rename = false;
        let most = server::largest(client, &stream);
        let publisher = Publisher::new(&context, team, most, membership.member, said, (unpublished, status));
        tokio::select! {
            ended = reader.run() => ended,
            ended = publisher.run() => ended,
        }
    }
}
