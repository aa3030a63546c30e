//! Random scripts against `update`: whatever happens, in whatever order, the invariants hold.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::connection::known;
use super::*;
use crate::app::connection::UrlField;
use crate::app::export::{ExportFault, Exported};
use crate::app::message::Matches;
use crate::app::profile::ProfileLine;
use crate::app::reader::Compared;
use crate::app::{Arrival, Target};
use crate::config::Wish;
use crate::config::new_profile::NotTaken;
use crate::domain::Probe;
use crate::domain::Unresolved;
use crate::domain::check::{self, Beforehand, EarlierLeftover, Lot, Run, Wanted};
use crate::domain::import::{Outcomes, Over, Preview, Progress, RowFault, Standing, Summary};
use crate::journal::{Column, Kept, LogAnchor, LogLine, LogRequest, LogWindow};

/// Anything that can happen, at random.
#[derive(Debug, Clone)]
enum Step {
    Press(Key),
    Paste(String),
    Answer(usize, u16),
    Fail(usize, FailureKind),
    Rows(Vec<(i8, State)>),
    JournalChanges,
    Tell(i8, Option<u64>),
    /// The oldest question to the journal is answered, well or not; in doubt are these.
    Journal(bool, Vec<i8>),
    Size(u16, u16),
    Drawn(usize, usize, usize),
    Click(Target),
    Wheel(Target, bool),
    CourierDies,
    /// An import goes on: so many rows are done, so many requests out.
    Goes(u64, usize),
    /// So many bytes of a file were read.
    Reads(u64),
    /// So many milliseconds pass; a clock can be set back, too.
    Passes(i16),
}

fn target() -> impl Strategy<Value = Target> {
    let actions: Vec<_> = KeyTable::default().of(Scope::Room).map(|binding| binding.action).collect();
    prop_oneof![
        prop::sample::select(actions).prop_map(Target::Action),
        any::<i8>().prop_map(|id| Target::Plant(PlantId(id.into()))),
        (0i64..20).prop_map(Target::Exchange),
        prop::sample::select(vec![Column::Id, Column::Name, Column::When]).prop_map(Target::Heading),
        (0usize..6).prop_map(Target::Answer),
        (0usize..6).prop_map(Target::Line),
        prop::sample::select(vec![UrlField::Url, UrlField::Token]).prop_map(Target::UrlField),
        prop::sample::select(vec![ProfileLine::Name, ProfileLine::Source, ProfileLine::Value])
            .prop_map(Target::ProfileLine),
        (0usize..60).prop_map(Target::Judged),
        prop::sample::select(vec![Target::List, Target::Pane, Target::Reader, Target::Switch, Target::Nothing]),
    ]
}

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
        1 => "\\PC{0,6}".prop_map(Step::Paste),
        1 => Just(Step::Paste("http://127.0.0.1:9".to_owned())),
        4 => (any::<usize>(), prop::sample::select(vec![200u16, 201, 301, 400, 401, 404, 408, 409, 500, 999])).prop_map(|(at, status)| Step::Answer(at, status)),
        2 => (any::<usize>(), kinds).prop_map(|(at, kind)| Step::Fail(at, kind)),
        3 => prop::collection::vec((any::<i8>(), states), 0..12).prop_map(Step::Rows),
        2 => Just(Step::JournalChanges),
        2 => (any::<i8>(), prop::option::of(1u64..3)).prop_map(|(id, doubt)| Step::Tell(id, doubt)),
        6 => (prop::bool::weighted(0.8), prop::collection::btree_set(any::<i8>(), 0..4)).prop_map(|(well, ids)| Step::Journal(well, ids.into_iter().collect())),
        1 => (0u16..200, 0u16..60).prop_map(|(width, height)| Step::Size(width, height)),
        1 => (0usize..60, 0usize..60, 0usize..200).prop_map(|(page, reader, lines)| Step::Drawn(page, reader, lines)),
        1 => target().prop_map(Step::Click),
        1 => (target(), any::<bool>()).prop_map(|(over, down)| Step::Wheel(over, down)),
        1 => Just(Step::CourierDies),
        2 => (0u64..2000, 0usize..9).prop_map(|(done, out)| Step::Goes(done, out)),
        1 => any::<u64>().prop_map(Step::Reads),
        2 => any::<i16>().prop_map(Step::Passes),
        1 => Just(Step::Paste("plants.csv".to_owned())),
    ]
}

