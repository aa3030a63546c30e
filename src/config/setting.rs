//! Every setting: what each source calls it, and what its value holds for.
//!
//! The order of the sources is `Layer`'s business.

/// What the value of a setting holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The whole program. In the config file its key stands at the top.
    Program,
    /// Every base URL that a profile is used with.
    Profile,
    /// The base URL that it was given with, and no other.
    BaseUrl,
}

/// The names of one setting; empty where a source cannot give it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) scope: Scope,
    pub(super) key: &'static str,
    pub(super) flag: &'static str,
    pub(super) variable: &'static str,
}

macro_rules! settings {
    ($($name:ident: $scope:ident, $key:literal, $flag:literal, $variable:literal;)*) => {
        $(pub(super) const $name: Setting =
            Setting { scope: Scope::$scope, key: $key, flag: $flag, variable: $variable };)*
        pub(super) const SETTINGS: &[Setting] = &[$($name),*];
    };
}

settings! {
    // name         scope    key              flag             variable
    CONFIG:         Program, "",              "--config",      "";
    DATA_DIR:       Program, "",              "--data-dir",    "PLANTS_DATA_DIR";
    DEMO:           Program, "",              "--demo",        "";
    NO_COLOR:       Program, "",              "--no-color",    "NO_COLOR";
    PROFILE:        Program, "default",       "--profile",     "PLANTS_PROFILE";
    THEME:          Program, "theme",         "",              "";
    REDUCED_MOTION: Program, "reduced_motion", "",             "NO_MOTION";
    TIMEOUT:        Profile, "timeout",       "--timeout",     "";
    READ_ONLY:      Profile, "read_only",     "--read-only",   "";
    BASE_URL:       BaseUrl, "base_url",      "--base-url",    "PLANTS_BASE_URL";
    TOKEN:          BaseUrl, "",              "--token-stdin", "PLANTS_TOKEN";
    TOKEN_COMMAND:  BaseUrl, "token_command", "",              "";
    TOKEN_FILE:     BaseUrl, "token_file",    "--token-file",  "";
    TOKEN_ENV:      BaseUrl, "token_env",     "",              "";
    CA_CERT:        BaseUrl, "ca_cert",       "--ca-cert",     "";
    ALLOW_HTTP:     BaseUrl, "allow_http",    "--allow-http",  "";
    PROXY:          BaseUrl, "proxy",         "",              "";
    COLOR:          BaseUrl, "color",         "",              "";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::flags::Flags;
    use clap::Args as _;

    #[test]
    fn every_flag_is_one_and_the_readme_names_every_setting() {
        let command = Flags::augment_args(clap::Command::new("plants"));
        let flags: Vec<_> =
            command.get_arguments().filter_map(|flag| flag.get_long()).map(|name| format!("--{name}")).collect();
        let readme = include_str!("../../README.md");
        for setting in SETTINGS {
            assert!(setting.flag.is_empty() || flags.iter().any(|flag| flag == setting.flag), "{setting:?}");
            for name in [setting.key, setting.flag, setting.variable] {
                assert!(readme.contains(name), "{name}");
            }
        }
    }
}
