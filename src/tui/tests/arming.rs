//! What is typed ahead answers no question, and Esc with a key after it never means yes.

use super::import::{open_preview, preview};
use super::*;
use crate::import::Order;
use crate::terminal::AltKey;
use crate::tui::input::Command;

/// Apps in front of something that changes what a store or a disk has, with the keys that open it.
fn questions() -> Vec<(&'static str, App)> {
    let with = |keys: &'static str, prepare: fn(&mut App)| {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
        prepare(&mut app);
        (keys, app)
    };
    vec![
        with("d", |_| ()),
        with("", |app| {
            press(app, "D7<enter>");
            app.update(listed(&[PlantId(7)], &[row(7, State::Stored)]));
        }),
        with("u", |app| {
            app.update(window(&[row(8, State::Unknown)]));
            app.update(history(8, State::Unknown, Some(2)));
        }),
        with("r", |app| app.cx.session.unsent.extend([7, 8].map(|id| OperationKind::Delete(PlantId(id))))),
        with("3r", |_| ()),
        with("q", |app| app.cx.session.unsent.push(OperationKind::Delete(PlantId(7)))),
        with("", |app| open_preview(app, preview(10, 1, 0))),
    ]
}

/// Whether an effect changes a store, the journal or the program.
fn acts(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Send(_) | Effect::Resolve(..) | Effect::Import { .. } | Effect::FindEarlierRuns | Effect::Quit
    )
}

/// The keys that mean yes in some question.
const YES: [&str; 10] = ["y", "<tab><enter>", "<down><enter>", "jy", "r", "f", "s", "a", "o", "ynamic<enter>"];

#[test]
fn what_comes_in_one_read_with_the_key_that_opens_a_question_answers_nothing() {
    for yes in YES {
        for (keys, mut app) in questions() {
            if keys.is_empty() {
                show(&mut app);
            }
            let effects = burst(&mut app, &format!("{keys}{yes}"));
            // The first key of a read may come apart from what was before.
            let is_meant = keys.is_empty();
            assert!(is_meant || !effects.iter().any(acts), "{keys} {yes}: {effects:?}");
        }
    }
}

#[test]
fn what_comes_before_the_frame_or_soon_after_it_answers_nothing() {
    let soon = Timing { at: Duration::from_millis(1149), quiet: Duration::from_secs(1) };
    for yes in YES {
        for (keys, mut app) in questions() {
            press(&mut app, keys);
            let layout = app.cx.display.layout;
            app.update(Msg::Drawn(layout, Duration::from_secs(1)));
            for key in script(yes).unwrap() {
                let effects = app.update(Msg::Input(UserInput::Key(key), soon));
                assert!(!effects.iter().any(acts), "{keys} {yes}: {effects:?}");
            }
            // The n of "dynamic" says no.
            let says_no = yes.starts_with("yn");
            assert!(says_no || app.question().is_some() || app.previews(), "{keys} {yes}");
            for input in [
                UserInput::Click(Target::Choice(0)),
                UserInput::Click(Target::Choice(1)),
                UserInput::Click(Target::Command(Command::Yes)),
                UserInput::Wheel { over: Target::Choice(0), down: true },
            ] {
                let effects = app.update(Msg::Input(input, soon));
                assert!(!effects.iter().any(acts), "{keys}: {effects:?}");
            }
            assert!(app.question().is_none_or(|question| question.marked == 0), "{keys} {yes}");
        }
    }
}

#[test]
fn a_question_that_was_off_the_screen_takes_no_answer_until_it_was_seen_again() {
    let small = |app: &mut App| {
        let layout = app.cx.display.layout;
        app.update(shown(FrameLayout { too_small: true, ..layout }));
        app.cx.display.layout = layout;
    };
    // Behind the help; after a suspend; while the terminal was too small.
    for hide in [(|app| drop(press(app, "<f1>q"))) as fn(&mut App), App::frame_lost, small] {
        for yes in YES {
            for (keys, mut app) in questions() {
                press(&mut app, keys);
                show(&mut app);
                hide(&mut app);
                let layout = app.cx.display.layout;
                app.update(Msg::Drawn(layout, Duration::from_secs(1)));
                let mut at = Timing { at: Duration::from_millis(1149), quiet: Duration::from_secs(1) };
                for key in script(yes).unwrap() {
                    let effects = app.update(Msg::Input(UserInput::Key(key), at));
                    assert!(!effects.iter().any(acts), "{keys} {yes}: {effects:?}");
                    at.quiet = Duration::ZERO;
                }
            }
        }
    }
}

