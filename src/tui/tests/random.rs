//! Random scripts of messages against `update`, which must preserve the invariants.

mod results;

use std::collections::VecDeque;
use std::path::Path;

use proptest::prelude::*;

use super::connection::known;
use super::tabs::{line, stored};
use super::*;
use crate::check::{self, EarlierLeftover, EarlierRuns, Event, LastDelete, Pace, Run, Wanted};
use crate::config::ConnectionTarget;
use crate::config::new_profile::SaveFault;
use crate::domain::compare::Compared;
use crate::domain::export::Exported;
use crate::domain::{OutcomeCounts, Probe, RunId};
use crate::import::{Over, Preview, Progress, RowFault, Summary};
use crate::journal::{HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow, RunLine};
use crate::terminal::AltKey;
use crate::tui::input::completion::{PathMatches, PathQuery};
use crate::tui::message::{Arrival, Cause, Matches, Target, WriteFault, Written};

use results::from_journal;

/// A random event.
#[derive(Debug, Clone)]
enum Step {
    Press(Key),
    /// A key in one read with the input before it.
    Burst(Key),
    Paste(String),
    Response(usize, u16),
    Fail(usize, FailureKind),
    Rows(Vec<(i8, State)>),
    JournalChanges,
    LoadPlantHistory(i8, Option<u64>),
    /// The oldest query ends, with a result or a failure; these plants are unknown.
    Journal(bool, Vec<i8>),
    Drawn(usize, usize, usize),
    Click(Target),
    Wheel(Target, bool),
    WorkerDies,
    /// An import advances to these numbers of rows done and requests in flight.
    Goes(u64, usize),
    /// Too many outcomes of an import are unknown.
    ImportBrakes,
    /// This number of bytes of a file was validated.
    Reads(u64),
    /// This number of milliseconds passes; negative if the clock is set back.
    Passes(i16),
}

fn target() -> impl Strategy<Value = Target> {
    let commands: Vec<_> = Keymap::default().of(Scope::Tabs).map(|binding| binding.command).collect();
    prop_oneof![
        prop::sample::select(commands).prop_map(Target::Command),
        any::<i8>().prop_map(|id| Target::Plant(PlantId(id.into()))),
        (0i64..20).prop_map(Target::Exchange),
        prop::sample::select(vec![0_usize, 1, 4]).prop_map(Target::Heading),
        (0usize..6).prop_map(Target::Choice),
        (0usize..6).prop_map(Target::Line),
        (0usize..3).prop_map(Target::Field),
        (6usize..60).prop_map(Target::Line),
        prop::sample::select(vec![Target::List, Target::Pane, Target::Text, Target::Nothing]),
    ]
}

/// What is pasted besides any text.
const PASTES: [&str; 5] = [
    "plants.csv",
    "http://127.0.0.1:9",
    "name,id,tag\rFern,7,shade\r",
    "curl http://h/plants -d '{\"name\":\"Fern\",\"id\":7}'",
    "curl -X DELETE http://h/plants/7",
];

