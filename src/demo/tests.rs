//! Tests the demo store from outside: requests are bytes on a socket, without the client.

use std::net::Ipv4Addr;
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use futures::FutureExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::*;

const TOKEN: &str = "canary-7f3a";

const LONG: Duration = Duration::from_secs(3_600);

fn options(weather: Weather) -> DemoOptions {
    DemoOptions { address: Ipv4Addr::LOCALHOST.into(), port: 0, token: TOKEN.to_owned(), weather }
}

async fn store(weather: Weather) -> DemoStore {
    DemoStore::start(options(weather)).await.unwrap()
}

async fn calm() -> DemoStore {
    store(Weather::default()).await
}

/// Sends bytes and reads until the store closes the connection.
async fn exchange(port: u16, request: impl AsRef<[u8]>) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request.as_ref()).await.unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.unwrap();
    String::from_utf8(response).unwrap()
}

/// Waits until nothing listens: the child of another test has every socket until it runs its program.
async fn until_refused(port: u16) {
    let refused = async { while TcpStream::connect(("127.0.0.1", port)).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(60), refused).await.expect("nothing listens any more");
}

/// A request with the right token and further header lines, each ended by CRLF.
fn request(line: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

fn post_body(body: &str) -> String {
    request("POST /plants", "Connection: close\r\nContent-Type: application/json\r\n", body)
}

fn post_id(id: i64) -> String {
    post_body(&format!(r#"{{"name":"Fern","id":{id},"tag":"shade"}}"#))
}

fn delete_id(id: impl std::fmt::Display) -> String {
    request(&format!("DELETE /plants/{id}"), "Connection: close\r\n", "")
}

fn status(response: &str) -> u16 {
    response.split(' ').nth(1).unwrap_or_else(|| panic!("no status line in {response:?}")).parse().unwrap()
}

fn header<'a>(response: &'a str, name: &str) -> Option<&'a str> {
    let (head, _) = response.split_once("\r\n\r\n").unwrap();
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|h| h.1)
}

fn body(response: &str) -> &str {
    response.split_once("\r\n\r\n").unwrap().1
}

/// Returns the `error` of an error response, whose form it checks.
fn error(response: &str) -> String {
    assert_eq!(header(response, "content-type"), Some("application/json"), "{response}");
    let body: serde_json::Value = serde_json::from_str(body(response)).unwrap();
    body["error"].as_str().unwrap().to_owned()
}

async fn statuses(port: u16, requests: impl IntoIterator<Item = String>) -> Vec<u16> {
    let mut found = Vec::new();
    for request in requests {
        found.push(status(&exchange(port, request).await));
    }
    found
}

/// Sends the head of a POST and waits until the store has drawn its faults; the body is not sent yet.
async fn half_posted(port: u16, body: &str) -> TcpStream {
    let whole = request(
        "POST /plants",
        "Connection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n",
        body,
    );
    let head = whole.strip_suffix(body).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut asked_for_body = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut asked_for_body).await.unwrap();
    assert!(asked_for_body.starts_with(b"HTTP/1.1 100"));
    stream
}

