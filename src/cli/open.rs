//! Opens a store for a subcommand or the interface: starts the demo store, opens the journal, starts the worker.

use std::collections::HashSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use color_eyre::eyre::{self, Report, WrapErr as _, bail};
use futures::future::OptionFuture;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tracing::debug;

use super::access::{Access, TokenNeed, fetch, fetch_access};
use super::error::{Exit, Failure, Internal, NOTHING_SENT, OrExit as _};
use super::sender::Sender;
use super::stop::stopped;
use super::{clock, print};
use crate::client::{Client, Limits, Route, Token};
use crate::config::{Settings, TokenSource};
use crate::demo::{self, DemoOptions, DemoStore, Weather, WeatherPreset};
use crate::domain::sentence::row_called;
use crate::domain::{Row, StoreUrl};
use crate::import::Renew;
use crate::journal::{self, Journal, JournalError, Opened, Place, SetAside};
use crate::runtime::log;
use crate::team::{self, Cause, Link, NotInSync};
use crate::text::number_format::counted;
use crate::text::{capitalized, shown_path};
use crate::worker::{self, Worker};

/// How long a command waits for the team's latest entries.
pub(super) const CATCHES_UP: Duration = Duration::from_secs(3);

/// How long a command that needs all entries of the team waits while none arrives.
pub(super) const STALLED: Duration = Duration::from_secs(15);

/// How long a command that ends publishes what the team does not have, and how long while nothing moves.
const PUBLISHES: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(3));

const WITHOUT: &str = "Without the latest entries of the team";
const SYNC: &str = "team sync";

/// A store and its journal, opened; nothing is sent yet.
pub(super) struct Ready {
    pub(super) store: StoreUrl,
    /// Serves until it is dropped; `None` for a deployed store.
    pub(super) demo: Option<DemoStore>,
    /// The name of this running program in the journal.
    pub(super) origin: u64,
    pub(super) journal: Journal,
    /// Says where a damaged journal was put.
    pub(super) set_aside: Option<String>,
    /// Whether nothing of the damaged journal could be read.
    has_lost_all: bool,
    /// Says that the journal is opened read-only.
    pub(super) read_only: Option<String>,
    /// Names the operations that were in flight when an earlier program ended.
    orphans: Option<String>,
    /// `None` if the interface prompts for it later, or nothing is to be sent.
    pub(super) token: Option<Token>,
    /// Says why the source of the token gave none.
    pub(super) no_token: Option<String>,
    /// `None` if no team shares the journal.
    pub(super) link: Option<Link>,
    opened: Instant,
    /// Number of operations that were submitted: it numbers them.
    pub(super) submitted: Arc<AtomicU32>,
    client: Client,
}

impl Ready {
    /// Opens the store of the settings, and prints what a person should know about it.
    pub(super) async fn open(settings: &Settings, need: TokenNeed) -> eyre::Result<Self> {
        let mut access = fetch_access(settings, need).await?;
        let stop = access.stop.take();
        let mut stop = std::pin::pin!(OptionFuture::from(stop));
        let opened = tokio::select! {
            biased;
            Some(()) = &mut stop => bail!(Failure::new(Exit::Interrupted, format!("interrupted. {NOTHING_SENT}"))),
            opened = Self::open_at(place_of(settings), settings, access, Weather::default(), print::message) => opened,
        };
        opened?.announced(settings).await
    }

    /// Fails if nothing of a damaged journal could be read: plants that are stored would be sent as if they were new, and an
    /// empty export would replace one that has them.
    pub(super) async fn unless_lost(mut self) -> eyre::Result<Self> {
        let Some(notice) = self.set_aside.as_ref().filter(|_| self.has_lost_all) else { return Ok(self) };
        let why = format!("{notice} {NOTHING_SENT} No file was written. The next command uses the new journal.");
        self.close().await;
        bail!(Failure::new(Exit::NotSent, why));
    }

