//! The entries of a member as the JSON of a message (docs/team.md).
//!
//! A message is input from another machine: nothing in it is used before it is parsed whole. The author is not in it.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::subject;
use crate::domain::{
    Author, BodyEnd, Details, Ending, Exchange, Failure, FailureKind, Header, MemberId, Method, Operation, OperationId,
    Phases, PlantId, Request, Resolution, Resolved, Response, Timestamp,
};
use crate::journal::{MOST_ENTRIES, MemberEntries, Published};

/// The version of the format. Members of an older release stop at a newer one.
const VERSION: u32 = 1;

/// Why a message cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireFault {
    #[error("it is from a newer release of plants: update plants")]
    Newer,
    #[error("it is not a message of plants: {0}")]
    Invalid(String),
}

#[derive(Serialize, Deserialize)]
struct Message<Entries> {
    v: u32,
    journal: u64,
    first: u64,
    entries: Entries,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Intent {
        operation: Operation,
        folded: u64,
    },
    End {
        operation: OperationId,
        #[serde(flatten)]
        exchange: Box<Ended>,
        at: Timestamp,
    },
    Resolution {
        id: OperationId,
        plant: PlantId,
        stored: bool,
        details: Option<Details>,
        at: Timestamp,
        folded: u64,
    },
}

#[derive(Serialize, Deserialize)]
struct Ended {
    request: Option<Sent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<Received>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<(FailureKind, String)>,
    started: Timestamp,
    /// Microseconds: all, name, connection, TLS, waiting, reading.
    took: [Option<u64>; 6],
}

#[derive(Serialize, Deserialize)]
struct Sent {
    method: Method,
    url: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Received {
    status: u16,
    reason: String,
    version: String,
    headers: Vec<(String, String)>,
    body: Bytes,
    end: BodyEnd,
}

/// Bytes, as text where they are text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

/// Returns a message with as many of these numbered entries as fit into `most` bytes, and their number; at least one.
/// An entry that is too long alone loses its bodies and headers. Without `bodies`, all lose their bodies.
pub(super) fn encode(
    member: MemberId,
    entries: &[(u64, Published)],
    bodies: bool,
    most: usize,
) -> serde_json::Result<(Vec<u8>, usize)> {
    let first = entries.first().map_or(0, |(number, _)| *number);
    let (mut texts, mut length) = (Vec::new(), 100);
    for (_, entry) in entries.iter().take(MOST_ENTRIES) {
        let mut text = serde_json::to_string(&to_wire(entry, bodies, true))?;
        if text.len() + 100 > most {
            text = serde_json::to_string(&to_wire(entry, false, false))?;
        }
        length += text.len() + 1;
        if length > most && !texts.is_empty() {
            break;
        }
        texts.push(serde_json::value::RawValue::from_string(text)?);
    }
    let count = texts.len();
    let message = Message { v: VERSION, journal: member.0, first, entries: texts };
    Ok((serde_json::to_vec(&message)?, count))
}

/// Reads a message of the stream. Its subject names the author, which its server has authorised.
///
/// # Errors
///
/// The message is no message of this release.
pub fn read(subject: &str, payload: &[u8]) -> Result<MemberEntries, WireFault> {
    let no_author = || WireFault::Invalid("its subject names no author".to_owned());
    decode(subject::author(subject).ok_or_else(no_author)?, payload)
}

fn decode(author: Author, payload: &[u8]) -> Result<MemberEntries, WireFault> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let invalid = |error: serde_json::Error| WireFault::Invalid(error.to_string());
    let Version { v } = serde_json::from_slice(payload).map_err(invalid)?;
    if v > VERSION {
        return Err(WireFault::Newer);
    }
    let message: Message<Vec<Entry>> = serde_json::from_slice(payload).map_err(invalid)?;
    let last = message.first.checked_add(message.entries.len() as u64);
    let is_numbered = message.first > 0 && last.is_some_and(|last| i64::try_from(last).is_ok());
    if !is_numbered || message.entries.is_empty() || message.entries.len() > MOST_ENTRIES {
        return Err(WireFault::Invalid("its entries have impossible numbers".to_owned()));
    }
    let entries = message.entries.into_iter().map(from_wire).collect::<Result<_, _>>()?;
    Ok(MemberEntries { author, member: MemberId(message.journal), first: message.first, entries })
}

