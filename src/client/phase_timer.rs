//! Times the phases of a request where each begins: name, connection, TLS, waiting.
//!
//! reqwest has one connector, one resolver and one TLS configuration for all requests of a client. Each
//! finds the timer of the request it works for in a task-local variable, notes its phase there, and is
//! otherwise as without this.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::NamedGroup;
use rustls::client::{ClientSessionMemoryCache, ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use tower_layer::Layer;
use tower_service::Service;

use crate::domain::store::is_loopback_name;
use crate::domain::{Phase, Phases};

/// The addresses of every name of this machine.
const LOOPBACK: [SocketAddr; 2] =
    [SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0), SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0)];

tokio::task_local! {
    /// The timer of the request that the current task sends, or makes a connection for.
    static CURRENT: PhaseTimer;
}

/// Notes when each phase of one request began. Clones share their notes.
#[derive(Debug, Clone)]
pub(super) struct PhaseTimer {
    start: Instant,
    began: Arc<Mutex<Vec<(Phase, Duration)>>>,
    connected: Arc<AtomicBool>,
}

impl PhaseTimer {
    /// Starts now. `connected` is shared by requests that share their connections.
    pub(super) fn start(connected: Arc<AtomicBool>) -> Self {
        #[expect(clippy::disallowed_methods, reason = "how long a request took is measured where it happens")]
        let start = Instant::now();
        Self { start, began: Arc::default(), connected }
    }

    /// Returns the time since the start in whole microseconds, which is what the journal keeps.
    pub(super) fn elapsed(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    pub(super) fn phases(&self, elapsed: Duration) -> Phases {
        Phases::of(&self.began(), elapsed)
    }

    /// Whether there was ever a connection, TLS included, that this request may have left over.
    pub(super) fn is_connected(&self) -> bool {
        self.connected.load(Ordering::SeqCst)
    }

    pub(super) fn has_begun(&self, wanted: Phase) -> bool {
        self.began().iter().any(|(phase, _)| *phase == wanted)
    }

    pub(super) fn begins(&self, phase: Phase) {
        let at = self.elapsed();
        self.began().push((phase, at));
    }

    /// Notes that the headers of a response came over a connection that was there before, so that all of
    /// the time was spent waiting; a connection that was begun meanwhile was not needed.
    pub(super) fn reused_a_connection(&self) {
        *self.began() = vec![(Phase::Waiting, Duration::ZERO)];
    }

    /// Runs a future whose connector, resolver and TLS configuration note their phases here.
    pub(super) async fn during<T>(&self, sending: impl Future<Output = T>) -> T {
        CURRENT.scope(self.clone(), sending).await
    }

    /// Calls `note` with the timer of the current task, if it has one.
    fn with_current(note: impl FnOnce(&Self)) {
        // Without one, nobody asks for the phases.
        let _ = CURRENT.try_with(note);
    }

    /// Turns the connection that has begun into a name that is looked up first.
    fn begins_with_a_name(&self) {
        for (phase, _) in self.began().iter_mut().filter(|(phase, _)| *phase == Phase::Connection) {
            *phase = Phase::Name;
        }
    }

    fn began(&self) -> MutexGuard<'_, Vec<(Phase, Duration)>> {
        self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the system, as reqwest does by itself, except for the names of this machine: the token goes to
/// them over plain http, and a name server may lie (RFC 6761 §6.3). Addresses are never resolved.
#[derive(Debug)]
pub(super) struct TimedResolver;

impl Resolve for TimedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            PhaseTimer::with_current(PhaseTimer::begins_with_a_name);
            let found: Addrs = if is_loopback_name(name.as_str()) {
                Box::new(LOOPBACK.into_iter())
            } else {
                Box::new(tokio::net::lookup_host((name.as_str().to_owned(), 0)).await?)
            };
            PhaseTimer::with_current(|timer| timer.begins(Phase::Connection));
            Ok(found)
        })
    }
}

/// Wraps reqwest's connector into [`TimedConnector`].
#[derive(Debug, Clone)]
pub(super) struct TimedConnections;

impl<Connector> Layer<Connector> for TimedConnections {
    type Service = TimedConnector<Connector>;

    fn layer(&self, connector: Connector) -> TimedConnector<Connector> {
        TimedConnector { connector }
    }
}

/// A connector that notes when it begins to connect, and when the connection stands, TLS included.
#[derive(Clone)]
pub(super) struct TimedConnector<Connector> {
    connector: Connector,
}

impl<Target, Connector: Service<Target>> Service<Target> for TimedConnector<Connector>
where
    Connector::Future: Send + 'static,
{
    type Response = Connector::Response;
    type Error = Connector::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, target: Target) -> Self::Future {
        let connecting = self.connector.call(target);
        let Ok(timer) = CURRENT.try_with(PhaseTimer::clone) else { return Box::pin(connecting) };
        timer.begins(Phase::Connection);
        // Within the timer again: where a pooled connection became free first, another task goes on with it.
        Box::pin(async move {
            let connection = timer.during(connecting).await?;
            timer.connected.store(true, Ordering::SeqCst);
            timer.begins(Phase::Waiting);
            Ok(connection)
        })
    }
}

/// Remembers TLS sessions, and notes when a handshake begins: then it is asked for one first, whatever
/// version of TLS is agreed on. There is no other place to see that.
#[derive(Debug)]
pub(super) struct TimedSessions {
    pub(super) sessions: ClientSessionMemoryCache,
    /// The host with which a handshake is a phase of its own, and not a part of connecting through a
    /// proxy; `None` stands for every host.
    pub(super) host: Option<String>,
}

impl ClientSessionStore for TimedSessions {
    fn take_tls13_ticket(&self, server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        if self.host.as_ref().is_none_or(|host| *host == server.to_str()) {
            PhaseTimer::with_current(|timer| timer.begins(Phase::Tls));
        }
        self.sessions.take_tls13_ticket(server)
    }

    fn set_kx_hint(&self, server: ServerName<'static>, group: NamedGroup) {
        self.sessions.set_kx_hint(server, group);
    }

    fn kx_hint(&self, server: &ServerName<'_>) -> Option<NamedGroup> {
        self.sessions.kx_hint(server)
    }

    fn set_tls12_session(&self, server: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.sessions.set_tls12_session(server, session);
    }

    fn tls12_session(&self, server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.sessions.tls12_session(server)
    }

    fn remove_tls12_session(&self, server: &ServerName<'static>) {
        self.sessions.remove_tls12_session(server);
    }

    fn insert_tls13_ticket(&self, server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.sessions.insert_tls13_ticket(server, ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(timer: &PhaseTimer) -> Vec<&'static str> {
        let phases = timer.phases(Duration::MAX).in_order();
        phases.into_iter().filter(|(_, took)| took.is_some()).map(|(word, _)| word).collect()
    }

    #[test]
    fn a_connection_to_a_name_begins_with_the_name() {
        let timer = PhaseTimer::start(Arc::default());
        assert_eq!(words(&timer), [""; 0]);
        timer.begins(Phase::Connection);
        assert_eq!(words(&timer), ["connection"]);
        timer.begins_with_a_name();
        assert_eq!(words(&timer), ["name"]);
        timer.clone().begins(Phase::Connection);
        assert_eq!(words(&timer), ["name", "connection"]);
    }
}
