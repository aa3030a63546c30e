//! The time zone of the system, which is in no file.

use jiff::tz::TimeZone;

/// Returns the zone of `TZ`, or of the system.
pub fn of_system() -> Option<TimeZone> {
    TimeZone::try_system().ok()
}
