//! Tests kept connections: they are reused while they are open, and nothing is lost or repeated otherwise.

use std::sync::{Arc, Mutex};

use plants::client::{Client, Connections, Route};
use plants::domain::{Exchange, Operation, OperationId, OperationKind, Plant, PlantId, Timestamp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::support::closed_port::ClosedPort;

use super::{GOOD, LONG, client, summary, token, whole, within};

/// How a store handles one request on a connection.
#[derive(Clone)]
enum Turn {
    Writes(String),
    /// Writes the text and closes at once.
    WritesAndCloses(String),
    Closes,
    Resets,
    /// Writes nothing.
    Waits,
}

/// The requests received on each connection.
type Received = Arc<Mutex<Vec<Vec<String>>>>;

/// A store that keeps its connections and plays a script on each. The last turn of a script is repeated, and so
/// is the last script.
struct Store {
    base: String,
    received: Received,
    /// Has a token of each connection that the store has closed, until the client closes it, too.
    closed: TaskTracker,
    /// Closes the connections.
    hang_up: broadcast::Sender<TaskTrackerToken>,
    serving: JoinSet<()>,
}

impl Store {
    fn playing(scripts: Vec<Vec<Turn>>) -> Self {
        Self::at(&ClosedPort::new(), scripts)
    }

    fn at(port: &ClosedPort, scripts: Vec<Vec<Turn>>) -> Self {
        let listener = port.listen();
        let (received, closed, hang_up) = (Received::default(), TaskTracker::new(), broadcast::Sender::new(1));
        closed.close();
        let mut serving = JoinSet::new();
        let (notes, closing, goodbye) = (Arc::clone(&received), closed.clone(), hang_up.clone());
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                notes.lock().unwrap().push(Vec::new());
                let script = scripts[number.min(scripts.len() - 1)].clone();
                let notes = Arc::clone(&notes);
                let note = move |request| notes.lock().unwrap()[number].push(request);
                connections.spawn(play(stream, script, note, closing.clone(), goodbye.subscribe()));
            }
        });
        Self { base: port.base(), received, closed, hang_up, serving }
    }

    /// Closes the connections, none of which has a request in flight.
    async fn hang_up(&self) {
        // Without a receiver, no connection is open.
        drop(self.hang_up.send(self.closed.token()));
        self.client_noticed().await;
    }

    /// Waits until the client has closed each connection that the store has closed.
    async fn client_noticed(&self) {
        tokio::time::timeout(LONG, self.closed.wait()).await.expect("the client closes its side");
    }

    /// Returns the ids of the received plants, by connection.
    fn ids(&self) -> Vec<Vec<i64>> {
        let id = |request: &String| -> i64 {
            let (_, digits) = request.split_once("\"id\":").unwrap();
            digits.split(',').next().unwrap().parse().unwrap()
        };
        self.received.lock().unwrap().iter().map(|requests| requests.iter().map(id).collect()).collect()
    }
}

async fn play(
    mut stream: TcpStream,
    script: Vec<Turn>,
    note: impl Fn(String),
    closed: TaskTracker,
    mut hang_up: broadcast::Receiver<TaskTrackerToken>,
) {
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    for number in 0.. {
        // The body of an add is an object without a nested object.
        while !request.ends_with('}') {
            let read = tokio::select! {
                read = stream.read(&mut buffer) => read,
                token = hang_up.recv() => return close(stream, token.unwrap()).await,
            };
            match read {
                Ok(count @ 1..) => request.push_str(std::str::from_utf8(&buffer[..count]).unwrap()),
                Ok(0) | Err(_) => return,
            }
        }
        note(std::mem::take(&mut request));
        match &script[number.min(script.len() - 1)] {
            Turn::Writes(text) => stream.write_all(text.as_bytes()).await.unwrap(),
            Turn::WritesAndCloses(text) => {
                let token = closed.token();
                stream.write_all(text.as_bytes()).await.unwrap();
                return close(stream, token).await;
            }
            Turn::Closes => return,
            Turn::Resets => return stream.set_zero_linger().unwrap(),
            Turn::Waits => {}
        }
    }
}

/// Closes a connection, and keeps the token until the client has closed it, too.
async fn close(mut stream: TcpStream, _token: TaskTrackerToken) {
    // Fails if the client has closed it already.
    stream.shutdown().await.ok();
    while let Ok(1..) = stream.read(&mut [0; 4096]).await {}
}

fn created() -> Turn {
    Turn::Writes(whole("201 Created", GOOD))
}

