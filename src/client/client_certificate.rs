//! Holds certificates, and the certificate and the key by which this program proves to a store who it is.
//!
//! The key cannot be printed. Must not know the files that they come from.

use std::fmt;
use std::sync::Arc;

use rustls::pki_types::pem::{Error as PemError, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys, RootCertStore};
use thiserror::Error;

use super::error_text::describe;

#[derive(Clone)]
pub struct ClientCertificate(pub(super) Arc<CertifiedKey>);

impl fmt::Debug for ClientCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientCertificate(********)")
    }
}

/// Why files are no certificate with its key. Never contains a part of them.
#[derive(Debug, Error)]
pub enum CertificateFault {
    /// Counted from 1.
    #[error("certificate {0} in it is damaged: name another file")]
    Damaged(usize),
    #[error("it contains no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----")]
    NoCertificate,
}

#[derive(Debug, Error)]
pub enum KeyFault {
    #[error("the key is encrypted: write it without a password, as openssl pkey -in KEY -out NEW does")]
    Encrypted,
    #[error("it contains no private key: it must be PEM, with -----BEGIN PRIVATE KEY-----")]
    NoKey,
    #[error("the private key in it is damaged: name another file")]
    Damaged,
    #[error("the private key does not belong to the certificate: name the key of this certificate")]
    OtherKey,
    #[error("the private key cannot be used: {}; name another one", describe(.0))]
    Unusable(Error),
}

/// The certificates of a file: those to trust, or the client's own and then those between it and an authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificates(pub(super) Vec<CertificateDer<'static>>);

impl Certificates {
    /// Reads certificates in PEM; anything else in it is skipped.
    ///
    /// # Errors
    ///
    /// There is none, or one is damaged.
    pub fn from_pem(pem: &[u8]) -> Result<Self, CertificateFault> {
        let read = |(number, read): (usize, Result<_, PemError>)| read.map_err(|_| CertificateFault::Damaged(number));
        let all: Vec<_> = (1..).zip(CertificateDer::pem_slice_iter(pem)).map(read).collect::<Result<_, _>>()?;
        if all.is_empty() { Err(CertificateFault::NoCertificate) } else { Ok(Self(all)) }
    }

    /// Reads certificates as [`Self::from_pem`] does, each of which can be trusted.
    ///
    /// # Errors
    ///
    /// There is none, or one is damaged.
    pub fn roots_from_pem(pem: &[u8]) -> Result<Self, CertificateFault> {
        let read = Self::from_pem(pem)?;
        let mut roots = RootCertStore::empty();
        for (number, certificate) in (1..).zip(&read.0) {
            roots.add(certificate.clone()).map_err(|_| CertificateFault::Damaged(number))?;
        }
        Ok(read)
    }
}

impl ClientCertificate {
    /// Reads the first private key in PEM.
    ///
    /// # Errors
    ///
    /// There is none that belongs to the first certificate of the chain.
    pub fn new(chain: Certificates, key: &[u8]) -> Result<Self, KeyFault> {
        if ENCRYPTED.iter().any(|sign| key.windows(sign.len()).any(|window| window == *sign)) {
            return Err(KeyFault::Encrypted);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|why| {
            let is_missing = matches!(why, PemError::NoItemsFound);
            if is_missing { KeyFault::NoKey } else { KeyFault::Damaged }
        })?;
        let provider = rustls::crypto::ring::default_provider();
        let certified = CertifiedKey::from_der(chain.0, key, &provider).map_err(|why| {
            if matches!(why, Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) {
                KeyFault::OtherKey
            } else if matches!(why, Error::InvalidCertificate(_) | Error::General(_)) {
                KeyFault::Damaged
            } else {
                KeyFault::Unusable(why)
            }
        })?;
        Ok(Self(Arc::new(certified)))
    }
}

/// What a key with a password says in its headers, and in its first line.
const ENCRYPTED: [&[u8]; 2] = [b"Proc-Type: 4,ENCRYPTED", b"-----BEGIN ENCRYPTED PRIVATE KEY-----"];
