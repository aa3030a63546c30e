//! `plants list`: prints the list of plants, page by page.

use clap::Args;
use color_eyre::eyre;
use ratatui::text::{Line, Span};
use tracing::instrument;

use super::clock;
use super::error::Exit;
use super::json::Listed;
use super::open::Ready;
use super::table::{self, Column, GAP, LEAST, PAGE, TAG, joined, tag_and_name};
use super::terminal_output::Terminal;
use crate::config::Settings;
use crate::domain::Row;
use crate::text::columns::{fitting, longest};
use crate::text::push_json;
use crate::tui::render::plant_table::{self, HEADINGS, PlantTexts, heading};

const COLUMNS: [Column; 4] = [Column::Right(20), Column::Left(8), Column::Left(TAG), Column::Rest];

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Wait for all entries of the team; without them print nothing, and exit with 3
    #[arg(long)]
    complete: bool,
}

#[instrument(name = "list", skip_all)]
pub(super) async fn run(
    settings: Settings,
    arguments: ListArguments,
    json: bool,
    terminal: Option<Terminal>,
) -> eyre::Result<Exit> {
    let mut ready = Ready::open_to_read(&settings, arguments.complete).await?;
    let mut after = None;
    let page = async || {
        let rows = ready.journal.list_page(after, PAGE).await?;
        after = rows.last().map(|row| row.id).or(after);
        Ok(rows)
    };
    let nothing = format!("The list for {} is empty. plants add adds a plant.", ready.store);
    let printed = if let Some(terminal) = &terminal {
        table::show(terminal, page, in_columns(terminal), &nothing).await
    } else if json {
        table::print_json(page, |text, row| push_json(text, &Listed::from(row)), &nothing).await
    } else {
        table::print(&table::row(COLUMNS, ["ID", "STATE", "TAG", "NAME"]), page, line, &nothing).await
    };
    ready.close().await;
    printed.map(|_| Exit::Done)
}

/// Renders pages for a terminal. The columns are those of the first page; a later page with longer texts widens them.
fn in_columns(terminal: &Terminal) -> impl FnMut(&[Row]) -> (Line<'static>, Vec<Line<'static>>) {
    let (zone, now, theme) = (clock::local_zone(), clock::now(), &terminal.theme);
    let room = terminal.columns.max(LEAST);
    let mut needed = HEADINGS.map(str::len);
    move |rows| {
        let rows: Vec<_> = rows.iter().map(|row| PlantTexts::of(row, now, &zone)).collect();
        needed = longest(rows.iter().map(|row| row.widths(room)).chain([needed]));
        let widths = fitting(plant_table::columns(needed), GAP, room);
        let headings = (0..)
            .zip(HEADINGS)
            .zip(widths)
            .map(|((column, name), width)| (Span::styled(heading(column, name, width), theme.dim), width));
        let lines = rows.iter().map(|row| joined(row.cells(widths, theme, 0).into_iter().zip(widths)));
        (joined(headings), lines.collect())
    }
}

fn line(row: &Row) -> String {
    let (tag, name) = tag_and_name(row);
    table::row(COLUMNS, [&row.id.to_string(), row.state.word(), tag, &name])
}
