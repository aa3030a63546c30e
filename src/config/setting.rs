//! Every setting: its key in the config file, its flag and its variable.
//!
//! Must not know which of these sources has precedence.

use std::fmt::Write as _;

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
    /// What it sets, with its default, in Markdown.
    what: &'static str,
}

macro_rules! settings {
    ($(#[doc = $what:literal] $name:ident: $scope:ident, $key:literal, $flag:literal, $variable:literal;)*) => {
        $(#[doc = $what] pub(super) const $name: Setting =
            Setting { scope: Scope::$scope, key: $key, flag: $flag, variable: $variable, what: $what };)*
        pub(super) const SETTINGS: &[Setting] = &[$($name),*];
    };
}

settings! {
    // name         scope    key              flag             variable
    /// the config file; `~/.config/plants/config.toml` by default
    CONFIG:         Program, "",              "--config",      "";
    /// the directory of the journal; `~/.local/share/plants` by default
    DATA_DIR:       Program, "",              "--data-dir",    "PLANTS_DATA_DIR";
    /// opens the demo store, whatever else is configured
    DEMO:           Program, "",              "--demo",        "";
    /// draws without colour
    NO_COLOR:       Program, "",              "--no-color",    "NO_COLOR";
    /// the program that shows long tables on a terminal, `PAGER` or `less` by default; empty: none
    PAGER:          Program, "",              "--no-pager",    "PLANTS_PAGER";
    /// the profile to use
    PROFILE:        Program, "default",       "--profile",     "PLANTS_PROFILE";
    /// `auto` (the default), `dark`, `light`, `high-contrast` or `mono`
    THEME:          Program, "theme",         "",              "";
    /// plain mode: questions and answers, line by line (`1` or `true`; `0` or `false` turns it off)
    PLAIN:          Program, "plain",         "--plain",       "PLANTS_PLAIN";
    /// `true`: nothing on screen moves by itself
    REDUCED_MOTION: Program, "reduced_motion", "",             "NO_MOTION";
    /// time limit of one whole request: `30s` by default, `1h` at most
    TIMEOUT:        Profile, "timeout",       "--timeout",     "";
    /// `true`: sends nothing that changes the store
    READ_ONLY:      Profile, "read_only",     "--read-only",   "";
    /// base URL of the store, with its path if it has one
    BASE_URL:       Profile, "base_url",      "--base-url",    "PLANTS_BASE_URL";
    /// the token itself, on standard input or in the variable
    TOKEN:          Profile, "",              "--token-stdin", "PLANTS_TOKEN";
    /// a program that prints the token, as an array: `["pass", "show", "plants"]`
    TOKEN_COMMAND:  Profile, "token_command", "",              "";
    /// a file that contains the token and nothing else
    TOKEN_FILE:     Profile, "token_file",    "--token-file",  "";
    /// the name of an environment variable that contains the token
    TOKEN_ENV:      Profile, "token_env",     "",              "";
    /// a PEM file of certificates to trust in addition to the system's
    CA_CERT:        Profile, "ca_cert",       "--ca-cert",     "";
    /// a PEM file with your certificate, for a store that asks for one
    CLIENT_CERT:    Profile, "client_cert",   "",              "";
    /// the PEM file with its private key, if `client_cert` does not contain it
    CLIENT_KEY:     Profile, "client_key",    "",              "";
    /// headers for a gateway before the store, each with the source of its secret value
    HEADERS:        Profile, "headers",       "",              "";
    /// `true`: sends the token over plain http to another machine, where others can read it
    ALLOW_HTTP:     Profile, "allow_http",    "--allow-http",  "";
    /// the proxy to this store: `http://proxy.example:3128`
    PROXY:          Profile, "proxy",         "",              "";
    /// the NATS servers of the team that shares the journal: `nats://one.example,nats://two.example`
    TEAM:           Profile, "team",          "--team",        "PLANTS_TEAM";
    /// the name that the team has for this store; its base URL by default
    TEAM_STORE:     Profile, "team_store",    "",              "PLANTS_TEAM_STORE";
    /// a NATS credentials file
    TEAM_CREDENTIALS: Profile, "team_credentials", "",         "PLANTS_TEAM_CREDENTIALS";
    /// a program that prints the token for the NATS servers, as an array
    TEAM_TOKEN_COMMAND: Profile, "team_token_command", "",     "";
    /// a PEM file of certificates to trust at the NATS servers
    TEAM_CA_CERT:   Profile, "team_ca_cert",  "",              "";
    /// `true`: connects to NATS servers on other machines without TLS
    TEAM_ALLOW_PLAIN: Profile, "team_allow_plain", "",         "";
    /// `false`: shares no bodies of requests and responses; names and tags are shared even so
    TEAM_BODIES:    Profile, "team_bodies",   "",              "";
    /// your name in the team; `user@host` by default
    AUTHOR:         Profile, "author",        "",              "";
    /// colour of the header, like `yellow`; red is a good habit for production
    COLOR:          Profile, "color",         "",              "";
}

/// Renders all settings as a Markdown table, for docs/configuration.md.
pub fn settings_markdown() -> String {
    let mut text = "| what it sets | config file | flag | environment |\n| --- | --- | --- | --- |\n".to_owned();
    let code = |name: &str| if name.is_empty() { String::new() } else { format!("`{name}`") };
    for (scope, heading) in [
        (Scope::Program, "For the whole program: at the top of the file"),
        (Scope::Profile, "For a store: under `[profile.NAME]`"),
    ] {
        let _ = writeln!(text, "| **{heading}** | | | |");
        for setting in SETTINGS.iter().filter(|setting| setting.scope == scope) {
            let names = [setting.key, setting.flag, setting.variable].map(code).join(" | ");
            let _ = writeln!(text, "| {} | {names} |", setting.what.trim());
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
    fn every_flag_exists() {
        let command = Flags::augment_args(clap::Command::new("plants"));
        let flags: Vec<_> =
            command.get_arguments().filter_map(|flag| flag.get_long()).map(|name| format!("--{name}")).collect();
        for setting in SETTINGS {
            assert!(setting.flag.is_empty() || flags.iter().any(|flag| flag == setting.flag), "{setting:?}");
        }
    }
}
