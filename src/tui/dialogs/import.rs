//! The import dialog: the path of a file, then the preview of what its import would do, with the choices.
//!
//! Every row of the file is validated before anything is sent.

use std::path::PathBuf;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::answer_keys::AnswerKeys;
use super::text_with_choices::{TextWithChoices, columns_of_text};
use crate::domain::language::Id;
use crate::domain::sentence::called as plant_called;
use crate::domain::{Language, Plant};
use crate::import::{Forecast, Preview, Progress, RowNote};
use crate::text::clean_fit;
use crate::text::number_format::{bytes, counted, grouped};
use crate::tui::component::{Action, Component, Typed, action_in_text, called, does, unless};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::PathInput;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathKind;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::render::import_report;
use crate::tui::session::{ImportRun, more_rows, shown_source};
use crate::tui::ui_effect::{AfterToken, Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::{FORM, Form};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::viewport::Viewport;

/// Columns of a label.
const LABEL: usize = 6;
/// Columns of a name, and of a tag, at most.
const TEXT: usize = 30;
/// Lines of one bad row, or of a note, at most.
const ROWS: usize = 3;

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
    /// Whether the choice that sends is marked, in place of the safe one.
    marks_send: bool,
    arming: Arming,
}

#[derive(Debug)]
struct ImportPreview {
    path: Option<PathBuf>,
    preview: Box<Preview>,
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
            marks_send: false,
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

    /// Whether there is a choice that sends.
    fn can_send(&self, cx: &Context) -> bool {
        self.preview.as_ref().is_some_and(|preview| preview.can_send(cx))
    }

    /// The index of the marked choice.
    fn marked(&self, cx: &Context) -> usize {
        usize::from(self.marks_send && self.can_send(cx))
    }

    /// Marks the other choice.
    fn mark_other(&mut self, cx: &mut Context) {
        self.marks_send = !self.marks_send && self.can_send(cx);
    }

    fn choose(&mut self, cx: &mut Context) {
        if self.marked(cx) == 1 { self.begin(cx) } else { self.leave(cx) }
    }

    fn leave(&mut self, cx: &mut Context) {
        cx.out.close();
        cx.out.effect(Effect::DropImport);
        if let Some(preview) = &self.preview {
            cx.out.say_here(format!("Not imported: {}. Nothing was sent.", shown_source(preview.path.as_deref())));
            cx.out.simply(Id::NothingSent);
        }
    }

