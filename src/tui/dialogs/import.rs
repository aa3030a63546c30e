//! The import dialog: the path of a file, then the preview of what its import would do, with the choices.
//!
//! Every row of the file is validated before anything is sent.

use ratatui::layout::Rect;

use super::import_preview::{Choice, ImportPreview};
use crate::domain::language::Id;
use crate::text::number_format::bytes;
use crate::tui::component::{Action, Component, Typed, action_in_text, called, does, unless};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::PathInput;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathKind;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::ui_effect::{AfterToken, Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::viewport::Viewport;

#[derive(Debug)]
pub(crate) struct ImportDialog {
    path: PathInput,
    /// Why the file cannot be imported.
    fault: Option<String>,
    /// The bytes of the file that were read, while it is validated.
    read: Option<u64>,
    /// The validated file. `None` while a path is typed.
    preview: Option<ImportPreview>,
    /// The scroll position of the preview.
    viewport: Viewport,
    marked: Choice,
    arming: Arming,
}

impl ImportDialog {
    /// Offers the file that was named last, if there was one.
    pub(crate) fn open(cx: &Context) -> Self {
        Self {
            path: PathInput::offering(cx.session.last_files.imported.as_deref(), PathKind::Plants),
            fault: None,
            read: None,
            preview: None,
            viewport: Viewport::default(),
            marked: Choice::Leave,
            arming: Arming::of("preview"),
        }
    }

    /// Opens with this file, and reads it at once.
    pub(crate) fn of(path: String, cx: &mut Context) -> Self {
        let path = PathInput::holding(path, PathKind::Plants);
        let mut dialog = Self { path, ..Self::open(cx) };
        dialog.validate(cx);
        dialog
    }

    /// Opens with plants that were pasted, and reads them at once.
    pub(crate) fn of_text(text: String, cx: &mut Context) -> Self {
        cx.out.effect(Effect::ValidateText(text));
        Self { path: PathInput::holding("", PathKind::Plants), read: Some(0), ..Self::open(cx) }
    }

    fn validate(&mut self, cx: &mut Context) {
        self.path.end_completion();
        self.fault = match cx.session.busy() {
            Some(why) => Some(why.to_owned()),
            None if self.path.text().is_empty() => Some("name a file".to_owned()),
            None => {
                self.read = Some(0);
                cx.session.last_files.imported = Some(self.path.text().to_owned());
                cx.out.effect(Effect::Validate(self.path.path()));
                None
            }
        };
    }

    /// The choices of the preview, the safe one first.
    fn choices(&self, cx: &Context) -> Vec<Choice> {
        self.preview.as_ref().map(|preview| preview.choices(cx)).unwrap_or_default()
    }

    fn index_of_marked(&self, choices: &[Choice]) -> usize {
        choices.iter().position(|choice| *choice == self.marked).unwrap_or(0)
    }

    /// Marks the next choice, or the one before it.
    fn mark(&mut self, forwards: bool, cx: &mut Context) {
        let choices = self.choices(cx);
        let step = if forwards { 1 } else { choices.len().saturating_sub(1) };
        let at = self.index_of_marked(&choices) + step;
        self.marked = choices.get(at % choices.len().max(1)).copied().unwrap_or(Choice::Leave);
    }

    fn choose(&mut self, cx: &mut Context) {
        let choices = self.choices(cx);
        self.take(choices.get(self.index_of_marked(&choices)).copied().unwrap_or(Choice::Leave), cx);
    }

    fn take(&mut self, choice: Choice, cx: &mut Context) {
        match choice {
            Choice::Leave => {
                cx.out.close();
                cx.out.effect(Effect::DropImport);
                if let Some(preview) = &self.preview {
                    cx.out.say_here(format!("Not imported: {}. Nothing was sent.", preview.file()));
                    cx.out.simply(Id::NothingSent);
                }
            }
            Choice::Send => self.begin(cx),
            Choice::Resend => self.preview.iter_mut().for_each(|preview| preview.resends = !preview.resends),
        }
    }

    fn yes(&mut self, cx: &mut Context) {
        self.marked = Choice::Send;
        self.begin(cx);
    }

    /// Begins the import, after a prompt for the token if none is set.
    fn begin(&mut self, cx: &mut Context) {
        let Some(preview) = &self.preview else { return };
        let session = &mut cx.session;
        if let Some(why) = session.busy().or_else(|| session.cannot_send()) {
            return cx.out.say(format!("The import does not begin: {why}."));
        }
        if session.token.is_none() {
            let missing = format!("There is no token for {} yet.", session.store_name());
            let why = vec![missing, "The import begins with it.".to_owned()];
            return cx.out.ui_effect(UiEffect::OpenOver(Open::Token { why, then: AfterToken::Import }));
        }
        cx.out.close();
        session.begin_import(preview.run(), &mut cx.out);
    }

    /// Begins the import that the prompt for the token has interrupted.
    pub(crate) fn begin_with_token(&mut self, cx: &mut Context) {
        if self.marked == Choice::Send {
            self.begin(cx);
        }
    }

    fn action_in_preview(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Next => does(|dialog: &mut Self, cx| dialog.mark(true, cx)),
            Command::Previous => does(|dialog: &mut Self, cx| dialog.mark(false, cx)),
            Command::Choose => does(Self::choose),
            Command::Yes => {
                let nothing = (!self.choices(cx).contains(&Choice::Send)).then_some("no row would be sent");
                unless(cx.session.cannot_send().or(nothing), Self::yes)
            }
            Command::Close | Command::No => does(|dialog: &mut Self, cx| dialog.take(Choice::Leave, cx)),
            Command::ResendUnknown => {
                let cannot =
                    (!self.choices(cx).contains(&Choice::Resend)).then_some("nothing unknown can be sent again");
                unless(cannot, |dialog: &mut Self, cx| dialog.take(Choice::Resend, cx))
            }
            // Nothing scrolls.
            Command::Down if self.viewport.shows_all() => does(|dialog: &mut Self, cx| dialog.mark(true, cx)),
            Command::Up if self.viewport.shows_all() => does(|dialog: &mut Self, cx| dialog.mark(false, cx)),
            _ => action_in_text(&self.viewport, command, |dialog| &mut dialog.viewport),
        }
    }
}