    /// Opens the store for a command that only reads its journal, also where the journal cannot be written, or is not
    /// in the default folder and cannot be created there.
    ///
    /// # Errors
    ///
    /// If it must be `complete`: also that not all entries of the team could be read.
    pub(super) async fn open_to_read(settings: &Settings, complete: bool) -> eyre::Result<Self> {
        let mut opened = Self::open_readable(settings, Access::default(), print::message).await;
        if let (Err(error), Some(_)) = (&opened, &settings.connection)
            && !settings.names_data_dir()
            && journal::is_absent_in(&settings.data_dir)
        {
            print::message(format!("There is no journal yet: {error}"));
            opened =
                Self::open_at(Place::Memory, settings, Access::default(), Weather::default(), print::message).await;
        }
        let ready = opened?.announced(settings).await?;
        if ready.demo.is_some() {
            print::message(NEW_DEMO);
        }
        ready.bring_up_to_date(settings, complete).await?;
        Ok(ready)
    }

    /// Opens the store as [`Self::open_at`] does, and reads its journal where that cannot be written: `read_only` says so
    /// then.
    pub(super) async fn open_readable(
        settings: &Settings,
        access: Access,
        waiting: impl Fn(String),
    ) -> eyre::Result<Self> {
        let weather = WeatherPreset::default().weather();
        let open = |place, access| Self::open_at(place, settings, access, weather, &waiting);
        let opened = open(place_of(settings), access).await;
        if settings.connection.is_none() || !opened.as_ref().is_err_and(cannot_be_written) {
            return opened;
        }
        let read_only = open(Place::ReadOnly(settings.data_dir.clone()), Access::default()).await;
        // If both fail for this reason, the first error names the path to change.
        if read_only.as_ref().is_err_and(cannot_be_written) { opened } else { read_only }
    }

    /// Waits for the team's latest entries, or, if they must be `complete`, for all of them.
    ///
    /// # Errors
    ///
    /// They must be complete, and are not.
    pub(super) async fn bring_up_to_date(&self, settings: &Settings, complete: bool) -> eyre::Result<()> {
        let has_team = settings.connection.as_ref().is_some_and(|connection| connection.team.is_some());
        if !complete || !has_team {
            self.catch_up().await;
            return Ok(());
        }
        let read = match &self.link {
            Some(link) => link.read_all(STALLED).await.map(|()| link.status().notices),
            None => Err(NotInSync::Problem("the journal cannot be written".to_owned())),
        };
        let notices = read.map_err(|why| Failure::new(Exit::NotSent, format!("nothing is printed, because {why}")))?;
        notices.sentences().iter().for_each(print::message);
        if notices.is_incomplete() {
            bail!(Failure::new(
                Exit::NotSent,
                "entries of the team are missing; nothing is printed. Without --complete, what is here is printed"
            ));
        }
        Ok(())
    }

    /// Opens the store, and its journal at a place, with a token and headers that were fetched; the demo store has its own
    /// token. Calls `waiting` with a message if another program keeps the journal locked.
    pub(super) async fn open_at(
        place: Place,
        settings: &Settings,
        access: Access,
        weather: Weather,
        waiting: impl FnOnce(String),
    ) -> eyre::Result<Self> {
        log::conceal(access.token.as_ref(), &access.headers);
        let no_token = access.no_token.map(|why| capitalized(&format!("{why}.")));
        let (store, route, demo, token, team) = match &settings.connection {
            None => {
                let token = demo::new_token();
                let started = DemoStore::start(DemoOptions {
                    address: Ipv4Addr::LOCALHOST.into(),
                    port: 0,
                    token: token.clone(),
                    weather,
                })
                .await;
                let demo = started.wrap_err("the demo store cannot start").or_exit(Exit::NotSent)?;
                let token = Token::new(&token).wrap_err("the demo store's token").wrap_err(Internal::NothingSent)?;
                (StoreUrl::on_loopback(demo.port()), Route::default(), Some(demo), Some(token), None)
            }
            Some(connection) => {
                let route = Route {
                    ca_cert: connection.ca_cert.clone(),
                    proxy: connection.proxy.clone().map(|proxy| proxy.0),
                    client_certificate: connection.client_certificate.clone(),
                    headers: access.headers,
                };
                (connection.url.clone(), route, None, access.token, connection.team.clone())
            }
        };
        let client = Client::new(store.clone(), Limits { timeout: settings.timeout, ..Limits::default() }, route);
        let origin = fastrand::u64(..);
        let opened = place.notify_if_locked(Journal::open(place.clone(), &store, origin, clock::now()), waiting).await;
        let opened = opened.inspect_err(|why| debug!(%store, ?place, "the journal cannot be opened: {why}"));
        let Opened { journal, orphans, set_aside, left_out } = opened.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
        debug!(%store, ?place, orphans = orphans.len(), is_damaged = set_aside.is_some(), "store opened");
        let read_only = match &place {
            Place::ReadOnly(folder) => Some(read_only_notice(&journal::file_in(folder), left_out.as_deref())),
            Place::Memory | Place::Folder(_) => None,
        };
        let orphans = (!orphans.is_empty()).then(|| {
            let names = listed(&orphans);
            format!("Unknown, because an earlier program ended while these were in flight: {names}.")
        });
        let has_lost_all = set_aside.as_ref().is_some_and(|aside| aside.saved.is_nothing());
        let set_aside = set_aside.as_ref().map(damage_notice);
        let link = team.filter(|_| matches!(place, Place::Folder(_))).map(|team| Link::start(team, journal.clone()));
        Ok(Self {
            store,
            demo,
            origin,
            journal,
            set_aside,
            has_lost_all,
            read_only,
            orphans,
            token,
            no_token,
            link,
            opened: clock::instant(),
            submitted: Arc::default(),
            client,
        })
    }

