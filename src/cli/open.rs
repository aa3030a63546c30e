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
use crate::domain::{StoreUrl, Timestamp};
use crate::journal::{Journal, Opened, Place};

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
    /// What opening the journal brought to light.
    pub found: Vec<String>,
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
        match &settings.store {
            StoreChoice::Demo => Self::open_demo(settings, demo_weather).await,
            StoreChoice::Deployed(connection) => Self::open_deployed(settings, connection, need).await,
        }
    }

    async fn open_demo(settings: &Settings, weather: Weather) -> Result<Self, Exit> {
        let token = demo::new_token();
        let started = DemoStore::start(DemoOptions { port: 0, token: token.clone(), weather }).await;
        let demo = started.map_err(|why| failed(Exit::NotSent, &format!("the demo store cannot start: {why}")))?;
        let store = StoreUrl::on_loopback(demo.port());
        let token =
            Token::new(&token).map_err(|why| failed(Exit::NotSent, &format!("the demo store's token: {why}")))?;
        let client = Client::new(store.clone(), limits(settings), Route::default());
        let mut ready = Self::with_journal(Place::Memory, store, client).await?;
        ready.demo = Some(demo);
        ready.token = Some(token);
        Ok(ready)
    }

    async fn open_deployed(settings: &Settings, connection: &Connection, need: TokenNeed) -> Result<Self, Exit> {
        let token = if need == TokenNeed::Never { None } else { fetch(connection, need).await? };
        let route = Route { ca_cert: connection.ca_cert.clone(), proxy: connection.proxy.clone() };
        let client = Client::new(connection.url.clone(), limits(settings), route);
        let mut ready =
            Self::with_journal(Place::Folder(settings.data_dir.clone()), connection.url.clone(), client).await?;
        ready.profile.clone_from(&connection.profile);
        ready.header_color = connection.header_color;
        ready.token = token;
        Ok(ready)
    }

    async fn with_journal(place: Place, store: StoreUrl, client: Client) -> Result<Self, Exit> {
        let origin = fastrand::u64(..);
        let opened = Journal::open(place, &store, origin, clock()).await;
        let Opened { journal, orphans, set_aside } =
            opened.map_err(|why| failed(Exit::NotSent, &format!("{why}. Nothing was sent.")))?;
        let mut found = Vec::new();
        if let Some(path) = set_aside {
            found.push(format!("The journal was corrupt. It is kept as {}, and a new one was begun.", path.display()));
        }
        if !orphans.is_empty() {
            let names: Vec<_> = orphans
                .iter()
                .map(|row| {
                    crate::domain::sentence::called(row.id, row.details.as_ref().map(|details| details.name.as_str()))
                })
                .collect();
            found.push(format!(
                "The program ended while these were out; nobody knows whether they reached the store: {}.",
                names.join(", ")
            ));
        }
        Ok(Self { store, demo: None, profile: None, header_color: None, origin, journal, found, token: None, client })
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

/// The token from its source, or from a person.
async fn fetch(connection: &Connection, need: TokenNeed) -> Result<Option<Token>, Exit> {
    let fetched = connection
        .token_source
        .fetch()
        .await
        .map_err(|why| failed(Exit::Usage, &format!("{why}. Nothing was sent.")))?;
    if fetched.is_some() || need == TokenNeed::Later {
        return Ok(fetched);
    }
    debug_assert!(matches!(connection.token_source, TokenSource::Ask));
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        let why = format!(
            "no token for {}: set PLANTS_TOKEN, or give --token-file or --token-stdin, or name a source in the profile. Nothing was sent.",
            connection.url
        );
        return Err(failed(Exit::Usage, &why));
    }
    ask::token(&connection.url).await.map(Some)
}

/// Tells what is wrong.
pub(super) fn failed(exit: Exit, why: &str) -> Exit {
    say::error(why);
    exit
}
