//! The whole result of reading the configuration, before any token is fetched.
//!
//! Plain values. How they came about is `resolve`'s business; none of them prints a secret.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::options::{HeaderColor, ThemeChoice};
use super::target::KnownStore;
use super::token_source::TokenSource;
use crate::domain::StoreUrl;

/// Everything that flags, environment and config file say.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    pub store: StoreChoice,
    pub timeout: Duration,
    pub read_only: bool,
    pub theme: ThemeChoice,
    pub ascii: bool,
    pub no_color: bool,
    /// Whether nothing on screen may move by itself.
    pub reduced_motion: bool,
    /// Where the journal is kept.
    pub data_dir: PathBuf,
    /// The config file that was read, or would have been if it were there.
    pub config_file: PathBuf,
    /// The lines of `[keys]`, not yet validated.
    pub remaps: Vec<Remap>,
    /// The stores that the profiles name, in the order of the file.
    pub profiles: Vec<KnownStore>,
}

/// One line of `[keys]` as it was written, not yet validated: which keys an action listens to. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    pub action: String,
    pub keys: Vec<String>,
    pub line: usize,
}

#[derive(Debug, Clone)]
pub enum StoreChoice {
    /// The one inside this program.
    Demo,
    Deployed(Box<Connection>),
}

#[derive(Clone)]
pub struct Connection {
    pub url: StoreUrl,
    /// The profile that this base URL is of, if it is a profile's.
    pub profile: Option<String>,
    /// The colour that its header is to have.
    pub header_color: Option<HeaderColor>,
    pub token_source: TokenSource,
    /// Where it is asked for: which configured token was left out, and which base URL that one is for.
    pub withheld: Option<String>,
    /// Certificates to trust beside the system's, as PEM; parsed once already.
    pub ca_cert: Option<Vec<u8>>,
    /// The proxy that the profile names. Its URL may hold a password: do not show it whole.
    pub proxy: Option<Url>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, profile, header_color, token_source, withheld, ca_cert, proxy } = self;
        f.debug_struct("Connection")
            .field("url", &url.to_string())
            .field("profile", profile)
            .field("header_color", header_color)
            .field("token_source", token_source)
            .field("withheld", withheld)
            .field("ca_cert_bytes", &ca_cert.as_ref().map(Vec::len))
            .field("proxy_host", &proxy.as_ref().and_then(Url::host_str))
            .finish()
    }
}
