//! `plants config` and `plants paths`: which settings are in force and where each comes from, an example of the config file,
//! and where config file and journal are.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use color_eyre::eyre;
use serde::Serialize;
use tracing::instrument;

use super::error::{Exit, Failure};
use super::print;
use crate::config::{self, Environment, Fault, Flags, Given, Settings, TokenSource};
use crate::journal;
use crate::runtime::log;
use crate::text::{json_text, shown_path};
use crate::tui::input::Keymap;

/// The output of `--json`. A token or the value of a header is never in it.
#[derive(Debug, Default, Serialize)]
struct Checked {
    valid: bool,
    config_file: Option<String>,
    config_file_exists: bool,
    /// The base URL; null for the demo store.
    store: Option<String>,
    profile: Option<String>,
    /// Where the token comes from; null for the demo store.
    token: Option<String>,
    settings: Vec<Given>,
    warnings: Vec<String>,
    faults: Vec<Fault>,
}

#[instrument(name = "config", skip_all)]
pub(super) fn run(flags: &Flags, environment: &Environment, example: bool, json: bool) -> eyre::Result<Exit> {
    if example {
        if json {
            eyre::bail!(Failure::usage("an example of the config file is no JSON: leave out --json"));
        }
        return print::exact(config::example().trim_end()).map(|()| Exit::Done);
    }
    match config::resolve(flags, environment, Keymap::faults) {
        Ok(settings) => in_force(settings, flags.demo, json),
        Err(faults) if json => {
            let file = config::config_file(flags, environment);
            // A fault is an error, as without JSON.
            print::exact(&log::masked(&json_text(&Checked { faults, ..Checked::of_file(file.as_deref()) })?))?;
            Ok(Exit::Usage)
        }
        Err(faults) => {
            for fault in &faults {
                print::error(fault.to_string());
            }
            Ok(Exit::Usage)
        }
    }
}

fn in_force(settings: Settings, is_demo: bool, json: bool) -> eyre::Result<Exit> {
    print::be_ascii(settings.ascii);
    let mut warnings = config::warnings(&settings);
    warnings.extend(settings.connection.as_deref().into_iter().flat_map(config::absences));
    if json {
        print::json(&Checked::valid(settings, warnings))?;
        return Ok(Exit::Done);
    }
    for warning in &warnings {
        print::message(format!("Warning: {warning}"));
    }
    let file = shown_path(&settings.config_file);
    let absent = if settings.config_file.exists() { "" } else { " (does not exist)" };
    let mut rows = vec![("config file", format!("{file}{absent}"), String::new())];
    match &settings.connection {
        None if is_demo => rows.push(("store", "the demo store".to_owned(), "--demo".to_owned())),
        None => {
            rows.push((
                "store",
                "none is named".to_owned(),
                "the demo store for plants alone, or with --demo".to_owned(),
            ));
        }
        Some(connection) if matches!(connection.token_source, TokenSource::Prompt) => {
            rows.push(("token", connection.token_source.origin(), connection.withheld.clone().unwrap_or_default()));
        }
        Some(_) => {}
    }
    rows.extend(settings.given.into_iter().map(|Given { name, value, from, .. }| (name, value, from)));
    let name_width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    for (name, value, from) in rows {
        let from = if from.is_empty() { from } else { format!("  ({from})") };
        print::result(&format!("{name:<name_width$}  {value}{from}"))?;
    }
    print::message("The configuration is valid. Nothing was sent.");
    Ok(Exit::Done)
}

impl Checked {
    fn of_file(file: Option<&Path>) -> Self {
        Self {
            config_file: file.map(|file| file.display().to_string()),
            config_file_exists: file.is_some_and(Path::exists),
            ..Self::default()
        }
    }

    fn valid(settings: Settings, warnings: Vec<String>) -> Self {
        let connection = settings.connection.as_ref();
        Self {
            valid: true,
            store: connection.map(|connection| connection.url.to_string()),
            profile: connection.and_then(|connection| connection.profile.clone()),
            token: connection.map(|connection| connection.token_source.origin()),
            settings: settings.given,
            warnings,
            ..Self::of_file(Some(&settings.config_file))
        }
    }
}

/// Prints the paths of the config file and the journal.
#[instrument(name = "paths", skip_all)]
pub(super) fn paths(settings: &Settings, json: bool) -> eyre::Result<Exit> {
    let (config, journal) = (&settings.config_file, journal::file_in(&settings.data_dir));
    let set_aside = journal::set_aside_in(&settings.data_dir);
    let size = |path: &Path| fs::metadata(path).map(|found| found.len());
    // Bytes that are no UTF-8 are replaced.
    let text = |path: &Path| path.display().to_string();
    if json {
        print::json(&serde_json::json!({
            "config_file": text(config),
            // Null if there is no file, or the system does not say.
            "config_file_bytes": size(config).ok(),
            "data_dir": text(&settings.data_dir),
            "journal": text(&journal),
            "journal_bytes": size(&journal).ok(),
            "set_aside": set_aside.iter().map(|path| text(path)).collect::<Vec<_>>(),
        }))?;
    } else {
        let line = |what: &str, path: &Path| {
            let bytes = match size(path) {
                Ok(bytes) => format!("{bytes} bytes"),
                Err(why) if why.kind() == ErrorKind::NotFound => "does not exist yet".to_owned(),
                Err(why) => why.to_string(),
            };
            print::result(&format!("{what:<12} {} ({bytes})", shown_path(path)))
        };
        line("config file", config)?;
        line("journal", &journal)?;
        set_aside.iter().try_for_each(|path| line("set aside", path))?;
    }
    Ok(Exit::Done)
}
