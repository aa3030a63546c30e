//! The view written into a file: which, in which format, and what came of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::field::Field;
use super::message::Effect;
use super::model::{Model, Overlay};
use crate::domain::figure::{counted, grouped};
use crate::domain::import::Format;
use crate::domain::text::shown_path;

/// "Export the plants to which file?"
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPrompt {
    /// The file's path; its ending says the format.
    pub path: Field,
    /// Whether cells that a spreadsheet would run as a formula are changed.
    pub spreadsheet: bool,
    /// What has the cursor.
    pub focus: ExportLine,
    /// Why it could not be written.
    pub fault: Option<String>,
    /// The path at which there is a file: one more Enter overwrites that one.
    pub exists: Option<String>,
    /// Whether it is being written.
    pub writing: bool,
}

/// A line of the prompt that takes keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportLine {
    /// The path.
    Path,
    /// Whether a spreadsheet is to be safe from it.
    Spreadsheet,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    /// How many plants.
    pub plants: u64,
    /// How many of them are in doubt.
    pub in_doubt: u64,
    /// How many of them are being added or deleted at this moment.
    pub in_flight: u64,
    /// Left out, because nobody knows their name.
    pub unnamed: u64,
    /// Cells that were changed for spreadsheets.
    pub changed: u64,
}

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportFault {
    /// There is such a file, and nobody said to overwrite it.
    Exists,
    /// Another reason, in words.
    Other(String),
}

impl ExportPrompt {
    fn to(path: String) -> Self {
        let path = Field::holding(path);
        Self { path, spreadsheet: false, focus: ExportLine::Path, fault: None, exists: None, writing: false }
    }

    /// The format that the path's ending names.
    pub fn format(&self) -> Option<Format> {
        Format::of_file(Path::new(self.path.text()))
    }

    /// Changes what has the cursor.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Field) -> bool) {
        match self.focus {
            // What is being written is what was asked for.
            _ if self.writing => {}
            ExportLine::Path => {
                if change(&mut self.path) {
                    (self.fault, self.exists) = (None, None);
                }
            }
            ExportLine::Spreadsheet => {
                let mut typed = Field::default();
                change(&mut typed);
                if typed.text() == " " {
                    self.switch();
                }
            }
        }
    }

    /// Turns the safety for spreadsheets on or off.
    pub(super) fn switch(&mut self) {
        if !self.writing {
            self.spreadsheet = !self.spreadsheet;
        }
    }

    pub(super) fn next(&mut self) {
        self.focus = match self.focus {
            ExportLine::Path => ExportLine::Spreadsheet,
            ExportLine::Spreadsheet => ExportLine::Path,
        };
    }

    /// What writes it, or what is wrong with the path.
    fn effect(&self) -> Result<Effect, &'static str> {
        if self.path.text().is_empty() {
            return Err("name a file");
        }
        let format = self.format().ok_or("its ending says what it is: .csv, .json or .ndjson")?;
        Ok(Effect::Export {
            path: PathBuf::from(self.path.text()),
            format,
            spreadsheet: self.spreadsheet && format == Format::Csv,
            replace: self.exists.as_deref() == Some(self.path.text()),
        })
    }
}

impl Exported {
    /// It in a sentence.
    fn told(self, path: &Path) -> String {
        let Self { plants, in_doubt, in_flight, unnamed, changed } = self;
        let mut told = format!("Wrote {} to {}", counted(plants, "plant", "plants"), shown_path(path));
        for (count, words) in [
            (in_doubt, "of them unknown".to_owned()),
            (in_flight, "being added or deleted at this moment".to_owned()),
            (unnamed, "without a name left out".to_owned()),
            (changed, format!("{} changed for spreadsheets", if changed == 1 { "cell" } else { "cells" })),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(told, "; {} {words}", grouped(count));
            }
        }
        told.push('.');
        told
    }
}

impl Model {
    /// Asks where to write the view.
    pub(super) fn open_export(&mut self) -> Vec<Effect> {
        let prompt = ExportPrompt::to(self.stamped("plants", "csv"));
        self.open(Overlay::Export(prompt));
        Vec::new()
    }

    pub(super) fn submit_export(&mut self, mut prompt: ExportPrompt) -> Vec<Effect> {
        let mut effects = Vec::new();
        match prompt.effect() {
            Ok(_) if prompt.writing => {}
            Ok(effect) => {
                (prompt.writing, prompt.fault) = (true, None);
                effects.push(effect);
            }
            Err(why) => {
                prompt.focus = ExportLine::Path;
                prompt.fault = Some(why.to_owned());
            }
        }
        self.overlay = Some(Overlay::Export(prompt));
        effects
    }

    /// The view was written, or not: then the prompt says why.
    pub(super) fn exported(&mut self, path: &Path, written: Result<Exported, ExportFault>) {
        match (written, &mut self.overlay) {
            (Ok(exported), overlay) => {
                if matches!(overlay, Some(Overlay::Export(prompt)) if prompt.writing) {
                    self.close();
                }
                self.says(&exported.told(path));
            }
            (Err(fault), Some(Overlay::Export(prompt))) if prompt.writing => {
                (prompt.writing, prompt.focus) = (false, ExportLine::Path);
                match fault {
                    ExportFault::Exists => prompt.exists = Some(prompt.path.text().to_owned()),
                    ExportFault::Other(why) => (prompt.fault, prompt.exists) = (Some(why), None),
                }
            }
            (Err(ExportFault::Exists), _) => {
                self.says(&format!("{} was not written: there is such a file already.", shown_path(path)));
            }
            (Err(ExportFault::Other(why)), _) => self.says(&format!("{} was not written: {why}.", shown_path(path))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_told_with_what_is_odd_about_it() {
        let path = Path::new("/x/plants.csv");
        let all = Exported { plants: 1_203, in_doubt: 3, in_flight: 2, unnamed: 1, changed: 1 };
        assert_eq!(
            all.told(path),
            "Wrote 1,203 plants to /x/plants.csv; 3 of them unknown; 2 being added or deleted at this moment; 1 \
             without a name left out; 1 cell changed for spreadsheets."
        );
        assert_eq!(Exported { plants: 1, ..Exported::default() }.told(path), "Wrote 1 plant to /x/plants.csv.");
    }
}
