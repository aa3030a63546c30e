//! An archive follows the rules of HAR 1.2, whatever the ending of an exchange, and never contains a credential.

use std::sync::Arc;

use serde_json::Value;

use super::*;
use crate::domain::filter::Filter;
use crate::domain::{Ending, Failure, FailureKind, Operation, OperationId, Plant, PlantId, Request, Timestamp};
use crate::journal::{Journal, Opened, Place};

const CANARY: &str = "CANARY/7f3a+secret==";

fn store() -> StoreUrl {
    "https://plants.example/api".parse().unwrap()
}

fn header(name: &str, value: &str) -> Header {
    Header { name: name.into(), value: value.into() }
}

fn request() -> Request {
    Request {
        method: Method::Post,
        url: "https://plants.example/api/plants?dry=1&name=a%20b".into(),
        target: "/api/plants?dry=1&name=a%20b".into(),
        headers: [
            header("content-type", "application/json"),
            header("authorization", "Bearer ********"),
            header("x-api-key", CANARY),
            header("proxy-authorization", CANARY),
            header("cookie", CANARY),
        ]
        .into(),
        body: Some("{\"name\":\"Fern\u{202e}\",\"id\":7,\"tag\":\"\"}".into()),
    }
}

fn response(status: u16, body: &[u8], body_end: BodyEnd) -> Ending {
    Ending::Responded(Response {
        status,
        reason: "Why".into(),
        version: "HTTP/1.1".into(),
        headers: [header("Content-Type", "text/plain"), header("set-cookie", CANARY), header("location", "/x?CANARY")]
            .into(),
        body: body.to_vec(),
        body_end,
    })
}

fn failed(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: "why".into() })
}

fn exchange(number: u32, request: Option<Request>, ending: Ending, phases: [Option<u64>; 5]) -> Exchange {
    let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: String::new() };
    let id = OperationId { origin: 1, number };
    let kind = if number.is_multiple_of(2) { OperationKind::add(plant) } else { OperationKind::Delete(PlantId(7)) };
    let [name, connection, tls, waiting, reading] = phases.map(|micros| micros.map(Duration::from_micros));
    Exchange {
        operation: Operation::new(id, kind, Timestamp(0)),
        request,
        ending,
        started: Timestamp(1_700_000_000_000 + i64::from(number)),
        elapsed: Duration::from_micros(1_000_001),
        phases: Phases { name, connection, tls, waiting, reading },
    }
}

/// Exchanges of every kind of ending.
fn exchanges() -> Vec<Exchange> {
    let all = [Some(1_234), Some(20_000), Some(30_007), Some(900_000), Some(11)];
    let kept = [None, None, None, Some(1), Some(0)];
    let endings = [
        (Some(request()), response(201, b"{\"id\":7}", BodyEnd::Complete), all),
        (Some(request()), response(409, "\u{1b}[2J é".as_bytes(), BodyEnd::Complete), kept),
        (Some(request()), response(302, b"", BodyEnd::Complete), kept),
        (Some(request()), response(500, b"\xff\x00a", BodyEnd::CutOff("reset".into())), all),
        (Some(request()), response(200, b"long", BodyEnd::Capped(4)), kept),
        (None, response(200, b"", BodyEnd::Trimmed), [None; 5]),
        (Some(request()), failed(FailureKind::TimedOut), [None, Some(5), None, Some(7), None]),
        (Some(request()), failed(FailureKind::NoResponse), [None, None, Some(5), None, None]),
        (Some(request()), failed(FailureKind::NotConnected), [Some(5), None, None, None, None]),
        (Some(Request { body: None, ..request() }), failed(FailureKind::CancelledInFlight), [None; 5]),
        (None, failed(FailureKind::NotBuilt), [None; 5]),
    ];
    (0..).zip(endings).map(|(number, (request, ending, phases))| exchange(number, request, ending, phases)).collect()
}