impl Step {
    fn message(self, model: &Model, asked: &mut VecDeque<Effect>) -> Option<Msg> {
        let flight =
            |at: usize| (!model.flights.is_empty()).then(|| &model.flights[at % model.flights.len()].operation);
        Some(match self {
            Self::Press(key) => Msg::Key(key),
            Self::Paste(text) => Msg::Paste(text),
            Self::Answer(at, status) => answered(flight(at)?, status),
            Self::Fail(at, kind) => failed(flight(at)?, kind),
            Self::Rows(mut rows) => {
                rows.sort_by_key(|(id, _)| *id);
                rows.dedup_by_key(|(id, _)| *id);
                let told = window(&rows.into_iter().map(|(id, state)| row(id.into(), state)).collect::<Vec<_>>());
                let Msg::Window(_, window) = told else { return None };
                let arrangement = model.table.arrangement();
                Msg::Window(Box::new(WindowRequest { arrangement, ..around(None) }), window)
            }
            Self::JournalChanges => Msg::JournalChanged,
            Self::Tell(id, doubt) => {
                let state = if doubt.is_some() { State::Unknown } else { State::Stored };
                told(id.into(), state, doubt)
            }
            Self::Journal(well, ids) => from_journal(&asked.pop_front()?, well, &ids, model.facts.origin)?,
            Self::Size(width, height) => Msg::Resized { width, height },
            Self::Drawn(page, reader_page, reader_lines) => {
                let (pane_page, pane_lines) = (reader_page, reader_lines);
                let count = reader_lines / 3;
                let line = (count > 0).then_some(count);
                let matches = Matches { count, nth: count.min(1), at: line, before: line, after: line };
                let too_small = page == 7;
                let across = page % 5;
                Msg::Drawn(Drawn { too_small, page, pane_page, across, pane_lines, reader_page, reader_lines, matches })
            }
            Self::Click(target) => Msg::Clicked(target),
            Self::Wheel(over, down) => Msg::Wheeled { over, down },
            Self::Goes(accepted, out) => {
                let outcomes = Outcomes { accepted, ..Outcomes::default() };
                Msg::Importing(Progress { rows: 1000, outcomes, out, ..Progress::default() })
            }
            Self::Reads(bytes) => Msg::Judging { bytes },
            Self::Passes(millis) => Msg::Now(Timestamp(model.now.0 + i64::from(millis))),
            Self::CourierDies => Msg::CourierDied("boom".into()),
        })
    }
}

/// What comes of opening a store.
fn opened(wish: &Wish, well: bool, ids: &[i8], origin: u64) -> Msg {
    if !well {
        return Msg::Connected(Err("no such host".into()));
    }
    let demo = *wish == Wish::Demo;
    let samples = if demo { vec![sample()] } else { Vec::new() };
    let facts = Facts { origin: origin + 1, demo, ..facts() };
    let token_held = demo || ids.len().is_multiple_of(2);
    Msg::Connected(Ok(Box::new(Arrival { facts, token_held, notices: Vec::new(), samples })))
}

