//! `plants history`: the exchanges, newest first, searched; and `plants trim`, which lets request
//! and answer of old ones go.

use std::cell::Cell;
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::time::Duration;

use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::open::{Ready, TokenNeed, clock, failed};
use super::operate::read_id;
use super::pages::Stopped;
use super::told::{Told, ToldPhases, tell};
use super::{Exit, ask, pages, say, zone};
use crate::config::Settings;
use crate::demo::Weather;
use crate::domain::sentence::{span, subject};
use crate::domain::{Outcome, PlantId, StoreUrl, Timestamp, curl};
use crate::journal::{JournalError, Kept, Pages, Search};
use crate::runtime::report;

/// `plants history`
#[derive(Debug, Args)]
pub struct HistoryArguments {
    /// Only plants with this in their name, in any case
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub plant: Option<String>,
    /// Only the plant with this id
    #[arg(long, value_parser = read_id, allow_negative_numbers = true)]
    pub id: Option<PlantId>,
    /// Only plants with this in their tag, in any case
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub tag: Option<String>,
    /// Only answers with this status, or of this class: 404, or 4xx
    #[arg(long, value_parser = read_status)]
    pub status: Option<RangeInclusive<u16>>,
    /// Only exchanges that ended so; may be given several times
    #[arg(long, value_enum)]
    pub outcome: Vec<OutcomeChoice>,
    /// Print them as curl commands that send the same bytes, or as a report to share
    #[arg(long = "as", value_enum)]
    pub shape: Option<Shape>,
    /// The newest so many of them
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<NonZeroUsize>,
}

/// In which shape exchanges are printed, other than as a table or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// A shell script; `$PLANTS_TOKEN` stands for the token
    Curl,
    /// Markdown, with credentials masked
    Markdown,
}

/// An outcome as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the outcome of its name")]
pub enum OutcomeChoice {
    Accepted,
    Rejected,
    Unknown,
    NotSent,
}

impl From<OutcomeChoice> for Outcome {
    fn from(choice: OutcomeChoice) -> Self {
        match choice {
            OutcomeChoice::Accepted => Self::Accepted,
            OutcomeChoice::Rejected => Self::Rejected,
            OutcomeChoice::Unknown => Self::Unknown,
            OutcomeChoice::NotSent => Self::NotSent,
        }
    }
}

/// `plants trim`
#[derive(Debug, Args)]
pub struct TrimArguments {
    /// How old an exchange must be to go, like 90d, 6months or 1y
    #[arg(long, value_name = "AGE", value_parser = read_age)]
    pub older_than: Duration,
    /// Only say how many would go
    #[arg(long)]
    pub dry_run: bool,
    /// Trim without asking
    #[arg(long, short)]
    pub yes: bool,
}

fn read_status(typed: &str) -> Result<RangeInclusive<u16>, String> {
    let lower = typed.to_lowercase();
    let class =
        lower.strip_suffix("xx").and_then(|first| first.parse::<u16>().ok()).filter(|first| (1..=9).contains(first));
    if let Some(first) = class {
        return Ok(first * 100..=first * 100 + 99);
    }
    match typed.parse() {
        Ok(status @ 100..=999) => Ok(status..=status),
        Ok(_) | Err(_) => Err("a status is a number from 100 to 999, or a class like 4xx".to_owned()),
    }
}

/// At least a day: whoever writes `1m` means a month and not a minute.
fn read_age(typed: &str) -> Result<Duration, String> {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    humantime::parse_duration(typed)
        .ok()
        .filter(|age| *age >= DAY)
        .ok_or_else(|| "write 90d, 6months or 1y; a day is the least".to_owned())
}

/// An exchange of the history as `--json` prints it.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    place: i64,
    started: Option<String>,
    #[serde(flatten)]
    told: Told<'a>,
    phases_ms: ToldPhases,
}

/// `plants history`
pub(super) async fn run(settings: Settings, arguments: HistoryArguments, json: bool) -> Exit {
    if json && arguments.shape.is_some() {
        return failed(Exit::Usage, "--json and --as exclude each other: choose one");
    }
    let ready = match Ready::open_to_read(&settings).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    ready.tell_what_was_found();
    let limit = arguments.limit.map_or(usize::MAX, NonZeroUsize::get);
    let search = Search {
        name: arguments.plant,
        tag: arguments.tag,
        id: arguments.id,
        status: arguments.status,
        outcomes: arguments.outcome.into_iter().map(Outcome::from).collect(),
        ..Search::default()
    };
    let fits = if search == Search::default() { "" } else { " that fit" };
    let nothing = format!("No exchanges with {}{fits} are kept here.", ready.store);
    let printed = match arguments.shape {
        Some(shape) => print_as(shape, &ready, &search, limit).await,
        None => print(json, &ready, &search, limit).await,
    };
    let exit = pages::exit(printed, &nothing);
    ready.journal.close().await;
    exit
}

/// The next page of what is printed.
async fn next(pages: &mut Pages<'_>) -> Result<Vec<Kept>, String> {
    pages.next().await.map_err(|why| why.to_string())
}

async fn print(json: bool, ready: &Ready, search: &Search, limit: usize) -> Result<usize, Stopped> {
    let zone = zone::local();
    let heading = format!(
        "{:>8}  {:<19}  {:<6}  {:<8}  {:<6}  {:>7}  PLANT",
        "PLACE", "WHEN", "WHAT", "OUTCOME", "STATUS", "TIME"
    );
    let text = |kept: &Kept| if json { say::json_text(&entry(kept)) } else { Ok(line(kept, &zone)) };
    let mut found = Pages::of(&ready.journal, search, limit);
    pages::print(json, &heading, async || next(&mut found).await, text).await
}

