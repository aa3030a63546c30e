//! The minimal program with a runtime, and a client that has read the certificate roots of the system.

use std::io;

use ratatui::crossterm::event;
use ratatui::widgets::{Block, Paragraph};

#[tokio::main]
async fn main() -> io::Result<()> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().build().map_err(io::Error::other)?;
    ratatui::run(|terminal| {
        terminal.draw(|frame| {
            let text = Paragraph::new("One frame, drawn by ratatui.").block(Block::bordered().title("client"));
            frame.render_widget(text, frame.area());
        })?;
        while !event::read()?.is_key_press() {}
        // Lives until the end, like in a program that sends.
        drop(client);
        Ok(())
    })
}
