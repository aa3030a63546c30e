//! The programs that reach the system's clipboard.
//!
//! Must not know what is copied, nor whether a program is installed.

use std::ffi::OsString;

use tokio::process::Command;

use super::secret_command::composed;
use crate::os::process::{CLIPBOARD_PROGRAM, keep_off_terminal};

/// Those for Wayland and for X11, each with the variable that says that there is such a display.
const PROGRAMS: [(&str, &[&str]); 3] = [
    ("WAYLAND_DISPLAY", &["wl-copy"]),
    ("DISPLAY", &["xclip", "-selection", "clipboard"]),
    ("DISPLAY", &["xsel", "--clipboard", "--input"]),
];

/// The programs that may reach the clipboard of the person at the terminal, in the order in which they are tried; none
/// over SSH, where the clipboard is at the other end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clipboard {
    programs: Vec<&'static [&'static str]>,
}

impl Clipboard {
    pub(super) fn of_variables(look_up: impl Fn(&str) -> Option<OsString>) -> Self {
        if look_up("SSH_CONNECTION").is_some() {
            return Self::default();
        }
        let of_display = PROGRAMS.into_iter().filter(|(variable, _)| look_up(variable).is_some());
        let programs = of_display.map(|(_, words)| words).chain(CLIPBOARD_PROGRAM.iter().copied()).collect();
        Self { programs }
    }

    pub fn is_out_of_reach(&self) -> bool {
        self.programs.is_empty()
    }

    /// Composes each program, with its name, and without a secret in its environment.
    pub fn composed(&self) -> impl Iterator<Item = (&'static str, Command)> {
        self.programs.iter().filter_map(|words| {
            let name = *words.first()?;
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            let mut command = composed(&words)?;
            keep_off_terminal(&mut command);
            Some((name, command))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(variables: &[&str]) -> Vec<&'static str> {
        let clipboard = Clipboard::of_variables(|name| variables.contains(&name).then(|| "x".into()));
        clipboard.composed().map(|(name, _)| name).filter(|name| *name != "pbcopy").collect()
    }

    #[test]
    fn the_display_says_which_programs_reach_the_clipboard() {
        assert!(names(&[]).is_empty());
        assert_eq!(names(&["WAYLAND_DISPLAY"]), ["wl-copy"]);
        assert_eq!(names(&["DISPLAY"]), ["xclip", "xsel"]);
        assert_eq!(names(&["WAYLAND_DISPLAY", "DISPLAY"]), ["wl-copy", "xclip", "xsel"]);
        assert!(names(&["WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION"]).is_empty());
    }
}
