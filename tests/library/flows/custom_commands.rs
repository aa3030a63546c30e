//! Custom commands: real programs that read the selected plant or request.

use plants::config::{CommandSubject, CustomCommand};

use super::*;

fn shell(name: &str, key: &str, on: CommandSubject, script: &str) -> CustomCommand {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    let (name, key) = (name.to_owned(), key.to_owned());
    CustomCommand { name, name_line: 1, key, key_line: 1, on, words }
}

/// Starts with these commands, and adds a plant.
async fn with(commands: Vec<CustomCommand>) -> (DemoStore, Program) {
    let (store, url) = demo(Weather::default()).await;
    let first = connected(Place::Memory, url, Some(TOKEN), Duration::from_secs(20), 7).await;
    let keys = KeySettings { commands, ..KeySettings::default() };
    let connect: Connect = Box::new(|_, _| Box::pin(async { Err(eyre!("there is no other")) }));
    let mut app = Box::pin(Program::configured(first, Vec::new(), connect, keys)).await;
    app.press("aMonstera<tab><c-u>7<tab>tropical<enter>").resolve().await.shows(&["1 stored"]);
    (store, app)
}

#[tokio::test]
async fn a_custom_command_reads_the_json_of_the_command_line() {
    let commands = vec![
        shell("pretty", "X", CommandSubject::Plant, "cat"),
        shell("pretty request", "F6", CommandSubject::Request, "cat"),
    ];
    let (_store, mut app) = with(commands).await;
    app.press("X").resolve().await;
    app.shows(&[r#"{"name":"Monstera","id":7,"tag":"tropical","state":"stored"}"#, "pretty"]);
    assert_eq!(TERMINAL.get(), "taken");
    let request = [r#"{"number":1,"started":"2023-11-14T22:13:20.000Z","operation":"add","outcome":"accepted""#];
    // In the Plants tab the last request of the plant, in the History the selected one, and the opened one.
    for keys in ["<esc><f6>", "<esc>2", "<f6>", "<esc><enter>", "<f6>"] {
        app.press(keys).resolve().await;
        if keys.ends_with("<f6>") {
            app.shows(&request);
        }
    }
    app.press("<esc>").resolve().await.shows(&["Request", "Response"]);
    app.press("<esc>1:pretty<enter>").resolve().await.shows(&[r#"{"name":"Monstera","id":7"#]);
    app.press("<esc>?/pretty<enter>")
        .resolve()
        .await
        .shows(&["pretty, a command of your own: sh reads the plant as JSON"]);
}

#[tokio::test]
async fn how_a_custom_command_ended_is_said() {
    let mut missing = shell("missing", "F8", CommandSubject::Plant, "");
    missing.words = vec!["no-such-program-here".to_owned()];
    let commands = vec![
        shell("silent", "X", CommandSubject::Plant, "exit 0"),
        shell("failing", "F6", CommandSubject::Plant, "exit 3"),
        shell("wordy", "F7", CommandSubject::Plant, r"printf 'a\033[2Jb\nc\n'; exit 4"),
        missing,
        shell("long", "F9", CommandSubject::Plant, "yes"),
    ];
    let (_store, mut app) = with(commands).await;
    app.press("X").resolve().await.shows(&["silent printed nothing."]);
    app.press("<f6>").resolve().await.shows(&["failing failed (exit code 3) and printed nothing."]);
    app.press("<f7>").resolve().await.shows(&["It failed (exit code 4).", "a␛[2Jb", "c"]);
    app.press("<esc><f9>").resolve().await.shows(&["It printed more: these are its first 1,048,576 bytes.", "y"]);
    app.press("<esc><f8>").resolve().await;
    app.shows(&["missing was not run: there is no program no-such-program-here; check its name in the config"]);
    assert_eq!(TERMINAL.get(), "taken");
}

#[tokio::test]
async fn while_a_custom_command_has_the_terminal_nothing_is_drawn_and_work_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let go = folder.path().join("go");
    let script = format!("while ! test -e '{}'; do sleep 0.01; done; echo over", go.display());
    let (_store, mut app) = with(vec![shell("waiting", "X", CommandSubject::Plant, &script)]).await;
    // Keys behind it in one read are dropped: they would be for what is on the screen then.
    app.burst("Xq").turn().await;
    assert_eq!(TERMINAL.get(), "lent");
    let before = app.screen();
    let plant = Plant { name: "Fern".into(), id: PlantId(8), tag: "shade".into() };
    let operation = Operation::new(OperationId { origin: 7, number: 100 }, OperationKind::add(plant), clock());
    app.journal.record_intent(operation.clone()).await.unwrap();
    app.journal.end(accepted(operation), clock()).await.unwrap();
    app.keyboard.send(Event::Msg(Msg::JournalChanged)).unwrap();
    while app.stage.app.cx.session.plants.window.tally.stored < 2 {
        app.turn().await;
    }
    app.keyboard.send(Event::Resized).unwrap();
    app.keyboard.send(Event::Continued).unwrap();
    app.turn().await;
    assert_eq!((app.screen(), TERMINAL.get()), (before, "lent"));
    std::fs::write(go, "").unwrap();
    app.resolve().await.shows(&["over"]);
    app.press("<esc>").resolve().await.shows(&["2 stored"]);
    assert_eq!(TERMINAL.get(), "taken");
}