/// The journal's answer; in doubt are these, and what is asked about if it goes well.
fn from_journal(asked: &Effect, well: bool, ids: &[i8], origin: u64) -> Option<Msg> {
    match asked {
        Effect::Connect(wish) => Some(opened(wish, well, ids, origin)),
        Effect::FindStores if well => {
            Some(Msg::Stores(Ok(vec![facts().store, "https://old.example".parse().unwrap()])))
        }
        Effect::FindStores => Some(Msg::Stores(Err("locked".into()))),
        Effect::SaveProfile(new, replace) => {
            let written = if well && (*replace || ids.is_empty()) { Ok(()) } else { Err(NotTaken::Exists) };
            Some(Msg::ProfileSaved(new.clone(), "/c.toml".into(), written))
        }
        Effect::FindDoubts if well => Some(doubts(&ids.iter().map(|id| i64::from(*id)).collect::<Vec<_>>())),
        Effect::FindDoubts => Some(Msg::Doubts(Err("locked".into()))),
        Effect::Tell(id) if well => Some(told(id.0, State::Unknown, Some(1))),
        Effect::Tell(id) if ids.is_empty() => Some(Msg::Story(*id, Err("damaged".into()))),
        Effect::Tell(id) => Some(told(id.0, State::Stored, None)),
        Effect::FindDeparted(_) if !well => Some(Msg::Departed(String::new(), Err("locked".into()))),
        Effect::FindDeparted(text) => {
            let departed = |id: &i8| Departed {
                plant: Plant { name: "gone".into(), id: PlantId((*id).into()), tag: String::new() },
                how: Departure::Deleted,
                at: Timestamp(0),
            };
            Some(Msg::Departed(text.clone(), Ok(ids.iter().map(departed).collect())))
        }
        Effect::Settle(id, _, word) => {
            Some(Msg::Settled(*id, *word, if well { Ok(()) } else { Err(JournalError::Overtaken) }))
        }
        Effect::Log(request) => Some(Msg::Log(Box::new(request.clone()), from_log(request, well, ids))),
        Effect::Pulse(search) if well => Some(Msg::Pulse(Box::new(search.clone()), Ok(Vec::new()))),
        Effect::Pulse(search) => Some(Msg::Pulse(Box::new(search.clone()), Err(JournalError::Superseded))),
        Effect::Inspect(place) if ids.is_empty() => Some(Msg::Inspected(*place, Err("damaged".into()))),
        Effect::Inspect(place) => Some(Msg::Inspected(*place, Ok(well.then(|| Box::new(kept(*place)))))),
        Effect::Compare(one, other) => {
            Some(Msg::Compared(Ok(well.then(|| Box::new(Compared::of(&[kept(*one), kept(*other)]))))))
        }
        Effect::FindFitting(filter, _) => {
            let found = ids.iter().map(|id| row((*id).into(), State::Stored)).collect();
            Some(Msg::Fitting(filter.clone(), if well { Ok(found) } else { Err("locked".into()) }))
        }
        Effect::FindToDelete(plants) if well => {
            // All but every third, and one that is another plant by now.
            let rows = plants.iter().filter(|plant| plant.0 % 3 != 0).map(|plant| row(plant.0, State::Stored));
            Some(Msg::ToDelete(plants.clone(), Ok(rows.collect())))
        }
        Effect::FindToDelete(plants) => Some(Msg::ToDelete(plants.clone(), Err("locked".into()))),
        Effect::FindToResolve(plants) => Some(Msg::ToResolve(plants.clone(), unknown_among(plants, well))),
        Effect::SettleAll(seen, settlement) => Some(settled_all(seen, *settlement, well)),
        Effect::WriteReport(path, _) => {
            Some(Msg::Reported(path.clone(), if well { Ok(3) } else { Err("no room".into()) }))
        }
        Effect::WriteCheck(path, ..) => {
            Some(Msg::CheckWritten(path.clone(), if well { Ok(()) } else { Err("no room".into()) }))
        }
        Effect::Judge(path) => Some(Msg::Judged(path.clone(), judged(well, ids))),
        Effect::Import { .. } => Some(Msg::Imported(Box::new(summary(well, ids)))),
        Effect::Export { path, replace, .. } => {
            let fault = if *replace { ExportFault::Other("no room".into()) } else { ExportFault::Exists };
            Some(Msg::Exported(path.clone(), if well { Ok(Exported::default()) } else { Err(fault) }))
        }
        Effect::LookBeforehand if well => {
            let left = |id: &i8| EarlierLeftover {
                id: PlantId((*id).into()),
                name: "left".into(),
                probe: Probe::default(),
                accepted: *id > 0,
                doubt: None,
                in_vain: id % 2 == 0,
            };
            Some(Msg::Beforehand(
                ids.len() as u64,
                Ok(Beforehand { leftovers: ids.iter().map(left).collect(), ..Beforehand::default() }),
            ))
        }
        Effect::LookBeforehand => Some(Msg::Beforehand(0, Err("locked".into()))),
        Effect::Pause(pause, _) => Some(Msg::Paused(*pause)),
        Effect::KeepRun(_) => Some(Msg::RunKept(if well { Ok(()) } else { Err("no room".into()) })),
        Effect::FindRuns if well => Some(Msg::Runs(Ok(ids.iter().map(|id| run((*id).into())).collect()))),
        Effect::FindRuns => Some(Msg::Runs(Err("locked".into()))),
        Effect::LookBehind(operations) => {
            let found = ids.iter().map(|id| kept((*id).into())).collect();
            Some(Msg::Behind(operations.clone(), if well { Ok(found) } else { Err("locked".into()) }))
        }
        Effect::StopJudging
        | Effect::DropImport
        | Effect::StopImport
        | Effect::CancelImport
        | Effect::Send(_)
        | Effect::Cancel(_)
        | Effect::CancelAll
        | Effect::UseToken(_)
        | Effect::GiveUp(_)
        | Effect::Load(_)
        | Effect::WaitForView(_)
        | Effect::StopConnecting
        | Effect::Switch
        | Effect::Weather(_)
        | Effect::Copy(_)
        | Effect::UseMouse(_)
        | Effect::Suspend
        | Effect::Quit => None,
    }
}

