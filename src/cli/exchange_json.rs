//! The JSON of one exchange with both messages. The field names are a public interface.
//!
//! Credentials are masked.

use std::borrow::Cow;

use serde::Serialize;

use crate::domain::sentence::body_ended;
use crate::domain::{Exchange, Header, wire};
use crate::text::encoding::text_or_base64;

/// `request` and `response`, to be flattened into the JSON of an entry; null where there is none.
#[derive(Debug, Serialize)]
pub(super) struct Messages<'a> {
    request: Option<Request<'a>>,
    response: Option<Response<'a>>,
}

#[derive(Debug, Serialize)]
struct Request<'a> {
    method: &'static str,
    url: &'a str,
    headers: Vec<[Cow<'a, str>; 2]>,
    #[serde(flatten)]
    body: Body<'a>,
}

#[derive(Debug, Serialize)]
struct Response<'a> {
    version: &'a str,
    status: u16,
    reason: &'a str,
    headers: Vec<[Cow<'a, str>; 2]>,
    #[serde(flatten)]
    body: Body<'a>,
    /// Why the body is incomplete; left out of a complete one.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
}

#[derive(Debug, Serialize)]
struct Body<'a> {
    /// Null without a body.
    body: Option<Cow<'a, str>>,
    /// `base64` for a body that is no UTF-8; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    body_encoding: Option<&'static str>,
}

impl<'a> Messages<'a> {
    pub(super) fn of(exchange: &'a Exchange) -> Self {
        Self {
            request: exchange.request.as_ref().map(|request| Request {
                method: request.method.word(),
                url: &request.url,
                headers: masked(&request.headers),
                body: Body::of(request.body.as_deref().unwrap_or_default().as_bytes()),
            }),
            response: exchange.response().map(|response| Response {
                version: &response.version,
                status: response.status,
                reason: &response.reason,
                headers: masked(&response.headers),
                body: Body::of(&response.body),
                incomplete: body_ended(&response.body_end),
            }),
        }
    }
}

impl<'a> Body<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        if bytes.is_empty() {
            return Self { body: None, body_encoding: None };
        }
        let (body, is_base64) = text_or_base64(bytes);
        Self { body: Some(body), body_encoding: is_base64.then_some("base64") }
    }
}

fn masked(headers: &[Header]) -> Vec<[Cow<'_, str>; 2]> {
    headers.iter().map(|header| [header.name.as_str().into(), wire::masked_value(header)]).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::cli::tests::exchanges;

    #[test]
    fn an_exchange_has_both_messages() {
        let [accepted, binary, cut, failed, unsent] =
            exchanges().map(|exchange| serde_json::to_value(Messages::of(&exchange)).unwrap());
        assert_eq!(
            accepted,
            json!({
                "request": {
                    "method": "POST",
                    "url": "https://h/plants",
                    "headers": [["host", "h"], ["authorization", "********"], ["x-api-key", "********"]],
                    "body": "{\"name\":\"Fern\",\"id\":7,\"tag\":\"\"}",
                },
                "response": {
                    "version": "HTTP/1.1",
                    "status": 201,
                    "reason": "Created",
                    "headers": [["content-type", "application/json"], ["set-cookie", "********"]],
                    "body": "{\n  \"id\": 7\n}\n",
                },
            })
        );
        assert_eq!(
            (&binary["response"]["body"], &binary["response"]["body_encoding"]),
            (&json!("G1sySv8A"), &json!("base64"))
        );
        let why = "The response is longer than 4 bytes; the rest was not stored.";
        assert_eq!(cut["response"]["incomplete"], why);
        assert_eq!(failed["response"], Value::Null);
        assert_eq!(unsent, json!({"request": null, "response": null}));
    }
}
