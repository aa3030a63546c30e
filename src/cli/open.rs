//! Opening a store for work: the demo store if need be, the token, the journal, the worker.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use color_eyre::eyre::{self, Report, WrapErr as _, bail, eyre};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::error::{Failure, Internal, OrExit as _};
use super::exit::Exit;
use super::{clock, print, prompt};
use crate::client::{Client, Limits, Route, Token};
use crate::config::{Connection, HeaderColor, Settings, StoreChoice, TokenSource};
use crate::demo::{self, DemoOptions, DemoStore, Weather};
use crate::domain::sentence::row_called;
use crate::domain::text::shown_path;
use crate::domain::{Operation, Row, StoreUrl};
use crate::import::Renew;
use crate::journal::{self, Journal, JournalError, Opened, Place, SetAside};
use crate::runtime::terminal;
use crate::worker::{self, Worker};

/// A store with its journal, not yet written to.
pub(super) struct Ready {
    pub(super) store: StoreUrl,
    /// Serves until it is dropped; `None` for a deployed store.
    pub(super) demo: Option<DemoStore>,
    pub(super) profile: Option<String>,
    pub(super) header_color: Option<HeaderColor>,
    /// The name of this running program in the journal.
    pub(super) origin: u64,
    pub(super) journal: Journal,
    /// Tells where a damaged journal was put.
    pub(super) set_aside: Option<String>,
    /// Tells that the journal is only read.
    read_only: Option<String>,
    /// Tells what was in flight when an earlier program ended.
    orphans: Option<String>,
    /// `None` if it is still to be asked for.
    pub(super) token: Option<Token>,
    client: Client,
}

pub(super) struct AtWork {
    pub(super) worker: Worker,
    /// `None` once its death was awaited.
    pub(super) task: Option<JoinHandle<()>>,
    pub(super) reports: mpsc::UnboundedReceiver<worker::Report>,
}

impl AtWork {
    pub(super) fn send(&self, operation: Operation) -> eyre::Result<()> {
        self.worker.send(operation).map_err(|_| eyre!("the background task has died"))
    }

    /// Returns the error of a worker that has ended by itself, with operations in flight.
    pub(super) async fn death(&mut self) -> Report {
        let why = match self.task.take() {
            Some(task) => task.await.map_or_else(worker::death, |()| "it ended by itself".to_owned()),
            None => "it has ended before".to_owned(),
        };
        eyre!(why).wrap_err("the background task has died").wrap_err(Internal::Unknown)
    }

    /// Waits until all that is in flight is written down.
    pub(super) async fn end(self) {
        drop(self.worker);
        if let Some(task) = self.task {
            let _ = task.await;
        }
    }
}

/// Whether the token may be missing at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenNeed {
    /// The interface asks for it itself.
    Later,
    /// It must be there; on a terminal a person is asked.
    Now,
    /// Nothing will be sent.
    Never,
}

impl Ready {
    /// Opens the store that the settings mean, and tells what that brought to light.
    pub(super) async fn open(settings: &Settings, need: TokenNeed, demo_weather: Weather) -> eyre::Result<Self> {
        let ready = Self::open_silently(settings, need, demo_weather).await?;
        ready.tell_what_was_found();
        Ok(ready)
    }

    pub(super) async fn open_silently(
        settings: &Settings,
        need: TokenNeed,
        demo_weather: Weather,
    ) -> eyre::Result<Self> {
        let token = fetch_token(settings, need).await?;
        Self::open_with(settings, token, demo_weather, |waiting| print::message(&waiting)).await
    }

    /// Opens the store for a command that reads its journal alone, which may be one that cannot be written.
    pub(super) async fn open_to_read(settings: &Settings) -> eyre::Result<Self> {
        let mut opened = Self::open_silently(settings, TokenNeed::Never, Weather::default()).await;
        if let (Err(error), StoreChoice::Deployed(connection)) = (&opened, &settings.store)
            && cannot_be_written(error)
        {
            let client = Client::new(connection.url.clone(), limits(settings), Route::default());
            let place = Place::ReadOnly(settings.data_dir.clone());
            let waiting = |waiting: String| print::message(&waiting);
            let read_only = Self::with_journal(place, connection.url.clone(), client, waiting).await;
            // Of two that say the same the first names the place that is in the way.
            if !read_only.as_ref().is_err_and(cannot_be_written) {
                opened = read_only;
            }
        }
        let ready = opened?;
        ready.tell_what_was_found();
        Ok(ready)
    }

