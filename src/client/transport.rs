//! Builds reqwest's clients for one store: the way there, direct or through a proxy, and the pool. Describes
//! on which side a connection failed.

use std::error::Error;
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use percent_encoding::percent_decode_str;
use reqwest::header::HeaderValue;
use tokio::sync::OnceCell;
use url::Url;
use zeroize::Zeroizing;

use crate::domain::{Phase, Request, StoreUrl};

use super::error_text::{STORE, describe, describe_for, may_lack_a_client_certificate, no_client_certificate};
use super::mask::TELLING_LENGTH;
use super::phase_timer::{PhaseTimer, TimedConnections, TimedResolver};
use super::request::header;
use super::tls::{BuildError, Tls, TrustedRoots};

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
    tls: Tls,
    single: OnceCell<reqwest::Client>,
    /// What a profile's proxy is told in confidence: the credentials as they travel, the password.
    secrets: Vec<Zeroizing<String>>,
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
        let secrets = match &via {
            Via::Proxy(proxy) => secrets_of(proxy),
            Via::Direct | Via::Environment => Vec::new(),
        };
        let encrypted = store.is_https();
        let roots = if encrypted || matches!(&via, Via::Proxy(proxy) if proxy.scheme() == "https") {
            TrustedRoots::SystemAnd(ca_cert)
        } else {
            TrustedRoots::None
        };
        let tls = Tls::new(roots, encrypted.then(|| tls_host(store)));
        Self { via, encrypted, tls, single: OnceCell::new(), secrets }
    }

    /// Returns what is sent in confidence, beside the token.
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
    pub(super) async fn single(&self) -> Result<&reqwest::Client, BuildError> {
        let build = async { self.build(|builder| builder.pool_max_idle_per_host(0)).await };
        self.single.get_or_try_init(|| build).await
    }

    /// Builds a client that keeps connections for the next request; `limit` is for making one.
    pub(super) async fn pooled(&self, limit: Duration) -> Result<reqwest::Client, BuildError> {
        self.build(|builder| builder.pool_idle_timeout(IDLE).connect_timeout(limit)).await
    }

    async fn build(
        &self,
        pool: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
    ) -> Result<reqwest::Client, BuildError> {
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(self.tls.config().await?)
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
        Ok(pool(builder).build()?)
    }

    /// Describes why there is no connection, and on which side: that of the store or that of a proxy.
    pub(super) fn unconnected(&self, store: &StoreUrl, why: &reqwest::Error, timer: &PhaseTimer) -> String {
        let Some(proxy) = self.proxy(store) else { return self.cause(why) };
        if self.encrypted && timer.has_begun(Phase::Tls) {
            return format!("{}, by way of the proxy {proxy}", self.cause(why));
        }
        match describe_for(why, "the proxy").strip_prefix("tunnel error: ") {
            Some("proxy authorization required") => {
                format!("the proxy {proxy} asks for a user name and password (407): check those of the proxy")
            }
            Some("unsuccessful") => format!("the proxy {proxy} opened no connection to the store"),
            Some(cause) => format!("the proxy {proxy} opened no connection to the store: {cause}"),
            None => format!("the proxy {proxy} cannot be reached: {}", describe_for(why, "the proxy")),
        }
    }

    /// Describes what went wrong with the store itself before there was a connection.
    fn cause(&self, why: &(dyn Error + 'static)) -> String {
        if self.tls.certificate_was_requested() && may_lack_a_client_certificate(why) {
            no_client_certificate(STORE)
        } else {
            describe(why)
        }
    }

    /// Describes why a connection ended without a response: with TLS 1.3 a client certificate is missed only
    /// after the handshake, and what says so may be lost with the connection.
    pub(super) fn lost(&self, store: &StoreUrl, why: &(dyn Error + 'static)) -> String {
        let cause = self.cause(why);
        let missed = no_client_certificate(STORE);
        let cause =
            if self.tls.certificate_was_requested() && cause != missed { format!("{cause}; {missed}") } else { cause };
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

    /// Returns host and port of the proxy on the way to the store, without its credentials.
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
}

/// Returns what reqwest tells a proxy of who asks (RFC 7617).
fn credentials(proxy: &Url) -> Option<HeaderValue> {
    let anywhere = Uri::from_static("http://store.invalid");
    Matcher::builder().all(proxy.as_str()).build().intercept(&anywhere)?.basic_auth().cloned()
}

/// Returns the credentials of a proxy as they travel, and its password; what is short turns up by chance.
fn secrets_of(proxy: &Url) -> Vec<Zeroizing<String>> {
    let sent = credentials(proxy).and_then(|value| {
        let text = value.to_str().ok()?;
        text.strip_prefix("Basic ").map(str::to_owned)
    });
    let password = proxy.password().map(|password| percent_decode_str(password).decode_utf8_lossy().into_owned());
    sent.into_iter().chain(password).filter(|secret| secret.len() >= TELLING_LENGTH).map(Zeroizing::new).collect()
}

fn proxy_at(proxy: &Url) -> Result<reqwest::Proxy, BuildError> {
    if !matches!(proxy.scheme(), "http" | "https") {
        return Err(BuildError::ProxyScheme(proxy.scheme().to_owned()));
    }
    Ok(reqwest::Proxy::all(proxy.clone())?)
}

/// Returns the store's host without the brackets of an address, as TLS calls it.
fn tls_host(store: &StoreUrl) -> String {
    store.plants().host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned()
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
            assert_eq!(tls_host(&store.parse().unwrap()), host);
            assert_eq!(ServerName::try_from(host).unwrap().to_str(), host);
        }
    }
}
