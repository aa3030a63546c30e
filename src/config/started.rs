//! The settings of the start, and the settings for a store that is opened later.
//!
//! A token, a permission for plain http and a certificate given at the start apply to that store alone. Another profile
//! has its own token source; for another base URL the user types a token.

use std::io;
use std::path::Path;

use tokio::process::Command;

use super::environment::{Environment, OF_A_STORE};
use super::fault::Fault;
use super::flags::Flags;
use super::resolve::resolve;
use super::settings::{KeySettings, Settings};
use super::target::{ConnectionTarget, KnownStore, OpenStore, OtherStore};
use super::token_source::TokenSource;
use crate::client::Token;

#[derive(Debug, Clone)]
pub struct Started {
    pub flags: Flags,
    pub environment: Environment,
    /// Merged from both and the config file.
    pub settings: Settings,
}

impl Started {
    /// Stores the token from standard input, which can be read only once.
    pub fn keep(&mut self, token: &Token) {
        if let Some(connection) = &mut self.settings.connection
            && matches!(connection.token_source, TokenSource::Stdin)
        {
            connection.token_source = TokenSource::Given(token.clone());
        }
    }

    /// Lists the store of the start, those of the profiles, and the demo store. If the program was started on a
    /// profile, the entry of that profile opens the store of the start.
    pub fn known_stores(&self) -> Vec<KnownStore> {
        let mut known = self.settings.profiles.clone();
        if let Some(start) = &self.settings.connection {
            let store_of_start = KnownStore {
                target: ConnectionTarget::Start,
                name: start.profile.clone().unwrap_or_else(|| "as started".to_owned()),
                base_url: Some(start.url.to_string()),
                color: start.header_color,
                read_only: self.settings.read_only,
            };
            match known.iter_mut().find(|store| start.profile.as_ref() == Some(&store.name)) {
                Some(profile) => *profile = store_of_start,
                None => known.insert(0, store_of_start),
            }
        }
        let name = "demo store".to_owned();
        known.push(KnownStore { target: ConnectionTarget::Demo, name, base_url: None, color: None, read_only: false });
        if let Some(read_only) = self.read_only() {
            for store in &mut known {
                store.read_only = read_only;
            }
        }
        known
    }

    /// Returns what the start says of every store.
    fn read_only(&self) -> Option<bool> {
        self.flags.read_only.then_some(true).or(self.environment.layer.read_only)
    }

    /// Resolves the settings for opening another store. Reads the config file again, except for the store of the start.
    ///
    /// # Errors
    ///
    /// Returns every fault that there is.
    pub fn settings_for(
        &self,
        target: &ConnectionTarget,
        validate_keys: impl FnOnce(&KeySettings, &Path) -> Vec<Fault>,
    ) -> Result<Settings, Vec<Fault>> {
        if *target == ConnectionTarget::Start {
            return Ok(self.settings.clone());
        }
        let flags = self.flags_for(target);
        let mut settings = resolve(&flags, &self.environment.without_store(), validate_keys)?;
        if let (ConnectionTarget::BaseUrl(OtherStore { token: Some(token), .. }), Some(connection)) =
            (target, &mut settings.connection)
        {
            connection.token_source = TokenSource::Given(token.clone());
        }
        Ok(settings)
    }

    fn flags_for(&self, target: &ConnectionTarget) -> Flags {
        let flags = self.flags.without_store();
        match target {
            ConnectionTarget::Start => self.flags.clone(),
            ConnectionTarget::Profile(name) => Flags { profile: Some(name.clone()), ..flags },
            ConnectionTarget::Demo => Flags { demo: true, ..flags },
            ConnectionTarget::BaseUrl(other) => Flags { base_url: Some(other.url.to_string()), ..flags },
        }
    }

