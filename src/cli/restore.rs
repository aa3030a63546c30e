//! `plants journal restore`: replaces the journal by a copy of it, after a confirmation.

use color_eyre::eyre::{self, bail};
use serde::Serialize;
use tracing::instrument;

use super::backup::{Summary, cancellable, described, readable, unusable, verified};
use super::error::{Exit, Failure};
use super::session::Session;
use super::{clock, print};
use crate::journal::{self, CopyError, JournalError, Restorable};
use crate::text::shown_path;
use crate::verbs::RestoreArguments;

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
pub(super) async fn run(session: &mut Session, arguments: RestoreArguments, json: bool) -> eyre::Result<Exit> {
    let RestoreArguments { file, yes, dry_run } = arguments;
    let (console, data_dir) = (&mut session.console, session.settings.data_dir.clone());
    if console.is_conversation() {
        bail!(Failure::usage(format!(
            "this session has the journal open: run plants journal restore in a shell. {NOTHING_RESTORED}"
        )));
    }
    if dry_run {
        let contents = verified(&file).await?;
        print::message(format!("To restore: {}. {NOTHING_RESTORED}", described(&contents)));
        if json {
            print::json(&Summary::new(&file, &contents))?;
        }
        return Ok(Exit::Done);
    }
    let source = readable(&file)?;
    console.check(!yes, "restore", NOTHING_RESTORED)?;
    let (name, journal) = (shown_path(&file), journal::file_in(&data_dir));
    let prepared = cancellable(move |cancelled| Restorable::prepare(&data_dir, &source, cancelled)).await?;
    let copy = prepared.map_err(|error| {
        // The journal or its disk is at fault, not the copy.
        use JournalError::{InUse, IsADirectory, NotAJournal};
        let is_of_journal = matches!(&error, CopyError::NoRoom | CopyError::NotWritten)
            || matches!(&error, CopyError::Journal(InUse { path, .. } | IsADirectory { path } | NotAJournal { path })
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
    let installed = cancellable(move |_| copy.install(clock::now())).await?;
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
    if json {
        print::json(&Restored {
            summary: Summary::new(&file, &contents),
            journal: journal.display().to_string(),
            set_aside: set_aside.map(|path| path.display().to_string()),
        })?;
    }
    Ok(Exit::Done)
}
