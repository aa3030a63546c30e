//! `plants check`: drives the contract check, writes its report, returns the exit code.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

use color_eyre::eyre::{self, WrapErr as _, bail};
use futures::future::OptionFuture;
use ratatui::text::Span;
use tokio::task::spawn_blocking;
use tokio::time::{Sleep, sleep};
use tracing::instrument;

use super::access::TokenNeed;
use super::bar::Bar;
use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _, unwritten};
use super::open::Ready;
use super::sender::Sender;
use super::session::{Opened, Session, check_writable};
use super::stop::{Stops, stopped};
use super::terminal_output::Terminal;
use super::{clock, end, print, spoken};
use crate::check::{
    Conclusion, Event, Format, Order, Pace, Report, Role, Row, Run, Verdict, Wanted, is_report, render, report_lines,
};
use crate::domain::sentence::span;
use crate::domain::{Operation, OperationKind, Probe};
use crate::runtime::new_file::{Existing, NewFile, error_text};
use crate::text::number_format::counted;
use crate::text::shown_path;
use crate::verbs::{CheckArguments, ResultFormat};

/// A pause that the progress bar explains.
const LONG: Duration = Duration::from_secs(1);

#[instrument(name = "check", skip_all)]
pub(super) async fn run(
    session: &mut Session,
    arguments: CheckArguments,
    format: Option<ResultFormat>,
    terminal: Option<Terminal>,
) -> eyre::Result<Exit> {
    let of_file = || arguments.output.as_deref().map_or(Ok(Format::default()), Format::of_file);
    let format = format.and_then(|format| format.word().parse().ok()).map_or_else(of_file, Ok);
    check_writable(&session.settings)?;
    let undocumented = arguments.only.iter().find(|name| Row::named(name).is_some_and(|row| !row.is_rule()));
    if let (true, Some(name)) = (arguments.gentle, undocumented) {
        bail!(Failure::usage(format!(
            "--gentle leaves {name} out, which --only names: leave one of the options out. Nothing was sent."
        )));
    }
    let asks = session.settings.connection.is_some() && !arguments.yes;
    let output = Output::begin(arguments.output, arguments.force, &session.settings.data_dir)?;
    let format =
        format.map_err(|why| Failure::usage(format!("--output: {why}, or name a --format. {NOTHING_SENT}")))?;
    session.console.check(asks, "add plants to the store and delete them", NOTHING_SENT)?;
    let profile = session.settings.connection.as_ref().and_then(|connection| connection.profile.clone());
    let Opened { ready, console, .. } = session.open(TokenNeed::Now).await?;
    let wanted = Wanted { gentle: arguments.gentle, only: arguments.only };
    let pace = arguments.pace.map_or_else(|| Pace::towards(&ready.store), Pace::Fixed);
    let mut run = prepare(ready, wanted.clone(), pace).await?;
    run.profile = profile;
    if asks {
        let effects = wanted.effects().collect::<Vec<_>>().join(" ");
        print::message(format!("{effects} At most {} requests go to {}.", wanted.most_requests(), ready.store));
        if !console.confirm("Start the check?", false, NOTHING_SENT).await? {
            print::message(NOTHING_SENT);
            return Ok(Exit::NotSent);
        }
    }
    let (report, interrupted) = carry_out(ready, run).await;
    if console.is_conversation && output.is_none() && format == Format::Text {
        spoken::text(console, &render(&report, format, arguments.strict)).await?;
        return Ok(exit_of(&report, arguments.strict, interrupted, true));
    }
    let written = write(&report, output, format, arguments.strict, terminal.as_ref()).await;
    let interrupted = interrupted || written == Err(Exit::Interrupted);
    Ok(exit_of(&report, arguments.strict, interrupted, written.is_ok()))
}

/// Prepares a run that also removes the leftovers of earlier runs, and keeps away from plants of the team.
async fn prepare(ready: &Ready, wanted: Wanted, pace: Pace) -> eyre::Result<Run> {
    ready.catch_up().await;
    let before = ready.journal.before_check().await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
    if !before.leftovers.is_empty() {
        let left = counted(before.leftovers.len() as u64, "leftover", "leftovers");
        print::message(format!("Earlier checks have {left} here."));
    }
    Ok(Run::new(&ready.store, clock::now(), wanted, pace, fastrand::u64(..), &before))
}

