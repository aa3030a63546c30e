//! `plants list`: the view, page by page, so that it may be of any length.

use serde::Serialize;

use super::open::Ready;
use super::{Exit, pages, say};
use crate::config::Settings;
use crate::domain::text::{clean_fit, clean_padded};
use crate::domain::{PlantId, Row, State};

/// Columns of a tag in the list for people; `--json` has all of it.
const TAG: usize = 24;
/// Columns of a name at most; `--json` has all of it.
const NAME: usize = 200;

/// A plant of the view as `--json` prints it; name and tag are null where they were never known.
#[derive(Serialize)]
struct Listed<'a> {
    name: Option<&'a str>,
    id: PlantId,
    tag: Option<&'a str>,
    state: State,
}

/// `plants list`
pub(super) async fn run(settings: Settings, json: bool) -> Exit {
    let ready = match Ready::open_to_read(&settings).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    ready.tell_what_was_found();
    let heading = format!("{:>20}  {:<8}  {:<TAG$}  NAME", "ID", "STATE", "TAG");
    let mut after = None;
    let page = async || {
        let rows = ready.journal.view_page(after, pages::PAGE).await.map_err(|why| why.to_string())?;
        after = rows.last().map(|row| row.id).or(after);
        Ok(rows)
    };
    let text = |row: &Row| if json { say::json_text(&listed(row)) } else { Ok(line(row)) };
    let printed = pages::print(json, &heading, page, text).await;
    let exit = pages::exit(printed, &format!("No plants in the view of {}.", ready.store));
    ready.journal.close().await;
    exit
}

fn listed(row: &Row) -> Listed<'_> {
    Listed { name: row.name(), id: row.id, tag: row.tag(), state: row.state }
}

fn line(row: &Row) -> String {
    let (name, tag) = match &row.details {
        Some(details) => (clean_fit(&details.name, NAME), clean_padded(&details.tag, TAG)),
        None => ("(name not known)".to_owned(), " ".repeat(TAG)),
    };
    format!("{:>20}  {:<8}  {tag}  {name}", row.id, row.state.word())
}
