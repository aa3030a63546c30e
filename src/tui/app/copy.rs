//! Copies text to the clipboard: with a program that reaches the system's, else through the terminal's own output (OSC
//! 52), which works over SSH. The terminal does not report whether it takes the text, and the message says so.

use super::App;
use crate::domain::sentence::{called, subject};
use crate::domain::{PlantId, StoreUrl, curl};
use crate::text::{capitalized, clean_lines};
use crate::tui::component::{NamedExchange, Reason};
use crate::tui::effect::{Clip, Effect};
use crate::tui::input::Command;
use crate::tui::message::CopyEnd;

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
        if let Some(clip) = self.copied(command).ok().and_then(Copied::render) {
            self.cx.out.effect(Effect::Copy(Box::new(clip)));
        }
    }

    /// Says who has the text, and gives it to the terminal if no program has it.
    pub(super) fn was_copied(&mut self, clip: Clip, end: &CopyEnd) {
        self.cx.out.say_here(describe(&clip, end));
        if !matches!(end, CopyEnd::By(_)) {
            self.cx.out.effect(Effect::CopyByTerminal(clip.text));
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

    /// Returns the text for the clipboard.
    fn render(self) -> Option<Clip> {
        let (text, what, then) = match self {
            Self::Id(id) => (id.to_string(), format!("the id {id}"), ""),
            Self::Curl((exchange, name), store) => {
                let what = format!("the curl command for {}", subject(&exchange.operation.kind, name));
                (curl::command(exchange, store).ok()?, what, curl::caution(exchange.outcome()))
            }
            Self::Response((exchange, name), body) => {
                let what = format!("the response about {}", called(exchange.operation.kind.plant_id(), name));
                // Control characters could steer the terminal that the text is pasted into.
                (clean_lines(body), what, "")
            }
        };
        Some(Clip { text, what, then })
    }
}

/// Returns the message about a copy.
fn describe(clip: &Clip, end: &CopyEnd) -> String {
    let Clip { text, what, then } = clip;
    let bytes = match text.len() {
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    let long = if text.len() > LONG { "; some take less" } else { "" };
    let tmux = "tmux: set -g set-clipboard on";
    let by_terminal =
        || format!("{} went to the terminal, which may take it (OSC 52, {bytes}{long}; {tmux}).", capitalized(what));
    let said = match end {
        CopyEnd::By(program) => format!("Copied {what} with {program} ({bytes})."),
        CopyEnd::NoProgram => by_terminal(),
        CopyEnd::Failed(why) => format!("{why}. {}", by_terminal()),
    };
    format!("{said} {then}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Exchange, FailureKind, Operation, OperationId, OperationKind, Timestamp};

    #[test]
    fn the_message_says_who_has_the_text() {
        let clip = Clip { text: "7".to_owned(), what: "the id 7".to_owned(), then: "" };
        assert_eq!(describe(&clip, &CopyEnd::By("wl-copy")), "Copied the id 7 with wl-copy (1 byte).");
        let sent = "The id 7 went to the terminal, which may take it (OSC 52, 1 byte; tmux: set -g set-clipboard on).";
        assert_eq!(describe(&clip, &CopyEnd::NoProgram), sent);
        let failed = CopyEnd::Failed("xclip failed (exit code 1)".to_owned());
        let clip = Clip { then: "It may do it twice.", ..clip };
        assert_eq!(describe(&clip, &failed), format!("xclip failed (exit code 1). {sent} It may do it twice."));
    }

    #[test]
    fn only_a_long_text_comes_with_a_warning() {
        let operation =
            Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(7)), Timestamp(0));
        let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
        for (bytes, is_long) in [(1, false), (50_000, false), (50_001, true)] {
            let body = vec![b'x'; bytes];
            let clip = Copied::Response((&exchange, None), &body).render().unwrap();
            let message = describe(&clip, &CopyEnd::NoProgram);
            assert_eq!((clip.text.len(), message.contains("some take less")), (bytes, is_long));
            assert!(!describe(&clip, &CopyEnd::By("wl-copy")).contains("some take less"));
        }
    }
}
