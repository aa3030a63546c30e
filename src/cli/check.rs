//! `plants check`: the contract check, its report, an exit code.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use color_eyre::eyre::{self, bail};
use tokio::time::Sleep;
use tracing::instrument;

use super::bar::Bar;
use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::open::{AtWork, Ready, TokenNeed};
use super::output::Output;
use super::stop::stopped;
use super::{clock, end, print, prompt};
use crate::check::{
    Conclusion, Event, Format, Order, PACE, RULES, Report, Run, UNDOCUMENTED, Undocumented, Verdict, Wanted, render,
};
use crate::config::{Settings, StoreChoice, parse_duration};
use crate::demo::Weather;
use crate::domain::sentence::span;
use crate::domain::{Operation, OperationId, OperationKind, Probe, Resolution};
use crate::worker::Report as WorkerReport;

/// A pause that somebody who watches wonders about.
const LONG: Duration = Duration::from_secs(1);
/// Columns of a text that no terminal shows.
const COLUMNS: u16 = 100;

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// Format of the report [default: what the ending of --output says, else text]
    #[arg(long, value_parser = format_parser())]
    format: Option<String>,
    /// Write the report to this file, whole or not at all; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Check without asking
    #[arg(long, short)]
    yes: bool,
    /// Check this row alone, and send what it takes; may be given several times
    #[arg(long, value_name = "NAME", value_parser = rows_parser(), hide_possible_values = true)]
    only: Vec<String>,
    /// Check the rules alone, not undocumented behaviour
    #[arg(long)]
    gentle: bool,
    /// Wait this long between two requests, like 50ms or 1s [default: 100ms, for the demo store none]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pace: Option<Duration>,
    /// Exit with 1 where a rule is inconclusive, too
    #[arg(long)]
    strict: bool,
}

fn format_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::word))
}

fn rows_parser() -> PossibleValuesParser {
    let rules = RULES.iter().map(|rule| rule.name);
    PossibleValuesParser::new(rules.chain(UNDOCUMENTED.iter().map(|silent| silent.name)))
}

/// The rows that `--only` takes, for the help.
pub(super) fn rows_help() -> String {
    let listed = |names: Vec<&str>| names.join(", ");
    format!(
        "Rules: {}.\n\nUndocumented behaviour: {}.",
        listed(RULES.iter().map(|rule| rule.name).collect()),
        listed(UNDOCUMENTED.iter().map(|silent| silent.name).collect())
    )
}

#[instrument(name = "check", skip_all)]
pub(super) async fn run(settings: Settings, arguments: CheckArguments, json: bool) -> eyre::Result<Exit> {
    let named = Format::ALL.into_iter().find(|format| arguments.format.as_deref() == Some(format.word()));
    if json && named.is_some_and(|format| format != Format::Json) {
        bail!(Failure::usage("--json and another --format contradict each other. Nothing was sent."));
    }
    let of_file = || arguments.output.as_deref().and_then(Format::of_file);
    let format = if json { Format::Json } else { named.or_else(of_file).unwrap_or_default() };
    if settings.read_only {
        bail!(Failure::usage("This store is read-only here, and the check adds and deletes plants. Nothing was sent."));
    }
    let undocumented = arguments.only.iter().find(|name| Undocumented::named(name).is_some());
    if let (true, Some(name)) = (arguments.gentle, undocumented) {
        bail!(Failure::usage(format!("--gentle leaves {name} out: give one of the two. Nothing was sent.")));
    }
    let is_demo = matches!(settings.store, StoreChoice::Demo);
    if !is_demo && !arguments.yes && !prompt::is_possible() {
        bail!(Failure::usage(
            "The check adds plants to the store and deletes them, and there is no terminal to ask on: add --yes. Nothing was sent."
        ));
    }
    let output = Output::begin(arguments.output.clone())?;
    let ready = Ready::open(&settings, TokenNeed::Now, Weather::default()).await?;
    let wanted = Wanted { gentle: arguments.gentle, only: arguments.only };
    let pace = arguments.pace.unwrap_or(if is_demo { Duration::ZERO } else { PACE });
    let run = prepared(&ready, wanted, pace).await?;
    if !is_demo && !arguments.yes {
        let (_, probes) = run.progress();
        print::message(&format!(
            "The check sends {probes} requests to {},\nand as many more as it takes to delete its plants there.",
            ready.store
        ));
        if !prompt::yes("Go on?").await? {
            print::message("Nothing was sent.");
            return Ok(Exit::NotSent);
        }
    }
    Ok(carry_out(ready, run, output, format, arguments.strict).await)
}

/// Returns a run that takes away what earlier ones left, too.
async fn prepared(ready: &Ready, wanted: Wanted, pace: Duration) -> eyre::Result<Run> {
    let before = ready.journal.before_check().await.or_exit_and_say(Exit::NotSent, "Nothing was sent.")?;
    match before.leftovers.len() {
        0 => {}
        1 => print::message("An earlier check has 1 leftover here."),
        count => {
            print::message(&format!("Earlier checks have {count} leftovers here."));
        }
    }
    Ok(Run::new(&ready.store, clock::now(), wanted, pace, fastrand::u64(..), &before))
}

