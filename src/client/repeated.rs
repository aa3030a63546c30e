//! The parts that the requests and responses of a batch have in common, so that they are built and masked once:
//! the heads of adds, by the length of their body, and the headers of the last response of each length. Must not know
//! what is sent.

use std::collections::HashMap;
use std::sync::Arc;

use reqwest::Method;
use reqwest::header::{CONTENT_LENGTH, HeaderMap, HeaderValue};
use url::Url;

use crate::domain::{Header, Request};

use super::mask::Secrets;
use super::response::headers_of;
use super::secret_header::SecretHeader;
use super::token::Token;

/// The most lengths of bodies of requests that are remembered, and of responses.
const MOST_LENGTHS: usize = 256;

#[derive(Default)]
pub(super) struct Repeated {
    /// The token and the headers that everything here belongs to, and what is masked with them.
    belongs_to: Option<(Token, Arc<[SecretHeader]>, Arc<Secrets>)>,
    adds: HashMap<usize, Add>,
    /// By the length that the response has for its body.
    last_headers: HashMap<Option<HeaderValue>, LastHeaders>,
}

/// The headers of a response as received, and masked with these secrets.
struct LastHeaders {
    received: HeaderMap,
    secrets: Arc<Secrets>,
    masked: Arc<[Header]>,
}

/// An add without its body.
struct Add {
    shown: Request,
    sent: Option<SentHead>,
}

/// The head of a request as it is sent. Not a whole request, whose copy would allocate what it has beside its head.
struct SentHead {
    method: Method,
    url: Url,
    headers: HeaderMap,
}

impl Repeated {
    /// Returns the secrets of `token` and `headers`; forgets everything if they are others.
    pub(super) fn secrets(
        &mut self,
        token: &Token,
        headers: &Arc<[SecretHeader]>,
        collect: impl FnOnce() -> Secrets,
    ) -> Arc<Secrets> {
        match &self.belongs_to {
            Some((of, with, secrets)) if of == token && Arc::ptr_eq(with, headers) => Arc::clone(secrets),
            Some(_) | None => {
                let secrets = Arc::new(collect());
                let belongs_to = Some((token.clone(), Arc::clone(headers), Arc::clone(&secrets)));
                *self = Self { belongs_to, ..Self::default() };
                secrets
            }
        }
    }

    /// Returns an add with this body as it is shown; `build` builds it with the headers for that length.
    pub(super) fn shown(&mut self, body: String, build: impl FnOnce(String) -> Request) -> Request {
        if let Some(Add { shown, .. }) = self.adds.get(&body.len()) {
            return Request { body: Some(body), ..shown.clone() };
        }
        if self.adds.len() >= MOST_LENGTHS {
            self.adds.clear();
        }
        let length = body.len();
        let request = build(body);
        self.adds.insert(length, Add { shown: Request { body: None, ..request.clone() }, sent: None });
        request
    }

    /// Returns the request that is sent for a shown one, if a request with the same headers was sent before.
    pub(super) fn sent(&self, shown: &Request) -> Option<reqwest::Request> {
        let body = shown.body.as_ref()?;
        let head = self.adds.get(&body.len()).filter(|add| add.is_head_of(shown))?.sent.as_ref()?;
        let mut sent = reqwest::Request::new(head.method.clone(), head.url.clone());
        sent.headers_mut().clone_from(&head.headers);
        *sent.body_mut() = Some(body.clone().into());
        Some(sent)
    }

    /// Remembers the request that is sent for a shown one.
    pub(super) fn remember(&mut self, shown: &Request, sent: &reqwest::Request) {
        let length = shown.body.as_ref().map_or(0, String::len);
        let Some(add) = self.adds.get_mut(&length).filter(|add| add.is_head_of(shown)) else { return };
        let (method, url, headers) = (sent.method().clone(), sent.url().clone(), sent.headers().clone());
        add.sent = Some(SentHead { method, url, headers });
    }

    /// Returns the masked headers of a response: those of the last response of this length, if they are equal and were
    /// masked with the same secrets. A response to a request with an earlier token may come after one with a later token.
    pub(super) fn headers(&mut self, received: &HeaderMap, secrets: &Arc<Secrets>) -> Arc<[Header]> {
        let length = received.get(CONTENT_LENGTH).cloned();
        if let Some(last) = self.last_headers.get(&length)
            && Arc::ptr_eq(&last.secrets, secrets)
            // In the same order, which the equality of header maps ignores.
            && last.received.iter().eq(received)
        {
            return Arc::clone(&last.masked);
        }
        if self.last_headers.len() >= MOST_LENGTHS {
            self.last_headers.clear();
        }
        let masked = headers_of(received, secrets);
        let (received, secrets) = (received.clone(), Arc::clone(secrets));
        self.last_headers.insert(length, LastHeaders { received, secrets, masked: Arc::clone(&masked) });
        masked
    }
}

