//! Help: every key, and what the four outcomes mean.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::Outcome;
use crate::domain::text::clean_padded;
use crate::tui::input::{Keymap, Scope};
use crate::tui::widgets::text::hanging;
use crate::tui::widgets::theme::Theme;

/// The four outcomes in one sentence each.
const OUTCOMES: [(Outcome, &str); 4] = [
    (Outcome::Accepted, "the store said yes: a 2xx status"),
    (Outcome::Rejected, "the store said no: a 3xx or 4xx status. An add comes back as its form"),
    (
        Outcome::Unknown,
        "it may have reached the store, and nothing that resolves it came back. Only you can resolve it",
    ),
    (Outcome::NotSent, "nothing reached the store: sending it again is safe"),
];

pub(crate) fn lines(keys: &Keymap, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for &scope in Scope::ALL {
        lines.push(Line::from(Span::styled(scope.heading(), theme.title)));
        for binding in keys.of(scope) {
            let keys: Vec<_> = binding.keys.iter().map(ToString::to_string).collect();
            lines.extend(hanging(entry(&keys.join(" "), theme.key), binding.help, width, 3, theme.text));
        }
        lines.push(Line::default());
    }
    lines.push(Line::from(Span::styled("What an exchange proves", theme.title)));
    for (outcome, meaning) in OUTCOMES {
        let (style, mark) = theme.outcome(outcome);
        let head = entry(&format!("{mark} {}", outcome.word()), style);
        lines.extend(hanging(head, meaning, width, 3, theme.text));
    }
    lines
}

/// The left column.
fn entry(text: &str, style: Style) -> Span<'static> {
    Span::styled(format!(" {}  ", clean_padded(text, 17)), style)
}
