//! The mouse in the real event loop: it hits what the last frame drew, and nothing below a dialog.

use ratatui::layout::Position;

use super::*;

enum Gesture {
    Click,
    WheelDown,
    WheelUp,
}

impl Program {
    /// Does something with the mouse at the first place where the screen has this text.
    async fn points_at(&mut self, text: &str, gesture: Gesture) -> &mut Self {
        let screen = self.screen();
        let at = screen.lines().zip(0..).find_map(|(line, y)| {
            let before = line.split_once(text)?.0;
            Some((u16::try_from(before.chars().count()).unwrap(), y))
        });
        let (x, y) = at.unwrap_or_else(|| unreachable!("no {text:?} in\n{screen}"));
        let at = Position { x, y };
        let input = match gesture {
            Gesture::Click => Input::Click(at),
            Gesture::WheelDown => Input::Wheel { at, down: true },
            Gesture::WheelUp => Input::Wheel { at, down: false },
        };
        self.typed.push_back(Event::Input(input, APART));
        self.resolve().await
    }
}

#[tokio::test]
async fn a_click_selects_sorts_and_presses_keys_and_choices() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><c-u>7<tab>t<enter>aIvy<tab><tab>t<enter>aMoss<tab><tab>t<enter>").resolve().await;
    app.points_at("Fern", Gesture::Click).await.shows(&["▸     7"]);
    app.points_at("NAME", Gesture::Click).await.shows(&["NAME▲"]);
    app.points_at("NAME", Gesture::Click).await.shows(&["NAME▼"]);
    app.points_at("2 History", Gesture::Click).await.shows(&["OUTCOME"]);
    app.points_at("Fern (7)", Gesture::Click).await.shows(&["add Fern (7)"]);
    app.points_at("1 Plants", Gesture::Click).await.shows(&["STATE"]);
    app.points_at("d delete", Gesture::Click).await.shows(&["Delete Fern (7)?"]);
    // A dialog shields the screen below it.
    app.points_at("Ivy", Gesture::Click).await.shows(&["Delete Fern (7)?", "▸ n  Keep it"]);
    app.points_at("Delete it", Gesture::Click).await.shows(&["▸ y  Delete it"]);
    app.points_at("Delete it", Gesture::Click).await.shows(&["Deleted Fern (7)"]);
    app.points_at("? help", Gesture::Click).await.shows(&["Keys and words"]);
    app.points_at("Esc close", Gesture::Click).await.shows(&["STATE"]);
    app.press("a").resolve().await;
    app.points_at("  tag", Gesture::Click).await;
    app.press("shade").resolve().await.shows(&["▸ tag   shade"]);
}

#[tokio::test]
async fn the_wheel_scrolls_the_part_under_the_pointer() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press(
        "a1<tab><c-u>1<tab>t<enter>a2<tab><tab>t<enter>a3<tab><tab>t<enter>a4<tab><tab>t<enter>a5<tab><tab>t<enter>",
    )
    .resolve()
    .await;
    app.press("<home>").resolve().await;
    app.points_at("NAME", Gesture::WheelDown).await.shows(&["▸     4"]);
    app.points_at("NAME", Gesture::WheelUp).await.shows(&["▸     1"]);
    app.press("?").resolve().await;
    app.points_at("delete the selected plant", Gesture::WheelDown).await;
    app.shows_none_of(&["delete the selected plant"]);
}
