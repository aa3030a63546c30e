//! Retention: trims old requests of a store that is open.

use std::time::Duration;

use tracing::debug;

use crate::domain::Timestamp;
use crate::journal::Journal;

/// Trims the requests that the journal shows to be older than `age`, in short steps between other requests to the journal. A failure
/// only goes to the log: the requests are trimmed at another start.
pub async fn trim(journal: Journal, age: Duration, now: Timestamp) {
    match journal.trim_in_background(age, now).await {
        Ok(requests) => debug!(requests, "trimmed"),
        Err(why) => debug!("not trimmed: {why}"),
    }
}