/// Carries out a run. Returns its report, and whether it was interrupted.
async fn carry_out(ready: &Ready, run: Run) -> (Report, bool) {
    let mut driver = Driver {
        sender: ready.start_worker(),
        ready,
        run,
        in_flight: None,
        pause: None,
        stops: Stops::listen(),
        bar: Bar::begin(),
    };
    let report = driver.drive().await;
    drop(driver.bar);
    driver.sender.end([]).await;
    (report, driver.run.is_stopping())
}

/// Writes a report to its file or to stdout. Prints the error, if there is one, and returns its exit code.
async fn write(
    report: &Report,
    output: Option<Output>,
    format: Format,
    is_strict: bool,
    terminal: Option<&Terminal>,
) -> Result<(), Exit> {
    // The text report on stdout begins with the diagnosis.
    let is_summary_printed = format == Format::Text && output.is_none();
    let written = match (output, terminal) {
        (None, Some(terminal)) if format == Format::Text => print::result(&in_color(report, terminal)),
        (None, _) => print::exact(render(report, format, is_strict).trim_end_matches('\n')),
        (Some(output), _) => output.write(render(report, format, is_strict), format.word()).await,
    };
    let written = written.map_err(end::end);
    if !is_summary_printed {
        print::message(report.summary());
        let inconclusive = report.inconclusive_rules().filter(|_| is_strict);
        let advice = report.diagnosis.advice().map(str::to_owned);
        [report.failed_rules(), inconclusive, advice].into_iter().flatten().for_each(print::message);
    }
    written
}

