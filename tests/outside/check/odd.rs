//! Stores that keep the document except in one point: HTTP servers, each on its own thread, that record their requests
//! and return their plants.
//!
//! The honest store responds with 201, name and tag to a create, with 204 to a delete, and with 400, 401, 404, 409 or
//! 415 to everything else. [`Oddity::behaviour`] is the table of differences. Must not use the product.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
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
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::assertions::id_of;
use super::faults::{Fault, Faults};
use crate::support::closed_port::ClosedPort;

const JSON: &str = "application/json";

/// How long a late response takes.
const LATE: Duration = Duration::from_millis(100);

/// How long a test waits for a request.
const STUCK: Duration = Duration::from_secs(60);

/// The point in which a store differs from the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// The honest store.
    None,
    /// Responds with 200 to every request, and stores nothing.
    AcceptsEverything,
    /// Accepts requests with any token, and without one.
    IgnoresTheToken,
    /// Accepts the token under any scheme.
    AcceptsAnyScheme,
    /// Returns the name as the tag, and the tag as the name.
    SwapsNameAndTag,
    /// Declares the response to a create as HTML.
    RespondsWithHtml,
    /// Wraps the response to a create in `{"data":…}`.
    Envelope,
    /// Wraps the response to a create in an array.
    RespondsWithAnArray,
    /// Returns names in lower case.
    LowerCasesNames,
    /// Cuts off the response to an accepted create.
    CutsOffResponses,
    /// Carries a create out, or rejects it, and closes the connection without a response.
    LosesCreateResponses,
    /// Redirects every create.
    Redirects,
    /// Parses ids in bodies as doubles; compares ids in paths as text.
    RoundsIds,
    /// Ignores the ids in creates, and assigns ids from 1.
    OwnIds,
    /// A second create with an id replaces the first.
    Upserts,
    /// Responds to accepted deletes with a body.
    BodyOnDelete,
    /// Neither carries out the delete of a plant nor responds to it.
    HangsOnDelete,
    /// Rejects every delete with 404.
    LosesDeletes,
    /// A delete removes every plant of the same name.
    DeletesAll,
    /// Rejects every third request with 429.
    RejectsEveryThird,
    /// Rejects every token.
    RejectsTheToken,
    /// Fails at every request.
    FailsAlways,
    /// Responds with 404 to every path.
    NotFoundEverywhere,
    /// Responds with 404 to every path, but checks the token first.
    NotFoundWithTheToken,
    /// Responds with a page to every request.
    HtmlEverywhere,
    /// Accepts the delete of a plant, and keeps the plant.
    DeletesNothing,
    /// Accepts no id a second time, even after its plant was deleted.
    NeverReusesIds,
    /// Accepts every delete, and no id a second time.
    DeletesBlindly,
    /// Finds no plant by its id.
    LooksForTexts,
    /// Fails at creates with ids past 32 bits.
    FailsOnLargeIds,
    /// Has one response to all creates and one to all deletes.
    Canned,
    /// Trims names.
    TrimsNames,
    /// A second create with an id replaces the first; deletes of absent plants get 400.
    UpsertsAndFrowns,
    /// Accepts connections and never responds.
    SilentOnAll,
    /// Returns the received credentials in its rejections.
    EchoesTheToken,
    /// Shows a number of its own as the id, and finds plants by the id that was sent.
    ShowsRows,
    /// Accepts every delete, and keeps every plant.
    IgnoresDeletes,
    /// A delete takes effect three requests later.
    DeletesLate,
    /// From the 30th request on, a firewall rejects every create.
    IsBlocked,
    /// From the 30th request on, a portal responds with a page.
    IsBehindAPortal,
    /// Wants ids as strings.
    WantsTextIds,
    /// Stores creates without a name, which it rejects.
    StoresWhatItRejects,
}

/// The behaviour of a store, point by point.
#[derive(Clone, Copy)]
struct Behaviour {
    gate: Gate,
    requires: Credentials,
    creates: Creates,
    ids: Ids,
    /// The body of the response to a create.
    returns: fn(&Plant) -> Value,
    /// The media type of that body.
    media_type: &'static str,
    delivery: Delivery,
    deletes: Deletes,
    /// Whether a rejection returns the received credentials.
    echoes: bool,
}

