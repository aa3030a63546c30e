//! Stores that are honest but for one thing: real HTTP servers, each on a thread of its own, that
//! tell which plants are left and what they were asked.
//!
//! The honest one answers 201 with name and tag to a create, 204 without a body to a delete, and
//! 400, 401, 404, 409 or 415 to what it does not take. [`Oddity::ways`] is the table of what each
//! does otherwise. Knows nothing of the product.

use std::collections::BTreeSet;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{self, HeaderName, Request};
use futures::{StreamExt as _, stream};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_util::sync::{CancellationToken, DropGuard};

const JSON: &str = "application/json";

/// After this long nothing arrives any more, and its test has failed.
const STUCK: Duration = Duration::from_secs(60);

/// The one thing that a store does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// Nothing: the honest store.
    None,
    /// Says 200 to every request whatever it is, and keeps nothing.
    AnswersYesToEverything,
    /// Takes requests with any token, and with none.
    IgnoresTheToken,
    /// Looks only at the word after the scheme.
    AcceptsAnyScheme,
    /// Tells the name as the tag, and the tag as the name.
    SwapsNameAndTag,
    /// Calls the response to a create HTML.
    AnswersHtml,
    /// Wraps the response to a create in `{"data":…}`.
    Envelope,
    /// Wraps the response to a create in an array.
    AnswersAnArray,
    /// Tells names in lower case.
    LowerCasesNames,
    /// Breaks off in the middle of the response to an accepted create.
    ClosesMidAnswer,
    /// Carries a create out, or refuses it, and hangs up without a byte.
    LosesEveryAnswerToACreate,
    /// Sends every create elsewhere.
    Redirects,
    /// Reads the ids of bodies as doubles; those of paths it compares as they are written.
    RoundsIds,
    /// Ignores ids that it is sent, and counts its own from 1.
    OwnIds,
    /// A second create with an id replaces the first.
    Upserts,
    /// Has a body for accepted deletes.
    BodyOnDelete,
    /// Neither carries out nor answers the delete of a plant that is there.
    HangsOnDelete,
    /// Knows no delete at all, whoever asks.
    LosesDeletes,
    /// A delete takes along every plant of the same name.
    DeletesAll,
    /// Asks for patience at every third request.
    AsksForPatience,
    /// Takes no token.
    RefusesTheToken,
    /// Fails at everything.
    FailsAlways,
    /// Knows no path.
    NotFoundEverywhere,
    /// Knows no path, but looks at the token first.
    NotFoundWithTheToken,
    /// Is a page, whatever it is asked.
    HtmlEverywhere,
    /// Says yes to the delete of a plant that is there, and keeps it.
    DeletesNothing,
    /// Takes no id a second time, not even that of a plant that is gone.
    NeverReusesIds,
    /// Accepts every delete, and takes no id a second time.
    DeletesBlindly,
    /// Keeps ids as numbers and looks for them as texts: finds no plant.
    LooksForTexts,
    /// Fails at creates with ids past 32 bits.
    FailsOnLargeIds,
    /// Has one response to creates and one to deletes, whatever is sent.
    Canned,
    /// Takes the space off both ends of names.
    TrimsNames,
    /// Takes a second plant in the place of the first, and calls it a bad request to delete none.
    UpsertsAndFrowns,
    /// Takes connections and never responds.
    SilentOnAll,
    /// Shows in its refusals the credentials that were sent.
    EchoesTheToken,
}

/// What a store does, point by point.
#[derive(Clone, Copy)]
struct Ways {
    door: Door,
    asks_for: Credentials,
    creates: Creates,
    ids: Ids,
    /// The body of the response to a create.
    tells: fn(&Plant) -> Value,
    /// What that body is called.
    media_type: &'static str,
    delivery: Delivery,
    deletes: Deletes,
    /// Whether a refusal shows the credentials that were sent.
    echoes: bool,
}

