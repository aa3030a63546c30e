//! Tests the client against servers that misbehave: the outcome is right, and nothing is sent twice.
//!
//! Each case checks the exchange, the number of requests, and that the exchange does not contain the token.

use std::time::Duration;

use plants::client::{Client, Limits, Route, Token, request};
use plants::domain::wire::request_text;
use plants::domain::{
    BodyEnd, Ending, Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Response,
    StoreUrl, Timestamp,
};
use tokio_util::sync::CancellationToken;

mod connections;
#[cfg(unix)]
mod curl;
mod faults;
mod phases;
mod proxy;
pub(crate) mod server;
#[cfg(unix)]
mod stopped;
pub(crate) mod tls;

use server::{Server, Step};

use crate::support::closed_port::ClosedPort;

const CANARY: &str = "canary-canary-canary";

/// Long enough for a loaded machine to connect to itself, short enough for a test.
const SHORT: Duration = Duration::from_millis(700);

/// For cases that must not depend on time.
const LONG: Duration = Duration::from_secs(60);

const CAP: usize = 1024 * 1024;

fn within(timeout: Duration) -> Limits {
    Limits { timeout, body_cap: CAP }
}

fn client(base: &str, limits: Limits, route: Route) -> Client {
    Client::new(base.parse().unwrap(), limits, route)
}

fn token() -> Token {
    Token::new(CANARY).unwrap()
}

fn monstera() -> OperationKind {
    OperationKind::add(Plant { name: "Monstera".into(), id: PlantId(7), tag: "tropical".into() })
}

async fn sent(client: &Client, kind: OperationKind, cancel: CancellationToken) -> Exchange {
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
    let exchange = client.send(None, operation.clone(), &token(), Timestamp(5), cancel).await;
    assert_eq!((&exchange.operation, exchange.started), (&operation, Timestamp(5)));
    let spent: Duration = exchange.phases.in_order().into_iter().filter_map(|(_, took)| took).sum();
    assert_eq!(exchange.phases.before(exchange.elapsed) + spent, exchange.elapsed);
    let body = exchange.response().map(|response| String::from_utf8_lossy(&response.body).into_owned());
    for text in [format!("{exchange:?}"), body.unwrap_or_default()] {
        assert!(!text.contains(token().reveal()), "the token is in {text}");
    }
    exchange
}

/// Summarises an exchange in one line: the outcome, then status and body, or the failure.
fn summary(exchange: &Exchange) -> String {
    let outcome = exchange.outcome().word();
    match &exchange.ending {
        Ending::Failed(failure) => format!("{outcome}: {:?}", failure.kind),
        Ending::Responded(response) => {
            let end = match &response.body_end {
                BodyEnd::Complete => "complete".to_owned(),
                BodyEnd::Trimmed | BodyEnd::Shortened(_) => "trimmed".to_owned(),
                BodyEnd::Capped(cap) => format!("capped at {cap}"),
                BodyEnd::CutOff(why) => {
                    assert!(!why.is_empty());
                    "cut off".to_owned()
                }
            };
            let unlike: Vec<String> =
                exchange.mismatches().iter().map(|difference| format!("; {difference}")).collect();
            format!("{outcome}: {} {end}{}", response.status, unlike.concat())
        }
    }
}

fn write(text: &str) -> Step {
    Step::Write(text.as_bytes().to_vec())
}

/// Reads a request, writes `text`, and closes.
fn responses(text: &str) -> Vec<Step> {
    vec![Step::Read, write(text)]
}

/// A well-formed response with this status line and body.
fn whole(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{TYPE}Content-Length: {length}\r\n\r\n{body}")
}

/// The header of the document's media type.
const TYPE: &str = "Content-Type: application/json\r\n";

const GOOD: &str = r#"{"name":"Monstera","tag":"tropical"}"#;

/// Sends one add to a server that plays `script`, and checks the exchange and the number of requests.
async fn play(what: &str, script: Vec<Step>, limits: Limits, expected: &str) -> Exchange {
    let server = Server::playing(script).await;
    let client = client(&server.url("http"), limits, Route::default());
    let exchange = sent(&client, monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), expected, "{what}: {:?}", exchange.ending);
    assert_eq!(server.close().await.len(), 1, "{what}: the request was repeated");
    exchange
}