/// What a file comes to: with so many rows bad, missing and in doubt.
fn judged(well: bool, ids: &[i8]) -> Result<Box<Preview>, String> {
    if !well && ids.is_empty() {
        return Err("line 1: a quote has no end".into());
    }
    let count = ids.len() as u64;
    let bad = if well { 0 } else { count };
    let faults = ids.iter().map(|id| fault(u64::from(id.unsigned_abs()))).take(if well { 0 } else { 9 }).collect();
    let forecast = Standing { send: count / 2, unknown: count % 2, ..Standing::default() }.into();
    Ok(Box::new(Preview { bad, faults, forecast, ..Preview::default() }))
}

fn fault(line: u64) -> RowFault {
    RowFault { line, column: 1, field: None, reason: "bad".into() }
}

fn summary(well: bool, ids: &[i8]) -> Summary {
    let outcomes = Outcomes { accepted: 3, unknown: ids.len() as u64, ..Outcomes::default() };
    let over = if well { Over::Done } else { Over::Halted("nothing is reachable".into()) };
    Summary { progress: Progress { rows: 9, outcomes, ..Progress::default() }, over }
}

/// What an earlier run came to, as far as it had come.
fn run(started: i64) -> check::Report {
    let lot = Lot::draw(started.unsigned_abs());
    let mut run =
        Run::new(&facts().store, Timestamp(started), Wanted::default(), Duration::ZERO, lot, &Beforehand::default());
    run.abandon("it was stopped");
    run.report()
}

fn sample() -> Plant {
    Plant { name: "sample".into(), id: PlantId(1), tag: String::new() }
}

/// Lines at the places 0 to 19, some of them.
fn from_log(request: &LogRequest, well: bool, ids: &[i8]) -> Result<LogWindow, JournalError> {
    if !well && ids.is_empty() {
        return Err(JournalError::Superseded);
    }
    let count = ids.iter().map(|id| i64::from(*id).rem_euclid(20)).max().unwrap_or(0);
    let line = |place: i64| LogLine {
        place,
        ask: Ask::Delete(PlantId(place)),
        called: None,
        outcome: Outcome::Accepted,
        status: Some(204),
        size: None,
        started: Timestamp(0),
        elapsed: Duration::ZERO,
    };
    let newer = well && matches!(request.anchor, LogAnchor::Oldest | LogAnchor::Around(_));
    Ok(LogWindow { lines: (0..count).rev().map(line).collect(), newer, older: !well })
}

