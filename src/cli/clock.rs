//! Reads the clock and the time zone of this machine.

use std::fs;
use std::time::SystemTime;

use jiff::tz::TimeZone;

use crate::config::zone_file;
use crate::domain::Timestamp;

#[expect(clippy::disallowed_methods, reason = "the one clock of the command line and the interface")]
pub(super) fn now() -> Timestamp {
    let millis = match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    };
    Timestamp(millis)
}

/// Returns the time zone of this machine. Reads its file, if possible: the library's look-up by name lists all zones
/// first, which takes a seventh of the time to the first frame.
pub(super) fn local_zone() -> TimeZone {
    let own = zone_file().and_then(|file| fs::read(file).ok());
    own.and_then(|zone| TimeZone::tzif("local", &zone).ok()).unwrap_or_else(TimeZone::system)
}

/// Renders a time for people, to the second.
pub(super) fn shown(at: Timestamp, zone: &TimeZone) -> String {
    let time = jiff::Timestamp::from_millisecond(at.0).map(|time| time.to_zoned(zone.clone()));
    time.map_or_else(|_| at.0.to_string(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}
