//! The interface over HTTP: builds a request, sends it, returns an exchange.
//!
//! Nothing here is an `Err`: whatever happens to a request becomes an exchange with an outcome.
//! Knows one store and no journal, keeps no state between exchanges but certificate roots, and
//! never sends anything twice.
//!
//! `request` says what goes out, `transport` makes the connection, `channel` carries it, `answer`
//! reads what comes back, `mask` keeps secrets out of it, `marks` tells where the time went, `words` names what went
//! wrong, and `send` holds them together under one deadline.

mod answer;
mod channel;
mod marks;
mod mask;
pub mod request;
pub mod send;
pub mod token;
mod transport;
mod words;

pub(crate) use mask::Secrets;
pub use request::request;
pub use send::{Client, Lane, Limits};
pub use token::{MASKED, Token, TokenFault};
pub use transport::Route;
