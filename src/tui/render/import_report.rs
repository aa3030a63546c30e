//! An import in words: its pace while it is under way, and the report at its end.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::domain::language::Id;
use crate::domain::sentence::span;
use crate::domain::{Language, Message, OutcomeCounts};
use crate::import::{Over, RowCounts};
use crate::text::clean_padded;
use crate::text::number_format::{about, counted, grouped, rate};
use crate::tui::input::{Command, Keymap, Tab};
use crate::tui::session::{Ending, ImportRun, more_rows, shown_source};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::theme::Theme;

/// Lines of one row of the file at most.
const ROWS: usize = 3;

pub(crate) fn title(import: Option<&ImportRun>, language: Language) -> String {
    language.named(import.and_then(|import| import.over.as_ref()).map_or("An import is under way", Into::into))
}

/// Describes the speed and the time left, or why the import waits.
pub(crate) fn pace(import: &ImportRun, language: Language, theme: &Theme) -> (String, Style) {
    let progress = &import.progress;
    let counted = |id: Id| id.with("count", grouped(progress.out as u64));
    let after = |id: Id, time| id.with("time", language.units(about(time)));
    let (message, style) = match (import.ending, progress.pause) {
        (Some(Ending::Stopping), _) => (counted(Id::ImportStopping), theme.warning),
        (Some(Ending::Cancelling), _) => (counted(Id::ImportCancelling), theme.warning),
        (None, _) if import.is_braked => (Message::from(Id::ImportWaits), theme.warning),
        (None, Some(pause)) => (after(Id::ImportPauses, pause), theme.warning),
        (None, None) => match progress.time_left() {
            Some(left) => {
                (after(Id::ImportLeft, left).with("rate", language.units(rate(progress.per_second()))), theme.text)
            }
            None => (counted(Id::HeaderInFlight), theme.text),
        },
    };
    (language.say(&message), style)
}

/// Progress, outcomes, rows that were not sent, what to do next, and every row that needs a look. Labels are in the language.
pub(crate) fn lines(
    import: &ImportRun,
    keys: &Keymap,
    language: Language,
    theme: &Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let progress = &import.progress;
    let outcomes =
        progress.all_outcomes().each().map(|(outcome, count)| (outcome, language.named(outcome.word()), count));
    let label = 4 + outcomes.iter().map(|(_, word, _)| word.width()).max().unwrap_or(0);
    let mut page = Page::new(theme, width);
    page.blank();
    if let Some(Over::Halted(why)) = &import.over {
        page.words(why, 6, theme.bad);
        page.blank();
    }
    let mut say = |name: &str, text: &str| {
        page.hanging(Span::styled(clean_padded(&language.named(name), label), theme.dim), text, 3, theme.text);
    };
    say("file", &format!("{} ({})", shown_source(import.path.as_deref()), import.format.word()));
    if import.bad > 0 {
        say("left out", &counted(import.bad, "bad row", "bad rows"));
    }
    let done = Id::ImportDone.with("done", grouped(progress.done())).with("all", grouped(progress.rows));
    say("done", &language.say(&done));
    if progress.left() > 0 {
        say("not tried", &counted(progress.left(), "row", "rows"));
    }
    let is_short = progress.elapsed < Duration::from_secs(10);
    say("took", &language.units(if is_short { span(progress.elapsed) } else { about(progress.elapsed) }));
    page.blank();
    page.lines.extend(outcomes.into_iter().map(|(outcome, word, count)| {
        let (style, mark) = theme.outcome(outcome);
        let count = Span::styled(grouped(count), if count == 0 { theme.dim } else { theme.title });
        Line::from(vec![Span::styled(clean_padded(&format!("{mark} {word}"), label), style), count])
    }));
    unsent(&mut page, progress.unsent, 0);
    for sentence in progress.resent_sentence().into_iter().chain(progress.pages_sentence()) {
        page.words(&sentence, 4, theme.warning);
    }
    if progress.mismatches > 0 {
        let differ = counted(progress.mismatches, "response differs", "responses differ");
        let open = keys.shown(Command::Open);
        page.words(&format!("{differ} from the document: {open} on a request in History shows how."), 2, theme.warning);
    }
    for advice in advice(import, keys) {
        page.blank();
        page.words(&advice, 4, theme.text);
    }
    if !import.notes.is_empty() {
        page.blank();
        page.rule(&language.named("rows that need a look"));
        for note in &import.notes {
            page.words(&note.to_string(), ROWS, theme.text);
        }
        let OutcomeCounts { accepted, .. } = progress.outcomes;
        let more = (progress.all_outcomes().total() + import.bad).saturating_sub(accepted + import.notes.len() as u64);
        if more > 0 {
            page.dim(&more_rows(more, import.path.as_deref()), ROWS);
        }
    }
    page.lines
}

