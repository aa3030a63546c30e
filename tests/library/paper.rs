//! A store and a list of plants without network and journal: their responses are always the same.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use plants::client::Token;
use plants::domain::{
    BodyEnd, Credentials, Ending, Exchange, Header, OperationKind, PlantId, Probe, Response, Row, State,
    UnknownOperation,
};
use plants::journal::{Anchor, Arrangement, Tally, Window, WindowRequest};
use plants::tui::Msg;
use plants::worker::{Ended, Report};

/// Returns a complete JSON response.
pub(crate) fn response(status: u16, reason: &str, body: &str) -> Ending {
    let headers = [Header { name: "content-type".into(), value: "application/json".into() }].into();
    Ending::Responded(Response {
        status,
        reason: reason.to_owned().into(),
        version: "HTTP/1.1".into(),
        headers,
        body: body.into(),
        body_end: BodyEnd::Complete,
    })
}

/// Returns the token that operations are sent with from the start.
pub(crate) fn token() -> Token {
    static TOKEN: LazyLock<Token> = LazyLock::new(|| Token::new("secret").unwrap());
    TOKEN.clone()
}

/// Returns the message of an operation that has ended and is recorded, with what the journal has of its plant then.
pub(crate) fn end_of(exchange: Exchange, row: Option<Row>, unknown: Option<UnknownOperation>) -> Msg {
    let (exchange, recorded) = (exchange.into(), Ok(()));
    let ended = Ended { exchange, recorded, has_intent: true, token: Some(token()), row, unknown, is_proven: false };
    Msg::Report(Box::new(Report::Ended(Box::new(ended))))
}

/// Returns the message that gives the app its list of plants and the next free id.
pub(crate) fn stands(rows: Vec<Row>, next_id: PlantId) -> Msg {
    let count = |state| rows.iter().filter(|row| row.state == state).count();
    let tally = Tally {
        stored: count(State::Stored),
        unknown: count(State::Unknown),
        adding: count(State::Adding),
        deleting: count(State::Deleting),
    };
    let request = WindowRequest { anchor: Anchor::Index(0), rows: 400, arrangement: Arrangement::default() };
    let window = Window { first: 0, total: rows.len(), tally, next_id, unknown_deletes: Vec::new(), late: None, rows };
    Msg::Window(Box::new(request), Ok(window))
}

/// A store that follows the interface document, except, on request, for the token.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) ids: BTreeSet<String>,
    pub(crate) accepts_any_token: bool,
}

impl Store {
    /// Returns the response to a probe.
    pub(crate) fn responses(&mut self, kind: &OperationKind, probe: &Probe) -> Ending {
        if probe.credentials != Credentials::Token && !self.accepts_any_token {
            return response(401, "Unauthorized", r#"{"error":"who are you?"}"#);
        }
        match kind {
            OperationKind::Delete(id) => {
                let id = probe.path_id.clone().unwrap_or_else(|| id.to_string());
                if self.ids.remove(&id) { response(204, "No Content", "") } else { response(404, "Not Found", "") }
            }
            OperationKind::Add(_) if probe.body.is_some() => response(400, "Bad Request", r#"{"error":"no"}"#),
            OperationKind::Add(plant) if self.ids.insert(plant.id.to_string()) => {
                let body = serde_json::json!({ "name": plant.name, "tag": plant.tag });
                response(201, "Created", &body.to_string())
            }
            OperationKind::Add(_) => response(409, "Conflict", r#"{"error":"taken"}"#),
        }
    }
}
