//! A point in time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z. A later timestamp may be smaller, if the clock was set back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Returns the time this long before.
    #[must_use]
    pub fn before(self, age: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Formats as RFC 3339 with milliseconds; `None` for a time outside the calendar.
    pub fn in_utc(self) -> Option<String> {
        jiff::Timestamp::from_millisecond(self.0).ok().map(|time| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
    }

    /// Formats as [`Self::in_utc`] does, or in milliseconds for a time outside the calendar.
    pub fn in_words(self) -> String {
        self.in_utc().unwrap_or_else(|| format!("{} ms since 1970", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_outside_the_calendar_has_no_utc_text() {
        assert_eq!(Timestamp(0).in_utc().as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(Timestamp(-1).in_utc().as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(Timestamp(i64::MAX).in_utc(), None);
        assert_eq!(Timestamp(i64::MAX).in_words(), "9223372036854775807 ms since 1970");
    }
}
