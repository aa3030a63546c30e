//! Sends operations over HTTP: builds a request, sends it, returns an exchange.
//!
//! Nothing here returns an `Err`: every end of a request is an exchange with an outcome. A client knows one
//! store, keeps only certificate roots and the connections of a batch between exchanges, and never repeats a
//! request. Must not know the journal.
//!
//! `request` builds the request, `transport` and `tls` build the reqwest client, `send` sends the request
//! with one time limit and decides what its end proves, `connections` keeps those of a batch, `response` reads the
//! response, `mask` removes secrets in any of the `encodings`, `secret_header` and `client_certificate` hold what a
//! gateway asks for, `phase_timer` measures the phases, and `error_text` describes errors.

mod client_certificate;
mod connections;
mod encodings;
mod error_text;
mod mask;
mod phase_timer;
mod request;
mod response;
mod secret_header;
mod send;
mod tls;
mod token;
mod transport;

pub use client_certificate::{CertificateFault, Certificates, ClientCertificate, KeyFault};
pub use connections::Connections;
pub use error_text::tls_sentence;
pub(crate) use mask::Secrets;
pub use request::{request, request_with};
pub use secret_header::{FieldName, FieldNameFault, HeaderValueFault, SecretHeader};
pub use send::{Client, Limits};
pub use token::{Token, TokenFault};
pub use transport::Route;