fn to_wire(entry: &Published, bodies: bool, heads: bool) -> Entry {
    match entry {
        Published::Intent { operation, folded } => {
            Entry::Intent { operation: Operation { author: None, ..operation.clone() }, folded: *folded }
        }
        Published::End { exchange, at } => {
            Entry::End { operation: exchange.operation.id, exchange: Box::new(ended(exchange, bodies, heads)), at: *at }
        }
        Published::Resolution { id, plant, resolution, folded } => {
            let Resolved { resolution, details, at, author: _ } = resolution.clone();
            let stored = resolution == Resolution::MarkStored;
            Entry::Resolution { id: *id, plant: *plant, stored, details, at, folded: *folded }
        }
    }
}

fn from_wire(entry: Entry) -> Result<Published, WireFault> {
    Ok(match entry {
        Entry::Intent { operation, folded } => {
            Published::Intent { operation: Operation { author: None, ..operation }, folded }
        }
        Entry::End { operation, exchange, at } => {
            Published::End { exchange: Box::new(exchange_of(operation, *exchange)?), at }
        }
        Entry::Resolution { id, plant, stored, details, at, folded } => {
            let resolution = if stored { Resolution::MarkStored } else { Resolution::Forget };
            Published::Resolution { id, plant, resolution: Resolved { resolution, details, at, author: None }, folded }
        }
    })
}

fn ended(exchange: &Exchange, bodies: bool, heads: bool) -> Ended {
    let Exchange { request, ending, started, elapsed, phases, operation: _ } = exchange;
    let micros = |phase: Duration| u64::try_from(phase.as_micros()).unwrap_or(u64::MAX);
    let pairs = |headers: &[Header]| -> Vec<(String, String)> {
        let shown = if heads { headers } else { &[] };
        shown.iter().map(|Header { name, value }| (name.clone(), value.clone())).collect()
    };
    let (response, failure) = match ending {
        Ending::Responded(response) => (Some(response), None),
        Ending::Failed(Failure { kind, detail }) => (None, Some((*kind, detail.clone()))),
    };
    let Phases { name, connection, tls, waiting, reading } = *phases;
    Ended {
        request: request.as_ref().map(|request| Sent {
            method: request.method,
            url: request.url.as_ref().to_owned(),
            target: request.target.as_ref().to_owned(),
            headers: pairs(&request.headers),
            body: request.body.clone().filter(|_| bodies),
        }),
        response: response.map(|response| Received {
            status: response.status,
            reason: response.reason.clone().into_owned(),
            version: response.version.clone().into_owned(),
            headers: pairs(&response.headers),
            body: match std::str::from_utf8(if bodies { &response.body } else { &[] }) {
                Ok(text) => Bytes::Text(text.to_owned()),
                Err(_) => Bytes::Raw(response.body.clone()),
            },
            end: if bodies { response.body_end.clone() } else { BodyEnd::Trimmed },
        }),
        failure,
        started: *started,
        took: [Some(*elapsed), name, connection, tls, waiting, reading].map(|phase| phase.map(micros)),
    }
}

