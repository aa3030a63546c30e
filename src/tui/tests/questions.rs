//! Questions that `y` and `n` answer.

use super::import::{open_preview, preview};
use super::*;
use crate::config::LanguageChoice;
use crate::tui::message::Target;
use crate::tui::tests::frame::{front_at, lay_out};

/// Returns the keys and labels of the choices, as they are drawn.
fn choices(app: &App) -> Vec<String> {
    let labels: Vec<_> = question(app).choices.iter().map(|choice| choice.label.as_str()).collect();
    let rows = dialog(app).rows;
    let choice = |label: &&str| {
        let row = rows.iter().find(|row| row.contains(&format!("{label}  ")));
        let before = row.unwrap_or_else(|| panic!("{label} in {rows:#?}")).split(label).next().unwrap();
        format!("{} {label}", before.trim_matches(['▸', ' '])).trim_start().to_owned()
    };
    labels.iter().map(choice).collect()
}

#[test]
fn y_deletes_and_n_keeps() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    assert_eq!(choices(&app), ["n Keep it", "y Delete it"]);
    assert_eq!(press(&mut app, "n"), []);
    assert!(!app.cx.display.has_dialog);
    let operations = sent(&press(&mut app, "dy"));
    assert_eq!(operations[0].kind, OperationKind::Delete(PlantId(7)));
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn y_before_the_question_was_drawn_does_nothing() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(press_at_once(&mut app, "dyyy"), []);
    assert_eq!(chosen(&app), Act::Leave);
    assert_eq!(sent(&press(&mut app, "y")).len(), 1);
}

#[test]
fn y_says_that_there_are_several_choices_and_n_leaves_them() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert_eq!(choices(&app), ["n Leave it", "r Send again", "s Mark as stored", "f Forget the plant"]);
    assert_eq!(press(&mut app, "<tab>y"), []);
    assert_eq!(status_line(&app), "y does nothing now: each choice has its own key.");
    assert!(matches!(chosen(&app), Act::Send(_)));
    assert_eq!(sent(&press(&mut app, "n")), []);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn each_choice_of_several_has_its_key() {
    let open = || {
        let mut app = new_app();
        app.update(window(&[row(7, State::Unknown)]));
        app.update(history(7, State::Unknown, Some(2)));
        press(&mut app, "u");
        app
    };
    let unknown = Some(question(&open()).unknown.unwrap());
    for (key, resolution) in [("s", Resolution::MarkStored), ("f", Resolution::Forget)] {
        let mut app = open();
        assert_eq!(press(&mut app, key)[0], Effect::Resolve(vec![decided(7, unknown)], resolution), "{key}");
        assert!(app.cx.session.seen.is_empty(), "only what is sent is compared");
    }
    assert_eq!(sent(&press(&mut open(), "r")).len(), 1);
    // A key of no choice, and one before the question was drawn, do nothing.
    let mut app = open();
    assert_eq!((press(&mut app, "x"), title(&app).is_empty()), (Vec::new(), false));
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    assert_eq!(sent(&press_at_once(&mut app, "urrr")), []);
}

#[test]
fn what_was_not_sent_is_sent_again_or_dropped_by_a_key() {
    for (key, count, left) in [("r", 2, 0), ("y", 2, 0), ("l", 1, 1), ("x", 0, 0)] {
        let mut app = new_app();
        app.cx.session.unsent.extend([7, 8].map(|id| OperationKind::Delete(PlantId(id))));
        press(&mut app, "r");
        assert_eq!(choices(&app), ["n Not now", "y Send them", "l Send the last", "x Drop them"]);
        assert_eq!((sent(&press(&mut app, key)).len(), app.cx.session.unsent.len()), (count, left), "{key}");
    }
}

#[test]
fn j_and_k_mark_the_next_choice_and_the_one_before() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "dj");
    assert_eq!(chosen(&app), Act::Send(OperationKind::Delete(PlantId(7))));
    press(&mut app, "k");
    assert_eq!(chosen(&app), Act::Leave);
    // In a preview whose text is all on screen, too.
    let mut app = new_app();
    open_preview(&mut app, preview(10, 0, 0));
    show(&mut app);
    press(&mut app, "j");
    assert!(dialog(&app).marked().starts_with("y  Import"), "{:#?}", dialog(&app));
}

#[test]
fn help_opens_over_a_question_and_closes_again() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d?");
    assert_eq!((app.scope(), app.behind()), (Scope::Pager, 1));
    assert!(!frame::screen(&app).iter().any(|line| line.contains("more after this")));
    press(&mut app, "?");
    assert_eq!(title(&app), "Delete plant 7 (7)?");
}