/// What happens before anybody looks at a request.
#[derive(Clone, Copy)]
enum Door {
    Open,
    /// Says yes, and that is all.
    SaysYes,
    /// Says this, and that is all.
    Says(u16),
    Silent,
    /// Sends every third away.
    Crowded,
    /// Says 404 to whoever has the token, and 401 to others.
    NothingBehind,
    /// Is a page.
    Page,
    /// Says the same to every create, and the same to every delete, of whoever has the token.
    Canned,
}

/// Whose requests are taken.
#[derive(Clone, Copy)]
enum Credentials {
    Bearer,
    AnyScheme,
    None,
}

/// What a create does.
#[derive(Clone, Copy, PartialEq)]
enum Creates {
    /// Keeps the plant, unless its id is taken.
    Adds,
    /// Keeps the plant in the place of the one that has its id.
    Replaces,
    GoesElsewhere,
}

/// Which id a plant has.
#[derive(Clone, Copy, PartialEq)]
enum Ids {
    AsSent,
    Rounded,
    Own,
    /// As sent; it fails at those past 32 bits.
    Small,
    /// As sent, each once for ever.
    Fresh,
}

/// What becomes of the response to a create.
#[derive(Clone, Copy)]
enum Delivery {
    Whole,
    BrokenOffIfAccepted,
    Lost,
}

/// What a delete does.
#[derive(Clone, Copy)]
enum Deletes {
    One,
    /// One, and says so in a body.
    OneAloud,
    AllOfItsName,
    NeverEnds,
    Unknown,
    /// None, and says yes.
    Pretended,
    /// One if it is there, and says yes either way.
    Blind,
    /// One, and 400 if it is not there.
    Frowning,
    /// Finds none.
    Unfound,
}

impl Oddity {
    /// What a store with it does.
    fn ways(self) -> Ways {
        let honest = Ways {
            door: Door::Open,
            asks_for: Credentials::Bearer,
            creates: Creates::Adds,
            ids: Ids::AsSent,
            tells: |plant| json!({"name": plant.name, "tag": plant.tag}),
            media_type: JSON,
            delivery: Delivery::Whole,
            deletes: Deletes::One,
            echoes: false,
        };
        match self {
            Self::None => honest,
            Self::AnswersYesToEverything => Ways { door: Door::SaysYes, ..honest },
            Self::IgnoresTheToken => Ways { asks_for: Credentials::None, ..honest },
            Self::AcceptsAnyScheme => Ways { asks_for: Credentials::AnyScheme, ..honest },
            Self::SwapsNameAndTag => Ways { tells: |plant| json!({"name": plant.tag, "tag": plant.name}), ..honest },
            Self::AnswersHtml => Ways { media_type: "text/html", ..honest },
            Self::Envelope => Ways { tells: |plant| json!({"data": {"name": plant.name, "tag": plant.tag}}), ..honest },
            Self::AnswersAnArray => Ways { tells: |plant| json!([{"name": plant.name, "tag": plant.tag}]), ..honest },
            Self::LowerCasesNames => {
                Ways { tells: |plant| json!({"name": plant.name.to_lowercase(), "tag": plant.tag}), ..honest }
            }
            Self::ClosesMidAnswer => Ways { delivery: Delivery::BrokenOffIfAccepted, ..honest },
            Self::LosesEveryAnswerToACreate => Ways { delivery: Delivery::Lost, ..honest },
            Self::Redirects => Ways { creates: Creates::GoesElsewhere, ..honest },
            Self::RoundsIds => Ways { ids: Ids::Rounded, ..honest },
            Self::OwnIds => Ways {
                ids: Ids::Own,
                tells: |plant| json!({"name": plant.name, "tag": plant.tag, "id": plant.id}),
                ..honest
            },
            Self::Upserts => Ways { creates: Creates::Replaces, ..honest },
            Self::BodyOnDelete => Ways { deletes: Deletes::OneAloud, ..honest },
            Self::HangsOnDelete => Ways { deletes: Deletes::NeverEnds, ..honest },
            Self::LosesDeletes => Ways { deletes: Deletes::Unknown, ..honest },
            Self::DeletesAll => Ways { deletes: Deletes::AllOfItsName, ..honest },
            Self::AsksForPatience => Ways { door: Door::Crowded, ..honest },
            Self::RefusesTheToken => Ways { door: Door::Says(401), ..honest },
            Self::FailsAlways => Ways { door: Door::Says(500), ..honest },
            Self::NotFoundEverywhere => Ways { door: Door::Says(404), ..honest },
            Self::NotFoundWithTheToken => Ways { door: Door::NothingBehind, ..honest },
            Self::HtmlEverywhere => Ways { door: Door::Page, ..honest },
            Self::DeletesNothing => Ways { deletes: Deletes::Pretended, ..honest },
            Self::NeverReusesIds => Ways { ids: Ids::Fresh, ..honest },
            Self::DeletesBlindly => Ways { ids: Ids::Fresh, deletes: Deletes::Blind, ..honest },
            Self::LooksForTexts => Ways { deletes: Deletes::Unfound, ..honest },
            Self::FailsOnLargeIds => Ways { ids: Ids::Small, ..honest },
            Self::Canned => Ways { door: Door::Canned, ..honest },
            Self::TrimsNames => Ways { tells: |plant| json!({"name": plant.name.trim(), "tag": plant.tag}), ..honest },
            Self::UpsertsAndFrowns => Ways { creates: Creates::Replaces, deletes: Deletes::Frowning, ..honest },
            Self::SilentOnAll => Ways { door: Door::Silent, ..honest },
            Self::EchoesTheToken => Ways { echoes: true, ..honest },
        }
    }
}

