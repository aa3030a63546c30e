//! Batches beside single operations: separate slots, separate ends, one order on each id.

use plants::journal::Condition;
use plants::worker::{Batch, BatchReport, Brake};
use tokio::sync::oneshot;

use super::*;

/// A batch, and its ends that a test has not looked at.
struct Begun {
    reports: mpsc::UnboundedReceiver<BatchReport>,
    pending: Vec<Ended>,
}

impl Begun {
    fn on(bench: &Bench, concurrency: usize) -> Self {
        Self::with(bench, concurrency, Condition::MISSING, Brake::default())
    }

    fn with(bench: &Bench, concurrency: usize, condition: Condition, brake: Brake) -> Self {
        let (sender, reports) = mpsc::unbounded_channel();
        bench.worker().begin(Batch { concurrency, condition, brake, reports: sender });
        Self { reports, pending: Vec::new() }
    }

    /// Waits for exactly this number of ends, and returns them.
    async fn ended(&mut self, count: usize) -> Vec<Ended> {
        while self.pending.len() < count {
            match self.reports.recv().await.unwrap() {
                BatchReport::Ended(ended) => self.pending.extend(ended),
                BatchReport::Braked(_) => unreachable!("the brake is on"),
            }
        }
        assert_eq!(self.pending.len(), count, "too many ends");
        std::mem::take(&mut self.pending)
    }

    /// Waits for this number of ends, and returns their numbers and outcomes in order.
    async fn outcomes(&mut self, count: usize) -> Vec<(u32, Outcome)> {
        let ended = self.ended(count).await;
        assert!(ended.iter().all(|end| end.recorded.is_ok() && end.row.is_none() && end.unknown.is_none()));
        let mut outcomes: Vec<_> =
            ended.iter().map(|end| (end.exchange.operation.id.number, end.exchange.outcome())).collect();
        outcomes.sort_by_key(|(number, _)| *number);
        outcomes
    }
}

impl Bench {
    fn send_all(&self, operations: impl IntoIterator<Item = (u32, OperationKind)>) {
        let operation = |(number, kind)| Operation::new(OperationId { origin: ORIGIN, number }, kind, clock());
        self.worker().send_all(operations.into_iter().map(operation).collect());
    }
}

/// Returns adds of plants whose ids are the numbers of the operations.
fn adds(numbers: std::ops::RangeInclusive<u32>) -> impl Iterator<Item = (u32, OperationKind)> {
    numbers.map(|number| (number, add(number.into())))
}

/// Returns these numbers, each with this outcome.
fn each(numbers: std::ops::RangeInclusive<u32>, outcome: Outcome) -> Vec<(u32, Outcome)> {
    numbers.map(|number| (number, outcome)).collect()
}

/// Parses the id in the request of a create.
fn id_in(request: &str) -> u32 {
    let (_, digits) = request.split_once("\"id\":").unwrap();
    digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// A store with persistent connections. A test decides about each response.
struct Responding {
    url: StoreUrl,
    /// The id in each request, and a sender for the response.
    arrivals: mpsc::UnboundedReceiver<(u32, oneshot::Sender<String>)>,
    /// Number of connections that the client opened.
    opened: Arc<AtomicUsize>,
    /// Connections that the client closed.
    closed: mpsc::UnboundedReceiver<()>,
    _tasks: JoinSet<()>,
}

async fn responding() -> Responding {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = StoreUrl::on_loopback(listener.local_addr().unwrap().port());
    let (arrival, arrivals) = mpsc::unbounded_channel();
    let (closing, closed) = mpsc::unbounded_channel();
    let opened = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&opened);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut open = JoinSet::new();
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            counter.fetch_add(1, Ordering::SeqCst);
            let (arrival, closing) = (arrival.clone(), closing.clone());
            open.spawn(async move {
                let mut request = String::new();
                let mut buffer = [0; 2048];
                while let Ok(count @ 1..) = socket.read(&mut buffer).await {
                    request.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
                    // The body of a create is a flat object at the end of the request.
                    if !request.ends_with('}') {
                        continue;
                    }
                    let (response, receiver) = oneshot::channel::<String>();
                    let _ = arrival.send((id_in(&request), response));
                    request.clear();
                    let Ok(response) = receiver.await else { return };
                    let _ = socket.write_all(response.as_bytes()).await;
                }
                let _ = closing.send(());
            });
        }
    });
    Responding { url, arrivals, opened, closed, _tasks: tasks }
}

const CREATED: &str = "HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n";

