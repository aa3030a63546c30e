//! Selects a value by the extension of a file name. Must not know what the values are for.

use std::path::Path;

/// Returns the value for the extension of `path`, in any letter case; `None` for an unknown extension.
pub(crate) fn of<T: Copy>(path: &Path, extensions: &[(&str, T)]) -> Option<T> {
    let extension = path.extension()?.to_str()?;
    extensions.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|(_, value)| *value)
}
