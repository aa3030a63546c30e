//! What a store responds, over a real connection.

use std::time::Duration;

use plants::client::{Client, Limits, Route, Token};
use plants::domain::body::Body;
use plants::domain::report::entry;
use plants::domain::{
    Ending, Exchange, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Response, StoreUrl, Timestamp,
    compare, curl, plain, sentence,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::{harmless, harmless_line};

const TOKEN: &str = "canary-5f1c";

/// Far more than any store here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Little, so that what is longer is met often.
const CAP: usize = 512;

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
}

pub(super) fn read(bytes: &[u8]) {
    let (exchange, store, requests) = RUNTIME.with(|runtime| runtime.block_on(responded_with(bytes)));
    assert_eq!(requests, 1, "asked more than once");
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
            stood_there(response, bytes);
        }
        Ending::Failed(_) => assert_eq!(outcome, Outcome::Unknown, "the request was read"),
    }
    // Only the client masks: what a damaged journal holds is nobody's token.
    assert!(!shown(&exchange, &store).iter().any(|text| text.contains(TOKEN)), "the token is shown");
}

/// Sends an add to a store that reads it, says these bytes and closes; also how often it was asked.
async fn responded_with(bytes: &[u8]) -> (Exchange, StoreUrl, usize) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("its address");
    let url: StoreUrl = format!("http://{at}").parse().expect("a base URL");
    let client = Client::new(url.clone(), Limits { timeout: PATIENCE, body_cap: CAP }, Route::default());
    let kind = OperationKind::Add(Plant { name: "Monstera".into(), id: PlantId(7), tag: "tropical".into() });
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
    let token = Token::new(TOKEN).expect("a token");
    let mut sending = std::pin::pin!(client.send(None, operation, &token, Timestamp(0), CancellationToken::new()));
    let mut requests = 0;
    let store = async {
        loop {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            requests += 1;
            let mut heard = Vec::new();
            // The body is the last of it, and ends with the only brace.
            while !heard.ends_with(b"}") && stream.read_buf(&mut heard).await.is_ok_and(|count| count > 0) {}
            // The client may have heard enough before the end.
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
        }
    };
    tokio::select! {
        exchange = &mut sending => (exchange, url, requests),
        () = store => unreachable!("the store goes on"),
    }
}

/// Status and body are those of the bytes, and no more than was to be kept.
fn stood_there(response: &Response, bytes: &[u8]) {
    let status = response.status.to_string();
    assert!(bytes.windows(3).any(|part| part == status.as_bytes()), "there is no {status}");
    assert!(response.body.len() <= CAP, "{} bytes of body", response.body.len());
}

/// Renders an exchange in every way there is, and checks that each text is harmless on a terminal.
pub(super) fn shown(exchange: &Exchange, store: &StoreUrl) -> Vec<String> {
    let mut report = String::new();
    entry(&mut report, 1, exchange, None).expect("a string takes it");
    harmless(&report);
    harmless_line(&sentence::describe(exchange, None));
    harmless_line(&plain::describe(exchange, None));
    let mut all = vec![report];
    for section in compare::sections(exchange, None) {
        section.lines.iter().for_each(|line| harmless_line(line));
        all.extend(section.lines);
    }
    if let Ending::Responded(response) = &exchange.ending {
        for body in [Body::laid_out(&response.body), Body::raw(&response.body)] {
            for line in &body.lines {
                harmless_line(&line.text());
                all.push(line.text());
            }
        }
    }
    if let Ok(command) = curl::command(exchange, store) {
        harmless(&command);
        all.push(command);
    }
    all
}
