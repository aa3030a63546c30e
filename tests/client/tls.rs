//! TLS: who is trusted, and that nothing leaves before it stands.

use std::sync::Arc;

use plants::client::Route;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::server::{Server, Step};
use super::{GOOD, LONG, SHORT, answers, client, monstera, sent, told, whole, within};

/// A server's TLS for these names, and in PEM the authority that vouches for it.
fn certified(names: &[&str]) -> (TlsAcceptor, Vec<u8>) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let authority_cert = authority.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);

    let names: Vec<String> = names.iter().copied().map(str::to_owned).collect();
    let key = KeyPair::generate().unwrap();
    let cert = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())))
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), authority_cert.pem().into_bytes())
}

/// What is told of one create sent to this server, and what the server got inside TLS.
async fn asked(names: &[&str], trusted: bool) -> (String, Vec<String>) {
    let (tls, authority) = certified(names);
    let server = Server::playing_encrypted(answers(&whole("201 Created", GOOD)), tls).await;
    let route = Route { ca_cert: trusted.then_some(authority), proxy: None };
    let base = format!("https://localhost:{}", server.port());
    let exchange = sent(&client(&base, within(LONG), route), monstera(), CancellationToken::new()).await;
    (format!("{} {:?}", told(&exchange), exchange.ending), server.close().await)
}

#[tokio::test]
async fn an_authority_of_the_profile_is_trusted() {
    let (told, received) = asked(&["localhost"], true).await;
    assert!(told.starts_with("accepted: 201 complete"), "{told}");
    assert!(matches!(received.as_slice(), [one] if one.starts_with("POST /plants HTTP/1.1\r\n")), "{received:?}");
}

#[tokio::test]
async fn a_stranger_is_sent_nothing() {
    let (told, received) = asked(&["localhost"], false).await;
    assert!(told.starts_with("not sent: NotConnected"), "{told}");
    assert!(told.contains("no authority known here"), "{told}");
    assert!(received.iter().all(String::is_empty));

    let (told, received) = asked(&["elsewhere.example"], true).await;
    assert!(told.starts_with("not sent: NotConnected"), "{told}");
    assert!(told.contains("for another host name"), "{told}");
    assert!(received.iter().all(String::is_empty));
}

#[tokio::test]
async fn what_does_not_speak_tls_is_sent_nothing() {
    let script = vec![Step::Write(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()), Step::Hold];
    let server = Server::playing(script).await;
    let base = server.url("https");
    let exchange = sent(&client(&base, within(LONG), Route::default()), monstera(), CancellationToken::new()).await;
    assert_eq!(told(&exchange), "not sent: NotConnected");
    assert!(format!("{:?}", exchange.ending).contains("does not speak TLS"), "{:?}", exchange.ending);
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_no_connection() {
    let server = Server::playing(vec![Step::Hold]).await;
    let base = server.url("https");
    let exchange = sent(&client(&base, within(SHORT), Route::default()), monstera(), CancellationToken::new()).await;
    assert_eq!(told(&exchange), "not sent: NotConnectedInTime");
}
