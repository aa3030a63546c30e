//! Copying: what goes to the clipboard, and what is said about it.
//!
//! The text travels in the terminal's own output (OSC 52), so that it arrives over SSH; whether the terminal
//! takes it, it does not say.

use super::component::{ExchangeAtHand, Reason};
use super::input::Command;
use crate::domain::sentence::{called, subject};
use crate::domain::text::clean_lines;
use crate::domain::{PlantId, StoreUrl, curl};

/// Bytes from which on some terminals reject the text.
const LONG: usize = 50_000;

pub(super) fn is_copy(command: Command) -> bool {
    matches!(command, Command::CopyCurl | Command::CopyResponse | Command::CopyId)
}

/// Why a command copies nothing now. Asked for every frame, so it makes no text.
pub(super) fn unavailable(
    command: Command,
    at_hand: Option<ExchangeAtHand<'_>>,
    plant: Option<PlantId>,
    store: &StoreUrl,
) -> Option<Reason> {
    match (command, at_hand) {
        (Command::CopyId, _) => plant.is_none().then_some("nothing is selected"),
        (_, None) => Some("no exchange is at hand"),
        (Command::CopyCurl, Some((exchange, _))) => curl::sendable(exchange, store).err().map(Into::into),
        (_, Some((exchange, _))) => {
            let has_body = exchange.response().is_some_and(|response| !response.body.is_empty());
            (!has_body).then_some("no response with a body is kept")
        }
    }
}

/// The text for the clipboard, and the sentence about it.
pub(super) fn copied(
    command: Command,
    at_hand: Option<ExchangeAtHand<'_>>,
    plant: Option<PlantId>,
    store: &StoreUrl,
) -> Option<(String, String)> {
    let (text, what, then) = match command {
        Command::CopyId => plant.map(|id| (id.to_string(), format!("The id {id}"), ""))?,
        Command::CopyCurl => {
            let (exchange, name) = at_hand?;
            let what = format!("The request about {}, as curl,", subject(&exchange.operation.kind, name));
            (curl::command(exchange, store).ok()?, what, curl::caution(exchange.outcome()))
        }
        _ => {
            let (exchange, name) = at_hand?;
            let what = format!("The response about {}", called(exchange.operation.kind.plant_id(), name));
            // What would steer a terminal is written out.
            (clean_lines(&exchange.response()?.body), what, "")
        }
    };
    let bytes = match text.len() {
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    let long = if text.len() > LONG { "; some terminals take less" } else { "" };
    let words =
        format!("{what} went to the clipboard ({bytes}, by OSC 52{long}). In tmux: set -g set-clipboard on. {then}");
    Some((text, words))
}
