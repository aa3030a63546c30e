//! The precedence of the sources, and reporting every fault at once.

use super::*;
use crate::client::Certificates;
use crate::config::certificates::tests::ROOT;
use crate::config::options::{HeaderColor, ThemeChoice};
use crate::config::settings::{Connection, Remap};
use crate::config::sources::PLAIN_HTTP;
use crate::config::value::Timeout;
use std::time::Duration;

fn resolve(flags: &Flags, environment: &Environment) -> Result<Settings, Vec<Fault>> {
    super::resolve(flags, environment, |_, _| Vec::new())
}

/// A home directory with a config file at its default path.
struct Home(tempfile::TempDir);

impl Home {
    fn with(config: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/plants")).unwrap();
        std::fs::write(home.path().join(".config/plants/config.toml"), config).unwrap();
        Self(home)
    }

    fn environment(&self) -> Environment {
        Environment::at_home(self.0.path())
    }

    /// Returns an environment with those of these variables that have a value.
    fn with_variables(&self, variables: &[(&str, Option<&str>)]) -> Environment {
        let set: Vec<_> = variables.iter().filter_map(|(name, value)| Some((*name, (*value)?))).collect();
        self.environment().with(&set)
    }

    fn file(&self) -> String {
        self.0.path().join(".config/plants/config.toml").display().to_string()
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.0.path().join(".config/plants").join(name), content).unwrap();
    }
}

/// Parses flags from a command line.
fn flags(line: &str) -> Flags {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }
    <Line as clap::Parser>::parse_from(std::iter::once("plants").chain(line.split_whitespace())).flags
}

fn connection(settings: Settings) -> Connection {
    let Some(connection) = settings.connection else { panic!("a deployed store was expected") };
    *connection
}

fn names(settings: &Settings) -> Vec<&str> {
    settings.profiles.iter().map(|store| store.name.as_str()).collect()
}

fn shown(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(|fault| format!("{}: {}", fault.location.key, fault.what)).collect()
}

const TWO: &str = "
default = 'red'
theme = 'light'
[profile.red]
base_url = 'https://red.example'
token_env = 'RED_TOKEN'
timeout = '1m'
color = 'red'
read_only = true
[profile.blue]
base_url = 'https://blue.example'
token_env = 'BLUE_TOKEN'
";

#[test]
fn without_any_setting_the_demo_store_is_used() {
    let home = tempfile::tempdir().unwrap();
    let settings = resolve(&Flags::default(), &Environment::at_home(home.path())).unwrap();
    assert!(settings.connection.is_none());
    assert_eq!((settings.timeout, settings.read_only), (Timeout::default().0, false));
    assert_eq!((settings.theme, settings.ascii, settings.colors), (ThemeChoice::Auto, false, Colors::OfTheme));
    assert_eq!(settings.data_dir, home.path().join(".local/share/plants"));
    assert_eq!(settings.config_file, home.path().join(".config/plants/config.toml"));
    assert!(settings.profiles.is_empty() && settings.keys.remaps.is_empty());
}

#[test]
fn the_default_profile_is_used_if_nothing_else_is_given() {
    let home = Home::with(TWO);
    let settings = resolve(&Flags::default(), &home.environment()).unwrap();
    assert_eq!((settings.timeout, settings.read_only), (Duration::from_secs(60), true));
    assert_eq!((settings.theme, names(&settings).join(" ")), (ThemeChoice::Light, "red blue".to_owned()));
    let connection = connection(settings);
    assert_eq!(connection.header_color, Some(HeaderColor::Red));
    assert_eq!(connection.profile.as_deref(), Some("red"));
}