/// The response before a request is parsed.
#[derive(Clone, Copy)]
enum Gate {
    Open,
    /// Accepts every request.
    Accepts,
    /// Rejects every request with this status.
    Rejects(u16),
    Silent,
    /// Rejects every third request with 429.
    Crowded,
    /// Responds with 404 to requests with the token, and with 401 to others.
    NothingBehind,
    /// Responds with a page.
    Page,
    /// Has one response to all creates and one to all deletes with the token.
    Canned,
    /// Rejects creates from the 30th request on.
    Firewall,
    /// Responds with a page from the 30th request on.
    Portal,
}

/// The requests before a firewall or a portal begins.
const BEFORE: usize = 29;

/// The credentials that a store requires.
#[derive(Clone, Copy)]
enum Credentials {
    Bearer,
    AnyScheme,
    None,
}

/// The effect of a create.
#[derive(Clone, Copy, PartialEq)]
enum Creates {
    /// Stores the plant, unless its id is taken.
    Adds,
    /// Stores the plant in place of the one with its id.
    Replaces,
    Redirects,
    /// Stores the plant also where it rejects the create for its name.
    AlsoRejected,
}

/// The id of a stored plant.
#[derive(Clone, Copy, PartialEq)]
enum Ids {
    AsSent,
    Rounded,
    Own,
    /// As sent; the store fails at ids past 32 bits.
    Small,
    /// As sent; each only once.
    Fresh,
    /// As sent, and only as a string.
    Text,
}

/// The delivery of the response to a create.
#[derive(Clone, Copy)]
enum Delivery {
    Whole,
    BrokenOffIfAccepted,
    Lost,
}

/// The effect of a delete.
#[derive(Clone, Copy)]
enum Deletes {
    One,
    /// Removes one plant, and responds with a body.
    OneWithBody,
    AllOfItsName,
    NeverEnds,
    Unknown,
    /// Removes none, and accepts.
    Pretended,
    /// Accepts, whether the plant is there or not.
    Blind,
    /// Responds with 400 if the plant is not there.
    Frowning,
    /// Finds no plant.
    Unfound,
    /// Accepts, and removes none.
    Ignored,
    /// Removes one plant three requests later.
    Late,
}

