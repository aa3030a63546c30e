//! The bare program that `plants` is compared with: ratatui and tokio over one `SQLite` file.
//!
//! `cargo bench --bench speed` builds this file with the dependencies and the profile of `plants`, and runs it. It is a
//! program of its own because `speed` is twice as large and would need more memory to draw the same frame.

use std::error::Error;

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode};
use ratatui::layout::Constraint;
use ratatui::widgets::{Block, Row, Table, TableState};
use rusqlite::{Connection, OpenFlags};

/// The plants of the first screen.
const SCREEN: u32 = 32;

/// Draws the first plants of a journal, moves the selection with `Down`, and ends with `q`.
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` passes an option; then there is nothing to do.
    let Some(journal) = std::env::args().nth(1).filter(|word| !word.starts_with('-')) else { return Ok(()) };
    let journal = Connection::open_with_flags(journal, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let mut select = journal.prepare("SELECT id, name, tag FROM plant ORDER BY store, id LIMIT ?1")?;
    let found = select.query_map([SCREEN], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?)))?;
    let found = found.collect::<Result<Vec<(i64, String, String)>, _>>()?;
    let mut terminal = ratatui::try_init()?;
    let mut state = TableState::new().with_selected(0);
    terminal.draw(|frame| draw(frame, &found, &mut state))?;
    let (to_loop, mut events) = tokio::sync::mpsc::unbounded_channel();
    std::thread::Builder::new().spawn(move || while to_loop.send(event::read()).is_ok() {})?;
    while let Some(event) = events.recv().await {
        let event = event?;
        if is_key(&event, KeyCode::Char('q')) {
            break;
        }
        if is_key(&event, KeyCode::Down) {
            let next = state.selected().map_or(0, |index| index + 1);
            state.select(Some(next % found.len().max(1)));
            terminal.draw(|frame| draw(frame, &found, &mut state))?;
        }
    }
    ratatui::try_restore()?;
    Ok(())
}

fn draw(frame: &mut Frame<'_>, plants: &[(i64, String, String)], state: &mut TableState) {
    let rows = plants.iter().map(|(id, name, tag)| Row::new([id.to_string(), name.clone(), tag.clone()]));
    let widths = [Constraint::Length(20), Constraint::Fill(1), Constraint::Length(20)];
    let table = Table::new(rows, widths).header(Row::new(["ID", "NAME", "TAG"])).block(Block::bordered());
    frame.render_stateful_widget(table.highlight_symbol(">"), frame.area(), state);
}

fn is_key(event: &Event, code: KeyCode) -> bool {
    event.as_key_press_event().is_some_and(|key| key.code == code)
}