async fn add_with(connections: &Connections, client: &Client, id: i64, cancel: CancellationToken) -> Exchange {
    let kind = OperationKind::add(Plant { name: "Monstera".into(), id: PlantId(id), tag: "tropical".into() });
    let number = u32::try_from(id).unwrap();
    let operation = Operation::new(OperationId { origin: 1, number }, kind, Timestamp(0));
    client.send(Some(connections), operation, &token(), Timestamp(5), cancel).await
}

async fn add(connections: &Connections, client: &Client, id: i64) -> String {
    summary(&add_with(connections, client, id, CancellationToken::new()).await)
}

/// Adds plants over the same connections; checks that each is accepted and received once. Returns the ids by
/// connection.
async fn all_accepted(scripts: Vec<Vec<Turn>>, count: i64) -> Vec<Vec<i64>> {
    let store = Store::playing(scripts);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    for id in 1..=count {
        let summary = add(&connections, &client, id).await;
        assert!(summary.starts_with("accepted: 201"), "{id}: {summary}");
        store.client_noticed().await;
    }
    let ids = store.ids();
    assert_eq!(ids.concat(), (1..=count).collect::<Vec<_>>());
    ids
}

#[tokio::test]
async fn a_connection_is_reused() {
    // A connection that was idle for too long is not reused; a loaded machine may pause for that long.
    for _ in 0..5 {
        if all_accepted(vec![vec![created()]], 20).await == [(1..=20).collect::<Vec<_>>()] {
            return;
        }
    }
    panic!("no connection was reused for 20 requests");
}

#[tokio::test]
async fn an_exchange_over_a_kept_connection_has_its_phases() {
    let store = Store::playing(vec![vec![created()]]);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    for id in 1..=3 {
        let exchange = add_with(&connections, &client, id, CancellationToken::new()).await;
        assert_eq!(summary(&exchange), "accepted: 201 complete");
        let took: Vec<_> = exchange.phases.in_order().into_iter().filter(|(_, took)| took.is_some()).collect();
        let words: Vec<_> = took.iter().map(|(word, _)| *word).collect();
        assert!(words == ["waiting", "reading"] || words == ["connection", "waiting", "reading"], "{words:?}");
        let sum: std::time::Duration = took.into_iter().filter_map(|(_, took)| took).sum();
        assert_eq!(exchange.phases.before(exchange.elapsed) + sum, exchange.elapsed);
    }
}

#[tokio::test]
async fn a_store_that_closes_after_each_response_loses_nothing() {
    for head in [
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 36\r\n\r\n",
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 36\r\n\r\n",
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: keep-alive\r\ncontent-length: 36\r\n\r\n",
        "HTTP/1.0 201 Created\r\ncontent-type: application/json\r\ncontent-length: 36\r\n\r\n",
        "HTTP/1.0 201 Created\r\ncontent-type: application/json\r\n\r\n",
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n\r\n",
    ] {
        let ids = all_accepted(vec![vec![Turn::WritesAndCloses(format!("{head}{GOOD}"))]], 20).await;
        assert_eq!(ids.len(), 20, "{head}");
    }
}

#[tokio::test]
async fn a_store_that_announces_a_close_loses_nothing() {
    let closes =
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 36\r\n\r\n";
    // The store may close later, or after some more responses.
    all_accepted(vec![vec![Turn::Writes(format!("{closes}{GOOD}"))]], 10).await;
    all_accepted(vec![vec![created(), created(), Turn::WritesAndCloses(format!("{closes}{GOOD}"))]], 20).await;
}

