//! `plants history`: prints the requests, newest first, with filters.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use color_eyre::eyre::{self, OptionExt as _, bail};
use jiff::tz::TimeZone;
use ratatui::text::{Line, Span};
use serde::Serialize;
use tracing::instrument;

use super::clock;
use super::error::{Exit, Failure, OrExit as _};
use super::json::{Operation, PhasesInMillis};
use super::open::Ready;
use super::possible_values::one_of;
use super::table::{self, Column, GAP, LEAST, joined};
use super::terminal_output::Terminal;
use crate::config::Settings;
use crate::domain::filter::{self, Condition, Filter, List, Test};
use crate::domain::sentence::{span, subject};
use crate::domain::{Outcome, PlantId, StoreUrl, curl};
use crate::journal::{HistoryLine, Pages, Search, StoredExchange};
use crate::runtime::report;
use crate::text::caseless::caseless;
use crate::text::columns::{fitting, longest};
use crate::text::push_json;
use crate::tui::render::request_table::{self, RequestTexts, heading_widths, headings};

const COLUMNS: [Column; 7] = [
    Column::Right(8),
    Column::Left(19),
    Column::Left(9),
    Column::Left(8),
    Column::Left(6),
    Column::Right(7),
    Column::Rest,
];

/// The heading of the numbers.
const ENTRY: &str = "ENTRY";

#[derive(Debug, Args)]
pub(super) struct HistoryArguments {
    /// Only requests that match this filter, like `tag:desert outcome:unknown`; requests of contract checks are listed
    /// only if it asks for them: check, id:7
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
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
    #[arg(long, value_parser = status)]
    status: Option<RangeInclusive<u16>>,
    /// Only requests with this outcome; may be given several times
    #[arg(long, value_parser = one_of(Outcome::ALL, Outcome::code))]
    outcome: Vec<Outcome>,
    /// Print curl commands for sh, bash, zsh or fish that send the same bytes, or a report to share
    #[arg(long = "as", value_enum)]
    shape: Option<Shape>,
    /// Print the newest COUNT requests only
    #[arg(long, value_name = "COUNT")]
    limit: Option<NonZeroUsize>,
    /// Wait for all entries of the team; without them print nothing, and exit with 3
    #[arg(long)]
    complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shape {
    /// A shell script, which takes the token from `$PLANTS_TOKEN`
    Curl,
    /// Markdown, with credentials masked
    Markdown,
}

impl HistoryArguments {
    fn filter(&self) -> eyre::Result<Filter> {
        let part = |text: &String| caseless(text);
        let (Filter { mut all }, fault) = List::Requests.parse(&self.query.join(" "));
        if let Some(fault) = fault {
            bail!(Failure::usage(format!("the filter is invalid: {fault}")));
        }
        all.extend(self.plant.as_ref().map(|name| Test::Name(part(name)).into()));
        all.extend(self.tag.as_ref().map(|tag| Test::Tag(part(tag)).into()));
        all.extend(self.id.map(|id| Test::Id(id).into()));
        all.extend(self.status.clone().map(|status| Test::Status(status).into()));
        if !self.outcome.is_empty() {
            let any = self.outcome.iter().copied().map(Test::Outcome).collect();
            all.push(Condition { any, negated: false });
        }
        Ok(Filter { all }.without_unasked_checks())
    }
}

fn status(typed: &str) -> eyre::Result<RangeInclusive<u16>> {
    filter::status(typed).ok_or_eyre("write a status from 100 to 999, or a class like 4xx")
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
            number: stored.number,
            started: exchange.started.in_utc(),
            operation: Operation::new(exchange, stored.name(), tag),
            phases_ms: PhasesInMillis::from(&exchange.phases),
        }
    }
}

#[instrument(name = "history", skip_all)]
pub(super) async fn run(
    settings: Settings,
    arguments: HistoryArguments,
    json: bool,
    terminal: Option<Terminal>,
) -> eyre::Result<Exit> {
    if json && arguments.shape.is_some() {
        bail!(Failure::usage("--json and --as contradict each other: leave one of them out"));
    }
    let mut ready = Ready::open_to_read(&settings, arguments.complete).await?;
    let printed = print(&ready, &arguments, json, terminal.as_ref()).await;
    ready.close().await;
    printed.map(|_| Exit::Done)
}

