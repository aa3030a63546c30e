//! The interface over HTTP: builds a request, sends it, returns an exchange.
//!
//! Nothing here is an `Err`: whatever happens to a request becomes an exchange with an outcome.
//! Knows one store and no journal, keeps no state between exchanges but certificate roots and a batch's
//! connections, and never sends anything twice.
//!
//! `request` builds the request, `transport` builds the reqwest client that sends it, `send` sends it under
//! one deadline and decides what its end proves, `answer` reads the response, `mask` keeps secrets out of
//! it, `timer` measures its phases, and `words` names what went wrong.

mod answer;
mod mask;
pub mod request;
pub mod send;
mod timer;
pub mod token;
mod transport;
mod words;

pub(crate) use mask::Secrets;
pub use request::request;
pub use send::{Client, Connections, Limits};
pub use token::{MASKED, Token, TokenFault};
pub use transport::Route;
