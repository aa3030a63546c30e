//! The demo store: a real HTTP server, for a first look and for tests; on a loopback port unless a person chose another.
//!
//! Must not know the client: the two share no type and no code for the wire format, so that a mistake in the
//! client fails here instead of cancelling itself out.
//!
//! The store implements `interface.md`. Where the document leaves behaviour open, the store behaves as a plain
//! REST service would. All of the following is **its own choice and not the document's**:
//!
//! - Every request needs the token. Without the token, with another scheme, or with two `Authorization`
//!   headers: 401 with `WWW-Authenticate: Bearer`. The scheme is case-insensitive.
//! - An add returns 201 with name and tag. All three fields are required: for a missing field, a wrong type,
//!   an id that is not a 64-bit integer (`7.0` and `"7"` are not) or a body that is not a JSON object, 400
//!   with the name of the field. Other fields are ignored. Any string is a name or a tag, even an empty one.
//!   Another media type than `application/json`, or none: 415. A body longer than 1 MiB: 413; a body that
//!   takes longer than 30 s: 408.
//! - A second plant with the same id: 409.
//! - A delete returns 204 without a body. An unknown id: 404; an id in the path that is not an integer in its
//!   plain spelling: 400.
//! - Another method on these paths: 405 with `Allow`. Another path: 404.
//! - Every error response has the body `{"error": "…"}`.
//! - A request that has arrived is carried out even if the caller has left.
//! - Plants exist until the store stops. There are no limits of rate or quantity.
//!
//! The [`Weather`] simulates faults, the same way for every request: first a latency, then perhaps a 500
//! instead of the response, perhaps a 422, perhaps no response at all. A [`WeatherPreset`] is a named weather.

mod accept;
mod routes;
mod service;
mod shelf;
mod weather;

#[cfg(test)]
mod tests;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use futures::FutureExt as _;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub use service::Received;
pub use weather::{Weather, WeatherPreset};

use accept::Shutdown;
use service::Service;

/// How to start a demo store. Has no `Debug`, which would print the token.
#[derive(Clone)]
pub struct DemoOptions {
    /// Where it listens.
    pub address: IpAddr,
    /// 0 selects a free one.
    pub port: u16,
    /// The bearer token that callers must present.
    pub token: String,
    pub weather: Weather,
}

/// Why a demo store could not start.
#[derive(Debug, Error)]
#[error("cannot start the demo store at {address}: {}; try another port, or 0 for any that is free", in_words(error))]
pub struct StartError {
    address: SocketAddr,
    #[source]
    error: io::Error,
}

fn in_words(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AddrInUse {
        "the port is taken by another program".to_owned()
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        "you are not permitted to listen on this port".to_owned()
    } else {
        error.to_string()
    }
}

/// A running demo store. Dropping the value aborts all requests; [`DemoStore::stop`] finishes them first.
pub struct DemoStore {
    address: SocketAddr,
    service: Arc<Service>,
    shutdown: Shutdown,
    accepting: JoinHandle<()>,
}

impl Drop for DemoStore {
    fn drop(&mut self) {
        self.shutdown.now.cancel();
    }
}

impl DemoStore {
    /// Starts an empty store on this address, and on nothing else.
    ///
    /// # Errors
    ///
    /// If the store cannot listen on the port.
    pub async fn start(options: DemoOptions) -> Result<Self, StartError> {
        Self::start_with(options, routes::routes()).await
    }

    /// Starts a store with other routes.
    async fn start_with(options: DemoOptions, routes: Router) -> Result<Self, StartError> {
        let DemoOptions { address, port, token, weather } = options;
        let wanted = SocketAddr::new(address, port);
        let fault = |error| StartError { address: wanted, error };
        let listener = TcpListener::bind(wanted).await.map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let shutdown = Shutdown::new();
        let service = Arc::new(Service::new(token, weather, routes, shutdown.closing.clone()));
        let accepting = shutdown.work.spawn(accept::accept(listener, Arc::clone(&service), shutdown.clone()).boxed());
        Ok(Self { address, service, shutdown, accepting })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Like `http://127.0.0.1:8080`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes the weather for the requests that arrive from now on.
    pub fn set_weather(&self, weather: Weather) {
        self.service.set_weather(weather);
    }

    /// Returns a channel with every request that ends from now on, in that order. Each call adds a listener.
    /// The channel ends with the store.
    pub fn received(&self) -> mpsc::UnboundedReceiver<Received> {
        self.service.listen()
    }

    /// Waits until the store accepts no more connections: by itself only because of a bug.
    pub async fn stopped(&mut self) {
        if !self.accepting.is_finished() {
            let _ = (&mut self.accepting).await;
        }
    }

    /// Accepts nothing new, closes idle connections, and waits for the requests in progress, without their
    /// remaining latency. A caller that sends slowly can delay this by 30 s: drop the future to stop at once.
    pub async fn stop(self) {
        self.shutdown.closing.cancel();
        self.shutdown.work.close();
        self.shutdown.work.wait().await;
    }
}

/// Returns a token of 128 random bits, so that no other program can call the store.
pub fn new_token() -> String {
    // The standard library seeds each of these from the random source of the system.
    format!("demo-{:016x}{:016x}", RandomState::new().hash_one(0), RandomState::new().hash_one(1))
}
