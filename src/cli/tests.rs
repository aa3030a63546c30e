//! Exchanges for the tests of what prints them.

use std::time::Duration;

use crate::domain::{
    BodyEnd, Ending, Exchange, Failure, FailureKind, Header, Method, Operation, OperationId, OperationKind, Phases,
    Plant, PlantId, Request, Response, Timestamp,
};

fn header(name: &str, value: &str) -> Header {
    Header { name: name.into(), value: value.into() }
}

fn responded(body: &[u8], body_end: BodyEnd) -> Ending {
    Ending::Responded(Response {
        status: 201,
        reason: "Created".into(),
        version: "HTTP/1.1".into(),
        headers: [header("content-type", "application/json"), header("set-cookie", "CANARY")].into(),
        body: body.to_vec(),
        body_end,
    })
}

fn failed(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: "why\u{1b}".into() })
}

/// An accepted one, one with a body that is no text, one with a long body, one without a response, and one without
/// a request.
pub(super) fn exchanges() -> [Exchange; 5] {
    let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: String::new() };
    let request = Request {
        method: Method::Post,
        url: "https://h/plants".into(),
        target: "/plants".into(),
        headers: [header("host", "h"), header("authorization", "CANARY"), header("x-api-key", "CANARY")].into(),
        body: Some(r#"{"name":"Fern","id":7,"tag":""}"#.into()),
    };
    [
        (true, responded(b"{\n  \"id\": 7\n}\n", BodyEnd::Complete)),
        (true, responded(b"\x1b[2J\xff\0", BodyEnd::Complete)),
        (true, responded(b"long", BodyEnd::Capped(4))),
        (true, failed(FailureKind::TimedOut)),
        (false, failed(FailureKind::NotBuilt)),
    ]
    .map(|(has_request, ending)| Exchange {
        operation: Operation::new(
            OperationId { origin: 1, number: 1 },
            OperationKind::add(plant.clone()),
            Timestamp(0),
        ),
        request: has_request.then(|| request.clone()),
        ending,
        started: Timestamp(0),
        elapsed: Duration::from_millis(12),
        phases: Phases::default(),
    })
}
