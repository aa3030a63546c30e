//! Describes how a request of the contract check deviates from the document on purpose. Must not know the rules
//! of the check.

use serde::{Deserialize, Serialize};

use super::timestamp::Timestamp;

/// The deviations of a request from the document (`interface.md` §4); the default has none. Only operations
/// of the contract check have a probe.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Probe {
    #[serde(skip_serializing_if = "is_default")]
    pub credentials: Credentials,
    #[serde(skip_serializing_if = "is_default")]
    pub media_type: MediaType,
    /// Replaces the body; need not be JSON.
    #[serde(skip_serializing_if = "is_default")]
    pub body: Option<String>,
    /// Replaces the id in the path; need not be an integer.
    #[serde(skip_serializing_if = "is_default")]
    pub path_id: Option<String>,
    /// Whether acceptance leaves open which plant was meant: an accepted add may have stored the plant under
    /// another id, and a delete names no possible plant.
    #[serde(skip_serializing_if = "is_default")]
    pub leaves_id_open: bool,
    /// When the run of the check began that sends the request; `None` before it is sent. No deviation: see
    /// [`Operation::run`](super::Operation::run).
    #[serde(skip_serializing_if = "is_default")]
    pub run: Option<Timestamp>,
    /// What the run sends the request for: the names of the rows that it decides, or its part in the run. Empty before it
    /// is sent.
    #[serde(skip_serializing_if = "is_default")]
    pub purpose: String,
}

impl Probe {
    /// Returns the deviations alone, which are the same in every run.
    #[must_use]
    pub fn deviations(&self) -> Self {
        Self { run: None, purpose: String::new(), ..self.clone() }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The `Authorization` header of a request (`interface.md` §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Credentials {
    /// `Bearer` and the token, as in the document.
    #[default]
    Token,
    /// No header.
    None,
    /// `Bearer` and a word that is not the token.
    WrongToken,
    /// `Basic` and the token.
    OtherScheme,
}

/// The `Content-Type` header of a request with a body (`interface.md` §2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaType {
    /// `application/json`, as in the document.
    #[default]
    Json,
    /// No header.
    None,
    Other(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_probe_serializes_to_nothing() {
        let default = Probe::default();
        assert_eq!(serde_json::to_string(&default).unwrap(), "{}");
        assert_eq!(serde_json::from_str::<Probe>("{}").unwrap(), default);
    }
}
