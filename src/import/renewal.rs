//! Fetches a new token when the store rejects the one of an import (401), as long as the store accepts rows
//! in between. Knows nothing of the rows.

use std::error::Error;
use std::future::pending;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::client::Token;

/// Why there is no new token, as a part of a sentence.
pub type RenewError = Box<dyn Error + Send + Sync>;

/// Fetches a new token from the source of the rejected one.
pub type Renew = Arc<dyn Fn() -> BoxFuture<'static, Result<Token, RenewError>> + Send + Sync>;

/// Greatest number of tokens that one import fetches.
const TOKENS: u32 = 100;

pub(super) struct Renewal {
    renew: Option<Renew>,
    fetching: Option<BoxFuture<'static, Result<Token, RenewError>>>,
    fetched: u32,
    /// Number of the last rejected token, as in [`Ended::token`](crate::worker::Ended::token).
    rejected: Option<u32>,
    /// Number of accepted rows when the last token came into use.
    accepted: u64,
}

impl Renewal {
    /// Takes `None` if the source of the token cannot give another one.
    pub(super) fn new(renew: Option<Renew>) -> Self {
        Self { renew, fetching: None, fetched: 0, rejected: None, accepted: 0 }
    }

    /// Returns whether a token replaces the rejected one, now or soon. Fetches one if needed, unless the
    /// store accepted no row with the last one. `accepted` is the number of rows accepted by now.
    pub(super) fn replaces(&mut self, rejected: u32, accepted: u64) -> bool {
        if self.rejected.is_some_and(|known| rejected <= known) {
            return true;
        }
        if self.fetching.is_none() {
            let is_useless = self.fetched > 0 && accepted <= self.accepted;
            let Some(renew) = self.renew.as_ref().filter(|_| !is_useless && self.fetched < TOKENS) else {
                return false;
            };
            self.fetching = Some(renew());
            self.fetched += 1;
        }
        self.rejected = Some(rejected);
        true
    }

    pub(super) fn is_fetching(&self) -> bool {
        self.fetching.is_some()
    }

    /// Waits for the token that is being fetched, forever if there is none.
    pub(super) async fn token(&mut self) -> Result<Token, RenewError> {
        let Some(fetching) = &mut self.fetching else { return pending().await };
        let fetched = fetching.await;
        self.fetching = None;
        fetched
    }

    /// Notes that the new token is in use, when `accepted` rows were accepted.
    pub(super) fn is_in_use(&mut self, accepted: u64) {
        self.accepted = accepted;
    }

    pub(super) fn stop(&mut self) {
        self.fetching = None;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn renewal() -> Renewal {
        let give = || async { Ok(Token::new("t").unwrap()) }.boxed();
        Renewal::new(Some(Arc::new(give)))
    }

    fn use_new(renewal: &mut Renewal, accepted: u64) {
        renewal.token().now_or_never().unwrap().unwrap();
        renewal.is_in_use(accepted);
    }

    #[test]
    fn each_token_is_replaced_once() {
        let mut renewal = renewal();
        assert!(renewal.replaces(0, 5) && renewal.is_fetching());
        assert!(renewal.replaces(0, 5), "a second rejection waits for the same token");
        use_new(&mut renewal, 5);
        assert!(renewal.replaces(0, 6) && !renewal.is_fetching(), "the new token is in use");
        assert!(renewal.replaces(1, 6) && renewal.is_fetching());
        // A person may have entered a token in the meantime, which was rejected, too.
        assert!(renewal.replaces(2, 6));
        use_new(&mut renewal, 6);
        assert!(renewal.replaces(2, 6) && !renewal.is_fetching());
    }

    #[test]
    fn no_token_is_fetched_after_one_that_was_useless() {
        let mut renewal = renewal();
        assert!(renewal.replaces(0, 0));
        use_new(&mut renewal, 0);
        assert!(!renewal.replaces(1, 0));
        assert!(!Renewal::new(None).replaces(0, 5));
    }

    #[test]
    fn an_import_fetches_a_limited_number_of_tokens() {
        let mut renewal = renewal();
        let replaced = (0..).take_while(|token| {
            let replaces = renewal.replaces(*token, u64::from(*token) + 1);
            if replaces {
                use_new(&mut renewal, u64::from(*token) + 1);
            }
            replaces
        });
        assert_eq!(replaced.count(), TOKENS as usize);
    }
}
