//! Tests the phases of exchanges: exactly those that took place are recorded.
//!
//! `sent` checks for every exchange that the phases add up to the whole time.

use std::time::Duration;

use plants::client::{Client, Limits, Route};
use plants::domain::Exchange;
use tokio_util::sync::CancellationToken;

use super::server::{Server, Step};
use super::tls::{certified, trusting};
use super::{GOOD, LONG, SHORT, client, hold, monstera, responses, sent, summary, whole, within};
use crate::support::closed_port::ClosedPort;

const DIRECT: [&str; 3] = ["connection", "waiting", "reading"];

/// Lists the phases that took place.
fn words(exchange: &Exchange) -> Vec<&'static str> {
    exchange.phases.in_order().into_iter().filter(|(_, took)| took.is_some()).map(|(word, _)| word).collect()
}

async fn add(client: &Client) -> Exchange {
    sent(client, monstera(), CancellationToken::new()).await
}

/// Sends one add to `base` on this route.
async fn requested_at(base: &str, limits: Limits, route: Route) -> Exchange {
    add(&client(base, limits, route)).await
}

fn created() -> Vec<Step> {
    responses(&whole("201 Created", GOOD))
}

/// Checks that the phase cut short has a large share; on a loaded machine it may be small.
fn assert_long(exchange: &Exchange, took: Option<Duration>) {
    assert!(took.unwrap() > exchange.elapsed / 10, "{:?} of {:?}", exchange.phases, exchange.elapsed);
}

#[tokio::test]
async fn only_a_host_name_has_a_name_phase() {
    let server = Server::playing(created()).await;
    let exchange = requested_at(&server.url("http"), within(LONG), Route::default()).await;
    assert_eq!((summary(&exchange).as_str(), words(&exchange)), ("accepted: 201 complete", DIRECT.to_vec()));
    let base = format!("http://localhost:{}", server.port());
    let exchange = requested_at(&base, within(LONG), Route::default()).await;
    assert_eq!(summary(&exchange), "accepted: 201 complete");
    assert_eq!(words(&exchange), ["name", "connection", "waiting", "reading"]);
}

#[tokio::test]
async fn a_response_without_a_body_has_a_reading_phase() {
    let server = Server::playing(responses("HTTP/1.1 204 No Content\r\n\r\n")).await;
    assert_eq!(words(&requested_at(&server.url("http"), within(LONG), Route::default()).await), DIRECT);
}

#[tokio::test]
async fn only_https_has_a_tls_phase() {
    let (tls, authority) = certified(&["localhost"]);
    let server = Server::playing_encrypted(created(), tls).await;
    let base = format!("https://localhost:{}", server.port());
    let trusting = client(&base, within(LONG), trusting(&authority));
    // A resumed session has a handshake, too.
    for _ in 0..2 {
        let exchange = add(&trusting).await;
        assert_eq!(summary(&exchange), "accepted: 201 complete");
        assert_eq!(words(&exchange), ["name", "connection", "TLS", "waiting", "reading"]);
    }
    let exchange = requested_at(&base, within(LONG), Route::default()).await;
    assert_eq!(summary(&exchange), "not sent: NotConnected");
    assert_eq!(words(&exchange), ["name", "connection", "TLS"]);
}

#[tokio::test]
async fn a_failed_exchange_has_no_later_phases() {
    let closed = ClosedPort::new();
    let refusing = closed.base();
    for (base, expected) in [(refusing.as_str(), "connection"), ("http://nothing.invalid", "name")] {
        let exchange = requested_at(base, within(LONG), Route::default()).await;
        assert_eq!(
            (summary(&exchange).as_str(), words(&exchange)),
            ("not sent: NotConnected", vec![expected]),
            "{base}"
        );
    }

    let server = Server::playing(vec![Step::Read]).await;
    let exchange = requested_at(&server.url("http"), within(LONG), Route::default()).await;
    assert_eq!((summary(&exchange).as_str(), words(&exchange)), ("unknown: NoResponse", vec!["connection", "waiting"]));

    let exchange = requested_at("https://store.invalid", within(LONG), through("socks5://127.0.0.1:1", None)).await;
    assert_eq!((summary(&exchange).as_str(), words(&exchange)), ("not sent: NotBuilt", vec![]));
    let cancel = CancellationToken::new();
    cancel.cancel();
    let exchange = sent(&client(&refusing, within(LONG), Route::default()), monstera(), cancel).await;
    assert_eq!((summary(&exchange).as_str(), words(&exchange)), ("not sent: CancelledBeforeSending", vec![]));
}

