//! The whole result of reading the configuration, before any token is fetched.
//!
//! Plain values. How they came about is `resolve`'s business; none of them prints a secret.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::choice::{HeaderColor, ThemeChoice};
use super::file::Remap;
use super::token_source::TokenSource;
use super::wish::KnownStore;
use crate::domain::StoreUrl;

/// The time limit of one exchange where nobody gives another.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// Everything that flags, environment and config file say.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    /// Which store this is about.
    pub store: StoreChoice,
    /// The time limit of one whole exchange.
    pub timeout: Duration,
    /// Whether nothing that writes may be sent.
    pub read_only: bool,
    /// The theme asked for.
    pub theme: ThemeChoice,
    /// Whether to draw with ASCII alone.
    pub ascii: bool,
    /// Whether to use no colour.
    pub no_color: bool,
    /// Whether nothing on screen may move by itself.
    pub reduced_motion: bool,
    /// Where the journal is kept.
    pub data_dir: PathBuf,
    /// The config file that was read, or would have been if it were there.
    pub config_file: PathBuf,
    /// The lines of `[keys]`, not yet judged.
    pub remaps: Vec<Remap>,
    /// The stores that the profiles name, in the order of the file.
    pub profiles: Vec<KnownStore>,
}

/// Which store is meant.
#[derive(Debug, Clone)]
pub enum StoreChoice {
    /// The one inside this program.
    Demo,
    /// One at a base URL.
    Deployed(Box<Connection>),
}

/// How to reach one deployed store.
#[derive(Clone)]
pub struct Connection {
    /// The base URL.
    pub url: StoreUrl,
    /// The profile that this base URL is of, if it is a profile's.
    pub profile: Option<String>,
    /// The colour that its header is to have.
    pub header_color: Option<HeaderColor>,
    /// Where the token comes from.
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
