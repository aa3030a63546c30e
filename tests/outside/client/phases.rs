//! Where the time went: what took place is told and nothing else, whatever became of the exchange.
//!
//! That the phases come to the whole of the exchange is asked of every exchange in these tests.

use std::time::Duration;

use plants::client::{Client, Limits, Route};
use plants::domain::Exchange;
use tokio_util::sync::CancellationToken;

use super::server::{Server, Step};
use super::tls::certified;
use super::{GOOD, LONG, SHORT, client, hold, monstera, responses, sent, told, whole, within};

const DIRECT: [&str; 3] = ["connection", "waiting", "reading"];

/// The phases that took place.
fn words(exchange: &Exchange) -> Vec<&'static str> {
    exchange.phases.in_order().into_iter().filter(|(_, took)| took.is_some()).map(|(word, _)| word).collect()
}

async fn asked(client: &Client) -> Exchange {
    sent(client, monstera(), CancellationToken::new()).await
}

/// One create sent to whoever listens at `base`, on this route.
async fn requested_at(base: &str, limits: Limits, route: Route) -> Exchange {
    asked(&client(base, limits, route)).await
}

fn created() -> Vec<Step> {
    responses(&whole("201 Created", GOOD))
}

/// The phase that was cut short is the longest by far; less is asked of a machine that is loaded.
fn assert_long(exchange: &Exchange, took: Option<Duration>) {
    assert!(took.unwrap() > exchange.elapsed / 10, "{:?} of {:?}", exchange.phases, exchange.elapsed);
}

#[tokio::test]
async fn only_what_is_no_address_has_a_name_to_resolve() {
    let server = Server::playing(created()).await;
    let exchange = requested_at(&server.url("http"), within(LONG), Route::default()).await;
    assert_eq!((told(&exchange).as_str(), words(&exchange)), ("accepted: 201 complete", DIRECT.to_vec()));
    let base = format!("http://localhost:{}", server.port());
    let exchange = requested_at(&base, within(LONG), Route::default()).await;
    assert_eq!(told(&exchange), "accepted: 201 complete");
    assert_eq!(words(&exchange), ["name", "connection", "waiting", "reading"]);
}

#[tokio::test]
async fn a_response_without_a_body_is_read_all_the_same() {
    let server = Server::playing(responses("HTTP/1.1 204 No Content\r\n\r\n")).await;
    assert_eq!(words(&requested_at(&server.url("http"), within(LONG), Route::default()).await), DIRECT);
}

#[tokio::test]
async fn only_https_has_a_handshake() {
    let (tls, authority) = certified(&["localhost"]);
    let server = Server::playing_encrypted(created(), tls).await;
    let route = |ca_cert| Route { ca_cert, proxy: None };
    let base = format!("https://localhost:{}", server.port());
    let trusting = client(&base, within(LONG), route(Some(authority)));
    // A session that is taken up again is shaken hands on, too.
    for _ in 0..2 {
        let exchange = asked(&trusting).await;
        assert_eq!(told(&exchange), "accepted: 201 complete");
        assert_eq!(words(&exchange), ["name", "connection", "TLS", "waiting", "reading"]);
    }
    let exchange = requested_at(&base, within(LONG), route(None)).await;
    assert_eq!(told(&exchange), "not sent: NotConnected");
    assert_eq!(words(&exchange), ["name", "connection", "TLS"]);
}

#[tokio::test]
async fn what_fails_gets_no_further() {
    let freed = Server::playing(Vec::new()).await;
    let refusing = freed.url("http");
    freed.close().await;
    for (base, expected) in [(refusing.as_str(), "connection"), ("http://nothing.invalid", "name")] {
        let exchange = requested_at(base, within(LONG), Route::default()).await;
        assert_eq!((told(&exchange).as_str(), words(&exchange)), ("not sent: NotConnected", vec![expected]), "{base}");
    }

    let server = Server::playing(vec![Step::Read]).await;
    let exchange = requested_at(&server.url("http"), within(LONG), Route::default()).await;
    assert_eq!((told(&exchange).as_str(), words(&exchange)), ("unknown: NoResponse", vec!["connection", "waiting"]));

    let broken = Route { ca_cert: Some(b"no certificate".to_vec()), proxy: None };
    let exchange = requested_at("https://localhost", within(LONG), broken).await;
    assert_eq!((told(&exchange).as_str(), words(&exchange)), ("not sent: NotBuilt", vec![]));
    let cancel = CancellationToken::new();
    cancel.cancel();
    let exchange = sent(&client(&refusing, within(LONG), Route::default()), monstera(), cancel).await;
    assert_eq!((told(&exchange).as_str(), words(&exchange)), ("not sent: CancelledBeforeSending", vec![]));
}