#[tokio::test]
async fn an_exchange_cut_short_has_the_time_until_then() {
    let server = Server::playing(vec![Step::Read, Step::Hold]).await;
    let exchange = requested_at(&server.url("http"), within(SHORT), Route::default()).await;
    assert_eq!((summary(&exchange).as_str(), words(&exchange)), ("unknown: TimedOut", vec!["connection", "waiting"]));
    assert_long(&exchange, exchange.phases.waiting);

    let slow = hold(responses("HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\n{"));
    let server = Server::playing(slow).await;
    let exchange = requested_at(&server.url("http"), within(SHORT), Route::default()).await;
    assert_eq!((summary(&exchange).as_str(), words(&exchange)), ("unknown: 500 cut off", DIRECT.to_vec()));
    assert_long(&exchange, exchange.phases.reading);
}

/// Sends an add and cancels it when the script signals.
async fn cancelled(client: &Client, server: &Server) -> Exchange {
    let cancel = CancellationToken::new();
    let (exchange, ()) = tokio::join!(sent(client, monstera(), cancel.clone()), async {
        server.signalled().await;
        cancel.cancel();
    });
    assert_eq!(summary(&exchange), "not sent: CancelledBeforeSending");
    exchange
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_a_tls_phase() {
    let server = Server::playing(vec![Step::ReadSome, Step::Signal, Step::Hold]).await;
    let exchange = cancelled(&client(&server.url("https"), within(LONG), Route::default()), &server).await;
    assert_eq!(words(&exchange), ["connection", "TLS"]);

    // On a loaded machine, loading the certificate roots can take the whole time limit: repeat.
    let client = client(&server.url("https"), within(SHORT), Route::default());
    for _ in 0..20 {
        let exchange = add(&client).await;
        assert_eq!(summary(&exchange), "not sent: NotConnectedInTime");
        if exchange.phases.tls.is_some() {
            assert_eq!(words(&exchange), ["connection", "TLS"]);
            return;
        }
    }
    panic!("no exchange reached the handshake");
}

fn through(proxy: &str, authority: Option<&[u8]>) -> Route {
    Route { proxy: Some(proxy.parse().unwrap()), ..authority.map_or_else(Route::default, trusting) }
}

#[tokio::test]
async fn opening_a_tunnel_counts_as_connecting() {
    let (tls, authority) = certified(&["store.invalid"]);
    let proxy = Server::playing_in_a_tunnel(created(), tls).await;
    let exchange =
        requested_at("https://store.invalid", within(LONG), through(&proxy.url("http"), Some(&authority))).await;
    assert_eq!(summary(&exchange), "accepted: 201 complete");
    // The proxy resolves the name.
    assert_eq!(words(&exchange), ["connection", "TLS", "waiting", "reading"]);

    let proxy = Server::playing(vec![Step::Read, Step::Signal, Step::Hold]).await;
    let client = client("https://store.invalid", within(LONG), through(&proxy.url("http"), None));
    assert_eq!(words(&cancelled(&client, &proxy).await), ["connection"]);
}

#[tokio::test]
async fn a_handshake_with_the_proxy_of_an_https_store_counts_as_connecting() {
    let (tls, authority) = certified(&["localhost"]);
    let refusing = responses("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    let proxy = Server::playing_encrypted(refusing, tls.clone()).await;
    let route = |proxy: &Server| through(&format!("https://localhost:{}", proxy.port()), Some(&authority));
    let exchange = requested_at("https://store.invalid", within(LONG), route(&proxy)).await;
    assert_eq!(summary(&exchange), "not sent: NotConnected");
    assert_eq!(words(&exchange), ["name", "connection"]);

    let proxy = Server::playing_encrypted(created(), tls).await;
    let exchange = requested_at("http://store.invalid", within(LONG), route(&proxy)).await;
    assert_eq!(summary(&exchange), "accepted: 201 complete");
    assert_eq!(words(&exchange), ["name", "connection", "TLS", "waiting", "reading"]);
}