    /// Composes a run of this program with the words of a line: at the store that is open, whose token it reads from
    /// standard input, or with what is configured.
    ///
    /// # Errors
    ///
    /// The path of the program is not known.
    pub fn command(
        &self,
        target: &ConnectionTarget,
        open: Option<&OpenStore>,
        words: &[String],
    ) -> io::Result<Command> {
        let withheld = if *target == ConnectionTarget::Start { &[][..] } else { &OF_A_STORE };
        let mut flags = self.flags_for(target);
        if let Some(OpenStore { url, profile, read_only, token }) = open {
            (flags.base_url, flags.read_only) = (Some(url.to_string()), *read_only);
            flags.profile = profile.clone().or(flags.profile);
            (flags.token_file, flags.token_stdin) = (None, token.is_some());
        }
        flags.command(words, withheld)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::options::HeaderColor;

    const TWO: &str = "
default = 'red'
[profile.red]
base_url = 'https://red.example'
token_env = 'RED_TOKEN'
color = 'red'
read_only = true
[profile.blue]
base_url = 'https://blue.example'
[profile.bare]
token_env = 'BARE_TOKEN'
";

    /// Starts with these flags, a token in the environment and three profiles in the config file.
    fn started(flags: Flags) -> (tempfile::TempDir, Started) {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/plants")).unwrap();
        std::fs::write(home.path().join(".config/plants/config.toml"), TWO).unwrap();
        let environment = Environment::at_home(home.path()).with(&[("PLANTS_TOKEN", "canary")]);
        let settings = resolve(&flags, &environment, |_, _| Vec::new()).unwrap();
        (home, Started { flags, environment, settings })
    }

    /// Returns store, profile and token source, as text.
    fn connects_to(started: &Started, target: &ConnectionTarget) -> [String; 3] {
        match started.settings_for(target, |_, _| Vec::new()) {
            Ok(Settings { connection: None, .. }) => ["demo", "", ""].map(str::to_owned),
            Ok(Settings { connection: Some(connection), .. }) => [
                connection.url.to_string(),
                connection.profile.unwrap_or_default(),
                connection.token_source.to_string(),
            ],
            Err(faults) => ["fault", "", ""].map(str::to_owned).map(|text| format!("{text}{}", faults.len())),
        }
    }

    fn profile(name: &str) -> ConnectionTarget {
        ConnectionTarget::Profile(name.to_owned())
    }

    fn base_url(text: &str) -> ConnectionTarget {
        ConnectionTarget::BaseUrl(OtherStore { url: text.parse().unwrap(), token: None })
    }

    #[test]
    fn a_token_is_used_only_for_its_own_store() {
        for flags in [
            Flags::default(),
            Flags { base_url: Some("http://127.0.0.1:1".to_owned()), ..Flags::default() },
            Flags { token_file: Some("/t".into()), ..Flags::default() },
            Flags { token_stdin: true, profile: Some("blue".to_owned()), ..Flags::default() },
        ] {
            let (_home, started) = started(flags);
            assert_eq!(
                connects_to(&started, &base_url("https://new.example")),
                ["https://new.example", "", "token from a prompt"]
            );
            assert_eq!(
                connects_to(&started, &profile("blue")),
                ["https://blue.example", "blue", "token from a prompt"]
            );
            assert_eq!(connects_to(&started, &profile("red")), ["https://red.example", "red", "token from $RED_TOKEN"]);
            assert_eq!(connects_to(&started, &ConnectionTarget::Demo), ["demo", "", ""]);
        }
        let (_home, plain) = started(Flags::default());
        assert_eq!(
            connects_to(&plain, &ConnectionTarget::Start),
            ["https://red.example", "red", "token from $RED_TOKEN"]
        );
        // The user types a token also for the base URL of the start.
        assert_eq!(connects_to(&plain, &base_url("https://red.example"))[2], "token from a prompt");
    }

    #[test]
    fn a_token_typed_with_a_base_url_is_used_for_it_alone() {
        let (_home, started) = started(Flags::default());
        let token = Token::new("typed").unwrap();
        let other = OtherStore { url: "https://new.example".parse().unwrap(), token: Some(token) };
        let settings = started.settings_for(&ConnectionTarget::BaseUrl(other), |_, _| Vec::new()).unwrap();
        let Some(connection) = settings.connection else { panic!("a deployed store was expected") };
        assert_eq!(connection.url.to_string(), "https://new.example");
        assert!(matches!(&connection.token_source, TokenSource::Given(token) if token.reveal() == "typed"));
        assert!(!format!("{connection:?}").contains("typed"));
        assert_eq!(connects_to(&started, &base_url("https://new.example"))[2], "token from a prompt");
    }

    #[test]
    fn a_profile_opened_later_does_not_use_the_base_url_of_the_environment() {
        let (_home, mut started) = started(Flags::default());
        started.environment = started.environment.with(&[("PLANTS_BASE_URL", "http://127.0.0.1:1")]);
        assert_eq!(connects_to(&started, &profile("bare"))[0], "fault1");
        assert_eq!(connects_to(&started, &profile("nobody"))[0], "fault1");
    }

    #[test]
    fn a_token_from_standard_input_is_stored_for_the_store_of_the_start_alone() {
        let (_home, mut started) = started(Flags { token_stdin: true, ..Flags::default() });
        started.keep(&Token::new("canary").unwrap());
        let Some(connection) = started.settings_for(&ConnectionTarget::Start, |_, _| Vec::new()).unwrap().connection
        else {
            panic!("a deployed store was expected")
        };
        assert!(matches!(connection.token_source, TokenSource::Given(token) if token.reveal() == "canary"));
        assert_eq!(connects_to(&started, &profile("blue"))[2], "token from a prompt");
        assert!(!format!("{started:?}").contains("canary"));
    }

    #[test]
    fn read_only_and_timeout_of_the_start_apply_to_every_store() {
        let flags = Flags { read_only: true, timeout: Some("5s".to_owned()), demo: true, ..Flags::default() };
        let (_home, started) = started(flags);
        for target in [base_url("http://127.0.0.1:2"), profile("blue"), ConnectionTarget::Demo, ConnectionTarget::Start]
        {
            let settings = started.settings_for(&target, |_, _| Vec::new()).unwrap();
            assert_eq!((settings.read_only, settings.timeout.as_secs()), (true, 5), "{target:?}");
        }
        assert!(started.known_stores().iter().all(|store| store.read_only));
    }

    #[test]
    fn the_limits_of_a_profile_apply_to_it_alone() {
        let (_home, started) = started(Flags { demo: true, ..Flags::default() });
        let read_only = |target: &ConnectionTarget| started.settings_for(target, |_, _| Vec::new()).unwrap().read_only;
        assert_eq!(
            [profile("red"), profile("blue"), ConnectionTarget::Demo].map(|target| read_only(&target)),
            [true, false, false]
        );
        // Nothing allows plain http.
        assert_eq!(connects_to(&started, &base_url("http://10.0.0.2"))[0], "fault1");
    }

    #[test]
    fn a_permission_for_plain_http_applies_to_the_store_of_the_start_alone() {
        let start = "http://10.0.0.2";
        let flags = Flags { base_url: Some(start.to_owned()), allow_http: true, ..Flags::default() };
        let (_home, started) = started(flags);
        assert_eq!(connects_to(&started, &ConnectionTarget::Start)[0], start);
        assert_eq!(connects_to(&started, &base_url("http://10.0.0.3"))[0], "fault1");
    }

    #[test]
    fn a_certificate_of_the_start_is_not_read_for_another_store() {
        let (_home, mut started) = started(Flags { demo: true, ..Flags::default() });
        // Reading it would be a fault.
        started.flags.ca_cert = Some("/nowhere/ca.pem".into());
        assert_eq!(connects_to(&started, &profile("blue"))[0], "https://blue.example");
    }

    #[test]
    fn another_run_is_at_the_open_store_and_as_read_only_whatever_the_config_file_says() {
        let (_home, started) = started(Flags::default());
        let open = |base_url: &str, profile: Option<&str>| OpenStore {
            url: base_url.parse().unwrap(),
            profile: profile.map(str::to_owned),
            read_only: true,
            token: Token::new("canary").ok(),
        };
        for (target, open, expected) in [
            (
                ConnectionTarget::Start,
                Some(open("https://red.example", Some("red"))),
                "--base-url=https://red.example --profile=red --token-stdin --read-only list",
            ),
            (
                base_url("https://new.example"),
                Some(open("https://new.example", None)),
                "--base-url=https://new.example --token-stdin --read-only list",
            ),
            (profile("red"), None, "--profile=red list"),
        ] {
            let command = started.command(&target, open.as_ref(), &["list".to_owned()]).unwrap();
            let arguments: Vec<_> = command.as_std().get_args().filter_map(std::ffi::OsStr::to_str).collect();
            assert_eq!(arguments.join(" "), expected);
        }
    }

    fn known(started: &Started) -> Vec<(String, ConnectionTarget, Option<String>)> {
        started.known_stores().into_iter().map(|store| (store.name, store.target, store.base_url)).collect()
    }

    #[test]
    fn known_stores_lists_profiles_demo_and_the_store_of_the_start() {
        let entry = |name: &str, target, url: Option<&str>| (name.to_owned(), target, url.map(str::to_owned));
        let red = entry("red", profile("red"), Some("https://red.example"));
        let blue = entry("blue", profile("blue"), Some("https://blue.example"));
        let bare = entry("bare", profile("bare"), None);
        let demo = entry("demo store", ConnectionTarget::Demo, None);
        let (_home, at_demo) = started(Flags { demo: true, ..Flags::default() });
        assert_eq!(known(&at_demo), [red.clone(), blue.clone(), bare.clone(), demo.clone()]);
        let elsewhere = "http://127.0.0.1:1";
        let (_home, by_url) = started(Flags { base_url: Some(elsewhere.to_owned()), ..Flags::default() });
        let start = entry("as started", ConnectionTarget::Start, Some(elsewhere));
        assert_eq!(known(&by_url), [start, red.clone(), blue.clone(), bare.clone(), demo.clone()]);
        let flags =
            Flags { base_url: Some(elsewhere.to_owned()), profile: Some("blue".to_owned()), ..Flags::default() };
        let (_home, moved) = started(flags);
        // The base URL is not that of blue.
        let start = entry("as started", ConnectionTarget::Start, Some(elsewhere));
        assert_eq!(known(&moved), [start, red.clone(), blue, bare.clone(), demo.clone()]);
        let (_home, at_blue) = started(Flags { profile: Some("blue".to_owned()), ..Flags::default() });
        let blue = entry("blue", ConnectionTarget::Start, Some("https://blue.example"));
        assert_eq!(known(&at_blue), [red, blue, bare, demo]);
        let first = by_url.known_stores();
        assert_eq!(first.iter().map(|store| store.color).nth(1), Some(Some(HeaderColor::Red)));
        assert_eq!(first.iter().map(|store| store.read_only).collect::<Vec<_>>(), [false, true, false, false, false]);
    }
}