/// Base URL and profile, by flag and by environment: the store and the token source.
#[test]
fn the_token_of_a_profile_is_used_only_for_its_own_base_url() {
    let home = Home::with(TWO);
    let (red, blue, none) = ("token from $RED_TOKEN", "token from $BLUE_TOKEN", "token from a prompt");
    for (line, url, profile, store, token) in [
        ("", None, None, "https://red.example", red),
        ("--profile blue", None, None, "https://blue.example", blue),
        ("", None, Some("blue"), "https://blue.example", blue),
        ("--profile red", None, Some("blue"), "https://red.example", red),
        // A base URL of higher precedence excludes the profile.
        ("--base-url http://127.0.0.1", None, None, "http://127.0.0.1", none),
        ("", Some("http://127.0.0.1"), None, "http://127.0.0.1", none),
        ("--base-url http://127.0.0.1", None, Some("blue"), "http://127.0.0.1", none),
        // One of the same precedence replaces the base URL of the profile, whose token is then not used.
        ("--base-url http://127.0.0.1 --profile blue", None, None, "http://127.0.0.1", none),
        ("", Some("http://127.0.0.1"), Some("blue"), "http://127.0.0.1", none),
        // The base URL of the profile may be spelt differently.
        ("--base-url https://BLUE.example:443/ --profile blue", None, None, "https://blue.example", blue),
        ("", Some("https://blue.example"), Some("blue"), "https://blue.example", blue),
        // The base URL of the environment does not get the token of a profile named by a flag.
        ("--profile blue", Some("http://127.0.0.1"), None, "https://blue.example", blue),
        ("--base-url http://127.0.0.1", Some("http://127.0.0.2"), Some("red"), "http://127.0.0.1", none),
    ] {
        let environment = home.with_variables(&[("PLANTS_BASE_URL", url), ("PLANTS_PROFILE", profile)]);
        let connection = connection(resolve(&flags(line), &environment).unwrap());
        let case = format!("{line} {url:?} {profile:?}");
        assert_eq!(connection.url.to_string(), store, "{case}");
        assert_eq!(connection.token_source.to_string(), token, "{case}");
        assert_eq!(connection.profile.is_none(), token == none, "{case}");
    }
}

#[test]
fn the_settings_in_force_name_the_store_that_is_used() {
    let home = Home::with(TWO);
    let local = "http://127.0.0.1";
    for (line, url, base_url, profile) in [
        ("", None, Some("https://red.example"), Some("red")),
        ("--profile blue", Some(local), Some("https://blue.example"), Some("blue")),
        ("", Some(local), Some(local), None),
        ("--demo", Some(local), None, None),
        // The limits of the profile apply.
        ("--base-url http://127.0.0.1 --profile blue", None, Some(local), Some("blue")),
    ] {
        let environment = home.with_variables(&[("PLANTS_BASE_URL", url)]);
        let given = resolve(&flags(line), &environment).unwrap().given;
        let value = |name| given.iter().find(|given| given.name == name).map(|given| given.value.as_str());
        assert_eq!((value("base_url"), value("profile")), (base_url, profile), "{line} {url:?}");
    }
}

/// Flags, `PLANTS_BASE_URL` and whether `PLANTS_TOKEN` is set: the store, the token source, and the token that is
/// withheld.
#[test]
fn the_token_of_the_environment_is_used_for_its_base_url_or_without_another_source() {
    let home = Home::with(
        "[profile.own]\nbase_url = 'https://own.example'\ntoken_env = 'OWN'\n\
         [profile.bare]\nbase_url = 'https://bare.example'\n",
    );
    let (given, own, none) = ("token from $PLANTS_TOKEN", "token from $OWN", "token from a prompt");
    let of_variable = "PLANTS_TOKEN is for PLANTS_BASE_URL (https://env.example) alone";
    let of_own = "the token of profile \"own\" is for https://own.example alone";
    for (line, url, token, store, source, withheld) in [
        ("--base-url https://flag.example", None, true, "https://flag.example", given, None),
        ("--profile own", None, true, "https://own.example", own, None),
        ("--profile bare", None, true, "https://bare.example", given, None),
        ("--profile bare", None, false, "https://bare.example", none, None),
        ("", Some("https://env.example"), true, "https://env.example", given, None),
        ("--base-url https://env.example/", Some("https://env.example"), true, "https://env.example", given, None),
        (
            "--base-url https://flag.example",
            Some("https://env.example"),
            true,
            "https://flag.example",
            none,
            Some(of_variable),
        ),
        ("--profile own", Some("https://env.example"), true, "https://own.example", own, None),
        ("--profile bare", Some("https://env.example"), true, "https://bare.example", none, Some(of_variable)),
        ("--profile own --base-url https://flag.example", None, true, "https://flag.example", given, None),
        ("--profile own --base-url https://flag.example", None, false, "https://flag.example", none, Some(of_own)),
        ("--profile own --base-url https://own.example", None, false, "https://own.example", own, None),
        ("--profile own", Some("https://own.example"), true, "https://own.example", given, None),
    ] {
        let environment = home.with_variables(&[("PLANTS_BASE_URL", url), ("PLANTS_TOKEN", token.then_some("canary"))]);
        let connection = connection(resolve(&flags(line), &environment).unwrap());
        let case = format!("{line} {url:?} {token}");
        assert_eq!(connection.url.to_string(), store, "{case}");
        assert_eq!(connection.token_source.to_string(), source, "{case}");
        assert_eq!(connection.withheld.as_deref(), withheld, "{case}");
    }
}

