//! The prompt for the file of a report: of this session's requests, or of a check run.

use ratatui::layout::Rect;

use crate::check::{self, Format};
use crate::journal::Search;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::PathInput;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::input::completion::PathKind;
use crate::tui::message::Msg;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;

#[derive(Debug)]
pub(crate) struct ReportPrompt {
    /// The run of the check; `None` for the requests of this session.
    run: Option<Box<check::Report>>,
    path: PathInput,
    /// Why the path is invalid, or the file was not written.
    fault: Option<String>,
    is_writing: bool,
}

impl ReportPrompt {
    pub(crate) fn open(run: Option<Box<check::Report>>, cx: &Context) -> Self {
        let name = if run.is_some() { "plants-check" } else { "plants-report" };
        Self { run, path: PathInput::suggesting(cx.stamped(name, "md"), PathKind::Any), fault: None, is_writing: false }
    }

    pub(crate) fn was_not_written(&mut self, why: String) {
        (self.is_writing, self.fault) = (false, Some(why));
    }

    fn submit(&mut self, cx: &mut Context) {
        self.path.end_completion();
        match self.effect(cx) {
            _ if self.is_writing => {}
            Ok(effect) => {
                self.is_writing = true;
                cx.out.effect(effect);
            }
            Err(why) => self.fault = Some(why.to_owned()),
        }
    }

    /// Returns the effect that writes the report, or why the path is invalid.
    fn effect(&self, cx: &Context) -> Result<Effect, &'static str> {
        let path = self.path.path();
        if path.as_os_str().is_empty() {
            return Err("name a file");
        }
        match &self.run {
            None => {
                let search = Search { origin: Some(cx.session.info.origin), ..Search::default() };
                Ok(Effect::WriteReport(path, search))
            }
            Some(report) => match Format::of_file(&path) {
                Some(format) => Ok(Effect::WriteCheck(path, format, report.clone())),
                None => Err("use the extension .md, .json, .xml (JUnit) or .txt"),
            },
        }
    }
}

impl Component for ReportPrompt {
    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit => called("write it", Self::submit),
            Command::Next if !self.is_writing => called("complete", |prompt: &mut Self, cx: &mut Context| {
                prompt.path.complete(&mut cx.out);
            }),
            Command::Close => does(|_: &mut Self, cx: &mut Context| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.path.take(typed) {
            self.fault = None;
        }
    }

    fn receive(&mut self, message: &Msg, _cx: &mut Context) {
        self.path.receive(message);
    }

    fn draw(&self, _cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (title, words) = match self.run {
            None => (
                "Report of this session",
                "Every request of this session with its response, in Markdown. Token, cookies and proxy headers are masked.",
            ),
            Some(_) => (
                "Report of this check run",
                "The file extension decides the format: .md is the interface document with its blanks filled in for this \
                 store; .json is for programs, .xml a JUnit report for build servers, .txt plain text.",
            ),
        };
        let mut form = Form::new(area, canvas.theme);
        form.blank();
        form.hint(words, 4);
        form.blank();
        if !self.path.draw("file", true, &mut form) {
            form.fault(self.fault.as_ref());
        }
        form.draw(title, area, canvas);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_file_extension_decides_the_format() {
        let formats = ["a.md", "b.JSON", "/x.y/c.xml", "d.txt"].map(|path| Format::of_file(Path::new(path)));
        assert_eq!(formats, [Format::Markdown, Format::Json, Format::Junit, Format::Text].map(Some));
        assert_eq!(["a", "md", "a.html", ".md", ""].map(|path| Format::of_file(Path::new(path))), [None; 5]);
    }
}
