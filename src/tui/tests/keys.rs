//! Keys that hands know from elsewhere: half pages, ranges of marks, numbers, undo, and keys that do nothing.

use super::*;
use crate::domain::filter::List;
use crate::terminal::AltKey;
use crate::tui::ui_effect::Tab;

fn with_plants(count: i64) -> App {
    let mut app = new_app();
    let rows: Vec<_> = (1..=count).map(|id| row(id, State::Stored)).collect();
    app.update(window(&rows));
    app.update(shown(FrameLayout { page: 11, reader_page: 11, reader_lines: 100, ..FrameLayout::default() }));
    app
}

fn selected(app: &App) -> i64 {
    app.cx.session.plants.selected.unwrap().0
}

fn marked(app: &App) -> Vec<i64> {
    app.cx.session.plants.marked.keys().map(|id| id.0).collect()
}

fn offers_undo(app: &App) -> bool {
    app.footer().iter().any(|(_, label)| *label == "undo")
}

#[test]
fn lists_page_as_in_a_shell() {
    let mut app = with_plants(40);
    let mut after = |keys| {
        press(&mut app, keys);
        selected(&app)
    };
    assert_eq!(["<c-n>", "<c-n>", "<c-p>"].map(&mut after), [2, 3, 2]);
    assert_eq!(["<c-d>", "<c-f>", "<c-b>", "<c-u>"].map(&mut after), [7, 17, 7, 2]);
}

#[test]
fn keys_that_edit_in_a_field_are_no_commands_there() {
    let mut app = with_plants(40);
    press(&mut app, "aone two<c-w><c-d><c-u><c-y>");
    assert_eq!(draft(&app).name.text(), "one ");
    app.update(keyed(Key::Alt(AltKey::Backspace)));
    assert_eq!(draft(&app).name.text(), "");
    press(&mut app, "<c-_><c-n>");
    assert_eq!((draft(&app).name.text(), selected(&app)), ("one ", 1));
    assert_eq!(draft(&app).focus, crate::domain::plant::Field::Id);
    press(&mut app, "<esc>/t<c-u>plant<c-n><c-n>");
    let rows: Vec<_> = (1..=40).map(|id| row(id, State::Stored)).collect();
    app.update(found(&app, &rows));
    assert_eq!((app.cx.session.plants.filter.text(), selected(&app)), ("plant", 3));
}