impl Oddity {
    /// Returns the behaviour of a store with this oddity.
    fn behaviour(self) -> Behaviour {
        let honest = Behaviour {
            gate: Gate::Open,
            requires: Credentials::Bearer,
            creates: Creates::Adds,
            ids: Ids::AsSent,
            returns: |plant| json!({"name": plant.name, "tag": plant.tag}),
            media_type: JSON,
            delivery: Delivery::Whole,
            deletes: Deletes::One,
            echoes: false,
        };
        match self {
            Self::None => honest,
            Self::AcceptsEverything => Behaviour { gate: Gate::Accepts, ..honest },
            Self::IgnoresTheToken => Behaviour { requires: Credentials::None, ..honest },
            Self::AcceptsAnyScheme => Behaviour { requires: Credentials::AnyScheme, ..honest },
            Self::SwapsNameAndTag => {
                Behaviour { returns: |plant| json!({"name": plant.tag, "tag": plant.name}), ..honest }
            }
            Self::RespondsWithHtml => Behaviour { media_type: "text/html", ..honest },
            Self::Envelope => {
                Behaviour { returns: |plant| json!({"data": {"name": plant.name, "tag": plant.tag}}), ..honest }
            }
            Self::RespondsWithAnArray => {
                Behaviour { returns: |plant| json!([{"name": plant.name, "tag": plant.tag}]), ..honest }
            }
            Self::LowerCasesNames => {
                Behaviour { returns: |plant| json!({"name": plant.name.to_lowercase(), "tag": plant.tag}), ..honest }
            }
            Self::CutsOffResponses => Behaviour { delivery: Delivery::BrokenOffIfAccepted, ..honest },
            Self::LosesCreateResponses => Behaviour { delivery: Delivery::Lost, ..honest },
            Self::Redirects => Behaviour { creates: Creates::Redirects, ..honest },
            Self::RoundsIds => Behaviour { ids: Ids::Rounded, ..honest },
            Self::OwnIds => Behaviour {
                ids: Ids::Own,
                returns: |plant| json!({"name": plant.name, "tag": plant.tag, "id": plant.id}),
                ..honest
            },
            Self::Upserts => Behaviour { creates: Creates::Replaces, ..honest },
            Self::BodyOnDelete => Behaviour { deletes: Deletes::OneWithBody, ..honest },
            Self::HangsOnDelete => Behaviour { deletes: Deletes::NeverEnds, ..honest },
            Self::LosesDeletes => Behaviour { deletes: Deletes::Unknown, ..honest },
            Self::DeletesAll => Behaviour { deletes: Deletes::AllOfItsName, ..honest },
            Self::RejectsEveryThird => Behaviour { gate: Gate::Crowded, ..honest },
            Self::RejectsTheToken => Behaviour { gate: Gate::Rejects(401), ..honest },
            Self::FailsAlways => Behaviour { gate: Gate::Rejects(500), ..honest },
            Self::NotFoundEverywhere => Behaviour { gate: Gate::Rejects(404), ..honest },
            Self::NotFoundWithTheToken => Behaviour { gate: Gate::NothingBehind, ..honest },
            Self::HtmlEverywhere => Behaviour { gate: Gate::Page, ..honest },
            Self::DeletesNothing => Behaviour { deletes: Deletes::Pretended, ..honest },
            Self::NeverReusesIds => Behaviour { ids: Ids::Fresh, ..honest },
            Self::DeletesBlindly => Behaviour { ids: Ids::Fresh, deletes: Deletes::Blind, ..honest },
            Self::LooksForTexts => Behaviour { deletes: Deletes::Unfound, ..honest },
            Self::FailsOnLargeIds => Behaviour { ids: Ids::Small, ..honest },
            Self::Canned => Behaviour { gate: Gate::Canned, ..honest },
            Self::TrimsNames => {
                Behaviour { returns: |plant| json!({"name": plant.name.trim(), "tag": plant.tag}), ..honest }
            }
            Self::UpsertsAndFrowns => Behaviour { creates: Creates::Replaces, deletes: Deletes::Frowning, ..honest },
            Self::SilentOnAll => Behaviour { gate: Gate::Silent, ..honest },
            Self::EchoesTheToken => Behaviour { echoes: true, ..honest },
            Self::ShowsRows => Behaviour {
                returns: |plant| json!({"name": plant.name, "tag": plant.tag, "id": 1 + plant.id.rem_euclid(199)}),
                ..honest
            },
            Self::IgnoresDeletes => Behaviour { deletes: Deletes::Ignored, ..honest },
            Self::DeletesLate => Behaviour { deletes: Deletes::Late, ..honest },
            Self::IsBlocked => Behaviour { gate: Gate::Firewall, ..honest },
            Self::IsBehindAPortal => Behaviour { gate: Gate::Portal, ..honest },
            Self::WantsTextIds => Behaviour { ids: Ids::Text, ..honest },
            Self::StoresWhatItRejects => Behaviour { creates: Creates::AlsoRejected, ..honest },
        }
    }
}

/// A stored plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plant {
    pub(crate) name: String,
    pub(crate) id: i64,
    pub(crate) tag: String,
}

/// A request as received.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    /// With the query.
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

/// The reply on the wire.
enum Reply {
    Whole(Response),
    /// After a while.
    Late(Response),
    BrokenOff(Response),
    Nothing,
    Never,
}

/// A running store. It stops when dropped.
pub(crate) struct OddStore {
    port: Arc<ClosedPort>,
    address: SocketAddr,
    inside: Arc<Mutex<Inside>>,
    ends: CancellationToken,
    serving: Option<JoinHandle<()>>,
}

impl OddStore {
    /// Starts a store that requires this token.
    pub(crate) fn with(oddity: Oddity, token: &str) -> Self {
        let inside = Inside {
            behaviour: oddity.behaviour(),
            token: token.to_owned(),
            plants: Vec::new(),
            last_own_id: 0,
            used: BTreeSet::new(),
            dying: Vec::new(),
            requests: Vec::new(),
            held: None,
            keeps_connections: false,
            faults: None,
        };
        let (port, inside) = (Arc::new(ClosedPort::new()), Arc::new(Mutex::new(inside)));
        let mut store = Self { address: port.address(), port, inside, ends: CancellationToken::new(), serving: None };
        store.start();
        store
    }

