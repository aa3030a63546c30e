//! Formats requests and responses as text on the wire: the first line, the headers, the body.
//!
//! The text is raw: a caller that shows it must clean it first.

use super::exchange::{Header, Request, Response};
use super::plant::Plant;

/// Replaces a credential.
pub const MASKED: &str = "********";

/// Formats the body of a request to add a plant (`interface.md` §4.1): name, id, tag, without white space.
pub fn request_body(plant: &Plant) -> String {
    serde_json::to_string(plant).unwrap_or_else(|_| unreachable!("a plant is always JSON"))
}

/// Formats `POST /plants HTTP/1.1`.
pub fn request_line(request: &Request) -> String {
    format!("{} {} HTTP/1.1", request.method.word(), request.target)
}

/// Formats `HTTP/1.1 201 Created`, or `HTTP/1.1 201` without a reason phrase.
pub fn status_line_text(response: &Response) -> String {
    let Response { version, status, reason, .. } = response;
    if reason.is_empty() { format!("{version} {status}") } else { format!("{version} {status} {reason}") }
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
pub fn masked_value(header: &Header) -> &str {
    let is_masked = header.value.strip_suffix(MASKED).is_some_and(|scheme| ["Bearer ", "Basic "].contains(&scheme));
    if is_secret(&header.name) && !is_masked { MASKED } else { &header.value }
}

/// Formats the whole request: request line, headers, a blank line, the body; lines end in `\n`.
pub fn request_text(request: &Request) -> String {
    let mut lines = vec![request_line(request)];
    lines.extend(request.headers.iter().map(header_line));
    format!("{}\n\n{}", lines.join("\n"), request.body.as_deref().unwrap_or_default())
}

/// Whether a header may contain a credential.
fn is_secret(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    name.starts_with("proxy-")
        || ["authorization", "cookie", "token", "secret", "api-key"].iter().any(|word| name.contains(word))
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
        assert_eq!(status_line_text(&response("Created")), "HTTP/1.1 201 Created");
        assert_eq!(status_line_text(&response("")), "HTTP/1.1 201");
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
    }
}