impl Component for ImportDialog {
    fn scope(&self) -> Scope {
        if self.preview.is_some() { Scope::Preview } else { Scope::Form }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            _ if self.preview.is_some() => self.action_in_preview(command, cx),
            Command::Submit if self.read.is_none() => called("validate it", Self::validate),
            Command::Next if self.read.is_none() => called("complete", |dialog: &mut Self, cx: &mut Context| {
                dialog.path.complete(&mut cx.out);
            }),
            Command::Close if self.read.is_some() => called("stop reading", |dialog: &mut Self, cx: &mut Context| {
                dialog.read = None;
                cx.out.effect(Effect::StopValidating);
            }),
            Command::Close => does(|_, cx: &mut Context| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if self.read.is_some() {
            cx.out.say_here("What was typed meanwhile was dropped.");
        } else if self.preview.is_none() && self.path.take(typed) {
            self.fault = None;
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        self.path.receive(message);
        match message {
            Msg::Validating { bytes } => self.read.iter_mut().for_each(|read| *read = *bytes),
            Msg::Validated(path, result) => match (self.read.take(), result) {
                (Some(_), Ok(preview)) => self.preview = Some(ImportPreview::new(path.clone(), preview.clone())),
                (Some(_), Err(why)) if path.is_none() => {
                    self.fault = Some(format!("the pasted text cannot be imported: {why}"));
                }
                (Some(_), Err(why)) => self.fault = Some(why.to_string()),
                // Reading was stopped.
                (None, Ok(_)) => cx.out.effect(Effect::DropImport),
                (None, Err(_)) => {}
            },
            _ => {}
        }
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        self.preview.is_some().then_some(&mut self.arming)
    }

    fn viewport(&mut self) -> Option<&mut Viewport> {
        Some(&mut self.viewport)
    }

    /// Marks the clicked choice; a second click takes it.
    fn click(&mut self, target: Target, cx: &mut Context) {
        let Target::Choice(at) = target else { return };
        match self.choices(cx).get(at).copied() {
            Some(choice) if self.marked == choice => self.take(choice, cx),
            Some(choice) => self.marked = choice,
            None => {}
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        if let Some(preview) = &self.preview {
            return preview.draw(self.index_of_marked(&preview.choices(cx)), self.viewport.top, cx, area, canvas);
        }
        let mut form = Form::new(area, canvas.theme);
        form.page.blank();
        let words = "CSV with a header (name, id, tag, in any order), a JSON array, or NDJSON. Every row is validated, and \
                     you are asked, before anything is sent.";
        form.page.dim(words, 4);
        form.page.blank();
        let has_more = self.path.draw("file", true, &mut form);
        match self.read {
            None if has_more => {}
            Some(read) => {
                let stop = cx.out.keys.shown_in(Scope::Form, Command::Close);
                let words = format!("reading … {}; nothing is sent. {stop} stops reading.", bytes(read));
                form.note(&words, canvas.theme.in_progress);
            }
            None => form.fault(self.fault.as_ref()),
        }
        form.draw("Import which file?", area, canvas);
    }
}
