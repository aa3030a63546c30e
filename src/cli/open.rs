//! Opening a store for work: the demo store if need be, the token, the journal, the courier.

use std::io::IsTerminal as _;
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
use crate::journal::{Journal, Opened, Place, SetAside};
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
}

impl NotOpened {
    fn new(exit: Exit, why: String) -> Self {
        Self { exit, why: Some(why) }
    }

    /// Tells it on stderr.
    fn tell(self) -> Exit {
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
        let token = fetch_token(settings, need).await.map_err(NotOpened::tell)?;
        Self::open_with(settings, token, demo_weather).await.map_err(NotOpened::tell)
    }

    /// The same once its token is fetched; the demo store has one of its own.
    ///
    /// # Errors
    ///
    /// Why it could not be opened; nothing was sent.
    pub(super) async fn open_with(
        settings: &Settings,
        token: Option<Token>,
        demo_weather: Weather,
    ) -> Result<Self, NotOpened> {
        match &settings.store {
            StoreChoice::Demo => Self::open_demo(settings, demo_weather).await,
            StoreChoice::Deployed(connection) => Self::open_deployed(settings, connection, token).await,
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
        let mut ready = Self::with_journal(Place::Memory, store, client).await?;
        ready.demo = Some(demo);
        ready.token = Some(token);
        Ok(ready)
    }

    async fn open_deployed(
        settings: &Settings,
        connection: &Connection,
        token: Option<Token>,
    ) -> Result<Self, NotOpened> {
        let route = Route { ca_cert: connection.ca_cert.clone(), proxy: connection.proxy.clone() };
        let client = Client::new(connection.url.clone(), limits(settings), route);
        let mut ready =
            Self::with_journal(Place::Folder(settings.data_dir.clone()), connection.url.clone(), client).await?;
        ready.profile.clone_from(&connection.profile);
        ready.header_color = connection.header_color;
        ready.token = token;
        Ok(ready)
    }

    async fn with_journal(place: Place, store: StoreUrl, client: Client) -> Result<Self, NotOpened> {
        let origin = fastrand::u64(..);
        let opened = Journal::open(place, &store, origin, clock()).await;
        let Opened { journal, orphans, set_aside } =
            opened.map_err(|why| NotOpened::new(Exit::NotSent, format!("{why}. Nothing was sent.")))?;
        let set_aside = set_aside.as_ref().map(was_damaged);
        let orphans = (!orphans.is_empty()).then(|| {
            let names = listed(&orphans);
            format!("A program ended while these were in flight; nobody knows whether they reached the store: {names}.")
        });
        let (demo, profile, header_color, token) = (None, None, None, None);
        Ok(Self { store, demo, profile, header_color, origin, journal, set_aside, orphans, token, client })
    }

    /// Tells people what opening the journal brought to light, and whether it is a demo's.
    pub(super) fn tell_what_was_found(&self) {
        if self.demo.is_some() {
            say::words(&format!(
                "This is a demo store at {}, which begins and ends with this command; --base-url names a store of yours.",
                self.store
            ));
        }
        for found in self.set_aside.iter().chain(&self.orphans) {
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
        let why = format!(
            "no token for {}: set PLANTS_TOKEN, or give --token-file or --token-stdin, or name a source in the profile. Nothing was sent.",
            connection.url
        );
        return Err(none(why));
    }
    ask::token(&connection.url).await.map(Some).map_err(|exit| NotOpened { exit, why: None })
}

/// What a person must know of a damaged journal: where it is, what was saved, what that means.
fn was_damaged(aside: &SetAside) -> String {
    let SetAside { path, saved } = aside;
    let kept = match (saved.plants, saved.exchanges, saved.complete) {
        (0, 0, false) => "nothing in it could be read, and a new one was begun".to_owned(),
        (plants, exchanges, true) => {
            format!("all of it could be read and was saved ({plants} in the view, {exchanges} exchanges)")
        }
        (plants, exchanges, false) => format!(
            "what could be read was saved: {plants} in the view, {exchanges} exchanges. A plant whose end was lost is in doubt; one that is missing may still be in the store"
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
