//! Times as tables and texts show them, in the person's time zone.

use jiff::tz::TimeZone;

use crate::domain::Timestamp;

/// `14:03:22`, or `2026-11-21` if that was another day.
pub fn when(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    local(at, now, zone, "%Y-%m-%d")
}

/// `14:03:22`, `11-21 14:03` on another day of this year, or `2025-11-21`.
pub fn shortly(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let year = |at: Timestamp| at.format("%Y", zone);
    local(at, now, zone, if year(at) == year(now) { "%m-%d %H:%M" } else { "%Y-%m-%d" })
}

/// `14:03:22`, or `2026-11-21 14:03:22` if that was another day.
pub fn moment(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    local(at, now, zone, "%Y-%m-%d %H:%M:%S")
}

fn local(at: Timestamp, now: Timestamp, zone: &TimeZone, another_day: &str) -> String {
    let day = |at: Timestamp| at.format("%F", zone);
    at.format(if day(at) == day(now) { "%H:%M:%S" } else { another_day }, zone).unwrap_or_default()
}
