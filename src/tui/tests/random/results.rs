//! The results of queries in random scripts.

use super::*;

/// Returns the result of opening a store.
pub(super) fn connected(target: &ConnectionTarget, well: bool, ids: &[i8], origin: u64) -> Msg {
    if !well {
        return Msg::Connected(Err("no such host".into()));
    }
    let demo = *target == ConnectionTarget::Demo;
    let samples = if demo { vec![sample()] } else { Vec::new() };
    let info = StoreInfo { origin: origin + 1, demo, ..info() };
    let token = (demo || ids.len().is_multiple_of(2)).then(token);
    Msg::Connected(Ok(Box::new(Arrival { info, token, notices: Vec::new(), samples })))
}

/// Returns the result of a query; these plants are unknown.
pub(super) fn from_journal(query: &Effect, well: bool, ids: &[i8], origin: u64) -> Option<Msg> {
    match query {
        Effect::Connect(target) => Some(connected(target, well, ids, origin)),
        Effect::FindStores if well => Some(Msg::Stores(Ok(vec![info().store, "https://old.example".parse().unwrap()]))),
        Effect::FindStores => Some(Msg::Stores(Err("locked".into()))),
        Effect::SavePreference(preference) => {
            let written = well.then_some(()).ok_or_else(|| SaveFault::Other("read-only".into()));
            Some(Msg::PreferenceSaved(*preference, "/c.toml".into(), written))
        }
        Effect::SaveProfile { new, without_token } => {
            let written = match (well, ids.is_empty()) {
                (false, false) if !without_token => Err(SaveFault::NoToken("it cannot be read".into())),
                (true, _) if ids.is_empty() => Ok(()),
                (true | false, _) => Err(SaveFault::Exists),
            };
            Some(Msg::ProfileSaved(new.clone(), "/c.toml".into(), written))
        }
        Effect::FindUnknown if well => Some(unknown(&ids.iter().map(|id| i64::from(*id)).collect::<Vec<_>>())),
        Effect::FindUnknown => Some(Msg::Unknown(Err("locked".into()))),
        Effect::LoadPlantHistory(id) if well => Some(history(id.0, State::Unknown, Some(1))),
        Effect::LoadPlantHistory(id) if ids.is_empty() => Some(Msg::PlantHistory(*id, Err("damaged".into()))),
        Effect::LoadPlantHistory(id) => Some(history(id.0, State::Stored, None)),
        Effect::FindUnlisted(_) if !well => Some(Msg::Unlisted(String::new(), Err("locked".into()))),
        Effect::FindUnlisted(text) => {
            let unlisted = |id: &i8| Unlisted {
                plant: Plant { name: "gone".into(), id: PlantId((*id).into()), tag: String::new() },
                how: UnlistedReason::Deleted,
                at: Timestamp(0),
            };
            Some(Msg::Unlisted(text.clone(), Ok(ids.iter().map(unlisted).collect())))
        }
        Effect::LoadHistory(request) => Some(Msg::History(Box::new(request.clone()), from_log(request, well, ids))),
        Effect::Latencies(search) if well => Some(Msg::Latencies(Box::new(search.clone()), Ok(Vec::new()))),
        Effect::Latencies(search) => Some(Msg::Latencies(Box::new(search.clone()), Err(JournalError::Panicked))),
        Effect::Inspect(number) if ids.is_empty() => Some(Msg::Inspected(*number, Err("damaged".into()))),
        Effect::Inspect(number) => Some(Msg::Inspected(*number, Ok(well.then(|| Box::new(stored(*number)))))),
        Effect::Compare(one, other, marks) => {
            let [one, other] = [one, other].map(|number| stored(*number).exchange);
            Some(Msg::Compared(Ok(well.then(|| Box::new(Compared::of([(&one, None), (&other, None)], *marks))))))
        }
        Effect::FindFitting(filter, _) => {
            let found = ids.iter().map(|id| row((*id).into(), State::Stored)).collect();
            Some(Msg::Fitting(filter.clone(), if well { Ok(found) } else { Err("locked".into()) }))
        }
        Effect::CompleteTag(start) if well => Some(Msg::TagCompleted(start.clone(), Ok(PathMatches::default()))),
        Effect::CompleteTag(start) => Some(Msg::TagCompleted(start.clone(), Err("locked".into()))),
        Effect::FindListed(plants) => Some(Msg::Listed(plants.clone(), listed_among(plants, well))),
        Effect::Resolve(seen, resolution) => Some(resolved_all(seen, *resolution, well)),
        Effect::WriteReport(path, ..) => Some(Msg::Written(path.clone(), written(well, Written::Requests(3)))),
        Effect::WriteCheck(path, ..) => Some(Msg::Written(path.clone(), written(well, Written::Check))),
        Effect::FindPaths(query) => Some(paths(query, well, ids)),
        Effect::Validate(path) => Some(Msg::Validated(Some(path.clone()), validated(well, ids))),
        Effect::ValidateText(_) => Some(Msg::Validated(None, validated(well, ids))),
        Effect::RenewToken(_) if well => Some(Msg::TokenRenewed(Ok(Token::new("renewed").unwrap()))),
        Effect::RenewToken(_) => Some(Msg::TokenRenewed(Err("it gave the same one again".into()))),
        Effect::Import { .. } => Some(Msg::Imported(Box::new(summary(well, ids)))),
        Effect::Export { path, replace, .. } => Some(exported(path, *replace, well)),
        Effect::FindEarlierRuns if well => Some(Msg::EarlierRuns(ids.len() as u64, Ok(earlier_runs(ids)))),
        Effect::FindEarlierRuns => Some(Msg::EarlierRuns(0, Err("locked".into()))),
        Effect::Pause(pause, _) => Some(Msg::Paused(*pause)),
        Effect::KeepRun(_) => Some(Msg::RunKept(kept(well))),
        Effect::FindRuns if well => Some(Msg::Runs(Ok(ids.iter().map(|id| run((*id).into())).collect()))),
        Effect::FindRuns => Some(Msg::Runs(Err("locked".into()))),
        Effect::FindRelated(operations) => {
            let found = ids.iter().map(|id| stored((*id).into())).collect();
            Some(Msg::Related(operations.clone(), if well { Ok(found) } else { Err("locked".into()) }))
        }
        Effect::Copy(clip) => {
            Some(Msg::Copied(clip.clone(), if well { CopyEnd::By("xsel") } else { CopyEnd::NoProgram }))
        }
        Effect::WaitForBatch(_) => Some(Msg::BatchDue),
        Effect::Suspend => (!well).then_some(Msg::NotSuspended),
        Effect::DropImport
        | Effect::OrderImport(_)
        | Effect::Send(_)
        | Effect::Cancel(_)
        | Effect::CancelAll
        | Effect::UseToken(_)
        | Effect::GiveUp(_)
        | Effect::Load(_)
        | Effect::WaitForList(_)
        | Effect::StopConnecting
        | Effect::Switch
        | Effect::Weather(_)
        | Effect::CopyByTerminal(_)
        | Effect::Ring(..)
        | Effect::UseMouse(_)
        | Effect::UseTheme(_)
        | Effect::RunCommand(..)
        | Effect::RunLine(..)
        | Effect::CancelLines
        | Effect::Redraw
        | Effect::Quit => None,
    }
}

