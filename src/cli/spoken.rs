//! The lists as plain mode says them: one sentence a row, a screenful at a time where a person reads it.

use color_eyre::eyre;
use jiff::tz::TimeZone;

use super::console::Console;
use super::error::Exit;
use super::open::Ready;
use super::{clock, print};
use crate::domain::sentence::{self, row_called};
use crate::domain::{Row, wire};
use crate::journal::{Anchor, Arrangement, Pages, PlantPages, Search, StoredExchange, Tally, WindowRequest};
use crate::text::number_format::{counted, grouped};
use crate::text::{clean, clean_lines};

/// Rows after which a person is asked whether to go on.
const SCREENFUL: usize = 20;
/// Rows that a script gets at a time.
const PAGE: usize = 1000;
/// Bytes of a body that are printed.
const MAX_BODY: usize = 4096;

/// Says how many plants there are, and each of them.
pub(super) async fn list(
    ready: &Ready,
    console: &mut Console,
    arrangement: Arrangement,
    limit: usize,
) -> eyre::Result<Exit> {
    let is_filtered = !arrangement.filter.is_empty();
    let counted_only = WindowRequest { anchor: Anchor::Top, rows: 0, arrangement: arrangement.clone() };
    let window = ready.journal.window(counted_only).await?;
    let all = tally(window.tally);
    print::sentence(match (is_filtered, window.tally.total()) {
        (_, 0) => "The list is empty. add adds a plant.".to_owned(),
        (false, _) => format!("{all}."),
        (true, _) => format!("Matching: {}. The list has {all}.", counted(window.total as u64, "plant", "plants")),
    });
    let mut plants = PlantPages::of(&ready.journal, arrangement, limit);
    let (mut said, total) = (0, window.total.min(limit));
    let page = if console.has_person { SCREENFUL } else { PAGE };
    loop {
        let rows = plants.next(page).await?;
        for row in &rows {
            print::sentence(plant(row));
        }
        said += rows.len();
        if rows.is_empty() || said >= total || !goes_on(console, (total - said) as u64).await? {
            return Ok(Exit::Done);
        }
    }
}

/// Says what the history has, newest first.
pub(super) async fn history(
    ready: &Ready,
    console: &mut Console,
    search: &Search,
    limit: usize,
    nothing: &str,
) -> eyre::Result<Exit> {
    let zone = clock::local_zone();
    let mut pages = Pages::of(&ready.journal, search, limit);
    let mut count = 0;
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            break;
        }
        for stored in page {
            let is_full = console.has_person && count > 0 && count % SCREENFUL == 0;
            if is_full && !console.confirm("More follow. Go on?", true, "").await? {
                return Ok(Exit::Done);
            }
            print::sentence(entry(&stored, &zone));
            count += 1;
        }
    }
    if count == 0 {
        print::sentence(nothing);
    }
    Ok(Exit::Done)
}

/// Renders a request and its response as they were on the wire, line by line.
pub(super) fn request(stored: &StoredExchange, zone: &TimeZone) -> Vec<String> {
    let mut lines = vec![entry(stored, zone)];
    let exchange = &stored.exchange;
    match &exchange.request {
        None => lines.push("No request is stored.".to_owned()),
        Some(request) => {
            lines.extend(["Request:".to_owned(), wire::request_line(request)]);
            lines.extend(request.headers.iter().map(wire::masked_header_line));
            lines.extend(body_lines(request.body.as_deref().unwrap_or_default().as_bytes()));
        }
    }
    match exchange.response() {
        None => lines.push("No response came.".to_owned()),
        Some(response) => {
            lines.extend(["Response:".to_owned(), wire::status_line_text(response)]);
            lines.extend(response.headers.iter().map(wire::masked_header_line));
            lines.extend(body_lines(&response.body));
        }
    }
    lines
}

/// Asks whether to go on; a script reads all.
async fn goes_on(console: &mut Console, left: u64) -> eyre::Result<bool> {
    if !console.has_person {
        return Ok(true);
    }
    console.confirm(&format!("{} more follow. Go on?", grouped(left)), true, "").await
}

fn plant(row: &Row) -> String {
    let tag = match row.tag() {
        None => String::new(),
        Some("") => ", no tag".to_owned(),
        Some(tag) => format!(", tag {}", clean(tag)),
    };
    let author = row.author.as_ref().map(|author| format!(", by {}", clean(author.name()))).unwrap_or_default();
    format!("{}{tag}: {}{author}.", row_called(row), row.state.word())
}

/// Renders the number of a request, its time, and what came of it.
pub(super) fn entry(stored: &StoredExchange, zone: &TimeZone) -> String {
    let exchange = &stored.exchange;
    let (time, outcome) = (clock::shown(exchange.started, zone), exchange.outcome().word());
    format!("#{}, {time}, {outcome}: {}", stored.number, sentence::describe(exchange, stored.name()))
}

fn body_lines(body: &[u8]) -> Vec<String> {
    if body.is_empty() {
        return vec!["No body.".to_owned()];
    }
    let shown = body.get(..MAX_BODY).unwrap_or(body);
    let mut lines = vec![format!("Body, {} bytes:", body.len()), clean_lines(shown)];
    if shown.len() < body.len() {
        lines.push(format!("Cut: the first {MAX_BODY} bytes of the body are shown."));
    }
    lines
}

/// Counts the plants in each state.
pub(super) fn tally(tally: Tally) -> String {
    let states = [
        (tally.stored, "stored"),
        (tally.unknown, "unknown"),
        (tally.adding, "being added"),
        (tally.deleting, "being deleted"),
    ];
    let states: Vec<_> =
        states.into_iter().filter(|(count, _)| *count > 0).map(|(count, state)| format!("{count} {state}")).collect();
    let total = counted(tally.total() as u64, "plant", "plants");
    if states.is_empty() { total } else { format!("{total}: {}", states.join(", ")) }
}
