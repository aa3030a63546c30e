//! The demo store: a real HTTP server on a loopback port, for a first look and for tests.
//!
//! Must not know the client: it shares no type, and no idea of the wire, with the code that
//! calls it, so that a mistake there shows here instead of cancelling itself out.
//!
//! Its interface is `interface.md`. Where that is silent it behaves as a plain REST service
//! would. All of the following is **its own choice and not the document's**:
//!
//! - Every request needs the token. Without it, with another scheme, with two `Authorization`
//!   headers: 401 with `WWW-Authenticate: Bearer`. The scheme's letters may be of any case.
//! - A create answers 201 with name and tag. All three fields are required; a missing field, a
//!   wrong type, an id that is no integer of 64 bits (`7.0` and `"7"` are none) or a body that
//!   is no JSON object: 400, naming the field. Other fields are ignored. Any string is a name
//!   or a tag, the empty one too. Another media type than `application/json`, or none: 415.
//!   A body longer than 1 MiB: 413; one that takes longer than 30 s: 408.
//! - A second plant with the same id: 409.
//! - A delete answers 204 without a body. An id that is not there: 404; a path whose id is no
//!   integer in its plain spelling: 400.
//! - Another method on these paths: 405 with `Allow`. Another path: 404.
//! - Every response that says no has the body `{"error": "…"}`.
//! - What has arrived is carried out even if the caller has left meanwhile.
//! - Plants live as long as the store does. There are no limits of rate or quantity.
//!
//! On top comes the [`Weather`], for every request alike: latency first, then perhaps a 500 in
//! the place of the response, then perhaps a refusal (422), then perhaps no reply at all. What has
//! a name among them is a [`WeatherPreset`].

mod accept;
mod routes;
mod service;
mod shelf;
mod weather;

#[cfg(test)]
mod tests;

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub use accept::Died;
pub use service::Received;
pub use weather::{Weather, WeatherPreset};

use accept::Ends;
use service::Service;

#[derive(Clone)]
pub struct DemoOptions {
    /// The loopback port; 0 takes any that is free.
    pub port: u16,
    /// What callers must present as bearer token.
    pub token: String,
    pub weather: Weather,
}

impl fmt::Debug for DemoOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DemoOptions")
            .field("port", &self.port)
            .field("token", &"********")
            .field("weather", &self.weather)
            .finish()
    }
}

/// Why a demo store could not start.
#[derive(Debug)]
pub enum StartError {
    /// Something else listens there.
    PortTaken(u16),
    /// The system does not let this user listen there.
    NotPermitted(u16),
    /// The system said something else.
    NoListener(u16, io::Error),
}

impl StartError {
    fn new(port: u16, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::AddrInUse {
            Self::PortTaken(port)
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            Self::NotPermitted(port)
        } else {
            Self::NoListener(port, error)
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ADVICE: &str = "try another port, or 0 for any that is free";
        match self {
            Self::PortTaken(port) => {
                write!(f, "cannot start the demo store: port {port} is taken by another program; {ADVICE}")
            }
            Self::NotPermitted(port) => {
                write!(f, "cannot start the demo store: you are not permitted to listen on port {port}; {ADVICE}")
            }
            Self::NoListener(port, error) => {
                write!(f, "cannot start the demo store on port {port} of 127.0.0.1: {error}; {ADVICE}")
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::PortTaken(_) | Self::NotPermitted(_) => None,
            Self::NoListener(_, error) => Some(error),
        }
    }
}

/// A demo store that is serving. It stops when dropped, in the middle of whatever it is doing;
/// [`DemoStore::stop`] lets it finish first.
pub struct DemoStore {
    port: u16,
    service: Arc<Service>,
    ends: Ends,
    /// `None` once its end has been told.
    accepting: Option<JoinHandle<Result<(), Died>>>,
}

impl fmt::Debug for DemoStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DemoStore").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Drop for DemoStore {
    fn drop(&mut self) {
        self.ends.now.cancel();
    }
}

impl DemoStore {
    /// Starts an empty store on 127.0.0.1, and on nothing else.
    ///
    /// # Errors
    ///
    /// The port cannot be listened on.
    pub async fn start(options: DemoOptions) -> Result<Self, StartError> {
        Self::start_with(options, routes::routes()).await
    }

    /// As [`DemoStore::start`], with other routes behind the weather.
    async fn start_with(options: DemoOptions, routes: Router) -> Result<Self, StartError> {
        let DemoOptions { port, token, weather } = options;
        let fault = |error| StartError::new(port, error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(fault)?;
        let port = listener.local_addr().map_err(fault)?.port();
        let ends = Ends::new();
        let service = Arc::new(Service::new(token, weather, routes, ends.closing.clone()));
        let accepting = ends.work.spawn(accept::accept(listener, Arc::clone(&service), ends.clone()));
        Ok(Self { port, service, ends, accepting: Some(accepting) })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// `http://127.0.0.1:PORT`
    pub fn base_url(&self) -> String {
        format!("http://{}:{}", Ipv4Addr::LOCALHOST, self.port)
    }

    /// Changes the weather for every request that arrives from now on.
    pub fn set_weather(&self, weather: Weather) {
        self.service.set_weather(weather);
    }

    /// Returns every request that ends from now on, in that order. Each call adds a listener; without one
    /// nothing is kept. The channel ends with the store.
    pub fn received(&self) -> mpsc::UnboundedReceiver<Received> {
        self.service.listen()
    }

    /// Waits until the store takes no more connections, which it does not do by itself unless
    /// something is wrong. May be dropped and called again.
    ///
    /// # Errors
    ///
    /// Why it died. Told once.
    pub async fn stopped(&mut self) -> Result<(), Died> {
        let Some(accepting) = self.accepting.as_mut() else { return Ok(()) };
        let ended = accepting.await;
        self.accepting = None;
        ended.unwrap_or(Err(Died::Panicked))
    }

    /// Takes nothing new, closes idle connections, and waits until what is being answered is
    /// answered; latency that is left is not waited for. A caller who is slow in sending can
    /// hold this up for 30 s: drop the future to stop at once.
    ///
    /// # Errors
    ///
    /// Why it died, if it had died before.
    pub async fn stop(mut self) -> Result<(), Died> {
        self.ends.closing.cancel();
        let ended = self.stopped().await;
        self.ends.work.close();
        self.ends.work.wait().await;
        ended
    }
}

/// Returns a token of 128 random bits, for a store that no other program is to call.
pub fn new_token() -> String {
    // The standard library seeds each of these from the system's random source.
    format!("demo-{:016x}{:016x}", RandomState::new().hash_one(0), RandomState::new().hash_one(1))
}
