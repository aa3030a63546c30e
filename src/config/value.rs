//! The values of settings, each parsed from the text that a flag or the config file has.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use url::Url;

use super::duration::{InvalidDuration, parse_duration};
use super::fault::quoted;

const MAX_TIMEOUT: Duration = Duration::from_secs(60 * 60);

pub(super) const INVALID_VARIABLE_NAME: &str =
    "this is no name of an environment variable: letters, digits and _, without $";

/// Why a text is no value of its setting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidValue {
    #[error(transparent)]
    Duration(#[from] InvalidDuration),
    #[error("{} is out of range: give more than 0s and at most 1h", quoted(.0))]
    TimeoutRange(String),
    #[error("write an age of at least one day, like 90d, 6months or 1y")]
    Age,
    #[error("a proxy is an http or https URL: write http://proxy.example:3128")]
    ProxyScheme,
    /// Leaves out the text, which may contain a password.
    #[error("not a URL ({0}): write http://proxy.example:3128")]
    ProxyUrl(#[from] url::ParseError),
    #[error("a team's servers are URLs, separated by commas: write nats://nats.example")]
    TeamUrl,
    #[error("the URL of a server has no user or password: use team_credentials or team_token_command")]
    TeamSecret,
    #[error("the path is empty: write one, or leave it out")]
    EmptyPath,
    #[error("no home directory is known: write the path in full instead of ~/")]
    NoHome,
}

/// The time limit of one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timeout(pub(super) Duration);

impl Default for Timeout {
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

impl FromStr for Timeout {
    type Err = InvalidValue;

    fn from_str(raw: &str) -> Result<Self, InvalidValue> {
        let limit = parse_duration(raw)?;
        if limit.is_zero() || limit > MAX_TIMEOUT {
            return Err(InvalidValue::TimeoutRange(raw.to_owned()));
        }
        Ok(Self(limit))
    }
}

/// An age of at least one day: `1m` would be a minute, where a person means a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age(pub Duration);

impl FromStr for Age {
    type Err = InvalidValue;

    fn from_str(raw: &str) -> Result<Self, InvalidValue> {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        parse_duration(raw).ok().filter(|age| *age >= DAY).map(Self).ok_or(InvalidValue::Age)
    }
}

/// The URL of a proxy. It may contain a password, so `Debug` shows only the host.
#[derive(Clone)]
pub struct Proxy(pub Url);

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Proxy").field(&self.0.host_str()).finish()
    }
}

impl FromStr for Proxy {
    type Err = InvalidValue;

    fn from_str(raw: &str) -> Result<Self, InvalidValue> {
        let url = Url::parse(raw)?;
        let is_usable = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_usable.then_some(Self(url)).ok_or(InvalidValue::ProxyScheme)
    }
}

/// The servers of a team, separated by commas in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TeamServers(pub(super) Vec<Url>);

impl FromStr for TeamServers {
    type Err = InvalidValue;

    fn from_str(raw: &str) -> Result<Self, InvalidValue> {
        let server = |raw: &str| {
            let url = Url::parse(raw.trim()).map_err(|_| InvalidValue::TeamUrl)?;
            let is_usable = matches!(url.scheme(), "nats" | "tls") && url.has_host();
            match (is_usable, url.username().is_empty() && url.password().is_none()) {
                (true, true) => Ok(url),
                (true, false) => Err(InvalidValue::TeamSecret),
                (false, _) => Err(InvalidValue::TeamUrl),
            }
        };
        raw.split(',').map(server).collect::<Result<_, _>>().map(Self)
    }
}

/// Expands `~/` to the home directory, and puts the directory before any other relative path.
pub(super) fn absolute_path(raw: &str, directory: &Path, home: Option<&Path>) -> Result<PathBuf, InvalidValue> {
    if raw.is_empty() {
        return Err(InvalidValue::EmptyPath);
    }
    match raw.strip_prefix("~/") {
        Some(rest) => home.map(|home| home.join(rest)).ok_or(InvalidValue::NoHome),
        None => Ok(directory.join(raw)),
    }
}

/// Whether a shell could set a variable of this name.
pub(super) fn is_variable_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_above_zero_and_at_most_an_hour() {
        let timeout = |raw: &str| raw.parse().map(|Timeout(limit)| limit);
        assert_eq!(timeout("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(timeout("1h"), Ok(Duration::from_secs(3600)));
        assert_eq!(timeout("1m 30s"), Ok(Duration::from_secs(90)));
        for raw in ["", "soon", "30", "-1s", "0s", "61m", "99999999999999999999s"] {
            assert!(timeout(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn relative_paths_start_at_the_directory_and_tilde_at_the_home_directory() {
        let (directory, home) = (Path::new("/etc/plants"), Path::new("/home/ann"));
        let path = |raw: &str, home| absolute_path(raw, directory, home);
        assert_eq!(path("ca.pem", Some(home)), Ok("/etc/plants/ca.pem".into()));
        assert_eq!(path("/ca.pem", Some(home)), Ok("/ca.pem".into()));
        assert_eq!(path("~/ca.pem", Some(home)), Ok("/home/ann/ca.pem".into()));
        assert!(path("~/ca.pem", None).is_err());
        assert!(path("", None).is_err());
    }

    #[test]
    fn a_proxy_is_shown_without_its_password() {
        let proxy: Proxy = "http://user:canary@proxy.example:3128".parse().unwrap();
        assert_eq!(format!("{proxy:?}"), "Proxy(Some(\"proxy.example\"))");
        for raw in ["socks5://u:canary@h", "http://u:canary@", "canary"] {
            assert!(!raw.parse::<Proxy>().err().unwrap().to_string().contains("canary"), "{raw}");
        }
    }
}