fn step() -> impl Strategy<Value = Step> {
    let keys = [
        Key::Char('a'),
        Key::Char('d'),
        Key::Char('D'),
        Key::Char('u'),
        Key::Char('r'),
        Key::Char('q'),
        Key::Char('b'),
        Key::Char('y'),
        Key::Char('s'),
        Key::Char('S'),
        Key::Char('Y'),
        Key::Char('?'),
        Key::Char('1'),
        Key::Char('2'),
        Key::Char('3'),
        Key::Char('4'),
        Key::Char('t'),
        Key::Char('t'),
        Key::Char(' '),
        Key::Char('h'),
        Key::Char('l'),
        Key::Char('/'),
        Key::Char(' '),
        Key::Char(':'),
        Key::Char('s'),
        Key::Char('S'),
        Key::Char('M'),
        Key::Char('x'),
        Key::Char('o'),
        Key::Char('p'),
        Key::Char('v'),
        Key::Char('w'),
        Key::Char('n'),
        Key::Char('N'),
        Key::Char('m'),
        Key::Char('I'),
        Key::Char('c'),
        Key::Char('i'),
        Key::Char('i'),
        Key::Char('e'),
        Key::Char('j'),
        Key::Char('7'),
        Key::Char('漢'),
        Key::Enter,
        Key::Esc,
        Key::Tab,
        Key::BackTab,
        Key::Up,
        Key::Down,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
        Key::Left,
        Key::Right,
        Key::Backspace,
        Key::Delete,
        Key::Ctrl('c'),
        Key::Ctrl('u'),
        Key::Alt(AltKey::Other),
        Key::Alt(AltKey::Backspace),
        Key::Ctrl('d'),
        Key::Ctrl('y'),
        Key::Ctrl('_'),
        Key::Char('V'),
        Key::Char('z'),
        Key::ShiftUp,
        Key::ShiftDown,
        Key::F(1),
        Key::F(5),
    ];
    let states = prop::sample::select(State::ALL.to_vec());
    let kinds = prop::sample::select(vec![
        FailureKind::NotConnected,
        FailureKind::TimedOut,
        FailureKind::NotRecorded,
        FailureKind::CancelledInFlight,
    ]);
    prop_oneof![
        12 => prop::sample::select(keys.to_vec()).prop_map(Step::Press),
        2 => prop::sample::select(keys.to_vec()).prop_map(Step::Burst),
        1 => "\\PC{0,6}".prop_map(Step::Paste),
        4 => (any::<usize>(), prop::sample::select(vec![200u16, 201, 301, 400, 401, 404, 408, 409, 500, 999])).prop_map(|(at, status)| Step::Response(at, status)),
        2 => (any::<usize>(), kinds).prop_map(|(at, kind)| Step::Fail(at, kind)),
        3 => prop::collection::vec((any::<i8>(), states), 0..12).prop_map(Step::Rows),
        2 => Just(Step::JournalChanges),
        2 => (any::<i8>(), prop::option::of(1u64..3)).prop_map(|(id, origin)| Step::LoadPlantHistory(id, origin)),
        6 => (prop::bool::weighted(0.8), prop::collection::btree_set(any::<i8>(), 0..4)).prop_map(|(well, ids)| Step::Journal(well, ids.into_iter().collect())),
        1 => (0usize..60, 0usize..60, 0usize..200).prop_map(|(page, reader, lines)| Step::Drawn(page, reader, lines)),
        1 => target().prop_map(Step::Click),
        1 => (target(), any::<bool>()).prop_map(|(over, down)| Step::Wheel(over, down)),
        1 => Just(Step::WorkerDies),
        2 => (0u64..2000, 0usize..9).prop_map(|(done, out)| Step::Goes(done, out)),
        1 => Just(Step::ImportBrakes),
        1 => any::<u64>().prop_map(Step::Reads),
        2 => any::<i16>().prop_map(Step::Passes),
        3 => prop::sample::select(PASTES.to_vec()).prop_map(|text| Step::Paste(text.to_owned())),
    ]
}

impl Step {
    fn message(self, app: &App, queries: &mut VecDeque<Effect>) -> Option<Msg> {
        let operation = |at: usize| {
            (!app.cx.session.pending.is_empty())
                .then(|| &app.cx.session.pending[at % app.cx.session.pending.len()].operation)
        };
        Some(match self {
            Self::Press(key) => keyed(key),
            Self::Burst(key) => Msg::Input(UserInput::Key(key), TOGETHER),
            Self::Paste(text) => pasted(text),
            Self::Response(at, status) => responded(operation(at)?, status),
            Self::Fail(at, kind) => failed(operation(at)?, kind),
            Self::Rows(mut rows) => {
                rows.sort_by_key(|(id, _)| *id);
                rows.dedup_by_key(|(id, _)| *id);
                let message = window(&rows.into_iter().map(|(id, state)| row(id.into(), state)).collect::<Vec<_>>());
                let Msg::Window(_, window) = message else { return None };
                let arrangement = app.cx.session.plants.arrangement();
                Msg::Window(Box::new(WindowRequest { arrangement, ..around(None) }), window)
            }
            Self::JournalChanges => Msg::JournalChanged,
            Self::LoadPlantHistory(id, origin) => {
                let state = if origin.is_some() { State::Unknown } else { State::Stored };
                history(id.into(), state, origin)
            }
            Self::Journal(well, ids) => from_journal(&queries.pop_front()?, well, &ids, app.cx.session.info.origin)?,
            Self::Drawn(page, reader_page, reader_lines) => {
                let (pane_page, pane_lines) = (reader_page, reader_lines);
                let count = reader_lines / 3;
                let line = (count > 0).then_some(count);
                let matches = Matches { count, nth: count.min(1), at: line, before: line, after: line };
                let too_small = page == 7;
                let across = page % 5;
                shown(FrameLayout {
                    tab: app.cx.display.tab,
                    too_small,
                    page,
                    pane_page,
                    across,
                    pane_lines,
                    reader_page,
                    reader_lines,
                    matches,
                })
            }
            Self::Click(target) => clicked(target),
            Self::Wheel(over, down) => wheeled(over, down),
            Self::Goes(accepted, out) => {
                let outcomes = OutcomeCounts { accepted, ..OutcomeCounts::default() };
                Msg::Importing(Box::new(Progress { rows: 1000, outcomes, out, ..Progress::default() }))
            }
            Self::ImportBrakes => Msg::ImportBraked(1000, crate::worker::BrakeCause::Pages),
            Self::Reads(bytes) => Msg::Validating { bytes },
            Self::Passes(millis) => Msg::Now(Timestamp(app.cx.now().0 + i64::from(millis))),
            Self::WorkerDies => Msg::WorkerDied("boom".into()),
        })
    }
}