async fn print(
    ready: &Ready,
    arguments: &HistoryArguments,
    json: bool,
    terminal: Option<&Terminal>,
) -> eyre::Result<bool> {
    let limit = arguments.limit.map_or(usize::MAX, NonZeroUsize::get);
    let filter = arguments.filter()?;
    let is_whole = filter == Filter::default().without_unasked_checks();
    let search = Search::from(filter);
    let which = if is_whole { "has no requests but those of checks" } else { "has no matching requests" };
    let nothing = format!("The history of {} {which}.", ready.store);
    let mut pages = Pages::of(&ready.journal, &search, limit);
    // Scripts and reports are copied rather than read.
    if let Some(terminal) = terminal.filter(|_| arguments.shape.is_none()) {
        return table::show(terminal, async || pages.next().await, in_columns(terminal), &nothing).await;
    }
    if json {
        let push = |text: &mut Vec<u8>, stored: &StoredExchange| push_json(text, &Entry::from(stored));
        return table::print_json(async || pages.next().await, push, &nothing).await;
    }
    let (heading, mut pages) = match arguments.shape {
        None => {
            let headings = [ENTRY, "STARTED", "OPERATION", "OUTCOME", "STATUS", "TIME", "PLANT"];
            (table::row(COLUMNS, headings), pages)
        }
        Some(Shape::Curl) => {
            (format!("# Sent to {}. The journal does not record what curl sends.", ready.store), pages)
        }
        Some(Shape::Markdown) => report::head(pages, &ready.store).await.or_exit(Exit::NotSent)?,
    };
    let (zone, mut number) = (clock::local_zone(), 0);
    let lines = |stored: &StoredExchange| match arguments.shape {
        None => line(stored, &zone),
        Some(Shape::Curl) => as_curl(stored, &ready.store),
        Some(Shape::Markdown) => {
            number += 1;
            report::entry(number, stored)
        }
    };
    table::print(heading.trim_end(), async || pages.next().await, lines, &nothing).await
}

/// Renders pages for a terminal: the columns of the History tab behind the number of each entry, which `plants add
/// --from` takes. A later page with longer texts widens the columns.
fn in_columns(terminal: &Terminal) -> impl FnMut(&[StoredExchange]) -> (Line<'static>, Vec<Line<'static>>) {
    let (zone, now, theme) = (clock::local_zone(), clock::now(), &terminal.theme);
    let room = terminal.columns.max(LEAST);
    let (mut numbers, mut needed) = (ENTRY.len(), heading_widths(None, 0));
    move |entries| {
        let lines: Vec<_> = entries.iter().map(HistoryLine::from).collect();
        let texts: Vec<_> = lines.iter().map(|line| RequestTexts::of(line, "", now, &zone)).collect();
        let number = |line: &HistoryLine| format!("#{}", line.number);
        numbers = lines.iter().map(|line| number(line).len()).fold(numbers, usize::max);
        needed = longest(texts.iter().map(|texts| texts.widths(room)).chain([needed]));
        let widths = fitting(request_table::columns(needed), GAP, room.saturating_sub(numbers + GAP));
        let row = |number: &str, cells: [Span<'static>; 7]| {
            let number = Span::styled(format!("{number:>numbers$}"), theme.dim);
            joined([(number, numbers)].into_iter().chain(cells.into_iter().zip(widths)))
        };
        let headings = headings(widths, None).map(|heading| Span::styled(heading, theme.dim));
        let drawn = lines.iter().zip(&texts).map(|(line, texts)| row(&number(line), texts.cells(widths, theme)));
        (row(ENTRY, headings), drawn.collect())
    }
}

/// Renders a curl command below a comment that names the operation, its outcome, and what sending it again does.
fn as_curl(stored: &StoredExchange, store: &StoreUrl) -> String {
    let exchange = &stored.exchange;
    let what = exchange.operation.kind.word();
    // Quoted: some interactive shells do not know comments.
    let plant = curl::quoted(&subject(&exchange.operation.kind, stored.name()));
    let about = format!("\n# #{}: {what} {plant}, {}.", stored.number, exchange.outcome().word());
    match curl::command(exchange, store) {
        Ok(command) => format!("{about} {}\n{command}", curl::caution(exchange.outcome())),
        Err(none) => format!("{about} No curl command: {none}."),
    }
}

fn line(stored: &StoredExchange, zone: &TimeZone) -> String {
    let exchange = &stored.exchange;
    let dash = || "-".to_owned();
    let cells = [
        &format!("#{}", stored.number),
        &clock::shown(exchange.started, zone),
        exchange.operation.kind.word(),
        exchange.outcome().word(),
        &exchange.status().map_or_else(dash, |status| status.to_string()),
        &if exchange.elapsed.is_zero() { dash() } else { span(exchange.elapsed) },
        &subject(&exchange.operation.kind, stored.name()),
    ];
    table::row(COLUMNS, cells)
}