fn exchange_of(id: OperationId, ended: Ended) -> Result<Exchange, WireFault> {
    let headers = |pairs: Vec<(String, String)>| -> Arc<[Header]> {
        pairs.into_iter().map(|(name, value)| Header { name, value }).collect()
    };
    let ending = match (ended.response, ended.failure) {
        (Some(response), None) if (100..1000).contains(&response.status) => Ending::Responded(Response {
            status: response.status,
            reason: response.reason.into(),
            version: response.version.into(),
            headers: headers(response.headers),
            body: match response.body {
                Bytes::Text(text) => text.into_bytes(),
                Bytes::Raw(bytes) => bytes,
            },
            body_end: response.end,
        }),
        (None, Some((kind, detail))) => Ending::Failed(Failure { kind, detail }),
        (_, _) => return Err(WireFault::Invalid("a request has no end, or two".to_owned())),
    };
    let request = ended.request.map(|Sent { method, url, target, headers: sent, body }| Request {
        method,
        url: url.into(),
        target: target.into(),
        headers: headers(sent),
        body,
    });
    let [elapsed, name, connection, tls, waiting, reading] = ended.took.map(|took| took.map(Duration::from_micros));
    // The journal knows the operation.
    let operation = Operation::new(id, crate::domain::OperationKind::Delete(PlantId(0)), ended.started);
    let phases = Phases { name, connection, tls, waiting, reading };
    Ok(Exchange { operation, request, ending, started: ended.started, elapsed: elapsed.unwrap_or_default(), phases })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{OperationKind, Plant};

    const AUTHOR: &str = "ann@a";

    fn author() -> Author {
        Author::new(AUTHOR).unwrap()
    }

    fn intent(name: &str) -> Published {
        let plant = Plant { name: name.to_owned(), id: PlantId(i64::MIN), tag: "\u{1b}[2J".to_owned() };
        let id = OperationId { origin: u64::MAX, number: 1 };
        let operation = Operation::new(id, OperationKind::add(plant), Timestamp(-1));
        Published::Intent { operation, folded: 3 }
    }

    fn end(ending: Ending, body: Option<String>) -> Published {
        let header = |value: &str| Header { name: "authorization".to_owned(), value: value.to_owned() };
        let id = OperationId { origin: u64::MAX, number: 1 };
        let exchange = Exchange {
            operation: Operation::new(id, OperationKind::Delete(PlantId(0)), Timestamp(5)),
            request: Some(Request {
                method: Method::Post,
                url: "http://h/plants".into(),
                target: "/plants".into(),
                headers: [header("Bearer ********")].into(),
                body,
            }),
            ending,
            started: Timestamp(5),
            elapsed: Duration::from_micros(1_234),
            phases: Phases { waiting: Some(Duration::from_micros(7)), ..Phases::default() },
        };
        Published::End { exchange: Box::new(exchange), at: Timestamp(6) }
    }

    fn response(body: &[u8]) -> Ending {
        Ending::Responded(Response {
            status: 201,
            reason: "Created".into(),
            version: "HTTP/1.1".into(),
            headers: [].into(),
            body: body.to_vec(),
            body_end: BodyEnd::Capped(9),
        })
    }

    fn numbered(entries: Vec<Published>) -> Vec<(u64, Published)> {
        (5..).zip(entries).collect()
    }

    fn there_and_back(entries: &[(u64, Published)]) -> Vec<(u64, Published)> {
        let (payload, count) = encode(MemberId(u64::MAX), entries, true, 1 << 20).unwrap();
        assert_eq!(count, entries.len());
        let read = decode(author(), &payload).unwrap();
        assert_eq!((read.author, read.member), (author(), MemberId(u64::MAX)));
        (read.first..).zip(read.entries).collect()
    }

    #[test]
    fn every_kind_of_entry_arrives_as_it_was_sent() {
        let failed = Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: "why".to_owned() });
        let resolution = Resolved { resolution: Resolution::Forget, details: None, at: Timestamp(1), author: None };
        let id = OperationId { origin: 1, number: 2 };
        let entries = numbered(vec![
            intent("Monstera"),
            end(response(b"{\"ok\": 1}"), Some("{}".to_owned())),
            end(response(b"\xff\x00"), None),
            end(failed, None),
            Published::Resolution { id, plant: PlantId(7), resolution, folded: 9 },
        ]);
        assert_eq!(there_and_back(&entries), entries);
    }

    #[test]
    fn bodies_can_be_left_out_and_long_entries_lose_them() {
        let entries = numbered(vec![end(response(&[b'x'; 5_000]), Some("secret".to_owned())), intent("b")]);
        let (payload, count) = encode(MemberId(1), &entries, false, 1 << 20).unwrap();
        let text = String::from_utf8(payload).unwrap();
        assert!(count == 2 && !text.contains("xxx") && !text.contains("secret"), "{text}");
        let (payload, count) = encode(MemberId(1), &entries, true, 2_000).unwrap();
        assert!(payload.len() < 2_000 && count == 2, "{count}");
        // The next message takes what does not fit.
        let many = numbered((0..20).map(|number| intent(&format!("{number:0100}"))).collect());
        let (payload, count) = encode(MemberId(1), &many, true, 2_000).unwrap();
        assert!(payload.len() <= 2_000 && (1..20).contains(&count), "{count}");
    }

    #[test]
    fn a_newer_release_is_distinguished_from_garbage() {
        assert_eq!(decode(author(), b"{\"v\":2,\"new\":[]}"), Err(WireFault::Newer));
        let impossible = format!("{{\"v\":1,\"journal\":1,\"first\":{},\"entries\":[]}}", u64::MAX);
        for garbage in [&b""[..], b"[]", b"{\"v\":1}", b"{\"v\":-1}", impossible.as_bytes()] {
            assert!(matches!(decode(author(), garbage), Err(WireFault::Invalid(_))), "{garbage:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_message_or_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..200), name in any::<String>()) {
            let _ = decode(author(), &bytes);
            let entries = numbered(vec![intent(&name), end(response(&bytes), Some(name))]);
            prop_assert_eq!(there_and_back(&entries), entries);
        }
    }
}