fn kept(place: i64) -> Kept {
    let id = OperationId { origin: 1, number: 1 };
    let operation = Operation::new(id, Ask::Delete(PlantId(place)), Timestamp(0));
    let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
    Kept { place, called: None, exchange }
}

/// All of them but every third; adds and deletes.
fn unknown_among(plants: &[PlantId], well: bool) -> Result<Vec<Unresolved>, String> {
    let add = |id| Ask::Add(Plant { name: "Fern".into(), id, tag: "t".into() });
    let unknown = plants.iter().filter(|plant| plant.0 % 3 != 0).map(|plant| Unresolved {
        row: row(plant.0, State::Unknown),
        doubt: doubt(2, if plant.0 % 2 == 0 { Ask::Delete(*plant) } else { add(*plant) }),
    });
    if well { Ok(unknown.collect()) } else { Err("locked".into()) }
}

/// Written, but for every fifth.
fn settled_all(seen: &[(PlantId, OperationId)], settlement: Settlement, well: bool) -> Msg {
    let plants: Vec<_> = seen.iter().map(|(id, _)| *id).collect();
    let each = plants.iter().map(|id| if id.0 % 5 == 0 { Err(JournalError::Overtaken) } else { Ok(()) });
    let written = if well { Ok(each.collect()) } else { Err(JournalError::Died) };
    Msg::SettledAll(plants, settlement, written)
}

fn asks_journal(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::FindDoubts
            | Effect::FindDeparted(_)
            | Effect::Tell(_)
            | Effect::Settle(..)
            | Effect::Log(_)
            | Effect::Pulse(_)
            | Effect::Inspect(_)
            | Effect::Compare(..)
            | Effect::FindFitting(..)
            | Effect::FindToDelete(_)
            | Effect::FindToResolve(_)
            | Effect::SettleAll(..)
            | Effect::WriteReport(..)
            | Effect::WriteCheck(..)
            | Effect::Judge(_)
            | Effect::Import { .. }
            | Effect::Export { .. }
            | Effect::LookBeforehand
            | Effect::Pause(..)
            | Effect::KeepRun(_)
            | Effect::FindRuns
            | Effect::LookBehind(_)
            | Effect::Connect(_)
            | Effect::FindStores
            | Effect::SaveProfile(..)
    )
}

/// The form that a person may be typing into, as far as no answer may change it.
fn typed(model: &Model) -> Option<[String; 3]> {
    match &model.overlay {
        Some(Overlay::Add(form)) => Some([&form.name, &form.id, &form.tag].map(|field| field.text().to_owned())),
        Some(Overlay::Token(prompt)) => Some([prompt.secret.text().to_owned(), String::new(), String::new()]),
        Some(Overlay::Departed(list)) => Some([list.text.text().to_owned(), String::new(), String::new()]),
        Some(Overlay::Runs(list)) => Some([list.text.text().to_owned(), String::new(), String::new()]),
        Some(Overlay::Palette(palette)) => Some([palette.text.text().to_owned(), String::new(), String::new()]),
        Some(Overlay::Stores(picker)) => Some([picker.text.text().to_owned(), String::new(), String::new()]),
        Some(Overlay::BaseUrl(form)) => {
            Some([&form.url, &form.secret, &form.secret].map(|field| field.text().to_owned()))
        }
        Some(Overlay::Export(prompt)) => Some([prompt.path.text().to_owned(), String::new(), String::new()]),
        Some(
            Overlay::Profile(_)
            | Overlay::DeleteById(_)
            | Overlay::Choice(_)
            | Overlay::Report(_)
            | Overlay::Import(_)
            | Overlay::Preview(_)
            | Overlay::Reader(_),
        )
        | None => None,
    }
}

