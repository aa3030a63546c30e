//! The palette: what it finds, arguments behind a command, completion, and the commands before.

use super::connection::known;
use super::palette_paths::asked;
use super::paths;
use super::*;
use crate::config::ConnectionTarget;
use crate::demo::WeatherPreset;
use crate::domain::LocalTime;
use crate::domain::filter::List;
use crate::journal::Column;
use crate::text::Marks;
use crate::tui::context::Colors;
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;

/// Returns an app with two plants and several known stores.
pub(super) fn new_app() -> App {
    let mut app = super::new_app();
    app.cx.session.stores.known = known();
    app.update(window(&[named(7, "Fern"), named(71, "Ivy")]));
    app
}

/// Returns the lines of the palette, without those around the list.
#[track_caller]
pub(super) fn lines(app: &App) -> Vec<String> {
    let list = dialog(app);
    assert_eq!(list.title, "Commands");
    let rows = list.rows.iter().skip(1).map(|row| row.trim_end_matches(['┃', ' ']).to_owned());
    rows.filter(|row| !row.is_empty()).collect()
}

/// Returns the commands that are found, the first ones.
fn found(typed: &str) -> Vec<String> {
    let mut app = new_app();
    press(&mut app, &format!(":{typed}"));
    let name = |row: &String| row.chars().skip(13).take(16).collect::<String>().trim().to_owned();
    lines(&app).iter().take(3).map(name).collect()
}

#[test]
fn the_palette_carries_out_a_command_in_its_tab() {
    let mut app = new_app();
    press(&mut app, ":zzzzzz own");
    assert!(dialog(&app).says("There is no command zzzzzz. help lists the commands."));
    press(&mut app, "<c-u>chek --yes");
    assert!(dialog(&app).says("There is no command chek; did you mean check?"));
    press(&mut app, "<c-u>next outcome");
    press(&mut app, "<enter>");
    assert_eq!((app.cx.display.tab, app.screens.history.list.filter.text()), (Tab::History, "outcome:accepted"));
    press(&mut app, ":delete<enter>");
    assert_eq!(app.cx.display.tab, Tab::Plants);
    assert_eq!(title_of(&app), "Delete Fern (7)?");
    // The palette gives the reason why a command is unavailable.
    press(&mut app, "<esc>:resolve");
    let first = dialog(&app).marked().to_owned();
    assert!(first.starts_with("u ") && first.ends_with("not now: nothing is unknown"), "{first}");
}

#[test]
fn every_command_of_the_tabs_is_in_the_palette() {
    let app = new_app();
    let offered: Vec<_> = app.offers().into_iter().map(|offer| offer.binding.name).collect();
    for scope in [Scope::Tabs, Scope::Operations, Scope::Plants, Scope::History, Scope::Exchange, Scope::Everywhere] {
        for binding in
            app.cx.out.keys.of(scope).filter(|binding| !["palette", "help-anywhere"].contains(&&*binding.name))
        {
            assert!(offered.contains(&binding.name), "{}", binding.name);
        }
    }
    // The palette is open already, and help is offered once.
    assert!(offered.iter().all(|name| name != "palette" && name != "help-anywhere"), "{offered:?}");
}

#[test]
fn a_command_goes_to_its_tab_unless_the_active_one_has_it_too() {
    for (from, typed, tab) in [
        ("2", "mark all", Tab::Plants),
        ("1", "run check", Tab::Check),
        ("3", "reverse", Tab::Plants),
        ("2", "reverse", Tab::History),
        ("4", "duplicate", Tab::Greenhouse),
        ("2", "duplicate", Tab::Plants),
        ("1", "wire", Tab::Greenhouse),
    ] {
        let mut app = new_app();
        press(&mut app, &format!("{from}:{typed}<enter>"));
        assert_eq!(app.cx.display.tab, tab, "{typed} in {from}");
    }
    assert!(press(&mut new_app(), ":suspend<enter>").contains(&Effect::Suspend));
}

