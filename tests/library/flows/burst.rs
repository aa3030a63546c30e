//! Keys that arrive in one burst, on several threads: what a filter shows at the end is what was typed.

use super::*;
use crate::extent::is_long;

/// Returns a program whose journal on disk has twelve plants, three of them with the tag shade.
async fn twelve_plants(folder: &Path) -> Program {
    let url = StoreUrl::on_loopback(1);
    let first = connected(Place::Folder(folder.to_path_buf()), url, Some(TOKEN), Duration::from_secs(20), 7).await;
    for number in 1..=12_u32 {
        let tag = if number % 4 == 0 { "shade" } else { "sun" };
        let plant = Plant { name: format!("plant {number}"), id: PlantId(number.into()), tag: tag.into() };
        let operation = Operation::new(OperationId { origin: 7, number }, OperationKind::add(plant), clock());
        first.handle.journal.record_intent(operation.clone()).await.unwrap();
        first.handle.journal.end(accepted(operation), clock()).await.unwrap();
    }
    Program::among(first, Vec::new(), Box::new(|_, _| Box::pin(async { Err(eyre!("no other")) }))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_in_one_burst_shows_its_own_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = twelve_plants(folder.path()).await;
    for _ in 0..if is_long() { 100 } else { 20 } {
        app.press("/tag:shade<enter>").resolve().await.shows(&["3 of 12", "plant 12"]);
        app.shows_none_of(&["plant 11"]);
        app.press("2/tag:shade<enter>").resolve().await.shows_none_of(&["plant 11"]);
        app.press("<esc>1<esc>").resolve().await.shows(&["plant 11"]);
    }
}
