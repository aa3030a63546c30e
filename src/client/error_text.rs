//! Describes an error of an HTTP or TLS library in one phrase.
//!
//! The libraries nest their errors: the outer texts contain URLs, the innermost one is useful. Must not decide
//! what an error proves; `send` does.

use std::error::Error;
use std::io;
use std::iter::successors;

use rustls::pki_types::ServerName;
use rustls::{AlertDescription, CertificateError};

use crate::text::clean_fit;

pub(super) const STORE: &str = "the store";

/// Columns shown of a name in a certificate.
const NAME_COLUMNS: usize = 60;

const NOT_FOR_SERVERS: &str = "is not for servers: one with the extended key usage serverAuth works";

/// Columns shown of a text that is not of this program.
const TEXT_COLUMNS: usize = 120;

/// Returns the innermost message of the chain, or a sentence for a TLS error.
pub(super) fn describe(error: &(dyn Error + 'static)) -> String {
    describe_for(error, STORE)
}

/// Describes as [`describe`] does, where `peer` names the other side: the store or a proxy.
pub(super) fn describe_for(error: &(dyn Error + 'static), peer: &str) -> String {
    tls_sentence(error, peer).unwrap_or_else(|| without_number(chain(error).last().unwrap_or(error)))
}

/// Describes the TLS error in a chain; `None` if there is none.
pub fn tls_sentence(error: &(dyn Error + 'static), peer: &str) -> Option<String> {
    chain(error).find_map(|error| error.downcast_ref().map(|error| describe_tls(error, peer)))
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

/// Whether bytes came that are no response.
pub(super) fn is_parse_error(error: &(dyn Error + 'static)) -> bool {
    chain(error).any(|error| error.downcast_ref().is_some_and(hyper::Error::is_parse))
}

/// Iterates over an error and its sources. An `io::Error` displays the error that it wraps, but does not return
/// that error as its source.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    })
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other errors, and those of later versions, have the library's words"
)]
fn describe_tls(error: &rustls::Error, peer: &str) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => format!("{peer} does not speak TLS there"),
        rustls::Error::PeerIncompatible(_) => too_old(peer),
        rustls::Error::AlertReceived(alert) => describe_alert(*alert, peer),
        rustls::Error::InvalidCertificate(fault) => {
            format!("the certificate of {peer} {}", describe_certificate(fault))
        }
        rustls::Error::NoCertificatesPresented => format!("{peer} has no certificate"),
        rustls::Error::PeerMisbehaved(how) => {
            format!("{peer} breaks the rules of TLS: {}", in_words(&format!("{how:?}")))
        }
        rustls::Error::DecryptError => format!("{peer} sent what cannot be decrypted: something on the way changes it"),
        rustls::Error::General(text) => format!("TLS failed: {}", clean_fit(text, TEXT_COLUMNS)),
        rustls::Error::Other(other) => format!("TLS failed: {}", in_words(&other.to_string())),
        other => format!("TLS failed: {}", in_words(&format!("{other:?}"))),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other errors, and those of later versions, have the library's words"
)]
fn describe_certificate(fault: &CertificateError) -> String {
    let known = match fault {
        CertificateError::NotValidForNameContext { expected, presented } => return names(expected, presented),
        CertificateError::Other(other) => return describe_other(&other.to_string()),
        CertificateError::UnknownIssuer => "is signed by no authority known here; --ca-cert or ca_cert can name one",
        CertificateError::NotValidForName => "is for another host name",
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "has expired, or the clock here is wrong"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "is not valid yet, or the clock here is wrong"
        }
        CertificateError::BadEncoding => "is damaged",
        CertificateError::BadSignature => "is not signed by the authority that it names",
        CertificateError::Revoked => "was revoked by its authority",
        CertificateError::UnhandledCriticalExtension => "has a critical extension that this program does not know",
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => NOT_FOR_SERVERS,
        CertificateError::UnsupportedSignatureAlgorithmContext { .. }
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            "is signed in a way that this program does not know: one with RSA of 2048 bits or more, or ECDSA, works"
        }
        other => return format!("cannot be used: {}", in_words(&format!("{other:?}"))),
    };
    known.to_owned()
}

