//! Copies text to the clipboard: with a program that reaches the system's, else through the terminal's own output (OSC
//! 52), which works over SSH. The terminal does not report whether it takes the text, and the message says so.

use super::App;
use crate::domain::curl;
use crate::domain::language::Id;
use crate::domain::sentence::{called, subject};
use crate::text::number_format::counted;
use crate::text::{capitalized, clean_lines};
use crate::tui::component::Reason;
use crate::tui::effect::{Clip, Effect};
use crate::tui::input::Command;
use crate::tui::message::CopyEnd;

/// Bytes from which on some terminals reject the text.
const LONG: usize = 50_000;

impl App {
    /// Returns what makes the text for the clipboard, or why there is none. The footer asks in every frame, and makes none.
    pub(super) fn copied(&self, command: Command) -> Result<Box<dyn FnOnce() -> Clip + '_>, Reason> {
        let front = self.behind_palette();
        if command == Command::CopyId {
            let id = front.plant(&self.cx).ok_or("nothing is selected")?;
            return Ok(Box::new(move || Clip { text: id.to_string(), what: format!("the id {id}"), then: "" }));
        }
        let (exchange, name) = front.exchange(&self.cx).ok_or("no request is selected")?;
        let kind = &exchange.operation.kind;
        if command == Command::CopyCurl {
            let request = curl::sendable(exchange, &self.cx.session.info.store)?;
            return Ok(Box::new(move || Clip {
                text: curl::format_command(request),
                what: format!("the curl command for the {} of {}", kind.word(), subject(kind, name)),
                then: curl::caution(exchange.outcome()),
            }));
        }
        let body = exchange.response().map(|response| &response.body).filter(|body| !body.is_empty());
        let body = body.ok_or("no response with a body is stored")?;
        Ok(Box::new(move || Clip {
            // Control characters could steer the terminal that the text is pasted into.
            text: clean_lines(body),
            what: format!("the response about {}", called(kind.plant_id(), name)),
            then: "",
        }))
    }

    pub(super) fn copy(&mut self, command: Command) {
        if let Ok(clip) = self.copied(command).map(|make| make()) {
            self.cx.out.effect(Effect::Copy(Box::new(clip)));
        }
    }

    /// Says who has the text, and gives it to the terminal if no program has it.
    pub(super) fn was_copied(&mut self, clip: Clip, end: &CopyEnd) {
        self.cx.out.say_here(describe(&clip, end));
        let is_copied = matches!(end, CopyEnd::By(_));
        self.cx.out.simply(if is_copied { Id::Copied } else { Id::CopiedPerhaps });
        if !clip.then.is_empty() {
            self.cx.out.simply(Id::AsksWhenRun);
        }
        if !is_copied {
            self.cx.out.effect(Effect::CopyByTerminal(clip.text));
        }
    }
}

/// Returns the message about a copy.
fn describe(clip: &Clip, end: &CopyEnd) -> String {
    let Clip { text, what, then } = clip;
    let bytes = counted(text.len() as u64, "byte", "bytes");
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
        for (bytes, is_long) in [(1, false), (50_000, false), (50_001, true)] {
            let clip = Clip { text: "x".repeat(bytes), what: "the response".to_owned(), then: "" };
            assert_eq!(describe(&clip, &CopyEnd::NoProgram).contains("some take less"), is_long, "{bytes}");
            assert!(!describe(&clip, &CopyEnd::By("wl-copy")).contains("some take less"));
        }
    }
}
