//! `plants import`: adds the plants of a file, prints the outcomes, returns the exit code.

use std::cell::Cell;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;

use color_eyre::eyre::{self, WrapErr as _, bail};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::instrument;

use super::access::TokenNeed;
use super::bar::Bar;
use super::batch::WhenBraked;
use super::console::Console;
use super::error::{Exit, Failure, Internal, NOTHING_SENT};
use super::import_output::{ImportOutput, print_fault};
use super::json::JsonLines;
use super::open::Ready;
use super::session::{Opened, Session, check_writable};
use super::stop::Stops;
use super::{clock, print};
use crate::config::Settings;
use crate::import::{
    self, CONCURRENCY, Event, Forecast, ImportRow, Options, Order, Over, Resend, RowFault, Source, Summary, Tools,
    ValidateError, Validated,
};
use crate::text::clean;
use crate::text::number_format::{counted, grouped};
use crate::verbs::ImportArguments;

/// Rows of a file that are named at most before the question whether to import it.
const NAMED: usize = 20;

#[instrument(name = "import", skip_all)]
pub(super) async fn run(session: &mut Session, arguments: ImportArguments, json: bool) -> eyre::Result<Exit> {
    let source = match arguments.file.as_path() {
        file if file == Path::new("-") => Source::Stdin,
        file => Source::Path(file.to_owned()),
    };
    import(session, source, arguments, json).await
}

/// Adds the plants of standard input, as JSON: `plants add -`.
pub(super) async fn run_stdin(
    session: &mut Session,
    dry_run: bool,
    keep_going: bool,
    json: bool,
) -> eyre::Result<Exit> {
    let arguments = ImportArguments { dry_run, concurrency: CONCURRENCY, keep_going, ..ImportArguments::default() };
    import(session, Source::StdinJson, arguments, json).await
}

async fn import(session: &mut Session, source: Source, arguments: ImportArguments, json: bool) -> eyre::Result<Exit> {
    if !arguments.dry_run {
        check_writable(&session.settings)?;
    }
    let file = if let Source::Path(path) = &source {
        path.display().to_string()
    } else {
        session.take_stdin("name a file")?;
        "stdin".to_owned()
    };
    let names_each = matches!(source, Source::StdinJson);
    if names_each && io::stdin().is_terminal() {
        print::message("Type plants as JSON, one on each line; Ctrl-D ends, Ctrl-C leaves.");
    }
    let output = ImportOutput { file, json: Arc::new(JsonLines::new(json)), bar: Bar::Hidden, names_each };
    // Listens from here on, so that no request to stop between two steps is missed.
    let mut stops = Stops::listen();
    let asks = session.console.is_conversation && !arguments.dry_run;
    let mut validated = validate(&session.settings, source, arguments.separator, &output, &mut stops).await?;
    let bad = validated.preview.bad;
    if bad > 0 && !arguments.skip_bad && !arguments.dry_run && !asks {
        output.unsent(&validated, None);
        let are = if bad == 1 { "is" } else { "are" };
        let or_skip = if output.names_each { "" } else { ", or leave bad rows out with --skip-bad" };
        bail!(Failure::usage(format!(
            "{} of {} of {} {are} bad: put that right{or_skip}. Nothing was sent.",
            grouped(bad),
            counted(bad + validated.rows, "row", "rows"),
            output.file
        )));
    }
    let need = if arguments.dry_run { TokenNeed::Never } else { TokenNeed::Now };
    let opened = tokio::select! {
        // First: the prompt for a token restores the terminal when it is stopped.
        biased;
        opened = session.open(need) => opened,
        () = stops.next() => return Ok(stopped()),
    };
    let opened = opened.inspect_err(|error| match error.to_string() {
        printed if printed.is_empty() => {}
        why => output.unsent(&validated, Some(why)),
    })?;
    let Opened { ready, console, settings } = opened;
    let mut resend = Resend { unknown: arguments.resend_unknown, stored: arguments.resend_stored };
    if arguments.dry_run {
        return tokio::select! {
            exit = preview(ready, validated, arguments.skip_bad, resend, &output) => exit,
            () = stops.next() => Ok(stopped()),
        };
    }
    if asks {
        ask(ready, console, &mut validated, arguments.skip_bad, &mut resend).await?;
    } else {
        validated.preview.notes.iter().for_each(print_note);
    }
    let when_braked = WhenBraked::of(arguments.keep_going, console);
    let options = Options {
        concurrency: arguments.concurrency.into(),
        rate: arguments.rate,
        resend,
        keep_going: arguments.keep_going,
    };
    Ok(carry_out(ready, settings, validated, options, output, &mut stops, when_braked).await)
}

