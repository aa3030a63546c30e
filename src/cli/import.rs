//! `plants import`: many creates from a file, an account of each that needs one, an exit code.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use color_eyre::eyre::{self, WrapErr as _, bail, ensure};
use tokio_util::sync::CancellationToken;
use tracing::instrument;

use super::account::{Account, tell_fault};
use super::bar::Bar;
use super::error::{Failure, Internal};
use super::exit::Exit;
use super::open::{Ready, TokenNeed, renewal};
use super::stop::Stops;
use super::{clock, print};
use crate::config::{Settings, StoreChoice, TokenSource};
use crate::demo::Weather;
use crate::domain::number_format::{counted, grouped};
use crate::domain::text::clean;
use crate::import::{
    self, CONCURRENCY, Decision, Event, ImportRow, Options, Orders, Over, Progress, Renew, RowFault, Source, Summary,
    Tools, ValidateError, Validated,
};
use crate::worker::Report;

const MOST_AT_ONCE: u16 = 512;

#[derive(Debug, Args)]
pub(super) struct ImportArguments {
    /// File of plants: .csv with a header, .json (an array) or .ndjson; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Judge every row, say what would become of it, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave bad rows out and send the others
    #[arg(long)]
    skip_bad: bool,
    /// Requests that may be out at once
    #[arg(long, value_name = "N", default_value_t = CONCURRENCY, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_AT_ONCE)))]
    concurrency: u16,
    /// Send at most so many rows a second, like 50 or 0.5
    #[arg(long, value_name = "N", value_parser = read_rate)]
    rate: Option<f64>,
    /// Send rows again whose plants are unknown: they may then be there twice
    #[arg(long)]
    resend_unknown: bool,
}

impl ImportArguments {
    fn source(&self) -> Source {
        if self.file.as_os_str() == "-" { Source::Stdin } else { Source::Path(self.file.clone()) }
    }
}

fn read_rate(typed: &str) -> eyre::Result<f64> {
    let rate: f64 = typed.parse().wrap_err("it is not a number")?;
    let is_usable = rate.is_finite() && (0.001..=1_000_000.0).contains(&rate);
    ensure!(is_usable, "it must lie between 0.001 and 1000000 rows a second");
    Ok(rate)
}

#[instrument(name = "import", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ImportArguments, json: bool) -> eyre::Result<Exit> {
    if settings.read_only && !arguments.dry_run {
        bail!(Failure::usage("read-only: nothing that writes is sent; --dry-run validates the file"));
    }
    let source = arguments.source();
    let token_on_stdin = match &settings.store {
        StoreChoice::Deployed(connection) => matches!(connection.token_source, TokenSource::Stdin),
        StoreChoice::Demo => false,
    };
    if source == Source::Stdin && token_on_stdin {
        bail!(Failure::usage("--token-stdin and a file on stdin: only one of them can be there. Nothing was sent."));
    }
    let file = if source == Source::Stdin { "stdin".to_owned() } else { arguments.file.display().to_string() };
    let account = Account { file, json, bar: Bar::hidden(), is_lost: AtomicBool::new(false) };
    // Heard all the while: what comes between two steps is not lost.
    let mut stops = Stops::listen();
    let validated = validate(&settings, source, &account, &mut stops).await?;
    let bad = validated.preview.bad;
    if bad > 0 && !arguments.skip_bad && !arguments.dry_run {
        account.summary(&validated.preview, &nothing_sent(&validated), None);
        bail!(Failure::usage(format!(
            "{} of {} of {} are bad: mend them, or leave them out with --skip-bad. Nothing was sent.",
            grouped(bad),
            counted(bad + validated.rows(), "row", "rows"),
            account.file
        )));
    }
    let need = if arguments.dry_run { TokenNeed::Never } else { TokenNeed::Now };
    let opened = tokio::select! {
        // The question for a token hears it as well, and gives the terminal back.
        biased;
        opened = Ready::open(&settings, need, Weather::default()) => opened,
        () = stops.next() => return Ok(stopped()),
    };
    if let Err(error) = &opened {
        let why = error.to_string();
        if !why.is_empty() {
            account.summary(&validated.preview, &halted(&validated, &why), None);
        }
    }
    let ready = opened?;
    let renew = renewal(&settings);
    let imported = if arguments.dry_run {
        tokio::select! {
            exit = preview(&ready, validated, &arguments, &account) => exit,
            () = stops.next() => Ok(stopped()),
        }
    } else {
        Ok(carry_out(&ready, validated, &arguments, account, renew, &mut stops).await)
    };
    ready.journal.close().await;
    imported
}

fn stopped() -> Exit {
    print::message("Stopped. Nothing was sent.");
    Exit::Interrupted
}

