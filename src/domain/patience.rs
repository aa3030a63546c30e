//! How long a store asks to be left alone: `Retry-After`, RFC 9110 §10.2.3.

use std::time::{Duration, SystemTime};

use super::exchange::Answer;
use super::operation::Timestamp;

/// The pause that an answer asks for, at the time it came; `None` if it asks for none, or in words
/// that are no seconds and no date. A date that has passed asks for none to speak of.
pub fn asked_for(answer: &Answer, now: Timestamp) -> Option<Duration> {
    let value = answer.header("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let since_1970 = httpdate::parse_http_date(value).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(since_1970.saturating_sub(Duration::from_millis(u64::try_from(now.0).unwrap_or(0))))
}

/// Whether the store says that it is asked too often, with a pause to make or without: the answer is
/// then no, and what may follow must wait.
pub fn asks_for_less(answer: &Answer) -> bool {
    answer.status == 429
}

/// The pause before the next request, whatever that is about: what a 429 or a 503 asks for.
pub fn before_the_next(answer: &Answer, now: Timestamp) -> Option<Duration> {
    if matches!(answer.status, 429 | 503) { asked_for(answer, now) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{BodyEnd, Header};

    fn answer(status: u16, value: &str) -> Answer {
        let headers = vec![Header { name: "Retry-After".into(), value: value.into() }];
        let (reason, version) = (String::new(), "HTTP/1.1".into());
        Answer { status, reason, version, headers, body: vec![], body_end: BodyEnd::Complete }
    }

    fn asks(value: &str, now: i64) -> Option<Duration> {
        asked_for(&answer(429, value), Timestamp(now))
    }

    #[test]
    fn only_a_store_that_is_busy_asks_it_of_all() {
        let asks = |status| before_the_next(&answer(status, "2"), Timestamp(0)).is_some();
        let all: Vec<u16> = (100..1000).filter(|status| asks(*status)).collect();
        assert_eq!(all, [429, 503]);
        assert_eq!(before_the_next(&answer(503, "2"), Timestamp(0)), Some(Duration::from_secs(2)));
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        let told = [("120", 120), (" 0 ", 0), ("99999999999999999999999", u64::MAX)];
        for (value, seconds) in told {
            assert_eq!(asks(value, 0), Some(Duration::from_secs(seconds)), "{value}");
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(asks(date, 784_111_777_000), Some(Duration::ZERO));
        assert_eq!(asks(date, 784_111_770_500), Some(Duration::from_millis(6_500)));
        assert_eq!(asks(date, 800_000_000_000), Some(Duration::ZERO));
        // The two older forms, which must be understood as well (RFC 9110 §5.6.7).
        for date in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(asks(date, 784_111_770_500), Some(Duration::from_millis(6_500)), "{date}");
        }
        for value in ["", "soon", "-1", "1.5", "Sun, 06 Nov 1994 08:49:37 +0100"] {
            assert_eq!(asks(value, 0), None, "{value}");
        }
    }
}
