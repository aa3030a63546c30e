//! Tests TLS: which servers are trusted, and that nothing is sent before the handshake ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plants::client::{Certificates, Route};
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer, KeyPair,
    NameConstraints, date_time_ymd,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ServerSessionMemoryCache, StoresServerSessions, WebPkiClientVerifier};
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::server::{Server, Step};
use super::{GOOD, LONG, SHORT, client, monstera, responses, sent, summary, whole, within};

/// Returns TLS for a server with these names, and its authority in PEM.
pub(crate) fn certified(names: &[&str]) -> (TlsAcceptor, Vec<u8>) {
    let (config, authority) = config(names, None);
    (TlsAcceptor::from(Arc::new(config)), authority)
}

/// Returns TLS with a certificate that is valid between two years.
pub(crate) fn certified_with(names: &[&str], years: (i32, i32)) -> (TlsAcceptor, Vec<u8>) {
    let (config, authority) = config(names, Some(years));
    (TlsAcceptor::from(Arc::new(config)), authority)
}

/// Returns a route to a store that this authority vouches for.
pub(crate) fn trusting(authority: &[u8]) -> Route {
    Route { ca_cert: Some(Certificates::from_pem(authority).unwrap()), ..Route::default() }
}

/// The PEM files of a client: its certificate and its private key.
#[cfg_attr(windows, expect(dead_code, reason = "for the tests of gateways, which are for Unix alone"))]
pub(crate) struct ClientFiles {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// Returns TLS that requires a client certificate and supports only this version, its authority in PEM, and the files of
/// a client that it accepts.
pub(crate) fn certified_for_clients(
    names: &[&str],
    version: &'static SupportedProtocolVersion,
) -> (TlsAcceptor, Vec<u8>, ClientFiles) {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let (with_any, authority, issuer) = issuing_config(names, None);
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(Vec::new()).unwrap().signed_by(&key, &issuer).unwrap();
    let client = ClientFiles { certificate: certificate.pem(), key: key.serialize_pem() };
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&authority).unwrap()).unwrap();
    let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build().unwrap();
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version])
        .unwrap()
        .with_client_cert_verifier(clients)
        .with_cert_resolver(with_any.cert_resolver);
    (TlsAcceptor::from(Arc::new(config)), authority, client)
}

fn config(names: &[&str], years: Option<(i32, i32)>) -> (ServerConfig, Vec<u8>) {
    let (config, authority, _) = issuing_config(names, years);
    (config, authority)
}

fn issuing_config(names: &[&str], years: Option<(i32, i32)>) -> (ServerConfig, Vec<u8>, Issuer<'static, KeyPair>) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let authority_cert = authority.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);

    let names: Vec<String> = names.iter().copied().map(str::to_owned).collect();
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(names).unwrap();
    if let Some((from, to)) = years {
        (params.not_before, params.not_after) = (date_time_ymd(from, 1, 1), date_time_ymd(to, 1, 1));
    }
    let cert = params.signed_by(&key, &issuer).unwrap();
    let config = config_with(&cert, &key);
    (config, authority_cert.pem().into_bytes(), issuer)
}

/// Returns the settings of a server that presents this certificate.
fn config_with(cert: &Certificate, key: &KeyPair) -> ServerConfig {
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())))
        .unwrap()
}

/// Sends one add; returns the summary and the bytes that the server received inside TLS.
async fn add(names: &[&str], trusted: bool) -> (String, Vec<String>) {
    let (tls, authority) = certified(names);
    let server = Server::playing_encrypted(responses(&whole("201 Created", GOOD)), tls).await;
    let route = if trusted { trusting(&authority) } else { Route::default() };
    let base = format!("https://localhost:{}", server.port());
    let exchange = sent(&client(&base, within(LONG), route), monstera(), CancellationToken::new()).await;
    (format!("{} {:?}", summary(&exchange), exchange.ending), server.close().await)
}

#[tokio::test]
async fn an_authority_of_the_profile_is_trusted() {
    let (summary, received) = add(&["localhost"], true).await;
    assert!(summary.starts_with("accepted: 201 complete"), "{summary}");
    assert!(matches!(received.as_slice(), [one] if one.starts_with("POST /plants HTTP/1.1\r\n")), "{received:?}");
}

