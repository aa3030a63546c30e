//! The help text: every key, and the four outcomes.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::Outcome;
use crate::text::clean_padded;
use crate::tui::input::{Binding, IN_A_FIELD, Keymap, Scope};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text_input::EDITING_KEYS;
use crate::tui::widgets::theme::Theme;

const OUTCOMES: [(Outcome, &str); 4] = [
    (Outcome::Accepted, "the store said yes: a 2xx status"),
    (Outcome::Rejected, "the store said no: a 3xx status, or a 4xx but 408. The form of an add opens again"),
    (
        Outcome::Unknown,
        "the request may have reached the store, and no response said yes or no. Only you can resolve it",
    ),
    (Outcome::NotSent, "nothing reached the store: it is safe to send it again"),
];

/// Lists the keys of the dialog or the tab where the help was opened, then those of every tab, then all others.
pub(crate) fn lines(keys: &Keymap, here: Scope, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let is_general = |scope: Scope| matches!(scope, Scope::Tabs | Scope::Everywhere);
    // The keys to copy name what is copied in their heading.
    let is_own = |scope: Scope| scope.applies_in(here) && !is_general(scope) && scope != Scope::Exchange;
    let mut page = Page::new(theme, width);
    section(&mut page, here.heading(), keys.here(here).filter(|binding| is_own(binding.scope)));
    let others = Scope::ALL.iter().copied().filter(|scope| !is_own(*scope) && !is_general(*scope));
    let (copying, others): (Vec<_>, Vec<_>) = others.partition(|scope| scope.applies_in(here));
    for scope in copying.into_iter().chain([Scope::Tabs, Scope::Everywhere]).chain(others) {
        section(&mut page, scope.heading(), keys.of(scope));
    }
    page.words(IN_A_FIELD, 1, theme.title);
    for (keys, words) in EDITING_KEYS {
        page.hanging(entry(keys, theme.key), words, 3, theme.text);
    }
    page.blank();
    page.words("Outcomes", 1, theme.title);
    for (outcome, meaning) in OUTCOMES {
        let (style, mark) = theme.outcome(outcome);
        page.hanging(entry(&format!("{mark} {}", outcome.word()), style), meaning, 3, theme.text);
    }
    page.lines
}

fn section<'a>(page: &mut Page<'_>, heading: &str, bindings: impl Iterator<Item = &'a Binding>) {
    let theme = page.theme;
    page.words(heading, 1, theme.title);
    for binding in bindings {
        page.hanging(entry(&binding.shown_keys().join(" "), theme.key), &binding.described(), 3, theme.text);
    }
    page.blank();
}

/// The left column: keys, or an outcome.
fn entry(text: &str, style: Style) -> Span<'static> {
    Span::styled(format!(" {}  ", clean_padded(text, 21)), style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(here: Scope) -> Vec<String> {
        let lines = lines(&Keymap::default(), here, &Theme::default(), 200).into_iter();
        lines.map(|line| line.spans.iter().map(|span| span.content.trim()).collect::<Vec<_>>().join(" ")).collect()
    }

    /// The lines that follow a blank one.
    fn headings(here: Scope) -> Vec<String> {
        let lines = text(here);
        let before = [String::new()].into_iter().chain(lines.clone());
        let found = lines.into_iter().zip(before).filter(|(line, before)| !line.is_empty() && before.is_empty());
        found.map(|(line, _)| line).collect()
    }

    #[test]
    fn the_keys_of_the_open_tab_or_dialog_come_first_and_those_of_every_tab_next() {
        let copy = "With the selected request, or the last one of the selected plant";
        for (here, name) in [(Scope::Plants, "Plants"), (Scope::History, "History"), (Scope::Check, "Check")] {
            let headings = headings(here);
            assert_eq!(headings[..4], [name, copy, "In every tab", "Everywhere"], "{headings:?}");
        }
        let first: Vec<_> = text(Scope::Plants).into_iter().take_while(|line| !line.is_empty()).collect();
        for key in ["d Delete delete", "r send again", "s sort by a column", "x show all requests"] {
            assert!(first.iter().any(|line| line.starts_with(key)), "{key}: {first:?}");
        }
        assert_eq!(headings(Scope::Form)[..3], ["In a form", "In every tab", "Everywhere"]);
        assert_eq!(headings(Scope::Preview)[..3], ["Before an import", "In every tab", "Everywhere"]);
        assert_eq!(headings(Scope::Inspector)[..4], ["In an opened request", copy, "In every tab", "Everywhere"]);
    }

    #[test]
    fn every_key_is_listed_once_wherever_the_help_is_opened() {
        let table = Keymap::default();
        // Not those that only group keys.
        let groups = [Scope::Tabs, Scope::Operations, Scope::Plant, Scope::Exchange, Scope::Everywhere];
        for &here in Scope::ALL.iter().filter(|scope| !groups.contains(scope)) {
            let listed = text(here);
            for binding in Scope::ALL.iter().flat_map(|scope| table.of(*scope)) {
                let words = binding.help.get(..20).unwrap_or(&binding.help);
                let start = format!("{} {words}", binding.shown_keys().join(" "));
                assert!(listed.iter().any(|line| line.starts_with(&start)), "{here:?}: {start}");
            }
            for scope in Scope::ALL.iter().filter(|scope| !scope.applies_in(here)) {
                assert_eq!(listed.iter().filter(|line| **line == scope.heading()).count(), 1, "{here:?}: {scope:?}");
            }
        }
    }
}