    /// Serves at its address from now on.
    pub(crate) fn start(&mut self) {
        self.ends = CancellationToken::new();
        let (ends, port, inside) = (self.ends.clone(), Arc::clone(&self.port), Arc::clone(&self.inside));
        let (listens, listening) = mpsc::channel();
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let serving = async {
                let listener = port.listen();
                listens.send(()).unwrap();
                accept(listener, inside).await;
            };
            runtime.block_on(ends.run_until_cancelled(serving));
        };
        self.serving = Some(thread::Builder::new().name("odd store".to_owned()).spawn(serve).unwrap());
        listening.recv().unwrap();
    }

    /// Closes all connections and refuses new ones. Afterwards, no request is carried out any more.
    pub(crate) fn stop(&mut self) {
        self.ends.cancel();
        // A panic of the thread has already failed its test.
        let _ = self.serving.take().map(JoinHandle::join);
    }

    /// Lets clients send several requests over one connection.
    #[cfg(unix)]
    pub(crate) fn keep_connections(&self) {
        self.inside.lock().unwrap().keeps_connections = true;
    }

    /// Has these faults from now on, besides its oddity.
    #[cfg(unix)]
    pub(crate) fn set_faults(&self, faults: Option<Faults>) {
        self.inside.lock().unwrap().faults = faults;
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stores plants of other people.
    pub(crate) fn has(&self, ids: impl IntoIterator<Item = i64>) {
        let theirs = |id| Plant { name: "theirs".to_owned(), id, tag: String::new() };
        self.inside.lock().unwrap().plants.extend(ids.into_iter().map(theirs));
    }

    /// Holds the response to the request of this number, from 1, after the request has taken effect.
    pub(crate) fn holds(&self, number: usize) -> Held {
        let (arrival, arrived) = mpsc::channel();
        let free = CancellationToken::new();
        self.inside.lock().unwrap().held = Some(Holding { number, arrival, free: free.clone() });
        Held { arrived, _free: free.drop_guard() }
    }

    /// Returns the stored plants, in the order of their creates, without those whose delete will take effect.
    pub(crate) fn left(&self) -> Vec<Plant> {
        let inside = self.inside.lock().unwrap();
        let is_dying = |plant: &&Plant| inside.dying.iter().any(|(id, _)| *id == plant.id);
        inside.plants.iter().filter(|plant| !is_dying(plant)).cloned().collect()
    }

    /// Returns every request so far, in order.
    pub(crate) fn requests(&self) -> Vec<Received> {
        self.inside.lock().unwrap().requests.clone()
    }
}

impl Drop for OddStore {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Holds a response until dropped.
pub(crate) struct Held {
    arrived: mpsc::Receiver<()>,
    _free: DropGuard,
}

impl Held {
    /// Waits until the request has taken effect.
    pub(crate) fn arrives(&self) {
        self.arrived.recv_timeout(STUCK).unwrap();
    }
}

/// The state of a store.
struct Inside {
    behaviour: Behaviour,
    token: String,
    plants: Vec<Plant>,
    last_own_id: i64,
    used: BTreeSet<i64>,
    /// Ids of plants to remove, and the request before which that happens.
    dying: Vec<(i64, usize)>,
    requests: Vec<Received>,
    held: Option<Holding>,
    keeps_connections: bool,
    faults: Option<Faults>,
}

/// The other side of [`Held`].
struct Holding {
    number: usize,
    arrival: mpsc::Sender<()>,
    free: CancellationToken,
}

impl Inside {
    /// Returns the hold on the last request, if there is one.
    fn take_hold(&mut self) -> Option<Holding> {
        self.held.take_if(|held| held.number == self.requests.len())
    }

    fn handle(&mut self, mut request: Received) -> Reply {
        let fault = self.faults.as_mut().and_then(Faults::draw);
        let reply = self.reply_with(&request, fault);
        request.responded = match &reply {
            Reply::Whole(response) | Reply::Late(response) | Reply::BrokenOff(response) => Some(response.status),
            Reply::Nothing | Reply::Never => None,
        };
        self.requests.push(request);
        reply
    }

