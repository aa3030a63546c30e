//! Says which settings are in force, and which source gave each.
//!
//! No value is a secret: of a token it says where it comes from, of a header its name, of a proxy its host. Must not know
//! how the settings are printed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::custom_command::CustomCommand;
use super::fault::{Located, shown_path};
use super::options::{HeaderColor, LanguageChoice, Notify, ThemeChoice};
use super::setting::{Setting, TOKEN, TOKEN_COMMAND, TOKEN_ENV, TOKEN_FILE};
use super::team_access::TeamAccess;
use super::token_source::{HeaderSource, TokenSource};
use super::value::{Age, Proxy, TeamServers, Timeout};
use crate::domain::{Author, StoreUrl};
use crate::text::clean;
use crate::text::number_format::counted;

/// A setting with its value as a text. The names of the fields are those of `plants config --json`.
#[derive(Debug, Clone, Serialize)]
pub struct Given {
    /// The key in the config file, or what stands for it where there is none or more than one.
    pub name: &'static str,
    pub value: String,
    /// The source of the value: a flag, a variable, or a key of the config file. Empty in a layer.
    pub from: String,
    #[serde(skip)]
    pub(super) setting: &'static Setting,
}

impl Given {
    /// Takes the name of the field in a layer.
    pub(super) fn of(field: &'static str, setting: &'static Setting, value: &impl Shown) -> Self {
        let name = field.strip_suffix("_source").unwrap_or(field);
        Self { name, value: value.shown(), from: String::new(), setting: value.setting(setting) }
    }
}

/// A source of settings.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin<'f> {
    Flag,
    Environment,
    /// Of this name, where more than one gives the same setting.
    Variable(&'f str),
    /// Of this name in this file.
    Profile(&'f str, &'f Path),
    File(&'f Path),
}

impl Origin<'_> {
    fn of(self, given: &Given) -> String {
        match self {
            Self::Flag => given.setting.flag.to_owned(),
            Self::Environment => format!("${}", given.setting.variable),
            Self::Variable(name) => format!("${name}"),
            Self::Profile(name, file) => format!("profile {} in {}", clean(name), shown_path(file)),
            Self::File(file) => shown_path(file),
        }
    }
}

/// Lists the settings in force, in the order of `layers` from the highest precedence to the lowest.
pub(super) fn in_force<'f>(layers: impl IntoIterator<Item = (Origin<'f>, Vec<Given>)>) -> Vec<Given> {
    let mut all: Vec<Given> = Vec::new();
    for (origin, layer) in layers {
        for mut given in layer {
            if all.iter().all(|higher| higher.name != given.name) {
                given.from = origin.of(&given);
                all.push(given);
            }
        }
    }
    all
}

/// A value that can be shown, without its secrets.
pub(super) trait Shown {
    fn shown(&self) -> String;

    /// Returns the setting that this value was given with, where several have one field.
    fn setting(&self, of: &'static Setting) -> &'static Setting {
        of
    }
}

impl<T: Shown> Shown for Located<T> {
    fn shown(&self) -> String {
        self.value.shown()
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref().map(Shown::shown).unwrap_or_default()
    }
}

macro_rules! shown {
    ($($type:ty: |$value:ident| $text:expr;)*) => {
        $(impl Shown for $type {
            fn shown(&self) -> String {
                let $value = self;
                $text
            }
        })*
    };
}

shown! {
    bool: |value| value.to_string();
    String: |text| clean(text);
    PathBuf: |path| shown_path(path);
    StoreUrl: |url| url.to_string();
    Author: |author| author.to_string();
    ThemeChoice: |theme| theme.word().to_owned();
    Notify: |notify| <&str>::from(notify).to_owned();
    LanguageChoice: |language| language.word().to_owned();
    HeaderColor: |color| <&str>::from(color).to_owned();
    Timeout: |limit| format!("{:?}", Duration::from_millis(u64::try_from(limit.0.as_millis()).unwrap_or(u64::MAX)));
    Age: |age| counted(age.0.as_secs() / (24 * 60 * 60), "day", "days");
    TeamServers: |servers| servers.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
}

impl Shown for Proxy {
    fn shown(&self) -> String {
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}", self.0.scheme(), self.0.host_str().unwrap_or_default())
    }
}

impl Shown for TokenSource {
    fn shown(&self) -> String {
        self.origin()
    }

    fn setting(&self, of: &'static Setting) -> &'static Setting {
        match self {
            _ if of.variable != TOKEN.variable => of,
            Self::File(_) => &TOKEN_FILE,
            Self::Env(_) => &TOKEN_ENV,
            Self::Command(_) => &TOKEN_COMMAND,
            Self::Stdin | Self::Given(_) | Self::Prompt => of,
        }
    }
}

impl Shown for TeamAccess {
    fn shown(&self) -> String {
        match self {
            Self::Credentials(path) => format!("credentials file {}", shown_path(path)),
            Self::Token(source) => source.to_string(),
            Self::Password { user, source } => format!("user {}, password from {}", clean(user), source.origin()),
            Self::Nkey(source) => format!("nkey from {}", source.origin()),
        }
    }

    fn setting(&self, _: &'static Setting) -> &'static Setting {
        self.setting()
    }
}

impl Shown for Vec<CustomCommand> {
    fn shown(&self) -> String {
        let shown = |command: &CustomCommand| {
            format!("{} ({} on a {})", clean(&command.name), clean(&command.key), command.on.word())
        };
        self.iter().map(shown).collect::<Vec<_>>().join(", ")
    }
}

impl Shown for Vec<HeaderSource> {
    fn shown(&self) -> String {
        let header = |header: &HeaderSource| format!("{} from {}", header.name.as_str(), header.source.origin());
        self.iter().map(header).collect::<Vec<_>>().join(", ")
    }
}
