//! Describes an error of an HTTP or TLS library in one plain phrase.
//!
//! The libraries nest their errors with the useful one at the bottom, and put URLs in the
//! outer ones. Must not decide what an error proves: that is `send`'s.

use std::error::Error;
use std::io;

use rustls::{AlertDescription, CertificateError};

pub(super) const STORE: &str = "the store";

/// Returns the innermost message of the chain, or a plainer one where there is one here.
pub(super) fn describe(error: &(dyn Error + 'static)) -> String {
    describe_for(error, STORE)
}

/// Does the same where `peer` names the other side: the store or a proxy.
pub(super) fn describe_for(error: &(dyn Error + 'static), peer: &str) -> String {
    let mut innermost = error;
    loop {
        if let Some(text) = innermost.downcast_ref::<rustls::Error>().and_then(|fault| describe_tls(fault, peer)) {
            return text;
        }
        match inside(innermost) {
            Some(next) => innermost = next,
            None => return without_number(innermost),
        }
    }
}

/// Leaves out the number that follows an error of the system.
fn without_number(error: &(dyn Error + 'static)) -> String {
    let text = error.to_string();
    let number = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    let number = number.map(|number| format!(" (os error {number})"));
    number.and_then(|number| text.strip_suffix(&number)).map_or(text.clone(), str::to_owned)
}

/// Whether the other side ended TLS in a way that a missing client certificate explains, where it has
/// asked for one. Only TLS 1.3 has an alert of its own for it.
pub(super) fn may_lack_a_client_certificate(error: &(dyn Error + 'static)) -> bool {
    let mut innermost = Some(error);
    while let Some(error) = innermost {
        if let Some(rustls::Error::AlertReceived(alert)) = error.downcast_ref() {
            return matches!(
                alert,
                AlertDescription::CertificateRequired
                    | AlertDescription::HandshakeFailure
                    | AlertDescription::BadCertificate
                    | AlertDescription::NoCertificate
                    | AlertDescription::CertificateUnknown
                    | AlertDescription::AccessDenied
            );
        }
        innermost = inside(error);
    }
    false
}

pub(super) fn no_client_certificate(peer: &str) -> String {
    format!("{peer} asks for a client certificate, which this program does not support")
}

/// An `io::Error` that wraps another shows that one's text but skips it as a source.
fn inside<'outer>(error: &'outer (dyn Error + 'static)) -> Option<&'outer (dyn Error + 'static)> {
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

fn describe_tls(error: &rustls::Error, peer: &str) -> Option<String> {
    if matches!(error, rustls::Error::InvalidMessage(_)) {
        return Some(format!("{peer} does not speak TLS there"));
    }
    if matches!(error, rustls::Error::PeerIncompatible(_)) {
        return Some(too_old(peer));
    }
    if let rustls::Error::AlertReceived(alert) = error {
        return Some(describe_alert(*alert, peer));
    }
    let rustls::Error::InvalidCertificate(fault) = error else { return None };
    let certificate = format!("the certificate of {peer}");
    if matches!(fault, CertificateError::UnknownIssuer) {
        Some(format!("{certificate} is signed by no authority known here; --ca-cert or ca_cert can name one"))
    } else if matches!(fault, CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }) {
        Some(format!("{certificate} is for another host name"))
    } else if matches!(fault, CertificateError::Expired | CertificateError::ExpiredContext { .. }) {
        Some(format!("{certificate} has expired, or the clock here is wrong"))
    } else if matches!(fault, CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }) {
        Some(format!("{certificate} is not valid yet, or the clock here is wrong"))
    } else if is_an_authoritys(fault) {
        Some(format!(
            "{certificate} is an authority's own, not a server's; one made with basicConstraints CA:FALSE works"
        ))
    } else {
        None
    }
}

fn describe_alert(alert: AlertDescription, peer: &str) -> String {
    if alert == AlertDescription::ProtocolVersion {
        too_old(peer)
    } else if alert == AlertDescription::CertificateRequired {
        no_client_certificate(peer)
    } else if alert == AlertDescription::HandshakeFailure {
        format!("{peer} ended the TLS handshake: it accepts nothing that was offered")
    } else if alert == AlertDescription::UnrecognisedName {
        format!("{peer} has no certificate for this host name")
    } else {
        format!("{peer} ended TLS with the alert {alert:?}")
    }
}

fn too_old(peer: &str) -> String {
    format!("{peer} speaks no TLS that this program does, which is TLS 1.2 and 1.3: it may be too old")
}

/// Recognises what `openssl req -x509` makes by default. The verifier has no variant for it, only a name
/// inside another error.
fn is_an_authoritys(fault: &CertificateError) -> bool {
    matches!(fault, CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_message_is_the_one_told() {
        let inner = io::Error::other("the pot is cracked");
        assert_eq!(describe(&io::Error::other(inner)), "the pot is cracked");
    }

    #[test]
    fn an_error_of_the_system_is_told_without_its_number() {
        let error = io::Error::from_raw_os_error(111);
        assert!(error.to_string().ends_with(" (os error 111)"), "{error}");
        assert!(!describe(&io::Error::other(error)).contains("os error"));
    }

    #[test]
    fn certificate_faults_are_told_in_plain_words() {
        let of = |fault| describe_for(&io::Error::other(rustls::Error::InvalidCertificate(fault)), "the proxy p:3128");
        assert_eq!(
            of(CertificateError::Expired),
            "the certificate of the proxy p:3128 has expired, or the clock here is wrong"
        );
        let stranger = of(CertificateError::UnknownIssuer);
        assert!(stranger.ends_with("known here; --ca-cert or ca_cert can name one"), "{stranger}");
        assert_eq!(of(CertificateError::BadSignature), "invalid peer certificate: BadSignature");
    }

    #[test]
    fn alerts_are_told_with_their_side_and_cause() {
        let of = |alert| describe(&io::Error::other(rustls::Error::AlertReceived(alert)));
        let required = "the store asks for a client certificate, which this program does not support";
        assert_eq!(of(AlertDescription::CertificateRequired), required);
        assert!(of(AlertDescription::ProtocolVersion).starts_with("the store speaks no TLS that this program does"));
        assert_eq!(of(AlertDescription::InternalError), "the store ended TLS with the alert InternalError");
    }

    #[test]
    fn only_an_alert_tells_of_a_missing_client_certificate() {
        let of = |alert| may_lack_a_client_certificate(&io::Error::other(rustls::Error::AlertReceived(alert)));
        assert!(of(AlertDescription::HandshakeFailure) && of(AlertDescription::CertificateRequired));
        assert!(!of(AlertDescription::ProtocolVersion));
        assert!(!may_lack_a_client_certificate(&io::Error::other("reset")));
    }
}