#[tokio::test]
async fn a_plant_is_added_and_deleted() {
    let store = calm().await;
    let port = store.port();
    let created = exchange(port, post_id(7)).await;
    assert_eq!(status(&created), 201);
    assert_eq!(header(&created, "content-type"), Some("application/json"));
    assert_eq!(body(&created), r#"{"name":"Fern","tag":"shade"}"#);
    let again = exchange(port, post_id(7)).await;
    assert_eq!((status(&again), error(&again).contains('7')), (409, true));
    let deleted = exchange(port, delete_id(7)).await;
    assert_eq!((status(&deleted), body(&deleted)), (204, ""));
    let gone = exchange(port, delete_id(7)).await;
    assert_eq!((status(&gone), error(&gone).contains('7')), (404, true));
}

#[tokio::test]
async fn ids_at_the_64_bit_limits_are_distinct() {
    let store = calm().await;
    let ids = [i64::MIN, i64::MIN + 1, -1, 0, 9_007_199_254_740_992, 9_007_199_254_740_993, i64::MAX - 1, i64::MAX];
    assert_eq!(statuses(store.port(), ids.map(post_id)).await, [201; 8]);
    assert_eq!(statuses(store.port(), ids.map(post_id)).await, [409; 8]);
    assert_eq!(statuses(store.port(), ids.map(delete_id)).await, [204; 8]);
}

#[tokio::test]
async fn an_invalid_body_is_rejected_with_a_reason() {
    let store = calm().await;
    for (sent, word) in [
        ("{", "JSON"),
        (r#""Fern""#, "object"),
        (r#"{"id":7,"tag":"t"}"#, "name"),
        (r#"{"name":"n","id":7.0,"tag":"t"}"#, "id"),
        (r#"{"name":"n","id":9223372036854775808,"tag":"t"}"#, "id"),
        (r#"{"name":"n","id":7,"tag":["t"]}"#, "tag"),
    ] {
        let response = exchange(store.port(), post_body(sent)).await;
        assert_eq!((status(&response), error(&response).contains(word)), (400, true), "{sent}: {response}");
    }
    assert_eq!(status(&exchange(store.port(), delete_id(7)).await), 404);
}

#[tokio::test]
async fn unicode_is_returned_unchanged() {
    let store = calm().await;
    let response = exchange(store.port(), post_body(r#"{"name":"Échevéria 🌵","id":4,"tag":""}"#)).await;
    assert_eq!(body(&response), r#"{"name":"Échevéria 🌵","tag":""}"#);
}

#[tokio::test]
async fn only_json_is_accepted() {
    let store = calm().await;
    let plant = r#"{"name":"n","id":7,"tag":"t"}"#;
    let typed = |line: &str| request("POST /plants", &format!("Connection: close\r\n{line}"), plant);
    for line in ["", "Content-Type: text/plain\r\n", "Content-Type: application/jsonp\r\n"] {
        let response = exchange(store.port(), typed(line)).await;
        assert_eq!((status(&response), error(&response).contains("application/json")), (415, true), "{line}");
    }
    assert_eq!(status(&exchange(store.port(), typed("Content-Type: Application/JSON; charset=utf-8\r\n")).await), 201);
}

#[tokio::test]
async fn a_body_may_be_one_mebibyte_and_no_longer() {
    let store = calm().await;
    let frame = r#"{"name":"","id":7,"tag":""}"#.len();
    let of_length = |length: usize| {
        let name = "n".repeat(length - frame);
        post_body(&format!(r#"{{"name":"{name}","id":7,"tag":""}}"#))
    };
    let too_long = exchange(store.port(), of_length((1 << 20) + 1)).await;
    assert_eq!((status(&too_long), error(&too_long).contains("1 MiB")), (413, true));
    assert_eq!(status(&exchange(store.port(), of_length(4 << 20)).await), 413);
    assert_eq!(status(&exchange(store.port(), of_length(1 << 20)).await), 201);
}

#[tokio::test]
async fn an_unknown_path_is_a_404_and_an_invalid_id_a_400() {
    let store = calm().await;
    for id in ["seven", "7.0", "+7", "%20", "%ff", "9223372036854775808"] {
        let response = exchange(store.port(), delete_id(id)).await;
        assert_eq!((status(&response), error(&response).contains("id")), (400, true), "{id}");
    }
    for line in ["DELETE /plants/", "DELETE /plants/7/leaves", "POST /", "GET /animals"] {
        let response = exchange(store.port(), request(line, "Connection: close\r\n", "")).await;
        assert_eq!((status(&response), error(&response).is_empty()), (404, false), "{line}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_a_405_that_lists_the_allowed_one() {
    let store = calm().await;
    for (line, allowed) in
        [("GET /plants", "POST"), ("DELETE /plants", "POST"), ("PUT /plants/7", "DELETE"), ("POST /plants/7", "DELETE")]
    {
        let response = exchange(store.port(), request(line, "Connection: close\r\n", "")).await;
        assert_eq!((status(&response), header(&response, "allow")), (405, Some(allowed)), "{line}");
        assert!(!error(&response).is_empty());
    }
}

#[tokio::test]
async fn a_request_without_the_token_is_rejected() {
    let store = calm().await;
    let right = format!("Authorization: Bearer {TOKEN}\r\n");
    for wrong in [
        String::new(),
        "Authorization: Bearer\r\n".into(),
        "Authorization: Bearer wrong\r\n".into(),
        format!("Authorization: Bearer {TOKEN}x\r\n"),
        format!("Authorization: Basic {TOKEN}\r\n"),
        format!("Authorization: {TOKEN}\r\n"),
        format!("{right}{right}"),
    ] {
        let response = exchange(store.port(), post_id(7).replace(&right, &wrong)).await;
        assert_eq!((status(&response), header(&response, "www-authenticate")), (401, Some("Bearer")), "{wrong}");
        assert!(!error(&response).contains(TOKEN));
    }
    for scheme in ["bearer", "BEARER", "Bearer "] {
        let sent = post_id(7).replace("Bearer", scheme);
        let then = delete_id(7).replace("Bearer", scheme);
        assert_eq!(statuses(store.port(), [sent, then]).await, [201, 204], "{scheme}");
    }
}

#[tokio::test]
async fn rejecting_weather_rejects_every_token_until_it_changes() {
    let store = store(Weather { reject_token: true, ..Weather::default() }).await;
    let response = exchange(store.port(), post_id(7)).await;
    assert_eq!((status(&response), header(&response, "www-authenticate")), (401, Some("Bearer")));
    store.set_weather(Weather::default());
    assert_eq!(status(&exchange(store.port(), post_id(7)).await), 201);
}

#[tokio::test]
async fn a_request_with_a_lost_response_is_carried_out() {
    let store = store(Weather { lose_responses: 1.0, ..Weather::default() }).await;
    let mut received = store.received();
    assert_eq!(exchange(store.port(), post_id(7)).await, "");
    assert_eq!(received.recv().await.unwrap().status, None);
    store.set_weather(Weather::default());
    assert_eq!(status(&exchange(store.port(), post_id(7)).await), 409);
}

#[tokio::test]
async fn a_rejected_add_stores_nothing() {
    let store = store(Weather { reject: 1.0, ..Weather::default() }).await;
    let response = exchange(store.port(), post_id(7)).await;
    assert_eq!((status(&response), error(&response).contains("nothing was done")), (422, true));
    store.set_weather(Weather::default());
    assert_eq!(status(&exchange(store.port(), post_id(7)).await), 201);
}

#[tokio::test]
async fn a_500_proves_nothing() {
    let store = store(Weather { fail: 1.0, ..Weather::default() }).await;
    let response = exchange(store.port(), post_id(0)).await;
    assert_eq!((status(&response), error(&response).contains("may or may not")), (500, true));
    assert_eq!(statuses(store.port(), (1..64).map(post_id)).await, [500; 63]);
    store.set_weather(Weather::default());
    let now = statuses(store.port(), (0..64).map(post_id)).await;
    assert!(now.contains(&201) && now.contains(&409), "{now:?}");
}

#[tokio::test]
async fn latency_delays_the_operation_but_no_other_request() {
    let store = store(Weather { latency: LONG, ..Weather::default() }).await;
    let plant = r#"{"name":"Fern","id":7,"tag":"shade"}"#;
    let mut slow = half_posted(store.port(), plant).await;
    slow.write_all(plant.as_bytes()).await.unwrap();
    store.set_weather(Weather::default());
    let idle = TcpStream::connect(("127.0.0.1", store.port())).await.unwrap();
    assert_eq!(statuses(store.port(), [delete_id(7), post_id(8)]).await, [404, 201]);
    drop(idle);
}

#[tokio::test]
async fn a_request_is_carried_out_even_if_the_caller_leaves() {
    let store = store(Weather { latency: Duration::from_millis(20), ..Weather::default() }).await;
    let mut received = store.received();
    let plant = r#"{"name":"Fern","id":7,"tag":"shade"}"#;
    let mut leaving = half_posted(store.port(), plant).await;
    leaving.write_all(plant.as_bytes()).await.unwrap();
    drop(leaving);
    received.recv().await.unwrap();
    assert_eq!(status(&exchange(store.port(), post_id(7)).await), 409);
}

#[tokio::test]
async fn an_incomplete_body_stores_nothing() {
    let store = calm().await;
    let mut received = store.received();
    let mut leaving = half_posted(store.port(), r#"{"name":"Fern","id":7,"tag":"shade"}"#).await;
    leaving.write_all(br#"{"name":"#).await.unwrap();
    drop(leaving);
    received.recv().await.unwrap();
    assert_eq!(status(&exchange(store.port(), delete_id(7)).await), 404);
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let store = calm().await;
    let keep = |request: String| request.replace("Connection: close\r\n", "");
    let both = keep(post_id(7)) + &keep(delete_id(7)) + &post_id(7);
    let responses = exchange(store.port(), both).await;
    let lines: Vec<&str> = responses.split("HTTP/1.1 ").skip(1).filter_map(|rest| rest.lines().next()).collect();
    assert_eq!(lines, ["201 Created", "204 No Content", "201 Created"]);
}

#[tokio::test]
async fn every_listener_receives_every_request() {
    let store = calm().await;
    let (mut one, mut other) = (store.received(), store.received());
    exchange(store.port(), delete_id("%2B7?x=1")).await;
    let received = one.recv().await.unwrap();
    assert_eq!(
        (received.method.as_str(), received.path.as_str(), received.status),
        ("DELETE", "/plants/%2B7", Some(400))
    );
    assert_eq!(other.recv().await.unwrap(), received);
    store.stop().await;
    assert_eq!(one.recv().await, None);
}

#[tokio::test]
async fn stop_finishes_requests_and_closes_idle_connections() {
    let store = store(Weather { latency: LONG, ..Weather::default() }).await;
    let port = store.port();
    let plant = r#"{"name":"Fern","id":7,"tag":"shade"}"#;
    let mut idle = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut in_progress = half_posted(port, plant).await;
    in_progress.write_all(plant.as_bytes()).await.unwrap();
    store.stop().await;
    let mut response = String::new();
    in_progress.read_to_string(&mut response).await.unwrap();
    assert_eq!(status(&response), 201);
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap(), 0);
    until_refused(port).await;
}

#[tokio::test]
async fn a_dropped_store_frees_its_port_and_closes_connections() {
    let store = store(Weather { latency: LONG, ..Weather::default() }).await;
    let port = store.port();
    let mut waiting = half_posted(port, "{}").await;
    drop(store);
    let mut response = Vec::new();
    // The connection is closed or reset.
    waiting.read_to_end(&mut response).await.ok();
    assert!(response.is_empty());
    until_refused(port).await;
    let next = DemoStore::start(DemoOptions { port, ..options(Weather::default()) }).await.unwrap();
    assert_eq!(next.base_url(), format!("http://127.0.0.1:{port}"));
}

#[tokio::test]
async fn a_taken_port_is_explained() {
    let first = calm().await;
    let second = DemoStore::start(DemoOptions { port: first.port(), ..options(Weather::default()) }).await;
    let explained = second.err().unwrap().to_string();
    assert!(explained.contains(&first.port().to_string()) && explained.contains("another port, or 0"), "{explained}");
    let (address, error) = (SocketAddr::from((Ipv4Addr::LOCALHOST, 80)), io::ErrorKind::PermissionDenied.into());
    let forbidden = StartError { address, error }.to_string();
    assert!(forbidden.contains("not permitted") && forbidden.contains("80"), "{forbidden}");
}

#[tokio::test]
async fn a_panic_in_a_handler_is_a_500_and_the_store_goes_on() {
    let routes = Router::new()
        .route("/plants", post(async || -> String { panic!("of the test") }))
        .route("/calm", post(async || "calm"));
    let store = DemoStore::start_with(options(Weather::default()), routes).await.unwrap();
    let response = exchange(store.port(), post_id(7)).await;
    assert_eq!((status(&response), error(&response).contains("bug")), (500, true));
    assert_eq!(status(&exchange(store.port(), post_id(7).replace("/plants", "/calm")).await), 200);
}

#[tokio::test]
async fn bytes_that_are_not_http_get_a_400_and_the_store_goes_on() {
    let mut store = calm().await;
    assert!(exchange(store.port(), "\u{16}\u{3}\u{1} not HTTP at all\r\n\r\n").await.starts_with("HTTP/1.1 400"));
    assert_eq!(status(&exchange(store.port(), post_id(7)).await), 201);
    assert!(store.stopped().now_or_never().is_none());
}

#[test]
fn new_tokens_are_random() {
    let tokens: std::collections::HashSet<String> = (0..100).map(|_| new_token()).collect();
    assert_eq!(tokens.len(), 100);
    assert!(tokens.iter().all(|token| token.len() == 37 && token.chars().all(|c| c.is_ascii_graphic())));
}

#[test]
fn the_sample_plants_are_valid_here() {
    let samples: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../assets/samples.json")).unwrap();
    let ids: Vec<i64> =
        samples.iter().map(|sample| shelf::Plant::read(sample.to_string().as_bytes()).unwrap().id).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6]);
}
