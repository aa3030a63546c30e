//! What the program was started with, and what of it counts for a store that is opened later.
//!
//! A token, leave for plain http and a certificate given at the start are for the store of the start
//! alone: a profile asks its own source, and another base URL brings its token with it.

use std::path::Path;

use super::environment::Environment;
use super::fault::Fault;
use super::flags::Flags;
use super::resolve::resolve;
use super::settings::{Remap, Settings, StoreChoice};
use super::target::{ConnectionTarget, KnownStore, OtherStore};
use super::token_source::TokenSource;
use crate::client::Token;

/// What the program was started with.
#[derive(Debug, Clone)]
pub struct Started {
    pub flags: Flags,
    pub environment: Environment,
    /// What came of both and the config file.
    pub settings: Settings,
}

impl Started {
    /// Remembers a token that was read from standard input, which can be read only once.
    pub fn keep(&mut self, token: &Token) {
        if let StoreChoice::Deployed(connection) = &mut self.settings.store
            && matches!(connection.token_source, TokenSource::Stdin)
        {
            connection.token_source = TokenSource::Given(token.clone());
        }
    }

    /// The stores with a name: the one of the start, those of the profiles, the demo store. Where the
    /// start is at a profile's own base URL, that profile stands for what it was started with.
    pub fn known_stores(&self) -> Vec<KnownStore> {
        let mut known = self.settings.profiles.clone();
        if let StoreChoice::Deployed(start) = &self.settings.store {
            let place = known.iter().position(|store| start.profile.as_ref() == Some(&store.name));
            let name = start.profile.clone().unwrap_or_else(|| "as started".to_owned());
            let as_started = KnownStore {
                target: ConnectionTarget::Start,
                name,
                base_url: Some(start.url.to_string()),
                color: start.header_color,
                read_only: self.settings.read_only,
            };
            match place.and_then(|place| known.get_mut(place)) {
                Some(profile) => *profile = as_started,
                None => known.insert(0, as_started),
            }
        }
        let name = "demo store".to_owned();
        known.push(KnownStore { target: ConnectionTarget::Demo, name, base_url: None, color: None, read_only: false });
        for store in &mut known {
            store.read_only |= self.flags.read_only;
        }
        known
    }

