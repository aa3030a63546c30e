//! `plants history`: prints the requests, newest first, with filters; with `--follow` also each one as it ends, until the
//! program is stopped.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use color_eyre::eyre::{self, bail};
use jiff::tz::TimeZone;
use ratatui::text::Span;
use serde::Serialize;
use tracing::instrument;

use super::console::Console;
use super::error::{Exit, Failure, OrExit as _, unwritten};
use super::exchange_json::Messages;
use super::open::Ready;
use super::session::{Opened, Session};
use super::stop::Stops;
use super::table::{self, Lines, Render, Table, WHOLE};
use super::terminal_output::Terminal;
use super::{clock, exchange_text, found, json, print, spoken};
use crate::config::Settings;
use crate::domain::filter::{Filter, List};
use crate::domain::sentence::{no_request, span, subject};
use crate::domain::{StoreUrl, curl, report};
use crate::journal::{HistoryLine, Pages, StoredExchange};
use crate::os::terminal::wait_for_closed_stdout;
use crate::runtime::har;
use crate::runtime::json::Entry;
use crate::runtime::new_file::{Existing, NewFile, Readers};
use crate::text::number_format::counted;
use crate::text::{Marks, json_text, push_json, shown_path};
use crate::tui::render::request_table::{self, REQUESTS};
use crate::tui::render::table::{Cell, Head};
use crate::verbs::{HistoryArguments, ResultFormat, Shape};

/// The column of the numbers.
const ENTRY: Head = Head::right("ENTRY", WHOLE);

const COLUMNS: [Head; 7] = [
    ENTRY,
    Head::left("STARTED", WHOLE),
    Head::left("OPERATION", WHOLE),
    Head::left("OUTCOME", WHOLE),
    Head::left("STATUS", WHOLE),
    Head::right("TIME", WHOLE),
    Head::left("PLANT", WHOLE),
];

#[instrument(name = "history", skip_all)]
pub(super) async fn run(
    session: &mut Session,
    arguments: HistoryArguments,
    format: Option<ResultFormat>,
    terminal: Option<Terminal>,
) -> eyre::Result<Exit> {
    let is_json = matches!(format, Some(ResultFormat::Json | ResultFormat::Ndjson));
    if is_json && arguments.shape.is_some() {
        bail!(Failure::usage("--json and --as contradict each other: leave one of them out"));
    }
    let filter = found::read_query(List::Requests, &arguments.query)?;
    let Opened { ready, console, settings } = session.open_to_read(arguments.complete).await?;
    if let Some(number) = arguments.number() {
        if arguments.har.is_some() || arguments.follow {
            bail!(Failure::usage(
                "--har and --follow take a query, and not the number of an entry: id:7 finds the requests of plant 7"
            ));
        }
        return one(ready, number, arguments.shape, is_json, console, terminal.as_ref()).await;
    }
    let (store, of_checks) = (&ready.store, print::command("history check"));
    let nothing = if filter.is_empty() {
        format!("The history of {store} has no operations. {of_checks} lists those of checks.")
    } else {
        format!("No operation in the history of {store} matches. {of_checks} lists those of checks.")
    };
    let search = filter.without_unasked_checks();
    if let Some(path) = &arguments.har {
        return har(ready, settings, path, (&arguments, is_json), &search).await;
    }
    if arguments.follow && console.is_conversation {
        bail!(Failure::usage("--follow is for a shell: plants history --follow"));
    }
    if arguments.follow {
        let first = arguments.limit.unwrap_or(FIRST);
        let (mut lines, mut has_heading) = (lines(terminal.as_ref()), !arguments.no_heading && !is_json);
        let print = |found: &[StoredExchange]| {
            let (heading, mut lines) = if is_json { json_lines(found) } else { lines(found) };
            if std::mem::take(&mut has_heading) {
                lines.insert(0, heading);
            }
            print::written(print::whole(format!("{}\n", lines.join("\n")).as_bytes()))
        };
        return follow(ready, &search, first, print).await;
    }
    if console.is_conversation && !is_json && arguments.shape.is_none() {
        let limit = arguments.limit.unwrap_or(usize::MAX);
        return spoken::history(ready, console, &search, limit, &nothing).await;
    }
    print(ready, &arguments, &search, format, terminal.as_ref(), &nothing).await.map(|_| Exit::Done)
}

