//! The entries of a member as the JSON of a message, compressed (docs/team.md).
//!
//! A message is input from another machine: nothing in it is used before it is parsed whole. The author is not in it.

use std::sync::Arc;
use std::time::Duration;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::subject;
use crate::domain::{
    Author, BodyEnd, Ending, Exchange, Failure, FailureKind, Header, MemberId, Method, Operation, OperationId, Phases,
    PlantId, Position, Request, Resolution, Response, Timestamp,
};
use crate::journal::{Entry, Event, MOST_ENTRIES, MemberEntries};

/// The version of the format.
const VERSION: u32 = 1;

/// The largest message in bytes before its compression: 1 MiB, and what a reader accepts of others.
const LARGEST: usize = 1 << 20;
const LARGEST_READ: usize = 16 * LARGEST;

/// 1 is the fastest of 10 levels.
const LEVEL: u8 = 1;

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
    journal: MemberId,
    entries: Entries,
}

#[derive(Serialize, Deserialize)]
struct WireEntry {
    number: u64,
    known: Position,
    /// The one that it had, if it is shared again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    #[serde(flatten)]
    event: WireEvent,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WireEvent {
    Intent(Operation),
    End(Box<Ended>),
    Resolution { plant: PlantId, stored: bool, at: Timestamp },
}

#[derive(Serialize, Deserialize)]
struct Ended {
    operation: OperationId,
    at: Timestamp,
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

/// Returns a message with as many of these entries as fit into `most` bytes, and their number; at least one.
/// An entry that is too long alone loses its bodies and headers. Without `bodies`, all lose their bodies.
pub(super) fn encode(
    member: MemberId,
    entries: &[Entry],
    bodies: bool,
    most: usize,
) -> serde_json::Result<(Vec<u8>, usize)> {
    let (mut texts, mut length) = (Vec::new(), 0);
    for entry in entries.iter().take(MOST_ENTRIES) {
        let text = serde_json::value::to_raw_value(&to_wire(entry, bodies, true))?;
        length += text.get().len();
        if length > LARGEST && !texts.is_empty() {
            break;
        }
        texts.push(text);
    }
    loop {
        let payload = pack(member, &texts)?;
        match texts.len() {
            count if payload.len() <= most => return Ok((payload, count)),
            0 | 1 => break,
            count => texts.truncate(count / 2),
        }
    }
    let short = entries.iter().take(1).map(|entry| serde_json::value::to_raw_value(&to_wire(entry, false, false)));
    Ok((pack(member, &short.collect::<Result<Vec<_>, _>>()?)?, 1))
}

fn pack(member: MemberId, entries: &[Box<RawValue>]) -> serde_json::Result<Vec<u8>> {
    packed(&Message { v: VERSION, journal: member, entries })
}

/// Returns the compressed JSON of a value.
pub(super) fn packed(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    Ok(compress_to_vec_zlib(&serde_json::to_vec(value)?, LEVEL))
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
    let unpacked;
    let text = match payload.first() {
        // So that the version of a message can be read by hand.
        Some(b'{') => payload,
        Some(_) | None => {
            let packed = decompress_to_vec_zlib_with_limit(payload, LARGEST_READ);
            unpacked = packed.map_err(|error| WireFault::Invalid(error.to_string()))?;
            &unpacked
        }
    };
    let message: Message<Vec<WireEntry>> = match serde_json::from_slice(text) {
        Ok(Message { v: VERSION, journal, entries }) => Message { v: VERSION, journal, entries },
        read => match serde_json::from_slice(text).map_err(invalid)? {
            Version { v } if v > VERSION => return Err(WireFault::Newer),
            Version { .. } => read.map_err(invalid)?,
        },
    };
    let is_possible = |entry: &WireEntry| entry.number > 0 && i64::try_from(entry.number).is_ok();
    if message.v != VERSION || message.entries.len() > MOST_ENTRIES || !message.entries.iter().all(is_possible) {
        return Err(WireFault::Invalid("its entries have impossible numbers".to_owned()));
    }
    let entries = message.entries.into_iter().map(from_wire).collect::<Result<_, _>>()?;
    Ok(MemberEntries { author, member: message.journal, entries })
}

fn to_wire(Entry { number, position, known, event }: &Entry, bodies: bool, heads: bool) -> WireEntry {
    let event = match event {
        Event::Intent(operation) => WireEvent::Intent(Operation { author: None, ..operation.clone() }),
        Event::End(exchange, at) => WireEvent::End(Box::new(ended(exchange, *at, bodies, heads))),
        Event::Resolution { plant, resolution, at } => {
            WireEvent::Resolution { plant: *plant, stored: *resolution == Resolution::MarkStored, at: *at }
        }
    };
    WireEntry { number: *number, known: *known, position: *position, event }
}

fn from_wire(WireEntry { number, known, position, event }: WireEntry) -> Result<Entry, WireFault> {
    let event = match event {
        WireEvent::Intent(operation) => Event::Intent(Operation { author: None, ..operation }),
        WireEvent::End(ended) => {
            let at = ended.at;
            Event::End(Arc::new(exchange_of(*ended)?), at)
        }
        WireEvent::Resolution { plant, stored, at } => {
            let resolution = if stored { Resolution::MarkStored } else { Resolution::Forget };
            Event::Resolution { plant, resolution, at }
        }
    };
    Ok(Entry { number, position, known, event })
}

fn ended(exchange: &Exchange, at: Timestamp, bodies: bool, heads: bool) -> Ended {
    let Exchange { request, ending, started, elapsed, phases, operation } = exchange;
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
        operation: operation.id,
        at,
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

fn exchange_of(ended: Ended) -> Result<Exchange, WireFault> {
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
    let operation = Operation::new(ended.operation, crate::domain::OperationKind::Delete(PlantId(0)), ended.started);
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

    fn intent(name: &str) -> Event {
        let plant = Plant { name: name.to_owned(), id: PlantId(i64::MIN), tag: "\u{1b}[2J".to_owned() };
        let id = OperationId { origin: u64::MAX, number: 1 };
        let operation = Operation::new(id, OperationKind::add(plant), Timestamp(-1));
        Event::Intent(operation)
    }

    fn end(ending: Ending, body: Option<String>) -> Event {
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
        Event::End(Arc::new(exchange), Timestamp(6))
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

    fn numbered(events: Vec<Event>) -> Vec<Entry> {
        let entry = |(number, event)| Entry { number, position: Some(Position(number)), known: Position(3), event };
        (5..).zip(events).map(entry).collect()
    }

    fn there_and_back(entries: &[Entry]) -> Vec<Entry> {
        let (payload, count) = encode(MemberId(u64::MAX), entries, true, 1 << 20).unwrap();
        assert_eq!(count, entries.len());
        let read = decode(author(), &payload).unwrap();
        assert_eq!((read.author, read.member), (author(), MemberId(u64::MAX)));
        read.entries
    }

    #[test]
    fn every_kind_of_entry_arrives_as_it_was_sent() {
        let failed = Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: "why".to_owned() });
        let entries = numbered(vec![
            intent("Monstera"),
            end(response(b"{\"ok\": 1}"), Some("{}".to_owned())),
            end(response(b"\xff\x00"), None),
            end(failed, None),
            Event::Resolution { plant: PlantId(7), resolution: Resolution::Forget, at: Timestamp(1) },
        ]);
        assert_eq!(there_and_back(&entries), entries);
    }

    #[test]
    fn bodies_can_be_left_out_and_long_entries_lose_them() {
        let entries = numbered(vec![end(response(&[b'x'; 5_000]), Some("secret".to_owned())), intent("b")]);
        let (payload, count) = encode(MemberId(1), &entries, false, 1 << 20).unwrap();
        let text = String::from_utf8(decompress_to_vec_zlib_with_limit(&payload, 1 << 20).unwrap()).unwrap();
        assert!(count == 2 && !text.contains("xxx") && !text.contains("secret"), "{text}");
        let mut random = fastrand::Rng::with_seed(1);
        let body: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(5_000).collect();
        let entries = numbered(vec![end(response(&body), None), intent("b")]);
        let (payload, count) = encode(MemberId(1), &entries, true, 2_000).unwrap();
        assert!(payload.len() < 2_000 && count == 1, "{count}");
        // The next message takes what does not fit.
        let many = numbered((0..20).map(|_| intent(&format!("{:x}", random.u128(..)))).collect());
        let (payload, count) = encode(MemberId(1), &many, true, 600).unwrap();
        assert!(payload.len() <= 600 && (1..20).contains(&count), "{count}");
    }

    #[test]
    fn a_newer_release_is_distinguished_from_garbage() {
        assert_eq!(decode(author(), b"{\"v\":2,\"new\":[]}"), Err(WireFault::Newer));
        let mut impossible = numbered(vec![intent("a")]);
        impossible[0].number = u64::MAX;
        let (impossible, _) = encode(MemberId(1), &impossible, true, 1 << 20).unwrap();
        for garbage in [&b""[..], b"[]", b"{\"v\":1}", b"{\"v\":-1}", &impossible] {
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
