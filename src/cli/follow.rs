//! `plants history --follow`: the newest requests, then each one as it ends, until the program is stopped.

use std::collections::BTreeSet;

use color_eyre::eyre;

use super::clock;
use super::error::{Exit, OrExit as _};
use super::open::Ready;
use super::stop::Stops;
use crate::journal::{Pages, Search, StoredExchange};
use crate::os::terminal::wait_for_closed_stdout;

/// Requests of the past that are printed first, unless another number is given.
pub(super) const FIRST: usize = 10;

/// Requests whose numbers are remembered: one may end after a newer one.
const REMEMBERED: usize = 1000;

/// Calls `print` with the last `first` requests that match, the oldest first, and with each one that ends from then on.
/// Ends when `print` returns that there is no reader any more.
pub(super) async fn follow(
    ready: &Ready,
    search: &Search,
    first: usize,
    mut print: impl FnMut(&[StoredExchange]) -> eyre::Result<bool>,
) -> eyre::Result<Exit> {
    let mut stops = Stops::listen();
    let mut closed = tokio::task::spawn_blocking(wait_for_closed_stdout);
    // Watches before the first look, so that no change is missed.
    let mut changes = ready.journal.changes(clock::now);
    let committed = ready.journal.committed();
    let mut found = newest(ready, search, REMEMBERED.max(first), &BTreeSet::new()).await?;
    let mut seen: BTreeSet<i64> = found.iter().map(|stored| stored.number).collect();
    found.truncate(first);
    loop {
        found.reverse();
        if !found.is_empty() && !print(&found)? {
            return Ok(Exit::Done);
        }
        let own = committed.notified();
        tokio::select! {
            () = stops.next() => return Ok(Exit::Interrupted),
            _ = &mut closed => return Ok(Exit::Done),
            () = changes.next() => {}
            () = own => {}
        }
        found = newest(ready, search, REMEMBERED, &seen).await?;
        // What is older than all that is remembered was there before.
        let oldest = seen.first().copied().filter(|_| seen.len() >= REMEMBERED);
        found.retain(|stored| !seen.contains(&stored.number) && oldest.is_none_or(|oldest| stored.number > oldest));
        seen.extend(found.iter().map(|stored| stored.number));
        while seen.len() > REMEMBERED {
            seen.pop_first();
        }
    }
}

/// Reads at most `most` requests, the newest first, up to a page without one that was not seen.
async fn newest(
    ready: &Ready,
    search: &Search,
    most: usize,
    seen: &BTreeSet<i64>,
) -> eyre::Result<Vec<StoredExchange>> {
    let mut pages = Pages::of(&ready.journal, search, most);
    let mut all = Vec::new();
    loop {
        let page = pages.next().await.or_exit(Exit::NotSent)?;
        let is_last = page.iter().all(|stored| seen.contains(&stored.number));
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}