    /// Replies as the fault lets it.
    fn reply_with(&mut self, request: &Received, fault: Option<Fault>) -> Reply {
        match fault {
            Some(Fault::LosesRequest) => return Reply::Nothing,
            Some(Fault::FailsBefore) => return Reply::Whole(self.rejection(500, "not today", request)),
            Some(Fault::IsBusy) => return Reply::Whole(self.busy(request)),
            Some(Fault::LosesResponse | Fault::FailsAfter | Fault::Repeats | Fault::Delays | Fault::Hangs) | None => {}
        }
        let reply = self.reply(request);
        match (fault, reply) {
            (Some(Fault::LosesResponse), _) => Reply::Nothing,
            (Some(Fault::Hangs), _) => Reply::Never,
            (Some(Fault::FailsAfter), _) => Reply::Whole(self.rejection(500, "the log is full", request)),
            (Some(Fault::Delays), Reply::Whole(response)) => Reply::Late(response),
            (Some(Fault::Repeats), reply) => {
                self.reply(request);
                reply
            }
            (_, reply) => reply,
        }
    }

    fn busy(&self, request: &Received) -> Response {
        let busy = self.rejection(429, "too many requests at once", request);
        Response { headers: [busy.headers, vec![(RETRY_AFTER, "0")]].concat(), ..busy }
    }

    fn reply(&mut self, request: &Received) -> Reply {
        let now = self.requests.len();
        let dead: Vec<_> = self.dying.extract_if(.., |(_, at)| *at <= now).map(|(id, _)| id).collect();
        self.plants.retain(|plant| !dead.contains(&plant.id));
        match self.behaviour.gate {
            Gate::Firewall if now >= BEFORE && request.method == "POST" => {
                return Reply::Whole(self.rejection(403, "too many strange requests", request));
            }
            Gate::Portal if now >= BEFORE => return Reply::Whole(page()),
            Gate::Accepts => return Reply::Whole(accept_all(request)),
            Gate::Rejects(status) => {
                return Reply::Whole(self.rejection(status, "that is all there is to say", request));
            }
            Gate::Silent => return Reply::Never,
            Gate::Crowded if self.requests.len() % 3 == 2 => return Reply::Whole(self.busy(request)),
            Gate::NothingBehind if self.is_authorised(request.authorization.as_deref()) => {
                return Reply::Whole(self.rejection(404, "there is nothing behind this gate", request));
            }
            Gate::Page => return Reply::Whole(page()),
            Gate::Canned if self.is_authorised(request.authorization.as_deref()) => {
                return Reply::Whole(canned(request));
            }
            Gate::NothingBehind | Gate::Canned => return Reply::Whole(self.rejection(401, "who are you?", request)),
            Gate::Open | Gate::Crowded | Gate::Firewall | Gate::Portal => {}
        }
        match (request.method.as_str(), request.path.as_str(), request.path.strip_prefix("/plants/")) {
            ("POST", "/plants", _) => self.create(request),
            ("DELETE", _, Some(written)) => self.delete(written, request),
            _ => Reply::Whole(self.rejection(404, "there is nothing at this path", request)),
        }
    }

    /// Returns a rejection. Its text has to be escaped in HTML, XML and Markdown.
    fn rejection(&self, status: u16, why: &str, request: &Received) -> Response {
        let sent = request.authorization.as_deref().filter(|_| self.behaviour.echoes).unwrap_or("***");
        let body = json!({"error": format!("<no> & |no|: {why}"), "credentials": sent}).to_string();
        Response { status, headers: vec![(CONTENT_TYPE, JSON)], body }
    }

    fn is_authorised(&self, authorization: Option<&str>) -> bool {
        let (scheme, word) = authorization.and_then(|value| value.split_once(' ')).unwrap_or_default();
        match self.behaviour.requires {
            Credentials::Bearer => (scheme, word) == ("Bearer", self.token.as_str()),
            Credentials::AnyScheme => word == self.token,
            Credentials::None => true,
        }
    }

