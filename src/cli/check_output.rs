//! The file of `plants check --output`: chosen before anything is sent, written once the check is over.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use color_eyre::eyre::{self, WrapErr as _, bail};
use tokio::task::spawn_blocking;

use super::error::{Exit, Failure, NOTHING_SENT, unwritten};
use super::print;
use super::stop::stopped;
use crate::check::is_report;
use crate::runtime::new_file::{Existing, NewFile, error_text};
use crate::text::shown_path;

/// The most bytes of an existing file that are read to recognise a report.
const MAX_REPORT: u64 = 4 << 20;

pub(super) struct Output(PathBuf, NewFile);

impl Output {
    /// Begins the file that an option names; none for stdout.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or exists, is no report of plants, and `force` is not given.
    pub(super) fn begin(path: Option<PathBuf>, force: bool, data_dir: &Path) -> eyre::Result<Option<Self>> {
        let Some(path) = path.filter(|path| !print::is_stdout(path)) else { return Ok(None) };
        let name = shown_path(&path);
        let file = NewFile::begin(&path, Existing::Replaced, data_dir).map_err(|error| {
            let why = error_text(&error);
            Failure::usage(format!("--output {name}: the file cannot be written: {why}. {NOTHING_SENT}"))
        })?;
        if !force && file.is_regular() && fs::exists(&path).unwrap_or(true) && !is_report_at(&path) {
            bail!(Failure::usage(format!(
                "--output {name}: this file exists and is no report of plants; --force replaces it. {NOTHING_SENT}"
            )));
        }
        Ok(Some(Self(path, file)))
    }

    /// Writes the report, and says so. A request to stop the program ends the wait for the reader of a pipe.
    pub(super) async fn write(self, text: String, format: &str) -> eyre::Result<()> {
        let Self(path, mut file) = self;
        let name = shown_path(&path);
        let stop = stopped();
        let writing = spawn_blocking(move || file.write_all(text.as_bytes()).and_then(|()| file.end()));
        let written = tokio::select! {
            biased;
            written = writing => written.wrap_err("the thread that writes the report has died")?,
            () = stop => bail!(Failure::new(Exit::Interrupted, format!("interrupted: {name} was not written"))),
        };
        written.map_err(|error| unwritten(&name, error, Exit::NotSent))?;
        print::message(format!("Wrote the report to {name} ({format})."));
        Ok(())
    }
}

fn is_report_at(path: &Path) -> bool {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_REPORT).read_to_string(&mut text));
    read.is_ok() && is_report(&text)
}