fn json(exchange: Exchange) -> Value {
    let stored = StoredExchange { number: 42, called: None, exchange };
    serde_json::from_slice(&entry(&stored, &store()).unwrap()).unwrap()
}

/// Fails where an entry breaks a rule of HAR 1.2.
fn assert_entry(entry: &Value) {
    let text = |value: &Value| assert!(value.is_string(), "{entry}");
    let size = |value: &Value| assert!(value.as_i64().unwrap() >= -1, "{entry}");
    let pairs = |list: &Value| {
        for pair in list.as_array().unwrap() {
            [&pair["name"], &pair["value"]].into_iter().for_each(text);
        }
    };
    let only = |object: &Value, required: &[&str], optional: &[&str]| {
        let fields: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(required.iter().all(|field| fields.contains(field)), "{entry}");
        let is_known = |field: &&str| {
            field.starts_with('_') || *field == "comment" || required.contains(field) || optional.contains(field)
        };
        assert!(fields.iter().all(is_known), "{entry}");
    };
    only(entry, &["startedDateTime", "time", "request", "response", "cache", "timings"], &[]);
    let started = entry["startedDateTime"].as_str().unwrap();
    assert!(
        started.parse::<jiff::Timestamp>().is_ok() && started.len() == "2023-11-14T22:13:20.000Z".len(),
        "{started}"
    );
    only(&entry["cache"], &[], &["beforeRequest", "afterRequest"]);

    let request = &entry["request"];
    let required = ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"];
    only(request, &required, &["postData"]);
    [&request["method"], &request["httpVersion"]].into_iter().for_each(text);
    assert!(request["url"].as_str().unwrap().parse::<Url>().unwrap().fragment().is_none());
    [&request["cookies"], &request["headers"], &request["queryString"]].into_iter().for_each(pairs);
    [&request["headersSize"], &request["bodySize"]].into_iter().for_each(size);
    if let Some(posted) = request.get("postData") {
        only(posted, &["mimeType", "text"], &[]);
        [&posted["mimeType"], &posted["text"]].into_iter().for_each(text);
    }

    let response = &entry["response"];
    let required = [
        "status",
        "statusText",
        "httpVersion",
        "cookies",
        "headers",
        "content",
        "redirectURL",
        "headersSize",
        "bodySize",
    ];
    only(response, &required, &[]);
    assert!(response["status"].is_u64(), "{entry}");
    [&response["statusText"], &response["httpVersion"], &response["redirectURL"]].into_iter().for_each(text);
    [&response["cookies"], &response["headers"]].into_iter().for_each(pairs);
    [&response["headersSize"], &response["bodySize"]].into_iter().for_each(size);
    only(&response["content"], &["size", "mimeType"], &["compression", "text", "encoding"]);
    text(&response["content"]["mimeType"]);
    assert!(response["content"]["size"].is_u64(), "{entry}");

    let timings = &entry["timings"];
    only(timings, &["send", "wait", "receive"], &["blocked", "dns", "connect", "ssl"]);
    let took = |phase: &str| timings[phase].as_f64().unwrap();
    for phase in ["send", "wait", "receive"] {
        assert!(took(phase) >= 0.0, "{entry}");
    }
    let all = ["blocked", "dns", "connect", "send", "wait", "receive"].map(took);
    for optional in ["blocked", "dns", "connect", "ssl"] {
        assert!(took(optional) >= 0.0 || timings[optional] == -1.0, "{entry}");
    }
    assert!(took("ssl") <= took("connect"), "{entry}");
    let sum: f64 = all.into_iter().filter(|took| *took >= 0.0).sum();
    assert!((sum - entry["time"].as_f64().unwrap()).abs() < 1e-6, "{entry}");
}

#[test]
fn an_entry_follows_the_rules_whatever_the_ending() {
    for exchange in exchanges() {
        let elapsed = exchange.elapsed.as_secs_f64() * 1000.0;
        let entry = json(exchange);
        assert_entry(&entry);
        assert!((entry["time"].as_f64().unwrap() - elapsed).abs() < 1e-6, "{entry}");
    }
}

