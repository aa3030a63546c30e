//! `plants history`: prints the requests, newest first, with filters.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use color_eyre::eyre::{self, bail};
use jiff::tz::TimeZone;
use serde::Serialize;
use tracing::instrument;

use super::clock;
use super::error::{Exit, Failure, OrExit as _};
use super::json::{Operation, PhasesInMillis};
use super::open::Ready;
use super::possible_values::one_of;
use super::table::{self, Column};
use crate::config::Settings;
use crate::domain::sentence::{span, subject};
use crate::domain::text::json_text;
use crate::domain::{Outcome, PlantId, StoreUrl, curl};
use crate::journal::{Pages, Search, StoredExchange};
use crate::runtime::report;

const COLUMNS: [Column; 7] = [
    Column::Right(8),
    Column::Left(19),
    Column::Left(9),
    Column::Left(8),
    Column::Left(6),
    Column::Right(7),
    Column::Rest,
];

#[derive(Debug, Args)]
pub(super) struct HistoryArguments {
    /// Only plants whose name contains this text, in any case
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    plant: Option<String>,
    /// Only the plant with this id
    #[arg(long, allow_negative_numbers = true)]
    id: Option<PlantId>,
    /// Only plants whose tag contains this text, in any case
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    tag: Option<String>,
    /// Only responses with this status or of this class, like 404 or 4xx
    #[arg(long, value_parser = read_status)]
    status: Option<RangeInclusive<u16>>,
    /// Only requests with this outcome; may be given several times
    #[arg(long, value_parser = one_of(Outcome::ALL, Outcome::code))]
    outcome: Vec<Outcome>,
    /// Print curl commands that send the same bytes, or a report to share
    #[arg(long = "as", value_enum)]
    shape: Option<Shape>,
    /// Print the newest COUNT requests only
    #[arg(long, value_name = "COUNT")]
    limit: Option<NonZeroUsize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shape {
    /// A shell script, which takes the token from `$PLANTS_TOKEN`
    Curl,
    /// Markdown, with credentials masked
    Markdown,
}

fn read_status(typed: &str) -> eyre::Result<RangeInclusive<u16>> {
    let lower = typed.to_lowercase();
    let class =
        lower.strip_suffix("xx").and_then(|first| first.parse::<u16>().ok()).filter(|first| (1..=9).contains(first));
    if let Some(first) = class {
        return Ok(first * 100..=first * 100 + 99);
    }
    match typed.parse() {
        Ok(status @ 100..=999) => Ok(status..=status),
        Ok(_) | Err(_) => bail!("a status is a number from 100 to 999, or a class like 4xx"),
    }
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    number: i64,
    started: Option<String>,
    #[serde(flatten)]
    operation: Operation<'a>,
    phases_ms: PhasesInMillis,
}

impl<'a> From<&'a StoredExchange> for Entry<'a> {
    fn from(stored: &'a StoredExchange) -> Self {
        let (exchange, tag) = (&stored.exchange, stored.called.as_ref().map(|called| called.tag.as_str()));
        Self {
            number: stored.place,
            started: exchange.started.in_utc(),
            operation: Operation::new(exchange, stored.name(), tag),
            phases_ms: PhasesInMillis::from(&exchange.phases),
        }
    }
}

#[instrument(name = "history", skip_all)]
pub(super) async fn run(settings: Settings, arguments: HistoryArguments, json: bool) -> eyre::Result<Exit> {
    if json && arguments.shape.is_some() {
        bail!(Failure::usage("--json and --as contradict each other: leave one of them out"));
    }
    let ready = Ready::open_to_read(&settings).await?;
    let printed = print(&ready, arguments, json).await;
    ready.journal.close().await;
    printed.map(|_| Exit::Done)
}

async fn print(ready: &Ready, arguments: HistoryArguments, json: bool) -> eyre::Result<bool> {
    let limit = arguments.limit.map_or(usize::MAX, NonZeroUsize::get);
    let search = Search {
        name: arguments.plant,
        tag: arguments.tag,
        id: arguments.id,
        status: arguments.status,
        outcomes: arguments.outcome,
        ..Search::default()
    };
    let which = if search == Search::default() { "has no requests" } else { "has no matching requests" };
    let nothing = format!("The history of {} {which}.", ready.store);
    let pages = Pages::of(&ready.journal, &search, limit);
    let (heading, mut pages) = match arguments.shape {
        None => {
            let headings = ["ENTRY", "STARTED", "OPERATION", "OUTCOME", "STATUS", "TIME", "PLANT"];
            (table::row(COLUMNS, headings), pages)
        }
        Some(Shape::Curl) => {
            (format!("# Sent to {}. The journal does not record what curl sends.", ready.store), pages)
        }
        Some(Shape::Markdown) => report::head(pages, &ready.store).await.or_exit(Exit::NotSent)?,
    };
    let (zone, mut number) = (clock::local_zone(), 0);
    let text = |stored: &StoredExchange| match arguments.shape {
        None if json => json_text(&Entry::from(stored)),
        None => Ok(line(stored, &zone)),
        Some(Shape::Curl) => Ok(as_curl(stored, &ready.store)),
        Some(Shape::Markdown) => {
            number += 1;
            Ok(report::entry(number, stored))
        }
    };
    table::print(json, heading.trim_end(), async || pages.next().await, text, &nothing).await
}

/// Renders a curl command below a comment that names the operation, its outcome, and what sending it again does.
fn as_curl(stored: &StoredExchange, store: &StoreUrl) -> String {
    let exchange = &stored.exchange;
    let what = exchange.operation.kind.word();
    // Quoted: some interactive shells do not know comments.
    let plant = curl::quoted(&subject(&exchange.operation.kind, stored.name()));
    let about = format!("\n# #{}: {what} {plant}, {}.", stored.place, exchange.outcome().word());
    match curl::command(exchange, store) {
        Ok(command) => format!("{about} {}\n{command}", curl::caution(exchange.outcome())),
        Err(none) => format!("{about} No curl command: {none}."),
    }
}

fn line(stored: &StoredExchange, zone: &TimeZone) -> String {
    let exchange = &stored.exchange;
    let dash = || "-".to_owned();
    let cells = [
        &format!("#{}", stored.place),
        &clock::shown(exchange.started, zone),
        exchange.operation.kind.word(),
        exchange.outcome().word(),
        &exchange.status().map_or_else(dash, |status| status.to_string()),
        &if exchange.elapsed.is_zero() { dash() } else { span(exchange.elapsed) },
        &subject(&exchange.operation.kind, stored.name()),
    ];
    table::row(COLUMNS, cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_number_or_a_class() {
        assert_eq!(read_status("404").unwrap(), 404..=404);
        assert_eq!(read_status("4xx").unwrap(), 400..=499);
        for wrong in ["", "xx", "0xx", "44xx", "-4xx", "99", "1000", "ok"] {
            assert!(read_status(wrong).is_err(), "{wrong}");
        }
    }
}
