//! Tests proxies: they are used only as configured, and never receive the token in clear.

use plants::client::Route;
use plants::domain::Ending;
use plants::domain::wire::request_text;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::server::{Server, Step};
use super::{CANARY, GOOD, LONG, client, hold, monstera, responses, sent, summary, whole, within};

fn through(proxy: &str) -> Route {
    Route { proxy: Some(proxy.parse().unwrap()), ..Route::default() }
}

#[tokio::test]
async fn plain_http_through_a_proxy_is_shown_as_sent() {
    let proxy = Server::playing(hold(responses(&whole("201 Created", GOOD)))).await;
    let address = format!("http://me:secret@127.0.0.1:{}", proxy.port());
    let client = client("http://store.invalid:8080/api", within(LONG), through(&address));
    let exchange = sent(&client, monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "accepted: 201 complete");
    let shown = request_text(exchange.request.as_ref().unwrap());
    let (head, body) = shown.split_once("\n\n").unwrap();
    assert!(head.starts_with("POST http://store.invalid:8080/api/plants HTTP/1.1\n"), "{head}");
    let received = proxy.close().await.concat().replace(&format!("Bearer {CANARY}"), "Bearer ********");
    let received = received.replace("Basic bWU6c2VjcmV0", "Basic ********");
    assert_eq!(received, format!("{}\r\n\r\n{body}", head.replace('\n', "\r\n")));
}

#[tokio::test]
async fn a_store_on_loopback_is_reached_directly() {
    let proxy = Server::playing(vec![Step::Read]).await;
    let store = Server::playing(responses(&whole("201 Created", GOOD))).await;
    let client = client(&store.url("http"), within(LONG), through(&proxy.url("http")));
    let exchange = sent(&client, monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "accepted: 201 complete");
    assert_eq!(proxy.close().await, [""; 0]);
}

#[tokio::test]
async fn a_proxy_that_opens_no_tunnel_is_no_connection() {
    let proxy = Server::playing(responses("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")).await;
    let address = format!("http://me:secret@127.0.0.1:{}", proxy.port());
    let client = client("https://store.invalid", within(LONG), through(&address));
    let exchange = sent(&client, monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "not sent: NotConnected");
    let Ending::Failed(failure) = &exchange.ending else { unreachable!() };
    let named = format!("the proxy 127.0.0.1:{} asks for a user name and password (407)", proxy.port());
    assert!(failure.detail.starts_with(&named) && !failure.detail.contains("secret"), "{}", failure.detail);
    let received = proxy.close().await.concat();
    assert!(received.starts_with("CONNECT store.invalid:443 ") && !received.contains(CANARY), "{received}");
}

#[tokio::test]
async fn an_unsupported_proxy_scheme_is_explained() {
    let client = client("http://store.invalid", within(LONG), through("socks5://127.0.0.1:1"));
    let exchange = sent(&client, monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "not sent: NotBuilt");
    assert!(format!("{:?}", exchange.ending).contains("a proxy must be http or https, not socks5"));
}

/// Runs in another process, since the environment belongs to the process.
#[tokio::test]
async fn the_client_looks_for_no_proxy_in_the_environment() {
    let proxy = Server::playing(responses("HTTP/1.1 502 Bad Gateway\r\n\r\n")).await;
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "client::proxy::in_an_environment_with_proxies"])
        .env_clear()
        .envs(
            ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
                .map(|name| (name, proxy.url("http"))),
        )
        .output()
        .await
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"));
    assert_eq!(proxy.close().await, [""; 0]);
}

#[tokio::test]
#[ignore = "run by the test above in an environment of its own"]
async fn in_an_environment_with_proxies() {
    for base in ["http://store.invalid", "https://store.invalid"] {
        let client = client(base, within(LONG), Route::default());
        let exchange = sent(&client, monstera(), CancellationToken::new()).await;
        assert_eq!(summary(&exchange), "not sent: NotConnected", "{base}");
    }
}
