//! What the environment says, read once and held as plain values.
//!
//! It validates nothing except that a variable is text; the token in it cannot be printed.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use zeroize::Zeroizing;

use super::setting::{BASE_URL, DATA_DIR, NO_COLOR, PROFILE, REDUCED_MOTION, TOKEN};
use crate::client::{Token, TokenFault};

/// The environment as far as this program looks at it. An empty variable counts as not set.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    pub base_url: Option<String>,
    pub token: Option<RawToken>,
    pub profile: Option<String>,
    pub data_dir: Option<PathBuf>,
    pub no_color: bool,
    pub no_motion: bool,
    /// `COLORFGBG`: a hint whether the terminal is dark or light.
    pub colorfgbg: Option<String>,
    /// `COLORTERM`: set by terminals with more than 256 colours.
    pub colorterm: Option<String>,
    pub term: Option<String>,
    /// The home directory, for `~/` in the config file.
    pub home: Option<PathBuf>,
    /// The directory of all programs' config files (XDG).
    pub config_home: Option<PathBuf>,
    /// The directory of all programs' data (XDG).
    pub data_home: Option<PathBuf>,
    /// The variables of this program that are set to something that is no text.
    pub not_text: Vec<&'static str>,
}

/// A token as the environment has it: wiped when dropped, and not printable.
#[derive(Clone)]
pub struct RawToken(Zeroizing<String>);

impl fmt::Debug for RawToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RawToken(********)")
    }
}

impl From<String> for RawToken {
    fn from(raw: String) -> Self {
        Self(Zeroizing::new(raw))
    }
}

impl From<&str> for RawToken {
    fn from(raw: &str) -> Self {
        Self::from(raw.to_owned())
    }
}

impl RawToken {
    /// Checks that it can be a token.
    ///
    /// # Errors
    ///
    /// Never holds any part of the text.
    pub fn token(&self) -> Result<Token, TokenFault> {
        Token::new(&self.0)
    }
}

impl Environment {
    pub fn read() -> Self {
        Self::from_variables(variable).with_places()
    }

    /// An empty environment with XDG's default places below `home`.
    pub fn at_home(home: &Path) -> Self {
        Self {
            home: Some(home.to_owned()),
            config_home: Some(home.join(".config")),
            data_home: Some(home.join(".local/share")),
            ..Self::default()
        }
    }

    /// The same without what names a store, or is for one alone.
    pub(super) fn without_store(&self) -> Self {
        Self { base_url: None, profile: None, token: None, ..self.clone() }
    }

    fn with_places(mut self) -> Self {
        // XDG on macOS as well: it is where people look for a terminal program's files.
        if let Ok(places) = etcetera::base_strategy::Xdg::new() {
            self.home = Some(places.home_dir().to_owned());
            self.config_home = Some(places.config_dir());
            self.data_home = Some(places.data_dir());
        }
        self
    }

    fn from_variables(look_up: impl Fn(&str) -> Option<OsString>) -> Self {
        let look_up = |name: &str| look_up(name).filter(|value| !value.is_empty());
        let mut not_text = Vec::new();
        let mut text = |name: &'static str| {
            look_up(name).and_then(|value| value.into_string().map_err(|_| not_text.push(name)).ok())
        };
        let base_url = text(BASE_URL.variable);
        let token = text(TOKEN.variable).map(RawToken::from);
        let profile = text(PROFILE.variable);
        let data_dir = text(DATA_DIR.variable).map(PathBuf::from);
        // Hints from the terminal: one that is no text is ignored.
        let hint = |name| look_up(name).and_then(|value| value.into_string().ok());
        Self {
            base_url,
            token,
            profile,
            data_dir,
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

/// Whether the environment names a time zone (`TZ`).
pub fn names_a_zone() -> bool {
    variable("TZ").is_some()
}

/// Whether a debugger may read the program's memory, and a core dump hold it (`PLANTS_DUMPABLE`).
pub fn may_be_debugged() -> bool {
    variable("PLANTS_DUMPABLE").is_some_and(|value| !value.is_empty())
}

/// One variable of the process's environment.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
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
    fn every_variable_finds_its_field() {
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
        assert_eq!(read.token.as_ref().unwrap().0.as_str(), "canary");
        assert_eq!(read.profile.as_deref(), Some("staging"));
        assert_eq!(read.data_dir.as_deref(), Some(Path::new("/data")));
        assert_eq!(
            (read.no_color, read.no_motion, read.colorfgbg.as_deref(), read.term.as_deref()),
            (true, true, Some("15;0"), Some("xterm"))
        );
        assert!(!format!("{read:?}").contains("canary"));
    }

    #[test]
    fn an_empty_variable_is_not_set() {
        let read = of(&[("PLANTS_BASE_URL", b""), ("PLANTS_TOKEN", b""), ("NO_COLOR", b"")]);
        assert!(read.base_url.is_none() && read.token.is_none() && !read.no_color);
    }

    #[test]
    fn what_is_no_text_is_remembered_by_name_only() {
        let read = of(&[("PLANTS_TOKEN", b"canary\xff"), ("PLANTS_PROFILE", b"\xff"), ("TERM", b"\xff")]);
        assert_eq!(read.not_text, ["PLANTS_TOKEN", "PLANTS_PROFILE"]);
        assert!(!format!("{read:?}").contains("canary"));
    }

    #[test]
    fn the_process_has_a_home() {
        let read = Environment::read();
        assert!(read.home.is_some() && read.config_home.is_some() && read.data_home.is_some());
    }
}
