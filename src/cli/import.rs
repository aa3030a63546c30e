//! `plants import`: many creates from a file, an account of each that needs one, an exit code.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::open::{AtWork, Ready, TokenNeed, clock, failed, renewal};
use super::operate::is_not_recorded;
use super::stop::Stops;
use super::told::{self, Told as ToldExchange, ToldPlant};
use super::{Exit, say};
use crate::config::{Settings, StoreChoice, TokenSource};
use crate::courier::Report;
use crate::demo::Weather;
use crate::domain::figure::{about, counted, grouped, rate};
use crate::domain::import::{Decision, ImportRow, Over, Preview, Progress, RowFault, Summary};
use crate::domain::plant::Field;
use crate::domain::text::clean;
use crate::domain::{Outcome, StoreUrl, sentence};
use crate::import::{self, CONCURRENCY, Judged, NotJudged, Options, Orders, Renew, RowEnd, Source, Told, Tools};

/// The most requests that may be out at once.
const MOST_AT_ONCE: u16 = 512;

/// `plants import`
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// File of plants: .csv with a header, .json (an array) or .ndjson; - is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Judge every row, say what would become of it, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Leave bad rows out and send the others
    #[arg(long)]
    pub skip_bad: bool,
    /// Requests that may be out at once
    #[arg(long, value_name = "N", default_value_t = CONCURRENCY, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_AT_ONCE)))]
    pub concurrency: u16,
    /// Send at most so many rows a second, like 50 or 0.5
    #[arg(long, value_name = "N", value_parser = read_rate)]
    pub rate: Option<f64>,
    /// Send rows again whose plants are unknown: they may then be there twice
    #[arg(long)]
    pub resend_unknown: bool,
}

impl ImportArguments {
    fn source(&self) -> Source {
        if self.file.as_os_str() == "-" { Source::Stdin } else { Source::Path(self.file.clone()) }
    }
}

fn read_rate(typed: &str) -> Result<f64, String> {
    let rate: f64 = typed.parse().map_err(|_| "it is not a number".to_owned())?;
    if rate.is_finite() && (0.001..=1_000_000.0).contains(&rate) {
        Ok(rate)
    } else {
        Err("it must lie between 0.001 and 1000000 rows a second".to_owned())
    }
}

/// Where what is told goes.
struct Teller {
    file: String,
    json: bool,
    bar: ProgressBar,
    /// Whether stdout takes no more.
    lost: AtomicBool,
}

/// A row that is bad, as `--json` prints it.
#[derive(Serialize)]
struct ToldFault<'a> {
    line: u64,
    column: u64,
    field: Option<&'static str>,
    reason: &'a str,
}

/// A row that was sent, likewise: as the exchange of one `plants add`, with its line.
#[derive(Serialize)]
struct ToldRow<'a> {
    line: u64,
    #[serde(flatten)]
    exchange: ToldExchange<'a>,
    /// Whether it was sent again in vain: its plant is unknown still.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unresolved: bool,
}

/// The last line.
#[derive(Serialize)]
struct ToldSummary<'a> {
    summary: ToldCounts<'a>,
}

#[derive(Serialize)]
struct ToldCounts<'a> {
    file: &'a str,
    format: &'static str,
    rows: u64,
    bad: u64,
    /// Rows that would be sent; of a dry run alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_send: Option<u64>,
    accepted: u64,
    rejected: u64,
    unknown: u64,
    not_sent: u64,
    already_stored: u64,
    differs: u64,
    unknown_before: u64,
    busy: u64,
    left: u64,
    resent: u64,
    unresolved: u64,
    dry_run: bool,
    interrupted: bool,
    halted: Option<&'a str>,
    elapsed_ms: f64,
}