fn kept(well: bool) -> Result<(), Cause> {
    if well { Ok(()) } else { Err("no room".into()) }
}

pub(super) fn earlier_runs(ids: &[i8]) -> EarlierRuns {
    let left = |id: &i8| EarlierLeftover {
        id: PlantId((*id).into()),
        name: "left".into(),
        probe: Probe::default(),
        accepted: *id > 0,
        last_delete: if id % 2 == 0 { LastDelete::Failed } else { LastDelete::None },
        create_failed: false,
    };
    EarlierRuns { leftovers: ids.iter().map(left).collect(), ..EarlierRuns::default() }
}

fn written(well: bool, what: Written) -> Result<Written, WriteFault> {
    if well { Ok(what) } else { Err(WriteFault::Other("no room".into())) }
}

pub(super) fn exported(path: &Path, replace: bool, well: bool) -> Msg {
    let fault = if replace { WriteFault::Other("no room".into()) } else { WriteFault::Exists };
    Msg::Written(path.to_owned(), if well { Ok(Written::Plants(Exported::default())) } else { Err(fault) })
}

/// Returns a folder with some names.
pub(super) fn paths(query: &PathQuery, well: bool, ids: &[i8]) -> Msg {
    if !well && ids.is_empty() {
        return Msg::Paths(query.clone(), Err("no such folder".into()));
    }
    let names: Vec<_> = ids.iter().map(|id| format!("{}é{id}/", query.start)).collect();
    let common = names.first().filter(|_| names.len() == 1).unwrap_or(&query.start).clone();
    Msg::Paths(query.clone(), Ok(PathMatches { count: names.len(), common, names, is_partial: !well }))
}

