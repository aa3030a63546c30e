//! What a file and an import of it came to, in lines for people on the command line.

use super::{Preview, Standing, Summary};
use crate::domain::figure::{counted, grouped};

/// `1 row`, `12,345 rows`.
pub fn rows(count: u64) -> String {
    counted(count, "row", "rows")
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
    let mut lines = vec![summary.told()];
    lines.extend(passed_over(&progress.passed_over));
    let outcomes = progress.outcomes;
    if outcomes.unknown > 0 {
        lines.push("What is unknown is in the view, in doubt; the terminal interface settles it (u).".to_owned());
    }
    if progress.left() + outcomes.not_sent + outcomes.refused > 0 {
        lines.push("Import the same file again, and only what is missing goes out.".to_owned());
    }
    lines
}
