//! Keys, clicks and pastes: which of them are taken, and by what.

use super::frame::screen;
use super::*;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;

#[test]
fn a_key_without_a_binding_is_neither_typed_nor_taken_for_a_column() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(press(&mut app, "Z"), []);
    assert_eq!(
        (app.cx.session.plants.filter.text(), status_line(&app)),
        ("", "Z does nothing here; ? lists the keys that do.")
    );
    // Nor does it while a list waits for the number of a column.
    press(&mut app, "sZ");
    assert_eq!((app.scope(), status_line(&app)), (Scope::Plants, "Z does nothing here; ? lists the keys that do."));
}

#[test]
fn a_paste_into_a_terminal_that_is_too_small_is_dropped() {
    let mut app = new_app();
    press(&mut app, "aFern");
    app.update(shown(FrameLayout { too_small: true, ..FrameLayout::default() }));
    app.update(pasted("x".into()));
    app.update(clicked(Target::Command(Command::Close)));
    assert_eq!(draft(&app).name.text(), "Fern");
}

#[test]
fn a_click_on_the_pane_opens_what_is_selected() {
    let mut app = new_app();
    app.update(window(&[named(7, "Fern")]));
    app.update(history_of(7, Some(named(7, "Fern"))));
    app.update(clicked(Target::Pane));
    assert_eq!(app.scope(), Scope::Pager);
}

#[test]
fn a_click_on_another_tab_under_a_dialog_is_ignored() {
    let mut app = new_app();
    press(&mut app, "a");
    app.update(clicked(Target::Command(Command::GoTo(Tab::History))));
    assert_eq!((app.cx.display.tab, title(&app).is_empty()), (Tab::Plants, false));
}

#[test]
fn ctrl_z_suspends_anywhere() {
    for keys in ["<c-z>", "a<c-z>", "/<c-z>"] {
        assert_eq!(press(&mut new_app(), keys).last(), Some(&Effect::Suspend), "{keys}");
    }
}

#[test]
fn help_opens_over_another_text_and_closes_itself_alone() {
    let mut app = new_app();
    app.update(window(&[named(7, "Fern")]));
    app.update(history_of(7, Some(named(7, "Fern"))));
    press(&mut app, "<enter>");
    let history = title(&app);
    press(&mut app, "?");
    assert_eq!(app.behind(), 1);
    press(&mut app, "?");
    assert_eq!((title(&app), app.behind()), (history, 0));
}

#[test]
fn help_takes_a_message_about_a_key_away() {
    let mut app = new_app();
    press(&mut app, "r");
    assert!(message(&app).is_some());
    press(&mut app, "?");
    assert_eq!(message(&app), None);
}

#[test]
fn esc_with_nothing_to_leave_only_clears_the_message() {
    let mut app = new_app();
    press(&mut app, "<esc>");
    assert_eq!(message(&app), None);
    app.cx.out.say("The plants are written.");
    press(&mut app, "<esc>");
    assert_eq!(message(&app), None);
}

#[test]
fn esc_beside_what_is_in_flight_says_how_to_cancel_it() {
    for (tab, words) in [("1", "1 in flight: select one"), ("4", "1 on the way: select one")] {
        let mut app = new_app();
        press(&mut app, "aFern<tab><tab>t<enter>");
        app.update(window(&[row(1, State::Adding), row(7, State::Stored)]));
        press(&mut app, tab);
        app.update(clicked(Target::Plant(PlantId(7))));
        press(&mut app, "<esc>");
        assert!(status_line(&app).starts_with(words), "{}", status_line(&app));
    }
}

#[test]
fn presentation_mode_shows_keys_except_in_a_prompt_for_a_token() {
    let shows = |keys: &str, shown: &str| {
        let mut app = new_app();
        press(&mut app, keys);
        screen(&app).iter().any(|line| line.contains(shown))
    };
    assert!(shows("<f5>a<tab>", "a   Tab"));
    assert!(!shows("<f5>aFern", "F   e"), "what is typed can be read in its field");
    assert!(!shows("<f5>T<enter>", "T   Enter"));
}

#[test]
fn a_frame_is_waited_for_only_where_it_decides_what_keys_do() {
    for (keys, awaits) in [("", false), ("b", false), ("a", false), ("d", true)] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        press(&mut app, keys);
        assert_eq!(app.awaits_frame(), awaits, "{keys}");
    }
}

#[test]
fn a_dialog_awaits_one_frame_at_most() {
    for keys in ["a", "d", "i", "?"] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        press(&mut app, keys);
        show(&mut app);
        assert!(!app.awaits_frame(), "{keys}");
    }
    let mut app = new_app();
    import::open_preview(&mut app, import::preview(10, 0, 0));
    assert!(app.awaits_frame());
    show(&mut app);
    assert!(!app.awaits_frame());
}

#[test]
fn a_terminal_that_is_too_small_ignores_all_commands_but_quitting() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    app.update(shown(FrameLayout { too_small: true, ..FrameLayout::default() }));
    assert_eq!(sent(&press(&mut app, "d<tab><enter>a")), []);
    app.update(pasted("x".into()));
    assert!(!app.cx.display.has_dialog);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn ctrl_l_and_its_command_draw_the_whole_screen_again_in_any_state() {
    for keys in ["", "3", "/fern", "aFern", "?", "q", "s", ":"] {
        let mut app = new_app();
        press(&mut app, keys);
        let before = frame::screen(&app);
        assert_eq!(press(&mut app, "<c-l>"), [Effect::Redraw], "{keys}");
        assert_eq!(frame::screen(&app), before, "{keys}");
    }
    assert_eq!(press(&mut new_app(), ":redraw<enter>"), [Effect::Redraw]);
    let mut app = new_app();
    app.cx.session.info.demo = true;
    press(&mut app, "t");
    assert!(press(&mut app, "<c-l>").contains(&Effect::Redraw) && app.cx.display.on_tour);
    app.update(shown(FrameLayout { too_small: true, ..FrameLayout::default() }));
    assert_eq!(press(&mut app, "<c-l>"), [Effect::Redraw]);
}