async fn print_as(shape: Shape, ready: &Ready, search: &Search, limit: usize) -> Result<usize, Stopped> {
    let mut found = Pages::of(&ready.journal, search, limit);
    match shape {
        Shape::Curl => {
            let heading = format!("# Sent to {}; the journal learns nothing of what curl sends.", ready.store);
            pages::print(false, &heading, async || next(&mut found).await, |kept| Ok(as_curl(kept, &ready.store))).await
        }
        Shape::Markdown => {
            let headed = report::headed(found, &ready.store).await;
            let (heading, mut found) = headed.map_err(|why| Stopped::Failed(why.to_string()))?;
            let number = Cell::new(0);
            let text = |kept: &Kept| {
                number.set(number.get() + 1);
                Ok(report::entry(number.get(), kept))
            };
            pages::print(false, heading.trim_end(), async || next(&mut found).await, text).await
        }
    }
}

/// A command below a line that says what it is about, and what running it would do.
fn as_curl(kept: &Kept, store: &StoreUrl) -> String {
    let exchange = &kept.exchange;
    let what = exchange.operation.ask.word();
    let plant = subject(&exchange.operation.ask, kept.name());
    // In quotes: to some shells a line that is typed is never a comment.
    let about = format!("\n# {}: {what} {}, {}.", kept.place, curl::quoted(&plant), exchange.outcome().word());
    match curl::command(exchange, store) {
        Ok(command) => format!("{about} {}\n{command}", curl::caution(exchange.outcome())),
        Err(none) => format!("{about} No curl command: {}.", none.why()),
    }
}

fn entry(kept: &Kept) -> Entry<'_> {
    let tag = kept.called.as_ref().map(|called| called.tag.as_str());
    let exchange = &kept.exchange;
    Entry {
        place: kept.place,
        started: exchange.started.in_utc(),
        told: tell(exchange, kept.name(), tag),
        phases_ms: ToldPhases::from(&exchange.phases),
    }
}

fn line(kept: &Kept, zone: &TimeZone) -> String {
    let exchange = &kept.exchange;
    let when = zone::shown(exchange.started, zone);
    let status = exchange.status().map_or_else(|| "-".to_owned(), |status| status.to_string());
    let (what, outcome) = (exchange.operation.ask.word(), exchange.outcome().word());
    let plant = subject(&exchange.operation.ask, kept.name());
    format!(
        "{:>8}  {when:<19}  {what:<6}  {outcome:<8}  {status:<6}  {:>7}  {plant}",
        kept.place,
        if exchange.elapsed.is_zero() { "-".to_owned() } else { span(exchange.elapsed) }
    )
}

/// What `--json` prints of a trimming.
#[derive(Debug, Serialize)]
struct Trimmed {
    exchanges: usize,
    older_than: Option<String>,
    dry_run: bool,
}

/// `plants trim`
pub(super) async fn trim(settings: Settings, arguments: TrimArguments, json: bool) -> Exit {
    let on_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !arguments.yes && !arguments.dry_run && !on_terminal {
        let why = "nobody is there to be asked: add --yes to trim without asking, or --dry-run to count only";
        return failed(Exit::Usage, why);
    }
    let ready = match Ready::open(&settings, TokenNeed::Never, Weather::default()).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    ready.tell_what_was_found();
    let age = i64::try_from(arguments.older_than.as_millis()).unwrap_or(i64::MAX);
    let older_than = Timestamp(clock().0.saturating_sub(age));
    let exit = match trim_at(&ready, older_than, &arguments).await {
        Ok(exchanges) => {
            if json {
                say::json(&Trimmed { exchanges, older_than: older_than.in_utc(), dry_run: arguments.dry_run });
            }
            Exit::Done
        }
        Err(exit) => exit,
    };
    ready.journal.close().await;
    exit
}

/// Asks, unless that is settled, trims, and says what was done.
async fn trim_at(ready: &Ready, older_than: Timestamp, arguments: &TrimArguments) -> Result<usize, Exit> {
    let failed = |why: JournalError| failed(Exit::NotSent, &why.to_string());
    let count = ready.journal.trim(older_than, true).await.map_err(failed)?;
    let what = format!("request and answer of exchanges with {}, counted: {count}", ready.store);
    if arguments.dry_run || count == 0 {
        say::words(&format!("Would be let go: {what}."));
        return Ok(count);
    }
    if !arguments.yes && !ask::yes(&format!("Let go for good: {what}?")).await? {
        say::words("Nothing was trimmed.");
        return Ok(0);
    }
    let count = ready.journal.trim(older_than, false).await.map_err(failed)?;
    say::words(&format!(
        "Let go: request and answer of exchanges with {}, counted: {count}. What was asked, when and how it ended stays.",
        ready.store
    ));
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_number_or_a_class() {
        assert_eq!(read_status("404"), Ok(404..=404));
        assert_eq!(read_status("4xx"), Ok(400..=499));
        for wrong in ["", "xx", "0xx", "44xx", "-4xx", "99", "1000", "ok"] {
            assert!(read_status(wrong).is_err(), "{wrong}");
        }
    }
}