impl Responding {
    /// Sends this response to the next request; returns the id in the request.
    async fn responds(&mut self, response: &str) -> u32 {
        let (id, way) = self.arrivals.recv().await.unwrap();
        way.send(response.to_owned()).unwrap();
        id
    }
}

#[tokio::test]
async fn batches_and_single_operations_have_separate_slots() {
    let mut store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 3);
    bench.send_all(adds(101..=110));
    for number in 1..=10 {
        bench.send(number, add(number.into()));
    }
    let mut out = [0, 0];
    for _ in 0..CONCURRENCY + 3 {
        let request = store.arrivals.recv().await.unwrap();
        out[usize::from(id_in(&request) > 100)] += 1;
    }
    assert_eq!(out, [CONCURRENCY, 3]);
    bench.worker().cancel_batch();
    let ends = [each(101..=103, Outcome::Unknown), each(104..=110, Outcome::NotSent)].concat();
    assert_eq!(batch.outcomes(10).await, ends);
    bench.worker().cancel_all();
    let mut unknown = 0;
    for _ in 0..10 {
        unknown += usize::from(bench.ended().await.exchange.outcome() == Outcome::Unknown);
    }
    assert_eq!((unknown, store.received.load(Ordering::SeqCst)), (CONCURRENCY, CONCURRENCY + 3));
}

#[tokio::test]
async fn withdrawn_operations_are_not_sent_and_those_in_flight_go_on() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 2);
    bench.send_all(adds(1..=10));
    let (first, second) = (store.arrivals.recv().await.unwrap(), store.arrivals.recv().await.unwrap());
    bench.send(100, add(100));
    let single = store.arrivals.recv().await.unwrap();
    bench.worker().withdraw();
    assert_eq!(batch.outcomes(8).await, each(3..=10, Outcome::NotSent));
    // Single operations are not withdrawn.
    for (_, way) in [single, first, second] {
        way.send(CREATED.to_owned()).unwrap();
    }
    assert_eq!(bench.ended().await.exchange.status(), Some(201));
    assert_eq!(batch.outcomes(2).await, each(1..=2, Outcome::Accepted));
    assert!(store.arrivals.try_recv().is_err());
    // Another batch can begin.
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(11..=12));
    assert_eq!([store.responds(CREATED).await, store.responds(CREATED).await], [11, 12]);
    assert_eq!(batch.outcomes(2).await, each(11..=12, Outcome::Accepted));
}

#[tokio::test]
async fn operations_withdrawn_before_they_are_recorded_are_not_sent() {
    let store = silent().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 2);
    // The worker receives both commands at once, or the second while it records the first.
    bench.worker().hold(true);
    bench.send_all(adds(1..=500));
    bench.worker().withdraw();
    assert_eq!(batch.outcomes(500).await, each(1..=500, Outcome::NotSent));
    assert_eq!(store.received.load(Ordering::SeqCst), 0);
    assert_eq!(bench.journal.fitting(Filter::default(), None, 10).await.unwrap(), []);
}

#[tokio::test]
async fn cancelling_single_operations_does_not_cancel_the_batch() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(1..=2));
    let (_, way) = store.arrivals.recv().await.unwrap();
    bench.send(100, add(100));
    let (_, never) = store.arrivals.recv().await.unwrap();
    bench.worker().cancel_all();
    assert_eq!(kind(&bench.ended().await), Some(FailureKind::CancelledInFlight));
    drop(never);
    way.send(CREATED.to_owned()).unwrap();
    assert_eq!(store.responds(CREATED).await, 2);
    assert_eq!(batch.outcomes(2).await, each(1..=2, Outcome::Accepted));
}

#[tokio::test]
async fn a_held_batch_sends_nothing_until_it_is_continued() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(1..=3));
    let (id, way) = store.arrivals.recv().await.unwrap();
    bench.worker().hold(true);
    // The end of a single operation shows that the worker has handled the command.
    bench.send(100, add(100));
    assert_eq!((id, store.responds(CREATED).await), (1, 100));
    bench.ended().await;
    way.send(CREATED.to_owned()).unwrap();
    assert_eq!(batch.outcomes(1).await, each(1..=1, Outcome::Accepted));
    bench.send(101, add(101));
    assert_eq!(store.responds(CREATED).await, 101);
    bench.ended().await;
    assert!(store.arrivals.try_recv().is_err());
    bench.worker().hold(false);
    assert_eq!([store.responds(CREATED).await, store.responds(CREATED).await], [2, 3]);
    assert_eq!(batch.outcomes(2).await, each(2..=3, Outcome::Accepted));
}

