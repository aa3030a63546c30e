//! The values of settings, each parsed from the text that a flag or the config file has.

use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use url::Url;

use super::fault::quoted;
use crate::text::duration;
use crate::text::number_format::counted;

const MAX_TIMEOUT: Duration = Duration::from_secs(60 * 60);

pub(super) const INVALID_VARIABLE_NAME: &str =
    "this is no name of an environment variable: letters, digits and _, without $";

/// Why a text is no value of its setting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidValue {
    #[error("{} is no duration: write 30s or 2m", quoted(.0))]
    Duration(String),
    #[error("{} is out of range: give more than 0s and at most 1h", quoted(.0))]
    TimeoutRange(String),
    #[error("write an age of at least one day, like 90d, 6months or 1y")]
    Age,
    #[error("a proxy is an http or https URL: write http://proxy.example:3128")]
    ProxyScheme,
    /// Leaves out the text, which may contain a password.
    #[error("not a URL ({0}): write http://proxy.example:3128")]
    ProxyUrl(#[from] url::ParseError),
    /// Leaves out the text, as above.
    #[error("a proxy has no white space and no quotes: write http://proxy.example:3128")]
    ProxyText,
    #[error("a team's servers are URLs, separated by commas: write nats://nats.example")]
    TeamUrl,
    #[error("the URL of a server has no user or password: use team_user and team_password_command")]
    TeamSecret,
    #[error("the path is empty: write one, or leave it out")]
    EmptyPath,
    #[error("no home directory is known: write the path in full instead of ~/")]
    NoHome,
}

/// Parses `500ms`, `1m 30s`, `1h30m`, `90d`, `6months` or `1y`; a bare number is in seconds, as with curl.
///
/// # Errors
///
/// The text has another unit, or is negative.
pub fn parse_duration(typed: &str) -> Result<Duration, InvalidValue> {
    let bare = typed.trim();
    let unit = if bare.bytes().all(|byte| byte.is_ascii_digit()) && !bare.is_empty() { "s" } else { "" };
    duration::parse(&format!("{bare}{unit}")).ok_or_else(|| InvalidValue::Duration(typed.to_owned()))
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

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.0.as_secs() / DAY.as_secs(), "day", "days"))
    }
}

impl FromStr for Age {
    type Err = InvalidValue;

    fn from_str(raw: &str) -> Result<Self, InvalidValue> {
        parse_duration(raw).ok().filter(|age| *age >= DAY).map(Self).ok_or(InvalidValue::Age)
    }
}

/// The URL of a proxy. It may contain a password, which is not shown.
#[derive(Clone)]
pub struct Proxy(pub Url);

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({self})")
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        write!(f, "{}://{}{port}", self.0.scheme(), self.0.host_str().unwrap_or_default())
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

impl Proxy {
    /// Parses the value of a variable, where the scheme may be missing: then it is http, as in curl.
    pub(super) fn of_variable(raw: &OsStr) -> Result<Self, InvalidValue> {
        let is_odd = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
        let raw = raw.to_str().filter(|raw| !raw.contains(is_odd)).ok_or(InvalidValue::ProxyText)?;
        if raw.contains("://") { raw.parse() } else { format!("http://{raw}").parse() }
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

/// Whether a shell could set a variable of this name.
pub(super) fn is_variable_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_with_every_unit_are_parsed() {
        let day = Duration::from_secs(86_400);
        for (typed, length) in [
            ("0s", Duration::ZERO),
            ("1500ms", Duration::from_millis(1500)),
            ("30s", Duration::from_secs(30)),
            (" 30 ", Duration::from_secs(30)),
            ("30 sec", Duration::from_secs(30)),
            ("2m", Duration::from_secs(120)),
            (" 1m 30s ", Duration::from_secs(90)),
            ("1h30m", Duration::from_secs(5400)),
            ("1.5h", Duration::from_secs(5400)),
            ("90d", 90 * day),
            ("2weeks", 14 * day),
            ("6months", Duration::from_secs(6 * 2_630_016)),
            ("1y", Duration::from_secs(31_557_600)),
            ("1y 1d", Duration::from_secs(31_557_600) + day),
        ] {
            assert_eq!(parse_duration(typed), Ok(length), "{typed}");
        }
    }

    #[test]
    fn an_invalid_duration_is_quoted_in_the_error() {
        for typed in ["", "soon", "3,0", "-1s", "1s ago", "-1y", "1M", "PT1S", "m", "99999999999999999999s"] {
            assert!(parse_duration(typed).is_err(), "{typed}");
        }
        assert_eq!(parse_duration("soon").unwrap_err().to_string(), "\"soon\" is no duration: write 30s or 2m");
    }

    #[test]
    fn a_timeout_is_above_zero_and_at_most_an_hour() {
        let timeout = |raw: &str| raw.parse().map(|Timeout(limit)| limit);
        assert_eq!(timeout("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(timeout("1h"), Ok(Duration::from_secs(3600)));
        assert_eq!(timeout("1m 30s"), Ok(Duration::from_secs(90)));
        assert_eq!(timeout("30"), Ok(Duration::from_secs(30)));
        for raw in ["", "soon", "-30", "0", "-1s", "0s", "61m", "99999999999999999999s"] {
            assert!(timeout(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn a_proxy_is_shown_without_its_password() {
        let proxy: Proxy = "http://user:canary@proxy.example:3128".parse().unwrap();
        assert_eq!(format!("{proxy:?}"), "Proxy(http://proxy.example:3128)");
        for raw in ["socks5://u:canary@h", "http://u:canary@", "canary"] {
            assert!(!raw.parse::<Proxy>().err().unwrap().to_string().contains("canary"), "{raw}");
        }
    }

    #[test]
    fn the_proxy_of_a_variable_may_lack_its_scheme_and_nothing_else() {
        let host = |raw: &str| Proxy::of_variable(raw.as_ref()).map(|proxy| proxy.0.to_string());
        assert_eq!(host("proxy.example:3128").unwrap(), "http://proxy.example:3128/");
        assert_eq!(host("me:secret@proxy").unwrap(), "http://me:secret@proxy/");
        assert_eq!(host("https://proxy.example").unwrap(), "https://proxy.example/");
        for raw in
            [" proxy", "proxy\t", "pro xy", "\"proxy\"", "'proxy'", "socks5://proxy", "http://", "proxy:x", ":3128"]
        {
            assert!(host(raw).is_err(), "{raw}");
        }
    }
}
