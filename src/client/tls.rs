//! Configures TLS for one store: certificate roots, session resumption, and client certificates.
//!
//! Loads the roots once, when they are first needed. Must not know how connections are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::client::{ClientSessionMemoryCache, ResolvesClientCert, Resumption};
use rustls::pki_types::CertificateDer;
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, RootCertStore, SignatureScheme};
use thiserror::Error;
use tokio::sync::OnceCell;

use super::client_certificate::ClientCertificate;
use super::error_text::describe;
use super::phase_timer::TimedSessions;

/// The number of remembered TLS sessions: the default of rustls.
const SESSIONS: usize = 256;

/// Why a reqwest client cannot be built, so that nothing is sent. The texts include their causes.
#[derive(Debug, Error)]
pub(super) enum BuildError {
    #[error("a proxy must be http or https, not {0}")]
    ProxyScheme(String),
    #[error(
        "the client certificate is for the store alone, and the https proxy {0} could ask for it: use an http proxy"
    )]
    CertificateAtProxy(String),
    #[error("the certificate roots could not be loaded: install those of the system, or name one with ca_cert")]
    RootsNotLoaded,
    #[error("the certificate roots cannot be used: {}; name one with ca_cert", describe(.0))]
    Roots(rustls::Error),
    #[error("{}", describe(.0))]
    Tls(rustls::Error),
    #[error("{}", describe(.0))]
    Client(reqwest::Error),
}

impl From<reqwest::Error> for BuildError {
    fn from(why: reqwest::Error) -> Self {
        Self::Client(why.without_url())
    }
}

pub(super) struct Tls {
    /// Trusted in addition to the roots of the system; `None` for plain http, which uses no certificates.
    extra_roots: Option<Vec<CertificateDer<'static>>>,
    /// The host whose handshake is timed; `None` means every host.
    host: Option<String>,
    config: OnceCell<ClientConfig>,
    certificates: Arc<ClientCertificates>,
}

/// Presents the client certificate, if there is one, and remembers whether a server requested one. All handshakes share
/// one value, otherwise rustls would not resume a session.
#[derive(Debug)]
struct ClientCertificates {
    own: Option<ClientCertificate>,
    was_requested: AtomicBool,
}

impl ResolvesClientCert for ClientCertificates {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.was_requested.store(true, Ordering::Relaxed);
        self.own.as_ref().map(|own| Arc::clone(&own.0))
    }

    fn has_certs(&self) -> bool {
        self.own.is_some()
    }
}

impl Tls {
    /// Presents `own` to every host of a handshake that requests a client certificate.
    pub(super) fn new(
        extra_roots: Option<Vec<CertificateDer<'static>>>,
        host: Option<String>,
        own: Option<ClientCertificate>,
    ) -> Self {
        let certificates = Arc::new(ClientCertificates { own, was_requested: AtomicBool::new(false) });
        Self { extra_roots, host, config: OnceCell::new(), certificates }
    }

    pub(super) async fn config(&self) -> Result<ClientConfig, BuildError> {
        self.config.get_or_try_init(|| self.load()).await.cloned()
    }

    /// Whether the store or a proxy requested a client certificate in any handshake so far.
    pub(super) fn certificate_was_requested(&self) -> bool {
        self.certificates.was_requested.load(Ordering::Relaxed)
    }

    pub(super) fn has_client_certificate(&self) -> bool {
        self.certificates.own.is_some()
    }

    async fn load(&self) -> Result<ClientConfig, BuildError> {
        let (extra_roots, certificates) = (self.extra_roots.clone(), Arc::clone(&self.certificates));
        let mut config = if extra_roots.is_none() {
            config(extra_roots, certificates)?
        } else {
            // Reads hundreds of files, so not on a thread of the async runtime.
            let loading = tokio::task::spawn_blocking(move || config(extra_roots, certificates));
            loading.await.unwrap_or(Err(BuildError::RootsNotLoaded))?
        };
        let sessions = ClientSessionMemoryCache::new(SESSIONS);
        config.resumption = Resumption::store(Arc::new(TimedSessions { sessions, host: self.host.clone() }));
        Ok(config)
    }
}

/// Builds the configuration with its own crypto provider, so that nothing is installed process-wide.
fn config(
    extra_roots: Option<Vec<CertificateDer<'static>>>,
    certificates: Arc<ClientCertificates>,
) -> Result<ClientConfig, BuildError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(BuildError::Tls)?;
    let builder = match extra_roots {
        None => builder.with_root_certificates(RootCertStore::empty()),
        Some(extra) => {
            let verifier =
                rustls_platform_verifier::Verifier::new_with_extra_roots(extra, provider).map_err(BuildError::Roots)?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    let mut config = builder.with_client_cert_resolver(certificates);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