#[tokio::test]
async fn the_status_line_decides() {
    for (status, expected) in [
        ("101 Switching Protocols", "unknown: 101 complete"),
        ("200 OK", "accepted: 200 complete"),
        ("201 Created", "accepted: 201 complete"),
        ("299 Whatever", "accepted: 299 complete"),
        ("300 Multiple Choices", "rejected: 300 complete"),
        ("308 Permanent Redirect", "rejected: 308 complete"),
        ("400 Bad Request", "rejected: 400 complete"),
        ("401 Unauthorized", "rejected: 401 complete"),
        ("404 Not Found", "rejected: 404 complete"),
        ("407 Proxy Authentication Required", "rejected: 407 complete"),
        ("408 Request Timeout", "unknown: 408 complete"),
        ("409 Conflict", "rejected: 409 complete"),
        ("429 Too Many Requests", "rejected: 429 complete"),
        ("500 Internal Server Error", "unknown: 500 complete"),
        ("503 Service Unavailable", "unknown: 503 complete"),
        ("600 Beyond", "unknown: 600 complete"),
        ("999 Far beyond", "unknown: 999 complete"),
    ] {
        let exchange = play(status, responses(&whole(status, GOOD)), within(LONG), expected).await;
        let response = exchange.response().unwrap();
        assert_eq!(format!("{} {}", response.status, response.reason), status);
        assert_eq!(response.version, "HTTP/1.1");
    }
    play("204", responses("HTTP/1.1 204 No Content\r\n\r\n"), within(LONG), NO_CONTENT).await;
}

const NO_CONTENT: &str = "accepted: 204 complete; the response has no body, not a JSON object with name and tag";

#[tokio::test]
async fn interim_responses_are_skipped() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    let script = responses(&format!("{interim}{}", whole("201 Created", GOOD)));
    play("100, 103, 201", script, within(LONG), "accepted: 201 complete").await;
    let script = vec![Step::Read, write("HTTP/1.1 100 Continue\r\n\r\n")];
    play("100 and no more", script, within(LONG), "unknown: NoResponse").await;
}

#[tokio::test]
async fn without_a_status_line_the_outcome_is_unknown() {
    let no_response = "unknown: NoResponse";
    for (what, script) in [
        ("closes before reading", vec![]),
        ("closes after reading", vec![Step::Read]),
        ("resets before reading", vec![Step::Reset]),
        ("resets after reading", vec![Step::Read, Step::Reset]),
        ("half a status line", responses("HTTP/1.1 20")),
        ("half the headers", responses("HTTP/1.1 201 Created\r\nContent-Le")),
        ("a garbled status line", responses("HTTP/1.1 abc Created\r\n\r\n")),
        ("a status below 100", responses("HTTP/1.1 099 Low\r\n\r\n")),
        ("a status of four digits", responses("HTTP/1.1 2010 Created\r\n\r\n")),
        ("another protocol", responses("SSH-2.0-OpenSSH_9.9\r\n")),
        ("an HTTP/0.9 response", responses(GOOD)),
        ("bytes", vec![Step::Read, Step::Write(vec![0xff, 0x00, 0x1b, 0x16, 0x03])]),
        ("an impossible version", responses("HTTP/9.9 201 Created\r\n\r\n")),
        ("a length that is none", responses("HTTP/1.1 201 Created\r\nContent-Length: x\r\n\r\n")),
    ] {
        play(what, script, within(LONG), no_response).await;
    }
    play("never responds", vec![Step::Read, Step::Hold], within(SHORT), "unknown: TimedOut").await;
    play("interim only", hold(responses("HTTP/1.1 100 Continue\r\n\r\n")), within(SHORT), "unknown: TimedOut").await;
}

fn hold(mut script: Vec<Step>) -> Vec<Step> {
    script.push(Step::Hold);
    script
}