#[tokio::test]
async fn what_is_cut_short_has_the_time_up_to_there() {
    let server = Server::playing(vec![Step::Read, Step::Hold]).await;
    let exchange = requested_at(&server.url("http"), within(SHORT), Route::default()).await;
    assert_eq!((told(&exchange).as_str(), words(&exchange)), ("unknown: TimedOut", vec!["connection", "waiting"]));
    assert_long(&exchange, exchange.phases.waiting);

    let slow = hold(responses("HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\n{"));
    let server = Server::playing(slow).await;
    let exchange = requested_at(&server.url("http"), within(SHORT), Route::default()).await;
    assert_eq!((told(&exchange).as_str(), words(&exchange)), ("unknown: 500 cut off", DIRECT.to_vec()));
    assert_long(&exchange, exchange.phases.reading);
}

/// What becomes of a create that is cancelled when the script calls.
async fn cancelled(client: &Client, server: &Server) -> Exchange {
    let cancel = CancellationToken::new();
    let (exchange, ()) = tokio::join!(sent(client, monstera(), cancel.clone()), async {
        server.called().await;
        cancel.cancel();
    });
    assert_eq!(told(&exchange), "not sent: CancelledBeforeSending");
    exchange
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_told_as_one() {
    let server = Server::playing(vec![Step::Hear, Step::Call, Step::Hold]).await;
    let exchange = cancelled(&client(&server.url("https"), within(LONG), Route::default()), &server).await;
    assert_eq!(words(&exchange), ["connection", "TLS"]);

    // Loading certificate roots can take a loaded machine to the deadline: then once more.
    let client = client(&server.url("https"), within(SHORT), Route::default());
    for _ in 0..20 {
        let exchange = asked(&client).await;
        assert_eq!(told(&exchange), "not sent: NotConnectedInTime");
        if exchange.phases.tls.is_some() {
            assert_eq!(words(&exchange), ["connection", "TLS"]);
            return;
        }
    }
    panic!("never got as far as a handshake");
}

fn through(proxy: &str, ca_cert: Option<Vec<u8>>) -> Route {
    Route { ca_cert, proxy: Some(proxy.parse().unwrap()) }
}

#[tokio::test]
async fn what_a_proxy_does_before_its_tunnel_stands_is_connecting() {
    let (tls, authority) = certified(&["store.invalid"]);
    let proxy = Server::playing_in_a_tunnel(created(), tls).await;
    let exchange =
        requested_at("https://store.invalid", within(LONG), through(&proxy.url("http"), Some(authority))).await;
    assert_eq!(told(&exchange), "accepted: 201 complete");
    // The name is the proxy's business.
    assert_eq!(words(&exchange), ["connection", "TLS", "waiting", "reading"]);

    let proxy = Server::playing(vec![Step::Read, Step::Call, Step::Hold]).await;
    let client = client("https://store.invalid", within(LONG), through(&proxy.url("http"), None));
    assert_eq!(words(&cancelled(&client, &proxy).await), ["connection"]);
}

#[tokio::test]
async fn shaking_hands_with_a_proxy_is_connecting_where_the_store_is_https_too() {
    let (tls, authority) = certified(&["localhost"]);
    let refusing = responses("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    let proxy = Server::playing_encrypted(refusing, tls.clone()).await;
    let route = |proxy: &Server| through(&format!("https://localhost:{}", proxy.port()), Some(authority.clone()));
    let exchange = requested_at("https://store.invalid", within(LONG), route(&proxy)).await;
    assert_eq!(told(&exchange), "not sent: NotConnected");
    assert_eq!(words(&exchange), ["name", "connection"]);

    let proxy = Server::playing_encrypted(created(), tls).await;
    let exchange = requested_at("http://store.invalid", within(LONG), route(&proxy)).await;
    assert_eq!(told(&exchange), "accepted: 201 complete");
    assert_eq!(words(&exchange), ["name", "connection", "TLS", "waiting", "reading"]);
}
