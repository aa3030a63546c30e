//! What resolving unknown plants asks of the journal.

use super::stage::{caught, whole};
use crate::app::Msg;
use crate::domain::{OperationId, PlantId, Settlement, Timestamp};
use crate::journal::Journal;

/// The unknown plants.
pub(super) async fn unknown(journal: Journal) -> Msg {
    Msg::Doubts(whole(journal.doubts()).await)
}

/// Those of these plants that are unknown.
pub(super) async fn unknown_among(journal: Journal, plants: Vec<PlantId>) -> Msg {
    let found = whole(journal.unknown_among(plants.clone())).await;
    Msg::ToResolve(plants, found)
}

/// Writes a person's word about these plants. It has its place in the journal when this returns.
pub(super) fn settle_all(
    journal: &Journal,
    seen: Vec<(PlantId, OperationId)>,
    settlement: Settlement,
    at: Timestamp,
) -> impl Future<Output = Msg> + Send + use<> {
    let plants = seen.iter().map(|(id, _)| *id).collect();
    let written = journal.settle_all(seen, settlement, at);
    async move { Msg::SettledAll(plants, settlement, caught(written).await) }
}