#[test]
fn a_key_that_came_too_soon_says_so_and_works_when_pressed_again() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(sent(&burst(&mut app, "dy")), []);
    assert_eq!(status_line(&app), "Press y again: it was typed before this question was shown.");
    assert_eq!(sent(&press(&mut app, "y")).len(), 1);
    // The same before the second Enter on a warning.
    assert_eq!(sent(&burst(&mut app, "aFern<enter><enter>")), []);
    assert_eq!(status_line(&app), "Press Enter again: it was typed before this warning was shown.");
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn a_line_or_a_form_that_was_not_typed_is_sent_only_once_it_was_seen() {
    for (keys, what) in [
        (":delete --yes lant<enter><enter>", "line"),
        (":delete --yes lant<tab><enter>", "line"),
        (":resolve --forget --yes lant<enter><enter>", "line"),
        ("A<enter>", "form"),
        (":add Ivy --tag t<enter><enter>", "form"),
    ] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        let acts =
            |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Send(_) | Effect::FindListed(_)));
        let effects = burst(&mut app, keys);
        assert!(!acts(&effects), "{keys}: {effects:?}");
        assert_eq!(
            status_line(&app),
            format!("Press Enter again: it was typed before this {what} was shown."),
            "{keys}"
        );
        assert!(acts(&press(&mut app, "<enter>")), "{keys}");
    }
    // Nor is the second half of a double click meant for it.
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, ":delete --yes lant");
    for _ in 0..2 {
        show(&mut app);
        assert_eq!(app.update(Msg::Input(UserInput::Click(Target::Line(0)), TOGETHER)), []);
    }
    assert_eq!(status_line(&app), "Click again: it was done before this line was shown.");
}

#[test]
fn a_key_that_does_nothing_there_is_not_asked_for_again() {
    for (keys, takes) in
        [("dd", false), ("dz", false), ("dr", false), ("d?", true), ("d<enter>", true), ("3ry", true), ("3ra", true)]
    {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        burst(&mut app, keys);
        assert_eq!(status_line(&app).starts_with("Press "), takes, "{keys}: {}", status_line(&app));
        assert!(app.question().is_some(), "{keys}");
    }
}

#[test]
fn no_works_at_once() {
    for no in ["n", "<esc>", "<c-c>"] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        assert_eq!(sent(&burst(&mut app, &format!("d{no}"))), []);
        assert!(!app.cx.display.has_dialog, "{no}");
    }
}

#[test]
fn forms_lose_no_text_that_is_typed_ahead_except_behind_a_warning() {
    let mut app = new_app();
    assert_eq!(sent(&burst(&mut app, "aFern<tab><c-u>7<tab>shade<enter>")).len(), 1);
    assert_eq!(sent(&burst(&mut app, "aIvy<enter>aOak<tab><tab><enter>")), []);
    assert_eq!((draft(&app).name.text(), draft(&app).tag.text()), ("Ivy", ""));
    app.update(Msg::Input(UserInput::Paste("t".into()), TOGETHER));
    assert_eq!(
        (draft(&app).tag.text(), status_line(&app)),
        ("", "Paste again: it was done before this warning was shown.")
    );
    press(&mut app, "<tab>x");
    assert_eq!(draft(&app).tag.text(), "x");
    // Nor does a warning that was not seen yet keep the mouse from another field.
    let mut app = new_app();
    burst(&mut app, "aIvy<enter>");
    app.update(Msg::Input(UserInput::Click(Target::Field(0)), TOGETHER));
    assert_eq!(draft(&app).focus, crate::domain::plant::Field::Name);
}

/// Presses keys as a person does who types on: on a frame each, but without a pause, or before there was time to read.
fn type_on(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (key, soon) in script(keys).unwrap().into_iter().zip([false, true].into_iter().cycle()) {
        show(app);
        let [at, quiet] = if soon { [499, 9000] } else { [9000, 249] }.map(Duration::from_millis);
        let timing = Timing { at, quiet };
        effects.extend(app.update(Msg::Input(UserInput::Key(key), timing)));
    }
    effects
}

#[test]
fn what_comes_in_front_by_itself_takes_nothing_that_a_person_types_on() {
    for status in [401, 409, 422, 503] {
        let mut app = new_app();
        let operation = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
        app.update(responded(&operation, status));
        let before = app.typed();
        assert!(before.is_some() || status == 503, "{status}");
        if before.is_some() {
            assert_eq!(type_on(&mut app, "aIvy<tab><tab>shade<enter>"), [], "{status}");
            app.update(Msg::Input(UserInput::Paste("secret".into()), TOGETHER));
            app.update(Msg::Input(UserInput::Click(Target::Field(0)), TOGETHER));
            assert_eq!(app.typed(), before, "{status}");
            assert_eq!(status_line(&app), "Click again: it was done before this dialog was shown.", "{status}");
            press(&mut app, "x");
            assert_ne!(app.typed(), before, "{status}");
        }
    }
    // Nor does a form that comes back as the one before it closes.
    let mut app = new_app();
    let operation = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
    press(&mut app, "aIv");
    app.update(responded(&operation, 422));
    assert_eq!(sent(&type_on(&mut app, "y<tab><tab>t<enter>aOak<tab><tab>t<enter>")).len(), 1);
    assert_eq!((draft(&app).name.text(), draft(&app).tag.text()), ("Fern", "t"));
    // What is safe works at once.
    type_on(&mut app, "<esc>");
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn a_tab_takes_no_key_that_was_meant_for_the_question_before_it() {
    let mut app = new_app();
    app.update(window(&[row(8, State::Unknown)]));
    app.cx.session.unsent.push(OperationKind::Delete(PlantId(7)));
    app.update(history(8, State::Unknown, Some(2)));
    press(&mut app, "u");
    app.update(unknown(&[8]));
    assert!(app.question().is_some());
    app.update(history(8, State::Stored, None));
    assert!(!app.cx.display.has_dialog);
    type_on(&mut app, "r");
    assert_eq!(status_line(&app), "Press r again: it was typed before this tab was shown.");
    assert!(!app.cx.display.has_dialog);
    type_on(&mut app, "<c-c>");
    assert!(app.question().and_then(Question::quits).is_some());
}

/// A key with Alt that no field knows, either.
const ALT: Key = Key::Alt(AltKey::Other);

#[test]
fn alt_counts_as_esc_in_dialogs_and_does_nothing_elsewhere() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d<tab>");
    assert_eq!(app.update(keyed(ALT)), []);
    assert!(!app.cx.display.has_dialog);
    assert_eq!(app.update(keyed(ALT)), []);
    press(&mut app, "aFern");
    // A field keeps those of a shell, and does nothing with some.
    app.update(keyed(Key::Alt(AltKey::Char('u'))));
    assert_eq!(draft(&app).name.text(), "Fern");
    assert_eq!(sent(&app.update(keyed(ALT))), []);
    assert!(!app.cx.display.has_dialog);
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Fern");
    let mut app = new_app();
    open_preview(&mut app, preview(10, 1, 0));
    show(&mut app);
    assert_eq!(app.update(keyed(ALT)), [Effect::DropImport]);
}

