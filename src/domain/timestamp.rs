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

    /// Formats as `strftime` does, in an unknown zone in UTC with a `Z`; `None` for a time outside the calendar.
    pub fn format(self, format: &str, zone: &TimeZone) -> Option<String> {
        let time = jiff::Timestamp::from_millisecond(self.0).ok()?.to_zoned(zone.clone());
        let utc = if zone.is_unknown() { "Z" } else { "" };
        Some(format!("{}{utc}", time.strftime(format)))
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
    ///
    /// # Errors
    ///
    /// Says what to use instead, where the text is none of these, or names no zone while that of this machine is unknown.
    pub fn parse(&self, typed: &str) -> Result<Timestamp, &'static str> {
        if let Some(age) = duration::parse(typed) {
            return Ok(self.now.before(age));
        }
        if let Ok(time) = typed.parse::<jiff::Timestamp>() {
            return Ok(Timestamp(time.as_millisecond()));
        }
        let date = typed.parse::<DateTime>().map_err(|_| "an age like 1h or 7d, or a date like 2026-11-01")?;
        if self.zone.is_unknown() {
            return Err("a time with its zone, like 2026-11-01T12:00Z, as TZ has none that can be read");
        }
        let end = if date.year() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        let time = date.to_zoned(self.zone.clone()).map_or(end, |time| time.timestamp());
        Ok(Timestamp(time.as_millisecond()))
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
        let utc = |typed: &str| time.parse(typed).ok().and_then(Timestamp::in_utc).unwrap_or_default();
        for (age, seconds) in [("1h", 3600), ("30m", 1800), ("7d", 604_800), ("2weeks", 1_209_600), ("0s", 0)] {
            assert_eq!(time.parse(age), Ok(Timestamp(now.0 - seconds * 1000)), "{age}");
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
            assert_eq!(time.parse(beyond), Ok(Timestamp(end.as_millisecond())), "{beyond}");
        }
        for none in ["", "1", "-1h", "2026-11", "2026-13-01", "12:30", "today", "99999999-01-01"] {
            assert!(time.parse(none).is_err(), "{none}");
        }
    }

    #[test]
    fn a_time_of_an_unknown_zone_is_shown_in_utc_and_read_only_with_a_zone() {
        let time = LocalTime { zone: TimeZone::unknown(), ..LocalTime::default() };
        assert_eq!(Timestamp(0).format("%Y-%m-%d %H:%M", &time.zone).as_deref(), Some("1970-01-01 00:00Z"));
        assert_eq!(time.parse("2026-11-01T12:00+09:00"), time.parse("2026-11-01T03:00Z"));
        assert!(time.parse("1h").is_ok());
        for unknown in ["2026-11-01", "2026-11-01T12:00"] {
            assert!(time.parse(unknown).unwrap_err().contains("TZ"), "{unknown}");
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
