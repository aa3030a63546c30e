//! A store on a thread of its own that responds creates as a script says, and remembers what came,
//! when, how much of it at once and over which connection. Knows nothing of the product.

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
use tokio::net::TcpSocket;
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// After this long nothing arrives any more, and its test has failed.
const STUCK: Duration = Duration::from_secs(60);

/// A create as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Create {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) tag: String,
    /// The value of the header.
    pub(crate) authorization: String,
    /// Counted from 0.
    pub(crate) connection: usize,
    /// When all of it was here.
    pub(crate) came: Instant,
    /// When its response began to leave.
    pub(crate) responded: Option<Instant>,
}

/// What a store does with a create.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reply {
    /// Answers with this status.
    Says(u16),
    /// The same, with this for `Retry-After`.
    Asks(u16, &'static str),
    /// Hangs up without a byte.
    Lost,
    /// Answers 201 as soon as the test lets it.
    Waits,
    /// Answers 201 as soon as so many wait for that.
    Together(usize),
}

/// What the reply to a create is, and to the how-manieth, from 1.
type Script = Box<dyn FnMut(&Create, usize) -> Reply + Send>;

/// An address at which nobody listens as long as it is held.
pub(crate) struct Shut(TcpSocket);

impl Shut {
    pub(crate) fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(socket)
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// From now on there is a store.
    pub(crate) fn opens(self, script: impl FnMut(&Create, usize) -> Reply + Send + 'static) -> Store {
        let address = self.0.local_addr().unwrap();
        let inside = Inside { script: Box::new(script), came: Vec::new(), out: 0, most: 0, waves: None };
        let shared = Arc::new(Shared { inside: Mutex::new(inside), arrival: Condvar::new() });
        let (free, ends) = (CancellationToken::new(), CancellationToken::new());
        let (listens, listening) = mpsc::channel();
        let serve = {
            let (shared, free, ends) = (Arc::clone(&shared), free.clone(), ends.clone());
            move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
                let serving = async {
                    let listener = self.0.listen(1024).unwrap();
                    listens.send(()).unwrap();
                    let mut connections = JoinSet::new();
                    for number in 0.. {
                        let (stream, _) = listener.accept().await.unwrap();
                        // As a server does that is to respond soon.
                        stream.set_nodelay(true).unwrap();
                        let (shared, free) = (Arc::clone(&shared), free.clone());
                        let answering =
                            service_fn(move |request| response(request, number, Arc::clone(&shared), free.clone()));
                        // How a connection ends is for the client to see.
                        let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), answering);
                        connections.spawn(async { drop(serving.await) });
                    }
                };
                runtime.block_on(ends.run_until_cancelled(serving));
            }
        };
        let serving = Some(thread::Builder::new().name("store".to_owned()).spawn(serve).unwrap());
        listening.recv().unwrap();
        Store { address, shared, free, ends, serving }
    }
}

/// Such a store. It ends when this is dropped.
pub(crate) struct Store {
    address: SocketAddr,
    shared: Arc<Shared>,
    free: CancellationToken,
    ends: CancellationToken,
    serving: Option<JoinHandle<()>>,
}

impl Store {
    pub(crate) fn replying(script: impl FnMut(&Create, usize) -> Reply + Send + 'static) -> Self {
        Shut::new().opens(script)
    }

    /// One that says yes to everything.
    pub(crate) fn calm() -> Self {
        Self::replying(|_, _| Reply::Says(201))
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every create that came so far, in order.
    pub(crate) fn came(&self) -> Vec<Create> {
        self.shared.lock().came.clone()
    }

    /// The ids of those, in order.
    pub(crate) fn ids(&self) -> Vec<i64> {
        self.shared.lock().came.iter().map(|create| create.id).collect()
    }

    /// How many waited for their response at once, at most.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.lock().most
    }

    /// Waits until so many have come.
    pub(crate) fn has_come(&self, count: usize) {
        let fewer = |inside: &mut Inside| inside.came.len() < count;
        let (inside, _) = self.shared.arrival.wait_timeout_while(self.shared.lock(), STUCK, fewer).unwrap();
        assert!(inside.came.len() >= count, "{} of {count} came", inside.came.len());
    }

    /// What waits is answered, and so is what is still to come.
    pub(crate) fn lets_go(&self) {
        self.free.cancel();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.ends.cancel();
        // If it panicked, its callers have noticed.
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
    came: Vec<Create>,
    /// How many wait for their response.
    out: usize,
    most: usize,
    waves: Option<Arc<Barrier>>,
}

/// A create that waits for its response, until this is dropped.
struct Out(Arc<Shared>);

impl Drop for Out {
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
    #[expect(clippy::disallowed_methods, reason = "when something comes is measured where it comes")]
    let create = Create {
        id: sent["id"].as_i64().unwrap(),
        name: text("name"),
        tag: text("tag"),
        authorization: head.headers[AUTHORIZATION].to_str().unwrap().to_owned(),
        connection,
        came: Instant::now(),
        responded: None,
    };
    let (reply, place, waves) = {
        let mut inside = shared.lock();
        let place = inside.came.len();
        inside.came.push(create.clone());
        inside.out += 1;
        inside.most = inside.most.max(inside.out);
        let reply = (inside.script)(&create, place + 1);
        if let (Reply::Together(count), None) = (reply, &inside.waves) {
            inside.waves = Some(Arc::new(Barrier::new(count)));
        }
        (reply, place, inside.waves.clone())
    };
    let out = Out(Arc::clone(&shared));
    shared.arrival.notify_all();
    let (status, patience) = match reply {
        Reply::Says(status) => (status, None),
        Reply::Asks(status, patience) => (status, Some(patience)),
        Reply::Lost => return Err(hung_up()),
        Reply::Waits => {
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
    shared.lock().came[place].responded = Some(now);
    let body = if status < 300 {
        json!({"name": create.name, "tag": create.tag})
    } else {
        json!({"error": "no", "credentials": create.authorization})
    };
    let body = body.to_string();
    let mut head = Response::builder().status(status).header(CONTENT_LENGTH, body.len());
    head = head.header(CONTENT_TYPE, "application/json");
    if let Some(patience) = patience {
        head = head.header(RETRY_AFTER, patience);
    }
    Ok(head.body(Body::from(body)).unwrap())
}
