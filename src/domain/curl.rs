//! Formats a stored request as a curl command that sends it again, byte for byte, from any POSIX shell and from fish.
//!
//! The command is meant to be pasted, even into a terminal without bracketed paste: foreign text is in single
//! quotes and contains no control character. `PowerShell`, which quotes in another way, runs none of it: every line but
//! the first begins with `--`, a syntax error there, and the first has foreign text only as escaped ASCII.
//!
//! The command does not contain the token; the shell inserts it from `PLANTS_TOKEN`, and the value of a secret header
//! `x-api-key` from `PLANTS_HEADER_X_API_KEY`. Must not know the clipboard.

use strum::{Display, IntoStaticStr};

use super::wire::{MASKED, header_line};
use super::{Exchange, Header, Outcome, Request, StoreUrl};
use crate::text::{has_hidden_characters, is_printable_ascii};

/// The longest body, in bytes, that is passed as an argument: Linux limits an argument to 128 KiB.
const MAX_ARGUMENT: usize = 64 * 1024;

/// How the names of the variables with the values of secret headers begin.
pub const HEADER_VARIABLES: &str = "PLANTS_HEADER_";

/// Headers that curl derives from URL, body and proxy, with the values that were sent.
const DERIVED_HEADERS: [&str; 3] = ["host", "content-length", "proxy-authorization"];

/// Headers that curl adds to every request, and those that it adds to a request with a body.
const DEFAULT_HEADERS: [&str; 2] = ["accept", "user-agent"];
const DEFAULT_BODY_HEADERS: [&str; 2] = ["content-type", "expect"];

/// Why a request has no command: a clause without a full stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
pub enum NoCommand {
    #[strum(serialize = "its request is not stored")]
    NotStored,
    /// The URL is not that of the store whose token the shell would insert.
    #[strum(serialize = "its request goes to another store, which must not get this token")]
    OtherStore,
    /// The URL or a header contains more than visible ASCII and spaces: pasted, it could press a key.
    #[strum(serialize = "its URL or a header contains characters that cannot be seen")]
    Unprintable,
    /// A header name is not a token of RFC 9110 §5.1: `@file` makes curl read that file, and `X;` or `X:`
    /// name another header.
    #[strum(serialize = "a header has a name that curl takes for something else, such as a file to read")]
    HeaderName,
}

/// Returns the command, without a newline at its end, so that pasting does not run it.
///
/// The command leaves out what an exchange does not contain: the time limit, the certificates of a profile,
/// and its proxy for https. A proxy for plain http is read from `PLANTS_PROXY`.
///
/// # Errors
///
/// See [`sendable`].
pub fn command(exchange: &Exchange, store: &StoreUrl) -> Result<String, NoCommand> {
    sendable(exchange, store).map(format_command)
}

/// Describes the effect of running the command of an exchange with this outcome.
pub fn caution(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "The store has carried this out; running it sends it once more.",
        Outcome::Rejected => "The store rejected this; running it sends it again.",
        Outcome::Unknown => "It is unknown whether the store carried this out; running it may do it a second time.",
        Outcome::NotSent => "This was never sent; running it sends it for the first time.",
    }
}

/// Returns a line that does nothing: interactive shells that know no comments take it for an argument, and the others
/// need not find its end.
pub fn comment(line: &str) -> String {
    format!(": # {}", quoted(line))
}

/// Returns the request if it is safe as a command, without building the text. Another program may have
/// written anything into the journal.
///
/// # Errors
///
/// Why there is no command.
pub fn sendable<'a>(exchange: &'a Exchange, store: &StoreUrl) -> Result<&'a Request, NoCommand> {
    let request = exchange.request.as_ref().ok_or(NoCommand::NotStored)?;
    let is_printable = |text: &str| is_printable_ascii(text.as_bytes());
    let plants = store.plants();
    let path = request.url.strip_prefix(plants.as_str());
    if !path.is_some_and(|path| path.is_empty() || path.starts_with('/')) {
        return Err(NoCommand::OtherStore);
    }
    let is_header = |header: &Header| is_printable(&header.name) && is_printable(&header.value);
    if !is_printable(&request.url) || !request.headers.iter().all(is_header) {
        return Err(NoCommand::Unprintable);
    }
    if !request.headers.iter().all(|header| is_token(&header.name)) {
        return Err(NoCommand::HeaderName);
    }
    Ok(request)
}

