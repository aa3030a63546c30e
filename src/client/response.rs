//! Reads a response: status line, headers, and the body up to a cap.
//!
//! The status line is already received, so nothing here changes the outcome: an incomplete body is noted in
//! the response. Must not know what a status proves.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use hyper::ext::ReasonPhrase;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use crate::domain::exchange::JSON;
use crate::domain::wire::MASKED;
use crate::domain::{BodyEnd, Header, Response};
use crate::text::decoded;

use super::error_text::describe;
use super::mask::Secrets;
use super::request::header;

/// Reads at most `cap` bytes of the body, until `stop` returns a reason to stop.
///
/// Masks secrets everywhere in the response, since some servers echo their requests.
pub(super) async fn read(
    response: reqwest::Response,
    cap: usize,
    secrets: &Secrets,
    stop: impl Future<Output = String>,
) -> Response {
    let status = response.status().as_u16();
    let reason = reason_of(&response, secrets);
    let version = format!("{:?}", response.version()).into();
    let headers = headers_of(response.headers(), secrets);
    let (mut body, body_end) = read_body(response, cap, stop).await;
    if body_end != BodyEnd::Complete {
        secrets.mask_cut(&mut body);
    }
    secrets.mask_in(&mut body);
    Response { status, reason, version, headers, body, body_end }
}

/// Returns the reason phrase; hyper stores a phrase only if it is not the usual one of its status, which is no secret.
fn reason_of(response: &reqwest::Response, secrets: &Secrets) -> Cow<'static, str> {
    match response.extensions().get::<ReasonPhrase>() {
        Some(sent) => secrets.masked(decoded(sent.as_bytes())).into(),
        None => response.status().canonical_reason().unwrap_or_default().into(),
    }
}

/// The most bytes of all names and values that are stored of a response.
const HEADERS_CAP: usize = 64 * 1024;

/// Ends a value that is not stored whole.
const CUT: &str = "…";

/// Returns the headers of a response, with secrets masked. If they exceed the cap, the longest ones are cut.
fn headers_of(received: &HeaderMap, secrets: &Secrets) -> Arc<[Header]> {
    let shown = |(name, sent): (&HeaderName, &HeaderValue)| {
        let value = decoded(sent.as_bytes());
        if *name == CONTENT_TYPE {
            return header(name.as_str(), masked_type(&value, secrets));
        }
        let value = if secrets.are_after(name.as_str()) { MASKED.to_owned() } else { secrets.masked(value) };
        // The library converts names to lower case.
        header(&secrets.masked(name.as_str().to_owned()), value)
    };
    let mut headers: Vec<_> = received.iter().map(shown).collect();
    let length = |header: &Header| header.name.len() + header.value.len();
    let mut limit = HEADERS_CAP;
    while headers.iter().map(|header| length(header).min(limit)).sum::<usize>() > HEADERS_CAP {
        limit /= 2;
    }
    headers.retain_mut(|header| length(header) <= limit || cut(header, limit));
    headers.into()
}

/// Masks secrets in a media type, except in the one of the document (`interface.md` §2), which tells none: a token may be
/// a word of it.
fn masked_type(value: &str, secrets: &Secrets) -> String {
    let documented = value.split_at_checked(JSON.len()).filter(|(begin, _)| begin.eq_ignore_ascii_case(JSON));
    let (documented, rest) = documented.unwrap_or(("", value));
    format!("{documented}{}", secrets.masked(rest.to_owned()))
}

/// Shortens a header to so many bytes. Returns whether there is space for more than its name.
fn cut(header: &mut Header, limit: usize) -> bool {
    let Some(room) = limit.checked_sub(header.name.len() + CUT.len()) else { return false };
    let end = (0..=room).rfind(|at| header.value.is_char_boundary(*at)).unwrap_or_default();
    header.value.truncate(end);
    header.value.push_str(CUT);
    true
}

async fn read_body(
    mut response: reqwest::Response,
    cap: usize,
    stop: impl Future<Output = String>,
) -> (Vec<u8>, BodyEnd) {
    let mut stop: Pin<&mut _> = std::pin::pin!(stop);
    let mut body = Vec::new();
    loop {
        let next = tokio::select! {
            biased;
            next = response.chunk() => next,
            why = &mut stop => return (body, BodyEnd::CutOff(why)),
        };
        match next {
            Ok(None) => return (body, BodyEnd::Complete),
            Ok(Some(bytes)) => {
                let room = cap - body.len();
                body.extend_from_slice(bytes.get(..room).unwrap_or(&bytes));
                if bytes.len() > room {
                    return (body, BodyEnd::Capped(cap));
                }
            }
            Err(error) => return (body, BodyEnd::CutOff(describe(&error.without_url()))),
        }
    }
}
