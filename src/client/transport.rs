//! Builds reqwest's clients for one store: the way there (direct or through a proxy), TLS, the pool.
//!
//! Loads certificate roots once, when they are first needed. Says on which side a connection failed.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use percent_encoding::percent_decode_str;
use reqwest::header::HeaderValue;
use rustls::client::{ClientSessionMemoryCache, ResolvesClientCert, Resumption};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, RootCertStore, SignatureScheme};
use tokio::sync::OnceCell;
use url::Url;
use zeroize::Zeroizing;

use crate::domain::{Phase, Request, StoreUrl};

use super::mask::TELLING_LENGTH;
use super::request::header;
use super::timer::{PhaseTimer, TimedConnections, TimedResolver, TimedSessions};
use super::words;

/// Stores and proxies whose TLS sessions are remembered: as many as rustls does by itself.
const SESSIONS: usize = 256;

/// Headers read of one response; hyper's own limit is 100. A response with more is lost, and room for all
/// of them is made for every response.
const MAX_HEADERS: usize = 256;

/// How long a connection is kept that no request uses: a store that closes idle ones does so later.
const IDLE: Duration = Duration::from_secs(1);

/// The header with which a proxy is told who asks; its value is never kept.
const PROXY_HEADER: &str = "proxy-authorization";

/// What a profile says about the way to its store.
#[derive(Clone, Default)]
pub struct Route {
    /// Certificates in PEM, trusted in addition to the system's roots.
    pub ca_cert: Option<Vec<u8>>,
    /// An `http` or `https` proxy for every request; a store on loopback is reached directly
    /// all the same.
    pub proxy: Option<Url>,
}

/// Who is asked for a connection.
enum Via {
    Direct,
    /// Whatever the environment's proxy variables say.
    Environment,
    Proxy(Url),
}

/// The way to one store. Cheap to make: nothing is loaded before the first exchange.
pub(super) struct Transport {
    via: Via,
    encrypted: bool,
    /// The store's, without the brackets of an address.
    host: String,
    ca_cert: Option<Vec<u8>>,
    tls: OnceCell<ClientConfig>,
    client_certificate: Arc<NoClientCertificate>,
    single: OnceCell<reqwest::Client>,
    /// What a profile's proxy is told in confidence: the credentials as they travel, the password.
    secrets: Vec<Zeroizing<String>>,
}

/// Has no certificate to present, and remembers whether a server has asked for one.
///
/// All handshakes share one, or rustls would not resume a session.
#[derive(Debug, Default)]
struct NoClientCertificate {
    was_asked_for: AtomicBool,
}

impl ResolvesClientCert for NoClientCertificate {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.was_asked_for.store(true, Ordering::Relaxed);
        None
    }

    fn has_certs(&self) -> bool {
        false
    }
}

impl Transport {
    pub(super) fn new(store: &StoreUrl, route: Route) -> Self {
        let Route { ca_cert, proxy } = route;
        // A proxy of the environment would be handed the token in clear on plain http.
        let via = match proxy {
            _ if store.is_loopback() => Via::Direct,
            Some(proxy) => Via::Proxy(proxy),
            None if store.is_https() => Via::Environment,
            None => Via::Direct,
        };
        let host = store.plants().host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let secrets = match &via {
            Via::Proxy(proxy) => secrets_of(proxy),
            Via::Direct | Via::Environment => Vec::new(),
        };
        Self {
            via,
            encrypted: store.is_https(),
            host,
            ca_cert,
            tls: OnceCell::new(),
            client_certificate: Arc::default(),
            single: OnceCell::new(),
            secrets,
        }
    }

    /// What was sent in confidence, beside the token.
    pub(super) fn secrets(&self) -> &[Zeroizing<String>] {
        &self.secrets
    }

    /// Rewrites `request` into what is on the wire when plain http goes through a proxy:
    /// the whole URL as target (RFC 9112 §3.2.2), and the proxy's credentials, masked.
    pub(super) fn as_sent(&self, request: &mut Request) {
        match &self.via {
            Via::Proxy(proxy) if !self.encrypted => {
                request.target.clone_from(&request.url);
                if !proxy.username().is_empty() || proxy.password().is_some() {
                    request.headers.push(header(PROXY_HEADER, "Basic ********"));
                }
            }
            Via::Proxy(_) | Via::Direct | Via::Environment => {}
        }
    }

    /// Returns the client for requests that each have a connection of their own; it is built once.
    ///
    /// # Errors
    ///
    /// The proxy or the certificates cannot be used, in words for people.
    pub(super) async fn single(&self) -> Result<&reqwest::Client, String> {
        let build = async { self.build(|builder| builder.pool_max_idle_per_host(0)).await };
        self.single.get_or_try_init(|| build).await
    }