/// Prints one entry: the request and its response as text.
async fn one(
    ready: &Ready,
    number: i64,
    shape: Option<Shape>,
    is_json: bool,
    console: &mut Console,
    terminal: Option<&Terminal>,
) -> eyre::Result<Exit> {
    #[derive(Serialize)]
    struct Whole<'a> {
        #[serde(flatten)]
        entry: Entry<'a>,
        #[serde(flatten)]
        messages: Messages<'a>,
    }
    let found = ready.journal.exchange(number).await.or_exit(Exit::NotSent)?;
    let Some(stored) = found else {
        bail!(Failure::usage(format!("the history of {} has {}", ready.store, no_request(number))));
    };
    let exchange = &stored.exchange;
    if let Some(shape) = shape {
        print::exact(&match shape {
            Shape::Curl => as_curl(&stored, &ready.store).trim_start().to_owned(),
            Shape::Markdown => {
                report::head(&ready.store) + report::entry(1, exchange, stored.called.as_ref()).trim_end()
            }
        })?;
    } else if is_json {
        print::json(&Whole { entry: Entry::from(&stored), messages: Messages::of(exchange) })?;
    } else {
        let lines = match terminal {
            Some(terminal) => {
                exchange_text::styled(exchange, &terminal.theme).iter().map(|line| terminal.text(line)).collect()
            }
            None if console.is_conversation => exchange_text::spoken(exchange, print::marks()),
            // A program reads it.
            None => exchange_text::lines(exchange, Marks::Unicode),
        };
        let text = format!("{}\n{}", spoken::entry(&stored, &clock::local_zone()), lines.join("\n"));
        if console.is_conversation { spoken::text(console, &text).await? } else { print::result(&text)? }
    }
    Ok(Exit::Done)
}

/// Writes the requests as an HTTP Archive, whole or not at all.
async fn har(
    ready: &Ready,
    settings: &Settings,
    path: &Path,
    (arguments, is_json): (&HistoryArguments, bool),
    search: &Filter,
) -> eyre::Result<Exit> {
    let limit = arguments.limit.unwrap_or(usize::MAX);
    // An archive is in the order of time.
    let pages = Pages::of(&ready.journal, search, limit).oldest_first().await.or_exit(Exit::NotSent)?;
    if print::is_stdout(path) {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = har::write(&mut out, pages, &ready.store).await.and_then(|_| Ok(out.flush()?));
        return print::written_from_journal(written).map(|_| Exit::Done);
    }
    let name = shown_path(path);
    let existing = if arguments.force { Existing::Replaced } else { Existing::Kept };
    // It has names, tags and whatever the store said.
    let file = NewFile::begin_regular(path, existing, Readers::Owner, &settings.data_dir);
    let mut file = file.map_err(|why| unwritten(&name, why, Exit::Usage))?;
    let written = har::write(&mut file, pages, &ready.store).await;
    let count = written
        .and_then(|count| Ok(file.end().map(|()| count)?))
        .map_err(|why| unwritten(&name, why, Exit::NotSent))?;
    let requests = counted(count as u64, "request", "requests");
    print::message(format!("Wrote {requests} of {} to {name} (HAR 1.2), with credentials masked.", ready.store));
    let file = path.display().to_string();
    Ok(json::done(is_json, true, || serde_json::json!({ "file": file, "requests": count })))
}

async fn print(
    ready: &Ready,
    arguments: &HistoryArguments,
    search: &Filter,
    format: Option<ResultFormat>,
    terminal: Option<&Terminal>,
    nothing: &str,
) -> eyre::Result<bool> {
    let limit = arguments.limit.unwrap_or(usize::MAX);
    let mut pages = Pages::of(&ready.journal, search, limit);
    if let Some(ResultFormat::Json | ResultFormat::Ndjson) = format {
        let push = |text: &mut Vec<u8>, stored: &StoredExchange| push_json(text, &Entry::from(stored));
        let on_lines = format == Some(ResultFormat::Ndjson);
        return table::print_json(on_lines, async || pages.next().await, push, nothing).await;
    }
    let store = &ready.store;
    let lines: Render<'_, StoredExchange> = match arguments.shape {
        None => lines(terminal),
        Some(Shape::Curl) => {
            // Run as a script, it adds before it deletes.
            pages = pages.oldest_first().await.or_exit(Exit::NotSent)?;
            let head = curl::comment(&format!("Sent to {store}. The journal does not record what curl sends."));
            Box::new(move |found| (head.clone(), found.iter().map(|stored| as_curl(stored, store)).collect()))
        }
        Some(Shape::Markdown) => {
            let mut numbers = 1..;
            Box::new(move |found| {
                let entry = |(number, stored): (_, &StoredExchange)| {
                    report::entry(number, &stored.exchange, stored.called.as_ref())
                };
                let entries = numbers.by_ref().zip(found).map(entry);
                (report::head(store).trim_end().to_owned(), entries.collect())
            })
        }
    };
    // Scripts and reports are copied rather than read.
    let terminal = terminal.filter(|_| arguments.shape.is_none());
    let has_heading = !arguments.no_heading || arguments.shape.is_some();
    table::print(terminal, has_heading, async || pages.next().await, lines, nothing).await
}

fn json_lines(found: &[StoredExchange]) -> Lines {
    let lines = found.iter().map(|stored| json_text(&Entry::from(stored)).unwrap_or_default());
    (String::new(), lines.collect())
}

