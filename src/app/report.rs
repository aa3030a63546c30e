//! A report of this session's exchanges, written into a new file.

use std::path::PathBuf;

use super::field::Field;
use super::message::Effect;
use super::model::{Model, Overlay};
use crate::journal::Search;

/// "Write a report to which file?"
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPrompt {
    /// The file's path.
    pub path: Field,
    /// Why it could not be written.
    pub fault: Option<String>,
    /// Whether it is being written.
    writing: bool,
}

impl Model {
    pub(super) fn open_report(&mut self) -> Vec<Effect> {
        let now = jiff::Timestamp::from_millisecond(self.now.0).map(|now| now.to_zoned(self.facts.zone.clone()));
        let stamp = now.map(|now| now.strftime("-%Y-%m-%d-%H%M%S").to_string()).unwrap_or_default();
        let path = Field::holding(format!("plants-report{stamp}.md"));
        self.open(Overlay::Report(ReportPrompt { path, fault: None, writing: false }));
        Vec::new()
    }

    pub(super) fn submit_report(&mut self, mut prompt: ReportPrompt) -> Vec<Effect> {
        let path = PathBuf::from(prompt.path.text());
        let mut effects = Vec::new();
        if path.as_os_str().is_empty() {
            prompt.fault = Some("name a file".to_owned());
        } else if !prompt.writing {
            prompt.writing = true;
            let search = Search { origin: Some(self.facts.origin), ..Search::default() };
            effects.push(Effect::WriteReport(path, search));
        }
        self.overlay = Some(Overlay::Report(prompt));
        effects
    }

    /// It was written, or not: then the prompt says why.
    pub(super) fn report_written(&mut self, path: &std::path::Path, written: Result<usize, String>) {
        match (written, &mut self.overlay) {
            (Ok(exchanges), overlay) => {
                if matches!(overlay, Some(Overlay::Report(_))) {
                    self.close();
                }
                let credentials = "Every credential in it is masked.";
                self.says(&format!("Wrote {exchanges} exchanges to {}. {credentials}", path.display()));
            }
            (Err(why), Some(Overlay::Report(prompt))) => {
                prompt.writing = false;
                prompt.fault = Some(why);
            }
            (Err(why), _) => self.says(&format!("{} was not written: {why}.", path.display())),
        }
    }
}
