//! Times of day as they stand in tables and texts.

use jiff::tz::TimeZone;

use crate::domain::Timestamp;

/// The time of day, or the day if it was another.
pub fn when(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    local(at, now, zone, "%Y-%m-%d")
}

/// The time of day, with the day if it was another of this year, or else that day alone.
pub fn shortly(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let year = |at| local(at, Timestamp(i64::MIN), zone, "%Y");
    local(at, now, zone, if year(at) == year(now) { "%m-%d %H:%M" } else { "%Y-%m-%d" })
}

/// The time of day, with the day if it was another.
pub fn moment(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    local(at, now, zone, "%Y-%m-%d %H:%M:%S")
}

fn local(at: Timestamp, now: Timestamp, zone: &TimeZone, another_day: &str) -> String {
    let zoned = |at: Timestamp| jiff::Timestamp::from_millisecond(at.0).ok().map(|at| at.to_zoned(zone.clone()));
    match (zoned(at), zoned(now)) {
        (Some(at), Some(now)) if at.date() == now.date() => at.strftime("%H:%M:%S").to_string(),
        (Some(at), _) => at.strftime(another_day).to_string(),
        (None, _) => String::new(),
    }
}
