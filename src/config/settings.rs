//! The result of reading the configuration, before any token is fetched: plain values.
//!
//! No value prints a secret.

use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::clipboard::Clipboard;
use super::custom_command::CustomCommand;
use super::given::Given;
use super::options::{Colors, HeaderColor, LanguageChoice, Motion, Notify, Pager, ThemeChoice};
use super::setting::Scope;
use super::target::KnownStore;
use super::team_access::TeamAccess;
use super::token_source::{HeaderSource, TokenSource};
use super::value::Proxy;
use crate::client::{Certificates, ClientCertificate};
use crate::domain::{Author, StoreUrl};

/// The settings of flags, environment and config file, merged.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `None` for the demo store.
    pub connection: Option<Box<Connection>>,
    pub timeout: Duration,
    pub read_only: bool,
    pub theme: ThemeChoice,
    pub language: LanguageChoice,
    pub ascii: bool,
    pub colors: Colors,
    /// `None` if long results are printed without a pager.
    pub pager: Option<Pager>,
    pub clipboard: Clipboard,
    /// Questions and answers, line by line; `None` if the terminal decides.
    pub plain: Option<bool>,
    /// The age at which requests of the journal are trimmed; `None` means never.
    pub trim_after: Option<Duration>,
    pub motion: Motion,
    pub notify: Notify,
    /// The folder of the journal.
    pub data_dir: PathBuf,
    /// The path of the config file, which need not exist.
    pub config_file: PathBuf,
    /// Whether the config file has the password of a proxy. Every other secret is named by its source.
    pub has_password_in_file: bool,
    pub keys: KeySettings,
    /// The stores of the profiles, in the order of the file.
    pub profiles: Vec<KnownStore>,
    /// Unknown variables that are named almost like a known one, with its name.
    pub misspelt: Vec<(String, &'static str)>,
    /// Which settings were given, and where.
    pub given: Vec<Given>,
}

impl Settings {
    /// Whether a person named the folder of the journal.
    pub fn names_data_dir(&self) -> bool {
        self.given.iter().any(|given| given.name == "data_dir")
    }

    /// Names what a flag or a profile gives that saving the store as another profile leaves out.
    pub fn unsaved(&self) -> Vec<&'static str> {
        let is_left_out = |given: &&Given| {
            let is_of_profile = given.setting.scope == Scope::Profile && !given.is_of_environment;
            is_of_profile && !["base_url", "token", "allow_http", "read_only"].contains(&given.name)
        };
        self.given.iter().filter(is_left_out).map(|given| given.name).collect()
    }
}

/// What the config file says of keys, not validated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySettings {
    pub remaps: Vec<Remap>,
    pub commands: Vec<CustomCommand>,
}

/// One line of `[keys]`, not validated: an action and its keys. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    pub action: String,
    pub keys: Vec<String>,
    pub line: usize,
}

#[derive(Debug, Clone)]
pub struct Connection {
    pub url: StoreUrl,
    /// The profile whose base URL this is.
    pub profile: Option<String>,
    pub header_color: Option<HeaderColor>,
    pub token_source: TokenSource,
    /// Says which configured token is not used, and for which base URL it is; only with [`TokenSource::Prompt`].
    pub withheld: Option<String>,
    /// Certificates to trust in addition to the system's.
    pub ca_cert: Option<Certificates>,
    /// Presented to the store if it asks for a client certificate.
    pub client_certificate: Option<ClientCertificate>,
    /// The file that has its private key.
    pub client_key_file: Option<PathBuf>,
    /// Headers for a gateway before the store.
    pub headers: Vec<HeaderSource>,
    pub proxy: Option<Proxy>,
    pub team: Option<TeamSettings>,
}

/// The team that shares the journal of a store.
#[derive(Debug, Clone)]
pub struct TeamSettings {
    pub servers: Vec<Url>,
    /// `None` if the servers let in anybody.
    pub access: Option<TeamAccess>,
    pub ca_cert: Option<PathBuf>,
    pub allow_plain: bool,
    /// The name of the store, the same for every member.
    pub store: String,
    pub author: Author,
    pub bodies: bool,
    /// The age of a message that a snapshot makes up for and that is still kept.
    pub keep: Duration,
}