/// `plants import`
pub(super) async fn run(settings: Settings, arguments: ImportArguments, json: bool) -> Exit {
    if settings.read_only && !arguments.dry_run {
        return failed(Exit::Usage, "read-only: nothing that writes is sent; --dry-run judges the file");
    }
    let source = arguments.source();
    let token_on_stdin = match &settings.store {
        StoreChoice::Deployed(connection) => matches!(connection.token_source, TokenSource::Stdin),
        StoreChoice::Demo => false,
    };
    if source == Source::Stdin && token_on_stdin {
        return failed(
            Exit::Usage,
            "--token-stdin and a file on stdin: only one of them can be there. Nothing was sent.",
        );
    }
    let file = if source == Source::Stdin { "stdin".to_owned() } else { arguments.file.display().to_string() };
    let teller = Teller { file, json, bar: ProgressBar::hidden(), lost: AtomicBool::new(false) };
    // Heard all the while: what comes between two steps is not lost.
    let mut stops = Stops::listen();
    let judged = match judge(&settings, source, &teller, &mut stops).await {
        Ok(judged) => judged,
        Err(exit) => return exit,
    };
    let bad = judged.preview.bad;
    if bad > 0 && !arguments.skip_bad && !arguments.dry_run {
        let all = counted(bad + judged.rows(), "row", "rows");
        let why = format!(
            "{} of {all} of {} are bad: mend them, or leave them out with --skip-bad. Nothing was sent.",
            grouped(bad),
            teller.file
        );
        teller.sum(&judged.preview, &nothing_sent(&judged), None);
        return failed(Exit::Usage, &why);
    }
    let need = if arguments.dry_run { TokenNeed::Never } else { TokenNeed::Now };
    let opened = tokio::select! {
        // Who asks for a token hears it as well, and gives the terminal back.
        biased;
        opened = Ready::try_open(&settings, need, Weather::default()) => opened,
        () = stops.next() => return stopped(),
    };
    let ready = match opened {
        Ok(ready) => ready,
        Err(not_opened) => {
            if let Some(why) = &not_opened.why {
                teller.sum(&judged.preview, &halted(&judged, why), None);
            }
            return not_opened.tell();
        }
    };
    ready.tell_what_was_found();
    let renew = renewal(&settings);
    let exit = if arguments.dry_run {
        tokio::select! {
            exit = preview(&ready, judged, &arguments, &teller) => exit,
            () = stops.next() => stopped(),
        }
    } else {
        carry_out(&ready, judged, &arguments, teller, renew, &mut stops).await
    };
    ready.journal.close().await;
    exit
}

/// Somebody said so before anything was sent.
fn stopped() -> Exit {
    say::words("Stopped. Nothing was sent.");
    Exit::Interrupted
}

/// Judges every row; each bad one is told as it is found.
async fn judge(settings: &Settings, source: Source, teller: &Teller, stops: &mut Stops) -> Result<Judged, Exit> {
    let folder = match &settings.store {
        StoreChoice::Deployed(_) => Some(settings.data_dir.clone()),
        StoreChoice::Demo => None,
    };
    let (stop, name, json) = (CancellationToken::new(), teller.file.clone(), teller.json);
    let judging = tokio::task::spawn_blocking({
        let stop = stop.clone();
        move || {
            let mut fault = |bad: &RowFault| tell_fault(&name, bad, json);
            import::judge(&source, folder.as_deref(), &mut fault, &mut |_| {}, &stop)
        }
    });
    let judged = tokio::select! {
        judged = judging => judged,
        () = stops.next() => {
            stop.cancel();
            return Err(stopped());
        }
    };
    let (exit, why) = match judged {
        Ok(Ok(judged)) => return Ok(judged),
        Ok(Err(NotJudged::Stopped)) => return Err(Exit::Interrupted),
        Ok(Err(NotJudged::Failed(why))) => (Exit::Usage, why),
        Ok(Err(NotJudged::NoRoom(why))) => (Exit::NotSent, why),
        Err(died) => (Exit::Usage, format!("it cannot be judged: {died}")),
    };
    Err(failed(exit, &format!("{}: {why}. Nothing was sent.", clean(&teller.file))))
}

fn tell_fault(file: &str, bad: &RowFault, json: bool) {
    say::words(&format!("{}: {bad}", clean(file)));
    if json {
        let RowFault { line, column, field, reason } = bad;
        say::json(&ToldFault { line: *line, column: *column, field: field.map(Field::word), reason });
    }
}

