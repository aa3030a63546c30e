//! A report, of this session's exchanges or of a run of the check, written into a new file.

use std::path::{Path, PathBuf};

use super::field::Field;
use super::message::Effect;
use super::model::{Model, Overlay};
use crate::domain::check::{self, Format};
use crate::domain::text::shown_path;
use crate::journal::Search;

/// "Write a report to which file?"
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPrompt {
    /// What it is of.
    pub of: ReportOf,
    /// The file's path.
    pub path: Field,
    /// Why it could not be written.
    pub fault: Option<String>,
    /// Whether it is being written.
    writing: bool,
}

/// What a report is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportOf {
    /// The exchanges of this session.
    Session,
    /// This run of the check.
    Check(Box<check::Report>),
}

impl ReportPrompt {
    /// What writes it, or what is wrong with the path.
    fn effect(&self, origin: u64) -> Result<Effect, &'static str> {
        let path = PathBuf::from(self.path.text());
        if path.as_os_str().is_empty() {
            return Err("name a file");
        }
        match &self.of {
            ReportOf::Session => Ok(Effect::WriteReport(path, Search { origin: Some(origin), ..Search::default() })),
            ReportOf::Check(report) => match Format::of_file(&path) {
                Some(format) => Ok(Effect::WriteCheck(path, format, report.clone())),
                None => Err("its ending says what it is: .md, .json, .xml (JUnit) or .txt"),
            },
        }
    }
}

impl Model {
    /// Asks where to write the exchanges of this session.
    pub(super) fn open_report(&mut self) -> Vec<Effect> {
        self.ask_where_to_write(ReportOf::Session, "plants-report")
    }

    /// Asks where to write the run of the check that is shown.
    pub(super) fn open_report_of_check(&mut self) -> Vec<Effect> {
        let shown = self.check.report.clone().map(Box::new);
        shown.map(|report| self.ask_where_to_write(ReportOf::Check(report), "plants-check")).unwrap_or_default()
    }

    fn ask_where_to_write(&mut self, of: ReportOf, name: &str) -> Vec<Effect> {
        let path = Field::holding(self.stamped(name, "md"));
        self.open(Overlay::Report(ReportPrompt { of, path, fault: None, writing: false }));
        Vec::new()
    }

    /// `plants-2023-11-14-221320.csv`: a file's name that says when it was asked for.
    pub(super) fn stamped(&self, name: &str, ending: &str) -> String {
        let now = jiff::Timestamp::from_millisecond(self.now.0).map(|now| now.to_zoned(self.facts.zone.clone()));
        let stamp = now.map(|now| now.strftime("-%Y-%m-%d-%H%M%S").to_string()).unwrap_or_default();
        format!("{name}{stamp}.{ending}")
    }

    pub(super) fn submit_report(&mut self, mut prompt: ReportPrompt) -> Vec<Effect> {
        let mut effects = Vec::new();
        match prompt.effect(self.facts.origin) {
            Ok(_) if prompt.writing => {}
            Ok(effect) => {
                prompt.writing = true;
                effects.push(effect);
            }
            Err(why) => prompt.fault = Some(why.to_owned()),
        }
        self.overlay = Some(Overlay::Report(prompt));
        effects
    }

    /// The exchanges of this session were written, so many, or not.
    pub(super) fn report_written(&mut self, path: &Path, written: Result<usize, String>) {
        let told = |exchanges| {
            format!("Wrote {exchanges} exchanges to {}. Every credential in it is masked.", shown_path(path))
        };
        self.was_written(path, written.map(told));
    }

    /// A run of the check was written, or not.
    pub(super) fn check_written(&mut self, path: &Path, written: Result<(), String>) {
        self.was_written(path, written.map(|()| format!("Wrote this run of the check to {}.", shown_path(path))));
    }

    /// It was written, or not: then the prompt says why.
    fn was_written(&mut self, path: &Path, written: Result<String, String>) {
        match (written, &mut self.overlay) {
            (Ok(told), overlay) => {
                if matches!(overlay, Some(Overlay::Report(_))) {
                    self.close();
                }
                self.says(&told);
            }
            (Err(why), Some(Overlay::Report(prompt))) => {
                prompt.writing = false;
                prompt.fault = Some(why);
            }
            (Err(why), _) => self.says(&format!("{} was not written: {why}.", shown_path(path))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_ending_says_what_it_is() {
        let told = ["a.md", "b.JSON", "/x.y/c.xml", "d.txt"].map(|path| Format::of_file(Path::new(path)));
        assert_eq!(told, [Format::Markdown, Format::Json, Format::Junit, Format::Text].map(Some));
        assert_eq!(["a", "md", "a.html", ".md", ""].map(|path| Format::of_file(Path::new(path))), [None; 5]);
    }
}
