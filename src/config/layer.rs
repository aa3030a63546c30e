//! The settings that one source gives, and laying one source over another.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::custom_command::CustomCommand;
use super::fault::{Fault, Located, Location, shown_path};
use super::given::Given;
use super::options::{HeaderColor, LanguageChoice, Notify, ThemeChoice};
use super::setting::{
    ALLOW_HTTP, ASCII, AUTHOR, BASE_URL, CA_CERT, CLIENT_CERT, CLIENT_KEY, COLOR, COMMAND, DATA_DIR, HEADERS, LANGUAGE,
    LOG, NO_COLOR, NOTIFY, PLAIN, PROFILE, PROXY, READ_ONLY, REDUCED_MOTION, TEAM, TEAM_ALLOW_PLAIN, TEAM_BODIES,
    TEAM_CA_CERT, TEAM_KEEP, TEAM_STORE, THEME, TIMEOUT, TRIM_AFTER,
};
use super::team_access::TeamAccess;
use super::token_source::{HeaderSource, TokenSource};
use super::value::{Age, Proxy, TeamServers, Timeout};
use crate::domain::{Author, StoreUrl};
use crate::text::clean;

macro_rules! layer {
    ($($(#[$doc:meta])* $field:ident: $type:ty = |$value:ident| $setting:expr, $shown:expr;)*) => {
        /// The settings of one source; `None` for one that is missing or invalid.
        #[derive(Debug, Clone, Default)]
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
                let given = [$(self.$field.as_ref().map(|$value| Given::of(stringify!($field), $setting, $shown)),)*];
                given.into_iter().flatten().collect()
            }
        }
    };
}

layer! {
    profile: Located<String> = |name| &PROFILE, clean(&name.value);
    data_dir: PathBuf = |path| &DATA_DIR, shown_path(path);
    theme: ThemeChoice = |theme| &THEME, theme.word().to_owned();
    language: LanguageChoice = |language| &LANGUAGE, language.word().to_owned();
    log: PathBuf = |path| &LOG, shown_path(path);
    trim_after: Age = |age| &TRIM_AFTER, age.to_string();
    no_color: bool = |is_on| &NO_COLOR, is_on.to_string();
    reduced_motion: bool = |is_on| &REDUCED_MOTION, is_on.to_string();
    notify: Notify = |way| &NOTIFY, <&str>::from(way).to_owned();
    plain: bool = |is_on| &PLAIN, is_on.to_string();
    ascii: bool = |is_on| &ASCII, is_on.to_string();
    command: Vec<CustomCommand> = |commands| &COMMAND, joined(commands, ", ");
    timeout: Timeout = |limit| &TIMEOUT, format!("{:?}", limit.0);
    read_only: bool = |is_on| &READ_ONLY, is_on.to_string();
    /// Without a value if the base URL is invalid; its fault is reported already.
    base_url: Located<Option<StoreUrl>> = |url| &BASE_URL, joined(&url.value, "");
    token_source: TokenSource = |source| source.setting(), source.origin();
    ca_cert: Located<PathBuf> = |path| &CA_CERT, shown_path(&path.value);
    client_cert: Located<PathBuf> = |path| &CLIENT_CERT, shown_path(&path.value);
    client_key: Located<PathBuf> = |path| &CLIENT_KEY, shown_path(&path.value);
    headers: Vec<HeaderSource> = |headers| &HEADERS, joined(headers, ", ");
    allow_http: bool = |is_on| &ALLOW_HTTP, is_on.to_string();
    proxy: Proxy = |proxy| &PROXY, proxy.to_string();
    color: HeaderColor = |color| &COLOR, <&str>::from(color).to_owned();
    team: Located<Option<TeamServers>> = |team| &TEAM, joined(team.value.iter().flat_map(|team| &team.0), ",");
    team_store: String = |name| &TEAM_STORE, clean(name);
    team_access: TeamAccess = |access| access.setting(), access.to_string();
    team_ca_cert: PathBuf = |path| &TEAM_CA_CERT, shown_path(path);
    team_allow_plain: bool = |is_on| &TEAM_ALLOW_PLAIN, is_on.to_string();
    team_bodies: bool = |is_on| &TEAM_BODIES, is_on.to_string();
    team_keep: Age = |age| &TEAM_KEEP, age.to_string();
    author: Author = |author| &AUTHOR, author.to_string();
}

fn joined(values: impl IntoIterator<Item: ToString>, separator: &str) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(separator)
}

impl Layer {
    /// Returns the settings of a profile that apply to any base URL it is used with.
    pub(super) fn limits(&self) -> Self {
        Self { timeout: self.timeout, read_only: self.read_only, ..Self::default() }
    }

    /// Removes what is for the servers of this source's own team, unless all of `servers` are among them.
    pub(super) fn withhold_from(&mut self, servers: Option<&TeamServers>) {
        let own = self.team.as_ref().and_then(|team| team.value.as_ref());
        let are_own = |(own, used): (&TeamServers, &TeamServers)| used.0.iter().all(|server| own.0.contains(server));
        if !own.zip(servers).is_some_and(are_own) {
            (self.team_access, self.team_ca_cert, self.team_allow_plain) = (None, None, None);
        }
    }
}

/// Parses the value of a variable that turns something on or off.
pub(super) fn switch(raw: &str, name: &str, faults: &mut Vec<Fault>) -> Option<bool> {
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
pub(super) fn located<T: FromStr<Err: fmt::Display>>(
    raw: Option<&str>,
    name: &str,
    faults: &mut Vec<Fault>,
) -> Option<Located<Option<T>>> {
    raw.map(|raw| Located::named(name, parsed(raw, name, faults)))
}

/// Parses the value of the flag or the variable of this name.
pub(super) fn parsed<T: FromStr<Err: fmt::Display>>(raw: &str, name: &str, faults: &mut Vec<Fault>) -> Option<T> {
    raw.parse().map_err(|why: T::Err| faults.push(Location::named(name).fault(why))).ok()
}
