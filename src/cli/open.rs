//! Opening a store for work: the demo store if need be, the token, the journal, the courier.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::{Exit, ask, say};
use crate::client::{Client, Limits, Route, Token};
use crate::config::{Connection, HeaderColor, Settings, StoreChoice, TokenSource};
use crate::courier::{self, Courier, Report};
use crate::demo::{self, DemoOptions, DemoStore, Weather};
use crate::domain::sentence::row_called;
use crate::domain::text::shown_path;
use crate::domain::{Row, StoreUrl, Timestamp};
use crate::import::Renew;
use crate::journal::{self, Journal, JournalError, Opened, Place, SetAside};
use crate::runtime::terminal;

/// What time it is.
#[expect(clippy::disallowed_methods, reason = "the one clock of the command line and the interface")]
pub(super) fn clock() -> Timestamp {
    let millis = match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    };
    Timestamp(millis)
}

/// A store with its journal, not yet written to.
pub(super) struct Ready {
    /// Its address.
    pub store: StoreUrl,
    /// The demo store, if it is that; it serves until this is dropped.
    pub demo: Option<DemoStore>,
    /// The profile in use.
    pub profile: Option<String>,
    /// That profile's colour.
    pub header_color: Option<HeaderColor>,
    /// This running program's name in the journal.
    pub origin: u64,
    /// The journal.
    pub journal: Journal,
    /// Where a damaged journal was put, in words for people.
    pub set_aside: Option<String>,
    /// That the journal is only read, in words for people.
    pub read_only: Option<String>,
    /// What was in flight when an earlier program ended, in words for people.
    pub orphans: Option<String>,
    /// Held with every request; `None` if it is still to be asked for.
    pub token: Option<Token>,
    client: Client,
}

/// A courier at work, with what it says.
pub(super) struct AtWork {
    /// Takes operations.
    pub courier: Courier,
    /// Its task, to be watched.
    pub task: JoinHandle<()>,
    /// What it reports.
    pub reports: mpsc::UnboundedReceiver<Report>,
}

/// Why a store could not be opened.
pub(super) struct NotOpened {
    /// How a program ends that cannot go on without it.
    exit: Exit,
    /// In words for people; `None` if they were told already.
    pub(super) why: Option<String>,
    /// What is wrong with the journal, if that is it.
    why_journal: Option<JournalError>,
}

impl NotOpened {
    fn new(exit: Exit, why: String) -> Self {
        Self { exit, why: Some(why), why_journal: None }
    }

