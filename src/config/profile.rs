//! Reads one `[profile.NAME]` of the config file.
//!
//! Every profile is validated, whether it is used or not. Must not know which profile or base URL is used.

use super::document::dotted;
use super::fault::{Location, unknown_key};
use super::layer::Layer;
use super::secret_source::{headers, token_source};
use super::setting::{
    ALLOW_HTTP, AUTHOR, BASE_URL, CA_CERT, CLIENT_CERT, CLIENT_KEY, COLOR, PROXY, READ_ONLY, SETTINGS, Scope, TEAM,
    TEAM_ALLOW_PLAIN, TEAM_BODIES, TEAM_CA_CERT, TEAM_KEEP, TEAM_STORE, TIMEOUT,
};
use super::table::{Entry, Table};
use super::team_access::TeamAccess;
use crate::domain::StoreUrl;

pub(super) struct Profile {
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) layer: Layer,
}

impl Profile {
    /// Reads the table of `entry`.
    pub(super) fn read(entry: &Entry<'_>, mut table: Table<'_>) -> Self {
        let has_certificate = table.has(CLIENT_CERT.key);
        let path = |entry: &Entry<'_>| Some(entry.located(entry.path()?));
        let layer = Layer {
            base_url: table.read(BASE_URL.key, |entry| {
                Some(entry.located(entry.parsed("a URL in quotes, like \"https://plants.example/api\"")))
            }),
            token_source: token_source(&mut table),
            timeout: table.read(TIMEOUT.key, |entry| entry.parsed("a duration in quotes, like \"30s\"")),
            ca_cert: table.read(CA_CERT.key, path),
            client_cert: table.read(CLIENT_CERT.key, path),
            client_key: table.read(CLIENT_KEY.key, |entry| {
                if !has_certificate {
                    entry.fault("client_cert is missing: name the certificate that belongs to this key");
                }
                path(entry)
            }),
            headers: headers(&mut table),
            color: table.read(COLOR.key, |entry| entry.choice("a color in quotes, like \"yellow\"")),
            read_only: table.read(READ_ONLY.key, Entry::switch),
            allow_http: table.read(ALLOW_HTTP.key, Entry::switch),
            proxy: table.read(PROXY.key, |entry| entry.parsed("a URL in quotes, like \"http://proxy.example:3128\"")),
            team: table.read(TEAM.key, |entry| {
                Some(entry.located(entry.parsed("URLs in quotes, like \"nats://nats.example\"")))
            }),
            team_store: table.read(TEAM_STORE.key, |entry| entry.text("a name in quotes").map(str::to_owned)),
            team_access: TeamAccess::read(&mut table),
            team_ca_cert: table.read(TEAM_CA_CERT.key, Entry::path),
            team_allow_plain: table.read(TEAM_ALLOW_PLAIN.key, Entry::switch),
            team_bodies: table.read(TEAM_BODIES.key, Entry::switch),
            team_keep: table.read(TEAM_KEEP.key, |entry| entry.parsed("an age in quotes, like \"90d\"")),
            author: table.read(AUTHOR.key, |entry| entry.parsed("a name in quotes, like \"ann@laptop\"")),
            ..Layer::default()
        };
        let is_of_the_top =
            |key: &str| SETTINGS.iter().any(|setting| setting.scope == Scope::Program && setting.key == key);
        table.report_unknown(|key, meant| match key {
            "token" => "a token does not belong in this file: use token_command, token_file or token_env".to_owned(),
            "team_token" | "team_password" => {
                format!("a secret does not belong in this file: use {key}_command")
            }
            key if is_of_the_top(key) => "this key belongs at the top of the file, before any table".to_owned(),
            _ => unknown_key(meant),
        });
        Self { name: entry.name.to_owned(), location: entry.location.clone(), layer }
    }

    /// Returns the base URL, if there is a valid one.
    pub(super) fn url(&self) -> Option<&StoreUrl> {
        self.layer.base_url.as_ref()?.value.as_ref()
    }

    /// Returns where a missing base URL belongs.
    pub(super) fn base_url_location(&self) -> Location {
        Location { key: dotted(&self.location.key, BASE_URL.key), ..self.location.clone() }
    }
}
