//! Connections that are kept: used again while they are good, and nothing is lost or sent twice
//! when they are not.

use std::sync::{Arc, Mutex};

use plants::client::{Client, Connections, Route};
use plants::domain::{Exchange, Operation, OperationId, OperationKind, Plant, PlantId, Timestamp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{GOOD, LONG, client, token, told, whole, within};

/// What a store does with a request on a connection.
#[derive(Clone)]
enum Turn {
    /// Writes this.
    Says(String),
    /// Writes this and hangs up at once.
    SaysAndCloses(String),
    /// Hangs up.
    Closes,
    /// Resets the connection.
    Resets,
    /// Says nothing.
    Waits,
}

/// The requests that came on each connection.
type Received = Arc<Mutex<Vec<Vec<String>>>>;

/// A store that keeps its connections. It plays a script on each, whose last turn is for all that
/// come later; the last of the scripts is for all connections that come later.
struct Store {
    base: String,
    received: Received,
    /// Ends the connections on which nothing is to be said.
    hang_up: Arc<Notify>,
    serving: JoinSet<()>,
}

impl Store {
    async fn playing(scripts: Vec<Vec<Turn>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (received, hang_up) = (Received::default(), Arc::new(Notify::new()));
        let mut serving = JoinSet::new();
        let (notes, goodbye) = (Arc::clone(&received), Arc::clone(&hang_up));
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                notes.lock().unwrap().push(Vec::new());
                let script = scripts[number.min(scripts.len() - 1)].clone();
                let notes = Arc::clone(&notes);
                let note = move |request| notes.lock().unwrap()[number].push(request);
                connections.spawn(play(stream, script, note, Arc::clone(&goodbye)));
            }
        });
        Self { base, received, hang_up, serving }
    }

    /// The ids of the plants that came, on each connection.
    fn ids(&self) -> Vec<Vec<i64>> {
        let id = |request: &String| -> i64 {
            let (_, digits) = request.split_once("\"id\":").unwrap();
            digits.split(',').next().unwrap().parse().unwrap()
        };
        self.received.lock().unwrap().iter().map(|requests| requests.iter().map(id).collect()).collect()
    }
}

async fn play(mut stream: tokio::net::TcpStream, script: Vec<Turn>, note: impl Fn(String), hang_up: Arc<Notify>) {
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    for number in 0.. {
        // The body of a create is an object without another in it.
        while !request.ends_with('}') {
            let read = tokio::select! {
                read = stream.read(&mut buffer) => read,
                () = hang_up.notified() => return,
            };
            match read {
                Ok(count @ 1..) => request.push_str(std::str::from_utf8(&buffer[..count]).unwrap()),
                Ok(0) | Err(_) => return,
            }
        }
        note(std::mem::take(&mut request));
        match &script[number.min(script.len() - 1)] {
            Turn::Says(text) => stream.write_all(text.as_bytes()).await.unwrap(),
            // In one go: whoever hears the one can hear the other.
            Turn::SaysAndCloses(text) => {
                stream.write_all(text.as_bytes()).await.unwrap();
                return stream.shutdown().await.unwrap();
            }
            Turn::Closes => return,
            Turn::Resets => return stream.set_zero_linger().unwrap(),
            Turn::Waits => {}
        }
    }
}

fn created() -> Turn {
    Turn::Says(whole("201 Created", GOOD))
}

async fn add_with(connections: &Connections, client: &Client, id: i64, cancel: CancellationToken) -> Exchange {
    let kind = OperationKind::Add(Plant { name: "Monstera".into(), id: PlantId(id), tag: "tropical".into() });
    let number = u32::try_from(id).unwrap();
    let operation = Operation::new(OperationId { origin: 1, number }, kind, Timestamp(0));
    client.send(Some(connections), operation, &token(), Timestamp(5), cancel).await
}

async fn add(connections: &Connections, client: &Client, id: i64) -> String {
    told(&add_with(connections, client, id, CancellationToken::new()).await)
}

/// Adds plants with these ids over the same connections; each is accepted, and the store has each once. Tells
/// which came over which connection.
async fn all_accepted(scripts: Vec<Vec<Turn>>, count: i64) -> Vec<Vec<i64>> {
    let store = Store::playing(scripts).await;
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    for id in 1..=count {
        let told = add(&connections, &client, id).await;
        assert!(told.starts_with("accepted: 201"), "{id}: {told}");
    }
    let ids = store.ids();
    assert_eq!(ids.concat(), (1..=count).collect::<Vec<_>>());
    ids
}

#[tokio::test]
async fn a_connection_is_used_again() {
    // One that was idle for long is not; a machine may stop for that long, but not every time.
    for _ in 0..5 {
        if all_accepted(vec![vec![created()]], 20).await == [(1..=20).collect::<Vec<_>>()] {
            return;
        }
    }
    panic!("none was ever used again for long");
}

#[tokio::test]
async fn what_went_over_a_kept_connection_is_told_as_ever() {
    let store = Store::playing(vec![vec![created()]]).await;
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    for id in 1..=3 {
        let exchange = add_with(&connections, &client, id, CancellationToken::new()).await;
        assert_eq!(told(&exchange), "accepted: 201 complete");
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
        let ids = all_accepted(vec![vec![Turn::SaysAndCloses(format!("{head}{GOOD}"))]], 20).await;
        assert_eq!(ids.len(), 20, "{head}");
    }
}

