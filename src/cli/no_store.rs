//! Fails where a subcommand needs a store and none is named: a pipeline whose variable is missing must never be green.

use color_eyre::eyre::{self, bail};

use super::error::{Failure, NOTHING_SENT};
use super::open::first_of;
use crate::config::{Flags, Settings};
use crate::journal;

/// Fails unless a store is named, or the demo store. Blocks on the file system if not: it looks for stores to suggest.
pub(super) fn check(settings: &Settings, flags: &Flags) -> eyre::Result<()> {
    if settings.connection.is_some() || flags.demo {
        return Ok(());
    }
    // A journal that cannot be read has no suggestions.
    let known = journal::stores_in(&settings.data_dir).unwrap_or_default();
    bail!(Failure::usage(message(
        settings.profiles.iter().map(|profile| profile.name.clone()).collect(),
        known.iter().map(ToString::to_string).collect(),
    )))
}

fn message(profiles: Vec<String>, stores: Vec<String>) -> String {
    let profiles = if profiles.is_empty() {
        "there are none yet".to_owned()
    } else {
        format!("profiles: {}", first_of(profiles.into_iter()))
    };
    let stores = if stores.is_empty() {
        String::new()
    } else {
        format!(" Stores in the journal: {}.", first_of(stores.into_iter()))
    };
    format!(
        "no store is named: name one with --base-url URL, PLANTS_BASE_URL, --profile NAME ({profiles}), or use --demo for the built-in store.{stores} {NOTHING_SENT}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_what_there_is() {
        let names = |count: usize| (1..=count).map(|number| format!("n{number}")).collect::<Vec<_>>();
        let bare = message(Vec::new(), Vec::new());
        assert!(
            bare.contains("--profile NAME (there are none yet), or use --demo") && !bare.contains("journal"),
            "{bare}"
        );
        let many = message(names(2), names(10));
        assert!(
            many.contains("(profiles: n1, n2)") && many.contains(": n1, n2, n3, n4, n5, n6, n7, n8, and 2 more. "),
            "{many}"
        );
    }
}