impl Add {
    fn is_head_of(&self, request: &Request) -> bool {
        Arc::ptr_eq(&self.shown.headers, &request.headers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain;

    fn token(text: &str) -> Token {
        Token::new(text).unwrap()
    }

    fn secrets(repeated: &mut Repeated, text: &str) -> Arc<Secrets> {
        let headers = repeated.belongs_to.as_ref().map_or_else(|| Arc::from([]), |(_, headers, _)| Arc::clone(headers));
        repeated.secrets(&token(text), &headers, || Secrets::sent([&token(text)], &headers, &[]))
    }

    #[test]
    fn headers_that_were_masked_with_another_token_are_masked_again() {
        let mut repeated = Repeated::default();
        let received = HeaderMap::from_iter([("x-echo".parse().unwrap(), "later-token".parse().unwrap())]);
        let earlier = secrets(&mut repeated, "earlier-token");
        let later = secrets(&mut repeated, "later-token");
        let mut echoed = |secrets| repeated.headers(&received, secrets)[0].value.clone();
        // A response to a request that was sent with the earlier token comes between those to later ones.
        assert_eq!([&earlier, &later, &earlier].map(&mut echoed), ["later-token", "***********", "later-token"]);
    }

    #[test]
    fn nothing_is_remembered_beyond_the_headers_for_a_gateway() {
        let mut repeated = Repeated::default();
        let first = secrets(&mut repeated, "a-token");
        assert!(Arc::ptr_eq(&first, &secrets(&mut repeated, "a-token")));
        let renewed = Arc::from([SecretHeader::new("x-api-key".parse().unwrap(), "another").unwrap()]);
        let collect = || Secrets::sent([&token("a-token")], &renewed, &[]);
        assert!(!Arc::ptr_eq(&first, &repeated.secrets(&token("a-token"), &renewed, collect)));
    }

    #[test]
    fn equal_headers_are_shared() {
        let mut repeated = Repeated::default();
        let secrets = secrets(&mut repeated, "a-token");
        let received = HeaderMap::from_iter([("x".parse().unwrap(), "1".parse().unwrap())]);
        let first = repeated.headers(&received, &secrets);
        assert!(Arc::ptr_eq(&first, &repeated.headers(&received, &secrets)));
        let other = HeaderMap::from_iter([("x".parse().unwrap(), "2".parse().unwrap())]);
        assert_eq!(repeated.headers(&other, &secrets)[0].value, "2");
    }

    #[test]
    fn headers_of_several_lengths_are_shared() {
        let mut repeated = Repeated::default();
        let secrets = secrets(&mut repeated, "a-token");
        let of_length = |length: usize| HeaderMap::from_iter([(CONTENT_LENGTH, length.into())]);
        let lengths = 0..MOST_LENGTHS;
        let first: Vec<_> = lengths.clone().map(|length| repeated.headers(&of_length(length), &secrets)).collect();
        for length in lengths {
            assert!(Arc::ptr_eq(&first[length], &repeated.headers(&of_length(length), &secrets)), "{length}");
        }
        repeated.headers(&of_length(MOST_LENGTHS), &secrets);
        assert_eq!(repeated.last_headers.len(), 1, "not more and more of them");
    }

    #[test]
    fn a_request_is_not_sent_with_the_token_before() {
        let mut repeated = Repeated::default();
        let build = |body: String| {
            let url = "http://h/plants".into();
            let headers = [Header { name: "host".to_owned(), value: "h".to_owned() }].into();
            Request { method: domain::Method::Post, target: "/plants".into(), url, headers, body: Some(body) }
        };
        let sent = reqwest::Request::new(reqwest::Method::POST, "http://h/plants".parse().unwrap());
        secrets(&mut repeated, "earlier-token");
        let earlier = repeated.shown("{}".to_owned(), build);
        repeated.remember(&earlier, &sent);
        let again = repeated.shown("[]".to_owned(), build);
        let body = repeated.sent(&again).unwrap().body().unwrap().as_bytes().unwrap().to_vec();
        assert_eq!(body, b"[]");
        secrets(&mut repeated, "later-token");
        let later = repeated.shown("{}".to_owned(), build);
        // Remembered too late: it has the earlier token.
        repeated.remember(&earlier, &sent);
        assert!(repeated.sent(&later).is_none() && repeated.sent(&earlier).is_none());
    }
}
