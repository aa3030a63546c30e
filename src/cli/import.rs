//! `plants import`: adds the plants of a file, prints the outcomes, returns the exit code.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use color_eyre::eyre::{self, WrapErr as _, bail, ensure};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::instrument;

use super::access::TokenNeed;
use super::bar::Bar;
use super::error::{Exit, Failure, Internal};
use super::import_output::{ImportOutput, print_fault};
use super::json::JsonLines;
use super::open::Ready;
use super::stop::Stops;
use super::when_unknown::{AtTerminal, WhenUnknown};
use super::{clock, print};
use crate::config::{Settings, StoreChoice, TokenSource, path_parser};
use crate::import::{
    self, CONCURRENCY, Decision, Event, ImportRow, Options, Orders, Over, Renew, Resend, RowFault, Separator, Source,
    Summary, Tools, ValidateError, Validated,
};
use crate::text::clean;
use crate::text::number_format::{counted, grouped};
use crate::worker::Report;

const MOST_CONCURRENT: i64 = 512;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct ImportArguments {
    /// File of plants: .csv with a header, .json (an array) or .ndjson; - means stdin
    #[arg(value_name = "FILE", value_parser = path_parser())]
    file: PathBuf,
    /// Validate every row, print what an import would do, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// What separates the columns of a table; its first line may say so, too (sep=;) [default: comma]
    #[arg(long, value_name = "SEPARATOR", value_parser = separators())]
    separator: Option<Separator>,
    /// Leave bad rows out, and send the others
    #[arg(long)]
    skip_bad: bool,
    /// Greatest number of requests in flight
    #[arg(long, value_name = "N", default_value_t = CONCURRENCY, value_parser = clap::value_parser!(u16).range(1..=MOST_CONCURRENT))]
    concurrency: u16,
    /// Send at most N rows a second, like 50 or 0.5
    #[arg(long, value_name = "N", value_parser = read_rate)]
    rate: Option<f64>,
    /// Send rows of unknown plants again: the plants may then be stored twice
    #[arg(long)]
    resend_unknown: bool,
    /// Send rows of stored plants again, to a store that has lost them
    #[arg(long)]
    resend_stored: bool,
    /// Go on after five unknown outcomes in a row
    #[arg(long)]
    keep_going: bool,
}

/// Parses a separator by its word, or the character itself.
fn separators() -> impl TypedValueParser<Value = Separator> {
    let words = Separator::ALL.map(|separator| PossibleValue::new(separator.word()).alias(separator.sign()));
    PossibleValuesParser::new(words).try_map(|typed| Separator::named(&typed).ok_or("no such separator"))
}

fn read_rate(typed: &str) -> eyre::Result<f64> {
    let rate: f64 = typed.parse().wrap_err("the rate is not a number")?;
    ensure!((0.001..=1_000_000.0).contains(&rate), "the rate must lie between 0.001 and 1000000 rows a second");
    Ok(rate)
}

