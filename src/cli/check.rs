//! `plants check`: the contract check, its report, an exit code.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::open::{AtWork, Ready, TokenNeed, clock, failed};
use super::output::Output;
use super::stop::stopped;
use super::{Exit, ask, say};
use crate::config::{Settings, StoreChoice};
use crate::courier::{self, Report as Told};
use crate::demo::Weather;
use crate::domain::check::{
    Conclusion, Format, Lot, Next, PACE, RULES, Report, Run, UNDOCUMENTED, Undocumented, Verdict, Wanted, render,
};
use crate::domain::sentence::span;
use crate::domain::{Ask, Operation, OperationId, Probe, Settlement};

/// A pause that somebody who watches wonders about.
const LONG: Duration = Duration::from_secs(1);
/// Columns of a text that no terminal shows.
const COLUMNS: u16 = 100;

/// `plants check`
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Format of the report [default: what the ending of --output says, else text]
    #[arg(long, value_parser = format_parser())]
    pub format: Option<String>,
    /// Write the report to this file, whole or not at all; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Check without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Check this row alone, and send what it takes; may be given several times
    #[arg(long, value_name = "NAME", value_parser = rows_parser(), hide_possible_values = true)]
    pub only: Vec<String>,
    /// Check the rules alone, not undocumented behaviour
    #[arg(long)]
    pub gentle: bool,
    /// Wait this long between two requests, like 50ms or 1s [default: 100ms, for the demo store none]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub pace: Option<Duration>,
    /// Exit with 1 where a rule is inconclusive, too
    #[arg(long)]
    pub strict: bool,
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

/// `plants check`
pub(super) async fn run(settings: Settings, arguments: CheckArguments, json: bool) -> Exit {
    let named = Format::ALL.into_iter().find(|format| arguments.format.as_deref() == Some(format.word()));
    if json && named.is_some_and(|format| format != Format::Json) {
        return failed(Exit::Usage, "--json and another --format contradict each other. Nothing was sent.");
    }
    let of_file = || arguments.output.as_deref().and_then(Format::of_file);
    let format = if json { Format::Json } else { named.or_else(of_file).unwrap_or_default() };
    if settings.read_only {
        return failed(
            Exit::Usage,
            "This store is read-only here, and the check adds and deletes plants. Nothing was sent.",
        );
    }
    let undocumented = arguments.only.iter().find(|name| Undocumented::called(name).is_some());
    if let (true, Some(name)) = (arguments.gentle, undocumented) {
        return failed(Exit::Usage, &format!("--gentle leaves {name} out: give one of the two. Nothing was sent."));
    }
    let is_demo = matches!(settings.store, StoreChoice::Demo);
    let on_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    if !is_demo && !arguments.yes && !on_terminal {
        let why = "The check adds plants to the store and deletes them, and there is no terminal to ask on: add --yes. Nothing was sent.";
        return failed(Exit::Usage, why);
    }
    let output = match Output::begin(arguments.output.clone()) {
        Ok(output) => output,
        Err(why) => return failed(Exit::Usage, &format!("{why}. Nothing was sent.")),
    };
    let ready = match Ready::open(&settings, TokenNeed::Now, Weather::default()).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    ready.tell_what_was_found();
    let wanted = Wanted { gentle: arguments.gentle, only: arguments.only };
    let pace = arguments.pace.unwrap_or(if is_demo { Duration::ZERO } else { PACE });
    let run = match prepared(&ready, wanted, pace).await {
        Ok(run) => run,
        Err(why) => return failed(Exit::NotSent, &format!("{why}. Nothing was sent.")),
    };
    if !is_demo && !arguments.yes {
        let (_, probes) = run.progress();
        say::words(&format!(
            "The check sends {probes} requests to {},\nand as many more as it takes to delete its plants there.",
            ready.store
        ));
        match ask::yes("Go on?").await {
            Ok(true) => {}
            Ok(false) => return failed_softly(),
            Err(exit) => return exit,
        }
    }
    carry_out(ready, run, output, format, arguments.strict).await
}

fn failed_softly() -> Exit {
    say::words("Nothing was sent.");
    Exit::NotSent
}

/// A run that takes away what earlier ones left, too.
async fn prepared(ready: &Ready, wanted: Wanted, pace: Duration) -> Result<Run, String> {
    let before = ready.journal.before_check().await.map_err(|why| why.to_string())?;
    match before.leftovers.len() {
        0 => {}
        1 => say::words("An earlier check has 1 leftover here."),
        count => {
            say::words(&format!("Earlier checks have {count} leftovers here."));
        }
    }
    Ok(Run::new(&ready.store, clock(), wanted, pace, Lot::draw(fastrand::u64(..)), &before))
}