/// Asks in plain mode about bad rows, about those of unknown plants, and whether to begin.
///
/// # Errors
///
/// It does not begin.
async fn ask(
    ready: &Ready,
    console: &mut Console,
    validated: &mut Validated,
    skip_bad: bool,
    resend: &mut Resend,
) -> eyre::Result<()> {
    import::forecast(&ready.journal, validated, *resend, &mut |_, _| {}).await?;
    let bad = validated.preview.bad;
    if bad > 0 && !skip_bad {
        let rows = counted(bad, "row is bad", "rows are bad");
        let question =
            format!("{rows}. Leave bad rows out, and go on with {}?", counted(validated.rows, "row", "rows"));
        if !console.confirm(&question, false, NOTHING_SENT).await? {
            print::message("Correct them, and import the file again. Nothing was sent.");
            bail!(Failure::printed(Exit::Usage));
        }
    }
    let forecast = &validated.preview.forecast;
    forecast.unsent.iter().take(NAMED).map(ToString::to_string).for_each(print::message);
    if let Some(more @ 1..) = forecast.counts.withheld().checked_sub(NAMED as u64) {
        print::message(format!("{} not sent either.", counted(more, "more row is", "more rows are")));
    }
    validated.preview.lines(true).into_iter().for_each(print::message);
    let mut to_send = forecast.counts.to_send();
    if forecast.counts.unknown > 0 {
        let again = "Rows of unknown plants are not sent. Send them again? The plants may then be stored twice.";
        if console.confirm(again, false, NOTHING_SENT).await? {
            resend.unknown = true;
            to_send += forecast.counts.unknown;
        }
    }
    if to_send == 0 {
        print::message(NOTHING_SENT);
        bail!(Failure::printed(Exit::Done));
    }
    let question = format!("Send {} to {}?", counted(to_send, "row", "rows"), ready.store);
    if !console.confirm(&question, false, NOTHING_SENT).await? {
        print::message(NOTHING_SENT);
        bail!(Failure::printed(Exit::NotSent));
    }
    Ok(())
}

fn print_note(note: &String) {
    print::message(format!("Note: {note}"));
}

fn stopped() -> Exit {
    print::message("Stopped. Nothing was sent.");
    Exit::Interrupted
}

