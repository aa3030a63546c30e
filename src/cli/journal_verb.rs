//! The verbs of `plants journal`: save a copy of the journal, verify one, replace the journal by one, and delete the content
//! of old requests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use color_eyre::eyre::{self, WrapErr as _, bail};
use serde::Serialize;
use tracing::instrument;

use super::access::TokenNeed;
use super::error::{Exit, Failure, Internal, OrExit as _, unwritten};
use super::session::{Opened, Session};
use super::stop::stopped;
use super::{clock, json, print};
use crate::journal::{self, Contents, CopyError, JournalError, Restorable, StoreContents};
use crate::runtime::new_file::{Existing, NewFile, Readers};
use crate::text::number_format::counted;
use crate::text::{clean_fit, shown_path};
use crate::verbs::{RestoreArguments, TrimArguments};

/// The output of `--json`. Bytes of a path that are no UTF-8 are replaced.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    file: String,
    bytes: u64,
    plants: usize,
    requests: usize,
    newest: Option<String>,
    stores: &'a [StoreContents],
}

impl<'a> Summary<'a> {
    fn new(file: &Path, contents: &'a Contents) -> Self {
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
pub(super) async fn backup(session: &mut Session, path: PathBuf, force: bool, json: bool) -> eyre::Result<Exit> {
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
    Ok(json::done(json, true, || Summary::new(path, &contents)))
}

#[instrument(name = "verify", skip_all)]
pub(super) async fn verify(path: PathBuf, json: bool) -> eyre::Result<Exit> {
    let contents = verified(&path).await?;
    if json {
        print::json(&Summary::new(&path, &contents))?;
        return Ok(Exit::Done);
    }
    print::result(&format!(
        "{}: no damage found in {}. Its structure, its rows and their agreement were verified.",
        shown_path(&path),
        described(&contents)
    ))?;
    for StoreContents { store, plants, requests } in &contents.stores {
        print::result(&format!("{}  {}", clean_fit(store, STORE), counts(*plants, *requests)))?;
    }
    Ok(Exit::Done)
}

/// Verifies a copy, and returns what it holds.
async fn verified(path: &Path) -> eyre::Result<Contents> {
    let source = readable(path)?;
    let verified = cancellable(move |cancelled| journal::verify(&source, cancelled)).await?;
    Ok(verified.map_err(|error| unusable(path, &error))?)
}

const BACKUP: &str = "journal backup";

/// Columns of a base URL.
const STORE: usize = 120;

fn counts(plants: usize, requests: usize) -> String {
    format!("{} and {}", counted(plants as u64, "plant", "plants"), counted(requests as u64, "request", "requests"))
}

/// Describes what a journal holds: plants and requests, stores, the newest request, the size.
fn described(contents: &Contents) -> String {
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
async fn cancellable<T: Send + 'static>(work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static) -> eyre::Result<T> {
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
fn readable(path: &Path) -> eyre::Result<PathBuf> {
    let name = shown_path(path);
    let found = path.canonicalize().and_then(|path| fs::metadata(&path).map(|found| (path, found)));
    match found {
        Ok((path, found)) if found.is_file() => Ok(path),
        Ok(_) => {
            bail!(Failure::usage(format!("{name} is not a file: name a copy that {} saved", print::command(BACKUP))))
        }
        Err(error) => {
            bail!(Failure::usage(format!("{name} cannot be read: {error}; check its name and its permissions")))
        }
    }
}

/// Says why a copy cannot be used, and what to do about it.
fn unusable(path: &Path, error: &CopyError) -> Failure {
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
        format!("{name} is not a journal of plants: name a copy that {} saved", print::command(BACKUP))
    } else if let JournalError::NewerVersion { version, .. } = why {
        format!("{name} is from a newer release (version {version}): update plants")
    } else if let JournalError::Unexpected { what, .. } = why {
        format!("{name} is not as plants makes a journal: {what}; use another copy")
    } else {
        format!("{name} was not used: {why}")
    })
}

const NOTHING_RESTORED: &str = "Nothing was restored: the journal is as it was.";

/// The output of `--json`: what the restored journal holds, and the path of the journal before, null if
/// there was none.
#[derive(Debug, Serialize)]
struct Restored<'a> {
    #[serde(flatten)]
    summary: Summary<'a>,
    journal: String,
    set_aside: Option<String>,
}

