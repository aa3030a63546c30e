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
    /// A value in the config file, as TOML; every setting with a key has one, but [`COMMAND`], a table.
    example: &'static str,
    /// What it sets, with its default, in Markdown.
    what: &'static str,
}

macro_rules! settings {
    ($(#[doc = $what:literal] $name:ident: $scope:ident, $key:literal, $flag:literal, $variable:literal $(, $example:literal)?;)*) => {
        $(#[doc = $what] pub(super) const $name: Setting =
            Setting { scope: Scope::$scope, key: $key, flag: $flag, variable: $variable, example: concat!($($example)?), what: $what };)*
        pub(super) const SETTINGS: &[Setting] = &[$($name),*];
    };
}

settings! {
    // name         scope    key              flag             variable           example
    /// the config file; `~/.config/plants/config.toml` by default
    CONFIG:         Program, "",              "--config",      "";
    /// the directory of the journal; `~/.local/share/plants` by default
    DATA_DIR:       Program, "",              "--data-dir",    "PLANTS_DATA_DIR";
    /// opens the demo store, whatever else is configured
    DEMO:           Program, "",              "--demo",        "";
    /// draws without colour
    NO_COLOR:       Program, "",              "--no-color",    "NO_COLOR";
    /// draws in colour also where the output is no terminal, unless it is `0`
    FORCE_COLOR:    Program, "",              "",              "FORCE_COLOR";
    /// the same
    CLICOLOR_FORCE: Program, "",              "",              "CLICOLOR_FORCE";
    /// the program that shows long tables on a terminal, `PAGER` or `less` by default; empty: none
    PAGER:          Program, "",              "--no-pager",    "PLANTS_PAGER";
    /// a file to which a log for bug reports is appended, without secrets
    LOG:            Program, "",              "--log",         "PLANTS_LOG";
    /// at what age requests are trimmed when the interface opens a store, as `plants journal trim` does; never by default
    TRIM_AFTER:     Program, "trim_after",    "",              "", r#""90d""#;
    /// the profile to use
    PROFILE:        Program, "default",       "--profile",     "PLANTS_PROFILE", r#""staging""#;
    /// `auto` (the default), `dark`, `light`, `high-contrast` or `mono`
    THEME:          Program, "theme",         "",              "", r#""auto""#;
    /// what the Greenhouse and the tour speak: `auto` (the default; by `LC_ALL`, `LC_MESSAGES` or `LANG`), `en`, `de`, `es` or `ja`; `:language` keeps one here, and `:language auto` undoes it
    LANGUAGE:       Program, "language",      "",              "", r#""auto""#;
    /// draws with ASCII characters only; by default where the locale or the terminal lacks others (`1` or `true`; `0` or `false`)
    ASCII:          Program, "ascii",         "--ascii",       "PLANTS_ASCII", "true";
    /// plain mode: questions and answers, line by line (`1` or `true`; `0` or `false` turns it off)
    PLAIN:          Program, "plain",         "--plain",       "PLANTS_PLAIN", "false";
    /// `true`: nothing on screen moves by itself
    REDUCED_MOTION: Program, "reduced_motion", "",             "NO_MOTION", "true";
    /// how the end of an import or a check of ten seconds or more is said while you look elsewhere: `bell` (the default), `desktop` (OSC 9) or `off`
    NOTIFY:         Program, "notify",        "",              "", r#""bell""#;
    /// a program of yours with a key, for the selected plant or request; see below
    COMMAND:        Program, "command",       "",              "";
    /// time limit of one whole request: `30s` by default, `1h` at most
    TIMEOUT:        Profile, "timeout",       "--timeout",     "", r#""30s""#;
    /// `true`: sends nothing that changes the store (in the variable `1` or `true`; `0` or `false`)
    READ_ONLY:      Profile, "read_only",     "--read-only",   "PLANTS_READ_ONLY", "true";
    /// base URL of the store, with its path if it has one
    BASE_URL:       Profile, "base_url",      "--base-url",    "PLANTS_BASE_URL", r#""https://plants.example/api""#;
    /// the token itself, on standard input or in the variable
    TOKEN:          Profile, "",              "--token-stdin", "PLANTS_TOKEN";
    /// a program that prints the token, as an array: `["pass", "show", "plants"]`
    TOKEN_COMMAND:  Profile, "token_command", "",              "", r#"["pass", "show", "plants"]"#;
    /// a file that contains the token and nothing else
    TOKEN_FILE:     Profile, "token_file",    "--token-file",  "", r#""token""#;
    /// the name of an environment variable that contains the token
    TOKEN_ENV:      Profile, "token_env",     "",              "", r#""STAGING_TOKEN""#;
    /// a PEM file of certificates to trust in addition to the system's
    CA_CERT:        Profile, "ca_cert",       "--ca-cert",     "", r#""ca.pem""#;
    /// a PEM file with your certificate, for a store that asks for one
    CLIENT_CERT:    Profile, "client_cert",   "",              "", r#""me.pem""#;
    /// the PEM file with its private key, if `client_cert` does not contain it
    CLIENT_KEY:     Profile, "client_key",    "",              "", r#""me.key""#;
    /// headers for a gateway before the store, each with the source of its secret value
    HEADERS:        Profile, "headers",       "",              "", r#"{ "X-Api-Key" = { command = ["pass", "show", "gateway"] }, "X-Tenant" = { file = "tenant" } }"#;
    /// `true`: sends the token over plain http to another machine, where others can read it
    ALLOW_HTTP:     Profile, "allow_http",    "--allow-http",  "", "true";
    /// the proxy to this store: `http://proxy.example:3128`; by default the one of the variable, for https alone
    PROXY:          Profile, "proxy",         "",              "HTTPS_PROXY", r#""http://proxy.example:3128""#;
    /// the NATS servers of the team that shares the journal: `nats://one.example,nats://two.example`
    TEAM:           Profile, "team",          "--team",        "PLANTS_TEAM", r#""nats://one.example,nats://two.example""#;
    /// the name that the team has for this store; its base URL by default
    TEAM_STORE:     Profile, "team_store",    "",              "PLANTS_TEAM_STORE", r#""staging""#;
    /// a NATS credentials file
    TEAM_CREDENTIALS: Profile, "team_credentials", "",         "PLANTS_TEAM_CREDENTIALS", r#""team.creds""#;
    /// a program that prints the token for the NATS servers, as an array
    TEAM_TOKEN_COMMAND: Profile, "team_token_command", "",     "", r#"["pass", "show", "nats"]"#;
    /// a user of the NATS servers
    TEAM_USER:      Profile, "team_user",     "",              "", r#""ann""#;
    /// a program that prints the password of that user, as an array
    TEAM_PASSWORD_COMMAND: Profile, "team_password_command", "", "", r#"["pass", "show", "nats"]"#;
    /// a file that contains the seed of an nkey and nothing else
    TEAM_NKEY:      Profile, "team_nkey",     "",              "", r#""team.nk""#;
    /// a PEM file of certificates to trust at the NATS servers
    TEAM_CA_CERT:   Profile, "team_ca_cert",  "",              "", r#""team.pem""#;
    /// `true`: connects to NATS servers on other machines without TLS
    TEAM_ALLOW_PLAIN: Profile, "team_allow_plain", "",         "", "true";
    /// `false`: shares no bodies of requests and responses; names and tags are shared even so
    TEAM_BODIES:    Profile, "team_bodies",   "",              "", "false";
    /// at what age messages of the team's stream are removed by `plants team compact`; `30d` by default
    TEAM_KEEP:      Profile, "team_keep",     "",              "", r#""30d""#;
    /// your name in the team; `user@host` by default
    AUTHOR:         Profile, "author",        "",              "", r#""ann@laptop""#;
    /// colour of the header, like `yellow`; red is a good habit for production
    COLOR:          Profile, "color",         "",              "", r#""yellow""#;
}

/// How the example begins.
const EXAMPLE: &str = "\
# The config file of plants. Put it where `plants paths` says, and remove the # before the settings that you want.
# Flags take precedence over the environment, and the environment over this file. `plants config` says what is in force.
";

/// What the example says of the keys of commands, which are no settings of this table.
const KEYS: &str = "
# keys for commands: docs/keys.md has their names, and ? in the program
#[keys]
#add = \"n\"
#quit = [\"q\", \"F10\"]
";

/// Settings that exclude one before them: a profile has one source of its token, and one way to authenticate at its
/// team's servers.
const INSTEAD: [Setting; 6] = [TOKEN_FILE, TOKEN_ENV, TEAM_TOKEN_COMMAND, TEAM_USER, TEAM_PASSWORD_COMMAND, TEAM_NKEY];

/// An example of a custom command.
const CUSTOM_COMMAND: &str = "
# a program of yours: it reads the selected plant or request (on) as JSON, and its output is shown in the program
#[[command]]
#key = \"X\"
#run = [\"python3\", \"-m\", \"json.tool\"]
#on = \"plant\"
#name = \"pretty\"
";

/// Renders a config file with every setting, each commented out: a line that sets something begins with `#` and no space.
/// All of these together are valid; one that excludes another begins with `# or`.
pub fn example() -> String {
    let mut text = EXAMPLE.to_owned();
    let of = |scope| SETTINGS.iter().filter(move |setting| setting.scope == scope && !setting.key.is_empty());
    let add = |text: &mut String, setting: &Setting| {
        let mark = if INSTEAD.iter().any(|other| other.key == setting.key) { "# or " } else { "#" };
        let what = setting.what.trim().replace('`', "");
        let _ = write!(text, "\n# {what}\n{mark}{} = {}\n", setting.key, setting.example);
    };
    of(Scope::Program).filter(|setting| setting.key != COMMAND.key).for_each(|setting| add(&mut text, setting));
    text.push_str(KEYS);
    text.push_str(CUSTOM_COMMAND);
    text.push_str(
        "\n# A store of yours; there can be many. Paths in this file are relative to it.\n#[profile.staging]\n",
    );
    of(Scope::Profile).for_each(|setting| add(&mut text, setting));
    text
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
    use std::path::Path;

    use crate::config::file::ConfigFile;
    use crate::config::flags::Flags;
    use crate::config::layer::Layer;
    use clap::Args as _;

    /// Settings that exclude each other, in the order of all.
    const EXCLUSIVE: [Setting; 8] = [
        TOKEN_COMMAND,
        TOKEN_FILE,
        TOKEN_ENV,
        TEAM_CREDENTIALS,
        TEAM_TOKEN_COMMAND,
        TEAM_USER,
        TEAM_PASSWORD_COMMAND,
        TEAM_NKEY,
    ];

    /// Removes the `#` of every line that sets something.
    fn uncommented(example: &str) -> String {
        let line = |line: &str| match line.strip_prefix('#') {
            Some(setting) if !setting.starts_with(' ') => format!("{setting}\n"),
            Some(_) | None => format!("{line}\n"),
        };
        example.lines().map(line).collect()
    }

    /// Sets every setting, except the exclusive ones that are not `kept`.
    fn with(kept: &[Setting]) -> String {
        let others = EXCLUSIVE.iter().filter(|setting| kept.iter().all(|kept| kept.key != setting.key));
        let others: Vec<_> = others.map(|setting| format!("#{} = ", setting.key)).collect();
        let is_left_out = |line: &&str| others.iter().any(|other| line.starts_with(other.as_str()));
        let example = example().replace("# or ", "#");
        uncommented(&example.lines().filter(|line| !is_left_out(line)).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn the_example_sets_nothing_and_is_valid_with_every_setting_in_force() {
        let read = |text: &str| ConfigFile::parse(Path::new("/etc/config.toml"), text, None);
        let (file, faults) = read(&example());
        assert!(faults.is_empty() && file.profiles.is_empty() && file.remaps.is_empty(), "{faults:?}");
        assert_eq!(read(&uncommented(&example())).1, []);
        for kept in [
            &[TOKEN_COMMAND, TEAM_CREDENTIALS][..],
            &[TOKEN_FILE, TEAM_TOKEN_COMMAND],
            &[TOKEN_ENV, TEAM_NKEY],
            &[TOKEN_ENV, TEAM_USER, TEAM_PASSWORD_COMMAND],
        ] {
            let text = with(kept);
            let (file, faults) = read(&text);
            assert!(faults.is_empty(), "{faults:?} in {text}");
            let given =
                |layer: &Layer| layer.given().into_iter().map(|given| given.setting.key.to_owned()).collect::<Vec<_>>();
            let profile = file.profile("staging").unwrap();
            let read: Vec<_> = given(&file.layer).into_iter().chain(given(&profile.layer)).collect();
            let is_read = |setting: &&Setting| read.iter().any(|name| name == setting.key);
            let with_key = SETTINGS.iter().filter(|setting| !setting.key.is_empty());
            let missing: Vec<_> = with_key.filter(|setting| !is_read(setting)).map(|setting| setting.key).collect();
            // A user is read together with its password.
            let is_seen = |key: &str| key != TEAM_USER.key && kept.iter().any(|setting| setting.key == key);
            let others = EXCLUSIVE.iter().map(|setting| setting.key).filter(|key| !is_seen(key));
            assert_eq!(missing, others.collect::<Vec<_>>());
            assert_eq!(file.remaps.len(), 2);
        }
    }

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