#[test]
fn an_explicit_base_url_gets_only_the_limits_of_a_profile() {
    let home = Home::with(
        "[profile.a]\nbase_url = 'http://10.0.0.2'\nallow_http = true\nproxy = 'http://p:1'\nca_cert = 'ca.pem'\n\
         color = 'red'\ntimeout = '1m'\nread_only = true\n",
    );
    home.write("ca.pem", ROOT);
    let own = connection(resolve(&flags("--profile a"), &home.environment()).unwrap());
    assert!(own.proxy.is_some() && own.ca_cert.is_some() && own.profile.is_some());
    let by_flag = |url: &str| (flags(&format!("--profile a --base-url {url}")), home.environment());
    let by_variable = |url: &str| {
        (Flags::default(), home.with_variables(&[("PLANTS_BASE_URL", Some(url)), ("PLANTS_PROFILE", Some("a"))]))
    };
    let (in_clear, other) = ("http://10.0.0.3", "https://other.example");
    for (key, (flags, environment)) in [("--base-url", by_flag(in_clear)), ("PLANTS_BASE_URL", by_variable(in_clear))] {
        let faults = resolve(&flags, &environment).unwrap_err();
        assert_eq!(shown(&faults), [format!("{key}: {PLAIN_HTTP}")]);
    }
    for (flags, environment) in [by_flag(other), by_variable(other)] {
        let settings = resolve(&flags, &environment).unwrap();
        assert_eq!((settings.timeout, settings.read_only), (Duration::from_secs(60), true));
        let other = connection(settings);
        assert!(other.proxy.is_none() && other.ca_cert.is_none(), "{other:?}");
        assert_eq!((other.profile, other.header_color), (None, None));
    }
}

#[test]
fn an_excluded_profile_has_no_effect() {
    let home = Home::with(TWO);
    let settings = resolve(&flags("--base-url https://other.example"), &home.environment()).unwrap();
    assert_eq!((settings.timeout, settings.read_only), (Timeout::default().0, false));
    assert_eq!(connection(settings).header_color, None);
}

#[test]
fn flags_override_the_environment_which_overrides_the_profile() {
    let home = Home::with(TWO);
    let variables = [("PLANTS_TOKEN", "canary"), ("PLANTS_DATA_DIR", "/from/environment"), ("NO_COLOR", "1")];
    let environment = home.environment().with(&variables);
    let settings = resolve(&Flags::default(), &environment).unwrap();
    assert_eq!((settings.data_dir.as_path(), settings.colors), (Path::new("/from/environment"), Colors::Off));
    // The profile has a source of its own.
    assert_eq!(connection(settings).token_source.to_string(), "token from $RED_TOKEN");

    let line = "--token-file /t --data-dir /from/flag --timeout 5s --read-only --ascii --no-color";
    let settings = resolve(&flags(line), &environment).unwrap();
    assert_eq!((settings.data_dir.as_path(), settings.timeout), (Path::new("/from/flag"), Duration::from_secs(5)));
    assert!(settings.read_only && settings.ascii && settings.colors == Colors::Off);
    assert_eq!(connection(settings).token_source.to_string(), "token from file /t");

    let without_unicode = Environment { locale: Some("C".into()), ..environment.clone() };
    let is_ascii = |line, environment: &Environment| resolve(&flags(line), environment).unwrap().ascii;
    assert!(is_ascii("", &without_unicode) && !is_ascii("", &environment));
    let chosen = home.environment().with(&[("PLANTS_ASCII", "0"), ("LANG", "C")]);
    assert!(!is_ascii("", &chosen) && is_ascii("--ascii", &chosen));

    let settings = resolve(&flags("--token-stdin"), &environment).unwrap();
    assert_eq!(connection(settings).token_source.to_string(), "token from stdin");
}