/// Renders pages: for a terminal in the columns of the History tab behind the number of each entry, which `plants add
/// --from` takes.
fn lines(terminal: Option<&Terminal>) -> Render<'_, StoredExchange> {
    let (now, zone) = (clock::now(), clock::local_zone());
    let Some(terminal) = terminal else {
        let mut table = Table::new(COLUMNS, None);
        return Box::new(move |found| table.lines(found.iter().map(|stored| cells(stored, &zone).map(Cell::from))));
    };
    let [when, what, plant, status, outcome, size, took] = REQUESTS;
    let mut table = Table::new([ENTRY, when, what, plant, status, outcome, size, took], Some(terminal));
    Box::new(move |found| {
        let lines: Vec<_> = found.iter().map(HistoryLine::from).collect();
        table.lines(lines.iter().map(|line| {
            let number = Span::styled(format!("#{}", line.number), terminal.theme.dim).into();
            let [when, what, plant, status, outcome, size, took] =
                request_table::cells(line, now, &zone, &terminal.theme);
            [number, when, what, plant, status, outcome, size, took]
        }))
    })
}

/// Renders a curl command below a comment that names the operation, its outcome, and what sending it again does.
fn as_curl(stored: &StoredExchange, store: &StoreUrl) -> String {
    let exchange = &stored.exchange;
    let what = exchange.operation.kind.word();
    let plant = subject(&exchange.operation.kind, stored.name());
    let about = format!("#{}: {what} {plant}, {}.", stored.number, exchange.outcome().word());
    let (note, command) = match curl::command(exchange, store) {
        Ok(command) => (curl::caution(exchange.outcome()).to_owned(), format!("\n{command}")),
        Err(none) => (format!("No curl command: {none}."), String::new()),
    };
    format!("\n{}{command}", curl::comment(&format!("{about} {note}")))
}

fn cells(stored: &StoredExchange, zone: &TimeZone) -> [String; 7] {
    let exchange = &stored.exchange;
    let dash = || "-".to_owned();
    [
        format!("#{}", stored.number),
        clock::shown(exchange.started, zone),
        exchange.operation.kind.word().to_owned(),
        exchange.outcome().word().to_owned(),
        exchange.status().map_or_else(dash, |status| status.to_string()),
        if exchange.elapsed.is_zero() { dash() } else { span(exchange.elapsed) },
        subject(&exchange.operation.kind, stored.name()),
    ]
}

/// Requests of the past that are printed first, unless another number is given.
const FIRST: usize = 10;

/// Requests whose numbers are remembered: one may end after a newer one.
const REMEMBERED: usize = 1000;

/// Calls `print` with the last `first` requests that match, the oldest first, and with each one that ends from then on.
/// Ends when `print` returns that there is no reader any more.
async fn follow(
    ready: &Ready,
    search: &Filter,
    first: usize,
    mut print: impl FnMut(&[StoredExchange]) -> eyre::Result<bool>,
) -> eyre::Result<Exit> {
    let mut stops = Stops::listen();
    let mut closed = tokio::task::spawn_blocking(wait_for_closed_stdout);
    // Watches before the first look, so that no change is missed.
    let mut changes = ready.journal.changes(clock::now);
    let committed = ready.journal.committed();
    let mut found = newest(ready, search, REMEMBERED.max(first), &BTreeSet::new()).await?;
    let mut seen: BTreeSet<i64> = found.iter().map(|stored| stored.number).collect();
    found.truncate(first);
    loop {
        found.reverse();
        if !found.is_empty() && !print(&found)? {
            return Ok(Exit::Done);
        }
        let own = committed.notified();
        tokio::select! {
            () = stops.next() => return Ok(Exit::Interrupted),
            _ = &mut closed => return Ok(Exit::Done),
            () = changes.next() => {}
            () = own => {}
        }
        found = newest(ready, search, REMEMBERED, &seen).await?;
        // What is older than all that is remembered was there before.
        let oldest = seen.first().copied().filter(|_| seen.len() >= REMEMBERED);
        found.retain(|stored| !seen.contains(&stored.number) && oldest.is_none_or(|oldest| stored.number > oldest));
        seen.extend(found.iter().map(|stored| stored.number));
        while seen.len() > REMEMBERED {
            seen.pop_first();
        }
    }
}

/// Reads at most `most` requests, the newest first, up to a page without one that was not seen.
async fn newest(
    ready: &Ready,
    search: &Filter,
    most: usize,
    seen: &BTreeSet<i64>,
) -> eyre::Result<Vec<StoredExchange>> {
    let mut pages = Pages::of(&ready.journal, search, most);
    let mut all = Vec::new();
    loop {
        let page = pages.next().await.or_exit(Exit::NotSent)?;
        let is_last = page.iter().all(|stored| seen.contains(&stored.number));
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}