/// `report` and `compare` are names in the History, and begin names in the Check tab.
#[test]
fn a_name_that_begins_one_of_this_tab_means_that_one() {
    for (tab, typed, expected) in [
        ("3", "report", "report check"),
        ("3", "compare", "compare runs"),
        ("2", "report", "report"),
        ("2", "compare", "compare"),
        ("1", "report", "report"),
    ] {
        let mut app = new_app();
        press(&mut app, &format!("{tab}:{typed}"));
        let name: String = lines(&app)[0].chars().skip(13).take(14).collect();
        assert_eq!(name.trim(), expected, "{tab} {typed}");
    }
}

#[test]
fn words_that_people_try_find_a_command() {
    for (word, command) in [
        ("remove", "delete"),
        ("rm", "delete"),
        ("q!", "quit now"),
        ("wq", "quit"),
        ("x", "quit"),
        ("undo", "undo"),
        // Nothing waits to be sent again, and no request is selected.
        ("retry", "re-add"),
        ("edit", "re-add"),
        ("settings", "connection"),
        ("login", "replace token"),
        ("connect", "connection"),
        ("profile", "profile NAME"),
        ("exit", "quit"),
        ("close", "quit"),
        ("search", "filter WORDS"),
        ("find", "filter WORDS"),
        ("create", "add NAME"),
        ("replace-token", "replace token"),
        ("SAVE AS", "save as profile"),
    ] {
        assert_eq!(found(word)[0], command, "{word}");
    }
    // The word is shown where the command is not called so.
    let mut app = new_app();
    press(&mut app, ":clone");
    assert!(lines(&app)[0].contains("clone: copy the selected plant"), "{:?}", lines(&app));
}

#[test]
fn a_command_that_cannot_exist_says_what_to_do() {
    for (typed, words) in [
        ("rename fern", "cannot change a plant: delete it"),
        ("Refresh", "nothing to refresh"),
        ("forget 35", "There is no command forget. resolve PLANT --forget takes a plant from the list"),
    ] {
        let mut app = new_app();
        press(&mut app, &format!(":{typed}"));
        assert!(dialog(&app).says(words), "{:#?}", dialog(&app));
    }
}

#[test]
fn a_command_that_is_called_so_is_before_one_that_mentions_it() {
    assert_eq!(found("add")[0], "add NAME");
    assert_eq!(found("delete")[..2], ["delete", "delete by id ID"]);
    assert_eq!(found("his")[0], "history");
    assert_eq!(found("re"), ["reverse", "re-add", "replace token"]);
    assert_eq!(found("plant")[0], "plants");
    assert_eq!(found("check")[0], "check");
}

#[test]
fn delete_takes_an_id() {
    let mut app = new_app();
    press(&mut app, ":delete 7");
    let shown = lines(&app);
    assert_eq!(shown[0].trim(), "An id, or a part of a name.");
    assert!(shown[1].starts_with("▸            delete 7         asks whether to delete Fern (7)"), "{shown:#?}");
    assert!(shown[2].contains("delete 71"), "{shown:#?}");
    assert_eq!(press(&mut app, "<enter>"), [Effect::FindListed(vec![PlantId(7)])]);
    app.update(listed(&[PlantId(7)], &[named(7, "Fern")]));
    assert_eq!(title_of(&app), "Delete Fern (7)?");
    // By its name, completed; and one that is not in the list.
    press(&mut app, "<esc>:remove iv<tab>");
    assert_eq!(app.typed().unwrap(), ["remove 71"]);
    press(&mut app, "<c-u>delete 12<enter>");
    app.update(listed(&[PlantId(12)], &[]));
    assert_eq!(title_of(&app), "Delete plant 12?");
}

#[test]
fn deleting_another_plant_keeps_the_selection() {
    let mut app = new_app();
    press(&mut app, ":delete 71<enter>");
    app.update(listed(&[PlantId(71)], &[named(71, "Ivy")]));
    assert_eq!(sent(&press(&mut app, "<tab><enter>")).len(), 1);
    app.update(window(&[named(7, "Fern"), Row { state: State::Deleting, ..named(71, "Ivy") }]));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(7)));
    app.update(window(&[named(7, "Fern")]));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(7)));
}

