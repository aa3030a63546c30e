//! Reads one environment variable.
//!
//! Must not know which variables there are.

use std::ffi::OsString;

/// Returns the value without the CR at its end that a file of variables with CRLF leaves there.
#[expect(clippy::disallowed_methods, reason = "the only function that reads one")]
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).map(without_cr)
}

fn without_cr(value: OsString) -> OsString {
    match value.into_string() {
        Ok(mut text) => {
            text.truncate(text.trim_end_matches('\r').len());
            text.into()
        }
        Err(not_text) => not_text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os::files::testing::os_string;

    #[test]
    fn only_the_cr_at_the_end_of_a_variable_is_dropped() {
        assert_eq!(without_cr("a\r".into()), "a");
        for kept in [&b"\ra\rb "[..], b"a\r\n", b"", b"\xff\r"].map(os_string) {
            assert_eq!(without_cr(kept.clone()), kept);
        }
    }
}