/// A plant as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plant {
    pub(crate) name: String,
    pub(crate) id: i64,
    pub(crate) tag: String,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// With the query, if there was one.
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) body: String,
    /// The status of the response, if one was sent.
    pub(crate) responded: Option<u16>,
}

struct Response {
    status: u16,
    headers: Vec<(HeaderName, &'static str)>,
    body: String,
}

/// What a caller gets.
enum Reply {
    Whole(Response),
    BrokenOff(Response),
    Nothing,
    Never,
}

/// Such a store. It ends when this is dropped.
pub(crate) struct OddStore {
    address: SocketAddr,
    inside: Arc<Mutex<Inside>>,
    ends: CancellationToken,
    serving: Option<JoinHandle<()>>,
}

impl OddStore {
    /// One that takes this token.
    pub(crate) fn with(oddity: Oddity, token: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let inside = Inside {
            ways: oddity.ways(),
            token: token.to_owned(),
            plants: Vec::new(),
            last_own_id: 0,
            used: BTreeSet::new(),
            asked: Vec::new(),
            held: None,
        };
        let inside = Arc::new(Mutex::new(inside));
        let ends = CancellationToken::new();
        let (ending, store) = (ends.clone(), Arc::clone(&inside));
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
            runtime.block_on(ending.run_until_cancelled(accept(listener, store)));
        };
        let serving = Some(thread::Builder::new().name("odd store".to_owned()).spawn(serve).unwrap());
        Self { address, inside, ends, serving }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets the request of this number, counted from 1, be carried out and wait for its response.
    pub(crate) fn holds(&self, number: usize) -> Held {
        let (arrival, arrived) = mpsc::channel();
        let free = CancellationToken::new();
        self.inside.lock().unwrap().held = Some(Holding { number, arrival, free: free.clone() });
        Held { arrived, _free: free.drop_guard() }
    }

    /// The plants that it keeps now, in the order in which they came.
    pub(crate) fn left(&self) -> Vec<Plant> {
        self.inside.lock().unwrap().plants.clone()
    }

    /// Every request that came so far, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.inside.lock().unwrap().asked.clone()
    }
}

