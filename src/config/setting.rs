//! Every setting: its key in the config file, its flag and its variable.
//!
//! Must not know which of these sources has precedence.

/// Where in the config file the key of a setting belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// At the top.
    Program,
    /// Under a `[profile.NAME]`.
    Profile,
}

/// The names of one setting; empty for a source that cannot give it.
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
    BASE_URL:       Profile, "base_url",      "--base-url",    "PLANTS_BASE_URL";
    TOKEN:          Profile, "",              "--token-stdin", "PLANTS_TOKEN";
    TOKEN_COMMAND:  Profile, "token_command", "",              "";
    TOKEN_FILE:     Profile, "token_file",    "--token-file",  "";
    TOKEN_ENV:      Profile, "token_env",     "",              "";
    CA_CERT:        Profile, "ca_cert",       "--ca-cert",     "";
    ALLOW_HTTP:     Profile, "allow_http",    "--allow-http",  "";
    PROXY:          Profile, "proxy",         "",              "";
    COLOR:          Profile, "color",         "",              "";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::flags::Flags;
    use clap::Args as _;

    #[test]
    fn every_flag_exists_and_the_readme_names_every_setting() {
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