#[test]
fn n_closes_a_question_without_a_choice_that_changes_nothing() {
    let mut app = new_app();
    app.cx.session.info.demo = true;
    press(&mut app, "4w");
    assert!(choices(&app).iter().all(|choice| !choice.starts_with("y ") && !choice.starts_with("n ")));
    assert_eq!(press(&mut app, "yn"), []);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn y_marks_the_choice_of_a_question_that_opened_by_itself() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "dy"));
    app.update(not_found(&operations[0], row(7, State::Stored)));
    assert!(!dialog(&app).says("press y again"));
    assert_eq!(press(&mut app, "y"), []);
    let rows = dialog(&app).rows;
    let says: Vec<_> = rows.iter().filter(|row| row.ends_with("press y again, or Enter")).collect();
    assert!(matches!(says.as_slice(), [one] if one.starts_with('▸')), "{rows:#?}");
    let forget = Act::Resolve(vec![decided(7, None)], Resolution::Forget);
    assert_eq!(chosen(&app), forget);
    assert_eq!(press(&mut app, "y"), [Effect::Resolve(vec![decided(7, None)], Resolution::Forget)]);
}

#[test]
fn y_marks_the_choice_of_a_question_that_changed_by_itself() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    show(&mut app);
    app.update(history_of(7, Some(row(7, State::Unknown))));
    assert!(dialog(&app).says("It is unknown whether the store has it"));
    assert_eq!(sent(&press(&mut app, "y")), []);
    assert_eq!(chosen(&app), Act::Send(OperationKind::Delete(PlantId(7))));
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn the_wheel_marks_the_next_choice_and_the_one_before() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    show(&mut app);
    let mut marked = |down| {
        app.update(wheeled(Target::Choice(0), down));
        question(&app).marked
    };
    assert_eq!([true, false, false].map(&mut marked), [1, 0, 3]);
}

#[test]
fn plants_of_another_question_do_not_change_this_one() {
    let rows = [row(7, State::Stored), row(8, State::Stored), row(9, State::Stored)];
    let ids = rows.each_ref().map(|row| row.id);
    let mut app = new_app();
    app.update(window(&rows));
    press(&mut app, " <down> <down>d");
    app.update(listed(&ids[..2], &rows[..2]));
    press(&mut app, "<tab>");
    for asked in [0..2, 1..3, 0..1] {
        app.update(listed(&ids[asked.clone()], &rows[asked.clone()]));
        assert_eq!(title_of(&app), "Delete these 2 plants?", "{asked:?}");
        assert_eq!(question(&app).marked, 1, "{asked:?}");
    }
}

#[test]
fn a_question_in_the_greenhouse_speaks_of_no_request() {
    for (keys, words) in [("D7<enter>", "only an add undoes it"), ("4D7<enter>", "asks the store to delete it")] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        press(&mut app, keys);
        app.update(listed(&[PlantId(7)], &[row(7, State::Stored)]));
        assert!(dialog(&app).says(words), "{:#?}", dialog(&app));
    }
}

#[test]
fn where_a_question_has_little_room_the_hint_of_the_marked_choice_is_whole() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    let risk = "if the id was reused in the meantime, the new plant is deleted";
    let says = |app: &App| front_at(app, (60, 14)).unwrap().text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!says(&app).contains(risk), "{}", says(&app));
    press(&mut app, "<down>");
    assert!(says(&app).contains(risk), "{}", says(&app));
}

#[test]
fn y_quits_and_asks_again_if_more_would_be_lost() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>aIvy<tab><tab>t<esc>");
    press(&mut app, "q");
    let pending = app.cx.session.pending[0].operation.clone();
    app.update(failed(&pending, FailureKind::NotConnected));
    assert_eq!(press(&mut app, "y"), []);
    assert!(dialog(&app).says("1 operation was not sent"));
    assert_eq!(press(&mut app, "y"), []);
    assert_eq!(press(&mut app, "y"), [Effect::Quit]);
}

#[test]
fn remapped_keys_are_shown_before_the_choices() {
    let remap =
        |action: &str, key: &str| crate::config::Remap { action: action.into(), keys: vec![key.to_owned()], line: 1 };
    let remaps = [remap("yes", "F2"), remap("no", "z")];
    let settings = crate::config::KeySettings { remaps: remaps.to_vec(), ..Default::default() };
    let keys = Keymap::configured(&settings, std::path::Path::new("c.toml")).unwrap();
    let mut app = App::new(info(), keys, Some(token()));
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    assert_eq!(choices(&app), ["z Keep it", "F2 Delete it"]);
    assert_eq!(sent(&press(&mut app, "y")), []);
    assert_eq!(sent(&press(&mut app, "<f2>")).len(), 1);
}