fn is_query(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::FindUnknown
            | Effect::FindUnlisted(_)
            | Effect::LoadPlantHistory(_)
            | Effect::Resolve(..)
            | Effect::LoadHistory(_)
            | Effect::Latencies(_)
            | Effect::Inspect(_)
            | Effect::Compare(..)
            | Effect::FindFitting(..)
            | Effect::FindListed(_)
            | Effect::WriteReport(..)
            | Effect::WriteCheck(..)
            | Effect::FindPaths(_)
            | Effect::CompleteTag(_)
            | Effect::Validate(_)
            | Effect::ValidateText(_)
            | Effect::Import { .. }
            | Effect::RenewToken(_)
            | Effect::Export { .. }
            | Effect::FindEarlierRuns
            | Effect::Pause(..)
            | Effect::WaitForBatch(_)
            | Effect::KeepRun(_)
            | Effect::FindRuns
            | Effect::FindRelated(_)
            | Effect::Connect(_)
            | Effect::FindStores
            | Effect::SaveProfile { .. }
            | Effect::SavePreference(_)
    )
}

/// Whether a message will come that the check waits for.
fn check_continues(app: &App, journal: &VecDeque<Effect>) -> bool {
    let in_flight = app.cx.session.pending.iter().any(|pending| pending.operation.probe.is_some());
    in_flight || journal.iter().any(|effect| matches!(effect, Effect::FindEarlierRuns | Effect::Pause(..)))
}

/// Closes all dialogs and ends all queries. Returns whether the resolve queue ends.
fn ends_its_queue(app: &mut App, mut queries: VecDeque<Effect>) -> bool {
    app.update(shown(FrameLayout::default()));
    for _ in 0..400 {
        if !app.is_resolving() {
            return true;
        }
        show(app);
        let message = match queries.pop_front() {
            Some(query) => from_journal(&query, true, &[1, 2, 3], app.cx.session.info.origin),
            None => Some(keyed(Key::Enter)).filter(|_| app.question().is_some()).or(Some(keyed(Key::Esc))),
        };
        let effects = message.map(|message| app.update(message)).unwrap_or_default();
        queries.extend(effects.into_iter().filter(is_query));
    }
    false
}

/// Returns the operation whose end a message reports.
fn ended_in(message: &Msg) -> Option<crate::domain::OperationId> {
    let Msg::Report(report) = message else { return None };
    match report.as_ref() {
        Report::Ended(ended) => Some(ended.exchange.operation.id),
        Report::Recorded(_) | Report::RecordedLate(_) | Report::Waiting(_) => None,
    }
}

