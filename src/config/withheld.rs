//! The variables with secrets, which no other program inherits that this one runs: those of tokens and of headers.
//!
//! A variable is withheld everywhere once a config file has named it, as a token is masked everywhere once it is known.
//! Must not know which programs there are, nor the value of a variable.

use std::collections::BTreeSet;
use std::env::vars_os;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::setting::TOKEN;
use crate::domain::curl::HEADER_VARIABLES;

/// Those that a config file has named since the start.
static NAMED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn with_named<T>(act: impl FnOnce(&mut BTreeSet<String>) -> T) -> T {
    act(&mut NAMED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Withholds the variable of this name from here on.
pub(super) fn withhold(name: &str) {
    with_named(|named| named.insert(name.to_owned()));
}

/// Whether a config file has named this variable.
pub(super) fn is_named(name: &str) -> bool {
    with_named(|named| named.contains(name))
}

/// Removes the variables with secrets from what a program inherits.
pub fn withhold_secrets(program: &mut Command) {
    program.env_remove(TOKEN.variable);
    with_named(|named| {
        for name in named.iter() {
            program.env_remove(name);
        }
    });
    for (name, _) in vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(HEADER_VARIABLES.as_bytes())) {
        program.env_remove(name);
    }
}