impl Drop for OddStore {
    fn drop(&mut self) {
        self.ends.cancel();
        // If it panicked, its callers have noticed.
        let _ = self.serving.take().map(JoinHandle::join);
    }
}

/// A request that is to wait for its response until this is dropped.
pub(crate) struct Held {
    arrived: mpsc::Receiver<()>,
    _free: DropGuard,
}

impl Held {
    /// Waits until it has come and was carried out.
    pub(crate) fn arrives(&self) {
        self.arrived.recv_timeout(STUCK).unwrap();
    }
}

/// What a store is behind its connections.
struct Inside {
    ways: Ways,
    token: String,
    plants: Vec<Plant>,
    last_own_id: i64,
    used: BTreeSet<i64>,
    asked: Vec<Asked>,
    held: Option<Holding>,
}

/// The other side of [`Held`].
struct Holding {
    number: usize,
    arrival: mpsc::Sender<()>,
    free: CancellationToken,
}

impl Inside {
    /// The request that is to wait for its response, if it is this one.
    fn holds_it(&mut self) -> Option<Holding> {
        self.held.take_if(|held| held.number == self.asked.len())
    }

    fn hear(&mut self, mut asked: Asked) -> Reply {
        let reply = self.reply(&asked);
        asked.responded = match &reply {
            Reply::Whole(response) | Reply::BrokenOff(response) => Some(response.status),
            Reply::Nothing | Reply::Never => None,
        };
        self.asked.push(asked);
        reply
    }

    fn reply(&mut self, asked: &Asked) -> Reply {
        match self.ways.door {
            Door::SaysYes => return Reply::Whole(yes(asked)),
            Door::Says(status) => return Reply::Whole(self.no(status, "that is all there is to say", asked)),
            Door::Silent => return Reply::Never,
            Door::Crowded if self.asked.len() % 3 == 2 => {
                let busy = self.no(429, "too many ask at once", asked);
                return Reply::Whole(Response { headers: [busy.headers, vec![(RETRY_AFTER, "0")]].concat(), ..busy });
            }
            Door::NothingBehind if self.takes(asked.authorization.as_deref()) => {
                return Reply::Whole(self.no(404, "there is nothing behind this gate", asked));
            }
            Door::Page => return Reply::Whole(page()),
            Door::Canned if self.takes(asked.authorization.as_deref()) => return Reply::Whole(canned(asked)),
            Door::NothingBehind | Door::Canned => return Reply::Whole(self.no(401, "who are you?", asked)),
            Door::Open | Door::Crowded => {}
        }
        match (asked.method.as_str(), asked.path.as_str(), asked.path.strip_prefix("/plants/")) {
            ("POST", "/plants", _) => self.create(asked),
            ("DELETE", _, Some(written)) => self.delete(written, asked),
            _ => Reply::Whole(self.no(404, "there is nothing at this path", asked)),
        }
    }

    /// A response that says no. What it says has to be escaped in HTML, XML and Markdown.
    fn no(&self, status: u16, why: &str, asked: &Asked) -> Response {
        let sent = asked.authorization.as_deref().filter(|_| self.ways.echoes).unwrap_or("***");
        let body = json!({"error": format!("<no> & |no|: {why}"), "credentials": sent}).to_string();
        Response { status, headers: vec![(CONTENT_TYPE, JSON)], body }
    }

    fn takes(&self, authorization: Option<&str>) -> bool {
        let (scheme, word) = authorization.and_then(|value| value.split_once(' ')).unwrap_or_default();
        match self.ways.asks_for {
            Credentials::Bearer => (scheme, word) == ("Bearer", self.token.as_str()),
            Credentials::AnyScheme => word == self.token,
            Credentials::None => true,
        }
    }

