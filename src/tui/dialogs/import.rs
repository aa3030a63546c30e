//! The prompt for a file to import. Every row of it is validated before a person is asked.

use std::path::PathBuf;

use ratatui::layout::Rect;

use crate::domain::number_format::bytes;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::Msg;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug)]
pub(crate) struct ImportPrompt {
    path: TextInput,
    /// Whether the path is a suggestion: typing takes its place.
    is_suggested: bool,
    /// Why the file cannot be imported.
    fault: Option<String>,
    /// How many bytes of the file were read, while it is validated.
    read: Option<u64>,
}

impl ImportPrompt {
    /// With the file of the last import, if there was one.
    pub(crate) fn open(cx: &Context) -> Self {
        let last = cx.session.import.as_ref().map(|import| import.path.display().to_string());
        let is_suggested = last.is_some();
        Self { path: TextInput::holding(last.unwrap_or_default()), is_suggested, fault: None, read: None }
    }

    fn submit(&mut self, cx: &mut Context) {
        self.is_suggested = false;
        self.fault = match cx.session.busy() {
            Some(why) => Some(why.to_owned()),
            None if self.path.text().is_empty() => Some("name a file".to_owned()),
            None => {
                self.read = Some(0);
                cx.out.effect(Effect::Validate(PathBuf::from(self.path.text())));
                None
            }
        };
    }
}

impl Component for ImportPrompt {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit if self.read.is_none() => called("look at it", Self::submit),
            Command::Close if self.read.is_some() => called("give up", |prompt, cx| {
                prompt.read = None;
                cx.out.effect(Effect::StopValidating);
            }),
            Command::Close => does(|_, cx| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.read.is_some() {
            return;
        }
        if std::mem::take(&mut self.is_suggested) && typed.is_text() {
            self.path = TextInput::default();
        }
        if self.path.take(typed) {
            self.fault = None;
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::Validating { bytes } => {
                if let Some(read) = &mut self.read {
                    *read = *bytes;
                }
            }
            Msg::Validated(path, result) => match (self.read.take(), result) {
                (Some(_), Ok(preview)) => {
                    cx.out.ui_effect(UiEffect::Replace(Open::Preview(path.clone(), preview.clone())));
                }
                (Some(_), Err(why)) => self.fault = Some(why.to_string()),
                // It is not wanted any more.
                (None, Ok(_)) => cx.out.effect(Effect::DropImport),
                (None, Err(_)) => {}
            },
            _ => {}
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let mut form = Form::default();
        form.blank();
        let words = "CSV with a header (name, id, tag, in any order), a JSON array, or NDJSON. Every row is validated before \
                     anything is sent, and you are asked.";
        form.words(words, 4, theme.dim, width);
        form.blank();
        form.field("file", &self.path, true, width, theme);
        match self.read {
            Some(read) => {
                let stop = cx.out.keys.shown_in(Scope::Form, Command::Close);
                let words = format!("reading … {}; nothing is sent. {stop} gives up.", bytes(read));
                form.note(&words, theme.moving, width);
            }
            None => form.fault(self.fault.as_ref(), width, theme),
        }
        form.draw("Import which file?", area, canvas);
    }
}