/// Describes what the verifier found for which the library has no variant, from the name inside another error.
fn describe_other(name: &str) -> String {
    let known = [
        // What `openssl req -x509` makes by default.
        ("CaUsedAsEndEntity", "is an authority's own, not a server's; one made with basicConstraints CA:FALSE works"),
        // The words of the verifier of the system.
        ("certificate had invalid extensions", NOT_FOR_SERVERS),
        ("EndEntityUsedAsCa", "is signed by a certificate that is no authority's"),
        ("UnsupportedCertVersion", "is of an old form, X.509 version 1 or 2: one of version 3 works"),
        ("NameConstraintViolation", "is for a name that its authority must not certify"),
        ("PathLenConstraintViolated", "has more authorities above it than one of them allows"),
        ("MaximumPathDepthExceeded", "has too many authorities above it"),
        ("InvalidCertValidity", "ends before it begins"),
    ];
    let sentence = known.into_iter().find(|(known, _)| name == *known).map(|(_, sentence)| sentence.to_owned());
    sentence.unwrap_or_else(|| format!("cannot be used: {}", in_words(name)))
}

/// Renders the name of an error in the library's code, like `Other(BadKeyUsage)`, as `bad key usage`; words stay.
fn in_words(text: &str) -> String {
    if text.contains(' ') && !text.contains(['(', '{']) {
        return clean_fit(text, TEXT_COLUMNS);
    }
    let mut names = text.split(|c: char| !c.is_alphanumeric());
    let name = names.find(|name| name.starts_with(char::is_uppercase) && !name.starts_with("Other"));
    let mut words = String::new();
    for c in name.unwrap_or("for an unknown reason").chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    clean_fit(&words, TEXT_COLUMNS)
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
        AlertDescription::Unknown(number) => format!("{peer} ended TLS with the unknown alert {number}"),
        alert => format!("{peer} ended TLS with the alert {alert:?}"),
    }
}

fn too_old(peer: &str) -> String {
    format!("{peer} speaks no TLS that this program does, which is TLS 1.2 and 1.3: it may be too old")
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::sync::Arc;

    use rustls::{CertRevocationListError, OtherError, PeerMisbehaved};

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
        assert!(of(CertificateError::BadSignature).ends_with("is not signed by the authority that it names"));
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
    fn no_tls_error_is_shown_as_code() {
        #[derive(Debug)]
        struct Named(&'static str);
        impl fmt::Display for Named {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0)
            }
        }
        impl Error for Named {}
        let other = |name| OtherError(Arc::new(Named(name)));
        let certificate = rustls::Error::InvalidCertificate;
        for (error, words) in [
            (certificate(CertificateError::Other(other("CaUsedAsEndEntity"))), "is an authority's own"),
            (certificate(CertificateError::Other(other("UnsupportedCertVersion"))), "one of version 3 works"),
            (
                certificate(CertificateError::Other(other("ExtensionValueInvalid"))),
                "cannot be used: extension value invalid",
            ),
            (certificate(CertificateError::Other(other("TrailingData(Certificate)"))), "cannot be used: "),
            (
                certificate(CertificateError::Other(other("the keychain is locked"))),
                "cannot be used: the keychain is locked",
            ),
            (certificate(CertificateError::BadEncoding), "is damaged"),
            (certificate(CertificateError::Revoked), "was revoked"),
            (certificate(CertificateError::InvalidPurpose), "is not for servers"),
            (certificate(CertificateError::InvalidOcspResponse), "cannot be used: invalid ocsp response"),
            (certificate(CertificateError::ApplicationVerificationFailure), "application verification failure"),
            (rustls::Error::PeerMisbehaved(PeerMisbehaved::TooManyEmptyFragments), "too many empty fragments"),
            (rustls::Error::NoCertificatesPresented, "the store has no certificate"),
            (rustls::Error::DecryptError, "cannot be decrypted"),
            (rustls::Error::PeerSentOversizedRecord, "TLS failed: peer sent oversized record"),
            (rustls::Error::General("the pot is cracked".to_owned()), "TLS failed: the pot is cracked"),
            (rustls::Error::Other(other("the pot is cracked")), "TLS failed: "),
            (rustls::Error::FailedToGetRandomBytes, "TLS failed: failed to get random bytes"),
            (rustls::Error::InvalidCertRevocationList(CertRevocationListError::Other(other("X"))), "TLS failed: "),
            (rustls::Error::AlertReceived(AlertDescription::Unknown(77)), "the unknown alert 77"),
        ] {
            let text = describe(&io::Error::other(error));
            assert!(text.contains(words), "{words}: {text}");
            assert!(!text.contains(['(', '{', '"']) && !text.contains("Error") && !text.contains("::"), "{text}");
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
