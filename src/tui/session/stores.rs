//! The stores that can be opened: those with a name, and base URLs that the journal knows.

use crate::config::{ConnectionTarget, KnownStore};
use crate::domain::StoreUrl;

/// What the connection picker offers, and what is being opened.
#[derive(Debug, Clone)]
pub struct Stores {
    pub known: Vec<KnownStore>,
    /// Newest first.
    pub recent: Vec<StoreUrl>,
    /// What opened the store that is open.
    pub here: ConnectionTarget,
    /// What is being opened.
    pub connecting: Option<ConnectionTarget>,
}

impl Stores {
    pub fn at(here: ConnectionTarget) -> Self {
        Self { known: Vec::new(), recent: Vec::new(), here, connecting: None }
    }

    pub fn is_here(&self, store: &KnownStore) -> bool {
        store.target == self.here
    }

    /// What a store is called in a sentence: its name and its base URL.
    pub fn in_words(&self, target: &ConnectionTarget) -> String {
        let known = self.known.iter().find(|store| store.target == *target);
        match (target, known) {
            (ConnectionTarget::Demo, _) => "the demo store".to_owned(),
            (ConnectionTarget::BaseUrl(other), _) => other.url.to_string(),
            (_, Some(KnownStore { name, base_url: Some(url), .. })) => format!("{name} ({url})"),
            (_, Some(KnownStore { name, base_url: None, .. })) | (ConnectionTarget::Profile(name), None) => {
                name.clone()
            }
            (ConnectionTarget::Start, None) => "the store of the start".to_owned(),
        }
    }

    /// What is said while a store is being opened.
    pub fn opening(&self, target: &ConnectionTarget, stop: &str) -> String {
        let store = self.in_words(target);
        format!("Opening {store}; until that is done everything stays as it is. {stop} stops waiting.")
    }
}
