//! The base URL of a store: `{base_url}` of `interface.md` §4, validated and normalised.
//!
//! Must not know whether a connection is allowed or possible.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use url::{Host, ParseError, Position, Url};

use super::plant::PlantId;

/// A base URL to which the interface's paths can be appended.
///
/// Normalised: lower-case scheme and host, no default port, no trailing slash. Two spellings of one store are
/// equal, so that the journal has one list for them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoreUrl {
    url: Url,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreUrlFault {
    /// Without a scheme, only a loopback address is http for sure.
    #[error("it has no scheme: write https://{0}")]
    NoScheme(String),
    /// Not a URL, or a URL without a host; contains the parser's message.
    #[error("not a base URL ({0}): give one like https://plants.example/api")]
    NotAUrl(String),
    #[error("a base URL is http or https, not {0}: write https://plants.example")]
    Scheme(String),
    #[error("remove the user name or password from the base URL: the token is the only credential")]
    UserInfo,
    #[error("a base URL ends with its path: remove the ?query")]
    Query,
    #[error("a base URL ends with its path: remove the #fragment")]
    Fragment,
    /// White space, control characters or a backslash, which URL parsers silently rewrite.
    #[error("the base URL contains a space, a control character or a backslash: remove it")]
    OddCharacter,
}

impl FromStr for StoreUrl {
    type Err = StoreUrlFault;

    fn from_str(typed: &str) -> Result<Self, StoreUrlFault> {
        let typed = typed.trim();
        if typed.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(StoreUrlFault::OddCharacter);
        }
        let typed = &with_scheme(typed)?;
        let mut url = Url::parse(typed).map_err(|why| {
            let is_relative = why == ParseError::RelativeUrlWithoutBase;
            StoreUrlFault::NotAUrl(if is_relative { "it begins with no scheme".to_owned() } else { why.to_string() })
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(StoreUrlFault::Scheme(url.scheme().to_owned()));
        }
        // The parser reads `http:///plants` as the host `plants`, which is hardly meant.
        let authority = typed.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next()).unwrap_or("");
        if authority.is_empty() {
            let why = if typed.contains("://") { "it has no host" } else { "its scheme is not followed by //" };
            return Err(StoreUrlFault::NotAUrl(why.to_owned()));
        }
        // An empty user name counts too.
        if authority.contains('@') {
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

/// Completes what people type for a store on this machine: `:8080`, `localhost:8080`.
fn with_scheme(typed: &str) -> Result<Cow<'_, str>, StoreUrlFault> {
    if let Some(port) = typed.strip_prefix(':') {
        return Ok(format!("http://127.0.0.1:{port}").into());
    }
    let host = typed.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let is_name = !name.contains(':') || name.starts_with('[');
    let has_port = is_name && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = has_port || (!typed.contains(':') && name.contains('.'));
    match is_loopback(name) {
        true if has_port || !host.contains(':') => Ok(format!("http://{typed}").into()),
        false if is_host => Err(StoreUrlFault::NoScheme(typed.to_owned())),
        true | false => Ok(typed.into()),
    }
}

fn is_loopback(name: &str) -> bool {
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    is_loopback_name(name) || address.is_ok_and(|address| address.is_loopback())
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str().trim_end_matches('/'))
    }
}

impl StoreUrl {
    /// Returns the URL of Create Plant (`interface.md` §4.1): `{base_url}/plants`.
    pub fn plants(&self) -> Url {
        self.with_segments(&["plants"])
    }

    /// Returns the URL of Delete Plant (`interface.md` §4.2): `{base_url}/plants/{id}`.
    pub fn plant(&self, id: PlantId) -> Url {
        self.plant_at(&id.to_string())
    }

    /// Returns the URL of Delete Plant with any text in place of the id, percent-encoded.
    pub fn plant_at(&self, id: &str) -> Url {
        self.with_segments(&["plants", id])
    }

    fn with_segments(&self, segments: &[&str]) -> Url {
        let mut url = self.url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// Warns of a base URL to which the path of the interface was appended already.
    pub fn doubled_path(&self) -> Option<String> {
        let is_doubled = self.url.path_segments().and_then(Iterator::last) == Some("plants");
        is_doubled.then(|| {
            format!("The base URL ends in /plants, so that requests go to {}: is its end meant?", self.plants())
        })
    }

    /// Returns the value of the `Host` header (RFC 9110 §7.2): the host, and the port unless it is the default.
    pub fn host_header(&self) -> String {
        self.url[Position::BeforeHost..Position::AfterPort].to_owned()
    }

    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Whether the store is on this machine, so that plain http shows the token to no other machine.
    pub fn is_loopback(&self) -> bool {
        match self.url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => is_loopback_name(name),
            None => false,
        }
    }

    /// Returns the base URL of a store on this machine.
    pub fn on_loopback(port: u16) -> Self {
        let typed = format!("http://127.0.0.1:{port}");
        typed.parse().unwrap_or_else(|_| unreachable!("a loopback address is a base URL"))
    }
}

/// Whether `name` always means this machine (RFC 6761 §6.3), so that no name server is needed.
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
    fn spellings_of_one_store_are_equal() {
        for typed in ["http://h/api", "HTTP://H/api/", "http://h:80/api//", " http://h/x/../api "] {
            assert_eq!(parsed(typed).as_deref(), Ok("http://h/api"), "{typed}");
        }
        assert_eq!(parsed("https://h").as_deref(), Ok("https://h"));
        assert_eq!(parsed("http://[::1]:8080/").as_deref(), Ok("http://[::1]:8080"));
    }

    #[test]
    fn a_store_on_this_machine_needs_no_scheme() {
        for (typed, url) in [
            (":8080", "http://127.0.0.1:8080"),
            ("localhost:8080/api/", "http://localhost:8080/api"),
            ("127.0.0.1:80", "http://127.0.0.1"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("localhost", "http://localhost"),
        ] {
            assert_eq!(parsed(typed).as_deref(), Ok(url), "{typed}");
        }
        for typed in ["plants.example", "plants.example:8080/api", "10.0.0.9:8080"] {
            assert_eq!(parsed(typed), Err(StoreUrlFault::NoScheme(typed.to_owned())), "{typed}");
        }
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
    fn an_invalid_base_url_is_explained() {
        use StoreUrlFault::{Fragment, OddCharacter, Query, Scheme, UserInfo};
        assert_eq!(parsed("ftp://x"), Err(Scheme("ftp".into())));
        for typed in ["http://u:p@h", "http://u@h:80/@", "http://:p@h?x=1", "http://@h"] {
            assert_eq!(parsed(typed), Err(UserInfo), "{typed}");
        }
        assert_eq!(parsed("http://h/@"), Ok("http://h/@".to_owned()));
        assert_eq!(parsed("http://h?x=1"), Err(Query));
        assert_eq!(parsed("http://h/#a"), Err(Fragment));
        assert_eq!(parsed("http://h/a b"), Err(OddCharacter));
        assert_eq!(parsed("http:\\\\h"), Err(OddCharacter));
        for typed in ["", "h", "http://", "http:///plants", "http:h", "https://[::1", "http://h:99999"] {
            assert!(matches!(parsed(typed), Err(StoreUrlFault::NotAUrl(_))), "{typed}");
        }
    }

    #[test]
    fn loopback_hosts_are_recognised() {
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
