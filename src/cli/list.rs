//! `plants list`: prints the list of plants, page by page.

use color_eyre::eyre;
use jiff::tz::TimeZone;
use ratatui::text::Span;
use tracing::instrument;

use super::error::{Exit, Failure};
use super::session::{Opened, Session};
use super::table::{self, GAP, Kind, LEAST, PAGE, Render, Table, joined, name_and_tag};
use super::terminal_output::Terminal;
use super::{clock, found, spoken};
use crate::domain::Row;
use crate::domain::filter::List;
use crate::journal::{self, Arrangement, PlantPages, SortColumn as _};
use crate::runtime::json::Listed;
use crate::text::columns::{fitting, longest};
use crate::text::push_json;
use crate::tui::render::plant_table::{self, HEADINGS, PlantTexts, heading};
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
        format!("The list for {} is empty. plants add adds a plant.", ready.store)
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

/// Renders pages: for a terminal in columns that are those of the first page, which a later page with longer texts widens.
fn lines(terminal: Option<&Terminal>) -> Render<'_, Row> {
    let zone = clock::local_zone();
    let Some(terminal) = terminal else {
        let [id, others @ ..] = HEADINGS;
        let [name, tag, state, since] = others.map(|heading| (heading, Kind::Left));
        let mut table = Table::new([(id, Kind::Right), name, tag, state, since]);
        return Box::new(move |rows| table.lines(None, &rows.iter().map(|row| cells(row, &zone)).collect::<Vec<_>>()));
    };
    let (now, theme) = (clock::now(), &terminal.theme);
    let room = terminal.columns.max(LEAST);
    let mut needed = HEADINGS.map(str::len);
    Box::new(move |rows| {
        let texts: Vec<_> = rows.iter().map(|row| PlantTexts::of(row, now, &zone)).collect();
        needed = longest(texts.iter().map(|texts| texts.widths(room)).chain([needed]));
        let widths = fitting(plant_table::columns(needed), GAP, room);
        let headings = (0..)
            .zip(HEADINGS)
            .zip(widths)
            .map(|((column, name), width)| (Span::styled(heading(column, name, width), theme.dim), width));
        let line = |(row, texts): (&Row, &PlantTexts<'_>)| {
            let cells = texts.cells(widths, theme.state(row.state, 0), theme);
            terminal.text(&joined(cells.into_iter().zip(widths)))
        };
        (terminal.text(&joined(headings)), rows.iter().zip(&texts).map(line).collect())
    })
}

fn cells(row: &Row, zone: &TimeZone) -> [String; 5] {
    let [name, tag] = name_and_tag(row);
    [row.id.to_string(), name, tag, row.state.word().to_owned(), clock::shown(row.changed_at, zone)]
}
