//! How a member authenticates at the servers of a team, read from a profile.
//!
//! Repeats no text that may be a secret. Must not know how it is sent.

use std::fmt;
use std::path::PathBuf;

use super::fault::shown_path;
use super::secret_source::{command, only};
use super::setting::{Setting, TEAM_CREDENTIALS, TEAM_NKEY, TEAM_PASSWORD_COMMAND, TEAM_TOKEN_COMMAND, TEAM_USER};
use super::table::{Entry, Table};
use super::token_source::TokenSource;
use crate::text::clean;

#[derive(Debug, Clone)]
pub enum TeamAccess {
    /// A file with a JWT and the seed of its key.
    Credentials(PathBuf),
    Token(TokenSource),
    Password {
        user: String,
        source: TokenSource,
    },
    /// Where the seed of the key is.
    Nkey(TokenSource),
}

impl TeamAccess {
    /// Reads all kinds, to find every fault, and returns the last valid one.
    pub(super) fn read(table: &mut Table<'_>) -> Option<Self> {
        let given = [
            table.entry(TEAM_CREDENTIALS.key).map(|entry| (entry.path().map(Self::Credentials), entry)),
            table.entry(TEAM_TOKEN_COMMAND.key).map(|entry| (command(&entry).map(Self::Token), entry)),
            password(table),
            table.entry(TEAM_NKEY.key).map(|entry| (entry.path().map(TokenSource::File).map(Self::Nkey), entry)),
        ];
        only(given, "a profile has one way to authenticate at its team's servers")
    }

    /// Returns the key of the config file that gives the secret.
    pub fn key(&self) -> &'static str {
        self.setting().key
    }

    pub(super) fn setting(&self) -> &'static Setting {
        match self {
            Self::Credentials(_) => &TEAM_CREDENTIALS,
            Self::Token(_) => &TEAM_TOKEN_COMMAND,
            Self::Password { .. } => &TEAM_PASSWORD_COMMAND,
            Self::Nkey(_) => &TEAM_NKEY,
        }
    }

    pub(super) fn source(&self) -> TokenSource {
        match self {
            Self::Credentials(path) => TokenSource::File(path.clone()),
            Self::Token(source) | Self::Password { source, .. } | Self::Nkey(source) => source.clone(),
        }
    }
}

/// Names what authenticates, without its secret.
impl fmt::Display for TeamAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Credentials(path) => write!(f, "credentials file {}", shown_path(path)),
            Self::Token(source) => source.fmt(f),
            Self::Password { user, source } => write!(f, "user {}, password from {}", clean(user), source.origin()),
            Self::Nkey(source) => write!(f, "nkey from {}", source.origin()),
        }
    }
}

/// Reads a user and the source of its password, neither of which is there without the other.
fn password<'t>(table: &mut Table<'t>) -> Option<(Option<TeamAccess>, Entry<'t>)> {
    let (user, source) = (table.entry(TEAM_USER.key), table.entry(TEAM_PASSWORD_COMMAND.key));
    match (&user, &source) {
        (Some(user), None) => user.fault(format_args!(
            "{} is missing: name the program that prints the password of this user",
            TEAM_PASSWORD_COMMAND.key
        )),
        (None, Some(source)) => {
            source.fault(format_args!("{} is missing: name the user who has this password", TEAM_USER.key));
        }
        (Some(_), Some(_)) | (None, None) => {}
    }
    let name = user.as_ref().and_then(|user| user.text("the name of a user in quotes")).map(str::to_owned);
    let command = source.as_ref().and_then(command);
    let access = name.zip(command).map(|(user, source)| TeamAccess::Password { user, source });
    user.or(source).map(|entry| (access, entry))
}
