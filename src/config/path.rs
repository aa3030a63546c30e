//! Expands `~/` in a path that a person wrote: in a flag, a variable, the config file, or a field of the interface.
//!
//! Must not know the environment.

use std::path::{Path, PathBuf};

use super::value::InvalidValue;

/// Replaces `~` at the beginning of a path with the home directory. `./~/x` is the way to a folder of that name.
///
/// # Errors
///
/// No home directory is known.
pub fn expand(path: PathBuf, home: Option<&Path>) -> Result<PathBuf, InvalidValue> {
    match path.strip_prefix("~") {
        Ok(rest) => home.map(|home| home.join(rest)).ok_or(InvalidValue::NoHome),
        Err(_) => Ok(path),
    }
}

/// Expands `~/`, and puts the directory before any other relative path.
pub(super) fn absolute(raw: &str, directory: &Path, home: Option<&Path>) -> Result<PathBuf, InvalidValue> {
    if raw.is_empty() {
        return Err(InvalidValue::EmptyPath);
    }
    Ok(directory.join(expand(raw.into(), home)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_expanded_only_at_the_beginning() {
        let expanded = |path: &str| expand(path.into(), Some(Path::new("/home/ann"))).unwrap();
        assert_eq!(expanded("~/a b.csv"), Path::new("/home/ann/a b.csv"));
        for other in ["~bob/x", "/x/~/y", "./~/x", "x~", "", "x"] {
            assert_eq!(expanded(other).as_os_str(), other);
        }
        assert_eq!(expand("~".into(), Some(Path::new("/home/ann"))), Ok("/home/ann".into()));
        assert_eq!(expand("~/x".into(), None), Err(InvalidValue::NoHome));
    }

    #[test]
    fn relative_paths_start_at_the_directory_and_tilde_at_the_home_directory() {
        let (directory, home) = (Path::new("/etc/plants"), Path::new("/home/ann"));
        let path = |raw: &str, home| absolute(raw, directory, home);
        assert_eq!(path("ca.pem", Some(home)), Ok("/etc/plants/ca.pem".into()));
        assert_eq!(path("/ca.pem", Some(home)), Ok("/ca.pem".into()));
        assert_eq!(path("~/ca.pem", Some(home)), Ok("/home/ann/ca.pem".into()));
        assert!(path("~/ca.pem", None).is_err());
        assert!(path("", None).is_err());
    }
}
