//! The stores that the user can switch to while the program runs.
//!
//! Must not know how a store is opened.

use super::options::HeaderColor;
use crate::client::Token;
use crate::domain::StoreUrl;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ConnectionTarget {
    /// The store of the start, with the settings of the start.
    #[default]
    Start,
    Profile(String),
    Demo,
    BaseUrl(OtherStore),
}

/// A base URL that the user typed, with a token for it alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherStore {
    pub url: StoreUrl,
    pub token: Option<Token>,
}

/// The store that is open, for another run of this program, whatever the config file says by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenStore {
    pub url: StoreUrl,
    /// The profile whose own base URL it is.
    pub profile: Option<String>,
    pub read_only: bool,
    pub token: Option<Token>,
}

/// A store that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownStore {
    pub target: ConnectionTarget,
    pub name: String,
    /// `None` if the base URL is known only once the store is open.
    pub base_url: Option<String>,
    pub color: Option<HeaderColor>,
    pub read_only: bool,
}
