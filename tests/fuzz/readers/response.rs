//! Sends bytes as the response of a store, over a real connection.

use std::time::Duration;

use plants::client::{Client, Limits, Route, Token};
use plants::domain::report::entry;
use plants::domain::{
    Ending, Exchange, Language, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Response, StoreUrl,
    Timestamp, compare, curl, sentence, simple_words,
};
use plants::text::Marks;
use plants::text::body::Body;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::{assert_harmless, assert_harmless_line};

const TOKEN: &str = "canary-5f1c";

/// More than any response takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Small, so that many inputs are longer.
const CAP: usize = 512;

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    /// One for all inputs: a port stays in use for a minute after its connections.
    static LISTENER: TcpListener =
        RUNTIME.with(|runtime| runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port"));
}

pub(super) fn read(bytes: &[u8]) {
    let (exchange, store, requests) =
        LISTENER.with(|listener| RUNTIME.with(|runtime| runtime.block_on(responded_with(bytes, listener))));
    assert_eq!(requests, 1, "sent once: {exchange:?}");
    let outcome = exchange.outcome();
    match &exchange.ending {
        Ending::Responded(response) => {
            let by_status = match response.status {
                200..=299 => Outcome::Accepted,
                408 => Outcome::Unknown,
                300..=499 => Outcome::Rejected,
                _ => Outcome::Unknown,
            };
            assert_eq!(outcome, by_status, "{}", response.status);
            assert_read_from(response, bytes);
        }
        Ending::Failed(_) => assert_eq!(outcome, Outcome::Unknown, "the store has read the request"),
    }
    // Only here: the client masks the token, the journal does not.
    assert!(!shown(&exchange, &store).iter().any(|text| has_token(text)), "the token is shown");
}

/// Whether a text contains the token. A byte that is shown as `\x9c` may stand before the rest of the token, and is no
/// part of it.
fn has_token(text: &str) -> bool {
    text.split("\\x")
        .enumerate()
        .any(|(at, part)| part.get(if at == 0 { 0 } else { 2 }..).unwrap_or(part).contains(TOKEN))
}

/// Sends an add to a store that responds with these bytes and closes. Returns also the number of requests.
async fn responded_with(bytes: &[u8], listener: &TcpListener) -> (Exchange, StoreUrl, usize) {
    let at = listener.local_addr().expect("its address");
    let url: StoreUrl = format!("http://{at}").parse().expect("a base URL");
    let client = Client::new(url.clone(), Limits { timeout: TIMEOUT, body_cap: CAP }, Route::default());
    let kind = OperationKind::add(Plant { name: "Monstera".into(), id: PlantId(7), tag: "tropical".into() });
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
    let token = Token::new(TOKEN).expect("a token");
    let mut sending = std::pin::pin!(client.send(None, operation, &token, Timestamp(0), CancellationToken::new()));
    let mut requests = 0;
    let store = async {
        loop {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            requests += 1;
            let mut request = Vec::new();
            // The request ends with its only brace.
            while !request.ends_with(b"}") && stream.read_buf(&mut request).await.is_ok_and(|count| count > 0) {}
            // The client may close before the end.
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
        }
    };
    tokio::select! {
        exchange = &mut sending => (exchange, url, requests),
        () = store => unreachable!("the store never ends"),
    }
}

/// Asserts that the status is in the bytes, and that the body is not longer than its limit.
fn assert_read_from(response: &Response, bytes: &[u8]) {
    let status = response.status.to_string();
    assert!(bytes.windows(3).any(|part| part == status.as_bytes()), "there is no {status}");
    assert!(response.body.len() <= CAP, "{} bytes of body", response.body.len());
}

/// Renders an exchange in every way, and asserts that each text is harmless.
pub(super) fn shown(exchange: &Exchange, store: &StoreUrl) -> Vec<String> {
    let report = entry(1, exchange, None);
    assert_harmless(&report);
    assert_harmless_line(&sentence::describe(exchange, None));
    let told = simple_words::describe(exchange, simple_words::Known::default());
    for language in Language::ALL {
        assert_harmless_line(&language.render(&told));
    }
    let mut all = vec![report];
    for section in compare::sections(exchange, None, Marks::Unicode) {
        section.lines.iter().for_each(|line| assert_harmless_line(line));
        all.extend(section.lines);
    }
    if let Ending::Responded(response) = &exchange.ending {
        for body in [Body::laid_out(&response.body), Body::raw(&response.body)] {
            for line in &body.lines {
                assert_harmless_line(&line.text());
                all.push(line.text());
            }
        }
    }
    if let Ok(command) = curl::command(exchange, store) {
        assert_harmless(&command);
        all.push(command);
    }
    all
}
