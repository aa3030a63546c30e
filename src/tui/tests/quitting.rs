//! `q`, Ctrl-C and signals: what closes, cancels, asks and quits.

use super::*;
use crate::domain::OutcomeCounts;
use crate::import::Over;
use crate::tui::session::unfinished::Unfinished;

/// An operation was not sent.
fn with_unsent() -> App {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(failed(&operations[0], FailureKind::NotConnected));
    app
}

#[test]
fn q_and_ctrl_c_quit_an_idle_program_and_ask_where_something_is_unfinished() {
    for (key, demo) in [("q", false), ("<c-c>", false), ("q", true), ("<c-c>", true)] {
        let mut app = new_app();
        app.cx.session.info.demo = demo;
        assert_eq!(press(&mut app, key), [Effect::Quit], "{key} {demo}");
        let mut app = with_unsent();
        app.cx.session.info.demo = demo;
        assert_eq!(press(&mut app, key), [], "{key} {demo}");
        assert_eq!((title(&app).as_str(), chosen(&app)), ("Quit now?", Act::Leave));
        assert_eq!(dialog(&app).says("Ctrl-C once more does, too"), key == "<c-c>");
        assert_eq!(press(&mut app, "<enter>"), []);
        assert!(!app.cx.display.has_dialog);
        assert_eq!(press(&mut app, &format!("{key}y")), [Effect::Quit], "{key} {demo}");
    }
}

