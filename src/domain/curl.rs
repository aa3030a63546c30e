//! A request as a curl command that sends it again, byte for byte, from any POSIX shell.
//!
//! It is made to be pasted, also where a terminal does not say that it pastes: foreign text is
//! in single quotes and holds nothing that a terminal or a line editor obeys. The token is not
//! in it; the shell fills it in from `PLANTS_TOKEN`.

use std::fmt::Write as _;

use super::exchange::{Exchange, Header, Request};
use super::outcome::Outcome;
use super::store::StoreUrl;
use super::text::hides_something;
use super::wire::{MASKED, header_line};

/// Bytes of a body that is given as an argument: Linux takes no argument of 128 KiB.
const ARGUMENT: usize = 64 * 1024;

/// Headers that curl makes out of URL, body and proxy, as they were sent.
const MADE: [&str; 3] = ["host", "content-length", "proxy-authorization"];

/// Headers that curl adds by itself to every request, and those that it adds to a body.
const ADDED: [&str; 2] = ["accept", "user-agent"];
const ADDED_TO_BODY: [&str; 2] = ["content-type", "expect"];

/// Why there is no command for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCommand {
    NotKept,
    /// It goes elsewhere than to the store whose token would be filled in.
    OtherStore,
    /// Its URL or a header holds more than visible ASCII and spaces, which could press a key where it is
    /// pasted.
    Unprintable,
    /// A header's name is no token of RFC 9110 §5.1: `@file` makes curl read that file, and `X;` or `X:`
    /// name another header.
    HeaderName,
}

impl NoCommand {
    /// A clause without a full stop.
    pub fn why(self) -> &'static str {
        match self {
            Self::NotKept => "its request is not kept",
            Self::OtherStore => "its request goes to another store, which must not get this token",
            Self::Unprintable => "its URL or a header holds characters that cannot be seen",
            Self::HeaderName => "a header has a name that curl takes for something else, such as a file to read",
        }
    }
}

/// The command, or why there is none: another program could write anything into the journal.
///
/// It has no newline at its end, so that pasting does not run it. Of what an exchange does not
/// hold it says nothing: the time limit, certificates of a profile, and a profile's proxy for
/// https. A proxy that was asked for plain http is to be in `PLANTS_PROXY`.
///
/// # Errors
///
/// Why there is none.
pub fn command(exchange: &Exchange, store: &StoreUrl) -> Result<String, NoCommand> {
    unfit(exchange, store).map_or_else(|| exchange.request.as_ref().map(of_request).ok_or(NoCommand::NotKept), Err)
}

/// What running the command of an exchange with this outcome would do, in a sentence.
pub fn caution(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "The store has carried this out; running it asks for it once more.",
        Outcome::Rejected => "The store rejected this; running it sends it again.",
        Outcome::Unknown => "Nobody knows whether the store carried this out; running it may do it a second time.",
        Outcome::NotSent => "This was never sent; running it sends it for the first time.",
    }
}

/// Why there is no command for an exchange. Makes no text.
pub fn unfit(exchange: &Exchange, store: &StoreUrl) -> Option<NoCommand> {
    let Some(request) = &exchange.request else { return Some(NoCommand::NotKept) };
    let is_plain = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let plants = store.plants();
    let after = request.url.strip_prefix(plants.as_str());
    if !after.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Some(NoCommand::OtherStore);
    }
    let is_header = |header: &Header| is_plain(&header.name) && is_plain(&header.value);
    if !is_plain(&request.url) || !request.headers.iter().all(is_header) {
        return Some(NoCommand::Unprintable);
    }
    (!request.headers.iter().all(|header| is_token(&header.name))).then_some(NoCommand::HeaderName)
}

