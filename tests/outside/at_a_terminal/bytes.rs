//! Bytes that no person has typed, or that were typed ahead: nothing acts that was not meant.

use super::*;

/// The store of the program has this many plants, and the screen shows nothing else than the list.
fn assert_nothing_happened(pty: &Pty) {
    pty.resize(118, 35).shows("6 stored").resize(120, 36).shows("q quit").shows("6 stored");
    let text = pty.screen().contents();
    for other in ["Delete", "Add a plant", "Stores", "Import", "Tour", "in flight", "Quit now?"] {
        assert!(!text.contains(other), "{other} in\n{text}");
    }
}

#[test]
fn esc_and_a_key_in_one_write_never_mean_yes() {
    let mut pty = demo();
    for key in ["\r", "\t", "y", "\x03", "\x1b[D", "\x1bOA"] {
        pty.press("d").shows("Delete").answer("\t").shows("▸ y");
        pty.press(&format!("\x1b{key}"))
            .until("the question is gone", |screen, _| !screen.contents().contains("Delete it"));
        pty.until_read();
        assert_nothing_happened(&pty);
    }
    pty.press("aFern\t\tt").shows("\"tag\":\"t\"").press("\x1b\r");
    pty.until("the form is closed", |screen, _| !screen.contents().contains("Add a plant"));
    assert_nothing_happened(&pty);
    pty.interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn replies_of_the_terminal_are_no_keys() {
    let replies = [
        "\x1b[?62;4;22c",
        "\x1b[>41;354;0c",
        "\x1b[?997;1n",
        "\x1b[?2026;2$y",
        "\x1bP>|XTerm(379)\x1b\\",
        "\x1b_Gi=31;OK\x1b\\",
        "\x1b^dad\x1b\\",
        "\x1bXdad\x1b\\",
        "\x1b]12;rgb:dddd/aaaa/dddd\x07",
        "\x1b]52;c;ZGVsZXRl\x1b\\",
        "\x1b\x1b[D",
    ];
    let mut pty = demo();
    for reply in replies {
        pty.press(reply).until_read();
        // In two reads, as over a slow line.
        let (first, second) = reply.split_at(reply.len() / 2);
        pty.press(first).until_read().press(second).until_read();
    }
    assert_nothing_happened(&pty);
    pty.press("a").shows("Add a plant");
    for reply in replies.iter().filter(|reply| !reply.starts_with("\x1b\x1b")) {
        pty.press(reply);
    }
    pty.press("x").shows("▸ name  x ").interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn what_is_typed_ahead_answers_no_question() {
    for ahead in ["dy", "d\t\r", "dynamic\r", "d\x1b[B\r", "Mdy"] {
        let mut pty = demo();
        pty.press(ahead).until_read();
        // "dynamic" says no with its n, opens a form with its a, and types the rest. With "Mdy" the question comes once
        // all plants are marked, after the y.
        pty.until("the answer is dropped", |screen, _| {
            let shown = ["typed before this", "name  mic", "Delete these 6 plants?"];
            shown.iter().any(|text| screen.contents().contains(text))
        });
        assert!(pty.screen().contents().contains("6 stored"), "{ahead:?}: {}", pty.screen().contents());
        pty.press("\x1b").until_read().interrupt();
        assert_clean_exit(&mut pty);
    }
    let mut pty = demo();
    pty.press("d").shows("Delete").answer("y").shows("Deleted").press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn what_the_terminal_sends_late_does_not_reach_the_shell() {
    let script = r#""$0"; echo "[ended $?]"; IFS= read -r line; echo "[read $line]""#;
    // The variable would give the background colour, and there would be no query.
    let mut pty = Start::script(script, PLANTS).env("COLORFGBG", "").open();
    pty.shows("6 stored").writes(QUERY).press("q").writes(b"\x1b[5n");
    pty.press("\x1b]11;rgb:0a0a/0d0d/0a0a\x1b\\\x1b[<64;9;9M\x1b[0n").shows("[ended 0]");
    pty.press("go\r").shows("[read go]");
    assert_exit(&mut pty, 0);
}
