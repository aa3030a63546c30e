//! Filters that are typed while answers come in any order: at the end each list shows what its filter says.

use proptest::prelude::*;
use proptest::sample::Index;

use super::tabs::log;
use super::*;
use crate::domain::Sample;
use crate::domain::filter::{Filter, Test};
use crate::journal::HistoryRow;
use crate::tui::ui_effect::Tab;

/// What happens, in any order.
#[derive(Debug, Clone)]
enum Step {
    /// Presses a key.
    Press(&'static str),
    /// Another program adds a plant.
    Added,
    /// One of the queries that are running ends, and its answer comes.
    Answered(Index),
}

fn step() -> impl Strategy<Value = Step> {
    let key =
        prop::sample::select(vec!["1", "2", "/", "s", "u", "n", "<backspace>", "<enter>", "<esc>", "G", "<down>"]);
    prop_oneof![5 => key.prop_map(Step::Press), 1 => Just(Step::Added), 5 => any::<Index>().prop_map(Step::Answered)]
}

/// The plants at the store, each with one request, and the queries that are running: of each list the newest.
struct Journal {
    plants: i64,
    running: Vec<Effect>,
}

fn name_of(id: i64) -> &'static str {
    ["sun", "sand", "nut"][usize::try_from(id % 3).unwrap()]
}

/// Whether the name of a plant has the texts of a filter.
fn has(filter: &Filter, id: i64) -> bool {
    filter.matches(|test| matches!(test, Test::Text(part) if name_of(id).contains(part.as_str())))
}

impl Journal {
    fn ask(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if matches!(effect, Effect::Load(_) | Effect::LoadHistory(_) | Effect::Latencies(_)) {
                self.running.retain(|other| std::mem::discriminant(other) != std::mem::discriminant(&effect));
                self.running.push(effect);
            }
        }
    }

    fn matching(&self, filter: &Filter) -> impl DoubleEndedIterator<Item = i64> {
        (0..self.plants).filter(move |id| has(filter, *id))
    }

    fn answer(&self, query: Effect) -> Msg {
        match query {
            Effect::Load(request) => {
                let rows: Vec<_> =
                    self.matching(&request.arrangement.filter).map(|id| named(id, name_of(id))).collect();
                let Msg::Window(_, found) = window(&rows) else { unreachable!("it is a window") };
                Msg::Window(Box::new(request), found)
            }
            Effect::LoadHistory(request) => {
                let found = log(self.matching(&request.search).rev(), false, false);
                Msg::History(Box::new(request), Ok(found))
            }
            Effect::Latencies(search) => {
                let sample = |_| Sample {
                    started: Timestamp(0),
                    elapsed: Duration::ZERO,
                    outcome: Outcome::Accepted,
                    responded: true,
                };
                let samples = self.matching(&search).map(sample).collect();
                Msg::Latencies(Box::new(search), Ok(samples))
            }
            other => unreachable!("{other:?}"),
        }
    }
}

proptest! {
    #[test]
    fn a_list_shows_what_its_filter_says_in_whatever_order_answers_come(
        steps in prop::collection::vec(step(), 0..60),
        last in prop::collection::vec(any::<Index>(), 30),
    ) {
        let mut journal = Journal { plants: 6, running: Vec::new() };
        let mut app = App::new(info(), Keymap::default(), Some(token()));
        journal.ask(app.begin(Vec::new()));
        for step in steps.into_iter().chain(last.into_iter().map(Step::Answered)) {
            match step {
                Step::Press(key) => journal.ask(press(&mut app, key)),
                Step::Added => {
                    journal.plants += 1;
                    journal.ask(app.update(Msg::JournalChanged));
                }
                Step::Answered(_) if journal.running.is_empty() => {}
                Step::Answered(which) => {
                    let query = journal.running.swap_remove(which.index(journal.running.len()));
                    let answer = journal.answer(query);
                    journal.ask(app.update(answer));
                }
            }
        }
        while let Some(query) = journal.running.pop() {
            let answer = journal.answer(query);
            journal.ask(app.update(answer));
        }
        let plants = &app.cx.session.plants;
        prop_assert!(!plants.is_awaited());
        let shown: Vec<_> = plants.window.rows.iter().map(|row| row.id.0).collect();
        prop_assert_eq!(shown, journal.matching(&plants.filter.filter).collect::<Vec<_>>());
        // The History is read while it is open.
        if app.cx.display.tab == Tab::History {
            let history = &app.screens.history.list;
            let matching: Vec<_> = journal.matching(&history.filter.filter).rev().collect();
            prop_assert_eq!(history.lines.iter().map(HistoryRow::number).collect::<Vec<_>>(), &matching[..]);
            prop_assert_eq!(history.latency.count(), matching.len());
        }
    }
}
