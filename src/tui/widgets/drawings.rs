//! Drawings from a file of assets: each has its name after `# `, and its rows below; `%` begins a comment.

use std::collections::BTreeMap;

/// Returns the rows of each drawing, without the bars that some stand between.
pub fn drawings(file: &'static str) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut drawings: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut name = None;
    for line in file.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            name = Some(title);
        } else if let Some(name) = name.filter(|_| !line.is_empty() && !line.starts_with('%')) {
            drawings.entry(name).or_default().push(line.trim_matches('|'));
        }
    }
    drawings
}
