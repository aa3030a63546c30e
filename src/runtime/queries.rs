//! Queries of the journal for effects, each with the message for its result; and its trimming.
//!
//! A panic becomes the error of that message, so that it does not end the interface. Must not know when a query is made.

use std::io;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use futures::{FutureExt as _, TryFutureExt as _};
use tracing::debug;

use super::new_file::WriteError;
use super::paths;
use crate::domain::compare::Compared;
use crate::domain::filter::Filter;
use crate::domain::{OperationId, PlantId, Timestamp};
use crate::journal::{HistoryRequest, Journal, JournalError, Pages, StoredExchange, WindowRequest, stores_in};
use crate::text::Marks;
use crate::tui::Msg;
use crate::tui::effect::LATENCY_SAMPLES;
use crate::worker;

/// The most plants that the re-add list shows.
const UNLISTED_LIMIT: usize = 200;
/// The most runs of the check that the list shows.
const RUNS_LIMIT: usize = 100;

pub(super) async fn window(journal: Journal, request: WindowRequest) -> Msg {
    reply(journal.window(request.clone()), |window| Msg::Window(Box::new(request), window)).await
}

pub(super) async fn history(journal: Journal, request: HistoryRequest) -> Msg {
    reply(journal.history(request.clone()), |window| Msg::History(Box::new(request), window)).await
}

pub(super) async fn latencies(journal: Journal, search: Filter) -> Msg {
    reply(journal.latencies(search.clone(), LATENCY_SAMPLES), |samples| Msg::Latencies(Box::new(search), samples)).await
}

pub(super) async fn exchange(journal: Journal, number: i64) -> Msg {
    reply(async { Ok(journal.exchange(number).await?.map(Box::new)) }, |exchange| Msg::Inspected(number, exchange))
        .await
}

/// Compares two exchanges, if both exist.
pub(super) async fn comparison(journal: Journal, one: i64, other: i64, marks: Marks) -> Msg {
    let comparison = caught(async {
        let both = journal.exchange(one).await?.zip(journal.exchange(other).await?);
        Ok(both.map(|(one, other)| {
            let both = [&one, &other].map(|kept| (&kept.exchange, kept.called.as_ref()));
            Box::new(Compared::of(both, marks))
        }))
    });
    Msg::Compared(comparison.await)
}

pub(super) async fn plant_history(journal: Journal, id: PlantId) -> Msg {
    reply(async { journal.plant_history(id).await.map(Box::new) }, |found| Msg::PlantHistory(id, found)).await
}

pub(super) async fn fitting(journal: Journal, filter: Filter, limit: usize) -> Msg {
    reply(journal.fitting(filter.clone(), None, limit), |rows| Msg::Fitting(filter, rows)).await
}

/// Completes the beginning of a tag.
pub(super) async fn tags(journal: Journal, start: String) -> Msg {
    let tags = journal.tags(start.clone()).map_ok(|tags| paths::matches(tags, &start, false));
    reply(tags, |found| Msg::TagCompleted(start.clone(), found)).await
}

pub(super) async fn listed(journal: Journal, plants: Vec<PlantId>) -> Msg {
    reply(journal.listed(plants.clone()), |found| Msg::Listed(plants, found)).await
}

pub(super) async fn unlisted(journal: Journal, filter: String) -> Msg {
    reply(journal.unlisted(filter.clone(), UNLISTED_LIMIT), |plants| Msg::Unlisted(filter, plants)).await
}

/// Finds the leftovers of earlier runs of the check; draws a random number for the next run.
pub(super) async fn earlier_runs(journal: Journal) -> Msg {
    reply(journal.before_check(), |found| Msg::EarlierRuns(fastrand::u64(..), found)).await
}

pub(super) async fn runs(journal: Journal) -> Msg {
    reply(journal.runs(RUNS_LIMIT), Msg::Runs).await
}

/// Lists the base URLs in the journal of this folder.
pub(super) async fn stores(folder: PathBuf) -> Msg {
    Msg::Stores(match tokio::task::spawn_blocking(move || stores_in(&folder)).await {
        Ok(stores) => stores.map_err(Into::into),
        Err(panic) => Err(worker::join_error_text(panic).into()),
    })
}

/// Reads the exchanges of operations; skips those that are not in the journal.
pub(super) async fn exchanges_of(journal: Journal, operations: Vec<OperationId>) -> Msg {
    reply(journal.exchanges_of(operations.clone()), |found| Msg::Related(operations, found)).await
}

/// Reads the exchanges of these pages, in their order.
pub(super) async fn each(
    pages: &mut Pages<'_>,
    mut read: impl FnMut(&StoredExchange) -> io::Result<()>,
) -> Result<(), WriteError> {
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            return Ok(());
        }
        page.iter().try_for_each(&mut read)?;
    }
}

/// Trims the requests that the journal shows to be older than `age`, in short steps between other requests to the
/// journal. A failure only goes to the log: the requests are trimmed at another start.
pub async fn trim(journal: Journal, age: Duration, now: Timestamp) {
    match journal.trim_in_order(age, now).await {
        Ok(requests) => debug!(requests, "trimmed"),
        Err(why) => debug!("not trimmed: {why}"),
    }
}

/// Runs a query and puts its result into a message.
pub(super) async fn reply<T, E: From<JournalError>>(
    query: impl Future<Output = Result<T, JournalError>>,
    message: impl FnOnce(Result<T, E>) -> Msg,
) -> Msg {
    message(caught(query).await)
}

/// Converts the error to that of the message, and a panic to an error.
async fn caught<T, E: From<JournalError>>(query: impl Future<Output = Result<T, JournalError>>) -> Result<T, E> {
    let result = AssertUnwindSafe(query).catch_unwind().await;
    Ok(result.unwrap_or(Err(JournalError::Panicked))?)
}
