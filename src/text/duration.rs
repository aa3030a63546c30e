//! Durations as a person types them.

use std::time::Duration;

use jiff::fmt::friendly::SpanParser;
use jiff::{SignedDuration, SpanRelativeTo};

/// Seconds in a year (365.25 days) and in a month (30.44 days).
const YEAR: i64 = 31_557_600;
const MONTH: i64 = 2_630_016;

/// Parses `500ms`, `1m 30s`, `1h30m`, `90d`, `6months` or `1y`; `None` without a unit, with another one, or if negative.
pub fn parse(typed: &str) -> Option<Duration> {
    let span = SpanParser::new().parse_span(typed).ok()?;
    let (years, months) = (i64::from(span.get_years()), i64::from(span.get_months()));
    let rest = span.years(0).months(0).to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    let whole = rest.checked_add(SignedDuration::from_secs(years * YEAR + months * MONTH))?;
    Duration::try_from(whole).ok()
}