/// Judges every row; each bad one is told as it is found.
async fn validate(
    settings: &Settings,
    source: Source,
    account: &Account,
    stops: &mut Stops,
) -> eyre::Result<Validated> {
    let folder = match &settings.store {
        StoreChoice::Deployed(_) => Some(settings.data_dir.clone()),
        StoreChoice::Demo => None,
    };
    let (stop, name, json) = (CancellationToken::new(), account.file.clone(), account.json);
    let validating = tokio::task::spawn_blocking({
        let stop = stop.clone();
        move || {
            let mut fault = |bad: &RowFault| tell_fault(&name, bad, json);
            import::validate(&source, folder.as_deref(), &mut fault, &mut |_| {}, &stop)
        }
    });
    let validated = tokio::select! {
        validated = validating => validated,
        () = stops.next() => {
            stop.cancel();
            bail!(Failure::told(stopped()));
        }
    };
    let (exit, why) = match validated.wrap_err("the file cannot be validated").wrap_err(Internal::NothingSent)? {
        Ok(validated) => return Ok(validated),
        Err(ValidateError::Stopped) => bail!(Failure::told(Exit::Interrupted)),
        Err(why @ ValidateError::NoRoom(_)) => (Exit::NotSent, why.to_string()),
        Err(why) => (Exit::Usage, why.to_string()),
    };
    bail!(Failure::new(exit, format!("{}: {why}. Nothing was sent.", clean(&account.file))))
}

async fn preview(
    ready: &Ready,
    mut validated: Validated,
    arguments: &ImportArguments,
    account: &Account,
) -> eyre::Result<Exit> {
    let ImportArguments { skip_bad, resend_unknown, .. } = *arguments;
    let is_kept_back = validated.preview.bad > 0 && !skip_bad;
    let mut each = |row: &ImportRow, [as_is, resending]: [Decision; 2]| {
        // While a row is bad, all others are left.
        if !is_kept_back {
            account.skipped(row, if resend_unknown { resending } else { as_is });
        }
    };
    match import::forecast(&ready.journal, &mut validated, &mut each).await {
        Ok(forecast) => validated.preview.forecast = forecast,
        Err(why) => {
            let why = format!("{why}. Nothing was sent.");
            account.summary(&validated.preview, &halted(&validated, &why), None);
            bail!(Failure::new(Exit::NotSent, why));
        }
    }
    for line in validated.preview.lines(skip_bad, resend_unknown) {
        print::message(&line);
    }
    print::message("Nothing was sent: this was a dry run.");
    let mut summary = nothing_sent(&validated);
    let standing = validated.preview.forecast.standing(resend_unknown);
    let to_send = if is_kept_back {
        0
    } else {
        summary.progress.skipped = standing.skipped();
        standing.to_send()
    };
    account.summary(&validated.preview, &summary, Some(to_send));
    Ok(if is_kept_back { Exit::Usage } else { Exit::Done })
}

fn nothing_sent(validated: &Validated) -> Summary {
    Summary { progress: Progress { rows: validated.rows(), ..Progress::default() }, over: Over::Done }
}

fn halted(validated: &Validated, why: &str) -> Summary {
    Summary { over: Over::Halted(why.to_owned()), ..nothing_sent(validated) }
}

async fn carry_out(
    ready: &Ready,
    validated: Validated,
    arguments: &ImportArguments,
    mut account: Account,
    renew: Option<Renew>,
    stops: &mut Stops,
) -> Exit {
    let preview = validated.preview.clone();
    for note in &preview.notes {
        print::message(&format!("Note: {note}"));
    }
    account.bar = Bar::begin();
    let mut at_work = ready.go_to_work();
    let orders = Orders::default();
    let options = Options {
        concurrency: arguments.concurrency.into(),
        rate: arguments.rate,
        resend_unknown: arguments.resend_unknown,
    };
    let summary = {
        let tools = Tools {
            journal: ready.journal.clone(),
            worker: at_work.worker.clone(),
            origin: ready.origin,
            asked: Arc::default(),
            clock: clock::now,
            renew,
        };
        let mut tell = |event: Event<'_>| account.event(&event, &ready.store);
        let mut running = std::pin::pin!(import::run(validated, options, tools, &orders, &mut tell));
        loop {
            tokio::select! {
                summary = &mut running => break summary,
                Some(report) = at_work.reports.recv() => if let Report::Waiting(waiting) = report {
                    account.bar.message(&waiting);
                },
                () = stops.next() => {
                    if orders.stop.is_cancelled() {
                        orders.cancel.cancel();
                    } else {
                        account.bar.message("Stopping: what is out is waited for. Once more, and it is not.");
                        orders.stop.cancel();
                    }
                }
            }
        }
    };
    account.bar = Bar::hidden();
    at_work.end().await;
    for line in summary.lines() {
        print::message(&line);
    }
    if summary.progress.is_slowed {
        print::message("--rate N sends at most N rows a second from the start.");
    }
    if preview.bad > 0 {
        print::message(&format!("{} left out: bad.", counted(preview.bad, "row", "rows")));
    }
    account.summary(&preview, &summary, None);
    let exit = exit_of(&summary);
    // The account of it is lost.
    if exit == Exit::Done && account.is_lost.load(Ordering::Relaxed) { Exit::NotSent } else { exit }
}

/// The gravest wins, after a stop.
fn exit_of(summary: &Summary) -> Exit {
    let Summary { progress, over } = summary;
    let (outcomes, skipped) = (progress.outcomes, progress.skipped);
    if *over == Over::Stopped {
        Exit::Interrupted
    } else if outcomes.unknown + progress.not_kept + skipped.unknown > 0 {
        Exit::Unknown
    } else if outcomes.rejected > 0 {
        Exit::Rejected
    } else if *over != Over::Done || outcomes.not_sent + skipped.differs + skipped.busy > 0 {
        Exit::NotSent
    } else {
        Exit::Done
    }
}