async fn carry_out(ready: Ready, run: Run, output: Output, format: Format, strict: bool) -> Exit {
    let mut conductor = Conductor {
        at_work: ready.go_to_work(),
        ready: &ready,
        run,
        asked: 0,
        stop: Box::pin(stopped()),
        interrupted: false,
        line: Line::default(),
    };
    conductor.conduct().await;
    let Conductor { at_work: AtWork { courier, task, .. }, run, interrupted, line, .. } = conductor;
    line.end();
    drop(courier);
    let _ = task.await;
    let report = run.report();
    if let Err(why) = ready.journal.keep_run(report.clone()).await {
        say::error(&format!("The journal could not store this report: {why}"));
    }
    ready.journal.close().await;
    let columns = ratatui::crossterm::terminal::size().ok().filter(|_| io::stdout().is_terminal());
    let text = render(&report, format, columns.map_or(COLUMNS, |(columns, _)| columns).into());
    // A text on stdout begins with the diagnosis itself.
    let has_said = format == Format::Text && matches!(output, Output::Stdout);
    let is_written = output.end(&text);
    if !has_said {
        say::words(&report.summary());
    }
    exit_of(&report, strict, interrupted, is_written)
}

fn exit_of(report: &Report, strict: bool, interrupted: bool, is_written: bool) -> Exit {
    let lacks_a_verdict = strict && !report.diagnosis.says_all() && report.count(Verdict::Inconclusive) > 0;
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

/// Carries a run out: one request after the other, until it is over or nobody wants to wait.
struct Conductor<'a> {
    at_work: AtWork,
    ready: &'a Ready,
    run: Run,
    asked: u32,
    stop: Pin<Box<dyn Future<Output = ()>>>,
    interrupted: bool,
    line: Line,
}

impl Conductor<'_> {
    async fn conduct(&mut self) {
        loop {
            match self.run.advance() {
                Next::Send { after, ask, probe } => {
                    let (done, planned) = self.run.progress();
                    let waits = if after < LONG { String::new() } else { format!(", waiting {}", span(after)) };
                    self.line.shows(&format!("{done} of {planned} requests{waits}"));
                    if self.paused(after).await {
                        self.send(ask, probe).await;
                    }
                }
                Next::Forget(plant, doubt) => {
                    // If it stays in the view, it is listed there.
                    let _ = self.ready.journal.settle(plant, doubt, Settlement::Forget, clock()).await;
                }
                Next::Wait | Next::Over => break,
            }
        }
    }

    /// Waits before a request; `false` if it is not to go out any more.
    async fn paused(&mut self, after: Duration) -> bool {
        if after.is_zero() {
            return true;
        }
        tokio::select! {
            () = tokio::time::sleep(after) => true,
            () = &mut self.stop => {
                self.run.take_back();
                self.stop_trying();
                false
            }
        }
    }

    async fn send(&mut self, ask: Ask, probe: Probe) {
        self.asked += 1;
        let id = OperationId { origin: self.ready.origin, number: self.asked };
        let operation = Operation { probe: Some(probe), ..Operation::new(id, ask, clock()) };
        if self.at_work.courier.send(operation).is_err() {
            self.died().await;
            return;
        }
        loop {
            tokio::select! {
                told = self.at_work.reports.recv() => match told {
                    Some(Told::Recorded(_)) => {}
                    Some(Told::Waiting(words)) => {
                        self.line.clear();
                        say::words(&words);
                    }
                    Some(Told::Ended(ended)) => {
                        if let Err(why) = &ended.recorded {
                            self.line.clear();
                            say::error(&format!("the journal could not keep this: {why}"));
                        }
                        self.run.ended(ended.exchange, clock());
                        return;
                    }
                    None => return self.died().await,
                },
                () = &mut self.stop => self.stop_trying(),
            }
        }
    }

    /// The first time it cleans up, the second time it ends.
    fn stop_trying(&mut self) {
        self.line.clear();
        if self.interrupted {
            say::words("Ended at once. The request in flight is unknown, and leftovers are in the journal.");
            self.run.abandon("it was ended at once");
        } else {
            say::words("Stopping and cleaning up. Ctrl-C again ends it at once.");
            self.run.stop();
        }
        // What is in flight is not waited for.
        self.at_work.courier.cancel_all();
        self.interrupted = true;
        self.stop = Box::pin(stopped());
    }

    async fn died(&mut self) {
        let why = match (&mut self.at_work.task).await {
            Err(died) => courier::death(died),
            Ok(()) => "it ended by itself".to_owned(),
        };
        self.line.clear();
        say::error(&format!("the background task has died ({why})"));
        self.run.abandon("the background task has died");
    }
}

/// A line of progress, where somebody watches.
#[derive(Default)]
struct Line {
    is_shown: bool,
}

impl Line {
    fn shows(&mut self, text: &str) {
        let mut out = io::stderr();
        if out.is_terminal() {
            let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
            self.is_shown = true;
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn end(mut self) {
        self.clear();
    }
}
