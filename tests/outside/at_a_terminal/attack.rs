//! Hostile text in every input at once: the program writes no control sequence that harmless text does not cause, and
//! no invisible character.

use std::collections::BTreeSet;

use super::*;
use crate::support::raw::Reply;

/// The most combining marks on one character; more would cover the lines above and below.
const MARKS: usize = 16;

/// Appends every kind of hostile text to a word.
fn attack(word: &str) -> String {
    [
        word,
        "\x1b[2J\x1b[6n\x1b[?1049l",
        "\x1b]0;owned\x07",
        "\x1b]52;c;b3duZWQ=\x1b\\",
        "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
        "\x1bP$qm\x1b\\",
        "\x1b_G\x1b\\\x1bc\x1b7",
        "\u{9b}31m\u{90}\u{9d}\u{85}",
        "\u{202e}\u{2066}\u{200f}\u{61c}",
        "\u{200b}\u{2060}\u{feff}\u{ad}",
        "\u{e0041}\u{e007f}",
        &"e\u{301}".repeat(2),
        &"\u{301}".repeat(400),
        "\u{fe0f}\u{fe0e}\u{20e3}7\u{fe0f}あ\u{fe0f}©\u{200d}®\u{2800}",
        // Without a width: any number of them would fit into one cell.
        &format!("\u{1161}{}", "\u{301}".repeat(15)).repeat(50),
        " \u{301}\u{11a8}\u{302a}",
        "\r\n\t\u{8}\0",
    ]
    .concat()
}

/// Returns the kinds of control characters and sequences in the output; modes with their numbers.
fn control_kinds(raw: &[u8]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = control_sequences(raw)
        .into_iter()
        .map(|(parameters, last)| match last {
            'h' | 'l' => format!("CSI {parameters}{last}"),
            // Leaves out position and colour.
            'H' | 'm' => format!("CSI {last}"),
            _ => format!("CSI {parameters} {last}"),
        })
        .collect();
    for (at, byte) in raw.iter().enumerate() {
        match byte {
            0x1b => drop(found.insert(format!("ESC {:?}", raw.get(at + 1).map(|next| char::from(*next))))),
            0..=0x1f | 0x7f => drop(found.insert(format!("{byte:#04x}"))),
            _ => {}
        }
    }
    found
}

/// Returns the characters that are invisible, or change how text is shown.
fn invisible(raw: &[u8]) -> Vec<char> {
    let text = String::from_utf8_lossy(raw);
    let hides = |letter: &char| {
        matches!(letter,
            '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{1160}'..='\u{11ff}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{302a}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}' | '\u{fffd}')
    };
    text.chars().filter(hides).collect()
}

fn longest_run_of_marks(raw: &[u8]) -> usize {
    let text = String::from_utf8_lossy(raw).into_owned();
    text.split(|letter| letter != '\u{301}').map(|run| run.chars().count()).max().unwrap_or(0)
}

/// Uses every tab and dialog with these texts, from files and from a store. Returns all bytes written.
fn output_with(name: &str, tag: &str, body: &str) -> Vec<u8> {
    let store = RawStore::replying(vec![
        Reply::of("201 Created", body),
        Reply::of("409 Conflict", body),
        Reply::of("201 Created", body),
        Reply::of("500 Oops", body),
    ]);
    let home = Home::new();
    let words = |id| ["add", "--id", id, "--name", name, "--tag", tag].map(str::to_owned);
    // Another program writes to the journal.
    for (id, code) in [("7", 0), ("8", 1)] {
        home.plants_at(&store.url(), &words(id)).ended().orderly(code);
    }
    let rows = serde_json::json!([{ "name": name, "id": 9, "tag": tag }, { "name": name, "id": "x", "tag": tag }]);
    home.write("plants.json", rows.to_string());
    let data = home.data();
    let file = home.path().join("plants.json");
    let place = ["--base-url", &store.url(), "--data-dir", data.to_str().unwrap()];
    let mut pty = plants(&place).env("PLANTS_TOKEN", "demo").open();
    pty.shows("1 stored");
    // The table, the plant's history, the delete dialog; then the History tab.
    pty.press("\r").shows("Esc close").press("q").press("d").shows("Delete ").press("\x03");
    pty.press("2").shows("OUTCOME").press("\r").shows("as sent").press("p").press("q");
    pty.press("4").shows(" the store ").press("p").shows("Request").press("p").shows("Please add");
    // A file with an invalid row.
    pty.press("i").shows("Import");
    pty.press(&format!("\x15{}\r", file.display())).shows("1 bad");
    pty.press("\x1b").shows("q quit");
    pty.press("1").press("a").shows("Add a plant");
    let is_sent = |text: &str| text.contains("201 Created in");
    pty.paste(name).press("\r").until("a warning, or a response", |screen, _| {
        let text = screen.contents();
        text.contains("once more") || is_sent(&text)
    });
    if !is_sent(&pty.screen().contents()) {
        pty.answer("\r").until("a response", |screen, _| is_sent(&screen.contents()));
    }
    for (key, word) in [("/", "keep it"), (":", "Tab complete")] {
        pty.press(key).shows(word);
        pty.paste(name).until_read().press("\x1b").shows("q quit");
    }
    pty.press("q").until("the end or a question", |screen, _| {
        let text = screen.contents();
        text.trim().is_empty() || text.contains("Quit now?")
    });
    pty.signal(Signal::TERM);
    let ended = pty.end();
    assert_eq!(ended.signal, None);
    pty.assert_restored();
    let mut raw = pty.raw();
    // The output of subcommands on a terminal.
    for words in [&["list"][..], &["history"], &["history", "--as", "markdown"], &["export"]] {
        let mut pty = plants(&[&place[..], words].concat()).env("PLANTS_TOKEN", "demo").open();
        assert_eq!(pty.end().code, 0);
        raw.extend(pty.raw());
    }
    raw
}

#[test]
fn hostile_text_causes_no_other_control_sequence_and_no_invisible_character() {
    let harmless = output_with("Fern, the tall one", "shade", r#"{"name":"Fern","tag":"shade"}"#);
    let (name, tag) = (attack("Fern"), attack("shade"));
    let body = format!("{}{}", serde_json::json!({ "name": name, "tag": tag }), attack("{"));
    let attacked = output_with(&name.replace('\0', ""), &tag.replace('\0', ""), &body);
    let added: Vec<_> = control_kinds(&attacked).difference(&control_kinds(&harmless)).cloned().collect();
    assert_eq!(added, [""; 0], "control sequences that harmless text does not cause");
    assert_eq!(invisible(&attacked), ['\0'; 0]);
    let marks = longest_run_of_marks(&attacked);
    assert!(marks <= MARKS, "{marks} marks on one letter");
}
