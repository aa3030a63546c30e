//! Puts flags, environment and config file together, and lists every fault at once.
//!
//! The order is flags, environment, profile, demo store, each setting on its own; except that a
//! token, leave for plain http, a certificate and a proxy belong to the base URL they were given
//! with, and go to no other.

use std::path::{Path, PathBuf};

use super::certificates;
use super::environment::{Environment, TOKEN_VARIABLE};
use super::fault::{Fault, quoted};
use super::file::{ConfigFile, Presence, Remap, no_such_profile};
use super::flags::Flags;
use super::profile::Profile;
use super::settings::{Connection, DEFAULT_TIMEOUT, Settings, StoreChoice};
use super::token_source::TokenSource;
use super::value;
use crate::client::Token;
use crate::domain::StoreUrl;

/// How explicitly something was named; a later one beats an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// As the config file's default.
    Default,
    /// By a variable of the environment.
    Environment,
    /// By a flag.
    Flag,
}

/// A base URL and where it was given, for a fault that is about it.
struct Address {
    level: Level,
    /// Whether it was given by itself, and not by a profile.
    by_itself: bool,
    /// `None` if what was given is no base URL; that is a fault already.
    url: Option<StoreUrl>,
    fault: Fault,
}

/// Reads the configuration: the config file and the certificate file, nothing else.
///
/// `judge_keys` finds what is wrong with the lines of `[keys]`: which names and keys there are
/// is for those to say who have the key table.
///
/// # Errors
///
/// Every fault there is, so that all can be mended in one go.
pub fn resolve(
    flags: &Flags,
    environment: &Environment,
    judge_keys: impl FnOnce(&[Remap], &Path) -> Vec<Fault>,
) -> Result<Settings, Vec<Fault>> {
    let mut faults = contradictions(flags);
    faults.extend(environment.not_text.iter().map(|name| Fault::of(*name, "its value is not UTF-8")));
    let (config_file, presence) = match (&flags.config, &environment.config_home) {
        (Some(named), _) => (named.clone(), Presence::Required),
        (None, Some(all)) => (all.join("plants").join("config.toml"), Presence::Optional),
        (None, None) => (PathBuf::new(), Presence::Optional),
    };
    let file = if config_file.as_os_str().is_empty() {
        faults.push(Fault::of("--config", "no home directory is known to look for it: set HOME, or name the file"));
        ConfigFile::empty()
    } else {
        let (file, found) = ConfigFile::read(&config_file, presence, environment.home.as_deref());
        faults.extend(found);
        file
    };
    faults.extend(judge_keys(&file.remaps, &config_file));
    let data_dir = flags
        .data_dir
        .clone()
        .or_else(|| environment.data_dir.clone())
        .or_else(|| environment.data_home.as_ref().map(|all| all.join("plants")));
    if data_dir.is_none() {
        faults
            .push(Fault::of("--data-dir", "no home directory is known to put it in: set HOME, or name the directory"));
    }
    let timeout = flags.timeout.as_deref().and_then(|raw| noted("--timeout", value::timeout(raw), &mut faults));

    // `--demo` beats everything that names a store, faults in it included.
    let (store, profile) = if flags.demo {
        (StoreChoice::Demo, None)
    } else {
        choose_store(flags, environment, &file, &config_file, &mut faults)
    };
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Settings {
        store,
        timeout: timeout.or_else(|| profile?.timeout).unwrap_or(DEFAULT_TIMEOUT),
        read_only: flags.read_only || profile.is_some_and(|profile| profile.read_only),
        theme: file.theme.unwrap_or_default(),
        ascii: flags.ascii,
        no_color: flags.no_color || environment.no_color,
        reduced_motion: file.reduced_motion || environment.no_motion,
        data_dir: data_dir.unwrap_or_default(),
        config_file,
        profiles: file.known_stores(),
        remaps: file.remaps,
    })
}

/// Flags that cannot stand together. The argument parser sees them on one side of a subcommand
/// only.
fn contradictions(flags: &Flags) -> Vec<Fault> {
    [
        (flags.token_file.is_some() && flags.token_stdin, "--token-stdin", "--token-file"),
        (flags.demo && flags.base_url.is_some(), "--demo", "--base-url"),
        (flags.demo && flags.profile.is_some(), "--demo", "--profile"),
    ]
    .into_iter()
    .filter(|(both, _, _)| *both)
    .map(|(_, one, other)| Fault::of(one, format!("it cannot stand beside {other}: give one of the two")))
    .collect()
}