#[test]
fn what_is_erased_from_a_token_is_yanked_nowhere_else() {
    let mut app = App::new(info(), Keymap::default(), None);
    let _ = app.begin(Vec::new());
    press(&mut app, "secret<c-u>other<c-w><esc>");
    press(&mut app, "a<c-y><c-_>");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn shift_with_an_arrow_marks_what_is_passed() {
    let mut app = with_plants(9);
    press(&mut app, "j<shift-down><shift-down><shift-up>");
    assert_eq!((marked(&app), selected(&app)), (vec![2, 3], 3));
    // Without Shift the range is over, and its marks stay.
    press(&mut app, "jj<shift-up>");
    assert_eq!((marked(&app), selected(&app)), (vec![2, 3, 4, 5], 4));
    press(&mut app, "<esc>");
    assert!(marked(&app).is_empty());
}

#[test]
fn a_range_follows_the_selection_until_it_is_ended() {
    let mut app = with_plants(9);
    press(&mut app, "Vj<c-n>");
    assert_eq!(marked(&app), [1, 2, 3]);
    press(&mut app, "kV<end>");
    assert_eq!((marked(&app), selected(&app)), (vec![1, 2], 9));
    press(&mut app, "V<up><esc>k");
    assert_eq!(marked(&app), [1, 2, 8, 9]);
    press(&mut app, "<esc>");
    assert!(marked(&app).is_empty());
    // Another command ends it.
    press(&mut app, "V<space>s<esc>k");
    assert!(marked(&app).is_empty());
}

#[test]
fn the_sentence_about_a_range_lasts_as_long_as_the_range() {
    let says = |app: &App| status_line(app).starts_with("What you move over is marked, until V, Esc");
    let late = |app: &mut App| drop(app.update(Msg::Now(Timestamp(1_000_000))));
    for (ends, name) in
        [("V", "V"), ("<esc>", "Esc"), ("<space>", "Space"), ("2", "another tab"), ("M", "M"), ("", "a click")]
    {
        let mut app = with_plants(9);
        press(&mut app, "Vj");
        late(&mut app);
        press(&mut app, "j?<esc>");
        assert!(says(&app) && marked(&app) == [1, 2, 3], "{name}: {}", status_line(&app));
        press(&mut app, ends);
        if ends.is_empty() {
            app.update(clicked(Target::Plant(PlantId(7))));
        }
        assert!(!says(&app) && app.cx.session.plants.range.is_none(), "{name}: {}", status_line(&app));
    }
    // A plant that the palette selects, and another order, end it, too.
    let mut app = with_plants(9);
    press(&mut app, "V:5<enter>");
    app.update(listed(&[PlantId(5)], &[row(5, State::Stored)]));
    assert!(!says(&app));
    press(&mut app, "V");
    app.update(clicked(Target::Heading(1)));
    assert!(!says(&app));
}

#[test]
fn a_number_in_the_palette_selects_the_plant_with_this_id() {
    let mut app = with_plants(9);
    let effects = press(&mut app, "2:7<enter>");
    assert!(effects.contains(&Effect::Inspect(7)), "{effects:?}");
    assert_eq!(app.cx.display.tab, Tab::History);
    let effects = press(&mut app, "3:300<enter>");
    assert_eq!(effects.last(), Some(&Effect::FindListed(vec![PlantId(300)])));
    app.update(Msg::Listed(vec![PlantId(300)], Ok(Vec::new())));
    assert_eq!(message(&app), Some("No plant in the list has the id 300."));
    press(&mut app, "1/fern<enter>");
    press(&mut app, ":300<enter>");
    let effects = app.update(listed(&[PlantId(300)], &[row(300, State::Stored)]));
    let wanted =
        |effect: &Effect| matches!(effect, Effect::Load(request) if request.anchor == Anchor::Around(PlantId(300)));
    assert!(effects.iter().any(wanted), "{effects:?}");
    assert_eq!((app.cx.session.plants.filter.text(), selected(&app)), ("", 300));
    // No line asks for a plant of another question.
    press(&mut app, "/fern<enter>");
    app.update(listed(&[PlantId(300)], &[row(300, State::Stored)]));
    assert_eq!(app.cx.session.plants.filter.filter, List::Plants.parse("fern", &app.cx.local_time()).0);
}

#[test]
fn undo_asks_once_about_what_was_deleted_or_added_last() {
    let mut app = with_plants(9);
    press(&mut app, "z");
    assert_eq!(message(&app), Some("Nothing to undo since this store was opened; b finds what was deleted before."));
    let [operation] = &sent(&press(&mut app, "d<tab><enter>"))[..] else { panic!("a delete is sent") };
    assert!(!offers_undo(&app));
    app.update(responded(operation, 204));
    app.update(window(&[row(2, State::Stored)]));
    assert!(offers_undo(&app));
    assert_eq!(press(&mut app, "z"), [Effect::FindListed(vec![PlantId(1)])]);
    app.update(listed(&[PlantId(1)], &[]));
    assert_eq!((title_of(&app).as_str(), chosen(&app)), ("Re-add plant 1 (1)?", Act::Leave));
    assert_eq!(listed_of(&app), ["plant 1 (1)"]);
    let [operation] = &sent(&press(&mut app, "y"))[..] else { panic!("an add is sent") };
    assert_eq!(operation.kind.plant().map(|plant| plant.id), Some(PlantId(1)));
    app.update(responded(operation, 201));
    assert!(!offers_undo(&app));
    press(&mut app, "z");
    app.update(listed(&[PlantId(1)], &[row(1, State::Stored)]));
    assert_eq!((title_of(&app).as_str(), chosen(&app)), ("Delete plant 1 (1)?", Act::Leave));
    // Another program deleted it, and perhaps added another plant.
    press(&mut app, "n");
    for now in [&[][..], &[named(1, "other")]] {
        press(&mut app, "z");
        app.update(listed(&[PlantId(1)], now));
        assert!(!app.cx.display.has_dialog);
        assert!(message(&app).is_some_and(|message| message.starts_with("What was added last cannot be undone")));
    }
}

#[test]
fn undo_of_a_decision_says_what_can_be_done_instead() {
    let mut app = with_plants(9);
    for (resolution, said) in [
        (Resolution::MarkStored, "Marking as stored cannot be undone: d deletes"),
        (Resolution::Forget, "Forgetting cannot be undone: b finds the plant"),
    ] {
        app.update(Msg::Resolved(vec![PlantId(7)], resolution, Ok(vec![Ok(())])));
        assert!(!offers_undo(&app));
        press(&mut app, "z");
        assert!(message(&app).is_some_and(|message| message.starts_with(said)), "{:?}", message(&app));
        assert!(!app.cx.display.has_dialog);
    }
    // What was deleted before the decision is still offered.
    let [operation] = &sent(&press(&mut app, "dy"))[..] else { panic!("a delete is sent") };
    app.update(responded(operation, 204));
    app.update(Msg::Resolved(vec![PlantId(7)], Resolution::Forget, Ok(vec![Ok(())])));
    assert!(offers_undo(&app));
    assert_eq!(press(&mut app, "z"), [Effect::FindListed(vec![PlantId(1)])]);
    assert!(message(&app).is_some_and(|message| message.starts_with("Forgetting cannot be undone")));
}

#[test]
fn undo_of_several_deletes_asks_about_all_of_them() {
    let mut app = with_plants(9);
    press(&mut app, " <down> <down> d");
    let ids = [1, 2, 3].map(PlantId);
    app.update(listed(&ids, &[1, 2, 3].map(|id| row(id, State::Stored))));
    let operations = sent(&press(&mut app, "y"));
    app.update(responded(&operations[0], 204));
    app.update(responded(&operations[1], 500));
    app.update(responded(&operations[2], 204));
    assert!(status_line(&app).contains("z re-adds the deleted ones."), "{}", status_line(&app));
    press(&mut app, "z");
    app.update(listed(&[PlantId(1), PlantId(3)], &[named(3, "other")]));
    assert_eq!(title_of(&app), "Re-add these 2 plants?");
    assert_eq!(listed_of(&app), ["plant 1 (1)", "plant 3 (3); the list has other (3), stored"]);
    // A single delete after them is undone alone.
    press(&mut app, "<esc>d");
    let operation = sent(&press(&mut app, "<tab><enter>")).remove(0);
    app.update(responded(&operation, 204));
    assert_eq!(app.cx.session.last_accepted.len(), 1);
}

#[test]
fn undo_knows_no_plant_whose_name_it_did_not_see() {
    let mut app = with_plants(1);
    press(&mut app, "D300<enter>");
    app.update(listed(&[PlantId(300)], &[]));
    let operation = sent(&press(&mut app, "y")).remove(0);
    app.update(responded(&operation, 204));
    assert!(!offers_undo(&app));
    assert_eq!(press(&mut app, "z"), []);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn the_last_key_that_does_nothing_is_said() {
    let mut app = with_plants(2);
    let mut said = |keys| {
        press(&mut app, keys);
        message(&app).unwrap_or_default().to_owned()
    };
    assert_eq!(said("Q"), "Q does nothing here; ? lists the keys that do.");
    assert_eq!(said("W"), "W does nothing here; ? lists the keys that do.");
    assert_eq!(said("<enter>Q"), "Q does nothing here; ? lists the keys that do.");
    assert_eq!(said("<esc>jé"), "é does nothing here; ? lists the keys that do.");
    for c in ["ф", "ы"] {
        let why = "is no Latin letter: switch the keyboard's layout, or bind keys in the config file, like [keys] add";
        assert_eq!(said(c), format!(r#"{c} {why} = ["a", "{c}"]. ? has the names."#));
    }
}

/// A message or a text can name any key of the tab behind it.
#[test]
fn a_key_of_the_tab_does_the_same_before_a_text() {
    let keymap = Keymap::default();
    let is_free = |key: &Key| [Scope::Pager, Scope::Inspector].iter().all(|text| keymap.binding(*text, *key).is_none());
    for key in keymap.here(Scope::Plants).flat_map(|binding| &binding.keys).filter(|key| is_free(key)) {
        let [mut in_tab, mut before] = [(), ()].map(|()| with_plants(2));
        press(&mut before, "<enter>");
        assert_eq!(before.scope(), Scope::Pager);
        assert_eq!(before.update(keyed(*key)), in_tab.update(keyed(*key)), "{key}");
        assert_eq!(message(&before), message(&in_tab), "{key}");
        // What only says something leaves the text open.
        if before.scope() != Scope::Pager {
            assert_eq!((before.scope(), before.cx.display.tab), (in_tab.scope(), in_tab.cx.display.tab), "{key}");
        }
    }
}

#[test]
fn after_a_result_only_the_last_key_that_does_nothing_is_said() {
    let mut app = with_plants(2);
    let operation = sent(&press(&mut app, "d<tab><enter>")).remove(0);
    app.update(responded(&operation, 204));
    let result = status_line(&app).to_owned();
    for key in ["Q", "W"] {
        press(&mut app, key);
        assert_eq!(status_line(&app), format!("{result} {key} does nothing here; ? lists the keys that do."));
        press(&mut app, "j");
    }
}