#[tokio::test]
async fn a_response_that_asks_for_a_pause_holds_the_batch() {
    for (response, outcome, is_held) in [
        ("429 Too Many Requests\r\nretry-after: 1", Outcome::Rejected, true),
        ("503 Service Unavailable\r\nretry-after: 0", Outcome::Unknown, true),
        ("503 Service Unavailable", Outcome::Unknown, false),
        ("500 Internal Server Error\r\nretry-after: 1", Outcome::Unknown, false),
        ("401 Unauthorized", Outcome::Rejected, true),
        ("403 Forbidden", Outcome::Rejected, false),
        ("201 Created\r\nretry-after: 1", Outcome::Accepted, false),
    ] {
        let mut store = responding().await;
        let mut bench = Bench::on(store.url.clone(), Some("t")).await;
        let mut batch = Begun::on(&bench, 1);
        bench.send_all(adds(1..=2));
        assert_eq!(store.responds(&format!("HTTP/1.1 {response}\r\ncontent-length: 0\r\n\r\n")).await, 1);
        assert_eq!(batch.outcomes(1).await, each(1..=1, outcome));
        if is_held {
            bench.send(100, add(100));
            assert_eq!(store.responds(CREATED).await, 100, "{response}");
            bench.ended().await;
            assert!(store.arrivals.try_recv().is_err(), "{response}");
            bench.worker().hold(false);
        }
        assert_eq!(store.responds(CREATED).await, 2, "{response}");
        assert_eq!(batch.outcomes(1).await, each(2..=2, Outcome::Accepted));
    }
}

#[tokio::test]
async fn a_rejection_of_the_former_token_does_not_hold_the_batch() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("former")).await;
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(1..=2));
    let (id, way) = store.arrivals.recv().await.unwrap();
    bench.worker().use_token(Token::new("new").unwrap());
    // The end of a single operation shows that the worker has handled the command.
    bench.send(100, add(100));
    assert_eq!((id, store.responds(CREATED).await), (1, 100));
    bench.ended().await;
    way.send("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n".to_owned()).unwrap();
    assert_eq!(store.responds(CREATED).await, 2);
    let outcomes = batch.outcomes(2).await;
    assert_eq!(outcomes, [(1, Outcome::Rejected), (2, Outcome::Accepted)]);
}

#[tokio::test]
async fn a_new_batch_is_not_held_for_a_response_to_the_last() {
    let mut store = responding().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(1..=1));
    store.responds("HTTP/1.1 503 Busy\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n").await;
    assert_eq!(batch.outcomes(1).await, each(1..=1, Outcome::Unknown));
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(2..=2));
    store.responds(CREATED).await;
    assert_eq!(batch.outcomes(1).await, each(2..=2, Outcome::Accepted));
}

#[tokio::test]
async fn on_one_id_single_operations_and_batches_keep_their_order() {
    let (_store, url) = demo().await;
    let mut bench = Bench::on(url, Some("t")).await;
    let mut batch = Begun::on(&bench, 4);
    for round in 0..20u32 {
        // A single add, then a delete of the batch: the store rejects any other order.
        bench.send(round * 2 + 1, add(7));
        bench.send_all([(round * 2 + 2, OperationKind::Delete(PlantId(7)))]);
    }
    for end in batch.ended(20).await {
        assert_eq!(end.exchange.outcome(), Outcome::Accepted, "{:?}", end.exchange);
    }
    for _ in 0..20 {
        assert_eq!(bench.ended().await.exchange.outcome(), Outcome::Accepted);
    }
    assert_eq!(bench.journal.fitting(Filter::default(), None, 10).await.unwrap(), []);
}

#[tokio::test]
async fn an_operation_waits_for_one_of_a_batch_on_its_id() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 2);
    bench.send_all([(101, add(7))]);
    let (_, way) = store.arrivals.recv().await.unwrap();
    bench.send(1, add(7));
    bench.send(2, add(8));
    assert_eq!(store.responds(CREATED).await, 8);
    assert_eq!(bench.ended().await.exchange.outcome(), Outcome::Accepted);
    assert!(store.arrivals.try_recv().is_err());
    bench.worker().cancel_batch();
    assert_eq!(batch.outcomes(1).await, each(101..=101, Outcome::Unknown));
    drop(way);
    assert_eq!(store.responds(CREATED).await, 7);
    assert_eq!(bench.ended().await.exchange.outcome(), Outcome::Accepted);
}

