//! Formats requests and responses as text on the wire: the first line, the headers, the body.
//!
//! The text is raw: a caller that shows it must clean it first.

use std::borrow::Cow;

use super::{Header, Plant, Request, Response};

/// Replaces a credential.
pub const MASKED: &str = "********";

/// What the names of headers contain whose values may be credentials.
const SECRET: [&str; 5] = ["authorization", "cookie", "token", "secret", "api-key"];

/// What the names of headers contain whose values may be URLs without a scheme.
const OF_URLS: [&str; 4] = ["location", "link", "refresh", "referer"];

/// Formats the body of a request to add a plant (`interface.md` §4.1): name, id, tag, without white space.
pub fn request_body(plant: &Plant) -> String {
    serde_json::to_string(plant).unwrap_or_else(|_| unreachable!("a plant is always JSON"))
}

/// A request or a response as text on the wire.
#[derive(Debug)]
pub struct HttpMessage<'a> {
    /// `POST /plants HTTP/1.1`; `HTTP/1.1 201 Created`, or `HTTP/1.1 201` without a reason phrase.
    pub first: String,
    pub headers: &'a [Header],
    /// Empty without one.
    pub body: &'a [u8],
}

impl<'a> From<&'a Request> for HttpMessage<'a> {
    fn from(request: &'a Request) -> Self {
        let first = format!("{} {} HTTP/1.1", request.method.word(), request.target);
        Self { first, headers: &request.headers, body: request.body.as_deref().unwrap_or_default().as_bytes() }
    }
}

impl<'a> From<&'a Response> for HttpMessage<'a> {
    fn from(response: &'a Response) -> Self {
        let Response { version, status, reason, .. } = response;
        let space = if reason.is_empty() { "" } else { " " };
        let first = format!("{version} {status}{space}{reason}");
        Self { first, headers: &response.headers, body: &response.body }
    }
}

/// Formats `content-type: application/json`. Only the token is masked, since it is masked in [`Header`].
pub fn header_line(header: &Header) -> String {
    format!("{}: {}", header.name, header.value)
}

/// Formats as [`header_line`] does, for sharing: every possible credential is masked.
pub fn masked_header_line(header: &Header) -> String {
    format!("{}: {}", header.name, masked_value(header))
}

/// Returns the value of a header, for sharing: every possible credential is masked. One that was masked before keeps its
/// scheme.
pub fn masked_value(header: &Header) -> Cow<'_, str> {
    let (name, value) = (header.name.trim().to_ascii_lowercase(), &header.value);
    let has_one_of = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if value.strip_suffix(MASKED).is_some_and(|scheme| ["Bearer ", "Basic "].contains(&scheme)) {
        value.into()
    } else if name.starts_with("proxy-") || has_one_of(&SECRET) {
        MASKED.into()
    } else if value.contains("://") || has_one_of(&OF_URLS) {
        masked_urls(value).into()
    } else {
        value.into()
    }
}

/// Masks what may be a credential in the URLs of a text: user and password, query and fragment.
pub fn masked_urls(text: &str) -> String {
    // None of these is in a URL.
    const BETWEEN: [char; 4] = [' ', '"', '<', '>'];
    let masked = |piece: &str| {
        let url = piece.trim_end_matches(BETWEEN);
        let (before, after) = url.split_at(url.find(['?', '#']).map_or(url.len(), |at| at + 1));
        let (scheme, rest) = before.split_at(before.find("//").map_or(0, |at| at + 2));
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host =
            authority.rsplit_once('@').filter(|_| !scheme.is_empty()).map(|(_, host)| format!("{MASKED}@{host}"));
        let (host, after) = (host.as_deref().unwrap_or(authority), if after.is_empty() { after } else { MASKED });
        [scheme, host, path, after, piece.strip_prefix(url).unwrap_or_default()].concat()
    };
    text.split_inclusive(BETWEEN).map(masked).collect()
}

/// Formats the whole request: request line, headers, a blank line, the body; lines end in `\n`.
pub fn request_text(request: &Request) -> String {
    let mut lines = vec![HttpMessage::from(request).first];
    lines.extend(request.headers.iter().map(header_line));
    format!("{}\n\n{}", lines.join("\n"), request.body.as_deref().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{BodyEnd, Method, PlantId};

    fn header(name: &str, value: &str) -> Header {
        Header { name: name.into(), value: value.into() }
    }

    fn response(reason: &str) -> Response {
        Response {
            status: 201,
            reason: reason.to_owned().into(),
            version: "HTTP/1.1".into(),
            headers: Arc::default(),
            body: vec![],
            body_end: BodyEnd::Complete,
        }
    }

    #[test]
    fn the_body_of_an_add_has_the_fields_in_the_order_of_the_document() {
        let plant = Plant { name: "\"Fern\"\u{1}".into(), id: PlantId(-7), tag: "🌱".into() };
        assert_eq!(request_body(&plant), r#"{"name":"\"Fern\"\u0001","id":-7,"tag":"🌱"}"#);
    }

    #[test]
    fn a_status_line_without_a_reason_ends_with_the_code() {
        assert_eq!(HttpMessage::from(&response("Created")).first, "HTTP/1.1 201 Created");
        assert_eq!(HttpMessage::from(&response("")).first, "HTTP/1.1 201");
    }

    #[test]
    fn request_text_is_headers_a_blank_line_and_the_body() {
        let mut request = Request {
            method: Method::Post,
            url: "https://h/plants".into(),
            target: "/plants".into(),
            headers: [header("host", "h"), header("Accept", "")].into(),
            body: Some("{}\n".into()),
        };
        assert_eq!(request_text(&request), "POST /plants HTTP/1.1\nhost: h\nAccept: \n\n{}\n");
        request.headers = Arc::default();
        request.body = None;
        assert_eq!(request_text(&request), "POST /plants HTTP/1.1\n\n");
    }

    #[test]
    fn masked_header_lines_hide_every_credential() {
        for name in ["Authorization", "Set-Cookie", "proxy-status", "X-Auth-Token", "client-SECRET", "x-api-key"] {
            assert_eq!(masked_header_line(&header(name, "canary")), format!("{name}: ********"));
            assert_eq!(header_line(&header(name, "canary")), format!("{name}: canary"));
        }
        for value in ["Bearer ********", "Basic ********"] {
            assert_eq!(masked_value(&header("authorization", value)), value);
        }
        assert_eq!(masked_value(&header("authorization", "canary ********")), MASKED);
        for name in ["www-authenticate", "location", "retry-after"] {
            assert_eq!(masked_header_line(&header(name, "canary")), format!("{name}: canary"));
        }
        for (name, sent, shown) in [
            ("Location", "https://ann:canary@h:1/a@b?t=canary#canary", "https://********@h:1/a@b?********"),
            ("location", "//canary@h", "//********@h"),
            ("Content-Location", "plants?canary", "plants?********"),
            ("location", "/plants/7", "/plants/7"),
            ("link", "</a?canary>; rel=\"next\", <b#canary>", "</a?********>; rel=\"next\", <b#********>"),
            ("refresh", "0; url=http://canary@h?", "0; url=http://********@h?"),
            ("x-from", "see https://h/?canary", "see https://h/?********"),
            ("server", "a@b? c#", "a@b? c#"),
        ] {
            assert_eq!(masked_value(&header(name, sent)), shown);
        }
    }
}