#[test]
fn three_interrupts_in_one_read_do_not_quit() {
    let mut app = new_app();
    app.cx.session.unsent.push(OperationKind::Delete(PlantId(7)));
    assert_eq!(burst(&mut app, "<c-c><c-c><c-c>"), []);
    let mut app = new_app();
    app.cx.session.unsent.push(OperationKind::Delete(PlantId(7)));
    assert!(press(&mut app, "<c-c><c-c>").contains(&Effect::Quit));
}

#[test]
fn esc_pressed_in_a_row_cancels_only_after_it_was_said() {
    let input = |app: &mut App, input: UserInput, at: u64, quiet: u64| {
        let timing = Timing { at: Duration::from_millis(at), quiet: Duration::from_millis(quiet) };
        let effects = app.update(Msg::Input(input, timing));
        let layout = app.cx.display.layout;
        app.update(Msg::Drawn(layout, Duration::from_millis(at + 5)));
        effects
    };
    let esc = |app: &mut App, at: u64, quiet: u64| input(app, UserInput::Key(Key::Esc), at, quiet);
    // What Esc leaves first, and what the next one cancels or stops.
    let dialogs_and_filters = ["/x", "?", ":x", "s", "a"];
    for keys in dialogs_and_filters {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        let operation = sent(&press(&mut app, "dy")).remove(0);
        press(&mut app, keys);
        let cancels = |effects: &[Effect]| effects.contains(&Effect::Cancel(operation.id));
        assert!(!cancels(&esc(&mut app, 10_000, 5_000)), "{keys}");
        app.update(found(&app, &[row(7, State::Deleting)]));
        assert!(!cancels(&esc(&mut app, 10_250, 250)), "{keys}");
        assert_eq!(status_line(&app), "Still under way. Press Esc again to cancel.", "{keys}");
        assert!(!cancels(&esc(&mut app, 10_280, 30)), "{keys}");
        assert!(cancels(&esc(&mut app, 10_600, 320)), "{keys}");

        press(&mut app, keys);
        assert!(!cancels(&esc(&mut app, 20_000, 5_000)), "{keys}");
        app.update(found(&app, &[row(7, State::Deleting)]));
        assert!(cancels(&esc(&mut app, 21_000, 1_000)), "an Esc after a while is no habit: {keys}");
    }
    // Two clicks on Esc among the keys are such a row, too.
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operation = sent(&press(&mut app, "dy")).remove(0);
    press(&mut app, "a");
    let click = |app: &mut App, command, at| input(app, UserInput::Click(Target::Command(command)), at, 250);
    assert_eq!(click(&mut app, Command::Close, 10_000), []);
    assert_eq!(click(&mut app, Command::Back, 10_250), []);
    assert_eq!(status_line(&app), "Still under way. Click again to cancel.");
    assert!(click(&mut app, Command::Back, 10_500).contains(&Effect::Cancel(operation.id)));
}

#[test]
fn an_import_that_esc_has_stopped_is_not_cancelled_by_the_same_habit() {
    let mut app = new_app();
    open_preview(&mut app, preview(10, 0, 0));
    press(&mut app, "y");
    let esc =
        |app: &mut App, quiet| app.update(Msg::Input(UserInput::Key(Key::Esc), Timing { at: Duration::MAX, quiet }));
    assert_eq!(esc(&mut app, Duration::from_secs(5)), [Effect::OrderImport(Order::Stop)]);
    assert_eq!(esc(&mut app, Duration::from_millis(200)), []);
    assert_eq!(status_line(&app), "Still under way. Press Esc again to cancel what is in flight.");
}
