//! A request of the contract check, and how it departs from the document's on purpose.

use serde::{Deserialize, Serialize};

/// How a request departs from the one that the document has for its operation (`interface.md`
/// §4): by nothing, unless it says so. An operation that has one is the contract check's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Probe {
    /// What it presents as credentials (`interface.md` §5).
    #[serde(skip_serializing_if = "is_usual")]
    pub credentials: Credentials,
    /// What it calls its body.
    #[serde(skip_serializing_if = "is_usual")]
    pub media_type: MediaType,
    /// In place of the body of the document: perhaps no JSON.
    #[serde(skip_serializing_if = "is_usual")]
    pub body: Option<String>,
    /// In place of the id in the path: perhaps no integer.
    #[serde(skip_serializing_if = "is_usual")]
    pub path_id: Option<String>,
    /// Whether a yes to an add leaves open which id the plant has at the store, so that nobody
    /// knows whether the plant of the operation is there; and whether a delete is of no plant that
    /// there could be.
    #[serde(skip_serializing_if = "is_usual")]
    pub leaves_id_open: bool,
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What a request says of who asks (`interface.md` §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Credentials {
    /// `Bearer` and the token, as the document says.
    #[default]
    Token,
    /// No `Authorization` header.
    None,
    /// `Bearer` and another word than the token.
    WrongToken,
    /// The token, under the scheme `Basic`.
    OtherScheme,
}

/// What a request with a body says of its media type (`interface.md` §2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaType {
    /// `application/json`, as the document says.
    #[default]
    Json,
    /// Nothing: no `Content-Type` header.
    None,
    Other(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_departs_by_nothing_says_nothing() {
        let usual = Probe::default();
        assert_eq!(serde_json::to_string(&usual).unwrap(), "{}");
        assert_eq!(serde_json::from_str::<Probe>("{}").unwrap(), usual);
    }
}