/// Whether `name` is a header name of RFC 9110 §5.1.
fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Returns the command of a request that is [`sendable`].
pub fn format_command(request: &Request) -> String {
    // Without -q a .curlrc could add options.
    let mut parts = vec!["curl -q --http1.1 --globoff --path-as-is".to_owned()];
    // A response may have no body, or one without a line break.
    parts.push(r"--include --write-out '\n'".to_owned());
    parts.extend(proxy_options(request).map(str::to_owned));
    parts.push(format!("--request {}", request.method.word()));
    let sent = request.headers.iter().filter(|header| is_sent(header));
    parts.extend(sent.map(|header| format!("--header {}", header_argument(header))));
    parts.extend(unsent_defaults(request).map(|name| format!("--header '{name}:'")));
    let stops: Vec<_> = variables(request).map(|name| format!("test -n \"${name}\" && ")).collect();
    let mut piped = String::new();
    match request.body.as_deref() {
        None => {}
        Some(body) if body.len() <= MAX_ARGUMENT && !has_hidden_characters(body) => {
            parts.push(format!("--data-raw {}", quoted(body)));
        }
        Some(body) => {
            piped = format!("printf '%b' '{}' | ", escaped(body));
            parts.push("--data-binary @-".to_owned());
        }
    }
    parts.push(format!("--url {}", quoted(&request.url)));
    stops.concat() + &piped + &parts.join(" \\\n  ")
}

/// Returns the proxy options, where curl by itself would take another way: it would send the token in clear
/// to a proxy of the environment.
fn proxy_options(request: &Request) -> Option<&'static str> {
    let is_loopback = || request.url.parse::<StoreUrl>().is_ok_and(|store| store.is_loopback());
    if request.target == request.url {
        Some(r#"--noproxy '' --proxy "$PLANTS_PROXY" --header 'proxy-connection:'"#)
    } else if request.url.starts_with("http:") || is_loopback() {
        Some("--noproxy '*'")
    } else {
        None
    }
}

/// Lists the variables without which the shell must stop: curl would connect without the proxy, or leave out a secret
/// header for a gateway.
fn variables(request: &Request) -> impl Iterator<Item = String> {
    let proxy = (request.target == request.url).then(|| "PLANTS_PROXY".to_owned());
    let secrets = request.headers.iter().filter(|header| is_sent(header) && header.value == MASKED);
    proxy.into_iter().chain(secrets.map(variable_of))
}

/// Names the variable with the value of a secret header.
fn variable_of(header: &Header) -> String {
    let word: String = header.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{HEADER_VARIABLES}{}", word.to_ascii_uppercase())
}

fn is_sent(header: &Header) -> bool {
    !DERIVED_HEADERS.iter().any(|name| is_named(header, name))
}

fn header_argument(header: &Header) -> String {
    // A credential that is not the token was stored in full, so it is repeated as sent.
    let scheme = header.value.strip_suffix(MASKED).filter(|_| is_named(header, "authorization"));
    match scheme {
        Some("Bearer ") => r#""authorization: Bearer $PLANTS_TOKEN""#.to_owned(),
        Some("Basic ") => r#""authorization: Basic $PLANTS_TOKEN""#.to_owned(),
        // Curl drops a header that ends with its colon; with a semicolon curl sends it empty.
        Some(_) | None if header.value == MASKED => {
            format!("{}\"${}\"", quoted(&format!("{}: ", header.name)), variable_of(header))
        }
        Some(_) | None if header.value.trim().is_empty() => quoted(&format!("{};", header.name)),
        Some(_) | None => quoted(&header_line(header)),
    }
}

/// Lists the headers that curl would add and that were not sent.
fn unsent_defaults(request: &Request) -> impl Iterator<Item = &'static str> {
    let with_body = if request.body.is_some() { &DEFAULT_BODY_HEADERS[..] } else { &[] };
    let was_sent = |name: &str| request.headers.iter().any(|header| is_named(header, name));
    DEFAULT_HEADERS.iter().chain(with_body).copied().filter(move |name| !was_sent(name))
}

