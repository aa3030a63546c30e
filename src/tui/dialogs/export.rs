//! The prompt for a file to export the list of plants into.

use std::path::{Path, PathBuf};

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::file_format::FileFormat;
use crate::domain::text::shown_path;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{ExportFault, Msg, Target};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::text_input::TextInput;
use crate::tui::widgets::theme::Theme;

#[derive(Debug)]
pub(crate) struct ExportPrompt {
    /// Its ending says the format.
    path: TextInput,
    /// Whether cells that a spreadsheet would run as a formula are changed.
    for_spreadsheet: bool,
    focus: Field,
    fault: Option<String>,
    /// The path at which there is a file: one more Enter overwrites that one.
    exists: Option<String>,
    is_writing: bool,
}

/// What has the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Path,
    Spreadsheet,
}

impl ExportPrompt {
    pub(crate) fn open(cx: &Context) -> Self {
        Self {
            path: TextInput::holding(cx.stamped("plants", "csv")),
            for_spreadsheet: false,
            focus: Field::Path,
            fault: None,
            exists: None,
            is_writing: false,
        }
    }

    /// The format that the path's ending names.
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
        let fault = match self.format() {
            _ if self.is_writing => return,
            _ if self.path.text().is_empty() => "name a file",
            None => "its ending says what it is: .csv, .json or .ndjson",
            Some(format) => {
                (self.is_writing, self.fault) = (true, None);
                return cx.out.effect(Effect::Export {
                    path: PathBuf::from(self.path.text()),
                    format,
                    spreadsheet: self.for_spreadsheet && format == FileFormat::Csv,
                    replace: self.exists.as_deref() == Some(self.path.text()),
                });
            }
        };
        (self.focus, self.fault) = (Field::Path, Some(fault.to_owned()));
    }
}

impl Component for ExportPrompt {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next | Command::Previous => does(|prompt, _| prompt.other_field()),
            Command::Submit => called("write it", Self::submit),
            Command::Close => does(|_, cx| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        match self.focus {
            // What is being written is what was asked for.
            _ if self.is_writing => {}
            Field::Path => {
                if self.path.take(typed) {
                    (self.fault, self.exists) = (None, None);
                }
            }
            Field::Spreadsheet => {
                let mut input = TextInput::default();
                input.take(typed);
                if input.text() == " " {
                    self.switch();
                }
            }
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        let Msg::Exported(path, result) = message else { return };
        match result {
            Ok(_) if self.is_writing => cx.out.close(),
            Ok(_) => {}
            Err(fault) if !self.is_writing => cx.out.say(not_written(path, fault)),
            Err(fault) => {
                (self.is_writing, self.focus) = (false, Field::Path);
                match fault {
                    ExportFault::Exists => self.exists = Some(self.path.text().to_owned()),
                    ExportFault::Other(why) => (self.fault, self.exists) = (Some(why.clone()), None),
                }
            }
        }
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

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let mut form = Form::default();
        form.blank();
        let words = "All plants of this view, in the form that an import reads. The file's ending says which: .csv, .json \
                     or .ndjson.";
        form.words(words, 4, theme.dim, width);
        form.blank();
        form.targets.push((form.lines.len(), Target::Field(0)));
        form.field("file", &self.path, self.focus == Field::Path, width, theme);
        let enter = cx.key(Command::Submit);
        if self.is_writing {
            form.note("writing …", theme.moving, width);
        } else if self.exists.is_some() {
            let words = format!("! there is such a file already: {enter} once more overwrites it");
            form.note(&words, theme.doubt, width);
        } else {
            form.fault(self.fault.as_ref(), width, theme);
        }
        form.targets.push((form.lines.len(), Target::Field(1)));
        if self.focus == Field::Spreadsheet {
            form.cursor = Some((form.lines.len(), 3));
        }
        form.lines.push(self.switch_line(width, theme));
        form.note(self.what_the_switch_does(), theme.dim, width);
        form.draw("Export", area, canvas);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.path.text().to_owned()])
    }
}

impl ExportPrompt {
    /// `▸ [x] safe to open in a spreadsheet`
    fn switch_line(&self, width: usize, theme: &Theme) -> Line<'static> {
        let focused = self.focus == Field::Spreadsheet;
        let pointer = if focused { theme.mark("▸ ", "> ") } else { "  " };
        let on = if self.for_spreadsheet { "[x] " } else { "[ ] " };
        let style = if focused { theme.title } else { theme.text };
        Line::from(vec![
            Span::styled(pointer, theme.key),
            Span::styled(on, if focused { theme.key } else { theme.dim }),
            fitted("safe to open in a spreadsheet (Space switches it)", width.saturating_sub(6), style),
        ])
    }

    fn what_the_switch_does(&self) -> &'static str {
        match self.format() {
            Some(FileFormat::Json | FileFormat::Ndjson) => "Only for CSV: a spreadsheet runs nothing of this format.",
            Some(FileFormat::Csv) | None if self.for_spreadsheet => {
                "Names and tags that begin with =, +, -, @ get a ' before them: they are then not what the store has."
            }
            Some(FileFormat::Csv) | None => {
                "Off: every name and tag to the letter. A spreadsheet may run those that begin with =, +, -, @."
            }
        }
    }
}

/// Says that an export whose prompt is closed wrote nothing.
pub(crate) fn not_written(path: &Path, fault: &ExportFault) -> String {
    let path = shown_path(path);
    match fault {
        ExportFault::Exists => format!("{path} was not written: there is such a file already."),
        ExportFault::Other(why) => format!("{path} was not written: {why}."),
    }
}
