//! `plants paths`: where the files are.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Exit, say};
use crate::config::Settings;
use crate::journal;

/// What `--json` prints; sizes are null where there is no file.
#[derive(Debug, Serialize)]
struct Paths {
    config_file: PathBuf,
    config_file_bytes: Option<u64>,
    data_dir: PathBuf,
    journal: PathBuf,
    journal_bytes: Option<u64>,
    set_aside: Vec<PathBuf>,
}

/// `plants paths`
pub(super) fn run(settings: Settings, json: bool) -> Exit {
    let journal = journal::file_in(&settings.data_dir);
    let size = |path: &Path| fs::metadata(path).ok().map(|found| found.len());
    let paths = Paths {
        config_file_bytes: size(&settings.config_file),
        config_file: settings.config_file,
        journal_bytes: size(&journal),
        journal,
        set_aside: journal::set_aside_in(&settings.data_dir),
        data_dir: settings.data_dir,
    };
    let printed = if json {
        say::json(&paths)
    } else {
        let line = |what: &str, path: &Path, bytes: Option<u64>| {
            let bytes = bytes.map_or_else(|| "not there yet".to_owned(), |bytes| format!("{bytes} bytes"));
            say::result(&crate::domain::text::clean(&format!("{what:<12} {} ({bytes})", path.display())))
        };
        line("config file", &paths.config_file, paths.config_file_bytes)
            && line("journal", &paths.journal, paths.journal_bytes)
            && paths.set_aside.iter().all(|path| line("set aside", path, size(path)))
    };
    if printed { Exit::Done } else { Exit::NotSent }
}
