//! The entries of a member as the JSON of a message, compressed (docs/team.md).
//!
//! A message is input from another machine: nothing in it is used before it is parsed whole. The author is not in it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::subject;
use crate::domain::{
    Author, BodyEnd, Ending, Exchange, Failure, Header, MemberId, Operation, OperationId, OperationKind, Phases,
    PlantId, Request, Response, Timestamp,
};
use crate::journal::{Entry, MOST_ENTRIES, MemberEntries};

/// The version of the format.
const VERSION: u32 = 1;

/// The largest message in bytes before its compression: 1 MiB, and what a reader accepts of others.
const LARGEST: usize = 1 << 20;
const LARGEST_READ: usize = 16 * LARGEST;

/// Texts of more than twice these bytes are cut to these where a message is too large otherwise.
const KEPT: usize = 128;

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
    heads: Heads,
    entries: Entries,
}

/// The heads of requests and responses, each once: most of them repeat.
#[derive(Default, Serialize, Deserialize)]
struct Heads {
    requests: Vec<Request>,
    responses: Vec<Response>,
    /// The length of the heads that entries have, each counted as often as it is used.
    #[serde(skip)]
    used: usize,
}

#[derive(Serialize, Deserialize)]
struct Ended {
    operation: OperationId,
    at: Timestamp,
    request: Option<Sent>,
    ending: WireEnding,
    started: Timestamp,
    /// Microseconds: all, name, connection, TLS, waiting, reading.
    took: [Option<u64>; 6],
}

/// A request, with the place of its head.
#[derive(Serialize, Deserialize)]
struct Sent {
    head: usize,
    body: Option<String>,
}

/// A response has the place of its head.
#[derive(Serialize, Deserialize)]
enum WireEnding {
    Responded { head: usize, body: Bytes, end: BodyEnd },
    Failed(Failure),
}

/// Bytes, as text where they are text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

/// Returns a message with as many of these entries as fit into `most` bytes, and their number; at least one.
/// An entry that is too long alone loses its bodies and headers, and then its texts are cut. Without `bodies`, all lose
/// their bodies.
pub(super) fn encode(
    member: MemberId,
    entries: &[Entry],
    bodies: bool,
    most: usize,
) -> serde_json::Result<(Vec<u8>, usize)> {
    let mut left = entries.get(..MOST_ENTRIES).unwrap_or(entries);
    loop {
        let (message, count) = pack(member, left, bodies, true)?;
        if let Some(payload) = compressed(&message, most)? {
            return Ok((payload, count));
        }
        if count <= 1 {
            let (message, count) = pack(member, left.get(..1).unwrap_or(left), false, false)?;
            return Ok((fitted(&message, most)?, count));
        }
        left = left.get(..count / 2).unwrap_or(left);
    }
}

/// Returns a message with these entries, or as many as a message may have, and their number.
fn pack(
    member: MemberId,
    entries: &[Entry],
    bodies: bool,
    headers: bool,
) -> serde_json::Result<(Message<Vec<Box<RawValue>>>, usize)> {
    let (mut texts, mut heads, mut length) = (Vec::new(), Heads::default(), 0);
    for entry in entries {
        let entry = entry
            .clone()
            .try_map(|(exchange, at)| Ok::<_, serde_json::Error>(ended(&exchange, at, bodies, headers, &mut heads)))?;
        let text = serde_json::value::to_raw_value(&entry)?;
        length += text.get().len();
        if length + heads.used > LARGEST && !texts.is_empty() {
            break;
        }
        texts.push(text);
    }
    let count = texts.len();
    Ok((Message { v: VERSION, journal: member, heads, entries: texts }, count))
}

/// Returns the compressed JSON of a value; `None` if a message of `most` bytes cannot hold it, or its reader cannot.
pub(super) fn compressed(value: &impl Serialize, most: usize) -> serde_json::Result<Option<Vec<u8>>> {
    let text = serde_json::to_vec(value)?;
    let payload = (text.len() <= LARGEST_READ).then(|| compress_to_vec_zlib(&text, LEVEL));
    Ok(payload.filter(|payload| payload.len() <= most))
}

/// Returns the compressed JSON of a value, whose long texts are cut if a message of `most` bytes cannot hold it otherwise:
/// what can never be published would hold back what follows.
pub(super) fn fitted(value: &impl Serialize, most: usize) -> serde_json::Result<Vec<u8>> {
    if let Some(payload) = compressed(value, most)? {
        return Ok(payload);
    }
    let mut value = serde_json::to_value(value)?;
    cut(&mut value);
    Ok(compress_to_vec_zlib(&serde_json::to_vec(&value)?, LEVEL))
}

