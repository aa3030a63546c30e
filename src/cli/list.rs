//! `plants list`: prints the list of plants, page by page.

use color_eyre::eyre;
use jiff::tz::TimeZone;
use tracing::instrument;

use super::error::{Exit, Failure};
use super::session::{Opened, Session};
use super::table::{self, PAGE, Render, Table, name_and_tag};
use super::terminal_output::Terminal;
use super::{clock, found, print, spoken};
use crate::domain::Row;
use crate::domain::filter::List;
use crate::journal::{self, Arrangement, PlantPages, SortColumn as _};
use crate::runtime::json::Listed;
use crate::text::push_json;
use crate::tui::render::plant_table::{self, PLANTS};
use crate::tui::render::table::Cell;
use crate::verbs::{ListArguments, ResultFormat};

#[instrument(name = "list", skip_all)]
pub(super) async fn run(
    session: &mut Session,
    arguments: ListArguments,
    format: Option<ResultFormat>,
    terminal: Option<Terminal>,
) -> eyre::Result<Exit> {
    let arrangement = arrangement(&arguments)?;
    let Opened { ready, console, .. } = session.open_to_read(arguments.complete).await?;
    let limit = arguments.limit.unwrap_or(usize::MAX);
    let format = format.unwrap_or(ResultFormat::Text);
    if console.is_conversation && format == ResultFormat::Text {
        return spoken::list(ready, console, arrangement, limit).await;
    }
    let nothing = if arrangement.filter.is_empty() {
        format!("The list for {} is empty. {} adds a plant.", ready.store, print::command("add"))
    } else {
        format!("No plant in the list for {} matches.", ready.store)
    };
    let mut plants = PlantPages::of(&ready.journal, arrangement, limit);
    let page = async || plants.next(PAGE).await;
    let printed = if matches!(format, ResultFormat::Json | ResultFormat::Ndjson) {
        let on_lines = format == ResultFormat::Ndjson;
        table::print_json(on_lines, page, |text, row| push_json(text, &Listed::from(row)), &nothing).await
    } else {
        table::print(terminal.as_ref(), !arguments.no_heading, page, lines(terminal.as_ref()), &nothing).await
    };
    printed.map(|_| Exit::Done)
}

fn arrangement(arguments: &ListArguments) -> eyre::Result<Arrangement> {
    let filter = found::read_query(List::Plants, &arguments.query)?;
    let Some(typed) = &arguments.sort else { return Ok(Arrangement { filter, ..Arrangement::default() }) };
    let (column, descending) =
        journal::Column::parse_order(typed).map_err(|why| Failure::usage(format!("--sort {typed}: {why}")))?;
    Ok(Arrangement { filter, column, descending })
}

/// Renders pages: for a terminal in the columns of the Plants tab.
fn lines(terminal: Option<&Terminal>) -> Render<'_, Row> {
    let (now, zone, mut table) = (clock::now(), clock::local_zone(), Table::new(PLANTS, terminal));
    Box::new(move |rows| {
        table.lines(rows.iter().map(|row| match terminal {
            Some(terminal) => plant_table::cells(row, 0, now, &zone, &terminal.theme),
            None => cells(row, &zone).map(Cell::from),
        }))
    })
}

fn cells(row: &Row, zone: &TimeZone) -> [String; 5] {
    let [name, tag] = name_and_tag(row);
    [row.id.to_string(), name, tag, plant_table::state_text(row), clock::shown(row.changed_at, zone)]
}
