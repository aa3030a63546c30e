//! What the ending of a file's name stands for.

use std::path::Path;

/// What the ending of this file stands for, in letters of any case; `None` where it has none that is known.
pub(crate) fn of<T: Copy>(path: &Path, endings: &[(&str, T)]) -> Option<T> {
    let ending = path.extension()?.to_str()?;
    endings.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, meant)| *meant)
}
