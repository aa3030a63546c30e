//! A token as a person types it: hidden, wiped, and never mistaken for the base URL it belongs to.

use std::fmt;

use super::widgets::text_input::TextInput;
use crate::client::{Token, TokenFault};

/// A field for a token. Never printed, and overwritten when it is dropped.
#[derive(Default, Clone, PartialEq, Eq)]
pub(super) struct SecretInput(pub TextInput);

impl fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretInput(********)")
    }
}

impl Drop for SecretInput {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// Why what was typed is no token for a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoToken {
    Empty { store: String },
    IsUrl { store: String },
    Invalid(TokenFault),
}

impl fmt::Display for NoToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { store } => write!(f, "no token is typed for {store}: it goes there and to no other store"),
            Self::IsUrl { store } => write!(f, "that is a URL and no token for {store}"),
            Self::Invalid(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for NoToken {}

impl SecretInput {
    /// The token that was typed for this store, as sentences call that.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn token_for(&self, store: &str) -> Result<Token, NoToken> {
        let typed = self.0.text().trim();
        if typed.is_empty() {
            return Err(NoToken::Empty { store: store.to_owned() });
        }
        if is_web_address(typed) {
            return Err(NoToken::IsUrl { store: store.to_owned() });
        }
        Token::new(typed).map_err(NoToken::Invalid)
    }
}

/// Whether a text begins as a base URL does.
pub(super) fn is_web_address(text: &str) -> bool {
    let text = text.trim_start();
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(typed: &str) -> String {
        let secret = SecretInput(TextInput::holding(typed));
        assert!(!format!("{secret:?}").contains("word"));
        secret.token_for("the demo store").unwrap_err().to_string()
    }

    #[test]
    fn a_token_is_told_from_a_base_url() {
        assert_eq!(fault(" "), "no token is typed for the demo store: it goes there and to no other store");
        assert_eq!(fault(" HTTPS://x.example"), "that is a URL and no token for the demo store");
        assert!(fault("two words").starts_with("the token has a space"));
        assert!(SecretInput(TextInput::holding("word")).token_for("the demo store").is_ok());
    }
}
