//! The connections that the requests of a batch keep: one request at a time on each, and none after a sign that a
//! response may be taken for that to another request.
//!
//! Must not know how a request is sent, or which outcome a response proves.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::domain::sentence::status_line;
use crate::domain::{BodyEnd, OperationKind, Plant, Response};
use crate::text::clean_fit;

/// How long an unused connection is kept: shorter than the time after which stores close idle connections.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The most requests on one connection, whose names and tags are remembered.
const MOST_REQUESTS: usize = 1000;

/// The most columns of a name or a tag that is quoted.
const QUOTED_COLUMNS: usize = 60;

/// The connections that the requests of a batch share. Clones share them too.
///
/// A store may close a kept connection while the next request is in flight, which then ends unknown; or it may send a
/// response too many, which would be taken for that to the next request. After the first sign of either, each request
/// of the batch has a connection of its own.
#[derive(Clone, Default)]
pub struct Connections {
    shared: Arc<Shared>,
}

impl Connections {
    /// Closes the connections once no request uses them. Remembers whether each request has one of its own.
    pub fn close(&mut self) {
        let keeps_none = Arc::clone(&self.shared.keeps_none);
        self.shared = Arc::new(Shared { keeps_none, ..Shared::default() });
    }

    /// Returns what the requests share; `None` if each has a connection of its own.
    pub(super) fn shared(&self) -> Option<&Shared> {
        Some(&*self.shared).filter(|shared| !shared.keeps_none.load(Ordering::Relaxed))
    }
}

#[derive(Default)]
pub(super) struct Shared {
    /// Connections without a request, the last used one at the end.
    idle: Mutex<Vec<Kept>>,
    /// Shared with the connections before, whose last requests may still be in flight.
    keeps_none: Arc<AtomicBool>,
}

impl Shared {
    /// Takes a connection without a request, or an empty one.
    pub(super) fn take(&self) -> Kept {
        let mut idle = self.idle();
        idle.retain(|kept| kept.idle_since.is_some_and(|since| since.elapsed() < IDLE_TIMEOUT));
        idle.pop().unwrap_or_default()
    }

    /// Keeps no connection from now on.
    pub(super) fn keep_none(&self) {
        self.keeps_none.store(true, Ordering::Relaxed);
        self.idle().clear();
    }