#[test]
fn commands_that_can_be_done_come_first() {
    let mut app = new_app();
    let commands = |app: &App| {
        let mut lines = lines(app);
        lines.retain(|line| line.contains("retry: "));
        lines
            .iter()
            .map(|line| line.chars().skip(10).take(16).collect::<String>().trim().to_owned())
            .collect::<Vec<_>>()
    };
    press(&mut app, ":retry");
    assert_eq!(commands(&app), ["re-add"]);
    assert!(dialog(&app).says("not now: nothing waits to be sent again"), "{:#?}", dialog(&app));
    press(&mut app, "<esc>");
    app.cx.session.unsent.push(OperationKind::Delete(PlantId(7)));
    press(&mut app, ":retry");
    assert_eq!(commands(&app), ["send again", "re-add"]);
    // A whole name means this command, even if it cannot be done.
    press(&mut app, "<c-u>resolve");
    assert!(dialog(&app).marked().ends_with("not now: nothing is unknown"), "{:?}", dialog(&app));
    let offers = app.offers();
    press(&mut app, "<c-u>");
    let first = lines(&app).len();
    assert!(offers.iter().any(|offer| offer.unavailable.is_some()));
    assert!(lines(&app).iter().take(first).all(|line| !line.contains("not now")), "{:#?}", lines(&app));
}

#[test]
fn an_impossible_argument_says_what_is_possible_and_changes_nothing() {
    for (typed, said) in [
        ("delete ..", "No plant in the list is called .."),
        ("delete tag:fern", "No plant in the list is called tag:fern; did you mean --match tag:fern?"),
        ("delete TAG=a|b", "No plant in the list is called TAG=a|b; did you mean --match 'tag:\"a|b\"'?"),
        ("delete 1.5", "No plant in the list is called 1.5, which is not a whole number"),
        ("delete 007", "Write the id as 7"),
        ("filter tag=x", "This is no filter: use tag: with a colon; quotes make it text."),
        ("sort colour", "No column is named colour: use id, name, tag, state or since."),
        ("sort nmae", "No column is named nmae: use id, name, tag, state or since; did you mean name?"),
        (
            "profile production",
            "No profile is named production: use staging, elsewhere or demo store; c makes a new one.",
        ),
        ("profile stagng", "No profile is named stagng: use staging, elsewhere or demo store; did you mean staging?"),
        ("filter state:x", "This is no filter: use stored, unknown, adding or deleting."),
    ] {
        let mut app = new_app();
        press(&mut app, &format!(":{typed}"));
        assert!(dialog(&app).says(&format!("✗ {said}")), "{:#?}", dialog(&app));
        assert!(!dialog(&app).says("?."), "{:#?}", dialog(&app));
        assert_eq!(press(&mut app, "<enter><tab>"), [], "{typed}");
        assert_eq!(app.typed().unwrap(), [typed]);
    }
}

#[test]
fn add_takes_a_name() {
    let mut app = new_app();
    press(&mut app, ":add Big fern<enter>");
    let draft = app.draft().unwrap();
    assert_eq!((draft.name.text(), draft.id.text(), draft.tag.text()), ("Big fern", "72", ""));
    press(&mut app, "shade<enter>");
    assert!(status_line(&app).contains("Big fern (72)"), "{}", status_line(&app));
}

#[test]
fn filter_takes_words_in_the_active_tab() {
    let mut app = new_app();
    let filter = List::Plants.parse("tag:desert", &LocalTime::default()).0;
    let loaded = press(&mut app, ":filter tag:desert<enter>");
    assert!(
        loaded.iter().any(|effect| matches!(effect, Effect::Load(request) if request.arrangement.filter == filter))
    );
    press(&mut app, "2");
    let search = List::Requests.parse("!check", &LocalTime::default()).0;
    let loaded = press(&mut app, ":search !check<enter>");
    assert!(loaded.iter().any(|effect| matches!(effect, Effect::LoadHistory(request) if request.search == search)));
    // Without words, the filter has the cursor.
    press(&mut app, ":filter <enter>");
    assert_eq!(app.scope(), Scope::Picker);
}

