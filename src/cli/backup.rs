//! `plants journal backup` and `plants journal verify`: save a copy of the journal, and verify one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use color_eyre::eyre::{self, WrapErr as _, bail};
use serde::Serialize;
use tracing::instrument;

use super::error::{Exit, Failure, Internal, unwritten};
use super::session::Session;
use super::stop::stopped;
use super::{clock, print};
use crate::journal::{self, Contents, CopyError, JournalError, StoreContents};
use crate::runtime::new_file::{Existing, NewFile, Readers};
use crate::text::number_format::counted;
use crate::text::{clean_fit, shown_path};
use crate::verbs::{BackupArguments, VerifyArguments};

/// The output of `--json`. Bytes of a path that are no UTF-8 are replaced.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    file: String,
    bytes: u64,
    plants: usize,
    requests: usize,
    newest: Option<String>,
    stores: &'a [StoreContents],
}

impl<'a> Summary<'a> {
    pub(super) fn new(file: &Path, contents: &'a Contents) -> Self {
        Self {
            file: file.display().to_string(),
            bytes: contents.bytes,
            plants: contents.plants(),
            requests: contents.requests(),
            newest: contents.newest.and_then(crate::domain::Timestamp::in_utc),
            stores: &contents.stores,
        }
    }
}

#[instrument(name = "backup", skip_all)]
pub(super) async fn save(session: &mut Session, arguments: BackupArguments, json: bool) -> eyre::Result<Exit> {
    let BackupArguments { file: path, force } = arguments;
    let (path, data_dir) = (path.as_path(), session.settings.data_dir.clone());
    let existing = if force { Existing::Replaced } else { Existing::Kept };
    let name = shown_path(path);
    if print::is_stdout(path) {
        bail!(Failure::usage("a journal cannot be written to stdout: name a file"));
    }
    let file = NewFile::begin_regular(path, existing, Readers::Owner, &data_dir);
    let file = file.map_err(|error| unwritten(&name, error, Exit::Usage))?;
    let copy = file.temporary_path().unwrap_or(path).to_owned();
    let target = journal::link_target(path);
    let save = move |cancelled: &_| {
        journal::reject_others_beside(&target)?;
        let contents = journal::back_up(&data_dir, &copy, cancelled)?;
        journal::reject_others_beside(&target).map(|()| contents)
    };
    let saved = cancellable(save).await?;
    let contents = saved.map_err(|error| {
        let exit = if error == CopyError::Cancelled {
            Exit::Interrupted
        } else if matches!(error, CopyError::NoJournal { .. } | CopyError::OtherBeside { .. }) {
            Exit::Usage
        } else {
            Exit::NotSent
        };
        Failure::new(exit, format!("{name} was not written: {error}"))
    })?;
    file.end().map_err(|error| unwritten(&name, error, Exit::NotSent))?;
    print::message(format!("Saved {} to {name}.", described(&contents)));
    if json {
        print::json(&Summary::new(path, &contents))?;
    }
    Ok(Exit::Done)
}

#[instrument(name = "verify", skip_all)]
pub(super) async fn verify(VerifyArguments { file: path }: VerifyArguments, json: bool) -> eyre::Result<Exit> {
    let contents = verified(&path).await?;
    if json {
        print::json(&Summary::new(&path, &contents))?;
        return Ok(Exit::Done);
    }
    print::result(&format!(
        "{} is a sound journal: {}. All its pages are there, and its rows agree with each other.",
        shown_path(&path),
        described(&contents)
    ))?;
    for StoreContents { store, plants, requests } in &contents.stores {
        print::result(&format!("{}  {}", clean_fit(store, STORE), counts(*plants, *requests)))?;
    }
    Ok(Exit::Done)
}

/// Verifies a copy, and returns what it holds.
pub(super) async fn verified(path: &Path) -> eyre::Result<Contents> {
    let source = readable(path)?;
    let verified = cancellable(move |cancelled| journal::verify(&source, cancelled)).await?;
    Ok(verified.map_err(|error| unusable(path, &error))?)
}

/// Columns of a base URL.
const STORE: usize = 120;

fn counts(plants: usize, requests: usize) -> String {
    format!("{} and {}", counted(plants as u64, "plant", "plants"), counted(requests as u64, "request", "requests"))
}

/// Describes what a journal holds: plants and requests, stores, the newest request, the size.
pub(super) fn described(contents: &Contents) -> String {
    let stores = counted(contents.stores.len() as u64, "store", "stores");
    let newest = contents.newest.map(|at| format!(", the newest at {}", clock::shown(at, &clock::local_zone())));
    let log = contents.log.as_ref().map(|log| format!(", read together with {}", shown_path(log)));
    format!(
        "{} of {stores}{} ({} bytes{})",
        counts(contents.plants(), contents.requests()),
        newest.unwrap_or_default(),
        contents.bytes,
        log.unwrap_or_default()
    )
}

/// Runs work on a thread of its own; a request to stop the program cancels it.
pub(super) async fn cancellable<T: Send + 'static>(
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> eyre::Result<T> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let stop = stopped();
    let mut working = tokio::task::spawn_blocking({
        let cancelled = Arc::clone(&cancelled);
        move || work(&cancelled)
    });
    let done = tokio::select! {
        done = &mut working => done,
        () = stop => {
            cancelled.store(true, Ordering::Relaxed);
            working.await
        }
    };
    done.wrap_err("the work on the journal has died").wrap_err(Internal::NothingSent)
}

/// Returns the absolute path of a copy, if it is a file.
pub(super) fn readable(path: &Path) -> eyre::Result<PathBuf> {
    let name = shown_path(path);
    let found = path.canonicalize().and_then(|path| fs::metadata(&path).map(|found| (path, found)));
    match found {
        Ok((path, found)) if found.is_file() => Ok(path),
        Ok(_) => bail!(Failure::usage(format!("{name} is not a file: name a copy that plants journal backup saved"))),
        Err(error) => {
            bail!(Failure::usage(format!("{name} cannot be read: {error}; check its name and its permissions")))
        }
    }
}

/// Says why a copy cannot be used, and what to do about it.
pub(super) fn unusable(path: &Path, error: &CopyError) -> Failure {
    let name = shown_path(path);
    let CopyError::Journal(why) = error else {
        let exit = if *error == CopyError::Cancelled { Exit::Interrupted } else { Exit::Usage };
        return Failure::new(exit, format!("{name} was not used: {error}"));
    };
    Failure::usage(if matches!(why, JournalError::Corrupt { .. }) {
        format!(
            "{name} is damaged: use another copy. To save what can be read of it, copy it as journal.db into an empty folder, and run plants list --data-dir FOLDER"
        )
    } else if matches!(why, JournalError::NotAJournal { .. }) {
        format!("{name} is not a journal of plants: name a copy that plants journal backup saved")
    } else if let JournalError::NewerVersion { version, .. } = why {
        format!("{name} is from a newer release (version {version}): update plants")
    } else if let JournalError::Unexpected { what, .. } = why {
        format!("{name} is not as plants makes a journal: {what}; use another copy")
    } else {
        format!("{name} was not used: {why}")
    })
}