#[test]
fn demo_overrides_every_other_store() {
    let home = Home::with(TWO);
    let variables = [("PLANTS_BASE_URL", "no url"), ("PLANTS_PROFILE", "nobody"), ("PLANTS_TOKEN", "two words")];
    let environment = home.environment().with(&variables);
    let settings = resolve(&flags("--demo"), &environment).unwrap();
    assert!(settings.connection.is_none() && !settings.read_only);
    assert_eq!(settings.theme, ThemeChoice::Light);
}

#[test]
fn faults_of_all_sources_are_reported_at_once() {
    let home = Home::with("theme = 'blue'\n[profile.a]\ntimeout = 'soon'\n");
    let environment = home.environment().with(&[
        ("PLANTS_BASE_URL", "plants.example"),
        ("PLANTS_TOKEN", "canary canary"),
        ("PLANTS_PROFILE", "b"),
        ("PLANTS_DATA_DIR", ""),
    ]);
    let line = "--timeout never --ca-cert /nowhere/ca.pem --base-url http://u:canary@h --token-stdin";
    let flags = Flags { token_file: Some("t".into()), ..flags(line) };
    let faults = resolve(&flags, &environment).unwrap_err();
    let keys: Vec<&str> = faults.iter().map(|fault| fault.location.key.as_str()).collect();
    let expected = [
        "--token-stdin",
        "PLANTS_DATA_DIR",
        "theme",
        "profile.a.timeout",
        "--timeout",
        "--base-url",
        "PLANTS_TOKEN",
        "PLANTS_BASE_URL",
        "PLANTS_PROFILE",
        "--ca-cert",
    ];
    assert_eq!(keys, expected);
    assert!(!format!("{faults:?} {:?}", shown(&faults)).contains("canary"));
}

#[test]
fn an_unknown_default_profile_is_a_fault_unless_the_demo_store_is_named() {
    let home = Home::with("[profile.red]\nbase_url = 'https://red'\n");
    let file = home.environment().config_home.unwrap().join("plants/config.toml");
    std::fs::write(file, "default = 'rde'\n[profile.red]\nbase_url = 'https://red'\n").unwrap();
    let faults = resolve(&flags(""), &home.environment()).unwrap_err();
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    let text = fault.to_string();
    assert!(
        text.ends_with(":1: default: there is no profile \"rde\"; there are: \"red\"; did you mean red?"),
        "{text}"
    );
    for other in ["--demo", "--profile red"] {
        assert!(resolve(&flags(other), &home.environment()).is_ok(), "{other}");
    }
}

#[test]
fn the_fault_of_an_unknown_profile_lists_the_known_ones() {
    let home = Home::with(TWO);
    let faults = resolve(&flags("--profile green"), &home.environment()).unwrap_err();
    assert_eq!(
        shown(&faults),
        [format!("--profile: there is no profile \"green\" in {}; there are: \"red\", \"blue\"", home.file())]
    );
    let nothing = Environment::at_home(Path::new("/nowhere"));
    let faults = resolve(&flags("--profile green"), &nothing).unwrap_err();
    assert_eq!(
        shown(&faults),
        [
            "--profile: there is no profile \"green\": /nowhere/.config/plants/config.toml has none; add it, or name another file with --config"
        ]
    );
}

