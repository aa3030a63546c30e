//! The link between a journal and its team: one task, which reads and publishes at the same time until it is stopped.
//!
//! Each connection begins with all that is missing on either side, so what is lost with one is made up for by the next.

use std::convert::Infallible;
use std::time::Duration;

use async_nats::{Client, Event};
use futures::FutureExt as _;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::broken::{Broken, RETRY};
use super::publishing::{Publisher, Unpublished};
use super::reading::Reader;
use super::server::{self, NoTeam, shown};
use super::status::{NotInSync, Status};
use super::subject;
use crate::config::TeamSettings;
use crate::journal::{Journal, JournalError};

/// What is published is read back, or the next program would publish it again; but not behind more messages than these.
const NEAR: u64 = 16;

/// A running link. It ends when it is dropped.
#[derive(Debug)]
pub struct Link {
    status: watch::Receiver<Status>,
    stop: CancellationToken,
    task: JoinSet<()>,
    unpublished: Unpublished,
}

/// What a link that ended has not published.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rest {
    pub entries: usize,
    /// What prevents it, if that is known.
    pub fault: Option<String>,
}

impl Link {
    /// Starts the link of a journal. Must be called in an async runtime.
    pub fn start(team: TeamSettings, journal: Journal) -> Self {
        let (sender, status) = watch::channel(Status::default());
        let stop = CancellationToken::new();
        let unpublished = Unpublished::new(journal.clone());
        let mut task = JoinSet::new();
        let worker = Worker { team, journal, unpublished: unpublished.clone(), status: sender, stop: stop.clone() };
        task.spawn(worker.run().boxed());
        Self { status, stop, task, unpublished }
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
        let mut status = self.status.clone();
        let decided = status.wait_for(|status| status.is_in_sync || status.problem.is_some());
        match timeout(within, decided).await {
            Err(_) => Err(late(&self.status.borrow())),
            Ok(Err(_)) => Err(NotInSync::Ended),
            Ok(Ok(status)) if status.is_in_sync => Ok(()),
            Ok(Ok(status)) => Err(NotInSync::Problem(status.problem.clone().unwrap_or_default())),
        }
    }

    /// Waits until all that the stream has now is read, however long that takes, unless nothing moves for this long.
    ///
    /// # Errors
    ///
    /// Those of [`Self::caught_up`].
    pub async fn read_all(&self, stalled: Duration) -> Result<(), NotInSync> {
        self.moved_until(async |status| Ok(status.is_in_sync), stalled, |_| {}).await
    }

    /// Waits until all that the stream has now is read and all that the journal has is published, however long that
    /// takes, unless nothing moves for this long. Calls `moved` at each step.
    ///
    /// # Errors
    ///
    /// The team cannot be reached, refuses entries, or nothing moves.
    pub async fn sync(&self, stalled: Duration, moved: impl FnMut(&Status)) -> Result<(), NotInSync> {
        let is_done = async |status: &Status| {
            let failed = |why: JournalError| NotInSync::Problem(why.to_string());
            let waiting = self.unpublished.waiting().await.map_err(failed)?;
            match &status.refusal {
                Some(why) if status.is_in_sync && waiting.entries > 0 => Err(NotInSync::Problem(why.clone())),
                // What is published is read back: the next program then knows that it is in the stream.
                _ => Ok(status.is_in_sync && waiting.entries + waiting.unread == 0),
            }
        };
        self.moved_until(is_done, stalled, moved).await
    }

