//! The JSON of one exchange with both messages. The field names are a public interface.
//!
//! Credentials are masked.

use std::borrow::Cow;

use serde::Serialize;

use crate::domain::sentence::body_ended;
use crate::domain::wire::{self, HttpMessage};
use crate::domain::{Exchange, Header, Response};
use crate::text::encoding::text_or_base64;

/// `request` and `response`, to be flattened into the JSON of an entry; null where there is none.
#[derive(Debug, Serialize)]
pub(super) struct Messages<'a> {
    request: Option<Message<'a>>,
    response: Option<Message<'a>>,
}

#[derive(Debug, Serialize)]
struct Message<'a> {
    #[serde(flatten)]
    first: First<'a>,
    headers: Vec<[Cow<'a, str>; 2]>,
    /// Null without a body.
    body: Option<Cow<'a, str>>,
    /// `base64` for a body that is no UTF-8; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    body_encoding: Option<&'static str>,
    /// Why the body of a response is incomplete; left out of a complete one.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum First<'a> {
    Request { method: &'static str, url: &'a str },
    Response { version: &'a str, status: u16, reason: &'a str },
}

impl<'a> Messages<'a> {
    pub(super) fn of(exchange: &'a Exchange) -> Self {
        Self {
            request: exchange.request.as_ref().map(|request| {
                let first = First::Request { method: request.method.word(), url: &request.url };
                Message::of(first, &request.into(), None)
            }),
            response: exchange.response().map(|response| {
                let Response { version, status, reason, .. } = response;
                let first = First::Response { version, status: *status, reason };
                Message::of(first, &response.into(), body_ended(&response.body_end))
            }),
        }
    }
}

impl<'a> Message<'a> {
    fn of(first: First<'a>, message: &HttpMessage<'a>, incomplete: Option<String>) -> Self {
        let masked = |header: &'a Header| [header.name.as_str().into(), wire::masked_value(header)];
        let (body, is_base64) = text_or_base64(message.body);
        Self {
            first,
            headers: message.headers.iter().map(masked).collect(),
            body: Some(body).filter(|body| !body.is_empty()),
            body_encoding: is_base64.then_some("base64"),
            incomplete,
        }
    }
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