#[test]
fn sort_takes_a_column() {
    let mut app = new_app();
    press(&mut app, "3:sort na<tab><enter>");
    assert_eq!((app.cx.display.tab, app.cx.session.plants.column), (Tab::Plants, Column::Name));
    assert!(!app.cx.session.plants.descending);
    press(&mut app, ":sort <enter>s");
    assert_eq!(app.cx.session.plants.column, Column::Tag);
}

#[test]
fn weather_takes_a_name_at_the_demo_store_alone() {
    let mut app = new_app();
    press(&mut app, ":weather slow");
    assert!(lines(&app)[1].ends_with("not now: only the demo store has weather to choose"), "{:#?}", lines(&app));
    let effects = press(&mut app, "<enter>");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Weather(_))), "{effects:?}");
    assert!(status_line(&app).contains("only the demo store has weather"), "{}", status_line(&app));
    let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    assert_eq!(press(&mut app, ":weather los<enter>"), [Effect::Weather(WeatherPreset::LosingResponses)]);
    press(&mut app, ":weather los");
    assert!(lines(&app)[1].contains("in use: "), "{:#?}", lines(&app));
}

#[test]
fn profile_takes_a_name_and_asks_for_one() {
    let mut app = new_app();
    press(&mut app, ":prof<enter>");
    assert_eq!(app.typed().unwrap(), ["profile "]);
    assert!(lines(&app)[1].contains("profile staging       in use: http://127.0.0.1:4000/api"), "{:#?}", lines(&app));
    let target = ConnectionTarget::Profile("elsewhere".to_owned());
    assert_eq!(press(&mut app, "else<tab><enter>"), [Effect::Connect(target)]);
    assert_eq!(title(&app), "Stores");
}

#[test]
fn nothing_is_done_before_something_is_typed_or_marked() {
    for keys in [":", ":theme ", ":profile "] {
        let mut app = new_app();
        assert_eq!(press(&mut app, &format!("{keys}<enter>")), [], "{keys}");
        assert_eq!(title(&app), "Commands", "{keys}");
        assert!(status_line(&app).contains("Nothing is marked yet") && !dialog(&app).says("▸"), "{:#?}", dialog(&app));
        press(&mut app, "<down>");
        assert!(dialog(&app).says("▸"), "{:#?}", dialog(&app));
        assert_eq!(app.marked_line().unwrap().0, 0, "{keys}");
        press(&mut app, "<enter>");
        assert_ne!(title(&app), "Commands", "{keys}");
    }
    // A click marks a line, and a second one takes it.
    let mut app = new_app();
    press(&mut app, ":");
    app.update(clicked(Target::Line(0)));
    assert!(dialog(&app).says("▸"));
    app.update(clicked(Target::Line(0)));
    assert!(!app.cx.display.has_dialog || title(&app) != "Commands");
}

#[test]
fn words_of_other_programs_find_the_list_of_stores() {
    for word in ["store", "ctx", "context", "switch", "connect"] {
        assert_eq!(found(word)[0], "connection", "{word}");
    }
}

#[test]
fn an_argument_that_is_found_has_a_hint_of_what_is_possible() {
    for (typed, hint) in
        [("profile s", "staging, elsewhere or demo store."), ("delete fe", "An id, or a part of a name.")]
    {
        let mut app = new_app();
        press(&mut app, &format!(":{typed}"));
        assert_eq!(lines(&app)[0].trim(), hint, "{typed}");
    }
    // Nothing is no filter.
    let mut app = new_app();
    press(&mut app, ":filter ");
    assert_eq!(app.marked_line().unwrap().1, 1);
}

