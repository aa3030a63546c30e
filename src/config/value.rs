//! The values that settings have, as flags and the config file spell them.
//!
//! Each is read from its text by `FromStr`; in the config file, from a TOML value by `Deserialize`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use url::Url;

use super::duration::{NoDuration, parse_duration};
use super::fault::quoted;
use crate::domain::StoreUrl;

/// The longest time one exchange may be given.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(60 * 60);

pub(super) const NO_VARIABLE_NAME: &str =
    "this is no name of an environment variable: letters, digits and _, without $";

/// Why a text is no value of its setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ValueFault {
    NoDuration(NoDuration),
    /// A time limit as it was written.
    TimeoutRange(String),
    ProxyScheme,
    /// Without the text: it may hold a password.
    ProxyUrl(url::ParseError),
    EmptyPath,
    NoHome,
    /// Without the text: it may be the token itself.
    VariableName,
    EmptyCommand,
    NulInCommand,
}

impl fmt::Display for ValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoDuration(why) => return why.fmt(f),
            Self::TimeoutRange(raw) => {
                return write!(f, "{} is out of range: give more than 0s and at most 1h", quoted(raw));
            }
            Self::ProxyScheme => "a proxy is an http or https URL: write http://proxy.example:3128",
            Self::ProxyUrl(why) => return write!(f, "not a URL ({why}): write http://proxy.example:3128"),
            Self::EmptyPath => "the path is empty",
            Self::NoHome => "no home directory is known: write the path in full instead of ~/",
            Self::VariableName => NO_VARIABLE_NAME,
            Self::EmptyCommand => "the command is empty: write it like [\"pass\", \"show\", \"plants\"]",
            Self::NulInCommand => "a command cannot hold a NUL character",
        })
    }
}

impl std::error::Error for ValueFault {}

/// The time limit of one exchange: more than nothing, an hour at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timeout(pub(super) Duration);

impl Default for Timeout {
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

impl FromStr for Timeout {
    type Err = ValueFault;

    fn from_str(raw: &str) -> Result<Self, ValueFault> {
        let limit = parse_duration(raw).map_err(ValueFault::NoDuration)?;
        if limit.is_zero() || limit > LONGEST_TIMEOUT {
            return Err(ValueFault::TimeoutRange(raw.to_owned()));
        }
        Ok(Self(limit))
    }
}

/// A proxy's address, which may hold a password.
#[derive(Clone)]
pub(super) struct Proxy(pub(super) Url);

impl FromStr for Proxy {
    type Err = ValueFault;

    fn from_str(raw: &str) -> Result<Self, ValueFault> {
        let url = Url::parse(raw).map_err(ValueFault::ProxyUrl)?;
        let is_usable = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_usable.then_some(Self(url)).ok_or(ValueFault::ProxyScheme)
    }
}

/// Makes a path of the config file whole: `~/` is the home directory, and a relative path starts at the file's own.
pub(super) fn whole_path(raw: &str, directory: &Path, home: Option<&Path>) -> Result<PathBuf, ValueFault> {
    if raw.is_empty() {
        return Err(ValueFault::EmptyPath);
    }
    match raw.strip_prefix("~/") {
        Some(below) => home.map(|home| home.join(below)).ok_or(ValueFault::NoHome),
        None => Ok(directory.join(raw)),
    }
}

/// A name that a shell could give to a variable.
pub(super) struct VariableName(pub(super) String);

impl FromStr for VariableName {
    type Err = ValueFault;

    fn from_str(raw: &str) -> Result<Self, ValueFault> {
        let mut letters = raw.bytes();
        let begins = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
        let fits = begins && letters.all(|next| next.is_ascii_alphanumeric() || next == b'_');
        fits.then(|| Self(raw.to_owned())).ok_or(ValueFault::VariableName)
    }
}

macro_rules! read_from_a_text {
    ($($type:ty: $wanted:literal;)*) => {
        $(impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Text($wanted).deserialize(from)?.parse().map_err(D::Error::custom)
            }
        })*
    };
}

read_from_a_text! {
    StoreUrl: "a URL in quotes, like \"https://plants.example/api\"";
    Timeout: "a duration in quotes, like \"30s\"";
    Proxy: "a URL in quotes, like \"http://proxy.example:3128\"";
    VariableName: "the name of a variable in quotes";
}

/// A program and its arguments, as the config file has them.
pub(super) struct CommandWords(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for CommandWords {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wanted = "an array of texts, like [\"pass\", \"show\", \"plants\"]";
        let words = from.deserialize_seq(Texts(wanted))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(D::Error::custom(ValueFault::EmptyCommand));
        }
        if words.iter().any(|word| word.contains('\0')) {
            return Err(D::Error::custom(ValueFault::NulInCommand));
        }
        Ok(Self(words))
    }
}

/// The keys that an action listens to, as the config file has them.
pub(super) struct KeyNames(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for KeyNames {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wanted = "a key in quotes, or an array of them, like [\"a\", \"F2\"]";
        from.deserialize_any(Texts(wanted)).map(Self)
    }
}

/// Reads a text; holds what is wanted, for the fault.
pub(super) struct Text(pub(super) &'static str);

impl<'de> DeserializeSeed<'de> for Text {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}

/// Reads an array of texts, or one text alone.
struct Texts(&'static str);

impl<'de> Visitor<'de> for Texts {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<String>, E> {
        Ok(vec![text.to_owned()])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<String>, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = items.next_element_seed(Text(self.0))? {
            texts.push(text);
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_more_than_nothing_and_at_most_an_hour() {
        let timeout = |raw: &str| raw.parse().map(|Timeout(limit)| limit);
        assert_eq!(timeout("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(timeout("1h"), Ok(Duration::from_secs(3600)));
        assert_eq!(timeout("1m 30s"), Ok(Duration::from_secs(90)));
        for raw in ["", "soon", "30", "-1s", "0s", "61m", "99999999999999999999s"] {
            assert!(timeout(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn paths_start_at_the_file_or_at_home() {
        let (directory, home) = (Path::new("/etc/plants"), Path::new("/home/ann"));
        let path = |raw: &str, home| whole_path(raw, directory, home);
        assert_eq!(path("ca.pem", Some(home)), Ok("/etc/plants/ca.pem".into()));
        assert_eq!(path("/ca.pem", Some(home)), Ok("/ca.pem".into()));
        assert_eq!(path("~/ca.pem", Some(home)), Ok("/home/ann/ca.pem".into()));
        assert!(path("~/ca.pem", None).is_err());
        assert!(path("", None).is_err());
    }

    #[test]
    fn a_proxy_is_named_without_showing_its_password() {
        assert!("http://proxy.example:3128".parse::<Proxy>().is_ok());
        for raw in ["socks5://u:canary@h", "http://u:canary@", "canary"] {
            assert!(!raw.parse::<Proxy>().err().unwrap().to_string().contains("canary"), "{raw}");
        }
    }
}