async fn carry_out(ready: Ready, run: Run, output: Output, format: Format, strict: bool) -> Exit {
    let mut driver = Driver {
        at_work: ready.go_to_work(),
        ready: &ready,
        run,
        sent: 0,
        in_flight: None,
        pause: None,
        stop: Box::pin(stopped()),
        bar: Bar::begin(),
    };
    let report = driver.drive().await;
    let Driver { at_work, run, bar, .. } = driver;
    drop(bar);
    at_work.end().await;
    ready.journal.close().await;
    let columns = ratatui::crossterm::terminal::size().ok().filter(|_| io::stdout().is_terminal());
    let text = render(&report, format, columns.map_or(COLUMNS, |(columns, _)| columns).into());
    // A text on stdout begins with the diagnosis itself.
    let has_said = format == Format::Text && matches!(output, Output::Stdout);
    let is_written = end::succeeded(output.end(&text));
    if !has_said {
        print::message(&report.summary());
    }
    exit_of(&report, strict, run.is_stopping(), is_written)
}

fn exit_of(report: &Report, strict: bool, interrupted: bool, is_written: bool) -> Exit {
    let lacks_a_verdict = strict && !report.diagnosis.explains_all_rows() && report.count(Verdict::Inconclusive) > 0;
    match report.diagnosis.conclusion() {
        _ if interrupted => Exit::Interrupted,
        Conclusion::Fail => Exit::Rejected,
        Conclusion::Pass | Conclusion::None if lacks_a_verdict => Exit::Rejected,
        // The report could not be written anywhere.
        Conclusion::Pass if !is_written => Exit::NotSent,
        Conclusion::Pass => Exit::Done,
        Conclusion::NotSent => Exit::NotSent,
        Conclusion::None => Exit::Unknown,
    }
}

/// Carries the orders of a run out, and tells it what happens.
struct Driver<'a> {
    at_work: AtWork,
    ready: &'a Ready,
    run: Run,
    sent: u32,
    in_flight: Option<Operation>,
    pause: Option<Pin<Box<Sleep>>>,
    stop: Pin<Box<dyn Future<Output = ()>>>,
    bar: Bar,
}

impl Driver<'_> {
    async fn drive(&mut self) -> Report {
        let mut event = Event::Begin;
        loop {
            for order in self.run.handle(event) {
                match order {
                    Order::Send(kind, probe) => self.send(kind, probe),
                    Order::Cancel => self.at_work.worker.cancel_all(),
                    Order::Pause(time) => self.pause(time),
                    Order::Forget(plant, unknown) => {
                        // If it stays in the list, it is among its unknown plants.
                        let _ = self.ready.journal.resolve(plant, unknown, Resolution::Forget, clock::now()).await;
                    }
                    Order::Keep(report) => self.keep(*report).await,
                    Order::Finish(report) => return *report,
                }
            }
            event = self.next_event().await;
        }
    }

    fn send(&mut self, kind: OperationKind, probe: Probe) {
        self.show_progress("");
        self.sent += 1;
        let id = OperationId { origin: self.ready.origin, number: self.sent };
        let operation = Operation { probe: Some(probe), ..Operation::new(id, kind, clock::now()) };
        self.in_flight = Some(operation.clone());
        // That the worker is gone is seen by the end of its reports.
        let _ = self.at_work.worker.send(operation);
    }

    fn pause(&mut self, time: Duration) {
        let waits = if time < LONG { String::new() } else { format!(", waiting {}", span(time)) };
        self.show_progress(&waits);
        self.pause = Some(Box::pin(tokio::time::sleep(time)));
    }

    async fn keep(&mut self, report: Report) {
        if let Err(why) = self.ready.journal.keep_run(report).await {
            self.bar.error(&format!("The journal could not store this report: {why}"));
        }
    }

    fn show_progress(&mut self, waits: &str) {
        let (done, planned) = self.run.progress();
        self.bar.show(done as u64, planned as u64, format!("{done} of {planned} requests{waits}"));
    }

    async fn next_event(&mut self) -> Event {
        loop {
            tokio::select! {
                () = over(&mut self.pause) => return Event::PauseOver,
                () = &mut self.stop => return self.stop_trying(),
                report = self.at_work.reports.recv() => match report {
                    Some(WorkerReport::Recorded(_)) => {}
                    Some(WorkerReport::Waiting(words)) => self.bar.message(&words),
                    Some(WorkerReport::Ended(ended)) => {
                        if let Err(why) = &ended.recorded {
                            self.bar.error(&format!("the journal could not keep this: {why}"));
                        }
                        self.in_flight = None;
                        return Event::Ended(Box::new(ended.exchange), clock::now());
                    }
                    None => return self.worker_died().await,
                },
            }
        }
    }

    /// Says what a stop does: the first one cleans up, the second ends the run.
    fn stop_trying(&mut self) -> Event {
        self.bar.message(if self.run.is_stopping() {
            "Ended at once. The request in flight is unknown, and leftovers are in the journal."
        } else {
            "Stopping and cleaning up. Ctrl-C again ends it at once."
        });
        self.stop = Box::pin(stopped());
        Event::Stop
    }

    async fn worker_died(&mut self) -> Event {
        let death = self.at_work.death().await;
        self.bar.suspend(|| end::end(death));
        Event::WorkerDied(self.in_flight.take(), clock::now())
    }
}

/// Waits for the end of a pause, for ever where there is none.
async fn over(pause: &mut Option<Pin<Box<Sleep>>>) {
    match pause {
        Some(time) => time.await,
        None => std::future::pending().await,
    }
    *pause = None;
}