    fn create(&mut self, asked: &Asked) -> Reply {
        let response = if self.ways.creates == Creates::GoesElsewhere {
            let elsewhere = self.no(308, "there is another place for this", asked);
            Response { headers: [elsewhere.headers, vec![(LOCATION, "/elsewhere")]].concat(), ..elsewhere }
        } else {
            self.keep(asked).unwrap_or_else(|(status, why)| self.no(status, why, asked))
        };
        match self.ways.delivery {
            Delivery::Lost => Reply::Nothing,
            Delivery::BrokenOffIfAccepted if response.status < 300 => Reply::BrokenOff(response),
            Delivery::Whole | Delivery::BrokenOffIfAccepted => Reply::Whole(response),
        }
    }

    fn keep(&mut self, asked: &Asked) -> Result<Response, (u16, &'static str)> {
        if !self.takes(asked.authorization.as_deref()) {
            return Err((401, "who are you?"));
        }
        if asked.media_type.as_deref() != Some(JSON) {
            return Err((415, "a plant is JSON"));
        }
        let plant = self.plant(&asked.body).ok_or((400, "that is no plant"))?;
        if self.ways.ids == Ids::Small && i32::try_from(plant.id).is_err() {
            return Err((500, "integer out of range"));
        }
        if self.ways.ids == Ids::Fresh && !self.used.insert(plant.id) {
            return Err((409, "that id was used before"));
        }
        let there = self.plants.iter().position(|other| other.id == plant.id);
        let status = match (there, self.ways.creates) {
            (None, _) => 201,
            (Some(place), Creates::Replaces) => {
                self.plants.remove(place);
                200
            }
            (Some(_), Creates::Adds | Creates::GoesElsewhere) => return Err((409, "that id is taken")),
        };
        let body = (self.ways.tells)(&plant).to_string();
        self.plants.push(plant);
        Ok(Response { status, headers: vec![(CONTENT_TYPE, self.ways.media_type)], body })
    }

    /// The plant in a body, under the id that it is to have here.
    fn plant(&mut self, body: &str) -> Option<Plant> {
        let fields: Map<String, Value> = serde_json::from_str(body).ok()?;
        let (name, tag) = (fields.get("name")?.as_str()?.to_owned(), fields.get("tag")?.as_str()?.to_owned());
        if self.ways.ids == Ids::Own {
            self.last_own_id += 1;
            return Some(Plant { name, id: self.last_own_id, tag });
        }
        let id = fields.get("id")?.as_i64()?;
        let id = if self.ways.ids == Ids::Rounded { rounded(id)? } else { id };
        Some(Plant { name, id, tag })
    }

    fn delete(&mut self, written: &str, asked: &Asked) -> Reply {
        let no = |status, why| Reply::Whole(self.no(status, why, asked));
        let found = self.plants.iter().position(|plant| plant.id.to_string() == written);
        let (place, body) = match (self.ways.deletes, found) {
            (Deletes::Unknown, _) => return no(404, "there is no delete here"),
            _ if !self.takes(asked.authorization.as_deref()) => return no(401, "who are you?"),
            _ if written.parse::<i64>().is_err() => return no(400, "that is no id"),
            (Deletes::Frowning, None) => return no(400, "that is no plant of ours"),
            (Deletes::Blind, None) | (Deletes::Pretended, Some(_)) => return Reply::Whole(deleted()),
            (Deletes::Unfound, _) | (_, None) => return no(404, "there is no such plant"),
            (Deletes::NeverEnds, Some(_)) => return Reply::Never,
            (Deletes::OneAloud, Some(place)) => (place, Some(json!({"deleted": true}))),
            (Deletes::One | Deletes::AllOfItsName | Deletes::Blind | Deletes::Frowning, Some(place)) => (place, None),
        };
        let gone = self.plants.remove(place);
        if matches!(self.ways.deletes, Deletes::AllOfItsName) {
            self.plants.retain(|plant| plant.name != gone.name);
        }
        Reply::Whole(match body {
            Some(body) => Response { status: 200, headers: vec![(CONTENT_TYPE, JSON)], body: body.to_string() },
            None => deleted(),
        })
    }
}