fn is_named(header: &Header, name: &str) -> bool {
    header.name.eq_ignore_ascii_case(name)
}

/// Quotes any text as one word of a POSIX shell and of fish, where a backslash has a meaning also in single quotes.
pub fn quoted(text: &str) -> String {
    let quoted = |c: char| if matches!(c, '\\' | '\'') { format!("'\\{c}'") } else { c.into() };
    format!("'{}'", text.chars().map(quoted).collect::<String>())
}

/// Escapes a text for `printf '%b'` in single quotes of any shell: visible ASCII but for quotes and backslashes stays,
/// every other byte becomes its octal number.
fn escaped(text: &str) -> String {
    let escaped = |byte: u8| match byte {
        b' '..=b'~' if !matches!(byte, b'\\' | b'\'') => char::from(byte).to_string(),
        0..=u8::MAX => format!("\\0{byte:03o}"),
    };
    text.bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::exchange::{FailureKind, Method};
    use crate::domain::{Operation, OperationId, OperationKind, PlantId, Timestamp};

    fn header(name: &str, value: &str) -> Header {
        Header { name: name.into(), value: value.into() }
    }

    fn post(body: &str) -> Request {
        Request {
            method: Method::Post,
            url: "https://h/plants".into(),
            target: "/plants".into(),
            headers: [
                header("host", "h"),
                header("authorization", "Bearer ********"),
                header("content-type", "application/json"),
                header("accept", "*/*"),
                header("user-agent", "plants/1"),
                header("content-length", "9"),
            ]
            .into(),
            body: Some(body.into()),
        }
    }

    #[test]
    fn an_add_becomes_a_readable_command() {
        let expected = r#"curl -q --http1.1 --globoff --path-as-is \
  --include --write-out '\n' \
  --request POST \
  --header "authorization: Bearer $PLANTS_TOKEN" \
  --header 'content-type: application/json' \
  --header 'accept: */*' \
  --header 'user-agent: plants/1' \
  --header 'expect:' \
  --data-raw '{"name":"it'\''s $(é)"}' \
  --url 'https://h/plants'"#;
        assert_eq!(format_command(&post(r#"{"name":"it's $(é)"}"#)), expected);
    }

    #[test]
    fn credentials_other_than_the_token_are_kept() {
        let with =
            |value: &str| format_command(&Request { headers: [header("authorization", value)].into(), ..post("") });
        assert!(with("Basic ********").contains("--header \"authorization: Basic $PLANTS_TOKEN\""));
        assert!(with("Bearer not-the-token").contains("--header 'authorization: Bearer not-the-token'"));
    }

    #[test]
    fn a_secret_header_for_a_gateway_is_read_from_a_variable_of_its_name() {
        let with =
            |name: &str, value: &str| format_command(&Request { headers: [header(name, value)].into(), ..post("") });
        let (command, variable) = (with("x-api-key", "********"), "PLANTS_HEADER_X_API_KEY");
        assert!(command.contains(&format!("--header 'x-api-key: '\"${variable}\"")), "{command}");
        assert!(command.starts_with(&format!("test -n \"${variable}\" && curl -q ")), "{command}");
        let command = with("a'$(x)`!", "********");
        assert!(command.contains("--header 'a'\\''$(x)`!: '\"$PLANTS_HEADER_A___X___\""), "{command}");
        assert!(with("x-api-key", "*******").contains("--header 'x-api-key: *******'"));
    }

    #[test]
    fn headers_that_curl_would_add_are_suppressed() {
        let request = Request { method: Method::Delete, headers: [header("host", "h")].into(), body: None, ..post("") };
        let expected = "curl -q --http1.1 --globoff --path-as-is \\\n  --include --write-out '\\n' \\\n  --request DELETE \\\n  --header 'accept:' \\\n  \
                        --header 'user-agent:' \\\n  --url 'https://h/plants'";
        assert_eq!(format_command(&request), expected);
    }

    #[test]
    fn an_empty_header_is_sent_rather_than_removed() {
        for value in ["", " ", "  "] {
            let command = format_command(&Request { headers: [header("accept", value)].into(), ..post("") });
            assert!(command.contains("--header 'accept;'") && !command.contains("accept:"), "{command}");
        }
    }

    #[test]
    fn a_long_body_or_one_with_invisible_characters_uses_printf() {
        let command = format_command(&post("{\"\\n'\u{7f}\u{9b}%\u{202e}1\"}"));
        let expected = r#"printf '%b' '{"\0134n\0047\0177\0302\0233%\0342\0200\02561"}' | curl -q "#;
        assert!(command.starts_with(expected) && command.contains("--data-binary @- \\\n"), "{command}");
        assert!(format_command(&post(&"x".repeat(MAX_ARGUMENT))).starts_with("curl"));
        assert!(format_command(&post(&"x".repeat(MAX_ARGUMENT + 1))).starts_with("printf"));
    }

    #[test]
    fn plain_http_ignores_the_proxies_of_the_environment() {
        let at =
            |url: &str, target: &str| format_command(&Request { url: url.into(), target: target.into(), ..post("") });
        assert!(at("http://h/plants", "/plants").contains("--noproxy '*'"));
        assert!(at("https://localhost/plants", "/plants").contains("--noproxy '*'"));
        assert!(!at("https://h/plants", "/plants").contains("proxy"));
        assert!(at("http://h/plants", "http://h/plants").contains("--proxy \"$PLANTS_PROXY\""));
    }

    #[test]
    fn a_manipulated_journal_entry_gives_no_command() {
        let of = |request: Request| {
            let operation =
                Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(7)), Timestamp(0));
            let failed = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
            command(&Exchange { request: Some(request), ..failed }, &"https://h".parse().unwrap())
        };
        assert!(of(post("{}")).is_ok_and(|command| command.contains("'https://h/plants'")));
        for url in ["https://evil/plants", "https://h.evil/plants", "https://h/plantsevil"] {
            assert_eq!(of(Request { url: url.into(), ..post("{}") }), Err(NoCommand::OtherStore), "{url}");
        }
        let url = "https://h/plants/\u{1b}[2J";
        assert_eq!(of(Request { url: url.into(), ..post("{}") }), Err(NoCommand::Unprintable));
        for (name, value) in [("x", "a\u{3}\ntouch x\n"), ("x\u{9b}2J", "a"), ("x", "\u{202e}")] {
            let request = Request { headers: [header(name, value)].into(), ..post("{}") };
            assert_eq!(of(request), Err(NoCommand::Unprintable), "{name}: {value}");
        }
        for name in ["@/etc/passwd", "@-", "", "x;", "x:", "x y", " x", "x ", "(x)", "\"x\"", "x/y", "host,x"] {
            let request = Request { headers: [header(name, "a")].into(), ..post("{}") };
            assert_eq!(of(request), Err(NoCommand::HeaderName), "{name}");
        }
        for name in ["x-y_z.1", "!#$%&'*+-.^_`|~", "-x", "'"] {
            let command = of(Request { headers: [header(name, "a")].into(), ..post("{}") }).unwrap();
            assert!(command.contains(&format!("--header {}", quoted(&format!("{name}: a")))), "{command}");
        }
        for value in ["$(touch x) ********", "\";touch x; \"********", "`x` ********"] {
            let command = of(Request { headers: [header("authorization", value)].into(), ..post("{}") }).unwrap();
            assert!(command.contains(&format!("--header 'authorization: {value}'")), "{command}");
        }
        let named = of(Request { headers: [header("AUTHORIZATION", "Bearer ********")].into(), ..post("{}") }).unwrap();
        assert!(named.contains(r#""authorization: Bearer $PLANTS_TOKEN""#), "{named}");
    }

    #[test]
    fn an_exchange_without_a_request_gives_no_command() {
        let id = OperationId { origin: 1, number: 1 };
        let operation = Operation::new(id, OperationKind::Delete(PlantId(7)), Timestamp(0));
        let exchange = Exchange::failed(operation, FailureKind::NotRecorded, String::new(), Timestamp(0));
        assert_eq!(command(&exchange, &"https://h".parse().unwrap()), Err(NoCommand::NotStored));
    }

    #[test]
    fn each_outcome_has_its_own_caution() {
        let cautions: std::collections::HashSet<_> = Outcome::ALL.into_iter().map(caution).collect();
        assert_eq!(cautions.len(), Outcome::ALL.len());
    }
}
