//! The path of a file that was dropped onto a terminal: each terminal writes it in another form.

use percent_encoding::percent_decode_str;

/// Returns the path in a text that a terminal writes for a dropped file: in quotes, with backslashes, as a `file://` URL,
/// with a blank at its end. `None` if the text is a path as it is.
pub fn dropped_path(text: &str) -> Option<String> {
    let trimmed = text.trim();
    let path = of_url(trimmed).or_else(|| of_shell(trimmed)).unwrap_or_else(|| trimmed.to_owned());
    (path != text && !path.is_empty()).then_some(path)
}

fn of_url(text: &str) -> Option<String> {
    let rest = text.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    decoded.starts_with('/').then_some(decoded)
}

/// Reads one word as a shell does; `None` if there are several.
fn of_shell(text: &str) -> Option<String> {
    let mut words = shlex::split(text)?;
    words.pop().filter(|_| words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_dropped_path_is_read() {
        const PATH: &str = "/home/ann/my \"best\" it's.csv";
        for text in [
            r#"'/home/ann/my "best" it'\''s.csv'"#,
            r#"'/home/ann/my "best" it'\''s.csv' "#,
            r#"'/home/ann/my "best" it'"'"'s.csv'"#,
            r#"/home/ann/my\ \"best\"\ it\'s.csv "#,
            r#""/home/ann/my \"best\" it's.csv""#,
            "file:///home/ann/my%20%22best%22%20it%27s.csv",
            "file://localhost/home/ann/my%20%22best%22%20it's.csv\n",
            "/home/ann/my \"best\" it's.csv ",
        ] {
            assert_eq!(dropped_path(text).as_deref(), Some(PATH), "{text}");
        }
        for path in [PATH, "/a b/c.csv", "a.csv", "", " ", "file://other/a", "file:a"] {
            let read = dropped_path(path);
            assert!(read.is_none() || path.trim() != path, "{path}: {read:?}");
        }
        assert_eq!(dropped_path("~/a.csv "), Some("~/a.csv".to_owned()));
    }
}
