//! The parts that the requests and responses of a batch have in common, so that they are built and masked once:
//! the heads of adds, by the length of their body, and the headers of the last response. Must not know what is
//! sent.

use std::collections::HashMap;
use std::sync::Arc;

use reqwest::header::HeaderMap;

use crate::domain::{Header, Request};

use super::mask::Secrets;
use super::response::headers_of;
use super::token::Token;

/// The most lengths of bodies that are remembered.
const MOST_LENGTHS: usize = 256;

#[derive(Default)]
pub(super) struct Repeated {
    /// The token that everything here belongs to, and what is masked with it.
    token: Option<(Token, Arc<Secrets>)>,
    adds: HashMap<usize, Add>,
    last_headers: Option<(HeaderMap, Arc<[Header]>)>,
}

/// An add without its body.
struct Add {
    shown: Request,
    sent: Option<reqwest::Request>,
}

impl Repeated {
    /// Returns the secrets of `token`; forgets everything if the token is another one.
    pub(super) fn secrets(&mut self, token: &Token, collect: impl FnOnce() -> Secrets) -> Arc<Secrets> {
        match &self.token {
            Some((of, secrets)) if of == token => Arc::clone(secrets),
            Some(_) | None => {
                let secrets = Arc::new(collect());
                *self = Self { token: Some((token.clone(), Arc::clone(&secrets))), ..Self::default() };
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
        let mut sent = self.adds.get(&body.len()).filter(|add| add.is_head_of(shown))?.sent.as_ref()?.try_clone()?;
        *sent.body_mut() = Some(body.clone().into());
        Some(sent)
    }

    /// Remembers the request that is sent for a shown one.
    pub(super) fn remember(&mut self, shown: &Request, sent: &reqwest::Request) {
        let length = shown.body.as_ref().map_or(0, String::len);
        let Some(add) = self.adds.get_mut(&length).filter(|add| add.is_head_of(shown)) else { return };
        add.sent = sent.try_clone().map(|mut sent| {
            *sent.body_mut() = None;
            sent
        });
    }

    /// Returns the masked headers of a response: those of the last response, if they are equal.
    pub(super) fn headers(&mut self, received: &HeaderMap, secrets: &Secrets) -> Arc<[Header]> {
        match &self.last_headers {
            // In the same order, which the equality of header maps ignores.
            Some((last, masked)) if last.iter().eq(received) => Arc::clone(masked),
            Some(_) | None => {
                let masked = headers_of(received, secrets);
                self.last_headers = Some((received.clone(), Arc::clone(&masked)));
                masked
            }
        }
    }
}

impl Add {
    fn is_head_of(&self, request: &Request) -> bool {
        Arc::ptr_eq(&self.shown.headers, &request.headers)
    }
}