    /// Tells it on stderr.
    pub(super) fn tell(self) -> Exit {
        match self.why {
            Some(why) => failed(self.exit, &why),
            None => self.exit,
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
    /// Opens the store that the settings mean.
    ///
    /// # Errors
    ///
    /// What went wrong was told; nothing was sent.
    pub(super) async fn open(settings: &Settings, need: TokenNeed, demo_weather: Weather) -> Result<Self, Exit> {
        Self::try_open(settings, need, demo_weather).await.map_err(NotOpened::tell)
    }

    /// The same, for whoever tells by itself why it could not be opened.
    ///
    /// # Errors
    ///
    /// Why it could not be opened; nothing was sent.
    pub(super) async fn try_open(
        settings: &Settings,
        need: TokenNeed,
        demo_weather: Weather,
    ) -> Result<Self, NotOpened> {
        let token = fetch_token(settings, need).await?;
        Self::open_with(settings, token, demo_weather, |words| say::words(&words)).await
    }

    /// Opens the store that the settings mean, of which nothing but its journal is wanted: that may
    /// be one that cannot be written.
    ///
    /// # Errors
    ///
    /// What went wrong was told.
    pub(super) async fn open_to_read(settings: &Settings) -> Result<Self, Exit> {
        let opened = Self::try_open(settings, TokenNeed::Never, Weather::default()).await;
        let (Err(NotOpened { why_journal: Some(why), .. }), StoreChoice::Deployed(connection)) =
            (&opened, &settings.store)
        else {
            return opened.map_err(NotOpened::tell);
        };
        if !matches!(why, JournalError::ReadOnly { .. } | JournalError::Permission { .. }) {
            return opened.map_err(NotOpened::tell);
        }
        let client = Client::new(connection.url.clone(), limits(settings), Route::default());
        let place = Place::ReadOnly(settings.data_dir.clone());
        match Self::with_journal(place, connection.url.clone(), client, |words| say::words(&words)).await {
            Ok(ready) => Ok(ready),
            // Of two that say the same the first names the place that is in the way.
            Err(NotOpened {
                why_journal: Some(JournalError::ReadOnly { .. } | JournalError::Permission { .. }),
                ..
            }) => opened.map_err(NotOpened::tell),
            Err(other) => Err(other.tell()),
        }
    }

    /// The same once its token is fetched; the demo store has one of its own. `waiting` is told if
    /// another program keeps the journal locked.
    ///
    /// # Errors
    ///
    /// Why it could not be opened; nothing was sent.
    pub(super) async fn open_with(
        settings: &Settings,
        token: Option<Token>,
        demo_weather: Weather,
        waiting: impl FnOnce(String),
    ) -> Result<Self, NotOpened> {
        match &settings.store {
            StoreChoice::Demo => Self::open_demo(settings, demo_weather).await,
            StoreChoice::Deployed(connection) => Self::open_deployed(settings, connection, token, waiting).await,
        }
    }

    async fn open_demo(settings: &Settings, weather: Weather) -> Result<Self, NotOpened> {
        let token = demo::new_token();
        let started = DemoStore::start(DemoOptions { port: 0, token: token.clone(), weather }).await;
        let cannot = |why: String| NotOpened::new(Exit::NotSent, why);
        let demo = started.map_err(|why| cannot(format!("the demo store cannot start: {why}")))?;
        let store = StoreUrl::on_loopback(demo.port());
        let token = Token::new(&token).map_err(|why| cannot(format!("the demo store's token: {why}")))?;
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
    ) -> Result<Self, NotOpened> {
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
    ) -> Result<Self, NotOpened> {
        let origin = fastrand::u64(..);
        let opened = place.telling(Journal::open(place.clone(), &store, origin, clock()), waiting).await;
        let Opened { journal, orphans, set_aside, left_out } = opened.map_err(|why| NotOpened {
            why_journal: Some(why.clone()),
            ..NotOpened::new(Exit::NotSent, format!("{why}. Nothing was sent."))
        })?;
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

    /// Tells people what opening the journal brought to light, and whether it is a demo's.
    pub(super) fn tell_what_was_found(&self) {
        if self.demo.is_some() {
            say::words(&format!(
                "This is a demo store at {}, which begins and ends with this command; --base-url names a store of yours.",
                self.store
            ));
        }
        for found in self.set_aside.iter().chain(&self.read_only).chain(&self.orphans) {
            say::words(found);
        }
    }

    /// Starts the courier.
    pub(super) fn go_to_work(&self) -> AtWork {
        let (sender, reports) = mpsc::unbounded_channel();
        let (courier, task) = Courier::start(courier::Tools {
            client: self.client.clone(),
            journal: self.journal.clone(),
            token: self.token.clone(),
            clock,
            reports: sender,
        });
        AtWork { courier, task, reports }
    }
}

fn limits(settings: &Settings) -> Limits {
    Limits { timeout: settings.timeout, ..Limits::default() }
}

/// The token of the store that the settings mean; `None` if it is not needed, or still to be
/// asked for.
///
/// # Errors
///
/// There is none, and why.
pub(super) async fn fetch_token(settings: &Settings, need: TokenNeed) -> Result<Option<Token>, NotOpened> {
    match &settings.store {
        StoreChoice::Deployed(connection) if need != TokenNeed::Never => fetch(connection, need).await,
        StoreChoice::Deployed(_) | StoreChoice::Demo => Ok(None),
    }
}

/// The token from its source, or from a person.
async fn fetch(connection: &Connection, need: TokenNeed) -> Result<Option<Token>, NotOpened> {
    let none = |why: String| NotOpened::new(Exit::Usage, why);
    if matches!(connection.token_source, TokenSource::Stdin) && std::io::stdin().is_terminal() {
        let why = "--token-stdin reads a pipe or a file, and a terminal would show the token: leave it out and the token is asked for, masked. Nothing was sent.";
        return Err(none(why.to_owned()));
    }
    // A command that asks a person for something may turn the echo off, and not on again.
    let _kept = terminal::Settings::kept();
    let fetched = connection.token_source.fetch().await.map_err(|why| none(format!("{why}. Nothing was sent.")))?;
    if fetched.is_some() || need == TokenNeed::Later {
        return Ok(fetched);
    }
    debug_assert!(matches!(connection.token_source, TokenSource::Ask));
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Err(none(no_token(connection)));
    }
    if let Some(withheld) = &connection.withheld {
        say::words(&format!("Not used here: {withheld}."));
    }
    ask::token(&connection.url).await.map(Some).map_err(|exit| NotOpened { exit, why: None, why_journal: None })
}

/// What a person must know of a journal that is only read.
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

/// What runs the token command of the settings again, if the token comes from one.
pub(super) fn renewal(settings: &Settings) -> Option<Renew> {
    let StoreChoice::Deployed(connection) = &settings.store else { return None };
    let source = match &connection.token_source {
        source @ TokenSource::Command(_) => source.clone(),
        TokenSource::File(_) | TokenSource::Stdin | TokenSource::Given(_) | TokenSource::Env(_) | TokenSource::Ask => {
            return None;
        }
    };
    Some(Arc::new(move || {
        let source = source.clone();
        Box::pin(async move {
            // As where it ran first.
            let _kept = terminal::Settings::kept();
            let fetched = source.fetch().await.map_err(|why| why.to_string())?;
            fetched.ok_or_else(|| "it gave none".to_owned())
        })
    }))
}

/// Why there is no token for a store, and how to give it one.
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

/// What a person must know of a damaged journal: where it is, what was saved, what that means.
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

/// Names at most so many plants; a start-up notice is no list.
const LISTED: usize = 8;

/// Plants by name and id, the first few of them.
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

/// Tells what is wrong.
pub(super) fn failed(exit: Exit, why: &str) -> Exit {
    say::error(why);
    exit
}
