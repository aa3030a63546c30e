//! Each outcome, status and failure in its sentence.

use super::*;
use crate::domain::{Header, Operation, OperationId, Phases, PlantId};

#[test]
fn durations_have_at_most_three_digits() {
    for (micros, shown) in [
        (0, "0.0 ms"),
        (1_234, "1.2 ms"),
        (9_949, "9.9 ms"),
        (9_950, "10 ms"),
        (12_345, "12 ms"),
        (999_499, "999 ms"),
        (999_500, "1.0 s"),
        (1_250_000, "1.2 s"),
        (9_949_999, "9.9 s"),
        (9_950_000, "10 s"),
        (30_000_000, "30 s"),
    ] {
        assert_eq!(span(Duration::from_micros(micros)), shown);
    }
}

#[test]
fn a_rejection_after_an_unknown_operation_is_explained_by_that_operation() {
    let add = OperationKind::add(Plant { name: "Fern".into(), id: PlantId(7), tag: String::new() });
    let delete = OperationKind::Delete(PlantId(7));
    for (rejected, status, unknown, parts) in [
        (&add, 409, &add, ["An earlier add", "may be your own"]),
        (&add, 409, &delete, ["An earlier delete", "may still have the plant"]),
        (&delete, 404, &delete, ["An earlier delete", "it may have worked"]),
        (&delete, 404, &add, ["An earlier add", "it may never have arrived"]),
        (&delete, 403, &delete, ["An earlier delete", "does not decide it"]),
        (&add, 400, &add, ["An earlier add", "does not decide it"]),
    ] {
        let explained =
            explain_rejection(&exchange(rejected.clone(), responded(&format!("{status} No"), &[], "")), unknown);
        assert!(parts.iter().all(|part| explained.contains(part)), "{} {status}: {explained}", rejected.word());
    }
}

#[test]
fn names_in_sentences_are_cleaned_and_cut() {
    assert_eq!(called(PlantId(7), Some("\u{1b}[2J")), "␛[2J (7)");
    assert_eq!(called(PlantId(7), Some("")), "plant 7");
    assert!(called(PlantId(7), Some(&"x".repeat(10_000))).len() < 60);
}

const GATEWAY: &str = "A gateway in front of the store asks for a user name and password (Basic), which this program \
                       does not send. Check the base URL.";

fn monstera() -> OperationKind {
    OperationKind::add(Plant { name: "Monstera".into(), id: PlantId(7), tag: "tropical".into() })
}

fn exchange(kind: OperationKind, ending: Ending) -> Exchange {
    Exchange {
        operation: Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0)),
        request: None,
        ending,
        started: Timestamp(784_111_769_988),
        elapsed: Duration::from_millis(12),
        phases: Phases::default(),
    }
}

/// Describes an add with this response.
fn described(status: &str, headers: &[(&str, &str)], body: &str) -> String {
    described_for(monstera(), status, headers, body)
}

fn described_for(kind: OperationKind, status: &str, headers: &[(&str, &str)], body: &str) -> String {
    describe(&exchange(kind, responded(status, headers, body)), None)
}

fn responded(status: &str, headers: &[(&str, &str)], body: &str) -> Ending {
    let (code, reason) = status.split_once(' ').unwrap_or((status, ""));
    let header = |(name, value): &(&str, &str)| Header { name: (*name).into(), value: (*value).into() };
    Ending::Responded(Response {
        status: code.parse().unwrap(),
        reason: reason.to_owned().into(),
        version: "HTTP/1.1".into(),
        headers: headers.iter().map(header).collect(),
        body: body.into(),
        body_end: BodyEnd::Complete,
    })
}

