//! `plants trim`: lets request and response of old exchanges go.

use std::time::Duration;

use clap::Args;
use color_eyre::eyre::{self, OptionExt as _, bail};
use serde::Serialize;
use tracing::instrument;

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::open::{Ready, TokenNeed};
use super::{clock, end, print, prompt};
use crate::config::{Settings, parse_duration};
use crate::demo::Weather;
use crate::domain::Timestamp;

#[derive(Debug, Args)]
pub(super) struct TrimArguments {
    /// How old an exchange must be to go, like 90d, 6months or 1y
    #[arg(long, value_name = "AGE", value_parser = read_age)]
    older_than: Duration,
    /// Only say how many would go
    #[arg(long)]
    dry_run: bool,
    /// Trim without asking
    #[arg(long, short)]
    yes: bool,
}

/// Takes a day at least: a person who writes `1m` means a month and not a minute.
fn read_age(typed: &str) -> eyre::Result<Duration> {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let age = parse_duration(typed).ok().filter(|age| *age >= DAY);
    age.ok_or_eyre("write 90d, 6months or 1y; a day is the least")
}

#[derive(Debug, Serialize)]
struct Trimmed {
    exchanges: usize,
    older_than: Option<String>,
    dry_run: bool,
}

#[instrument(name = "trim", skip_all)]
pub(super) async fn run(settings: Settings, arguments: TrimArguments, json: bool) -> eyre::Result<Exit> {
    if !arguments.yes && !arguments.dry_run && !prompt::is_possible() {
        let why = "nobody is there to be asked: add --yes to trim without asking, or --dry-run to count only";
        bail!(Failure::usage(why));
    }
    let ready = Ready::open(&settings, TokenNeed::Never, Weather::default()).await?;
    let age = i64::try_from(arguments.older_than.as_millis()).unwrap_or(i64::MAX);
    let older_than = Timestamp(clock::now().0.saturating_sub(age));
    let trimmed = trim(&ready, older_than, &arguments).await;
    ready.journal.close().await;
    let (exchanges, dry_run) = (trimmed?, arguments.dry_run);
    if json {
        end::succeeded(print::json(&Trimmed { exchanges, older_than: older_than.in_utc(), dry_run }));
    }
    Ok(Exit::Done)
}

/// Asks, unless told not to, trims, and says what was done. Returns how many exchanges are concerned.
async fn trim(ready: &Ready, older_than: Timestamp, arguments: &TrimArguments) -> eyre::Result<usize> {
    let count = ready.journal.trim(older_than, true).await.or_exit(Exit::NotSent)?;
    let what = format!("request and response of exchanges with {}, counted: {count}", ready.store);
    if arguments.dry_run || count == 0 {
        print::message(&format!("Would be let go: {what}."));
        return Ok(count);
    }
    if !arguments.yes && !prompt::yes(&format!("Let go for good: {what}?")).await? {
        print::message("Nothing was trimmed.");
        return Ok(0);
    }
    let count = ready.journal.trim(older_than, false).await.or_exit(Exit::NotSent)?;
    print::message(&format!(
        "Let go: request and response of exchanges with {}, counted: {count}. What was asked, when and how it ended stays.",
        ready.store
    ));
    Ok(count)
}