#[instrument(name = "import", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ImportArguments, json: bool) -> eyre::Result<Exit> {
    if settings.read_only && !arguments.dry_run {
        bail!(Failure::usage(
            "this store is read-only here: leave --read-only, PLANTS_READ_ONLY or read_only out, or validate the file with --dry-run. Nothing was sent."
        ));
    }
    let (source, file) = if arguments.file.as_os_str() == "-" {
        (Source::Stdin, "stdin".to_owned())
    } else {
        (Source::Path(arguments.file.clone()), arguments.file.display().to_string())
    };
    if let (Source::Stdin, StoreChoice::Deployed(connection)) = (&source, &settings.store)
        && matches!(connection.token_source, TokenSource::Stdin)
    {
        bail!(Failure::usage(
            "--token-stdin and a file on stdin contradict each other: stdin can be only one of them. Nothing was sent."
        ));
    }
    let output = ImportOutput { file, json: JsonLines::new(json), bar: Bar::Hidden };
    // Listens from here on, so that no request to stop between two steps is missed.
    let mut stops = Stops::listen();
    let validated = validate(&settings, source, arguments.separator, &output, &mut stops).await?;
    let bad = validated.preview.bad;
    if bad > 0 && !arguments.skip_bad && !arguments.dry_run {
        output.unsent(&validated, None);
        bail!(Failure::usage(format!(
            "{} of {} of {} are bad: correct them, or leave them out with --skip-bad. Nothing was sent.",
            grouped(bad),
            counted(bad + validated.rows(), "row", "rows"),
            output.file
        )));
    }
    let need = if arguments.dry_run { TokenNeed::Never } else { TokenNeed::Now };
    let opened = tokio::select! {
        // First: the prompt for a token restores the terminal when it is stopped.
        biased;
        opened = Ready::open(&settings, need) => opened,
        () = stops.next() => return Ok(stopped()),
    };
    let mut ready = opened.inspect_err(|error| match error.to_string() {
        printed if printed.is_empty() => {}
        why => output.unsent(&validated, Some(why)),
    })?;
    let resend = Resend { unknown: arguments.resend_unknown, stored: arguments.resend_stored };
    let imported = if arguments.dry_run {
        tokio::select! {
            exit = preview(&ready, validated, arguments.skip_bad, resend, &output) => exit,
            () = stops.next() => Ok(stopped()),
        }
    } else {
        let mut person = AtTerminal;
        let when_unknown = WhenUnknown::of(arguments.keep_going, &mut person);
        let options = Options {
            concurrency: arguments.concurrency.into(),
            rate: arguments.rate,
            resend,
            when_unknown: when_unknown.of_import(),
        };
        Ok(carry_out(&ready, validated, options, output, ready.renewal(&settings), &mut stops, when_unknown).await)
    };
    ready.close().await;
    imported
}

fn stopped() -> Exit {
    print::message("Stopped. Nothing was sent.");
    Exit::Interrupted
}

/// Validates every row, and prints each bad one.
pub(super) async fn validate(
    settings: &Settings,
    source: Source,
    separator: Option<Separator>,
    output: &ImportOutput,
    stops: &mut Stops,
) -> eyre::Result<Validated> {
    let folder = match &settings.store {
        StoreChoice::Deployed(_) => Some(settings.data_dir.clone()),
        StoreChoice::Demo => None,
    };
    let (stop, name, json) = (CancellationToken::new(), output.file.clone(), output.json.is_wanted);
    let validating = tokio::task::spawn_blocking({
        let stop = stop.clone();
        move || {
            let mut fault = |fault: &RowFault| print_fault(&name, fault, json);
            import::validate(&source, separator, folder.as_deref(), &mut fault, &mut |_| {}, &stop)
        }
    });
    let validated = tokio::select! {
        validated = validating => validated,
        () = stops.next() => {
            stop.cancel();
            bail!(Failure::printed(stopped()));
        }
    };
    let (exit, why) = match validated.wrap_err("the file cannot be validated").wrap_err(Internal::NothingSent)? {
        Ok(validated) => return Ok(validated),
        Err(ValidateError::Stopped) => bail!(Failure::printed(Exit::Interrupted)),
        Err(why @ ValidateError::NoRoom(_)) => (Exit::NotSent, why.to_string()),
        Err(why) => (Exit::Usage, why.to_string()),
    };
    bail!(Failure::new(exit, format!("{}: {why}. Nothing was sent.", clean(&output.file))))
}

