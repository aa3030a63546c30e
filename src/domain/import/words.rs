//! What an import is told in: a preview and a summary, in lines for people.

use super::{Over, Preview, Standing, Summary};
use crate::domain::sentence::span;

/// `1`, `12,345`: a count for people.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut told = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

/// `1 row`, `12,345 rows`.
pub fn rows(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "row" } else { "rows" })
}

/// What a file comes to, before anything is sent.
pub fn previewed(preview: &Preview) -> Vec<String> {
    let Preview { format, bad, standing, notes, .. } = preview;
    let mut lines = vec![format!("{}: {} in all, {} bad.", format.word(), rows(standing.rows() + bad), grouped(*bad))];
    lines.extend(notes.iter().map(|note| format!("Note: {note}")));
    lines.extend(passed_over(standing));
    lines.push(format!("To send: {}.", grouped(standing.missing)));
    lines
}

/// Rows that are not sent for how their plants stand.
fn passed_over(standing: &Standing) -> Vec<String> {
    let Standing { stored, otherwise, in_doubt, busy, .. } = *standing;
    let told = [
        (stored, "stored already"),
        (otherwise, "not sent: the view has another name or tag at that id; delete it first, or change the id"),
        (in_doubt, "in doubt from before, and not sent again unless told so; they might then be there twice"),
        (busy, "not sent: being added or deleted at this moment"),
    ];
    told.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{}: {what}.", rows(count))).collect()
}

/// What an import came to.
pub fn summed(summary: &Summary) -> Vec<String> {
    let progress = &summary.progress;
    let outcomes = progress.outcomes;
    let mut lines = vec![format!(
        "{} accepted, {} refused, {} unknown, {} not sent, in {}.",
        grouped(outcomes.accepted),
        grouped(outcomes.refused),
        grouped(outcomes.unknown),
        grouped(outcomes.not_sent),
        span(progress.elapsed),
    )];
    if progress.unlike_document > 0 {
        lines.push(format!("{}: accepted with an answer unlike the document.", rows(progress.unlike_document)));
    }
    lines.extend(passed_over(&progress.passed_over));
    if outcomes.unknown > 0 {
        lines.push("What is unknown is in the view, in doubt; the terminal interface settles it (u).".to_owned());
    }
    let left = progress.left();
    match &summary.over {
        Over::Done => {}
        Over::Stopped => lines.push(format!("Stopped: {} left, not sent.", rows(left))),
        Over::Halted(why) => lines.push(format!("Could not go on: {why}; {} left, not sent.", rows(left))),
    }
    if left + outcomes.not_sent + outcomes.refused > 0 {
        lines.push("Import the same file again, and only what is missing goes out.".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        let told = [0, 999, 1000, 12_345, 1_000_000].map(grouped);
        assert_eq!(told, ["0", "999", "1,000", "12,345", "1,000,000"]);
    }
}
