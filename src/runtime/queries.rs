//! What effects ask of the journal, each with the message that its result becomes. A panic becomes the
//! message's error: a background task that fails never ends the interface.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;

use futures::FutureExt as _;

use crate::check;
use crate::domain::{Exchange, FailureKind, Operation, OperationId, PlantId, Resolution, Timestamp};
use crate::journal::{Journal, JournalError, LogRequest, Search, StoredExchange, WindowRequest, stores_in};
use crate::tui::comparison::Compared;
use crate::tui::effect::LATENCY_SAMPLES;

use crate::tui::{Cause, Effect, Msg};
use crate::worker;

/// Plants to re-add that are listed at once; typing finds the others.
const DEPARTED: usize = 200;
/// Runs of the check that are listed.
const RUNS: usize = 100;

pub(super) async fn window(journal: Journal, request: WindowRequest) -> Msg {
    let window = caught(journal.window(request.clone())).await;
    Msg::Window(Box::new(request), window)
}

pub(super) async fn log(journal: Journal, request: LogRequest) -> Msg {
    let window = caught(journal.log(request.clone())).await;
    Msg::Log(Box::new(request), window)
}

pub(super) async fn latencies(journal: Journal, search: Search) -> Msg {
    let samples = caught(journal.latencies(search.clone(), LATENCY_SAMPLES)).await;
    Msg::Latencies(Box::new(search), samples)
}

pub(super) async fn inspected(journal: Journal, place: i64) -> Msg {
    let found = caught(journal.exchange(place)).await.map(|found| found.map(Box::new));
    Msg::Inspected(place, found.map_err(Cause::from))
}

/// Finds nothing to compare unless both are there.
pub(super) async fn compared(journal: Journal, one: i64, other: i64) -> Msg {
    let compared = caught(async {
        let both = journal.exchange(one).await?.zip(journal.exchange(other).await?);
        Ok(both.map(|(one, other)| Box::new(Compared::of(&[one, other]))))
    });
    Msg::Compared(compared.await.map_err(Cause::from))
}

pub(super) async fn plant_history(journal: Journal, id: PlantId) -> Msg {
    Msg::PlantHistory(id, caught(journal.plant_history(id)).await.map(Box::new).map_err(Cause::from))
}

pub(super) async fn fitting(journal: Journal, filter: String, most: usize) -> Msg {
    let found = caught(journal.fitting(filter.clone(), most)).await;
    Msg::Fitting(filter, found.map_err(Cause::from))
}

pub(super) async fn to_delete(journal: Journal, plants: Vec<PlantId>) -> Msg {
    let found = caught(journal.rows(plants.clone())).await;
    Msg::ToDelete(plants, found.map_err(Cause::from))
}

pub(super) async fn to_resolve(journal: Journal, plants: Vec<PlantId>) -> Msg {
    let found = caught(journal.unknown_among(plants.clone())).await;
    Msg::ToResolve(plants, found.map_err(Cause::from))
}

pub(super) async fn unknown(journal: Journal) -> Msg {
    Msg::Unknown(caught(journal.unknown_rows()).await.map_err(Cause::from))
}

pub(super) async fn unlisted(journal: Journal, filter: String) -> Msg {
    let found = caught(journal.unlisted(filter.clone(), DEPARTED)).await;
    Msg::Unlisted(filter, found.map_err(Cause::from))
}

/// Finds the base URLs that the journal in this folder knows.
pub(super) async fn stores(folder: PathBuf) -> Msg {
    Msg::Stores(match tokio::task::spawn_blocking(move || stores_in(&folder)).await {
        Ok(found) => found.map_err(Cause::from),
        Err(died) => Err(worker::death(died).into()),
    })
}

/// Finds what earlier runs of the check left behind, and draws a number for the next one by lot.
pub(super) async fn before_check(journal: Journal) -> Msg {
    Msg::EarlierRuns(fastrand::u64(..), caught(journal.before_check()).await.map_err(Cause::from))
}

pub(super) async fn keep_run(journal: Journal, report: check::Report) -> Msg {
    Msg::RunKept(caught(journal.keep_run(report)).await.map_err(Cause::from))
}

pub(super) async fn runs(journal: Journal) -> Msg {
    Msg::Runs(caught(journal.runs(RUNS)).await.map_err(Cause::from))
}

/// Finds the exchanges of these operations, as far as they are there.
pub(super) async fn exchanges_of(journal: Journal, operations: Vec<OperationId>) -> Msg {
    let found = caught(async {
        let mut found: Vec<StoredExchange> = Vec::new();
        for operation in &operations {
            if let Some(place) = journal.place_of(*operation).await? {
                found.extend(journal.exchange(place).await?);
            }
        }
        Ok(found)
    });
    let found = found.await;
    Msg::Related(operations, found.map_err(Cause::from))
}

/// Writes down that an operation ended unknown. Like each write below, it has its place in the journal when
/// this returns, and is durable when the future does.
pub(super) fn give_up(
    journal: &Journal,
    operation: Operation,
    at: Timestamp,
) -> impl Future<Output = Msg> + Send + use<> {
    let written = journal.end(Exchange::failed(operation, FailureKind::TaskDied, String::new(), at), at);
    async { Msg::GivenUp(caught(written).await.map_err(Cause::from)) }
}

pub(super) fn resolve(
    journal: &Journal,
    id: PlantId,
    seen: Option<OperationId>,
    resolution: Resolution,
    at: Timestamp,
) -> impl Future<Output = Msg> + Send + use<> {
    let written = journal.resolve(id, seen, resolution, at);
    async move { Msg::Resolved(id, resolution, caught(written).await) }
}

pub(super) fn resolve_all(
    journal: &Journal,
    seen: Vec<(PlantId, OperationId)>,
    resolution: Resolution,
    at: Timestamp,
) -> impl Future<Output = Msg> + Send + use<> {
    let plants = seen.iter().map(|(id, _)| *id).collect();
    let written = journal.resolve_all(seen, resolution, at);
    async move { Msg::ResolvedAll(plants, resolution, caught(written).await) }
}

/// Writes what a check that was cut short has still to write. Ignores errors: the program is ending, and
/// nobody can be told.
pub(super) async fn write_last(effect: Effect, journal: &Journal, now: Timestamp) {
    if let Effect::KeepRun(report) = effect {
        let _ = journal.keep_run(*report).await;
    } else if let Effect::Resolve(id, seen, resolution) = effect {
        let _ = journal.resolve(id, seen, resolution, now).await;
    }
}

async fn caught<T>(work: impl Future<Output = Result<T, JournalError>>) -> Result<T, JournalError> {
    let panicked = |_| Err(JournalError::Panicked);
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(panicked)
}