#[tokio::test]
async fn an_add_of_a_plant_that_is_being_added_is_overtaken() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 2);
    bench.send(1, add(7));
    let (_, way) = store.arrivals.recv().await.unwrap();
    bench.send_all([(101, add(7))]);
    // Reported at once, without waiting for the single operation.
    let ended = batch.ended(1).await;
    assert_eq!((ended[0].is_overtaken(), kind(&ended[0])), (true, Some(FailureKind::Overtaken)));
    way.send(CREATED.to_owned()).unwrap();
    assert_eq!(bench.ended().await.exchange.outcome(), Outcome::Accepted);
    assert!(store.arrivals.try_recv().is_err());
}

#[tokio::test]
async fn an_add_of_a_plant_in_the_list_is_overtaken_and_not_sent() {
    let mut store = responding().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    bench.send(1, add(7));
    store.responds(CREATED).await;
    bench.ended().await;
    bench.send(2, add(8));
    store.responds("HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n").await;
    bench.ended().await;
    let overtaken = |end: &Ended| (end.is_overtaken(), end.recorded.is_err(), end.exchange.outcome());
    let mut batch = Begun::on(&bench, 4);
    bench.send_all([(101, add(7)), (102, add(8)), (103, add(9))]);
    for end in batch.ended(2).await {
        assert_eq!(overtaken(&end), (true, true, Outcome::NotSent), "{:?}", end.exchange);
    }
    assert_eq!(store.responds(CREATED).await, 9);
    assert_eq!(batch.outcomes(1).await, each(103..=103, Outcome::Accepted));
    // Adds of unknown plants are sent, and adds of other plants in the list are not; then adds of stored ones.
    let condition = Condition::MissingOr { unknown: true, stored: false };
    let mut batch = Begun::with(&bench, 4, condition, Brake::default());
    bench.send_all([(201, add(7)), (202, add(8))]);
    assert_eq!(overtaken(&batch.ended(1).await[0]), (true, true, Outcome::NotSent));
    assert_eq!(store.responds(CREATED).await, 8);
    assert_eq!(batch.outcomes(1).await, each(202..=202, Outcome::Accepted));
    let condition = Condition::MissingOr { unknown: false, stored: true };
    let mut batch = Begun::with(&bench, 4, condition, Brake::default());
    bench.send_all([(301, add(8))]);
    assert_eq!(store.responds(CREATED).await, 8);
    assert_eq!(batch.outcomes(1).await, each(301..=301, Outcome::Accepted));
}

const BROKEN: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";

#[tokio::test]
async fn five_unknown_outcomes_in_a_row_hold_a_batch_until_its_brake_is_released() {
    let mut store = responding().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 3);
    bench.send_all(adds(1..=100));
    store.responds(CREATED).await;
    // Before the others, which it would otherwise interrupt.
    assert_eq!(batch.ended(1).await[0].exchange.outcome(), Outcome::Accepted);
    // Nothing is sent after the fifth of them but what is in flight then.
    let unknown = loop {
        tokio::select! {
            id = store.responds(BROKEN) => assert!(id <= 100),
            report = batch.reports.recv() => match report.unwrap() {
                BatchReport::Ended(ended) => batch.pending.extend(ended),
                BatchReport::Braked(_) => break std::mem::take(&mut batch.pending),
            }
        }
    };
    assert!((5..=5 + 2).contains(&unknown.len()), "{}", unknown.len());
    assert!(unknown.iter().all(|end| end.exchange.outcome() == Outcome::Unknown));
    assert!(store.arrivals.try_recv().is_err());
    // A pause that is over does not release it.
    bench.worker().hold(false);
    bench.worker().release_brake();
    let left = 100 - 1 - unknown.len();
    for _ in 0..left {
        store.responds(CREATED).await;
    }
    assert!(batch.ended(left).await.iter().all(|end| end.exchange.outcome() == Outcome::Accepted));
}

#[tokio::test]
async fn a_batch_without_a_brake_goes_on() {
    let mut store = responding().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::with(&bench, 3, Condition::MISSING, Brake::new(true));
    bench.send_all(adds(1..=30));
    for _ in 1..=30 {
        store.responds(BROKEN).await;
    }
    assert_eq!(batch.outcomes(30).await, each(1..=30, Outcome::Unknown));
}

