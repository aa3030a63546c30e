//! The commands that sort a list by one of its columns.
//!
//! `s` waits for the number of a column, in the order of the screen. Must not know how a list is sorted.

use crate::domain::language::Id;
use crate::journal::SortColumn;
use crate::text::wrap::NO_BREAK;
use crate::tui::component::{Action, called, cannot, does};
use crate::tui::context::{Context, KeysFor};
use crate::tui::input::{Command, Scope};
use crate::tui::screen::Screen;
use crate::tui::status::Mode;

/// Returns `name, A to Z`.
pub(in crate::tui) fn in_words<C: SortColumn>(column: C, descending: bool) -> String {
    let (ascending_words, descending_words) = column.directions();
    format!("{}, {}", column.name(), if descending { descending_words } else { ascending_words })
}

/// A screen whose list can be sorted.
pub(in crate::tui) trait Sortable: Screen + Sized {
    type Column: SortColumn;

    /// Returns the present column, and whether its order is descending.
    fn order(&self, cx: &Context) -> (Self::Column, bool);

    fn set_order(&mut self, column: Self::Column, descending: bool, cx: &mut Context);

    /// Sorts by a column; reverses the order if the list is sorted by it.
    fn sort_by(&mut self, column: Self::Column, cx: &mut Context) {
        let (now, descending) = self.order(cx);
        let descending = if now == column { !descending } else { column.begins_descending() };
        self.sort(column, descending, cx);
    }

    /// Sorts by the column with an index, as its heading does.
    fn sort_nth(&mut self, at: usize, cx: &mut Context) {
        if let Some(column) = Self::Column::ALL.get(at) {
            self.sort_by(*column, cx);
        }
    }

    /// Sorts by the column that is typed; `-` before it names the direction.
    ///
    /// # Errors
    ///
    /// The list has no such column.
    fn sort_typed(&mut self, typed: &str, cx: &mut Context) -> Result<(), String> {
        let (column, descending) = Self::Column::parse_order(typed).map_err(|why| why.to_string())?;
        if typed.starts_with('-') {
            self.sort(column, descending, cx);
        } else {
            self.sort_by(column, cx);
        }
        Ok(())
    }

    /// Sorts by a column, and says so.
    fn sort(&mut self, column: Self::Column, descending: bool, cx: &mut Context) {
        self.set_order(column, descending, cx);
        cx.out.say_here(format!("Sorted by {}.", in_words(column, descending)));
        cx.out.simply(Id::SortedBy.with("column", cx.display.language_of_labels().named(column.name())));
    }
}

/// Returns what the commands that sort do.
pub(in crate::tui) fn action_of_sorting<S: Sortable>(command: Command) -> Action<S> {
    match command {
        Command::Sort => does(await_column),
        Command::SortBy(at) => match S::Column::ALL.get(at) {
            Some(column) => called(column.name(), |screen: &mut S, cx| screen.sort_by(*column, cx)),
            None => cannot("this list has no such column"),
        },
        Command::SortByNext => does(|screen: &mut S, cx| {
            let (now, _) = screen.order(cx);
            let all = S::Column::ALL;
            let next = all.iter().copied().skip_while(|column| *column != now).nth(1).or(all.first().copied());
            screen.sort_by(next.unwrap_or(now), cx);
        }),
        // The wait has ended before any command.
        Command::StopSorting => does(|_, cx: &mut Context| cx.out.status.leave()),
        Command::Reverse => does(|screen: &mut S, cx| screen.sort_by(screen.order(cx).0, cx)),
        _ => None,
    }
}

/// Waits for the number of a column, and lists the columns.
fn await_column<S: Sortable>(screen: &mut S, cx: &mut Context) {
    cx.screen.keys_for = KeysFor::Column;
    let key = |command| cx.out.keys.shown_in(Scope::Sorting, command);
    let number = |(at, column): (usize, &S::Column)| format!("{}{NO_BREAK}{}", key(Command::SortBy(at)), column.name());
    let columns: Vec<_> = S::Column::ALL.iter().enumerate().map(number).collect();
    let (column, descending) = screen.order(cx);
    let text = format!(
        "Sort by {}; {} the next one. Now by {}.",
        columns.join(", "),
        key(Command::SortByNext),
        in_words(column, descending)
    );
    cx.out.say_of_mode(Mode::Sorting, text);
    cx.out.simply(Id::SortBy);
}
