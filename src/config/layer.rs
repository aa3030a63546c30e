//! The settings that one source gives, and laying one source over another.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::custom_command::CustomCommand;
use super::environment::Environment;
use super::fault::{Fault, Located, Location};
use super::flags::Flags;
use super::given::Given;
use super::options::{HeaderColor, LanguageChoice, Notify, ThemeChoice};
use super::setting::{
    ALLOW_HTTP, ASCII, AUTHOR, BASE_URL, CA_CERT, CLIENT_CERT, CLIENT_KEY, COLOR, COMMAND, DATA_DIR, HEADERS, LANGUAGE,
    LOG, NO_COLOR, NOTIFY, PLAIN, PROFILE, PROXY, READ_ONLY, REDUCED_MOTION, TEAM, TEAM_ALLOW_PLAIN, TEAM_BODIES,
    TEAM_CA_CERT, TEAM_CREDENTIALS, TEAM_KEEP, TEAM_STORE, THEME, TIMEOUT, TOKEN, TRIM_AFTER,
};
use super::team_access::TeamAccess;
use super::token_source::{HeaderSource, TokenSource};
use super::value::{Age, Proxy, TeamServers, Timeout};
use crate::domain::{Author, StoreUrl};

macro_rules! layer {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $setting:ident;)*) => {
        /// The settings of one source; `None` for one that is missing or invalid.
        #[derive(Clone, Default)]
        pub(super) struct Layer {
            $($(#[$doc])* pub(super) $field: Option<$type>,)*
        }

        impl Layer {
            /// Fills in the missing settings from a layer of lower precedence.
            pub(super) fn over(self, lower: Self) -> Self {
                Self { $($field: self.$field.or(lower.$field),)* }
            }

            /// Lists the settings that this source gives, without secrets.
            pub(super) fn given(&self) -> Vec<Given> {
                let given = [$(self.$field.as_ref().map(|value| Given::of(stringify!($field), &$setting, value)),)*];
                given.into_iter().flatten().collect()
            }
        }
    };
}

layer! {
    profile: Located<String> = PROFILE;
    data_dir: PathBuf = DATA_DIR;
    theme: ThemeChoice = THEME;
    language: LanguageChoice = LANGUAGE;
    log: PathBuf = LOG;
    trim_after: Age = TRIM_AFTER;
    no_color: bool = NO_COLOR;
    reduced_motion: bool = REDUCED_MOTION;
    notify: Notify = NOTIFY;
    plain: bool = PLAIN;
    ascii: bool = ASCII;
    command: Vec<CustomCommand> = COMMAND;
    timeout: Timeout = TIMEOUT;
    read_only: bool = READ_ONLY;
    /// Without a value if the base URL is invalid; its fault is reported already.
    base_url: Located<Option<StoreUrl>> = BASE_URL;
    token_source: TokenSource = TOKEN;
    ca_cert: Located<PathBuf> = CA_CERT;
    client_cert: Located<PathBuf> = CLIENT_CERT;
    client_key: Located<PathBuf> = CLIENT_KEY;
    headers: Vec<HeaderSource> = HEADERS;
    allow_http: bool = ALLOW_HTTP;
    proxy: Proxy = PROXY;
    color: HeaderColor = COLOR;
    team: Located<Option<TeamServers>> = TEAM;
    team_store: String = TEAM_STORE;
    team_access: TeamAccess = TEAM_CREDENTIALS;
    team_ca_cert: PathBuf = TEAM_CA_CERT;
    team_allow_plain: bool = TEAM_ALLOW_PLAIN;
    team_bodies: bool = TEAM_BODIES;
    team_keep: Age = TEAM_KEEP;
    author: Author = AUTHOR;
}

impl Layer {
    /// Returns the settings of a profile that apply to any base URL it is used with.
    pub(super) fn limits(&self) -> Self {
        Self { timeout: self.timeout, read_only: self.read_only, ..Self::default() }
    }

    /// Returns where the secrets come from that are sent to the store, and to the servers of the team.
    pub(super) fn secret_sources(&mut self) -> impl Iterator<Item = &mut TokenSource> {
        let headers = self.headers.iter_mut().flatten().map(|header| &mut header.source);
        let team = self.team_access.iter_mut().filter_map(TeamAccess::source_mut);
        self.token_source.iter_mut().chain(team).chain(headers)
    }

    /// Removes what is for the servers of this source's own team, unless all of `servers` are among them.
    pub(super) fn withhold_from(&mut self, servers: Option<&TeamServers>) {
        let own = self.team.as_ref().and_then(|team| team.value.as_ref());
        let are_own = |(own, used): (&TeamServers, &TeamServers)| used.0.iter().all(|server| own.0.contains(server));
        if !own.zip(servers).is_some_and(are_own) {
            (self.team_access, self.team_ca_cert, self.team_allow_plain) = (None, None, None);
        }
    }

    pub(super) fn of_flags(flags: &Flags, faults: &mut Vec<Fault>) -> Self {
        let stdin = flags.token_stdin.then_some(TokenSource::Stdin);
        Self {
            profile: flags.profile.clone().map(|value| Located::named(PROFILE.flag, value)),
            data_dir: flags.data_dir.clone(),
            log: flags.log.clone(),
            no_color: flags.no_color.then_some(true),
            plain: flags.plain.then_some(true),
            ascii: flags.ascii.then_some(true),
            timeout: flags.timeout.as_deref().and_then(|raw| parsed(raw, TIMEOUT.flag, faults)),
            read_only: flags.read_only.then_some(true),
            base_url: located(flags.base_url.as_deref(), BASE_URL.flag, faults),
            token_source: flags.token_file.clone().map(TokenSource::File).or(stdin),
            ca_cert: flags.ca_cert.clone().map(|value| Located::named(CA_CERT.flag, value)),
            allow_http: flags.allow_http.then_some(true),
            team: located(flags.team.as_deref(), TEAM.flag, faults),
            ..Self::default()
        }
    }

    pub(super) fn of_environment(environment: &Environment, faults: &mut Vec<Fault>) -> Self {
        let token = environment
            .token
            .clone()
            .and_then(|token| token.map_err(|why| faults.push(Location::named(TOKEN.variable).fault(why))).ok());
        Self {
            profile: environment.profile.clone().map(|value| Located::named(PROFILE.variable, value)),
            data_dir: environment.data_dir.clone(),
            log: environment.log.clone(),
            no_color: environment.no_color.then_some(true),
            reduced_motion: environment.no_motion.then_some(true),
            ascii: environment.ascii.as_deref().and_then(|raw| switch(raw, ASCII.variable, faults)),
            read_only: environment.read_only.as_deref().and_then(|raw| switch(raw, READ_ONLY.variable, faults)),
            plain: environment.plain.as_deref().and_then(|raw| switch(raw, PLAIN.variable, faults)),
            base_url: located(environment.base_url.as_deref(), BASE_URL.variable, faults),
            token_source: token.map(TokenSource::Given),
            team: located(environment.team.as_deref(), TEAM.variable, faults),
            team_store: environment.team_store.clone(),
            team_access: environment.team_credentials.clone().map(TeamAccess::Credentials),
            ..Self::default()
        }
    }
}

/// Parses the value of a variable that turns something on or off.
fn switch(raw: &str, name: &str, faults: &mut Vec<Fault>) -> Option<bool> {
    match raw {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => {
            faults.push(Location::named(name).fault("write 1, true, 0 or false"));
            None
        }
    }
}

/// Parses the value of the flag or the variable of this name, if it has one, and keeps where it was given.
fn located<T: FromStr<Err: fmt::Display>>(
    raw: Option<&str>,
    name: &str,
    faults: &mut Vec<Fault>,
) -> Option<Located<Option<T>>> {
    raw.map(|raw| Located::named(name, parsed(raw, name, faults)))
}

/// Parses the value of the flag or the variable of this name.
fn parsed<T: FromStr<Err: fmt::Display>>(raw: &str, name: &str, faults: &mut Vec<Fault>) -> Option<T> {
    raw.parse().map_err(|why: T::Err| faults.push(Location::named(name).fault(why))).ok()
}