/// Renders a report for a terminal, with the marks and colours of the Check tab.
fn in_color(report: &Report, terminal: &Terminal) -> String {
    let theme = &terminal.theme;
    let style = |role| match role {
        Role::Text => theme.text,
        Role::Heading => theme.title,
        Role::Section | Role::Evidence => theme.dim,
        Role::Verdict(verdict) => theme.verdict(verdict).0,
        Role::Diagnosis(Conclusion::Pass) => theme.good.bold(),
        Role::Diagnosis(Conclusion::Fail | Conclusion::NotSent) => theme.bad.bold(),
        Role::Diagnosis(Conclusion::None) => theme.warning.bold(),
    };
    let columns = if terminal.is_pipe { usize::MAX } else { terminal.columns };
    let lines = report_lines(report, columns, |verdict| theme.verdict(verdict).1).into_iter();
    let lines = lines.map(|parts| {
        let spans = parts.into_iter().map(|part| Span::styled(part.text, style(part.role)));
        terminal.text(&spans.collect())
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn exit_of(report: &Report, strict: bool, interrupted: bool, is_written: bool) -> Exit {
    let is_too_vague = strict && report.count(Verdict::Inconclusive) > 0;
    match report.diagnosis.conclusion() {
        _ if interrupted => Exit::Interrupted,
        Conclusion::Fail => Exit::Rejected,
        Conclusion::Pass if is_too_vague => Exit::Rejected,
        // A lost report is an error of its own.
        Conclusion::Pass if !is_written => Exit::NotSent,
        Conclusion::Pass => Exit::Done,
        Conclusion::NotSent => Exit::NotSent,
        Conclusion::None => Exit::Unknown,
    }
}

/// Carries out the orders of a run, and feeds it events.
struct Driver<'a> {
    sender: Sender,
    ready: &'a Ready,
    run: Run,
    in_flight: Option<Operation>,
    pause: Option<Pin<Box<Sleep>>>,
    stops: Stops,
    bar: Bar,
}

impl Driver<'_> {
    async fn drive(&mut self) -> Report {
        let mut event = Event::Begin;
        loop {
            match self.run.handle(event) {
                Some(Order::Send(kind, probe)) => self.send(kind, probe),
                Some(Order::Cancel) => self.sender.worker.cancel_all(),
                Some(Order::Pause(time)) => self.pause(time),
                Some(Order::Finish(report)) => {
                    if report.requests > 0
                        && let Err(why) = self.ready.journal.keep_run((*report).clone()).await
                    {
                        self.bar.error(&format!("the journal could not record this report: {why}"));
                    }
                    return *report;
                }
                None => {}
            }
            event = self.next_event().await;
        }
    }

    fn send(&mut self, kind: OperationKind, probe: Probe) {
        self.show_progress("");
        let operation = Operation { probe: Some(probe), ..self.sender.operation(kind, None) };
        self.in_flight = Some(operation.clone());
        // `next_event` notices a dead worker.
        self.sender.worker.send(operation);
    }

    fn pause(&mut self, time: Duration) {
        let waits = if time < LONG { String::new() } else { format!(", waiting {}", span(time)) };
        self.show_progress(&waits);
        self.pause = Some(Box::pin(sleep(time)));
    }

    fn show_progress(&mut self, waits: &str) {
        match self.run.progress() {
            Some((done, planned)) => {
                self.bar.show(done as u64, planned as u64, &format!("{done} of {planned} steps done{waits}"));
            }
            None => self.bar.show(1, 1, &format!("cleaning up{waits}")),
        }
    }

    async fn next_event(&mut self) -> Event {
        tokio::select! {
            Some(()) = OptionFuture::from(self.pause.as_mut()) => {
                self.pause = None;
                Event::PauseOver
            }
            () = self.stops.next() => {
                self.bar.message(if self.run.is_stopping() {
                    self.ready.journal.hurry(true);
                    "Ended at once. A request in flight is unknown, and leftovers are in the journal."
                } else {
                    "Stopping and cleaning up. Press Ctrl-C again to end at once."
                });
                Event::Stop
            }
            ended = self.sender.next_end(&self.bar) => match ended {
                Ok(ended) => {
                    if let (Err(why), true) = (&ended.recorded, ended.may_be_recorded()) {
                        self.bar.error(&format!("the journal could not record this response: {why}"));
                    }
                    self.in_flight = None;
                    Event::Ended(ended.exchange, clock::now())
                }
                Err(death) => {
                    self.bar.suspend(|| end::end(death));
                    Event::WorkerDied(self.in_flight.take().map(Box::new), clock::now())
                }
            },
        }
    }
}

/// The most bytes of an existing file that are read to recognise a report.
const MAX_REPORT: u64 = 4 << 20;

/// The file of `--output`: chosen before anything is sent, written once the check is over.
struct Output(PathBuf, NewFile);

impl Output {
    /// Begins the file that an option names; none for stdout.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or exists, is no report of plants, and `force` is not given.
    fn begin(path: Option<PathBuf>, force: bool, data_dir: &Path) -> eyre::Result<Option<Self>> {
        let Some(path) = path.filter(|path| !print::is_stdout(path)) else { return Ok(None) };
        let name = shown_path(&path);
        let file = NewFile::begin(&path, Existing::Replaced, data_dir).map_err(|error| {
            let why = error_text(&error);
            Failure::usage(format!("--output {name}: the file cannot be written: {why}. {NOTHING_SENT}"))
        })?;
        if !force && file.is_regular() && fs::exists(&path).unwrap_or(true) && !is_report_at(&path) {
            bail!(Failure::usage(format!(
                "--output {name}: this file exists and is no report of plants; --force replaces it. {NOTHING_SENT}"
            )));
        }
        Ok(Some(Self(path, file)))
    }

    /// Writes the report, and says so. A request to stop the program ends the wait for the reader of a pipe.
    async fn write(self, text: String, format: &str) -> eyre::Result<()> {
        let Self(path, mut file) = self;
        let name = shown_path(&path);
        let stop = stopped();
        let writing = spawn_blocking(move || file.write_all(text.as_bytes()).and_then(|()| file.end()));
        let written = tokio::select! {
            biased;
            written = writing => written.wrap_err("the thread that writes the report has died")?,
            () = stop => bail!(Failure::new(Exit::Interrupted, format!("interrupted: {name} was not written"))),
        };
        written.map_err(|error| unwritten(&name, error, Exit::NotSent))?;
        print::message(format!("Wrote the report to {name} ({format})."));
        Ok(())
    }
}

fn is_report_at(path: &Path) -> bool {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_REPORT).read_to_string(&mut text));
    read.is_ok() && is_report(&text)
}
