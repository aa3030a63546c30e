//! Copies text to the clipboard through the terminal's own output (OSC 52), so that it works over SSH.
//!
//! The terminal does not report whether it accepts the text.

use super::App;
use crate::domain::sentence::{called, subject};
use crate::domain::{PlantId, StoreUrl, curl};
use crate::text::clean_lines;
use crate::tui::component::{NamedExchange, Reason};
use crate::tui::effect::Effect;
use crate::tui::input::Command;

/// Bytes from which on some terminals reject the text.
const LONG: usize = 50_000;

/// What a copy command copies.
pub(super) enum Copied<'a> {
    Id(PlantId),
    Curl(NamedExchange<'a>, &'a StoreUrl),
    Response(NamedExchange<'a>, &'a [u8]),
}

impl App {
    pub(super) fn copied(&self, command: Command) -> Result<Copied<'_>, Reason> {
        let front = self.behind_palette();
        Copied::of(command, front.exchange(&self.cx), front.plant(&self.cx), &self.cx.session.info.store)
    }

    pub(super) fn copy(&mut self, command: Command) {
        if let Some((text, message)) = self.copied(command).ok().and_then(Copied::render) {
            self.cx.out.say_here(message);
            self.cx.out.effect(Effect::Copy(text));
        }
    }
}

impl<'a> Copied<'a> {
    /// Makes no text yet, since the footer calls it for every frame.
    ///
    /// # Errors
    ///
    /// Why there is nothing to copy.
    fn of(
        command: Command,
        exchange: Option<NamedExchange<'a>>,
        plant: Option<PlantId>,
        store: &'a StoreUrl,
    ) -> Result<Self, Reason> {
        if command == Command::CopyId {
            return plant.map(Self::Id).ok_or("nothing is selected");
        }
        let exchange = exchange.ok_or("no request is selected")?;
        if command == Command::CopyCurl {
            curl::sendable(exchange.0, store)?;
            return Ok(Self::Curl(exchange, store));
        }
        let body = exchange.0.response().map(|response| response.body.as_slice()).filter(|body| !body.is_empty());
        Ok(Self::Response(exchange, body.ok_or("no response with a body is stored")?))
    }

    /// Returns the text for the clipboard, and a message about it.
    fn render(self) -> Option<(String, String)> {
        let (text, what, then) = match self {
            Self::Id(id) => (id.to_string(), format!("the id {id}"), ""),
            Self::Curl((exchange, name), store) => {
                let what = format!("the request about {} as curl", subject(&exchange.operation.kind, name));
                (curl::command(exchange, store).ok()?, what, curl::caution(exchange.outcome()))
            }
            Self::Response((exchange, name), body) => {
                let what = format!("the response about {}", called(exchange.operation.kind.plant_id(), name));
                // Control characters could steer the terminal that the text is pasted into.
                (clean_lines(body), what, "")
            }
        };
        let bytes = match text.len() {
            1 => "1 byte".to_owned(),
            bytes => format!("{bytes} bytes"),
        };
        let long = if text.len() > LONG { "; some terminals take less" } else { "" };
        let message = format!("Copied {what} ({bytes}, by OSC 52{long}). In tmux: set -g set-clipboard on. {then}");
        Some((text, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Exchange, FailureKind, Operation, OperationId, OperationKind, Timestamp};

    #[test]
    fn only_a_long_text_comes_with_a_warning() {
        let operation =
            Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(7)), Timestamp(0));
        let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
        for (bytes, is_long) in [(1, false), (50_000, false), (50_001, true)] {
            let body = vec![b'x'; bytes];
            let (text, message) = Copied::Response((&exchange, None), &body).render().unwrap();
            assert_eq!((text.len(), message.contains("some terminals take less")), (bytes, is_long));
        }
    }
}
