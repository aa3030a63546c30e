//! The worker: order, limits, cancelling, and journals that cannot write.

mod batch;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use plants::client::{Client, Limits, Route, Token};
use plants::demo::{DemoOptions, DemoStore, Weather};
use plants::domain::filter::Filter;
use plants::domain::{
    Details, Ending, FailureKind, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Seen, StoreUrl,
    Timestamp,
};
use plants::journal::{Journal, Place};
use plants::worker::{self, CONCURRENCY, Ended, Report, Worker};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

const ORIGIN: u64 = 3;

fn clock() -> Timestamp {
    Timestamp(1)
}

/// A worker with its journal and reports.
struct Bench {
    worker: Option<Worker>,
    task: JoinHandle<()>,
    reports: mpsc::UnboundedReceiver<Report>,
    journal: Journal,
}

impl Bench {
    async fn on(url: StoreUrl, token: Option<&str>) -> Self {
        Self::with(Place::Memory, url, token).await
    }

    async fn with(place: Place, url: StoreUrl, token: Option<&str>) -> Self {
        let journal = Journal::open(place, &url, ORIGIN, clock()).await.unwrap().journal;
        let (sender, reports) = mpsc::unbounded_channel();
        let limits = Limits { timeout: Duration::from_secs(20), ..Limits::default() };
        let token = token.map(|token| Token::new(token).unwrap());
        let tools = worker::Resources {
            client: Client::new(url, limits, Route::default()),
            journal: journal.clone(),
            token,
            clock,
            reports: sender,
        };
        let (worker, task) = Worker::start(tools);
        Self { worker: Some(worker), task, reports, journal }
    }

    fn worker(&self) -> &Worker {
        self.worker.as_ref().unwrap()
    }

    fn send(&self, number: u32, kind: OperationKind) -> OperationId {
        let id = OperationId { origin: ORIGIN, number };
        self.worker().send(Operation::new(id, kind, clock()));
        id
    }

    async fn ended(&mut self) -> Ended {
        loop {
            match self.reports.recv().await.unwrap() {
                Report::Ended(ended) => return *ended,
                Report::Recorded(_) | Report::RecordedLate(_) | Report::Waiting(_) => {}
            }
        }
    }

    async fn recorded(&mut self, id: OperationId) {
        loop {
            match self.reports.recv().await.unwrap() {
                Report::Recorded(recorded) if recorded == id => return,
                Report::Recorded(_) | Report::RecordedLate(_) | Report::Waiting(_) | Report::Ended(_) => {}
            }
        }
    }
}

fn add(id: i64) -> OperationKind {
    OperationKind::add(Plant { name: format!("plant {id}"), id: PlantId(id), tag: String::new() })
}

fn kind(ended: &Ended) -> Option<FailureKind> {
    match &ended.exchange.ending {
        Ending::Failed(failure) => Some(failure.kind),
        Ending::Responded(_) => None,
    }
}

async fn demo() -> (DemoStore, StoreUrl) {
    let store = DemoStore::start(DemoOptions {
        address: Ipv4Addr::LOCALHOST.into(),
        port: 0,
        token: "t".into(),
        weather: Weather::default(),
    })
    .await
    .unwrap();
    let url = StoreUrl::on_loopback(store.port());
    (store, url)
}

/// A store that reads requests and never responds.
struct Silent {
    url: StoreUrl,
    received: Arc<AtomicUsize>,
    arrivals: mpsc::UnboundedReceiver<String>,
    _tasks: JoinSet<()>,
}

async fn silent() -> Silent {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = StoreUrl::on_loopback(listener.local_addr().unwrap().port());
    let received = Arc::new(AtomicUsize::new(0));
    let (sender, arrivals) = mpsc::unbounded_channel();
    let counter = Arc::clone(&received);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut open = JoinSet::new();
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let (counter, sender) = (Arc::clone(&counter), sender.clone());
            open.spawn(async move {
                let mut request = [0; 2048];
                let read = socket.read(&mut request).await.unwrap_or(0);
                counter.fetch_add(1, Ordering::SeqCst);
                let _ = sender.send(String::from_utf8_lossy(&request[..read]).into_owned());
                // Waits until the client closes the connection.
                let _ = socket.read(&mut request).await;
            });
        }
    });
    Silent { url, received, arrivals, _tasks: tasks }
}

