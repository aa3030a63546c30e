//! Durations as people type them, in flags and in the config file.

use std::time::Duration;

use jiff::fmt::friendly::SpanParser;
use jiff::{SignedDuration, SpanRelativeTo};
use thiserror::Error;

use super::fault::quoted;

/// Seconds in a year (365.25 days) and in a month (30.44 days).
const YEAR: i64 = 31_557_600;
const MONTH: i64 = 2_630_016;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} is no duration: write 30s or 2m", quoted(.0))]
pub struct InvalidDuration(String);

/// Parses `500ms`, `1m 30s`, `1h30m`, `90d`, `6months` or `1y`.
///
/// # Errors
///
/// The text has no unit or another one, or is negative.
pub fn parse_duration(typed: &str) -> Result<Duration, InvalidDuration> {
    parse(typed.trim()).ok_or_else(|| InvalidDuration(typed.to_owned()))
}

fn parse(typed: &str) -> Option<Duration> {
    let span = SpanParser::new().parse_span(typed).ok()?;
    let (years, months) = (i64::from(span.get_years()), i64::from(span.get_months()));
    let rest = span.years(0).months(0).to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    let whole = rest.checked_add(SignedDuration::from_secs(years * YEAR + months * MONTH))?;
    Duration::try_from(whole).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_with_every_unit_are_parsed() {
        let day = Duration::from_secs(86_400);
        for (typed, length) in [
            ("0s", Duration::ZERO),
            ("1500ms", Duration::from_millis(1500)),
            ("30s", Duration::from_secs(30)),
            ("30 sec", Duration::from_secs(30)),
            ("2m", Duration::from_secs(120)),
            (" 1m 30s ", Duration::from_secs(90)),
            ("1h30m", Duration::from_secs(5400)),
            ("1.5h", Duration::from_secs(5400)),
            ("90d", 90 * day),
            ("2weeks", 14 * day),
            ("6months", Duration::from_secs(6 * 2_630_016)),
            ("1y", Duration::from_secs(31_557_600)),
            ("1y 1d", Duration::from_secs(31_557_600) + day),
        ] {
            assert_eq!(parse_duration(typed), Ok(length), "{typed}");
        }
    }

    #[test]
    fn an_invalid_duration_is_quoted_in_the_error() {
        for typed in ["", "soon", "30", "-1s", "1s ago", "-1y", "1M", "PT1S", "m", "99999999999999999999s"] {
            assert!(parse_duration(typed).is_err(), "{typed}");
        }
        assert_eq!(parse_duration("soon").unwrap_err().to_string(), "\"soon\" is no duration: write 30s or 2m");
    }
}
