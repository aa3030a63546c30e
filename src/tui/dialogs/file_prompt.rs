//! The prompt for the file that is written: the list of plants, requests, or a run of the check.

use std::path::Path;

use ratatui::layout::Rect;

use crate::check::{self, Format};
use crate::domain::file_format::FileFormat;
use crate::domain::filter::{Filter, Test};
use crate::domain::report;
use crate::text::shown_path;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::PathInput;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathKind;
use crate::tui::message::{Msg, WriteFault};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;

#[derive(Debug)]
pub(crate) struct FilePrompt {
    content: Content,
    path: PathInput,
    /// The name that was suggested, which is not offered again.
    suggested: String,
    fault: Option<String>,
    /// The path of an existing file: one more Enter overwrites it.
    exists: Option<(String, Arming)>,
    is_writing: bool,
}

/// What is written.
#[derive(Debug)]
enum Content {
    /// The file's extension decides the format.
    Plants,
    /// Those that match, of any session; without a filter, those of this one.
    Requests(Filter),
    Check(Box<check::Report>),
}

impl FilePrompt {
    fn new(content: Content, path: PathInput, suggested: String) -> Self {
        Self { content, path, suggested, fault: None, exists: None, is_writing: false }
    }

    /// Opens for the plants: offers the file that was named last, else suggests a new one.
    pub(crate) fn of_plants(cx: &Context) -> Self {
        let suggested = cx.stamped("plants", cx.now(), "csv");
        let path = match &cx.session.last_files.exported {
            Some(last) => PathInput::offering(Some(last), PathKind::Plants),
            None => PathInput::suggesting(suggested.clone(), PathKind::Plants),
        };
        Self::new(Content::Plants, path, suggested)
    }

    /// Opens for the plants with this file, and writes it at once unless it exists.
    pub(crate) fn of_plants_at(path: String, cx: &mut Context) -> Self {
        let path = PathInput::holding(path, PathKind::Plants);
        let mut prompt = Self { path, ..Self::of_plants(cx) };
        prompt.submit(cx);
        prompt
    }

    /// Opens for a report of this run of the check, or of requests.
    pub(crate) fn of_report(run: Option<Box<check::Report>>, filter: Filter, cx: &Context) -> Self {
        let (name, at) = run.as_ref().map_or(("plants-report", cx.now()), |run| ("plants-check", run.started));
        let suggested = cx.stamped(name, at, "md");
        let path = PathInput::suggesting(suggested.clone(), PathKind::Any);
        Self::new(run.map_or(Content::Requests(filter), Content::Check), path, suggested)
    }

    fn submit(&mut self, cx: &mut Context) {
        self.path.end_completion();
        match self.effect(cx) {
            _ if self.is_writing => {}
            Ok(effect) => {
                (self.is_writing, self.fault) = (true, None);
                if matches!(self.content, Content::Plants) && self.path.text() != self.suggested {
                    cx.session.last_files.exported = Some(self.path.text().to_owned());
                }
                cx.out.effect(effect);
            }
            Err(fault) => self.fault = Some(fault.to_owned()),
        }
    }

    /// Returns the effect that writes the file, or why the path is invalid.
    fn effect(&self, cx: &Context) -> Result<Effect, &'static str> {
        let path = self.path.path();
        if self.path.text().is_empty() {
            return Err("name a file");
        }
        match &self.content {
            Content::Plants => {
                let format = FileFormat::of_file(&path).ok_or("use the extension .csv, .json or .ndjson")?;
                let replace = self.exists.as_ref().is_some_and(|(path, _)| path == self.path.text());
                Ok(Effect::Export { path, format, replace })
            }
            Content::Requests(filter) => {
                let of_session = Filter::default().and(Test::Origin(cx.session.info.origin));
                let search = if filter.is_empty() { of_session } else { filter.clone() };
                let format = report::Format::of_file(&path)?;
                Ok(Effect::WriteReport(path, format, search))
            }
            Content::Check(report) => {
                let format = Format::of_file(&path)?;
                Ok(Effect::WriteCheck(path, format, report.clone()))
            }
        }
    }

    /// Returns its title, and what is written in which format.
    fn words(&self) -> (&'static str, &'static str) {
        match &self.content {
            Content::Plants => (
                "Export plants",
                "All plants in the list, in the format that an import reads. The file extension decides which: .csv, \
                 .json or .ndjson.",
            ),
            Content::Requests(filter) if !filter.is_empty() => (
                "Report of the requests that match",
                "Every request that the filter finds, with its response. The file extension decides the format: .md is \
                 Markdown, .har an HTTP Archive. Token, cookies and proxy headers are masked.",
            ),
            Content::Requests(_) => (
                "Report of this session",
                "Every request of this session with its response. The file extension decides the format: .md is Markdown, .har \
                 an HTTP Archive. Token, cookies and proxy headers are masked.",
            ),
            Content::Check(_) => (
                "Report of this check run",
                "The file extension decides the format: .md is the interface document with its blanks filled in for this \
                 store; .json is for programs, .xml a JUnit report for build servers, .txt plain text.",
            ),
        }
    }
}

impl Component for FilePrompt {
    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next if !self.is_writing => called("complete", |prompt: &mut Self, cx: &mut Context| {
                prompt.path.complete(&mut cx.out);
            }),
            Command::Submit => called("write it", Self::submit),
            Command::Close => does(|_, cx: &mut Context| cx.out.close()),
            _ => None,
        }
    }

    /// The form stays as it is written.
    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if !self.is_writing && self.path.take(typed) {
            (self.fault, self.exists) = (None, None);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        self.path.receive(message);
        let Msg::Written(path, result) = message else { return };
        match result {
            Ok(_) if self.is_writing => cx.out.close(),
            Ok(_) => {}
            Err(fault) if !self.is_writing => cx.out.say(not_written(path, fault)),
            Err(fault) => {
                self.is_writing = false;
                match fault {
                    WriteFault::Exists => {
                        self.exists = Some((self.path.text().to_owned(), Arming::of_warning()));
                    }
                    WriteFault::Other(why) => (self.fault, self.exists) = (Some(why.clone()), None),
                }
            }
        }
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        self.exists.as_mut().map(|(_, arming)| arming)
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let (title, words) = self.words();
        let mut form = Form::new(area, theme);
        form.page.blank();
        form.page.dim(words, 4);
        form.page.blank();
        let has_more = self.path.draw("file", true, &mut form);
        if self.is_writing {
            form.note("writing …", theme.in_progress);
        } else if self.exists.is_some() {
            let enter = cx.key(Command::Submit);
            form.note(&format!("! this file exists already: {enter} once more overwrites it"), theme.warning);
        } else if !has_more {
            form.fault(self.fault.as_ref());
        }
        form.draw(title, area, canvas);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.path.text().to_owned()])
    }
}

/// Reports that a file was not written, after its prompt was closed.
pub(crate) fn not_written(path: &Path, fault: &WriteFault) -> String {
    let path = shown_path(path);
    match fault {
        WriteFault::Exists => format!("{path} was not written: it exists already."),
        WriteFault::Other(why) => format!("{path} was not written: {why}."),
    }
}