async fn preview(
    ready: &Ready,
    mut validated: Validated,
    skip_bad: bool,
    resend: Resend,
    output: &ImportOutput,
) -> eyre::Result<Exit> {
    let Resend { unknown: resend_unknown, stored } = resend;
    let is_prevented = validated.preview.bad > 0 && !skip_bad;
    let mut each = |row: &ImportRow, [as_is, resending]: [Decision; 2]| {
        output.withheld(row, if resend_unknown { resending } else { as_is });
    };
    if let Err(why) = import::forecast(&ready.journal, &mut validated, stored, &mut each).await {
        let why = format!("{why}. Nothing was sent.");
        output.unsent(&validated, Some(why.clone()));
        bail!(Failure::new(Exit::NotSent, why));
    }
    validated.preview.lines(skip_bad, resend_unknown).into_iter().for_each(print::message);
    print::message("This was a dry run. Nothing was sent.");
    let mut summary = validated.unsent(None);
    let standing = validated.preview.forecast.standing(resend_unknown);
    summary.progress.unsent = standing.unsent();
    let to_send = if is_prevented { 0 } else { standing.to_send() };
    output.summary(&validated.preview, &summary, Some(to_send));
    Ok(if is_prevented { Exit::Usage } else { Exit::Done })
}

/// Sends the rows, prints the outcomes and returns the exit code.
pub(super) async fn carry_out(
    ready: &Ready,
    validated: Validated,
    options: Options,
    mut output: ImportOutput,
    renew: Option<Renew>,
    stops: &mut Stops,
    mut when_unknown: WhenUnknown<'_>,
) -> Exit {
    let preview = validated.preview.clone();
    preview.notes.iter().for_each(|note| print::message(format!("Note: {note}")));
    output.bar = Bar::begin();
    let mut sender = ready.start_worker();
    let orders = Orders::default();
    let (to_person, mut questions) = mpsc::unbounded_channel();
    let summary = {
        let tools = Tools {
            journal: ready.journal.clone(),
            worker: sender.worker.clone(),
            origin: ready.origin,
            submitted: Arc::clone(&ready.imported),
            clock: clock::now,
            renew,
        };
        let mut print_event = |event: Event<'_>| {
            if let Event::Braked { left } = event {
                let _ = to_person.send(left);
            }
            output.event(&event, &ready.store);
        };
        let mut running = std::pin::pin!(import::run(validated, options, tools, &orders, &mut print_event));
        loop {
            tokio::select! {
                summary = &mut running => break summary,
                Some(report) = sender.reports.recv() => if let Report::Waiting(waiting) = report {
                    output.bar.message(&waiting);
                },
                // Nothing is in flight.
                Some(left) = questions.recv() => {
                    output.bar.disappear();
                    match when_unknown.goes_on(left).await {
                        Ok(true) => orders.go_on.notify_one(),
                        Ok(false) => orders.halt.cancel(),
                        Err(_) => orders.stop.cancel(),
                    }
                }
                () = stops.next() => {
                    if orders.stop.is_cancelled() {
                        orders.cancel.cancel();
                    } else {
                        output.bar.message("Stopping after the requests in flight. Press Ctrl-C again to cancel them.");
                        orders.stop.cancel();
                    }
                }
            }
        }
    };
    output.bar = Bar::Hidden;
    sender.end().await;
    summary.lines().into_iter().for_each(print::message);
    if summary.progress.is_slowed {
        print::message("To send more slowly from the start: --rate N sends at most N rows a second.");
    }
    if preview.bad > 0 {
        print::message(format!("{} left out.", counted(preview.bad, "bad row was", "bad rows were")));
    }
    output.summary(&preview, &summary, None);
    output.json.or_lost(exit_of(&summary))
}

/// Returns the exit code of a stop, or else of the gravest outcome.
fn exit_of(summary: &Summary) -> Exit {
    let Summary { progress, over, .. } = summary;
    let (outcomes, unsent) = (progress.outcomes, progress.unsent);
    if *over == Over::Stopped {
        Exit::Interrupted
    } else if outcomes.unknown + progress.unrecorded + unsent.unknown > 0 {
        Exit::Unknown
    } else if outcomes.rejected > 0 {
        Exit::Rejected
    } else if *over != Over::Done || outcomes.not_sent + unsent.withheld() > 0 {
        Exit::NotSent
    } else {
        Exit::Done
    }
}
