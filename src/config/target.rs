//! Which store a person wants while the program runs.

use super::options::HeaderColor;
use crate::client::Token;
use crate::domain::StoreUrl;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectionTarget {
    /// The one that the program was started with, as it was started.
    Start,
    Profile(String),
    Demo,
    /// The one at this base URL, with the token that was typed beside it and is for no other.
    BaseUrl(OtherStore),
}

/// A base URL with its token, as a person typed them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherStore {
    pub url: StoreUrl,
    /// Its token; `None` where nothing that needs one may be sent.
    pub token: Option<Token>,
}

/// A store that can be wished for by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownStore {
    pub target: ConnectionTarget,
    pub name: String,
    /// Its base URL; `None` if that is not known before it is opened.
    pub base_url: Option<String>,
    pub color: Option<HeaderColor>,
    pub read_only: bool,
}
