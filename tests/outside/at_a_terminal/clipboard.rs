//! Copying with a program that reaches the system's clipboard, and what happens where it does not.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use super::pty::{Pty, Start};
use super::{CANARY, assert_canary_is_nowhere, assert_clean_exit, copied, plants, ready};

/// A `wl-copy` that is this script, on the path.
fn with_program(script: &str) -> Start {
    let start = plants(&["--demo"]).file("bin/wl-copy", &format!("#!/bin/sh\n{script}\n"));
    let folder = start.home().join("bin");
    fs::set_permissions(folder.join("wl-copy"), Permissions::from_mode(0o700)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    start
        .env("PATH", &path)
        .env("WAYLAND_DISPLAY", "wayland-9")
        .env("PLANTS_TOKEN", CANARY)
        .env("PLANTS_HEADER_X_KEY", CANARY)
}

fn quit(mut pty: Pty) {
    pty.press("q");
    assert_clean_exit(&mut pty);
    assert_canary_is_nowhere(&pty);
}

#[test]
fn a_program_that_reaches_the_clipboard_gets_the_text_and_no_secret() {
    let pty = ready(with_program("env >environment; cat >part; mv part clipboard"));
    pty.press("gI").shows("Copied the id 1 with wl-copy (1 byte).");
    assert_eq!(fs::read_to_string(pty.home().join("clipboard")).unwrap(), "1");
    let environment = fs::read_to_string(pty.home().join("environment")).unwrap();
    assert!(environment.contains("wayland-9") && !environment.contains(CANARY), "{environment}");
    assert!(copied(&pty).is_empty(), "the terminal gets nothing");
    quit(pty);
}

#[test]
fn where_no_program_takes_the_text_the_terminal_may() {
    for (script, said) in [
        ("exit 3", "wl-copy failed (exit code 3). The id 1 went to the terminal, which may take it (OSC 52"),
        ("exec sleep 600", "wl-copy did not end. The id 1"),
    ] {
        let pty = ready(with_program(script));
        pty.press("gI").press("j").shows("▸     2").shows(said);
        assert_eq!(copied(&pty), [b"1"]);
        quit(pty);
    }
    let pty = ready(with_program("touch ran").env("SSH_CONNECTION", "a 1 b 2"));
    pty.press("gI").shows("The id 1 went to the terminal, which may take it (OSC 52");
    assert!(!pty.home().join("ran").exists());
    quit(pty);
}
