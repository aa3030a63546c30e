//! Measures when each phase of a request begins: name, connection, TLS, waiting, reading.
//!
//! All requests of a reqwest client share a connector, a resolver and a TLS configuration. Each of these finds
//! the timer of its request in a task-local variable and notes its phase there. Must not change how a
//! connection is made.

use std::future::poll_fn;
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
use tokio::time::sleep;
use tower_service::Service;

use crate::domain::store::is_loopback_name;
use crate::domain::{Phase, Phases};

/// The addresses of every loopback name.
const LOOPBACK: [SocketAddr; 2] =
    [SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0), SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0)];

tokio::task_local! {
    /// The timer of the request that the current task sends or connects for.
    static CURRENT: PhaseTimer;
}

/// How long a request waits for its kept connection, before it makes another: the library needs a moment to see that
/// the response before has ended.
const KEPT_TIMEOUT: Duration = Duration::from_millis(20);

/// Notes when each phase of one request began. Clones share what they noted.
#[derive(Debug, Clone)]
pub(super) struct PhaseTimer {
    start: Instant,
    began: Arc<Mutex<Vec<(Phase, Duration)>>>,
    connected: Arc<AtomicBool>,
}

impl PhaseTimer {
    /// Starts now. The requests of a kept connection share `connected`.
    pub(super) fn start(connected: Arc<AtomicBool>) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the duration of a request is measured where the request is sent"
        )]
        let start = Instant::now();
        Self { start, began: Arc::default(), connected }
    }

    /// Returns the time since the start in whole microseconds, the precision of the journal.
    pub(super) fn elapsed(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    pub(super) fn phases(&self, elapsed: Duration) -> Phases {
        Phases::of(&self.began(), elapsed)
    }

    /// Whether there was ever a connection, TLS included, over which this request may have been sent.
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

    /// Notes that the request used an existing connection, so that all of its time was waiting. A new
    /// connection that was begun in the meantime was not needed.
    pub(super) fn reused_a_connection(&self) {
        let mut began = self.began();
        began.clear();
        began.push((Phase::Waiting, Duration::ZERO));
    }

    /// Runs a future whose connector, resolver and TLS configuration note their phases here.
    pub(super) async fn during<T>(&self, sending: impl Future<Output = T>) -> T {
        CURRENT.scope(self.clone(), sending).await
    }

    /// Calls `note` with the timer of the current task, if the task has one.
    fn with_current(note: impl FnOnce(&Self)) {
        let _ = CURRENT.try_with(note);
    }

    /// Changes the connection phase that has begun into a name phase.
    fn begins_with_a_name(&self) {
        for (phase, _) in self.began().iter_mut().filter(|(phase, _)| *phase == Phase::Connection) {
            *phase = Phase::Name;
        }
    }

    fn began(&self) -> MutexGuard<'_, Vec<(Phase, Duration)>> {
        self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Resolves names with the system resolver, as reqwest does by default, except for loopback names: these get
/// the token over plain http, so no name server may decide their address (RFC 6761 §6.3).
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

/// Wraps the connector of reqwest, and notes when connecting begins and ends, TLS included.
///
/// Clones share the connector: reqwest makes six of them for each request, also where it makes no connection.
#[derive(Clone)]
pub(super) struct TimedConnector<Connector>(pub(super) Arc<Connector>);

impl<Target, Connector> Service<Target> for TimedConnector<Connector>
where
    Target: Send + 'static,
    Connector: Service<Target> + Clone + Send + Sync + 'static,
    Connector::Future: Send + 'static,
{
    type Response = Connector::Response;
    type Error = Connector::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        // The connector itself is polled below.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Target) -> Self::Future {
        let mut connector = Connector::clone(&self.0);
        let connecting = async move {
            poll_fn(|context| connector.poll_ready(context)).await?;
            connector.call(target).await
        };
        let Ok(timer) = CURRENT.try_with(PhaseTimer::clone) else { return Box::pin(connecting) };
        timer.begins(Phase::Connection);
        let has_kept_one = timer.is_connected();
        // Another task continues the connection if a pooled one becomes free first, so it needs the timer again.
        Box::pin(async move {
            if has_kept_one {
                sleep(KEPT_TIMEOUT).await;
            }
            let connection = timer.during(connecting).await?;
            timer.connected.store(true, Ordering::SeqCst);
            timer.begins(Phase::Waiting);
            Ok(connection)
        })
    }
}

/// Stores TLS sessions, and notes when a handshake begins: rustls first asks for a TLS 1.3 ticket, whatever
/// version is negotiated later. No other hook shows the beginning.
#[derive(Debug)]
pub(super) struct TimedSessions {
    pub(super) sessions: ClientSessionMemoryCache,
    /// The host whose handshake is a phase of its own, rather than a part of connecting to a proxy; `None` means
    /// every host.
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
    fn connecting_to_a_name_begins_with_the_name_phase() {
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
