//! Custom commands: what their keys do, and what is shown once they have ended.

use super::*;
use crate::config::{CommandSubject, CustomCommand, KeySettings};
use crate::journal::StoredExchange;
use crate::tui::CommandInput;
use crate::tui::message::CommandOutput;

/// An app with the command `one` on a plant (`X`) and `two` on a request (`Z`).
fn app() -> App {
    let command = |name: &str, key: &str, on| {
        let [name, key] = [name, key].map(str::to_owned);
        CustomCommand { name, name_line: 1, key, key_line: 1, on, words: vec!["jq".to_owned()] }
    };
    let commands = vec![command("one", "X", CommandSubject::Plant), command("two", "Z", CommandSubject::Request)];
    let settings = KeySettings { commands, ..KeySettings::default() };
    let keys = Keymap::configured(&settings, std::path::Path::new("c.toml")).unwrap();
    let mut app = App::new(info(), keys, Some(token()));
    let _ = app.begin(Vec::new());
    app
}

fn runs(effects: &[Effect]) -> Vec<(usize, CommandInput)> {
    let run = |effect: &Effect| if let Effect::RunCommand(at, input) = effect { Some((*at, *input)) } else { None };
    effects.iter().filter_map(run).collect()
}

fn request() -> StoredExchange {
    let operation =
        Operation::new(OperationId { origin: 1, number: 4 }, OperationKind::Delete(PlantId(7)), Timestamp(0));
    let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
    StoredExchange { number: 1, called: None, exchange }
}

fn message(app: &App) -> &str {
    app.cx.out.status.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn a_custom_command_runs_on_what_is_selected_or_says_why_not() {
    let mut app = app();
    assert_eq!(runs(&press(&mut app, "X")), []);
    assert_eq!(message(&app), "X does nothing now: no plant is selected.");
    assert_eq!(runs(&press(&mut app, "Z")), []);
    assert_eq!(message(&app), "Z does nothing now: no request is selected.");

    app.update(window(&[row(7, State::Stored)]));
    let plant = CommandInput::Plant(PlantId(7));
    assert_eq!(runs(&press(&mut app, "X")), [(0, plant)]);
    assert_eq!(runs(&press(&mut app, ":one<enter>")), [(0, plant)]);
    let exchanges = vec![request().exchange];
    let history = PlantHistory { row: Some(row(7, State::Stored)), unknown: None, exchanges };
    app.update(Msg::PlantHistory(PlantId(7), Ok(Box::new(history))));
    let of_plant = CommandInput::Request(OperationId { origin: 1, number: 4 });
    assert_eq!(runs(&press(&mut app, "Z")), [(1, of_plant)]);
    assert_eq!(runs(&press(&mut app, ":two<enter>")), [(1, of_plant)]);
    // No plant is selected in the Check tab: the palette goes to the Plants tab.
    assert_eq!(runs(&press(&mut app, "3f")), []);
    assert_eq!(runs(&press(&mut app, ":one<enter>")), [(0, plant)]);
}

#[test]
fn footer_and_help_have_custom_commands() {
    let mut app = app();
    app.update(window(&[row(7, State::Stored)]));
    let shown: Vec<_> = app.footer().into_iter().map(|(_, label)| label.to_owned()).collect();
    assert!(shown.contains(&"one".to_owned()) && !shown.contains(&"two".to_owned()), "{shown:?}");
    press(&mut app, "?");
    let text = frame::screen(&app).join("\n");
    assert!(text.contains(" X ") && text.contains("one, a command of your own: jq reads the plant as JSON"), "{text}");
}

#[test]
fn the_output_opens_over_what_is_open() {
    let mut app = app();
    app.update(window(&[row(7, State::Stored)]));
    let output = |printed: &str, failure: Option<&str>| {
        let (printed, failure) = (printed.as_bytes().to_vec(), failure.map(str::to_owned));
        Msg::CommandEnded(
            "one".to_owned(),
            Ok(Box::new(CommandOutput { name: "one".to_owned(), printed, cut_at: None, failure })),
        )
    };
    press(&mut app, "?");
    app.update(output("first\nsecond \u{1b}[2J", None));
    assert_eq!(title(&app), "one");
    assert_eq!(dialog(&app).rows[..2], ["first", "second ␛[2J"]);
    press(&mut app, "<esc>");
    assert_eq!(title(&app), "Keys and words");
    app.update(output("", None));
    assert_eq!(message(&app), "one printed nothing.");
    app.update(output("", Some("exit code 3")));
    assert_eq!(message(&app), "one failed (exit code 3) and printed nothing.");
    app.update(Msg::CommandEnded("one".to_owned(), Err("there is no program jq".into())));
    assert_eq!(app.cx.out.status.notices.front().unwrap().text, "one was not run: there is no program jq");
}