#[tokio::test]
async fn a_batch_that_cannot_be_recorded_is_not_sent() {
    let store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 4);
    bench.journal.clone().close().await;
    bench.send_all(adds(1..=50));
    for end in batch.ended(50).await {
        assert_eq!((kind(&end), end.recorded.is_err()), (Some(FailureKind::NotRecorded), true));
    }
    bench.send(100, add(100));
    assert_eq!(kind(&bench.ended().await), Some(FailureKind::NotRecorded));
    assert_eq!(store.received.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn ends_that_cannot_be_written_are_still_reported() {
    let mut store = responding().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 2);
    bench.send_all(adds(1..=4));
    let out = [store.arrivals.recv().await.unwrap(), store.arrivals.recv().await.unwrap()];
    bench.journal.clone().close().await;
    for (_, way) in out {
        way.send(CREATED.to_owned()).unwrap();
    }
    store.responds(CREATED).await;
    store.responds(CREATED).await;
    for end in batch.ended(4).await {
        assert_eq!((end.exchange.outcome(), end.recorded.is_err()), (Outcome::Accepted, true));
    }
}

#[tokio::test]
async fn an_end_that_could_not_be_written_is_written_once_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = responding().await;
    let mut bench = Bench::with(Place::Folder(folder.path().to_path_buf()), store.url.clone(), Some("t")).await;
    let id = bench.send(1, add(7));
    let (_, way) = store.arrivals.recv().await.unwrap();
    let full = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    full.execute_batch("CREATE TRIGGER full BEFORE INSERT ON exchange BEGIN SELECT RAISE(ABORT, 'full'); END").unwrap();
    way.send(CREATED.to_owned()).unwrap();
    let ended = bench.ended().await;
    assert_eq!((ended.exchange.operation.id, ended.recorded.is_err()), (id, true));
    full.execute_batch("DROP TRIGGER full").unwrap();
    bench.worker = None;
    bench.task.await.unwrap();
    let history = bench.journal.plant_history(PlantId(7)).await.unwrap();
    assert_eq!(history.exchanges.len(), 1);
}

#[tokio::test]
async fn without_a_token_a_batch_is_not_sent() {
    let store = silent().await;
    let bench = Bench::on(store.url.clone(), None).await;
    let mut batch = Begun::on(&bench, 2);
    bench.send_all(adds(1..=20));
    for end in batch.ended(20).await {
        assert_eq!(kind(&end), Some(FailureKind::NotBuilt));
    }
    assert_eq!(store.received.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_killed_program_leaves_few_operations_of_a_batch_unknown() {
    for (concurrency, intents) in [(1, 8), (16, 64), (40, 80)] {
        let mut store = silent().await;
        let bench = Bench::on(store.url.clone(), Some("t")).await;
        let _batch = Begun::on(&bench, concurrency);
        bench.send_all(adds(1..=100));
        store.arrivals.recv().await.unwrap();
        assert_eq!(bench.journal.fitting(Filter::default(), None, 200).await.unwrap().len(), intents, "{concurrency}");
    }
}

#[tokio::test]
async fn a_batch_keeps_its_connections() {
    let mut store = responding().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(1..=20));
    for _ in 1..=20 {
        store.responds(CREATED).await;
    }
    batch.outcomes(20).await;
    // A request may come before the connection of the last one is free.
    let opened = store.opened.load(Ordering::SeqCst);
    assert!(opened < 10, "{opened} connections for 20 requests, one at a time");
}

#[tokio::test]
async fn connections_are_closed_at_the_end_of_a_batch() {
    let mut store = responding().await;
    let bench = Bench::on(store.url.clone(), Some("t")).await;
    let mut batch = Begun::on(&bench, 1);
    bench.send_all(adds(1..=3));
    for _ in 1..=3 {
        store.responds(CREATED).await;
    }
    assert_eq!(batch.outcomes(3).await, each(1..=3, Outcome::Accepted));
    // At least the last connection closes; one that was idle for long may have closed before.
    store.closed.recv().await.unwrap();
}

#[tokio::test]
async fn a_dropped_worker_cancels_its_batch_and_writes_the_ends() {
    let mut store = silent().await;
    let mut bench = Bench::on(store.url.clone(), Some("t")).await;
    let batch = Begun::on(&bench, 2);
    bench.send_all(adds(1..=5));
    for _ in 0..2 {
        store.arrivals.recv().await.unwrap();
    }
    drop((batch, bench.worker.take()));
    bench.task.await.unwrap();
    let rows = bench.journal.fitting(Filter::default(), None, 10).await.unwrap();
    assert_eq!(
        rows.iter().map(|row| (row.id.0, row.state.word())).collect::<Vec<_>>(),
        [(1, "unknown"), (2, "unknown")]
    );
}