#[test]
fn each_outcome_has_its_sentence() {
    let delete = || OperationKind::Delete(PlantId(7));
    assert_eq!(described("201 Created", &[], "{}"), "Added Monstera (7): 201 Created in 12 ms.");
    assert_eq!(described_for(delete(), "204 No Content", &[], ""), "Deleted plant 7: 204 No Content in 12 ms.");
    assert_eq!(
        described("409 Conflict", &[], r#"{"error":"id in use"}"#),
        "The store rejected Monstera (7): 409 Conflict, \"id in use\". It may already have a plant with this id."
    );
    assert_eq!(described_for(delete(), "400", &[], ""), "The store rejected the delete of plant 7: 400.");
    assert_eq!(
        described("503 Busy", &[], "closed for lunch\n"),
        "It is unknown whether Monstera (7) was added: the store responded 503 Busy, \"closed for lunch\", which \
         decides nothing."
    );
    let failed = |kind, failure, detail: &str| {
        describe(&exchange(kind, Ending::Failed(Failure { kind: failure, detail: detail.into() })), None)
    };
    assert_eq!(
        failed(monstera(), FailureKind::NotConnected, "Connection refused"),
        "Monstera (7) was not sent: no connection to the store (Connection refused)."
    );
    assert_eq!(
        failed(delete(), FailureKind::CancelledBeforeSending, ""),
        "The delete of plant 7 was not sent: it was stopped before."
    );
    let nameless = OperationKind::add(Plant { name: String::new(), id: PlantId(7), tag: String::new() });
    assert_eq!(
        failed(nameless, FailureKind::CancelledBeforeSending, ""),
        "Plant 7 was not sent: it was stopped before."
    );
    assert_eq!(
        failed(monstera(), FailureKind::TimedOut, ""),
        "It is unknown whether Monstera (7) was added: no response within 12 ms."
    );
}

#[test]
fn the_reason_of_the_store_is_quoted() {
    let quoted = |body: &str| {
        let text = described("400 Bad Request", &[], body);
        text.strip_prefix("The store rejected Monstera (7): 400 Bad Request").unwrap().to_owned()
    };
    for (body, reason) in [
        (r#"{"error":"id in use"}"#, "id in use"),
        (r#"{"code":1,"message":" no such tag "}"#, "no such tag"),
        (r#"{"title":"Invalid","detail":"tag is too long"}"#, "tag is too long"),
        (r#"{"error":{"code":3,"message":"tag is too long"}}"#, "tag is too long"),
        // A repeated reason phrase is skipped.
        (r#"{"error":"Bad Request","message":"tag is too long"}"#, "tag is too long"),
        (r#""id in use""#, "id in use"),
        ("id in use", "id in use"),
        ("\u{1b}[2J", "␛[2J"),
    ] {
        assert_eq!(quoted(body), format!(", \"{reason}\"."), "{body}");
    }
    let page = "x".repeat(MAX_TEXT_REASON + 1);
    for none in ["", "<html>no</html>", "{}", r#"{"error":7}"#, "[1]", "{\"error\":\"id", "bad request", "  ", &page] {
        assert_eq!(quoted(none), ".", "{none}");
    }
    let long = quoted(&format!(r#"{{"error":"{}"}}"#, "x".repeat(10_000)));
    assert!(long.len() < 200 && long.ends_with("…\"."), "{long}");
    // An accepted response has no reason.
    assert_eq!(described("200 OK", &[], r#"{"message":"made"}"#), "Added Monstera (7): 200 OK in 12 ms.");
}

#[test]
fn the_body_is_quoted_if_it_contains_more_than_the_reason() {
    let words = |body: &str| response_excerpt(&exchange(monstera(), responded("400 No", &[], body)));
    assert_eq!(words(r#"{"error":"id in use"}"#), None);
    assert_eq!(words("id in use"), None);
    assert_eq!(words(""), Some("The response has no body.".to_owned()));
    let more = r#"{"error":"invalid","field":"tag"}"#;
    assert_eq!(words(more), Some(format!("The response body: {more}")));
    assert_eq!(words("<html>"), Some("The response body: <html>".to_owned()));
    let page = "<".repeat(MAX_EXCERPT);
    assert_eq!(words(&page), Some(format!("The response body: {page}")));
    assert_eq!(words(&format!("{page}>")), Some(format!("The response body: {page} …")));
}

#[test]
fn retry_after_is_explained_for_seconds_and_dates() {
    let at = |value: &str| {
        let text = described("429 Too Many Requests", &[("retry-after", value)], "");
        text.strip_prefix("The store rejected Monstera (7): 429 Too Many Requests. ").unwrap().to_owned()
    };
    assert_eq!(at("120"), "It asks to wait 2 min before the next request (Retry-After: 120).");
    assert_eq!(
        at("Sun, 06 Nov 1994 08:49:37 GMT"),
        "It asks to wait 7 s before the next request (Retry-After: Sun, 06 Nov 1994 08:49:37 GMT)."
    );
    assert_eq!(at("0"), "It asks for no pause (Retry-After: 0).");
    assert_eq!(at("so\u{1b}on"), "It asks to wait, but the duration is invalid (Retry-After: so␛on).");
    let busy = described("503 Busy", &[("retry-after", "5")], "");
    assert!(busy.ends_with("decides nothing. It asks to wait 5 s before the next request (Retry-After: 5)."), "{busy}");
}

#[test]
fn the_location_header_is_shown() {
    let to = [("location", "/plants/7")];
    assert_eq!(described("201 Created", &to, "{}"), "Added Monstera (7): 201 Created in 12 ms. Location: /plants/7.");
    assert_eq!(
        described("307", &[("location", "https://\u{1b}.example/")], ""),
        "The store rejected Monstera (7): 307. It points to https://␛.example/; redirects are never followed. \
         Check the base URL and the token."
    );
    let nowhere = described("301", &[], "");
    assert!(
        nowhere.ends_with("an address; redirects are never followed. Check the base URL and the token."),
        "{nowhere}"
    );
    let unmodified = described("304 Not Modified", &to, "");
    assert!(!unmodified.contains("points") && unmodified.contains("check the base URL"), "{unmodified}");
}

#[test]
fn basic_authentication_gets_another_hint_than_a_bearer_token() {
    let to = |challenges: &[&str]| {
        let headers: Vec<_> = challenges.iter().map(|value| ("WWW-Authenticate", *value)).collect();
        let text = described("401", &headers, "");
        text.strip_prefix("The store rejected Monstera (7): 401. ").unwrap().to_owned()
    };
    for basic in [&["Basic realm=\"a, Bearer b\""][..], &["basic"], &["Digest realm=\"x\", nonce=\"y\"", "BASIC x=y"]] {
        assert_eq!(to(basic), GATEWAY, "{basic:?}");
    }
    for token in
        [&["Bearer"][..], &[], &["Basic realm=\"x\", Bearer realm=\"y\""], &["Bearer", "Basic"], &["Custom basic=1"]]
    {
        assert_eq!(to(token), "Another token may help.", "{token:?}");
    }
}

#[test]
fn status_407_names_the_proxy() {
    let text = described("407 Proxy Authentication Required", &[], "");
    assert!(text.ends_with("check the proxy of the connection."), "{text}");
}

#[test]
fn status_404_405_and_501_suggest_a_wrong_base_url() {
    for status in ["404 Not Found", "405 Method Not Allowed", "501 Unsupported method ('POST')"] {
        for kind in [monstera(), OperationKind::Delete(PlantId(7))] {
            let text = described_for(kind, status, &[], "");
            assert!(text.contains("the base URL may be wrong") || text.contains("the base URL is wrong"), "{text}");
        }
    }
}

#[test]
fn nothing_suggests_a_base_url_that_has_accepted_a_request_before() {
    for status in ["301 Moved", "304 Not Modified", "404 Not Found", "405 Method Not Allowed"] {
        for kind in [monstera(), OperationKind::Delete(PlantId(7))] {
            let rejected = exchange(kind, responded(status, &[], ""));
            assert!(describe(&rejected, None).contains("base URL"), "{status}");
            let is_add = rejected.operation.kind.plant().is_some();
            assert_eq!(describe(&rejected, Some("Monstera")).contains("base URL"), is_add, "{status}");
            assert!(!describe_after(&rejected, None, None, true).contains("base URL"), "{status}");
        }
    }
}

#[test]
fn a_compressed_reason_is_not_quoted() {
    let headers = [("content-encoding", "gzip")];
    assert_eq!(
        described("400 No", &headers, "looks like text"),
        "The store rejected Monstera (7): 400 No. Its reason cannot be shown: the response is compressed with gzip, \
         which was not requested, and is not decoded."
    );
    let ending = responded("400 No", &headers, "looks like text");
    assert_eq!(response_excerpt(&exchange(monstera(), ending)), None);
}
