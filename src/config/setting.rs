//! Every setting: its name in each source, and what it sets.
//!
//! The order of the sources is in `layer.rs`.

use std::fmt::Write as _;

/// Where in the config file the key of a setting belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// At the top.
    Program,
    /// Under a `[profile.NAME]`.
    Profile,
}

impl Scope {
    const ALL: [Self; 2] = [Self::Program, Self::Profile];

    /// Returns the heading of its rows in the table of all settings.
    fn heading(self) -> &'static str {
        match self {
            Self::Program => "For the whole program: at the top of the file",
            Self::Profile => "For one store: in `[profile.NAME]`",
        }
    }
}

/// The names of one setting; empty for a source that cannot give it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) scope: Scope,
    pub(super) key: &'static str,
    pub(super) flag: &'static str,
    pub(super) variable: &'static str,
    /// What it sets, with the default, in Markdown.
    what: &'static str,
}

macro_rules! settings {
    ($($name:ident: $scope:ident, $key:literal, $flag:literal, $variable:literal, $what:literal;)*) => {
        $(pub(super) const $name: Setting =
            Setting { scope: Scope::$scope, key: $key, flag: $flag, variable: $variable, what: $what };)*
        pub(super) const SETTINGS: &[Setting] = &[$($name),*];
    };
}

settings! {
    // name         scope    key              flag             variable           what
    CONFIG:         Program, "",              "--config",      "",
        "the config file; `~/.config/plants/config.toml` by default";
    DATA_DIR:       Program, "",              "--data-dir",    "PLANTS_DATA_DIR",
        "the directory of the journal; `~/.local/share/plants` by default";
    DEMO:           Program, "",              "--demo",        "",
        "opens the demo store, whatever else is configured";
    NO_COLOR:       Program, "",              "--no-color",    "NO_COLOR",
        "draws without colour";
    PROFILE:        Program, "default",       "--profile",     "PLANTS_PROFILE",
        "the profile to use";
    THEME:          Program, "theme",         "",              "",
        "`auto` (the default), `dark`, `light`, `high-contrast` or `mono`";
    REDUCED_MOTION: Program, "reduced_motion", "",             "NO_MOTION",
        "`true`: nothing on screen moves by itself";
    TIMEOUT:        Profile, "timeout",       "--timeout",     "",
        "time limit of one whole request: `30s` by default, `1h` at most";
    READ_ONLY:      Profile, "read_only",     "--read-only",   "",
        "`true`: sends nothing that changes the store";
    BASE_URL:       Profile, "base_url",      "--base-url",    "PLANTS_BASE_URL",
        "base URL of the store, with its path if it has one";
    TOKEN:          Profile, "",              "--token-stdin", "PLANTS_TOKEN",
        "the token itself, on standard input or in the variable";
    TOKEN_COMMAND:  Profile, "token_command", "",              "",
        "a program that prints the token, as an array: `[\"pass\", \"show\", \"plants\"]`";
    TOKEN_FILE:     Profile, "token_file",    "--token-file",  "",
        "a file that contains the token and nothing else";
    TOKEN_ENV:      Profile, "token_env",     "",              "",
        "the name of an environment variable that contains the token";
    CA_CERT:        Profile, "ca_cert",       "--ca-cert",     "",
        "a PEM file of certificates to trust in addition to the system's";
    ALLOW_HTTP:     Profile, "allow_http",    "--allow-http",  "",
        "`true`: sends the token over plain http to another machine, where others can read it";
    PROXY:          Profile, "proxy",         "",              "",
        "the proxy to this store: `http://proxy.example:3128`";
    COLOR:          Profile, "color",         "",              "",
        "colour of the header, like `yellow`; red is a good habit for production";
}

/// Renders all settings as a Markdown table, for docs/configuration.md.
pub fn settings_markdown() -> String {
    let mut text = "| what it sets | config file | flag | environment |\n| --- | --- | --- | --- |\n".to_owned();
    let code = |name: &str| if name.is_empty() { String::new() } else { format!("`{name}`") };
    for scope in Scope::ALL {
        let _ = writeln!(text, "| **{}** | | | |", scope.heading());
        for setting in SETTINGS.iter().filter(|setting| setting.scope == scope) {
            let names = [setting.key, setting.flag, setting.variable].map(code).join(" | ");
            let _ = writeln!(text, "| {} | {names} |", setting.what);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::flags::Flags;
    use clap::Args as _;

    #[test]
    fn every_flag_is_one_of_the_command_line() {
        let command = Flags::augment_args(clap::Command::new("plants"));
        let flags: Vec<_> =
            command.get_arguments().filter_map(|flag| flag.get_long()).map(|name| format!("--{name}")).collect();
        for setting in SETTINGS {
            assert!(setting.flag.is_empty() || flags.iter().any(|flag| flag == setting.flag), "{setting:?}");
        }
    }
}
