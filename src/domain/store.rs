//! The address of a store: `{base_url}` of `interface.md` §4, validated once and normalised.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use url::{Host, Url};

use super::plant::PlantId;

/// A base URL to which the interface's paths can be appended.
///
/// Normalised: lower-case scheme and host, no default port, no trailing slash. Two spellings
/// of one store are equal, and the journal keeps one list for them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoreUrl {
    url: Url,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreUrlFault {
    /// Not a URL at all, or one without a host; the text says what the parser found.
    NotAUrl(String),
    Scheme(String),
    /// A user name or password before the host.
    UserInfo,
    Query,
    Fragment,
    /// White space, control characters or a backslash, which URL parsers silently rewrite.
    OddCharacter,
}

impl fmt::Display for StoreUrlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAUrl(why) => write!(f, "not a base URL ({why}): give one like https://plants.example/api"),
            Self::Scheme(scheme) => write!(f, "a store speaks http or https, not {scheme}"),
            Self::UserInfo => {
                f.write_str("a user name or password in the base URL is refused: the token is the only credential")
            }
            Self::Query => f.write_str("a base URL ends with its path: remove the ?query"),
            Self::Fragment => f.write_str("a base URL ends with its path: remove the #fragment"),
            Self::OddCharacter => {
                f.write_str("the base URL holds a space, a control character or a backslash: remove it")
            }
        }
    }
}

impl std::error::Error for StoreUrlFault {}

impl FromStr for StoreUrl {
    type Err = StoreUrlFault;

    fn from_str(typed: &str) -> Result<Self, StoreUrlFault> {
        let typed = typed.trim();
        if typed.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(StoreUrlFault::OddCharacter);
        }
        let mut url = Url::parse(typed).map_err(|why| StoreUrlFault::NotAUrl(why.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(StoreUrlFault::Scheme(url.scheme().to_owned()));
        }
        // The parser takes `http:///plants` for the host `plants`; a person did not mean that.
        let authority = typed.split_once("://").map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(""));
        if authority.is_none_or(str::is_empty) {
            return Err(StoreUrlFault::NotAUrl("it has no host".to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() || authority.is_some_and(|a| a.contains('@')) {
            return Err(StoreUrlFault::UserInfo);
        }
        if url.query().is_some() {
            return Err(StoreUrlFault::Query);
        }
        if url.fragment().is_some() {
            return Err(StoreUrlFault::Fragment);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self { url })
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str().trim_end_matches('/'))
    }
}

impl StoreUrl {
    /// Where plants are created (`interface.md` §4.1): `{base_url}/plants`.
    pub fn plants(&self) -> Url {
        self.with_path("/plants")
    }

    /// Where one plant is deleted (`interface.md` §4.2): `{base_url}/plants/{id}`.
    pub fn plant(&self, id: PlantId) -> Url {
        self.with_path(&format!("/plants/{id}"))
    }

    /// The same where something else stands in the place of the id.
    pub fn plant_at(&self, id: &str) -> Url {
        let mut url = self.plants();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.push(id);
        }
        url
    }

    fn with_path(&self, tail: &str) -> Url {
        let mut url = self.url.clone();
        let path = format!("{}{tail}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }

    /// The value of the `Host` header (RFC 9110 §7.2): host, and port if it is not the default.
    pub fn host_header(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Whether the store is on this machine, where plain http shows the token to no other machine.
    pub fn is_loopback(&self) -> bool {
        match self.url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => is_loopback_name(name),
            None => false,
        }
    }

    /// The base URL of a store that listens on this address of this machine.
    pub fn on_loopback(port: u16) -> Self {
        let mut url = Url::parse("http://127.0.0.1/").unwrap_or_else(|_| unreachable!("a constant URL parses"));
        let _ = url.set_ip_host(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let _ = url.set_port(Some(port));
        Self { url }
    }
}

/// Whether this name is always of this machine (RFC 6761 §6.3). It is resolved without the network.
pub fn is_loopback_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(typed: &str) -> Result<String, StoreUrlFault> {
        typed.parse::<StoreUrl>().map(|store| store.to_string())
    }

    #[test]
    fn spellings_of_one_store_are_one_store() {
        for typed in ["http://h/api", "HTTP://H/api/", "http://h:80/api//", " http://h/x/../api "] {
            assert_eq!(parsed(typed).as_deref(), Ok("http://h/api"), "{typed}");
        }
        assert_eq!(parsed("https://h").as_deref(), Ok("https://h"));
        assert_eq!(parsed("http://[::1]:8080/").as_deref(), Ok("http://[::1]:8080"));
    }

    #[test]
    fn paths_keep_the_prefix() {
        let store: StoreUrl = "https://h/api/".parse().unwrap();
        assert_eq!(store.plants().path(), "/api/plants");
        assert_eq!(store.plant(PlantId(-1)).path(), "/api/plants/-1");
        let bare: StoreUrl = "https://h".parse().unwrap();
        assert_eq!(bare.plants().as_str(), "https://h/plants");
    }

    #[test]
    fn what_cannot_be_a_base_url_is_refused() {
        use StoreUrlFault::{Fragment, OddCharacter, Query, Scheme, UserInfo};
        assert_eq!(parsed("ftp://x"), Err(Scheme("ftp".into())));
        assert_eq!(parsed("http://u:p@h"), Err(UserInfo));
        assert_eq!(parsed("http://@h"), Err(UserInfo));
        assert_eq!(parsed("http://h?x=1"), Err(Query));
        assert_eq!(parsed("http://h/#a"), Err(Fragment));
        assert_eq!(parsed("http://h/a b"), Err(OddCharacter));
        assert_eq!(parsed("http:\\\\h"), Err(OddCharacter));
        for typed in ["", "h", "http://", "http:///plants", "http:h", "https://[::1", "http://h:99999"] {
            assert!(matches!(parsed(typed), Err(StoreUrlFault::NotAUrl(_))), "{typed}");
        }
    }

    #[test]
    fn loopback_is_told_from_elsewhere() {
        for (typed, expected) in [
            ("http://127.0.0.1", true),
            ("http://127.1:80", true),
            ("http://[::1]", true),
            ("http://localhost", true),
            ("http://a.localhost.", true),
            ("http://localhost.example", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(typed.parse::<StoreUrl>().unwrap().is_loopback(), expected, "{typed}");
        }
    }
}