#[test]
fn without_a_home_directory_config_file_and_data_directory_must_be_named() {
    let homeless = Environment::default().with(&[("PLANTS_BASE_URL", "https://h")]);
    let faults = resolve(&flags(""), &homeless).unwrap_err();
    let expected = [
        "--config: no home directory is known for the default file: set HOME, or name the file",
        "--data-dir: no home directory is known for the default directory: set HOME, or name the directory",
    ];
    assert_eq!(shown(&faults), expected);
}

#[test]
fn a_profile_without_a_base_url_needs_one_from_elsewhere() {
    let home = Home::with("[profile.a]\ntoken_env = 'T'\n");
    let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
    assert_eq!(faults.first().and_then(|fault| fault.location.line), Some(1));
    assert_eq!(shown(&faults), ["profile.a.base_url: the profile has no base_url, and none is given elsewhere"]);

    let environment = home.environment().with(&[("PLANTS_BASE_URL", "https://h")]);
    let filled = connection(resolve(&flags("--profile a"), &environment).unwrap());
    assert_eq!(
        (filled.url.to_string().as_str(), filled.token_source.to_string().as_str()),
        ("https://h", "token from a prompt")
    );
    let words = "profile \"a\" has a token but no base_url, so that token is for no store";
    assert_eq!(filled.withheld.as_deref(), Some(words));

    let home = Home::with("[profile.a]\nbase_url = 'h'\n");
    let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
    assert_eq!(faults.len(), 1, "an invalid base URL is not a missing one: {faults:?}");
}

#[test]
fn plain_http_to_another_machine_must_be_allowed() {
    let home = Home::with(
        "[profile.a]\nbase_url = 'http://10.0.0.2'\n[profile.b]\nbase_url = 'http://10.0.0.2'\nallow_http = true\n",
    );
    let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
    let [Fault { location, .. }] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!((location.line, location.key.as_str()), (Some(2), "profile.a.base_url"));
    let faults = resolve(&flags("--base-url http://10.0.0.2"), &home.environment()).unwrap_err();
    assert_eq!(shown(&faults), [format!("--base-url: {PLAIN_HTTP}")]);
    for line in ["--profile b", "--profile a --allow-http", "--base-url http://localhost:1 "] {
        assert!(resolve(&flags(line), &home.environment()).is_ok(), "{line}");
    }
}

#[test]
fn the_path_of_a_certificate_is_relative_to_the_config_file() {
    let home = Home::with("[profile.a]\nbase_url = 'https://h'\nca_cert = 'ca.pem'\n");
    let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
    let [Fault { location, .. }] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!((location.line, location.key.as_str()), (Some(3), "profile.a.ca_cert"));
    home.write("ca.pem", ROOT);
    let connection = connection(resolve(&flags("--profile a"), &home.environment()).unwrap());
    assert_eq!(connection.ca_cert, Some(Certificates::from_pem(ROOT.as_bytes()).unwrap()));
}

#[test]
fn a_named_config_file_must_exist() {
    let home = Home::with("");
    let faults = resolve(&flags("--config /nowhere/c.toml"), &home.environment()).unwrap_err();
    assert_eq!(
        faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["/nowhere/c.toml: there is no such config file: check --config"]
    );
    home.write("other.toml", TWO);
    let mut named = Flags { config: Some(home.0.path().join(".config/plants/other.toml")), ..Flags::default() };
    assert_eq!(resolve(&named, &home.environment()).unwrap().profiles.len(), 2);
    // Also without a home directory.
    named.data_dir = Some("/data".into());
    assert!(resolve(&named, &Environment::default()).is_ok());
    assert_eq!(resolve(&Flags::default(), &Environment::default()).unwrap_err().len(), 2);
}

#[test]
fn no_secret_is_printed() {
    let home = Home::with(
        "[profile.a]\nbase_url = 'https://h'\nproxy = 'http://u:canary@p'\ntoken_command = ['echo', 'canary']\n",
    );
    let settings = resolve(&flags("--profile a"), &home.environment()).unwrap();
    assert!(!format!("{settings:?}").contains("canary"));
    let environment = home.environment().with(&[("PLANTS_TOKEN", "canary")]);
    let settings = resolve(&flags("--base-url https://h"), &environment).unwrap();
    assert!(!format!("{settings:?} {environment:?}").contains("canary"));
}

