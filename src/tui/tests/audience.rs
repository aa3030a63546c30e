//! What opens before an audience: wholly in its language, and wide enough for it.

use super::frame::{front_at, screen, screen_at};
use super::*;
use crate::config::LanguageChoice;
use crate::domain::OutcomeCounts;
use crate::import::Progress;
use crate::tui::session::unfinished::Unfinished;

/// What is the same in every language: names of keys, and the store.
const COMMON: [&str; 5] = ["Enter", "Tab", "PgDn", "http", "api"];

/// Returns an app at the Greenhouse, with these plants on its shelves.
fn before_an_audience(rows: &[Row]) -> App {
    let mut app = new_app();
    app.cx.display.language = LanguageChoice::Ja;
    app.update(window(rows));
    press(&mut app, "4");
    app
}

fn rows() -> [Row; 2] {
    [Row { state: State::Unknown, ..named(7, "蘭") }, named(8, "菊")]
}

/// Returns an app with both plants marked.
fn marked(keys: &str) -> App {
    let mut app = before_an_audience(&rows());
    press(&mut app, "<home> <right> ");
    press(&mut app, keys);
    app
}

fn both() -> Vec<PlantId> {
    rows().map(|row| row.id).to_vec()
}

fn unknown_add(row: Row) -> ListedPlant {
    let kind = OperationKind::add(Plant { name: "蘭".into(), id: row.id, tag: "t".into() });
    ListedPlant { row, unknown: Some(unknown_operation(2, kind)) }
}

/// Fails if the dialog has a word of English, at any size.
#[track_caller]
fn is_japanese(app: &App, what: &str) {
    for size in [(120, 36), (60, 20)] {
        let front = front_at(app, size).unwrap_or_else(|| panic!("no dialog: {what}"));
        let text = format!("{} {}", front.title, front.text());
        let is_letter = |letter: char| letter.is_ascii_alphabetic();
        let words = text.split(|letter| !is_letter(letter)).filter(|word| word.len() > 2 && !COMMON.contains(word));
        assert_eq!(words.collect::<Vec<_>>(), [""; 0], "{what}: {front:#?}");
    }
}

/// Whether the dialog says something in Japanese, whose characters are two cells wide.
fn says(app: &App, words: &str) -> bool {
    dialog(app).text().replace(' ', "").contains(words)
}

#[test]
fn a_question_about_several_plants_is_in_one_language() {
    let mut app = marked("d");
    app.update(listed(&both(), &rows()));
    is_japanese(&app, "delete several");
    let mut app = before_an_audience(&rows());
    press(&mut app, ":rm 3 7<enter>");
    app.update(listed(&[PlantId(3), PlantId(7)], &rows()[..1]));
    is_japanese(&app, "delete one that is not in the list");
    let mut app = marked("u");
    app.update(Msg::Listed(both(), Ok(rows().map(unknown_add).to_vec())));
    is_japanese(&app, "resolve several");
    let mut app = marked("");
    let operations = sent(&press(&mut app, "d").iter().fold(Vec::new(), |_, _| {
        app.update(listed(&both(), &rows()));
        press(&mut app, "y")
    }));
    assert_eq!(operations.len(), 2);
    for (operation, row) in operations.iter().zip(rows()) {
        app.update(not_found(operation, row));
    }
    is_japanese(&app, "none of them is there");
}

/// Returns the operations of the question about these plants, all of which are marked.
fn delete_together(app: &mut App, rows: &[Row]) -> Vec<Operation> {
    press(app, "<home> <right> <right> d");
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    app.update(listed(&ids, rows));
    sent(&press(app, "y"))
}

#[test]
fn the_picture_counts_plants_that_were_changed_together_until_a_person_selects_one() {
    let rows = [named(1, "Ivy"), named(2, "Oak"), named(3, "Fir"), named(4, "Fern")];
    // Japanese has no large letters.
    let mut app = before_an_audience(&rows);
    let operations = delete_together(&mut app, &rows[..3]);
    assert!(says_on_screen(&app, "残り:3件。"), "{:#?}", screen(&app));
    for operation in &operations {
        // The list is read before the other ends come.
        app.update(window(&rows[3..]));
        app.update(responded(operation, 204));
    }
    let words = ["3鉢の植物を削除しました。", "Ivy", "Oak", "Fir"];
    assert!(words.iter().all(|words| says_on_screen(&app, words)), "{:#?}", screen(&app));
    press(&mut app, "<left>");
    assert!(says_on_screen(&app, "記録を読んでいます"), "{:#?}", screen(&app));
}

fn says_on_screen(app: &App, words: &str) -> bool {
    let words = words.replace(' ', "");
    screen(app).iter().any(|row| row.replace(' ', "").contains(&words))
}