    /// Begins the import, after a prompt for the token if none is set.
    pub(crate) fn begin(&mut self, cx: &mut Context) {
        self.marks_send = true;
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

    fn action_in_preview(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Next | Command::Previous => does(Self::mark_other),
            Command::Choose => does(Self::choose),
            Command::Yes => {
                let nothing = (!self.can_send(cx)).then_some("no row would be sent");
                unless(cx.session.cannot_send().or(nothing), Self::begin)
            }
            Command::Close | Command::No => does(Self::leave),
            // Nothing scrolls.
            Command::Down | Command::Up if self.viewport.shows_all() => does(Self::mark_other),
            _ => action_in_text(&self.viewport, command, |dialog, _| &mut dialog.viewport),
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
                cx.out.effect(Effect::DropImport);
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
                (Some(_), Ok(preview)) => {
                    let (path, preview) = (path.clone(), preview.clone());
                    self.preview = Some(ImportPreview { path, preview });
                }
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
        let (Target::Choice(at), Some(_)) = (target, &self.preview) else { return };
        if at == self.marked(cx) {
            self.choose(cx);
        } else if at == 0 || self.can_send(cx) {
            self.marks_send = at == 1;
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        if let Some(preview) = &self.preview {
            return preview.draw(self.marked(cx), self.viewport.top, cx, area, canvas);
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

impl ImportPreview {
    /// The number of requests.
    fn to_send(&self) -> u64 {
        self.preview.forecast.counts.to_send()
    }

    /// The import, before its first request.
    fn run(&self) -> ImportRun {
        ImportRun {
            path: self.path.clone(),
            format: self.preview.format,
            bad: self.preview.bad,
            progress: Progress { rows: self.preview.forecast.counts.total(), ..Progress::default() },
            is_braked: false,
            ending: None,
            notes: self.preview.faults.iter().map(RowNote::from).collect(),
            over: None,
        }
    }

    fn can_send(&self, cx: &Context) -> bool {
        cx.session.cannot_send().is_none() && self.to_send() > 0
    }

    /// Draws the text, scrolled to line `top`, and the choices below it.
    fn draw(&self, marked: usize, top: usize, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let send = || {
            let bad = (self.preview.bad > 0).then(|| counted(self.preview.bad, "bad row", "bad rows"));
            let hint = bad.map(|bad| format!("leaves {bad} out")).unwrap_or_default();
            [format!("Import {}", counted(self.to_send(), "plant", "plants")), hint]
        };
        let send = self.can_send(cx).then(send);
        let choices: Vec<_> = [["Do nothing".to_owned(), String::new()]].into_iter().chain(send).collect();
        let keys = AnswerKeys::new(cx, Scope::Preview, [Some(Command::No), Some(Command::Yes)].into_iter());
        let text = self.lines(cx, canvas.theme, columns_of_text(FORM, area));
        let language = Language::default();
        let title = "Import preview".to_owned();
        TextWithChoices { title, columns: FORM, text, listed: Vec::new(), top, choices, keys, marked, language }
            .draw(cx, area, canvas);
    }

    /// File, rows, store, what would be sent, and the bad rows.
    fn lines(&self, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
        let Self { path, preview } = self;
        let Forecast { counts, unsent } = &preview.forecast;
        let mut page = Page::new(theme, width);
        let say = |page: &mut Page<'_>, label: &str, text: &str, style| {
            page.hanging(Span::styled(format!("{label:<LABEL$} "), theme.dim), text, ROWS, style);
        };
        let file = format!("{}, read as {}", shown_source(path.as_deref()), preview.format.word());
        say(&mut page, "file", &file, theme.text);
        let all = grouped(counts.total() + preview.bad);
        match preview.bad {
            0 => say(&mut page, "rows", &all, theme.text),
            bad => say(&mut page, "rows", &format!("{all}, {} of them bad", grouped(bad)), theme.bad),
        }
        say(&mut page, "store", &cx.session.info.store.to_string(), theme.text);
        let (text, style) = self.requests(cx, theme);
        say(&mut page, "send", &text, style);
        import_report::unsent(&mut page, *counts, LABEL + 1);
        for note in &preview.notes {
            say(&mut page, "note", note, theme.text);
        }
        if preview.bad > 0 || !unsent.is_empty() {
            page.blank();
        } else {
            for (at, plant) in preview.first.iter().enumerate() {
                say(&mut page, if at == 0 { "first" } else { "" }, &in_a_line(plant), theme.dim);
            }
            let more = self.to_send().saturating_sub(preview.first.len() as u64);
            if more > 0 && !preview.first.is_empty() {
                say(&mut page, "", &format!("and {} more", counted(more, "row", "rows")), theme.dim);
            }
        }
        for fault in &preview.faults {
            let head = Span::styled(theme.mark("✗ ", "x "), theme.bad);
            page.hanging(head, &fault.to_string(), ROWS, theme.text);
        }
        for note in unsent {
            page.hanging(Span::styled("! ", theme.warning), &note.to_string(), ROWS, theme.text);
        }
        let listed = (preview.faults.len() + unsent.len()) as u64;
        let more = (preview.bad + counts.withheld()).saturating_sub(listed);
        if more > 0 {
            page.hanging(Span::raw("  "), &more_rows(more, path.as_deref()), ROWS, theme.dim);
        }
        page.lines
    }

    /// The number of requests, or why there are none.
    fn requests(&self, cx: &Context, theme: &Theme) -> (String, Style) {
        let count = counted(self.to_send(), "plant", "plants");
        if let Some(why) = cx.session.cannot_send() {
            (format!("nothing: {why}"), theme.warning)
        } else if self.to_send() == 0 {
            ("nothing: no row needs to be sent, or can be".to_owned(), theme.warning)
        } else if self.preview.bad > 0 {
            (format!("nothing while a row is bad; {count}, one request each, if bad rows are left out"), theme.text)
        } else {
            (format!("{count}, one request each"), theme.title)
        }
    }
}

/// `Monstera (7), tropical`
fn in_a_line(plant: &Plant) -> String {
    let tag = clean_fit(&plant.tag, TEXT);
    let comma = if tag.is_empty() { "" } else { ", " };
    format!("{}{comma}{tag}", plant_called(plant.id, Some(&plant.name)))
}