/// Whether a preview is open, or comes back.
fn previews(model: &Model) -> bool {
    model.overlay.iter().chain(&model.later).any(|overlay| matches!(overlay, Overlay::Preview(_)))
}

/// Whether a file is being judged for somebody.
fn judges(model: &Model) -> bool {
    matches!(&model.overlay, Some(Overlay::Import(prompt)) if prompt.judging.is_some())
}

/// Whether something will come that the check waits for.
fn goes_on(model: &Model, journal: &VecDeque<Effect>) -> bool {
    let is_out = model.flights.iter().any(|flight| flight.operation.probe.is_some());
    is_out || journal.iter().any(|effect| matches!(effect, Effect::LookBeforehand | Effect::Pause(..)))
}

/// Whatever is open is closed, whatever was asked is answered: a walk comes to its end.
fn ends_its_walk(model: &mut Model, mut asked: VecDeque<Effect>) -> bool {
    update(model, Msg::Drawn(Drawn::default()));
    for _ in 0..400 {
        if model.walk.is_none() {
            return true;
        }
        let message = match asked.pop_front() {
            Some(question) => from_journal(&question, true, &[1, 2, 3], model.facts.origin),
            None => Some(Msg::Key(Key::Enter))
                .filter(|_| matches!(model.overlay, Some(Overlay::Choice(_))))
                .or(Some(Msg::Key(Key::Esc))),
        };
        let effects = message.map(|message| update(model, message)).unwrap_or_default();
        asked.extend(effects.into_iter().filter(asks_journal));
    }
    false
}

/// The operation whose end a message tells.
fn ended_in(message: &Msg) -> Option<crate::domain::OperationId> {
    let Msg::Report(report) = message else { return None };
    match report.as_ref() {
        Report::Ended(ended) => Some(ended.exchange.operation.id),
        Report::Recorded(_) | Report::Waiting(_) => None,
    }
}