/// Whether it can be the name of a header: one or more letters, digits and some other characters.
fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn of_request(request: &Request) -> String {
    // Without -q a .curlrc could add anything.
    let mut parts = vec!["curl -q --http1.1 --globoff --path-as-is".to_owned()];
    parts.extend(way(request).map(str::to_owned));
    parts.push(format!("--request {}", request.method.word()));
    let sent = request.headers.iter().filter(|header| !MADE.iter().any(|made| is_named(header, made)));
    parts.extend(sent.map(|header| format!("--header {}", header_word(header))));
    parts.extend(unsent(request).map(|name| format!("--header '{name}:'")));
    let mut command = String::new();
    match request.body.as_deref() {
        None => {}
        Some(body) if body.len() <= ARGUMENT && !hides_something(body) => {
            parts.push(format!("--data-raw {}", quoted(body)));
        }
        Some(body) => {
            let _ = write!(command, "printf '%b' {} | ", quoted(&escaped(body)));
            parts.push("--data-binary @-".to_owned());
        }
    }
    parts.push(format!("--url {}", quoted(&request.url)));
    command + &parts.join(" \\\n  ")
}

/// How it gets to the store, where curl would not go the same way by itself: it would give a
/// proxy of the environment the token in clear.
fn way(request: &Request) -> Option<&'static str> {
    let is_loopback = || request.url.parse::<StoreUrl>().is_ok_and(|store| store.is_loopback());
    if request.target == request.url {
        // Where the variable is not set the shell must stop: without a proxy curl goes directly.
        Some(r#"--noproxy '' --proxy "${PLANTS_PROXY:?}" --header 'proxy-connection:'"#)
    } else if request.url.starts_with("http:") || is_loopback() {
        Some("--noproxy '*'")
    } else {
        None
    }
}

fn header_word(header: &Header) -> String {
    // Another credential than the token is as it was sent.
    let scheme = header.value.strip_suffix(MASKED).filter(|_| is_named(header, "authorization"));
    match scheme {
        Some("Bearer ") => r#""authorization: Bearer $PLANTS_TOKEN""#.to_owned(),
        Some("Basic ") => r#""authorization: Basic $PLANTS_TOKEN""#.to_owned(),
        // Curl sends no header that ends with its colon; with this one it does.
        Some(_) | None if header.value.trim().is_empty() => quoted(&format!("{};", header.name)),
        Some(_) | None => quoted(&header_line(header)),
    }
}

/// Headers that curl would add and that were not sent.
fn unsent(request: &Request) -> impl Iterator<Item = &'static str> {
    let to_body = if request.body.is_some() { &ADDED_TO_BODY[..] } else { &[] };
    let was_sent = |name: &str| request.headers.iter().any(|header| is_named(header, name));
    ADDED.iter().chain(to_body).copied().filter(move |name| !was_sent(name))
}

fn is_named(header: &Header, name: &str) -> bool {
    header.name.eq_ignore_ascii_case(name)
}