#[test]
fn a_request_about_a_plant_that_is_not_in_the_list_keeps_the_picture() {
    let rows = [named(7, "Fern")];
    let mut app = new_app();
    app.update(window(&rows));
    press(&mut app, "4D99<enter>");
    app.update(listed(&[PlantId(99)], &[]));
    let operations = sent(&press(&mut app, "y"));
    app.update(responded(&operations[0], 404));
    app.update(window(&rows));
    assert!(says_on_screen(&app, "delete plant 99"), "{:#?}", screen(&app));
}

#[test]
fn before_an_audience_the_message_the_keys_and_the_tabs_are_in_its_language() {
    let mut app = new_app();
    app.cx.session.info.demo = true;
    app.cx.display.language = LanguageChoice::De;
    app.update(window(&rows()));
    press(&mut app, "4<f5>");
    let at = app.cx.out.now;
    app.update(Msg::Now(Timestamp(at.0 + 60_000)));
    press(&mut app, "<right>");
    let calm = ["Alles bleibt auf diesem Rechner", "2 Verlauf", "4 Gewächshaus", "a aufnehmen"];
    assert!(calm.iter().all(|words| says_on_screen(&app, words)), "{:#?}", screen(&app));
    assert!(screen(&app)[0].ends_with("Rechts"), "{:#?}", screen(&app));
    assert!(!says_on_screen(&app, "x Anfragen"), "{:#?}", screen(&app));
    press(&mut app, ":weather slow<enter>");
    assert!(says_on_screen(&app, "Das Wetter: langsam. Antworten"), "{:#?}", screen(&app));
    let operations = sent(&press(&mut app, "aIvy<tab><tab>t<enter>"));
    assert!(says_on_screen(&app, "Bitte aufnehmen: Ivy, Pflanze 9."), "{:#?}", screen(&app));
    app.update(failed(&operations[0], FailureKind::NoResponse));
    app.update(Msg::Now(Timestamp(at.0 + 70_000)));
    assert!(says_on_screen(&app, " u klärt das."), "{:#?}", screen(&app));
    press(&mut app, "q");
    assert!(!says_on_screen(&app, " u klärt das."), "{:#?}", screen(&app));
    press(&mut app, "<esc>1");
    assert!(says_on_screen(&app, "Es kam keine Antwort zurück."), "{:#?}", screen(&app));
}

#[test]
fn no_choice_about_an_unknown_plant_is_cut_below_a_shelf_in_any_language() {
    for language in [LanguageChoice::En, LanguageChoice::De, LanguageChoice::Es, LanguageChoice::Ja] {
        let mut app = before_an_audience(&rows());
        app.cx.display.language = language;
        app.update(history(7, State::Unknown, Some(2)));
        press(&mut app, "<f5><home>u");
        app.update(history(7, State::Unknown, Some(2)));
        for size in [(120, 36), (80, 24), (60, 20)] {
            let rows = screen_at(&app, size);
            assert!(rows.iter().all(|row| !row.contains('…')), "{language:?}: {rows:#?}");
        }
    }
}

#[test]
fn the_progress_of_an_import_is_in_the_language_of_its_audience() {
    let mut app = before_an_audience(&rows());
    import::open_preview(&mut app, import::preview(10, 0, 0));
    press(&mut app, "<tab><enter>");
    let outcomes = OutcomeCounts { accepted: 3, ..OutcomeCounts::default() };
    let pause = Some(Duration::from_secs(7200));
    app.update(Msg::Importing(Box::new(Progress { rows: 10, outcomes, out: 2, pause, ..Progress::default() })));
    for words in ["読み込み", "3／10", "2時間0分", "3はい", "0未送信"] {
        let said = screen(&app).iter().any(|row| row.replace(' ', "").contains(words));
        assert!(said, "{words}: {:#?}", screen(&app));
    }
}

#[test]
fn a_key_that_does_nothing_says_so_in_the_language_of_its_audience() {
    for (language, unbound, unavailable) in [
        (
            LanguageChoice::De,
            "% tut gerade nichts. ? zeigt alle Tasten.",
            "r tut gerade nichts: es gibt nichts erneut zu senden.",
        ),
        (LanguageChoice::Ja, "%は今は使えません。?ですべてのキー", "rは今は使えません。もう一度送るもの"),
        (LanguageChoice::En, "% does nothing here; ? lists", "r does nothing now: nothing waits to be sent again."),
    ] {
        let mut app = before_an_audience(&rows());
        app.cx.display.language = language;
        press(&mut app, "%");
        assert!(says_on_screen(&app, unbound), "{:#?}", screen(&app));
        press(&mut app, "r");
        assert!(says_on_screen(&app, unavailable), "{:#?}", screen(&app));
    }
}