proptest! {
    /// Whatever happens (`PROPTEST_CASES=50000` for a long run): every operation that was asked for is in flight until it has ended,
    /// no operation is sent twice, what is selected and marked exists, nothing opens over what is
    /// being typed, a walk through what is in doubt comes to its end, and the tour asks for nothing
    /// but what is its own.
    #[test]
    fn no_script_loses_an_operation_or_breaks_an_invariant(demo in any::<bool>(), steps in prop::collection::vec(step(), 0..80)) {
        let mut model = model();
        model.facts.demo = demo;
        model.known = known();
        let mut asked = std::collections::HashSet::new();
        let mut journal = VecDeque::new();
        // Whether the runtime holds a file that was judged.
        let mut holds = false;
        for step in steps {
            let Some(message) = step.message(&model, &mut journal) else { continue };
            let by_hand = matches!(message, Msg::Key(_) | Msg::Paste(_) | Msg::Clicked(_) | Msg::Wheeled { .. });
            let arrived = matches!(message, Msg::Connected(Ok(_)));
            let written = matches!(message, Msg::Exported(_, Ok(_)));
            let typed_before = typed(&model).filter(|_| !by_hand && !arrived && !written);
            holds |= matches!(message, Msg::Judged(_, Ok(_)));
            let died = matches!(message, Msg::CourierDied(_));
            let ended = ended_in(&message);
            let tour = model.tour.is_some() && matches!(message, Msg::Key(_));
            let before: Vec<_> = model.flights.iter().map(|flight| flight.operation.id).collect();
            let effects = update(&mut model, message);
            let new = sent(&effects);
            if effects.contains(&Effect::Switch) {
                // The stage waits until nothing is under way that would speak of the store before.
                prop_assert!(before.is_empty());
                journal.clear();
            }
            if effects.contains(&Effect::StopJudging) {
                journal.retain(|effect| !matches!(effect, Effect::Judge(_)));
            }
            if effects.iter().any(|effect| matches!(effect, Effect::Import { .. } | Effect::DropImport)) {
                prop_assert!(holds, "there is nothing to send or to drop");
                holds = false;
            }
            if effects.contains(&Effect::StopConnecting) {
                journal.retain(|effect| !matches!(effect, Effect::Connect(_)));
            }
            let judging = journal.iter().chain(&effects).any(|effect| matches!(effect, Effect::Judge(_)));
            prop_assert_eq!(judging, judges(&model), "a file is judged for nobody, or somebody waits for nothing");
            prop_assert_eq!(holds, previews(&model), "a file is held for nobody, or a preview is of nothing");
            let importing = journal.iter().chain(&effects).filter(|effect| matches!(effect, Effect::Import { .. }));
            prop_assert_eq!(importing.count(), usize::from(model.is_importing()));
            prop_assert!(!model.is_importing() || !model.check.is_under_way() , "an import and a check at once");
            let waits = journal.iter().chain(&effects).any(|effect| matches!(effect, Effect::Connect(_)));
            let connecting = model.connecting.is_some();
            let is_shown = matches!(&model.overlay, Some(Overlay::Stores(_) | Overlay::BaseUrl(_)));
            prop_assert!(is_shown || !connecting, "nobody sees what is waited for");
            prop_assert_eq!(waits, connecting, "somebody waits for nothing, or nobody for something");
            journal.extend(effects.into_iter().filter(asks_journal));
            prop_assert!(typed_before.is_none() || typed(&model) == typed_before, "typed into something else");
            prop_assert!(model.walk.is_none() || model.overlay.is_some() || !journal.is_empty(), "the walk is stuck");
            for operation in &new {
                prop_assert!(asked.insert(operation.id), "sent twice: {operation:?}");
                prop_assert!(model.token_held);
                let is_own = operation.probe.is_some() || Some(operation.ask.plant_id()) == model.plant_of_tour();
                prop_assert!(!tour || is_own, "the tour sends what is not its own: {operation:?}");
            }
            if !died {
                for id in before.iter().copied().chain(new.iter().map(|operation| operation.id)) {
                    let flying = model.flights.iter().any(|flight| flight.operation.id == id);
                    prop_assert_eq!(flying, ended != Some(id));
                }
            }
            if let Some(Overlay::Departed(list)) = &model.overlay {
                prop_assert!(list.marked < list.found.as_ref().map_or(0, Vec::len).max(1));
            }
            if let Some(Overlay::Choice(choice)) = &model.overlay {
                prop_assert!(choice.marked < choice.answers.len());
            }
            prop_assert!(model.overlay.is_some() || model.later.is_empty(), "something waits behind nothing");
            prop_assert!(!model.filtering || model.scope() == Scope::List || model.overlay.is_some());
            if let Some(Overlay::Palette(palette)) = &model.overlay {
                prop_assert!(palette.marked < model.offers(palette).len().max(1));
            }
            prop_assert!(!model.check.is_under_way() || goes_on(&model, &journal), "the check is stuck");
            if model.check.report.is_some() {
                prop_assert!(model.check.lines().is_empty() || model.check.selected_line().is_some(), "a row is selected");
            }
            if let Some(Overlay::Runs(list)) = &model.overlay {
                prop_assert!(list.marked < model.offered_runs(list).len().max(1));
            }
            prop_assert!(model.log.visible().len() <= model.log.page.max(1));
            prop_assert!(model.log.lines.is_empty() || model.log.selected_line().is_some(), "an exchange is selected");
            prop_assert!(model.log.marked.len() <= 2);
            let rows = &model.table.window.rows;
            prop_assert!(model.table.visible().len() <= model.table.page.max(1));
            prop_assert!(model.table.top <= model.table.window.total.max(rows.len()));
        }
        prop_assert!(ends_its_walk(&mut model, journal), "{:?}", model.walk);
    }
}
