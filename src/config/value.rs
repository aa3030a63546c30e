//! Values that a flag and the config file spell alike: durations, paths, names out of a list.
//!
//! Each is a pure function from text to a value, or to the words of a fault.

use std::path::{Path, PathBuf};
use std::time::Duration;

use url::Url;

use super::fault::quoted;

/// The longest time one exchange may be given.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// A key longer than this is like none of ours, and not worth comparing.
const LONGEST_NAME: usize = 40;

/// A time limit like `30s` or `2m`: more than nothing, an hour at most.
pub(super) fn timeout(raw: &str) -> Result<Duration, String> {
    let limit =
        humantime::parse_duration(raw).map_err(|_| format!("{} is no duration: write 30s or 2m", quoted(raw)))?;
    if limit.is_zero() || limit > LONGEST_TIMEOUT {
        return Err(format!("{} is out of range: give more than 0s and at most 1h", quoted(raw)));
    }
    Ok(limit)
}

/// One choice out of a list, by its name.
pub(super) fn choice<T: Copy>(raw: &str, all: &[(&'static str, T)]) -> Result<T, String> {
    if let Some((_, chosen)) = all.iter().find(|(name, _)| *name == raw) {
        return Ok(*chosen);
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    Err(format!("{} is none of {}{}", quoted(raw), names.join(", "), did_you_mean(raw, &names)))
}

/// A proxy's address. The text is not echoed: it may hold a password.
pub(super) fn proxy(raw: &str) -> Result<Url, String> {
    match Url::parse(raw) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        Ok(_) => Err("a proxy is an http or https URL: write http://proxy.example:3128".to_owned()),
        Err(why) => Err(format!("not a URL ({why}): write http://proxy.example:3128")),
    }
}

/// A path as the config file means it: `~/` is the home directory, and a relative one starts
/// at the file's own directory.
pub(super) fn path(raw: &str, directory: &Path, home: Option<&Path>) -> Result<PathBuf, String> {
    if raw.is_empty() {
        return Err("the path is empty".to_owned());
    }
    match raw.strip_prefix("~/") {
        Some(below) => home
            .map(|home| home.join(below))
            .ok_or_else(|| "no home directory is known: write the path in full instead of ~/".to_owned()),
        None => Ok(directory.join(raw)),
    }
}

/// `; did you mean …?` when a known name is only a slip of the finger away; empty otherwise.
pub(super) fn did_you_mean(typed: &str, known: &[&str]) -> String {
    if typed.len() > LONGEST_NAME {
        return String::new();
    }
    known
        .iter()
        .map(|name| (strsim::osa_distance(typed, name), name))
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| format!("; did you mean {name}?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_more_than_nothing_and_at_most_an_hour() {
        assert_eq!(timeout("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(timeout("1h"), Ok(Duration::from_secs(3600)));
        assert_eq!(timeout("1m 30s"), Ok(Duration::from_secs(90)));
        for raw in ["", "soon", "30", "-1s", "0s", "61m", "99999999999999999999s"] {
            assert!(timeout(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let known = ["base_url", "timeout", "token_file", "color"];
        assert_eq!(did_you_mean("baes_url", &known), "; did you mean base_url?");
        assert_eq!(did_you_mean("colour", &known), "; did you mean color?");
        assert_eq!(did_you_mean("time-out", &known), "; did you mean timeout?");
        assert_eq!(did_you_mean("flowers", &known), "");
        assert_eq!(did_you_mean(&"t".repeat(1_000_000), &known), "");
    }

    #[test]
    fn paths_start_at_the_file_or_at_home() {
        let (directory, home) = (Path::new("/etc/plants"), Path::new("/home/ann"));
        assert_eq!(path("ca.pem", directory, Some(home)), Ok("/etc/plants/ca.pem".into()));
        assert_eq!(path("/ca.pem", directory, Some(home)), Ok("/ca.pem".into()));
        assert_eq!(path("~/ca.pem", directory, Some(home)), Ok("/home/ann/ca.pem".into()));
        assert!(path("~/ca.pem", directory, None).is_err());
        assert!(path("", directory, None).is_err());
    }

    #[test]
    fn a_proxy_is_named_without_showing_its_password() {
        assert!(proxy("http://proxy.example:3128").is_ok());
        for raw in ["socks5://u:canary@h", "http://u:canary@", "canary"] {
            assert!(!proxy(raw).unwrap_err().contains("canary"), "{raw}");
        }
    }
}
