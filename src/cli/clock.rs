//! Reads the clock and the time zone of this machine.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use jiff::tz::TimeZone;
use tokio::time::Instant;

use crate::config::{ZoneSource, zone_source};
use crate::domain::{LocalTime, Timestamp};
use crate::os::zone;

#[expect(clippy::disallowed_methods, reason = "the one clock of the command line and the interface")]
pub(super) fn now() -> Timestamp {
    let now = jiff::Timestamp::try_from(SystemTime::now());
    Timestamp(now.map_or(i64::MAX, jiff::Timestamp::as_millisecond))
}

#[expect(clippy::disallowed_methods, reason = "measures how long something takes; shows no time of day")]
pub(super) fn instant() -> Instant {
    Instant::now()
}

/// The most bytes of a time zone's file; the largest one of the system has some 4 KiB.
const MAX_ZONE: u64 = 64 * 1024;

/// What the C library takes for a zone with daylight saving time that does not say when.
const USUAL_RULE: &str = ",M3.2.0,M11.1.0";

/// Returns the time zone of this machine: UTC if it has none, and an unknown one if `TZ` names none that can be read.
///
/// Reads its file alone: the library's look-up by name reads all zones, takes a seventh of the time to the first frame,
/// and has no limit of size.
pub(super) fn local_zone() -> TimeZone {
    let ZoneSource { file, rule } = zone_source();
    let of_file = read_zone(&file).ok().and_then(|zone| TimeZone::tzif("local", &zone).ok());
    let of_rule = |rule: &str| match rule {
        "" | "UTC" | "Etc/UTC" => Some(TimeZone::UTC),
        _ => TimeZone::posix(rule).or_else(|_| TimeZone::posix(&format!("{rule}{USUAL_RULE}"))).ok(),
    };
    let named = of_file.or_else(|| of_rule(rule.as_deref()?)).or_else(zone::of_system);
    named.unwrap_or_else(|| if rule.is_some() { TimeZone::unknown() } else { TimeZone::UTC })
}

fn read_zone(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut zone = Vec::new();
    File::open(path)?.take(MAX_ZONE).read_to_end(&mut zone)?;
    Ok(zone)
}

/// Returns what the times of a filter are counted from.
pub(super) fn local_time() -> LocalTime {
    LocalTime { now: now(), zone: local_zone() }
}

/// Renders a time for people, to the second.
pub(super) fn shown(at: Timestamp, zone: &TimeZone) -> String {
    at.format("%Y-%m-%d %H:%M:%S", zone).unwrap_or_else(|| at.0.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_read_from_a_regular_file_of_limited_size() {
        let folder = tempfile::tempdir().unwrap();
        let (usual, huge) = (folder.path().join("usual"), folder.path().join("huge"));
        fs::write(&usual, "TZif").unwrap();
        File::create(&huge).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read_zone(&usual).unwrap(), b"TZif");
        assert_eq!(read_zone(&huge).unwrap().len() as u64, MAX_ZONE);
        for none in [Path::new("/dev/zero"), folder.path(), &folder.path().join("none")] {
            assert!(read_zone(none).is_err(), "{}", none.display());
        }
    }
}