#[test]
fn an_entry_has_both_messages() {
    let entries: Vec<_> = exchanges().into_iter().map(json).collect();
    let [accepted, rejected, redirect, binary, cut, trimmed, ..] = entries.as_slice() else { panic!("too few") };
    assert_eq!(accepted["startedDateTime"], "2023-11-14T22:13:20.000Z");
    assert_eq!((&accepted["_number"], &accepted["_outcome"]), (&42.into(), &"accepted".into()));
    let request = &accepted["request"];
    assert_eq!(request["queryString"][1], serde_json::json!({"name": "name", "value": "a b"}));
    assert_eq!(request["postData"]["mimeType"], "application/json");
    assert_eq!(request["bodySize"], u64::try_from(request["postData"]["text"].as_str().unwrap().len()).unwrap());
    assert_eq!(accepted["response"]["content"]["text"], "{\"id\":7}");
    assert_eq!(accepted["timings"]["connect"], 50.007);
    assert_eq!(accepted["timings"]["ssl"], 30.007);
    assert_eq!(rejected["response"]["content"]["text"], "\u{1b}[2J é");
    assert_eq!(rejected["timings"]["connect"], -1.0);
    assert_eq!(redirect["response"]["redirectURL"], "/x?********");
    assert_eq!(binary["response"]["content"]["text"], "/wBh");
    assert_eq!(binary["response"]["content"]["encoding"], "base64");
    assert_eq!(cut["response"]["content"]["comment"], "The response is longer than 4 bytes; the rest was not stored.");
    assert_eq!(trimmed["response"]["bodySize"], -1);
    assert_eq!(trimmed["response"]["content"].get("text"), None);
    assert_eq!(trimmed["request"]["url"], "https://plants.example/api/plants/7");
    for failed in &entries[6..] {
        assert_eq!(failed["response"]["status"], 0);
        assert!(failed["response"]["_error"].as_str().unwrap().contains(':'), "{failed}");
    }
}

#[test]
fn a_time_outside_the_calendar_is_no_other_date() {
    let exchange = Exchange { started: Timestamp(i64::MAX), ..exchanges().remove(0) };
    let stored = StoredExchange { number: 1, called: None, exchange };
    let entry: Value = serde_json::from_slice(&entry(&stored, &store()).unwrap()).unwrap();
    assert_eq!(entry.get("startedDateTime"), None);
    assert_eq!(entry["comment"], "started 9223372036854775807 ms since 1970");
}

#[test]
fn an_entry_has_no_credential_and_nothing_that_acts_on_a_terminal() {
    for exchange in exchanges() {
        let stored = StoredExchange { number: 1, called: None, exchange };
        let text = String::from_utf8(entry(&stored, &store()).unwrap()).unwrap();
        assert!(!text.contains("CANARY"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\n']), "{text}");
    }
}

#[tokio::test]
async fn an_archive_is_written_entry_by_entry() {
    let Opened { journal, .. } = Journal::open(Place::Memory, &store(), 1, Timestamp(0)).await.unwrap();
    let (empty, all) = (Arc::new(Filter::default()), exchanges());
    for expected in [0, all.len()] {
        let mut archive = Vec::new();
        let count = write(&mut archive, Pages::of(&journal, &empty, usize::MAX), &store()).await.unwrap();
        assert_eq!(count, expected);
        let archive: Value = serde_json::from_slice(&archive).unwrap();
        let log = &archive["log"];
        assert_eq!((&log["version"], &log["creator"]["name"]), (&"1.2".into(), &"plants".into()));
        assert!(log["creator"]["version"].is_string());
        let entries = log["entries"].as_array().unwrap();
        assert_eq!(entries.len(), expected);
        entries.iter().for_each(assert_entry);
        for exchange in all.iter().filter(|_| expected == 0) {
            journal.record_intent(exchange.operation.clone()).await.unwrap();
            journal.end(exchange.clone(), Timestamp(0)).await.unwrap();
        }
    }
}
