//! Holds the headers that a gateway before the store asks for: their names, and their values, which cannot be printed.
//!
//! A value leaves only as a header value marked sensitive, as the token does, and its memory is wiped. Must not know
//! where a value comes from.

use std::fmt;
use std::str::FromStr;

use reqwest::header::{HeaderName, HeaderValue};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::domain::wire::MASKED;

/// Headers that the program sets itself, or that change how a message is read.
const RESERVED: &str = "accept accept-encoding authorization connection content-encoding content-length content-type \
    expect host http2-settings keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer \
    transfer-encoding upgrade user-agent via";

/// The name of a header that a person may add, in lower case, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldName(HeaderName);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FieldNameFault {
    #[error("this is no name of a header: letters, digits and -, like X-Api-Key")]
    Invalid,
    #[error("the program sets this header itself: leave it out")]
    Reserved,
}

impl FromStr for FieldName {
    type Err = FieldNameFault;

    fn from_str(raw: &str) -> Result<Self, FieldNameFault> {
        let name = HeaderName::from_bytes(raw.as_bytes()).map_err(|_| FieldNameFault::Invalid)?;
        if RESERVED.split(' ').any(|reserved| name == reserved) {
            Err(FieldNameFault::Reserved)
        } else {
            Ok(Self(name))
        }
    }
}

impl FieldName {
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// A header with a secret value: visible ASCII, and spaces between.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretHeader {
    name: FieldName,
    value: Zeroizing<String>,
}

/// Why a text cannot be the value of a header. Never contains the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HeaderValueFault {
    #[error("the value is empty: give one, or leave the header out")]
    Empty,
    #[error("the value has a line break or a control character inside: it must be one line of visible ASCII")]
    Control,
    #[error("the value has a character outside ASCII: it must be one line of visible ASCII")]
    NotAscii,
}

impl fmt::Debug for SecretHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretHeader({}: {MASKED})", self.name.as_str())
    }
}

impl SecretHeader {
    /// Strips surrounding white space from the content of a file, a variable or the output of a program.
    ///
    /// # Errors
    ///
    /// If the rest cannot be the value of a header.
    pub fn new(name: FieldName, raw: &str) -> Result<Self, HeaderValueFault> {
        let value = raw.trim_matches(|c: char| c.is_ascii_whitespace());
        if value.is_empty() {
            return Err(HeaderValueFault::Empty);
        }
        if value.chars().any(char::is_control) {
            return Err(HeaderValueFault::Control);
        }
        if !value.is_ascii() {
            return Err(HeaderValueFault::NotAscii);
        }
        Ok(Self { name, value: Zeroizing::new(value.to_owned()) })
    }

    pub(super) fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the value, for finding it where it must not appear.
    pub(super) fn reveal(&self) -> &str {
        &self.value
    }

    /// Returns the value to send, marked sensitive.
    pub(super) fn value(&self) -> HeaderValue {
        sensitive(&self.value)
    }
}

/// Returns a header value of visible ASCII, marked sensitive.
pub(super) fn sensitive(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).unwrap_or_else(|_| unreachable!("a secret is visible ASCII"));
    value.set_sensitive(true);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(raw: &str) -> Result<SecretHeader, HeaderValueFault> {
        SecretHeader::new("X-Api-Key".parse().unwrap(), raw)
    }

    #[test]
    fn a_name_is_one_of_a_header_that_the_program_does_not_set() {
        for raw in ["X-Api-Key", "cf-access-client-id", "Cookie", "x_1"] {
            assert_eq!(raw.parse::<FieldName>().unwrap().as_str(), raw.to_ascii_lowercase());
        }
        for raw in ["", "X Api", "X-Api:", "é", "x\n", "(x)"] {
            assert_eq!(raw.parse::<FieldName>().unwrap_err(), FieldNameFault::Invalid, "{raw:?}");
        }
        for raw in RESERVED.split(' ') {
            assert_eq!(raw.to_ascii_uppercase().parse::<FieldName>().unwrap_err(), FieldNameFault::Reserved, "{raw}");
        }
    }

    #[test]
    fn an_invalid_value_is_rejected_without_being_repeated() {
        assert_eq!(made(" Basic a b\r\n").unwrap().reveal(), "Basic a b");
        for (raw, fault) in [
            (" \n", HeaderValueFault::Empty),
            ("a\nb", HeaderValueFault::Control),
            ("a\u{1b}b", HeaderValueFault::Control),
            ("a\u{7f}", HeaderValueFault::Control),
            ("sécret", HeaderValueFault::NotAscii),
        ] {
            assert_eq!(made(raw).unwrap_err(), fault, "{raw:?}");
        }
    }

    #[test]
    fn a_value_cannot_be_printed() {
        let header = made("canary").unwrap();
        assert_eq!(format!("{header:?} {:?}", header.value()), "SecretHeader(x-api-key: ********) Sensitive");
    }
}
