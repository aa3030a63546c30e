//! Chooses the base URL, and the settings of flags, environment and config file that apply to it.
//!
//! The first source that gives a setting has precedence: flag, environment, profile, top of the config file. A token,
//! a permission for plain http, a certificate, a header for a gateway and a proxy apply only to the base URL that they
//! were given with; those for a team, only to its servers.

use std::path::Path;
use std::time::Duration;

use super::certificates;
use super::environment::Environment;
use super::fault::{Fault, Located, Location, quoted, shown_path};
use super::file::{ConfigFile, no_such_profile};
use super::flags::Flags;
use super::given::Origin;
use super::layer::Layer;
use super::profile::Profile;
use super::setting::{BASE_URL, TOKEN};
use super::settings::{Connection, TeamSettings};
use super::system_proxy::proxy_to;
use super::token_source::TokenSource;
use crate::domain::StoreUrl;

pub(super) struct Sources<'f> {
    variables: &'f Environment,
    flags: Layer,
    environment: Layer,
    file: &'f ConfigFile,
}

/// The base URL that is used.
pub(super) struct Address<'f> {
    /// Without a value if the base URL is invalid; its fault is reported already.
    base_url: Located<Option<StoreUrl>>,
    /// The profile whose limits apply.
    profile: Option<&'f Profile>,
}

impl<'f> Address<'f> {
    /// Returns the profile, if this is its own base URL, so that all its settings apply.
    fn own_profile(&self) -> Option<&'f Profile> {
        self.profile.filter(|profile| profile.url().is_some() && profile.url() == self.base_url.value.as_ref())
    }
}

pub(super) const PLAIN_HTTP: &str =
    "plain http would send the token unencrypted: use https, or allow it with --allow-http";

const CERTIFICATE_AT_PROXY: &str =
    "a client certificate is for the store alone, and an https proxy could ask for it: use an http proxy";

const UNNAMED: &str =
    "a store on this machine is shared with a team only under a name: set team_store, or PLANTS_TEAM_STORE";

