//! TLS to one store: certificate roots, which are loaded once when they are first needed, session resumption,
//! and whether the store asked for a client certificate. Must not know how connections are made.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::client::{ClientSessionMemoryCache, ResolvesClientCert, Resumption};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, RootCertStore, SignatureScheme};
use tokio::sync::OnceCell;

use super::error_text::describe;
use super::phase_timer::TimedSessions;

/// Stores and proxies whose TLS sessions are remembered: as many as rustls does by itself.
const SESSIONS: usize = 256;

/// Why a reqwest client cannot be built, so that nothing is sent.
#[derive(Debug)]
pub(super) enum BuildError {
    ProxyScheme(String),
    NotPem(pem::Error),
    NoCertificate,
    RootsNotLoaded,
    Roots(rustls::Error),
    Tls(rustls::Error),
    Client(reqwest::Error),
}

impl From<reqwest::Error> for BuildError {
    fn from(why: reqwest::Error) -> Self {
        Self::Client(why.without_url())
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProxyScheme(scheme) => write!(f, "a proxy must be http or https, not {scheme}"),
            Self::NotPem(why) => write!(f, "ca_cert is no PEM file: {why}"),
            Self::NoCertificate => f.write_str("ca_cert holds no certificate in PEM"),
            Self::RootsNotLoaded => f.write_str("the certificate roots could not be loaded"),
            Self::Roots(why) => write!(f, "the certificate roots cannot be used: {}", describe(why)),
            Self::Tls(why) => f.write_str(&describe(why)),
            Self::Client(why) => f.write_str(&describe(why)),
        }
    }
}

// Shows its cause itself.
impl std::error::Error for BuildError {}

pub(super) struct Tls {
    roots: TrustedRoots,
    /// The host with which a handshake is timed; `None` stands for every host.
    host: Option<String>,
    config: OnceCell<ClientConfig>,
    client_certificate: Arc<NoClientCertificate>,
}

/// Has no certificate to present, and remembers whether a server has asked for one. All handshakes share
/// one, or rustls would not resume a session.
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

impl Tls {
    pub(super) fn new(roots: TrustedRoots, host: Option<String>) -> Self {
        Self { roots, host, config: OnceCell::new(), client_certificate: Arc::default() }
    }

    pub(super) async fn config(&self) -> Result<ClientConfig, BuildError> {
        self.config.get_or_try_init(|| self.load()).await.cloned()
    }

    /// Whether the store, or a proxy, asked for a client certificate in any handshake so far.
    pub(super) fn asked_for_a_certificate(&self) -> bool {
        self.client_certificate.was_asked_for.load(Ordering::Relaxed)
    }

    async fn load(&self) -> Result<ClientConfig, BuildError> {
        let (roots, client_certificate) = (self.roots.clone(), Arc::clone(&self.client_certificate));
        let mut config = match roots {
            TrustedRoots::None => config(roots, client_certificate)?,
            // Reads hundreds of files: not on a thread that others wait for.
            TrustedRoots::SystemAnd(_) => tokio::task::spawn_blocking(move || config(roots, client_certificate))
                .await
                .unwrap_or(Err(BuildError::RootsNotLoaded))?,
        };
        let sessions = ClientSessionMemoryCache::new(SESSIONS);
        config.resumption = Resumption::store(Arc::new(TimedSessions { sessions, host: self.host.clone() }));
        Ok(config)
    }
}

#[derive(Clone)]
pub(super) enum TrustedRoots {
    /// For plain http, where no certificate is shown.
    None,
    /// The system's, and these in PEM.
    SystemAnd(Option<Vec<u8>>),
}

/// Names the crypto provider and installs it nowhere: nothing else of the process depends on it.
fn config(roots: TrustedRoots, client_certificate: Arc<NoClientCertificate>) -> Result<ClientConfig, BuildError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(BuildError::Tls)?;
    let mut config = match roots {
        TrustedRoots::None => {
            builder.with_root_certificates(RootCertStore::empty()).with_client_cert_resolver(client_certificate)
        }
        TrustedRoots::SystemAnd(pem) => {
            let extra = pem.map_or(Ok(Vec::new()), |pem| certificates(&pem))?;
            let verifier =
                rustls_platform_verifier::Verifier::new_with_extra_roots(extra, provider).map_err(BuildError::Roots)?;
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
                .with_client_cert_resolver(client_certificate)
        }
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BuildError> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(BuildError::NotPem)?;
    if found.is_empty() { Err(BuildError::NoCertificate) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ca_cert_that_is_none_is_named() {
        let fault = |pem: &[u8]| certificates(pem).unwrap_err().to_string();
        assert_eq!(fault(b""), "ca_cert holds no certificate in PEM");
        let broken = b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
        assert!(fault(broken).starts_with("ca_cert is no PEM file"));
    }
}