    fn create(&mut self, request: &Received) -> Reply {
        let response = if self.behaviour.creates == Creates::Redirects {
            let elsewhere = self.rejection(308, "there is another place for this", request);
            Response { headers: [elsewhere.headers, vec![(LOCATION, "/elsewhere")]].concat(), ..elsewhere }
        } else {
            self.store(request).unwrap_or_else(|(status, why)| self.rejection(status, why, request))
        };
        match self.behaviour.delivery {
            Delivery::Lost => Reply::Nothing,
            Delivery::BrokenOffIfAccepted if response.status < 300 => Reply::BrokenOff(response),
            Delivery::Whole | Delivery::BrokenOffIfAccepted => Reply::Whole(response),
        }
    }

    fn store(&mut self, request: &Received) -> Result<Response, (u16, &'static str)> {
        if !self.is_authorised(request.authorization.as_deref()) {
            return Err((401, "who are you?"));
        }
        if request.media_type.as_deref() != Some(JSON) {
            return Err((415, "a plant is JSON"));
        }
        let Some(plant) = self.plant(&request.body) else {
            let id = id_of(request).filter(|_| self.behaviour.creates == Creates::AlsoRejected);
            let name = String::new();
            self.plants.extend(id.map(|id| Plant { name, id, tag: String::new() }));
            return Err((400, "that is no plant"));
        };
        if self.behaviour.ids == Ids::Small && i32::try_from(plant.id).is_err() {
            return Err((500, "integer out of range"));
        }
        if self.behaviour.ids == Ids::Fresh && !self.used.insert(plant.id) {
            return Err((409, "that id was used before"));
        }
        let there = self.plants.iter().position(|other| other.id == plant.id);
        let status = match (there, self.behaviour.creates) {
            (None, _) => 201,
            (Some(place), Creates::Replaces) => {
                self.plants.remove(place);
                200
            }
            (Some(_), Creates::Adds | Creates::Redirects | Creates::AlsoRejected) => {
                return Err((409, "that id is taken"));
            }
        };
        let body = (self.behaviour.returns)(&plant).to_string();
        self.plants.push(plant);
        Ok(Response { status, headers: vec![(CONTENT_TYPE, self.behaviour.media_type)], body })
    }

    /// Parses the plant in a body, with the id that it gets here.
    fn plant(&mut self, body: &str) -> Option<Plant> {
        let fields: Map<String, Value> = serde_json::from_str(body).ok()?;
        let (name, tag) = (fields.get("name")?.as_str()?.to_owned(), fields.get("tag")?.as_str()?.to_owned());
        if self.behaviour.ids == Ids::Own {
            self.last_own_id += 1;
            return Some(Plant { name, id: self.last_own_id, tag });
        }
        let id = fields.get("id")?;
        let id = if self.behaviour.ids == Ids::Text { id.as_str()?.parse().ok()? } else { id.as_i64()? };
        let id = if self.behaviour.ids == Ids::Rounded { rounded(id)? } else { id };
        Some(Plant { name, id, tag })
    }

