//! `plants journal trim`: deletes the content of old requests and responses from the journal.

use color_eyre::eyre;
use serde_json::json;
use tracing::instrument;

use super::access::TokenNeed;
use super::error::{Exit, OrExit as _};
use super::session::{Opened, Session};
use super::{clock, print};
use crate::domain::Timestamp;
use crate::text::number_format::counted;
use crate::verbs::TrimArguments;

const NOTHING_TRIMMED: &str = "Nothing was trimmed.";

#[instrument(name = "trim", skip_all)]
pub(super) async fn run(session: &mut Session, arguments: TrimArguments, is_json: bool) -> eyre::Result<Exit> {
    session.console.check(!arguments.yes && !arguments.dry_run, "trim", NOTHING_TRIMMED)?;
    let opened = session.open(TokenNeed::Never).await?;
    let older_than = clock::now().before(arguments.older_than.0);
    let (requests, dry_run) = (trim(opened, older_than, &arguments).await?, arguments.dry_run);
    if is_json {
        let older_than = older_than.in_utc();
        print::json(&json!({ "requests": requests, "older_than": older_than, "dry_run": dry_run }))?;
    }
    Ok(Exit::Done)
}

/// Trims after a confirmation, unless `--yes` is given. Returns how many requests were trimmed, or would be.
async fn trim(opened: Opened<'_>, older_than: Timestamp, arguments: &TrimArguments) -> eyre::Result<usize> {
    let Opened { ready, console, .. } = opened;
    let what = |count: usize| format!("{} sent to {}", counted(count as u64, "request", "requests"), ready.store);
    let count = ready.journal.trim(older_than, true).await.or_exit(Exit::NotSent)?;
    if arguments.dry_run || count == 0 {
        print::message(format!("To trim: {}. {NOTHING_TRIMMED}", what(count)));
        return Ok(count);
    }
    let question = format!("Delete the content of {} for good?", what(count));
    if !arguments.yes && !console.confirm(&question, false, NOTHING_TRIMMED).await? {
        print::message(NOTHING_TRIMMED);
        return Ok(0);
    }
    let count = ready.journal.trim(older_than, false).await.or_exit(Exit::NotSent)?;
    print::message(format!(
        "Trimmed {}: headers and bodies are gone; operation, time and outcome stay in the history.",
        what(count)
    ));
    Ok(count)
}
