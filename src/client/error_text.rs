//! Describes an error of an HTTP or TLS library in one phrase.
//!
//! The libraries nest their errors: the outer texts contain URLs, the innermost one is useful. Must not decide
//! what an error proves; `send` does.

use std::error::Error;
use std::io;
use std::iter::successors;

use rustls::pki_types::ServerName;
use rustls::{AlertDescription, CertificateError};

use crate::domain::text::clean_fit;

pub(super) const STORE: &str = "the store";

/// Columns shown of a name in a certificate.
const NAME_COLUMNS: usize = 60;

/// Returns the innermost message of the chain, or a plainer one for known TLS errors.
pub(super) fn describe(error: &(dyn Error + 'static)) -> String {
    describe_for(error, STORE)
}

/// Describes as [`describe`] does, where `peer` names the other side: the store or a proxy.
pub(super) fn describe_for(error: &(dyn Error + 'static), peer: &str) -> String {
    let known = chain(error).find_map(|error| describe_tls(error.downcast_ref()?, peer));
    known.unwrap_or_else(|| without_number(chain(error).last().unwrap_or(error)))
}

/// Removes the number from the text of a system error.
fn without_number(error: &(dyn Error + 'static)) -> String {
    let text = error.to_string();
    let number = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    let suffix = number.map(|number| format!(" (os error {number})")).unwrap_or_default();
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}

/// Whether the other side ended TLS with an alert that a client certificate explains, missing or rejected, given that a
/// certificate was requested. Only TLS 1.3 has a specific alert for a missing one.
pub(super) fn may_concern_a_client_certificate(error: &(dyn Error + 'static)) -> bool {
    chain(error).any(|error| {
        matches!(
            error.downcast_ref(),
            Some(rustls::Error::AlertReceived(
                AlertDescription::CertificateRequired
                    | AlertDescription::HandshakeFailure
                    | AlertDescription::BadCertificate
                    | AlertDescription::NoCertificate
                    | AlertDescription::CertificateUnknown
                    | AlertDescription::CertificateExpired
                    | AlertDescription::CertificateRevoked
                    | AlertDescription::UnsupportedCertificate
                    | AlertDescription::UnknownCA
                    | AlertDescription::DecryptError
                    | AlertDescription::AccessDenied
            ))
        )
    })
}

pub(super) fn no_client_certificate(peer: &str) -> String {
    format!("{peer} asks for a client certificate, and there is none: client_cert in its profile names one")
}

pub(super) fn unwanted_client_certificate(peer: &str, cause: &str) -> String {
    format!("{peer} does not accept the client certificate in client_cert: {cause}")
}

/// Iterates over an error and its sources. An `io::Error` displays the error that it wraps, but does not return
/// that error as its source.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other errors, and those of later versions, keep their own text")]
fn describe_tls(error: &rustls::Error, peer: &str) -> Option<String> {
    Some(match error {
        rustls::Error::InvalidMessage(_) => format!("{peer} does not speak TLS there"),
        rustls::Error::PeerIncompatible(_) => too_old(peer),
        rustls::Error::AlertReceived(alert) => describe_alert(*alert, peer),
        rustls::Error::InvalidCertificate(fault) => {
            format!("the certificate of {peer} {}", describe_certificate(fault)?)
        }
        _ => return None,
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other errors, and those of later versions, keep their own text")]
fn describe_certificate(fault: &CertificateError) -> Option<String> {
    Some(String::from(match fault {
        CertificateError::UnknownIssuer => "is signed by no authority known here; --ca-cert or ca_cert can name one",
        CertificateError::NotValidForNameContext { expected, presented } => return Some(names(expected, presented)),
        CertificateError::NotValidForName => "is for another host name",
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "has expired, or the clock here is wrong"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "is not valid yet, or the clock here is wrong"
        }
        // What `openssl req -x509` makes by default. The verifier has no variant for it, only a name inside
        // another error.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "is an authority's own, not a server's; one made with basicConstraints CA:FALSE works"
        }
        _ => return None,
    }))
}

/// Names the hosts that a certificate is for. The library writes them as `DnsName("plants.example")`.
fn names(expected: &ServerName<'_>, presented: &[String]) -> String {
    let expected = expected.to_str();
    let bare = |name: &String| name.split(['(', ')', '"']).filter(|part| !part.is_empty()).nth(1).map(str::to_owned);
    let names: Vec<_> =
        presented.iter().map(|name| clean_fit(&bare(name).unwrap_or_else(|| name.clone()), NAME_COLUMNS)).collect();
    match names.as_slice() {
        [] => format!("names no host: it needs {expected} as a subjectAltName"),
        [first, second, _, ..] => {
            format!("is for {first}, {second} and {} more, not for {expected}", names.len() - 2)
        }
        few => format!("is for {}, not for {expected}", few.join(" and ")),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other alerts are named as the library names them")]
fn describe_alert(alert: AlertDescription, peer: &str) -> String {
    match alert {
        AlertDescription::ProtocolVersion => too_old(peer),
        AlertDescription::CertificateRequired => no_client_certificate(peer),
        AlertDescription::HandshakeFailure => {
            format!("{peer} ended the TLS handshake: it accepts nothing that was offered")
        }
        AlertDescription::UnrecognisedName => format!("{peer} has no certificate for this host name"),
        alert => format!("{peer} ended TLS with the alert {alert:?}"),
    }
}

fn too_old(peer: &str) -> String {
    format!("{peer} speaks no TLS that this program does, which is TLS 1.2 and 1.3: it may be too old")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_message_is_used() {
        let inner = io::Error::other("the pot is cracked");
        assert_eq!(describe(&io::Error::other(inner)), "the pot is cracked");
    }

    #[test]
    fn a_system_error_has_no_number() {
        let error = io::Error::from_raw_os_error(111);
        assert!(error.to_string().ends_with(" (os error 111)"), "{error}");
        assert!(!describe(&io::Error::other(error)).contains("os error"));
    }

    #[test]
    fn certificate_errors_are_explained() {
        let of = |fault| describe_for(&io::Error::other(rustls::Error::InvalidCertificate(fault)), "the proxy p:3128");
        assert_eq!(
            of(CertificateError::Expired),
            "the certificate of the proxy p:3128 has expired, or the clock here is wrong"
        );
        let stranger = of(CertificateError::UnknownIssuer);
        assert!(stranger.ends_with("known here; --ca-cert or ca_cert can name one"), "{stranger}");
        assert_eq!(of(CertificateError::BadSignature), "invalid peer certificate: BadSignature");
        for (presented, words) in [
            (&[][..], "names no host: it needs plants.example as a subjectAltName"),
            (&["DnsName(\"a.example\")"][..], "is for a.example, not for plants.example"),
            (&["DnsName(\"a\")", "IpAddress(10.0.0.2)"], "is for a and 10.0.0.2, not for plants.example"),
            (&["a", "b", "c", "d"], "is for a, b and 2 more, not for plants.example"),
        ] {
            let expected = ServerName::try_from("plants.example").unwrap();
            let presented = presented.iter().map(|name| (*name).to_owned()).collect();
            let text = of(CertificateError::NotValidForNameContext { expected, presented });
            assert_eq!(text, format!("the certificate of the proxy p:3128 {words}"));
        }
    }

    #[test]
    fn alerts_name_the_peer_and_the_cause() {
        let of = |alert| describe(&io::Error::other(rustls::Error::AlertReceived(alert)));
        let required =
            "the store asks for a client certificate, and there is none: client_cert in its profile names one";
        assert_eq!(of(AlertDescription::CertificateRequired), required);
        assert!(of(AlertDescription::ProtocolVersion).starts_with("the store speaks no TLS that this program does"));
        assert_eq!(of(AlertDescription::InternalError), "the store ended TLS with the alert InternalError");
    }

    #[test]
    fn only_an_alert_suggests_a_missing_client_certificate() {
        let of = |alert| may_concern_a_client_certificate(&io::Error::other(rustls::Error::AlertReceived(alert)));
        assert!(of(AlertDescription::HandshakeFailure) && of(AlertDescription::CertificateRequired));
        assert!(!of(AlertDescription::ProtocolVersion));
        assert!(!may_concern_a_client_certificate(&io::Error::other("reset")));
    }
}
