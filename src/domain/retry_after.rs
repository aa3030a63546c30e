//! Parses `Retry-After` (RFC 9110 §10.2.3): how long a store asks to wait. Must not know who waits.

use std::time::{Duration, SystemTime};

use super::{Response, Timestamp};

/// Stands for every longer pause (RFC 9111 §1.2.2).
const LONGEST: Duration = Duration::from_secs(1 << 31);

/// Returns the pause from the time of the response; zero for a date in the past. That time is the response's own `Date`,
/// because the clocks differ, or `now`. `None` without the header, or if the value is neither seconds nor a date.
pub fn pause(response: &Response, now: Timestamp) -> Option<Duration> {
    let value = response.header("retry-after")?.trim();
    // Seconds are whole, but some stores send a fraction.
    let is_decimal = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if let Some(seconds) = value.parse::<f64>().ok().filter(|_| is_decimal) {
        return Some(Duration::try_from_secs_f64(seconds.ceil()).map_or(LONGEST, |pause| pause.min(LONGEST)));
    }
    let date = response.header("date").and_then(since_1970);
    let now = date.unwrap_or(Duration::from_millis(u64::try_from(now.0).unwrap_or(0)));
    Some(since_1970(value)?.saturating_sub(now))
}

fn since_1970(date: &str) -> Option<Duration> {
    httpdate::parse_http_date(date.trim()).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()
}

/// Returns the pause before any further request, which only 429 and 503 require.
pub fn pause_before_next(response: &Response, now: Timestamp) -> Option<Duration> {
    if matches!(response.status, 429 | 503) { pause(response, now) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{BodyEnd, Header};

    fn response(status: u16, value: &str) -> Response {
        let headers = [Header { name: "Retry-After".into(), value: value.into() }].into();
        let (reason, version) = ("".into(), "HTTP/1.1".into());
        Response { status, reason, version, headers, body: vec![], body_end: BodyEnd::Complete }
    }

    fn pause_of(value: &str, now: i64) -> Option<Duration> {
        pause(&response(429, value), Timestamp(now))
    }

    #[test]
    fn only_429_and_503_pause_all_requests() {
        let pauses = |status| pause_before_next(&response(status, "2"), Timestamp(0)).is_some();
        let all: Vec<u16> = (100..1000).filter(|status| pauses(*status)).collect();
        assert_eq!(all, [429, 503]);
        assert_eq!(pause_before_next(&response(503, "2"), Timestamp(0)), Some(Duration::from_secs(2)));
    }

    #[test]
    fn seconds_and_dates_are_parsed() {
        let values = [("120", 120), (" 0 ", 0), ("4.0", 4), ("1.5", 2), ("99999999999999999999999", 1 << 31)];
        for (value, seconds) in values {
            assert_eq!(pause_of(value, 0), Some(Duration::from_secs(seconds)), "{value}");
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(pause_of(date, 784_111_777_000), Some(Duration::ZERO));
        assert_eq!(pause_of(date, 784_111_770_500), Some(Duration::from_millis(6_500)));
        assert_eq!(pause_of(date, 800_000_000_000), Some(Duration::ZERO));
        // The two obsolete formats, which a recipient must accept (RFC 9110 §5.6.7).
        for date in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(pause_of(date, 784_111_770_500), Some(Duration::from_millis(6_500)), "{date}");
        }
        for value in ["", ".", "soon", "-1", "1.5.0", "1e3", "inf", "Sun, 06 Nov 1994 08:49:37 +0100"] {
            assert_eq!(pause_of(value, 0), None, "{value}");
        }
    }

    #[test]
    fn a_date_counts_from_the_date_of_the_response() {
        let retry_after = "Sun, 06 Nov 1994 08:49:37 GMT";
        // Whatever the clock of this machine says.
        for now in [0, 784_111_770_500, 800_000_000_000] {
            for (date, pause) in [
                ("Sun, 06 Nov 1994 08:49:07 GMT", Some(30)),
                ("Sun, 06 Nov 1994 08:50:00 GMT", Some(0)),
                ("soon", None),
            ] {
                let mut response = response(429, retry_after);
                let date = Header { name: "date".into(), value: date.into() };
                response.headers = [response.headers[0].clone(), date].into();
                let expected = pause.map(Duration::from_secs).or(pause_of(retry_after, now));
                assert_eq!(super::pause(&response, Timestamp(now)), expected);
            }
        }
    }
}
