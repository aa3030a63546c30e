//! Statistics of measured values, and the format of times.

use tempfile::TempDir;

pub(crate) struct Spread {
    /// The 10th percentile.
    pub(crate) low: f64,
    pub(crate) median: f64,
    /// The 90th percentile.
    pub(crate) high: f64,
}

impl Spread {
    /// Computes the percentiles; `None` without values.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |percent: usize| values[(last * percent + 50) / 100];
        Some(Self { low: at(10), median: at(50), high: at(90) })
    }

    /// Formats the median, and in brackets the other two unless all are shown the same.
    pub(crate) fn with(&self, show: impl Fn(f64) -> String) -> String {
        let [low, median, high] = [self.low, self.median, self.high].map(show);
        if low == high { median } else { format!("{median} ({low}–{high})") }
    }
}

/// Formats a time in seconds with a suitable unit.
pub(crate) fn shown(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        1e-3..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// Creates a temporary folder on the disk of the target folder.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}
