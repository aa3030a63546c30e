//! `plants paths`: prints the paths of the config file and the journal.

use std::fs;
use std::path::Path;

use color_eyre::eyre;
use serde_json::json;
use tracing::instrument;

use super::error::Exit;
use super::print;
use crate::config::Settings;
use crate::journal;
use crate::text::shown_path;

#[instrument(name = "paths", skip_all)]
pub(super) fn run(settings: &Settings, is_json: bool) -> eyre::Result<Exit> {
    let (config, journal) = (&settings.config_file, journal::file_in(&settings.data_dir));
    let set_aside = journal::set_aside_in(&settings.data_dir);
    // Null if there is no file.
    let size = |path: &Path| fs::metadata(path).ok().map(|found| found.len());
    // Bytes that are no UTF-8 are replaced.
    let text = |path: &Path| path.display().to_string();
    if is_json {
        print::json(&json!({
            "config_file": text(config),
            "config_file_bytes": size(config),
            "data_dir": text(&settings.data_dir),
            "journal": text(&journal),
            "journal_bytes": size(&journal),
            "set_aside": set_aside.iter().map(|path| text(path)).collect::<Vec<_>>(),
        }))?;
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
