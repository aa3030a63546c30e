//! Reads bytes as the config file.

use std::fs;

use plants::config::{Environment, Flags, resolve};
use plants::tui::input::Keymap;

use super::{assert_harmless_line, folder};

pub(super) fn read(bytes: &[u8]) {
    let home = folder();
    let file = home.join("config.toml");
    fs::write(&file, bytes).expect("the file is written");
    let flags = Flags { config: Some(file.clone()), ..Flags::default() };
    let read = || resolve(&flags, &Environment::at_home(&home), Keymap::faults);
    let lines = bytes.split(|byte| *byte == b'\n').count();
    match read() {
        Err(faults) => {
            assert!(!faults.is_empty(), "an invalid file without a fault");
            for fault in &faults {
                assert_harmless_line(&fault.to_string());
                assert!(fault.location.line.is_none_or(|line| (1..=lines).contains(&line)), "{fault}: no such line");
            }
            assert_eq!(read().err(), Some(faults), "other faults at the second reading");
        }
        Ok(settings) => {
            if let Some(connection) = &settings.connection {
                assert_harmless_line(&connection.url.to_string());
            }
            Keymap::configured(&settings.keys, &file).expect("validated keys");
        }
    }
}
