//! Recognises a report among other texts, so that a report never replaces anything but a report.

use serde_json::Value;

/// Returns whether a text is a report in any format and width.
pub fn is_report(text: &str) -> bool {
    let is_junit = || text.starts_with("<?xml ") && text.contains("<testsuites name=\"plants check\"");
    let has_fields = |json: Value| {
        ["store", "diagnosis"].iter().all(|text| json[*text].is_string())
            && ["rules", "undocumented", "leftovers"].iter().all(|list| json[*list].is_array())
    };
    let is_json = || serde_json::from_str(text).is_ok_and(has_fields);
    is_junit() || is_json() || has_introduction(text)
}

/// Whether there is the sentence of plain text and Markdown that says what was checked, where, when and with how many
/// requests. Its lines may be broken anywhere, also inside a word.
fn has_introduction(text: &str) -> bool {
    const TIME: usize = "2026-01-01T00:00:00.000Z".len();
    let text: String = text.split_whitespace().collect();
    text.match_indices("request").any(|(at, _)| {
        let before = text.split_at(at).0;
        let introduction = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let Some(rest) = introduction.strip_suffix(',').filter(|_| introduction.len() < before.len()) else {
            return false;
        };
        let time = rest.get(rest.len().saturating_sub(TIME)..).unwrap_or_default();
        time.parse::<jiff::Timestamp>().is_ok() && rest.contains("Checkat")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnosis::Finding;
    use crate::check::render::text;
    use crate::check::tests::{crooked, honest};
    use crate::check::{Format, Wanted, render};

    #[test]
    fn every_report_is_recognised_and_other_texts_are_not() {
        let mut obstacle = honest(Wanted::default());
        obstacle.diagnosis.finding = Finding::NothingListens("Connection refused".to_owned());
        obstacle.rules.clear();
        obstacle.requests = 1;
        let selected = honest(Wanted { gentle: false, only: vec!["unicode".to_owned()] });
        let mut far = crooked(Wanted { gentle: true, only: Vec::new() });
        far.store = format!("https://plants.example/{}", "a_b*c".repeat(50));
        for report in [honest(Wanted::default()), crooked(Wanted::default()), obstacle, selected, far] {
            let wrapped = [24, 80, 400].map(|columns| text::render(&report, columns));
            for text in Format::ALL.map(|format| render(&report, format, false)).into_iter().chain(wrapped) {
                assert!(is_report(&text), "{text}");
            }
        }
        for other in [
            "",
            "precious",
            "{}",
            "{\"store\":\"http://a\"}",
            "[]",
            "<?xml version=\"1.0\"?><testsuites name=\"cargo test\"></testsuites>",
            "Check at 10:00 whether 17 requests came.",
            "Check at http://a, 2026-01-01T00:00:00.000Z, many requests.",
            "Check at http://a, on Monday, 17 requests.",
            "Check at http://a, 2026-01-01T00:00:00.000Z, request 5 failed.",
            "At 2026-01-01T00:00:00.000Z, 17 requests.",
            include_str!("../../../assets/interface.md"),
        ] {
            assert!(!is_report(other), "{other}");
        }
    }
}