#[test]
fn q_asks_about_plants_that_an_import_left_unknown_until_they_are_resolved() {
    let mut app = new_app();
    super::import::open_preview(&mut app, super::import::preview(2, 0, 0));
    press(&mut app, "y");
    let outcomes = OutcomeCounts { unknown: 2, ..OutcomeCounts::default() };
    app.update(super::import::imported(Over::Done, outcomes));
    app.update(window(&[row(1, State::Unknown), row(2, State::Unknown)]));
    press(&mut app, "<esc>q");
    assert_eq!(lines_of(&app)[0].split(". ").next(), Some("2 plants have become unknown in this session"));
    press(&mut app, "n");
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn ctrl_c_asks_what_q_asks() {
    let mut app = with_unsent();
    app.cx.session.info.demo = true;
    press(&mut app, "q");
    let by_q = question(&app).clone();
    press(&mut app, "<esc><c-c>");
    let by_ctrl_c = question(&app);
    assert_eq!((&by_ctrl_c.title, &by_ctrl_c.lines), (&by_q.title, &by_q.lines));
    assert_eq!(
        lines_of(&app),
        ["1 operation was not sent. Quitting drops it.", "The demo's plants and history are gone once you quit."]
    );
}

#[test]
fn ctrl_c_closes_the_question_unless_it_was_pressed_just_before() {
    for keys in ["q<c-c>", "<c-c><tab><c-c>"] {
        let mut app = with_unsent();
        assert_eq!(press(&mut app, keys), [], "{keys}");
        assert!(!app.cx.display.has_dialog, "{keys}");
    }
}

#[test]
fn before_an_audience_q_asks() {
    for keys in ["<f5>", "4", "t<esc><esc>", "<f5>t<esc><esc><f5>"] {
        let mut app = new_app();
        app.cx.session.info.demo = true;
        press(&mut app, keys);
        assert_eq!(press(&mut app, "q"), [], "{keys}");
        assert_eq!(chosen(&app), Act::Leave, "{keys}");
        assert!(!lines_of(&app).is_empty(), "{keys}");
        assert_eq!(press(&mut app, "<tab><enter>"), [Effect::Quit], "{keys}");
    }
    let mut app = new_app();
    press(&mut app, "<f5><f5>");
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
    let mut app = new_app();
    assert_eq!(press(&mut app, "4q"), []);
    assert_eq!(lines_of(&app), ["Nothing is lost, but people may be watching."]);
    assert_eq!(press(&mut app, "n:q!<enter>").last(), Some(&Effect::Quit));
    assert!(!press(&mut app, "aFern<tab><tab>t<enter>:q!<enter>").contains(&Effect::Quit));
}

#[test]
fn ctrl_c_closes_the_filter_before_it_quits() {
    let mut app = new_app();
    assert!(!press(&mut app, "/fern<c-c>").contains(&Effect::Quit));
    assert!(!app.cx.display.has_dialog);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn ctrl_c_asks_once_everything_is_being_cancelled() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>");
    assert_eq!(press(&mut app, "<c-c>"), [Effect::CancelAll]);
    assert_eq!(press(&mut app, "<left><c-c>"), []);
    assert!(dialog(&app).says("1 operation is in flight"));
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn a_third_ctrl_c_in_a_row_quits_in_any_state() {
    // Three forms, one in front of the other.
    let mut app = new_app();
    let adds = ["Fern", "Ivy", "Moss"].map(|name| format!("a{name}<tab><tab>t<enter>")).concat();
    for operation in sent(&press(&mut app, &adds)) {
        app.update(responded(&operation, 409));
    }
    assert_eq!(app.behind(), 2);
    assert_eq!(press(&mut app, "<c-c><c-c>"), []);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
    // On the tour.
    let mut app = new_app();
    app.cx.session.info.demo = true;
    press(&mut app, "t<c-c>");
    assert!(!app.cx.display.on_tour);
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert_eq!(press(&mut app, "<c-c>").last(), Some(&Effect::Quit));
    // The question has changed since.
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter><c-c><left><c-c>"));
    app.update(failed(&operations[0], FailureKind::NotConnected));
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert!(dialog(&app).says("1 operation was not sent"));
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn a_terminal_that_is_too_small_closes_nothing_and_quits_when_pressed_again() {
    let too_small = |app: &mut App, too_small| {
        app.update(shown(FrameLayout { too_small, ..FrameLayout::default() }));
    };
    let mut app = new_app();
    press(&mut app, "aFern");
    too_small(&mut app, true);
    assert_eq!(press_at_once(&mut app, "<c-c>"), []);
    // Other keys do nothing, and the question is not opened twice.
    assert_eq!(press_at_once(&mut app, "y<enter><c-c>"), []);
    assert_eq!(app.behind(), 1);
    too_small(&mut app, false);
    assert!(dialog(&app).says("1 form is filled in"));
    press(&mut app, "<esc>");
    assert_eq!(draft(&app).name.text(), "Fern");
    too_small(&mut app, true);
    assert_eq!(press_at_once(&mut app, "<c-c><c-c>"), [Effect::Quit]);
}

#[test]
fn the_form_of_a_rejected_plant_is_not_lost_by_quitting() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>q"));
    app.update(responded(&operations[0], 409));
    assert_eq!(press(&mut app, "y"), [Effect::Quit]);
}

#[test]
fn the_question_says_what_is_unfinished_now() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>q"));
    assert!(dialog(&app).says("1 operation is in flight"));
    app.update(responded(&operations[0], 201));
    assert!(title(&app).contains("Quit now?") && !dialog(&app).says("in flight"), "{:#?}", dialog(&app));
    // What became more is asked about again.
    press(&mut app, "<esc>");
    let operations = sent(&press(&mut app, "aIvy<tab><tab>t<enter>q"));
    app.update(failed(&operations[0], FailureKind::NotConnected));
    assert!(dialog(&app).says("1 operation was not sent"));
    assert_eq!(press(&mut app, "y"), []);
    assert_eq!(press(&mut app, "yy"), [Effect::Quit]);
}

#[test]
fn quitting_asks_again_only_if_more_would_be_lost() {
    let seen = Unfinished { in_flight: 2, unsent: 2, forms: 2, unresolved: 2, ..Unfinished::default() };
    for (now, is_more) in [
        (seen, false),
        (Unfinished { forms: 3, ..seen }, true),
        (Unfinished { unsent: 3, ..seen }, true),
        (Unfinished { unresolved: 3, ..seen }, true),
        (Unfinished { own_plants: 1, ..seen }, true),
        (Unfinished { in_flight: 3, checks: 1, imports: 1, ..seen }, false),
        (Unfinished { in_flight: 0, unsent: 1, forms: 1, unresolved: 1, ..seen }, false),
    ] {
        assert_eq!(now.is_more_than(seen), is_more, "{now:?}");
    }
}

#[test]
fn ctrl_c_closes_one_question_after_another() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    let operations = sent(&press(&mut app, "dy<down>dy"));
    for (operation, id) in operations.iter().zip([7, 8]) {
        app.update(not_found(operation, row(id, State::Stored)));
    }
    assert!(frame::screen(&app).iter().any(|line| line.contains("1 more after this")));
    assert_eq!(press(&mut app, "<c-c><c-c>"), []);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn the_question_before_quitting_says_what_is_cancelled() {
    let one = Unfinished { forms: 1, ..Unfinished::default() };
    for (left, hint) in [
        (one, "ends the program"),
        (Unfinished { in_flight: 1, ..one }, "cancels what is in flight"),
        (Unfinished { checks: 1, ..one }, "cancels what is in flight"),
        (Unfinished { imports: 1, ..one }, "cancels what is in flight"),
    ] {
        assert_eq!(crate::tui::session::question::quit(left, false, false, None).choices[1].hint, hint, "{left:?}");
    }
}

#[test]
fn quitting_asks_only_where_something_would_be_lost() {
    let mut quiet = new_app();
    assert_eq!(press(&mut quiet, "q"), [Effect::Quit]);
    // A person has closed the form.
    let mut typed = new_app();
    assert_eq!(press(&mut typed, "aFern<esc>q").last(), Some(&Effect::Quit));
    assert_eq!(typed.not_sent(), []);
    // A form came back, and was kept for the next add.
    let mut kept = new_app();
    kept.cx.session.token = None;
    press(&mut kept, "aFern<tab><tab>t<enter><esc>");
    assert_eq!((press(&mut kept, "q"), kept.not_sent().len()), (vec![], 1));
    assert!(format!("{:?}", dialog(&kept)).contains("1 form is filled in"));
    let mut busy = new_app();
    press(&mut busy, "aFern<tab><tab>t<enter>");
    assert_eq!(press(&mut busy, "q<enter>"), []);
    assert_eq!(press(&mut busy, "q<tab><enter>"), [Effect::Quit]);
}

#[test]
fn ctrl_c_closes_then_cancels_then_quits() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>aIvy");
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert_eq!((!app.cx.display.has_dialog, app.cx.session.drafts.len()), (true, 1));
    assert_eq!(press(&mut app, "<c-c>"), [Effect::CancelAll]);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn the_system_can_end_the_program_over_any_dialog() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>a");
    assert_eq!(app.update(Msg::Terminate), [Effect::Quit]);
}
