//! Builds the reqwest clients for one store: the route, direct or through a proxy, and whether they keep a connection.
//!
//! Describes on which side a connection failed. Must not know what a failure proves.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use percent_encoding::percent_decode_str;
use reqwest::header::HeaderValue;
use tokio::sync::OnceCell;
use tower_layer::layer_fn;
use url::Url;
use zeroize::Zeroizing;

use crate::domain::{NOT_HTTP, Phase, Request, StoreUrl};

use super::client_certificate::{Certificates, ClientCertificate};
use super::error_text::{
    STORE, describe, describe_for, is_parse_error, may_concern_a_client_certificate, no_client_certificate,
    unwanted_client_certificate,
};
use super::mask::TELLING_LENGTH;
use super::phase_timer::{PhaseTimer, TimedConnector, TimedResolver};
use super::request::header;
use super::secret_header::SecretHeader;
use super::tls::{BuildError, Tls};

/// The most headers of one response on a connection of its own; a response with more fails. In a batch that is hyper's
/// limit, 100: each response would allocate and fill space for 256.
const MAX_HEADERS: usize = 256;

/// The header with the credentials for a proxy; its value is never stored.
const PROXY_HEADER: &str = "proxy-authorization";

/// The connection settings of a profile.
#[derive(Clone, Default)]
pub struct Route {
    /// Trusted in addition to the system's roots.
    pub ca_cert: Option<Certificates>,
    /// An `http` or `https` proxy for every request, except to a store on loopback.
    pub proxy: Option<Url>,
    /// Presented to the store if it requests a client certificate, and to no proxy.
    pub client_certificate: Option<ClientCertificate>,
    /// Headers for a gateway before the store.
    pub headers: Vec<SecretHeader>,
}

/// The route to one store. Cheap to create: nothing is loaded before the first exchange.
pub(super) struct Transport {
    /// `None` on the direct way.
    proxy: Option<Url>,
    encrypted: bool,
    tls: Tls,
    single: OnceCell<reqwest::Client>,
    /// The secrets that are sent besides the token: the credentials for the proxy as sent, and the password.
    pub(super) secrets: Vec<Zeroizing<String>>,
}

impl Transport {
    pub(super) fn new(store: &StoreUrl, route: Route) -> Self {
        let proxy = route.proxy.filter(|_| !store.is_loopback());
        let secrets = proxy.as_ref().map(secrets_of).unwrap_or_default();
        let encrypted = store.is_https();
        let has_https_proxy = proxy.as_ref().is_some_and(|proxy| proxy.scheme() == "https");
        let uses_tls = encrypted || has_https_proxy;
        let extra_roots = uses_tls.then(|| route.ca_cert.map_or(Vec::new(), |certificates| certificates.0));
        let tls = Tls::new(extra_roots, encrypted.then(|| tls_host(store)), route.client_certificate);
        Self { proxy, encrypted, tls, single: OnceCell::new(), secrets }
    }

    /// Adapts `request` to plain http through a proxy: the whole URL as target (RFC 9112 §3.2.2), and the masked
    /// credentials for the proxy.
    pub(super) fn as_sent(&self, request: Request) -> Request {
        let Some(proxy) = self.proxy.as_ref().filter(|_| !self.encrypted) else { return request };
        let has_credentials = !proxy.username().is_empty() || proxy.password().is_some();
        let credentials = has_credentials.then(|| header(PROXY_HEADER, "Basic ********"));
        let headers = request.headers.iter().cloned().chain(credentials).collect();
        Request { target: request.url.clone(), headers, ..request }
    }

    /// Returns the client for requests with a connection of their own. Builds the client once.
    pub(super) async fn single(&self) -> Result<&reqwest::Client, BuildError> {
        let alone = |builder: reqwest::ClientBuilder| builder.pool_max_idle_per_host(0).http1_max_headers(MAX_HEADERS);
        let build = async { self.build(alone).await };
        self.single.get_or_try_init(|| build).await
    }

    /// Builds a client that keeps one connection for the next request; `limit` is the time limit for connecting.
    pub(super) async fn keeping(&self, limit: Duration) -> Result<reqwest::Client, BuildError> {
        let one = |builder: reqwest::ClientBuilder| builder.pool_max_idle_per_host(1).pool_idle_timeout(None);
        self.build(|builder| one(builder).connect_timeout(limit)).await
    }