#[tokio::test]
async fn nothing_is_sent_to_an_untrusted_server() {
    let (summary, received) = add(&["localhost"], false).await;
    assert!(summary.starts_with("not sent: NotConnected"), "{summary}");
    assert!(summary.contains("no authority known here"), "{summary}");
    assert!(received.iter().all(String::is_empty));

    let (summary, received) = add(&["elsewhere.example"], true).await;
    assert!(summary.starts_with("not sent: NotConnected"), "{summary}");
    assert!(summary.contains("the certificate of the store is for elsewhere.example, not for localhost"), "{summary}");
    assert!(received.iter().all(String::is_empty));
}

/// Returns TLS with a certificate and an authority that are wrong in one way.
fn wrong(change: impl FnOnce(&mut CertificateParams, &mut CertificateParams)) -> (TlsAcceptor, Vec<u8>) {
    let (mut authority, mut params) =
        (CertificateParams::new(Vec::new()).unwrap(), CertificateParams::new(vec!["localhost".to_owned()]).unwrap());
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    change(&mut authority, &mut params);
    let (authority_key, key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let pem = authority.self_signed(&authority_key).unwrap().pem().into_bytes();
    let cert = params.signed_by(&key, &Issuer::new(authority, authority_key)).unwrap();
    let config = config_with(&cert, &key);
    (TlsAcceptor::from(Arc::new(config)), pem)
}

#[tokio::test]
async fn what_is_wrong_with_a_certificate_is_a_sentence() {
    let other = GeneralSubtree::DnsName("other.example".to_owned());
    let names = NameConstraints { permitted_subtrees: vec![other], excluded_subtrees: Vec::new() };
    for ((tls, authority), sentence) in [
        (
            wrong(|authority, _| authority.name_constraints = Some(names)),
            "the certificate of the store is for a name that its authority must not certify",
        ),
        (
            wrong(|_, server| server.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)),
            "the certificate of the store is an authority's own, not a server's; one made with basicConstraints",
        ),
        (
            wrong(|_, server| server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth]),
            "the certificate of the store is not for servers: one with the extended key usage serverAuth works",
        ),
    ] {
        let server = Server::playing_encrypted(responses(&whole("201 Created", GOOD)), tls).await;
        let route = trusting(&authority);
        let base = format!("https://localhost:{}", server.port());
        let exchange = sent(&client(&base, within(LONG), route), monstera(), CancellationToken::new()).await;
        let ending = format!("{:?}", exchange.ending);
        assert!(ending.contains(sentence) && !ending.contains("Other("), "{ending}");
        assert!(server.close().await.iter().all(String::is_empty));
    }
}

#[tokio::test]
async fn nothing_is_sent_to_a_server_without_tls() {
    let script = vec![Step::Write(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()), Step::Hold];
    let server = Server::playing(script).await;
    let base = server.url("https");
    let exchange = sent(&client(&base, within(LONG), Route::default()), monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "not sent: NotConnected");
    assert!(format!("{:?}", exchange.ending).contains("does not speak TLS"), "{:?}", exchange.ending);
}

/// A session store that counts resumed sessions.
#[derive(Debug)]
struct Counted {
    sessions: Arc<ServerSessionMemoryCache>,
    resumed: AtomicUsize,
}

impl StoresServerSessions for Counted {
    fn put(&self, key: Vec<u8>, value: Vec<u8>) -> bool {
        self.sessions.put(key, value)
    }

    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.sessions.get(key).inspect(|_| self.count())
    }

    fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.sessions.take(key).inspect(|_| self.count())
    }

    fn can_cache(&self) -> bool {
        true
    }
}

impl Counted {
    fn count(&self) {
        self.resumed.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn the_next_exchange_resumes_the_tls_session() {
    let (mut config, authority) = config(&["localhost"], None);
    let counted = Arc::new(Counted { sessions: ServerSessionMemoryCache::new(8), resumed: AtomicUsize::new(0) });
    config.session_storage = Arc::<Counted>::clone(&counted);
    let tls = TlsAcceptor::from(Arc::new(config));
    let server = Server::playing_encrypted(responses(&whole("201 Created", GOOD)), tls).await;
    let route = trusting(&authority);
    let client = client(&format!("https://localhost:{}", server.port()), within(LONG), route);
    for resumed in 0..3 {
        assert_eq!(summary(&sent(&client, monstera(), CancellationToken::new()).await), "accepted: 201 complete");
        assert_eq!(counted.resumed.load(Ordering::SeqCst), resumed);
    }
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_no_connection() {
    let server = Server::playing(vec![Step::Hold]).await;
    let base = server.url("https");
    let exchange = sent(&client(&base, within(SHORT), Route::default()), monstera(), CancellationToken::new()).await;
    assert_eq!(summary(&exchange), "not sent: NotConnectedInTime");
}