#[tokio::test]
async fn a_request_uses_another_connection_if_the_kept_one_is_closed() {
    for good in [1, 2, 5] {
        let store = Store::playing(vec![vec![created()]]);
        let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
        for id in 1..=8 {
            assert_eq!(add(&connections, &client, id).await, "accepted: 201 complete", "{id}");
            if id % good == 0 {
                store.hang_up().await;
            }
        }
        assert_eq!(store.ids().concat(), (1..=8).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn surplus_bytes_are_no_response_to_the_next_request() {
    let twice = format!("{0}{0}", whole("201 Created", GOOD));
    let timed_out = format!("{}HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n", whole("201 Created", GOOD));
    let babble = format!("{}\r\n\r\nbabble", whole("201 Created", GOOD));
    for (text, closes) in [(twice.clone(), false), (twice, true), (timed_out, true), (babble, false)] {
        let turn = if closes { Turn::WritesAndCloses(text) } else { Turn::Writes(text) };
        assert_eq!(all_accepted(vec![vec![turn]], 5).await, [[1], [2], [3], [4], [5]]);
    }
}

#[tokio::test]
async fn surplus_bytes_after_a_later_response_are_no_response() {
    let leftover = "HTTP/1.1 299 Leftover\r\ncontent-length: 0\r\n\r\n";
    for kept in [1, 2, 5] {
        let more = Turn::Writes(format!("{}{leftover}", whole("201 Created", GOOD)));
        let script = [vec![created(); kept], vec![more, created()]].concat();
        let ids = all_accepted(vec![script, vec![created()]], 8).await;
        // The store may send more of them, so each later request has a connection of its own.
        assert_eq!(ids.len(), 8 - kept, "{ids:?}");
    }
}

#[tokio::test]
async fn a_lost_request_is_unknown_and_not_repeated() {
    for end in [Turn::Closes, Turn::Resets, Turn::WritesAndCloses("HTTP/1.1 201".to_owned())] {
        for good in [1, 3] {
            let script = [vec![created(); good], vec![end.clone()]].concat();
            let store = Store::playing(vec![script, vec![created()]]);
            let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
            let lost = i64::try_from(good + 1).unwrap();
            for id in 1..=lost + 2 {
                let expected = if id == lost { "unknown: NoResponse" } else { "accepted: 201 complete" };
                assert_eq!(add(&connections, &client, id).await, expected, "{id}");
            }
            assert_eq!(store.ids().concat(), (1..=lost + 2).collect::<Vec<_>>());
        }
    }
}

#[tokio::test]
async fn a_store_that_closes_at_random_loses_at_most_one_request() {
    // The second request on each connection gets no response.
    let store = Store::playing(vec![vec![created(), Turn::Closes]]);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    let mut outcomes = Vec::new();
    for id in 1..=20 {
        outcomes.push(add(&connections, &client, id).await);
    }
    assert_eq!(outcomes.iter().filter(|summary| *summary == "unknown: NoResponse").count(), 1, "{outcomes:?}");
    assert_eq!(store.ids().concat(), (1..=20).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_store_with_very_many_headers_loses_one_response() {
    let response = whole("201 Created", GOOD).replacen("\r\n", &format!("\r\n{}", "x-many: 1\r\n".repeat(150)), 1);
    let store = Store::playing(vec![vec![Turn::Writes(response)]]);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    for (id, expected) in [(1, "unknown: NoResponse"), (2, "accepted: 201 complete"), (3, "accepted: 201 complete")] {
        assert_eq!(add(&connections, &client, id).await, expected, "{id}");
    }
    assert_eq!(store.ids(), [[1], [2], [3]]);
}

#[tokio::test]
async fn a_connection_with_an_incomplete_response_is_not_reused() {
    let long = format!(
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{}",
        2 << 20,
        "x".repeat(2 << 20)
    );
    let cut = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{".to_owned();
    for turn in [Turn::Writes(long), Turn::WritesAndCloses(cut)] {
        let ids = all_accepted(vec![vec![turn]], 3).await;
        assert_eq!(ids, [[1], [2], [3]]);
    }
}

#[tokio::test]
async fn a_connection_with_a_cancelled_request_is_not_reused() {
    let store = Store::playing(vec![vec![created(), Turn::Waits], vec![created()]]);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    assert_eq!(add(&connections, &client, 1).await, "accepted: 201 complete");
    let cancel = CancellationToken::new();
    let (exchange, ()) = tokio::join!(add_with(&connections, &client, 2, cancel.clone()), async {
        while store.ids().concat().len() < 2 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    });
    assert_eq!(summary(&exchange), "unknown: CancelledInFlight");
    assert_eq!(add(&connections, &client, 3).await, "accepted: 201 complete");
    assert_eq!(store.ids().concat(), [1, 2, 3]);
}

#[tokio::test]
async fn a_request_cancelled_before_sending_leaves_the_connection_usable() {
    let store = Store::playing(vec![vec![created()]]);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    assert_eq!(add(&connections, &client, 1).await, "accepted: 201 complete");
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let exchange = add_with(&connections, &client, 2, cancelled).await;
    assert_eq!(summary(&exchange), "not sent: CancelledBeforeSending");
    assert_eq!(add(&connections, &client, 3).await, "accepted: 201 complete");
    assert_eq!(store.ids().concat(), [1, 3]);
}

#[tokio::test]
async fn without_a_listener_any_more_nothing_is_sent() {
    let port = ClosedPort::new();
    let mut store = Store::at(&port, vec![vec![created()]]);
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    assert_eq!(add(&connections, &client, 1).await, "accepted: 201 complete");
    store.hang_up().await;
    store.serving.shutdown().await;
    port.until_refused().await;
    assert_eq!(add(&connections, &client, 2).await, "not sent: NotConnected");
}
