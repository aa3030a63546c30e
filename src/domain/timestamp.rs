//! A point in time.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::text::duration;

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

    /// Formats as `strftime` does; `None` for a time outside the calendar.
    pub fn format(self, format: &str, zone: &TimeZone) -> Option<String> {
        let time = jiff::Timestamp::from_millisecond(self.0).ok()?.to_zoned(zone.clone());
        Some(time.strftime(format).to_string())
    }

    /// Formats as RFC 3339 with milliseconds; `None` for a time outside the calendar.
    pub fn in_utc(self) -> Option<String> {
        self.format("%Y-%m-%dT%H:%M:%S%.3fZ", &TimeZone::UTC)
    }

    /// Formats as [`Self::in_utc`] does, or in milliseconds for a time outside the calendar.
    pub fn in_words(self) -> String {
        self.in_utc().unwrap_or_else(|| format!("{} ms since 1970", self.0))
    }
}

/// The present, and the time zone of this machine: what ages and dates are counted from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTime {
    pub now: Timestamp,
    pub zone: TimeZone,
}

/// The beginning of 1970 in UTC.
impl Default for LocalTime {
    fn default() -> Self {
        Self { now: Timestamp(0), zone: TimeZone::UTC }
    }
}

impl LocalTime {
    /// Parses an age (`1h`, `2weeks`), a time that names its zone (`2026-11-01T12:00Z`), or a date or time of this zone
    /// (`2026-11-01`, `2026-11-01T12:00`). A date is its midnight. One before or after all points in time is the first or
    /// the last of them.
    pub fn parse(&self, typed: &str) -> Option<Timestamp> {
        if let Some(age) = duration::parse(typed) {
            return Some(self.now.before(age));
        }
        let local = || {
            let date = typed.parse::<DateTime>().ok()?;
            let end = if date.year() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
            Some(date.to_zoned(self.zone.clone()).map_or(end, |time| time.timestamp()))
        };
        let time = typed.parse::<jiff::Timestamp>().ok().or_else(local)?;
        Some(Timestamp(time.as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_dates_are_parsed() {
        let now = Timestamp(1_800_000_000_000);
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let time = LocalTime { now, zone };
        let utc = |typed: &str| time.parse(typed).and_then(Timestamp::in_utc).unwrap_or_default();
        for (age, seconds) in [("1h", 3600), ("30m", 1800), ("7d", 604_800), ("2weeks", 1_209_600), ("0s", 0)] {
            assert_eq!(time.parse(age), Some(Timestamp(now.0 - seconds * 1000)), "{age}");
        }
        assert_eq!(utc("2026-11-01"), "2026-10-31T23:00:00.000Z");
        assert_eq!(utc("2026-07-01T12:00"), "2026-07-01T10:00:00.000Z");
        assert_eq!(utc("2026-07-01 12:00:30.5"), "2026-07-01T10:00:30.500Z");
        assert_eq!(utc("2026-11-01T12:00Z"), "2026-11-01T12:00:00.000Z");
        assert_eq!(utc("2026-11-01T12:00:00.250-05:00"), "2026-11-01T17:00:00.250Z");
        // The hour that is skipped in spring.
        assert_eq!(utc("2026-03-29T02:30"), "2026-03-29T01:30:00.000Z");
        assert_eq!(utc("9999-12-30"), "9999-12-29T23:00:00.000Z");
        for (beyond, end) in [
            ("9999-12-31", jiff::Timestamp::MAX),
            ("9999-12-31T23:00", jiff::Timestamp::MAX),
            ("-009999-01-01", jiff::Timestamp::MIN),
        ] {
            assert_eq!(time.parse(beyond), Some(Timestamp(end.as_millisecond())), "{beyond}");
        }
        for none in ["", "1", "-1h", "2026-11", "2026-13-01", "12:30", "today", "99999999-01-01"] {
            assert_eq!(time.parse(none), None, "{none}");
        }
    }

    #[test]
    fn a_time_outside_the_calendar_has_no_utc_text() {
        assert_eq!(Timestamp(0).in_utc().as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(Timestamp(-1).in_utc().as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(Timestamp(i64::MAX).in_utc(), None);
        assert_eq!(Timestamp(i64::MAX).in_words(), "9223372036854775807 ms since 1970");
    }
}