#[tokio::test]
async fn an_operation_is_recorded_sent_and_reported() {
    let (_store, url) = demo().await;
    let mut bench = Bench::on(url, Some("t")).await;
    let id = bench.send(1, add(7));
    bench.recorded(id).await;
    let ended = bench.ended().await;
    assert_eq!((ended.exchange.outcome(), ended.recorded), (Outcome::Accepted, Ok(())));
    let plant_history = bench.journal.plant_history(PlantId(7)).await.unwrap();
    assert_eq!(plant_history.exchanges.len(), 1);
}

#[tokio::test]
async fn the_number_of_operations_in_flight_is_limited() {
    let mut store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    for number in 1..=20 {
        bench.send(number, add(number.into()));
    }
    for _ in 0..CONCURRENCY {
        store.arrivals.recv().await.unwrap();
    }
    // All twenty are recorded, and the store has received only as many as the limit.
    bench.recorded(OperationId { origin: ORIGIN, number: 20 }).await;
    assert_eq!(store.received.load(Ordering::SeqCst), CONCURRENCY);
    bench.worker().cancel_all();
    let mut outcomes = Vec::new();
    for _ in 0..20 {
        outcomes.push(bench.ended().await.exchange.outcome());
    }
    let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
    assert_eq!((count(Outcome::Unknown), count(Outcome::NotSent)), (CONCURRENCY, 20 - CONCURRENCY));
    assert_eq!(store.received.load(Ordering::SeqCst), CONCURRENCY);
}

#[tokio::test]
async fn operations_on_one_id_are_sent_in_order() {
    let (_store, url) = demo().await;
    let mut bench = Bench::on(url, Some("t")).await;
    for round in 0..20u32 {
        bench.send(round * 2 + 1, add(7));
        bench.send(round * 2 + 2, OperationKind::Delete(PlantId(7)));
    }
    for number in 1..=40 {
        let ended = bench.ended().await;
        assert_eq!(ended.exchange.operation.id.number, number);
        assert_eq!(ended.exchange.outcome(), Outcome::Accepted);
    }
}

#[tokio::test]
async fn intents_are_recorded_in_order() {
    let (store, url) = demo().await;
    let mut bench = Bench::on(url, Some("t")).await;
    store.set_weather(Weather { lose_responses: 1.0, ..Weather::default() });
    for id in 1..=30u32 {
        bench.send(2 * id - 1, add(id.into()));
        bench.send(2 * id, OperationKind::Delete(PlantId(id.into())));
    }
    for _ in 0..60 {
        assert_eq!(bench.ended().await.exchange.outcome(), Outcome::Unknown);
    }
    for id in 1..=30 {
        let history = bench.journal.plant_history(PlantId(id)).await.unwrap();
        assert_eq!(
            history.unknown.map(|unknown| unknown.kind),
            Some(OperationKind::Delete(PlantId(id))),
            "the last operation is the unknown one"
        );
    }
}