    /// Waits for a status. A lost connection is no end of it, as long as each one moves something.
    async fn moved_until(
        &self,
        is_done: impl AsyncFn(&Status) -> Result<bool, NotInSync>,
        stalled: Duration,
        mut moved: impl FnMut(&Status),
    ) -> Result<(), NotInSync> {
        let mut changes = self.status.clone();
        let mut at_problem = None;
        loop {
            let status = changes.borrow_and_update().clone();
            moved(&status);
            if is_done(&status).await? {
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
                Err(_) => return Err(late(&status)),
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

    /// Waits until what is left is published, unless something prevents it, or nothing moves for this long.
    pub async fn published(&self, stalled: Duration) {
        let mut changes = self.status.clone();
        loop {
            let status = changes.borrow_and_update().clone();
            let Ok(waiting) = self.unpublished.waiting().await else { return };
            let is_done = waiting.entries == 0 && (waiting.unread == 0 || status.to_read() > NEAR);
            if is_done || status.fault().is_some() {
                return;
            }
            if !matches!(timeout(stalled, changes.changed()).await, Ok(Ok(()))) {
                return;
            }
        }
    }

    /// Ends, and returns what is not published.
    pub async fn end(self) -> Rest {
        self.stop.cancel();
        let fault = self.status.borrow().fault().cloned();
        Rest { entries: self.to_publish().await.unwrap_or_default(), fault }
    }
}

fn late(status: &Status) -> NotInSync {
    match status.to_read() {
        0 => NotInSync::Silent,
        messages => NotInSync::Unread(messages),
    }
}

struct Worker {
    team: TeamSettings,
    journal: Journal,
    unpublished: Unpublished,
    status: watch::Sender<Status>,
    stop: CancellationToken,
}

impl Worker {
    async fn run(self) {
        let stop = self.stop.clone();
        let mut pause = RETRY.0;
        loop {
            let broken = tokio::select! {
                Err(broken) = self.connected() => broken,
                () = stop.cancelled() => return,
            };
            let Broken::Because(problem) = broken else { continue };
            let was_online = self.status.borrow().online;
            self.offline(problem).await;
            if was_online {
                pause = RETRY.0;
            }
            tokio::select! {
                () = sleep(pause) => {}
                never = self.count_written() => match never {},
                () = stop.cancelled() => return,
            }
            pause = (pause * 2).min(RETRY.1);
        }
    }

    /// Counts the entries that wait.
    async fn waiting(&self) -> usize {
        self.unpublished.waiting().await.map_or(0, |waiting| waiting.entries)
    }

    /// Reports entries that are written without a connection.
    async fn count_written(&self) -> Infallible {
        let committed = self.journal.committed();
        loop {
            committed.notified().await;
            let to_publish = self.waiting().await;
            self.status.send_if_modified(|status| std::mem::replace(&mut status.to_publish, to_publish) != to_publish);
        }
    }

    async fn offline(&self, problem: String) {
        let to_publish = self.waiting().await;
        self.status.send_modify(|status| {
            (status.online, status.is_in_sync, status.refusal) = (false, false, None);
            (status.to_publish, status.problem) = (to_publish, Some(problem));
        });
    }

    /// Reads and publishes with one client, which renews its connection by itself, until that fails for good.
    async fn connected(&self) -> Result<Infallible, Broken> {
        if self.journal.membership().await?.is_none() {
            return Err(Broken::Because("this journal is not in the team yet: plants team join".to_owned()));
        }
        let (events, mut happened) = mpsc::unbounded_channel();
        let (refusals, refused) = watch::channel(None);
        let happens = move |event| {
            if let Event::ServerError(error) = &event {
                refusals.send_replace(Some(shown(error)));
            }
            let _ = events.send(event);
        };
        let client = self.team.connect(happens).await?;
        loop {
            tokio::select! {
                ended = self.exchange(&client, refused.clone()) => return ended,
                ended = next(&mut happened, Event::Disconnected) => ended?,
            }
            self.offline("the connection to the team's server was lost".to_owned()).await;
            tokio::select! {
                connected = next(&mut happened, Event::Connected) => connected?,
                never = self.count_written() => match never {},
            }
        }
    }

    /// Reads and publishes until something fails.
    async fn exchange(&self, client: &Client, refused: watch::Receiver<Option<String>>) -> Result<Infallible, Broken> {
        let membership = self.journal.membership().await?.ok_or(Broken::JoinedAgain)?;
        let context = server::context(client);
        // Before the stream is read, so that no message falls between.
        let subjects = subject::of_store(&self.team.store);
        let woken = client.subscribe(subjects).await.map_err(|why| NoTeam::Unreachable(shown(&why)))?;
        let stream = server::stream(&context, &self.team.store).await?;
        if server::identity(&stream) != membership.stream {
            let why = "the team has another stream than the one this journal joined: plants team join joins it";
            return Err(Broken::Because(why.to_owned()));
        }
        // The stream may have lost what it acknowledged, and the journal may be another member.
        self.unpublished.begin_again();
        let (member, read) = (membership.member, membership.folded);
        let numbers = &stream.cached_info().state;
        let earlier = server::earlier(&stream);
        let numbers = (numbers.first_sequence + earlier, numbers.last_sequence + earlier);
        let of_journal = (&self.journal, &self.unpublished);
        let with = (&context, &stream, &self.team);
        let mut reader = Reader::new(with, woken, (member, read), of_journal, &self.status);
        if !reader.has_read_of_it(numbers, membership.folded_at).await? {
            // A server that was killed lost messages that it had acknowledged and sent. What others lack is shared again.
            self.journal.join_team(self.team.author.clone(), membership.stream, earlier + 1).await?;
            return Err(Broken::JoinedAgain);
        }
        self.status.send_modify(|status| {
            (status.online, status.problem, status.people) = (true, None, membership.people);
            (status.read, status.last) = (read, numbers.1.max(read));
        });
        reader.begin(numbers).await?;
        let with = (&context, &self.team, client.server_info().max_payload);
        let publisher = Publisher::new(with, member, refused, of_journal, &self.status);
        tokio::select! {
            ended = reader.run() => ended,
            ended = publisher.run() => ended,
        }
    }
}

/// Waits for an event of the connection.
async fn next(happened: &mut mpsc::UnboundedReceiver<Event>, wanted: Event) -> Result<(), Broken> {
    while let Some(event) = happened.recv().await {
        if event == wanted {
            return Ok(());
        }
        if event == Event::Closed {
            break;
        }
    }
    Err(Broken::Because("the connection to the team's server ended".to_owned()))
}