/// Adds the rows that are not simply sent, behind an indent.
pub(crate) fn unsent(page: &mut Page<'_>, counts: RowCounts, indent: usize) {
    let theme = page.theme;
    for (count, state, words) in counts.reasons() {
        let (style, mark) = state.map_or((theme.warning, "!"), |state| theme.state(state, 0));
        let head = Span::styled(format!("{:indent$}{mark} ", ""), style);
        page.hanging(head, &format!("{} {words}", grouped(count)), ROWS, theme.text);
    }
}

/// Returns what to do next.
fn advice(import: &ImportRun, keys: &Keymap) -> Vec<String> {
    let outcomes = import.progress.outcomes;
    let mut advice = Vec::new();
    if import.progress.is_token_rejected {
        let key = keys.shown(Command::ReplaceToken);
        advice.push(format!("The store rejected the token: {key} takes another one."));
    }
    if import.progress.has_missing() {
        let key = keys.shown(Command::Import);
        let again = import.progress.import_again();
        advice.push(format!("{again} ({key}): only missing plants are sent."));
    }
    if import.progress.has_unknown_plants() {
        let key = keys.shown(Command::Resolve);
        advice.push(format!("{key} resolves unknown plants, or sends them again."));
    }
    if outcomes.rejected > 0 {
        let (history, filter) = (keys.shown(Command::GoTo(Tab::History)), keys.shown(Command::Filter));
        advice
            .push(format!("History has the rejected requests with reasons: {history}, then {filter}outcome:rejected."));
    }
    advice
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::domain::file_format::FileFormat;
    use crate::import::{Progress, RowNote, RowNumber};
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    /// Returns an import that is over, of `left` rows more than have ended.
    fn over(left: u64, outcomes: OutcomeCounts, unsent: RowCounts, unresolved: u64) -> ImportRun {
        let progress = Progress { outcomes, unsent, unresolved, ..Progress::default() };
        ImportRun {
            path: Some(PathBuf::from("/x/plants.csv")),
            format: FileFormat::Csv,
            bad: 0,
            progress: Progress { rows: progress.done() + left, ..progress },
            is_braked: false,
            notes: Vec::new(),
            ending: None,
            over: Some(Over::Done),
        }
    }

    fn report(import: &ImportRun) -> String {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let lines = lines(import, &Keymap::default(), Language::En, &theme, 100);
        lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_advice_is_about_what_is_left_to_do() {
        let (none, accepted) = (RowCounts::default(), OutcomeCounts { accepted: 9, ..OutcomeCounts::default() });
        let again = "Import the same file again (i): only missing plants are sent.";
        let resolve = "u resolves unknown plants, or sends them again.";
        let rejected = "History has the rejected requests";
        for (import, expected) in [
            (over(0, accepted, none, 0), None),
            (over(1, accepted, none, 0), Some(again)),
            (over(0, OutcomeCounts { not_sent: 1, ..accepted }, none, 0), Some(again)),
            (over(0, OutcomeCounts { unknown: 1, ..accepted }, none, 0), Some(resolve)),
            (over(0, accepted, RowCounts { unknown: 1, ..none }, 0), Some(resolve)),
            (over(0, accepted, none, 1), Some(resolve)),
            (over(0, OutcomeCounts { rejected: 1, ..accepted }, none, 0), Some(rejected)),
        ] {
            let advice = advice(&import, &Keymap::default());
            assert_eq!(advice.len(), usize::from(expected.is_some()), "{advice:?}");
            assert!(advice.iter().all(|advice| advice.starts_with(expected.unwrap_or_default())), "{advice:?}");
        }
    }

    #[test]
    fn the_advice_after_a_rejected_token_leads_to_another() {
        let outcomes = OutcomeCounts { rejected: 1, ..OutcomeCounts::default() };
        let import = over(0, outcomes, RowCounts::default(), 0);
        let import = ImportRun { progress: Progress { is_token_rejected: true, ..import.progress }, ..import };
        let advice = advice(&import, &Keymap::default());
        assert_eq!(advice[0], "The store rejected the token: T takes another one.");
        assert!(advice[1].starts_with("Import the same file again (i)"), "{advice:?}");
    }

    #[test]
    fn rows_that_the_report_leaves_out_are_counted() {
        let outcomes = OutcomeCounts { accepted: 5, rejected: 3, ..OutcomeCounts::default() };
        let note = |line| RowNote { number: RowNumber { line, element: None }, sentence: "id in use".into() };
        let with_notes =
            |count| ImportRun { notes: (1..=count).map(note).collect(), ..over(0, outcomes, RowCounts::default(), 0) };
        let some = report(&with_notes(1));
        assert!(some.contains("line 1: id in use\nand 2 more: plants import /x/plants.csv --dry-run"), "{some}");
        let all = report(&with_notes(3));
        assert!(all.ends_with("line 3: id in use"), "{all}");
    }

    #[test]
    fn bad_rows_that_were_left_out_are_counted() {
        for (bad, line) in [(2, Some("left out    2 bad rows")), (0, None)] {
            let import = ImportRun { bad, ..over(0, OutcomeCounts::default(), RowCounts::default(), 0) };
            let report = report(&import);
            assert_eq!(report.lines().find(|line| line.starts_with("left out")), line, "{report}");
        }
    }
}