/// Cuts the long texts of a value. Each ends in its length and hash then: the fold distinguishes names and tags.
fn cut(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > 2 * KEPT => {
            let (length, hash) = (text.len(), subject::fnv(text.as_bytes()));
            text.truncate((0..=KEPT).rfind(|at| text.is_char_boundary(*at)).unwrap_or_default());
            let _ = write!(text, "… (cut: {length} bytes, {hash:016x})");
        }
        Value::Array(values) => values.iter_mut().for_each(cut),
        Value::Object(fields) => fields.values_mut().for_each(cut),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
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
    let mut message: Message<Vec<Entry<Ended>>> = match serde_json::from_slice(text) {
        Ok(message @ Message { v: VERSION, .. }) => message,
        read => match serde_json::from_slice(text).map_err(invalid)? {
            Version { v } if v > VERSION => return Err(WireFault::Newer),
            Version { .. } => read.map_err(invalid)?,
        },
    };
    let is_possible = |entry: &Entry<Ended>| entry.number > 0 && i64::try_from(entry.number).is_ok();
    if message.v != VERSION || message.entries.len() > MOST_ENTRIES || !message.entries.iter().all(is_possible) {
        return Err(WireFault::Invalid("its entries have impossible numbers".to_owned()));
    }
    let mut exchange = |ended: Ended| {
        let at = ended.at;
        Ok::<_, WireFault>((Arc::new(exchange_of(ended, &mut message.heads)?), at))
    };
    let entries = message.entries.into_iter().map(|entry| entry.try_map(&mut exchange));
    Ok(MemberEntries { author, member: message.journal, entries: entries.collect::<Result<_, _>>()? })
}

impl Heads {
    /// Counts a use of a head.
    fn count(&mut self, texts: [&str; 2], headers: &[Header]) {
        // An empty one takes room as well.
        let headers = headers.iter().map(|Header { name, value }| name.len() + value.len() + 1);
        self.used += texts.map(str::len).iter().sum::<usize>() + headers.sum::<usize>();
    }

    /// Returns the place of the head of a request, which is added if it is new.
    fn add_request(&mut self, head: Request) -> usize {
        self.count([&head.url, &head.target], &head.headers);
        place(&mut self.requests, head)
    }

    fn add_response(&mut self, head: Response) -> usize {
        self.count([&head.reason, &head.version], &head.headers);
        place(&mut self.responses, head)
    }

    /// # Errors
    ///
    /// There is no such head, or entries have used too many.
    fn request(&mut self, place: usize) -> Result<Request, WireFault> {
        let head = self.requests.get(place).cloned().ok_or_else(no_head)?;
        self.count([&head.url, &head.target], &head.headers);
        if self.used > LARGEST_READ { Err(no_head()) } else { Ok(head) }
    }

    fn response(&mut self, place: usize) -> Result<Response, WireFault> {
        let head = self.responses.get(place).filter(|head| (100..1000).contains(&head.status));
        let head = head.cloned().ok_or_else(no_head)?;
        self.count([&head.reason, &head.version], &head.headers);
        if self.used > LARGEST_READ { Err(no_head()) } else { Ok(head) }
    }
}

fn no_head() -> WireFault {
    WireFault::Invalid("a head is missing or too long".to_owned())
}

/// Returns the place of a head among those of a message, to which it is added if it is new.
fn place<Head: PartialEq>(heads: &mut Vec<Head>, head: Head) -> usize {
    heads.iter().rposition(|known| *known == head).unwrap_or_else(|| {
        heads.push(head);
        heads.len() - 1
    })
}

fn ended(exchange: &Exchange, at: Timestamp, bodies: bool, headers: bool, heads: &mut Heads) -> Ended {
    let Exchange { request, ending, started, elapsed, phases, operation } = exchange;
    let micros = |phase: Duration| u64::try_from(phase.as_micros()).unwrap_or(u64::MAX);
    let shown = |all: &Arc<[Header]>| if headers { Arc::clone(all) } else { Arc::default() };
    let request = request.as_ref().map(|Request { method, url, target, headers, body }| {
        let (url, target, headers) = (Arc::clone(url), Arc::clone(target), shown(headers));
        let head = Request { method: *method, url, target, headers, body: None };
        Sent { head: heads.add_request(head), body: body.clone().filter(|_| bodies) }
    });
    let ending = match ending {
        Ending::Responded(Response { status, reason, version, headers, body, body_end }) => {
            let (reason, version, headers) = (reason.clone(), version.clone(), shown(headers));
            let (none, complete) = (Vec::new(), BodyEnd::Complete);
            let head = Response { status: *status, reason, version, headers, body: none, body_end: complete };
            let shown = match std::str::from_utf8(if bodies { body } else { &[] }) {
                Ok(text) => Bytes::Text(text.to_owned()),
                Err(_) => Bytes::Raw(body.clone()),
            };
            let end = if bodies { body_end.clone() } else { BodyEnd::Trimmed };
            WireEnding::Responded { head: heads.add_response(head), body: shown, end }
        }
        Ending::Failed(failure) => WireEnding::Failed(failure.clone()),
    };
    let Phases { name, connection, tls, waiting, reading } = *phases;
    let took = [Some(*elapsed), name, connection, tls, waiting, reading].map(|phase| phase.map(micros));
    Ended { operation: operation.id, at, request, ending, started: *started, took }
}