#[instrument(name = "restore", skip_all)]
pub(super) async fn restore(session: &mut Session, arguments: RestoreArguments, json: bool) -> eyre::Result<Exit> {
    let RestoreArguments { file, yes, dry_run } = arguments;
    let (console, data_dir) = (&mut session.console, session.settings.data_dir.clone());
    if console.is_conversation {
        bail!(Failure::usage(format!(
            "this session has the journal open: run plants journal restore in a shell. {NOTHING_RESTORED}"
        )));
    }
    if dry_run {
        let contents = verified(&file).await?;
        print::message(format!("To restore: {}. {NOTHING_RESTORED}", described(&contents)));
        return Ok(json::done(json, false, || Summary::new(&file, &contents)));
    }
    let source = readable(&file)?;
    console.check(!yes, "restore", NOTHING_RESTORED)?;
    let (name, journal) = (shown_path(&file), journal::file_in(&data_dir));
    let prepared = cancellable(move |cancelled| Restorable::prepare(&data_dir, &source, cancelled)).await?;
    let copy = prepared.map_err(|error| {
        // The journal or its disk is at fault, not the copy.
        use JournalError::{InUse, IsADirectory, NoLocks, NotAJournal};
        let is_of_journal = matches!(
            &error,
            CopyError::NoRoom | CopyError::NotWritten | CopyError::Journal(NoLocks { .. })
        ) || matches!(&error, CopyError::Journal(InUse { path, .. } | IsADirectory { path } | NotAJournal { path })
                if *path == journal);
        if is_of_journal {
            Failure::new(Exit::NotSent, format!("{name} was not restored: {error}"))
        } else {
            unusable(&file, &error)
        }
    })?;
    let contents = copy.contents.clone();
    let question = format!(
        "Replace the journal {} by the copy with {}? The journal of now is kept beside it.",
        shown_path(&journal),
        described(&contents)
    );
    if !yes && !console.confirm(&question, false, NOTHING_RESTORED).await? {
        print::message(NOTHING_RESTORED);
        bail!(Failure::printed(Exit::NotSent));
    }
    let installed = cancellable(move |_| copy.install()).await?;
    let set_aside = installed.map_err(|error| {
        let text = error.to_string();
        let is_unfinished = matches!(error, CopyError::Unfinished(_));
        Failure::new(Exit::NotSent, if is_unfinished { text } else { format!("{text}. {NOTHING_RESTORED}") })
    })?;
    let kept = set_aside.as_ref().map(|path| format!(" The journal before is kept as {}.", shown_path(path)));
    print::message(format!("Restored {}.{}", described(&contents), kept.unwrap_or_default()));
    if contents.is_in_team {
        print::message(
            "A team shares this journal: it gets its later entries back from the team, and goes on as another member.",
        );
    }
    Ok(json::done(json, true, || Restored {
        summary: Summary::new(&file, &contents),
        journal: journal.display().to_string(),
        set_aside: set_aside.map(|path| path.display().to_string()),
    }))
}

const NOTHING_TRIMMED: &str = "Nothing was trimmed.";

#[instrument(name = "trim", skip_all)]
pub(super) async fn trim(session: &mut Session, arguments: TrimArguments, json: bool) -> eyre::Result<Exit> {
    let TrimArguments { older_than, dry_run, yes } = arguments;
    session.console.check(!yes && !dry_run, "trim", NOTHING_TRIMMED)?;
    let Opened { ready, console, .. } = session.open(TokenNeed::Never).await?;
    let older_than = clock::now().before(older_than.0);
    // The date shows a clock that is wrong, of which the journal alone cannot know.
    let date = clock::shown(older_than, &clock::local_zone());
    let what = |count: usize| {
        format!("{} sent to {} before {date}", counted(count as u64, "request", "requests"), ready.store)
    };
    let mut requests = ready.journal.trim(older_than, true).await.or_exit(Exit::NotSent)?;
    let question = format!("Delete the content of {} for good?", what(requests));
    if dry_run || requests == 0 {
        print::message(format!("To trim: {}. {NOTHING_TRIMMED}", what(requests)));
    } else if !yes && !console.confirm(&question, false, NOTHING_TRIMMED).await? {
        print::message(NOTHING_TRIMMED);
        requests = 0;
    } else {
        requests = ready.journal.trim(older_than, false).await.or_exit(Exit::NotSent)?;
        print::message(format!(
            "Trimmed {}: headers and bodies are gone; operation, time and outcome stay in the history.",
            what(requests)
        ));
    }
    let older_than = older_than.in_utc();
    Ok(json::done(
        json,
        !dry_run && requests > 0,
        || serde_json::json!({ "requests": requests, "older_than": older_than, "dry_run": dry_run }),
    ))
}
