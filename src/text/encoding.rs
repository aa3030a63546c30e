//! Bytes as a string of JSON: text as it is, other bytes in base64.

use std::borrow::Cow;

use data_encoding::BASE64;

/// The bytes as a string, and whether that is in base64, because they are no UTF-8.
pub fn text_or_base64(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.into(), false),
        Err(_) => (BASE64.encode(bytes).into(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_and_other_bytes_are_in_base64() {
        assert_eq!(text_or_base64("é\0".as_bytes()), ("é\0".into(), false));
        assert_eq!(text_or_base64(b"\xff\x00a"), ("/wBh".into(), true));
    }
}
