//! When each phase of an exchange began, noted where it begins.
//!
//! The resolver, the connector and the TLS library are asked in the same ways as without this;
//! each only leaves a mark on its way. That there is a connection is told by its mark, and the
//! connection is then handed over to whoever had asked for it: see `transport`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use tower_layer::Layer;
use tower_service::Service;

use crate::domain::store::is_loopback_name;
use crate::domain::{Phase, Phases};

use super::channel::Io;

/// Where every name of this machine leads.
const LOOPBACK: [SocketAddr; 2] =
    [SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0), SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0)];

/// The marks of one exchange. Clones are the same marks.
#[derive(Debug, Clone)]
pub(super) struct Marks {
    begin: Instant,
    began: Arc<Mutex<Vec<(Phase, Duration)>>>,
}

impl Marks {
    /// Those of an exchange that begins now.
    pub(super) fn begin() -> Self {
        #[expect(clippy::disallowed_methods, reason = "how long an exchange took is measured where it happens")]
        let begin = Instant::now();
        Self { begin, began: Arc::default() }
    }

    /// How long the exchange has taken, in whole microseconds: the journal keeps no more.
    pub(super) fn elapsed(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.begin.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    /// How long each phase took of an exchange that took `elapsed`.
    pub(super) fn phases(&self, elapsed: Duration) -> Phases {
        Phases::of(&self.began(), elapsed)
    }

    /// Whether this exchange ever had a connection, TLS included: from then on its request may
    /// be out.
    pub(super) fn is_connected(&self) -> bool {
        self.has_begun(Phase::Waiting)
    }

    /// Whether this phase has begun.
    pub(super) fn has_begun(&self, wanted: Phase) -> bool {
        self.began().iter().any(|(phase, _)| *phase == wanted)
    }

    /// Notes that a phase begins now.
    pub(super) fn begins(&self, phase: Phase) {
        let at = self.elapsed();
        self.began().push((phase, at));
    }

    /// Forgets what was noted: nothing of the request had left.
    pub(super) fn begin_again(&self) {
        self.began().clear();
    }

    /// Notes that the connector needs an address first: what it had begun with was this.
    fn begins_with_a_name(&self) {
        for (phase, _) in self.began().iter_mut().filter(|(phase, _)| *phase == Phase::Connection) {
            *phase = Phase::Name;
        }
    }

    fn began(&self) -> MutexGuard<'_, Vec<(Phase, Duration)>> {
        self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the system, as reqwest does by itself, but for the names of this machine: the token goes to
/// them in the clear, and a name server may lie. An address never comes here.
impl Resolve for Marks {
    fn resolve(&self, name: Name) -> Resolving {
        let marks = self.clone();
        Box::pin(async move {
            marks.begins_with_a_name();
            let found: Addrs = if is_loopback_name(name.as_str()) {
                Box::new(LOOPBACK.into_iter())
            } else {
                Box::new(tokio::net::lookup_host((name.as_str().to_owned(), 0)).await?)
            };
            marks.begins(Phase::Connection);
            Ok(found)
        })
    }
}

/// Where a connection is put that was made.
#[derive(Clone)]
pub(super) struct Handover {
    /// The marks of the exchange that it is made for.
    pub(super) marks: Marks,
    /// The connection, once there is one.
    pub(super) made: Arc<Mutex<Option<Box<dyn Io>>>>,
}

impl Handover {
    /// For an exchange with these marks.
    pub(super) fn to(marks: &Marks) -> Self {
        Self { marks: marks.clone(), made: Arc::default() }
    }

    /// The connection, if one was made.
    pub(super) fn take(&self) -> Option<Box<dyn Io>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// To reqwest the connection is not there; it was wanted for nothing else.
#[derive(Debug)]
struct HandedOver;

impl std::fmt::Display for HandedOver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the connection was handed over")
    }
}

impl std::error::Error for HandedOver {}

impl<Connector> Layer<Connector> for Handover {
    type Service = Watched<Connector>;

    fn layer(&self, connector: Connector) -> Watched<Connector> {
        Watched { connector, to: self.clone() }
    }
}

/// A connector that tells when it begins to connect, and hands over what it has then.
#[derive(Clone)]
pub(super) struct Watched<Connector> {
    connector: Connector,
    to: Handover,
}

impl<Target, Connector: Service<Target>> Service<Target> for Watched<Connector>
where
    Connector::Response: Io + 'static,
    Connector::Error: From<Box<dyn std::error::Error + Send + Sync>>,
    Connector::Future: Send + 'static,
{
    type Response = Connector::Response;
    type Error = Connector::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, target: Target) -> Self::Future {
        let Handover { marks, made } = self.to.clone();
        marks.begins(Phase::Connection);
        let connecting = self.connector.call(target);
        Box::pin(async move {
            let connection = connecting.await?;
            marks.begins(Phase::Waiting);
            *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(connection));
            Err(Connector::Error::from(Box::new(HandedOver)))
        })
    }
}

/// Remembered TLS sessions, shared with other exchanges. They are asked for when a handshake
/// begins, and there is no other place to see that.
#[derive(Debug)]
pub(super) struct Sessions {
    /// Where they are remembered.
    pub(super) shared: Arc<dyn ClientSessionStore>,
    /// The marks of the one exchange.
    pub(super) marks: Marks,
    /// With whom a handshake is a phase, and not a part of connecting through a proxy; `None` is
    /// whoever it is.
    pub(super) host: Option<String>,
}

impl ClientSessionStore for Sessions {
    /// Asked for first, whatever version of TLS it comes to.
    fn take_tls13_ticket(&self, server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        if self.host.as_ref().is_none_or(|host| *host == server.to_str()) {
            self.marks.begins(Phase::Tls);
        }
        self.shared.take_tls13_ticket(server)
    }

    fn set_kx_hint(&self, server: ServerName<'static>, group: NamedGroup) {
        self.shared.set_kx_hint(server, group);
    }

    fn kx_hint(&self, server: &ServerName<'_>) -> Option<NamedGroup> {
        self.shared.kx_hint(server)
    }

    fn set_tls12_session(&self, server: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.shared.set_tls12_session(server, session);
    }

    fn tls12_session(&self, server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.shared.tls12_session(server)
    }

    fn remove_tls12_session(&self, server: &ServerName<'static>) {
        self.shared.remove_tls12_session(server);
    }

    fn insert_tls13_ticket(&self, server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.shared.insert_tls13_ticket(server, ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(marks: &Marks) -> Vec<&'static str> {
        let phases = marks.phases(Duration::MAX).in_order();
        phases.into_iter().filter(|(_, took)| took.is_some()).map(|(word, _)| word).collect()
    }

    #[test]
    fn a_connection_that_needs_a_name_begins_with_it() {
        let marks = Marks::begin();
        assert_eq!(words(&marks), [""; 0]);
        marks.begins(Phase::Connection);
        assert_eq!(words(&marks), ["connection"]);
        marks.begins_with_a_name();
        assert_eq!(words(&marks), ["name"]);
        marks.clone().begins(Phase::Connection);
        assert_eq!(words(&marks), ["name", "connection"]);
    }

    #[test]
    fn there_is_a_connection_once_it_is_made_and_not_before() {
        let marks = Marks::begin();
        for phase in [Phase::Connection, Phase::Tls] {
            marks.begins(phase);
            assert!(!marks.is_connected());
        }
        marks.begins(Phase::Waiting);
        assert!(marks.is_connected());
        marks.begins(Phase::Reading);
        assert!(marks.is_connected());
    }
}