fn noted<T>(key: &str, judged: Result<T, String>, faults: &mut Vec<Fault>) -> Option<T> {
    judged.map_err(|what| faults.push(Fault::of(key, what))).ok()
}

/// The store, and the profile that is in effect.
///
/// After a fault the store is no more than a stand-in: the caller drops it.
fn choose_store<'f>(
    flags: &Flags,
    environment: &Environment,
    file: &'f ConfigFile,
    config_file: &Path,
    faults: &mut Vec<Fault>,
) -> (StoreChoice, Option<&'f Profile>) {
    let given_token = environment.token.as_ref().and_then(|raw| {
        let judged = Token::new(raw.as_str()).map_err(|fault| fault.to_string());
        noted(TOKEN_VARIABLE, judged, faults)
    });
    let given = given_address(flags, environment, faults);
    let named = named_profile(flags, environment, file, config_file, faults);
    let Some((address, profile)) = meet(given, named, file, config_file, faults) else {
        return (StoreChoice::Demo, None);
    };
    // The profile, if the store is the one that its settings are for.
    let own = profile.filter(|profile| address.url.as_ref().is_some_and(|url| is_for(profile, url)));

    let ca_cert = match (&flags.ca_cert, own.and_then(|profile| Some((profile, profile.ca_cert.as_ref()?)))) {
        (Some(path), _) => noted("--ca-cert", certificates::read(path), faults),
        (None, Some((profile, path))) => certificates::read(&path.value)
            .map_err(|what| faults.push(Fault::in_file(config_file, path.line, profile.key("ca_cert"), what)))
            .ok(),
        (None, None) => None,
    };
    let Some(url) = address.url else { return (StoreChoice::Demo, profile) };
    let allow_http = flags.allow_http || own.is_some_and(|profile| profile.allow_http);
    if !url.is_https() && !url.is_loopback() && !allow_http {
        faults.push(address.fault);
    }
    let own_source = own.and_then(|profile| profile.token.clone());
    // One that is no base URL is a fault already.
    let of_environment = environment.base_url.as_ref().and_then(|raw| raw.parse::<StoreUrl>().ok());
    let variable_is_for_it = match &of_environment {
        Some(other) => *other == url,
        None => address.by_itself || own_source.is_none(),
    };
    let token_source = if let Some(path) = &flags.token_file {
        TokenSource::File(path.clone())
    } else if flags.token_stdin {
        TokenSource::Stdin
    } else if let Some(token) = given_token.filter(|_| variable_is_for_it) {
        TokenSource::Given(token)
    } else {
        own_source.unwrap_or(TokenSource::Ask)
    };
    let of_variable = of_environment.filter(|_| environment.token.is_some() && !variable_is_for_it);
    let withheld = matches!(token_source, TokenSource::Ask)
        .then(|| withheld(of_variable.as_ref(), named.map(|(_, profile)| profile)))
        .flatten();
    let connection = Connection {
        url,
        profile: own.map(|profile| profile.name.clone()),
        header_color: own.and_then(|profile| profile.color),
        token_source,
        withheld,
        ca_cert,
        proxy: own.and_then(|profile| profile.proxy.clone()),
    };
    (StoreChoice::Deployed(Box::new(connection)), profile)
}

/// Whether a profile's token, certificate, proxy and leave for plain http are for this base URL.
fn is_for(profile: &Profile, url: &StoreUrl) -> bool {
    profile.base_url.as_ref().is_some_and(|own| own.value == *url)
}

/// Names the token that is configured and belongs to another base URL, for the message that asks for one.
fn withheld(of_variable: Option<&StoreUrl>, named: Option<&Profile>) -> Option<String> {
    if let Some(other) = of_variable {
        return Some(format!("{TOKEN_VARIABLE} is for PLANTS_BASE_URL ({other}) alone"));
    }
    let profile = named.filter(|profile| profile.token.is_some())?;
    let name = quoted(&profile.name);
    Some(match &profile.base_url {
        Some(own) => format!("the token of profile {name} is for {} alone", own.value),
        None => format!("profile {name} names a token but no base_url, so that token is for no store"),
    })
}

const IN_CLEAR: &str =
    "over plain http the token would travel in clear: use https, or say --allow-http if that is what you want";

