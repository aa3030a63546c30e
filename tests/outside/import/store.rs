//! A store on its own thread that responds to creates by a script, and records each request with its time
//! and connection. Knows nothing of the program.

use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::support::closed_port::ClosedPort;

/// After this time without a request, a test has failed.
const STUCK: Duration = Duration::from_secs(60);

/// A create as received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Create {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) tag: String,
    /// The value of the header.
    pub(crate) authorization: String,
    /// Counted from 0.
    pub(crate) connection: usize,
    /// When the request was complete.
    pub(crate) received: Instant,
    /// When the response was sent.
    pub(crate) responded: Option<Instant>,
}

/// The response to a create.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reply {
    Status(u16),
    /// A status with this value of `Retry-After`.
    RetryAfter(u16, &'static str),
    /// 200 with a web page.
    Page,
    /// Closes the connection without a response.
    Lost,
    /// 201 once the test calls [`Store::release`].
    Held,
    /// 201 once this many requests are in flight.
    Together(usize),
}

/// Returns the response to a create, given its number from 1.
type Script = Box<dyn FnMut(&Create, usize) -> Reply + Send>;

/// The running store, which ends when this is dropped.
pub(crate) struct Store {
    address: SocketAddr,
    shared: Arc<Shared>,
    free: CancellationToken,
    ends: CancellationToken,
    serving: Option<JoinHandle<()>>,
}

impl Store {
    pub(crate) fn replying(script: impl FnMut(&Create, usize) -> Reply + Send + 'static) -> Self {
        Self::at(ClosedPort::new(), script)
    }

    /// Starts at an address that has refused connections until now.
    pub(crate) fn at(closed: ClosedPort, script: impl FnMut(&Create, usize) -> Reply + Send + 'static) -> Self {
        let address = closed.address();
        let inside = Inside { script: Box::new(script), received: Vec::new(), out: 0, most: 0, waves: None };
        let shared = Arc::new(Shared { inside: Mutex::new(inside), arrival: Condvar::new() });
        let (free, ends) = (CancellationToken::new(), CancellationToken::new());
        let (listens, listening) = mpsc::channel();
        let serve = {
            let (shared, free, ends) = (Arc::clone(&shared), free.clone(), ends.clone());
            move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
                let serving = async {
                    let listener = closed.listen();
                    listens.send(()).unwrap();
                    let mut connections = JoinSet::new();
                    for number in 0.. {
                        let (stream, _) = listener.accept().await.unwrap();
                        stream.set_nodelay(true).unwrap();
                        let (shared, free) = (Arc::clone(&shared), free.clone());
                        let service =
                            service_fn(move |request| response(request, number, Arc::clone(&shared), free.clone()));
                        // The client notices how a connection ends.
                        let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                        connections.spawn(async { drop(serving.await) });
                    }
                };
                runtime.block_on(ends.run_until_cancelled(serving));
            }
        };
        let serving = Some(thread::Builder::new().name("store".to_owned()).spawn(serve).unwrap());
        listening.recv().unwrap();
        Self { address, shared, free, ends, serving }
    }

    pub(crate) fn accepting() -> Self {
        Self::replying(|_, _| Reply::Status(201))
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the creates so far, in order.
    pub(crate) fn creates(&self) -> Vec<Create> {
        self.shared.lock().received.clone()
    }

    /// Returns the ids of the creates so far, in order.
    pub(crate) fn ids(&self) -> Vec<i64> {
        self.shared.lock().received.iter().map(|create| create.id).collect()
    }

    /// Returns the greatest number of requests in flight.
    pub(crate) fn most_concurrent(&self) -> usize {
        self.shared.lock().most
    }

    /// Waits for this many creates.
    pub(crate) fn wait_for(&self, count: usize) {
        let fewer = |inside: &mut Inside| inside.received.len() < count;
        let (inside, _) = self.shared.arrival.wait_timeout_while(self.shared.lock(), STUCK, fewer).unwrap();
        assert!(inside.received.len() >= count, "{} of {count} creates", inside.received.len());
    }

    /// Responds to all held requests, and to later ones at once.
    pub(crate) fn release(&self) {
        self.free.cancel();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.ends.cancel();
        // A panic has failed the test already.
        let _ = self.serving.take().map(JoinHandle::join);
    }
}

struct Shared {
    inside: Mutex<Inside>,
    arrival: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }
}

struct Inside {
    script: Script,
    received: Vec<Create>,
    /// Requests in flight.
    out: usize,
    most: usize,
    waves: Option<Arc<Barrier>>,
}

/// Counts a request in flight until dropped.
struct InFlight(Arc<Shared>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.lock().out -= 1;
    }
}

async fn response(
    request: Request<Incoming>,
    connection: usize,
    shared: Arc<Shared>,
    free: CancellationToken,
) -> std::io::Result<Response<Body>> {
    let (head, body) = request.into_parts();
    assert_eq!((head.method.as_str(), head.uri.path()), ("POST", "/plants"));
    let hung_up = || std::io::ErrorKind::ConnectionAborted.into();
    let body = to_bytes(Body::new(body), usize::MAX).await.map_err(|_| hung_up())?;
    let sent: Value = serde_json::from_slice(&body).unwrap();
    let text = |field: &str| sent[field].as_str().unwrap().to_owned();
    #[expect(clippy::disallowed_methods, reason = "measures when a request arrives")]
    let create = Create {
        id: sent["id"].as_i64().unwrap(),
        name: text("name"),
        tag: text("tag"),
        authorization: head.headers[AUTHORIZATION].to_str().unwrap().to_owned(),
        connection,
        received: Instant::now(),
        responded: None,
    };
    let (reply, place, waves) = {
        let mut inside = shared.lock();
        let place = inside.received.len();
        inside.received.push(create.clone());
        inside.out += 1;
        inside.most = inside.most.max(inside.out);
        let reply = (inside.script)(&create, place + 1);
        if let (Reply::Together(count), None) = (reply, &inside.waves) {
            inside.waves = Some(Arc::new(Barrier::new(count)));
        }
        (reply, place, inside.waves.clone())
    };
    let out = InFlight(Arc::clone(&shared));
    shared.arrival.notify_all();
    let (status, retry_after) = match reply {
        Reply::Status(status) => (status, None),
        Reply::Page => (200, None),
        Reply::RetryAfter(status, retry_after) => (status, Some(retry_after)),
        Reply::Lost => return Err(hung_up()),
        Reply::Held => {
            free.cancelled().await;
            (201, None)
        }
        Reply::Together(_) => {
            waves.unwrap().wait().await;
            (201, None)
        }
    };
    drop(out);
    #[expect(clippy::disallowed_methods, reason = "as above")]
    let now = Instant::now();
    shared.lock().received[place].responded = Some(now);
    let body = if status < 300 {
        json!({"name": create.name, "tag": create.tag})
    } else {
        json!({"error": "no", "credentials": create.authorization})
    };
    let body = body.to_string();
    let mut head = Response::builder().status(status).header(CONTENT_LENGTH, body.len());
    head = head.header(CONTENT_TYPE, "application/json");
    if let Some(retry_after) = retry_after {
        head = head.header(RETRY_AFTER, retry_after);
    }
    if matches!(reply, Reply::Page) {
        let page = "<html>Log in</html>";
        return Ok(Response::builder().header(CONTENT_TYPE, "text/html").body(Body::from(page)).unwrap());
    }
    Ok(head.body(Body::from(body)).unwrap())
}
