//! Other tokens for an import whose token the store rejects (401), from where the rejected one came.
//!
//! Fetches one after each token that was rejected, as long as the store accepts rows in between. Knows
//! nothing of the rows.

use std::error::Error;
use std::future::pending;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::client::Token;

/// Why there is no other token, as the end of a sentence.
pub type RenewError = Box<dyn Error + Send + Sync>;

/// Fetches another token where the rejected one came from.
pub type Renew = Arc<dyn Fn() -> BoxFuture<'static, Result<Token, RenewError>> + Send + Sync>;

/// Tokens that one import fetches at most.
const TOKENS: u32 = 100;

pub(super) struct Renewal {
    renew: Option<Renew>,
    fetching: Option<BoxFuture<'static, Result<Token, RenewError>>>,
    fetched: u32,
    /// The last token that was rejected, counted as [`Ended::token`](crate::worker::Ended::token) is.
    rejected: Option<u32>,
    /// Rows that were accepted when the last token came.
    accepted: u64,
}

impl Renewal {
    /// `None` for a token that has no source to ask again.
    pub(super) fn new(renew: Option<Renew>) -> Self {
        Self { renew, fetching: None, fetched: 0, rejected: None, accepted: 0 }
    }

    /// Returns whether there is another token than the one that was rejected, or will be: begins to fetch
    /// one, unless the last one brought nothing. `accepted` rows have been accepted by now.
    pub(super) fn replaces(&mut self, rejected: u32, accepted: u64) -> bool {
        if self.rejected.is_some_and(|known| rejected <= known) {
            return true;
        }
        if self.fetching.is_none() {
            let is_in_vain = self.fetched > 0 && accepted <= self.accepted;
            let Some(renew) = self.renew.as_ref().filter(|_| !is_in_vain && self.fetched < TOKENS) else {
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

    /// Waits for the token that is being fetched; for ever where none is.
    pub(super) async fn token(&mut self) -> Result<Token, RenewError> {
        let Some(fetching) = &mut self.fetching else { return pending().await };
        let fetched = fetching.await;
        self.fetching = None;
        fetched
    }

    /// Notes that the token that came is in use.
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

    fn comes(renewal: &mut Renewal, accepted: u64) {
        renewal.token().now_or_never().unwrap().unwrap();
        renewal.is_in_use(accepted);
    }

    #[test]
    fn each_token_is_replaced_once() {
        let mut renewal = renewal();
        assert!(renewal.replaces(0, 5) && renewal.is_fetching());
        assert!(renewal.replaces(0, 5), "what is being fetched is waited for");
        comes(&mut renewal, 5);
        assert!(renewal.replaces(0, 6) && !renewal.is_fetching(), "another is there already");
        assert!(renewal.replaces(1, 6) && renewal.is_fetching());
        // A person may give one meanwhile, which is rejected as well.
        assert!(renewal.replaces(2, 6));
        comes(&mut renewal, 6);
        assert!(renewal.replaces(2, 6) && !renewal.is_fetching());
    }

    #[test]
    fn a_token_with_which_nothing_is_accepted_is_the_last() {
        let mut renewal = renewal();
        assert!(renewal.replaces(0, 0));
        comes(&mut renewal, 0);
        assert!(!renewal.replaces(1, 0));
        assert!(!Renewal::new(None).replaces(0, 5));
    }

    #[test]
    fn tokens_are_not_fetched_without_end() {
        let mut renewal = renewal();
        let replaced = (0..).take_while(|token| {
            let replaces = renewal.replaces(*token, u64::from(*token) + 1);
            if replaces {
                comes(&mut renewal, u64::from(*token) + 1);
            }
            replaces
        });
        assert_eq!(replaced.count(), TOKENS as usize);
    }
}
