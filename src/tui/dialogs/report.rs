//! The prompt for the file of a report: of this session's requests, or of a run of the check.

use std::path::PathBuf;

use ratatui::layout::Rect;

use crate::check::Format;
use crate::journal::Search;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::ui_effect::ReportOf;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug)]
pub(crate) struct ReportPrompt {
    of: ReportOf,
    path: TextInput,
    /// Why it cannot be written, or was not.
    fault: Option<String>,
    is_writing: bool,
}

impl ReportPrompt {
    pub(crate) fn open(of: ReportOf, cx: &Context) -> Self {
        let name = match of {
            ReportOf::Session => "plants-report",
            ReportOf::Check(_) => "plants-check",
        };
        Self { of, path: TextInput::holding(cx.stamped(name, "md")), fault: None, is_writing: false }
    }

    pub(crate) fn was_not_written(&mut self, why: String) {
        (self.is_writing, self.fault) = (false, Some(why));
    }

    fn submit(&mut self, cx: &mut Context) {
        match self.effect(cx) {
            Ok(_) if self.is_writing => {}
            Ok(effect) => {
                self.is_writing = true;
                cx.out.effect(effect);
            }
            Err(why) => self.fault = Some(why.to_owned()),
        }
    }

    /// What writes it, or what is wrong with the path.
    fn effect(&self, cx: &Context) -> Result<Effect, &'static str> {
        let path = PathBuf::from(self.path.text());
        if path.as_os_str().is_empty() {
            return Err("name a file");
        }
        match &self.of {
            ReportOf::Session => {
                let search = Search { origin: Some(cx.session.info.origin), ..Search::default() };
                Ok(Effect::WriteReport(path, search))
            }
            ReportOf::Check(report) => match Format::of_file(&path) {
                Some(format) => Ok(Effect::WriteCheck(path, format, report.clone())),
                None => Err("its ending says what it is: .md, .json, .xml (JUnit) or .txt"),
            },
        }
    }
}

impl Component for ReportPrompt {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit => called("write it", Self::submit),
            Command::Close => does(|_: &mut Self, cx| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.path.take(typed) {
            self.fault = None;
        }
    }

    fn draw(&self, _cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let (title, words) = match self.of {
            ReportOf::Session => (
                "Report of this session",
                "Everything sent in this session, and what came back, in Markdown. Token, cookies and proxy headers are \
                 masked.",
            ),
            ReportOf::Check(_) => (
                "Report of this run of the check",
                "The file's ending says what it is: .md is the interface document with its blanks filled in for this \
                 store; .json is for programs, .xml a JUnit report for build servers, .txt plain text.",
            ),
        };
        let mut form = Form::default();
        form.blank();
        form.words(words, 4, theme.dim, width);
        form.blank();
        form.field("file", &self.path, true, width, theme);
        form.fault(self.fault.as_ref(), width, theme);
        form.draw(title, area, canvas);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_files_ending_says_what_it_is() {
        let formats = ["a.md", "b.JSON", "/x.y/c.xml", "d.txt"].map(|path| Format::of_file(Path::new(path)));
        assert_eq!(formats, [Format::Markdown, Format::Json, Format::Junit, Format::Text].map(Some));
        assert_eq!(["a", "md", "a.html", ".md", ""].map(|path| Format::of_file(Path::new(path))), [None; 5]);
    }
}
