//! Formats numbers, sizes, rates and durations for sentences. Must not know what they measure.

use std::time::Duration;

/// Formats with digit groups: `1,203`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Formats a count with its noun: `1 row`, `1,203 rows`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Formats a waiting time, rounded: `45 s`, `13 min`, `2 h 5 min`. At least `1 s`.
pub fn about(time: Duration) -> String {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    // From 100 seconds on, whole minutes.
    let minutes = seconds / 60 + u64::from(seconds % 60 >= 30);
    match (seconds, minutes) {
        (0..100, _) => format!("{} s", seconds.max(1)),
        (_, 0..100) => format!("{minutes} min"),
        (_, 100..2880) => format!("{} h {} min", minutes / 60, minutes % 60),
        (_, _) => format!("{} days", grouped((minutes + 720) / 1440)),
    }
}

/// Converts to milliseconds, rounded to a tenth.
pub fn in_millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 10_000.0).round() / 10.0
}

/// Formats a size in powers of ten: `980 bytes`, `12 MB`, `1.2 GB`.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => counted(count, "byte", "bytes"),
        1_000..1_000_000 => format!("{} kB", count / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", count / 1_000_000),
        _ => format!("{}.{} GB", grouped(count / 1_000_000_000), count / 100_000_000 % 10),
    }
}

/// Formats a rate: `1,234/s`, `3.4/s`.
pub fn rate(per_second: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 10 and what fits")]
    if per_second < 9.95 { format!("{per_second:.1}/s") } else { format!("{}/s", grouped(per_second.round() as u64)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        let formatted = [0, 7, 999, 1_000, 12_345, 1_000_000, u64::MAX].map(grouped);
        assert_eq!(formatted, ["0", "7", "999", "1,000", "12,345", "1,000,000", "18,446,744,073,709,551,615"]);
        assert_eq!(
            (counted(1, "row", "rows").as_str(), counted(1203, "row", "rows").as_str()),
            ("1 row", "1,203 rows")
        );
    }

    #[test]
    fn long_durations_are_rounded() {
        let formatted =
            [0, 1, 99, 100, 119, 5_990, 6_000, 7_500, 172_800, 900_000].map(|s| about(Duration::from_secs(s)));
        let expected =
            ["1 s", "1 s", "99 s", "2 min", "2 min", "1 h 40 min", "1 h 40 min", "2 h 5 min", "2 days", "10 days"];
        assert_eq!(formatted, expected);
        assert_eq!(about(Duration::from_millis(1_001)), "2 s");
        assert_eq!(about(Duration::MAX), "213,503,982,334,601 days");
    }

    #[test]
    fn sizes_and_rates_are_rounded() {
        let formatted = [0, 1, 999, 12_345, 12_999_999, 1_299_999_999].map(bytes);
        assert_eq!(formatted, ["0 bytes", "1 byte", "999 bytes", "12 kB", "12 MB", "1.2 GB"]);
        assert_eq!([0.0, 3.44, 9.96, 1_234.5].map(rate), ["0.0/s", "3.4/s", "10/s", "1,235/s"]);
    }
}
