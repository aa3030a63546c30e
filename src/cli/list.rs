//! `plants list`: prints the list of plants, page by page.

use color_eyre::eyre;
use tracing::instrument;

use super::error::Exit;
use super::json::Listed;
use super::open::Ready;
use super::table::{self, Column, PAGE, TAG, tag_and_name};
use crate::config::Settings;
use crate::domain::Row;
use crate::domain::text::json_text;

const COLUMNS: [Column; 4] = [Column::Right(20), Column::Left(8), Column::Left(TAG), Column::Rest];

#[instrument(name = "list", skip_all)]
pub(super) async fn run(settings: Settings, json: bool) -> eyre::Result<Exit> {
    let ready = Ready::open_to_read(&settings).await?;
    let heading = table::row(COLUMNS, ["ID", "STATE", "TAG", "NAME"]);
    let mut after = None;
    let page = async || {
        let rows = ready.journal.list_page(after, PAGE).await?;
        after = rows.last().map(|row| row.id).or(after);
        Ok(rows)
    };
    let text = |row: &Row| if json { json_text(&Listed::from(row)) } else { Ok(line(row)) };
    let nothing = format!("The list for {} is empty. plants add adds a plant.", ready.store);
    let printed = table::print(json, &heading, page, text, &nothing).await;
    ready.journal.close().await;
    printed.map(|_| Exit::Done)
}

fn line(row: &Row) -> String {
    let (tag, name) = tag_and_name(row);
    table::row(COLUMNS, [&row.id.to_string(), row.state.word(), tag, &name])
}
