//! Says which settings are in force, and which source gave each.
//!
//! No value is a secret: of a token it says where it comes from, of a header its name, of a proxy its host. Must not know
//! how the settings are printed.

use std::path::Path;

use serde::Serialize;

use super::fault::shown_path;
use super::setting::Setting;
use crate::text::clean;

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
    /// Whether it stays in force without this start.
    #[serde(skip)]
    pub(super) is_of_environment: bool,
}

impl Given {
    /// Takes the name of the field in a layer.
    pub(super) fn of(field: &'static str, setting: &'static Setting, value: String) -> Self {
        let name = field.strip_suffix("_source").unwrap_or(field);
        Self { name, value, from: String::new(), setting, is_of_environment: false }
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
                given.is_of_environment = matches!(origin, Origin::Environment | Origin::Variable(_));
                all.push(given);
            }
        }
    }
    all
}