/// Validates every row, and prints each bad one.
async fn validate(
    settings: &Settings,
    source: Source,
    separator: Option<import::Separator>,
    output: &ImportOutput,
    stops: &mut Stops,
) -> eyre::Result<Validated> {
    let folder = settings.connection.as_ref().map(|_| settings.data_dir.clone());
    let (stop, name, json) = (CancellationToken::new(), output.file.clone(), Arc::clone(&output.json));
    let validating = tokio::task::spawn_blocking({
        let stop = stop.clone();
        move || {
            let mut fault = |fault: &RowFault| print_fault(&name, fault, &json);
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
    let is_prevented = validated.preview.bad > 0 && !skip_bad;
    let mut each = |row: &ImportRow, decision| output.withheld(row, decision);
    if let Err(why) = import::forecast(&ready.journal, &mut validated, resend, &mut each).await {
        let why = format!("{why}. Nothing was sent.");
        output.unsent(&validated, Some(why.clone()));
        bail!(Failure::new(Exit::NotSent, why));
    }
    validated.preview.lines(skip_bad).into_iter().for_each(print::message);
    print::message("This was a dry run. Nothing was sent.");
    let mut summary = validated.unsent(None);
    let counts = validated.preview.forecast.counts;
    summary.progress.unsent = counts.unsent();
    let to_send = if is_prevented { 0 } else { counts.to_send() };
    output.summary(&validated.preview, &summary, Some(to_send));
    Ok(output.json.or_lost(if is_prevented { Exit::Usage } else { exit_of(&summary) }, false))
}

/// Sends the rows, prints the outcomes and returns the exit code.
async fn carry_out(
    ready: &Ready,
    settings: &Settings,
    validated: Validated,
    options: Options,
    mut output: ImportOutput,
    stops: &mut Stops,
    mut when_braked: WhenBraked<'_>,
) -> Exit {
    let preview = validated.preview.clone();
    output.bar = Bar::begin();
    let mut sender = ready.start_worker();
    let (orders, received) = mpsc::unbounded_channel();
    let ordered = Cell::new(None);
    let give = |order| {
        ordered.set(Some(order));
        let _ = orders.send(order);
    };
    let (to_person, mut questions) = mpsc::unbounded_channel();
    // Ends that are not recorded yet.
    let mut unrecorded = Vec::new();
    let mut summary = {
        let tools = Tools {
            journal: ready.journal.clone(),
            worker: sender.worker.clone(),
            origin: ready.origin,
            submitted: Arc::clone(&ready.submitted),
            clock: clock::now,
            renew: ready.renewal(settings),
        };
        let mut print_event = |event: Event<'_>| {
            match event {
                Event::Row(end) if end.ended.may_be_recorded() => return unrecorded.push(end),
                Event::Braked { left, cause } => drop(to_person.send((left, cause))),
                Event::Progress(_) | Event::Row(_) | Event::Withheld(..) | Event::TokenRenewed(_) => {}
            }
            output.event(&event, settings);
        };
        let mut running = std::pin::pin!(import::run(validated, options, tools, received, &mut print_event));
        loop {
            tokio::select! {
                summary = &mut running => break summary,
                // Without ends: those of rows come as events.
                Some(report) = sender.reports.recv() => drop(sender.take(report, &output.bar)),
                // Nothing is in flight.
                Some((left, cause)) = questions.recv() => {
                    output.bar.disappear();
                    give(match when_braked.goes_on(left, cause).await {
                        Ok(true) => Order::GoOn,
                        Ok(false) => Order::Halt,
                        Err(_) => Order::Stop,
                    });
                }
                () = stops.next() => {
                    if matches!(ordered.get(), Some(Order::Stop | Order::Cancel)) {
                        give(Order::Cancel);
                        ready.journal.hurry(true);
                    } else {
                        output.bar.message("Stopping after the requests in flight. Press Ctrl-C again to cancel them.");
                        give(Order::Stop);
                    }
                }
            }
        }
    };
    output.bar = Bar::Hidden;
    sender.end(unrecorded.iter_mut().map(|end| &mut end.ended)).await;
    for end in &unrecorded {
        output.row(end);
    }
    summary.progress.unrecorded -= unrecorded.iter().filter(|end| end.ended.recorded.is_ok()).count() as u64;
    // The next start does not know their outcomes.
    let is_lost = unrecorded.iter().any(|end| end.ended.recorded.is_err());
    summary.lines().into_iter().for_each(print::message);
    // A person who was asked has read it in the forecast, and the summary says it of pages that came just now.
    if preview.forecast == Forecast::default() && summary.progress.pages == 0 {
        let note = tokio::select! {
            note = import::note_of_pages(&ready.journal, summary.progress.unsent) => note,
            () = stops.next() => None,
        };
        note.iter().for_each(print_note);
    }
    if summary.progress.is_slowed {
        print::message("To send more slowly from the start: --rate N sends at most N rows a second.");
    }
    if ordered.get() == Some(Order::Halt) {
        print::message("To go on all the same: --keep-going.");
    }
    if preview.bad > 0 {
        print::message(format!("{} left out.", counted(preview.bad, "bad row was", "bad rows were")));
    }
    output.summary(&preview, &summary, None);
    let exit = exit_of(&summary).or_graver(if is_lost { Exit::Unknown } else { Exit::Done });
    output.json.or_lost(exit, true)
}

/// Returns the exit code of a stop, or else of the gravest outcome.
fn exit_of(summary: &Summary) -> Exit {
    let Summary { progress, over, .. } = summary;
    let (outcomes, unsent) = (progress.outcomes, progress.unsent);
    if *over == Over::Stopped {
        Exit::Interrupted
    } else if outcomes.unknown + unsent.unknown > 0 {
        Exit::Unknown
    } else if outcomes.rejected > 0 {
        Exit::Rejected
    } else if *over != Over::Done || outcomes.not_sent + unsent.withheld() > 0 {
        Exit::NotSent
    } else {
        Exit::Done
    }
}