#[tokio::test]
async fn a_bad_body_is_a_mismatch_but_changes_no_outcome() {
    let accepted = |body: &str| responses(&whole("201 Created", body));
    let chunked =
        |chunks: &str| responses(&format!("HTTP/1.1 201 Created\r\n{TYPE}Transfer-Encoding: chunked\r\n\r\n{chunks}"));
    let long = format!("HTTP/1.1 201 Created\r\n{TYPE}Content-Length: 100\r\n\r\n");
    let cut_off = "accepted: 201 cut off; the response is cut off: end of file before message length reached";
    let broken_chunks = "accepted: 201 cut off; the response is cut off: Invalid chunk size line: missing size digit";
    let late = "accepted: 201 cut off; the response is cut off: not all of it came within the time limit of 700 ms";
    let not_json = "accepted: 201 complete; the response is not JSON";
    for (what, script, expected) in [
        ("up to the close", responses(&format!("HTTP/1.0 201 Created\r\n{TYPE}\r\n{GOOD}")), "accepted: 201 complete"),
        ("chunks", chunked(&format!("24\r\n{GOOD}\r\n0\r\n\r\n")), "accepted: 201 complete"),
        (
            "nothing",
            accepted(""),
            "accepted: 201 complete; the response has no body, not a JSON object with name and tag",
        ),
        ("HTML", accepted("<html>welcome</html>"), not_json),
        ("a list", accepted("[]"), "accepted: 201 complete; the response is JSON, but not an object"),
        (
            "another name",
            accepted(r#"{"name":"Ficus","tag":"tropical"}"#),
            r#"accepted: 201 complete; name was sent as "Monstera" and came back as "Ficus""#,
        ),
        ("half a body", responses(&format!("{long}{{\"name\"")), cut_off),
        ("broken chunks", chunked("zz\r\nnonsense"), broken_chunks),
        ("half a chunk", chunked("24\r\n{\"name\""), cut_off),
        (
            "a header that is none",
            responses("HTTP/1.1 201 Created\r\n???: @\r\nno colon\r\nContent-Length: 0\r\n\r\n"),
            NONE_LEFT,
        ),
    ] {
        play(what, script, within(LONG), expected).await;
    }
    play("slow", hold(responses(&format!("{long}{{"))), within(SHORT), late).await;
    let rejected = "HTTP/1.1 409 Conflict\r\nContent-Length: 100\r\n\r\n{";
    play("half a rejection", responses(rejected), within(LONG), "rejected: 409 cut off").await;
}

const NONE_LEFT: &str = "accepted: 201 complete; the response has no body, not a JSON object with name and tag";

#[tokio::test]
async fn a_wrong_media_type_is_a_mismatch() {
    let with = |head: &str, body: &str| {
        responses(&format!("HTTP/1.1 201 Created\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len()))
    };
    let text = "accepted: 201 complete; the response is text/plain, not application/json";
    play("text", with("Content-Type: text/plain; charset=utf-8\r\n", GOOD), within(LONG), text).await;
    let none = "accepted: 201 complete; the response has a body and no Content-Type, not application/json";
    play("no type", with("", GOOD), within(LONG), none).await;
    play("no body", with("", ""), within(LONG), NONE_LEFT).await;
}

#[tokio::test]
async fn bodies_are_stored_unchanged_up_to_the_cap() {
    let not_json = "accepted: 201 complete; the response is not JSON";
    let compressed = "accepted: 201 complete; the response is compressed with gzip, which was not requested, and is not \
                      decoded, so its body cannot be compared";
    let with_bytes = |head: &str, body: &[u8]| {
        let mut bytes =
            format!("HTTP/1.1 201 Created\r\n{TYPE}{head}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend_from_slice(body);
        vec![Step::Read, Step::Write(bytes)]
    };
    let body_of = |exchange: &Exchange| exchange.response().unwrap().body.clone();

    let invalid = b"\xff\xfe\x1b[2J";
    let exchange = play("invalid UTF-8", with_bytes("", invalid), within(LONG), not_json).await;
    assert_eq!(body_of(&exchange), invalid);

    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03";
    let exchange = play("gzip", with_bytes("Content-Encoding: gzip\r\n", gzip), within(LONG), compressed).await;
    assert_eq!(body_of(&exchange), gzip);

    let small = |body_cap| Limits { timeout: LONG, body_cap };
    let exact = responses(&whole("201 Created", GOOD));
    play("just the cap", exact.clone(), small(GOOD.len()), "accepted: 201 complete").await;
    let over = "accepted: 201 capped at 35; the response is longer than 35 bytes; the rest was not read";
    let exchange = play("one over", exact, small(35), over).await;
    assert_eq!(body_of(&exchange).len(), 35);

    let endless = vec![Step::Read, write("HTTP/1.1 500 Oops\r\n\r\n"), Step::Flood(usize::MAX)];
    let exchange = play("endless", endless, within(LONG), "unknown: 500 capped at 1048576").await;
    assert_eq!(body_of(&exchange).len(), CAP);
}

#[tokio::test]
async fn headers_and_reason_are_stored_as_received() {
    // Except for letter case, and a repeated name, which moves to its first occurrence.
    let script = responses("HTTP/1.1 201 \r\nServer: hé\r\nX-A: 1\r\nContent-Length: 0\r\nX-A: 2\r\n\r\n");
    let exchange = play("headers", script, within(LONG), NONE_LEFT).await;
    let Response { reason, headers, .. } = exchange.response().unwrap();
    assert_eq!(reason, "");
    let shown: Vec<String> = headers.iter().map(|header| format!("{}: {}", header.name, header.value)).collect();
    assert_eq!(shown, ["server: hé", "x-a: 1", "x-a: 2", "content-length: 0"]);
    let phrase = play("phrase", responses(&whole("201 Potted!", GOOD)), within(LONG), "accepted: 201 complete").await;
    assert_eq!(phrase.response().unwrap().reason, "Potted!");
}

#[tokio::test]
async fn headers_are_stored_up_to_a_cap() {
    let long = |count: usize, bytes: usize| {
        let header = |number: usize| format!("X-{number}: {}\r\n", "x".repeat(bytes));
        let headers: Vec<_> = (0..count).map(header).collect();
        let headers = headers.concat();
        responses(&format!("HTTP/1.1 409 Conflict\r\n{headers}Retry-After: 7\r\nContent-Length: 0\r\n\r\n"))
    };
    for (count, bytes, whole) in [(1, 300_000, 0), (90, 4_000, 0), (200, 1_000, 0), (20, 3_000, 20)] {
        let exchange = play("headers", long(count, bytes), within(LONG), "rejected: 409 complete").await;
        let response = exchange.response().unwrap();
        let stored: usize = response.headers.iter().map(|header| header.name.len() + header.value.len()).sum();
        assert!(stored <= 64 * 1024, "{stored}");
        // Each name is there, and what is short is whole.
        assert_eq!((response.headers.len(), response.header("retry-after")), (count + 2, Some("7")));
        let cut = response.headers.iter().filter(|header| header.value.ends_with('…')).count();
        assert_eq!(count - cut, whole);
    }
}

#[tokio::test]
async fn redirects_are_shown_and_never_followed() {
    for status in ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect"] {
        let elsewhere = Server::playing(responses(&whole("200 OK", GOOD))).await;
        let location =
            format!("HTTP/1.1 {status}\r\nLocation: {}/plants\r\nContent-Length: 0\r\n\r\n", elsewhere.url("http"));
        let expected = format!("rejected: {} complete", status.split_once(' ').unwrap().0);
        play(status, responses(&location), within(LONG), &expected).await;
        assert_eq!(elsewhere.close().await, [""; 0], "{status} was followed");
    }
}

#[tokio::test]
async fn an_echoed_token_is_masked() {
    let head = format!("HTTP/1.1 200 Bearer {CANARY}\r\n{TYPE}X-Echo: Bearer {CANARY}\r\n\r\n");
    let script = vec![Step::Read, write(&head), Step::Echo];
    let expected = "accepted: 200 complete; the response is not JSON";
    let exchange = play("echo", script, within(LONG), expected).await;
    let response = exchange.response().unwrap();
    let stars = format!("Bearer {}", "*".repeat(CANARY.len()));
    assert_eq!(response.reason, stars);
    assert!(response.headers.iter().any(|header| header.name == "x-echo" && header.value == stars));
    assert!(String::from_utf8_lossy(&response.body).contains(&stars));
}

#[tokio::test]
async fn without_a_listener_nothing_is_sent() {
    let closed = ClosedPort::new();
    let refusing = closed.base();
    for (base, detail) in [(refusing.as_str(), "refused"), ("http://nothing.invalid", "")] {
        let client = client(base, within(LONG), Route::default());
        let exchange = sent(&client, monstera(), CancellationToken::new()).await;
        assert_eq!(summary(&exchange), "not sent: NotConnected", "{base}");
        let Ending::Failed(failure) = &exchange.ending else { unreachable!() };
        assert!(failure.detail.contains(detail) && !failure.detail.contains("http"), "{}", failure.detail);
        assert!(exchange.request.is_some());
    }
}

#[tokio::test]
async fn a_cancelled_exchange_proves_whether_a_request_was_sent() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let server = Server::playing(responses(&whole("201 Created", GOOD))).await;
    let exchange = sent(&client(&server.url("http"), within(LONG), Route::default()), monstera(), cancel).await;
    assert_eq!(summary(&exchange), "not sent: CancelledBeforeSending");
    assert_eq!(server.close().await, [""; 0]);

    let script = vec![Step::Read, Step::Signal, Step::Hold];
    assert_eq!(cancelled_on_signal(script, "http").await, "unknown: CancelledInFlight");

    // More than all socket buffers can contain, so the client is certainly reading the body.
    let flood = Step::Flood(16 * 1024 * 1024);
    let script = vec![Step::Read, write(&format!("HTTP/1.1 201 Created\r\n{TYPE}\r\n")), flood];
    let cut_off = "accepted: 201 cut off; the response is cut off: cancelled while it was being read";
    assert_eq!(cancelled_on_signal(script, "http").await, cut_off);

    // There is a TCP connection without TLS, so no request can have been sent.
    let script = vec![Step::Signal, Step::Hold];
    assert_eq!(cancelled_on_signal(script, "https").await, "not sent: CancelledBeforeSending");
}

async fn cancelled_on_signal(script: Vec<Step>, scheme: &str) -> String {
    let server = Server::playing(script).await;
    let limits = Limits { timeout: LONG, body_cap: usize::MAX };
    let client = client(&server.url(scheme), limits, Route::default());
    let cancel = CancellationToken::new();
    let (exchange, ()) = tokio::join!(sent(&client, monstera(), cancel.clone()), async {
        server.signalled().await;
        cancel.cancel();
    });
    exchange.response().iter().for_each(|response| assert!(response.body.len() < 64 * 1024 * 1024));
    summary(&exchange)
}

/// Covers all spellings of a base URL, the limits of ids, and names with control characters.
#[tokio::test]
async fn the_shown_request_equals_the_sent_bytes() {
    let names = ["", "Monstera", "\"quoted\" \\ {}", "two\nlines\r\n\r\nX: y", "🌱 é 漢 \u{202e}", "\0\u{1b}[2J\u{7f}"];
    let adds = names.into_iter().map(|name| (name, i64::MIN)).chain([("max", i64::MAX)]);
    let adds =
        adds.map(|(name, id)| OperationKind::add(Plant { name: name.into(), id: PlantId(id), tag: name.into() }));
    let deletes = [i64::MIN, -1, 0, i64::MAX].map(|id| OperationKind::Delete(PlantId(id)));
    let kinds: Vec<OperationKind> = adds.chain(deletes).collect();
    for prefix in ["", "/", "/api", "/api/", "/a%20b/v1;x=~'!"] {
        for kind in &kinds {
            let server = Server::playing(hold(responses("HTTP/1.1 204 No Content\r\n\r\n"))).await;
            let base = format!("{}{prefix}", server.url("http"));
            let client = client(&base, within(LONG), Route::default());
            let exchange = sent(&client, kind.clone(), CancellationToken::new()).await;
            let shown = exchange.request.unwrap();
            assert_eq!(shown, request(&base.parse::<StoreUrl>().unwrap(), kind));
            let text = request_text(&shown);
            let (head, body) = text.split_once("\n\n").unwrap();
            let shown = format!("{}\r\n\r\n{body}", head.replace('\n', "\r\n"));
            let received = server.close().await;
            let masked: Vec<String> =
                received.iter().map(|text| text.replace(&format!("Bearer {CANARY}"), "Bearer ********")).collect();
            assert_eq!(masked, [shown]);
            assert_ne!(masked, received);
        }
    }
}

#[tokio::test]
async fn a_request_that_cannot_be_built_is_not_sent() {
    let route = Route { proxy: Some("socks5://127.0.0.1:1".parse().unwrap()), ..Route::default() };
    let client = client("https://store.invalid", within(LONG), route);
    let exchange = sent(&client, monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "not sent: NotBuilt");
    assert_eq!(exchange.request, None);
    let Ending::Failed(failure) = exchange.ending else { unreachable!() };
    assert_eq!(failure.kind, FailureKind::NotBuilt);
    assert!(failure.detail.starts_with("a proxy must be http or https, not socks5"), "{}", failure.detail);
}
