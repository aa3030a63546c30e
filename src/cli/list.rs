//! `plants list`: the view, page by page, so that it may be of any length.

use std::io::{self, Write};

use serde::Serialize;

use super::open::{Ready, TokenNeed, failed};
use super::{Exit, say};
use crate::config::{Settings, StoreChoice};
use crate::demo::Weather;
use crate::domain::text::{clean, clean_padded};
use crate::domain::{PlantId, Row, State};

/// Columns of a tag in the list for people; `--json` has all of it.
const TAG: usize = 24;

/// Rows read at once.
const PAGE: usize = 1000;

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
    let ready = match Ready::open(&settings, TokenNeed::Never, Weather::default()).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    if matches!(settings.store, StoreChoice::Demo) {
        say::words(
            "A demo store begins and ends with this command, so its view is empty; --base-url names a store of yours.",
        );
    }
    ready.tell_what_was_found();
    let listed = print(&ready, json).await;
    ready.journal.close().await;
    match listed {
        Ok(0) => {
            say::words(&format!("No plants in the view of {}.", ready.store));
            Exit::Done
        }
        // Whoever read the list has enough of it.
        Ok(_) | Err(Stopped::NoReader) => Exit::Done,
        Err(Stopped::Failed(why)) => failed(Exit::NotSent, &why),
    }
}

enum Stopped {
    NoReader,
    /// The list is not whole.
    Failed(String),
}

impl From<io::Error> for Stopped {
    fn from(why: io::Error) -> Self {
        if why.kind() == io::ErrorKind::BrokenPipe { Self::NoReader } else { Self::Failed(say::unwritten(&why)) }
    }
}

async fn print(ready: &Ready, json: bool) -> Result<usize, Stopped> {
    let mut count = 0;
    let mut after = None;
    if json {
        write!(io::stdout(), "[")?;
    }
    loop {
        let page = ready.journal.view_page(after, PAGE).await.map_err(|why| Stopped::Failed(why.to_string()))?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        let mut out = io::BufWriter::new(io::stdout().lock());
        for row in &page {
            if json {
                let separator = if count == 0 { "" } else { "," };
                let text = say::json_text(&listed(row)).map_err(|why| Stopped::Failed(why.to_string()))?;
                write!(out, "{separator}{text}")?;
            } else {
                print_line(&mut out, row, count == 0)?;
            }
            count += 1;
        }
        out.flush()?;
    }
    if json {
        writeln!(io::stdout(), "]")?;
    }
    Ok(count)
}

fn listed(row: &Row) -> Listed<'_> {
    Listed { name: row.name(), id: row.id, tag: row.tag(), state: row.state }
}

fn print_line(out: &mut impl Write, row: &Row, first: bool) -> io::Result<()> {
    if first {
        writeln!(out, "{:>20}  {:<8}  {:<TAG$}  NAME", "ID", "STATE", "TAG")?;
    }
    let (name, tag) = match &row.details {
        Some(details) => (clean(&details.name), clean_padded(&details.tag, TAG)),
        None => ("(name not known)".to_owned(), " ".repeat(TAG)),
    };
    writeln!(out, "{:>20}  {:<8}  {tag}  {name}", row.id, row.state.word())
}