#[test]
fn a_misspelt_profile_is_suggested_and_faults_are_in_the_order_of_the_file() {
    let home = Home::with(TWO);
    let faults = resolve(&flags("--profile bleu"), &home.environment()).unwrap_err();
    assert_eq!(
        shown(&faults),
        [format!(
            "--profile: there is no profile \"bleu\" in {}; there are: \"red\", \"blue\"; did you mean blue?",
            home.file()
        )]
    );
    let home = Home::with("[keys]\nadd = 'Entr'\n[profile.a]\ncolour = 'red'\n");
    let remapped = |keys: &KeySettings, file: &Path| {
        let fault = |remap: &Remap| Location::in_file(file, remap.line, remap.action.clone()).fault("invalid");
        keys.remaps.iter().map(fault).collect()
    };
    let faults = super::resolve(&Flags::default(), &home.environment(), remapped).unwrap_err();
    assert_eq!(shown(&faults), ["add: invalid", "profile.a.colour: unknown key; did you mean color?"]);
}

#[test]
fn messages_of_a_team_are_kept_for_30_days_unless_the_profile_says_otherwise() {
    for (line, days) in [("", 30), ("team_keep = '90d'\n", 90)] {
        let profile = "[profile.red]\nbase_url = 'https://red.example'\nteam = 'tls://one'\n";
        let home = Home::with(&format!("{profile}{line}"));
        let team = connection(resolve(&flags("--profile red"), &home.environment()).unwrap()).team.unwrap();
        assert_eq!(team.keep.as_secs(), days * 24 * 60 * 60, "{line}");
    }
}

/// Servers by flag and by environment: the credentials of the environment, and whether those of the profile apply.
#[test]
fn what_belongs_to_the_servers_of_a_team_goes_to_no_others() {
    let secrets = "team_token_command = ['pass']\nteam_ca_cert = '/a.pem'\nteam_allow_plain = true\n";
    let profile = "[profile.red]\nbase_url = 'https://red.example'\nteam_bodies = false\n";
    let with_servers = format!("{profile}{secrets}team = 'tls://one,tls://two'\n");
    let (theirs, ours) = (Home::with(&with_servers), Home::with(&format!("{profile}{secrets}")));
    for (home, flag, variable, of_environment, of_profile) in [
        (&theirs, None, None, true, true),
        (&theirs, Some("tls://two,tls://one"), None, true, true),
        (&theirs, Some("tls://one"), Some("tls://elsewhere"), false, true),
        (&theirs, Some("tls://one,tls://elsewhere"), None, true, false),
        (&theirs, Some("tls://one:4223"), None, true, false),
        (&theirs, None, Some("tls://elsewhere"), true, false),
        (&ours, None, Some("tls://elsewhere"), true, false),
        (&ours, Some("tls://one"), Some("tls://elsewhere"), false, false),
    ] {
        let line = flag.map_or("--profile red".to_owned(), |servers| format!("--profile red --team {servers}"));
        // Those of the environment take precedence.
        for has_credentials in [true, false] {
            let credentials = has_credentials.then_some("/ann.creds");
            let environment =
                home.with_variables(&[("PLANTS_TEAM", variable), ("PLANTS_TEAM_CREDENTIALS", credentials)]);
            let team = connection(resolve(&flags(&line), &environment).unwrap()).team.unwrap();
            let key = match (has_credentials && of_environment, of_profile) {
                (true, _) => Some("team_credentials"),
                (false, true) => Some("team_token_command"),
                (false, false) => None,
            };
            assert_eq!(team.access.map(|access| access.key()), key, "{line}, {variable:?}");
            assert_eq!((team.ca_cert.is_some(), team.allow_plain), (of_profile, of_profile), "{line}, {variable:?}");
            assert!(!team.bodies);
        }
    }
}