    /// Opens the store once its token is fetched; the demo store has one of its own. `waiting` is told if
    /// another program keeps the journal locked.
    pub(super) async fn open_with(
        settings: &Settings,
        token: Option<Token>,
        demo_weather: Weather,
        waiting: impl FnOnce(String),
    ) -> eyre::Result<Self> {
        match &settings.store {
            StoreChoice::Demo => Self::open_demo(settings, demo_weather).await,
            StoreChoice::Deployed(connection) => Self::open_deployed(settings, connection, token, waiting).await,
        }
    }

    async fn open_demo(settings: &Settings, weather: Weather) -> eyre::Result<Self> {
        let token = demo::new_token();
        let started = DemoStore::start(DemoOptions { port: 0, token: token.clone(), weather }).await;
        let demo = started.wrap_err("the demo store cannot start").or_exit(Exit::NotSent)?;
        let store = StoreUrl::on_loopback(demo.port());
        let token = Token::new(&token).wrap_err("the demo store's token").wrap_err(Internal::NothingSent)?;
        let client = Client::new(store.clone(), limits(settings), Route::default());
        let mut ready = Self::with_journal(Place::Memory, store, client, drop).await?;
        ready.demo = Some(demo);
        ready.token = Some(token);
        Ok(ready)
    }

    async fn open_deployed(
        settings: &Settings,
        connection: &Connection,
        token: Option<Token>,
        waiting: impl FnOnce(String),
    ) -> eyre::Result<Self> {
        let route = Route { ca_cert: connection.ca_cert.clone(), proxy: connection.proxy.clone() };
        let client = Client::new(connection.url.clone(), limits(settings), route);
        let place = Place::Folder(settings.data_dir.clone());
        let mut ready = Self::with_journal(place, connection.url.clone(), client, waiting).await?;
        ready.profile.clone_from(&connection.profile);
        ready.header_color = connection.header_color;
        ready.token = token;
        Ok(ready)
    }

    async fn with_journal(
        place: Place,
        store: StoreUrl,
        client: Client,
        waiting: impl FnOnce(String),
    ) -> eyre::Result<Self> {
        let origin = fastrand::u64(..);
        let opened = place.notify_if_locked(Journal::open(place.clone(), &store, origin, clock::now()), waiting).await;
        let Opened { journal, orphans, set_aside, left_out } =
            opened.or_exit_and_say(Exit::NotSent, "Nothing was sent.")?;
        let read_only = match &place {
            Place::ReadOnly(folder) => Some(is_only_read(&journal::file_in(folder), left_out.as_deref())),
            Place::Memory | Place::Folder(_) => None,
        };
        let set_aside = set_aside.as_ref().map(was_damaged);
        let orphans = (!orphans.is_empty()).then(|| {
            let names = listed(&orphans);
            format!("A program ended while these were in flight; nobody knows whether they reached the store: {names}.")
        });
        let (demo, profile, header_color, token) = (None, None, None, None);
        Ok(Self { store, demo, profile, header_color, origin, journal, set_aside, read_only, orphans, token, client })
    }

    pub(super) fn tell_what_was_found(&self) {
        if self.demo.is_some() {
            print::message(&format!(
                "This is a demo store at {}, which begins and ends with this command; --base-url names a store of yours.",
                self.store
            ));
        }
        for found in self.set_aside.iter().chain(&self.read_only).chain(&self.orphans) {
            print::message(found);
        }
    }

    pub(super) fn go_to_work(&self) -> AtWork {
        let (sender, reports) = mpsc::unbounded_channel();
        let (worker, task) = Worker::start(worker::Tools {
            client: self.client.clone(),
            journal: self.journal.clone(),
            token: self.token.clone(),
            clock: clock::now,
            reports: sender,
        });
        AtWork { worker, task: Some(task), reports }
    }
}

fn limits(settings: &Settings) -> Limits {
    Limits { timeout: settings.timeout, ..Limits::default() }
}

fn cannot_be_written(error: &Report) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref())
        .any(|cause| matches!(cause, JournalError::ReadOnly { .. } | JournalError::Permission { .. }))
}

