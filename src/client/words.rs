//! What an HTTP or TLS library found wrong, in one plain phrase.
//!
//! The libraries nest their errors with the useful one at the bottom, and put URLs in the
//! outer ones. Decides nothing about what an error proves: that is `send`'s.

use std::error::Error;
use std::io;

use rustls::CertificateError;

/// The innermost message of the chain, or better words where ours are plainer.
pub(super) fn plain(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    loop {
        if let Some(words) = innermost.downcast_ref::<rustls::Error>().and_then(about_tls) {
            return words.to_owned();
        }
        match inside(innermost) {
            Some(next) => innermost = next,
            None => return innermost.to_string(),
        }
    }
}

/// An `io::Error` that wraps another shows that one's text but skips it as a source.
fn inside<'outer>(error: &'outer (dyn Error + 'static)) -> Option<&'outer (dyn Error + 'static)> {
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

fn about_tls(error: &rustls::Error) -> Option<&'static str> {
    if matches!(error, rustls::Error::InvalidMessage(_)) {
        return Some("what listens there does not speak TLS");
    }
    let rustls::Error::InvalidCertificate(fault) = error else { return None };
    if matches!(fault, CertificateError::UnknownIssuer) {
        Some("its certificate is signed by no authority known here; ca_cert can name one")
    } else if matches!(fault, CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }) {
        Some("its certificate is for another host name")
    } else if matches!(fault, CertificateError::Expired | CertificateError::ExpiredContext { .. }) {
        Some("its certificate has expired")
    } else if matches!(fault, CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }) {
        Some("its certificate is not valid yet, or the clock here is wrong")
    } else if is_an_authoritys(fault) {
        Some("its certificate is an authority's own, not a server's; one made with basicConstraints CA:FALSE works")
    } else {
        None
    }
}

/// What `openssl req -x509` makes where nothing else is asked for. The verifier has no variant
/// for it, only a name inside another error.
fn is_an_authoritys(fault: &CertificateError) -> bool {
    matches!(fault, CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_message_is_the_one_told() {
        let inner = io::Error::other("the pot is cracked");
        assert_eq!(plain(&io::Error::other(inner)), "the pot is cracked");
    }

    #[test]
    fn certificate_faults_are_told_in_plain_words() {
        let fault = rustls::Error::InvalidCertificate(CertificateError::Expired);
        assert_eq!(plain(&io::Error::other(fault)), "its certificate has expired");
        let fault = rustls::Error::InvalidCertificate(CertificateError::BadSignature);
        assert_eq!(plain(&io::Error::other(fault)), "invalid peer certificate: BadSignature");
    }
}