/// Says what would become of each row.
async fn preview(ready: &Ready, mut judged: Judged, arguments: &ImportArguments, teller: &Teller) -> Exit {
    let ImportArguments { skip_bad, resend_unknown, .. } = *arguments;
    let is_kept_back = judged.preview.bad > 0 && !skip_bad;
    let mut each = |row: &ImportRow, [as_is, resending]: [Decision; 2]| {
        // While a row is bad, all others are left.
        if !is_kept_back {
            teller.skipped(row, if resend_unknown { resending } else { as_is });
        }
    };
    match import::forecast(&ready.journal, &mut judged, &mut each).await {
        Ok(forecast) => judged.preview.forecast = forecast,
        Err(why) => {
            let why = format!("{why}. Nothing was sent.");
            teller.sum(&judged.preview, &halted(&judged, &why), None);
            return failed(Exit::NotSent, &why);
        }
    }
    for line in judged.preview.told(skip_bad, resend_unknown) {
        say::words(&line);
    }
    say::words("Nothing was sent: this was a dry run.");
    let mut summary = nothing_sent(&judged);
    let standing = judged.preview.forecast.standing(resend_unknown);
    let to_send = if is_kept_back {
        0
    } else {
        summary.progress.skipped = standing.skipped();
        standing.to_send()
    };
    teller.sum(&judged.preview, &summary, Some(to_send));
    if is_kept_back { Exit::Usage } else { Exit::Done }
}

/// The account of an import that was not begun.
fn nothing_sent(judged: &Judged) -> Summary {
    Summary { progress: Progress { rows: judged.rows(), ..Progress::default() }, over: Over::Done }
}

/// The account of an import that could not begin.
fn halted(judged: &Judged, why: &str) -> Summary {
    Summary { over: Over::Halted(why.to_owned()), ..nothing_sent(judged) }
}

async fn carry_out(
    ready: &Ready,
    judged: Judged,
    arguments: &ImportArguments,
    mut teller: Teller,
    renew: Option<Renew>,
    stops: &mut Stops,
) -> Exit {
    let preview = judged.preview.clone();
    for note in &preview.notes {
        say::words(&format!("Note: {note}"));
    }
    teller.bar = bar(judged.rows());
    let AtWork { courier, task, mut reports } = ready.go_to_work();
    let orders = Orders::default();
    let options = Options {
        concurrency: arguments.concurrency.into(),
        rate: arguments.rate,
        resend_unknown: arguments.resend_unknown,
    };
    let summary = {
        let tools = Tools {
            journal: ready.journal.clone(),
            courier: courier.clone(),
            origin: ready.origin,
            asked: Arc::default(),
            clock,
            renew,
        };
        let mut told = |told: Told<'_>| teller.tell(&told, &ready.store);
        let mut running = std::pin::pin!(import::run(judged, options, tools, &orders, &mut told));
        loop {
            tokio::select! {
                summary = &mut running => break summary,
                Some(report) = reports.recv() => if let Report::Waiting(words) = report {
                    teller.line(&words);
                },
                () = stops.next() => {
                    if orders.stop.is_cancelled() {
                        orders.cancel.cancel();
                    } else {
                        say::words("Stopping: what is out is waited for. Once more, and it is not.");
                        orders.stop.cancel();
                    }
                }
            }
        }
    };
    teller.bar.finish_and_clear();
    drop(courier);
    let _ = task.await;
    for line in summary.lines() {
        say::words(&line);
    }
    if summary.progress.is_slowed {
        say::words("--rate N sends at most N rows a second from the start.");
    }
    if preview.bad > 0 {
        say::words(&format!("{} left out: bad.", counted(preview.bad, "row", "rows")));
    }
    teller.sum(&preview, &summary, None);
    let exit = exit_of(&summary);
    // Whoever wanted an account of it may have none.
    if exit == Exit::Done && teller.lost.load(Ordering::Relaxed) { Exit::NotSent } else { exit }
}

/// The gravest wins; whoever stopped it knows the rest.
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