    /// Waits for the team's latest entries, and says which could not be read.
    pub(super) async fn catch_up(&self) {
        let Some(link) = &self.link else { return };
        match link.caught_up(CATCHES_UP).await {
            Err(why @ NotInSync::Unread(_)) => {
                print::message(format!("{WITHOUT}: {why}; {} reads the rest.", print::command(SYNC)));
            }
            Err(why) => print::message(format!("{WITHOUT}: {why}.")),
            Ok(()) => {}
        }
        link.status().notices.sentences().iter().for_each(print::message);
    }

    /// Publishes what the team does not have, says what is left, and closes the journal.
    pub(super) async fn close(&mut self) {
        let operations = self.submitted.load(Ordering::Relaxed);
        self.publish(operations).await;
        let journal = self.journal.clone();
        if operations == 1 { journal.close_with_log().await } else { journal.close().await }
    }

    async fn publish(&mut self, operations: u32) {
        let Some(link) = self.link.take() else { return };
        if operations > 0 && matches!(self.journal.membership().await, Ok(None)) {
            print::message(format!("Not shared with the team: {}.", team::NoTeam::NotJoined));
            return;
        }
        // A team that has not responded yet is not waited for once more.
        let silent = if link.status().online { Duration::ZERO } else { self.opened.elapsed() };
        tokio::select! {
            _ = timeout(PUBLISHES.0, link.published(PUBLISHES.1.saturating_sub(silent))) => {}
            () = stopped() => {}
        }
        let entries = link.to_publish().await.unwrap_or_default();
        if entries > 0 {
            let entries = counted(entries as u64, "entry is", "entries are");
            let why = link.status().fault().map(|fault| format!(": {fault}")).unwrap_or_default();
            let is_joined = link.status().cause != Cause::NotJoined;
            let rest = is_joined.then(|| format!(" {} publishes the rest.", print::command(SYNC)));
            print::message(format!("{entries} not published to the team yet{why}.{}", rest.unwrap_or_default()));
        }
    }

    /// Returns the function that fetches token and headers again, if their source can give others.
    pub(super) fn renewal(&self, settings: &Settings) -> Option<Renew> {
        let connection = settings.connection.as_ref()?;
        let source = Some(connection.token_source.clone()).filter(TokenSource::can_change)?;
        let (headers, client) = (connection.headers.clone(), self.client.clone());
        Some(Arc::new(move |before| {
            let (source, headers, client) = (source.clone(), headers.clone(), client.clone());
            Box::pin(async move {
                let Access { token, headers, no_token, .. } = fetch(&source, &headers).await?;
                no_token.map_or(Ok(()), Err)?;
                let token = token.ok_or("there is none")?;
                log::conceal(Some(&token), &headers);
                if !client.use_headers(headers) && before.as_ref() == Some(&token) {
                    return Err(format!("{} gave the same one again", source.origin()).into());
                }
                Ok(token)
            })
        }))
    }