/// Fetches the token of the store that the settings mean; `None` if it is not needed, or still to be asked
/// for.
pub(super) async fn fetch_token(settings: &Settings, need: TokenNeed) -> eyre::Result<Option<Token>> {
    match &settings.store {
        StoreChoice::Deployed(connection) if need != TokenNeed::Never => fetch(connection, need).await,
        StoreChoice::Deployed(_) | StoreChoice::Demo => Ok(None),
    }
}

async fn fetch(connection: &Connection, need: TokenNeed) -> eyre::Result<Option<Token>> {
    if matches!(connection.token_source, TokenSource::Stdin) && std::io::stdin().is_terminal() {
        bail!(Failure::usage(
            "--token-stdin reads a pipe or a file, and a terminal would show the token: leave it out and the token is asked for, masked. Nothing was sent."
        ));
    }
    // A command that asks a person for something may turn the echo off, and not on again.
    let _kept = terminal::Settings::kept();
    let fetched = connection.token_source.fetch().await.or_exit_and_say(Exit::Usage, "Nothing was sent.")?;
    if fetched.is_some() || need == TokenNeed::Later {
        return Ok(fetched);
    }
    debug_assert!(matches!(connection.token_source, TokenSource::OperationKind));
    if !prompt::is_possible() {
        bail!(Failure::usage(no_token(connection)));
    }
    if let Some(withheld) = &connection.withheld {
        print::message(&format!("Not used here: {withheld}."));
    }
    prompt::token(&connection.url).await.map(Some)
}

fn is_only_read(path: &Path, left_out: Option<&Path>) -> String {
    let mut words = format!("The journal {} cannot be written: it is shown as it was written last.", shown_path(path));
    if let Some(log) = left_out {
        // Writing to a string cannot fail.
        let _ = write!(
            words,
            " {} lies beside it and cannot be read without writing: what was written last may be missing.",
            shown_path(log)
        );
    }
    words
}

/// Returns what runs the token command of the settings again, if the token comes from one.
pub(super) fn renewal(settings: &Settings) -> Option<Renew> {
    let StoreChoice::Deployed(connection) = &settings.store else { return None };
    let source = match &connection.token_source {
        source @ TokenSource::Command(_) => source.clone(),
        TokenSource::File(_)
        | TokenSource::Stdin
        | TokenSource::Given(_)
        | TokenSource::Env(_)
        | TokenSource::OperationKind => {
            return None;
        }
    };
    Some(Arc::new(move || {
        let source = source.clone();
        Box::pin(async move {
            // As where it ran first.
            let _kept = terminal::Settings::kept();
            source.fetch().await?.ok_or_else(|| "it gave none".into())
        })
    }))
}

fn no_token(connection: &Connection) -> String {
    let url = &connection.url;
    match &connection.withheld {
        Some(withheld) => format!(
            "no token for {url}: {withheld}. Give this store its own: --token-file, --token-stdin, or PLANTS_TOKEN together with PLANTS_BASE_URL={url}. Nothing was sent."
        ),
        None => format!(
            "no token for {url}: set PLANTS_TOKEN, or give --token-file or --token-stdin, or name a source in the profile. Nothing was sent."
        ),
    }
}

fn was_damaged(aside: &SetAside) -> String {
    let SetAside { path, saved } = aside;
    let kept = match (saved.plants, saved.exchanges, saved.complete) {
        (0, 0, false) => "nothing in it could be read, and a new one was begun".to_owned(),
        (plants, exchanges, true) => {
            format!("all of it could be read and was saved ({plants} plants, {exchanges} requests)")
        }
        (plants, exchanges, false) => format!(
            "what could be read was saved: {plants} plants, {exchanges} requests. A plant whose end was lost is unknown; one that is missing may still be in the store"
        ),
    };
    format!("The journal was damaged. It is kept as {}; {kept}.", shown_path(path))
}

/// Plants that are named at most; a start-up notice is no list.
const LISTED: usize = 8;

pub(super) fn listed(rows: &[Row]) -> String {
    listed_of(rows, rows.len())
}

/// Names the first few of so many plants; `rows` are those of the first.
pub(super) fn listed_of(rows: &[Row], count: usize) -> String {
    let mut names: Vec<_> = rows.iter().take(LISTED).map(row_called).collect();
    if count > names.len() {
        names.push(format!("and {} more", count - names.len()));
    }
    names.join(", ")
}