/// Shown on a terminal only.
fn bar(rows: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(rows), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

impl Teller {
    fn tell(&self, told: &Told<'_>, store: &StoreUrl) {
        match told {
            Told::Progress(progress) => self.show(progress),
            Told::Row(end) => self.row(end),
            Told::Skipped(row, decision) => self.skipped(row, *decision),
            Told::TokenRenewed => self.line(&format!(
                "{store} rejected the token (401); its token command gave another, and the import goes on."
            )),
        }
    }

    /// What became of a row: for people where it is not as it should be, for programs always.
    fn row(&self, end: &RowEnd<'_>) {
        let RowEnd { line, exchange, recorded, mismatches, unresolved } = end;
        let outcome = exchange.outcome();
        let is_kept = recorded.is_ok() || is_not_recorded(exchange);
        if outcome != Outcome::Accepted || !mismatches.is_empty() || !is_kept {
            let mut words = vec![format!("line {line}: {}", sentence::told(exchange, None))];
            words.extend(mismatches.iter().map(|difference| format!("Mismatch: {difference}.")));
            if let (Some(unresolved), Outcome::Rejected | Outcome::NotSent) = (unresolved, outcome) {
                words.push(format!("{} It stays unknown.", sentence::explained_by(exchange, unresolved)));
            }
            if let (Err(why), false) = (recorded, is_kept) {
                words.push(format!("The journal could not keep this response: {why}."));
            }
            self.line(&words.join(" "));
        }
        if self.json {
            let told = told::tell(exchange, None, None).with_recorded(is_kept);
            self.result(&ToldRow { line: *line, exchange: told, unresolved: unresolved.is_some() });
        }
    }

    /// A row that is not sent, and that one should know of: as if its end had been told at once.
    fn skipped(&self, row: &ImportRow, decision: Decision) {
        let (outcome, why) = match decision {
            Decision::Send | Decision::Resend | Decision::Stored => return,
            Decision::Differs => (Outcome::NotSent, "is not sent: another name or tag is stored at that id"),
            Decision::Busy => (Outcome::NotSent, "is not sent: it is being added or deleted at this moment"),
            Decision::Unknown => {
                (Outcome::Unknown, "is not sent: it is unknown from before; --resend-unknown sends it again")
            }
        };
        let message = format!("{} {why}.", sentence::called(row.plant.id, Some(&row.plant.name)));
        self.line(&format!("line {}: {message}", row.line));
        if self.json {
            let exchange = ToldExchange::unsent("add", outcome, ToldPlant::of(&row.plant), message);
            self.result(&ToldRow { line: row.line, exchange, unresolved: false });
        }
    }

    /// A line for programs; once one is lost there is no use in more.
    fn result(&self, value: &impl Serialize) {
        if !self.lost.load(Ordering::Relaxed) && !say::json(value) {
            self.lost.store(true, Ordering::Relaxed);
        }
    }

    fn line(&self, words: &str) {
        self.bar.suspend(|| say::words(words));
    }

    fn show(&self, progress: &Progress) {
        let outcomes = progress.outcomes;
        let mut words = vec![format!("{} of {}", grouped(progress.done()), grouped(progress.rows))];
        for (count, what) in
            [(outcomes.rejected, "rejected"), (outcomes.unknown, "unknown"), (outcomes.not_sent, "not sent")]
        {
            words.extend((count > 0).then(|| format!("{} {what}", grouped(count))));
        }
        if let Some(pause) = progress.pause {
            words.push(format!("the store asks to wait {}", about(pause)));
        } else if let Some(left) = progress.time_left() {
            words.push(rate(progress.per_second()));
            words.push(format!("{} left", about(left)));
        }
        self.bar.set_position(progress.done());
        self.bar.set_message(words.join(" · "));
    }

    /// The last line of `--json`.
    fn sum(&self, preview: &Preview, summary: &Summary, to_send: Option<u64>) {
        if !self.json {
            return;
        }
        let Summary { progress, over } = summary;
        let skipped = progress.skipped;
        let halted = match over {
            Over::Halted(why) => Some(why.as_str()),
            Over::Done | Over::Stopped => None,
        };
        let summary = ToldCounts {
            file: &self.file,
            format: preview.format.name(),
            rows: progress.rows + preview.bad,
            bad: preview.bad,
            to_send,
            accepted: progress.outcomes.accepted,
            rejected: progress.outcomes.rejected,
            unknown: progress.outcomes.unknown,
            not_sent: progress.outcomes.not_sent,
            already_stored: skipped.stored,
            differs: skipped.differs,
            unknown_before: skipped.unknown,
            busy: skipped.busy,
            left: progress.left(),
            resent: progress.resent,
            unresolved: progress.unresolved,
            dry_run: to_send.is_some(),
            interrupted: *over == Over::Stopped,
            halted,
            elapsed_ms: told::in_millis(progress.elapsed),
        };
        self.result(&ToldSummary { summary });
    }
}
