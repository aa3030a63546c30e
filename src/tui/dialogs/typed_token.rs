//! The text field for a token: hidden, wiped on drop, and validated.
//!
//! Must not show the token in any form.

use std::fmt;

use crate::client::Token;
use crate::tui::widgets::text_input::TextInput;

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

impl SecretInput {
    /// Returns the token for a store with this name.
    ///
    /// # Errors
    ///
    /// Why the text is no token.
    pub(super) fn token_for(&self, store: &str) -> Result<Token, String> {
        let typed = self.0.text().trim();
        if typed.is_empty() {
            return Err(format!("type the token of {store}: it goes to no other store"));
        }
        if is_web_address(typed) {
            return Err(format!("that is a URL and no token for {store}"));
        }
        Token::new(typed).map_err(|why| why.to_string())
    }
}

/// Whether a text begins like a base URL.
pub(in crate::tui) fn is_web_address(text: &str) -> bool {
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
        assert_eq!(format!("{secret:?}"), "SecretInput(********)");
        secret.token_for("the demo store").unwrap_err()
    }

    #[test]
    fn a_base_url_is_no_token() {
        assert_eq!(fault(" "), "type the token of the demo store: it goes to no other store");
        assert_eq!(fault(" HTTPS://x.example"), "that is a URL and no token for the demo store");
        assert!(fault("two words").starts_with("the token has a space"));
        assert!(SecretInput(TextInput::holding("word")).token_for("the demo store").is_ok());
    }
}