    /// Keeps the connection of a response, if it came from `address` and the next request may use it.
    ///
    /// # Errors
    ///
    /// The response is that to another request: describes it.
    pub(super) fn keep(
        &self,
        mut kept: Kept,
        address: Option<SocketAddr>,
        kind: &OperationKind,
        response: &Response,
    ) -> Result<(), String> {
        if kept.is_used() && kept.address != address {
            // The one before was closed between two requests: by the store, or because of bytes without a request.
            self.keep_none();
        } else if let Some(why) = kind.plant().and_then(|plant| kept.other_response(plant, response)) {
            self.keep_none();
            return Err(why);
        } else if response.body_end == BodyEnd::Complete && !announces_close(response) {
            #[expect(clippy::disallowed_methods, reason = "an unused connection is closed after a while")]
            let now = Instant::now();
            (kept.address, kept.idle_since) = (address, Some(now));
            kept.rows.push(kind.plant().map_or(0, |plant| hash(&plant.name, &plant.tag)));
            if kept.rows.len() < MOST_REQUESTS && !self.keeps_none.load(Ordering::Relaxed) {
                self.idle().push(kept);
            }
        }
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a response says of a plant.
#[derive(Deserialize)]
struct Named {
    name: String,
    tag: String,
}

/// A client with one connection at most, for one request at a time. Closes the connection when it is dropped.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) client: Option<reqwest::Client>,
    /// Whether there was ever a connection; before that, no request can have been sent.
    pub(super) connected: Arc<AtomicBool>,
    /// The program's end of the connection.
    address: Option<SocketAddr>,
    /// A hash for each request on the connection: of name and tag of an add.
    rows: Vec<u64>,
    idle_since: Option<Instant>,
}

impl Kept {
    /// Whether there was a request on the connection.
    pub(super) fn is_used(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Describes the response if its name and tag are not those of `plant`, but of another add on the connection. A
    /// store may change names: that alone proves nothing.
    fn other_response(&self, plant: &Plant, response: &Response) -> Option<String> {
        let Named { name, tag } = serde_json::from_slice(&response.body).ok()?;
        let is_own = (&name, &tag) == (&plant.name, &plant.tag);
        (!is_own && self.rows.contains(&hash(&name, &tag))).then(|| {
            let status = status_line(response.status, &response.reason);
            let [name, tag] = [name, tag].map(|text| clean_fit(&format!("{text:?}"), QUOTED_COLUMNS));
            format!("it brought {status} with the name {name} and the tag {tag}, which are those of another row")
        })
    }
}

fn hash(name: &str, tag: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, tag).hash(&mut hasher);
    hasher.finish()
}

/// Whether the store closes the connection after this response (RFC 9112 §9.6).
fn announces_close(response: &Response) -> bool {
    let values = response.headers.iter().filter(|header| header.name == "connection").map(|header| &header.value);
    values.flat_map(|value| value.split(',')).any(|option| option.trim().eq_ignore_ascii_case("close"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Header, PlantId};

    const HERE: Option<SocketAddr> = Some(SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7));

    fn add(name: &str, tag: &str) -> OperationKind {
        OperationKind::add(Plant { name: name.into(), id: PlantId(7), tag: tag.into() })
    }

    fn naming(body: &str) -> Response {
        let (reason, version) = ("Created".into(), "HTTP/1.1".into());
        let (headers, body) = (Arc::default(), body.into());
        Response { status: 201, reason, version, headers, body, body_end: BodyEnd::Complete }
    }

    /// Whether a connection is there for the next request.
    fn has_one(shared: &Shared) -> bool {
        !shared.idle().is_empty()
    }

    #[test]
    fn name_and_tag_of_another_row_of_the_connection_are_no_response() {
        for (body, is_own) in [
            (r#"{"name":"Fern","tag":"shade"}"#, true),
            (r#"{"name":"Monstera","tag":"tropical","id":7}"#, false),
            (r#"{"name":"Monstera","tag":"shade"}"#, true),
            (r#"{"name":"monstera","tag":"tropical"}"#, true),
            (r#"{"name":"Monstera"}"#, true),
            (r#"["Monstera","tropical"#, true),
            ("", true),
        ] {
            let shared = Shared::default();
            let sent = [add("Monstera", "tropical"), add("Fern", "shade")];
            shared.keep(shared.take(), HERE, &sent[0], &naming("")).unwrap();
            let result = shared.keep(shared.take(), HERE, &sent[1], &naming(body));
            assert_eq!((result.is_ok(), has_one(&shared)), (is_own, is_own), "{body}: {result:?}");
            // Sent on another connection, the same row proves nothing.
            let (connections, other) = (Connections { shared: Arc::new(shared) }, Kept::default());
            assert_eq!(connections.shared().is_some(), is_own, "{body}");
            assert!(Shared::default().keep(other, HERE, &sent[1], &naming(body)).is_ok(), "{body}");
        }
    }

    #[test]
    fn a_connection_that_ended_unannounced_is_the_last_one_kept() {
        let kind = OperationKind::Delete(PlantId(7));
        let shared = Arc::new(Shared::default());
        shared.keep(shared.take(), HERE, &kind, &naming("")).unwrap();
        let mut connections = Connections { shared: Arc::clone(&shared) };
        connections.close();
        // The request is still in flight.
        shared.keep(shared.take(), None, &kind, &naming("")).unwrap();
        assert!(!has_one(&shared) && connections.shared().is_none());

        let announced = Header { name: "connection".into(), value: "keep-alive, Close".into() };
        for response in [
            Response { headers: [announced].into(), ..naming("") },
            Response { body_end: BodyEnd::Capped(1), ..naming("{") },
        ] {
            let shared = Shared::default();
            shared.keep(shared.take(), HERE, &kind, &response).unwrap();
            assert!(!has_one(&shared) && !shared.take().is_used());
        }
    }

    #[test]
    fn a_connection_has_a_greatest_number_of_requests() {
        let (shared, kind) = (Shared::default(), add("Fern", "shade"));
        for _ in 1..MOST_REQUESTS {
            shared.keep(shared.take(), HERE, &kind, &naming("")).unwrap();
            assert!(has_one(&shared));
        }
        shared.keep(shared.take(), HERE, &kind, &naming("")).unwrap();
        assert!(!has_one(&shared));
    }
}
