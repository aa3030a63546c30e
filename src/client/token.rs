//! Holds the access token: the one type that contains the token, and that cannot be printed.
//!
//! The token never appears in a `Display`, a `Debug`, a clone of its text or a JSON value. It leaves only as a
//! header value marked sensitive (`interface.md` §5), and its memory is wiped. Must not know where the token
//! comes from.

use std::fmt;
use std::sync::Arc;

use reqwest::header::HeaderValue;
use thiserror::Error;
use zeroize::Zeroizing;

use super::secret_header::sensitive;

/// An access token that can be sent: one or more visible ASCII characters.
///
/// Real tokens go beyond the `b64token` of RFC 6750, so nothing else is required. A clone [is](Self::is) the same token; one
/// that is typed or read again is another, with equal text.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Arc<Zeroizing<String>>);

/// Why a text cannot be a token. Never contains the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenFault {
    #[error("the token is empty: give one")]
    Empty,
    #[error("the token has a space or line break inside: it must be one unbroken word")]
    Space,
    #[error("the token contains a control character: it must be visible ASCII characters")]
    Control,
    #[error("the token contains a character outside ASCII: it must be visible ASCII characters")]
    NotAscii,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(********)")
    }
}

impl Token {
    /// Strips surrounding white space and one pasted `Bearer ` prefix from a typed text or file content.
    ///
    /// # Errors
    ///
    /// If the rest cannot be a header value.
    pub fn new(raw: &str) -> Result<Self, TokenFault> {
        let trimmed = raw.trim_matches(|c: char| c.is_ascii_whitespace());
        let bare = match trimmed.split_at_checked("bearer".len()) {
            Some((scheme, rest))
                if scheme.eq_ignore_ascii_case("bearer") && (rest.is_empty() || rest.starts_with([' ', '\t'])) =>
            {
                rest.trim_ascii_start()
            }
            Some(_) | None => trimmed,
        };
        if bare.is_empty() {
            return Err(TokenFault::Empty);
        }
        if bare.chars().any(|c| matches!(c, ' ' | '\t' | '\r' | '\n')) {
            return Err(TokenFault::Space);
        }
        if bare.chars().any(char::is_control) {
            return Err(TokenFault::Control);
        }
        if !bare.is_ascii() {
            return Err(TokenFault::NotAscii);
        }
        Ok(Self(Arc::new(Zeroizing::new(bare.to_owned()))))
    }

    /// Whether both were given at once: a store that rejects a token says nothing about one that was given later.
    pub fn is(&self, other: Option<&Self>) -> bool {
        other.is_some_and(|other| Arc::ptr_eq(&self.0, &other.0))
    }

    /// Returns the value of an `Authorization` header with this scheme, marked sensitive.
    pub(super) fn under(&self, scheme: &str) -> HeaderValue {
        sensitive(&Zeroizing::new(format!("{scheme} {}", self.0.as_str())))
    }

    /// Returns the text, for starting the demo store and for finding the token where it must not appear.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_a_pasted_scheme_are_stripped() {
        for raw in ["abc", " abc\n", "Bearer abc", "bearer \t abc\r\n"] {
            assert_eq!(Token::new(raw).unwrap().under("Bearer"), "Bearer abc", "{raw:?}");
        }
        assert_eq!(Token::new("bearerabc").unwrap().under("Bearer"), "Bearer bearerabc");
    }

    #[test]
    fn an_invalid_token_is_rejected_without_being_repeated() {
        for (raw, fault) in [
            ("", TokenFault::Empty),
            (" \n", TokenFault::Empty),
            ("Bearer ", TokenFault::Empty),
            ("a b", TokenFault::Space),
            ("a\nb", TokenFault::Space),
            ("a\u{1b}b", TokenFault::Control),
            ("a\u{7f}", TokenFault::Control),
            ("sécret", TokenFault::NotAscii),
        ] {
            assert_eq!(Token::new(raw).unwrap_err(), fault, "{raw:?}");
        }
    }

    #[test]
    fn a_token_cannot_be_printed() {
        let token = Token::new("canary").unwrap();
        assert!(!format!("{token:?} {:?}", token.under("Bearer")).contains("canary"));
        assert_eq!(token.reveal(), "canary");
    }
}
