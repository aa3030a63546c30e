//! How measured values lie, and how times are told to people.

use tempfile::TempDir;

/// How some values lie.
pub(crate) struct Spread {
    /// The 10th of 100.
    pub(crate) low: f64,
    pub(crate) median: f64,
    /// The 90th of 100.
    pub(crate) high: f64,
}

impl Spread {
    /// Of at least one value.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<_> = values.collect();
        values.sort_by(f64::total_cmp);
        let at = |percent: usize| values[((values.len() - 1) * percent + 50) / 100];
        Self { low: at(10), median: at(50), high: at(90) }
    }

    /// The median, and in brackets the other two.
    pub(crate) fn with(&self, show: impl Fn(f64) -> String) -> String {
        format!("{} ({}–{})", show(self.median), show(self.low), show(self.high))
    }
}

/// A time in seconds, for people.
pub(crate) fn shown(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        1e-3..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// A folder on the disk that the target folder is on.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}
