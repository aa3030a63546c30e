//! What one source says of the settings, and which source counts where several say something.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::environment::Environment;
use super::fault::{Fault, Given, Place};
use super::flags::Flags;
use super::options::{HeaderColor, ThemeChoice};
use super::setting::{BASE_URL, CA_CERT, PROFILE, TIMEOUT, TOKEN};
use super::token_source::TokenSource;
use super::value::{Proxy, Timeout};
use crate::domain::StoreUrl;

macro_rules! layer {
    ($($(#[$doc:meta])* $setting:ident: $type:ty;)*) => {
        /// The settings of one source; `None` where it says nothing, or nothing usable.
        #[derive(Clone, Default)]
        pub(super) struct Layer {
            $($(#[$doc])* pub(super) $setting: Option<$type>,)*
        }

        impl Layer {
            /// Takes from the layer below what this one does not say.
            pub(super) fn over(self, below: Self) -> Self {
                Self { $($setting: self.$setting.or(below.$setting),)* }
            }
        }
    };
}

layer! {
    profile: Given<String>;
    data_dir: PathBuf;
    theme: ThemeChoice;
    no_color: bool;
    reduced_motion: bool;
    timeout: Timeout;
    read_only: bool;
    /// Without a value if what was given is no base URL, which is a fault already.
    base_url: Given<Option<StoreUrl>>;
    token_source: TokenSource;
    ca_cert: Given<PathBuf>;
    allow_http: bool;
    proxy: Proxy;
    color: HeaderColor;
}

impl Layer {
    /// The limits of a profile, which hold for any base URL that it is used with.
    pub(super) fn limits(&self) -> Self {
        Self { timeout: self.timeout, read_only: self.read_only, ..Self::default() }
    }

    pub(super) fn of_flags(flags: &Flags, faults: &mut Vec<Fault>) -> Self {
        let stdin = flags.token_stdin.then_some(TokenSource::Stdin);
        Self {
            profile: flags.profile.clone().map(|value| Given { value, place: Place::named(PROFILE.flag) }),
            data_dir: flags.data_dir.clone(),
            no_color: flags.no_color.then_some(true),
            timeout: flags.timeout.as_deref().and_then(|raw| read(raw, &Place::named(TIMEOUT.flag), faults)),
            read_only: flags.read_only.then_some(true),
            base_url: flags.base_url.as_deref().map(|raw| base_url(raw, Place::named(BASE_URL.flag), faults)),
            token_source: flags.token_file.clone().map(TokenSource::File).or(stdin),
            ca_cert: flags.ca_cert.clone().map(|value| Given { value, place: Place::named(CA_CERT.flag) }),
            allow_http: flags.allow_http.then_some(true),
            ..Self::default()
        }
    }

    pub(super) fn of_environment(environment: &Environment, faults: &mut Vec<Fault>) -> Self {
        let token = environment.token.as_ref().and_then(|raw| {
            let token = raw.token();
            token.map_err(|why| faults.push(Place::named(TOKEN.variable).fault(why))).ok()
        });
        let in_data_home = || Some(environment.data_home.as_ref()?.join("plants"));
        Self {
            profile: environment.profile.clone().map(|value| Given { value, place: Place::named(PROFILE.variable) }),
            data_dir: environment.data_dir.clone().or_else(in_data_home),
            no_color: environment.no_color.then_some(true),
            reduced_motion: environment.no_motion.then_some(true),
            base_url: environment.base_url.as_deref().map(|raw| base_url(raw, Place::named(BASE_URL.variable), faults)),
            token_source: token.map(TokenSource::Given),
            ..Self::default()
        }
    }
}

fn base_url(raw: &str, place: Place, faults: &mut Vec<Fault>) -> Given<Option<StoreUrl>> {
    Given { value: read(raw, &place, faults), place }
}

fn read<T: FromStr<Err: fmt::Display>>(raw: &str, place: &Place, faults: &mut Vec<Fault>) -> Option<T> {
    raw.parse().map_err(|why: T::Err| faults.push(place.fault(why))).ok()
}
