//! An import under way in words: its pace, and its outcomes.

use ratatui::style::Style;

use crate::domain::Outcome;
use crate::import::OutcomeCounts;
use crate::text::number_format::{about, counted, grouped, rate};
use crate::tui::session::{Ending, ImportRun};
use crate::tui::widgets::theme::Theme;

/// Describes the speed and the time left, or why the import waits.
pub(crate) fn pace(import: &ImportRun, theme: &Theme) -> (String, Style) {
    let progress = &import.progress;
    let out = progress.out as u64;
    match (import.ending, progress.pause) {
        (Some(Ending::Stopping), _) => {
            (format!("stopping: waiting for {}", counted(out, "response", "responses")), theme.warning)
        }
        (Some(Ending::Cancelling), _) => (format!("cancelling {}", counted(out, "request", "requests")), theme.warning),
        (None, _) if import.is_braked => ("waits for your answer".to_owned(), theme.warning),
        (None, Some(pause)) => (format!("the store asks to wait {}", about(pause)), theme.warning),
        (None, None) => match progress.time_left() {
            Some(left) => (format!("{}  {} left", rate(progress.per_second()), about(left)), theme.text),
            None => (format!("{} in flight", grouped(out)), theme.text),
        },
    }
}

pub(crate) fn counts(outcomes: OutcomeCounts) -> [(Outcome, u64); 4] {
    let OutcomeCounts { accepted, rejected, unknown, not_sent } = outcomes;
    [
        (Outcome::Accepted, accepted),
        (Outcome::Rejected, rejected),
        (Outcome::Unknown, unknown),
        (Outcome::NotSent, not_sent),
    ]
}