#[tokio::test]
async fn a_store_that_says_that_it_will_close_loses_nothing() {
    let closes =
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 36\r\n\r\n";
    // It may take its time to do so; or do it after some others.
    all_accepted(vec![vec![Turn::Says(format!("{closes}{GOOD}"))]], 10).await;
    all_accepted(vec![vec![created(), created(), Turn::SaysAndCloses(format!("{closes}{GOOD}"))]], 20).await;
}

#[tokio::test]
async fn a_request_that_finds_its_connection_closed_goes_over_another() {
    for good in [1, 2, 5] {
        let store = Store::playing(vec![vec![created()]]).await;
        let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
        for id in 1..=8 {
            assert_eq!(add(&connections, &client, id).await, "accepted: 201 complete", "{id}");
            if id % good == 0 {
                store.hang_up.notify_waiters();
                // It does, and whoever is to hear of that has heard of it.
                for _ in 0..10 {
                    tokio::task::yield_now().await;
                }
            }
        }
        assert_eq!(store.ids().concat(), (1..=8).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn more_than_a_response_is_no_response_to_the_next() {
    let twice = format!("{0}{0}", whole("201 Created", GOOD));
    let timed_out = format!("{}HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n", whole("201 Created", GOOD));
    let babble = format!("{}\r\n\r\nbabble", whole("201 Created", GOOD));
    for (text, closes) in [(twice.clone(), false), (twice, true), (timed_out, true), (babble, false)] {
        let turn = if closes { Turn::SaysAndCloses(text) } else { Turn::Says(text) };
        assert_eq!(all_accepted(vec![vec![turn]], 5).await, [[1], [2], [3], [4], [5]]);
    }
}

#[tokio::test]
async fn nor_is_what_stands_behind_a_later_one() {
    let leftover = "HTTP/1.1 299 Leftover\r\ncontent-length: 0\r\n\r\n";
    for kept in [1, 2, 5] {
        let more = Turn::Says(format!("{}{leftover}", whole("201 Created", GOOD)));
        let script = [vec![created(); kept], vec![more, created()]].concat();
        let ids = all_accepted(vec![script, vec![created()]], 8).await;
        assert_eq!(ids.len(), 2, "{ids:?}");
    }
}

#[tokio::test]
async fn what_is_lost_on_the_way_is_unknown_and_not_sent_again() {
    for end in [Turn::Closes, Turn::Resets, Turn::SaysAndCloses("HTTP/1.1 201".to_owned())] {
        for good in [1, 3] {
            let script = [vec![created(); good], vec![end.clone()]].concat();
            let store = Store::playing(vec![script, vec![created()]]).await;
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
async fn a_store_that_closes_at_will_loses_one_at_most() {
    // The second on each connection is never answered.
    let store = Store::playing(vec![vec![created(), Turn::Closes]]).await;
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    let mut outcomes = Vec::new();
    for id in 1..=20 {
        outcomes.push(add(&connections, &client, id).await);
    }
    assert_eq!(outcomes.iter().filter(|told| *told == "unknown: NoResponse").count(), 1, "{outcomes:?}");
    assert_eq!(store.ids().concat(), (1..=20).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_connection_with_half_a_response_on_it_is_not_used_again() {
    let long = format!(
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{}",
        2 << 20,
        "x".repeat(2 << 20)
    );
    let cut = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{".to_owned();
    for turn in [Turn::Says(long), Turn::SaysAndCloses(cut)] {
        let ids = all_accepted(vec![vec![turn]], 3).await;
        assert_eq!(ids, [[1], [2], [3]]);
    }
}

#[tokio::test]
async fn a_connection_with_a_cancelled_request_on_it_is_not_used_again() {
    let store = Store::playing(vec![vec![created(), Turn::Waits], vec![created()]]).await;
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    assert_eq!(add(&connections, &client, 1).await, "accepted: 201 complete");
    let cancel = CancellationToken::new();
    let (exchange, ()) = tokio::join!(add_with(&connections, &client, 2, cancel.clone()), async {
        while store.ids().concat().len() < 2 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    });
    assert_eq!(told(&exchange), "unknown: CancelledInFlight");
    assert_eq!(add(&connections, &client, 3).await, "accepted: 201 complete");
    assert_eq!(store.ids().concat(), [1, 2, 3]);
}

#[tokio::test]
async fn what_is_cancelled_before_it_leaves_takes_nothing_with_it() {
    let store = Store::playing(vec![vec![created()]]).await;
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    assert_eq!(add(&connections, &client, 1).await, "accepted: 201 complete");
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let exchange = add_with(&connections, &client, 2, cancelled).await;
    assert_eq!(told(&exchange), "not sent: CancelledBeforeSending");
    assert_eq!(add(&connections, &client, 3).await, "accepted: 201 complete");
    assert_eq!(store.ids().concat(), [1, 3]);
}

#[tokio::test]
async fn where_nobody_listens_any_more_nothing_is_sent() {
    let store = Store::playing(vec![vec![Turn::SaysAndCloses(whole("201 Created", GOOD))]]).await;
    let (client, connections) = (client(&store.base, within(LONG), Route::default()), Connections::default());
    assert_eq!(add(&connections, &client, 1).await, "accepted: 201 complete");
    let mut serving = store.serving;
    serving.shutdown().await;
    assert_eq!(add(&connections, &client, 2).await, "not sent: NotConnected");
}