/// What becomes of an id that goes through a double; `None` if no integer of 64 bits.
fn rounded(id: i64) -> Option<i64> {
    let double = json!(id).as_f64()?;
    format!("{double:.0}").parse().ok()
}

/// The response to a delete that is said to be done.
fn deleted() -> Response {
    Response { status: 204, headers: Vec::new(), body: String::new() }
}

fn page() -> Response {
    let body = "<!doctype html><title>Welcome</title>".to_owned();
    Response { status: 200, headers: vec![(CONTENT_TYPE, "text/html; charset=utf-8")], body }
}

/// The response of a mock, which shows an example whatever it is sent.
fn canned(asked: &Asked) -> Response {
    if asked.method == "DELETE" {
        return deleted();
    }
    Response {
        status: 201,
        headers: vec![(CONTENT_TYPE, JSON)],
        body: r#"{"name":"string","tag":"string"}"#.to_owned(),
    }
}

/// The response of a store that agrees to everything.
fn yes(asked: &Asked) -> Response {
    let sent: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let body = match (asked.method.as_str(), sent.get("name"), sent.get("tag")) {
        ("POST", Some(name), Some(tag)) => json!({"name": name, "tag": tag}).to_string(),
        ("DELETE", _, _) => String::new(),
        _ => "{}".to_owned(),
    };
    let headers = if body.is_empty() { Vec::new() } else { vec![(CONTENT_TYPE, JSON)] };
    Response { status: 200, headers, body }
}

/// Why a connection ends before its response does; hyper closes it without another byte.
fn hung_up() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

async fn accept(listener: TcpListener, inside: Arc<Mutex<Inside>>) {
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.spawn(converse(stream, Arc::clone(&inside)));
    }
}

/// One request and its reply. How the connection ends is for the caller to see.
async fn converse(stream: TcpStream, inside: Arc<Mutex<Inside>>) {
    let answering = service_fn(move |request| response(request, Arc::clone(&inside)));
    let _ = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), answering).await;
}

async fn response(request: Request<Incoming>, inside: Arc<Mutex<Inside>>) -> io::Result<http::Response<Body>> {
    let (head, body) = request.into_parts();
    let body = to_bytes(Body::new(body), usize::MAX).await.map_err(|_| hung_up())?;
    let header = |name| {
        let values: Vec<_> = head.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    };
    let asked = Asked {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        authorization: header(AUTHORIZATION),
        media_type: header(CONTENT_TYPE),
        body: String::from_utf8_lossy(&body).into_owned(),
        responded: None,
    };
    let (reply, holding) = {
        let mut inside = inside.lock().unwrap();
        (inside.hear(asked), inside.holds_it())
    };
    if let Some(Holding { arrival, free, .. }) = holding {
        // A test that no longer waits has ended.
        let _ = arrival.send(());
        free.cancelled().await;
    }
    match reply {
        Reply::Whole(response) => Ok(with_head(response, Body::from)),
        Reply::BrokenOff(response) => Ok(with_head(response, broken_off)),
        Reply::Nothing => Err(hung_up()),
        Reply::Never => std::future::pending().await,
    }
}

/// The response with this for a body, whatever its head says of the length.
fn with_head(response: Response, body: impl FnOnce(String) -> Body) -> http::Response<Body> {
    let mut head = http::Response::builder().status(response.status);
    for (name, value) in response.headers {
        head = head.header(name, value);
    }
    if response.status != 204 {
        head = head.header(CONTENT_LENGTH, response.body.len());
    }
    head.body(body(response.body)).unwrap()
}

/// The first half of a body, and then no more.
fn broken_off(body: String) -> Body {
    let mut half = body.into_bytes();
    half.truncate(half.len() / 2);
    // The half is to be on its way before hyper hears that there is no other.
    let end = async {
        tokio::task::yield_now().await;
        Err(hung_up())
    };
    Body::from_stream(stream::iter([Ok(half)]).chain(stream::once(end)))
}