#[test]
fn a_command_with_an_argument_is_not_listed_without_it() {
    let mut app = new_app();
    app.update(window(&[named(7, "Plantain")]));
    press(&mut app, ":delete plant");
    let shown = lines(&app);
    assert!(shown[1].contains("delete 7") && shown[1].ends_with("asks whether to delete Plantain (7)"), "{shown:#?}");
    assert!(!dialog(&app).says("delete the selected plant, or all marked ones"), "{shown:#?}");
    assert!(!dialog(&app).says("delete by id"), "{shown:#?}");
    // The name of a command can go on like a line.
    for (typed, command) in [("delete by", "delete by id ID"), ("save as pro", "save as profile")] {
        assert!(found(typed).contains(&command.to_owned()), "{typed}: {:?}", found(typed));
    }
}

#[test]
fn the_line_of_a_verb_does_nothing_else() {
    for typed in
        ["import check", "import q", "import open", "import same", "import cancel", "delete marked", "journal q"]
    {
        let mut app = new_app();
        let effects = press(&mut app, &format!(":{typed}<enter>"));
        assert!(effects.iter().all(|effect| matches!(effect, Effect::FindPaths(_))), "{typed}: {effects:?}");
        assert_eq!((title(&app), app.typed().unwrap()), ("Commands".to_owned(), vec![typed.to_owned()]));
    }
    // The file that begins so is found before or after Enter.
    let mut app = new_app();
    let query = asked(&press(&mut app, ":import check<enter>"));
    app.update(paths::named(&query, &["check.csv"], "check.csv"));
    assert!(dialog(&app).marked().contains("import check.csv"), "{:#?}", dialog(&app));
    assert_eq!(press(&mut app, "<enter>"), [Effect::Validate("check.csv".into())]);
    for (line, tab) in
        [("list q", Tab::Plants), ("list add", Tab::Plants), ("list the", Tab::Plants), ("history check", Tab::History)]
    {
        let mut app = new_app();
        press(&mut app, &format!(":{line}<enter>"));
        let words = line.split_once(' ').unwrap().1;
        assert_eq!((app.cx.display.tab, app.cx.display.has_dialog), (tab, false), "{line}");
        let filter = if tab == Tab::History {
            app.screens.history.list.filter.text()
        } else {
            app.cx.session.plants.filter.text()
        };
        assert_eq!(filter, words, "{line}");
    }
}

#[test]
fn words_of_a_description_mark_the_first_command_that_has_them_but_none_that_quits() {
    for typed in ["pressed again", "after the same question as q", "times in a row"] {
        let mut app = new_app();
        assert_eq!(press(&mut app, &format!(":{typed}<enter><tab>")), [], "{typed}");
        assert_eq!((title(&app), app.typed().unwrap()), ("Commands".to_owned(), vec![typed.to_owned()]));
    }
    // One that cannot be done now is still the one that is called so.
    let mut app = new_app();
    press(&mut app, ":stop");
    assert!(dialog(&app).marked().ends_with("not now: nothing is in flight"), "{:#?}", dialog(&app));
    assert_eq!(press(&mut app, "<enter>"), []);
    let mut app = new_app();
    press(&mut app, ":next outcome<enter>");
    assert_eq!(app.cx.display.tab, Tab::History);
}

#[test]
fn a_long_argument_leaves_room_for_what_it_does() {
    let mut app = new_app();
    press(&mut app, &format!(":import {}.csv", "a".repeat(120)));
    assert!(dialog(&app).marked().ends_with("reads the file and shows what would be sent"), "{:#?}", dialog(&app));
}

#[test]
fn the_last_hundred_commands_are_kept() {
    let mut app = new_app();
    app.cx.commands.extend((0..99).map(|number| format!("add {number}")));
    for (keys, oldest) in [(":sort tag<enter>", "add 0"), (":sort name<enter>", "add 1")] {
        press(&mut app, keys);
        assert_eq!((app.cx.commands.len(), app.cx.commands[0].as_str()), (100, oldest));
    }
}

#[test]
fn page_keys_go_as_far_as_the_lines_on_screen() {
    let mut app = new_app();
    press(&mut app, ":");
    app.update(shown(FrameLayout { reader_page: 6, ..FrameLayout::default() }));
    let mut marked = |key| {
        press(&mut app, key);
        app.marked_line().unwrap().0
    };
    assert_eq!(["<down>", "<pagedown>", "<pagedown>", "<pageup>", "<pageup>"].map(&mut marked), [0, 5, 10, 5, 0]);
}