    async fn build(
        &self,
        pool: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
    ) -> Result<reqwest::Client, BuildError> {
        let https_proxy = self.proxy.as_ref().filter(|proxy| proxy.scheme() == "https");
        // It could request the client certificate, which is for the store alone.
        if let Some(proxy) = https_proxy.filter(|_| self.tls.has_client_certificate()) {
            return Err(BuildError::CertificateAtProxy(host_and_port(proxy).unwrap_or_default()));
        }
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(self.tls.config().await?)
            .dns_resolver(TimedResolver)
            .connector_layer(layer_fn(|connector| TimedConnector(Arc::new(connector))))
            .http1_only()
            // The status line decides, so an invalid header must not lose the response.
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            // Zero, because reqwest copies each request that it might retry.
            .retry(reqwest::retry::never().max_retries_per_request(0));
        // Never one that reqwest finds in the environment: the settings have decided.
        let builder = match &self.proxy {
            None => builder.no_proxy(),
            Some(proxy) => builder.proxy(proxy_at(proxy)?),
        };
        Ok(pool(builder).build()?)
    }

    /// Describes why there is no connection, and whether the store or a proxy is the cause.
    pub(super) fn unconnected(&self, why: &reqwest::Error, timer: &PhaseTimer) -> String {
        let Some(proxy) = self.proxy() else { return self.cause(why) };
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

    /// Describes an error of the connection to the store itself.
    fn cause(&self, why: &(dyn Error + 'static)) -> String {
        if !self.tls.certificate_was_requested() || !may_concern_a_client_certificate(why) {
            describe(why)
        } else if self.tls.has_client_certificate() {
            unwanted_client_certificate(STORE, &describe(why))
        } else {
            no_client_certificate(STORE)
        }
    }

    /// Describes why a connection ended without a response. With TLS 1.3 the store reports a missing client
    /// certificate only after the handshake, and the alert may be lost with the connection.
    pub(super) fn lost(&self, why: &(dyn Error + 'static)) -> String {
        let cause = self.cause(why);
        let missed = no_client_certificate(STORE);
        let is_missing = self.tls.certificate_was_requested() && !self.tls.has_client_certificate();
        let cause = if is_missing && cause != missed { format!("{cause}; {missed}") } else { cause };
        let cause = if is_parse_error(why) { format!("{NOT_HTTP}: {cause}") } else { cause };
        self.by_way(cause)
    }

    /// Adds the proxy of the request, if there is one.
    pub(super) fn by_way(&self, cause: String) -> String {
        match self.proxy() {
            None => cause,
            Some(proxy) if cause.is_empty() => format!("by way of the proxy {proxy}"),
            Some(proxy) => format!("{cause}, by way of the proxy {proxy}"),
        }
    }

    /// Returns host and port of the proxy on the way to the store, without its credentials.
    fn proxy(&self) -> Option<String> {
        self.proxy.as_ref().and_then(host_and_port)
    }
}

fn host_and_port(proxy: &Url) -> Option<String> {
    Some(format!("{}:{}", proxy.host_str()?, proxy.port_or_known_default()?))
}

/// Returns the credentials that reqwest sends to a proxy (RFC 7617).
fn credentials(proxy: &Url) -> Option<HeaderValue> {
    let anywhere = Uri::from_static("http://store.invalid");
    Matcher::builder().all(proxy.as_str()).build().intercept(&anywhere)?.basic_auth().cloned()
}

/// Returns the credentials for a proxy as sent, and the password, unless they are so short that they occur by
/// chance.
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

/// Returns the host of the store in the form of TLS: an IPv6 address without brackets.
fn tls_host(store: &StoreUrl) -> String {
    store.plants().host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned()
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::ServerName;

    use super::*;

    #[test]
    fn a_proxy_is_used_for_every_store_except_on_loopback() {
        let has_proxy = |store: &str| {
            let proxy = Some("http://proxy.example:3128".parse().unwrap());
            Transport::new(&store.parse().unwrap(), Route { proxy, ..Route::default() }).proxy.is_some()
        };
        assert!(has_proxy("http://plants.example") && has_proxy("https://plants.example"));
        assert!(!has_proxy("http://127.0.0.1") && !has_proxy("https://localhost"));
    }

    #[test]
    fn the_secrets_of_a_proxy_are_known_as_sent() {
        let proxy = Some("http://u:se=cr%2Fet99@p".parse().unwrap());
        let route = Route { proxy, ..Route::default() };
        let transport = Transport::new(&"http://plants.example".parse().unwrap(), route);
        let secrets: Vec<_> = transport.secrets.iter().map(|secret| secret.as_str()).collect();
        assert_eq!(secrets, ["dTpzZT1jci9ldDk5", "se=cr/et99"]);
    }

    #[test]
    fn the_host_has_the_form_of_tls() {
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
