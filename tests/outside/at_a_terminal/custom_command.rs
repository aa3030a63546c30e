//! Custom commands in a real terminal: they have it while they run, and never a secret.

use std::fs;

use super::pty::Start;
use super::{CANARY, PLANTS, assert_canary_is_nowhere, assert_clean_exit, assert_exit, plants, ready};

/// A command with the key `X`, about a plant, which this script is.
fn with_command(start: Start, script: &str) -> Start {
    let config = format!("[[command]]\nkey = 'X'\nrun = ['sh', '-c', '{script}']\non = 'plant'\n");
    start.file("config/plants/config.toml", &config)
}

#[test]
fn a_custom_command_may_ask_on_the_terminal() {
    let script =
        "stty -echo </dev/tty; echo Which words? >&2; read -r word </dev/tty; echo $word; grep -o Monstera; exit 3";
    let mut pty = ready(with_command(plants(&[]), script));
    pty.press("gX").shows("Which words?").until("the screen is given back", |screen, _| !screen.alternate_screen());
    assert!(!pty.is_raw());
    pty.press("two words\rtyped too much\r").shows("It failed (exit code 3).").shows("two words").shows("Monstera");
    assert!(pty.is_raw() && pty.screen().alternate_screen() && pty.screen().bracketed_paste());
    // What it did not read is no key of the program.
    pty.press("q").until("the output is closed", |screen, _| !screen.contents().contains("two words"));
    pty.shows("6 stored").press("q");
    assert_exit(&mut pty, 0);
}

#[test]
fn ctrl_c_ends_a_custom_command_and_not_the_program() {
    let mut pty = ready(with_command(plants(&[]), "echo begun >&2; exec sleep 600"));
    pty.press("X")
        .shows("begun")
        .press("\x03")
        .shows("sh failed (interrupted) and printed nothing.")
        .shows("6 stored")
        .press("q");
    assert_exit(&mut pty, 0);
}

#[test]
fn ctrl_c_ends_a_custom_command_that_has_stopped_itself() {
    let mut pty = ready(with_command(plants(&[]), "echo begun >&2; kill -STOP $$; exec sleep 600"));
    pty.press("X").shows("begun").press("\x03").shows("sh failed (interrupted) and printed nothing.").press("q");
    assert_exit(&mut pty, 0);
}

#[test]
fn a_signal_that_ends_the_program_ends_the_custom_command() {
    let script = "echo $$ >pid; stty -echo </dev/tty; echo begun >&2; exec sleep 600";
    let mut pty = ready(with_command(plants(&[]), script));
    pty.press("X").shows("begun").signal(rustix::process::Signal::TERM);
    assert_exit(&mut pty, 0);
    let id = fs::read_to_string(pty.home().join("pid")).unwrap().trim().parse().unwrap();
    let is_running = || rustix::process::test_kill_process(rustix::process::Pid::from_raw(id).unwrap()).is_ok();
    assert!(!is_running(), "the command still runs");
}

#[test]
fn ctrl_z_stops_a_custom_command_with_the_program() {
    let script = r#"set -m; "$0"; echo "[stopped $?]"; read -r line; fg >/dev/null; echo "[ended $?]""#;
    let waits = "trap \"echo continued >&2\" CONT; echo begun >&2; while :; do sleep 0.1; done";
    let mut pty = ready(with_command(Start::script(script, PLANTS), waits));
    pty.press("X").shows("begun").press("\x1a").shows("[stopped 147]").press("go on\r").shows("continued");
    pty.press("\x03")
        .shows("sh failed (interrupted) and printed nothing.")
        .shows("6 stored")
        .press("q")
        .shows("[ended 0]");
    assert_exit(&mut pty, 0);
}

#[test]
fn a_custom_command_gets_no_secret() {
    let config = "
[profile.p]
base_url = 'http://127.0.0.1:9'
token_env = 'P_TOKEN'
[profile.p.headers]
X-Key = { env = 'P_KEY' }
[profile.other]
base_url = 'http://127.0.0.1:9'
token_env = 'OTHER_TOKEN'
[[command]]
key = 'X'
run = ['sh', '-c', 'cat /proc/self/environ >environment; cat >>environment; env']
on = 'plant'
";
    let mut start = plants(&[]).file("config/plants/config.toml", config).env("HARMLESS", "a harmless value");
    for variable in ["PLANTS_TOKEN", "PLANTS_HEADER_X_KEY", "P_TOKEN", "P_KEY", "OTHER_TOKEN"] {
        start = start.env(variable, CANARY);
    }
    let mut pty = ready(start.args(&["--demo"]));
    pty.press("X").shows("HARMLESS=a harmless value");
    let environment = fs::read_to_string(pty.home().join("environment")).unwrap();
    assert!(environment.contains("a harmless value") && environment.contains(r#""state":"stored""#), "{environment}");
    pty.press("qq");
    assert_clean_exit(&mut pty);
    assert_canary_is_nowhere(&pty);
}