/// The base URL of the flags or the environment; the other one is judged as well.
fn given_address(flags: &Flags, environment: &Environment, faults: &mut Vec<Fault>) -> Option<Address> {
    let mut judge = |level: Level, key: &str, raw: &Option<String>| {
        let judged = raw.as_ref()?.parse::<StoreUrl>().map_err(|fault| fault.to_string());
        Some(Address { level, by_itself: true, url: noted(key, judged, faults), fault: Fault::of(key, IN_CLEAR) })
    };
    let by_flag = judge(Level::Flag, "--base-url", &flags.base_url);
    let by_variable = judge(Level::Environment, "PLANTS_BASE_URL", &environment.base_url);
    by_flag.or(by_variable)
}

/// The profile that is named, by whatever names it most explicitly.
fn named_profile<'f>(
    flags: &Flags,
    environment: &Environment,
    file: &'f ConfigFile,
    config_file: &Path,
    faults: &mut Vec<Fault>,
) -> Option<(Level, &'f Profile)> {
    let (level, key, name) = if let Some(name) = &flags.profile {
        (Level::Flag, "--profile", name)
    } else if let Some(name) = &environment.profile {
        (Level::Environment, "PLANTS_PROFILE", name)
    } else {
        (Level::Default, "default", file.default.as_ref()?)
    };
    let profile = file.profile(name);
    // A default that is not there is the file's own fault, and was found when it was read.
    if profile.is_none() && level != Level::Default && file.whole {
        let names = file.names();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        faults.push(Fault { file: Some(config_file.to_owned()), ..Fault::of(key, no_such_profile(name, &known)) });
    }
    Some((level, profile?))
}

