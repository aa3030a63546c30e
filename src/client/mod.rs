//! The interface over HTTP: builds a request, sends it, returns an exchange.

pub mod token;

pub use token::{MASKED, Token, TokenFault};
