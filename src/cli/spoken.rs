//! The lists as plain mode says them: one sentence a row, a screenful at a time where a person reads it.

use color_eyre::eyre;
use jiff::tz::TimeZone;

use super::console::Console;
use super::error::Exit;
use super::open::Ready;
use super::table::PAGE;
use super::{clock, print};
use crate::domain::filter::Filter;
use crate::domain::sentence::{self, row_called};
use crate::domain::{Authors, Row};
use crate::journal::{Anchor, Arrangement, JournalError, Pages, PlantPages, StoredExchange, Tally, WindowRequest};
use crate::text::clean;
use crate::text::number_format::{counted, grouped};

/// Rows after which a person is asked whether to go on.
const SCREENFUL: usize = 20;

/// Says how many plants there are, and each of them.
pub(super) async fn list(
    ready: &Ready,
    console: &mut Console,
    arrangement: Arrangement,
    limit: usize,
) -> eyre::Result<Exit> {
    let is_filtered = !arrangement.filter.is_empty();
    let counted_only = WindowRequest { anchor: Anchor::Index(0), rows: 0, arrangement: arrangement.clone() };
    let window = ready.journal.window(counted_only).await?;
    let all = tally(window.tally);
    print::sentence(match (is_filtered, window.tally.total()) {
        (_, 0) => "The list is empty. add adds a plant.".to_owned(),
        (false, _) => format!("{all}."),
        (true, _) => format!("Matching: {}. The list has {all}.", counted(window.total as u64, "plant", "plants")),
    });
    let mut plants = PlantPages::of(&ready.journal, arrangement, limit);
    say_each(console, Some(window.total.min(limit)), async || plants.next(PAGE).await, plant).await?;
    Ok(Exit::Done)
}

/// Says what the history has, newest first.
pub(super) async fn history(
    ready: &Ready,
    console: &mut Console,
    search: &Filter,
    limit: usize,
    nothing: &str,
) -> eyre::Result<Exit> {
    let zone = clock::local_zone();
    let mut pages = Pages::of(&ready.journal, search, limit);
    if say_each(console, None, async || pages.next().await, |stored| entry(stored, &zone)).await? == 0 {
        print::sentence(nothing);
    }
    Ok(Exit::Done)
}

/// Says a long text, with a question after each screenful.
pub(super) async fn text(console: &mut Console, text: &str) -> eyre::Result<()> {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let count = lines.len();
    say_each(console, Some(count), async || Ok(std::mem::take(&mut lines)), String::clone).await.map(drop)
}

/// Says the items of all pages, with a question after each screenful; a script gets them all. `total`: their number, if it
/// is known. Returns how many were said.
async fn say_each<Item>(
    console: &mut Console,
    total: Option<usize>,
    mut page: impl AsyncFnMut() -> Result<Vec<Item>, JournalError>,
    sentence: impl Fn(&Item) -> String,
) -> eyre::Result<usize> {
    let mut said = 0;
    loop {
        let items = page().await?;
        if items.is_empty() {
            return Ok(said);
        }
        for item in &items {
            // Another program may have added some since they were counted.
            let left = total.and_then(|total| total.checked_sub(said)).filter(|left| *left > 0);
            let more = || left.map_or("More".to_owned(), |left| format!("{} more", grouped(left as u64)));
            let asks = console.has_person && said > 0 && said % SCREENFUL == 0;
            if asks && !console.confirm(&format!("{} follow. Go on?", more()), true, "").await? {
                return Ok(said);
            }
            print::sentence(sentence(item));
            said += 1;
        }
    }
}

/// Renders a tag behind the name of its plant.
pub(super) fn tagged(tag: &str) -> String {
    if tag.is_empty() { ", no tag".to_owned() } else { format!(", tag {}", clean(tag)) }
}

fn plant(row: &Row) -> String {
    let tag = row.tag().map(tagged).unwrap_or_default();
    let authors = row.author.as_ref().and_then(Authors::others_in_words);
    let author = authors.map(|authors| format!(", by {authors}")).unwrap_or_default();
    format!("{}{tag}: {}{author}.", row_called(row), row.state.word())
}

/// Renders the number of a request, its time, and what came of it.
pub(super) fn entry(stored: &StoredExchange, zone: &TimeZone) -> String {
    let exchange = &stored.exchange;
    let (time, outcome) = (clock::shown(exchange.started, zone), exchange.outcome().word());
    format!("#{}, {time}, {outcome}: {}", stored.number, sentence::describe(exchange, stored.name()))
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
