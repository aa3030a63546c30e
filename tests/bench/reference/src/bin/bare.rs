//! A minimal ratatui program: draws one frame and ends at a key press.

use std::io;

use ratatui::crossterm::event;
use ratatui::widgets::{Block, Paragraph};

fn main() -> io::Result<()> {
    ratatui::run(|terminal| {
        terminal.draw(|frame| {
            let text = Paragraph::new("One frame, drawn by ratatui.").block(Block::bordered().title("bare"));
            frame.render_widget(text, frame.area());
        })?;
        while !event::read()?.is_key_press() {}
        Ok(())
    })
}
