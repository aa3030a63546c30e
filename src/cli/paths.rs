//! `plants paths`: prints the paths of the config file and the journal.

use std::fs;
use std::path::Path;

use color_eyre::eyre;
use serde::Serialize;
use tracing::instrument;

use super::error::Exit;
use super::print;
use crate::config::Settings;
use crate::journal;
use crate::text::shown_path;

/// The output of `--json`. A size is null if there is no file; bytes of a path that are no UTF-8 are
/// replaced.
#[derive(Debug, Serialize)]
struct Paths {
    config_file: String,
    config_file_bytes: Option<u64>,
    data_dir: String,
    journal: String,
    journal_bytes: Option<u64>,
    set_aside: Vec<String>,
}

#[instrument(name = "paths", skip_all)]
pub(super) fn run(settings: &Settings, json: bool) -> eyre::Result<Exit> {
    let (config, journal) = (&settings.config_file, journal::file_in(&settings.data_dir));
    let set_aside = journal::set_aside_in(&settings.data_dir);
    let size = |path: &Path| fs::metadata(path).ok().map(|found| found.len());
    let text = |path: &Path| path.display().to_string();
    if json {
        print::json(&Paths {
            config_file: text(config),
            config_file_bytes: size(config),
            data_dir: text(&settings.data_dir),
            journal: text(&journal),
            journal_bytes: size(&journal),
            set_aside: set_aside.iter().map(|path| text(path)).collect(),
        })?;
    } else {
        let line = |what: &str, path: &Path| {
            let bytes = size(path).map_or_else(|| "does not exist yet".to_owned(), |bytes| format!("{bytes} bytes"));
            print::result(&format!("{what:<12} {} ({bytes})", shown_path(path)))
        };
        line("config file", config)?;
        line("journal", &journal)?;
        set_aside.iter().try_for_each(|path| line("set aside", path))?;
    }
    Ok(Exit::Done)
}