fn exchange_of(
    Ended { operation, at: _, request, ending, started, took }: Ended,
    heads: &mut Heads,
) -> Result<Exchange, WireFault> {
    let request = request.map(|Sent { head, body }| Ok(Request { body, ..heads.request(head)? })).transpose()?;
    let ending = match ending {
        WireEnding::Responded { head, body, end: body_end } => {
            let body = match body {
                Bytes::Text(text) => text.into_bytes(),
                Bytes::Raw(bytes) => bytes,
            };
            if let BodyEnd::Shortened(whole) = &body_end
                && (i64::try_from(whole.length).is_err() || matches!(whole.end, BodyEnd::Shortened(_)))
            {
                return Err(WireFault::Invalid("the length of a body is impossible".to_owned()));
            }
            Ending::Responded(Response { body, body_end, ..heads.response(head)? })
        }
        WireEnding::Failed(failure) => Ending::Failed(failure),
    };
    let [elapsed, name, connection, tls, waiting, reading] = took.map(|took| took.map(Duration::from_micros));
    // The journal knows the operation.
    let operation = Operation::new(operation, OperationKind::Delete(PlantId(0)), started);
    let phases = Phases { name, connection, tls, waiting, reading };
    Ok(Exchange { operation, request, ending, started, elapsed: elapsed.unwrap_or_default(), phases })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{FailureKind, Method, Plant, Position, Resolution, Shortened};
    use crate::journal::Event;

    const AUTHOR: &str = "ann@a";

    fn author() -> Author {
        AUTHOR.parse().unwrap()
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
        Event::End((Arc::new(exchange), Timestamp(6)))
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
    fn texts_are_cut_where_no_message_can_hold_them() {
        let mut random = fastrand::Rng::with_seed(1);
        let long: String = std::iter::repeat_with(|| random.char('é'..)).take(5_000).collect();
        let shared = |name: &str| {
            let entries = numbered(vec![intent(name), intent("b")]);
            let (payload, count) = encode(MemberId(1), &entries, true, 1024).unwrap();
            assert!(payload.len() <= 1024 && count == 1, "{count}, {}", payload.len());
            let read = decode(author(), &payload).unwrap().entries;
            let [Entry { event: Event::Intent(operation), number: 5, .. }] = &read[..] else { unreachable!() };
            operation.kind.plant().unwrap().name.clone()
        };
        let cut = shared(&long);
        let (start, mark) = cut.rsplit_once("… (cut: ").unwrap();
        assert!(long.starts_with(start) && (KEPT - 3..=KEPT).contains(&start.len()), "{cut}");
        assert!(mark.starts_with(&format!("{} bytes, ", long.len())) && cut.len() <= 2 * KEPT, "{cut}");
        // The ends of texts count, too.
        let (of_x, of_y) = (shared(&format!("{long}x")), shared(&format!("{long}y")));
        assert!(of_x != of_y && of_x.starts_with(start) && of_y.starts_with(start), "{of_x} {of_y}");
        // What can be compressed and not read is cut as well.
        assert!(shared(&"a".repeat(LARGEST_READ)).ends_with(')'));
    }

    #[test]
    fn equal_heads_are_in_a_message_once_and_cannot_be_used_without_end() {
        let long = Header { name: "x".to_owned(), value: "y".repeat(10_000) };
        let Event::End((one, at)) = end(response(b"{}"), None) else { unreachable!() };
        let request = one.request.clone().map(|request| Request { headers: [long].into(), ..request });
        let one = Event::End((Arc::new(Exchange { request, ..(*one).clone() }), at));
        let entries = numbered(vec![one; 100]);
        let (payload, count) = encode(MemberId(1), &entries, true, 1 << 20).unwrap();
        let text = String::from_utf8(decompress_to_vec_zlib_with_limit(&payload, 1 << 20).unwrap()).unwrap();
        assert_eq!((count, text.matches("yyyyyyyyyy").count()), (100, 1_000));
        assert_eq!(decode(author(), &payload).unwrap().entries, entries);
        let many = text.replace(&"y".repeat(10_000), &"y".repeat(200_000));
        assert_eq!(decode(author(), many.as_bytes()), Err(no_head()));
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

    #[test]
    fn a_shortened_body_that_cannot_be_stored_is_invalid() {
        let shortened =
            |length, end| BodyEnd::Shortened(Box::new(Shortened { length, end, mismatches: Vec::new(), reason: None }));
        let longest = usize::try_from(i64::MAX).unwrap();
        for (body_end, is_valid) in [
            (shortened(longest, BodyEnd::Capped(9)), true),
            (shortened(longest + 1, BodyEnd::Complete), false),
            (shortened(9, shortened(9, BodyEnd::Complete)), false),
        ] {
            let Ending::Responded(whole) = response(b"{}") else { unreachable!() };
            let entries = numbered(vec![end(Ending::Responded(Response { body_end, ..whole }), None)]);
            let (payload, _) = encode(MemberId(1), &entries, true, 1 << 20).unwrap();
            assert_eq!(decode(author(), &payload).is_ok(), is_valid);
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
