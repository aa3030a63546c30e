//! `plants profile`: lists the profiles of the config file, shows one, chooses the default.

use color_eyre::eyre::{self, bail};
use serde::Serialize;
use tracing::instrument;
use unicode_width::UnicodeWidthStr as _;

use super::error::{Exit, Failure};
use super::session::Session;
use super::{config, json, print};
use crate::config::{ConnectionTarget, Flags, Settings, no_such_profile};
use crate::runtime::use_profile;
use crate::text::{clean_fit, clean_padded, shown_path};
use crate::verbs::{ProfileArguments, ProfileVerb};

/// Columns of a base URL.
const STORE: usize = 120;

/// The output of `--json`.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    name: &'a str,
    base_url: Option<&'a str>,
    /// Whether a command with these options uses it.
    in_use: bool,
    read_only: bool,
}

#[instrument(name = "profile", skip_all)]
pub(super) async fn run(session: &mut Session, arguments: ProfileArguments, json: bool) -> eyre::Result<Exit> {
    let Session { settings, flags, environment, .. } = session;
    match arguments.verb() {
        ProfileVerb::List => list(settings, json),
        ProfileVerb::Show { name } => {
            check(settings, &name)?;
            let flags = Flags { profile: Some(name), base_url: None, demo: false, ..flags.clone() };
            config::run(&flags, environment, false, json)
        }
        ProfileVerb::Use { name } => {
            check(settings, &name)?;
            let file = shown_path(&settings.config_file);
            let written = use_profile(settings.config_file.clone(), settings.data_dir.clone(), name.clone()).await;
            written.map_err(|why| Failure::new(Exit::NotSent, format!("{file} was not changed: {why}")))?;
            print::message(format!(
                "Profile {name} is used where none is named, from the next start on; saved in {file}."
            ));
            let config_file = settings.config_file.display().to_string();
            Ok(json::done(json, true, || serde_json::json!({ "profile": name, "config_file": config_file })))
        }
    }
}

fn names(settings: &Settings) -> impl Iterator<Item = &str> + Clone {
    let profiles = settings.profiles.iter().filter(|store| matches!(store.target, ConnectionTarget::Profile(_)));
    profiles.map(|profile| profile.name.as_str())
}

/// Fails unless there is a profile of this name.
fn check(settings: &Settings, name: &str) -> eyre::Result<()> {
    if !names(settings).any(|known| known == name) {
        bail!(Failure::usage(no_such_profile(name, Some(&settings.config_file), names(settings))));
    }
    Ok(())
}

fn list(settings: &Settings, json: bool) -> eyre::Result<Exit> {
    let used = settings.connection.as_ref().and_then(|connection| connection.profile.as_deref());
    let listed: Vec<_> = settings
        .profiles
        .iter()
        .map(|store| Listed {
            name: &store.name,
            base_url: store.base_url.as_deref(),
            in_use: used == Some(&store.name),
            read_only: store.read_only,
        })
        .collect();
    if json {
        print::json(&listed)?;
        return Ok(Exit::Done);
    }
    let width = listed.iter().map(|profile| clean_fit(profile.name, STORE).width()).max().unwrap_or_default();
    for Listed { name, base_url, in_use, read_only } in &listed {
        let mark = if *in_use { "*" } else { " " };
        let read_only = if *read_only { "  (read-only)" } else { "" };
        let url = clean_fit(base_url.unwrap_or_default(), STORE);
        let name = clean_padded(name, width);
        print::result(&format!("{mark} {name}  {url}{read_only}"))?;
    }
    if listed.is_empty() {
        let file = shown_path(&settings.config_file);
        print::message(format!(
            "There are no profiles in {file}. {} shows how to write one.",
            print::command("config --example")
        ));
    }
    Ok(Exit::Done)
}
