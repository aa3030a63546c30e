//! Which base URL counts, and what of all that flags, environment and config file say holds for it.
//!
//! Each setting counts as its first source has it: flag, environment, profile, top of the config file;
//! except that a token, leave for plain http, a certificate and a proxy belong to the base URL they
//! were given with, and go to no other.

use std::path::Path;

use super::certificates;
use super::environment::Environment;
use super::fault::{Fault, Given, Place, quoted};
use super::file::ConfigFile;
use super::flags::Flags;
use super::layer::Layer;
use super::profile::Profile;
use super::setting::{BASE_URL, TOKEN};
use super::settings::Connection;
use super::token_source::TokenSource;
use crate::domain::StoreUrl;

/// How explicitly something was named; a later one beats an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    File,
    Environment,
    Flag,
}

pub(super) struct Sources<'f> {
    flags: Layer,
    environment: Layer,
    file: &'f ConfigFile,
}

/// The base URL that counts.
pub(super) struct Address<'f> {
    /// Without a value if what was given is no base URL; that is a fault already.
    base_url: Given<Option<StoreUrl>>,
    /// Whether it was given by itself, and not by a profile.
    by_itself: bool,
    /// The profile that has a say.
    profile: Option<&'f Profile>,
}

impl<'f> Address<'f> {
    fn given(base_url: &Given<Option<StoreUrl>>, profile: Option<&'f Profile>) -> Self {
        Self { base_url: base_url.clone(), by_itself: true, profile }
    }

    /// The profile, if the store is the one that its token, its certificate, its proxy and its leave for plain
    /// http are for.
    fn own_profile(&self) -> Option<&'f Profile> {
        self.profile.filter(|profile| profile.url().is_some() && profile.url() == self.base_url.value.as_ref())
    }
}

pub(super) const IN_CLEAR: &str =
    "over plain http the token would travel in clear: use https, or say --allow-http if that is what you want";

impl<'f> Sources<'f> {
    pub(super) fn read(
        flags: &Flags,
        environment: &Environment,
        file: &'f ConfigFile,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let flags = Layer::of_flags(flags, faults);
        Self { flags, environment: Layer::of_environment(environment, faults), file }
    }

    /// The first source that gives a setting.
    fn first<T>(&self, setting: impl Fn(&Layer) -> Option<&T>) -> Option<(Level, &T)> {
        [(Level::Flag, &self.flags), (Level::Environment, &self.environment), (Level::File, &self.file.layer)]
            .into_iter()
            .find_map(|(level, layer)| Some((level, setting(layer)?)))
    }

    /// The profile that is named, if there is one of that name.
    fn named_profile(&self) -> Option<(Level, &Given<String>, Option<&'f Profile>)> {
        let (level, name) = self.first(|layer| layer.profile.as_ref())?;
        Some((level, name, self.file.profile(&name.value)))
    }

    /// Finds the base URL that counts, and whether the profile has a say.
    ///
    /// A profile is named at a level, and speaks there with its own base URL. A base URL given
    /// more explicitly leaves the whole profile out; one given as explicitly takes the place of the
    /// profile's, whose limits then hold for it; one given less explicitly only fills in where the
    /// profile has none.
    pub(super) fn address(&self, config_file: &Path, faults: &mut Vec<Fault>) -> Option<Address<'f>> {
        let given = self.first(|layer| layer.base_url.as_ref());
        let without_profile = |(_, base_url)| Address::given(base_url, None);
        let (level, profile) = match self.named_profile() {
            None => return given.map(without_profile),
            Some((level, _, Some(profile))) => (level, profile),
            Some((level, name, None)) => {
                // A default that is not there is the file's own fault, and was found when it was read.
                if level != Level::File && !self.file.is_partial {
                    let place = Place { file: Some(config_file.to_owned()), ..name.place.clone() };
                    faults.push(place.fault(self.file.no_such_profile(&name.value)));
                }
                return given.map(without_profile);
            }
        };
        match (given, &profile.layer.base_url) {
            (Some((given_at, base_url)), _) if given_at > level => Some(Address::given(base_url, None)),
            (Some((given_at, base_url)), _) if given_at == level => Some(Address::given(base_url, Some(profile))),
            (_, Some(own)) => Some(Address { base_url: own.clone(), by_itself: false, profile: Some(profile) }),
            (Some((_, base_url)), None) => Some(Address::given(base_url, Some(profile))),
            (None, None) => {
                if !self.file.is_partial {
                    let what = "the profile has no base_url, and none is given elsewhere";
                    faults.push(profile.place_of_base_url().fault(what));
                }
                None
            }
        }
    }

    /// The base URL of the environment, which the token of the environment is then for.
    fn url_of_environment(&self) -> Option<&StoreUrl> {
        self.environment.base_url.as_ref()?.value.as_ref()
    }

    fn takes_token_of_environment(&self, address: &Address<'_>) -> bool {
        match self.url_of_environment() {
            Some(url) => address.base_url.value.as_ref() == Some(url),
            None => {
                address.by_itself || address.own_profile().is_none_or(|profile| profile.layer.token_source.is_none())
            }
        }
    }

    /// Lays the sources over each other, as far as they hold for the address; without one, for the demo store.
    pub(super) fn merged(&self, address: Option<&Address<'_>>) -> Layer {
        let profile = address.and_then(|address| address.profile);
        let of_profile = match address.and_then(Address::own_profile) {
            Some(own) => own.layer.clone(),
            None => profile.map(|profile| profile.layer.limits()).unwrap_or_default(),
        };
        let mut environment = self.environment.clone();
        environment.token_source = environment
            .token_source
            .filter(|_| address.is_some_and(|address| self.takes_token_of_environment(address)));
        self.flags.clone().over(environment).over(of_profile).over(self.file.layer.clone())
    }

    /// Says how to reach the address; `None` after a fault.
    pub(super) fn connection(
        &self,
        address: Address<'_>,
        merged: Layer,
        faults: &mut Vec<Fault>,
    ) -> Option<Connection> {
        let profile = address.own_profile().map(|profile| profile.name.clone());
        let ca_cert = merged
            .ca_cert
            .and_then(|path| certificates::read(&path.value).map_err(|why| faults.push(path.place.fault(why))).ok());
        let token_source = merged.token_source.unwrap_or(TokenSource::OperationKind);
        let withheld = if matches!(token_source, TokenSource::OperationKind) { self.withheld(&address) } else { None };
        let url = address.base_url.value?;
        if !url.is_https() && !url.is_loopback() && !merged.allow_http.unwrap_or_default() {
            faults.push(address.base_url.place.fault(IN_CLEAR));
        }
        Some(Connection {
            url,
            profile,
            header_color: merged.color,
            token_source,
            withheld,
            ca_cert,
            proxy: merged.proxy.map(|proxy| proxy.0),
        })
    }

    /// Names the token that is configured and belongs to another base URL, for the message that asks for one.
    fn withheld(&self, address: &Address<'_>) -> Option<String> {
        if let Some(url) = self.url_of_environment()
            && self.environment.token_source.is_some()
            && !self.takes_token_of_environment(address)
        {
            return Some(format!("{} is for {} ({url}) alone", TOKEN.variable, BASE_URL.variable));
        }
        let (_, _, profile) = self.named_profile()?;
        let profile = profile.filter(|profile| profile.layer.token_source.is_some())?;
        let name = quoted(&profile.name);
        Some(match profile.url() {
            Some(own) => format!("the token of profile {name} is for {own} alone"),
            None => format!("profile {name} names a token but no base_url, so that token is for no store"),
        })
    }
}
