//! Fetches a new token when the store rejects the one of an import (401), as long as the store accepts rows
//! in between. Knows nothing of the rows.

use std::error::Error;
use std::future::pending;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::client::Token;

/// Why there is no new token, as a part of a sentence.
pub type RenewError = Box<dyn Error + Send + Sync>;

/// Fetches a token in place of this one from its source; the same token once more is an error.
pub type Renew = Arc<dyn Fn(Option<Token>) -> BoxFuture<'static, Result<Token, RenewError>> + Send + Sync>;

pub(super) struct Renewal {
    renew: Option<Renew>,
    pub(super) fetching: Option<BoxFuture<'static, Result<Token, RenewError>>>,
    /// Those that are replaced, or will be.
    rejected: Vec<Token>,
    /// Number of accepted rows when the last token came into use.
    pub(super) accepted: u64,
}

impl Renewal {
    /// Takes `None` if the source of the token cannot give another one.
    pub(super) fn new(renew: Option<Renew>) -> Self {
        Self { renew, fetching: None, rejected: Vec::new(), accepted: 0 }
    }

    /// Returns whether a token replaces the rejected one, now or soon. Fetches one if needed, unless the
    /// store accepted no row with the last one. `accepted` is the number of rows accepted by now.
    pub(super) fn replaces(&mut self, rejected: Option<&Token>, accepted: u64) -> bool {
        let Some(rejected) = rejected else { return false };
        if self.rejected.iter().any(|known| known.is(Some(rejected))) {
            return true;
        }
        if self.fetching.is_none() {
            let is_useless = !self.rejected.is_empty() && accepted <= self.accepted;
            let Some(renew) = self.renew.as_ref().filter(|_| !is_useless) else { return false };
            self.fetching = Some(renew(Some(rejected.clone())));
        }
        self.rejected.push(rejected.clone());
        true
    }

    /// Waits for the token that is being fetched, forever if there is none.
    pub(super) async fn token(&mut self) -> Result<Token, RenewError> {
        let Some(fetching) = &mut self.fetching else { return pending().await };
        let fetched = fetching.await;
        self.fetching = None;
        fetched
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn token() -> Token {
        Token::new("t").unwrap()
    }

    fn renewal() -> Renewal {
        Renewal::new(Some(Arc::new(|_| async { Ok(token()) }.boxed())))
    }

    fn use_new(renewal: &mut Renewal, accepted: u64) -> Token {
        let token = renewal.token().now_or_never().unwrap().unwrap();
        renewal.accepted = accepted;
        token
    }

    #[test]
    fn each_token_is_replaced_once() {
        let (mut renewal, first, typed) = (renewal(), token(), token());
        assert!(renewal.replaces(Some(&first), 5) && renewal.fetching.is_some());
        assert!(renewal.replaces(Some(&first), 5), "a second rejection waits for the same token");
        let second = use_new(&mut renewal, 5);
        assert!(renewal.replaces(Some(&first), 6) && renewal.fetching.is_none(), "the new token is in use");
        assert!(
            renewal.replaces(Some(&second), 6) && renewal.fetching.is_some(),
            "its text is the same, but it was given later"
        );
        // A person may have entered a token in the meantime, which was rejected, too.
        assert!(renewal.replaces(Some(&typed), 6));
        use_new(&mut renewal, 6);
        for old in [&first, &second, &typed] {
            assert!(renewal.replaces(Some(old), 6) && renewal.fetching.is_none());
        }
    }

    #[test]
    fn no_token_is_fetched_after_one_that_was_useless() {
        let mut renewal = renewal();
        assert!(renewal.replaces(Some(&token()), 0));
        let useless = use_new(&mut renewal, 0);
        assert!(!renewal.replaces(Some(&useless), 0));
        assert!(!Renewal::new(None).replaces(Some(&token()), 5));
    }
}
