//! The help text: every key, and the four outcomes.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::Outcome;
use crate::domain::text::clean_padded;
use crate::tui::input::{Keymap, Scope};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::theme::Theme;

const OUTCOMES: [(Outcome, &str); 4] = [
    (Outcome::Accepted, "the store said yes: a 2xx status"),
    (Outcome::Rejected, "the store said no: a 3xx status, or a 4xx but 408. The form of an add opens again"),
    (Outcome::Unknown, "the request may have reached the store, and no response decided it. Only you can resolve it"),
    (Outcome::NotSent, "nothing reached the store: it is safe to send it again"),
];

pub(crate) fn lines(keys: &Keymap, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    for &scope in Scope::ALL {
        page.words(scope.heading(), 1, theme.title);
        for binding in keys.of(scope) {
            let keys: Vec<_> = binding.keys.iter().map(ToString::to_string).collect();
            page.hanging(entry(&keys.join(" "), theme.key), binding.help, 3, theme.text);
        }
        page.blank();
    }
    page.words("Outcomes", 1, theme.title);
    for (outcome, meaning) in OUTCOMES {
        let (style, mark) = theme.outcome(outcome);
        page.hanging(entry(&format!("{mark} {}", outcome.word()), style), meaning, 3, theme.text);
    }
    page.lines
}

/// The left column: keys, or an outcome.
fn entry(text: &str, style: Style) -> Span<'static> {
    Span::styled(format!(" {}  ", clean_padded(text, 17)), style)
}