/// Returns a preview with a few invalid, missing and unknown rows.
pub(super) fn validated(well: bool, ids: &[i8]) -> Result<Box<Preview>, Cause> {
    if !well && ids.is_empty() {
        return Err("line 1: a quote has no end".into());
    }
    let count = ids.len() as u64;
    let bad = if well { 0 } else { count };
    let faults = ids.iter().map(|id| fault(u64::from(id.unsigned_abs()))).take(if well { 0 } else { 9 }).collect();
    let forecast = crate::tui::tests::import::forecast(count / 2, count % 2);
    Ok(Box::new(Preview { bad, faults, forecast, ..Preview::default() }))
}

pub(super) fn fault(line: u64) -> RowFault {
    RowFault { line, column: 1, field: None, reason: "bad".into() }
}

pub(super) fn summary(well: bool, ids: &[i8]) -> Summary {
    let outcomes = OutcomeCounts { accepted: 3, unknown: ids.len() as u64, ..OutcomeCounts::default() };
    let over = if well { Over::Done } else { Over::Halted("nothing is reachable".into()) };
    Summary { progress: Progress { rows: 9, outcomes, ..Progress::default() }, over, notes: Vec::new() }
}

/// Returns an earlier run that was cut short.
pub(super) fn run(started: i64) -> check::Report {
    let seed = started.unsigned_abs();
    let mut run = Run::new(
        &info().store,
        Timestamp(started),
        Wanted::default(),
        Pace::Fixed(Duration::ZERO),
        seed,
        &EarlierRuns::default(),
    );
    run.handle(Event::Abandon("it was stopped"));
    run.report()
}

pub(super) fn sample() -> Plant {
    Plant { name: "sample".into(), id: PlantId(1), tag: String::new() }
}

/// Returns some of the requests with the numbers 0 to 19.
pub(super) fn from_log(request: &HistoryRequest, well: bool, ids: &[i8]) -> Result<HistoryWindow, JournalError> {
    if !well && ids.is_empty() {
        return Err(JournalError::Panicked);
    }
    let count = ids.iter().map(|id| i64::from(*id).rem_euclid(20)).max().unwrap_or(0);
    // Every fourth and fifth request belong to a run of the check.
    let rows = |number: i64| {
        let run = (number % 5 > 2).then_some(RunId { origin: 1, started: Timestamp(number / 5) });
        let is_expanded = run.is_some_and(|run| request.expanded.iter().flatten().any(|expanded| *expanded == run));
        let line = HistoryLine { run, ..line(number, Outcome::Accepted) };
        let head = run.filter(|_| (number % 5 == 4 || number + 1 == count) && request.expanded.is_some()).map(|id| {
            HistoryRow::Run(RunLine { id, number, counts: [2, 0, 0, 0], diagnosis: None, elapsed: Duration::ZERO })
        });
        let is_listed = run.is_none() || is_expanded || request.expanded.is_none();
        head.into_iter().chain(is_listed.then_some(HistoryRow::Request(line)))
    };
    let newer = well && request.order == HistoryOrder::default() && request.around != HistoryRequest::NEWEST;
    Ok(HistoryWindow { lines: (0..count).rev().flat_map(rows).collect(), newer, older: !well })
}

/// Returns all of the plants but every third: every fourth stored, the others unknown by adds and deletes.
pub(super) fn listed_among(plants: &[PlantId], well: bool) -> Result<Vec<ListedPlant>, Cause> {
    let add = |id| OperationKind::add(Plant { name: "Fern".into(), id, tag: "t".into() });
    let listed = plants.iter().filter(|plant| plant.0 % 3 != 0).map(|plant| {
        let kind = if plant.0 % 2 == 0 { OperationKind::Delete(*plant) } else { add(*plant) };
        let unknown = (plant.0 % 4 != 0).then(|| unknown_operation(2, kind));
        let state = if unknown.is_some() { State::Unknown } else { State::Stored };
        ListedPlant { row: row(plant.0, state), unknown }
    });
    if well { Ok(listed.collect()) } else { Err("locked".into()) }
}

/// Returns the results of resolutions, of which every fifth fails, or the only one.
pub(super) fn resolved_all(decided: &[Decided], resolution: Resolution, well: bool) -> Msg {
    let plants: Vec<_> = decided.iter().map(|plant| plant.id).collect();
    let is_one = plants.len() == 1;
    let fails = |id: &PlantId| if is_one { !well } else { id.0 % 5 == 0 };
    let each = plants.iter().map(|id| if fails(id) { Err(JournalError::Overtaken) } else { Ok(()) });
    let written = if well || is_one { Ok(each.collect()) } else { Err(JournalError::Closed) };
    Msg::Resolved(plants, resolution, written)
}
