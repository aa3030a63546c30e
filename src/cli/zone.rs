//! The time zone of this machine.

use std::fs;

use jiff::tz::TimeZone;

use crate::config::names_a_zone;
use crate::domain::Timestamp;

/// Where most systems keep the zone that they are in, with all that there is to know of it.
const LOCAL: &str = "/etc/localtime";

/// The zone of this machine. Where nobody names one, what the system has of its own is read: to look
/// one up by its name, all names there are would be listed first, and the first frame waits for it.
pub(super) fn local() -> TimeZone {
    let own = if names_a_zone() { None } else { fs::read(LOCAL).ok() };
    own.and_then(|zone| TimeZone::tzif("local", &zone).ok()).unwrap_or_else(TimeZone::system)
}

/// A time for people, to the second.
pub(super) fn shown(at: Timestamp, zone: &TimeZone) -> String {
    let time = jiff::Timestamp::from_millisecond(at.0).map(|time| time.to_zoned(zone.clone()));
    time.map_or_else(|_| at.0.to_string(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}