#[tokio::test]
async fn a_waiting_operation_can_be_cancelled_and_is_not_sent() {
    let mut store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let first = bench.send(1, add(7));
    store.arrivals.recv().await.unwrap();
    let second = bench.send(2, OperationKind::Delete(PlantId(7)));
    bench.recorded(second).await;
    bench.worker().cancel(second);
    let ended = bench.ended().await;
    assert_eq!((ended.exchange.operation.id, kind(&ended)), (second, Some(FailureKind::CancelledBeforeSending)));
    bench.worker().cancel(first);
    assert_eq!(kind(&bench.ended().await), Some(FailureKind::CancelledInFlight));
    assert_eq!(store.received.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn without_a_token_nothing_is_sent() {
    let (_store, url) = demo().await;
    let mut bench = Bench::on(url, None).await;
    bench.send(1, add(7));
    assert_eq!(kind(&bench.ended().await), Some(FailureKind::NotBuilt));
    bench.worker().use_token(Token::new("t").unwrap());
    bench.send(2, add(7));
    assert_eq!(bench.ended().await.exchange.status(), Some(201));
}

#[tokio::test]
async fn an_operation_that_cannot_be_recorded_is_not_sent() {
    let store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    bench.journal.clone().close().await;
    bench.send(1, add(7));
    let ended = bench.ended().await;
    assert_eq!(kind(&ended), Some(FailureKind::NotRecorded));
    assert!(ended.recorded.is_err());
    assert_eq!(store.received.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn nothing_is_sent_about_another_plant_than_the_person_saw() {
    let store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let other = Details { name: "Precious".into(), tag: "t".into() };
    for (number, kind) in [(1, OperationKind::Delete(PlantId(7))), (2, add(7))] {
        let id = OperationId { origin: ORIGIN, number };
        let seen = Seen::Listed { details: Some(other.clone()), is_deleting: false, is_unknown: false };
        let operation = Operation::new(id, kind, clock());
        bench.worker().send(Operation { seen: Some(Box::new(seen)), ..operation });
        let ended = bench.ended().await;
        assert!(ended.is_overtaken());
        assert_eq!((self::kind(&ended), ended.exchange.outcome()), (Some(FailureKind::Overtaken), Outcome::NotSent));
    }
    assert_eq!(store.received.load(Ordering::SeqCst), 0);
    assert_eq!(bench.journal.fitting(Filter::default(), None, 10).await.unwrap(), []);
}

#[tokio::test]
async fn a_rejection_names_the_earlier_unknown_operation() {
    let (store, url) = demo().await;
    let mut bench = Bench::on(url, Some("t")).await;
    store.set_weather(Weather { lose_responses: 1.0, ..Weather::default() });
    bench.send(1, add(7));
    assert_eq!(bench.ended().await.exchange.outcome(), Outcome::Unknown);
    store.set_weather(Weather::default());
    bench.send(2, add(7));
    let ended = bench.ended().await;
    assert_eq!((ended.exchange.status(), ended.unknown.map(|unknown| unknown.kind)), (Some(409), Some(add(7))));
    assert_eq!(ended.row.unwrap().state.word(), "unknown");
}

#[tokio::test]
async fn a_dropped_worker_cancels_its_operations_and_writes_their_ends() {
    let mut store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    bench.send(1, add(7));
    store.arrivals.recv().await.unwrap();
    drop(bench.worker.take());
    bench.task.await.unwrap();
    let rows = bench.journal.fitting(Filter::default(), None, 10).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.state.word()).collect::<Vec<_>>(), ["unknown"]);
}

#[tokio::test]
async fn responses_do_not_wait_for_each_other() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = StoreUrl::on_loopback(listener.local_addr().unwrap().port());
    let mut bench = Bench::on(url, Some("t")).await;
    bench.send(1, add(1));
    let (silent, _) = listener.accept().await.unwrap();
    bench.send(2, add(2));
    let (mut second, _) = listener.accept().await.unwrap();
    let mut request = [0; 2048];
    assert!(second.read(&mut request).await.unwrap() > 0);
    second.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
    let ended = bench.ended().await;
    assert_eq!(ended.exchange.operation.id.number, 2);
    drop(silent);
    assert_eq!(kind(&bench.ended().await), Some(FailureKind::NoResponse));
}

#[tokio::test]
async fn the_end_of_a_task_is_explained() {
    let mut tasks = JoinSet::<()>::new();
    for (payload, text) in [
        (Box::new("a text") as Box<dyn std::any::Any + Send>, "a text"),
        (Box::new("a string".to_owned()), "a string"),
        (Box::new(7), "it panicked"),
    ] {
        tasks.spawn(async { std::panic::resume_unwind(payload) });
        assert_eq!(worker::join_error_text(tasks.join_next().await.unwrap().unwrap_err()), text);
    }
    tasks.spawn(std::future::pending()).abort();
    assert_eq!(worker::join_error_text(tasks.join_next().await.unwrap().unwrap_err()), "it was aborted");
}