    /// Builds a client that keeps connections for the next request; `limit` is for making one.
    ///
    /// # Errors
    ///
    /// As for [`Self::single`].
    pub(super) async fn pooled(&self, limit: Duration) -> Result<reqwest::Client, String> {
        self.build(|builder| builder.pool_idle_timeout(IDLE).connect_timeout(limit)).await
    }

    async fn build(
        &self,
        pool: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
    ) -> Result<reqwest::Client, String> {
        let tls = self.tls.get_or_try_init(|| self.load_tls()).await?;
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.clone())
            .dns_resolver(TimedResolver)
            .connector_layer(TimedConnections)
            .http1_only()
            // The status line decides: a slip in a header must not lose it.
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_max_headers(MAX_HEADERS)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never());
        let builder = match &self.via {
            Via::Direct => builder.no_proxy(),
            Via::Environment => builder,
            Via::Proxy(proxy) => builder.proxy(proxy_at(proxy)?),
        };
        pool(builder).build().map_err(|error| words::plain(&error.without_url()))
    }

    /// Says why there is no connection, and on which side: that of the store or that of a proxy.
    pub(super) fn unconnected(&self, store: &StoreUrl, why: &reqwest::Error, timer: &PhaseTimer) -> String {
        let Some(proxy) = self.proxy(store) else { return self.cause(why) };
        if self.encrypted && timer.has_begun(Phase::Tls) {
            return format!("{}, by way of the proxy {proxy}", self.cause(why));
        }
        match words::plain_of(why, "the proxy").strip_prefix("tunnel error: ") {
            Some("proxy authorization required") => {
                format!("the proxy {proxy} asks for a user name and password (407): check those of the proxy")
            }
            Some("unsuccessful") => format!("the proxy {proxy} opened no connection to the store"),
            Some(cause) => format!("the proxy {proxy} opened no connection to the store: {cause}"),
            None => format!("the proxy {proxy} cannot be reached: {}", words::plain_of(why, "the proxy")),
        }
    }

    /// The cause of what went wrong with the store itself before there was a connection.
    fn cause(&self, why: &(dyn Error + 'static)) -> String {
        if self.asked_for_a_certificate() && words::may_lack_a_client_certificate(why) {
            words::no_client_certificate(words::STORE)
        } else {
            words::plain(why)
        }
    }

    /// Says why a connection ended without a response: with TLS 1.3 a client certificate is missed only
    /// after the handshake, and what says so may be lost with the connection.
    pub(super) fn lost(&self, store: &StoreUrl, why: &(dyn Error + 'static)) -> String {
        let cause = self.cause(why);
        let missed = words::no_client_certificate(words::STORE);
        let cause =
            if self.asked_for_a_certificate() && cause != missed { format!("{cause}; {missed}") } else { cause };
        self.by_way(store, cause)
    }

    /// Adds the proxy that the request went through, if there is one.
    pub(super) fn by_way(&self, store: &StoreUrl, cause: String) -> String {
        match self.proxy(store) {
            None => cause,
            Some(proxy) if cause.is_empty() => format!("by way of the proxy {proxy}"),
            Some(proxy) => format!("{cause}, by way of the proxy {proxy}"),
        }
    }

    fn asked_for_a_certificate(&self) -> bool {
        self.client_certificate.was_asked_for.load(Ordering::Relaxed)
    }

    /// Host and port of the proxy on the way to the store, without its credentials.
    fn proxy(&self, store: &StoreUrl) -> Option<String> {
        match &self.via {
            Via::Direct => None,
            Via::Proxy(proxy) => Some(format!("{}:{}", proxy.host_str()?, proxy.port_or_known_default()?)),
            Via::Environment => {
                // As reqwest finds it.
                let to = Matcher::from_system().intercept(&store.plants().as_str().parse().ok()?)?;
                let default = if to.uri().scheme_str() == Some("https") { 443 } else { 80 };
                Some(format!("{}:{}", to.uri().host()?, to.uri().port_u16().unwrap_or(default)))
            }
        }
    }

    async fn load_tls(&self) -> Result<ClientConfig, String> {
        let tls_to_proxy = matches!(&self.via, Via::Proxy(proxy) if proxy.scheme() == "https");
        let client_certificate = Arc::clone(&self.client_certificate);
        let ca_cert = self.ca_cert.clone();
        let mut config = if self.encrypted || tls_to_proxy {
            // Reads hundreds of files: not on a thread that others wait for.
            tokio::task::spawn_blocking(move || config(Roots::SystemAnd(ca_cert), client_certificate))
                .await
                .unwrap_or_else(|_| Err("the certificate roots could not be loaded".to_owned()))?
        } else {
            config(Roots::None, client_certificate)?
        };
        let sessions = ClientSessionMemoryCache::new(SESSIONS);
        let host = self.encrypted.then(|| self.host.clone());
        config.resumption = Resumption::store(Arc::new(TimedSessions { sessions, host }));
        Ok(config)
    }
}

/// What a proxy is told of who asks, as reqwest would tell it (RFC 7617).
fn credentials(proxy: &Url) -> Option<HeaderValue> {
    let anywhere = Uri::from_static("http://store.invalid");
    Matcher::builder().all(proxy.as_str()).build().intercept(&anywhere)?.basic_auth().cloned()
}

/// The credentials of a proxy as they travel, and its password; what is short turns up by chance.
fn secrets_of(proxy: &Url) -> Vec<Zeroizing<String>> {
    let sent = credentials(proxy).and_then(|value| {
        let text = value.to_str().ok()?;
        text.strip_prefix("Basic ").map(str::to_owned)
    });
    let password = proxy.password().map(|password| percent_decode_str(password).decode_utf8_lossy().into_owned());
    sent.into_iter().chain(password).filter(|secret| secret.len() >= TELLING_LENGTH).map(Zeroizing::new).collect()
}

fn proxy_at(proxy: &Url) -> Result<reqwest::Proxy, String> {
    if !matches!(proxy.scheme(), "http" | "https") {
        return Err(format!("a proxy must be http or https, not {}", proxy.scheme()));
    }
    reqwest::Proxy::all(proxy.clone()).map_err(|error| words::plain(&error.without_url()))
}

enum Roots {
    /// For plain http, where nobody shows a certificate.
    None,
    /// The system's, and these in PEM.
    SystemAnd(Option<Vec<u8>>),
}

/// The provider is named here and installed nowhere: nothing else of the process depends on it.
fn config(roots: Roots, client_certificate: Arc<NoClientCertificate>) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| words::plain(&error))?;
    let mut config = match roots {
        Roots::None => {
            builder.with_root_certificates(RootCertStore::empty()).with_client_cert_resolver(client_certificate)
        }
        Roots::SystemAnd(pem) => {
            let extra = pem.map_or(Ok(Vec::new()), |pem| certificates(&pem))?;
            let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(extra, provider)
                .map_err(|error| format!("the certificate roots cannot be used: {}", words::plain(&error)))?;
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
                .with_client_cert_resolver(client_certificate)
        }
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("ca_cert is no PEM file: {error}"))?;
    if found.is_empty() { Err("ca_cert holds no certificate in PEM".to_owned()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::ServerName;

    use super::*;

    fn via(store: &str, proxy: Option<&str>) -> Via {
        let route = Route { ca_cert: None, proxy: proxy.map(|proxy| proxy.parse().unwrap()) };
        Transport::new(&store.parse().unwrap(), route).via
    }

    #[test]
    fn the_environments_proxies_are_for_https_elsewhere_only() {
        assert!(matches!(via("https://plants.example", None), Via::Environment));
        assert!(matches!(via("http://plants.example", None), Via::Direct));
        assert!(matches!(via("https://localhost", None), Via::Direct));
    }

    #[test]
    fn a_profiles_proxy_is_for_every_store_but_one_on_loopback() {
        let proxy = Some("http://proxy.example:3128");
        assert!(matches!(via("http://plants.example", proxy), Via::Proxy(_)));
        assert!(matches!(via("https://plants.example", proxy), Via::Proxy(_)));
        assert!(matches!(via("http://127.0.0.1", proxy), Via::Direct));
    }

    #[test]
    fn what_a_proxy_is_told_is_known_as_it_is_sent() {
        let route = Route { ca_cert: None, proxy: Some("http://u:se=cr%2Fet99@p".parse().unwrap()) };
        let transport = Transport::new(&"http://plants.example".parse().unwrap(), route);
        let secrets: Vec<_> = transport.secrets().iter().map(|secret| secret.as_str()).collect();
        assert_eq!(secrets, ["dTpzZT1jci9ldDk5", "se=cr/et99"]);
    }

    #[test]
    fn a_store_is_called_as_tls_calls_it() {
        for (store, host) in [
            ("https://[::1]:8443/api", "::1"),
            ("https://127.0.0.1", "127.0.0.1"),
            ("https://Plants.Example", "plants.example"),
        ] {
            assert_eq!(Transport::new(&store.parse().unwrap(), Route::default()).host, host);
            assert_eq!(ServerName::try_from(host).unwrap().to_str(), host);
        }
    }

    #[test]
    fn a_ca_cert_that_is_none_is_named() {
        assert_eq!(certificates(b"").unwrap_err(), "ca_cert holds no certificate in PEM");
        let broken = b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
        assert!(certificates(broken).unwrap_err().starts_with("ca_cert is no PEM file"));
    }
}