/// The age at which a message of a team's stream is removed, unless the profile says another: 30 days.
const TEAM_KEEPS: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl<'f> Sources<'f> {
    pub(super) fn read(
        flags: &Flags,
        variables: &'f Environment,
        file: &'f ConfigFile,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let flags = flags.layer(faults);
        faults.extend_from_slice(&variables.invalid);
        Self { variables, flags, environment: variables.layer.clone(), file }
    }

    /// Returns a setting of the first source that gives it, with the rank of that source: 0 has the highest precedence.
    fn first<T>(&self, setting: impl Fn(&Layer) -> Option<&T>) -> Option<(usize, &T)> {
        let layers = [&self.flags, &self.environment, &self.file.layer];
        layers.into_iter().enumerate().find_map(|(rank, layer)| Some((rank, setting(layer)?)))
    }

    /// Returns the name of the profile to use, and the profile, if it exists.
    fn named_profile(&self) -> Option<(usize, &Located<String>, Option<&'f Profile>)> {
        let (rank, name) = self.first(|layer| layer.profile.as_ref())?;
        Some((rank, name, self.file.profile(&name.value)))
    }

    /// Finds the base URL to use, and the profile whose limits apply to it.
    ///
    /// The base URL of a profile has the precedence of the source that names the profile. An explicit base URL of
    /// higher precedence excludes the whole profile. One of the same precedence replaces the base URL of the profile,
    /// whose limits still apply. One of lower precedence is used only if the profile has none.
    pub(super) fn address(&self, config_file: &Path, faults: &mut Vec<Fault>) -> Option<Address<'f>> {
        let address =
            |base_url: &Located<Option<StoreUrl>>, profile| Some(Address { base_url: base_url.clone(), profile });
        let explicit = self.first(|layer| layer.base_url.as_ref());
        let without_profile = || explicit.and_then(|(_, base_url)| address(base_url, None));
        let Some((rank, name, profile)) = self.named_profile() else { return without_profile() };
        let Some(profile) = profile else {
            if !self.file.is_unread {
                let file = name.location.file.is_none().then_some(config_file);
                let known = self.file.profiles.iter().map(|profile| profile.name.as_str());
                faults.push(name.location.fault(no_such_profile(&name.value, file, known)));
            }
            return without_profile();
        };
        match (explicit, &profile.layer.base_url) {
            (Some((of_url, _)), _) if of_url < rank => without_profile(),
            (Some((of_url, _)), Some(own)) if of_url > rank => address(own, Some(profile)),
            (Some((_, used)), _) | (None, Some(used)) => address(used, Some(profile)),
            (None, None) => {
                if !self.file.is_unread {
                    let what = "the profile has no base_url, and none is given elsewhere";
                    faults.push(profile.base_url_location().fault(what));
                }
                None
            }
        }
    }

    /// Returns the base URL of the environment; if there is one, the token of the environment is for it alone.
    fn environment_url(&self) -> Option<&StoreUrl> {
        self.environment.base_url.as_ref()?.value.as_ref()
    }

    fn uses_environment_token(&self, address: &Address<'_>) -> bool {
        match self.environment_url() {
            Some(url) => address.base_url.value.as_ref() == Some(url),
            None => {
                // A flag or a variable gave it.
                address.base_url.location.file.is_none()
                    || address.own_profile().is_none_or(|profile| profile.layer.token_source.is_none())
            }
        }
    }

    /// Returns the settings that apply to the address, highest precedence first; without one, to the demo store.
    /// `config_file` is where those of the file come from.
    pub(super) fn layers<'a>(
        &self,
        address: Option<&Address<'a>>,
        config_file: &'a Path,
        faults: &mut Vec<Fault>,
    ) -> [(Origin<'a>, Layer); 5] {
        let profile = address.and_then(|address| address.profile);
        let mut of_profile = match address.and_then(Address::own_profile) {
            Some(own) => own.layer.clone(),
            None => profile.map(|profile| profile.layer.limits()).unwrap_or_default(),
        };
        let url = address.and_then(|address| address.base_url.value.as_ref());
        // Loopback always goes direct.
        of_profile.proxy = of_profile.proxy.filter(|_| url.is_some_and(|url| !url.is_loopback()));
        let mut environment = self.environment.clone();
        environment.token_source =
            environment.token_source.filter(|_| address.is_some_and(|address| self.uses_environment_token(address)));
        let name = profile.map_or("", |profile| profile.name.as_str());
        // That of a profile has precedence.
        let proxy = url.filter(|_| of_profile.proxy.is_none()).and_then(|url| proxy_to(url, self.variables));
        let (variable, proxy) = proxy.map_or(("", None), |(name, proxy)| {
            let proxy = proxy.as_ref().map_err(|why| faults.push(Location::named(name).fault(why)));
            (name, proxy.ok().cloned())
        });
        let servers = [&self.flags, &environment, &of_profile].into_iter().find_map(|layer| layer.team.clone());
        let servers = servers.and_then(|servers| servers.value);
        of_profile.withhold_from(servers.as_ref());
        if environment.team.is_some() {
            environment.withhold_from(servers.as_ref());
        }
        let (mut flags, mut file) = (self.flags.clone(), self.file.layer.clone());
        for layer in [&mut flags, &mut environment, &mut of_profile, &mut file] {
            let is_other = |given: &mut Located<_>| address.is_none_or(|used| used.base_url.location != given.location);
            layer.base_url.take_if(is_other);
            layer.profile.take_if(|_| profile.is_none());
        }
        [
            (Origin::Flag, flags),
            (Origin::Environment, environment),
            (Origin::Profile(name, config_file), of_profile),
            (Origin::File(config_file), file),
            (Origin::Variable(variable), Layer { proxy, ..Layer::default() }),
        ]
    }

    /// Returns the connection to the address; `None` after a fault.
    pub(super) fn connection(
        &self,
        address: Address<'_>,
        merged: Layer,
        faults: &mut Vec<Fault>,
    ) -> Option<Connection> {
        let profile = address.own_profile().map(|profile| profile.name.clone());
        let ca_cert = merged.ca_cert.and_then(|path| {
            let fault = |why| path.location.fault(format_args!("{}: {why}", shown_path(&path.value)));
            certificates::read(&path.value).map_err(|why| faults.push(fault(why))).ok()
        });
        let client_key_file = merged.client_key.as_ref().or(merged.client_cert.as_ref()).map(|path| path.value.clone());
        let client_certificate = merged.client_cert.and_then(|certificate| {
            let is_safe = merged.proxy.as_ref().is_none_or(|proxy| proxy.0.scheme() != "https");
            if !is_safe {
                faults.push(certificate.location.fault(CERTIFICATE_AT_PROXY));
            }
            certificates::client(&certificate, merged.client_key.as_ref()).map_err(|fault| faults.push(fault)).ok()
        });
        let token_source = merged.token_source.unwrap_or(TokenSource::Prompt);
        let withheld = if matches!(token_source, TokenSource::Prompt) { self.withheld(&address) } else { None };
        let url = address.base_url.value?;
        if !url.is_https() && !url.is_loopback() && !merged.allow_http.unwrap_or_default() {
            faults.push(address.base_url.location.fault(PLAIN_HTTP));
        }
        let team = merged.team.and_then(|team| {
            let store = merged.team_store;
            if store.is_none() && url.is_loopback() {
                faults.push(team.location.fault(UNNAMED));
            }
            Some(TeamSettings {
                servers: team.value?.0,
                access: merged.team_access,
                ca_cert: merged.team_ca_cert,
                allow_plain: merged.team_allow_plain.unwrap_or_default(),
                store: store.unwrap_or_else(|| url.to_string()),
                author: merged.author.unwrap_or_else(|| self.variables.author()),
                bodies: merged.team_bodies.unwrap_or(true),
                keep: merged.team_keep.map_or(TEAM_KEEPS, |age| age.0),
            })
        });
        Some(Connection {
            team,
            url,
            profile,
            header_color: merged.color,
            token_source,
            withheld,
            ca_cert,
            client_certificate,
            client_key_file,
            headers: merged.headers.unwrap_or_default(),
            proxy: merged.proxy,
        })
    }

    /// Says which configured token is for another base URL.
    fn withheld(&self, address: &Address<'_>) -> Option<String> {
        if let Some(url) = self.environment_url()
            && self.environment.token_source.is_some()
            && !self.uses_environment_token(address)
        {
            return Some(format!("{} is for {} ({url}) alone", TOKEN.variable, BASE_URL.variable));
        }
        let (_, _, profile) = self.named_profile()?;
        let profile = profile.filter(|profile| profile.layer.token_source.is_some())?;
        let name = quoted(&profile.name);
        Some(match profile.url() {
            Some(own) => format!("the token of profile {name} is for {own} alone"),
            None => format!("profile {name} has a token but no base_url, so that token is for no store"),
        })
    }
}