#[test]
fn the_footer_of_an_english_box_is_in_the_language_of_its_audience() {
    let mut app = before_an_audience(&rows());
    for keys in ["i", "e", "c", ":", "P", "/"] {
        press(&mut app, keys);
        let rows = screen(&app);
        let footer = rows.last().unwrap();
        let is_english = |word: &str| word.chars().all(|letter| letter.is_ascii_lowercase()) && word.len() > 2;
        assert!(!footer.split_whitespace().any(is_english), "{keys}: {footer}");
        press(&mut app, "<esc>");
    }
}

#[test]
fn what_is_left_is_asked_about_in_one_language() {
    let left = Unfinished {
        in_flight: 1,
        unsent: 2,
        forms: 1,
        unresolved: 1,
        checks: 1,
        imports: 1,
        lines: 1,
        sending_lines: 1,
        own_plants: 1,
    };
    let question = crate::tui::session::question::quit(left, true, false, Some("q"));
    let mut app = before_an_audience(&[]);
    app.cx.out.ask(question);
    app.update(Msg::JournalChanged);
    is_japanese(&app, "quit");
    let all = [
        "送信中のリクエスト:1件。",
        "作業:3件。",
        "不明のままの植物:1鉢。",
        "未送信のリクエスト:2件。",
        "未送信の植物:1鉢。",
    ];
    assert!(all.iter().all(|words| says(&app, words)), "{:#?}", dialog(&app));
    app.cx.display.language = LanguageChoice::De;
    assert!(dialog(&app).says("Ungewiss gebliebene Pflanzen: 1."), "{:#?}", dialog(&app));
}

#[test]
fn a_delete_by_number_is_in_one_language() {
    let mut app = before_an_audience(&rows());
    press(&mut app, "D");
    is_japanese(&app, "delete by number");
    press(&mut app, "<enter>");
    is_japanese(&app, "an invalid number");
    app.cx.display.language = LanguageChoice::De;
    assert!(dialog(&app).says("▸ Nummer") && dialog(&app).says("Gib eine ganze Zahl"), "{:#?}", dialog(&app));
    press(&mut app, "<esc>1D");
    assert_eq!(title(&app), "Delete by id");
}

#[test]
fn a_re_add_is_in_one_language() {
    let how = [UnlistedReason::Deleted, UnlistedReason::Forgotten, UnlistedReason::Rejected, UnlistedReason::NotSent];
    let unlisted =
        |how| Unlisted { plant: Plant { name: "菫".into(), id: PlantId(9), tag: "t".into() }, how, at: Timestamp(0) };
    let mut app = before_an_audience(&rows());
    press(&mut app, "b");
    is_japanese(&app, "the journal is read");
    app.update(Msg::Unlisted(String::new(), Ok(Vec::new())));
    is_japanese(&app, "nothing to re-add");
    let opened = |text: &str, found: &[UnlistedReason]| {
        let mut app = before_an_audience(&rows());
        press(&mut app, &format!("b{text}"));
        app.update(Msg::Unlisted(String::new(), Ok(Vec::new())));
        app.update(Msg::Unlisted(text.into(), Ok(found.iter().copied().map(unlisted).collect())));
        app
    };
    is_japanese(&opened("菫", &[]), "none has this");
    is_japanese(&opened("", &how), "a list");
    for how in how {
        let mut app = opened("", &[how]);
        press(&mut app, "<enter>");
        is_japanese(&app, "the form of one");
    }
    let mut app = opened("", &how[..1]);
    press(&mut app, "<tab>");
    is_japanese(&app, "one is marked");
    press(&mut app, "<enter>");
    app.update(listed(&[PlantId(9)], &[named(9, "梅")]));
    is_japanese(&app, "the question about it");
    assert!(says(&app, "菫(9)（番号は"), "{:#?}", dialog(&app));
}

#[test]
fn a_copy_says_so_in_the_language_of_the_form() {
    let mut app = before_an_audience(&rows());
    press(&mut app, "<home><right>A");
    is_japanese(&app, "a copy");
    assert!(says(&app, "のコピーです。"), "{:#?}", dialog(&app));
}

#[test]
fn a_box_without_a_translation_is_wholly_english() {
    let mut app = before_an_audience(&[]);
    app.cx.out.ask(crate::tui::session::question::check(&info().store));
    app.update(Msg::JournalChanged);
    let shown = dialog(&app);
    assert!(shown.title.starts_with("Check ") && shown.text().replace('▸', "").is_ascii(), "{shown:#?}");
}