    /// Prints what a person should know about the store; that the journal was damaged also with `--quiet`. Fails as
    /// [`Self::unless_lost`] does.
    async fn announced(self, settings: &Settings) -> eyre::Result<Self> {
        let ready = self.unless_lost().await?;
        if ready.demo.is_some() {
            print::message(ready.about_demo("command", settings));
        }
        ready.set_aside.iter().for_each(print::sentence);
        [&ready.read_only, &ready.no_token, &ready.orphans].into_iter().flatten().for_each(print::message);
        Ok(ready)
    }

    /// Says where the demo store is, and what it keeps nowhere; it ends with `this`.
    pub(super) fn about_demo(&self, this: &str, settings: &Settings) -> String {
        let memory =
            if settings.names_data_dir() { " Its journal is in memory, and not in the data directory." } else { "" };
        format!("This is the demo store at {}, which ends with this {this}.{memory}", self.store)
    }

    /// Says what is special about the journal.
    pub(super) fn notices(&self) -> impl Iterator<Item = &String> {
        [&self.set_aside, &self.read_only, &self.no_token, &self.orphans].into_iter().flatten()
    }

    pub(super) fn start_worker(&self) -> Sender {
        let (sender, reports) = mpsc::unbounded_channel();
        let (worker, task) = Worker::start(worker::Resources {
            client: self.client.clone(),
            journal: self.journal.clone(),
            token: self.token.clone(),
            clock: clock::now,
            reports: sender,
        });
        Sender {
            worker,
            task: Some(task),
            reports,
            origin: self.origin,
            submitted: Arc::clone(&self.submitted),
            recorded_late: HashSet::default(),
        }
    }
}

/// Why a command that reads finds nothing in the demo store.
const NEW_DEMO: &str =
    "It begins empty, whatever another demo store has. One that several commands can use: plants serve.";

/// Returns where the journal of the store is, if it can be written.
pub(super) fn place_of(settings: &Settings) -> Place {
    if settings.connection.is_some() { Place::Folder(settings.data_dir.clone()) } else { Place::Memory }
}

fn cannot_be_written(error: &Report) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref()).any(|cause| {
        use JournalError::{DiskFull, Locked, NoLocks, NoLog, Permission, ReadOnly, WriteFailed};
        matches!(cause, ReadOnly { .. } | Permission { .. } | DiskFull { .. } | WriteFailed { .. })
            || matches!(cause, Locked { .. } | NoLocks { .. } | NoLog { .. })
    })
}

fn read_only_notice(path: &Path, left_out: Option<&Path>) -> String {
    let notice = format!("The journal {} cannot be written: this is its last readable state.", shown_path(path));
    let Some(unread) = left_out else { return notice };
    let unread = shown_path(unread);
    format!("{notice} {unread} beside it cannot be read without writing: the latest entries may be missing.")
}

fn damage_notice(aside: &SetAside) -> String {
    let SetAside { path, saved } = aside;
    let plants = counted(saved.plants as u64, "plant", "plants");
    let requests = counted(saved.exchanges as u64, "request", "requests");
    let result = match saved.complete {
        _ if saved.is_nothing() => "nothing could be read from it, and the new journal is empty".to_owned(),
        true => format!("everything was recovered from it: {plants} and {requests}"),
        false => format!(
            "a part was recovered from it: {plants} and {requests}. A plant whose last outcome was lost is unknown; a plant that is missing here may still be in the store"
        ),
    };
    let stores = first_of(saved.lost_stores.iter().cloned());
    let stores = match stores.as_str() {
        "" => String::new(),
        stores => format!(" Base URLs of stores are lost: their plants are kept for {stores}."),
    };
    format!("The journal was damaged. The damaged file was renamed to {}; {result}.{stores}", shown_path(path))
}

/// Most plants or stores that a sentence names.
const LISTED: usize = 8;

/// Names the first few of these plants.
pub(super) fn listed(rows: &[Row]) -> String {
    first_of(rows.iter().map(row_called))
}

/// Joins the first few names, and counts the others.
pub(super) fn first_of(names: impl ExactSizeIterator<Item = String>) -> String {
    let others = names.len().saturating_sub(LISTED);
    let mut names: Vec<_> = names.take(LISTED).collect();
    if others > 0 {
        names.push(format!("and {others} more"));
    }
    names.join(", ")
}