    /// Resolves the settings with which to open another store. The config file is read again,
    /// except for the store of the start.
    ///
    /// # Errors
    ///
    /// Every fault there is.
    pub fn settings_for(
        &self,
        target: &ConnectionTarget,
        check_keys: impl FnOnce(&[Remap], &Path) -> Vec<Fault>,
    ) -> Result<Settings, Vec<Fault>> {
        let mut flags = self.flags.without_store();
        match target {
            ConnectionTarget::Start => return Ok(self.settings.clone()),
            ConnectionTarget::Profile(name) => flags.profile = Some(name.clone()),
            ConnectionTarget::Demo => flags.demo = true,
            ConnectionTarget::BaseUrl(other) => flags.base_url = Some(other.url.to_string()),
        }
        let mut settings = resolve(&flags, &self.environment.without_store(), check_keys)?;
        if let (ConnectionTarget::BaseUrl(OtherStore { token: Some(token), .. }), StoreChoice::Deployed(connection)) =
            (target, &mut settings.store)
        {
            connection.token_source = TokenSource::Given(token.clone());
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::environment::RawToken;
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

    /// A program that was started with these flags, its token in the environment and two profiles
    /// in its config file.
    fn started(flags: Flags) -> (tempfile::TempDir, Started) {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/plants")).unwrap();
        std::fs::write(home.path().join(".config/plants/config.toml"), TWO).unwrap();
        let token = Some(RawToken::from("canary"));
        let environment = Environment { token, ..Environment::at_home(home.path()) };
        let settings = resolve(&flags, &environment, |_, _| Vec::new()).unwrap();
        (home, Started { flags, environment, settings })
    }

    /// Store, profile and token source, as they are shown.
    fn leads_to(started: &Started, target: &ConnectionTarget) -> [String; 3] {
        match started.settings_for(target, |_, _| Vec::new()) {
            Ok(Settings { store: StoreChoice::Demo, .. }) => ["demo", "", ""].map(str::to_owned),
            Ok(Settings { store: StoreChoice::Deployed(connection), .. }) => [
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
    fn a_token_never_goes_to_another_store_than_it_was_given_for() {
        for flags in [
            Flags::default(),
            Flags { base_url: Some("http://127.0.0.1:1".to_owned()), ..Flags::default() },
            Flags { token_file: Some("/t".into()), ..Flags::default() },
            Flags { token_stdin: true, profile: Some("blue".to_owned()), ..Flags::default() },
        ] {
            let (_home, started) = started(flags);
            assert_eq!(
                leads_to(&started, &base_url("https://new.example")),
                ["https://new.example", "", "token asked for"]
            );
            assert_eq!(leads_to(&started, &profile("blue")), ["https://blue.example", "blue", "token asked for"]);
            assert_eq!(leads_to(&started, &profile("red")), ["https://red.example", "red", "token from $RED_TOKEN"]);
            assert_eq!(leads_to(&started, &ConnectionTarget::Demo), ["demo", "", ""]);
        }
        let (_home, plain) = started(Flags::default());
        assert_eq!(leads_to(&plain, &ConnectionTarget::Start), ["https://red.example", "red", "token from $RED_TOKEN"]);
        // Not even to the very same address, if that is typed: its token is typed beside it.
        assert_eq!(leads_to(&plain, &base_url("https://red.example"))[2], "token asked for");
    }

    #[test]
    fn a_token_typed_beside_a_base_url_goes_there_and_nowhere_else() {
        let (_home, started) = started(Flags::default());
        let token = Token::new("typed").unwrap();
        let other = OtherStore { url: "https://new.example".parse().unwrap(), token: Some(token) };
        let settings = started.settings_for(&ConnectionTarget::BaseUrl(other), |_, _| Vec::new()).unwrap();
        let StoreChoice::Deployed(connection) = settings.store else { panic!("a deployed store was expected") };
        assert_eq!(connection.url.to_string(), "https://new.example");
        assert!(matches!(&connection.token_source, TokenSource::Given(token) if token.is_in("typed")));
        assert!(!format!("{connection:?}").contains("typed"));
        assert_eq!(leads_to(&started, &base_url("https://new.example"))[2], "token asked for");
    }

    #[test]
    fn an_address_of_the_environment_does_not_fill_in_for_a_profile() {
        let (_home, mut started) = started(Flags::default());
        started.environment.base_url = Some("http://127.0.0.1:1".to_owned());
        assert_eq!(leads_to(&started, &profile("bare"))[0], "fault1");
        assert_eq!(leads_to(&started, &profile("nobody"))[0], "fault1");
    }

    #[test]
    fn what_was_read_from_standard_input_is_kept_for_the_store_of_the_start_alone() {
        let (_home, mut started) = started(Flags { token_stdin: true, ..Flags::default() });
        started.keep(&Token::new("canary").unwrap());
        let StoreChoice::Deployed(connection) =
            started.settings_for(&ConnectionTarget::Start, |_, _| Vec::new()).unwrap().store
        else {
            panic!("a deployed store was expected")
        };
        assert!(matches!(connection.token_source, TokenSource::Given(token) if token.is_in("canary")));
        assert_eq!(leads_to(&started, &profile("blue"))[2], "token asked for");
        assert!(!format!("{started:?}").contains("canary"));
    }

    #[test]
    fn what_was_said_of_every_store_holds_for_every_store() {
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
    fn a_profiles_own_limits_come_and_go_with_it() {
        let (_home, started) = started(Flags { demo: true, ..Flags::default() });
        let read_only = |target: &ConnectionTarget| started.settings_for(target, |_, _| Vec::new()).unwrap().read_only;
        assert_eq!(
            [profile("red"), profile("blue"), ConnectionTarget::Demo].map(|target| read_only(&target)),
            [true, false, false]
        );
        // Plain http to another machine takes a word that nobody has said.
        assert_eq!(leads_to(&started, &base_url("http://10.0.0.2"))[0], "fault1");
    }

    #[test]
    fn leave_for_plain_http_is_for_the_store_of_the_start_alone() {
        let start = "http://10.0.0.2";
        let flags = Flags { base_url: Some(start.to_owned()), allow_http: true, ..Flags::default() };
        let (_home, started) = started(flags);
        assert_eq!(leads_to(&started, &ConnectionTarget::Start)[0], start);
        assert_eq!(leads_to(&started, &base_url("http://10.0.0.3"))[0], "fault1");
    }

    #[test]
    fn a_certificate_for_one_store_is_not_trusted_for_another() {
        let (_home, mut started) = started(Flags { demo: true, ..Flags::default() });
        // Would be a fault if it were read.
        started.flags.ca_cert = Some("/nowhere/ca.pem".into());
        assert_eq!(leads_to(&started, &profile("blue"))[0], "https://blue.example");
    }

    fn known(started: &Started) -> Vec<(String, ConnectionTarget, Option<String>)> {
        started.known_stores().into_iter().map(|store| (store.name, store.target, store.base_url)).collect()
    }

    #[test]
    fn every_store_with_a_name_is_known_and_the_one_of_the_start_is_what_it_was() {
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
        // That is not blue's URL: blue is what it was.
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
