//! Finds the name that a person probably meant.

/// Bytes of a text that is still compared with the known names.
const LONGEST: usize = 40;

/// Returns the most similar of the known names, ignoring case; `None` if none is similar, as to a single letter.
pub fn similar<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(typed, known, |name| if typed.len() > 1 { 1 + name.len() / 4 } else { 0 })
}

/// Returns the most similar of the known names, ignoring case; `None` if all differ by more than so many letters.
pub fn within<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>, letters: usize) -> Option<&'a str> {
    closest(typed, known, |_| letters)
}

fn closest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>, most: impl Fn(&str) -> usize) -> Option<&'a str> {
    if typed.len() > LONGEST {
        return None;
    }
    let typed = typed.to_lowercase();
    let near = known.into_iter().map(|name| (strsim::osa_distance(&typed, &name.to_lowercase()), name));
    near.filter(|(distance, name)| *distance <= most(name)).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Returns `; did you mean …?` if a known name is similar, and nothing otherwise.
pub fn did_you_mean<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(typed, known).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_similar_name_is_suggested() {
        let known = ["base_url", "timeout", "token_file", "color"];
        assert_eq!(did_you_mean("baes_url", known), "; did you mean base_url?");
        assert_eq!(did_you_mean("base-url", known), "; did you mean base_url?");
        assert_eq!(did_you_mean("Colour", known), "; did you mean color?");
        assert_eq!(did_you_mean("time-out", known), "; did you mean timeout?");
        assert_eq!(did_you_mean("tga", ["id", "tag"]), "; did you mean tag?");
        assert_eq!(did_you_mean("flowers", known), "");
        assert_eq!(did_you_mean("y", ["q", "id"]), "");
        assert_eq!(did_you_mean(&"t".repeat(1_000_000), known), "");
        assert_eq!(within("baes_ulr", known, 2), Some("base_url"));
        assert_eq!(within("baes_ulr", known, 1), None);
    }
}
