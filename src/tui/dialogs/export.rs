//! The prompt for the file that the list of plants is exported to.

use std::path::Path;

use ratatui::layout::Rect;

use crate::domain::file_format::FileFormat;
use crate::text::shown_path;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::PathInput;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathKind;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{ExportFault, Msg, Target};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;

#[derive(Debug)]
pub(crate) struct ExportPrompt {
    /// Its extension decides the format.
    path: PathInput,
    /// The name that was suggested, which is not offered again.
    suggested: String,
    /// Whether cells that a spreadsheet would run as a formula are changed.
    for_spreadsheet: bool,
    focus: Field,
    fault: Option<String>,
    /// The path of an existing file: one more Enter overwrites it.
    exists: Option<(String, Arming)>,
    is_writing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Path,
    Spreadsheet,
}

impl ExportPrompt {
    /// Offers the file that was named last, else suggests a new one.
    pub(crate) fn open(cx: &Context) -> Self {
        let suggested = cx.stamped("plants", "csv");
        Self {
            path: match &cx.session.last_files.exported {
                Some(last) => PathInput::offering(Some(last), PathKind::Plants),
                None => PathInput::suggesting(suggested.clone(), PathKind::Plants),
            },
            suggested,
            for_spreadsheet: false,
            focus: Field::Path,
            fault: None,
            exists: None,
            is_writing: false,
        }
    }

    /// Opens with this file, and writes it at once unless it exists.
    pub(crate) fn of(path: String, cx: &mut Context) -> Self {
        let path = PathInput::holding(path, PathKind::Plants);
        let mut prompt = Self { path, ..Self::open(cx) };
        prompt.submit(cx);
        prompt
    }

    fn format(&self) -> Option<FileFormat> {
        FileFormat::of_file(Path::new(self.path.text()))
    }

    fn switch(&mut self) {
        if !self.is_writing {
            self.for_spreadsheet = !self.for_spreadsheet;
        }
    }

    fn other_field(&mut self) {
        self.focus = match self.focus {
            Field::Path => Field::Spreadsheet,
            Field::Spreadsheet => Field::Path,
        };
    }

    fn submit(&mut self, cx: &mut Context) {
        self.path.end_completion();
        let fault = match self.format() {
            _ if self.is_writing => return,
            _ if self.path.text().is_empty() => "name a file",
            None => "use the extension .csv, .json or .ndjson",
            Some(format) => {
                (self.is_writing, self.fault) = (true, None);
                if self.path.text() != self.suggested {
                    cx.session.last_files.exported = Some(self.path.text().to_owned());
                }
                return cx.out.effect(Effect::Export {
                    path: self.path.path(),
                    format,
                    spreadsheet: self.for_spreadsheet && format == FileFormat::Csv,
                    replace: self.exists.as_ref().is_some_and(|(path, _)| path == self.path.text()),
                });
            }
        };
        (self.focus, self.fault) = (Field::Path, Some(fault.to_owned()));
    }

    fn explain_switch(&self) -> &'static str {
        match self.format() {
            Some(FileFormat::Json | FileFormat::Ndjson) => "Only for CSV: a spreadsheet runs nothing of this format.",
            Some(FileFormat::Csv) | None if self.for_spreadsheet => {
                "Names and tags that begin with =, +, -, @ get a ' before them: they then differ from the store's."
            }
            Some(FileFormat::Csv) | None => {
                "Off: names and tags are written unchanged. A spreadsheet may run those that begin with =, +, -, @."
            }
        }
    }
}

impl Component for ExportPrompt {
    fn scope(&self) -> Scope {
        match self.focus {
            Field::Path => Scope::Form,
            Field::Spreadsheet => Scope::Choice,
        }
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next if self.focus == Field::Path && !self.is_writing => {
                called("complete, next field", |prompt: &mut Self, cx: &mut Context| {
                    if !prompt.path.complete(&mut cx.out) {
                        prompt.other_field();
                    }
                })
            }
            Command::Next | Command::Down | Command::Previous => does(|prompt: &mut Self, _| prompt.other_field()),
            Command::PreviousValue | Command::NextValue => does(|prompt: &mut Self, _| prompt.switch()),
            Command::Submit => called("write it", Self::submit),
            Command::Close => does(|_, cx: &mut Context| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        match self.focus {
            // The form stays as it is written.
            _ if self.is_writing => {}
            Field::Path => {
                if self.path.take(typed) {
                    (self.fault, self.exists) = (None, None);
                }
            }
            Field::Spreadsheet => {}
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        if self.path.receive(message) && self.focus == Field::Path {
            self.other_field();
        }
        let Msg::Exported(path, result) = message else { return };
        match result {
            Ok(_) if self.is_writing => cx.out.close(),
            Ok(_) => {}
            Err(fault) if !self.is_writing => cx.out.say(not_written(path, fault)),
            Err(fault) => {
                (self.is_writing, self.focus) = (false, Field::Path);
                match fault {
                    ExportFault::Exists => {
                        self.exists = Some((self.path.text().to_owned(), Arming::of("warning")));
                    }
                    ExportFault::Other(why) => (self.fault, self.exists) = (Some(why.clone()), None),
                }
            }
        }
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        self.exists.as_mut().map(|(_, arming)| arming)
    }

    fn click(&mut self, target: Target, _cx: &mut Context) {
        match target {
            Target::Field(0) => self.focus = Field::Path,
            Target::Field(_) => {
                self.focus = Field::Spreadsheet;
                self.switch();
            }
            _ => {}
        }
    }

    /// The path, and `▸ [x] safe to open in a spreadsheet` below it.
    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let mut form = Form::new(area, theme);
        form.blank();
        let words = "All plants in the list, in the format that an import reads. The file extension decides which: .csv, \
                     .json or .ndjson.";
        form.hint(words, 4);
        form.blank();
        let has_more = self.path.draw("file", self.focus == Field::Path, &mut form);
        if self.is_writing {
            form.note("writing …", theme.in_progress);
        } else if self.exists.is_some() {
            let enter = cx.key(Command::Submit);
            form.note(&format!("! this file exists already: {enter} once more overwrites it"), theme.warning);
        } else if !has_more {
            form.fault(self.fault.as_ref());
        }
        let switch = if self.for_spreadsheet { "[x] " } else { "[ ] " };
        let words = "safe to open in a spreadsheet (Space switches it)";
        form.labelled(switch, words, self.focus == Field::Spreadsheet, 1);
        form.note(self.explain_switch(), theme.dim);
        form.draw("Export", area, canvas);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.path.text().to_owned()])
    }
}

/// Reports that an export wrote nothing, after its prompt was closed.
pub(crate) fn not_written(path: &Path, fault: &ExportFault) -> String {
    let path = shown_path(path);
    match fault {
        ExportFault::Exists => format!("{path} was not written: it exists already."),
        ExportFault::Other(why) => format!("{path} was not written: {why}."),
    }
}