#[test]
fn tab_completes_a_command_and_then_goes_down() {
    let mut app = new_app();
    press(&mut app, ":qu<tab>");
    assert_eq!((app.typed().unwrap(), app.marked_line().unwrap().0), (vec!["quit".to_owned()], 0));
    press(&mut app, "<c-u>sor<tab>");
    assert_eq!(app.typed().unwrap(), ["sort "]);
    press(&mut app, "<tab>");
    assert_eq!((app.typed().unwrap(), app.marked_line().unwrap().0), (vec!["sort ".to_owned()], 1));
}

#[test]
fn up_brings_back_the_commands_before() {
    let mut app = new_app();
    press(&mut app, ":sort tag<enter>:sort tag<enter>:filter fern<enter>:help<enter><esc>:<up>");
    assert_eq!(app.typed().unwrap(), ["help"]);
    press(&mut app, "<up>");
    assert_eq!(app.typed().unwrap(), ["filter fern"]);
    press(&mut app, "<up><up><up>");
    assert_eq!(app.typed().unwrap(), ["sort tag"]);
    // Typing ends it, and Up moves in the list again.
    press(&mut app, "<c-u>s<down><up><up>");
    assert_eq!((app.typed().unwrap(), app.marked_line().unwrap().0), (vec!["s".to_owned()], 0));
}

#[test]
fn theme_takes_a_name_and_is_kept() {
    use crate::config::ThemeChoice;
    use crate::config::new_profile::SaveFault;
    use crate::config::preference::Preference;
    let mut app = new_app();
    press(&mut app, ":theme");
    press(&mut app, "<enter>");
    assert_eq!(app.typed().unwrap(), ["theme "]);
    assert!(lines(&app)[1].ends_with("in use: dark or light, like the terminal's background"), "{:#?}", lines(&app));
    let light = ThemeChoice::Light;
    assert_eq!(
        press(&mut app, "l<tab><enter>"),
        [Effect::UseTheme(light), Effect::SavePreference(Preference::Theme(light))]
    );
    app.update(Msg::PreferenceSaved(Preference::Theme(light), "/c.toml".into(), Ok(())));
    assert_eq!(status_line(&app), "Theme light, saved in /c.toml.");
    // What overrides it is said, and what has to be written by hand.
    app.cx.display.colors = Colors::Off;
    press(&mut app, ":theme high<enter>");
    let why = SaveFault::Other("the file is read-only".to_owned());
    app.update(Msg::PreferenceSaved(Preference::Theme(ThemeChoice::HighContrast), "/c.toml".into(), Err(why)));
    let notice = app.cx.out.status.notices.back().unwrap().text.clone();
    assert_eq!(
        notice,
        "Theme high-contrast is not saved in /c.toml: the file is read-only. To keep it, set at the top of the file: theme = \"high-contrast\""
    );
    assert!(status_line(&app).ends_with("overrides it: this session has no colours."), "{}", status_line(&app));
}

#[test]
fn a_language_without_letters_of_ascii_stays_english_there() {
    use crate::config::LanguageChoice;
    use crate::config::preference::Preference;
    use crate::domain::Language;
    let mut app = new_app();
    app.cx.display.marks = Marks::Ascii;
    for (choice, language) in [(LanguageChoice::De, Language::DeAscii), (LanguageChoice::Ja, Language::En)] {
        press(&mut app, &format!(":language {}<enter>", choice.word()));
        app.update(Msg::PreferenceSaved(Preference::Language(choice), "/c.toml".into(), Ok(())));
        let is_said = status_line(&app).ends_with("this session stays in English.");
        assert_eq!((app.cx.display.language(), is_said), (language, language == Language::En));
    }
    app.cx.display.marks = Marks::Unicode;
    assert_eq!(app.cx.display.language(), Language::Ja);
}