#[test]
fn y_begins_the_import_of_a_preview_and_n_drops_it() {
    let mut app = new_app();
    open_preview(&mut app, preview(10, 1, 0));
    assert_eq!(press(&mut app, "n"), [Effect::DropImport]);
    assert!(!app.cx.display.has_dialog);
    open_preview(&mut app, preview(10, 1, 0));
    assert_eq!(press_at_once(&mut app, "y"), []);
    assert_eq!(press(&mut app, "y"), [Effect::Import { renews_token: true }]);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn y_says_why_a_preview_imports_nothing() {
    let mut app = new_app();
    open_preview(&mut app, preview(0, 1, 0));
    assert_eq!(press(&mut app, "y"), []);
    assert_eq!(status_line(&app), "y does nothing now: no row would be sent.");
}

#[test]
fn a_question_names_all_that_it_is_about_and_scrolls_what_has_no_room() {
    let mut app = new_app();
    app.cx.session.unsent.extend((1..=12).map(|id| OperationKind::Delete(PlantId(id))));
    press(&mut app, "r");
    let named = |app: &App, size| {
        let rows = front_at(app, size).unwrap().rows;
        let named = rows.iter().filter(|row| row.contains("delete  plant")).count();
        (
            named,
            rows.iter()
                .find(|row| row.contains("scrolls"))
                .map(|row| row.trim().trim_end_matches('┃').trim().to_owned()),
        )
    };
    assert_eq!(named(&app, (80, 24)), (12, None));
    let (few, of_all) = named(&app, (60, 14));
    assert!(of_all.unwrap().starts_with(&format!("lines 1-{few} of 12; PageDown scrolls")), "{few}");
    // Keys scroll what has no room, and leave the choice as it is; without more, they say so.
    lay_out(&mut app, (60, 14));
    press(&mut app, "<end>");
    let of_all = named(&app, (60, 14)).1.unwrap();
    assert!(of_all.starts_with(&format!("lines {}-12 of 12;", 13 - few)), "{of_all}");
    assert_eq!(chosen(&app), Act::Leave);
    lay_out(&mut app, (80, 24));
    press(&mut app, "<pagedown>");
    assert_eq!(status_line(&app), "PageDown does nothing now: all of it is on screen.");
    let choices = front_at(&app, (50, 14)).unwrap().rows.join(" ");
    assert!(choices.contains("Not now") && choices.contains("Send them") && choices.contains("Drop them"), "{choices}");
}

#[test]
fn one_plant_is_re_added_in_the_singular() {
    let fern = Plant { name: "Fern".into(), id: PlantId(7), tag: "t".into() };
    let asked = crate::tui::session::plant_questions::re_add(&[fern], &[], &info().store);
    assert_eq!(asked.title.say(None).as_deref(), Some("Re-add Fern (7)?"));
    assert_eq!(asked.choices[1].hint, "sends 1 add");
}

#[test]
fn the_greenhouse_asks_in_words_without_a_request() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    assert!(dialog(&app).says("sends DELETE"), "{:#?}", dialog(&app));
    press(&mut app, "<esc>4d");
    assert!(dialog(&app).says("asks the store to delete it"), "{:#?}", dialog(&app));
}

#[test]
fn the_weather_of_now_is_marked() {
    let mut app = new_app();
    app.cx.session.info.demo = true;
    app.cx.session.weather = crate::demo::WeatherPreset::Rejecting;
    press(&mut app, "4w");
    assert_eq!(chosen(&app), Act::Weather(crate::demo::WeatherPreset::Rejecting));
}

#[test]
fn an_audience_reads_a_question_in_its_language() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    app.cx.display.language = LanguageChoice::De;
    let asked = |app: &mut App, keys: &str, words: [&str; 3]| {
        press(app, keys);
        let shown = dialog(app);
        assert!(shown.title == words[0] && words[1..].iter().all(|words| shown.says(words)), "{shown:#?}");
        press(app, "n");
    };
    let english = ["Delete plant 7 (7)?", "Keep it", "sends DELETE"];
    let german = ["plant 7 (7) löschen?", "Behalten  es wird nichts gesendet", "Löschen   danach kann man sie"];
    asked(&mut app, "d", english);
    asked(&mut app, "4d", german);
    asked(&mut app, "1d", english);
    press(&mut app, "<f5>d");
    let shown = frame::screen(&app);
    assert!(german.iter().all(|words| shown.iter().any(|row| row.contains(words))), "{shown:#?}");
}

#[test]
fn a_question_has_the_whole_id_of_every_plant_that_it_names() {
    let name = "Monstera deliciosa variegata, window sill, room 12";
    let unknown = |id| Row { state: State::Unknown, ..named(id, name) };
    for id in [1, 8_779_719_240_000_000_001] {
        for size in [(120, 36), (80, 24), (60, 20), (50, 14)] {
            let mut app = new_app();
            app.update(window(&[unknown(id), unknown(id + 1)]));
            press(&mut app, "<space><down><space>");
            press(&mut app, "d");
            let ids = [PlantId(id), PlantId(id + 1)];
            app.update(listed(&ids, &[unknown(id), unknown(id + 1)]));
            lay_out(&mut app, size);
            let asked = front_at(&app, size).unwrap();
            for id in ids {
                assert!(asked.says(&format!("({id})")), "{asked:#?}");
            }
            press(&mut app, "n<esc>d");
            let title = front_at(&app, size).unwrap().title;
            assert!(title.contains(&format!("… ({})?", id + 1)), "{title}");
        }
    }
}
