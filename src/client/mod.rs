//! The interface over HTTP: builds a request, sends it, returns an exchange.
//!
//! Nothing here is an `Err`: whatever happens to a request becomes an exchange with an outcome.
//! Knows one store and must not know the journal. Keeps no state between exchanges but certificate roots and
//! a batch's connections, and never sends anything twice.
//!
//! `request` builds the request, `transport` and `tls` build the reqwest client that sends it, `send` sends
//! it under one deadline and decides what its end proves, `response` reads the response, `mask` keeps secrets
//! out of it, whatever `encodings` they come back in, `phase_timer` measures its phases, and `error_text`
//! describes what went wrong.

mod encodings;
mod error_text;
mod mask;
mod phase_timer;
mod request;
mod response;
mod send;
mod tls;
mod token;
mod transport;

pub(crate) use mask::Secrets;
pub use request::request;
pub use send::{Client, Connections, Limits};
pub use token::{Token, TokenFault};
pub use transport::Route;
