//! The stores that can be opened: named ones, and base URLs from the journal.

use crate::client::Token;
use crate::config::{ConnectionTarget, KnownStore};
use crate::domain::StoreUrl;

#[derive(Debug, Clone, Default)]
pub struct Stores {
    pub known: Vec<KnownStore>,
    /// Base URLs in the journal, newest first.
    pub recent: Vec<StoreUrl>,
    /// The target that the open store was opened with.
    pub here: ConnectionTarget,
    /// The target that is being opened.
    pub connecting: Option<ConnectionTarget>,
    /// The profile that was saved last, and what a message says about it, until a store is opened.
    pub saved: Option<(ConnectionTarget, String)>,
    /// The tokens that a person typed, each for its store, until the program ends.
    typed: Vec<(StoreUrl, Token)>,
}

impl Stores {
    pub fn at(here: ConnectionTarget) -> Self {
        Self { here, ..Self::default() }
    }

    pub fn keep_token(&mut self, store: &StoreUrl, token: &Token) {
        self.forget_token(store);
        self.typed.push((store.clone(), token.clone()));
    }

    pub fn forget_token(&mut self, store: &StoreUrl) {
        self.typed.retain(|(other, _)| other != store);
    }

    /// Returns the token that a person typed for a store.
    pub fn typed_token(&self, store: &StoreUrl) -> Option<&Token> {
        self.typed.iter().find(|(other, _)| other == store).map(|(_, token)| token)
    }

    pub fn is_here(&self, store: &KnownStore) -> bool {
        store.target == self.here
    }

    /// Returns the name of a store in messages, with its base URL.
    pub fn name(&self, target: &ConnectionTarget) -> String {
        let known = self.known.iter().find(|store| store.target == *target);
        match (target, known) {
            (ConnectionTarget::Demo, _) => "the demo store".to_owned(),
            (ConnectionTarget::BaseUrl(other), _) => other.url.to_string(),
            (_, Some(KnownStore { name, base_url: Some(url), .. })) => format!("{name} ({url})"),
            (_, Some(KnownStore { name, base_url: None, .. })) | (ConnectionTarget::Profile(name), None) => {
                name.clone()
            }
            (ConnectionTarget::Start, None) => "the first store".to_owned(),
        }
    }

    /// Returns the message while a store is being opened; `stop` is the key that stops it.
    pub fn opening(&self, target: &ConnectionTarget, stop: &str) -> String {
        let store = self.name(target);
        format!("Opening {store}; the current store stays open until then. {stop} stops waiting.")
    }
}