/// One word to the shell, whatever is in it.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// For `printf '%b'`: only visible ASCII, and everything else as the octal of its bytes. Raw in a
/// body are DEL, the controls beyond ASCII, and what hides or reorders text; JSON escapes the rest.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'\\' => escaped.push_str(r"\\"),
            b' '..=b'~' => escaped.push(char::from(byte)),
            0..=0x1f | 0x7f..=u8::MAX => {
                let _ = write!(escaped, "\\0{byte:03o}");
            }
        }
    }
    escaped
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
            headers: vec![
                header("host", "h"),
                header("authorization", "Bearer ********"),
                header("content-type", "application/json"),
                header("accept", "*/*"),
                header("user-agent", "plants/1"),
                header("content-length", "9"),
            ],
            body: Some(body.into()),
        }
    }

    #[test]
    fn a_create_reads_well() {
        let expected = r#"curl -q --http1.1 --globoff --path-as-is \
  --request POST \
  --header "authorization: Bearer $PLANTS_TOKEN" \
  --header 'content-type: application/json' \
  --header 'accept: */*' \
  --header 'user-agent: plants/1' \
  --header 'expect:' \
  --data-raw '{"name":"it'\''s $(é)"}' \
  --url 'https://h/plants'"#;
        assert_eq!(of_request(&post(r#"{"name":"it's $(é)"}"#)), expected);
    }

    #[test]
    fn other_credentials_are_as_they_were_sent() {
        let with = |value: &str| of_request(&Request { headers: vec![header("authorization", value)], ..post("") });
        assert!(with("Basic ********").contains("--header \"authorization: Basic $PLANTS_TOKEN\""));
        assert!(with("Bearer not-the-token").contains("--header 'authorization: Bearer not-the-token'"));
    }

    #[test]
    fn a_header_that_was_not_sent_is_not_added() {
        let request = Request { method: Method::Delete, headers: vec![header("host", "h")], body: None, ..post("") };
        let expected = "curl -q --http1.1 --globoff --path-as-is \\\n  --request DELETE \\\n  --header 'accept:' \\\n  \
                        --header 'user-agent:' \\\n  --url 'https://h/plants'";
        assert_eq!(of_request(&request), expected);
    }

    #[test]
    fn a_header_without_a_value_is_sent_and_not_taken_away() {
        for value in ["", " ", "  "] {
            let command = of_request(&Request { headers: vec![header("accept", value)], ..post("") });
            assert!(command.contains("--header 'accept;'") && !command.contains("accept:"), "{command}");
        }
    }

    #[test]
    fn a_body_that_hides_something_or_is_long_goes_through_printf() {
        let command = of_request(&post("{\"\\n'\u{7f}\u{9b}%\u{202e}1\"}"));
        let expected = r#"printf '%b' '{"\\n'\''\0177\0302\0233%\0342\0200\02561"}' | curl -q "#;
        assert!(command.starts_with(expected) && command.contains("--data-binary @- \\\n"), "{command}");
        assert!(of_request(&post(&"x".repeat(ARGUMENT))).starts_with("curl"));
        assert!(of_request(&post(&"x".repeat(ARGUMENT + 1))).starts_with("printf"));
    }

    #[test]
    fn plain_http_passes_the_proxies_of_the_environment_by() {
        let at = |url: &str, target: &str| of_request(&Request { url: url.into(), target: target.into(), ..post("") });
        assert!(at("http://h/plants", "/plants").contains("--noproxy '*'"));
        assert!(at("https://localhost/plants", "/plants").contains("--noproxy '*'"));
        assert!(!at("https://h/plants", "/plants").contains("proxy"));
        assert!(at("http://h/plants", "http://h/plants").contains("--proxy \"${PLANTS_PROXY:?}\""));
    }

    #[test]
    fn what_another_program_wrote_into_the_journal_is_no_command() {
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
            let request = Request { headers: vec![header(name, value)], ..post("{}") };
            assert_eq!(of(request), Err(NoCommand::Unprintable), "{name}: {value}");
        }
        for name in ["@/etc/passwd", "@-", "", "x;", "x:", "x y", " x", "x ", "(x)", "\"x\"", "x/y", "host,x"] {
            let request = Request { headers: vec![header(name, "a")], ..post("{}") };
            assert_eq!(of(request), Err(NoCommand::HeaderName), "{name}");
        }
        for name in ["x-y_z.1", "!#$%&'*+-.^_`|~", "-x", "'"] {
            let command = of(Request { headers: vec![header(name, "a")], ..post("{}") }).unwrap();
            assert!(command.contains(&format!("--header {}", quoted(&format!("{name}: a")))), "{command}");
        }
        for value in ["$(touch x) ********", "\";touch x; \"********", "`x` ********"] {
            let command = of(Request { headers: vec![header("authorization", value)], ..post("{}") }).unwrap();
            assert!(command.contains(&format!("--header 'authorization: {value}'")), "{command}");
        }
        let named = of(Request { headers: vec![header("AUTHORIZATION", "Bearer ********")], ..post("{}") }).unwrap();
        assert!(named.contains(r#""authorization: Bearer $PLANTS_TOKEN""#), "{named}");
    }

    #[test]
    fn without_a_request_there_is_no_command() {
        let id = OperationId { origin: 1, number: 1 };
        let operation = Operation::new(id, OperationKind::Delete(PlantId(7)), Timestamp(0));
        let exchange = Exchange::failed(operation, FailureKind::NotRecorded, String::new(), Timestamp(0));
        assert_eq!(command(&exchange, &"https://h".parse().unwrap()), Err(NoCommand::NotKept));
    }

    #[test]
    fn each_outcome_has_a_caution_of_its_own() {
        let said: std::collections::HashSet<_> = Outcome::ALL.into_iter().map(caution).collect();
        assert_eq!(said.len(), Outcome::ALL.len());
    }
}