    fn delete(&mut self, written: &str, request: &Received) -> Reply {
        let reject = |status, why| Reply::Whole(self.rejection(status, why, request));
        let found = self.plants.iter().position(|plant| plant.id.to_string() == written);
        let (place, body) = match (self.behaviour.deletes, found) {
            (Deletes::Unknown, _) => return reject(404, "there is no delete here"),
            _ if !self.is_authorised(request.authorization.as_deref()) => return reject(401, "who are you?"),
            _ if written.parse::<i64>().is_err() => return reject(400, "that is no id"),
            (Deletes::Frowning, None) => return reject(400, "that is no plant of ours"),
            (Deletes::Blind, None) | (Deletes::Pretended, Some(_)) | (Deletes::Ignored, _) => {
                return Reply::Whole(deleted());
            }
            (Deletes::Late, Some(place)) => {
                self.dying.push((self.plants[place].id, self.requests.len() + 3));
                return Reply::Whole(deleted());
            }
            (Deletes::Unfound, _) | (_, None) => return reject(404, "there is no such plant"),
            (Deletes::NeverEnds, Some(_)) => return Reply::Never,
            (Deletes::OneWithBody, Some(place)) => (place, Some(json!({"deleted": true}))),
            (Deletes::One | Deletes::AllOfItsName | Deletes::Blind | Deletes::Frowning, Some(place)) => (place, None),
        };
        let gone = self.plants.remove(place);
        if matches!(self.behaviour.deletes, Deletes::AllOfItsName) {
            self.plants.retain(|plant| plant.name != gone.name);
        }
        Reply::Whole(match body {
            Some(body) => Response { status: 200, headers: vec![(CONTENT_TYPE, JSON)], body: body.to_string() },
            None => deleted(),
        })
    }
}

/// Rounds an id to the nearest double; `None` if that is no 64-bit integer.
fn rounded(id: i64) -> Option<i64> {
    let double = json!(id).as_f64()?;
    format!("{double:.0}").parse().ok()
}

/// Returns the response to an accepted delete.
fn deleted() -> Response {
    Response { status: 204, headers: Vec::new(), body: String::new() }
}

fn page() -> Response {
    let body = "<!doctype html><title>Welcome</title>".to_owned();
    Response { status: 200, headers: vec![(CONTENT_TYPE, "text/html; charset=utf-8")], body }
}

/// Returns the response of a mock server: always the same example.
fn canned(request: &Received) -> Response {
    if request.method == "DELETE" {
        return deleted();
    }
    Response {
        status: 201,
        headers: vec![(CONTENT_TYPE, JSON)],
        body: r#"{"name":"string","tag":"string"}"#.to_owned(),
    }
}

/// Returns the response of a store that accepts everything.
fn accept_all(request: &Received) -> Response {
    let sent: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let body = match (request.method.as_str(), sent.get("name"), sent.get("tag")) {
        ("POST", Some(name), Some(tag)) => json!({"name": name, "tag": tag}).to_string(),
        ("DELETE", _, _) => String::new(),
        _ => "{}".to_owned(),
    };
    let headers = if body.is_empty() { Vec::new() } else { vec![(CONTENT_TYPE, JSON)] };
    Response { status: 200, headers, body }
}

/// The error that makes hyper close a connection without another byte.
fn hung_up() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

async fn accept(listener: TcpListener, inside: Arc<Mutex<Inside>>) {
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.spawn(serve(stream, Arc::clone(&inside)));
    }
}

/// Serves one connection. Ignores its errors, which the client sees as well.
async fn serve(stream: TcpStream, inside: Arc<Mutex<Inside>>) {
    let keeps = inside.lock().unwrap().keeps_connections;
    let service = service_fn(move |request| response(request, Arc::clone(&inside)));
    let _ = http1::Builder::new().keep_alive(keeps).serve_connection(TokioIo::new(stream), service).await;
}

async fn response(request: Request<Incoming>, inside: Arc<Mutex<Inside>>) -> io::Result<http::Response<Body>> {
    let (head, body) = request.into_parts();
    let body = to_bytes(Body::new(body), usize::MAX).await.map_err(|_| hung_up())?;
    let header = |name| {
        let values: Vec<_> = head.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    };
    let request = Received {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        authorization: header(AUTHORIZATION),
        media_type: header(CONTENT_TYPE),
        body: String::from_utf8_lossy(&body).into_owned(),
        responded: None,
    };
    let (reply, holding) = {
        let mut inside = inside.lock().unwrap();
        (inside.handle(request), inside.take_hold())
    };
    if let Some(Holding { arrival, free, .. }) = holding {
        // Fails only when the test has ended.
        let _ = arrival.send(());
        free.cancelled().await;
    }
    match reply {
        Reply::Whole(response) => Ok(with_head(response, Body::from)),
        Reply::Late(response) => {
            tokio::time::sleep(LATE).await;
            Ok(with_head(response, Body::from))
        }
        Reply::BrokenOff(response) => Ok(with_head(response, broken_off)),
        Reply::Nothing => Err(hung_up()),
        Reply::Never => std::future::pending().await,
    }
}

/// Builds a response with this body, which may be shorter than the content-length.
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

/// Returns the first half of a body, followed by an error.
fn broken_off(body: String) -> Body {
    let mut half = body.into_bytes();
    half.truncate(half.len() / 2);
    // hyper must send the first half before it sees the error.
    let end = async {
        tokio::task::yield_now().await;
        Err(hung_up())
    };
    Body::from_stream(stream::iter([Ok(half)]).chain(stream::once(end)))
}