proptest! {
    /// `PROPTEST_CASES=50000` makes a long run. The invariants: every submitted operation is pending until it ends, no
    /// operation is sent twice, selected and marked plants exist, no dialog opens over text that is being typed, the
    /// resolve queue ends, and the tour acts only on its own plants.
    #[test]
    fn no_script_loses_an_operation_or_breaks_an_invariant(demo in any::<bool>(), steps in prop::collection::vec(step(), 0..80)) {
        let mut app = new_app();
        app.cx.session.info.demo = demo;
        app.cx.session.stores.known = known();
        let mut sent_before = std::collections::HashSet::new();
        let mut journal = VecDeque::new();
        // Whether the runtime stores validated rows.
        let mut has_rows = false;
        // What had been typed at the last choice.
        let mut entered = None;
        for step in steps {
            let Some(message) = step.message(&app, &mut journal) else { continue };
            let by_hand = matches!(message, Msg::Input(..));
            let arrived = matches!(message, Msg::Connected(Ok(_)));
            let written = matches!(message, Msg::Written(_, Ok(_)));
            // The person asked for it.
            let completed = matches!(message, Msg::Paths(..) | Msg::TagCompleted(..))
                || matches!(message, Msg::Listed(..)) && app.typed() == entered;
            if matches!(message, Msg::Input(UserInput::Key(Key::Enter) | UserInput::Click(_), _)) {
                entered = app.typed();
            }
            let typed_before = app.typed().filter(|_| !by_hand && !arrived && !written && !completed);
            has_rows |= matches!(message, Msg::Validated(_, Ok(_)));
            let died = matches!(message, Msg::WorkerDied(_));
            let ended = ended_in(&message);
            let tour = app.cx.display.on_tour && matches!(message, Msg::Input(UserInput::Key(_), _));
            let before: Vec<_> = app.cx.session.pending.iter().map(|pending| pending.operation.id).collect();
            let effects = app.update(message);
            let new = sent(&effects);
            if effects.contains(&Effect::Switch) {
                // The event loop waits for all operations of the previous store.
                prop_assert!(before.is_empty());
                journal.clear();
            }
            let validated = journal.iter().any(|effect| matches!(effect, Effect::Validate(_) | Effect::ValidateText(_)));
            if effects.contains(&Effect::DropImport) {
                journal.retain(|effect| !matches!(effect, Effect::Validate(_) | Effect::ValidateText(_)));
            }
            if effects.iter().any(|effect| matches!(effect, Effect::Import { .. } | Effect::DropImport)) {
                prop_assert!(has_rows || validated, "there are no validated rows to send or to drop");
                has_rows = false;
            }
            if effects.contains(&Effect::StopConnecting) {
                journal.retain(|effect| !matches!(effect, Effect::Connect(_)));
            }
            let validating = journal.iter().chain(&effects).any(|effect| matches!(effect, Effect::Validate(_) | Effect::ValidateText(_)));
            prop_assert_eq!(validating, app.validates(), "the prompt and the runtime disagree about a validation");
            prop_assert_eq!(has_rows, app.previews(), "validated rows without a preview, or a preview without rows");
            let importing = journal.iter().chain(&effects).filter(|effect| matches!(effect, Effect::Import { .. }));
            prop_assert_eq!(importing.count(), usize::from(app.cx.session.is_importing()));
            prop_assert!(!app.cx.session.is_importing() || !app.cx.session.check.is_under_way() , "an import and a check at once");
            let waits = journal.iter().chain(&effects).any(|effect| matches!(effect, Effect::Connect(_)));
            let connecting = app.cx.session.stores.connecting.is_some();
            let is_shown = app.offers_stores();
            prop_assert!(is_shown || !connecting, "a connection is opened without a dialog that says so");
            prop_assert_eq!(waits, connecting, "the session and the runtime disagree about a connection");
            journal.extend(effects.into_iter().filter(is_query));
            prop_assert!(typed_before.is_none() || app.typed() == typed_before, "a message changed text that a person typed");
            prop_assert!(!app.is_resolving() || app.cx.display.has_dialog || !journal.is_empty(), "the queue is stuck");
            for operation in &new {
                prop_assert!(sent_before.insert(operation.id), "sent twice: {operation:?}");
                prop_assert!(app.cx.session.token.is_some());
                let is_own = operation.probe.is_some() || Some(operation.kind.plant_id()) == app.plant_of_tour();
                prop_assert!(!tour || is_own, "the tour acts on another plant: {operation:?}");
            }
            if !died {
                for id in before.iter().copied().chain(new.iter().map(|operation| operation.id)) {
                    let is_pending = app.cx.session.pending.iter().any(|pending| pending.operation.id == id);
                    prop_assert_eq!(is_pending, ended != Some(id));
                }
            }
            if let Some((marked, count)) = app.marked_line() {
                prop_assert!(marked < count.max(1));
            }
            if let Some(question) = app.question() {
                prop_assert!(question.marked < question.choices.len());
            }
            prop_assert!(app.cx.display.has_dialog || app.behind() == 0, "a dialog waits behind no other");
            prop_assert!(!app.cx.session.check.is_under_way() || check_continues(&app, &journal), "the check is stuck");
            prop_assert!(app.screens.check.has_selection(), "a row is selected");
            let history = &app.screens.history.list;
            prop_assert!(history.visible().len() <= history.view.page.max(1));
            prop_assert!(history.lines.is_empty() || history.selected_row().is_some(), "a line is selected");
            prop_assert!(history.marked.len() <= 2);
            let rows = &app.cx.session.plants.window.rows;
            prop_assert!(app.cx.session.plants.visible().len() <= app.cx.session.plants.view.page.max(1));
            prop_assert!(app.cx.session.plants.view.top <= app.cx.session.plants.window.total.max(rows.len()));
        }
        prop_assert!(ends_its_queue(&mut app, journal), "the queue does not end");
    }
}
