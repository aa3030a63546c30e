//! Reads the environment variables once, into plain values.
//!
//! Must not know which values are valid, except for the token, which is parsed at once so that it cannot be printed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use zeroize::Zeroizing;

use super::setting::{BASE_URL, DATA_DIR, NO_COLOR, PROFILE, REDUCED_MOTION, TOKEN};
use crate::client::{Token, TokenFault};

/// The variables that this program uses. An empty variable counts as not set.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    pub base_url: Option<String>,
    pub token: Option<Result<Token, TokenFault>>,
    pub profile: Option<String>,
    pub data_dir: Option<PathBuf>,
    pub no_color: bool,
    pub no_motion: bool,
    /// The colours of the terminal's text and background.
    pub colorfgbg: Option<String>,
    /// Set by terminals with more than 256 colours.
    pub colorterm: Option<String>,
    pub term: Option<String>,
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME` or its default.
    pub config_home: Option<PathBuf>,
    /// `XDG_DATA_HOME` or its default.
    pub data_home: Option<PathBuf>,
    /// The names of variables whose values are not UTF-8.
    pub not_text: Vec<&'static str>,
}

impl Environment {
    pub fn read() -> Self {
        Self::from_variables(variable).with_directories()
    }

    /// Returns an empty environment with XDG's default directories in `home`.
    pub fn at_home(home: &Path) -> Self {
        Self {
            home: Some(home.to_owned()),
            config_home: Some(home.join(".config")),
            data_home: Some(home.join(".local/share")),
            ..Self::default()
        }
    }

    /// Returns the environment without the settings of one store.
    pub(super) fn without_store(&self) -> Self {
        Self { base_url: None, profile: None, token: None, ..self.clone() }
    }

    fn with_directories(mut self) -> Self {
        // XDG also on macOS, like most terminal programs there.
        if let Ok(directories) = etcetera::base_strategy::Xdg::new() {
            self.home = Some(directories.home_dir().to_owned());
            self.config_home = Some(directories.config_dir());
            self.data_home = Some(directories.data_dir());
        }
        self
    }

    fn from_variables(look_up: impl Fn(&str) -> Option<OsString>) -> Self {
        let look_up = |name: &str| look_up(name).filter(|value| !value.is_empty());
        let mut not_text = Vec::new();
        let mut text = |name: &'static str| {
            look_up(name).and_then(|value| value.into_string().map_err(|_| not_text.push(name)).ok())
        };
        // Ignores a value that is not UTF-8: it is only a hint.
        let hint = |name| look_up(name).and_then(|value| value.into_string().ok());
        Self {
            base_url: text(BASE_URL.variable),
            token: text(TOKEN.variable).map(|raw| Token::new(&Zeroizing::new(raw))),
            profile: text(PROFILE.variable),
            data_dir: text(DATA_DIR.variable).map(PathBuf::from),
            no_color: look_up(NO_COLOR.variable).is_some(),
            no_motion: look_up(REDUCED_MOTION.variable).is_some(),
            colorfgbg: hint("COLORFGBG"),
            colorterm: hint("COLORTERM"),
            term: hint("TERM"),
            not_text,
            ..Self::default()
        }
    }
}

/// Whether `TZ` is set.
pub fn names_a_zone() -> bool {
    variable("TZ").is_some()
}

/// Whether debuggers and core dumps may read the program's memory (`PLANTS_DUMPABLE`).
pub fn may_be_debugged() -> bool {
    variable("PLANTS_DUMPABLE").is_some_and(|value| !value.is_empty())
}

#[expect(clippy::disallowed_methods, reason = "the only function that reads the environment")]
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    fn of(variables: &[(&str, &[u8])]) -> Environment {
        Environment::from_variables(|name| {
            variables.iter().find(|(set, _)| *set == name).map(|(_, value)| OsString::from_vec(value.to_vec()))
        })
    }

    #[test]
    fn every_variable_is_read_into_its_field() {
        let read = of(&[
            ("PLANTS_BASE_URL", b"http://h"),
            ("PLANTS_TOKEN", b"canary"),
            ("PLANTS_PROFILE", b"staging"),
            ("PLANTS_DATA_DIR", b"/data"),
            ("NO_COLOR", b"1"),
            ("NO_MOTION", b"1"),
            ("COLORFGBG", b"15;0"),
            ("TERM", b"xterm"),
        ]);
        assert_eq!(read.base_url.as_deref(), Some("http://h"));
        assert!(read.token.as_ref().unwrap().as_ref().unwrap().is_in("canary"));
        assert_eq!(read.profile.as_deref(), Some("staging"));
        assert_eq!(read.data_dir.as_deref(), Some(Path::new("/data")));
        assert_eq!(
            (read.no_color, read.no_motion, read.colorfgbg.as_deref(), read.term.as_deref()),
            (true, true, Some("15;0"), Some("xterm"))
        );
        assert!(!format!("{read:?}").contains("canary"));
    }

    #[test]
    fn an_empty_variable_counts_as_not_set() {
        let read = of(&[("PLANTS_BASE_URL", b""), ("PLANTS_TOKEN", b""), ("NO_COLOR", b"")]);
        assert!(read.base_url.is_none() && read.token.is_none() && !read.no_color);
    }

    #[test]
    fn only_the_name_of_a_variable_that_is_not_utf_8_is_stored() {
        let read = of(&[("PLANTS_TOKEN", b"canary\xff"), ("PLANTS_PROFILE", b"\xff"), ("TERM", b"\xff")]);
        assert_eq!(read.not_text, ["PLANTS_TOKEN", "PLANTS_PROFILE"]);
        assert!(!format!("{read:?}").contains("canary"));
    }

    #[test]
    fn the_environment_of_this_process_has_directories() {
        let read = Environment::read();
        assert!(read.home.is_some() && read.config_home.is_some() && read.data_home.is_some());
    }
}
