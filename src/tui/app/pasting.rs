//! What pasted text does: it goes into the field with the cursor; in a tab it is plants to import, a curl command or a base
//! URL. A paste never presses keys, and none sends anything.

use super::App;
use super::dialog::Dialog;
use crate::domain::language::Id;
use crate::domain::pasted_curl::{self, Given, PastedCurl};
use crate::tui::component::Typed;
use crate::tui::dialogs::typed_token::is_web_address;
use crate::tui::session::draft::Draft;
use crate::tui::ui_effect::{Open, UiEffect};

impl App {
    pub(super) fn paste(&mut self, text: &str) {
        if self.cx.display.layout.too_small || self.tour.is_some() {
            return;
        }
        self.cx.out.status.fade(self.cx.out.now);
        self.cx.out.status.leave();
        // Terminals send the end of a line as Enter does.
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let in_tab = self.dialogs.is_empty() && !self.scope().takes_text();
        let takes_command = in_tab || matches!(self.dialogs.front(), Some(Dialog::Add(_) | Dialog::DeleteById(_)));
        match pasted_curl::read(&lines).filter(|_| takes_command) {
            Some(Ok(command)) => self.paste_command(command),
            Some(Err(why)) => self.cx.out.say_here(format!("The curl command was not read: {why}.")),
            None if in_tab => self.paste_into_tab(lines),
            // The line ending was copied with the line.
            None if self.scope().takes_text() => self.type_text(Typed::Paste(text.trim_end_matches(['\r', '\n']))),
            None => self.say_where_to_paste("Pasted text goes into a form; open one first."),
        }
    }

    /// Fills the form in front, or opens the one that fits.
    fn paste_command(&mut self, command: PastedCurl) {
        if let Some(why) = self.cx.session.cannot_send() {
            return self.cx.out.say_here(format!("The curl command fills in nothing: {why}."));
        }
        match (command, self.dialogs.front_mut()) {
            (PastedCurl::Add(Given { name, id, tag }), front) => {
                let next = self.cx.session.next_id();
                let draft = Draft::given(name.as_deref(), id.ok_or(next), tag.as_deref());
                match front {
                    Some(Dialog::Add(form)) => form.refill(draft, &mut self.cx),
                    Some(_) | None => self.cx.out.ui_effect(UiEffect::OpenOver(Open::Add(Box::new(draft)))),
                }
            }
            (PastedCurl::Delete(id), Some(Dialog::DeleteById(_))) => {
                self.cx.out.ui_effect(UiEffect::Replace(Open::DeleteById(Some(id))));
            }
            (PastedCurl::Delete(id), _) => self.cx.out.ui_effect(UiEffect::OpenOver(Open::DeleteById(Some(id)))),
        }
        self.cx.out.say_here("Filled in; nothing was sent, and its token is not kept.");
        self.cx.out.simply(Id::NothingSent);
    }

    fn say_where_to_paste(&mut self, words: &str) {
        self.cx.out.say_here(words);
        self.cx.out.simply(Id::PasteIntoForm);
    }

    fn paste_into_tab(&mut self, lines: String) {
        let text = lines.trim();
        let session = &self.cx.session;
        let (unavailable, open) = if text.contains('\n') {
            (session.busy(), Open::ImportText(lines))
        } else if is_web_address(text) {
            (session.stays_here(), Open::BaseUrl { url: text.to_owned(), at_token: true })
        } else {
            let words =
                "Pasted text goes into a field. Here, two lines or more are imported, and a base URL is opened.";
            return self.say_where_to_paste(words);
        };
        match unavailable {
            Some(why) => self.cx.out.say_here(format!("Pasting does nothing now: {why}.")),
            None => self.cx.out.open(open),
        }
    }
}
