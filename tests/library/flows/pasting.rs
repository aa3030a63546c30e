//! Pasted plants and commands, up to what they send.

use super::*;

#[tokio::test]
async fn pasted_plants_are_imported_after_their_preview() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.paste("name,id,tag\rFern,7,shade\rMoss,8,\"a\rb\"\rBad,x,\r").resolve().await;
    app.shows(&["the pasted text, read as CSV", "3, 1 of them bad", "▸ n  Do nothing", "0 stored"]);
    app.press("y").resolve().await.shows(&["2 stored", "Fern", "Moss", "line 5: left out: column 2 (id)"]);
    app.press("<esc>");
    app.paste(r#"{"name":"Oak","id":9,"tag":"t"}"#).resolve().await.shows(&["two lines or more are imported"]);
    let lines = "{\"name\":\"Oak\",\"id\":9,\"tag\":\"t\"}\n{\"name\":\"Elm\",\"id\":10,\"tag\":\"t\"}\n";
    app.paste(lines).resolve().await.shows(&["the pasted text, read as NDJSON", "Import 2 plants"]);
    app.press("n").resolve().await.shows(&["Not imported: the pasted text. Nothing was sent.", "2 stored"]);
    app.paste("two\nlines").resolve().await.shows(&["the pasted text cannot be imported: line 1", "2 stored"]);
}

#[tokio::test]
async fn a_copied_request_is_pasted_back_into_its_form() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("aIt's a \"fern\"<tab><c-u>-7<tab>$(shade)<enter>").resolve().await.shows(&["1 stored"]);
    app.press("y").resolve().await;
    let command = copied().replace('\n', "\r");
    app.paste(&command)
        .resolve()
        .await
        .shows(&["Add a plant", r#"{"name":"It's a \"fern\"","id":-7,"tag":"$(shade)"}"#]);
    app.press("<esc>dy").resolve().await.shows(&["0 stored"]);
    app.press("2").resolve().await;
    app.press("y").resolve().await;
    let command = copied().replace('\n', "\r");
    app.paste(&command).resolve().await.shows(&["Delete by id", "▸ id    -7"]);
}