/// Which base URL counts, and whether the profile has a say.
///
/// A profile is named at a level, and speaks there with its own base URL. A base URL given
/// more explicitly leaves the whole profile out; one given as explicitly takes the place of the
/// profile's, whose limits then hold for it; one given less explicitly only fills in where the
/// profile has none.
fn meet<'f>(
    given: Option<Address>,
    named: Option<(Level, &'f Profile)>,
    file: &ConfigFile,
    config_file: &Path,
    faults: &mut Vec<Fault>,
) -> Option<(Address, Option<&'f Profile>)> {
    let Some((level, profile)) = named else { return given.map(|given| (given, None)) };
    let key = profile.key("base_url");
    let own = profile.base_url.as_ref().map(|own| Address {
        level,
        by_itself: false,
        url: Some(own.value.clone()),
        fault: Fault::in_file(config_file, own.line, key.clone(), IN_CLEAR),
    });
    match (given, own) {
        (Some(given), _) if given.level > level => Some((given, None)),
        (Some(given), _) if given.level == level => Some((given, Some(profile))),
        (_, Some(own)) => Some((own, Some(profile))),
        (Some(given), None) => Some((given, Some(profile))),
        (None, None) => {
            let is_named_already = faults.iter().any(|fault| fault.key == key);
            if file.whole && !is_named_already {
                let what = "the profile has no base_url, and none is given elsewhere";
                faults.push(Fault::in_file(config_file, profile.line, key, what));
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(flags: &Flags, environment: &Environment) -> Result<Settings, Vec<Fault>> {
        super::resolve(flags, environment, |_, _| Vec::new())
    }

    use crate::config::certificates::tests::ROOT;
    use crate::config::choice::{HeaderColor, ThemeChoice};
    use crate::config::environment::RawToken;
    use std::time::Duration;

    /// A home directory with a config file in its default place.
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

        fn write(&self, name: &str, content: &str) {
            std::fs::write(self.0.path().join(".config/plants").join(name), content).unwrap();
        }
    }

    /// Flags as `--name value` pairs, the way they are typed.
    fn flags(line: &str) -> Flags {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            flags: Flags,
        }
        <Line as clap::Parser>::parse_from(std::iter::once("plants").chain(line.split_whitespace())).flags
    }

    fn connection(settings: Settings) -> Connection {
        let StoreChoice::Deployed(connection) = settings.store else { panic!("a deployed store was expected") };
        *connection
    }

    fn names(settings: &Settings) -> Vec<&str> {
        settings.profiles.iter().map(|store| store.name.as_str()).collect()
    }

    fn shown(faults: &[Fault]) -> Vec<String> {
        faults.iter().map(|fault| format!("{}: {}", fault.key, fault.what)).collect()
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
    fn nothing_configured_is_the_demo_store() {
        let home = tempfile::tempdir().unwrap();
        let settings = resolve(&Flags::default(), &Environment::at_home(home.path())).unwrap();
        assert!(matches!(settings.store, StoreChoice::Demo));
        assert_eq!((settings.timeout, settings.read_only), (DEFAULT_TIMEOUT, false));
        assert_eq!((settings.theme, settings.ascii, settings.no_color), (ThemeChoice::Auto, false, false));
        assert_eq!(settings.data_dir, home.path().join(".local/share/plants"));
        assert_eq!(settings.config_file, home.path().join(".config/plants/config.toml"));
        assert!(settings.profiles.is_empty() && settings.remaps.is_empty());
    }

    #[test]
    fn the_default_profile_speaks_where_nobody_else_does() {
        let home = Home::with(TWO);
        let settings = resolve(&Flags::default(), &home.environment()).unwrap();
        assert_eq!((settings.timeout, settings.read_only), (Duration::from_secs(60), true));
        assert_eq!((settings.theme, names(&settings).join(" ")), (ThemeChoice::Light, "red blue".to_owned()));
        let connection = connection(settings);
        assert_eq!(connection.header_color, Some(HeaderColor::Red));
        assert_eq!(connection.profile.as_deref(), Some("red"));
    }

    /// Base URL and profile by flag and by environment: which store, whose token.
    #[test]
    fn a_profiles_token_never_goes_to_a_store_it_was_not_meant_for() {
        let home = Home::with(TWO);
        let (red, blue, none) = ("token from $RED_TOKEN", "token from $BLUE_TOKEN", "token asked for");
        for (line, url, profile, store, token) in [
            ("", None, None, "https://red.example", red),
            ("--profile blue", None, None, "https://blue.example", blue),
            ("", None, Some("blue"), "https://blue.example", blue),
            ("--profile red", None, Some("blue"), "https://red.example", red),
            // A base URL given more explicitly than the profile leaves the profile out.
            ("--base-url http://127.0.0.1", None, None, "http://127.0.0.1", none),
            ("", Some("http://127.0.0.1"), None, "http://127.0.0.1", none),
            ("--base-url http://127.0.0.1", None, Some("blue"), "http://127.0.0.1", none),
            // One given as explicitly takes the place of the profile's, and gets nothing of the profile's token.
            ("--base-url http://127.0.0.1 --profile blue", None, None, "http://127.0.0.1", none),
            ("", Some("http://127.0.0.1"), Some("blue"), "http://127.0.0.1", none),
            // The very URL of the profile is the profile's, however it is spelt.
            ("--base-url https://BLUE.example:443/ --profile blue", None, None, "https://blue.example", blue),
            ("", Some("https://blue.example"), Some("blue"), "https://blue.example", blue),
            // One left over in the environment does not catch the token of a profile named by flag.
            ("--profile blue", Some("http://127.0.0.1"), None, "https://blue.example", blue),
            ("--base-url http://127.0.0.1", Some("http://127.0.0.2"), Some("red"), "http://127.0.0.1", none),
        ] {
            let environment = Environment {
                base_url: url.map(str::to_owned),
                profile: profile.map(str::to_owned),
                ..home.environment()
            };
            let connection = connection(resolve(&flags(line), &environment).unwrap());
            let case = format!("{line} {url:?} {profile:?}");
            assert_eq!(connection.url.to_string(), store, "{case}");
            assert_eq!(connection.token_source.to_string(), token, "{case}");
            assert_eq!(connection.profile.is_none(), token == none, "{case}");
        }
    }

    /// Flags, `PLANTS_BASE_URL` and whether `PLANTS_TOKEN` is set: which store, whose token, and
    /// which other token is named where there is none.
    #[test]
    fn the_variables_token_is_for_the_variables_url_or_for_what_names_no_other() {
        let home = Home::with(
            "[profile.own]\nbase_url = 'https://own.example'\ntoken_env = 'OWN'\n\
             [profile.bare]\nbase_url = 'https://bare.example'\n",
        );
        let (given, own, none) = ("token from $PLANTS_TOKEN", "token from $OWN", "token asked for");
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
            let environment = Environment {
                base_url: url.map(str::to_owned),
                token: token.then(|| RawToken::from("canary")),
                ..home.environment()
            };
            let connection = connection(resolve(&flags(line), &environment).unwrap());
            let case = format!("{line} {url:?} {token}");
            assert_eq!(connection.url.to_string(), store, "{case}");
            assert_eq!(connection.token_source.to_string(), source, "{case}");
            assert_eq!(connection.withheld.as_deref(), withheld, "{case}");
        }
    }

    #[test]
    fn what_a_profile_says_of_its_url_is_for_no_other_and_its_limits_hold() {
        let home = Home::with(
            "[profile.a]\nbase_url = 'http://10.0.0.2'\nallow_http = true\nproxy = 'http://p:1'\nca_cert = 'ca.pem'\n\
             color = 'red'\ntimeout = '1m'\nread_only = true\n",
        );
        home.write("ca.pem", ROOT);
        let own = connection(resolve(&flags("--profile a"), &home.environment()).unwrap());
        assert!(own.proxy.is_some() && own.ca_cert.is_some() && own.profile.is_some());
        let by_flag = |url: &str| (flags(&format!("--profile a --base-url {url}")), home.environment());
        let by_variable = |url: &str| {
            let (base_url, profile) = (Some(url.to_owned()), Some("a".to_owned()));
            (Flags::default(), Environment { base_url, profile, ..home.environment() })
        };
        let (in_clear, other) = ("http://10.0.0.3", "https://other.example");
        for (key, (flags, environment)) in
            [("--base-url", by_flag(in_clear)), ("PLANTS_BASE_URL", by_variable(in_clear))]
        {
            let faults = resolve(&flags, &environment).unwrap_err();
            assert_eq!(shown(&faults), [format!("{key}: {IN_CLEAR}")]);
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
    fn a_profile_left_out_leaves_nothing_behind() {
        let home = Home::with(TWO);
        let settings = resolve(&flags("--base-url https://other.example"), &home.environment()).unwrap();
        assert_eq!((settings.timeout, settings.read_only), (DEFAULT_TIMEOUT, false));
        assert_eq!(connection(settings).header_color, None);
    }

    #[test]
    fn flags_beat_the_environment_which_beats_the_profile() {
        let home = Home::with(TWO);
        let environment = Environment {
            token: Some(RawToken::from("canary")),
            data_dir: Some("/from/environment".into()),
            no_color: true,
            ..home.environment()
        };
        let settings = resolve(&Flags::default(), &environment).unwrap();
        assert_eq!((settings.data_dir.as_path(), settings.no_color), (Path::new("/from/environment"), true));
        // The profile names a source of its own.
        assert_eq!(connection(settings).token_source.to_string(), "token from $RED_TOKEN");

        let line = "--token-file /t --data-dir /from/flag --timeout 5s --read-only --ascii --no-color";
        let settings = resolve(&flags(line), &environment).unwrap();
        assert_eq!((settings.data_dir.as_path(), settings.timeout), (Path::new("/from/flag"), Duration::from_secs(5)));
        assert!(settings.read_only && settings.ascii && settings.no_color);
        assert_eq!(connection(settings).token_source.to_string(), "token from file /t");

        let settings = resolve(&flags("--token-stdin"), &environment).unwrap();
        assert_eq!(connection(settings).token_source.to_string(), "token from stdin");
    }

    #[test]
    fn demo_beats_everything_that_names_a_store() {
        let home = Home::with(TWO);
        let environment = Environment {
            base_url: Some("no url".to_owned()),
            profile: Some("nobody".to_owned()),
            token: Some(RawToken::from("two words")),
            ..home.environment()
        };
        let settings = resolve(&flags("--demo"), &environment).unwrap();
        assert!(matches!(settings.store, StoreChoice::Demo) && !settings.read_only);
        assert_eq!(settings.theme, ThemeChoice::Light);
    }

    #[test]
    fn faults_of_all_three_come_at_once() {
        let home = Home::with("theme = 'blue'\n[profile.a]\ntimeout = 'soon'\n");
        let environment = Environment {
            base_url: Some("plants.example".to_owned()),
            token: Some(RawToken::from("canary canary")),
            profile: Some("b".to_owned()),
            not_text: vec!["PLANTS_DATA_DIR"],
            ..home.environment()
        };
        let line = "--timeout never --ca-cert /nowhere/ca.pem --base-url http://u:canary@h --token-stdin";
        let flags = Flags { token_file: Some("t".into()), ..flags(line) };
        let faults = resolve(&flags, &environment).unwrap_err();
        let keys: Vec<&str> = faults.iter().map(|fault| fault.key.as_str()).collect();
        let expected = [
            "--token-stdin",
            "PLANTS_DATA_DIR",
            "theme",
            "profile.a.timeout",
            "--timeout",
            "PLANTS_TOKEN",
            "--base-url",
            "PLANTS_BASE_URL",
            "PLANTS_PROFILE",
            "--ca-cert",
        ];
        assert_eq!(keys, expected);
        assert!(!format!("{faults:?} {:?}", shown(&faults)).contains("canary"));
    }

    #[test]
    fn a_profile_that_is_not_there_is_answered_with_those_that_are() {
        let home = Home::with(TWO);
        let faults = resolve(&flags("--profile green"), &home.environment()).unwrap_err();
        assert_eq!(shown(&faults), ["--profile: there is no profile \"green\"; there are: \"red\", \"blue\""]);
        let nothing = Environment::at_home(Path::new("/nowhere"));
        let faults = resolve(&flags("--profile green"), &nothing).unwrap_err();
        assert_eq!(shown(&faults), ["--profile: there is no profile \"green\": the config file has none"]);
    }

    #[test]
    fn without_a_home_the_places_must_be_named() {
        let homeless = Environment { base_url: Some("https://h".to_owned()), ..Environment::default() };
        let faults = resolve(&flags(""), &homeless).unwrap_err();
        let expected = [
            "--config: no home directory is known to look for it: set HOME, or name the file",
            "--data-dir: no home directory is known to put it in: set HOME, or name the directory",
        ];
        assert_eq!(shown(&faults), expected);
    }

    #[test]
    fn a_profile_without_a_base_url_needs_one_from_elsewhere() {
        let home = Home::with("[profile.a]\ntoken_env = 'T'\n");
        let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
        assert_eq!(faults.first().and_then(|fault| fault.line), Some(1));
        assert_eq!(shown(&faults), ["profile.a.base_url: the profile has no base_url, and none is given elsewhere"]);

        let environment = Environment { base_url: Some("https://h".to_owned()), ..home.environment() };
        let filled = connection(resolve(&flags("--profile a"), &environment).unwrap());
        assert_eq!(
            (filled.url.to_string().as_str(), filled.token_source.to_string().as_str()),
            ("https://h", "token asked for")
        );
        let words = "profile \"a\" names a token but no base_url, so that token is for no store";
        assert_eq!(filled.withheld.as_deref(), Some(words));

        let home = Home::with("[profile.a]\nbase_url = 'h'\n");
        let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
        assert_eq!(faults.len(), 1, "a broken base URL is not a missing one: {faults:?}");
    }

    #[test]
    fn plain_http_to_another_machine_must_be_allowed() {
        let home = Home::with(
            "[profile.a]\nbase_url = 'http://10.0.0.2'\n[profile.b]\nbase_url = 'http://10.0.0.2'\nallow_http = true\n",
        );
        let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
        assert!(
            matches!(faults.as_slice(), [Fault { line: Some(2), key, .. }] if key == "profile.a.base_url"),
            "{faults:?}"
        );
        let faults = resolve(&flags("--base-url http://10.0.0.2"), &home.environment()).unwrap_err();
        assert_eq!(shown(&faults), [format!("--base-url: {IN_CLEAR}")]);
        for line in ["--profile b", "--profile a --allow-http", "--base-url http://localhost:1 "] {
            assert!(resolve(&flags(line), &home.environment()).is_ok(), "{line}");
        }
    }

    #[test]
    fn certificates_are_read_from_beside_the_config_file() {
        let home = Home::with("[profile.a]\nbase_url = 'https://h'\nca_cert = 'ca.pem'\n");
        let faults = resolve(&flags("--profile a"), &home.environment()).unwrap_err();
        assert!(
            matches!(faults.as_slice(), [Fault { line: Some(3), key, .. }] if key == "profile.a.ca_cert"),
            "{faults:?}"
        );
        home.write("ca.pem", ROOT);
        let connection = connection(resolve(&flags("--profile a"), &home.environment()).unwrap());
        assert_eq!(connection.ca_cert.as_deref(), Some(ROOT.as_bytes()));
    }

    #[test]
    fn a_config_file_that_is_named_must_be_there() {
        let home = Home::with("");
        let faults = resolve(&flags("--config /nowhere/c.toml"), &home.environment()).unwrap_err();
        assert_eq!(
            faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["/nowhere/c.toml: there is no such config file: check --config"]
        );
        home.write("other.toml", TWO);
        let mut named = Flags { config: Some(home.0.path().join(".config/plants/other.toml")), ..Flags::default() };
        assert_eq!(resolve(&named, &home.environment()).unwrap().profiles.len(), 2);
        // Even without a home directory, as in a bare container.
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
        let environment = Environment { token: Some(RawToken::from("canary")), ..home.environment() };
        let settings = resolve(&flags("--base-url https://h"), &environment).unwrap();
        assert!(!format!("{settings:?} {environment:?}").contains("canary"));
    }
}
